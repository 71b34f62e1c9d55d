/*
 * traces/paths.c - see traces/paths.h.
 *
 * A set is found by its key: the path of a per-CPU file without its number (packed files keep their
 * suffix: "sda.blktrace.3.xz" has key "sda.blktrace.").  A single listed file stays alone: naming
 * only CPU 1's file reads only that.  A name that exists is a file whatever it contains, so a file
 * with ':' in its name can be read; only then is it tried as a base name, and last as joined names.
 *
 * Not modelled: sets spread over several folders, other than listed or joined.
 */
#include "traces/paths.h"

#include <string.h>

#include "sim/op.h"

static const char SET_INFIX[] = ".blktrace.";

struct member {
	char *path;
	uint64_t cpu;
};

struct group {
	char *key;	 /* NULL: takes no further members */
	GArray *members; /* struct member */
};

static void member_clear(void *p)
{
	struct member *m = p;

	g_free(m->path);
}

static struct group *group_new(GPtrArray *groups, const char *key)
{
	struct group *g = g_new0(struct group, 1);

	g->key = g_strdup(key);
	g->members = g_array_new(FALSE, FALSE, sizeof(struct member));
	g_array_set_clear_func(g->members, member_clear);
	g_ptr_array_add(groups, g);
	return g;
}

static void group_free(void *p)
{
	struct group *g = p;

	g_free(g->key);
	g_array_unref(g->members);
	g_free(g);
}

/* Add @path unless it is there: a set may be named by its base and by its files at once. */
static void group_add(struct group *g, const char *path, uint64_t cpu)
{
	struct member m = {g_strdup(path), cpu};

	for (guint i = 0; i < g->members->len; i++)
		if (!strcmp(g_array_index(g->members, struct member, i).path, path)) {
			g_free(m.path);
			return;
		}
	g_array_append_val(g->members, m);
}

/* Is @s nothing, or the suffix of a packed file? */
static bool is_pack_suffix(const char *s)
{
	static const char *const suffixes[] = {"", ".gz", ".xz", ".lz4", ".zst", NULL};

	return g_strv_contains(suffixes, s);
}

/* Split a per-CPU file's @path into key and CPU; false when it is none. */
static bool split_cpu(const char *path, char **key, uint64_t *cpu)
{
	const char *infix = g_strrstr(path, SET_INFIX);
	char *end;

	if (!infix || !g_ascii_isdigit(infix[strlen(SET_INFIX)]))
		return false;
	const char *number = infix + strlen(SET_INFIX);

	*cpu = g_ascii_strtoull(number, &end, 10);
	if (!is_pack_suffix(end))
		return false;
	*key = g_strndup(path, (gsize)(number - path));
	return true;
}

static struct group *group_of_key(GPtrArray *groups, const char *key)
{
	for (guint i = 0; i < groups->len; i++) {
		struct group *g = g_ptr_array_index(groups, i);

		if (!g_strcmp0(g->key, key))
			return g;
	}
	return group_new(groups, key);
}

static void add_file(GPtrArray *groups, const char *path)
{
	g_autofree char *key = NULL;
	uint64_t cpu;

	if (split_cpu(path, &key, &cpu))
		group_add(group_of_key(groups, key), path, cpu);
	else
		group_add(group_new(groups, NULL), path, 0);
}

/* Add all files of the set with base name @base; false when there are none. */
static bool add_set(GPtrArray *groups, const char *base)
{
	g_autofree char *folder = g_path_get_dirname(base);
	g_autofree char *stem = g_path_get_basename(base);
	g_autofree char *key =
		g_strconcat(base, g_str_has_suffix(base, ".blktrace") ? "." : SET_INFIX, NULL);
	GDir *dir = g_dir_open(folder, 0, NULL);
	bool any = false;

	if (!dir)
		return false;
	for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir)) {
		g_autofree char *path =
			strchr(base, '/') ? g_build_filename(folder, name, NULL) : g_strdup(name);
		g_autofree char *its_key = NULL;
		uint64_t cpu;

		if (!g_str_has_prefix(name, stem) || !split_cpu(path, &its_key, &cpu) ||
		    strcmp(its_key, key))
			continue;
		group_add(group_of_key(groups, key), path, cpu);
		any = true;
	}
	g_dir_close(dir);
	return any;
}

static bool is_file(const char *path)
{
	return !strcmp(path, "-") || g_file_test(path, G_FILE_TEST_EXISTS);
}

/* "a:b": every part must be a file. */
static bool add_joined(GPtrArray *groups, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, ":", -1);

	for (unsigned int i = 0; parts[i]; i++)
		if (!is_file(parts[i]))
			return false;
	struct group *g = group_new(groups, NULL);

	for (unsigned int i = 0; parts[i]; i++)
		group_add(g, parts[i], i);
	return true;
}

static bool add_path(GPtrArray *groups, const char *path, GError **err)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: a folder, expected a capture",
			    path);
		return false;
	}
	if (is_file(path)) {
		add_file(groups, path);
		return true;
	}
	if (add_set(groups, path) || (strchr(path, ':') && add_joined(groups, path)))
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: no such file, and no per-CPU files %s.blktrace.N", path, path);
	return false;
}

static int cmp_member(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return strcmp(x->path, y->path);
}

static char **group_paths(const struct group *g)
{
	char **paths = g_new0(char *, g->members->len + 1);

	g_array_sort(g->members, cmp_member);
	for (guint i = 0; i < g->members->len; i++)
		paths[i] = g_strdup(g_array_index(g->members, struct member, i).path);
	return paths;
}

GPtrArray *paths_group(const char *const *paths, GError **err)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);

	for (; *paths; paths++)
		if (!add_path(groups, *paths, err))
			return NULL;
	GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);

	for (guint i = 0; i < groups->len; i++)
		g_ptr_array_add(lists, group_paths(g_ptr_array_index(groups, i)));
	return lists;
}

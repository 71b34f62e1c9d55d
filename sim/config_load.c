/*
 * sim/config_load.c - scenario files into a struct config.
 *
 * GKeyFile parses, but knows neither includes nor lines.  So the text is scanned first: include
 * lines are followed and blanked, malformed lines, keys outside a section and duplicates are
 * refused with their line, and each key's line is noted.  GKeyFile then gives the values, raw:
 * backslashes mean nothing here.
 */
#include "sim/config_load.h"

#include <string.h>

#include "sim/input.h"
#include "sim/op.h"

struct scan {
	struct config *config;
	const char *path;
	GSList *including; /* canonical paths of the files being read, innermost first; borrowed */
	char *section;	   /* of the current line; NULL before the first */
	GHashTable *seen;  /* "section\nkey" of this file -> "FILE:LINE" */
	GPtrArray *keys;   /* those strings in file order; borrowed */
	unsigned int line;
};

static bool load(struct config *c, const char *path, GSList *including, GError **err);

static bool refuse(const struct scan *s, GError **err, const char *what, const char *arg)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s:%u: %s%s", s->path, s->line, what,
		    arg);
	return false;
}

/* Read the files of an include line, relative to the file it stands in. */
static bool follow(const struct scan *s, const char *list, GError **err)
{
	g_auto(GStrv) paths = g_strsplit(list, ";", -1);
	g_autofree char *folder = g_path_get_dirname(s->path);

	for (char **p = paths; *p; p++) {
		bool plain = g_path_is_absolute(g_strstrip(*p)) || !strcmp(folder, ".");
		g_autofree char *path = plain ? g_strdup(*p) : g_build_filename(folder, *p, NULL);

		if (!**p)
			continue;
		if (!load(s->config, path, s->including, err)) {
			g_prefix_error(err, "%s:%u: included: ", s->path, s->line);
			return false;
		}
	}
	return true;
}

static bool scan_section(struct scan *s, char *text, GError **err)
{
	size_t n = strlen(text);
	g_autofree char *where = g_strdup_printf("%s:%u", s->path, s->line);

	if (n < 3 || text[n - 1] != ']')
		return refuse(s, err, "expected [section], found: ", text);
	g_free(s->section);
	s->section = g_strndup(text + 1, n - 2);
	config_put_section(s->config, s->section, where);
	return true;
}

static bool scan_key(struct scan *s, const char *key, GError **err)
{
	g_autofree char *id = g_strdup_printf("%s\n%s", s->section, key);
	const char *before = g_hash_table_lookup(s->seen, id);

	if (before) {
		g_autofree char *what = g_strdup_printf("%s.%s: given before at ", s->section, key);

		return refuse(s, err, what, before);
	}
	g_ptr_array_add(s->keys, id);
	g_hash_table_insert(s->seen, g_steal_pointer(&id),
			    g_strdup_printf("%s:%u", s->path, s->line));
	return true;
}

/* One line of the file; include lines are blanked in @line itself. */
static bool scan_line(struct scan *s, char *line, GError **err)
{
	g_autofree char *text = g_strstrip(g_strdup(line));
	char *equals = strchr(text, '=');

	if (!*text || *text == '#')
		return true;
	if (*text == '[')
		return scan_section(s, text, err);
	if (!equals || equals == text)
		return refuse(s, err, "expected key = value, found: ", text);
	*equals = '\0';
	g_strchomp(text);
	if (s->section)
		return scan_key(s, text, err);
	if (strcmp(text, "include"))
		return refuse(s, err,
			      "expected include = PATH or a [section] before this key: ", text);
	memset(line, ' ', strlen(line));
	return follow(s, equals + 1, err);
}

/* Scan @text line by line; each line is a string of its own while scan_line() looks at it. */
static bool scan_text(struct scan *s, char *text, GError **err)
{
	bool ok = true;

	for (char *line = text, *end; ok && line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		s->line++;
		ok = scan_line(s, line, err);
		if (end)
			*end = '\n';
	}
	return ok;
}

/* Hand over the values as GKeyFile reads them, in file order. */
static bool put_keys(struct scan *s, const char *text, GError **err)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	bool empty = text[strspn(text, " \t\r\n")] == '\0';

	if (!empty && !g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, err)) {
		g_prefix_error(err, "%s: ", s->path);
		(*err)->domain = F2SIM_ERROR;
		(*err)->code = F2SIM_ERROR_INPUT;
		return false;
	}
	for (unsigned int i = 0; i < s->keys->len; i++) {
		const char *id = s->keys->pdata[i];
		g_auto(GStrv) part = g_strsplit(id, "\n", 2);
		g_autofree char *value = g_key_file_get_value(file, part[0], part[1], NULL);

		if (!value) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: malformed key '%s'",
				    (const char *)g_hash_table_lookup(s->seen, id), part[1]);
			return false;
		}
		config_put(s->config, part[0], part[1], value, g_hash_table_lookup(s->seen, id));
	}
	return true;
}

static bool load_text(struct scan *s, char *text, size_t len, GError **err)
{
	int mark = text_mark_bytes(text, len, s->path, err);
	bool ok;

	if (mark < 0)
		return false;
	text += mark;
	len -= (size_t)mark;
	if (!g_utf8_validate(text, (gssize)len, NULL)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: not UTF-8 text", s->path);
		return false;
	}
	s->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	s->keys = g_ptr_array_new();
	ok = scan_text(s, text, err) && put_keys(s, text, err);
	g_ptr_array_unref(s->keys);
	g_hash_table_unref(s->seen);
	g_free(s->section);
	return ok;
}

static bool load(struct config *c, const char *path, GSList *including, GError **err)
{
	g_autofree char *self = g_canonicalize_filename(path, NULL);
	g_autofree char *text = NULL;
	GSList here = {.data = self, .next = including};
	struct scan s = {.config = c, .path = path, .including = &here};
	size_t len;

	if (g_slist_find_custom(including, self, (GCompareFunc)strcmp)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: includes itself", path);
		return false;
	}
	text = input_text(path, &len, err);
	if (!text)
		return false;
	return load_text(&s, text, len, err);
}

/* ASCII in UTF-16 without a mark: every other byte is 0. */
static bool looks_utf16(const char *head)
{
	bool little = g_ascii_isprint(head[0]) && !head[1] && head[2] && !head[3];

	return little || (!head[0] && g_ascii_isprint(head[1]) && !head[2] && head[3]);
}

int text_mark_bytes(const char *head, size_t n, const char *name, GError **err)
{
	bool marked = n >= 2 && (!memcmp(head, "\xff\xfe", 2) || !memcmp(head, "\xfe\xff", 2));

	if (n >= 3 && !memcmp(head, "\xef\xbb\xbf", 3))
		return 3;
	if (!marked && (n < 4 || !looks_utf16(head)))
		return 0;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: UTF-16 text, expected UTF-8 (iconv -f UTF-16 -t UTF-8 makes it so)", name);
	return -1;
}

bool config_load_file(struct config *c, const char *path, GError **err)
{
	GError *first = NULL; /* load() looks at the error it passes on */

	if (load(c, path, NULL, &first))
		return true;
	g_propagate_error(err, first);
	return false;
}

bool config_load_set(struct config *c, const char *set, GError **err)
{
	const char *equals = strchr(set, '=');
	const char *dot = strchr(set, '.');

	if (!equals || !dot || dot > equals || dot == set || dot + 1 == equals) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "--set '%s': expected section.key=value", set);
		return false;
	}
	g_autofree char *section = g_strstrip(g_strndup(set, (size_t)(dot - set)));
	g_autofree char *key = g_strstrip(g_strndup(dot + 1, (size_t)(equals - dot - 1)));

	config_put_section(c, section, "--set");
	config_put(c, section, key, equals + 1, "--set");
	return true;
}

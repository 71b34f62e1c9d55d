/*
 * traces/ftrace_names.c - see traces/ftrace_names.h.
 *
 * Open addressing, at most half full, over (spelling, name).  The hash takes the length, the first
 * and the last eight bytes: tracepoints of one subsystem share a prefix and differ in the tail.
 * A system call has two names in the text forms, "sys_read(" and "sys_enter_read:"; both slots lead
 * to the canonical one, so they are counted together.
 * A capture with endless different names (trace_printk) stops being interned at NAMES_MAX: the rest
 * is counted under one name.
 * I1  slots holds each (spelling, name) once; several may lead to one struct ftrace_name.
 */
#include "traces/ftrace_names.h"

#include <string.h>

#include "traces/ftrace_known.h"

#define NAMES_MAX 16384u
#define NAME_OVERFLOW "(other)"

struct slot {
	uint32_t hash;
	uint32_t len;
	enum ftrace_spelling spelling;
	char *text; /* NULL: free */
	struct ftrace_name *name;
};

struct ftrace_names {
	struct trace_info *info;
	struct slot *slots;
	uint32_t nr_slots; /* a power of two */
	uint32_t used;
	GHashTable *by_name; /* canonical name -> struct ftrace_name, owned */
};

static const char *const sys_names[FT_SYS_NR] = {
	/* clang-format off */
	[FT_SYS_READ] = "read", [FT_SYS_PREAD64] = "pread64", [FT_SYS_READV] = "readv",
	[FT_SYS_PREADV] = "preadv", [FT_SYS_PREADV2] = "preadv2", [FT_SYS_WRITE] = "write",
	[FT_SYS_PWRITE64] = "pwrite64", [FT_SYS_WRITEV] = "writev", [FT_SYS_PWRITEV] = "pwritev",
	[FT_SYS_PWRITEV2] = "pwritev2", [FT_SYS_FSYNC] = "fsync", [FT_SYS_FDATASYNC] = "fdatasync",
	[FT_SYS_OPEN] = "open", [FT_SYS_OPENAT] = "openat", [FT_SYS_OPENAT2] = "openat2",
	[FT_SYS_CREAT] = "creat", [FT_SYS_CLOSE] = "close", [FT_SYS_FTRUNCATE] = "ftruncate",
	[FT_SYS_TRUNCATE] = "truncate", [FT_SYS_UNLINK] = "unlink", [FT_SYS_UNLINKAT] = "unlinkat",
	[FT_SYS_FADVISE64] = "fadvise64", [FT_SYS_LSEEK] = "lseek", [FT_SYS_DUP] = "dup",
	[FT_SYS_DUP2] = "dup2", [FT_SYS_DUP3] = "dup3", [FT_SYS_FCNTL] = "fcntl",
	[FT_SYS_EXIT_GROUP] = "exit_group",
	/* clang-format on */
};

/* 32-bit ABIs and ARM spell some calls otherwise. */
static const struct {
	const char *name;
	enum ftrace_sys sys;
} sys_aliases[] = {
	{"fcntl64", FT_SYS_FCNTL},
	{"ftruncate64", FT_SYS_FTRUNCATE},
	{"truncate64", FT_SYS_TRUNCATE},
	{"fadvise64_64", FT_SYS_FADVISE64},
	{"arm_fadvise64_64", FT_SYS_FADVISE64},
};

static enum ftrace_sys find_sys(const char *call)
{
	for (unsigned int i = FT_SYS_NONE + 1; i < FT_SYS_NR; i++)
		if (!strcmp(sys_names[i], call))
			return (enum ftrace_sys)i;
	for (size_t i = 0; i < G_N_ELEMENTS(sys_aliases); i++)
		if (!strcmp(sys_aliases[i].name, call))
			return sys_aliases[i].sys;
	return FT_SYS_NONE;
}

static void name_free(gpointer p)
{
	struct ftrace_name *name = p;

	g_free(name->name);
	g_free(name);
}

/* The canonical @name's entry, made when new. */
static struct ftrace_name *canonical(struct ftrace_names *names, const char *name)
{
	struct ftrace_name *n = g_hash_table_lookup(names->by_name, name);

	if (n)
		return n;
	n = g_new0(struct ftrace_name, 1);
	n->name = g_strdup(name);
	if (g_str_has_prefix(name, "sys_enter_")) {
		n->id = FT_SYS_ENTER;
		n->sys = find_sys(name + strlen("sys_enter_"));
		n->known = true;
	} else if (g_str_has_prefix(name, "sys_exit_")) {
		n->id = FT_SYS_EXIT;
		n->sys = find_sys(name + strlen("sys_exit_"));
		n->known = true;
	}
	g_hash_table_insert(names->by_name, n->name, n);
	return n;
}

struct ftrace_names *ftrace_names_new(struct trace_info *info)
{
	struct ftrace_names *names = g_new0(struct ftrace_names, 1);

	names->info = info;
	names->nr_slots = 256;
	names->slots = g_new0(struct slot, names->nr_slots);
	names->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, name_free);
	for (size_t i = 0; ftrace_known[i].name; i++) {
		struct ftrace_name *n = canonical(names, ftrace_known[i].name);

		n->id = ftrace_known[i].id;
		n->known = true;
	}
	for (size_t i = 0; ftrace_counted[i]; i++)
		canonical(names, ftrace_counted[i])->known = true;
	return names;
}

void ftrace_names_free(struct ftrace_names *names)
{
	if (!names)
		return;
	for (uint32_t i = 0; i < names->nr_slots; i++)
		g_free(names->slots[i].text);
	g_free(names->slots);
	g_hash_table_destroy(names->by_name);
	g_free(names);
}

static uint32_t hash_name(const char *name, size_t len, enum ftrace_spelling spelling)
{
	uint64_t head = 0, tail = 0;

	if (len >= 8) {
		memcpy(&head, name, 8);
		memcpy(&tail, name + len - 8, 8);
	} else {
		memcpy(&head, name, len);
	}
	uint64_t h = (head ^ (uint64_t)spelling << 61) * 0x9e3779b97f4a7c15u;
	h = (h ^ tail ^ len) * 0xff51afd7ed558ccdu;
	return (uint32_t)(h >> 32);
}

/* The slot that holds the name, or the free one where it belongs. */
static struct slot *probe(struct ftrace_names *names, uint32_t hash, const char *name, size_t len,
			  enum ftrace_spelling spelling)
{
	uint32_t mask = names->nr_slots - 1;

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		struct slot *s = &names->slots[i];

		if (!s->text || (s->hash == hash && s->len == len && s->spelling == spelling &&
				 !memcmp(s->text, name, len)))
			return s;
	}
}

static void grow(struct ftrace_names *names)
{
	struct slot *old = names->slots;
	uint32_t nr = names->nr_slots;

	names->nr_slots *= 2;
	names->slots = g_new0(struct slot, names->nr_slots);
	for (uint32_t i = 0; i < nr; i++)
		if (old[i].text)
			*probe(names, old[i].hash, old[i].text, old[i].len, old[i].spelling) =
				old[i];
	g_free(old);
}

/* "sys_read(" is sys_enter_read and "sys_read ->" is sys_exit_read. */
static char *canonical_text(const char *name, size_t len, enum ftrace_spelling spelling)
{
	if (spelling == FTRACE_NAME_EVENT || len < 4 || memcmp(name, "sys_", 4))
		return g_strndup(name, len);
	return g_strdup_printf("sys_%s_%.*s", spelling == FTRACE_NAME_ENTER ? "enter" : "exit",
			       (int)(len - 4), name + 4);
}

struct ftrace_name *ftrace_names_get(struct ftrace_names *names, const char *name, size_t len,
				     enum ftrace_spelling spelling)
{
	uint32_t hash = hash_name(name, len, spelling);
	struct slot *s = probe(names, hash, name, len, spelling);

	if (s->text)
		return s->name;
	if (names->used >= NAMES_MAX)
		return canonical(names, NAME_OVERFLOW);
	if (names->used * 2 >= names->nr_slots) {
		grow(names);
		s = probe(names, hash, name, len, spelling);
	}
	g_autofree char *text = canonical_text(name, len, spelling);
	names->used++;
	s->hash = hash;
	s->len = (uint32_t)len;
	s->spelling = spelling;
	s->text = g_strndup(name, len);
	s->name = canonical(names, text);
	return s->name;
}

/* Count in @table and remember where, so that the next time costs one addition. */
static void count(GHashTable *table, const char *name, uint64_t **where)
{
	if (*where) {
		++**where;
		return;
	}
	trace_count(table, name, 1);
	*where = g_hash_table_lookup(table, name);
}

void ftrace_names_count(struct ftrace_names *names, struct ftrace_name *name)
{
	count(names->info->events, name->name, &name->count);
	if (!name->known)
		count(names->info->unknown, name->name, &name->unknown);
}

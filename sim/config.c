/*
 * sim/config.c - the store of a scenario's keys: lookup, and filling owners by their tables.
 *
 * Keys are kept in an array in the order they first appeared (errors and echo follow it) and in a
 * hash by "section\nkey" for lookup only.  Every config_apply() is remembered, so that what is left
 * over is unknown and the nearest known name can be offered.
 */
#include "sim/config.h"

#include <string.h>

#include "sim/config_load.h"
#include "sim/config_value.h"
#include "sim/op.h"

struct entry {
	char *section, *key;
	char *value; /* grade and source stripped; NULL for a section's own entry */
	char *where;
	char grade; /* or 0 */
};

struct applied {
	const char *section;	     /* in strings */
	const struct conf_key *keys; /* NULL = config_allow_section() */
};

struct config {
	GPtrArray *entries; /* struct entry, section headers and keys in order of appearance */
	GHashTable *by_id;  /* "section\nkey" ("section\n" for the header) -> struct entry */
	GArray *applied;    /* struct applied */
	GStringChunk *strings;
};

static void entry_free(void *p)
{
	struct entry *e = p;

	g_free(e->section);
	g_free(e->key);
	g_free(e->value);
	g_free(e->where);
	g_free(e);
}

static struct entry *lookup(const struct config *c, const char *section, const char *key)
{
	g_autofree char *id = g_strdup_printf("%s\n%s", section, key);

	return g_hash_table_lookup(c->by_id, id);
}

static struct entry *lookup_or_add(struct config *c, const char *section, const char *key)
{
	struct entry *e = lookup(c, section, key);

	if (e)
		return e;
	e = g_new0(struct entry, 1);
	e->section = g_strdup(section);
	e->key = g_strdup(key);
	g_ptr_array_add(c->entries, e);
	g_hash_table_insert(c->by_id, g_strdup_printf("%s\n%s", section, key), e);
	return e;
}

void config_put_section(struct config *c, const char *section, const char *where)
{
	struct entry *e = lookup_or_add(c, section, "");

	if (!e->where)
		e->where = g_strdup(where);
}

void config_put(struct config *c, const char *section, const char *key, const char *text,
		const char *where)
{
	struct entry *e = lookup_or_add(c, section, key);

	g_free(e->value);
	g_free(e->where);
	e->value = g_strdup(text);
	e->grade = conf_value_cut_grade(e->value);
	e->where = g_strdup(where);
}

struct config *config_load(const char *path, const char *const *overlays, const char *const *sets,
			   GError **err)
{
	struct config *c = g_new0(struct config, 1);
	bool ok;

	c->entries = g_ptr_array_new_with_free_func(entry_free);
	c->by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->applied = g_array_new(FALSE, FALSE, sizeof(struct applied));
	c->strings = g_string_chunk_new(256);
	ok = !path || config_load_file(c, path, err);
	for (; ok && overlays && *overlays; overlays++)
		ok = config_load_file(c, *overlays, err);
	for (; ok && sets && *sets; sets++)
		ok = config_load_set(c, *sets, err);
	if (ok)
		return c;
	config_free(c);
	return NULL;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	g_hash_table_unref(c->by_id);
	g_ptr_array_unref(c->entries);
	g_array_unref(c->applied);
	g_string_chunk_free(c->strings);
	g_free(c);
}

const char *config_get(const struct config *c, const char *section, const char *key)
{
	const struct entry *e = lookup(c, section, key);

	return e ? e->value : NULL;
}

char config_grade(const struct config *c, const char *section, const char *key)
{
	const struct entry *e = lookup(c, section, key);

	return e ? e->grade : '\0';
}

void config_set(struct config *c, const char *section, const char *key, const char *value)
{
	config_put_section(c, section, "--set");
	config_put(c, section, key, value, "--set");
}

/* Keys of @section, or with NULL the sections, in order of appearance. */
static const char **names(const struct config *c, const char *section)
{
	GPtrArray *list = g_ptr_array_new();

	for (unsigned int i = 0; i < c->entries->len; i++) {
		const struct entry *e = c->entries->pdata[i];

		if (!section && !e->value)
			g_ptr_array_add(list, e->section);
		else if (section && e->value && !strcmp(e->section, section))
			g_ptr_array_add(list, e->key);
	}
	g_ptr_array_add(list, NULL);
	return (const char **)g_ptr_array_free(list, FALSE);
}

const char **config_sections(const struct config *c)
{
	return names(c, NULL);
}

const char **config_keys(const struct config *c, const char *section)
{
	assert(section);
	return names(c, section);
}

const char *config_where(const struct config *c, const char *section, const char *key)
{
	const struct entry *e = lookup(c, section, key);

	return e ? e->where : NULL;
}

void config_error(const struct config *c, const char *section, const char *key, GError **err,
		  const char *format, ...)
{
	const char *where = config_where(c, section, key);
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s%s%s.%s: %s", where ? where : "",
		    where ? ": " : "", section, key, what);
}

bool config_multiple(const struct config *c, const char *section, const char *key, int64_t value,
		     int64_t unit, const char *why, GError **err)
{
	if (value % unit == 0)
		return true;
	config_error(c, section, key, err,
		     "%" G_GINT64_FORMAT " is no multiple of %" G_GINT64_FORMAT ": %s", value, unit,
		     why);
	return false;
}

/* Fill one field from the file or the default. */
static bool apply_key(struct config *c, const char *section, const struct conf_key *key,
		      void *owner, GError **err)
{
	const char *text = config_get(c, section, key->name);
	g_autofree char *def = g_strdup(key->def);
	g_autoptr(GError) bad = NULL;
	union conf_value value;

	if (def)
		conf_value_cut_grade(def);
	if (!text && !def) {
		config_error(c, section, key->name, err, "must be given: %s", key->help);
		return false;
	}
	if (!conf_value_parse(key, text ? text : def, &value, &bad)) {
		config_error(c, section, key->name, err, "%s", bad->message);
		return false;
	}
	if (key->type == CONF_STR)
		value.str = g_string_chunk_insert(c->strings, value.str);
	conf_value_store(key, owner, value);
	return true;
}

static void remember(struct config *c, const char *section, const struct conf_key *keys)
{
	struct applied applied = {g_string_chunk_insert_const(c->strings, section), keys};

	g_array_append_val(c->applied, applied);
}

bool config_apply(struct config *c, const char *section, const struct conf_key *keys, void *owner,
		  GError **err)
{
	remember(c, section, keys);
	for (; keys->type != CONF_END; keys++)
		if (!apply_key(c, section, keys, owner, err))
			return false;
	return true;
}

void config_allow_section(struct config *c, const char *section)
{
	remember(c, section, NULL);
}

/* Edits (insert, delete, replace) that turn @a into @b. */
static unsigned int distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	g_autofree unsigned int *row = g_new(unsigned int, n + 1);

	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned int)j;
	for (; *a; a++) {
		unsigned int diagonal = row[0]++;

		for (size_t j = 1; j <= n; j++) {
			unsigned int replace = diagonal + (*a != b[j - 1]);

			diagonal = row[j];
			row[j] = MIN(replace, MIN(row[j - 1], row[j]) + 1);
		}
	}
	return row[n];
}

/* Nearest name seen so far to a misspelt one. */
struct guess {
	const char *wrong, *best;
	unsigned int distance;
};

static void guess_offer(struct guess *g, const char *name)
{
	unsigned int d = distance(g->wrong, name);

	if (g->best ? d >= g->distance : d > MAX(2, strlen(g->wrong) / 3))
		return;
	g->best = name;
	g->distance = d;
}

/* Does any table or allowance know @e?  The nearest name goes to @g. */
static bool known(const struct config *c, const struct entry *e, struct guess *g)
{
	for (unsigned int i = 0; i < c->applied->len; i++) {
		const struct applied *a = &g_array_index(c->applied, struct applied, i);

		if (!e->value)
			guess_offer(g, a->section);
		if (strcmp(a->section, e->section))
			continue;
		if (!a->keys || !e->value)
			return true;
		for (const struct conf_key *key = a->keys; key->type != CONF_END; key++) {
			if (!strcmp(key->name, e->key))
				return true;
			guess_offer(g, key->name);
		}
	}
	return false;
}

bool config_check_unknown(const struct config *c, GError **err)
{
	for (unsigned int i = 0; i < c->entries->len; i++) {
		const struct entry *e = c->entries->pdata[i];
		struct guess g = {.wrong = e->value ? e->key : e->section};

		if (known(c, e, &g))
			continue;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s%s%s: unknown %s%s%s%s",
			    e->where, e->section, e->value ? "." : "", e->key,
			    e->value ? "key" : "section", g.best ? " (did you mean " : "",
			    g.best ? g.best : "", g.best ? "?)" : "");
		return false;
	}
	return true;
}

const char *conf_max(const struct conf_key *key)
{
	static const char *const by_type[] = {
		[CONF_U64] = "1152921504606846976",
		[CONF_NSEC] = "1000000s",
		[CONF_BYTES] = "1048576TiB",
		[CONF_RATE] = "1048576TiB/s",
	};

	return key->max || key->type >= G_N_ELEMENTS(by_type) ? key->max : by_type[key->type];
}

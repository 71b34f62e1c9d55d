/*
 * sim/cmd_validate_profile.c - see sim/cmd_validate_profile.h.
 */
#include "sim/cmd_validate_profile.h"

#include <math.h>
#include <string.h>

#include "sim/op.h"

/* clang-format off */
static const struct conf_key validate_keys[] = {
	CONF(CONF_STR, profile, variant, "", NULL, NULL, "what cells say under variant: normal, dontcache", NULL),
	CONF(CONF_STR, profile, capture, "", NULL, NULL, "capture with the observed events, relative to this file", NULL),
	CONF(CONF_BYTES, profile, io_bytes, "0", "0", NULL, "size of the calls, as cells say it; 0 = not by size", NULL),
	CONF(CONF_U64, profile, records, "0", "0", NULL, "event lines of the capture it speaks of; 0 = any", NULL),
	{ 0 },
};
/* clang-format on */

struct gate {
	struct tolerance tolerance;
	bool used;
};

static char *existing(const char *folder, const char *up, const char *name)
{
	g_autofree char *path =
		folder ? g_build_filename(folder, up, "configs", "validate", name, NULL) : NULL;

	return path && g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&path) : NULL;
}

/* Where figures are looked for as well (sim/cmd_plot.c): $F2SIM_DATA, near the executable, here. */
char *profile_find(const char *base, bool block)
{
	g_autofree char *name = g_strconcat(base, block ? ".blk.ini" : ".ini", NULL);
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = exe ? g_path_get_dirname(exe) : g_strdup(".");
	const char *const places[][2] = {
		{g_getenv("F2SIM_DATA"), "."}, {bin, "."}, {bin, ".."}, {bin, "../.."}, {".", "."},
	};
	char *path = NULL;

	for (unsigned int i = 0; i < G_N_ELEMENTS(places) && !path; i++)
		path = existing(places[i][0], places[i][1], name);
	return path;
}

char *profile_base(const char *path)
{
	char *base = g_path_get_basename(path);
	char *dot = strchr(base + (*base == '.'), '.');

	if (dot)
		*dot = '\0';
	return base;
}

bool profile_bases_differ(char *const *args, GError **err)
{
	for (unsigned int i = 0; args[i]; i++)
		for (unsigned int j = 0; j < i; j++) {
			g_autofree char *a = profile_base(args[i]), *b = profile_base(args[j]);

			if (!g_str_equal(a, b))
				continue;
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "--out: %s and %s would both write to the folder %s", args[j],
				    args[i], a);
			return false;
		}
	return true;
}

static char *name_with_stat(const char *name, const char *stat)
{
	return g_str_equal(stat, "sum") ? g_strdup(name) : g_strconcat(name, ":", stat, NULL);
}

/* Interned, so that metrics may borrow it. */
static const char *unit_of(const char *text)
{
	return g_intern_string(*text ? text : "pages");
}

static bool read_observed(struct profile *p, struct config *config, const char *key, GError **err)
{
	const char *text = config_get(config, "observed", key), *colon = strchr(key, ':');
	g_autofree char *name = colon ? g_strndup(key, (gsize)(colon - key)) : g_strdup(key);
	char *end;
	double value = g_ascii_strtod(text, &end);

	if (end == text || !isfinite(value) || (*end && *end != ' ')) {
		config_error(config, "observed", key, err,
			     "expected a number and perhaps a unit, got \"%s\"", text);
		return false;
	}
	metrics_add(p->observed, value, unit_of(*end ? end + 1 : end),
		    g_intern_string(colon ? colon + 1 : "sum"), "%s", name);
	return true;
}

static bool read_tolerance(struct profile *p, struct config *config, const char *key, GError **err)
{
	g_autofree struct gate *gate = g_new0(struct gate, 1);
	GError *bad = NULL;

	if (!tolerance_parse(config_get(config, "tolerance", key), &gate->tolerance, &bad)) {
		config_error(config, "tolerance", key, err, "%s", bad->message);
		g_error_free(bad);
		return false;
	}
	g_hash_table_insert(p->tolerance, g_strdup(key), g_steal_pointer(&gate));
	return true;
}

static bool read_section(struct profile *p, struct config *config, const char *section,
			 bool (*read)(struct profile *, struct config *, const char *, GError **),
			 GError **err)
{
	g_autofree const char **keys = config_keys(config, section);
	bool ok = true;

	config_allow_section(config, section);
	for (unsigned int i = 0; ok && keys[i]; i++)
		ok = read(p, config, keys[i], err);
	return ok;
}

struct profile *profile_new(struct config *config, GError **err)
{
	struct profile *p = g_new0(struct profile, 1);

	p->observed = metrics_new();
	p->tolerance = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (config_apply(config, "validate", validate_keys, p, err) &&
	    read_section(p, config, "observed", read_observed, err) &&
	    read_section(p, config, "tolerance", read_tolerance, err))
		return p;
	profile_free(p);
	return NULL;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	g_array_unref(p->observed);
	g_hash_table_unref(p->tolerance);
	g_free(p);
}

char *profile_capture(const struct profile *p, const struct config *config)
{
	const char *section = *p->conf.capture ? "validate" : "workload";
	const char *name = config_get(config, section, "capture");
	const char *where = config_where(config, section, "capture");
	const char *colon = where ? strrchr(where, ':') : NULL;

	if (!name || !*name || strchr(name, ';'))
		return NULL;
	if (!colon || g_path_is_absolute(name))
		return g_strdup(name);
	g_autofree char *file = g_strndup(where, (gsize)(colon - where));
	g_autofree char *folder = g_path_get_dirname(file);

	return g_build_filename(folder, name, NULL);
}

const struct tolerance *profile_gate(struct profile *p, const struct metric *metric)
{
	g_autofree char *key = name_with_stat(metric->name, metric->stat);
	struct gate *gate = g_hash_table_lookup(p->tolerance, key);

	if (!gate)
		return NULL;
	gate->used = true;
	return &gate->tolerance;
}

const char *profile_unused(const struct profile *p)
{
	GHashTableIter it;
	void *key, *gate;
	const char *unused = NULL;

	g_hash_table_iter_init(&it, p->tolerance);
	while (g_hash_table_iter_next(&it, &key, &gate)) /* the first by name, whatever the order */
		if (!((struct gate *)gate)->used && (!unused || strcmp(key, unused) < 0))
			unused = key;
	return unused;
}

/*
 * sim/cmd_reproduce_series.c - see sim/cmd_reproduce_series.h.
 */
#include "sim/cmd_reproduce_series.h"

#include <math.h>
#include <string.h>

#include "sim/cmd_reproduce_parse.h"
#include "sim/op.h"

/* clang-format off */
static const struct conf_key series_keys[] = {
	CONF(CONF_STR, repro_series, title, "", NULL, NULL, "one line for people", NULL),
	CONF(CONF_STR, repro_series, reference, "reference.csv", NULL, NULL, "table of published figures", NULL),
	CONF(CONF_U64, repro_series, allowance, "16", NULL, "64", "calibrated values there may be", NULL),
	CONF(CONF_STR, repro_series, allowance_with, "", NULL, NULL, "folder of the series that shares the allowance", NULL),
	CONF(CONF_STR, repro_series, unexplained, "", NULL, NULL, "cells no mechanism explains, separated by ;", NULL),
	{ 0 },
};

static const struct conf_key variant_keys[] = {
	CONF(CONF_STR, repro_variant, overlay, "", NULL, NULL, "file that makes the variant of a scenario", NULL),
	{ 0 },
};

static const struct conf_key run_keys[] = {
	CONF(CONF_STR, repro_run, experiment, NULL, NULL, NULL, "experiment it belongs to", NULL),
	CONF(CONF_STR, repro_run, scenario, NULL, NULL, NULL, "scenario file", NULL),
	CONF(CONF_STR, repro_run, set, "", NULL, NULL, "section.key=value, separated by ;", NULL),
	CONF(CONF_STR, repro_run, each, "", NULL, NULL, "input whose list gives a run for each element", NULL),
	{ 0 },
};

static const char *const role_choices[] = { "input", "calibrated", "predicted", "unexplained", NULL };

static const struct conf_key metric_keys[] = {
	CONF(CONF_STR, repro_metric, run, "", NULL, NULL, "run that shows it", NULL),
	CONF(CONF_STR, repro_metric, value, "", NULL, NULL, "what it is in the results of a run", NULL),
	CONF(CONF_ENUM, repro_metric, role, "predicted", NULL, NULL, "input, or predicted", role_choices),
	CONF(CONF_STR, repro_metric, gate, "", NULL, NULL, "tolerance, such as 12%, or normal:15% dontcache:25%", NULL),
	CONF(CONF_REAL, repro_metric, gate_from, "0", "0", NULL, "smaller published figures are not gated", NULL),
	CONF(CONF_REAL, repro_metric, zero_below, "0", "0", NULL, "what is below counts as a published 0", NULL),
	CONF(CONF_STR, repro_metric, from, "", NULL, NULL, "metric whose rows are the published figures", NULL),
	CONF(CONF_STR, repro_metric, published, "cell", NULL, NULL, "cell, mean s 1 20, spread s 1 20, low N, high N", NULL),
	CONF(CONF_STR, repro_metric, below_variant, "", NULL, NULL, "must be smaller than in this variant", NULL),
	CONF(CONF_STR, repro_metric, io_bytes, "", NULL, NULL, "sizes that stand for a cell without one", NULL),
	{ 0 },
};

static const struct conf_key median_keys[] = {
	CONF(CONF_STR, repro_median, cells, NULL, NULL, NULL, "cells, separated by ;", NULL),
	CONF(CONF_REAL, repro_median, percent, NULL, "0", NULL, "greatest median of their errors", NULL),
	{ 0 },
};
/* clang-format on */

static void run_free(void *p)
{
	g_strfreev(((struct repro_run *)p)->sets);
	g_free(p);
}

static void median_free(void *p)
{
	g_strfreev(((struct repro_median *)p)->globs);
	g_free(p);
}

static void metric_free(void *p)
{
	struct repro_metric *m = p;

	g_free(m->experiment);
	g_free(m->metric);
	g_free(m->variant);
	value_free(m->value);
	if (m->gates)
		g_array_unref(m->gates);
	if (m->sizes)
		g_array_unref(m->sizes);
	g_free(m);
}

static void calibrated_free(void *p)
{
	struct repro_calibrated *c = p;

	g_free(c->key);
	g_free(c->value);
	g_free(c->where);
	g_strfreev(c->cells);
	g_free(c);
}

void repro_series_free(struct repro_series *s)
{
	if (!s)
		return;
	g_strfreev(s->unexplained);
	table_free(s->table);
	g_ptr_array_unref(s->metrics);
	g_ptr_array_unref(s->medians);
	g_ptr_array_unref(s->runs);
	g_ptr_array_unref(s->variants);
	g_ptr_array_unref(s->calibrated);
	config_free(s->config);
	g_free(s->folder);
	g_free(s->name);
	g_free(s);
}

static bool read_variant(struct repro_series *s, const char *section, const char *name,
			 GError **err)
{
	struct repro_variant *v = g_new0(struct repro_variant, 1);

	v->name = name;
	g_ptr_array_add(s->variants, v);
	return config_apply(s->config, section, variant_keys, v, err);
}

static bool read_run(struct repro_series *s, const char *section, const char *name, GError **err)
{
	struct repro_run *r = g_new0(struct repro_run, 1);

	r->name = name;
	g_ptr_array_add(s->runs, r);
	if (!config_apply(s->config, section, run_keys, r, err))
		return false;
	r->sets = repro_split(r->conf.set);
	for (unsigned int i = 0; r->sets[i]; i++) {
		const char *dot = strchr(r->sets[i], '.'), *equals = strchr(r->sets[i], '=');

		if (dot && equals && dot < equals)
			continue;
		config_error(s->config, section, "set", err, "%s: expected section.key=value",
			     r->sets[i]);
		return false;
	}
	return true;
}

static bool read_median(struct repro_series *s, const char *section, const char *name, GError **err)
{
	struct repro_median *m = g_new0(struct repro_median, 1);

	m->name = name;
	g_ptr_array_add(s->medians, m);
	if (!config_apply(s->config, section, median_keys, m, err))
		return false;
	m->globs = repro_split(m->conf.cells);
	return true;
}

static bool read_metric(struct repro_series *s, const char *section, const char *name, GError **err)
{
	struct repro_metric *m = g_new0(struct repro_metric, 1);

	m->section = section;
	m->name = name;
	g_ptr_array_add(s->metrics, m);
	return config_apply(s->config, section, metric_keys, m, err) &&
	       repro_parse_metric(s, m, err);
}

/* [calibrated] or [calibrated EXPERIMENT]: keys of scenarios, each with the cells that set it. */
static bool read_calibrated(struct repro_series *s, const char *section, const char *experiment,
			    GError **err)
{
	g_autofree const char **keys = config_keys(s->config, section);

	config_allow_section(s->config, section);
	for (unsigned int i = 0; keys[i]; i++) {
		struct repro_calibrated *c = g_new0(struct repro_calibrated, 1);

		c->experiment = *experiment ? experiment : "*";
		g_ptr_array_add(s->calibrated, c);
		if (!repro_parse_calibrated(s, c, section, keys[i], err))
			return false;
	}
	return true;
}

static bool read_section(struct repro_series *s, const char *section, GError **err)
{
	static const struct {
		const char *kind;
		bool (*read)(struct repro_series *s, const char *section, const char *name,
			     GError **err);
		bool named;
	} kinds[] = {
		{"variant", read_variant, true},	{"run", read_run, true},
		{"metric", read_metric, true},		{"median", read_median, true},
		{"calibrated", read_calibrated, false},
	};
	size_t len = strcspn(section, " ");
	const char *name = section + len + (section[len] == ' ');

	for (unsigned int i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strlen(kinds[i].kind) == len && !strncmp(section, kinds[i].kind, len) &&
		    (*name || !kinds[i].named))
			return kinds[i].read(s, section, name, err);
	return true; /* [series], or unknown: config_check_unknown() */
}

static bool find_run(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	if (m->conf.role == ROLE_INPUT)
		return true;
	for (unsigned int i = 0; i < s->runs->len; i++) {
		const struct repro_run *r = s->runs->pdata[i];

		if (g_str_equal(r->name, m->conf.run))
			m->run = r;
	}
	if (m->run && g_str_equal(m->run->conf.experiment, m->experiment))
		return true;
	config_error(s->config, m->section, "run", err, "%s is no [run] of experiment %s",
		     *m->conf.run ? m->conf.run : "nothing", m->experiment);
	return false;
}

static bool read_sections(struct repro_series *s, GError **err)
{
	g_autofree const char **sections = config_sections(s->config);

	if (!config_apply(s->config, "series", series_keys, s, err))
		return false;
	s->unexplained = repro_split(s->conf.unexplained);
	for (unsigned int i = 0; sections[i]; i++)
		if (!read_section(s, sections[i], err))
			return false;
	for (unsigned int i = 0; i < s->metrics->len; i++)
		if (!find_run(s, s->metrics->pdata[i], err))
			return false;
	return config_check_unknown(s->config, err);
}

/* Every cell that is said to have set a value must be one. */
static bool check_cells(const struct repro_series *s, const struct repro_calibrated *c,
			GError **err)
{
	for (unsigned int i = 0; c->cells[i]; i++) {
		char *glob[] = {c->cells[i], NULL};
		bool found = false;

		for (unsigned int k = 0; !found && k < s->table->rows->len; k++) {
			const struct table_row *r = s->table->rows->pdata[k];

			found = repro_cell_matches(glob, r->experiment, r->metric, r->io_bytes,
						   r->variant);
		}
		if (found)
			continue;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: calibrated.%s: no cell of %s is %s", c->where, c->key,
			    s->table->path, c->cells[i]);
		return false;
	}
	return true;
}

char *repro_path(const struct repro_series *s, const char *path)
{
	return g_path_is_absolute(path) ? g_strdup(path) : g_build_filename(s->folder, path, NULL);
}

static struct repro_series *load(const char *folder, GError **err)
{
	struct repro_series *s = g_new0(struct repro_series, 1);
	g_autofree char *ini = g_build_filename(folder, "series.ini", NULL);

	s->folder = g_strdup(folder);
	s->name = g_path_get_basename(folder);
	s->variants = g_ptr_array_new_with_free_func(g_free);
	s->runs = g_ptr_array_new_with_free_func(run_free);
	s->metrics = g_ptr_array_new_with_free_func(metric_free);
	s->medians = g_ptr_array_new_with_free_func(median_free);
	s->calibrated = g_ptr_array_new_with_free_func(calibrated_free);
	s->config = config_load(ini, NULL, NULL, err);
	if (s->config && read_sections(s, err)) {
		g_autofree char *csv = repro_path(s, s->conf.reference);

		s->table = table_read(csv, err);
	}
	bool ok = s->table;

	for (unsigned int i = 0; ok && i < s->calibrated->len; i++)
		ok = check_cells(s, s->calibrated->pdata[i], err);
	if (ok)
		return s;
	repro_series_free(s);
	return NULL;
}

static void count(const struct repro_series *s, GHashTable *values)
{
	for (unsigned int i = 0; i < s->calibrated->len; i++) {
		const struct repro_calibrated *c = s->calibrated->pdata[i];

		g_hash_table_add(values, g_strdup_printf("%s = %s", c->key, c->value));
	}
}

/* A value that two experiments share by key and number is one. */
static bool check_allowance(const struct repro_series *s, GError **err)
{
	g_autoptr(GHashTable) values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	count(s, values);
	if (*s->conf.allowance_with) {
		g_autofree char *folder = repro_path(s, s->conf.allowance_with);
		struct repro_series *other = load(folder, err);

		if (!other)
			return false;
		count(other, values);
		repro_series_free(other);
	}
	if (g_hash_table_size(values) <= s->conf.allowance)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s/series.ini: %u calibrated values%s%s, but %" G_GUINT64_FORMAT
		    " are allowed (series.allowance)",
		    s->folder, g_hash_table_size(values),
		    *s->conf.allowance_with ? " together with " : "", s->conf.allowance_with,
		    s->conf.allowance);
	return false;
}

struct repro_series *repro_series_new(const char *folder, GError **err)
{
	struct repro_series *s = load(folder, err);

	if (s && check_allowance(s, err))
		return s;
	repro_series_free(s);
	return NULL;
}

const struct repro_metric *repro_metric_of(const struct repro_series *s, const char *experiment,
					   const char *metric, const char *variant)
{
	const struct repro_metric *found = NULL;

	for (unsigned int i = 0; i < s->metrics->len; i++) {
		const struct repro_metric *m = s->metrics->pdata[i];

		if (!g_str_equal(m->experiment, experiment) || !g_str_equal(m->metric, metric))
			continue;
		if (m->variant && g_str_equal(m->variant, variant))
			return m;
		if (!m->variant)
			found = m;
	}
	return found;
}

bool repro_has_experiment(const struct repro_series *s, const char *experiment)
{
	for (unsigned int i = 0; i < s->metrics->len; i++) {
		const struct repro_metric *m = s->metrics->pdata[i];

		if (g_str_equal(m->experiment, experiment))
			return true;
	}
	return false;
}

bool repro_cell_matches(char **globs, const char *experiment, const char *metric, int64_t io_bytes,
			const char *variant)
{
	g_autofree char *size =
		io_bytes < 0 ? g_strdup("") : g_strdup_printf("%" G_GINT64_FORMAT, io_bytes);
	g_autofree char *name = g_strdup_printf("%s/%s/%s/%s", experiment, metric, size, variant);
	const char *tail = name + strlen(experiment) + 1;

	for (; globs && *globs; globs++)
		if (g_pattern_match_simple(*globs, name) || g_pattern_match_simple(*globs, tail))
			return true;
	return false;
}

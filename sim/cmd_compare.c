/*
 * sim/cmd_compare.c - one scenario under several variants, side by side.
 *
 * Each variant is the scenario with one overlay; all run with the same seed.  The table shows every
 * metric of the first variant's jobs and the machine, the others with their difference to the first
 * in percent.  Rows that are 0 everywhere are left out of the table, not of the JSON.
 */
#include <stdio.h>

#include "sim/cmd_run.h"
#include "sim/simulate.h"

struct metric {
	char *name; /* owned */
	double value;
};

static void metric_clear(gpointer p)
{
	g_free(((struct metric *)p)->name);
}

static void G_GNUC_PRINTF(3, 4) add(GArray *metrics, double value, const char *format, ...)
{
	struct metric m = {.value = value};
	va_list ap;

	va_start(ap, format);
	m.name = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_array_append_val(metrics, m);
}

static void add_job(GArray *metrics, const struct job_stat *job, enum job_dir dir)
{
	static const struct {
		const char *name;
		uint32_t ppm;
	} percentiles[] = {{"p50", 500000}, {"p95", 950000}, {"p99", 990000}, {"p99.9", 999000}};
	const char *d = job_dir_name(dir);

	if (!job->dir[dir].ios)
		return;
	add(metrics, (double)job->dir[dir].ios, "%s %s ops", job->name, d);
	if (job->dir[dir].errors)
		add(metrics, (double)job->dir[dir].errors, "%s %s errors", job->name, d);
	if (dir != JOB_SYNC)
		add(metrics, (double)job_bytes_per_second(job, dir) / 1048576, "%s %s MiB/s",
		    job->name, d);
	for (unsigned int i = 0; i < G_N_ELEMENTS(percentiles); i++)
		add(metrics,
		    (double)hist_percentile(&job->dir[dir].clat, percentiles[i].ppm) / 1000,
		    "%s %s %s us", job->name, d, percentiles[i].name);
}

/* Mean and maximum over the samples, and what is left at the end. */
static void add_series(GArray *metrics, const struct sim *sim)
{
	static const struct {
		const char *column, *what;
	} rows[] = {
		{"filemap.nr_file_pages", "cached pages"},
		{"page_writeback.nr_dirty", "dirty pages"},
		{"page_writeback.nr_writeback", "writeback pages"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		double mean;
		uint64_t max;

		if (!series_summary(sim->series, rows[i].column, &mean, &max))
			continue;
		add(metrics, mean, "%s, mean", rows[i].what);
		add(metrics, (double)max, "%s, max", rows[i].what);
	}
}

static void add_counter(GArray *metrics, const struct sim *sim, const char *model,
			const char *counter, const char *what, double scale)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		if (g_strcmp0(m->ops->name, model))
			continue;
		for (const struct stat_desc *d = m->ops->stats; d && d->kind != STAT_END; d++)
			if (!g_strcmp0(d->name, counter))
				add(metrics, (double)stat_value(m, d) * scale, "%s", what);
	}
}

/* How write bios are made up, where they end, and what becomes of their dropbehind folios. */
static void add_completion(GArray *metrics, const struct sim *sim)
{
	static const struct {
		const char *model, *counter, *what;
	} rows[] = {
		{"f2fs_data", "write_bios", "write bios"},
		{"f2fs_data", "ipu_bios", "write bios in place"},
		{"f2fs_data", "dropbehind_bios", "write bios flagged"},
		{"f2fs_data", "mixed_bios", "write bios mixed"},
		{"bio", "completed_in_task", "bios ended in a task"},
		{"bio", "completed_in_irq", "bios ended in interrupt"},
		{"filemap", "dropped_after_writeback", "pages dropped when written"},
		{"dropbehind", "dropped_in_irq", "pages dropped in interrupt"},
		{"filemap", "drop_skipped_irq", "drops skipped in interrupt"},
		{"dropbehind", "batch_full", "drops skipped, batch full"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++)
		add_counter(metrics, sim, rows[i].model, rows[i].counter, rows[i].what, 1);
	add(metrics, (double)sim->context.nr_violations, "context violations");
}

static void add_cpu(GArray *metrics, struct sim *sim)
{
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
		add(metrics, (double)cpus_context_ns(sim, ctx) / 1e6, "cpu %s ms",
		    cpu_context_name(ctx));
}

static GArray *metrics_of(const struct report *r)
{
	GArray *metrics = g_array_new(FALSE, FALSE, sizeof(struct metric));

	g_array_set_clear_func(metrics, metric_clear);
	for (unsigned int i = 0; i < r->nr_jobs; i++)
		for (unsigned int dir = 0; dir < JOB_NR_DIRS; dir++)
			add_job(metrics, &r->jobs[i], dir);
	add_counter(metrics, r->sim, "filemap", "nr_file_pages", "cached pages at the end", 1);
	add_series(metrics, r->sim);
	add_counter(metrics, r->sim, "blk_mq", "sectors_read", "device read MiB", 1.0 / 2048);
	add_counter(metrics, r->sim, "blk_mq", "sectors_written", "device written MiB", 1.0 / 2048);
	add_counter(metrics, r->sim, "blk_mq", "reads_completed", "device reads", 1);
	add_counter(metrics, r->sim, "blk_mq", "writes_completed", "device writes", 1);
	add_completion(metrics, r->sim);
	add_cpu(metrics, r->sim);
	add(metrics, (double)r->sim->now / 1e9, "simulated s");
	return metrics;
}

static const struct metric *find(const GArray *metrics, const char *name)
{
	for (unsigned int i = 0; i < metrics->len; i++) {
		const struct metric *m = &g_array_index(metrics, struct metric, i);

		if (g_str_equal(m->name, name))
			return m;
	}
	return NULL;
}

/* Names of all variants' metrics, in order of first appearance. */
static GPtrArray *all_names(GPtrArray *variants)
{
	GPtrArray *names = g_ptr_array_new();

	for (unsigned int v = 0; v < variants->len; v++) {
		const GArray *metrics = variants->pdata[v];

		for (unsigned int i = 0; i < metrics->len; i++) {
			char *name = g_array_index(metrics, struct metric, i).name;

			if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
				g_ptr_array_add(names, name);
		}
	}
	return names;
}

static void print_cell(const struct metric *m, const struct metric *base)
{
	if (!m)
		printf(" %24s", "-");
	else if (m == base || !base || base->value == 0)
		printf(" %14.2f%10s", m->value, "");
	else
		printf(" %14.2f %+8.1f%%", m->value, 100 * (m->value / base->value - 1));
}

static bool all_zero(GPtrArray *variants, const char *name)
{
	for (unsigned int v = 0; v < variants->len; v++) {
		const struct metric *m = find(variants->pdata[v], name);

		if (m && m->value != 0)
			return false;
	}
	return true;
}

static void print_table(char **labels, GPtrArray *variants)
{
	g_autoptr(GPtrArray) names = all_names(variants);

	printf("%-28s", "");
	for (unsigned int v = 0; v < variants->len; v++)
		printf(" %24s", labels[v]);
	printf("\n");
	for (unsigned int i = 0; i < names->len; i++) {
		const struct metric *base = find(variants->pdata[0], names->pdata[i]);

		if (all_zero(variants, names->pdata[i]))
			continue;
		printf("%-28s", (const char *)names->pdata[i]);
		for (unsigned int v = 0; v < variants->len; v++)
			print_cell(find(variants->pdata[v], names->pdata[i]), base);
		printf("\n");
	}
}

static void print_json(char **labels, GPtrArray *variants)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "variants");
	json_builder_begin_array(b);
	for (unsigned int v = 0; v < variants->len; v++) {
		const GArray *metrics = variants->pdata[v];

		json_builder_begin_object(b);
		json_builder_set_member_name(b, "name");
		json_builder_add_string_value(b, labels[v]);
		json_builder_set_member_name(b, "metrics");
		json_builder_begin_object(b);
		for (unsigned int i = 0; i < metrics->len; i++) {
			const struct metric *m = &g_array_index(metrics, struct metric, i);

			json_builder_set_member_name(b, m->name);
			json_builder_add_double_value(b, m->value);
		}
		json_builder_end_object(b);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
	cmd_print_json(json_builder_get_root(b));
}

/* Simulate one variant; its metrics, or NULL with *@err. */
static GArray *run_variant(const char *scenario, const char *variant, const char *label,
			   const struct run_options *o, bool first, GError **err)
{
	const char *overlays[] = {variant, NULL};
	struct config *config =
		scenario_load(scenario, overlays, (const char *const *)o->sets, err);
	GArray *metrics = NULL;

	if (!config)
		return NULL;
	run_options_apply(o, config);
	struct simulation *s = simulation_new(config, err);

	if (!s)
		return NULL;
	bool ok = simulation_run(s, first, err);
	g_autofree char *dir = o->out ? g_build_filename(o->out, label, NULL) : NULL;

	if (ok && dir)
		ok = report_write(simulation_report(s), dir, err);
	if (ok)
		metrics = metrics_of(simulation_report(s));
	simulation_free(s);
	return metrics;
}

/* "configs/demo/ufs.ini" -> "ufs"; two equal ones are told apart by their number. */
static char **variant_labels(char **variants)
{
	char **labels = g_new0(char *, g_strv_length(variants) + 1);

	for (unsigned int i = 0; variants[i]; i++) {
		g_autofree char *base = g_path_get_basename(variants[i]);
		char *dot = strrchr(base, '.');

		if (dot && dot > base)
			*dot = '\0';
		labels[i] = g_strv_contains((const char *const *)labels, base)
				    ? g_strdup_printf("%s-%u", base, i + 1)
				    : g_strdup(base);
	}
	return labels;
}

static bool compare(const char *scenario, const struct run_options *o, GError **err)
{
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_auto(GStrv) labels = variant_labels(o->variants);

	for (unsigned int v = 0; o->variants[v]; v++) {
		GArray *metrics = run_variant(scenario, o->variants[v], labels[v], o, v == 0, err);

		if (!metrics)
			return false;
		g_ptr_array_add(variants, metrics);
	}
	if (o->json)
		print_json(labels, variants);
	else
		print_table(labels, variants);
	return true;
}

static int run(int argc, char **argv, GError **err)
{
	struct run_options o = {.seed = -1};
	const GOptionEntry options[] = {RUN_OPTION_ENTRIES(&o), G_OPTION_ENTRY_NULL};
	g_auto(GStrv) args = NULL;
	bool ok = cmd_parse(&cmd_compare, argc, argv, options, &args, err);

	if (ok && args && (!o.variants || g_strv_length(o.variants) < 2)) {
		g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "compare: at least two --variant FILE are needed");
		ok = false;
	} else if (ok && args) {
		ok = compare(args[0], &o, err);
	}
	run_options_clear(&o);
	return ok ? 0 : -1;
}

const struct command cmd_compare = {
	.name = "compare",
	.args = "SCENARIO",
	.summary = "Simulate a scenario under several variants, side by side",
	.min_args = 1,
	.max_args = 1,
	.run = run,
};

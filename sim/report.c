/*
 * sim/report.c - results.json.
 *
 * Everything is kept as integers; doubles appear only in what is printed (rates, means).  Member
 * order is the order of the tables and of task_init(), so equal runs give equal bytes.
 */
#include "sim/report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "sim/json_member.h"
#include "sim/report_config.h"
#include "sim/tempfile.h"

static void add_int(JsonBuilder *b, const char *name, uint64_t value)
{
	assert(value <= INT64_MAX);
	json_member_int(b, name, (int64_t)value);
}

static void add_lines(JsonBuilder *b, const char *name, const GPtrArray *lines)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
	for (unsigned int i = 0; lines && i < lines->len; i++)
		json_builder_add_string_value(b, lines->pdata[i]);
	json_builder_end_array(b);
}

const char *job_dir_name(enum job_dir dir)
{
	static const char *const names[JOB_NR_DIRS] = {"read", "write", "sync", "trim"};

	assert(dir < JOB_NR_DIRS);
	return names[dir];
}

static ktime_t job_span_ns(const struct job_stat *job, enum job_dir dir)
{
	return job->dir[dir].ios ? job->dir[dir].last_ns - job->dir[dir].first_ns : 0;
}

uint64_t job_bytes_per_second(const struct job_stat *job, enum job_dir dir)
{
	unsigned __int128 bytes = job->dir[dir].bytes;
	ktime_t span = job_span_ns(job, dir);

	assert(span >= 0);
	return span ? (uint64_t)(bytes * (uint64_t)NSEC_PER_SEC / (uint64_t)span) : 0;
}

double job_iops(const struct job_stat *job, enum job_dir dir)
{
	ktime_t span = job_span_ns(job, dir);

	return span ? (double)job->dir[dir].ios * (double)NSEC_PER_SEC / (double)span : 0;
}

static void add_hist(JsonBuilder *b, const char *name, const struct hist *h)
{
	json_member_begin(b, name);
	add_int(b, "min", h->count ? (uint64_t)h->min : 0);
	add_int(b, "max", h->count ? (uint64_t)h->max : 0);
	json_member_double(b, "mean", h->count ? (double)h->sum / (double)h->count : 0);
	add_int(b, "N", h->count);
	json_member_begin(b, "percentile");
	for (size_t i = 0; h->count && i < hist_report_nr; i++) {
		uint32_t ppm = hist_report_ppm[i];
		char percent[16];

		g_snprintf(percent, sizeof(percent), "%u.%06u", ppm / 10000, ppm % 10000 * 100);
		add_int(b, percent, (uint64_t)hist_percentile(h, ppm));
	}
	json_builder_end_object(b);
	json_builder_end_object(b);
}

static void add_dir_members(JsonBuilder *b, const struct job_stat *job, enum job_dir dir)
{
	add_int(b, "io_bytes", job->dir[dir].bytes);
	add_int(b, "total_ios", job->dir[dir].ios);
	add_int(b, "short_ios", job->dir[dir].short_ios);
	add_int(b, "errors", job->dir[dir].errors);
	add_int(b, "eopnotsupp", job->dir[dir].eopnotsupp);
	add_int(b, "bw_bytes", job_bytes_per_second(job, dir));
	json_member_double(b, "iops", job_iops(job, dir));
	add_int(b, "runtime_ms", (uint64_t)(job_span_ns(job, dir) / NSEC_PER_MSEC));
	if (job->dir[dir].paced) {
		add_int(b, "paced_ios", job->dir[dir].paced);
		add_int(b, "late_ios", job->dir[dir].late);
		add_int(b, "lag_max_ns", (uint64_t)job->dir[dir].lag_max_ns);
	}
	add_hist(b, "clat_ns", &job->dir[dir].clat);
}

/* What a direction without I/O looks like; returns new. */
static JsonNode *idle_dir(void)
{
	static const struct job_stat idle;
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	add_dir_members(b, &idle, JOB_READ);
	json_builder_end_object(b);
	return json_builder_get_root(b);
}

/* Jobs by the thousand use one direction of four: all the idle ones are the one node @idle. */
static void add_dir(JsonBuilder *b, const struct job_stat *job, enum job_dir dir, JsonNode *idle)
{
	json_builder_set_member_name(b, job_dir_name(dir));
	if (!job->dir[dir].ios) {
		json_builder_add_value(b, json_node_ref(idle));
		return;
	}
	json_builder_begin_object(b);
	add_dir_members(b, job, dir);
	json_builder_end_object(b);
}

static void add_jobs(JsonBuilder *b, const struct report *r)
{
	g_autoptr(JsonNode) idle = idle_dir();

	json_builder_set_member_name(b, "jobs");
	json_builder_begin_array(b);
	for (unsigned int i = 0; i < r->nr_jobs; i++) {
		const struct job_stat *job = &r->jobs[i];

		json_builder_begin_object(b);
		json_member_string(b, "jobname", job->name);
		for (unsigned int dir = 0; dir < JOB_NR_DIRS; dir++)
			add_dir(b, job, dir, idle);
		add_int(b, "skipped_unbound", job->skipped_unbound);
		add_int(b, "skipped_failed", job->skipped_failed);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_stats(JsonBuilder *b, const struct sim *sim)
{
	json_member_begin(b, "stats");
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];
		const struct stat_desc *d = m->ops->stats;

		if (!d)
			continue;
		json_member_begin(b, m->ops->name);
		for (; d->kind != STAT_END; d++)
			add_int(b, d->name, stat_value(m, d));
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

/* Locks taken where they must not be: how many, and the first different chains. */
static void add_context(JsonBuilder *b, const struct sim *sim)
{
	json_member_begin(b, "context_violations");
	add_int(b, "count", sim->context.nr_violations);
	json_builder_set_member_name(b, "first");
	json_builder_begin_array(b);
	for (unsigned int i = 0; context_report(sim, i); i++)
		json_builder_add_string_value(b, context_report(sim, i));
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_cpu(JsonBuilder *b, const struct sim *sim)
{
	json_member_begin(b, "cpu");
	add_int(b, "nr_cpus", sim->nr_cpus);
	json_member_begin(b, "contexts");
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++) {
		g_autofree char *name = g_strdup_printf("%s_ns", cpu_context_name(ctx));

		add_int(b, name, (uint64_t)cpus_context_ns(sim, ctx));
	}
	json_builder_end_object(b);
	json_builder_set_member_name(b, "tasks");
	json_builder_begin_array(b);
	for (const struct task *t = sim->tasks; t; t = t->all_next) {
		json_builder_begin_object(b);
		json_member_string(b, "name", t->name);
		json_builder_set_member_name(b, "pid");
		json_builder_add_int_value(b, t->pid);
		add_int(b, "cpu_ns", (uint64_t)t->cpu_ns);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
}

JsonNode *report_json(const struct report *r)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(GPtrArray) limits = g_ptr_array_new_with_free_func(g_free);
	struct sim *sim = r->sim;

	cpus_settle(sim);
	json_builder_begin_object(b);
	add_int(b, "schema_version", REPORT_SCHEMA_VERSION);
	json_member_string(b, "f2sim", F2SIM_VERSION);
	json_builder_set_member_name(b, "seed");
	json_builder_add_int_value(b, (gint64)sim->conf.seed);
	json_member_string(b, "workload", r->workload);
	json_member_string(b, "failure", sim->failure ? sim->failure->str : NULL);
	add_int(b, "simulated_ns", (uint64_t)sim->now);
	add_int(b, "events", sim->nr_events);
	add_jobs(b, r);
	add_stats(b, sim);
	add_context(b, sim);
	add_cpu(b, sim);
	json_builder_set_member_name(b, "config");
	json_builder_add_value(b, report_config_json(sim, limits));
	add_lines(b, "notes", r->notes);
	add_lines(b, "limits", limits);
	json_builder_end_object(b);
	return json_builder_get_root(b);
}

/* Pretty text with a final newline; returns new. */
static char *json_text(JsonNode *root)
{
	char *text = json_to_string(root, TRUE);
	size_t len = strlen(text);

	text = g_realloc(text, len + 2);
	memcpy(text + len, "\n", 2);
	return text;
}

bool report_write(const struct report *r, const char *dir, GError **err)
{
	g_autofree char *json_path = g_build_filename(dir, "results.json", NULL);
	g_autofree char *csv_path = g_build_filename(dir, "series.csv", NULL);
	g_autoptr(JsonNode) root = report_json(r);
	g_autofree char *json = json_text(root);
	g_autofree char *csv = series_csv(r->sim->series);

	if (g_mkdir_with_parents(dir, 0777) != 0) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", dir, g_strerror(errno));
		return false;
	}
	return tempfile_write(csv_path, csv, -1, err) && tempfile_write(json_path, json, -1, err);
}

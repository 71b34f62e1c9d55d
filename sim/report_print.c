/*
 * sim/report_print.c - the results of a run as a table for people, on stdout.
 */
#include <stdio.h>

#include "sim/report.h"
#include "sim/report_config.h"

static double ms(int64_t ns)
{
	return (double)ns / (double)NSEC_PER_MSEC;
}

static void print_dir(const struct job_stat *job, enum job_dir dir)
{
	const struct hist *clat = &job->dir[dir].clat;

	if (!job->dir[dir].ios && !job->dir[dir].errors)
		return;
	printf("%-20s %-5s %12" G_GUINT64_FORMAT " %10.2f %12.1f %10.4f %10.4f %10.4f %10.4f "
	       "%8" G_GUINT64_FORMAT "\n",
	       job->name, job_dir_name(dir), job->dir[dir].ios,
	       (double)job_bytes_per_second(job, dir) / 1048576, job_iops(job, dir),
	       ms(hist_mean(clat)), ms(hist_percentile(clat, 500000)),
	       ms(hist_percentile(clat, 990000)), ms(hist_percentile(clat, 999000)),
	       job->dir[dir].errors);
}

static void print_jobs(const struct report *r)
{
	printf("%-20s %-5s %12s %10s %12s %10s %10s %10s %10s %8s\n", "job", "dir", "ios", "MiB/s",
	       "IOPS", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "errors");
	for (unsigned int i = 0; i < r->nr_jobs; i++)
		for (unsigned int dir = 0; dir < JOB_NR_DIRS; dir++)
			print_dir(&r->jobs[i], dir);
}

static void print_cpu(const struct sim *sim)
{
	double all_ns = (double)sim->now * sim->nr_cpus;

	printf("\ncpu (of %u)", sim->nr_cpus);
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
		printf("  %s %.2f%%", cpu_context_name(ctx),
		       sim->now ? 100 * (double)cpus_context_ns(sim, ctx) / all_ns : 0);
	printf("\n");
	for (const struct task *t = sim->tasks; t; t = t->all_next)
		if (t->cpu_ns > 0)
			printf("  %-24s %10.3f ms\n", t->name, ms(t->cpu_ns));
}

/* Counters that are 0 say nothing to a reader. */
static void print_stats(const struct sim *sim)
{
	printf("\n");
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		for (const struct stat_desc *d = m->ops->stats; d && d->kind != STAT_END; d++) {
			g_autofree char *name = g_strdup_printf("%s.%s", m->ops->name, d->name);

			if (stat_value(m, d))
				printf("%-48s %20" G_GUINT64_FORMAT "\n", name, stat_value(m, d));
		}
	}
}

static void print_lines(const char *head, const GPtrArray *lines)
{
	for (unsigned int i = 0; lines && i < lines->len; i++)
		printf("%s: %s\n", head, (const char *)lines->pdata[i]);
}

void report_print(const struct report *r)
{
	g_autoptr(GPtrArray) limits = g_ptr_array_new_with_free_func(g_free);

	json_node_unref(report_config_json(r->sim, limits));
	cpus_settle(r->sim);
	if (r->workload)
		printf("workload %s\n", r->workload);
	printf("simulated %.6f s, seed %" G_GUINT64_FORMAT "\n\n",
	       (double)r->sim->now / (double)NSEC_PER_SEC, r->sim->conf.seed);
	if (r->nr_jobs)
		print_jobs(r);
	print_cpu(r->sim);
	print_stats(r->sim);
	print_lines("note", r->notes);
	if (limits->len)
		printf("limits: %u parameters are estimates or without a source (limits in "
		       "results.json, --json)\n",
		       limits->len);
	if (r->sim->failure)
		printf("FAILED: %s\n", r->sim->failure->str);
}

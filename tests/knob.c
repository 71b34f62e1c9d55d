/*
 * tests/knob.c - see tests/knob.h.
 */
#include "tests/knob.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/simulate.h"
#include "tests/machine.h"
#include "tests/support.h"

#define VALUES_MAX 8
#define FOLLOWS_MAX 24

/* How long pages are cached: the observer of a run. */
struct life {
	struct sim *sim;
	GHashTable
		*since; /* folio -> when it came in; structs are used again only after they left */
	double sum_ns;
	uint64_t nr;
};

static void note_add(void *arg, const struct folio *folio)
{
	struct life *life = arg;

	g_hash_table_insert(life->since, (gpointer)folio, GSIZE_TO_POINTER(life->sim->now));
}

static void note_delete(void *arg, const struct folio *folio)
{
	struct life *life = arg;
	gpointer since;

	if (!g_hash_table_steal_extended(life->since, folio, NULL, &since))
		return; /* there from the start */
	life->sum_ns += (double)(life->sim->now - (ktime_t)GPOINTER_TO_SIZE(since));
	life->nr++;
}

static struct simulation *run(const char *scenario, const char *set, struct life *life)
{
	const char *sets[] = {"sim.check=event", set, NULL};
	GError *err = NULL;
	struct config *config = scenario_load(test_text("knob.ini", scenario), NULL, sets, &err);

	cr_assert(config, "%s", err ? err->message : "");
	struct simulation *s = simulation_new(config, &err);

	cr_assert(s, "%s", err ? err->message : "");
	*life = (struct life){.sim = simulation_report(s)->sim,
			      .since = g_hash_table_new(NULL, NULL)};
	struct filemap *fm = filemap_of(life->sim);

	fm->on_add = note_add;
	fm->on_delete = note_delete;
	fm->observer_arg = life;
	cr_assert(simulation_run(s, false, &err), "%s", err ? err->message : "");
	return s;
}

static enum job_dir dir_of(const char *name)
{
	for (enum job_dir dir = 0; dir < JOB_NR_DIRS; dir++)
		if (!strcmp(name, job_dir_name(dir)))
			return dir;
	cr_assert(false, "no direction %s", name);
	return JOB_NR_DIRS;
}

static double of_series(const struct sim *sim, const char *how, const char *column)
{
	double mean;
	uint64_t max;

	cr_assert(series_summary(sim->series, column, &mean, &max), "no column %s", column);
	return !strcmp(how, "mean") ? mean : (double)max;
}

static double final_value(const struct sim *sim, const char *column)
{
	g_auto(GStrv) part = g_strsplit(column, ".", 2);

	return (double)machine_stat(sim, part[0], part[1]);
}

static double cpu_of_task(const struct sim *sim, const char *name)
{
	for (const struct task *t = sim->tasks; t; t = t->all_next)
		if (!strcmp(t->name, name))
			return (double)t->cpu_ns;
	cr_assert(false, "no task %s", name);
	return 0;
}

static double cpu_of_context(struct sim *sim, const char *name)
{
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
		if (!strcmp(name, cpu_context_name(ctx)))
			return (double)cpus_context_ns(sim, ctx);
	cr_assert(false, "no context %s", name);
	return 0;
}

static double value_of(struct simulation *s, const struct life *life, const char *what)
{
	const struct report *report = simulation_report(s);
	g_auto(GStrv) word = g_strsplit(what, " ", 2);

	if (!strcmp(what, "page_life"))
		return life->nr ? life->sum_ns / (double)life->nr : 0;
	cr_assert(word[0] && word[1], "%s?", what);
	if (!strcmp(word[0], "throughput"))
		return (double)job_bytes_per_second(report->jobs, dir_of(word[1]));
	if (!strcmp(word[0], "latency"))
		return (double)hist_mean(&report->jobs->dir[dir_of(word[1])].clat);
	if (!strcmp(word[0], "cpu"))
		return cpu_of_task(report->sim, word[1]);
	if (!strcmp(word[0], "cpu_context"))
		return cpu_of_context(report->sim, word[1]);
	if (!strcmp(word[0], "final"))
		return final_value(report->sim, word[1]);
	return of_series(report->sim, word[0], word[1]);
}

static bool holds(enum follows_how how, double before, double after)
{
	switch (how) {
	case RISES:
		return after > before;
	case FALLS:
		return after < before;
	case STAYS:
		return after == before;
	case NEVER_FALLS:
		return after >= before;
	case NEVER_RISES:
		return after <= before;
	case IS_ZERO:
		return before == 0 && after == 0;
	}
	return false;
}

static void check(const struct follows *f, const char *key, const char *const *values,
		  const double *seen, unsigned int nr)
{
	static const char *const hows[] = {"rises",	  "falls",	 "stays",
					   "never falls", "never rises", "is zero"};
	g_autoptr(GString) line = g_string_new(NULL);
	bool good = true;

	for (unsigned int i = 0; i < nr; i++) {
		g_string_append_printf(line, " %s: %.6g", values[i], seen[i]);
		good &= !i || holds(f->how, seen[i - 1], seen[i]);
	}
	cr_log_info("%s, %s (%s):%s", key, f->what, hows[f->how], line->str);
	cr_expect(good, "%s: %s does not do what it must (%s):%s", key, f->what, hows[f->how],
		  line->str);
}

void knob_turns(const char *scenario, const char *key, const char *const *values,
		const struct follows *follows)
{
	static double seen[FOLLOWS_MAX][VALUES_MAX];
	unsigned int nr = 0;

	for (; values[nr]; nr++) {
		g_autofree char *set = g_strconcat(key, "=", values[nr], NULL);
		struct life life;
		struct simulation *s = run(scenario, set, &life);

		cr_assert_lt(nr, VALUES_MAX);
		for (unsigned int i = 0; follows[i].what; i++) {
			cr_assert_lt(i, FOLLOWS_MAX);
			seen[i][nr] = value_of(s, &life, follows[i].what);
		}
		g_hash_table_destroy(life.since);
		simulation_free(s);
	}
	cr_assert_geq(nr, 3, "three points make a direction");
	for (unsigned int i = 0; follows[i].what; i++)
		check(&follows[i], key, values, seen[i], nr);
}

double knob_value(const char *scenario, const char *what)
{
	struct life life;
	struct simulation *s = run(scenario, NULL, &life);
	double value = value_of(s, &life, what);

	g_hash_table_destroy(life.since);
	simulation_free(s);
	return value;
}

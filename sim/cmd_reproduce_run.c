/*
 * sim/cmd_reproduce_run.c - the simulations of a plan, in worker processes; see
 * sim/cmd_reproduce_plan.h.
 *
 * A worker answers a line a metric: the value with all its digits, or ? and why there is none.
 */
#include "sim/cmd_reproduce_plan.h"

#include <math.h>

#include "sim/cmd_pool.h"
#include "sim/simulate.h"

/* The configuration of @p with the seed; returns new, NULL with *@err. */
static struct config *point_config(const struct repro_point *p, int64_t seed, GError **err)
{
	g_autofree char *scenario = repro_path(p->series, p->run->conf.scenario);
	g_autofree char *overlay =
		*p->variant->conf.overlay ? repro_path(p->series, p->variant->conf.overlay) : NULL;
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, seed);
	const char *overlays[] = {overlay, NULL};
	struct config *config =
		scenario_load(scenario, overlays, (const char *const *)p->sets, err);

	if (config)
		config_set(config, "sim", "seed", text);
	return config;
}

static void answer_value(GString *answer, const struct repro_point *p, unsigned int i,
			 const struct report *report)
{
	const struct repro_metric *m = p->metrics->pdata[i];
	g_autofree char *missing = NULL;
	double value = value_of(m->value, report, p->io_bytes, &missing);
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(answer, "%s%s\n", missing ? "?" : "",
			       missing ? missing : g_ascii_dtostr(text, sizeof(text), value));
}

static bool write_report(const struct repro_plan *plan, const struct repro_point *p, int64_t seed,
			 const struct report *report, GError **err)
{
	g_autofree char *name = g_strdup_printf("%s-s%" G_GINT64_FORMAT, p->label, seed);
	g_autofree char *dir = plan->out ? g_build_filename(plan->out, name, NULL) : NULL;

	return !dir || report_write(report, dir, err);
}

static bool run_point(void *arg, unsigned int i, GString *answer, GError **err)
{
	const struct repro_plan *plan = arg;
	const struct repro_point *p = plan->points->pdata[i / plan->nr_seeds];
	int64_t seed = plan->first_seed + i % plan->nr_seeds;
	struct config *config = point_config(p, seed, err);
	struct simulation *s = config ? simulation_new(config, err) : NULL;
	bool ok = s && simulation_run(s, false, err) &&
		  write_report(plan, p, seed, simulation_report(s), err);

	for (unsigned int k = 0; ok && k < p->metrics->len; k++)
		answer_value(answer, p, k, simulation_report(s));
	simulation_free(s);
	if (!ok)
		g_prefix_error(err, "%s, seed %" G_GINT64_FORMAT ": ", p->label, seed);
	return ok;
}

static void clear_measure(void *p)
{
	g_free(((struct repro_measure *)p)->missing);
}

/* The lines of an answer. */
static GArray *read_answer(const struct repro_point *p, const char *answer)
{
	g_auto(GStrv) lines = g_strsplit(answer, "\n", -1);
	GArray *measures = g_array_new(FALSE, FALSE, sizeof(struct repro_measure));

	g_array_set_clear_func(measures, clear_measure);
	assert(g_strv_length(lines) == p->metrics->len + 1);
	g_array_set_size(measures, p->metrics->len);
	for (unsigned int i = 0; i < p->metrics->len; i++) {
		struct repro_measure *m = &g_array_index(measures, struct repro_measure, i);
		bool missing = *lines[i] == '?';

		m->value = missing ? NAN : g_ascii_strtod(lines[i], NULL);
		m->missing = missing ? g_strdup(lines[i] + 1) : NULL;
	}
	return measures;
}

bool repro_plan_run(struct repro_plan *plan, unsigned int jobs, GError **err)
{
	unsigned int n = plan->points->len * plan->nr_seeds;
	g_autoptr(GArray) results = pool_run(n, jobs, run_point, plan, err);

	if (!results)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		struct pool_result *r = &g_array_index(results, struct pool_result, i);
		const struct repro_point *p = plan->points->pdata[i / plan->nr_seeds];

		g_ptr_array_add(plan->failures, g_strdup(r->failure));
		g_ptr_array_add(plan->measures, r->answer ? read_answer(p, r->answer)
							  : g_array_new(FALSE, FALSE, 1));
	}
	return true;
}

const struct repro_measure *repro_plan_measure(const struct repro_plan *plan, unsigned int point,
					       unsigned int seed, const struct repro_metric *metric,
					       const char **failure)
{
	const struct repro_point *p = plan->points->pdata[point];
	unsigned int i = point * plan->nr_seeds + seed, k;

	*failure = plan->failures->pdata[i];
	if (*failure || !g_ptr_array_find(p->metrics, metric, &k))
		return NULL;
	return &g_array_index((GArray *)plan->measures->pdata[i], struct repro_measure, k);
}

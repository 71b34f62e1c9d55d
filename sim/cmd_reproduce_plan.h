/*
 * sim/cmd_reproduce_plan.h - which simulations the cells need, each done once however many cells it
 * answers for.
 */
#ifndef SIM_CMD_REPRODUCE_PLAN_H
#define SIM_CMD_REPRODUCE_PLAN_H

#include "sim/cmd_reproduce_cells.h"

/* A configuration; it runs once with each seed. */
struct repro_point {
	char *label; /* owned: run-size-variant[-element] */
	const struct repro_series *series;
	const struct repro_run *run;
	const struct repro_variant *variant;
	int64_t io_bytes;
	char **sets;	    /* owned: calibrated values, those of the run, those of the user */
	GPtrArray *metrics; /* const struct repro_metric *: what cells ask of it */
};

/* What a metric was in one run. */
struct repro_measure {
	double value;  /* unscaled; NAN = none */
	char *missing; /* owned: why, or NULL */
};

struct repro_plan {
	GPtrArray *points; /* struct repro_point * */
	GHashTable *by_label;
	unsigned int nr_seeds;
	int64_t first_seed;
	char **user_sets; /* borrowed */
	const char *out;  /* folder for each run's results, or NULL */
	/* after repro_plan_run(), by point * nr_seeds + seed */
	GPtrArray *measures; /* GArray of struct repro_measure, one a metric of the point */
	GPtrArray *failures; /* char *: why the run fell short, or NULL */
};

struct repro_plan *repro_plan_new(void);
void repro_plan_free(struct repro_plan *plan);

/* Add what @cell needs; published inputs come from @table, then from the series.  False with *@err.
 */
bool repro_plan_add(struct repro_plan *plan, struct repro_cell *cell, const struct table *table,
		    const struct repro_filter *filter, GError **err);

/* Simulate all of it, @jobs at a time.  False with *@err on bad input. */
bool repro_plan_run(struct repro_plan *plan, unsigned int jobs, GError **err);

/* What @metric was at @point with seed number @seed; NULL when that run fell short, whose reason is
 * in *@failure. */
const struct repro_measure *repro_plan_measure(const struct repro_plan *plan, unsigned int point,
					       unsigned int seed, const struct repro_metric *metric,
					       const char **failure);

#endif

/*
 * sim/cmd_reproduce_judge.h - simulated figures, their errors, and which gates they fail.
 */
#ifndef SIM_CMD_REPRODUCE_JUDGE_H
#define SIM_CMD_REPRODUCE_JUDGE_H

#include "sim/cmd_reproduce_plan.h"

/* Of predicted cells that have an error in percent; NAN when there is none. */
struct repro_summary {
	unsigned int cells, calibrated, predicted, failed;
	double median_abs_error_pct, worst_abs_error_pct;
};

/*
 * Fill simulated, spread, error and failure of every cell from the plan that was run.
 *
 * A cell is the mean over the seeds (the median where a median was published); where it stands for
 * several configurations, it is the one that is farthest from what was published.
 * error_pct = 100 * (simulated - published) / published; inside bounds 0, outside to the nearer
 * one; for a published 0 there is none, and the cell fails unless it is 0 too.
 */
void repro_judge(const GPtrArray *cells, const struct repro_plan *plan);

void repro_summarize(const GPtrArray *cells, struct repro_summary *sum);

/* Lines (owned) about groups whose median error is over their gate, and runs that fell short.  Of a
 * part of the cells (@whole is false) a median says nothing. */
GPtrArray *repro_shortfalls(const GPtrArray *cells, const GPtrArray *all_series,
			    const struct repro_plan *plan, bool whole);

/* "predicted" and so on. */
const char *repro_role_name(enum cell_role role);

#endif

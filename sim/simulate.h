/*
 * sim/simulate.h - one run from a configuration: machine, workload, results.  What run, replay and
 * compare share.
 *
 * [workload] is either a capture (capture, format, time_unit, mode, level, ...) or one fio job in
 * fio's own option names; or `jobfile` names a real fio job file.
 */
#ifndef SIM_SIMULATE_H
#define SIM_SIMULATE_H

#include "sim/report.h"

/* The keys of [workload] that are not fio's, for `f2sim defaults`. */
extern const struct conf_key workload_keys[];

struct simulation;

/*
 * Build the machine and the workload that @config (taken) describes.  Returns new; NULL with *@err.
 */
struct simulation *simulation_new(struct config *config, GError **err);
void simulation_free(struct simulation *s); /* NULL is fine */

/*
 * Run to the end, then check.  False with *@err on bad input (a broken record in the middle of the
 * capture) and on a lost wakeup; the report is of what was simulated until then.
 */
bool simulation_run(struct simulation *s, bool warn, GError **err);

/* Results, borrowed. */
const struct report *simulation_report(struct simulation *s);

/*
 * Load a scenario (NULL = defaults only; a real fio job file is accepted as it is) with overlays
 * and sets as config_load().  Returns new; NULL with *@err.
 */
struct config *scenario_load(const char *path, const char *const *overlays, const char *const *sets,
			     GError **err);

#endif

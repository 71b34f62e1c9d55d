/*
 * sim/cmd_validate_sim.h - what a simulation did, under the names that a capture's numbers have.
 */
#ifndef SIM_CMD_VALIDATE_SIM_H
#define SIM_CMD_VALIDATE_SIM_H

#include "sim/cmd_validate_tally.h"
#include "sim/report.h"

/*
 * Watch @sim from now on: what enters and leaves its page cache goes into @tally and, with @events,
 * bios and dirty throttling as its tracepoints tell them.  validate_unwatch() after the run, before
 * the tally is looked at.
 */
struct watch;
struct watch *validate_watch(struct sim *sim, struct tally *tally, bool events);
void validate_unwatch(struct watch *w, struct sim *sim);

/* The simulated value of the metric @name with @stat into *@value; false when the simulation has
 * none of that name. */
bool validate_simulated(const struct report *r, const GArray *tallied, const char *name,
			const char *stat, double *value);

#endif

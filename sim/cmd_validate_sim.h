/*
 * sim/cmd_validate_sim.h - what a simulation did, under the names that a capture's numbers have.
 */
#ifndef SIM_CMD_VALIDATE_SIM_H
#define SIM_CMD_VALIDATE_SIM_H

#include "sim/cmd_validate_tally.h"
#include "sim/report.h"

/* Watch @sim's page cache from now on: what enters and leaves goes into @tally. */
void validate_watch(struct sim *sim, struct tally *tally);

/* The simulated value of the metric @name with @stat into *@value; false when the simulation has
 * none of that name. */
bool validate_simulated(const struct report *r, const GArray *tallied, const char *name,
			const char *stat, double *value);

#endif

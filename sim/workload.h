/*
 * sim/workload.h - what [workload] says, and the replay it becomes.  Internal to sim/simulate.c.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim/replay.h"

struct workload;

/*
 * Read [workload] of @config and mark its keys known; open the captures or read the jobs.  Returns
 * new (borrows
 * @config); NULL with *@err.
 */
struct workload *workload_new(struct config *config, GError **err);
void workload_free(struct workload *w); /* after the replay is freed */

/*
 * Tell @sim's models what the capture shows, and make the replay.  Lines about what is not replayed
 * or not modelled go to @notes.  Returns new; NULL with *@err.
 */
struct replay *workload_start(struct workload *w, struct sim *sim, GPtrArray *notes, GError **err);

/* For the head of the results; borrowed. */
const char *workload_describe(const struct workload *w);

/* After the run: what the readers saw that a user should know goes to @notes and, with @warn, to
 * stderr. */
void workload_finish(struct workload *w, bool warn, GPtrArray *notes);

#endif

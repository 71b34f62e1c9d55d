/*
 * sim/workload_jobs.h - the fio jobs of [workload], from their options to the replay.  Internal to
 * sim/workload.c.
 */
#ifndef SIM_WORKLOAD_JOBS_H
#define SIM_WORKLOAD_JOBS_H

#include "sim/replay.h"

/*
 * The one job that the keys of [workload] describe, but for the keys in @own.  It is not checked
 * yet.  Returns new (array of struct fio_job *); NULL with *@err.
 */
GPtrArray *workload_section_job(struct config *config, const struct conf_key *own, GError **err);

/*
 * Check @jobs, make a replay of all their clones and lay out the files they read.  The sources
 * (struct op_source *) go to @sources, whose owner frees them after the replay; lines about what is
 * ignored or not modelled go to @notes.  Returns new; NULL with *@err.
 */
struct replay *workload_start_jobs(const GPtrArray *jobs, const struct replay_conf *conf,
				   struct sim *sim, GPtrArray *sources, GPtrArray *notes,
				   GError **err);

/* Append a line to @notes. */
void workload_note(GPtrArray *notes, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif

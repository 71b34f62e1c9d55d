/*
 * sim/cmd_pool.h - independent jobs in worker processes, for commands that run many simulations.
 *
 * Each job is a child of its own (fork): memory goes with it, a crash takes nothing else along.
 * What comes back is in order of the jobs, whatever their number at a time.
 */
#ifndef SIM_CMD_POOL_H
#define SIM_CMD_POOL_H

#include <glib.h>
#include <stdbool.h>

/* In the child: job @i; its answer is appended to @answer.  False with *@err. */
typedef bool (*pool_job)(void *arg, unsigned int i, GString *answer, GError **err);

struct pool_result {
	char *answer;  /* owned; NULL when the job failed */
	char *failure; /* owned; why a job ended in a shortfall (exit status 1) or died */
};

/*
 * Run jobs 0 .. @n - 1, at most @jobs at a time; on a terminal stderr shows how many are done and
 * the time left.  Returns new (an array of struct pool_result, free with g_array_unref()); NULL
 * with
 * *@err as soon as a job reports bad input, or when no process can be made.
 */
GArray *pool_run(unsigned int n, unsigned int jobs, pool_job job, void *arg, GError **err);

#endif

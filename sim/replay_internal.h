/*
 * sim/replay_internal.h - what replay.c (tasks of a capture) and replay_slots.c (jobs, block ops)
 * share.
 */
#ifndef SIM_REPLAY_INTERNAL_H
#define SIM_REPLAY_INTERNAL_H

#include "sim/replay.h"

/* An op in flight and what is needed when it completes. */
struct issue {
	struct op op;
	ktime_t issued_ns;
	ktime_t due_ns; /* when a paced job wanted it issued; OP_NO_TIME = as soon as it may */
};

/* One stream of slots: a job, or a capture's block ops. */
struct slot;
struct slot_stream;

struct replay {
	struct sim *sim;
	struct replay_conf conf;
	GError *error;	       /* first one of any source */
	GPtrArray *stats;      /* struct job_stat * */
	struct job_stat *flat; /* the same as an array, for reports; histograms are borrowed */
	/* the capture */
	struct op_source *source;
	bool source_ended;
	int64_t first_ns;  /* of the capture's clock; OP_NO_TIME before the first op */
	GHashTable *tasks; /* pid -> struct replay_task; never iterated */
	struct replay_task *first_task, *last_task;
	unsigned int nr_ahead;	/* ops queued for tasks */
	struct wait_queue room; /* tasks waiting for nr_ahead to fall */
	uint64_t window_stalls;
	struct job_stat *capture_stat;
	GPtrArray *streams;	      /* struct slot_stream *, groups in order */
	GArray *group_live;	      /* unsigned int: slots of each group that have not exited */
	unsigned int group;	      /* stonewall group that runs */
	int32_t last_pid;	      /* of a slot */
	struct wait_queue group_wait; /* slots of later groups */
};

struct job_stat *replay_new_stat(struct replay *r, const char *name);

/* Next op the replay is to issue (flags applied, foreign classes skipped and counted); false = end
 * or error.  That the source goes on for ever without one is an error. */
bool replay_pull(struct replay *r, struct op_source *source, struct job_stat *stat, struct op *op);

/* When the op stamped @time_ns of the capture is due on the simulated clock. */
ktime_t replay_due(const struct replay *r, int64_t time_ns);

/* Hand @op to the file system or the block layer, whichever its class is for. */
void replay_submit(struct replay *r, struct task *t, struct op *op, task_fn done);

/* @ns, or REPLAY_MAX_NS where that is less. */
ktime_t replay_saturate(__int128 ns);

/* Account a completed op. */
void replay_account(struct job_stat *stat, const struct issue *is, ktime_t now);

/* replay_slots.c */
void slots_add(struct replay *r, struct op_source *source, const struct replay_job *job, bool block,
	       bool open_loop);
void slots_free(struct replay *r);

#endif

/*
 * traces/ftrace_parts.h - what ftrace_ops.c and its parts share.
 */
#ifndef TRACES_FTRACE_PARTS_H
#define TRACES_FTRACE_PARTS_H

#include "traces/blkpair.h"
#include "traces/ftrace_bind.h"
#include "traces/ftrace_ops.h"
#include "traces/hold.h"

/* info.rwbs entries met last, by a hash of action and text: saves building the key. */
#define FTRACE_RWBS_CACHE 16u
struct ftrace_rwbs {
	char action;
	char text[BLK_RWBS_MAX];
	struct trace_rwbs *entry;
};

struct ftrace_ops {
	struct trace *t;
	struct hold *hold;
	struct ftrace_bind *bind;
	struct blkpair *pairs;
	GHashTable *ufs_slots; /* (hwq << 16 | tag) -> struct ufs_slot, owned */
	GHashTable *sizes;     /* ino -> i_size last shown */
	uint64_t interest;     /* bit per enum ftrace_id */
	struct ftrace_rwbs rwbs[FTRACE_RWBS_CACHE];
};

/* An op of @kind at event @e, everything else 0. */
struct op ftrace_op(const struct ftrace_event *e, enum op_kind kind);

/* ftrace_call.c: system calls of a task. */
void ftrace_call_enter(struct ftrace_ops *o, struct ftrace_task *task,
		       const struct ftrace_event *e);
void ftrace_call_exit(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e);
void ftrace_call_abort(struct ftrace_ops *o, struct ftrace_task *task); /* the exit is lost */

/* ftrace_proof.c: an event inside the open call of @task.  True when the call accounts for it: it
 * is no f2fs operation of its own. */
bool ftrace_call_event(struct ftrace_ops *o, struct ftrace_task *task,
		       const struct ftrace_event *e);

/* OP_DIRECT, and OP_DONTCACHE by the ki_flags of an f2fs_direct_IO_enter. */
uint32_t ftrace_direct_flags(const struct ftrace_event *e);

/* ftrace_f2fs.c: f2fs operations without a system call. */
void ftrace_f2fs_event(struct ftrace_ops *o, struct ftrace_task *task,
		       const struct ftrace_event *e);
void ftrace_f2fs_abort(struct ftrace_ops *o, struct ftrace_task *task);

/* ftrace_obs.c: observed ops and requests to UFS. */
void ftrace_obs_event(struct ftrace_ops *o, const struct ftrace_event *e);
void ftrace_ufs_event(struct ftrace_ops *o, const struct ftrace_event *e);
void ftrace_ufs_lost(struct ftrace_ops *o, uint32_t cpu); /* FTRACE_NO_CPU: all */

#endif

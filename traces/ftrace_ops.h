/*
 * traces/ftrace_ops.h - events of a kernel trace in, ops out: file ops, block ops, observed.
 *
 * The text readers (ftrace, perf) and the trace.dat reader share this: they only differ in how they
 * come by a struct ftrace_event.
 *
 *   system calls        file ops, bound by traces/ftrace_bind.h (ftrace_call.c)
 *   f2fs_dataread_* ..  file ops of a task whose system calls the capture does not show
 *   block_rq_*          block ops through traces/blkpair.h
 *   ufshcd_command      block ops paired by (hwq, tag): device 0, LBA in 4096-byte units
 *   filemap, writeback, f2fs_*  observed (ftrace_obs.c)
 */
#ifndef TRACES_FTRACE_OPS_H
#define TRACES_FTRACE_OPS_H

#include "traces/ftrace_event.h"
#include "traces/trace.h"

struct ftrace_ops;

/* Make ops of @t->opts.want and count into @t->info; borrows @t.  Returns new. */
struct ftrace_ops *ftrace_ops_new(struct trace *t);
void ftrace_ops_free(struct ftrace_ops *o); /* NULL is fine */

/* Is there anything to do for events of @id?  If not their bodies need not be parsed. */
bool ftrace_ops_wants(const struct ftrace_ops *o, enum ftrace_id id);

/* Take the next event, one that ftrace_ops_wants(). */
void ftrace_ops_event(struct ftrace_ops *o, const struct ftrace_event *e);

/* Events of @cpu were lost: what is open on it stays without its other half, and descriptors of
 * tasks seen there last may have changed hands. */
void ftrace_ops_lost(struct ftrace_ops *o, uint32_t cpu);

/* The capture is over, or another one begins: nothing that is open will be completed. */
void ftrace_ops_end(struct ftrace_ops *o);

/* Next op into *@op in order of issue; @end: no more events will come.  Counts info.unbound and
 * info.drives. */
bool ftrace_ops_pop(struct ftrace_ops *o, bool end, struct op *op);

#endif

/*
 * traces/hold.h - keep ops in capture order while some wait for their other half.
 *
 * A read is known to the last byte only at its syscall exit, a request's latency only at its
 * completion.  A reader pushes every op in capture order; an op that waits for its other half holds
 * back all behind it, so the stream leaves in order of issue.  At most HOLD_MAX ops wait: past that
 * the oldest leaves unfinished, which is counted. The window also sorts steps back in time (per-CPU
 * clocks, unsorted merged dumps): an op leaves only when HOLD_SORT newer ones were pushed or at the
 * end, and those in the window leave by (time, order of arrival).  A step back of more than
 * HOLD_RESTART_NS behind a full window is a clock that began anew (captures appended to each
 * other): what was pushed before leaves first.
 */
#ifndef TRACES_HOLD_H
#define TRACES_HOLD_H

#include "sim/op.h"

#define HOLD_MAX 65536u
#define HOLD_SORT 1024u
#define HOLD_RESTART_NS ((uint64_t)NSEC_PER_SEC)

struct hold;

struct hold *hold_new(void); /* returns new */
void hold_free(struct hold *h);

/* Append a copy of @op; returns its ticket (never 0).  @pending: wait for
 * hold_finish()/hold_abandon(). */
uint64_t hold_push(struct hold *h, const struct op *op, bool pending);

/* The op of @ticket, pending or finished, for changing in place (not its time_ns), or NULL when it
 * has already left.  Valid until the next hold_push(). */
struct op *hold_get(struct hold *h, uint64_t ticket);

/* @ticket's op is complete and may leave. */
void hold_finish(struct hold *h, uint64_t ticket);

/* Remove @ticket's op: it will never be delivered. */
void hold_abandon(struct hold *h, uint64_t ticket);

/* Next op that may leave into *@op; at @end everything leaves.  False when none may. */
bool hold_pop(struct hold *h, bool end, struct op *op);

#endif

/*
 * traces/blkpair.h - block events in, requests with their latency out.
 *
 * A request is D (issue) paired with C (completion) by (device, sector, direction), in order of
 * issue where several are alike.  On a device where no D was seen so far a request is Q with C
 * (stacked devices never issue).  R (requeue) cancels a D.  A request completed in parts is done
 * with its last part.  The completion of a preflush write without bytes ends a flush sequence whose
 * parts were paired before: it is no completion of its own, but that of an observed op
 * (traces/blksequence.h).
 *
 * Each request becomes one op of OP_CLASS_BLOCK in the hold: OP_BIO_READ, OP_BIO_WRITE, OP_FLUSH,
 * OP_DISCARD (also write zeroes and zone management: requests that move no data); time_ns is D,
 * done_ns is C, result is the bytes that moved or -errno.  Passthrough commands carry
 * OP_PASSTHROUGH and pos 0.  An issue without completion leaves with done_ns OP_NO_TIME.  No
 * latency is negative: a C up to BLKPAIR_SKEW_NS before its D from another CPU's clock counts as
 * done at D.
 *
 * Counts into the trace's info: paired, cross_cpu, unpaired, skewed, has_pairs, drives.
 */
#ifndef TRACES_BLKPAIR_H
#define TRACES_BLKPAIR_H

#include "traces/blkaction.h"
#include "traces/blkearly.h"
#include "traces/hold.h"
#include "traces/trace.h"

struct blkpair;

/* Pair for @t, pushing into @h; borrows both.  Returns new. */
struct blkpair *blkpair_new(struct trace *t, struct hold *h);
void blkpair_free(struct blkpair *p); /* NULL is fine */

/* Take the next event; actions other than Q, D, C and R are ignored.  Events come nearly in time
 * order. */
void blkpair_event(struct blkpair *p, const struct blk_event *e);

/* Events of @cpu were lost: requests it issued and that are open stay without completion. */
void blkpair_lost(struct blkpair *p, unsigned int cpu);

/* The capture is over: count what is still open, and warn of what found no other half. */
void blkpair_end(struct blkpair *p);

#endif

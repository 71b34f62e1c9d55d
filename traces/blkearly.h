/*
 * traces/blkearly.h - completions that were met before their issue.
 *
 * They wait a little: for EARLY_EVENTS further events at least, and until the time has moved on by
 * BLKPAIR_SKEW_NS.  Their issue may come late from another CPU's clock or out of an unsorted dump.
 */
#ifndef TRACES_BLKEARLY_H
#define TRACES_BLKEARLY_H

#include "traces/blkaction.h"

#define BLKPAIR_SKEW_NS ((ktime_t)10000)

#define EARLY_MAX 64u
#define EARLY_EVENTS 256u

struct blk_early {
	struct blk_event events[EARLY_MAX]; /* oldest first */
	uint64_t serials[EARLY_MAX];	    /* the event's number in the capture */
	unsigned int count;
};

/* Keep completion @e, event number @serial.  False when the oldest had to go for it. */
bool blk_early_add(struct blk_early *early, const struct blk_event *e, uint64_t serial);

/* Drop the completions that have waited long enough; returns how many. */
unsigned int blk_early_expire(struct blk_early *early, int64_t now_ns, uint64_t serial);

/* Take the oldest completion that can be of issue @e into *@c. */
bool blk_early_take(struct blk_early *early, const struct blk_event *e, struct blk_event *c);

#endif

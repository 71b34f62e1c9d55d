/*
 * models/dev_drain.h - the drain of a device's write buffer: one server that moves buffered bytes
 * to flash.  Level 0.
 *
 * All of it is computed ahead: drain_add() says when data handed over now will be on flash, and
 * nothing is scheduled.  The N dies program in step, so a die taken for ns by a read or by garbage
 * collection costs the drain ns / N (drain_delay()).
 */
#ifndef MODELS_DEV_DRAIN_H
#define MODELS_DEV_DRAIN_H

#include "sim/rng.h"
#include "sim/types.h"

struct drain_conf {
	int64_t rate;	  /* bytes/s while fast (SLC) space is left, the only rate if wb_bytes 0 */
	int64_t tlc_rate; /* bytes/s once it is used up */
	int64_t wb_bytes; /* size of the fast space; 0 = no cliff */
	int64_t refill_rate; /* bytes/s the fast space comes back while the drain idles */
	double sigma;	     /* of the rate between windows, mean kept; 0 = constant */
	int64_t window_ns;   /* length of a window, > 0 */
};

struct drain {
	struct drain_conf conf; /* rates already lowered to the median that keeps the mean */
	uint64_t key;		/* window index -> random bits */
	struct lognormal spread;
	ktime_t end;	 /* when everything handed over so far is on flash */
	int64_t wb_left; /* bytes of fast space left */
};

void drain_init(struct drain *d, const struct drain_conf *conf, uint64_t seed);

/* Hand over @bytes that begin to arrive at @start (never before an earlier start); returns the new
 * end. */
ktime_t drain_add(struct drain *d, ktime_t start, int64_t bytes);

/* When at most @bytes of what was handed over are still to be drained; may lie in the past. */
ktime_t drain_backlog_below(const struct drain *d, int64_t bytes);

/* When @bytes more than what is drained at @now will be, or everything if that is less. */
ktime_t drain_ahead(const struct drain *d, ktime_t now, int64_t bytes);

/* Take @ns of the drain's time away, if it is busy at @now. */
void drain_delay(struct drain *d, ktime_t now, ktime_t ns);

#endif

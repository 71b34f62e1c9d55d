/*
 * models/vmscan.h - kswapd and direct reclaim (mm/vmscan.c).  Level 5.
 */
#ifndef MODELS_VMSCAN_H
#define MODELS_VMSCAN_H

#include "models/fs_writeback.h"

struct vmscan;
extern const struct model_ops vmscan_model;
struct vmscan *vmscan_of(const struct sim *sim);

/* Is free memory at or below the min watermark, so that the next allocation must reclaim first? */
bool must_reclaim(const struct vmscan *vs);

/* Pages: the low mark that follows from memory size, whatever the host set by hand (what /proc
 * calls MemAvailable knows no other), and Active(file). */
uint64_t vmscan_derived_low_wmark(const struct vmscan *vs);
uint64_t vmscan_active_file(const struct vmscan *vs);

/* What one batch of reclaim met, pages. */
struct reclaim_stat {
	uint64_t looked, scanned, reclaimed, dirty, writeback, immediate;
	uint64_t congested; /* under writeback and met before */
	uint64_t taken; /* of which dirty ones may be all: then the flusher is woken */
};

/* One reclaim of one lruvec (struct scan_control). */
struct scan_control {
	uint64_t nr_to_reclaim;		   /* set by the caller: enough */
	int priority;			   /* set by the caller: DEF_PRIORITY falling to 0 */
	bool kswapd;			   /* set by the caller */
	bool memcg;			   /* of the limit of a memory cgroup */
	bool in_pass;			   /* kswapd: between begin and the end of nr_to_scan */
	bool node_writeback;		   /* kswapd: a batch was all under writeback */
	uint64_t nr_scanned, nr_reclaimed; /* sums; the caller clears and counts them */
	uint64_t pass_busy, pass_congested; /* of this pass: dirty or under writeback; again */
	bool congested;			    /* for the rest of this reclaim */
	uint64_t nr_stolen;  /* of nr_reclaimed, pages of the lists; the rest came from shrinkers */
	uint64_t pass_start; /* nr_reclaimed from where nr_to_reclaim counts: classic, of this pass
			      */
	uint64_t nr_to_scan[2];	   /* of this pass: inactive (or the oldest generation), active */
	struct reclaim_stat batch; /* the last one */
};

#define DEF_PRIORITY 12

/*
 * One batch of a pass begun before, which may have nothing to do.  Returns its CPU time in ns;
 * false in *@more when the pass is over.  For kswapd, which spends the time of each batch before
 * the next.
 */
int64_t shrink_batch(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc, bool *more);

enum reclaim_result { RECLAIM_FREED, RECLAIM_GOES_ON, RECLAIM_CONGESTED, RECLAIM_NOTHING };

/*
 * do_try_to_free_pages(): the allocating task reclaims 32 pages itself, from its memory cgroup when
 * that is full, in slices of RECLAIM_SLICE_NS, so that what is written back meanwhile is met clean.
 * Adds the CPU time of the slice to *@cost_ns; @sc (zeroes at first) carries on from call to call
 * while the result is RECLAIM_GOES_ON, or RECLAIM_CONGESTED: then the caller sleeps a jiffy first,
 * for all that a pass met was waiting for its writeback, and not for the first time.
 * RECLAIM_NOTHING: no page was freed down to priority 0; then
 * the caller sleeps RECLAIM_THROTTLE_NS and tries again, MAX_RECLAIM_RETRIES times, but of a full
 * cgroup it tries MEMCG_RECLAIM_RETRIES times before each sleep (DEVIATION: there is no OOM killer).
 */
enum reclaim_result direct_reclaim(struct vmscan *vs, struct scan_control *sc, int64_t *cost_ns);

#define RECLAIM_SLICE_NS (20 * NSEC_PER_USEC)
#define MEMCG_RECLAIM_RETRIES 16u /* mm/memcontrol.c MAX_RECLAIM_RETRIES */
#define RECLAIM_THROTTLE_NS (100 * NSEC_PER_MSEC) /* HZ / 10 */
#define MAX_RECLAIM_RETRIES 600u		  /* a minute of sleeps: the device is stuck */

#endif

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

/* Pages: the mark below which kswapd wakes, and Active(file). */
uint64_t vmscan_low_wmark(const struct vmscan *vs);
uint64_t vmscan_active_file(const struct vmscan *vs);

/*
 * try_to_free_pages(): the allocating task reclaims 32 pages itself.  Adds the CPU time to
 * *@cost_ns.  True when anything was freed; otherwise the caller sleeps RECLAIM_THROTTLE_NS and
 * tries again, MAX_RECLAIM_RETRIES times.
 */
bool direct_reclaim(struct vmscan *vs, int64_t *cost_ns);

#define RECLAIM_THROTTLE_NS (100 * NSEC_PER_MSEC) /* HZ / 10 */
#define MAX_RECLAIM_RETRIES 600u		  /* a minute of sleeps: the device is stuck */

#endif

/*
 * models/bdi_writeback.h - what a device's writeback knows about its speed, and how fast its
 * writers may dirty.  Level 0.
 *
 * Stands for struct bdi_writeback and the control loop of mm/page-writeback.c: pure arithmetic on
 * pages and jiffies, no events.  Rates are pages a second.
 */
#ifndef MODELS_BDI_WRITEBACK_H
#define MODELS_BDI_WRITEBACK_H

#include "sim/types.h"

#define RATELIMIT_CALC_SHIFT 10 /* pos_ratio 1.0 = 1024 */

/* Whose memory is limited: the machine's or a memory cgroup's (KERNEL 4.3). */
struct wb_domain {
	uint64_t dirty_limit;	    /* follows thresh up at once, down slowly */
	int64_t dirty_limit_tstamp; /* jiffies */
};

struct bdi_writeback {
	int64_t hz;		      /* jiffies a second */
	uint64_t write_bandwidth;     /* estimate of the last seconds */
	uint64_t avg_write_bandwidth; /* smoothed further */
	uint64_t dirty_ratelimit;     /* base rate of a writer */
	uint64_t balanced_dirty_ratelimit;
	int64_t bw_time_stamp;		       /* jiffies of the last update */
	uint64_t written_stamp, dirtied_stamp; /* counters at that time */
	bool dirty_exceeded;
	bool in_progress; /* the flusher works (WB_writeback_running) */
};

/* State of one balance_dirty_pages() round, pages (struct dirty_throttle_control). */
struct dirty_throttle_control {
	struct wb_domain *dom;
	uint64_t avail; /* dirtyable memory */
	uint64_t thresh, bg_thresh;
	uint64_t dirty;	    /* dirty + writeback of the domain */
	uint64_t wb_thresh; /* this device's share */
	uint64_t wb_dirty;
	uint64_t pos_ratio; /* set by wb_position_ratio() */
};

void wb_init(struct bdi_writeback *wb, int64_t hz);

static inline uint64_t dirty_freerun_ceiling(uint64_t thresh, uint64_t bg_thresh)
{
	return (thresh + bg_thresh) / 2;
}

/* max(thresh, the domain's limit): where writers stop (KERNEL 4.3). */
uint64_t hard_dirty_limit(const struct wb_domain *dom, uint64_t thresh);

/* Set dtc->pos_ratio: 2.0 at freerun, 1.0 at the setpoint, 0 at the limit (KERNEL 4.6). */
void wb_position_ratio(const struct bdi_writeback *wb, struct dirty_throttle_control *dtc);

/*
 * Take in what was written and dirtied (ever) up to @now jiffies (KERNEL 4.8).  @gdtc: called from
 * balance_dirty_pages(), the limits and the writers' rate follow too, first by the global domain
 * and then by the memory cgroup's @mdtc unless NULL; @gdtc NULL: only the bandwidth.
 */
void wb_update_bandwidth(struct bdi_writeback *wb, const struct dirty_throttle_control *gdtc,
			 const struct dirty_throttle_control *mdtc, int64_t now, uint64_t written,
			 uint64_t dirtied);

/* Is it time for that: a fifth of a second since the last (BANDWIDTH_INTERVAL)? */
bool wb_bandwidth_due(const struct bdi_writeback *wb, int64_t now);

/*
 * A pass begins and nothing is under writeback.  When the last update was over a second ago the
 * estimate goes on from here: idle time says nothing about the device (KERNEL 4.8).
 */
void wb_bandwidth_estimate_start(struct bdi_writeback *wb, int64_t now, uint64_t written,
				 uint64_t dirtied);

/* Longest and shortest useful pause, jiffies; *@next_poll: pages until the next look. */
int64_t wb_max_pause(const struct bdi_writeback *wb, uint64_t wb_dirty);
int64_t wb_min_pause(const struct bdi_writeback *wb, int64_t max_pause, uint64_t task_ratelimit,
		     uint64_t *next_poll);

#endif

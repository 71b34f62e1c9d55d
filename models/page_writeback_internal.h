/*
 * models/page_writeback_internal.h - what the parts of page_writeback share, and the tracepoints of
 * dirty throttling (include/trace/events/writeback.h).  Private to page_writeback*.c; Level 1.
 */
#ifndef MODELS_PAGE_WRITEBACK_INTERNAL_H
#define MODELS_PAGE_WRITEBACK_INTERNAL_H

#include "models/page_writeback.h"
#include "sim/trace_events.h"

struct page_writeback {
	struct model model;
	struct {
		uint64_t dirty_ratio, dirty_background_ratio;
		int64_t dirty_bytes, dirty_background_bytes;
		uint64_t dirty_writeback_centisecs, dirty_expire_centisecs;
		uint64_t hz;
	} conf;
	struct {
		uint64_t nr_file_pages, nr_dirty, nr_writeback;
		uint64_t nr_dirtied, nr_cleaned, nr_writeback_started, nr_written;
		uint64_t nr_dirty_threshold, nr_dirty_background_threshold;
		uint64_t memcg_dirty_threshold, memcg_dirty_background_threshold;
		uint64_t dirty_pauses, dirty_pause_ns;
		uint64_t write_bandwidth, dirty_ratelimit; /* gauges, pages a second */
	} stat;
	struct page_alloc *pa;
	struct bdi_writeback wb;
	struct wb_domain global_dom, memcg_dom;
	struct event bw_work;	  /* takes the estimate once I/O has ended (bw_dwork) */
	uint64_t *bdp_ratelimits; /* by CPU: pages dirtied there since a task last asked */
	uint64_t ratelimit_pages; /* so many make one ask */
	page_writeback_memcg_fn memcg_stats; /* NULL = no memory cgroup */
	void *memcg_arg;
};

/* jiffies of now. */
static inline int64_t jiffies(const struct page_writeback *pw)
{
	return (int64_t)((__int128)pw->model.sim->now * pw->wb.hz / NSEC_PER_SEC);
}

/*
 * Both domains of a writer (KERNEL 4.2): what they have dirty (and under writeback, unless
 * @background), dirtyable memory, thresholds.  False = there is no memory cgroup, *@mdtc is unset.
 */
bool page_writeback_domains(struct page_writeback *pw, bool background,
			    struct dirty_throttle_control *gdtc,
			    struct dirty_throttle_control *mdtc);

/*
 * What balance_dirty_pages() decides for @dt at @now, before its counters change: a pause in a
 * period, jiffies; @rate: pages a second that the task may dirty.
 */
static inline void trace_pause(struct sim *sim, const struct bdi_writeback *wb,
			       const struct dirty_task *dt,
			       const struct dirty_throttle_control *dtc, uint64_t rate, int64_t now,
			       int64_t period, int64_t pause)
{
	uint64_t limit = hard_dirty_limit(dtc->dom, dtc->thresh);
	uint64_t setpoint = (limit + dirty_freerun_ceiling(dtc->thresh, dtc->bg_thresh)) / 2;
	int64_t think = dt->dirty_paused_when ? now - dt->dirty_paused_when : 0;

	trace_balance_dirty_pages(
		sim, &(struct trace_throttle){
			     .limit = limit,
			     .setpoint = setpoint,
			     .dirty = dtc->dirty,
			     .wb_setpoint = setpoint * dtc->wb_thresh / (dtc->thresh + 1),
			     .wb_dirty = dtc->wb_dirty,
			     .dirty_ratelimit = wb->dirty_ratelimit,
			     .task_ratelimit = rate,
			     .dirtied = dt->nr_dirtied,
			     .dirtied_pause = dt->nr_dirtied_pause,
			     .pause_ms = pause * 1000 / wb->hz,
			     .period_ms = period * 1000 / wb->hz,
			     .think_ms = think * 1000 / wb->hz,
		     });
}

/* The bandwidth was estimated anew; @dirty_rate: pages a second since the last time. */
static inline void trace_ratelimit(struct sim *sim, const struct bdi_writeback *wb,
				   const struct dirty_throttle_control *dtc, uint64_t dirty_rate)
{
	TRACE(sim, TRACE_BDI_DIRTY_RATELIMIT, 0, wb->write_bandwidth, wb->avg_write_bandwidth,
	      dirty_rate, wb->dirty_ratelimit,
	      wb->dirty_ratelimit * dtc->pos_ratio >> RATELIMIT_CALC_SHIFT,
	      wb->balanced_dirty_ratelimit);
}

#endif

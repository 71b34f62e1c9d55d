/*
 * models/page_writeback_trace.h - the tracepoints of dirty throttling
 * (include/trace/events/writeback.h).  Private to page_writeback*.c; Level 1.
 */
#ifndef MODELS_PAGE_WRITEBACK_TRACE_H
#define MODELS_PAGE_WRITEBACK_TRACE_H

#include "models/page_writeback.h"
#include "sim/trace_events.h"

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

/*
 * models/bdi_writeback.c - bandwidth estimate, position ratio, pauses.  Level 0.
 *
 * Stands for wb_position_ratio(), __wb_update_bandwidth(), wb_update_dirty_ratelimit(),
 * wb_max_pause() and wb_min_pause() of mm/page-writeback.c v6.1, from KERNEL 4.3 to 4.8.
 *
 * Not modelled: STRICTLIMIT.
 */
#include "models/bdi_writeback.h"

#include <glib.h>

#define INIT_BW_BYTES (100u << 20) /* 100 MiB/s (KERNEL 4.1) */
#define DIRTY_POLL_THRESH 32u

static uint64_t roundup_pow2(uint64_t n)
{
	return n <= 1 ? 1 : (uint64_t)1 << (64 - __builtin_clzll(n - 1));
}

static unsigned int log2_floor(uint64_t n)
{
	return 63u - (unsigned int)__builtin_clzll(n | 1);
}

void wb_init(struct bdi_writeback *wb, int64_t hz)
{
	uint64_t init_bw = INIT_BW_BYTES >> PAGE_SHIFT;

	*wb = (struct bdi_writeback){
		.hz = hz,
		.write_bandwidth = init_bw,
		.avg_write_bandwidth = init_bw,
		.dirty_ratelimit = init_bw,
		.balanced_dirty_ratelimit = init_bw,
	};
}

uint64_t hard_dirty_limit(const struct wb_domain *dom, uint64_t thresh)
{
	return MAX(thresh, dom->dirty_limit);
}

static uint64_t setpoint_of(const struct dirty_throttle_control *dtc, uint64_t limit)
{
	return (dirty_freerun_ceiling(dtc->thresh, dtc->bg_thresh) + limit) / 2;
}

/* The cubic through (freerun, 2.0), (setpoint, 1.0) and (limit, 0). */
static int64_t pos_ratio_polynom(uint64_t setpoint, uint64_t dirty, uint64_t limit)
{
	int64_t x = ((int64_t)setpoint - (int64_t)dirty) * (1 << RATELIMIT_CALC_SHIFT) /
		    (int64_t)((limit - setpoint) | 1);
	int64_t ratio = x * x / (1 << RATELIMIT_CALC_SHIFT) * x / (1 << RATELIMIT_CALC_SHIFT);

	return CLAMP(ratio + (1 << RATELIMIT_CALC_SHIFT), 0, 2 << RATELIMIT_CALC_SHIFT);
}

/* The device's own control line: slower when it holds more than its share. */
static uint64_t wb_line(const struct bdi_writeback *wb, const struct dirty_throttle_control *dtc,
			uint64_t setpoint, uint64_t ratio)
{
	uint64_t wb_thresh = MIN(dtc->wb_thresh, dtc->thresh);
	uint64_t share = (wb_thresh << 16) / (dtc->thresh | 1);
	uint64_t wb_setpoint = setpoint * share >> 16;
	uint64_t span = (dtc->thresh - wb_thresh + 8 * wb->avg_write_bandwidth) * share >> 16;
	uint64_t end = wb_setpoint + span;

	if (dtc->wb_dirty < end - span / 4)
		return ratio * (end - dtc->wb_dirty) / ((end - wb_setpoint) | 1);
	return ratio / 4;
}

void wb_position_ratio(const struct bdi_writeback *wb, struct dirty_throttle_control *dtc)
{
	uint64_t limit = hard_dirty_limit(dtc->dom, dtc->thresh);
	uint64_t setpoint = setpoint_of(dtc, limit), ratio, reserve;

	dtc->pos_ratio = 0;
	if (dtc->dirty >= limit)
		return;
	ratio = (uint64_t)pos_ratio_polynom(setpoint, dtc->dirty, limit);
	ratio = wb_line(wb, dtc, setpoint, ratio);
	reserve = MIN(dtc->wb_thresh, dtc->thresh) / 2; /* keeps the device busy */
	if (dtc->wb_dirty < reserve)
		ratio = dtc->wb_dirty > reserve / 8 ? ratio * reserve / dtc->wb_dirty : ratio * 8;
	dtc->pos_ratio = ratio;
}

bool wb_bandwidth_due(const struct bdi_writeback *wb, int64_t now)
{
	return now - wb->bw_time_stamp >= wb->hz / 5;
}

/* dirty_limit follows the threshold up at once, down by 1/32 every fifth of a second. */
static void update_dirty_limit(const struct dirty_throttle_control *dtc, int64_t now, int64_t hz)
{
	uint64_t floor = MAX(dtc->thresh, dtc->dirty);
	struct wb_domain *dom = dtc->dom;

	if (now - dom->dirty_limit_tstamp < hz / 5)
		return;
	dom->dirty_limit_tstamp = now;
	if (dom->dirty_limit < dtc->thresh)
		dom->dirty_limit = dtc->thresh;
	else if (dom->dirty_limit > floor)
		dom->dirty_limit -= (dom->dirty_limit - floor) >> 5;
}

/* Step of dirty_ratelimit towards where all estimates agree it should go. */
static uint64_t ratelimit_step(const struct bdi_writeback *wb, bool below_setpoint,
			       uint64_t balanced, uint64_t task_ratelimit)
{
	uint64_t rate = wb->dirty_ratelimit, step, shift, x;

	if (below_setpoint) {
		x = MIN(MIN(wb->balanced_dirty_ratelimit, balanced), task_ratelimit);
		step = x > rate ? x - rate : 0;
	} else {
		x = MAX(MAX(wb->balanced_dirty_ratelimit, balanced), task_ratelimit);
		step = rate > x ? rate - x : 0;
	}
	shift = rate / (2 * step + 1);
	return shift < 64 ? ((step >> shift) + 7) / 8 : 0;
}

static void update_dirty_ratelimit(struct bdi_writeback *wb,
				   const struct dirty_throttle_control *dtc, int64_t elapsed,
				   uint64_t dirtied)
{
	uint64_t limit = hard_dirty_limit(dtc->dom, dtc->thresh);
	uint64_t dirty_rate = (dirtied - wb->dirtied_stamp) * (uint64_t)wb->hz / (uint64_t)elapsed;
	uint64_t task_ratelimit =
		(wb->dirty_ratelimit * dtc->pos_ratio >> RATELIMIT_CALC_SHIFT) + 1;
	uint64_t balanced = MIN(task_ratelimit * wb->avg_write_bandwidth / (dirty_rate | 1),
				wb->avg_write_bandwidth);
	uint64_t step =
		ratelimit_step(wb, dtc->dirty < setpoint_of(dtc, limit), balanced, task_ratelimit);

	if (wb->dirty_ratelimit < balanced)
		wb->dirty_ratelimit += step;
	else
		wb->dirty_ratelimit -= MIN(step, wb->dirty_ratelimit);
	wb->dirty_ratelimit = MAX(wb->dirty_ratelimit, 1);
	wb->balanced_dirty_ratelimit = balanced;
}

static void update_write_bandwidth(struct bdi_writeback *wb, int64_t elapsed, uint64_t written)
{
	uint64_t period = roundup_pow2(3 * (uint64_t)wb->hz);
	uint64_t old = wb->write_bandwidth, avg = wb->avg_write_bandwidth;
	uint64_t bw = (written - wb->written_stamp) * (uint64_t)wb->hz;

	if ((uint64_t)elapsed > period) {
		bw /= (uint64_t)elapsed;
		avg = bw;
	} else {
		bw = (bw + old * (period - (uint64_t)elapsed)) / period;
		if (avg > old && old >= bw)
			avg -= (avg - old) >> 3;
		if (avg < old && old <= bw)
			avg += (old - avg) >> 3;
	}
	wb->write_bandwidth = bw;
	wb->avg_write_bandwidth = MAX(avg, 1);
}

static void stamp(struct bdi_writeback *wb, int64_t now, uint64_t written, uint64_t dirtied)
{
	wb->bw_time_stamp = now;
	wb->written_stamp = written;
	wb->dirtied_stamp = dirtied;
}

void wb_update_bandwidth(struct bdi_writeback *wb, const struct dirty_throttle_control *gdtc,
			 const struct dirty_throttle_control *mdtc, int64_t now, uint64_t written,
			 uint64_t dirtied)
{
	int64_t elapsed = now - wb->bw_time_stamp;

	if (elapsed < 1)
		return;
	if (gdtc) {
		update_dirty_limit(gdtc, now, wb->hz);
		update_dirty_ratelimit(wb, gdtc, elapsed, dirtied);
	}
	if (gdtc && mdtc) {
		update_dirty_limit(mdtc, now, wb->hz);
		update_dirty_ratelimit(wb, mdtc, elapsed, dirtied);
	}
	update_write_bandwidth(wb, elapsed, written);
	stamp(wb, now, written, dirtied);
}

void wb_bandwidth_estimate_start(struct bdi_writeback *wb, int64_t now, uint64_t written,
				 uint64_t dirtied)
{
	if (now - wb->bw_time_stamp > wb->hz)
		stamp(wb, now, written, dirtied);
}

int64_t wb_max_pause(const struct bdi_writeback *wb, uint64_t wb_dirty)
{
	uint64_t per = roundup_pow2(1 + (uint64_t)wb->hz / 8);
	int64_t t = (int64_t)(wb_dirty / (1 + wb->avg_write_bandwidth / per)) + 1;

	return MIN(t, wb->hz / 5);
}

int64_t wb_min_pause(const struct bdi_writeback *wb, int64_t max_pause, uint64_t task_ratelimit,
		     uint64_t *next_poll)
{
	uint64_t hz = roundup_pow2((uint64_t)wb->hz), pages;
	unsigned int hi = log2_floor(wb->avg_write_bandwidth), lo = log2_floor(wb->dirty_ratelimit);
	int64_t t = MAX(1, wb->hz / 100);

	if (hi > lo)
		t += (int64_t)(hi - lo) * (10 * wb->hz) / 1024;
	t = MIN(t, 1 + max_pause / 2);
	pages = wb->dirty_ratelimit * (uint64_t)t / hz;
	if (pages < DIRTY_POLL_THRESH) {
		t = max_pause;
		pages = wb->dirty_ratelimit * (uint64_t)t / hz;
		if (pages > DIRTY_POLL_THRESH) {
			pages = DIRTY_POLL_THRESH;
			t = wb->hz * DIRTY_POLL_THRESH / (int64_t)wb->dirty_ratelimit;
		}
	}
	if ((uint64_t)wb->hz * pages / (task_ratelimit + 1) > (uint64_t)max_pause) {
		t = max_pause;
		pages = task_ratelimit * (uint64_t)t / hz;
	}
	*next_poll = pages;
	return pages >= DIRTY_POLL_THRESH ? 1 + t / 2 : t;
}

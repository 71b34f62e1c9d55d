/*
 * models/page_writeback_balance.c - when a writer must pause.  Level 1.
 *
 * Stands for balance_dirty_pages_ratelimited() and balance_dirty_pages() of mm/page-writeback.c
 * v6.1 (KERNEL 4.5, 4.6).  A writer asks after nr_dirtied_pause pages, or when the tasks of its CPU
 * have dirtied ratelimit_pages together; above freerun it sleeps as long as its share of the
 * device's bandwidth takes, steered by the position ratio (models/bdi_writeback.h) of the machine
 * or of its memory cgroup, whichever is lower.
 *
 * One device: its share of writeout completions is 1 as soon as it has written anything.
 * Not modelled: several devices, what exited tasks leave behind (dirty_throttle_leaks), real-time
 * tasks.
 */
#include "models/page_writeback_internal.h"

#define NEW_TASK_PAUSE_PAGES 32u /* nr_dirtied_pause of a new task (KERNEL 4.1) */
#define EXCEEDED_PAUSE_PAGES 8u

static ktime_t jiffies_to_ktime(const struct page_writeback *pw, int64_t at)
{
	return (ktime_t)((__int128)at * NSEC_PER_SEC / pw->wb.hz);
}

void dirty_task_init(struct dirty_task *dt)
{
	*dt = (struct dirty_task){.nr_dirtied_pause = NEW_TASK_PAUSE_PAGES};
}

void dirty_task_dirtied(struct page_writeback *pw, struct dirty_task *dt, unsigned int cpu,
			uint64_t nr)
{
	dt->nr_dirtied += nr;
	pw->bdp_ratelimits[cpu] += nr;
}

bool dirty_task_must_ask(struct page_writeback *pw, const struct dirty_task *dt, unsigned int cpu)
{
	uint64_t pages = dt->nr_dirtied_pause;

	if (pw->wb.dirty_exceeded)
		pages = MIN(pages, EXCEEDED_PAUSE_PAGES);
	if (dt->nr_dirtied < pages &&
	    (!dt->nr_dirtied || pw->bdp_ratelimits[cpu] < pw->ratelimit_pages))
		return false;
	pw->bdp_ratelimits[cpu] = 0;
	return true;
}

/* Below freerun: how many pages may pass until the next look (dirty_poll_interval()). */
static uint64_t dirty_poll_interval(uint64_t dirty, uint64_t thresh)
{
	if (thresh <= dirty)
		return 1;
	return (uint64_t)1 << ((63u - (unsigned int)__builtin_clzll(thresh - dirty)) / 2);
}

/*
 * A share of 0 of the completions before the device has written anything: it may hold an eighth of
 * what is left (KERNEL 4.4).
 */
static uint64_t wb_share(const struct page_writeback *pw, uint64_t dirty, uint64_t thresh)
{
	if (pw->stat.nr_written)
		return thresh;
	return thresh > dirty ? (thresh - dirty) / 8 : 0;
}

/* The pause is over before it would be worth sleeping: keep the credit (KERNEL 4.6). */
static void pause_too_short(const struct page_writeback *pw, struct dirty_task *dt, int64_t now,
			    int64_t period, int64_t pause)
{
	if (pause < -pw->wb.hz) {
		dt->dirty_paused_when = now;
		dt->nr_dirtied = 0;
	} else if (period) {
		dt->dirty_paused_when += period;
		dt->nr_dirtied = 0;
	} else if (dt->nr_dirtied_pause <= dt->nr_dirtied) {
		dt->nr_dirtied_pause += dt->nr_dirtied;
	}
}

/* Length of the pause in jiffies, 0 = none; sets how many pages may follow it. */
static int64_t task_pause(struct page_writeback *pw, struct dirty_task *dt,
			  const struct dirty_throttle_control *dtc, int64_t now, bool *again)
{
	struct bdi_writeback *wb = &pw->wb;
	uint64_t rate = wb->dirty_ratelimit * dtc->pos_ratio >> RATELIMIT_CALC_SHIFT, next_poll;
	int64_t max_pause = wb_max_pause(wb, dtc->wb_dirty), period = 0, pause;
	int64_t min_pause = wb_min_pause(wb, max_pause, rate, &next_poll);

	*again = rate == 0;
	if (rate == 0) {
		pause = max_pause;
		if (trace_enabled(pw->model.sim))
			trace_pause(pw->model.sim, wb, dt, dtc, rate, now, 0, pause);
	} else {
		period = wb->hz * (int64_t)dt->nr_dirtied / (int64_t)rate;
		pause = period;
		if (dt->dirty_paused_when)
			pause -= now - dt->dirty_paused_when;
		if (pause < min_pause) {
			if (trace_enabled(pw->model.sim))
				trace_pause(pw->model.sim, wb, dt, dtc, rate, now, period,
					    MIN(pause, 0));
			pause_too_short(pw, dt, now, period, pause);
			return 0;
		}
		if (trace_enabled(pw->model.sim))
			trace_pause(pw->model.sim, wb, dt, dtc, rate, now, period,
				    MIN(pause, max_pause));
		if (pause > max_pause)
			now += MIN(pause - max_pause, max_pause);
		pause = MIN(pause, max_pause);
	}
	dt->dirty_paused_when = now + pause;
	dt->nr_dirtied = 0;
	dt->nr_dirtied_pause = next_poll;
	return pause;
}

static bool freerun(const struct dirty_throttle_control *dtc)
{
	return dtc->dirty <= dirty_freerun_ceiling(dtc->thresh, dtc->bg_thresh);
}

/* The device's part in a domain above freerun.  True when it is over both limits. */
static bool balance_domain(const struct page_writeback *pw, struct dirty_throttle_control *dtc)
{
	dtc->wb_thresh = wb_share(pw, dtc->dirty, dtc->thresh);
	wb_position_ratio(&pw->wb, dtc);
	return dtc->wb_dirty > dtc->wb_thresh && dtc->dirty > dtc->thresh;
}

static void bandwidth_and_limits(struct page_writeback *pw,
				 const struct dirty_throttle_control *gdtc,
				 const struct dirty_throttle_control *mdtc, int64_t now)
{
	struct bdi_writeback *wb = &pw->wb;
	uint64_t dirtied = pw->stat.nr_dirtied - wb->dirtied_stamp;
	uint64_t rate = dirtied * (uint64_t)wb->hz / (uint64_t)MAX(now - wb->bw_time_stamp, 1);

	if (!wb_bandwidth_due(wb, now))
		return;
	wb_update_bandwidth(wb, gdtc, mdtc, now, pw->stat.nr_written, pw->stat.nr_dirtied);
	trace_ratelimit(pw->model.sim, wb, gdtc, rate);
}

/* Below freerun in both domains: the next look comes after the smaller of their intervals. */
static void run_free(struct dirty_task *dt, const struct dirty_throttle_control *gdtc,
		     const struct dirty_throttle_control *mdtc, int64_t now)
{
	uint64_t pages = dirty_poll_interval(gdtc->dirty, gdtc->thresh);

	if (mdtc)
		pages = MIN(pages, dirty_poll_interval(mdtc->dirty, mdtc->thresh));
	dt->nr_dirtied_pause = pages;
	dt->dirty_paused_when = now;
	dt->nr_dirtied = 0;
}

ktime_t balance_dirty_pages(struct page_writeback *pw, struct dirty_task *dt, bool *kick,
			    bool *again)
{
	struct dirty_throttle_control gdtc, memcg_dtc, *mdtc, *sdtc = &gdtc;
	int64_t now = jiffies(pw), pause;

	*again = false;
	mdtc = page_writeback_domains(pw, false, &gdtc, &memcg_dtc) ? &memcg_dtc : NULL;
	*kick = pw->stat.nr_dirty > gdtc.bg_thresh && !pw->wb.in_progress;
	trace_global_dirty_state(pw->model.sim, pw->stat.nr_dirty, pw->stat.nr_writeback,
				 gdtc.bg_thresh, gdtc.thresh, pw->global_dom.dirty_limit,
				 pw->stat.nr_dirtied, pw->stat.nr_written);
	if (freerun(&gdtc) && (!mdtc || freerun(mdtc))) {
		run_free(dt, &gdtc, mdtc, now);
		return 0;
	}
	*kick = !pw->wb.in_progress;
	pw->wb.dirty_exceeded = balance_domain(pw, &gdtc);
	if (mdtc) {
		pw->wb.dirty_exceeded |= balance_domain(pw, mdtc);
		if (mdtc->pos_ratio < gdtc.pos_ratio)
			sdtc = mdtc; /* the one that is nearer to its limit steers */
	}
	bandwidth_and_limits(pw, &gdtc, mdtc, now);
	pause = task_pause(pw, dt, sdtc, now, again);
	if (!pause)
		return 0;
	pw->stat.dirty_pauses++;
	ktime_t until = MAX(jiffies_to_ktime(pw, jiffies(pw) + pause), pw->model.sim->now + 1);

	pw->stat.dirty_pause_ns += (uint64_t)(until - pw->model.sim->now);
	return until;
}

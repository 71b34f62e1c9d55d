/*
 * models/page_writeback.c - dirty accounting and thresholds.  Level 1.
 *
 * Stands for mm/page-writeback.c v6.1: NR_FILE_DIRTY, NR_WRITEBACK, NR_DIRTIED, NR_WRITTEN;
 * dirtyable memory = free - reserve + file pages (KERNEL 4.2); thresholds by ratio or bytes,
 * recomputed at every use.
 *
 * A writer asks balance_dirty_pages() after nr_dirtied_pause pages; above freerun it sleeps as long
 * as its share of the device's bandwidth takes, steered by the position ratio
 * (models/bdi_writeback.h).  The bandwidth estimate is taken every fifth of a second, by writers,
 * at the start of a writepages pass and at the end of I/O.
 *
 * One device: its share of writeout completions is 1 as soon as it has written anything.
 * Not modelled: memcg domains, several devices, the per-CPU ratelimit, real-time tasks.
 * I1  nr_dirty, nr_writeback, nr_file_pages never below 0.
 * I2  nr_dirtied - nr_cleaned = nr_dirty;  nr_writeback_started - nr_written = nr_writeback.
 */
#include "models/page_writeback.h"
#include "models/page_writeback_trace.h"

#define NEW_TASK_PAUSE_PAGES 32u /* nr_dirtied_pause of a new task (KERNEL 4.1) */
#define EXCEEDED_PAUSE_PAGES 8u
#define MIN_WRITEBACK_PAGES 1024u /* 4 MiB */

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
		uint64_t dirty_pauses, dirty_pause_ns;
		uint64_t write_bandwidth, dirty_ratelimit; /* gauges, pages a second */
	} stat;
	struct page_alloc *pa;
	struct bdi_writeback wb;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, page_writeback, dirty_ratio, "20", "0", "100", "percent of dirtyable memory where writers stop (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_background_ratio, "10", "0", "100", "percent where the flusher starts (vm.rst)", NULL),
	CONF(CONF_BYTES, page_writeback, dirty_bytes, "0", "0", NULL, "instead of dirty_ratio when not 0 (vm.rst)", NULL),
	CONF(CONF_BYTES, page_writeback, dirty_background_bytes, "0", "0", NULL, "instead of dirty_background_ratio when not 0 (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_writeback_centisecs, "500", "0", "360000", "period of the flusher, 0 = off (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_expire_centisecs, "3000", "0", "8640000", "age at which the period writes an inode (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, hz, "250", "100", "1000", "jiffies a second: pauses end on one (CONFIG_HZ)", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, page_writeback, nr_file_pages),
	STAT(STAT_GAUGE, page_writeback, nr_dirty),
	STAT(STAT_GAUGE, page_writeback, nr_writeback),
	STAT(STAT_COUNT, page_writeback, nr_dirtied),
	STAT(STAT_COUNT, page_writeback, nr_cleaned),
	STAT(STAT_COUNT, page_writeback, nr_writeback_started),
	STAT(STAT_COUNT, page_writeback, nr_written),
	STAT(STAT_GAUGE, page_writeback, nr_dirty_threshold),
	STAT(STAT_GAUGE, page_writeback, nr_dirty_background_threshold),
	STAT(STAT_COUNT, page_writeback, dirty_pauses),
	STAT(STAT_NSEC, page_writeback, dirty_pause_ns),
	STAT(STAT_GAUGE, page_writeback, write_bandwidth),
	STAT(STAT_GAUGE, page_writeback, dirty_ratelimit),
	{ 0 },
};
/* clang-format on */

struct page_writeback *page_writeback_of(const struct sim *sim)
{
	return (struct page_writeback *)model_get(sim, &page_writeback_model);
}

static bool page_writeback_init(struct model *m, GError **err)
{
	struct page_writeback *pw = (struct page_writeback *)m;

	(void)err;
	pw->pa = page_alloc_of(m->sim);
	wb_init(&pw->wb, (int64_t)pw->conf.hz);
	return true;
}

static void page_writeback_check(const struct model *m)
{
	const struct page_writeback *pw = (const struct page_writeback *)m;

	assert(pw->stat.nr_dirtied - pw->stat.nr_cleaned == pw->stat.nr_dirty); /* I2 */
	assert(pw->stat.nr_writeback_started - pw->stat.nr_written == pw->stat.nr_writeback);
	assert(pw->stat.nr_dirty <= pw->stat.nr_file_pages);
}

static void page_writeback_sample(struct model *m)
{
	struct page_writeback *pw = (struct page_writeback *)m;

	global_dirty_limits(pw, &pw->stat.nr_dirty_background_threshold,
			    &pw->stat.nr_dirty_threshold);
	pw->stat.write_bandwidth = pw->wb.avg_write_bandwidth;
	pw->stat.dirty_ratelimit = pw->wb.dirty_ratelimit;
}

static int64_t jiffies(const struct page_writeback *pw)
{
	return (int64_t)((__int128)pw->model.sim->now * pw->wb.hz / NSEC_PER_SEC);
}

static ktime_t jiffies_to_ktime(const struct page_writeback *pw, int64_t at)
{
	return (ktime_t)((__int128)at * NSEC_PER_SEC / pw->wb.hz);
}

static void bandwidth_if_due(struct page_writeback *pw)
{
	int64_t now = jiffies(pw);

	if (wb_bandwidth_due(&pw->wb, now))
		wb_update_bandwidth(&pw->wb, NULL, now, pw->stat.nr_written, pw->stat.nr_dirtied);
}

void account_file_pages(struct page_writeback *pw, int64_t nr)
{
	assert(nr >= 0 || pw->stat.nr_file_pages >= (uint64_t)-nr); /* I1 */
	pw->stat.nr_file_pages += (uint64_t)nr;
}

void folio_account_dirtied(struct page_writeback *pw, uint64_t nr)
{
	pw->stat.nr_dirty += nr;
	pw->stat.nr_dirtied += nr;
}

void folio_account_cleaned(struct page_writeback *pw, uint64_t nr)
{
	assert(pw->stat.nr_dirty >= nr); /* I1 */
	pw->stat.nr_dirty -= nr;
	pw->stat.nr_cleaned += nr;
}

void account_start_writeback(struct page_writeback *pw, uint64_t nr)
{
	pw->stat.nr_writeback += nr;
	pw->stat.nr_writeback_started += nr;
}

void account_end_writeback(struct page_writeback *pw, uint64_t nr)
{
	assert(pw->stat.nr_writeback >= nr); /* I1 */
	pw->stat.nr_writeback -= nr;
	pw->stat.nr_written += nr;
	bandwidth_if_due(pw);
}

/* One threshold: bytes win over the ratio, which the kernel keeps in 1/4096 (KERNEL 4.2). */
static uint64_t threshold(int64_t bytes, uint64_t ratio, uint64_t dirtyable)
{
	if (bytes)
		return ((uint64_t)bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	return dirtyable * (ratio * 4096 / 100) / 4096;
}

void global_dirty_limits(struct page_writeback *pw, uint64_t *background, uint64_t *thresh)
{
	uint64_t free = nr_free_pages(pw->pa), reserve = totalreserve_pages(pw->pa);
	uint64_t dirtyable = free - MIN(free, reserve) + pw->stat.nr_file_pages + 1;

	*thresh = threshold(pw->conf.dirty_bytes, pw->conf.dirty_ratio, dirtyable);
	*background = threshold(pw->conf.dirty_background_bytes, pw->conf.dirty_background_ratio,
				dirtyable);
	if (*background >= *thresh)
		*background = *thresh / 2;
}

bool over_bground_thresh(struct page_writeback *pw)
{
	uint64_t background, thresh;

	global_dirty_limits(pw, &background, &thresh);
	return pw->stat.nr_dirty > background;
}

uint64_t nr_dirty_pages(const struct page_writeback *pw)
{
	return pw->stat.nr_dirty;
}

uint64_t nr_writeback_pages(const struct page_writeback *pw)
{
	return pw->stat.nr_writeback;
}

int64_t dirty_writeback_interval_ns(const struct page_writeback *pw)
{
	return (int64_t)pw->conf.dirty_writeback_centisecs * 10 * NSEC_PER_MSEC;
}

int64_t dirty_hz(const struct page_writeback *pw)
{
	return pw->wb.hz;
}

int64_t dirty_expire_interval_ns(const struct page_writeback *pw)
{
	return (int64_t)pw->conf.dirty_expire_centisecs * 10 * NSEC_PER_MSEC;
}

void wb_set_in_progress(struct page_writeback *pw, bool in_progress)
{
	pw->wb.in_progress = in_progress;
}

void wb_writepages_begins(struct page_writeback *pw)
{
	bandwidth_if_due(pw);
}

int64_t writeback_chunk_pages(struct page_writeback *pw, int64_t nr_pages)
{
	uint64_t background, thresh, pages;

	global_dirty_limits(pw, &background, &thresh);
	pages = MIN(pw->wb.avg_write_bandwidth / 2, hard_dirty_limit(&pw->wb, thresh) / 8);
	pages = MIN(pages, (uint64_t)nr_pages) + MIN_WRITEBACK_PAGES;
	return (int64_t)(pages / MIN_WRITEBACK_PAGES * MIN_WRITEBACK_PAGES);
}

void dirty_task_init(struct dirty_task *dt)
{
	*dt = (struct dirty_task){.nr_dirtied_pause = NEW_TASK_PAUSE_PAGES};
}

bool dirty_task_must_ask(const struct page_writeback *pw, const struct dirty_task *dt)
{
	uint64_t pages = dt->nr_dirtied_pause;

	if (pw->wb.dirty_exceeded)
		pages = MIN(pages, EXCEEDED_PAUSE_PAGES);
	return dt->nr_dirtied >= pages;
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

ktime_t balance_dirty_pages(struct page_writeback *pw, struct dirty_task *dt, bool *kick,
			    bool *again)
{
	struct dirty_throttle_control dtc = {
		.dirty = pw->stat.nr_dirty + pw->stat.nr_writeback,
		.wb_dirty = pw->stat.nr_dirty + pw->stat.nr_writeback,
	};
	int64_t now = jiffies(pw), pause;

	*again = false;
	global_dirty_limits(pw, &dtc.bg_thresh, &dtc.thresh);
	*kick = pw->stat.nr_dirty > dtc.bg_thresh && !pw->wb.in_progress;
	trace_global_dirty_state(pw->model.sim, pw->stat.nr_dirty, pw->stat.nr_writeback,
				 dtc.bg_thresh, dtc.thresh, pw->wb.dirty_limit, pw->stat.nr_dirtied,
				 pw->stat.nr_written);
	if (dtc.dirty <= dirty_freerun_ceiling(dtc.thresh, dtc.bg_thresh)) {
		dt->nr_dirtied_pause = dirty_poll_interval(dtc.dirty, dtc.thresh);
		dt->dirty_paused_when = now;
		dt->nr_dirtied = 0;
		return 0;
	}
	*kick = !pw->wb.in_progress;
	dtc.wb_thresh = wb_share(pw, dtc.dirty, dtc.thresh);
	wb_position_ratio(&pw->wb, &dtc);
	pw->wb.dirty_exceeded = dtc.wb_dirty > dtc.wb_thresh && dtc.dirty > dtc.thresh;
	if (wb_bandwidth_due(&pw->wb, now)) {
		uint64_t dirtied = pw->stat.nr_dirtied - pw->wb.dirtied_stamp;
		uint64_t rate = dirtied * (uint64_t)pw->wb.hz /
				(uint64_t)MAX(now - pw->wb.bw_time_stamp, 1);

		wb_update_bandwidth(&pw->wb, &dtc, now, pw->stat.nr_written, pw->stat.nr_dirtied);
		trace_ratelimit(pw->model.sim, &pw->wb, &dtc, rate);
	}
	pause = task_pause(pw, dt, &dtc, now, again);
	if (!pause)
		return 0;
	pw->stat.dirty_pauses++;
	ktime_t until = MAX(jiffies_to_ktime(pw, jiffies(pw) + pause), pw->model.sim->now + 1);

	pw->stat.dirty_pause_ns += (uint64_t)(until - pw->model.sim->now);
	return until;
}

const struct model_ops page_writeback_model = {
	.name = "page_writeback",
	.source = "mm/page-writeback.c v6.1",
	.size = sizeof(struct page_writeback),
	.keys = keys,
	.stats = stats,
	.init = page_writeback_init,
	.check = page_writeback_check,
	.sample = page_writeback_sample,
};

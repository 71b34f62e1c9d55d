/*
 * models/page_writeback.c - dirty accounting and thresholds.  Level 1.
 *
 * Stands for mm/page-writeback.c v6.1: NR_FILE_DIRTY, NR_WRITEBACK, NR_DIRTIED, NR_WRITTEN;
 * dirtyable memory = free - reserve + file pages (KERNEL 4.2); thresholds by ratio or bytes,
 * recomputed at every use.
 *
 * A memory cgroup is a second domain with thresholds of its own memory; the flusher runs while
 * either is over its background threshold.  The bandwidth estimate is taken every fifth of a
 * second, by writers (models/page_writeback_balance.c), at the end of a writepages pass, and a
 * fifth of a second after the last page under writeback; idle time does not count.
 *
 * DEVIATION: one bdi_writeback for all cgroups; that fifth of a second follows the last page of
 * all, not of each inode.
 * Not modelled: several cgroups or devices.
 *
 * I1  nr_dirty, nr_writeback, nr_file_pages never below 0.
 * I2  nr_dirtied - nr_cleaned = nr_dirty;  nr_writeback_started - nr_written = nr_writeback.
 */
#include "models/page_writeback_internal.h"

#define MIN_WRITEBACK_PAGES 1024u /* 4 MiB */
#define MIN_RATELIMIT_PAGES 16u

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
	STAT(STAT_GAUGE, page_writeback, memcg_dirty_threshold),
	STAT(STAT_GAUGE, page_writeback, memcg_dirty_background_threshold),
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

static void update_bandwidth(struct page_writeback *pw)
{
	wb_update_bandwidth(&pw->wb, NULL, NULL, jiffies(pw), pw->stat.nr_written,
			    pw->stat.nr_dirtied);
}

static void bw_work_runs(struct event *ev)
{
	update_bandwidth(container_of(ev, struct page_writeback, bw_work));
}

static bool page_writeback_init(struct model *m, GError **err)
{
	struct page_writeback *pw = (struct page_writeback *)m;

	(void)err;
	pw->pa = page_alloc_of(m->sim);
	wb_init(&pw->wb, (int64_t)pw->conf.hz);
	event_init(&pw->bw_work, bw_work_runs);
	pw->bw_work.daemon = true;
	pw->bdp_ratelimits = g_new0(uint64_t, m->sim->nr_cpus);
	return true;
}

/* writeback_set_ratelimit(), at boot: a 32nd of a CPU's share of the threshold. */
static void page_writeback_start(struct model *m)
{
	struct page_writeback *pw = (struct page_writeback *)m;
	uint64_t background, thresh;

	global_dirty_limits(pw, &background, &thresh);
	pw->ratelimit_pages = MAX(thresh / (m->sim->nr_cpus * 32), MIN_RATELIMIT_PAGES);
}

static void page_writeback_fini(struct model *m)
{
	g_free(((struct page_writeback *)m)->bdp_ratelimits);
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

	struct dirty_throttle_control gdtc, mdtc;

	if (page_writeback_domains(pw, true, &gdtc, &mdtc)) {
		pw->stat.memcg_dirty_background_threshold = mdtc.bg_thresh;
		pw->stat.memcg_dirty_threshold = mdtc.thresh;
	}
	pw->stat.nr_dirty_background_threshold = gdtc.bg_thresh;
	pw->stat.nr_dirty_threshold = gdtc.thresh;
	pw->stat.write_bandwidth = pw->wb.avg_write_bandwidth;
	pw->stat.dirty_ratelimit = pw->wb.dirty_ratelimit;
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
	if (!pw->stat.nr_writeback && !event_pending(&pw->bw_work))
		sim_after(pw->model.sim, &pw->bw_work, NSEC_PER_SEC / 5);
}

/* One threshold of the machine: bytes win over the ratio, which is kept in 1/4096 (KERNEL 4.2). */
static uint64_t threshold(int64_t bytes, uint64_t ratio, uint64_t dirtyable)
{
	if (bytes)
		return ((uint64_t)bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	return dirtyable * (ratio * 4096 / 100) / 4096;
}

/* One of the cgroup: bytes become the ratio that they are of the machine's memory. */
static uint64_t memcg_threshold(int64_t bytes, uint64_t ratio, uint64_t global_avail,
				uint64_t avail)
{
	ratio = ratio * 4096 / 100;
	if (bytes)
		ratio = MIN(((uint64_t)bytes + global_avail - 1) / global_avail, 4096);
	return avail * ratio / 4096;
}

static void order_thresholds(struct dirty_throttle_control *dtc)
{
	if (dtc->bg_thresh >= dtc->thresh)
		dtc->bg_thresh = dtc->thresh / 2;
}

static void global_domain(struct page_writeback *pw, struct dirty_throttle_control *dtc)
{
	uint64_t free = nr_free_pages(pw->pa), reserve = totalreserve_pages(pw->pa);

	dtc->dom = &pw->global_dom;
	dtc->avail = free - MIN(free, reserve) + pw->stat.nr_file_pages + 1;
	dtc->thresh = threshold(pw->conf.dirty_bytes, pw->conf.dirty_ratio, dtc->avail);
	dtc->bg_thresh = threshold(pw->conf.dirty_background_bytes, pw->conf.dirty_background_ratio,
				   dtc->avail);
	order_thresholds(dtc);
}

/*
 * The cgroup may dirty its file pages and what it could still grow by: its headroom, but not more
 * than the clean pages others hold (mdtc_calc_avail()).
 */
static void memcg_domain(struct page_writeback *pw, bool background,
			 const struct dirty_throttle_control *gdtc,
			 struct dirty_throttle_control *dtc)
{
	uint64_t global_dirty = pw->stat.nr_dirty + pw->stat.nr_writeback;
	uint64_t global_clean = gdtc->avail - MIN(gdtc->avail, global_dirty), busy, clean;
	struct wb_domain_stats st;

	pw->memcg_stats(pw->memcg_arg, &st);
	busy = st.dirty + st.writeback;
	clean = st.file_pages - MIN(st.file_pages, busy);
	*dtc = (struct dirty_throttle_control){
		.dom = &pw->memcg_dom,
		.avail = st.file_pages +
			 MIN(st.headroom_pages, global_clean - MIN(global_clean, clean)),
		.dirty = background ? st.dirty : busy,
		.wb_dirty = pw->stat.nr_dirty + pw->stat.nr_writeback, /* not as old as .dirty */
	};
	dtc->thresh = memcg_threshold(pw->conf.dirty_bytes, pw->conf.dirty_ratio, gdtc->avail,
				      dtc->avail);
	dtc->bg_thresh = memcg_threshold(pw->conf.dirty_background_bytes,
					 pw->conf.dirty_background_ratio, gdtc->avail, dtc->avail);
	order_thresholds(dtc);
}

bool page_writeback_domains(struct page_writeback *pw, bool background,
			    struct dirty_throttle_control *gdtc,
			    struct dirty_throttle_control *mdtc)
{
	uint64_t busy = pw->stat.nr_dirty + pw->stat.nr_writeback;

	*gdtc = (struct dirty_throttle_control){
		.dirty = background ? pw->stat.nr_dirty : busy,
		.wb_dirty = busy,
	};
	global_domain(pw, gdtc);
	if (!pw->memcg_stats)
		return false;
	memcg_domain(pw, background, gdtc, mdtc);
	return true;
}

void page_writeback_set_memcg(struct page_writeback *pw, page_writeback_memcg_fn fn, void *arg)
{
	pw->memcg_stats = fn;
	pw->memcg_arg = arg;
}

void global_dirty_limits(struct page_writeback *pw, uint64_t *background, uint64_t *thresh)
{
	struct dirty_throttle_control dtc;

	global_domain(pw, &dtc);
	*background = dtc.bg_thresh;
	*thresh = dtc.thresh;
}

bool over_bground_thresh(struct page_writeback *pw)
{
	struct dirty_throttle_control gdtc, mdtc;
	bool memcg = page_writeback_domains(pw, true, &gdtc, &mdtc);

	return gdtc.dirty > gdtc.bg_thresh || (memcg && mdtc.dirty > mdtc.bg_thresh);
}

uint64_t nr_file_pages(const struct page_writeback *pw)
{
	return pw->stat.nr_file_pages;
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
	if (!pw->stat.nr_writeback)
		wb_bandwidth_estimate_start(&pw->wb, jiffies(pw), pw->stat.nr_written,
					    pw->stat.nr_dirtied);
}

void wb_writepages_ends(struct page_writeback *pw)
{
	if (wb_bandwidth_due(&pw->wb, jiffies(pw)))
		update_bandwidth(pw);
}

int64_t writeback_chunk_pages(struct page_writeback *pw, int64_t nr_pages)
{
	uint64_t background, thresh, pages;

	global_dirty_limits(pw, &background, &thresh);
	pages = MIN(pw->wb.avg_write_bandwidth / 2, hard_dirty_limit(&pw->global_dom, thresh) / 8);
	pages = MIN(pages, (uint64_t)nr_pages) + MIN_WRITEBACK_PAGES;
	return (int64_t)(pages / MIN_WRITEBACK_PAGES * MIN_WRITEBACK_PAGES);
}

const struct model_ops page_writeback_model = {
	.name = "page_writeback",
	.source = "mm/page-writeback.c v6.1",
	.size = sizeof(struct page_writeback),
	.keys = keys,
	.stats = stats,
	.init = page_writeback_init,
	.start = page_writeback_start,
	.fini = page_writeback_fini,
	.check = page_writeback_check,
	.sample = page_writeback_sample,
};

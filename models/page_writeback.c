/*
 * models/page_writeback.c - dirty accounting and thresholds.  Level 1.
 *
 * Stands for mm/page-writeback.c v6.1: NR_FILE_DIRTY, NR_WRITEBACK, NR_DIRTIED, NR_WRITTEN;
 * dirtyable memory = free + file pages (KERNEL 4.2); thresholds by ratio or bytes, recomputed at
 * every use.
 *
 * DEVIATION: a writer above freerun pauses for a fixed 10 ms and looks again, until dirty +
 * writeback is below the threshold's freerun; bandwidth estimation and the position ratio come with
 * the page-cache-under-pressure series. Runs that never pass freerun (every capture shipped here)
 * do not see the difference; dirty_pauses counts those that do.
 *
 * Not modelled yet: memcg domains, per-bdi limits, dirty_exceeded.
 * I1  nr_dirty, nr_writeback, nr_file_pages never below 0.
 * I2  nr_dirtied - nr_cleaned = nr_dirty;  nr_writeback_started - nr_written = nr_writeback.
 */
#include "models/page_writeback.h"

#define PAUSE_NS (10 * NSEC_PER_MSEC)

struct page_writeback {
	struct model model;
	struct {
		uint64_t dirty_ratio, dirty_background_ratio;
		int64_t dirty_bytes, dirty_background_bytes;
		uint64_t dirty_writeback_centisecs, dirty_expire_centisecs;
	} conf;
	struct {
		uint64_t nr_file_pages, nr_dirty, nr_writeback;
		uint64_t nr_dirtied, nr_cleaned, nr_writeback_started, nr_written;
		uint64_t nr_dirty_threshold, nr_dirty_background_threshold;
		uint64_t dirty_pauses;
	} stat;
	struct page_alloc *pa;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, page_writeback, dirty_ratio, "20", "0", "100", "percent of dirtyable memory where writers stop (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_background_ratio, "10", "0", "100", "percent where the flusher starts (vm.rst)", NULL),
	CONF(CONF_BYTES, page_writeback, dirty_bytes, "0", "0", NULL, "instead of dirty_ratio when not 0 (vm.rst)", NULL),
	CONF(CONF_BYTES, page_writeback, dirty_background_bytes, "0", "0", NULL, "instead of dirty_background_ratio when not 0 (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_writeback_centisecs, "500", "0", "360000", "period of the flusher, 0 = off (vm.rst)", NULL),
	CONF(CONF_U64, page_writeback, dirty_expire_centisecs, "3000", "0", "8640000", "age at which the period writes an inode (vm.rst)", NULL),
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
	uint64_t dirtyable = nr_free_pages(pw->pa) + pw->stat.nr_file_pages + 1;

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

int64_t dirty_expire_interval_ns(const struct page_writeback *pw)
{
	return (int64_t)pw->conf.dirty_expire_centisecs * 10 * NSEC_PER_MSEC;
}

int64_t balance_dirty_pages(struct page_writeback *pw, bool *kick)
{
	uint64_t background, thresh;

	global_dirty_limits(pw, &background, &thresh);
	*kick = pw->stat.nr_dirty > background;
	if (pw->stat.nr_dirty + pw->stat.nr_writeback <= (background + thresh) / 2)
		return 0;
	*kick = true;
	pw->stat.dirty_pauses++;
	return PAUSE_NS;
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

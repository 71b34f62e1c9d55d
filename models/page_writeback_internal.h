/*
 * models/page_writeback_internal.h - what the parts of page_writeback share.  Private to
 * page_writeback*.c; Level 1.
 */
#ifndef MODELS_PAGE_WRITEBACK_INTERNAL_H
#define MODELS_PAGE_WRITEBACK_INTERNAL_H

#include "models/page_writeback.h"

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

#endif

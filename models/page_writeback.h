/*
 * models/page_writeback.h - dirty and writeback accounting, thresholds, when a writer must wait.
 * Level 1.
 *
 * Stands for mm/page-writeback.c.
 */
#ifndef MODELS_PAGE_WRITEBACK_H
#define MODELS_PAGE_WRITEBACK_H

#include "models/bdi_writeback.h"
#include "models/page_alloc.h"

struct page_writeback;
extern const struct model_ops page_writeback_model;
struct page_writeback *page_writeback_of(const struct sim *sim);

/* What the dirty domain of a memory cgroup is made of, pages (mem_cgroup_wb_stats()). */
struct wb_domain_stats {
	uint64_t file_pages, headroom_pages, dirty, writeback;
};
typedef void (*page_writeback_memcg_fn)(void *arg, struct wb_domain_stats *stats);

/* All writers belong to a memory cgroup of which @fn tells the state: they must keep within its
 * thresholds too. */
void page_writeback_set_memcg(struct page_writeback *pw, page_writeback_memcg_fn fn, void *arg);

/* What the page cache reports: pages entering and leaving the cache, the dirty and the writeback
 * state. */
void account_file_pages(struct page_writeback *pw, int64_t nr);
void folio_account_dirtied(struct page_writeback *pw, uint64_t nr);
void folio_account_cleaned(struct page_writeback *pw, uint64_t nr);
void account_start_writeback(struct page_writeback *pw, uint64_t nr);
void account_end_writeback(struct page_writeback *pw, uint64_t nr);

/* Pages: thresholds from the dirtyable memory of now (KERNEL 4.2). */
void global_dirty_limits(struct page_writeback *pw, uint64_t *background, uint64_t *thresh);
bool over_bground_thresh(struct page_writeback *pw);

uint64_t nr_file_pages(const struct page_writeback *pw);
uint64_t nr_dirty_pages(const struct page_writeback *pw);
uint64_t nr_writeback_pages(const struct page_writeback *pw);

/* ns: dirty_writeback_centisecs and dirty_expire_centisecs; 0 = no periodic writeback. */
int64_t dirty_writeback_interval_ns(const struct page_writeback *pw);
int64_t dirty_expire_interval_ns(const struct page_writeback *pw);

/* Jiffies a second. */
int64_t dirty_hz(const struct page_writeback *pw);

/* A writer's side of the throttle (task_struct's nr_dirtied and friends). */
struct dirty_task {
	uint64_t nr_dirtied;	   /* pages since it last asked */
	uint64_t nr_dirtied_pause; /* ask again after so many */
	int64_t dirty_paused_when; /* jiffies; 0 = never */
};

void dirty_task_init(struct dirty_task *dt);

/* @dt, on @cpu, has dirtied @nr pages. */
void dirty_task_dirtied(struct page_writeback *pw, struct dirty_task *dt, unsigned int cpu,
			uint64_t nr);

/*
 * Must @dt, on @cpu, ask balance_dirty_pages() before it goes on (KERNEL 4.5)?  It must when it has
 * dirtied nr_dirtied_pause pages, 8 while the device is over its limit, or when all tasks together
 * have dirtied ratelimit_pages on that CPU.
 */
bool dirty_task_must_ask(struct page_writeback *pw, const struct dirty_task *dt, unsigned int cpu);

/*
 * Shall the writer pause?  Returns the time at which it goes on, 0 = at once (below freerun =
 * (background + thresh) / 2, or not worth a sleep).  *@kick: the background flusher should run.
 * *@again: ask once more after the sleep, before dirtying anything.
 */
ktime_t balance_dirty_pages(struct page_writeback *pw, struct dirty_task *dt, bool *kick,
			    bool *again);

/* The flusher starts or ends a work item. */
void wb_set_in_progress(struct page_writeback *pw, bool in_progress);

/* do_writepages() begins, and has submitted what it will (bandwidth estimate). */
void wb_writepages_begins(struct page_writeback *pw);
void wb_writepages_ends(struct page_writeback *pw);

/* Pages that one visit of an inode may write (writeback_chunk_size()): half a second's worth. */
int64_t writeback_chunk_pages(struct page_writeback *pw, int64_t nr_pages);

#endif

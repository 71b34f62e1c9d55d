/*
 * models/page_writeback.h - dirty and writeback accounting, thresholds, when a writer must wait.
 * Level 1.
 *
 * Stands for mm/page-writeback.c.
 */
#ifndef MODELS_PAGE_WRITEBACK_H
#define MODELS_PAGE_WRITEBACK_H

#include "models/page_alloc.h"

struct page_writeback;
extern const struct model_ops page_writeback_model;
struct page_writeback *page_writeback_of(const struct sim *sim);

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

uint64_t nr_dirty_pages(const struct page_writeback *pw);
uint64_t nr_writeback_pages(const struct page_writeback *pw);

/* ns: dirty_writeback_centisecs and dirty_expire_centisecs; 0 = no periodic writeback. */
int64_t dirty_writeback_interval_ns(const struct page_writeback *pw);
int64_t dirty_expire_interval_ns(const struct page_writeback *pw);

/*
 * How long the writer that has just dirtied pages must pause: 0 below freerun = (background +
 * thresh) / 2.  Sets
 * *@kick when the background flusher should run.
 */
int64_t balance_dirty_pages(struct page_writeback *pw, bool *kick);

#endif

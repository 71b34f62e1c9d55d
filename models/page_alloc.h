/*
 * models/page_alloc.h - free pages and the folio pool (mm/page_alloc.c).  Level 0.
 */
#ifndef MODELS_PAGE_ALLOC_H
#define MODELS_PAGE_ALLOC_H

#include "models/mm_types.h"
#include "sim/sim.h"

struct page_alloc;
extern const struct model_ops page_alloc_model;
struct page_alloc *page_alloc_of(const struct sim *sim);

/* A folio of 2^@order pages, zeroed.  When memory is gone the run is failed (sim_fail) and NULL
 * returned. */
struct folio *folio_alloc(struct page_alloc *pa, unsigned int order);
void folio_free(struct page_alloc *pa, struct folio *folio);

/* Before the run: @pages are used by others, for good. */
void page_alloc_take(struct page_alloc *pa, uint64_t pages);

/* Pages free now, and pages the machine has. */
uint64_t nr_free_pages(const struct page_alloc *pa);
uint64_t nr_managed_pages(const struct page_alloc *pa);

/* Pages of all folios handed out and not given back. */
uint64_t nr_live_pages(const struct page_alloc *pa);

/* totalreserve_pages: free pages that may not be dirtied (KERNEL 4.2); 0 until set. */
void page_alloc_set_reserve(struct page_alloc *pa, uint64_t pages);
uint64_t totalreserve_pages(const struct page_alloc *pa);

/* Wake whoever waits on @kswapd when an allocation leaves fewer than @low pages free. */
void page_alloc_set_low(struct page_alloc *pa, uint64_t low, struct wait_queue *kswapd);

#endif

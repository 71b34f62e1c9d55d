/*
 * models/page_alloc.h - free pages and the folio pool (mm/page_alloc.c).  Level 0.
 */
#ifndef MODELS_PAGE_ALLOC_H
#define MODELS_PAGE_ALLOC_H

#include "models/mm_types.h"
#include "sim/sim.h"

extern const struct model_ops page_alloc;

/* A folio of 2^@order pages, zeroed.  When memory is gone the run is failed (sim_fail) and NULL
 * returned. */
struct folio *folio_alloc(struct sim *sim, unsigned int order);
void folio_free(struct sim *sim, struct folio *folio);

/* Pages free now, and pages the machine has. */
uint64_t nr_free_pages(const struct sim *sim);
uint64_t nr_managed_pages(const struct sim *sim);

#endif

/*
 * models/page_alloc.c - free pages and the folio pool.  Level 0.
 *
 * Stands for mm/page_alloc.c v6.1, what a page cache needs of it: a count of free pages and order-n
 * folios from it.  Folio structs come from chunks that are never given back during a run.  Who is
 * woken when free memory runs low is the business of models/vmscan.c.
 *
 * Not modelled: zones, fragmentation.
 *
 * I1  nr_free_pages + pages of live folios + pages of others = pages of the machine.
 */
#include "models/page_alloc.h"

#include <inttypes.h>

#include "sim/trace_events.h"

#define CHUNK_FOLIOS 4096u

struct folio_chunk {
	struct folio_chunk *next;
	struct folio folio[CHUNK_FOLIOS];
};

struct page_alloc {
	struct model model;
	struct {
		uint64_t nr_free_pages, pgalloc, pgfree;
	} stat;
	uint64_t managed_pages;
	uint64_t live_pages;  /* of folios handed out */
	uint64_t taken_pages; /* used by others */
	uint64_t low;	      /* below it kswapd is woken */
	uint64_t totalreserve;
	struct wait_queue *kswapd;
	struct folio *pool; /* free structs through bio_next */
	struct folio_chunk *chunks;
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, page_alloc, nr_free_pages),
	STAT(STAT_COUNT, page_alloc, pgalloc),
	STAT(STAT_COUNT, page_alloc, pgfree),
	{0},
};

static bool page_alloc_init(struct model *m, GError **err)
{
	struct page_alloc *pa = (struct page_alloc *)m;

	(void)err;
	pa->managed_pages = (uint64_t)(m->sim->host.memory >> PAGE_SHIFT);
	pa->stat.nr_free_pages = pa->managed_pages;
	return true;
}

static void page_alloc_fini(struct model *m)
{
	struct page_alloc *pa = (struct page_alloc *)m;

	while (pa->chunks) {
		struct folio_chunk *chunk = pa->chunks;

		pa->chunks = chunk->next;
		g_free(chunk);
	}
}

static void page_alloc_check(const struct model *m)
{
	const struct page_alloc *pa = (const struct page_alloc *)m;

	assert(pa->stat.nr_free_pages + pa->live_pages + pa->taken_pages ==
	       pa->managed_pages); /* I1 */
	assert(pa->stat.pgalloc - pa->stat.pgfree == pa->live_pages);
}

static void pool_refill(struct page_alloc *pa)
{
	struct folio_chunk *chunk = g_new(struct folio_chunk, 1);

	chunk->next = pa->chunks;
	pa->chunks = chunk;
	for (unsigned int i = CHUNK_FOLIOS; i-- > 0;) {
		chunk->folio[i].bio_next = pa->pool;
		pa->pool = &chunk->folio[i];
	}
}

struct folio *folio_alloc(struct page_alloc *pa, unsigned int order)
{
	uint64_t nr = (uint64_t)1 << order;

	if (pa->stat.nr_free_pages < nr)
		return NULL;
	if (!pa->pool)
		pool_refill(pa);
	struct folio *folio = pa->pool;

	pa->pool = folio->bio_next;
	*folio = (struct folio){.order = (uint8_t)order};
	pa->stat.nr_free_pages -= nr;
	pa->stat.pgalloc += nr;
	pa->live_pages += nr;
	if (pa->stat.nr_free_pages < pa->low && wake_up(pa->kswapd))
		trace_mm_vmscan_wakeup_kswapd(pa->model.sim, order);
	return folio;
}

void page_alloc_set_low(struct page_alloc *pa, uint64_t low, struct wait_queue *kswapd)
{
	pa->low = low;
	pa->kswapd = kswapd;
}

void page_alloc_set_reserve(struct page_alloc *pa, uint64_t pages)
{
	pa->totalreserve = pages;
}

uint64_t totalreserve_pages(const struct page_alloc *pa)
{
	return pa->totalreserve;
}

void folio_free(struct page_alloc *pa, struct folio *folio)
{
	uint64_t nr = folio_nr_pages(folio);

	assert(!folio->mapping);
	folio->bio_next = pa->pool;
	pa->pool = folio;
	pa->stat.nr_free_pages += nr;
	pa->stat.pgfree += nr;
	assert(pa->live_pages >= nr);
	pa->live_pages -= nr;
}

struct page_alloc *page_alloc_of(const struct sim *sim)
{
	return (struct page_alloc *)model_get(sim, &page_alloc_model);
}

void page_alloc_take(struct page_alloc *pa, uint64_t pages)
{
	assert(pages <= pa->stat.nr_free_pages);
	pa->stat.nr_free_pages -= pages;
	pa->taken_pages += pages;
}

uint64_t nr_free_pages(const struct page_alloc *pa)
{
	return pa->stat.nr_free_pages;
}

uint64_t nr_managed_pages(const struct page_alloc *pa)
{
	return pa->managed_pages;
}

uint64_t nr_live_pages(const struct page_alloc *pa)
{
	return pa->live_pages;
}

const struct model_ops page_alloc_model = {
	.name = "page_alloc",
	.source = "mm/page_alloc.c v6.1",
	.size = sizeof(struct page_alloc),
	.stats = stats,
	.init = page_alloc_init,
	.check = page_alloc_check,
	.fini = page_alloc_fini,
};

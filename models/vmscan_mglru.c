/*
 * models/vmscan_mglru.c - the multi-generational LRU of reclaim.  Level 5.
 *
 * Stands for get_nr_to_scan(), inc_max_seq(), scan_folios(), sort_folio() and evict_folios() of
 * mm/vmscan.c v6.12 (KERNEL 5.7), file pages only.  Pages leave from the old end of the oldest
 * generation.  A dirty page or one under writeback gets PG_reclaim and moves to the next generation
 * (pgrefill); only what is isolated for eviction counts as scanned, so scan is close to steal.  A
 * batch ends with 64 pages isolated or 4096 looked at.  An oldest generation that is empty is
 * closed (min_seq++) as long as two remain, and those are never evicted from.  A pass that finds
 * fewer than four opens a new one (max_seq++) and does no more, except at the first priority.
 *
 * Not modelled: anonymous pages, page table walks, tiers and their refault rates, the memcg list,
 * kswapd's first priority by the size of the lists (passes are cut short instead).
 */
#include "models/vmscan_internal.h"

#include "sim/trace_events.h"

#define MIN_LRU_BATCH 64u
#define MAX_LRU_BATCH 4096u

static struct folio *oldest(const struct lruvec *lruvec)
{
	return lruvec->tail[lruvec->min_seq % MAX_NR_GENS];
}

/* try_to_inc_min_seq() */
static void inc_min_seq(struct lruvec *lruvec)
{
	while (!oldest(lruvec) && lruvec->min_seq + MIN_NR_GENS <= lruvec->max_seq)
		lruvec->min_seq++;
}

/* inc_max_seq(): room for one more generation, then open it. */
static void inc_max_seq(struct lruvec *lruvec)
{
	if (lruvec->max_seq - lruvec->min_seq + 1 == MAX_NR_GENS) {
		while (oldest(lruvec))
			lru_gen_move_folio(lruvec, oldest(lruvec), lruvec->min_seq + 1);
		lruvec->min_seq++;
	}
	lruvec->max_seq++;
}

/*
 * get_nr_to_scan().  With less than three generations left to evict from, the youngest ages and
 * this pass is over; the first priority goes without.
 */
static void mglru_begin(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	bool age;

	(void)vs;
	inc_min_seq(lruvec);
	age = lruvec->min_seq + MIN_NR_GENS >= lruvec->max_seq && sc->priority < DEF_PRIORITY;
	sc->nr_to_scan[1] = 0;
	sc->nr_to_scan[0] = age ? 0 : lruvec_pages(lruvec) >> sc->priority;
	if (age)
		inc_max_seq(lruvec);
}

/* scan_folios() leaves the last two generations alone. */
static bool may_evict(const struct lruvec *lruvec)
{
	return oldest(lruvec) && lruvec->min_seq + MIN_NR_GENS <= lruvec->max_seq;
}

/* sort_folio() and isolate_folio() for the folio at the old end. */
static void scan_folio(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	struct folio *folio = oldest(lruvec);
	uint64_t nr = folio_nr_pages(folio);

	sc->batch.looked += nr;
	if (folio->flags & (PG_dirty | PG_writeback)) {
		sc->batch.dirty += folio->flags & PG_writeback ? 0 : nr;
		sc->batch.writeback += folio->flags & PG_writeback ? nr : 0;
		vs->stat.pgrefill += nr;
		folio->flags |= PG_reclaim;
		lru_gen_move_folio(lruvec, folio, lruvec->min_seq + 1);
		return;
	}
	sc->batch.scanned += nr;
	if (folio->flags & PG_locked)
		lru_gen_move_folio(lruvec, folio, lruvec->max_seq - 1);
	else
		reclaim_folio(vs, folio, sc);
}

static void mglru_shrink(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	trace_mm_vmscan_lru_isolate_here(vs->model.sim);
	while (may_evict(lruvec) && sc->batch.looked < MAX_LRU_BATCH &&
	       sc->batch.scanned < MIN_LRU_BATCH)
		scan_folio(vs, lruvec, sc);
	trace_mm_vmscan_lru_isolate(vs->model.sim, MAX_LRU_BATCH, sc->batch.looked,
				    sc->batch.scanned, false);
	sc->batch.taken = sc->batch.looked;
	inc_min_seq(lruvec);
	sc->nr_to_scan[0] -=
		sc->batch.looked ? MIN(sc->nr_to_scan[0], sc->batch.looked) : sc->nr_to_scan[0];
}

const struct lru_ops lru_mglru = {
	.name = "mglru",
	.gen_enabled = true,
	.begin = mglru_begin,
	.shrink = mglru_shrink,
};

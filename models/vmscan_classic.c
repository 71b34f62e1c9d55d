/*
 * models/vmscan_classic.c - the two-list LRU of reclaim.  Level 5.
 *
 * Stands for get_scan_count(), shrink_active_list(), shrink_inactive_list() and the file pages of
 * shrink_folio_list() of mm/vmscan.c v6.1 (KERNEL 5.3, 5.4), file lists only.  A pass looks at size
 * >> priority pages of each list, 32 at a time; the active list only when the inactive one is low.
 * A clean page is freed; a dirty page or one under writeback gets PG_reclaim and becomes active,
 * from where the end of its writeback brings it to the old end of the inactive list.  All of these
 * count as scanned.
 *
 * Not modelled: anonymous lists and the balance with them, mapped pages, refaults.
 */
#include "models/vmscan_internal.h"

#include "sim/trace_events.h"

/* inactive_is_low() for file lists of this size. */
static bool inactive_is_low(const struct lruvec *lruvec)
{
	uint64_t inactive = lruvec->nr_pages[LRU_INACTIVE_FILE];
	uint64_t active = lruvec->nr_pages[LRU_ACTIVE_FILE];
	uint64_t gb = (inactive + active) >> (30 - PAGE_SHIFT);

	return inactive * (gb ? int_sqrt(10 * gb) : 1) < active;
}

static void classic_begin(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	(void)vs;
	sc->pass_start = sc->nr_reclaimed; /* shrink_lruvec() counts by the pass */
	sc->nr_to_scan[0] = lruvec->nr_pages[LRU_INACTIVE_FILE] >> sc->priority;
	sc->nr_to_scan[1] =
		inactive_is_low(lruvec) ? lruvec->nr_pages[LRU_ACTIVE_FILE] >> sc->priority : 0;
}

/* @nr pages from the old end of the active list become inactive. */
static uint64_t shrink_active_list(struct vmscan *vs, struct lruvec *lruvec,
				   const struct scan_control *sc, uint64_t nr)
{
	struct sim *sim = vs->model.sim;
	uint64_t done = 0;

	if (!nr)
		return 0;
	trace_mm_vmscan_lru_isolate_here(sim);
	while (done < nr && lruvec->tail[LRU_ACTIVE_FILE]) {
		struct folio *folio = lruvec->tail[LRU_ACTIVE_FILE];

		done += folio_nr_pages(folio);
		lru_move_folio(lruvec, folio, false, false);
	}
	vs->stat.pgrefill += done;
	vs->stat.pgdeactivate += done;
	trace_mm_vmscan_lru_isolate(sim, nr, done, done, true);
	trace_mm_vmscan_lru_shrink_active(sim, done, 0, done, 0, sc->priority);
	return done;
}

static void activate(struct vmscan *vs, struct lruvec *lruvec, struct folio *folio)
{
	folio->flags |= PG_reclaim;
	vs->stat.pgactivate += folio_nr_pages(folio);
	lru_move_folio(lruvec, folio, true, false);
}

/* shrink_folio_list() for the folio at the old end of the inactive list. */
static void shrink_folio(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	struct folio *folio = lruvec->tail[LRU_INACTIVE_FILE];
	uint64_t nr = folio_nr_pages(folio);

	sc->batch.scanned += nr;
	if (folio->flags & PG_locked) {
		lru_move_folio(lruvec, folio, false, false);
	} else if (folio->flags & PG_writeback) {
		sc->batch.congested += folio->flags & PG_reclaim ? nr : 0;
		if (sc->kswapd && sc->node_writeback && folio->flags & PG_reclaim)
			sc->batch.immediate += nr;
		else
			sc->batch.writeback += nr;
		activate(vs, lruvec, folio);
	} else if (folio->flags & PG_dirty) {
		sc->batch.dirty += nr;
		folio->flags &= ~PG_referenced; /* folio_check_references() */
		vs->stat.nr_vmscan_immediate_reclaim += nr;
		activate(vs, lruvec, folio);
	} else {
		reclaim_folio(vs, folio, sc);
	}
}

static void classic_shrink(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc)
{
	uint64_t nr = MIN(sc->nr_to_scan[0], SWAP_CLUSTER_MAX);
	uint64_t nr_active = MIN(sc->nr_to_scan[1], SWAP_CLUSTER_MAX);

	sc->batch.looked = shrink_active_list(vs, lruvec, sc, nr_active);
	trace_mm_vmscan_lru_isolate_here(vs->model.sim);
	while (sc->batch.scanned < nr && lruvec->tail[LRU_INACTIVE_FILE])
		shrink_folio(vs, lruvec, sc);
	trace_mm_vmscan_lru_isolate(vs->model.sim, nr, sc->batch.scanned, sc->batch.scanned, false);
	sc->batch.looked += sc->batch.scanned;
	sc->batch.taken = sc->batch.scanned;
	sc->nr_to_scan[0] -= lruvec->tail[LRU_INACTIVE_FILE] ? nr : sc->nr_to_scan[0];
	sc->nr_to_scan[1] -= lruvec->tail[LRU_ACTIVE_FILE] ? nr_active : sc->nr_to_scan[1];
	if (sc->batch.writeback && sc->batch.writeback == sc->batch.scanned)
		sc->node_writeback = true;
}

const struct lru_ops lru_classic = {
	.name = "classic",
	.begin = classic_begin,
	.shrink = classic_shrink,
};

/*
 * models/vmscan_memcg.c - reclaim at memory.max.  Level 3.
 *
 * Stands for try_to_free_mem_cgroup_pages() of mm/vmscan.c (v6.1) over the group's own classic LRU
 * lists (KERNEL 5.3, 5.4, 5.8): at priority 12, 11, .. 0 a pass looks at (inactive pages >>
 * priority) of them in batches of 32, until max(what is needed, 32) pages are free.  So how much a
 * call frees follows from the length of the list: 4,000 pages give 1 + 3 + 7 + 15 + 31 = 57.  The
 * active list gives 32 pages a batch when the inactive one is short.  A folio that is dirty or
 * under writeback gets PG_reclaim and becomes active; a batch of nothing but dirty folios tells the
 * caller to wake the flusher.
 *
 * Not modelled: MGLRU of a group, anonymous pages, throttling (the caller sleeps when nothing was
 * freed).
 * I1  pages freed <= pages looked at.
 */
#include "models/vmscan_memcg.h"

#define SWAP_CLUSTER_MAX 32u
#define DEF_PRIORITY 12

static void shrink_active(struct lruvec *lruvec)
{
	for (uint64_t nr = 0; nr < SWAP_CLUSTER_MAX && lruvec->tail[LRU_ACTIVE_FILE];) {
		nr += folio_nr_pages(lruvec->tail[LRU_ACTIVE_FILE]);
		lru_move_folio(lruvec, lruvec->tail[LRU_ACTIVE_FILE], false, false);
	}
}

/* True when the folio was dirty and not yet queued. */
static bool shrink_folio(struct memcg_scan *ms, struct folio *folio)
{
	uint64_t nr = folio_nr_pages(folio);

	ms->scanned += nr;
	if (folio->flags & PG_locked) {
		lru_move_folio(ms->lruvec, folio, false, false);
	} else if (folio->flags & (PG_dirty | PG_writeback)) {
		folio->flags |= PG_reclaim;
		lru_move_folio(ms->lruvec, folio, true, false);
		return !(folio->flags & PG_writeback);
	} else {
		ms->reclaimed += nr;
		ms->fm->stat.pages_reclaimed += nr;
		filemap_remove_folio(ms->fm, folio);
	}
	return false;
}

/* Look at @nr pages from the old end of the inactive list. */
static void shrink_inactive(struct memcg_scan *ms, uint64_t nr)
{
	uint64_t start = ms->scanned, before, dirty = 0;
	struct folio *folio;

	while (ms->scanned - start < nr && (folio = ms->lruvec->tail[LRU_INACTIVE_FILE])) {
		before = ms->scanned;
		if (shrink_folio(ms, folio))
			dirty += ms->scanned - before;
	}
	if (dirty && dirty == ms->scanned - start)
		ms->all_dirty = true;
}

/* shrink_lruvec() at one priority. */
static void shrink_pass(struct memcg_scan *ms, int priority, uint64_t target)
{
	uint64_t inactive = ms->lruvec->nr_pages[LRU_INACTIVE_FILE];
	uint64_t left = inactive >> priority, start = ms->reclaimed;
	bool deactivate = inactive < ms->lruvec->nr_pages[LRU_ACTIVE_FILE];

	while (deactivate || left) {
		uint64_t batch = MIN(left, SWAP_CLUSTER_MAX);

		if (deactivate)
			shrink_active(ms->lruvec);
		deactivate = false;
		shrink_inactive(ms, batch);
		left -= batch;
		if (ms->reclaimed - start >= target)
			break;
	}
}

void mem_cgroup_reclaim(struct filemap *fm, uint64_t nr, struct memcg_scan *ms)
{
	uint64_t target;

	*ms = (struct memcg_scan){.fm = fm, .lruvec = &fm->memcg_lruvec};
	mem_cgroup_over_max(fm->memcg);
	target = MAX(mem_cgroup_excess(fm->memcg, nr), SWAP_CLUSTER_MAX);
	for (int priority = DEF_PRIORITY; priority >= 0 && ms->reclaimed < target; priority--)
		shrink_pass(ms, priority, target);
	assert(ms->reclaimed <= ms->scanned); /* I1 */
	mem_cgroup_reclaimed(fm->memcg, ms->scanned, ms->reclaimed);
}

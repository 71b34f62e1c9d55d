/*
 * models/lru.c - the file LRU lists.  Level 1.
 *
 * Stands for mm/swap.c and mm_inline.h v6.1 (classic) and v6.12 (MGLRU).  Classic: a new page
 * starts inactive and not referenced; a second access through a descriptor makes it active.  MGLRU
 * (KERNEL 5.7): generations min_seq to max_seq; a plain file page joins max_seq - 3, an active one
 * or one that reclaim met and that is still dirty or under writeback joins max_seq - 1, never older
 * than min_seq; an access sets only PG_referenced.  The number of a folio's list is in its flags.
 *
 * Not modelled: anonymous and unevictable lists, per-CPU batches, refault distances, tiers and
 * PG_workingset.
 * I1  a cached folio is on exactly one list, the one in its flags; classic: active if PG_active.
 * I2  nr_pages = pages of the folios on the list.
 * I3  MGLRU: 2 to 4 generations.
 */
#include "models/lru.h"

static unsigned int folio_lru(const struct folio *folio)
{
	return folio->flags >> FOLIO_LRU_SHIFT;
}

static uint64_t max_minus(const struct lruvec *lruvec, uint64_t nr)
{
	return lruvec->max_seq < lruvec->min_seq + nr ? lruvec->min_seq : lruvec->max_seq - nr;
}

/* lru_gen_folio_seq(), or the classic list. */
static unsigned int list_for(const struct lruvec *lruvec, const struct folio *folio)
{
	bool busy = folio->flags & (PG_dirty | PG_writeback);

	if (!lruvec->gen_enabled)
		return folio->flags & PG_active ? LRU_ACTIVE_FILE : LRU_INACTIVE_FILE;
	if (folio->flags & PG_active || (folio->flags & PG_reclaim && busy))
		return max_minus(lruvec, 1) % MAX_NR_GENS;
	return max_minus(lruvec, 3) % MAX_NR_GENS;
}

void lruvec_init(struct lruvec *lruvec, bool gen_enabled)
{
	*lruvec = (struct lruvec){.gen_enabled = gen_enabled};
	if (gen_enabled)
		lruvec->max_seq = MIN_NR_GENS + 1;
}

static void add(struct lruvec *lruvec, struct folio *folio, unsigned int lru, bool tail)
{
	struct folio **end = tail ? &lruvec->tail[lru] : &lruvec->head[lru];
	struct folio **other = tail ? &lruvec->head[lru] : &lruvec->tail[lru];

	folio->flags = (folio->flags & FOLIO_FLAGS) | lru << FOLIO_LRU_SHIFT;
	folio->lru_next = tail ? NULL : *end;
	folio->lru_prev = tail ? *end : NULL;
	if (!*end)
		*other = folio;
	else if (tail)
		(*end)->lru_next = folio;
	else
		(*end)->lru_prev = folio;
	*end = folio;
	lruvec->nr_pages[lru] += folio_nr_pages(folio);
}

void lru_add_folio(struct lruvec *lruvec, struct folio *folio)
{
	add(lruvec, folio, list_for(lruvec, folio), false);
}

void lru_del_folio(struct lruvec *lruvec, struct folio *folio)
{
	unsigned int lru = folio_lru(folio);

	if (folio->lru_prev)
		folio->lru_prev->lru_next = folio->lru_next;
	else
		lruvec->head[lru] = folio->lru_next;
	if (folio->lru_next)
		folio->lru_next->lru_prev = folio->lru_prev;
	else
		lruvec->tail[lru] = folio->lru_prev;
	assert(lruvec->nr_pages[lru] >= folio_nr_pages(folio));
	lruvec->nr_pages[lru] -= folio_nr_pages(folio);
}

void lru_move_folio(struct lruvec *lruvec, struct folio *folio, bool active, bool tail)
{
	lru_del_folio(lruvec, folio);
	if (active)
		folio->flags |= PG_active;
	else
		folio->flags &= ~PG_active;
	add(lruvec, folio, list_for(lruvec, folio), tail);
}

void lru_gen_move_folio(struct lruvec *lruvec, struct folio *folio, uint64_t seq)
{
	assert(seq >= lruvec->min_seq && seq <= lruvec->max_seq);
	lru_del_folio(lruvec, folio);
	folio->flags &= ~PG_active;
	add(lruvec, folio, seq % MAX_NR_GENS, false);
}

void folio_mark_accessed(struct lruvec *lruvec, struct folio *folio)
{
	if (folio->flags & PG_dropbehind)
		return;
	if (!(folio->flags & PG_referenced)) {
		folio->flags |= PG_referenced;
	} else if (!lruvec->gen_enabled && !(folio->flags & PG_active)) {
		folio->flags &= ~PG_referenced;
		lru_move_folio(lruvec, folio, true, false);
	}
}

void folio_rotate_reclaimable(struct lruvec *lruvec, struct folio *folio)
{
	folio->flags &= ~PG_reclaim;
	if (!(folio->flags & (PG_locked | PG_dirty)))
		lru_move_folio(lruvec, folio, false, true);
}

uint64_t lruvec_active_pages(const struct lruvec *lruvec)
{
	return lruvec->gen_enabled ? lruvec->nr_pages[lruvec->max_seq % MAX_NR_GENS] +
					     lruvec->nr_pages[(lruvec->max_seq - 1) % MAX_NR_GENS]
				   : lruvec->nr_pages[LRU_ACTIVE_FILE];
}

uint64_t lruvec_pages(const struct lruvec *lruvec)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < NR_LRU_LISTS; i++)
		all += lruvec->nr_pages[i];
	return all;
}

uint64_t lruvec_inactive_pages(const struct lruvec *lruvec)
{
	return lruvec_pages(lruvec) - lruvec_active_pages(lruvec);
}

/* I3: no list outside the generations holds anything. */
static bool generation_exists(const struct lruvec *lruvec, unsigned int lru)
{
	for (uint64_t seq = lruvec->min_seq; seq <= lruvec->max_seq; seq++)
		if (seq % MAX_NR_GENS == lru)
			return true;
	return false;
}

static uint64_t check_list(const struct lruvec *lruvec, unsigned int lru)
{
	const struct folio *younger = NULL;
	uint64_t nr = 0;

	for (const struct folio *folio = lruvec->head[lru]; folio; folio = folio->lru_next) {
		assert(folio->lru_prev == younger);
		assert(folio->mapping && folio_lru(folio) == lru); /* I1 */
		assert(lruvec->gen_enabled ||
		       !(folio->flags & PG_active) == (lru == LRU_INACTIVE_FILE));
		nr += folio_nr_pages(folio);
		younger = folio;
	}
	assert(lruvec->tail[lru] == younger);
	assert(lruvec->nr_pages[lru] == nr); /* I2 */
	return nr;
}

uint64_t lruvec_check(const struct lruvec *lruvec)
{
	uint64_t all = 0;

	if (lruvec->gen_enabled)
		assert(lruvec->max_seq - lruvec->min_seq + 1 >= MIN_NR_GENS &&
		       lruvec->max_seq - lruvec->min_seq + 1 <= MAX_NR_GENS);
	for (unsigned int lru = 0; lru < NR_LRU_LISTS; lru++) {
		uint64_t nr = check_list(lruvec, lru);

		assert(!nr || (lruvec->gen_enabled ? generation_exists(lruvec, lru)
						   : lru <= LRU_ACTIVE_FILE));
		all += nr;
	}
	return all;
}

/*
 * models/lru.c - the file LRU lists.  Level 1.
 *
 * Stands for mm/swap.c and mm_inline.h v6.1, classic LRU: a new page starts inactive and not
 * referenced; a second access through a descriptor makes it active.
 *
 * Not modelled: anonymous and unevictable lists, per-CPU batches, refault distances, MGLRU, memcg
 * lists. I1  a cached folio is on exactly one list: active if PG_active, else inactive. I2 nr_pages
 * = pages of the folios on the list.
 */
#include "models/lru.h"

static enum lru_list folio_lru(const struct folio *folio)
{
	return folio->flags & PG_active ? LRU_ACTIVE_FILE : LRU_INACTIVE_FILE;
}

static void add(struct lruvec *lruvec, struct folio *folio, bool tail)
{
	enum lru_list lru = folio_lru(folio);
	struct folio **end = tail ? &lruvec->tail[lru] : &lruvec->head[lru];
	struct folio **other = tail ? &lruvec->head[lru] : &lruvec->tail[lru];

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
	add(lruvec, folio, false);
}

void lru_del_folio(struct lruvec *lruvec, struct folio *folio)
{
	enum lru_list lru = folio_lru(folio);

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
	add(lruvec, folio, tail);
}

void folio_mark_accessed(struct lruvec *lruvec, struct folio *folio)
{
	if (folio->flags & PG_dropbehind)
		return;
	if (!(folio->flags & PG_referenced)) {
		folio->flags |= PG_referenced;
	} else if (!(folio->flags & PG_active)) {
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

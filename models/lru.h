/*
 * models/lru.h - the file LRU lists (mm/swap.c).  Level 1.
 */
#ifndef MODELS_LRU_H
#define MODELS_LRU_H

#include "models/mm_types.h"

enum lru_list { LRU_INACTIVE_FILE, LRU_ACTIVE_FILE, NR_LRU_LISTS };

/* The two lists: head = youngest, tail = next to be looked at. */
struct lruvec {
	struct folio *head[NR_LRU_LISTS], *tail[NR_LRU_LISTS];
	uint64_t nr_pages[NR_LRU_LISTS];
};

/* Put @folio, on no list, at the young end of the list that PG_active says. */
void lru_add_folio(struct lruvec *lruvec, struct folio *folio);
void lru_del_folio(struct lruvec *lruvec, struct folio *folio);

/* The two above in one, at the young end or (@tail) at the old end; @active decides the list. */
void lru_move_folio(struct lruvec *lruvec, struct folio *folio, bool active, bool tail);

/* A read has touched @folio: referenced, then active (KERNEL 5.5); dropbehind folios are left
 * alone. */
void folio_mark_accessed(struct lruvec *lruvec, struct folio *folio);

/* End of writeback of a folio that reclaim met: to the old end of the inactive list. */
void folio_rotate_reclaimable(struct lruvec *lruvec, struct folio *folio);

#endif

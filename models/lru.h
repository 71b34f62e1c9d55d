/*
 * models/lru.h - the file LRU lists (mm/swap.c, mm_inline.h).  Level 1.
 */
#ifndef MODELS_LRU_H
#define MODELS_LRU_H

#include "models/mm_types.h"

#define MIN_NR_GENS 2u
#define MAX_NR_GENS 4u

/* Classic lists; the multi-generational LRU uses all four, by sequence number modulo 4. */
enum lru_list { LRU_INACTIVE_FILE, LRU_ACTIVE_FILE, NR_LRU_LISTS = MAX_NR_GENS };

/* Two lists or up to four generations: head = youngest, tail = next to be looked at. */
struct lruvec {
	struct folio *head[NR_LRU_LISTS], *tail[NR_LRU_LISTS];
	uint64_t nr_pages[NR_LRU_LISTS];
	bool gen_enabled;	   /* generations min_seq .. max_seq instead of two lists */
	uint64_t min_seq, max_seq; /* oldest and youngest generation */
};

/* Empty lists; @gen_enabled chooses MGLRU.  An lruvec of zeroes is a classic one. */
void lruvec_init(struct lruvec *lruvec, bool gen_enabled);

/* Put @folio, on no list, at the young end of the list its flags say. */
void lru_add_folio(struct lruvec *lruvec, struct folio *folio);
void lru_del_folio(struct lruvec *lruvec, struct folio *folio);

/* Classic: the two above in one, at the young end or (@tail) at the old end; @active decides the
 * list. */
void lru_move_folio(struct lruvec *lruvec, struct folio *folio, bool active, bool tail);

/* MGLRU: to the young end of generation @seq, min_seq .. max_seq. */
void lru_gen_move_folio(struct lruvec *lruvec, struct folio *folio, uint64_t seq);

/* A read has touched @folio: referenced, then active (KERNEL 5.5); dropbehind folios are left
 * alone. */
void folio_mark_accessed(struct lruvec *lruvec, struct folio *folio);

/* End of writeback of a folio that reclaim met: to the old end of the inactive list. */
void folio_rotate_reclaimable(struct lruvec *lruvec, struct folio *folio);

/* Pages that vmstat reports as active and inactive file pages: of MGLRU the two youngest
 * generations, and the others. */
uint64_t lruvec_active_pages(const struct lruvec *lruvec);
uint64_t lruvec_inactive_pages(const struct lruvec *lruvec);

/* All pages on its lists. */
uint64_t lruvec_pages(const struct lruvec *lruvec);

/* Assert the invariants of lru.c by walking the lists; returns the pages found. */
uint64_t lruvec_check(const struct lruvec *lruvec);

#endif

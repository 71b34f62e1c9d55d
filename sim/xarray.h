/*
 * sim/xarray.h - index -> pointer with ordered walks and two marks, 64 slots a node (the kernel's
 * xarray, what a page cache needs of it).  About 9 bytes an entry when dense.  Nodes come from
 * malloc; entries are never NULL.
 */
#ifndef SIM_XARRAY_H
#define SIM_XARRAY_H

#include "sim/types.h"

#define XA_MARK_0 0u /* dirty (PAGECACHE_TAG_DIRTY) */
#define XA_MARK_1 1u /* writeback (PAGECACHE_TAG_WRITEBACK) */
#define XA_NR_MARKS 2u

struct xa_node;

struct xarray {
	struct xa_node *root;
	unsigned int height; /* levels; 0 = empty */
	uint64_t nr;	     /* entries */
	uint64_t nr_marked[XA_NR_MARKS];
	struct xa_node *last; /* cache: leaf of the last access */
	uint64_t last_base;   /* its first index; valid while last */
};

void xa_init(struct xarray *xa);
void xa_destroy(struct xarray *xa); /* entries are the caller's */

void *xa_load(struct xarray *xa, uint64_t index); /* NULL = none */
/* Store a new entry; the slot must be empty.  Marks start clear. */
void xa_insert(struct xarray *xa, uint64_t index, void *entry);
/* Remove and return; NULL when there was none.  Empty nodes are freed. */
void *xa_erase(struct xarray *xa, uint64_t index);

void xa_set_mark(struct xarray *xa, uint64_t index, unsigned int mark); /* entry must exist */
void xa_clear_mark(struct xarray *xa, uint64_t index, unsigned int mark);
bool xa_get_mark(struct xarray *xa, uint64_t index, unsigned int mark);

/* First entry at or after *@index (up to @max), *@index set to where it is; NULL = none. */
void *xa_find(struct xarray *xa, uint64_t *index, uint64_t max);
void *xa_find_marked(struct xarray *xa, uint64_t *index, uint64_t max, unsigned int mark);

/* First index >= @index without an entry, at most @max + 1; the mirror going down returns the last
 * hole <= @index, or -1 when none down to @min. */
uint64_t xa_next_miss(struct xarray *xa, uint64_t index, uint64_t max);
int64_t xa_prev_miss(struct xarray *xa, uint64_t index, uint64_t min);

#endif

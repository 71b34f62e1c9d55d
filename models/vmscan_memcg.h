/*
 * models/vmscan_memcg.h - reclaim at memory.max (mm/vmscan.c).  Level 3.
 */
#ifndef MODELS_VMSCAN_MEMCG_H
#define MODELS_VMSCAN_MEMCG_H

#include "models/pagemap.h"

/* A call: what it works on and what it did. */
struct memcg_scan {
	struct filemap *fm;
	struct lruvec *lruvec;
	uint64_t scanned, reclaimed; /* pages */
	bool all_dirty;		     /* a batch was nothing but dirty folios: wake the flusher */
};

/* try_to_free_mem_cgroup_pages() to make room for @nr pages, by the task that charges them; events
 * and counters of the group follow. */
void mem_cgroup_reclaim(struct filemap *fm, uint64_t nr, struct memcg_scan *ms);

#endif

/*
 * models/vmscan_memcg.h - reclaim at memory.max (mm/vmscan.c).  Level 4.
 */
#ifndef MODELS_VMSCAN_MEMCG_H
#define MODELS_VMSCAN_MEMCG_H

#include "models/fs_writeback.h"

/* try_to_free_mem_cgroup_pages() to make room for @nr pages, by the task that charges them; events
 * and counters of the group follow.  Adds what it met to *@scanned and returns the pages freed. */
uint64_t mem_cgroup_reclaim(struct filemap *fm, struct fs_writeback *fw, uint64_t nr,
			    uint64_t *scanned);

#endif

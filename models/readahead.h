/*
 * models/readahead.h - readahead windows (mm/readahead.c).  Level 4.
 */
#ifndef MODELS_READAHEAD_H
#define MODELS_READAHEAD_H

#include "models/f2fs_data.h"

/* One read's view of readahead (struct readahead_control). */
struct readahead_control {
	struct filemap *fm;
	struct f2fs_data *fd;
	struct file *file;
	bool dropbehind;      /* of the kiocb that triggers it: all its folios get the flag */
	struct blk_plug plug; /* the bios of the window; the caller sends them */
	int64_t cost_ns;      /* CPU time so far; the caller charges it */
};

void file_ra_state_init(struct file_ra_state *ra, const struct filemap *fm);

/* The page at @index, wanted by a read of @req_pages more pages, is not cached.  Like the next it
 * leaves its requests in rac->plug: they reach the queue once the CPU time of making them has
 * passed. */
void page_cache_sync_ra(struct readahead_control *rac, pgoff_t index, uint64_t req_pages);

/* The read has reached @folio, which carries PG_readahead. */
void page_cache_async_ra(struct readahead_control *rac, struct folio *folio, pgoff_t index,
			 uint64_t req_pages);

#endif

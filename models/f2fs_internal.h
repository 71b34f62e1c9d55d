/*
 * models/f2fs_internal.h - what f2fs_data.c, f2fs_submit.c and f2fs_write.c share.  Level 3.
 */
#ifndef MODELS_F2FS_INTERNAL_H
#define MODELS_F2FS_INTERNAL_H

#include "models/f2fs_data.h"

#define BLOCKS_PER_SEG 512u

enum { DONTCACHE_NONE, DONTCACHE_READ_ONLY, DONTCACHE_READ_WRITE };
enum { UPDATE_OUT_OF_PLACE, UPDATE_IN_PLACE };

/* Temperatures of DATA that this version tells apart (KERNEL 1.6: at most 16 dirty pages = HOT). */
enum { TEMP_HOT, TEMP_WARM, NR_TEMPS };

/* struct f2fs_bio_info: the one open write bio of a temperature, where contiguous pages join
 * (KERNEL 2.7). */
struct f2fs_bio_info {
	struct bio *bio;
	struct inode *inode; /* whose pages it holds; NULL when of several */
};

struct f2fs_data {
	struct model model;
	struct {
		int dontcache, update;
		bool writepages_mutex;
		int64_t max_bio;
		int64_t map_ns, submit_page_ns, submit_bio_ns, end_io_page_ns;
	} conf;
	struct {
		uint64_t read_bios, read_bio_pages, hole_pages;
		uint64_t write_bios, write_bio_pages, dropbehind_bios, mixed_bios;
		uint64_t blocks_hinted, blocks_assumed, blocks_allocated;
		uint64_t writepages_skipped, writepages_stopped, writepages_waits,
			writepages_wait_ns;
	} stat;
	struct filemap *fm;
	block_t log_head;  /* next block the log gives out */
	GHashTable *hints; /* inode -> extent_map of what the capture shows; never iterated */
	struct f2fs_bio_info write_io[NR_TEMPS];
	uint32_t wb_sync_req;	       /* WB_SYNC_ALL passes that write now (wb_sync_req[DATA]) */
	struct task *writepages_owner; /* of the mutex sbi->writepages */
	struct wait_queue writepages_wait;
};

/* Block for the @nr pages at @index that are about to be written. */
block_t f2fs_allocate_block(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t nr);

/* The block page @index has now, 0 = none. */
static inline block_t f2fs_mapped_block(const struct inode *inode, pgoff_t index)
{
	struct extent e = {0};

	if (inode->extents)
		e = extent_map_lookup(inode->extents, index);
	return e.block ? e.block + (index - e.index) : 0;
}

/* Where page @index lives (block 0 = a hole of len pages). */
struct extent f2fs_map_for_read(struct f2fs_data *fd, struct inode *inode, pgoff_t index);

/* Blocks for a direct write from page @index on, at most @nr pages: the first contiguous run. */
struct extent f2fs_map_for_write(struct f2fs_data *fd, struct inode *inode, pgoff_t index,
				 uint64_t nr);

/* An empty bio of @op from @block on, whose private is @fd. */
struct bio *f2fs_bio_new(struct f2fs_data *fd, enum req_op op, block_t block, unsigned int opf,
			 void (*end_io)(struct bio *, bool));

/* Append @folio to @bio's list. */
void f2fs_bio_add(struct bio *bio, struct folio *folio);

/* Hand @bio to the block layer; returns the CPU time, ns. */
int64_t f2fs_send_bio(struct f2fs_data *fd, struct bio *bio, struct blk_plug *plug);

/*
 * f2fs_submit_page_write(): @folio, clean and under writeback by now, gets its block and joins the
 * open bio of its temperature; bios it cannot join are sent.  Returns the CPU time, ns.
 */
int64_t f2fs_submit_page_write(struct writepages *wp, struct folio *folio);

#endif

/*
 * models/f2fs_internal.h - what the files f2fs_data.c, f2fs_submit.c, f2fs_ipu.c, f2fs_write.c
 * share.  Level 3.
 */
#ifndef MODELS_F2FS_INTERNAL_H
#define MODELS_F2FS_INTERNAL_H

#include "models/f2fs_data.h"

#define BLOCKS_PER_SEG 512u

enum { DONTCACHE_NONE, DONTCACHE_READ_ONLY, DONTCACHE_READ_WRITE };
enum { UPDATE_OUT_OF_PLACE, UPDATE_IN_PLACE, UPDATE_F2FS };

/* Kinds of blocks that are written, each with its own open bios; META has one temperature. */
enum page_type { DATA, NODE, META, NR_PAGE_TYPES };

/* Bits of ipu_policy, as in fs/f2fs/segment.h. */
#define F2FS_IPU_FORCE (1u << 0)
#define F2FS_IPU_UTIL (1u << 2)
#define F2FS_IPU_FSYNC (1u << 4)
#define F2FS_IPU_ASYNC (1u << 5)
#define F2FS_IPU_NOCACHE (1u << 6)
#define F2FS_IPU_HONOR_OPU_WRITE (1u << 7)

/* inode->fi_flags */
#define FI_LOOKED_UP (1u << 0) /* cold_inodes and pinned_inodes were asked */
#define FI_COLD_FILE (1u << 1)
#define FI_PIN_FILE (1u << 2)
#define FI_NEED_IPU (1u << 3)  /* a fsync that wants in-place updates writes */
#define FI_OPU_WRITE (1u << 4) /* never in place */

/* struct f2fs_io_info: one block that is written. */
struct f2fs_io_info {
	enum page_type type;
	enum temp_type temp;
	unsigned int op_flags;		  /* REQ_* */
	block_t old_blkaddr, new_blkaddr; /* old: 0 = none, or not asked for */
	struct folio *folio;		  /* DATA; NULL for NODE and META */
	struct inode *inode;		  /* NULL for META */
};

/* struct f2fs_bio_info: the one open write bio of a type and temperature, where contiguous blocks
 * join (KERNEL 2.7). */
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
		uint64_t vec_pages, device_blocks;
		uint64_t ipu_policy, min_fsync_blocks, min_ipu_util, utilization;
		char *cold_inodes, *pinned_inodes;
		int64_t map_ns, submit_page_ns, flusher_page_ns, submit_bio_ns;
		int64_t end_io_page_ns, end_read_page_ns;
	} conf;
	struct {
		uint64_t read_bios, read_bio_pages, hole_pages;
		uint64_t write_bios, write_bio_pages, dropbehind_bios, mixed_bios;
		uint64_t checkpoints;
		uint64_t ipu_bios, ipu_pages, node_meta_bios;
		uint64_t blocks_hinted, blocks_assumed, blocks_allocated;
		uint64_t writepages_skipped, writepages_stopped, writepages_waits,
			writepages_wait_ns;
	} stat;
	struct filemap *fm;
	block_t log_head;  /* next block the log gives out */
	GHashTable *hints; /* inode -> extent_map of what the capture shows; never iterated */
	struct f2fs_bio_info write_io[NR_PAGE_TYPES][NR_TEMPS];
	struct bio *ipu[NR_TEMPS];	     /* open IPU bios, through bio->next */
	uint64_t pages_in_bios;		     /* of write bios, open or under way */
	GArray *cold_inodes, *pinned_inodes; /* uint64_t */
	uint32_t wb_sync_req; /* WB_SYNC_ALL passes that write now (wb_sync_req[DATA]) */
	unsigned int checkpoints_running; /* cp_rwsem is held for writing */
	struct task *writepages_owner;	  /* of the mutex sbi->writepages */
	struct wait_queue writepages_wait;
};

/* Assert the invariants of f2fs_submit.c. */
void f2fs_data_check(const struct model *m);
void f2fs_data_check_idle(const struct model *m);

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

/* The block the capture shows for the write of page @index, 0 = it shows none. */
block_t f2fs_hinted_block(struct f2fs_data *fd, struct inode *inode, pgoff_t index);

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
 * f2fs_do_write_data_page(): @folio, clean and under writeback by now, stays in place or gets a new
 * block, and joins a bio; bios it cannot join are sent.  Returns the CPU time, ns.
 */
int64_t f2fs_do_write_data_page(struct writepages *wp, struct folio *folio);

/* f2fs_submit_page_write(): the block of @fio joins the merged bio of its type and temperature.
 * Returns the CPU time of bios sent, ns; so do all that send. */
int64_t f2fs_submit_page_write(struct f2fs_data *fd, const struct f2fs_io_info *fio,
			       struct blk_plug *plug);

/* An empty write bio at the block of @fio. */
struct bio *f2fs_write_bio_new(struct f2fs_data *fd, const struct f2fs_io_info *fio);

/* Is @block the next of @bio, on the same device, and @bio not too large? */
bool f2fs_bio_continues(const struct f2fs_data *fd, const struct bio *bio, block_t block);

/* Blocks from @block to the end of its device. */
uint64_t f2fs_device_left(const struct f2fs_data *fd, block_t block);

/* Append @folio with its flag; false when the bio_vecs are used up. */
bool f2fs_bio_add_page(struct f2fs_data *fd, struct bio *bio, struct folio *folio);
bool f2fs_bio_holds(const struct bio *bio, const struct folio *folio);

/* End of a pass: send the merged bios of its inode and its IPU bio. */
int64_t f2fs_submit_pass(struct writepages *wp);

/* models/f2fs_ipu.c.  Sets fio->old_blkaddr under update = f2fs; true = write there. */
bool f2fs_need_inplace_update(struct f2fs_data *fd, struct f2fs_io_info *fio);
int64_t f2fs_inplace_write_data(struct writepages *wp, const struct f2fs_io_info *fio);
enum temp_type f2fs_data_temp(const struct f2fs_data *fd, const struct writepages *wp);

/* Send an open IPU bio (NULL = none), all of them, or the one that holds @folio. */
int64_t f2fs_submit_ipu(struct f2fs_data *fd, struct bio *bio, struct blk_plug *plug);
int64_t f2fs_submit_all_ipu(struct f2fs_data *fd, struct blk_plug *plug);
int64_t f2fs_submit_ipu_of(struct f2fs_data *fd, const struct folio *folio, struct blk_plug *plug);

/* Keys of f2fs_ipu.c: checked and parsed. */
bool f2fs_ipu_init(struct f2fs_data *fd, GError **err);
void f2fs_ipu_fini(struct f2fs_data *fd);

#endif

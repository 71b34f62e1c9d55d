/*
 * models/f2fs_data.h - file pages to blocks, bios for reading and writing them.  Level 3.
 *
 * Stands for fs/f2fs/data.c (and the log of fs/f2fs/segment.c).
 */
#ifndef MODELS_F2FS_DATA_H
#define MODELS_F2FS_DATA_H

#include "models/blk_mq.h"
#include "models/extent_map.h"
#include "models/pagemap.h"

struct f2fs_data;
extern const struct model_ops f2fs_data_model;
struct f2fs_data *f2fs_data_of(const struct sim *sim);

/* Which direction of RWF_DONTCACHE the file system answers with -EOPNOTSUPP. */
bool f2fs_supports_dontcache(const struct f2fs_data *fd, bool write);

/* Before the run: @inode exists with @size bytes on the device. */
void f2fs_set_initial_size(struct inode *inode, int64_t size);

/*
 * Before the run: the capture shows that pages [@index, @index + @len) of @inode live at @block.
 * Reads use it, and writes go where the capture's writes went.
 */
void f2fs_hint_map(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t len,
		   block_t block);

/*
 * f2fs_mpage_readpages(): read the @nr pages from @index on, all in locked, not uptodate folios, as
 * bios of contiguous blocks (holes are zeroed at once).  Returns the CPU time it takes, ns.
 */
int64_t f2fs_read_folios(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t nr,
			 unsigned int opf, struct blk_plug *plug);

/* Temperatures of what is written (KERNEL 1.6, 2.7). */
enum temp_type { TEMP_HOT, TEMP_WARM, TEMP_COLD, NR_TEMPS };

/* One writepages pass over an inode in a task's context (struct writeback_control and its loop). */
struct writepages {
	struct f2fs_data *fd;
	struct inode *inode;
	pgoff_t index, last; /* range, pages; index moves on */
	pgoff_t first;	     /* where index began; set by f2fs_writepages() */
	bool sync_all;	     /* WB_SYNC_ALL, REQ_SYNC: done only when the range is written */
	bool background;     /* REQ_BACKGROUND */
	int64_t nr_to_write; /* pages; a WB_SYNC_NONE pass ends below 1 */
	bool hot;	     /* FI_HOT_DATA: the inode had few dirty pages at the start */
	uint64_t wrote,
		skipped; /* pages written; pages passed over: under writeback, or a fsync ran */
	bool locked;	 /* holds the file system's writepages mutex */
	ktime_t wait_since;
	task_fn done; /* the task goes on here */
	void *saved;  /* the task's private, restored before done */
	struct blk_plug plug;
	struct bio *ipu_bio; /* open IPU bio of this pass, in the list of ipu_temp; NULL = none */
	enum temp_type ipu_temp;
};

/*
 * Write the dirty pages of the range; @t goes on in wp->done: at once under WB_SYNC_NONE, when no
 * page of the range is under writeback any more under WB_SYNC_ALL (filemap_write_and_wait_range).
 * Must be the last thing the task's next function does.  @wp stays valid until then.
 */
void f2fs_writepages(struct task *t, struct writepages *wp);

/* Send the open merged write bios that hold a page of @inode to the device; NULL = all open bios.
 */
int64_t f2fs_submit_merged_write(struct f2fs_data *fd, struct inode *inode, struct blk_plug *plug);

/* f2fs_wait_on_page_writeback(): send the open bio that holds @folio, if there is one. */
int64_t f2fs_submit_bio_of(struct f2fs_data *fd, const struct folio *folio, struct blk_plug *plug);

/* A fsync of @inode begins to write, has written: FI_NEED_IPU of a fdatasync or a short fsync. */
void f2fs_fsync_begins(struct f2fs_data *fd, struct inode *inode, bool datasync);
void f2fs_fsync_wrote(struct inode *inode);

/* Has page @index a block? */
bool f2fs_maps(struct f2fs_data *fd, struct inode *inode, pgoff_t index);

/* Forget the blocks of @inode from byte @from on. */
void f2fs_truncate_blocks(struct f2fs_data *fd, struct inode *inode, int64_t from);

#endif

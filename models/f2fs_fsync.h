/*
 * models/f2fs_fsync.h - fsync of a range.  Level 5.
 */
#ifndef MODELS_F2FS_FSYNC_H
#define MODELS_F2FS_FSYNC_H

#include "models/fs_writeback.h"

/* One fsync in a task's context. */
struct fsync {
	struct f2fs_data *fd;
	struct fs_writeback *fw;
	struct inode *inode;
	int64_t pos, len; /* bytes; len 0 = to the end of the file */
	bool datasync;	  /* fdatasync */
	task_fn done;	  /* the task goes on here */
	/* private */
	void *saved;
	struct writepages wp;
	struct sim *sim;
	bool flushing;
	struct wait_queue flush_wait;
};

/*
 * Write the dirty pages of the range with WB_SYNC_ALL, wait for them, flush a volatile device
 * cache.  As filemap_read(): the last thing the task's next function does; @fs stays valid until
 * done.
 */
void f2fs_sync_file(struct task *t, struct fsync *fs);

#endif

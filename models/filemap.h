/*
 * models/filemap.h - the buffered read and write loops (upper half of mm/filemap.c).  Level 6.
 */
#ifndef MODELS_FILEMAP_H
#define MODELS_FILEMAP_H

#include "models/fs_writeback.h"
#include "models/readahead.h"
#include "models/vmscan.h"

/* One buffered read or write in a task's context (struct kiocb and its loop). */
struct filemap_io {
	struct filemap *fm;
	struct f2fs_data *fd;
	struct fs_writeback *fw;
	struct vmscan *vs;
	struct file *file;
	int64_t pos, end; /* bytes; pos moves on */
	bool dontcache;	  /* IOCB_DONTCACHE */
	bool no_iocb;	  /* an internal writer: no call, no throttling, i_size stays */
	int64_t error;	  /* 0 or -errno once done */
	task_fn done;	  /* the task goes on here, with its private as before */
	/* private to filemap.c */
	void *saved;
	bool asked; /* balance_dirty_pages() let it go on: dirty something before asking again */
	int64_t cost_ns;  /* CPU time not yet charged */
	uint32_t retries; /* times in a row that reclaim freed no page */
	struct scan_control reclaim;
	int64_t begun;	  /* 1 + where the last traced f2fs_write_begin was; 0 = none */
	pgoff_t missed;	  /* 1 + index of the page that was not cached; 0 = none */
	struct readahead_control rac;
};

/*
 * Read [pos, end), cut at i_size, in @t's context.  Must be the last thing the task's next function
 * does; @io stays valid until done.
 */
void filemap_read(struct task *t, struct filemap_io *io);

/* generic_perform_write(): dirty [pos, end), growing i_size.  The caller holds the inode's i_rwsem.
 */
void generic_perform_write(struct task *t, struct filemap_io *io);

#endif

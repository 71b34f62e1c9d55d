/*
 * models/f2fs_fsync.c - fsync: write, wait, flush.  Level 5.
 *
 * Stands for f2fs_sync_file() (fs/f2fs/file.c v6.1) as far as data goes: the range's dirty pages
 * are written with WB_SYNC_ALL, pages under writeback waited for, then one flush is sent
 * (f2fs_issue_flush) unless the device has no volatile cache.
 *
 * Not modelled: the file's node pages, the checkpoint some fsyncs end in (only those of
 * models/background.c do), merging of concurrent flushes above the block layer.
 */
#include "models/f2fs_fsync.h"

#include "sim/trace_events.h"

static void sync_finish(struct task *t)
{
	struct fsync *fs = t->private;

	t->private = fs->saved;
	fs->done(t);
}

static void flush_end_io(struct bio *bio, bool in_task)
{
	struct fsync *fs = bio->private;

	(void)in_task;
	fs->flushing = false;
	wake_up_all(&fs->flush_wait);
	bio_put(fs->sim, bio);
}

static void flush_wait(struct task *t)
{
	struct fsync *fs = t->private;

	if (fs->flushing)
		task_wait(t, &fs->flush_wait, flush_wait, "flush of the device cache",
			  fs->inode->i_ino, 0);
	else
		sync_finish(t);
}

static void sync_flush(struct task *t)
{
	struct fsync *fs = t->private;
	struct model *dev = model_chosen(t->sim, "device");

	f2fs_fsync_wrote(fs->inode);
	inode_clean(fs->fw, fs->inode);
	if (!dev_ops_of(dev)->volatile_cache(dev)) {
		sync_finish(t);
		return;
	}
	struct bio *bio = bio_alloc(t->sim);

	bio->op = REQ_OP_FLUSH;
	bio->opf = REQ_PREFLUSH;
	bio->end_io = flush_end_io;
	bio->private = fs;
	fs->flushing = true;
	trace_f2fs_issue_flush(t->sim, fs->inode->i_dev, fs->inode->i_ino);
	submit_bio(t->sim, bio, NULL);
	flush_wait(t);
}

void f2fs_sync_file(struct task *t, struct fsync *fs)
{
	fs->saved = t->private;
	t->private = fs;
	fs->sim = t->sim;
	wait_queue_init(&fs->flush_wait);
	fs->wp = (struct writepages){
		.fd = fs->fd,
		.inode = fs->inode,
		.index = (pgoff_t)fs->pos >> PAGE_SHIFT,
		.last = fs->len ? (pgoff_t)(fs->pos + fs->len - 1) >> PAGE_SHIFT : UINT64_MAX,
		.sync_all = true,
		.done = sync_flush,
	};
	f2fs_fsync_begins(fs->fd, fs->inode, fs->datasync);
	f2fs_writepages(t, &fs->wp);
}

/*
 * models/f2fs_direct.c - O_DIRECT.  Level 5.
 *
 * Stands for f2fs_dio_read_iter() and f2fs_dio_write_iter() (fs/f2fs/file.c v6.1): dirty pages of
 * the range are written and waited for, a write drops the range's pages, then one bio an extent
 * goes to the device and the call ends with the last.  Holes read nothing.
 *
 * Not modelled: asynchronous direct I/O (the call waits), alignment errors, the fallback to
 * buffered writes.
 */
#include "models/f2fs_direct.h"
#include "models/f2fs_internal.h"

static void direct_end_io(struct bio *bio, bool in_task)
{
	struct direct_io *dio = bio->private;

	(void)in_task;
	if (!--dio->pending)
		wake_up_all(&dio->wait);
	bio_put(dio->fd->model.sim, bio);
}

static void direct_wait(struct task *t)
{
	struct direct_io *dio = t->private;

	if (dio->pending) {
		task_wait(t, &dio->wait, direct_wait, "a direct transfer", dio->inode->i_ino,
			  (uint64_t)dio->pos);
		return;
	}
	t->private = dio->saved;
	dio->done(t);
}

static int64_t direct_bio(struct direct_io *dio, struct extent e, struct blk_plug *plug)
{
	struct bio *bio = bio_alloc(dio->fd->model.sim);

	bio->op = dio->write ? REQ_OP_WRITE : REQ_OP_READ;
	bio->opf = REQ_SYNC;
	bio->sector = e.block * SECTORS_PER_PAGE;
	bio->size_bytes = (int64_t)e.len << PAGE_SHIFT;
	bio->end_io = direct_end_io;
	bio->private = dio;
	dio->pending++;
	return f2fs_send_bio(dio->fd, bio, plug);
}

static void direct_transfer(struct task *t)
{
	struct direct_io *dio = t->private;
	pgoff_t index = (pgoff_t)dio->pos >> PAGE_SHIFT;
	pgoff_t end = (pgoff_t)(dio->pos + dio->len + PAGE_SIZE - 1) >> PAGE_SHIFT;
	struct blk_plug plug;
	int64_t cost_ns = 0;

	if (dio->write)
		invalidate_mapping_pages(dio->fm, &dio->inode->i_data, index, end - 1);
	blk_start_plug(&plug);
	while (index < end) {
		struct extent e =
			dio->write ? f2fs_map_for_write(dio->fd, dio->inode, index, end - index)
				   : f2fs_map_for_read(dio->fd, dio->inode, index);

		e.len = MIN(e.len, end - index);
		if (e.block)
			e.len = MIN(e.len, f2fs_device_left(dio->fd, e.block));
		if (e.block)
			cost_ns += direct_bio(dio, e, &plug);
		index += e.len;
	}
	blk_finish_plug(t->sim, &plug);
	if (dio->write)
		dio->inode->i_size = MAX(dio->inode->i_size, dio->pos + dio->len);
	task_run(t, cost_ns + dio->fd->conf.map_ns, direct_wait);
}

void f2fs_direct_io(struct task *t, struct direct_io *dio)
{
	dio->saved = t->private;
	t->private = dio;
	if (!dio->write)
		dio->len = MAX(MIN(dio->len, dio->inode->i_size - dio->pos), 0);
	dio->result = dio->len;
	dio->pending = 0;
	wait_queue_init(&dio->wait);
	dio->wp = (struct writepages){
		.fd = dio->fd,
		.inode = dio->inode,
		.index = (pgoff_t)dio->pos >> PAGE_SHIFT,
		.last = (pgoff_t)(dio->pos + MAX(dio->len, 1) - 1) >> PAGE_SHIFT,
		.sync_all = true,
		.done = direct_transfer,
	};
	f2fs_writepages(t, &dio->wp);
}

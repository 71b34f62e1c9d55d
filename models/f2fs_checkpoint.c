/*
 * models/f2fs_checkpoint.c - a checkpoint: meta blocks, a wait, a flush.  Level 5.
 *
 * Stands for f2fs_write_checkpoint() of fs/f2fs/checkpoint.c (v6.12) as far as data pages feel it.
 * From its first block until its pack is on the device the checkpoint holds cp_rwsem for writing.
 * A buffered write goes on meanwhile (it needs node_change only), but writing a page out needs
 * cp_rwsem for reading: a WB_SYNC_NONE pass does not wait for it, it passes the page over
 * (f2fs_do_write_data_page() answers EAGAIN) and leaves it dirty.  So the kick of a dontcache write
 * does nothing during a checkpoint and its pages wait for the periodic flush.
 *
 * The meta blocks queue behind what the device has to do already, hence a checkpoint lasts as long
 * as the queue it finds (MODELING 1.4: the step of the Dirty column).
 *
 * Not modelled: which blocks are dirty (CP_BLOCKS in one bio), node pages, SIT and NAT journals,
 * GC. I1  checkpoints_running is 0 when none is between its start and its end.
 */
#include "models/f2fs_checkpoint.h"
#include "models/f2fs_internal.h"

#define CP_BLOCKS                                                                                  \
	8 /* a pack of the small size: two cp blocks, summaries, a NAT and SIT block or two */

static void write_pack(struct task *t);

static void checkpoint_end_io(struct bio *bio, bool in_task)
{
	struct checkpoint *cp = bio->private;
	struct sim *sim = cp->fd->model.sim;

	(void)in_task;
	cp->in_flight = false;
	wake_up_all(&cp->wait);
	bio_put(sim, bio);
}

static void send(struct checkpoint *cp, enum req_op op, unsigned int opf, int64_t size_bytes)
{
	struct bio *bio = f2fs_bio_new(cp->fd, op, 0, opf, checkpoint_end_io);

	bio->private = cp;
	bio->size_bytes = size_bytes;
	if (size_bytes) /* the first segment is the checkpoint area */
		bio->sector = SECTORS_PER_PAGE;
	cp->in_flight = true;
	submit_bio(cp->fd->model.sim, bio, NULL);
}

static void wait_bio(struct task *t)
{
	struct checkpoint *cp = t->private;
	struct model *dev = model_chosen(t->sim, "device");

	if (cp->in_flight) {
		task_wait(t, &cp->wait, wait_bio, "a checkpoint's blocks", 0, 0);
		return;
	}
	if (!cp->flushed && dev_ops_of(dev)->volatile_cache(dev)) {
		cp->flushed = true;
		send(cp, REQ_OP_FLUSH, REQ_PREFLUSH, 0);
		wait_bio(t);
		return;
	}
	assert(cp->fd->checkpoints_running);
	cp->fd->checkpoints_running--;
	t->private = cp->saved;
	cp->done(t);
}

static void write_pack(struct task *t)
{
	struct checkpoint *cp = t->private;
	struct wait_queue *wq = blk_mq_tags_wait(t->sim);

	if (wq) {
		task_wait(t, wq, write_pack, "a free request tag", 0, 0);
		return;
	}
	send(cp, REQ_OP_WRITE, REQ_SYNC | REQ_META | REQ_PRIO, CP_BLOCKS * PAGE_SIZE);
	task_run(t, cp->fd->conf.submit_bio_ns, wait_bio);
}

void f2fs_write_checkpoint(struct task *t, struct checkpoint *cp)
{
	cp->saved = t->private;
	t->private = cp;
	cp->in_flight = cp->flushed = false;
	wait_queue_init(&cp->wait);
	cp->fd->checkpoints_running++;
	cp->fd->stat.checkpoints++;
	write_pack(t);
}

/*
 * models/f2fs_write.c - writepages: a pass over an inode's dirty pages.  Level 3.
 *
 * Stands for f2fs_write_cache_pages() of fs/f2fs/data.c (v6.1).  A pass walks the dirty marks of a
 * range in order and hands each page to f2fs_do_write_data_page() (models/f2fs_submit.c); at the
 * end of the pass the inode's open bios are sent.
 *
 * A pass runs in the calling task, at most BATCH_PAGES or BATCH_NS between two events, and sleeps
 * where the kernel's does: on tags, and under WB_SYNC_ALL on pages that are under writeback.
 *
 * DEVIATION: a batch changes the pages' state at its start and charges the CPU time after, so
 * states lead by up to one batch (512 pages or 2 ms).
 * Not modelled: the cyclic writeback_index.
 *
 * Passes of the file system stand in each other's way (KERNEL 1.6): WB_SYNC_NONE passes and large
 * WB_SYNC_ALL ones take the mutex sbi->writepages in order of arrival; while a WB_SYNC_ALL pass
 * writes, a WB_SYNC_NONE pass does not begin and one that runs stops.
 */
#include "models/f2fs_internal.h"

#include "sim/trace_events.h"

#define BATCH_PAGES 512u
#define BATCH_NS (2 * NSEC_PER_MSEC) /* others may have the CPU (cond_resched()) */
#define HOT_DATA_PAGES 16u	     /* min_hot_blocks */
#define SEQ_IO_PAGES 512u /* min_seq_blocks: from here on WB_SYNC_ALL takes the mutex too */

static void writepages_step(struct task *t);

/* The next dirty folio of the range at or after wp->index, NULL = none. */
static struct folio *next_dirty(struct writepages *wp)
{
	struct folio *folio;
	uint64_t index = wp->index;

	if (wp->index > wp->last)
		return NULL;
	folio = filemap_get_folio(&wp->inode->i_data, index); /* a large folio that began before */
	if (folio && folio->flags & PG_dirty)
		return folio;
	return xa_find_marked(&wp->inode->i_data.i_pages, &index, wp->last, XA_MARK_0);
}

static void writepages_finish(struct task *t)
{
	struct writepages *wp = t->private;

	t->private = wp->saved;
	wp->done(t);
}

/* WB_SYNC_ALL: until nothing of the range is under writeback. */
static void wait_writeback_step(struct task *t)
{
	struct writepages *wp = t->private;
	uint64_t index = wp->first;
	struct folio *folio =
		xa_find_marked(&wp->inode->i_data.i_pages, &index, wp->last, XA_MARK_1);

	if (folio)
		task_wait(t, folio_wait_queue(wp->fd->fm, folio), wait_writeback_step,
			  "writeback of a page", wp->inode->i_ino, index);
	else
		writepages_finish(t);
}

/* The mutex goes straight to the oldest waiter. */
static void writepages_unlock(struct f2fs_data *fd)
{
	fd->writepages_owner = fd->writepages_wait.first;
	if (fd->writepages_owner)
		wake_up(&fd->writepages_wait);
}

/* The pass has submitted all; its CPU time has passed. */
static void writepages_submitted(struct task *t)
{
	struct writepages *wp = t->private;

	if (wp->locked)
		writepages_unlock(wp->fd);
	wb_writepages_ends(wp->fd->fm->pw);
	if (wp->sync_all) {
		assert(wp->fd->wb_sync_req);
		wp->fd->wb_sync_req--;
		wait_writeback_step(t);
	} else {
		writepages_finish(t);
	}
}

static void writepages_end(struct task *t, int64_t cost_ns)
{
	struct writepages *wp = t->private;

	cost_ns += f2fs_submit_pass(wp);
	blk_finish_plug(wp->fd->model.sim, &wp->plug);
	task_run(t, cost_ns, writepages_submitted);
}

/* Sleep until tags are free, then go on. */
static void writepages_tags(struct task *t)
{
	struct writepages *wp = t->private;
	struct wait_queue *wq = blk_mq_tags_wait(wp->fd->model.sim);

	if (!wq) {
		writepages_step(t);
		return;
	}
	blk_finish_plug(wp->fd->model.sim, &wp->plug); /* as schedule() does */
	task_wait(t, wq, writepages_tags, "a free request tag", wp->inode->i_ino, wp->index);
}

/* WB_SYNC_ALL met a page under writeback: wait for it. */
static void writepages_wait_page(struct task *t)
{
	struct writepages *wp = t->private;
	struct folio *folio = filemap_get_folio(&wp->inode->i_data, wp->index);

	if (folio && folio->flags & PG_writeback)
		task_wait(t, folio_wait_queue(wp->fd->fm, folio), writepages_wait_page,
			  "writeback of a page", wp->inode->i_ino, wp->index);
	else
		writepages_step(t);
}

/* A fsync writes, or a checkpoint holds cp_rwsem: WB_SYNC_NONE leaves its pages dirty. */
static bool must_yield(const struct writepages *wp)
{
	return !wp->sync_all && ((wp->fd->conf.writepages_mutex && wp->fd->wb_sync_req) ||
				 wp->fd->checkpoints_running);
}

static void writepages_step(struct task *t)
{
	struct writepages *wp = t->private;
	struct f2fs_data *fd = wp->fd;
	int64_t cost_ns = 0;
	uint64_t batch = 0;
	struct folio *folio;

	if (must_yield(wp)) {
		fd->stat.writepages_stopped++;
		writepages_end(t, 0);
		return;
	}
	while ((folio = next_dirty(wp)) && batch < BATCH_PAGES && cost_ns < BATCH_NS &&
	       (wp->sync_all || wp->nr_to_write > 0)) {
		uint64_t nr = folio_nr_pages(folio);

		wp->index = folio->index;
		if (folio->flags & PG_writeback && wp->sync_all) {
			cost_ns += f2fs_submit_merged_write(fd, NULL, &wp->plug);
			blk_finish_plug(fd->model.sim, &wp->plug);
			task_run(t, cost_ns, writepages_wait_page);
			return;
		}
		wp->index = folio_next_index(folio);
		if (folio->flags & (PG_writeback | PG_locked)) {
			wp->skipped += nr;
			continue;
		}
		folio_clear_dirty_for_io(fd->fm, folio);
		folio_start_writeback(fd->fm, folio);
		cost_ns += f2fs_do_write_data_page(wp, folio);
		if (wp->background)
			cost_ns += (int64_t)nr * fd->conf.flusher_page_ns;
		wp->wrote += nr;
		wp->nr_to_write -= (int64_t)nr;
		batch += nr;
	}
	if (!folio || (!wp->sync_all && wp->nr_to_write <= 0))
		writepages_end(t, cost_ns);
	else
		task_run(t, cost_ns, writepages_tags);
}

/* f2fs_write_cache_pages(), with the mutex if it needs it. */
static void writepages_begin(struct task *t)
{
	struct writepages *wp = t->private;

	wp->hot = wp->inode->i_data.i_pages.nr_marked[XA_MARK_0] <= HOT_DATA_PAGES;
	if (wp->inode->i_data.i_pages.nr_marked[XA_MARK_0])
		trace_f2fs_writepages(t->sim, wp->inode->i_dev, wp->inode->i_ino,
				      wp->sync_all ? INT64_MAX : wp->nr_to_write, wp->first,
				      wp->last, wp->sync_all, wp->background, wp->background);
	blk_start_plug(&wp->plug);
	writepages_tags(t); /* the first bio sleeps for a tag like any other */
}

static void writepages_got_mutex(struct task *t)
{
	struct writepages *wp = t->private;

	assert(wp->fd->writepages_owner == t);
	wp->fd->stat.writepages_wait_ns += (uint64_t)(t->sim->now - wp->wait_since);
	writepages_begin(t);
}

static void writepages_lock(struct task *t)
{
	struct writepages *wp = t->private;
	struct f2fs_data *fd = wp->fd;

	wp->locked = true;
	if (!fd->writepages_owner) {
		fd->writepages_owner = t;
		writepages_begin(t);
		return;
	}
	fd->stat.writepages_waits++;
	wp->wait_since = t->sim->now;
	task_wait(t, &fd->writepages_wait, writepages_got_mutex,
		  "the file system's writepages mutex", wp->inode->i_ino, wp->index);
}

void f2fs_writepages(struct task *t, struct writepages *wp)
{
	struct f2fs_data *fd = wp->fd;
	uint64_t dirty = wp->inode->i_data.i_pages.nr_marked[XA_MARK_0];

	wp->saved = t->private;
	t->private = wp;
	wp->first = wp->index;
	wp->wrote = wp->skipped = 0;
	wp->locked = false;
	wb_writepages_begins(fd->fm->pw);
	if (!dirty) {
		if (wp->sync_all)
			wait_writeback_step(t);
		else
			writepages_finish(t);
		return;
	}
	if (must_yield(wp)) {
		fd->stat.writepages_skipped++;
		wp->skipped = dirty;
		writepages_finish(t);
		return;
	}
	if (wp->sync_all)
		fd->wb_sync_req++;
	if (fd->conf.writepages_mutex && (!wp->sync_all || dirty >= SEQ_IO_PAGES))
		writepages_lock(t);
	else
		writepages_begin(t);
}

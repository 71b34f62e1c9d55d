/*
 * models/f2fs_write.c - writepages: dirty pages to merged bios, and what their end does.  Level 3.
 *
 * Stands for f2fs_write_cache_pages(), f2fs_submit_page_write() and f2fs_write_end_io() of
 * fs/f2fs/data.c (v6.1). A pass walks the dirty marks of a range in order, gives each page a block
 * and lets it join the open bio of its temperature when it continues it (KERNEL 2.7); at the end of
 * the pass the inode's open bios are sent.  Normal and dropbehind pages share bios; the first
 * dropbehind page that joins marks the bio for completion in task context.
 *
 * A pass runs in the calling task, at most BATCH_PAGES between two events, and sleeps where the
 * kernel's does: on tags, and under WB_SYNC_ALL on pages that are under writeback.
 *
 * DEVIATION: a batch changes the pages' state at its start and charges the CPU time after, so
 * states lead by up to one batch (512 pages, some 0.5 ms). Not modelled yet: the per-filesystem
 * writepages mutex, skipping while a fsync runs, IPU.
 */
#include "models/f2fs_internal.h"

#include "sim/trace_events.h"

#define BATCH_PAGES 512u
#define HOT_DATA_PAGES 16u /* min_hot_blocks */

static void writepages_step(struct task *t);

static void f2fs_write_end_io(struct bio *bio, bool in_task)
{
	struct f2fs_data *fd = bio->private;
	struct folio *folio = bio->folios;

	while (folio) {
		struct folio *next = folio->bio_next;

		folio_end_writeback(fd->fm, folio, in_task);
		folio = next;
	}
	bio_put(fd->model.sim, bio);
}

static int64_t submit_open_bio(struct f2fs_data *fd, struct f2fs_bio_info *io,
			       struct blk_plug *plug)
{
	struct bio *bio = io->bio;

	if (!bio)
		return 0;
	io->bio = NULL;
	io->inode = NULL;
	return f2fs_send_bio(fd, bio, plug);
}

int64_t f2fs_submit_merged_write(struct f2fs_data *fd, struct inode *inode, struct blk_plug *plug)
{
	int64_t cost_ns = 0;

	for (unsigned int temp = 0; temp < NR_TEMPS; temp++)
		if (!inode || !fd->write_io[temp].inode || fd->write_io[temp].inode == inode)
			cost_ns += submit_open_bio(fd, &fd->write_io[temp], plug);
	return cost_ns;
}

static bool bio_takes(const struct f2fs_data *fd, const struct bio *bio, block_t block,
		      unsigned int opf)
{
	sector_t end = bio->sector + (sector_t)(bio->size_bytes >> SECTOR_SHIFT);

	return end == block * SECTORS_PER_PAGE && bio->opf == opf &&
	       (!fd->conf.max_bio || bio->size_bytes < fd->conf.max_bio);
}

/* The flag is monotonic: once a dropbehind folio joined, the whole bio ends in task context
 * (KERNEL 2.6). */
static void note_dropbehind(struct f2fs_data *fd, struct bio *bio, const struct folio *folio)
{
	bool flagged = bio->bi_flags & BIO_COMPLETE_IN_TASK;
	bool dropbehind = folio->flags & PG_dropbehind;

	if (dropbehind && !flagged) {
		bio->bi_flags |= BIO_COMPLETE_IN_TASK;
		fd->stat.dropbehind_bios++;
	}
	if (bio->nr_folios && dropbehind != flagged && !bio->mixed) {
		bio->mixed = true;
		fd->stat.mixed_bios++;
	}
}

/* f2fs_submit_page_write(): @folio joins the open bio of its temperature.  Returns CPU ns. */
static int64_t submit_page_write(struct writepages *wp, struct folio *folio)
{
	struct f2fs_data *fd = wp->fd;
	unsigned int opf = wp->sync_all ? REQ_SYNC : wp->background ? REQ_BACKGROUND : 0;
	uint64_t nr = folio_nr_pages(folio);
	struct f2fs_bio_info *io = &fd->write_io[wp->hot ? TEMP_HOT : TEMP_WARM];
	block_t old = trace_enabled(fd->model.sim) ? f2fs_mapped_block(wp->inode, folio->index) : 0;
	block_t block = f2fs_allocate_block(fd, wp->inode, folio->index, nr);
	int64_t cost_ns = (int64_t)nr * fd->conf.submit_page_ns;

	if (io->bio && !bio_takes(fd, io->bio, block, opf))
		cost_ns += submit_open_bio(fd, io, &wp->plug);
	if (!io->bio) {
		io->bio = f2fs_bio_new(fd, REQ_OP_WRITE, block, opf, f2fs_write_end_io);
		fd->stat.write_bios++;
		io->inode = wp->inode;
	} else if (io->inode != wp->inode) {
		io->inode = NULL;
	}
	trace_f2fs_submit_page_write(fd->model.sim, wp->inode->i_dev, wp->inode->i_ino,
				     folio->index, old, block, wp->sync_all, wp->hot);
	note_dropbehind(fd, io->bio, folio);
	f2fs_bio_add(io->bio, folio);
	fd->stat.write_bio_pages += nr;
	return cost_ns;
}

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

static void writepages_end(struct task *t, int64_t cost_ns)
{
	struct writepages *wp = t->private;

	cost_ns += f2fs_submit_merged_write(wp->fd, wp->inode, &wp->plug);
	blk_finish_plug(wp->fd->model.sim, &wp->plug);
	task_run(t, cost_ns, wp->sync_all ? wait_writeback_step : writepages_finish);
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

static void writepages_step(struct task *t)
{
	struct writepages *wp = t->private;
	struct f2fs_data *fd = wp->fd;
	int64_t cost_ns = 0;
	uint64_t batch = 0;
	struct folio *folio;

	while ((folio = next_dirty(wp)) && batch < BATCH_PAGES &&
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
		cost_ns += submit_page_write(wp, folio);
		wp->wrote += nr;
		wp->nr_to_write -= (int64_t)nr;
		batch += nr;
	}
	if (!folio || (!wp->sync_all && wp->nr_to_write <= 0))
		writepages_end(t, cost_ns);
	else
		task_run(t, cost_ns, writepages_tags);
}

void f2fs_writepages(struct task *t, struct writepages *wp)
{
	wp->saved = t->private;
	t->private = wp;
	wp->first = wp->index;
	wp->wrote = wp->skipped = 0;
	wb_writepages_begins(wp->fd->fm->pw);
	wp->hot = wp->inode->i_data.i_pages.nr_marked[XA_MARK_0] <= HOT_DATA_PAGES;
	if (wp->inode->i_data.i_pages.nr_marked[XA_MARK_0])
		trace_f2fs_writepages(t->sim, wp->inode->i_dev, wp->inode->i_ino,
				      wp->sync_all ? INT64_MAX : wp->nr_to_write, wp->first,
				      wp->last, wp->sync_all, wp->background, wp->background);
	blk_start_plug(&wp->plug);
	writepages_step(t);
}

/*
 * models/f2fs_submit.c - dirty pages to merged bios, and what their end does.  Level 3.
 *
 * Stands for f2fs_submit_page_write(), f2fs_submit_merged_write() and f2fs_write_end_io() of
 * fs/f2fs/data.c (v6.1).  A page gets a block and joins the open bio of its temperature when it
 * continues it (KERNEL 2.7).  Normal and dropbehind pages share bios; the first dropbehind page
 * that joins marks the bio for completion in task context.
 */
#include "models/f2fs_internal.h"

#include "sim/trace_events.h"

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

int64_t f2fs_submit_page_write(struct writepages *wp, struct folio *folio)
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

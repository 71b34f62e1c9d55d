/*
 * models/f2fs_submit.c - pages to bios, and what the end of a write does.  Level 3.
 *
 * Stands for f2fs_do_write_data_page(), f2fs_submit_page_write(), f2fs_submit_merged_write() and
 * f2fs_write_end_io() of fs/f2fs/data.c (v6.1).  A dirty page stays where it is (models/f2fs_ipu.c)
 * or gets a new block and joins the open bio of its type and temperature when it continues it: next
 * block, same device, same flags but PREFLUSH and FUA, below the size limit, a bio_vec left
 * (KERNEL 2.7).  There is one open bio for each of (DATA, NODE) x (HOT, WARM, COLD) and one for
 * META.
 *
 * Normal and dropbehind pages share bios; the first dropbehind page that joins marks the bio for
 * completion in task context, and nothing takes the mark away (KERNEL 2.6).
 *
 * Not modelled: who writes node and meta blocks (f2fs_submit_page_write() takes them), one log a
 * temperature (all share a log, so neighbours in it may be in bios of two temperatures).
 * I1  NODE and META bios hold no folio and never have BIO_COMPLETE_IN_TASK.
 * I2  a bio lies on one device and holds at most BIO_MAX_VECS vectors.
 * I3  pages under writeback = pages in write bios; nothing in flight: no bio is open, no lock held.
 */
#include "models/f2fs_internal.h"

#include "models/pagemap_drop.h"
#include "sim/trace_events.h"

#define BIO_MAX_VECS 256u

static void f2fs_write_end_io(struct bio *bio, bool in_task)
{
	struct f2fs_data *fd = bio->private;
	struct folio *folio = bio->folios;
	struct context_frame frame;

	context_call(fd->model.sim, &frame, "f2fs_write_end_io");
	while (folio) {
		struct folio *next = folio->bio_next;

		fd->pages_in_bios -= folio_nr_pages(folio);
		folio_end_writeback(fd->fm, folio, in_task);
		folio = next;
	}
	context_leave(fd->model.sim, &frame);
	bio_put(fd->model.sim, bio);
}

struct bio *f2fs_write_bio_new(struct f2fs_data *fd, const struct f2fs_io_info *fio)
{
	if (fio->type == DATA)
		fd->stat.write_bios++;
	else
		fd->stat.node_meta_bios++;
	return f2fs_bio_new(fd, REQ_OP_WRITE, fio->new_blkaddr, fio->op_flags, f2fs_write_end_io);
}

uint64_t f2fs_device_left(const struct f2fs_data *fd, block_t block)
{
	uint64_t blocks = fd->conf.device_blocks;

	return blocks ? blocks - block % blocks : UINT64_MAX;
}

bool f2fs_bio_continues(const struct f2fs_data *fd, const struct bio *bio, block_t block)
{
	sector_t end = bio->sector + (sector_t)(bio->size_bytes >> SECTOR_SHIFT);

	return end == block * SECTORS_PER_PAGE &&
	       (!fd->conf.device_blocks || block % fd->conf.device_blocks != 0) &&
	       (!fd->conf.max_bio || bio->size_bytes < fd->conf.max_bio);
}

/* Take a bio_vec for @folio, or room in the last one: pages that lie next to each other in memory
 * share it. */
static bool take_vec(const struct f2fs_data *fd, struct bio *bio, const struct folio *folio)
{
	if (!fd->conf.vec_pages)
		return true;
	if (bio->vec_left && !folio->order) {
		bio->vec_left--;
		return true;
	}
	if (bio->nr_vecs == BIO_MAX_VECS)
		return false;
	bio->nr_vecs++;
	bio->vec_left = folio->order ? 0 : (uint16_t)(fd->conf.vec_pages - 1);
	return true;
}

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
	if (dropbehind)
		bio->drop_cost_ns += (int64_t)folio_nr_pages(folio) * drop_page_cost_ns(fd->fm);
}

bool f2fs_bio_add_page(struct f2fs_data *fd, struct bio *bio, struct folio *folio)
{
	if (!take_vec(fd, bio, folio))
		return false;
	note_dropbehind(fd, bio, folio);
	f2fs_bio_add(bio, folio);
	fd->stat.write_bio_pages += folio_nr_pages(folio);
	fd->pages_in_bios += folio_nr_pages(folio);
	return true;
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
	unsigned int types = inode ? DATA + 1 : NR_PAGE_TYPES;
	int64_t cost_ns = 0;

	for (unsigned int type = DATA; type < types; type++)
		for (unsigned int temp = 0; temp < NR_TEMPS; temp++) {
			struct f2fs_bio_info *io = &fd->write_io[type][temp];

			if (!inode || !io->inode || io->inode == inode)
				cost_ns += submit_open_bio(fd, io, plug);
		}
	return inode ? cost_ns : cost_ns + f2fs_submit_all_ipu(fd, plug);
}

int64_t f2fs_submit_pass(struct writepages *wp)
{
	int64_t cost_ns = f2fs_submit_merged_write(wp->fd, wp->inode, &wp->plug);

	return cost_ns + f2fs_submit_ipu(wp->fd, wp->ipu_bio, &wp->plug);
}

bool f2fs_bio_holds(const struct bio *bio, const struct folio *folio)
{
	for (const struct folio *f = bio->folios; f; f = f->bio_next)
		if (f == folio)
			return true;
	return false;
}

int64_t f2fs_submit_bio_of(struct f2fs_data *fd, const struct folio *folio, struct blk_plug *plug)
{
	for (unsigned int temp = 0; temp < NR_TEMPS; temp++) {
		struct f2fs_bio_info *io = &fd->write_io[DATA][temp];

		if (io->bio && f2fs_bio_holds(io->bio, folio))
			return submit_open_bio(fd, io, plug);
	}
	return f2fs_submit_ipu_of(fd, folio, plug);
}

/* Does the block of @fio join the open bio of @io? */
static bool is_mergeable(const struct f2fs_data *fd, const struct f2fs_bio_info *io,
			 const struct f2fs_io_info *fio)
{
	return f2fs_bio_continues(fd, io->bio, fio->new_blkaddr) &&
	       !((io->bio->opf ^ fio->op_flags) & ~(REQ_PREFLUSH | REQ_FUA));
}

int64_t f2fs_submit_page_write(struct f2fs_data *fd, const struct f2fs_io_info *fio,
			       struct blk_plug *plug)
{
	struct f2fs_bio_info *io = &fd->write_io[fio->type][fio->temp];
	int64_t cost_ns = 0;

	assert((fio->type == DATA) == (fio->folio != NULL)); /* I1 */
	assert(fio->type != META || fio->temp == TEMP_HOT);
	if (io->bio && !is_mergeable(fd, io, fio))
		cost_ns += submit_open_bio(fd, io, plug);
	while (true) {
		if (!io->bio) {
			io->bio = f2fs_write_bio_new(fd, fio);
			io->inode = fio->inode;
		} else if (io->inode != fio->inode) {
			io->inode = NULL;
		}
		if (!fio->folio) {
			io->bio->size_bytes += PAGE_SIZE;
			return cost_ns;
		}
		if (f2fs_bio_add_page(fd, io->bio, fio->folio))
			return cost_ns;
		cost_ns += submit_open_bio(fd, io, plug);
	}
}

int64_t f2fs_do_write_data_page(struct writepages *wp, struct folio *folio)
{
	struct f2fs_data *fd = wp->fd;
	uint64_t nr = folio_nr_pages(folio);
	struct f2fs_io_info fio = {
		.type = DATA,
		.temp = f2fs_data_temp(fd, wp),
		.op_flags = wp->sync_all     ? REQ_SYNC
			    : wp->background ? REQ_BACKGROUND
					     : 0,
		.folio = folio,
		.inode = wp->inode,
	};
	bool in_place = f2fs_need_inplace_update(fd, &fio);
	block_t old = fio.old_blkaddr;
	int64_t cost_ns = (int64_t)nr * fd->conf.submit_page_ns;

	if (!old && trace_enabled(fd->model.sim))
		old = f2fs_mapped_block(wp->inode, folio->index);
	fio.new_blkaddr =
		in_place ? fio.old_blkaddr : f2fs_allocate_block(fd, wp->inode, folio->index, nr);
	trace_f2fs_submit_page_write(fd->model.sim, wp->inode->i_dev, wp->inode->i_ino,
				     folio->index, old, fio.new_blkaddr, wp->sync_all,
				     fio.temp == TEMP_HOT);
	if (in_place)
		return cost_ns + f2fs_inplace_write_data(wp, &fio);
	return cost_ns + f2fs_submit_page_write(fd, &fio, &wp->plug);
}

void f2fs_data_check(const struct model *m)
{
	const struct f2fs_data *fd = container_of(m, const struct f2fs_data, model);

	assert(fd->pages_in_bios == nr_writeback_pages(fd->fm->pw)); /* I3 */
}

void f2fs_data_check_idle(const struct model *m)
{
	const struct f2fs_data *fd = container_of(m, const struct f2fs_data, model);

	for (unsigned int temp = 0; temp < NR_TEMPS; temp++) {
		for (unsigned int type = 0; type < NR_PAGE_TYPES; type++)
			assert(!fd->write_io[type][temp].bio);
		assert(!fd->ipu[temp]);
	}
	assert(!fd->wb_sync_req && !fd->checkpoints_running && !fd->writepages_owner);
}

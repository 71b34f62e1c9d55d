/*
 * models/filemap.c - the buffered read and write loops.  Level 6.
 *
 * Stands for filemap_read(), filemap_get_pages() and generic_perform_write() of mm/filemap.c and
 * for f2fs_write_begin/end of fs/f2fs/data.c (v6.1).  A call runs until it must sleep (a page being
 * read, a page under writeback, dirty throttling); the CPU time of what it did is charged then, so
 * a call costs as many events as it sleeps.
 *
 * Reading: a miss starts synchronous readahead, a marked folio starts the next window, a folio that
 * is not uptodate is waited for; each folio copied is dropped if it is dropbehind
 * (KERNEL 3.1, 3.3).  Writing: folios of one page, or as large as the mapping allows and the call
 * fills (KERNEL 3.2); a dontcache write marks only folios it creates, a normal access clears the
 * mark (KERNEL 1.4).
 *
 * The bios of a readahead window leave the plug when the CPU time of what came before them has
 * passed, so that a window is in flight while the one before is copied (two at most, KERNEL 3.2).
 *
 * DEVIATION: the state of all pages up to the next sleep changes at the start of that stretch (see
 * f2fs_write.c). Not modelled: IOCB_NOWAIT, faults, short copies, inline data, foreground GC.
 */
#include "models/filemap.h"

#include <errno.h>

#include "models/pagemap_drop.h"

#include "sim/trace_events.h"

static void read_step(struct task *t);
static void write_step(struct task *t);

static int64_t take_cost(struct filemap_io *io)
{
	int64_t cost_ns = io->cost_ns + io->rac.cost_ns;

	io->cost_ns = 0;
	io->rac.cost_ns = 0;
	return cost_ns;
}

static void io_finish(struct task *t)
{
	struct filemap_io *io = t->private;

	t->private = io->saved;
	io->done(t);
}

static void io_begin(struct task *t, struct filemap_io *io)
{
	io->saved = t->private;
	t->private = io;
	io->error = 0;
	io->missed = 0;
	io->asked = false;
	io->retries = 0;
	io->reclaim.nr_to_reclaim = 0; /* none begun */
	io->rac = (struct readahead_control){
		.fm = io->fm,
		.fd = io->fd,
		.file = io->file,
		.dropbehind = io->dontcache,
	};
	blk_start_plug(&io->rac.plug);
}

static void io_fail(struct task *t, int64_t error)
{
	struct filemap_io *io = t->private;

	io->error = error;
	task_run(t, take_cost(io), io_finish);
}

/*
 * Memory is at the min watermark or the cgroup is full: reclaim in the task's own time, then go on
 * in @step, or give up.
 */
static void reclaim_or_sleep(struct task *t, task_fn step)
{
	struct filemap_io *io = t->private;
	bool at_once = !mem_cgroup_margin(io->fm->memcg, 1);

	enum reclaim_result result = direct_reclaim(io->vs, &io->reclaim, &io->cost_ns);

	if (result == RECLAIM_NOTHING)
		io->retries += at_once ? 1 : MEMCG_RECLAIM_RETRIES;
	else if (result == RECLAIM_FREED)
		io->retries = 0;
	if (io->retries > MAX_RECLAIM_RETRIES * MEMCG_RECLAIM_RETRIES) {
		sim_fail(t->sim, "out of memory: task %s found no page to free for a minute",
			 t->name);
		io_fail(t, -ENOMEM);
	} else if (result == RECLAIM_NOTHING && io->retries % MEMCG_RECLAIM_RETRIES == 0) {
		task_sleep(t, t->sim->now + RECLAIM_THROTTLE_NS, step);
	} else if (result == RECLAIM_CONGESTED) {
		task_sleep(t, t->sim->now + NSEC_PER_SEC / dirty_hz(io->fm->pw), step);
	} else {
		task_run(t, take_cost(io), step);
	}
}

/* Must pages be freed before one can be added, or has that begun and is not over? */
static bool reclaim_first(const struct filemap_io *io)
{
	return io->reclaim.nr_to_reclaim || must_reclaim(io->vs);
}

static struct address_space *io_mapping(struct filemap_io *io)
{
	return &io->file->inode->i_data;
}

static pgoff_t io_index(const struct filemap_io *io)
{
	return (pgoff_t)io->pos >> PAGE_SHIFT;
}

/* The page at io->pos: cached by now, or read ahead, or read alone.  NULL = reclaim first. */
static struct folio *read_get_folio(struct filemap_io *io)
{
	pgoff_t index = io_index(io), last = (pgoff_t)(io->end + PAGE_SIZE - 1) >> PAGE_SHIFT;
	struct folio *folio = filemap_get_folio(io_mapping(io), index);

	if (!folio && reclaim_first(io))
		return NULL;
	if (!folio) {
		io->missed = index + 1;
		page_cache_sync_ra(&io->rac, index, last - index);
		folio = filemap_get_folio(io_mapping(io), index);
	}
	if (!folio) { /* filemap_create_folio() */
		folio = filemap_add_folio(io->fm, io_mapping(io), index, 0,
					  PG_locked | (io->dontcache ? PG_dropbehind : 0u));
		if (folio)
			io->cost_ns += f2fs_read_folios(io->fd, io->file->inode, index, 1, 0, NULL);
	}
	if (folio && folio->flags & PG_readahead)
		page_cache_async_ra(&io->rac, folio, index, last - index);
	return folio;
}

/* Copy out of @folio up to its end or the call's. */
static void read_copy(struct filemap_io *io, struct folio *folio)
{
	struct filemap *fm = io->fm;
	int64_t folio_end = (int64_t)folio_next_index(folio) << PAGE_SHIFT;
	int64_t next = MIN(io->end, folio_end);
	pgoff_t index = io_index(io);
	int64_t pages = (next - 1) / PAGE_SIZE - io->pos / PAGE_SIZE + 1;
	int64_t prev = io->file->ra.prev_pos < 0 ? -1 : io->file->ra.prev_pos >> PAGE_SHIFT;

	if (io->missed == index + 1)
		fm->stat.read_misses += (uint64_t)pages;
	else
		fm->stat.read_hits += (uint64_t)pages;
	/* the first folio counts once for reads that go on in it (KERNEL 3.1) */
	if (prev < (int64_t)folio->index || prev >= (int64_t)folio_next_index(folio))
		folio_mark_accessed(folio_lruvec(fm, folio), folio);
	io->cost_ns += pages * fm->conf.read_page_ns;
	io->pos = next;
	int64_t drop_ns = (int64_t)folio_nr_pages(folio) * drop_page_cost_ns(fm);

	if (filemap_end_dropbehind_read(fm, folio))
		io->cost_ns += drop_ns;
}

/* Sleep until the page at io->pos is neither locked nor under writeback, then go on in @step. */
static void wait_folio(struct task *t, uint32_t busy, task_fn self, task_fn step)
{
	struct filemap_io *io = t->private;
	struct folio *folio = filemap_get_folio(io_mapping(io), io_index(io));

	if (folio && folio->flags & busy)
		task_wait(t, folio_wait_queue(io->fm, folio), self,
			  folio->flags & PG_locked ? "read of a page" : "writeback of a page",
			  io->file->inode->i_ino, folio->index);
	else
		step(t);
}

static void read_wait(struct task *t)
{
	wait_folio(t, PG_locked, read_wait, read_step);
}

/* The CPU time of making the window's bios has passed: blk_finish_plug(). */
static void read_unplug(struct task *t)
{
	struct filemap_io *io = t->private;

	blk_finish_plug(t->sim, &io->rac.plug);
	read_step(t);
}

static void read_step(struct task *t)
{
	struct filemap_io *io = t->private;

	while (io->pos < io->end) {
		struct folio *folio = read_get_folio(io);

		if (!folio) {
			reclaim_or_sleep(t, read_step);
			return;
		}
		if (io->rac.plug.nr) {
			task_run(t, take_cost(io), read_unplug);
			return;
		}
		if (!(folio->flags & PG_uptodate)) {
			task_run(t, take_cost(io), read_wait);
			return;
		}
		read_copy(io, folio);
	}
	io->file->ra.prev_pos = io->pos > 0 ? io->pos - 1 : -1;
	task_run(t, take_cost(io), io_finish);
}

void filemap_read(struct task *t, struct filemap_io *io)
{
	io_begin(t, io);
	io->end = MIN(io->end, io->file->inode->i_size);
	io->cost_ns = io->fm->conf.read_call_ns;
	if (io->pos < io->end)
		trace_mm_filemap_get_pages(t->sim, io->file->inode->i_dev, io->file->inode->i_ino,
					   io->pos, io->end);
	read_step(t);
}

/* Order of a new folio for the rest of this call at @index: KERNEL 3.2, last sentence. */
static unsigned int write_order(const struct filemap_io *io, pgoff_t index)
{
	uint64_t pages = (uint64_t)(io->end - io->pos) >> PAGE_SHIFT;
	unsigned int order = pages ? 63u - (unsigned int)__builtin_clzll(pages) : 0;

	order = MIN(order, (unsigned int)io->fm->conf.max_folio_order);
	if (index & (((pgoff_t)1 << order) - 1))
		order = (unsigned int)__builtin_ctzll(index);
	while (order &&
	       mapping_resident(&io->file->inode->i_data, index, index + ((pgoff_t)1 << order) - 1))
		order--;
	return order;
}

/* Must the old content of the page be read before [pos, pos + len) is copied into it? */
static bool needs_read(const struct filemap_io *io, const struct folio *folio, int64_t len)
{
	int64_t start = (int64_t)folio->index << PAGE_SHIFT;
	int64_t folio_end = (int64_t)folio_next_index(folio) << PAGE_SHIFT;
	int64_t i_size = io->file->inode->i_size;

	if (folio->flags & PG_uptodate || start >= i_size)
		return false;
	return io->pos > start || (io->pos + len < folio_end && io->pos + len < i_size);
}

/* f2fs_write_begin(): the folio at io->pos, NULL = reclaim first. */
static struct folio *write_begin(struct filemap_io *io)
{
	pgoff_t index = io_index(io);
	struct folio *folio = filemap_get_folio(io_mapping(io), index);

	if (!folio && reclaim_first(io))
		return NULL;
	if (!folio) {
		folio = filemap_add_folio(io->fm, io_mapping(io), index, write_order(io, index),
					  io->dontcache ? PG_dropbehind : 0u);
		if (folio)
			io->cost_ns += filemap_contention_ns(io->fm, folio_nr_pages(folio));
		return folio;
	}
	if (!io->dontcache)
		folio->flags &= ~PG_dropbehind;
	return folio;
}

static void write_wait(struct task *t)
{
	wait_folio(t, PG_locked | PG_writeback, write_wait, write_step);
}

/* The page is being read or written back: send the bio that gathers it, then sleep. */
static void write_must_wait(struct task *t, struct filemap_io *io)
{
	io->cost_ns +=
		f2fs_submit_bio_of(io->fd, filemap_get_folio(io_mapping(io), io_index(io)), NULL);
	task_run(t, take_cost(io), write_wait);
}

/* f2fs_write_begin as the kernel calls it: once for a piece of the call, as large as the largest
 * folio allows. */
static void trace_write_begin(struct filemap_io *io)
{
	const struct inode *inode = io->file->inode;
	int64_t chunk = PAGE_SIZE << io->fm->conf.max_folio_order;
	int64_t end = MIN(io->end, (io->pos / chunk + 1) * chunk);

	if (io->begun == io->pos + 1)
		return;
	io->begun = io->pos + 1;
	trace_f2fs_write_begin(io->fm->model.sim, inode->i_dev, inode->i_ino, io->pos,
			       end - io->pos);
}

/* Copy into @folio and dirty it. */
static void write_end(struct task *t, struct folio *folio, int64_t len)
{
	struct filemap_io *io = t->private;
	struct inode *inode = io->file->inode;
	int64_t pages = (io->pos + len - 1) / PAGE_SIZE - io->pos / PAGE_SIZE + 1;

	trace_f2fs_write_end(io->fm->model.sim, inode->i_dev, inode->i_ino, io->pos, len);
	folio->flags |= PG_uptodate;
	if (folio_mark_dirty(io->fm, folio)) {
		dirty_task_dirtied(io->fm->pw, io->file->dirty, t->cpu, folio_nr_pages(folio));
		mark_inode_dirty(io->fw, inode);
	}
	io->cost_ns += pages * io->fm->conf.write_page_ns;
	io->pos += len;
	if (!io->no_iocb)
		inode->i_size = MAX(inode->i_size, io->pos);
}

static void write_pause(struct task *t)
{
	struct filemap_io *io = t->private;
	bool kick, again;
	ktime_t until = balance_dirty_pages(io->fm->pw, io->file->dirty, &kick, &again);

	if (kick)
		wb_start_background(io->fw);
	io->asked = !again;
	if (until)
		task_sleep(t, until, again ? write_pause : write_step);
	else
		write_step(t);
}

static void write_step(struct task *t)
{
	struct filemap_io *io = t->private;

	while (io->pos < io->end) {
		if (!io->asked && !io->no_iocb &&
		    dirty_task_must_ask(io->fm->pw, io->file->dirty, t->cpu)) {
			task_run(t, take_cost(io), write_pause);
			return;
		}
		if (trace_enabled(t->sim))
			trace_write_begin(io);
		struct folio *folio = write_begin(io);

		if (!folio) {
			reclaim_or_sleep(t, write_step);
			return;
		}
		int64_t folio_end = (int64_t)folio_next_index(folio) << PAGE_SHIFT;
		int64_t len = MIN(io->end, folio_end) - io->pos;

		if (folio->flags & (PG_locked | PG_writeback)) {
			write_must_wait(t, io);
			return;
		}
		if (needs_read(io, folio, len)) {
			folio->flags |= PG_locked;
			io->cost_ns += f2fs_read_folios(io->fd, io->file->inode, folio->index,
							folio_nr_pages(folio), 0, NULL);
			task_run(t, take_cost(io), write_wait);
			return;
		}
		write_end(t, folio, len);
		io->asked = false;
	}
	task_run(t, take_cost(io), io_finish);
}

void generic_perform_write(struct task *t, struct filemap_io *io)
{
	io_begin(t, io);
	io->cost_ns = io->no_iocb ? 0 : io->fm->conf.write_call_ns;
	write_step(t);
}

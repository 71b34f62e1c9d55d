/*
 * models/readahead.c - readahead windows.  Level 4.
 *
 * Stands for mm/readahead.c: up to 6.11 ondemand_readahead() answers misses and marker hits alike;
 * from 6.12 on the two are apart and the state carries a folio order that grows by 2 a window
 * (KERNEL 3.2).  [filemap] ondemand_readahead chooses.  Windows are in pages; nothing is read
 * beyond the last page of the file.
 *
 * A window is inserted in runs of uncached pages, each handed to the file system as one batch with
 * REQ_RAHEAD.
 *
 * Not modelled: mmap, congestion, readahead of blk-cgroup, fault-around.
 */
#include "models/readahead.h"

#include "sim/trace_events.h"

#include "sim/sim.h"

#define FORCE_CHUNK_PAGES ((uint64_t)(2 << (20 - PAGE_SHIFT)))

void file_ra_state_init(struct file_ra_state *ra, const struct filemap *fm)
{
	*ra = (struct file_ra_state){
		.ra_pages = (uint32_t)(fm->conf.read_ahead >> PAGE_SHIFT),
		.prev_pos = -1,
	};
}

static uint64_t roundup_pow2(uint64_t n)
{
	return n <= 1 ? 1 : (uint64_t)1 << (64 - __builtin_clzll(n - 1));
}

static unsigned int ilog2(uint64_t n)
{
	return 63u - (unsigned int)__builtin_clzll(n);
}

static uint32_t init_ra_size(uint64_t req, uint64_t max)
{
	uint64_t size = roundup_pow2(req);

	if (size <= max / 32)
		size *= 4;
	else if (size <= max / 4)
		size *= 2;
	else
		size = max;
	return (uint32_t)size;
}

static uint32_t next_ra_size(uint64_t cur, uint64_t max)
{
	if (cur < max / 16)
		return (uint32_t)(4 * cur);
	return (uint32_t)(cur <= max / 2 ? 2 * cur : max);
}

static struct address_space *rac_mapping(struct readahead_control *rac)
{
	return &rac->file->inode->i_data;
}

/* Index after the file's last page. */
static pgoff_t file_end(const struct readahead_control *rac)
{
	return (pgoff_t)(rac->file->inode->i_size + PAGE_SIZE - 1) >> PAGE_SHIFT;
}

/* Insert one locked folio; false when memory is gone. */
static bool ra_add_folio(struct readahead_control *rac, pgoff_t index, unsigned int order,
			 bool mark)
{
	struct filemap *fm = rac->fm;
	uint32_t flags =
		PG_locked | (rac->dropbehind ? PG_dropbehind : 0u) | (mark ? PG_readahead : 0u);

	if (!filemap_add_folio(fm, rac_mapping(rac), index, order, flags))
		return false;
	rac->cost_ns += fm->conf.add_page_ns << order;
	rac->cost_ns += filemap_contention_ns(fm, (uint64_t)1 << order);
	fm->stat.readahead_pages += (uint64_t)1 << order;
	return true;
}

/* read_pages(): hand the run of new folios [start, end) to the file system. */
static void read_pages(struct readahead_control *rac, pgoff_t start, pgoff_t end)
{
	struct filemap *fm = rac->fm;

	if (start == end)
		return;
	fm->stat.readahead_batches++;
	trace_f2fs_readpages(fm->model.sim, rac->file->inode->i_dev, rac->file->inode->i_ino, start,
			     end - start);
	if (fm->on_readahead)
		fm->on_readahead(fm->observer_arg, rac->file->inode, start, end - start);
	rac->cost_ns += f2fs_read_folios(rac->fd, rac->file->inode, start, end - start, REQ_RAHEAD,
					 &rac->plug);
}

/* do_page_cache_ra(): order-0 pages of [index, index + nr), the mark on page index + nr -
 * lookahead. */
static void do_page_cache_ra(struct readahead_control *rac, pgoff_t index, uint64_t nr,
			     uint64_t lookahead)
{
	pgoff_t end = MIN(index + nr, file_end(rac)), mark = index + nr - lookahead;
	pgoff_t run = index;

	for (pgoff_t i = index; i < end; i++) {
		if (filemap_get_folio(rac_mapping(rac), i)) {
			read_pages(rac, run, i);
			run = i + 1;
		} else if (!ra_add_folio(rac, i, 0, i == mark && lookahead)) {
			end = i;
		}
	}
	read_pages(rac, run, end > run ? end : run);
}

/* Largest order <= @order that is aligned at @index and does not pass @limit. */
static unsigned int fit_order(pgoff_t index, unsigned int order, pgoff_t limit)
{
	if (index & (((pgoff_t)1 << order) - 1))
		order = (unsigned int)__builtin_ctzll(index);
	while (order && index + ((pgoff_t)1 << order) - 1 > limit)
		order--;
	return order;
}

/* page_cache_ra_order(): the current window with folios of up to ra->order. */
static void page_cache_ra_order(struct readahead_control *rac)
{
	struct file_ra_state *ra = &rac->file->ra;
	unsigned int max_order = (unsigned int)rac->fm->conf.max_folio_order;
	pgoff_t index = ra->start, mark = ra->start + ra->size - ra->async_size;
	pgoff_t limit = MIN(ra->start + ra->size, file_end(rac)) - 1;
	unsigned int order = MIN(MIN(ra->order, max_order), ilog2(ra->size | 1));

	if (!max_order || ra->size < 4 || ra->start >= file_end(rac)) {
		do_page_cache_ra(rac, ra->start, ra->size, ra->async_size);
		return;
	}
	ra->order = order;
	while (index <= limit) {
		unsigned int o = fit_order(index, order, limit);
		pgoff_t next = index + ((pgoff_t)1 << o);

		if (mapping_resident(rac_mapping(rac), index, next - 1))
			break;
		if (!ra_add_folio(rac, index, o, mark >= index && mark < next))
			return;
		index = next;
	}
	read_pages(rac, ra->start, index);
	if (index <= limit) /* something was cached: the rest page by page */
		do_page_cache_ra(rac, index, ra->start + ra->size - index, ra->async_size);
}

/* force_page_cache_ra(): exactly what is asked, in chunks, without a window. */
static void force_page_cache_ra(struct readahead_control *rac, pgoff_t index, uint64_t nr)
{
	while (nr) {
		uint64_t chunk = MIN(nr, FORCE_CHUNK_PAGES);

		do_page_cache_ra(rac, index, chunk, 0);
		index += chunk;
		nr -= chunk;
	}
}

/* Largest window for a read of @req pages. */
static uint64_t ra_max_pages(const struct readahead_control *rac, uint64_t req)
{
	uint64_t max = rac->file->ra.ra_pages;
	uint64_t io_pages = (uint64_t)rac->fm->conf.io_pages_bytes >> PAGE_SHIFT;

	return req > max && io_pages > max ? MIN(req, io_pages) : max;
}

/* Pages cached without a gap just before @index, looking back at most @max. */
static uint64_t count_history_pages(struct readahead_control *rac, pgoff_t index, uint64_t max)
{
	uint64_t min = index > max ? index - max : 0;

	if (!index)
		return 0;
	return (uint64_t)((int64_t)(index - 1) -
			  xa_prev_miss(&rac_mapping(rac)->i_pages, index - 1, min));
}

/* Distance from @index to the first uncached page after it; 0 when there is none within @max. */
static uint64_t next_hole(struct readahead_control *rac, pgoff_t index, uint64_t max)
{
	pgoff_t hole = xa_next_miss(&rac_mapping(rac)->i_pages, index + 1, index + max);

	return hole - index > max ? 0 : hole - index;
}

/* A new window at @index for a sequential, oversized or first read. */
static void initial_window(struct file_ra_state *ra, pgoff_t index, uint64_t req, uint64_t max,
			   bool ondemand)
{
	ra->start = index;
	ra->size = init_ra_size(req, max);
	if (ra->size > req)
		ra->async_size = (uint32_t)(ra->size - req);
	else
		ra->async_size = ondemand ? ra->size : ra->size / 2;
}

static bool is_sequential(const struct file_ra_state *ra, pgoff_t index)
{
	return ra->prev_pos >= 0 && index - ((pgoff_t)ra->prev_pos >> PAGE_SHIFT) <= 1;
}

/* Cached pages before @index make it a stream that lost its state: window size, 0 = a random read.
 */
static uint32_t context_window(struct readahead_control *rac, pgoff_t index, uint64_t req,
			       uint64_t max)
{
	uint64_t contig = count_history_pages(rac, index, max);

	if (contig <= req)
		return 0;
	if (contig >= index)
		contig *= 2;
	return (uint32_t)MIN(contig + req, max);
}

/*
 * The window for a miss at @index that no state explains: a stream that begins, or one that lost
 * its state.  False: a random read, which has got just its pages.
 */
static bool miss_window(struct readahead_control *rac, pgoff_t index, uint64_t req, uint64_t max,
			bool ondemand)
{
	struct file_ra_state *ra = &rac->file->ra;
	uint32_t size;

	if (!index || req > max || is_sequential(ra, index)) {
		initial_window(ra, index, req, max, ondemand);
		return true;
	}
	size = context_window(rac, index, req, max);
	if (!size) {
		do_page_cache_ra(rac, index, req, 0);
		return false;
	}
	ra->start = index;
	ra->size = size;
	ra->async_size = 1;
	return true;
}

/* Its own marker would be hit at once: take the next window along. */
static void widen_window(struct file_ra_state *ra, uint64_t max)
{
	uint32_t more = next_ra_size(ra->size, max);

	if (ra->size + more <= max) {
		ra->async_size = more;
		ra->size += more;
	} else {
		ra->size = (uint32_t)max;
		ra->async_size = (uint32_t)max / 2;
	}
}

/* ondemand_readahead(): up to 6.11; @hit = a marked folio was reached, else a miss. */
static void ondemand_readahead(struct readahead_control *rac, pgoff_t index, uint64_t req, bool hit)
{
	struct file_ra_state *ra = &rac->file->ra;
	uint64_t max = ra_max_pages(rac, req), hole;
	bool expected =
		index == ra->start + ra->size - ra->async_size || index == ra->start + ra->size;

	if (index && expected) {
		ra->start += ra->size;
		ra->size = next_ra_size(ra->size, max);
		ra->async_size = ra->size;
	} else if (index && hit) {
		hole = next_hole(rac, index, max);
		if (!hole)
			return;
		ra->start = index + hole;
		ra->size = next_ra_size(hole + req, max);
		ra->async_size = ra->size;
	} else if (!miss_window(rac, index, req, max, true)) {
		return;
	}
	if (index == ra->start && ra->size == ra->async_size)
		widen_window(ra, max);
	page_cache_ra_order(rac);
}

/* page_cache_sync_ra() from 6.12 on. */
static void sync_ra(struct readahead_control *rac, pgoff_t index, uint64_t req)
{
	struct file_ra_state *ra = &rac->file->ra;

	if (!miss_window(rac, index, req, ra_max_pages(rac, req), false))
		return;
	ra->order = 0;
	page_cache_ra_order(rac);
}

/* The window must end where a folio of the new order may end. */
static void align_window(struct file_ra_state *ra, uint64_t max)
{
	unsigned int shift = MIN(ra->order, (unsigned int)__builtin_ctzll(max));
	pgoff_t end = (ra->start + ra->size) >> shift << shift;

	if (end > ra->start)
		ra->size = (uint32_t)(end - ra->start);
	ra->async_size = ra->size;
}

/* page_cache_async_ra() from 6.12 on. */
static void async_ra(struct readahead_control *rac, const struct folio *folio, pgoff_t index,
		     uint64_t req)
{
	struct file_ra_state *ra = &rac->file->ra;
	uint64_t max = ra_max_pages(rac, req), hole;
	pgoff_t expected = ra->start + ra->size - ra->async_size;

	expected = expected >> folio->order << folio->order;
	if (index == expected) {
		ra->start += ra->size;
		ra->size = MAX(ra->size, next_ra_size(ra->size, max));
	} else {
		hole = next_hole(rac, index, max);
		if (!hole)
			return;
		ra->start = index + hole;
		ra->size = next_ra_size(hole + req, max);
	}
	ra->order += 2;
	align_window(ra, max);
	page_cache_ra_order(rac);
}

void page_cache_sync_ra(struct readahead_control *rac, pgoff_t index, uint64_t req_pages)
{
	struct file *file = rac->file;

	rac->fm->stat.sync_readahead++;
	if (!file->ra.ra_pages || file->random)
		force_page_cache_ra(rac, index, file->ra.ra_pages ? req_pages : 1);
	else if (rac->fm->conf.ondemand_readahead)
		ondemand_readahead(rac, index, req_pages, false);
	else
		sync_ra(rac, index, req_pages);
}

void page_cache_async_ra(struct readahead_control *rac, struct folio *folio, pgoff_t index,
			 uint64_t req_pages)
{
	if (!rac->file->ra.ra_pages || folio->flags & PG_writeback)
		return;
	folio->flags &= ~PG_readahead;
	rac->fm->stat.async_readahead++;
	if (rac->fm->conf.ondemand_readahead)
		ondemand_readahead(rac, index, req_pages, true);
	else
		async_ra(rac, folio, index, req_pages);
}

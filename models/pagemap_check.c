/*
 * models/pagemap_check.c - conservation: what the page cache holds against everybody's counters.
 * Level 2.
 *
 * Stands for no file of the kernel.  Every folio of every mapping is looked at, and what is found
 * is what mm/filemap.c, mm/swap.c, mm/page_alloc.c, mm/page-writeback.c and mm/memcontrol.c each
 * say there is.  O(cached pages): [sim] check says when.
 *
 * I1  pages added = resident + dropped + truncated + reclaimed.
 * I2  PG_dirty = XA_MARK_0 of the first page, PG_writeback = XA_MARK_1; never both PG_locked and
 *     PG_uptodate.
 * I3  nr_file_pages, nr_dirty and nr_writeback = sums over all folios, those of the memory cgroup =
 *     sums over its folios.
 * I4  every cached folio is on one list: its cgroup's or the node's.
 * I5  pages handed out by the allocator = cached pages: none is leaked.
 */
#include "models/pagemap.h"

/* Pages by state; [0] all, [1] charged to the memory cgroup. */
struct tally {
	uint64_t pages[2], dirty[2], writeback[2], locked;
};

static void tally_folio(struct tally *tally, const struct folio *folio)
{
	uint64_t nr = folio_nr_pages(folio);

	for (unsigned int i = 0; i < (folio->memcg_id ? 2 : 1); i++) {
		tally->pages[i] += nr;
		tally->dirty[i] += folio->flags & PG_dirty ? nr : 0;
		tally->writeback[i] += folio->flags & PG_writeback ? nr : 0;
	}
	tally->locked += folio->flags & PG_locked ? nr : 0;
}

/* Count the folios of one mapping, asserting I2 for each. */
static void tally_mapping(struct tally *tally, struct address_space *mapping)
{
	uint64_t index = 0, nr_pages = 0;

	for (struct folio *folio = xa_find(&mapping->i_pages, &index, UINT64_MAX); folio;
	     folio = xa_find(&mapping->i_pages, &index, UINT64_MAX)) {
		bool is_dirty = folio->flags & PG_dirty, is_wb = folio->flags & PG_writeback;

		assert(folio->mapping == mapping && folio->index == index);
		assert(xa_get_mark(&mapping->i_pages, index, XA_MARK_0) == is_dirty);
		assert(xa_get_mark(&mapping->i_pages, index, XA_MARK_1) == is_wb);
		assert(!(folio->flags & PG_locked) || !(folio->flags & PG_uptodate));
		tally_folio(tally, folio);
		nr_pages += folio_nr_pages(folio);
		index = folio_next_index(folio);
	}
	assert(nr_pages == mapping->nrpages && nr_pages == mapping->i_pages.nr);
}

static struct tally tally_all(const struct filemap *fm)
{
	struct tally tally = {0};

	for (struct inode *inode = fm->inodes; inode; inode = inode->next)
		tally_mapping(&tally, &inode->i_data);
	return tally;
}

void filemap_check(const struct model *m)
{
	const struct filemap *fm = (const struct filemap *)m;
	struct tally tally = tally_all(fm);
	struct memcg_wb_stats memcg;
	uint64_t pages = tally.pages[0];

	assert(fm->stat.pages_added == pages + fm->stat.pages_dropped + fm->stat.pages_truncated +
					       fm->stat.pages_reclaimed); /* I1 */
	assert(fm->stat.nr_file_pages == pages);			  /* I3 */
	assert(nr_file_pages(fm->pw) == pages + fm->pages_of_others);
	assert(nr_dirty_pages(fm->pw) == tally.dirty[0]);
	assert(nr_writeback_pages(fm->pw) == tally.writeback[0]);
	mem_cgroup_wb_stats(fm->memcg, &memcg);
	assert(memcg.file == tally.pages[1]);
	assert(memcg.dirty == tally.dirty[1]);
	assert(memcg.writeback == tally.writeback[1]);
	assert(lruvec_check(&fm->lruvec) == pages - tally.pages[1]); /* I4 */
	assert(lruvec_check(&fm->memcg_lruvec) == tally.pages[1]);
	assert(nr_live_pages(fm->pa) == pages); /* I5 */
}

void filemap_check_idle(const struct model *m)
{
	struct tally tally = tally_all((const struct filemap *)m);

	assert(!tally.locked);
	assert(!tally.writeback[0]);
}

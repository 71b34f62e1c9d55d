/*
 * models/pagemap.c - the page cache itself.  Level 2.
 *
 * Stands for the lower half of mm/filemap.c, for folio_unmap_invalidate and truncate of
 * mm/truncate.c, and for the state changes of mm/page-writeback.c (v6.1; dropbehind as in v6.18).
 * Every page of a folio has an entry in i_pages; the dirty and writeback marks sit on the entry of
 * its first page.
 *
 * When a dropbehind folio may leave is in models/pagemap_drop.c.
 *
 * Not modelled: several memory cgroups.
 * Its invariants are in models/pagemap_check.c.
 */
#include "models/pagemap.h"

#include "models/pagemap_drop.h"
#include "sim/trace_events.h"

#define NR_WAIT_QUEUES 256u

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, filemap, max_folio_order, "0", "0", "9", "largest folio of a mapping; F2FS: 0 (KERNEL 1.2), ext4 and XFS: 9", NULL),
	CONF(CONF_BOOL, filemap, ondemand_readahead, "true", NULL, NULL, "readahead rules up to 6.11; false = 6.12 and later (KERNEL 3.2)", NULL),
	CONF(CONF_BYTES, filemap, read_ahead, "128KiB", "0", "64MiB", "read_ahead_kb of the device (sysfs-block)", NULL),
	CONF(CONF_BYTES, filemap, io_pages_bytes, "0", "0", "64MiB", "optimal I/O size a larger read may use at once (bdi io_pages); 0 = none", NULL),
	CONF(CONF_NSEC, filemap, read_call_ns, "154ns", "0", "1s", "CPU time of a read call [A] DEVICES 1", NULL),
	CONF(CONF_NSEC, filemap, read_page_ns, "500ns", "0", "1s", "CPU time to copy a page out [E]", NULL),
	CONF(CONF_NSEC, filemap, write_call_ns, "800ns", "0", "1s", "CPU time of a write call [A] DEVICES 1", NULL),
	CONF(CONF_NSEC, filemap, write_page_ns, "2951ns", "0", "1s", "CPU time to copy a page in and dirty it [A] MODELING 1.1", NULL),
	CONF(CONF_NSEC, filemap, add_page_ns, "300ns", "0", "1s", "CPU time to allocate and insert a page for reading [E]", NULL),
	CONF(CONF_NSEC, filemap, reclaim_contention_ns, "0", "0", "1s", "more CPU time to insert a page while kswapd runs: i_pages, LRU and zone locks change hands [E]", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, filemap, nr_file_pages),
	STAT(STAT_COUNT, filemap, pages_added),
	STAT(STAT_COUNT, filemap, folios_added),
	STAT(STAT_COUNT, filemap, pages_dropped),
	STAT(STAT_COUNT, filemap, pages_truncated),
	STAT(STAT_COUNT, filemap, pages_reclaimed),
	STAT(STAT_COUNT, filemap, dropped_after_read),
	STAT(STAT_COUNT, filemap, dropped_after_writeback),
	STAT(STAT_COUNT, filemap, drop_skipped_irq),
	STAT(STAT_COUNT, filemap, drop_skipped_locked),
	STAT(STAT_COUNT, filemap, drop_skipped_busy),
	STAT(STAT_COUNT, filemap, readahead_batches),
	STAT(STAT_COUNT, filemap, readahead_pages),
	STAT(STAT_COUNT, filemap, sync_readahead),
	STAT(STAT_COUNT, filemap, async_readahead),
	STAT(STAT_COUNT, filemap, read_hits),
	STAT(STAT_COUNT, filemap, read_misses),
	STAT(STAT_COUNT, filemap, eopnotsupp),
	STAT(STAT_COUNT, filemap, contended_pages),
	{ 0 },
};
/* clang-format on */

struct filemap *filemap_of(const struct sim *sim)
{
	return (struct filemap *)model_get(sim, &filemap_model);
}

static guint inode_hash(gconstpointer p)
{
	const struct inode *inode = p;

	return (guint)(inode->i_ino * 2654435761u ^ inode->i_dev);
}

static gboolean inode_equal(gconstpointer a, gconstpointer b)
{
	const struct inode *x = a, *y = b;

	return x->i_ino == y->i_ino && x->i_dev == y->i_dev;
}

static void memcg_domain_stats(void *arg, struct wb_domain_stats *wb_stats)
{
	struct memcg_wb_stats st;

	mem_cgroup_wb_stats(arg, &st);
	*wb_stats = (struct wb_domain_stats){st.file, st.headroom, st.dirty, st.writeback};
}

static bool filemap_init(struct model *m, GError **err)
{
	struct filemap *fm = (struct filemap *)m;

	if (!(config_multiple(m->sim->config, "filemap", "read_ahead", fm->conf.read_ahead,
			      PAGE_SIZE, "whole pages are read ahead", err) &&
	      config_multiple(m->sim->config, "filemap", "io_pages_bytes", fm->conf.io_pages_bytes,
			      PAGE_SIZE, "whole pages are read ahead", err)))
		return false;
	fm->pa = page_alloc_of(m->sim);
	fm->pw = page_writeback_of(m->sim);
	fm->memcg = memcg_of(m->sim);
	if (mem_cgroup_enabled(fm->memcg))
		page_writeback_set_memcg(fm->pw, memcg_domain_stats, fm->memcg);
	fm->inode_table = g_hash_table_new(inode_hash, inode_equal);
	fm->folio_wait = g_new0(struct wait_queue, NR_WAIT_QUEUES);
	return true;
}

static void filemap_fini(struct model *m)
{
	struct filemap *fm = (struct filemap *)m;

	while (fm->inodes) {
		struct inode *inode = fm->inodes;

		fm->inodes = inode->next;
		xa_destroy(&inode->i_data.i_pages);
		g_free(inode);
	}
	if (fm->inode_table)
		g_hash_table_destroy(fm->inode_table);
	g_free(fm->folio_wait);
}

static struct inode *inode_find(struct filemap *fm, uint32_t dev, uint64_t ino)
{
	struct inode probe = {.i_ino = ino, .i_dev = dev};

	return g_hash_table_lookup(fm->inode_table, &probe);
}

struct inode *inode_get(struct filemap *fm, uint32_t dev, uint64_t ino)
{
	struct inode *inode = fm->recent_inode;

	if (inode && inode->i_ino == ino && inode->i_dev == dev)
		return inode;
	inode = inode_find(fm, dev, ino);
	if (inode)
		return fm->recent_inode = inode;
	inode = g_new0(struct inode, 1);
	inode->i_ino = ino;
	inode->i_dev = dev;
	inode->i_data.host = inode;
	xa_init(&inode->i_data.i_pages);
	wait_queue_init(&inode->rwsem_wait);
	if (fm->last_inode)
		fm->last_inode->next = inode;
	else
		fm->inodes = inode;
	fm->last_inode = inode;
	g_hash_table_add(fm->inode_table, inode);
	return inode;
}

struct folio *filemap_get_folio(struct address_space *mapping, pgoff_t index)
{
	return xa_load(&mapping->i_pages, index);
}

struct folio *filemap_add_folio(struct filemap *fm, struct address_space *mapping, pgoff_t index,
				unsigned int order, uint32_t flags)
{
	struct folio *folio = folio_alloc(fm->pa, order);
	uint64_t nr = (uint64_t)1 << order;

	if (!folio)
		return NULL;
	assert(!(index & (nr - 1)));
	folio->mapping = mapping;
	folio->index = index;
	folio->flags = flags;
	for (uint64_t i = 0; i < nr; i++)
		xa_insert(&mapping->i_pages, index + i, folio);
	mapping->nrpages += nr;
	fm->stat.nr_file_pages += nr;
	fm->stat.pages_added += nr;
	fm->stat.folios_added++;
	account_file_pages(fm->pw, (int64_t)nr);
	mem_cgroup_charge(fm->memcg, folio);
	lru_add_folio(folio_lruvec(fm, folio), folio);
	trace_mm_filemap_add_to_page_cache(fm->model.sim, mapping->host->i_dev,
					   mapping->host->i_ino, index, order);
	if (fm->on_add)
		fm->on_add(fm->observer_arg, folio);
	return folio;
}

int64_t filemap_contention_ns(struct filemap *fm, uint64_t nr)
{
	if (fm->reclaim_until <= fm->model.sim->now)
		return 0;
	fm->stat.contended_pages += nr;
	return (int64_t)nr * fm->conf.reclaim_contention_ns;
}

void filemap_remove_folio(struct filemap *fm, struct folio *folio)
{
	struct address_space *mapping = folio->mapping;
	uint64_t nr = folio_nr_pages(folio);

	assert(!(folio->flags & (PG_locked | PG_dirty | PG_writeback)));
	if (folio->flags & PG_mapped)
		folio_unmap(fm, folio);
	trace_mm_filemap_delete_from_page_cache(fm->model.sim, mapping->host->i_dev,
						mapping->host->i_ino, folio->index, folio->order);
	if (fm->on_delete)
		fm->on_delete(fm->observer_arg, folio);
	lru_del_folio(folio_lruvec(fm, folio), folio);
	mem_cgroup_uncharge(fm->memcg, folio);
	for (uint64_t i = 0; i < nr; i++)
		xa_erase(&mapping->i_pages, folio->index + i);
	mapping->nrpages -= nr;
	fm->stat.nr_file_pages -= nr;
	account_file_pages(fm->pw, -(int64_t)nr);
	folio->mapping = NULL;
	folio_free(fm->pa, folio);
}

bool folio_mark_dirty(struct filemap *fm, struct folio *folio)
{
	if (folio->flags & PG_dirty)
		return false;
	folio->flags |= PG_dirty;
	xa_set_mark(&folio->mapping->i_pages, folio->index, XA_MARK_0);
	folio_account_dirtied(fm->pw, folio_nr_pages(folio));
	trace_writeback_dirty_folio(fm->model.sim, folio->mapping->host->i_dev,
				    folio->mapping->host->i_ino, folio->index);
	if (folio->memcg_id)
		mem_cgroup_mod_dirty(fm->memcg, (int64_t)folio_nr_pages(folio));
	return true;
}

void folio_clear_dirty_for_io(struct filemap *fm, struct folio *folio)
{
	assert(folio->flags & PG_dirty);
	folio->flags &= ~PG_dirty;
	xa_clear_mark(&folio->mapping->i_pages, folio->index, XA_MARK_0);
	folio_account_cleaned(fm->pw, folio_nr_pages(folio));
	if (folio->memcg_id)
		mem_cgroup_mod_dirty(fm->memcg, -(int64_t)folio_nr_pages(folio));
}

void folio_start_writeback(struct filemap *fm, struct folio *folio)
{
	assert(!(folio->flags & (PG_writeback | PG_locked)));
	folio->flags |= PG_writeback;
	xa_set_mark(&folio->mapping->i_pages, folio->index, XA_MARK_1);
	account_start_writeback(fm->pw, folio_nr_pages(folio));
	if (folio->memcg_id)
		mem_cgroup_mod_writeback(fm->memcg, (int64_t)folio_nr_pages(folio));
}

struct wait_queue *folio_wait_queue(struct filemap *fm, struct folio *folio)
{
	uint64_t key = folio->mapping->host->i_ino * 0x9e3779b97f4a7c15u + folio->index;

	folio->flags |= PG_waiters;
	return &fm->folio_wait[(key * 0x9e3779b97f4a7c15u) >> 56];
}

static_assert(NR_WAIT_QUEUES == 1u << 8, "the hash above takes the top 8 bits");

static void folio_wake(struct filemap *fm, struct folio *folio)
{
	if (!(folio->flags & PG_waiters))
		return;
	wake_up_all(folio_wait_queue(fm, folio));
	folio->flags &= ~PG_waiters;
}

void folio_end_writeback(struct filemap *fm, struct folio *folio, bool in_task)
{
	uint64_t nr = folio_nr_pages(folio);

	assert(folio->flags & PG_writeback);
	folio->flags &= ~PG_writeback;
	xa_clear_mark(&folio->mapping->i_pages, folio->index, XA_MARK_1);
	account_end_writeback(fm->pw, nr);
	if (folio->memcg_id)
		mem_cgroup_mod_writeback(fm->memcg, -(int64_t)nr);
	if (folio->flags & PG_reclaim)
		folio_rotate_reclaimable(folio_lruvec(fm, folio), folio);
	folio_wake(fm, folio);
	if (folio->flags & PG_dropbehind)
		folio_end_dropbehind(fm, folio, in_task);
}

void folio_end_read(struct filemap *fm, struct folio *folio)
{
	assert(folio->flags & PG_locked);
	folio->flags = (folio->flags & ~PG_locked) | PG_uptodate;
	folio_wake(fm, folio);
}

bool filemap_end_dropbehind_read(struct filemap *fm, struct folio *folio)
{
	uint64_t nr = folio_nr_pages(folio);

	if (!(folio->flags & PG_dropbehind) || !filemap_end_dropbehind(fm, folio))
		return false;
	fm->stat.dropped_after_read += nr;
	return true;
}

/* Drop the folios that lie within [first, last] and are in none of the @busy states; dirty ones
 * lose their data. */
static void drop_range(struct filemap *fm, struct address_space *mapping, pgoff_t first,
		       pgoff_t last, uint32_t busy)
{
	uint64_t index = first;

	for (struct folio *folio = xa_find(&mapping->i_pages, &index, last); folio;
	     folio = xa_find(&mapping->i_pages, &index, last)) {
		index = folio_next_index(folio);
		if (folio->flags & busy || folio->index < first || index - 1 > last)
			continue;
		if (folio->flags & PG_dirty)
			folio_clear_dirty_for_io(fm, folio);
		fm->stat.pages_truncated += folio_nr_pages(folio);
		filemap_remove_folio(fm, folio);
	}
}

void truncate_inode_pages(struct filemap *fm, struct address_space *mapping, int64_t from)
{
	drop_range(fm, mapping, (pgoff_t)(from + PAGE_SIZE - 1) >> PAGE_SHIFT, UINT64_MAX,
		   PG_locked | PG_writeback);
}

void invalidate_mapping_pages(struct filemap *fm, struct address_space *mapping, pgoff_t first,
			      pgoff_t last)
{
	drop_range(fm, mapping, first, last, PG_locked | PG_writeback | PG_dirty | PG_mapped);
}

uint64_t mapping_resident(struct address_space *mapping, pgoff_t first, pgoff_t last)
{
	uint64_t nr = 0;

	for (uint64_t index = first; xa_find(&mapping->i_pages, &index, last); index++)
		nr++;
	return nr;
}

const struct model_ops filemap_model = {
	.name = "filemap",
	.source = "mm/filemap.c, mm/readahead.c v6.1 (dropbehind: v6.18)",
	.size = sizeof(struct filemap),
	.keys = keys,
	.stats = stats,
	.init = filemap_init,
	.check = filemap_check,
	.check_idle = filemap_check_idle,
	.fini = filemap_fini,
};

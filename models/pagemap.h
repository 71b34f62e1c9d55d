/*
 * models/pagemap.h - the page cache itself: add, find, dirty, write back, drop.  Level 2.
 *
 * Lower half of mm/filemap.c (and truncate.c, page-writeback.c for the folio's state).  The upper
 * half, the read and write loops, is models/filemap.h.
 */
#ifndef MODELS_PAGEMAP_H
#define MODELS_PAGEMAP_H

#include "models/lru.h"
#include "models/memcontrol.h"
#include "models/page_writeback.h"

struct dropbehind;

struct filemap {
	struct model model;
	struct {
		uint64_t max_folio_order;
		bool ondemand_readahead;
		int64_t read_ahead, io_pages_bytes;
		int64_t read_call_ns, read_page_ns, write_call_ns, write_page_ns;
		int64_t add_page_ns, reclaim_contention_ns;
	} conf;
	struct {
		uint64_t nr_file_pages; /* gauge */
		uint64_t pages_added, pages_dropped, pages_truncated, pages_reclaimed, folios_added;
		uint64_t dropped_after_read, dropped_after_writeback;
		uint64_t drop_skipped_irq, drop_skipped_locked, drop_skipped_busy;
		uint64_t readahead_pages, readahead_batches, sync_readahead, async_readahead;
		uint64_t read_hits, read_misses, eopnotsupp;
		uint64_t contended_pages;
	} stat;
	struct page_alloc *pa;
	struct dropbehind *drop; /* models/pagemap_drop.c */
	struct page_writeback *pw;
	struct mem_cgroup *memcg;
	struct lruvec lruvec, memcg_lruvec; /* of the node, of the memory cgroup */
	ktime_t reclaim_until;		   /* a reclaimer on another CPU removes pages until then */
	uint64_t pages_of_others;	   /* NR_FILE_PAGES that are in none of the mappings */
	struct inode *inodes, *last_inode; /* in order of creation */
	struct inode *recent_inode;	   /* the last found by inode_get(); may be NULL */
	GHashTable *inode_table;	   /* struct inode by (dev, ino) */
	struct wait_queue *folio_wait;	   /* hashed; tasks waiting for PG_locked or PG_writeback */
	/* Observers of the tests and of --emit: called for each folio that enters or leaves; may be
	 * NULL. */
	void (*on_add)(void *arg, const struct folio *folio);
	void (*on_delete)(void *arg, const struct folio *folio);
	void (*on_readahead)(void *arg, const struct inode *inode, pgoff_t index, uint64_t nr);
	void *observer_arg;
};

extern const struct model_ops filemap_model;
struct filemap *filemap_of(const struct sim *sim);

/* Assert the invariants (models/pagemap_check.c); the second, that nobody reads or writes a page.
 */
void filemap_check(const struct model *m);
void filemap_check_idle(const struct model *m);

/* The lists @folio is on: of its memory cgroup or of the node. */
static inline struct lruvec *folio_lruvec(struct filemap *fm, const struct folio *folio)
{
	return folio->memcg_id ? &fm->memcg_lruvec : &fm->lruvec;
}

/* The inode (@dev, @ino), made on first use (empty, size 0). */
struct inode *inode_get(struct filemap *fm, uint32_t dev, uint64_t ino);

/* The folio that holds page @index, or NULL. */
struct folio *filemap_get_folio(struct address_space *mapping, pgoff_t index);

/*
 * Add a new folio of 2^@order pages at @index (aligned to it, nothing cached there).  NULL when
 * memory is gone.
 */
struct folio *filemap_add_folio(struct filemap *fm, struct address_space *mapping, pgoff_t index,
				unsigned int order, uint32_t flags);

/* CPU time that the locks shared with a running reclaimer cost whoever inserts @nr pages now. */
int64_t filemap_contention_ns(struct filemap *fm, uint64_t nr);

/* Remove @folio, neither locked, dirty nor under writeback, from its mapping and free it. */
void filemap_remove_folio(struct filemap *fm, struct folio *folio);

/* State changes; each keeps marks and counters. True when the folio was clean before. */
bool folio_mark_dirty(struct filemap *fm, struct folio *folio);
void folio_clear_dirty_for_io(struct filemap *fm, struct folio *folio);
void folio_start_writeback(struct filemap *fm, struct folio *folio);

/* End of writeback in the given context: wakes waiters and drops a dropbehind folio when it may
 * (KERNEL 2.1). */
void folio_end_writeback(struct filemap *fm, struct folio *folio, bool in_task);

/* End of a read: uptodate, unlocked, waiters woken. */
void folio_end_read(struct filemap *fm, struct folio *folio);

/* A reader has copied from @folio: drop it if it is dropbehind, clean and unlocked (KERNEL 3.3).
 * True when it left. */
bool filemap_end_dropbehind_read(struct filemap *fm, struct folio *folio);

/* Where a task waits for @folio to be unlocked or written; sets PG_waiters. */
struct wait_queue *folio_wait_queue(struct filemap *fm, struct folio *folio);

/* Drop every folio from byte @from on that is neither locked nor under writeback, dirty ones
 * included. */
void truncate_inode_pages(struct filemap *fm, struct address_space *mapping, int64_t from);

/* Drop the clean, idle folios that lie wholly within [first, last] (fadvise DONTNEED). */
void invalidate_mapping_pages(struct filemap *fm, struct address_space *mapping, pgoff_t first,
			      pgoff_t last);

/* Pages of @mapping in the cache within [first, last]. */
uint64_t mapping_resident(struct address_space *mapping, pgoff_t first, pgoff_t last);

#endif

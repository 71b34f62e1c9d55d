/*
 * models/mm_types.h - folio, address_space, inode, file: what the page cache is made of.  Level 0.
 *
 * Stands for include/linux/mm_types.h, page-flags.h, fs.h.  A folio is 56 bytes; it is in exactly
 * one place: the free pool, or the cache of its mapping (and then perhaps in one bio too).
 */
#ifndef MODELS_MM_TYPES_H
#define MODELS_MM_TYPES_H

#include "sim/cpu.h"
#include "sim/xarray.h"

/* include/linux/page-flags.h; the bits are ours. */
#define PG_locked (1u << 0) /* being read; waiters may sleep on it */
#define PG_uptodate (1u << 1)
#define PG_dirty (1u << 2)     /* = XA_MARK_0 */
#define PG_writeback (1u << 3) /* = XA_MARK_1 */
#define PG_readahead (1u << 4) /* reaching it starts the next window */
#define PG_referenced (1u << 5)
#define PG_active (1u << 6)
#define PG_dropbehind (1u << 7) /* leaves the cache when read or written back */
#define PG_waiters (1u << 8)	/* some task sleeps on its lock or writeback */
#define PG_reclaim (1u << 9)  /* reclaim met it dirty or under writeback: first to go once clean */
#define PG_mapped (1u << 20)  /* in some page table */
#define PG_private (1u << 21) /* private data that release_folio() does not give up */
#define FOLIO_LRU_SHIFT 30    /* top two bits: number of its LRU list (lru.h) */
#define FOLIO_FLAGS ((1u << FOLIO_LRU_SHIFT) - 1)

struct folio {
	struct address_space *mapping;	   /* NULL = free */
	pgoff_t index;			   /* of its first page */
	struct folio *bio_next;		   /* in a bio or in the free pool */
	uint32_t flags;			   /* PG_* */
	uint8_t order;			   /* 2^order pages */
	uint8_t lru_gen;		   /* generation of MGLRU (lru.h) */
	uint16_t memcg_id;		   /* charged to this group; 0 = none */
	struct folio *lru_next, *lru_prev; /* towards the old and the young end of its LRU list */
};

static_assert(sizeof(struct folio) <= 64, "DESIGN 8: 64 bytes a cached page");

static inline uint64_t folio_nr_pages(const struct folio *folio)
{
	return (uint64_t)1 << folio->order;
}

static inline pgoff_t folio_next_index(const struct folio *folio)
{
	return folio->index + folio_nr_pages(folio);
}

struct address_space {
	struct xarray i_pages; /* index of every page -> its folio */
	struct inode *host;
	uint64_t nrpages;
	uint64_t memcg_groups; /* of 64 pages, whose kernel memory is charged (memcontrol.h) */
};

struct extent_map;
struct inode_list;

struct inode {
	uint64_t i_ino;
	uint32_t i_dev;
	int64_t i_size;	      /* bytes */
	int64_t initial_size; /* bytes that exist on the device when the run starts */
	struct address_space i_data;
	uint32_t fi_flags;		     /* FI_*; owned by f2fs_data */
	struct extent_map *extents;	     /* file page -> block; owned by f2fs_data */
	ktime_t dirtied_when;		     /* valid while on_list */
	struct inode_list *on_list;	     /* b_dirty, b_io or b_more_io; NULL = none */
	bool under_flush;		     /* the flusher works on it (I_SYNC) */
	struct inode *list_next, *list_prev; /* in on_list */
	struct task *rwsem_owner;	     /* writer that holds i_rwsem */
	struct wait_queue rwsem_wait;
	struct inode *next; /* all inodes, in order of creation */
};

/* Inodes in order, oldest first. */
struct inode_list {
	struct inode *first, *last;
	uint64_t nr;
};

/* struct file_ra_state (include/linux/fs.h): one an open file. */
struct file_ra_state {
	pgoff_t start;
	uint32_t size, async_size; /* pages */
	uint32_t ra_pages;	   /* largest window; 0 = no readahead */
	uint32_t order;		   /* of the folios of the current window (6.12 and later) */
	int64_t prev_pos;	   /* last byte read; -1 = none */
};

struct dirty_task;

/* One open file: a task's view of an inode. */
struct file {
	struct inode *inode;
	struct file_ra_state ra;
	bool random;		  /* FMODE_RANDOM */
	struct dirty_task *dirty; /* of the task (page_writeback.h); borrowed */
};

#endif

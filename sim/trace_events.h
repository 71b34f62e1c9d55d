/*
 * sim/trace_events.h - the tracepoints: one function each, with the kernel's name.
 *
 * Stands for include/trace/events/ of f2fs, filemap, writeback, vmscan and block (KERNEL 7).  The
 * arguments are what the event prints and a model knows; sim/emit_ftrace_table.c prints them.  @dev
 * is the inode's i_dev.  Rates are pages a second, times of writeback jiffies or ms as named.
 */
#ifndef SIM_TRACE_EVENTS_H
#define SIM_TRACE_EVENTS_H

#include "sim/tracepoint.h"

/* Arguments are evaluated only while somebody listens. */
#define TRACE(sim, id, dev, ...)                                                                   \
	do {                                                                                       \
		if (trace_enabled(sim)) {                                                          \
			const uint64_t v_[] = {__VA_ARGS__};                                       \
			trace_emit(sim, id, dev, v_, G_N_ELEMENTS(v_));                            \
		}                                                                                  \
	} while (0)

/* An event about @op, with one number more. */
static inline void trace_op(struct sim *sim, enum trace_id id, const struct op *op, int64_t value)
{
	if (trace_enabled(sim))
		trace_emit_op(sim, id, op, value);
}

/* A file op enters and leaves the kernel. */
static inline void trace_sys_enter(struct sim *sim, const struct op *op)
{
	trace_op(sim, TRACE_SYS_ENTER, op, 0);
}

static inline void trace_sys_exit(struct sim *sim, const struct op *op)
{
	trace_op(sim, TRACE_SYS_EXIT, op, op->result);
}

/* The name of @ino is looked up: @found, or about to be made. */
static inline void trace_f2fs_lookup(struct sim *sim, uint32_t dev, uint64_t ino, bool found)
{
	TRACE(sim, TRACE_F2FS_LOOKUP_START, dev, ino);
	TRACE(sim, TRACE_F2FS_LOOKUP_END, dev, ino, found);
}

static inline void trace_f2fs_new_inode(struct sim *sim, uint32_t dev, uint64_t ino)
{
	TRACE(sim, TRACE_F2FS_NEW_INODE, dev, ino);
}

static inline void trace_f2fs_unlink(struct sim *sim, uint32_t dev, uint64_t ino)
{
	TRACE(sim, TRACE_F2FS_UNLINK_ENTER, dev, ino);
	TRACE(sim, TRACE_F2FS_UNLINK_EXIT, dev, ino, 0);
}

static inline void trace_f2fs_truncate(struct sim *sim, uint32_t dev, uint64_t ino, int64_t i_size)
{
	TRACE(sim, TRACE_F2FS_TRUNCATE, dev, ino, (uint64_t)i_size);
}

/* f2fs_dataread_start or f2fs_datawrite_start: a buffered or direct call enters the file system. */
static inline void trace_f2fs_data_start(struct sim *sim, bool write, const struct op *op,
					 int64_t i_size)
{
	trace_op(sim, write ? TRACE_F2FS_DATAWRITE_START : TRACE_F2FS_DATAREAD_START, op, i_size);
}

/* It leaves, a write with f2fs_file_write_iter behind. */
static inline void trace_f2fs_data_end(struct sim *sim, bool write, const struct op *op,
				       int64_t result)
{
	if (!trace_enabled(sim))
		return;
	trace_op(sim, write ? TRACE_F2FS_DATAWRITE_END : TRACE_F2FS_DATAREAD_END, op, result);
	if (write)
		trace_op(sim, TRACE_F2FS_FILE_WRITE_ITER, op, result);
}

static inline void trace_f2fs_direct_io_enter(struct sim *sim, const struct op *op)
{
	trace_op(sim, TRACE_F2FS_DIRECT_IO_ENTER, op, 0);
}

static inline void trace_f2fs_direct_io_exit(struct sim *sim, const struct op *op, int64_t result)
{
	trace_op(sim, TRACE_F2FS_DIRECT_IO_EXIT, op, result);
}

static inline void trace_f2fs_write_begin(struct sim *sim, uint32_t dev, uint64_t ino, int64_t pos,
					  int64_t len)
{
	TRACE(sim, TRACE_F2FS_WRITE_BEGIN, dev, ino, (uint64_t)pos, (uint64_t)len);
}

static inline void trace_f2fs_write_end(struct sim *sim, uint32_t dev, uint64_t ino, int64_t pos,
					int64_t len)
{
	TRACE(sim, TRACE_F2FS_WRITE_END, dev, ino, (uint64_t)pos, (uint64_t)len);
}

static inline void trace_f2fs_sync_file_enter(struct sim *sim, uint32_t dev, uint64_t ino,
					      int64_t i_size)
{
	TRACE(sim, TRACE_F2FS_SYNC_FILE_ENTER, dev, ino, (uint64_t)i_size);
}

static inline void trace_f2fs_sync_file_exit(struct sim *sim, uint32_t dev, uint64_t ino,
					     bool datasync)
{
	TRACE(sim, TRACE_F2FS_SYNC_FILE_EXIT, dev, ino, datasync, 0);
}

static inline void trace_f2fs_issue_flush(struct sim *sim, uint32_t dev, uint64_t ino)
{
	TRACE(sim, TRACE_F2FS_ISSUE_FLUSH, dev, ino, 0);
}

/* Pages. */
static inline void trace_f2fs_readpages(struct sim *sim, uint32_t dev, uint64_t ino, pgoff_t start,
					uint64_t nr)
{
	TRACE(sim, TRACE_F2FS_READPAGES, dev, ino, start, nr);
}

/* Pages from @index on live at @block, @len of them. */
static inline void trace_f2fs_map_blocks(struct sim *sim, uint32_t dev, uint64_t ino, pgoff_t index,
					 uint64_t block, uint64_t len)
{
	TRACE(sim, TRACE_F2FS_MAP_BLOCKS, dev, ino, index, block, len);
}

/* A pass begins over pages [@first, @last], UINT64_MAX = to the end. */
static inline void trace_f2fs_writepages(struct sim *sim, uint32_t dev, uint64_t ino,
					 int64_t nr_to_write, pgoff_t first, pgoff_t last,
					 bool sync_all, bool background, bool cyclic)
{
	TRACE(sim, TRACE_F2FS_WRITEPAGES, dev, ino, (uint64_t)nr_to_write, first,
	      MIN(last, (uint64_t)(INT64_MAX >> PAGE_SHIFT)), sync_all, background, cyclic);
}

/* Page @index joins a bio for block @new_block; @old_block 0 = it had none.  @op_flags: OP_SYNC. */
static inline void trace_f2fs_submit_page_write(struct sim *sim, uint32_t dev, uint64_t ino,
						pgoff_t index, uint64_t old_block,
						uint64_t new_block, bool sync, bool hot)
{
	TRACE(sim, TRACE_F2FS_SUBMIT_PAGE_WRITE, dev, ino, index, old_block, new_block,
	      OP_BIO_WRITE, sync ? OP_SYNC : 0u, hot);
}

static inline void trace_mm_filemap_add_to_page_cache(struct sim *sim, uint32_t dev, uint64_t ino,
						      pgoff_t index, unsigned int order)
{
	TRACE(sim, TRACE_MM_FILEMAP_ADD_TO_PAGE_CACHE, dev, ino, index, order);
}

static inline void trace_mm_filemap_delete_from_page_cache(struct sim *sim, uint32_t dev,
							   uint64_t ino, pgoff_t index,
							   unsigned int order)
{
	TRACE(sim, TRACE_MM_FILEMAP_DELETE_FROM_PAGE_CACHE, dev, ino, index, order);
}

/* A read wants bytes [@pos, @end) of the file. */
static inline void trace_mm_filemap_get_pages(struct sim *sim, uint32_t dev, uint64_t ino,
					      int64_t pos, int64_t end)
{
	TRACE(sim, TRACE_MM_FILEMAP_GET_PAGES, dev, ino, (uint64_t)pos, (uint64_t)(end - 1));
}

static inline void trace_writeback_dirty_folio(struct sim *sim, uint32_t dev, uint64_t ino,
					       pgoff_t index)
{
	TRACE(sim, TRACE_WRITEBACK_DIRTY_FOLIO, dev, ino, index);
}

/* The flusher visits an inode; @dirty: pages are; @dirtied_when: jiffies; @age_s: seconds. */
static inline void trace_writeback_single_inode(struct sim *sim, bool start, uint32_t dev,
						uint64_t ino, bool dirty, int64_t dirtied_when,
						int64_t age_s, pgoff_t index, int64_t to_write,
						uint64_t wrote)
{
	TRACE(sim, start ? TRACE_WRITEBACK_SINGLE_INODE_START : TRACE_WRITEBACK_SINGLE_INODE, dev,
	      ino, dirty, (uint64_t)dirtied_when, (uint64_t)age_s, index, (uint64_t)to_write,
	      wrote);
}

/* enum wb_reason, as far as it is met here. */
enum trace_wb_reason {
	TRACE_WB_BACKGROUND,
	TRACE_WB_VMSCAN,
	TRACE_WB_SYNC,
	TRACE_WB_PERIODIC,
};

/* One round of a work item begins (@start), or ends with @nr_pages of it left. */
static inline void trace_writeback_work(struct sim *sim, bool start, int64_t nr_pages,
					bool sync_all, bool kupdate, bool range_cyclic,
					bool background, enum trace_wb_reason reason)
{
	TRACE(sim, start ? TRACE_WRITEBACK_START : TRACE_WRITEBACK_WRITTEN, 0, (uint64_t)nr_pages,
	      sync_all, kupdate, range_cyclic, background, reason);
}

/* @moved inodes dirtied before @older jiffies, @age_ms ago, went to b_io. */
static inline void trace_writeback_queue_io(struct sim *sim, int64_t older, int64_t age_ms,
					    uint64_t moved, enum trace_wb_reason reason)
{
	TRACE(sim, TRACE_WRITEBACK_QUEUE_IO, 0, (uint64_t)older, (uint64_t)age_ms, moved, reason);
}

static inline void trace_writeback_wake_background(struct sim *sim)
{
	TRACE(sim, TRACE_WRITEBACK_WAKE_BACKGROUND, 0, 0);
}

static inline void trace_global_dirty_state(struct sim *sim, uint64_t dirty, uint64_t writeback,
					    uint64_t background_thresh, uint64_t thresh,
					    uint64_t limit, uint64_t dirtied, uint64_t written)
{
	TRACE(sim, TRACE_GLOBAL_DIRTY_STATE, 0, dirty, writeback, background_thresh, thresh, limit,
	      dirtied, written);
}

/* What balance_dirty_pages() decided; pages, pages a second, ms. */
struct trace_throttle {
	uint64_t limit, setpoint, dirty, wb_setpoint, wb_dirty;
	uint64_t dirty_ratelimit, task_ratelimit, dirtied, dirtied_pause;
	int64_t paused_ms, pause_ms, period_ms, think_ms;
};

static inline void trace_balance_dirty_pages(struct sim *sim, const struct trace_throttle *t)
{
	TRACE(sim, TRACE_BALANCE_DIRTY_PAGES, 0, t->limit, t->setpoint, t->dirty, t->wb_setpoint,
	      t->wb_dirty, t->dirty_ratelimit, t->task_ratelimit, t->dirtied, t->dirtied_pause,
	      (uint64_t)t->paused_ms, (uint64_t)t->pause_ms, (uint64_t)t->period_ms,
	      (uint64_t)t->think_ms);
}

static inline void trace_mm_vmscan_kswapd_wake(struct sim *sim, unsigned int order)
{
	TRACE(sim, TRACE_MM_VMSCAN_KSWAPD_WAKE, 0, order);
}

static inline void trace_mm_vmscan_kswapd_sleep(struct sim *sim)
{
	TRACE(sim, TRACE_MM_VMSCAN_KSWAPD_SLEEP, 0, 0);
}

/* An allocation finds memory below the low mark. */
static inline void trace_mm_vmscan_wakeup_kswapd(struct sim *sim, unsigned int order)
{
	TRACE(sim, TRACE_MM_VMSCAN_WAKEUP_KSWAPD, 0, order);
}

static inline void trace_mm_vmscan_reclaim_begin(struct sim *sim, bool memcg, unsigned int order)
{
	TRACE(sim,
	      memcg ? TRACE_MM_VMSCAN_MEMCG_RECLAIM_BEGIN : TRACE_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, 0,
	      order);
}

static inline void trace_mm_vmscan_reclaim_end(struct sim *sim, bool memcg, uint64_t nr_reclaimed)
{
	TRACE(sim, memcg ? TRACE_MM_VMSCAN_MEMCG_RECLAIM_END : TRACE_MM_VMSCAN_DIRECT_RECLAIM_END,
	      0, nr_reclaimed);
}

/* Pages leave a list; how many is told, once, by trace_mm_vmscan_lru_isolate(). */
static inline void trace_mm_vmscan_lru_isolate_here(struct sim *sim)
{
	if (trace_enabled(sim))
		trace_reserve(sim, TRACE_MM_VMSCAN_LRU_ISOLATE);
}

/* @active: from the active file list. */
static inline void trace_mm_vmscan_lru_isolate(struct sim *sim, uint64_t nr_requested,
					       uint64_t nr_scanned, uint64_t nr_taken, bool active)
{
	const uint64_t v[] = {0, nr_requested, nr_scanned, 0, nr_taken, active};

	if (trace_enabled(sim))
		trace_fill(sim, v, G_N_ELEMENTS(v));
}

/* Pages a batch met (struct reclaim_stat). */
struct trace_shrink {
	uint64_t nr_scanned, nr_reclaimed, nr_dirty, nr_writeback, nr_congested, nr_immediate;
	uint64_t nr_activate_file, nr_ref_keep;
	int priority;
};

static inline void trace_mm_vmscan_lru_shrink_inactive(struct sim *sim,
						       const struct trace_shrink *s)
{
	TRACE(sim, TRACE_MM_VMSCAN_LRU_SHRINK_INACTIVE, 0, s->nr_scanned, s->nr_reclaimed,
	      s->nr_dirty, s->nr_writeback, s->nr_congested, s->nr_immediate, s->nr_activate_file,
	      s->nr_ref_keep, (uint64_t)(int64_t)s->priority);
}

static inline void trace_mm_vmscan_lru_shrink_active(struct sim *sim, uint64_t nr_taken,
						     uint64_t nr_active, uint64_t nr_deactivated,
						     uint64_t nr_referenced, int priority)
{
	TRACE(sim, TRACE_MM_VMSCAN_LRU_SHRINK_ACTIVE, 0, nr_taken, nr_active, nr_deactivated,
	      nr_referenced, (uint64_t)(int64_t)priority);
}

/* Block events: @kind OP_BIO_READ .. OP_DISCARD, @flags OP_SYNC META FUA PREFLUSH RAHEAD. */
static inline void trace_block(struct sim *sim, enum trace_id id, enum op_kind kind, uint32_t flags,
			       sector_t sector, int64_t bytes)
{
	TRACE(sim, id, 0, kind, flags, sector, (uint64_t)bytes);
}

static inline void trace_block_split(struct sim *sim, enum op_kind kind, uint32_t flags,
				     sector_t sector, sector_t new_sector)
{
	TRACE(sim, TRACE_BLOCK_SPLIT, 0, kind, flags, sector, new_sector);
}

static inline void trace_block_plug(struct sim *sim)
{
	TRACE(sim, TRACE_BLOCK_PLUG, 0, 0);
}

#endif

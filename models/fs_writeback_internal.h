/*
 * models/fs_writeback_internal.h - a work item of the flusher, and the tracepoints around it
 * (include/trace/events/writeback.h).  Private to fs_writeback*.c; Level 4.
 */
#ifndef MODELS_FS_WRITEBACK_INTERNAL_H
#define MODELS_FS_WRITEBACK_INTERNAL_H

#include "models/f2fs_data.h"
#include "sim/trace_events.h"

/* struct wb_writeback_work */
struct writeback_work {
	bool for_background, for_kupdate;
	bool queued;	    /* b_io was filled at least once */
	int64_t nr_pages;   /* still to write */
	ktime_t older_than; /* inodes dirtied at most then */
	uint64_t progress;  /* pages written and inodes made clean in this pass */
	ktime_t pass_start; /* writeback_sb_inodes() leaves after PASS_NS */
	enum trace_wb_reason reason;
};

/* writeback_start, and later writeback_written, of a round of the work. */
static inline void trace_work(struct sim *sim, const struct writeback_work *work, bool start)
{
	trace_writeback_work(sim, start, work->nr_pages, false, work->reason == TRACE_WB_PERIODIC,
			     true, work->for_background, work->reason);
}

/* The flusher begins (@start) or ends its visit of wp->inode; @hz: jiffies a second. */
static inline void trace_visit(struct sim *sim, const struct writepages *wp, bool start, int64_t hz)
{
	const struct inode *inode = wp->inode;

	if (trace_enabled(sim))
		trace_writeback_single_inode(sim, start, inode->i_dev, inode->i_ino,
					     inode->i_data.i_pages.nr_marked[XA_MARK_0],
					     inode->dirtied_when * hz / NSEC_PER_SEC,
					     (sim->now - inode->dirtied_when) / NSEC_PER_SEC,
					     wp->index, wp->nr_to_write, wp->wrote);
}

/* @moved inodes, dirtied at most at @older_than, went to b_io. */
static inline void trace_queue_io(struct sim *sim, ktime_t older_than, uint64_t moved,
				  enum trace_wb_reason reason, int64_t hz)
{
	if (trace_enabled(sim))
		trace_writeback_queue_io(sim, MAX(older_than, 0) * hz / NSEC_PER_SEC,
					 (sim->now - older_than) / NSEC_PER_MSEC, moved, reason);
}

#endif

/*
 * sim/tracepoint.h - where the kernel has a tracepoint, a model hands over numbers.
 *
 * Stands for include/linux/tracepoint.h and the ring buffer behind it.  A model calls one of the
 * trace_NAME() of sim/trace_events.h; with no sink attached that is one test of one pointer.  With
 * sinks (sim/emit.h), the event gets CPU, task and time here, waits until nothing earlier can come
 * any more, and is then given to every sink, once.
 *
 * Time.  A next function changes the state of a whole stretch of work and charges its CPU time
 * after (sim/cpu.h), so most events of a stretch have no time of their own.  They are spread evenly
 * and in order over the stretch when its length is known.  Events that did happen at the instant
 * the clock shows are `pinned`: system calls, and what the block layer and the device do.  The last
 * pinned event of a stretch pins all before it.  A stretch that ends in a sleep, or for which the
 * task must queue, stands at its start.  Events in interrupt context stand at the clock.
 *
 * I1  events reach the sinks ordered by (time, order of emission).
 * I2  the events of one task keep their order, and lie within the task's time on its CPU.
 */
#ifndef SIM_TRACEPOINT_H
#define SIM_TRACEPOINT_H

#include "sim/sim.h"

#define TRACE_ARGS_MAX 14

/* In the order of the arguments that sim/trace_events.h gives. */
enum trace_id {
	/* file system calls */
	TRACE_SYS_ENTER,
	TRACE_SYS_EXIT,
	/* f2fs */
	TRACE_F2FS_LOOKUP_START,
	TRACE_F2FS_LOOKUP_END,
	TRACE_F2FS_NEW_INODE,
	TRACE_F2FS_UNLINK_ENTER,
	TRACE_F2FS_UNLINK_EXIT,
	TRACE_F2FS_TRUNCATE,
	TRACE_F2FS_DATAREAD_START,
	TRACE_F2FS_DATAREAD_END,
	TRACE_F2FS_DATAWRITE_START,
	TRACE_F2FS_DATAWRITE_END,
	TRACE_F2FS_FILE_WRITE_ITER,
	TRACE_F2FS_DIRECT_IO_ENTER,
	TRACE_F2FS_DIRECT_IO_EXIT,
	TRACE_F2FS_WRITE_BEGIN,
	TRACE_F2FS_WRITE_END,
	TRACE_F2FS_SYNC_FILE_ENTER,
	TRACE_F2FS_SYNC_FILE_EXIT,
	TRACE_F2FS_READPAGES,
	TRACE_F2FS_MAP_BLOCKS,
	TRACE_F2FS_WRITEPAGES,
	TRACE_F2FS_SUBMIT_PAGE_WRITE,
	TRACE_F2FS_ISSUE_FLUSH,
	/* filemap */
	TRACE_MM_FILEMAP_ADD_TO_PAGE_CACHE,
	TRACE_MM_FILEMAP_DELETE_FROM_PAGE_CACHE,
	TRACE_MM_FILEMAP_GET_PAGES,
	/* writeback of a file; up to here v[0] is the inode number */
	TRACE_WRITEBACK_DIRTY_FOLIO,
	TRACE_WRITEBACK_SINGLE_INODE_START,
	TRACE_WRITEBACK_SINGLE_INODE,
	/* writeback of the device */
	TRACE_WRITEBACK_START,
	TRACE_WRITEBACK_WRITTEN,
	TRACE_WRITEBACK_QUEUE_IO,
	TRACE_WRITEBACK_WAKE_BACKGROUND,
	TRACE_GLOBAL_DIRTY_STATE,
	TRACE_BDI_DIRTY_RATELIMIT,
	TRACE_BALANCE_DIRTY_PAGES,
	/* vmscan */
	TRACE_MM_VMSCAN_KSWAPD_WAKE,
	TRACE_MM_VMSCAN_KSWAPD_SLEEP,
	TRACE_MM_VMSCAN_WAKEUP_KSWAPD,
	TRACE_MM_VMSCAN_DIRECT_RECLAIM_BEGIN,
	TRACE_MM_VMSCAN_DIRECT_RECLAIM_END,
	TRACE_MM_VMSCAN_MEMCG_RECLAIM_BEGIN,
	TRACE_MM_VMSCAN_MEMCG_RECLAIM_END,
	TRACE_MM_VMSCAN_LRU_ISOLATE,
	TRACE_MM_VMSCAN_LRU_SHRINK_INACTIVE,
	TRACE_MM_VMSCAN_LRU_SHRINK_ACTIVE,
	/* block */
	TRACE_BLOCK_BIO_QUEUE,
	TRACE_BLOCK_GETRQ,
	TRACE_BLOCK_SPLIT,
	TRACE_BLOCK_BIO_BACKMERGE,
	TRACE_BLOCK_BIO_FRONTMERGE,
	TRACE_BLOCK_PLUG,
	TRACE_BLOCK_RQ_INSERT,
	TRACE_BLOCK_RQ_ISSUE,
	TRACE_BLOCK_RQ_COMPLETE,
	TRACE_NR_IDS
};

struct trace_event {
	ktime_t time_ns;
	uint64_t seq; /* order of emission */
	enum trace_id id;
	enum cpu_context context;
	unsigned int cpu;
	int32_t pid;	  /* of the task, or of the one that the interrupt met; 0 = idle */
	const char *comm; /* its name; valid during the sink's call only */
	uint32_t dev;	  /* DEVNO(); never 0 */
	uint64_t v[TRACE_ARGS_MAX];
	struct trace_event *next; /* while free */
};

/* Takes events in order; what goes wrong stays with the sink until its owner asks. */
struct trace_sink {
	void (*event)(struct trace_sink *sink, const struct trace_event *e);
};

struct tracepoints {
	GPtrArray *sinks;    /* struct trace_sink *, borrowed */
	GPtrArray *stretch;  /* struct trace_event * of the next function that runs */
	unsigned int pinned; /* of the stretch: so many stand at the clock */
	GPtrArray *heap;     /* struct trace_event *, earliest on top */
	GPtrArray *chunks;   /* memory of all events; owned */
	struct trace_event *free;
	struct trace_event *reserved; /* its numbers are to come; keeps the stretch */
	const struct task *current;   /* whose next function runs; NULL = an interrupt, a timer */
	uint64_t seq;
	uint32_t disk; /* 0 = not named yet */
	unsigned int irq_cpu;
	enum cpu_context irq_ctx; /* CTX_TASK = in no interrupt */
};

/* Switch the tracepoints of @sim on, with one more sink (borrowed until trace_stop()). */
void trace_add_sink(struct sim *sim, struct trace_sink *sink);

/* Give what still waits to the sinks and switch off; fine when it was never on. */
void trace_stop(struct sim *sim);

static inline bool trace_enabled(const struct sim *sim)
{
	return G_UNLIKELY(sim->trace != NULL);
}

/*
 * Emit @id with the @nr numbers of @v; only while trace_enabled().  @dev 0 of a file: it comes from
 * a generated job or an iolog, lies on this run's disk, and its number, counted from 1, moves
 * behind the three inodes that F2FS keeps for itself.  @dev 0 otherwise: the disk.
 */
void trace_emit(struct sim *sim, enum trace_id id, uint32_t dev, const uint64_t *v,
		unsigned int nr);

/*
 * Emit @id of the running task here, with numbers that only trace_fill() will know: the pages a
 * batch isolated, before what became of them.  One event at a time.
 */
void trace_reserve(struct sim *sim, enum trace_id id);
void trace_fill(struct sim *sim, const uint64_t *v, unsigned int nr);

/* The same as trace_emit() with the numbers of @op: ino, pos, len, aux, kind, flags, and @value. */
void trace_emit_op(struct sim *sim, enum trace_id id, const struct op *op, int64_t value);

/* The disk of this run has the number @dev, unless one was named before (or @dev is 0). */
void trace_name_disk(struct sim *sim, uint32_t dev);

/* Call t->next(t), a stretch of its own; for cpu.c, only while trace_enabled(). */
void trace_stretch(struct task *t);

/* What is emitted until trace_irq_exit() happens in @ctx on @cpu. */
static inline void trace_irq_enter(struct sim *sim, unsigned int cpu, enum cpu_context ctx)
{
	if (!trace_enabled(sim))
		return;
	sim->trace->irq_cpu = cpu;
	sim->trace->irq_ctx = ctx;
}

static inline void trace_irq_exit(struct sim *sim)
{
	if (trace_enabled(sim))
		sim->trace->irq_ctx = CTX_TASK;
}

#endif

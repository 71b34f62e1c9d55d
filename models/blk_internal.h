/*
 * models/blk_internal.h - what the files of the block layer share.  Private to blk_*.c; Level 1.
 *
 * A request is in exactly one place: a plug, `queue` (undispatched), `at_device`, or about to end
 * without having been there.
 */
#ifndef MODELS_BLK_INTERNAL_H
#define MODELS_BLK_INTERNAL_H

#include "models/blk_mq.h"
#include "sim/trace_events.h"

/* opf: neither merged into nor with; kept out of the REQ_* of bio.h. */
#define REQ_NOMERGE (1u << 31)

/* bi_flags: the data of a bio whose FUA is emulated is written, only the flush after it is left. */
#define BIO_DATA_WRITTEN (1u << 31)

#define BLK_NR_OPS (REQ_OP_DISCARD + 1)

/* One bio's share in a request. */
struct rq_part {
	struct bio *bio;
	struct rq_part *next;
};

struct rq_list {
	struct request *first, *last;
	uint64_t nr;
};

/* A request and the part that the common case needs. */
struct blk_request {
	struct request rq; /* must be first */
	struct rq_part part;
};

struct blk_flush {
	struct bio *running, *running_last; /* served by the flush at the device */
	struct bio *pending, *pending_last; /* wait for the next one */
};

struct blk_mq {
	struct model model;
	struct {
		uint64_t nr_requests;
		uint64_t max_sectors_kb;
		bool nomerges;
		uint64_t max_plug_requests;
		int64_t plug_flush_size;
		int64_t irq_ns;
	} conf;
	struct {
		uint64_t reads_completed, merges_read, sectors_read, read_ticks;
		uint64_t writes_completed, merges_write, sectors_written, write_ticks;
		uint64_t nr_in_flight, discards, sectors_discarded, flushes;
		uint64_t splits, tag_waits;
	} stat;
	struct model *dev;
	const struct dev_ops *dev_ops;
	unsigned int slots;
	uint64_t next_id;
	struct rq_list queue, at_device;
	uint64_t nr_ending; /* ending without the device */
	uint64_t nr_plugged;
	struct wait_queue tags_wait;
	struct blk_flush flush;
	struct request *free; /* pool, through next */
	struct rq_part *free_parts;
	struct block_op *free_ops; /* blk_op.c */
	GPtrArray *chunks;	   /* of all three */
	struct hist latency[BLK_NR_OPS];
	uint64_t latency_buckets[BLK_NR_OPS][HIST_BUCKETS];
};

static inline struct blk_mq *blk_mq_of(const struct sim *sim)
{
	return container_of(model_get(sim, &blk_mq), struct blk_mq, model);
}

/* blk_request.c: the pool, lists of requests, parts. */
/* Without parts; op, opf, sector, size_bytes and cpu are the caller's to set. */
struct request *rq_get(struct blk_mq *q);
void rq_put(struct blk_mq *q, struct request *rq);
void rq_pool_fini(struct blk_mq *q);
void rq_list_append(struct rq_list *list, struct request *rq);
void rq_list_prepend(struct rq_list *list, struct request *rq);
void rq_list_remove(struct rq_list *list, struct request *rq);
/* Add a part of @bio at the end (or the front) of @rq; bio->remaining counts it. */
void rq_add_part(struct blk_mq *q, struct request *rq, struct bio *bio, bool front);

/* blk_merge.c */
/* Bytes of a piece of @bio that starts after @done of its bytes: at most max_sectors_kb. */
int64_t bio_piece_bytes(const struct blk_mq *q, const struct bio *bio, int64_t done);
/* Merge the piece of @bytes at @sector into an undispatched request; false when none takes it. */
bool blk_attempt_merge(struct blk_mq *q, struct blk_plug *plug, struct bio *bio, sector_t sector,
		       int64_t bytes);

/* blk_plug.c: @rq joins the plug, which is sent first when it is full. */
void blk_plug_add(struct blk_mq *q, struct blk_plug *plug, struct request *rq);

/* blk_flush.c */
/* Send a flush on behalf of @bio, or join the next one. */
void blk_flush_add(struct blk_mq *q, struct bio *bio);
/* The flush request is complete: go on with the bios it served. */
void blk_flush_done(struct blk_mq *q, unsigned int cpu);
void blk_flush_check(const struct blk_mq *q);

/* blk_mq.c */
/* The data of @bio as requests. */
void blk_submit_data(struct blk_mq *q, struct bio *bio, struct blk_plug *plug);
/* A request at the queue's tail, or straight to the device. */
void blk_insert(struct blk_mq *q, struct request *rq);
/* A request without data straight to the queue's head (flush). */
void blk_insert_head(struct blk_mq *q, struct request *rq);
/* blk_op.c: sim->submit_block_op, and REQ_* as OP_* */
uint32_t blk_op_flags(unsigned int opf);
void blk_submit_op(struct sim *sim, struct task *t, struct op *op, task_fn done);

/*
 * blk_trace.c: the tracepoints (include/trace/events/block.h).  A flush bio is shown as the kernel
 * makes it, an empty synchronous write with REQ_PREFLUSH (FWS); the request that does the flush is
 * one of REQ_OP_FLUSH.
 */
void blk_trace_emit(const struct blk_mq *q, enum trace_id id, enum req_op op, unsigned int opf,
		    sector_t sector, int64_t bytes);

/* @bytes of @bio from @sector on. */
static inline void blk_trace_bio(const struct blk_mq *q, enum trace_id id, const struct bio *bio,
				 sector_t sector, int64_t bytes)
{
	if (!trace_enabled(q->model.sim))
		return;
	if (bio->op == REQ_OP_FLUSH)
		blk_trace_emit(q, id, REQ_OP_WRITE, bio->opf | REQ_SYNC, 0, 0);
	else
		blk_trace_emit(q, id, bio->op, bio->opf, sector, bytes);
}

static inline void blk_trace_rq(const struct blk_mq *q, enum trace_id id, const struct request *rq)
{
	if (trace_enabled(q->model.sim))
		blk_trace_emit(q, id, rq->op, rq->opf, rq->sector, rq->size_bytes);
}

/* @bio is cut at @new_sector. */
void blk_trace_split(const struct blk_mq *q, const struct bio *bio, sector_t sector,
		     sector_t new_sector);

/* The flush sequence of @bio is over: a completion of no bytes, without the flush in front. */
void blk_trace_sequence_end(const struct blk_mq *q, const struct bio *bio);

#endif

/*
 * models/blk_trace.h - the tracepoints of the block layer (include/trace/events/block.h, 6.12).
 * Private to blk_*.c; Level 1.
 *
 * A flush bio is shown as the kernel makes it, an empty synchronous write with REQ_PREFLUSH (FWS);
 * the request that does the flush is one of REQ_OP_FLUSH.
 */
#ifndef MODELS_BLK_TRACE_H
#define MODELS_BLK_TRACE_H

#include "models/blk_internal.h"
#include "sim/trace_events.h"

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

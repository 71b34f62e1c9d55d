/*
 * models/blk_trace.c - what the block layer's tracepoints tell, see models/blk_internal.h. Level 1.
 */
#include "models/blk_internal.h"

static enum op_kind kind_of(enum req_op op)
{
	static const enum op_kind kinds[BLK_NR_OPS] = {
		[REQ_OP_READ] = OP_BIO_READ,
		[REQ_OP_WRITE] = OP_BIO_WRITE,
		[REQ_OP_FLUSH] = OP_FLUSH,
		[REQ_OP_DISCARD] = OP_DISCARD,
	};

	return kinds[op];
}

void blk_trace_emit(const struct blk_mq *q, enum trace_id id, enum req_op op, unsigned int opf,
		    sector_t sector, int64_t bytes)
{
	trace_block(q->model.sim, id, kind_of(op), blk_op_flags(opf), sector, bytes);
}

void blk_trace_split(const struct blk_mq *q, const struct bio *bio, sector_t sector,
		     sector_t new_sector)
{
	if (trace_enabled(q->model.sim))
		trace_block_split(q->model.sim, kind_of(bio->op), blk_op_flags(bio->opf), sector,
				  new_sector);
}

void blk_trace_sequence_end(const struct blk_mq *q, const struct bio *bio)
{
	unsigned int opf = bio->opf & ~REQ_PREFLUSH;

	if (bio->op != REQ_OP_FLUSH && opf == bio->opf && !(bio->bi_flags & BIO_DATA_WRITTEN))
		return;
	if (trace_enabled(q->model.sim))
		blk_trace_emit(q, TRACE_BLOCK_RQ_COMPLETE, REQ_OP_WRITE,
			       bio->op == REQ_OP_FLUSH ? opf | REQ_SYNC : opf, bio->sector, 0);
}

/*
 * models/blk_merge.c - splitting bios at the queue's limits and merging their pieces into requests
 * that are not yet at the device (block/blk-merge.c v6.1).  Level 1.
 *
 * A piece is tried against the last request of the plug, then against the youngest MERGE_CHECKED
 * requests of the queue, at their back or front: contiguous, same op and flags, within
 * max_sectors_kb.
 *
 * Not modelled: segment limits, discard merging, I/O schedulers; the kernel's software queues are
 * one queue here.
 */
#include "models/blk_internal.h"

#define MERGE_CHECKED 8 /* blk_bio_list_merge() */

static int64_t max_bytes(const struct blk_mq *q)
{
	return (int64_t)q->conf.max_sectors_kb * 1024;
}

int64_t bio_piece_bytes(const struct blk_mq *q, const struct bio *bio, int64_t done)
{
	int64_t left = bio->size_bytes - done;

	return bio->op == REQ_OP_DISCARD ? left : MIN(left, max_bytes(q));
}

/* REQ_SYNC and the hints must agree too: blk_rq_merge_ok() compares what a driver may act on, and
 * requests of different urgency would be accounted wrongly. */
static bool may_merge(const struct blk_mq *q, const struct request *rq, const struct bio *bio,
		      int64_t bytes)
{
	return rq->op == bio->op && rq->opf == bio->opf && !(rq->opf & REQ_NOMERGE) &&
	       (rq->op == REQ_OP_READ || rq->op == REQ_OP_WRITE) &&
	       rq->size_bytes + bytes <= max_bytes(q);
}

static bool merge(struct blk_mq *q, struct request *rq, struct bio *bio, sector_t sector,
		  int64_t bytes)
{
	bool back = rq->sector + ((uint64_t)rq->size_bytes >> SECTOR_SHIFT) == sector;
	bool front = sector + ((uint64_t)bytes >> SECTOR_SHIFT) == rq->sector;

	if ((!back && !front) || !may_merge(q, rq, bio, bytes))
		return false;
	rq_add_part(q, rq, bio, !back);
	blk_trace_bio(q, back ? TRACE_BLOCK_BIO_BACKMERGE : TRACE_BLOCK_BIO_FRONTMERGE, bio, sector,
		      bytes);
	rq->size_bytes += bytes;
	if (!back)
		rq->sector = sector;
	if (rq->op == REQ_OP_READ)
		q->stat.merges_read++;
	else
		q->stat.merges_write++;
	return true;
}

bool blk_attempt_merge(struct blk_mq *q, struct blk_plug *plug, struct bio *bio, sector_t sector,
		       int64_t bytes)
{
	struct request *rq = q->queue.last;

	if (q->conf.nomerges)
		return false;
	if (plug && plug->last && merge(q, plug->last, bio, sector, bytes))
		return true;
	for (unsigned int i = 0; rq && i < MERGE_CHECKED; i++, rq = rq->prev)
		if (merge(q, rq, bio, sector, bytes))
			return true;
	return false;
}

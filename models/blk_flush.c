/*
 * models/blk_flush.c - REQ_PREFLUSH, REQ_FUA and flush bios (block/blk-flush.c v6.1).  Level 1.
 *
 * A bio's way is [flush] - [data] - [flush], the parts it needs: the first for REQ_PREFLUSH or a
 * flush bio, the last for REQ_FUA where the device has no FUA.  At most one flush is at the device;
 * bios that want one meanwhile share the next.  A device without a volatile cache gets neither
 * flush nor FUA.
 *
 * DEVIATION: the kernel holds the next flush back while data writes of flush sequences are under
 * way (at most FLUSH_PENDING_TIMEOUT), to share more; here it goes at once, so many fsyncs at a
 * time cost a few flushes more.
 *
 * I1  bios wait in pending only while running is not empty.
 */
#include "models/blk_internal.h"

static void append(struct bio **first, struct bio **last, struct bio *bio)
{
	bio->next = NULL;
	if (*first)
		(*last)->next = bio;
	else
		*first = bio;
	*last = bio;
}

/* Everything pending is served by one flush request. */
static void flush_issue(struct blk_mq *q)
{
	struct blk_flush *f = &q->flush;
	struct request *rq = rq_get(q);

	assert(!f->running && f->pending);
	f->running = f->pending;
	f->running_last = f->pending_last;
	f->pending = f->pending_last = NULL;
	rq->op = REQ_OP_FLUSH;
	rq->opf = REQ_PREFLUSH | REQ_NOMERGE;
	rq->sector = 0;
	rq->size_bytes = 0;
	rq->cpu = f->running->cpu;
	blk_insert_head(q, rq);
}

void blk_flush_add(struct blk_mq *q, struct bio *bio)
{
	append(&q->flush.pending, &q->flush.pending_last, bio);
	if (!q->flush.running)
		flush_issue(q);
}

void blk_flush_done(struct blk_mq *q, unsigned int cpu)
{
	struct bio *next, *bio = q->flush.running;

	q->flush.running = q->flush.running_last = NULL;
	if (q->flush.pending)
		flush_issue(q);
	for (; bio; bio = next) {
		next = bio->next;
		bio->next = NULL;
		if (bio->size_bytes == 0 || (bio->bi_flags & BIO_DATA_WRITTEN)) {
			blk_trace_sequence_end(q, bio);
			bio_endio(q->model.sim, bio, cpu);
		} else {
			blk_submit_data(q, bio, NULL);
		}
	}
}

void blk_flush_check(const struct blk_mq *q)
{
	assert(!q->flush.pending || q->flush.running); /* I1 */
}

/*
 * models/blk_mq.h - plug, merge, split, tags, dispatch (block/blk-mq.c, blk-core.c v6.1).  Level 1.
 */
#ifndef MODELS_BLK_MQ_H
#define MODELS_BLK_MQ_H

#include "models/dev.h"
#include "sim/stat.h"

/* One task's plug (struct blk_plug): requests gathered until 32 of them, one of >= 128 KiB, or
 * blk_finish_plug(). */
struct blk_plug {
	struct request *first, *last;
	unsigned int nr;
};

extern const struct model_ops blk_mq;

void blk_start_plug(struct blk_plug *plug);

/* Send what the plug holds to the queue. */
void blk_finish_plug(struct sim *sim, struct blk_plug *plug);

/*
 * Submit @bio: merged into the plug's last request or an undispatched one when contiguous, same op
 * and compatible flags; split at max_sectors_kb; otherwise a new request.  @plug may be NULL
 * (straight to the queue).  REQ_PREFLUSH on a write becomes flush, then the write (FUA emulated by
 * a second flush where the device has no FUA).  Never blocks: without a free tag the request waits
 * in FIFO order; a task that submits must then ask blk_mq_tags_wait(). end_io may run before this
 * returns only through a later event, never from inside.
 */
void submit_bio(struct sim *sim, struct bio *bio, struct blk_plug *plug);

/*
 * The queue a submitting task must wait on before it submits more, because requests wait for tags
 * (where the kernel's submitter sleeps in request allocation); NULL = go on.  Woken when a tag
 * frees and nothing waits any more.  What a plug holds counts: finish the plug before waiting, as
 * schedule() does.
 */
struct wait_queue *blk_mq_tags_wait(struct sim *sim);

/* Latencies at the device (D to C, ns) of requests of @op so far; borrowed. */
const struct hist *blk_mq_latency(const struct sim *sim, enum req_op op);

#endif

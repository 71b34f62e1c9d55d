/*
 * models/blk_plug.c - requests gathered by one task before they are sent (struct blk_plug,
 * block/blk-core.c, blk_add_rq_to_plug() of block/blk-mq.c v6.1).  Level 1.
 *
 * Without scheduler the requests go straight to the driver, which has no tracepoint of its own.
 *
 * DEVIATION: a plug is sent in the order in which it was filled; some kernels reverse it.
 */
#include "models/blk_internal.h"

static void plug_flush(struct blk_mq *q, struct blk_plug *plug)
{
	struct request *next, *rq = plug->first;

	q->nr_plugged -= plug->nr;
	blk_start_plug(plug);
	for (; rq; rq = next) {
		next = rq->next;
		blk_insert(q, rq);
	}
}

void blk_plug_add(struct blk_mq *q, struct blk_plug *plug, struct request *rq)
{
	if (plug->last && (plug->nr >= q->conf.max_plug_requests ||
			   plug->last->size_bytes >= q->conf.plug_flush_size))
		plug_flush(q, plug);
	if (!plug->first)
		trace_block_plug(q->model.sim);
	rq->next = NULL;
	if (plug->last)
		plug->last->next = rq;
	else
		plug->first = rq;
	plug->last = rq;
	plug->nr++;
	q->nr_plugged++;
}

void blk_start_plug(struct blk_plug *plug)
{
	*plug = (struct blk_plug){NULL, NULL, 0};
}

void blk_finish_plug(struct sim *sim, struct blk_plug *plug)
{
	plug_flush(blk_mq_of(sim), plug);
}

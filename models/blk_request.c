/*
 * models/blk_request.c - the pool of requests, their lists, and which bios they carry.  Level 1.
 *
 * A request is allocated with one part inside, so only merging allocates more.
 */
#include "models/blk_internal.h"

#define CHUNK 64 /* allocated at a time */

static struct blk_request *blk_request_of(struct request *rq)
{
	return container_of(rq, struct blk_request, rq);
}

struct request *rq_get(struct blk_mq *q)
{
	struct request *rq;

	if (!q->free) {
		struct blk_request *chunk = g_new0(struct blk_request, CHUNK);

		g_ptr_array_add(q->chunks, chunk);
		for (unsigned int i = 0; i < CHUNK; i++) {
			event_init(&chunk[i].rq.ev, NULL);
			chunk[i].rq.next = q->free;
			q->free = &chunk[i].rq;
		}
	}
	rq = q->free;
	q->free = rq->next;
	rq->dev = q->dev;
	rq->queued_ns = q->model.sim->now;
	return rq;
}

void rq_put(struct blk_mq *q, struct request *rq)
{
	struct rq_part *own = &blk_request_of(rq)->part;

	assert(!event_pending(&rq->ev) && !rq->dev_io);
	while (rq->parts) {
		struct rq_part *part = rq->parts;

		rq->parts = part->next;
		if (part == own)
			continue;
		part->next = q->free_parts;
		q->free_parts = part;
	}
	rq->next = q->free;
	q->free = rq;
}

void rq_pool_fini(struct blk_mq *q)
{
	g_ptr_array_unref(q->chunks);
}

void rq_list_append(struct rq_list *list, struct request *rq)
{
	rq->next = NULL;
	rq->prev = list->last;
	if (list->last)
		list->last->next = rq;
	else
		list->first = rq;
	list->last = rq;
	list->nr++;
}

void rq_list_prepend(struct rq_list *list, struct request *rq)
{
	rq->prev = NULL;
	rq->next = list->first;
	if (list->first)
		list->first->prev = rq;
	else
		list->last = rq;
	list->first = rq;
	list->nr++;
}

void rq_list_remove(struct rq_list *list, struct request *rq)
{
	assert(list->nr > 0);
	if (rq->prev)
		rq->prev->next = rq->next;
	else
		list->first = rq->next;
	if (rq->next)
		rq->next->prev = rq->prev;
	else
		list->last = rq->prev;
	rq->next = rq->prev = NULL;
	list->nr--;
}

static struct rq_part *part_get(struct blk_mq *q, struct request *rq)
{
	struct rq_part *part = q->free_parts;

	if (!rq->parts)
		return &blk_request_of(rq)->part;
	if (part) {
		q->free_parts = part->next;
		return part;
	}
	part = g_new(struct rq_part, 1);
	g_ptr_array_add(q->chunks, part);
	return part;
}

void rq_add_part(struct blk_mq *q, struct request *rq, struct bio *bio, bool front)
{
	struct rq_part *part = part_get(q, rq);

	*part = (struct rq_part){.bio = bio};
	bio->remaining++;
	if (!rq->parts) {
		rq->parts = rq->last_part = part;
	} else if (front) {
		part->next = rq->parts;
		rq->parts = part;
	} else {
		rq->last_part->next = part;
		rq->last_part = part;
	}
}

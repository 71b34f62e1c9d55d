/*
 * sim/event.c - see sim/event.h.  A 4-ary heap is half as deep as a binary one and the four
 * children of a node lie in one cache line of the pointer array.
 *
 * I1  heap[i] never fires before heap[(i - 1) / 4], by (time, seq).
 * I2  heap[i]->slot == i + 1; an event outside the heap has slot 0.
 */
#include "sim/event.h"

#include <glib.h>
#include <string.h>

#define ARITY 4u

static bool fires_before(const struct event *a, const struct event *b)
{
	return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

static void place(struct event_queue *q, uint32_t i, struct event *ev)
{
	q->heap[i] = ev;
	ev->slot = i + 1;
}

static void sift_up(struct event_queue *q, uint32_t i, struct event *ev)
{
	while (i > 0) {
		uint32_t parent = (i - 1) / ARITY;

		if (!fires_before(ev, q->heap[parent]))
			break;
		place(q, i, q->heap[parent]);
		i = parent;
	}
	place(q, i, ev);
}

/* The child of @i that fires first; q->nr when it has none. */
static uint32_t first_child(const struct event_queue *q, uint32_t i)
{
	uint32_t child = i * ARITY + 1, best = child;
	uint32_t end = MIN(child + ARITY, q->nr);

	if (child >= q->nr)
		return q->nr;
	for (child++; child < end; child++)
		if (fires_before(q->heap[child], q->heap[best]))
			best = child;
	return best;
}

static void sift_down(struct event_queue *q, uint32_t i, struct event *ev)
{
	for (uint32_t child = first_child(q, i); child < q->nr; child = first_child(q, i)) {
		if (!fires_before(q->heap[child], ev))
			break;
		place(q, i, q->heap[child]);
		i = child;
	}
	place(q, i, ev);
}

void event_queue_init(struct event_queue *q)
{
	memset(q, 0, sizeof(*q));
}

void event_queue_fini(struct event_queue *q)
{
	g_free(q->heap);
	event_queue_init(q);
}

void event_init(struct event *ev, void (*fn)(struct event *ev))
{
	*ev = (struct event){.fn = fn};
}

void event_add(struct event_queue *q, struct event *ev, ktime_t time)
{
	assert(!event_pending(ev));
	assert(ev->fn);
	if (q->nr == q->cap) {
		q->cap = q->cap ? 2 * q->cap : 64;
		q->heap = g_renew(struct event *, q->heap, q->cap);
	}
	ev->time = time;
	ev->seq = q->next_seq++;
	q->nr_foreground += !ev->daemon;
	sift_up(q, q->nr++, ev);
}

bool event_cancel(struct event_queue *q, struct event *ev)
{
	uint32_t i = ev->slot - 1;

	if (!event_pending(ev))
		return false;
	ev->slot = 0;
	if (!q->heap)
		return false;
	assert(i < q->nr && q->heap[i] == ev);
	q->nr_foreground -= !ev->daemon;

	struct event *last = q->heap[--q->nr];

	if (last == ev)
		return true;
	if (fires_before(last, ev))
		sift_up(q, i, last);
	else
		sift_down(q, i, last);
	return true;
}

struct event *event_first(const struct event_queue *q)
{
	return q->nr ? q->heap[0] : NULL;
}

struct event *event_pop(struct event_queue *q)
{
	struct event *ev = event_first(q), *last;

	if (!ev)
		return NULL;
	assert(ev->slot == 1);
	ev->slot = 0;
	q->nr_foreground -= !ev->daemon;
	last = q->heap[--q->nr];
	if (last != ev)
		sift_down(q, 0, last);
	return ev;
}

bool event_postpone(struct event_queue *q, struct event *ev, ktime_t ns)
{
	if (!event_pending(ev) || !q->heap)
		return false;
	assert(ns >= 0 && q->heap[ev->slot - 1] == ev);
	ev->time += ns;
	ev->seq = q->next_seq++;
	sift_down(q, ev->slot - 1, ev);
	return true;
}

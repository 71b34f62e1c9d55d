/*
 * sim/event.h - the event queue: a 4-ary heap of events that live inside their owners.
 *
 * Order is (time, seq); seq is handed out at scheduling, so equal times leave in the order they
 * were scheduled and nothing else (no pointer, no hash) ever decides.  Scheduling allocates nothing
 * per event; the heap array grows. An event is "daemon" when it alone must not keep a run alive
 * (sampling, the periodic flusher).
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "sim/types.h"

struct event {
	ktime_t time; /* when it fires; valid while pending */
	uint64_t seq; /* tie break; valid while pending */
	void (*fn)(struct event *
			   ev); /* called with the event no longer pending; may schedule it again */
	uint32_t slot;		/* 1 + position in the heap; 0 = not pending */
	bool daemon;
};

struct event_queue {
	struct event **heap;
	uint32_t nr, cap;
	uint32_t nr_foreground; /* pending events that are not daemon */
	uint64_t next_seq;
};

void event_queue_init(struct event_queue *q);

/*
 * Forget all pending events without touching them: their owners may be gone.  Owners that are not
 * may still event_cancel() theirs.
 */
void event_queue_fini(struct event_queue *q);

void event_init(struct event *ev, void (*fn)(struct event *ev));
static inline bool event_pending(const struct event *ev)
{
	return ev->slot != 0;
}

/* @ev must not be pending. */
void event_add(struct event_queue *q, struct event *ev, ktime_t time);

/* Remove @ev if pending; true when it was. */
bool event_cancel(struct event_queue *q, struct event *ev);

/* event_cancel(), then event_add() @ns after its time if it was pending; true when it was. */
bool event_postpone(struct event_queue *q, struct event *ev, ktime_t ns);

/* Earliest pending event or NULL; event_pop() also removes it. */
struct event *event_first(const struct event_queue *q);
struct event *event_pop(struct event_queue *q);

#endif

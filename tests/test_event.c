/*
 * tests/test_event.c - the heap against a list that is searched from end to end.
 */
#include <criterion/criterion.h>
#include <glib.h>

#include "sim/event.h"
#include "sim/rng.h"

#define NR_EVENTS 300

static void nothing(struct event *ev)
{
	(void)ev;
}

/* The stupid oracle: what is pending, in no order. */
static struct event *slowest_first(struct event *events)
{
	struct event *first = NULL;

	for (unsigned int i = 0; i < NR_EVENTS; i++) {
		struct event *ev = &events[i];

		if (!event_pending(ev))
			continue;
		if (!first || ev->time < first->time ||
		    (ev->time == first->time && ev->seq < first->seq))
			first = ev;
	}
	return first;
}

static unsigned int count_foreground(const struct event *events)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < NR_EVENTS; i++)
		nr += event_pending(&events[i]) && !events[i].daemon;
	return nr;
}

Test(event, random_programs_match_a_list)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		static struct event events[NR_EVENTS];
		struct event_queue q;
		struct rng rng;

		rng_init(&rng, seed, "event");
		event_queue_init(&q);
		for (unsigned int i = 0; i < NR_EVENTS; i++) {
			event_init(&events[i], nothing);
			events[i].daemon = i % 3 == 0;
		}
		for (unsigned int n = 0; n < 3000; n++) {
			struct event *ev = &events[rng_below(&rng, NR_EVENTS)];
			struct event *first = slowest_first(events);

			cr_assert_eq(event_first(&q), first);
			cr_assert_eq(q.nr_foreground, count_foreground(events));
			if (rng_below(&rng, 4) == 0)
				cr_assert_eq(event_pop(&q), first);
			else if (rng_below(&rng, 3) == 0)
				cr_assert_eq(event_postpone(&q, ev, (ktime_t)rng_below(&rng, 5)),
					     event_pending(ev));
			else if (event_pending(ev))
				cr_assert(event_cancel(&q, ev) && !event_pending(ev));
			else /* few distinct times: ties are the rule */
				event_add(&q, ev, (ktime_t)rng_below(&rng, 20));
		}
		event_queue_fini(&q);
	}
}

Test(event, equal_times_leave_in_the_order_they_came)
{
	struct event events[50];
	struct event_queue q;

	event_queue_init(&q);
	for (unsigned int i = 0; i < 50; i++) {
		event_init(&events[i], nothing);
		event_add(&q, &events[i], 7);
	}
	for (unsigned int i = 0; i < 50; i++)
		cr_assert_eq(event_pop(&q), &events[i]);
	cr_assert_null(event_pop(&q));
	event_queue_fini(&q);
}

Test(event, cancel_of_an_idle_event_says_so)
{
	struct event_queue q;
	struct event ev;

	event_queue_init(&q);
	event_init(&ev, nothing);
	cr_assert_not(event_cancel(&q, &ev));
	event_add(&q, &ev, 1);
	event_queue_fini(&q);
	cr_assert_not(event_cancel(&q, &ev)); /* forgotten with its queue */
	cr_assert_not(event_pending(&ev));
}

Test(event, adding_a_pending_event_aborts, .signal = SIGABRT)
{
	struct event_queue q;
	struct event ev;

	event_queue_init(&q);
	event_init(&ev, nothing);
	event_add(&q, &ev, 1);
	event_add(&q, &ev, 2);
}

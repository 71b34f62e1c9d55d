#include "traces/hold.h"

#include <criterion/criterion.h>

static struct op at(int64_t time_ns)
{
	return (struct op){.time_ns = time_ns, .done_ns = OP_NO_TIME};
}

static uint64_t push(struct hold *h, int64_t time_ns, uint64_t aux, bool pending)
{
	struct op op = at(time_ns);

	op.aux = aux;
	return hold_push(h, &op, pending);
}

Test(hold, nothing_leaves_before_the_window_is_full)
{
	struct hold *h = hold_new();
	struct op op;

	for (unsigned int i = 0; i < HOLD_SORT; i++)
		push(h, i, 0, false);
	cr_assert_not(hold_pop(h, false, &op));
	push(h, HOLD_SORT, 0, false);
	cr_assert(hold_pop(h, false, &op));
	cr_assert_eq(op.time_ns, 0);
	cr_assert_not(hold_pop(h, false, &op));
	cr_assert(hold_pop(h, true, &op));
	cr_assert_eq(op.time_ns, 1);
	hold_free(h);
}

Test(hold, sorts_by_time_and_keeps_arrival_of_equal_times)
{
	static const int64_t times[] = {30, 10, 20, 10, 5, 20};
	static const uint64_t want[] = {4, 1, 3, 2, 5, 0};
	struct hold *h = hold_new();
	struct op op;

	for (unsigned int i = 0; i < G_N_ELEMENTS(times); i++)
		push(h, times[i], i, false);
	for (unsigned int i = 0; i < G_N_ELEMENTS(want); i++) {
		cr_assert(hold_pop(h, true, &op));
		cr_assert_eq(op.aux, want[i]);
	}
	cr_assert_not(hold_pop(h, true, &op));
	hold_free(h);
}

Test(hold, a_waiting_op_holds_back_all_behind_it)
{
	struct hold *h = hold_new();
	uint64_t ticket = push(h, 0, 7, true);
	struct op op;

	for (unsigned int i = 1; i < 2 * HOLD_SORT; i++)
		push(h, i, 0, false);
	cr_assert_not(hold_pop(h, false, &op));
	hold_get(h, ticket)->done_ns = 99;
	hold_finish(h, ticket);
	cr_assert_not_null(hold_get(h, ticket));
	cr_assert(hold_pop(h, false, &op));
	cr_assert_eq(op.aux, 7);
	cr_assert_eq(op.done_ns, 99);
	cr_assert_null(hold_get(h, ticket));
	hold_free(h);
}

Test(hold, past_the_maximum_the_oldest_leaves_unfinished)
{
	struct hold *h = hold_new();
	uint64_t ticket = push(h, 0, 7, true);
	struct op op;

	for (unsigned int i = 1; i < HOLD_MAX; i++)
		push(h, i, 0, false);
	cr_assert_not(hold_pop(h, false, &op));
	push(h, HOLD_MAX, 0, false);
	cr_assert(hold_pop(h, false, &op));
	cr_assert_eq(op.aux, 7);
	cr_assert_eq(op.done_ns, OP_NO_TIME);
	cr_assert_null(hold_get(h, ticket));
	hold_finish(h, ticket); /* too late, and harmless */
	hold_free(h);
}

Test(hold, an_abandoned_op_is_never_delivered)
{
	struct hold *h = hold_new();
	uint64_t ticket = push(h, 1, 7, true);
	struct op op;

	push(h, 2, 8, false);
	hold_abandon(h, ticket);
	cr_assert(hold_pop(h, true, &op));
	cr_assert_eq(op.aux, 8);
	cr_assert_not(hold_pop(h, true, &op));
	hold_free(h);
}

/* A slot's next tenant must not answer to the ticket of the one before. */
Test(hold, a_ticket_dies_with_its_op)
{
	struct hold *h = hold_new();
	uint64_t first = push(h, 1, 0, true);
	struct op op;

	cr_assert(hold_pop(h, true, &op));
	uint64_t second = push(h, 1, 0, true);

	cr_assert_neq(first, second);
	cr_assert_null(hold_get(h, first));
	cr_assert_not_null(hold_get(h, second));
	hold_free(h);
}

/* Against sorting everything: 20,000 ops that step back by less than the window. */
Test(hold, agrees_with_a_full_sort)
{
	struct hold *h = hold_new();
	uint32_t seed = 1;
	int64_t last = -1;
	unsigned int popped = 0;
	struct op op;

	for (int64_t i = 0; i < 20000; i++) {
		seed = seed * 1664525u + 1013904223u;
		push(h, i + (seed >> 22), 0, false); /* up to 1023 ahead */
		while (hold_pop(h, false, &op)) {
			cr_assert_geq(op.time_ns, last);
			last = op.time_ns;
			popped++;
		}
	}
	for (; hold_pop(h, true, &op); popped++) {
		cr_assert_geq(op.time_ns, last);
		last = op.time_ns;
	}
	cr_assert_eq(popped, 20000);
	hold_free(h);
}

/* Two captures appended to each other, each in order for itself: the order of capture stays. */
Test(hold, a_clock_that_begins_anew_is_no_disorder)
{
	struct hold *h = hold_new();
	unsigned int popped = 0;
	struct op op;

	for (unsigned int i = 0; i < 6000; i++) {
		int64_t hour_ns = i < 3000 ? 3600 * NSEC_PER_SEC : 0;

		push(h, hour_ns + i, i, false);
		for (; hold_pop(h, false, &op); popped++)
			cr_assert_eq(op.aux, popped);
	}
	for (; hold_pop(h, true, &op); popped++)
		cr_assert_eq(op.aux, popped);
	cr_assert_eq(popped, 6000);
	hold_free(h);
}

/* Behind less than a full window any step is disorder. */
Test(hold, a_short_capture_is_sorted_whatever_the_steps)
{
	struct hold *h = hold_new();
	struct op op;

	push(h, 3600 * NSEC_PER_SEC, 0, false);
	push(h, 1, 1, false);
	cr_assert(hold_pop(h, true, &op));
	cr_assert_eq(op.aux, 1);
	hold_free(h);
}

/*
 * tests/test_op.c - the bounds every op keeps, and what trace_next() does with one that breaks
 * them.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "tests/support.h"
#include "traces/trace.h"

static const struct op good = {
	.kind = OP_READ,
	.len = 4096,
	.done_ns = OP_NO_TIME,
};

Test(op, the_bounds_themselves_are_fine)
{
	struct op op = good;

	op.pos = OP_MAX_BYTES - op.len;
	cr_assert_null(op_fault(&op));
	op.time_ns = OP_MAX_NS;
	op.done_ns = OP_MIN_NS;
	op.result = op.len;
	cr_assert_null(op_fault(&op));
	op.time_ns = OP_NO_TIME;
	op.result = -5;
	cr_assert(op_valid(&op, NULL));
	/* the largest gap of two ops and 73 years (2.3e18 ns) behind it are a time */
	cr_assert_leq(OP_MAX_NS - OP_MIN_NS, INT64_MAX - INT64_C(2300000000000000000));
}

#define REFUSED(what, ...)                                                                         \
	do {                                                                                       \
		struct op op = good;                                                               \
		__VA_ARGS__;                                                                       \
		cr_assert_str_eq(op_fault(&op), what);                                             \
	} while (0)

Test(op, what_is_beyond_is_refused)
{
	REFUSED("unknown kind", op.kind = OP_NR_KINDS);
	REFUSED("unknown flag", op.flags = 1u << OP_NR_FLAGS);
	REFUSED("negative offset", op.pos = -1);
	REFUSED("negative length", op.len = -1);
	REFUSED("offset + length is beyond 2^60 bytes", op.pos = OP_MAX_BYTES - 4095);
	REFUSED("offset + length is beyond 2^60 bytes", op.pos = INT64_MAX);
	REFUSED("offset + length is beyond 2^60 bytes", op.len = INT64_MAX);
	REFUSED("offset + length is beyond 2^60 bytes", op.kind = OP_TRUNCATE; op.len = 0;
		op.pos = INT64_MAX);
	REFUSED("address is beyond 2^60 bytes", op.kind = OBS_MAP; op.aux = UINT64_MAX);
	REFUSED("time is not between -2^61 and 2^62 ns", op.time_ns = OP_MAX_NS + 1);
	REFUSED("time is not between -2^61 and 2^62 ns", op.time_ns = OP_MIN_NS - 1);
	REFUSED("time is not between -2^61 and 2^62 ns", op.done_ns = INT64_MAX);
	REFUSED("result is larger than the length", op.done_ns = 5; op.result = 4097);
	REFUSED("result is larger than the length", op.kind = OP_WRITE; op.done_ns = 5;
		op.result = INT64_MAX);
}

/* A reader that delivers what it is given. */
struct given {
	struct trace trace;
	const struct op *ops;
	unsigned int n;
};

static bool given_next(struct trace *t, struct op *op, GError **err)
{
	struct given *g = container_of(t, struct given, trace);

	(void)err;
	if (!g->n)
		return false;
	*op = *g->ops++;
	g->n--;
	return true;
}

static const struct trace_ops given_ops = {.name = "given", .next = given_next};

static const char *warning(const struct given *g, unsigned int i)
{
	cr_assert_gt(g->trace.info.warnings->len, i);
	return g_ptr_array_index(g->trace.info.warnings, i);
}

Test(op, a_reader_whose_op_is_beyond_is_told_and_counted)
{
	struct op ops[] = {good, good, good};
	struct given g = {.ops = ops, .n = G_N_ELEMENTS(ops)};
	struct op op;

	ops[0].kind = OP_NR_KINDS; /* no class to ask for */
	ops[1].pos = INT64_MAX;
	ops[1].task = 7;
	ops[2].task = 8;
	trace_init(&g.trace, &given_ops, NULL, "x");
	cr_assert(trace_next(&g.trace, &op, NULL));
	cr_assert_eq(op.task, 8);
	cr_assert_not(trace_next(&g.trace, &op, NULL));
	cr_assert_eq(g.trace.info.broken, 2);
	cr_assert_not_null(strstr(warning(&g, 1), "op left out: offset + length is beyond 2^60 "
						  "bytes (task 7"));
	trace_fini(&g.trace);
}

Test(op, a_leap_of_more_than_ten_days_is_told_once)
{
	const int64_t day = INT64_C(86400) * NSEC_PER_SEC;
	struct op ops[] = {good, good, good, good, good};
	struct given g = {.ops = ops, .n = G_N_ELEMENTS(ops)};
	struct op op;

	ops[0].time_ns = 0;
	ops[1].time_ns = 10 * day;
	ops[2].time_ns = OP_NO_TIME;
	ops[3].time_ns = 20 * day + 1;
	ops[4].time_ns = 0;
	trace_init(&g.trace, &given_ops, NULL, "x");
	for (unsigned int i = 0; i < 3; i++)
		cr_assert(trace_next(&g.trace, &op, NULL));
	cr_assert_eq(g.trace.info.warnings->len, 0);
	for (unsigned int i = 3; i < 5; i++)
		cr_assert(trace_next(&g.trace, &op, NULL));
	cr_assert_eq(g.trace.info.warnings->len, 1);
	cr_assert_str_eq(warning(&g, 0), "the time leaps from 864000 to 1728000 s between two ops: "
					 "a wild time stamp?");
	trace_fini(&g.trace);
}

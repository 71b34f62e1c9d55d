#include "traces/blkpair.h"

#include <criterion/criterion.h>

static const struct trace_ops no_ops = {.name = "test"};
static struct trace trace;
static struct hold *hold;
static struct blkpair *pair;
static struct op op;

static void setup(void)
{
	trace_init(&trace, &no_ops, NULL, "test");
	hold = hold_new();
	pair = blkpair_new(&trace, hold);
}

static void teardown(void)
{
	blkpair_free(pair);
	hold_free(hold);
	trace_fini(&trace);
}

static struct blk_event event(char action, int64_t time_ns, const char *rwbs, uint64_t sector,
			      uint32_t bytes)
{
	struct blk_event e = {.time_ns = time_ns,
			      .action = action,
			      .sector = sector,
			      .bytes = bytes,
			      .dev = DEVNO(8, 0)};

	blk_rwbs_parse(rwbs, &e.rwbs);
	return e;
}

static void feed(char action, int64_t time_ns, const char *rwbs, uint64_t sector, uint32_t bytes)
{
	struct blk_event e = event(action, time_ns, rwbs, sector, bytes);

	blkpair_event(pair, &e);
}

static void feed_on(unsigned int cpu, char action, int64_t time_ns, uint64_t sector)
{
	struct blk_event e = event(action, time_ns, "R", sector, 4096);

	e.cpu = (uint16_t)cpu;
	blkpair_event(pair, &e);
}

static void assert_counts(uint64_t paired, uint64_t unpaired)
{
	blkpair_end(pair);
	cr_assert_eq(trace.info.paired, paired);
	cr_assert_eq(trace.info.unpaired, unpaired);
}

static void assert_op(enum op_kind kind, int64_t time_ns, int64_t done_ns)
{
	cr_assert(hold_pop(hold, true, &op));
	cr_assert_eq(op.kind, kind);
	cr_assert_eq(op.time_ns, time_ns);
	cr_assert_eq(op.done_ns, done_ns);
}

static void assert_no_op(void)
{
	cr_assert_not(hold_pop(hold, true, &op));
}

TestSuite(blkpair, .init = setup, .fini = teardown);

Test(blkpair, issue_counts_not_queue)
{
	feed('Q', 1, "WS", 8, 8192);
	feed('D', 5, "WS", 8, 8192);
	feed('C', 9, "WS", 8, 8192);
	assert_counts(1, 0);
	assert_op(OP_BIO_WRITE, 5, 9);
	cr_assert_eq(op.flags, OP_SYNC);
	assert_no_op();
}

Test(blkpair, queue_counts_where_nothing_is_issued)
{
	feed('Q', 1, "R", 8, 4096);
	feed('C', 9, "R", 8, 4096);
	assert_counts(1, 0);
	assert_op(OP_BIO_READ, 1, 9);
}

Test(blkpair, direction_and_device_tell_requests_apart)
{
	struct blk_event other = event('D', 3, "R", 8, 4096);

	other.dev = DEVNO(8, 16);
	feed('D', 1, "R", 8, 4096);
	feed('D', 2, "W", 8, 4096);
	blkpair_event(pair, &other);
	feed('C', 7, "W", 8, 4096);
	other.action = 'C';
	other.time_ns = 8;
	blkpair_event(pair, &other);
	feed('C', 9, "R", 8, 4096);
	assert_counts(3, 0);
	assert_op(OP_BIO_READ, 1, 9);
	assert_op(OP_BIO_WRITE, 2, 7);
	assert_op(OP_BIO_READ, 3, 8);
}

Test(blkpair, alike_requests_complete_in_order_of_issue)
{
	feed('D', 1, "R", 8, 4096);
	feed('D', 2, "R", 8, 4096);
	feed('C', 5, "R", 8, 4096);
	feed('C', 9, "R", 8, 4096);
	assert_counts(2, 0);
	assert_op(OP_BIO_READ, 1, 5);
	assert_op(OP_BIO_READ, 2, 9);
}

/* The completion of the first issue is missing; it must not shift the pairs behind it. */
Test(blkpair, a_lost_completion_costs_one_pair)
{
	feed('D', 10, "W", 8, 4096);
	for (int64_t t = 1000; t <= 3000; t += 1000) {
		feed('D', t, "W", 8, 4096);
		feed('C', t + 100, "W", 8, 4096);
	}
	assert_counts(3, 1);
	assert_op(OP_BIO_WRITE, 10, OP_NO_TIME);
	assert_op(OP_BIO_WRITE, 1000, 1100);
	assert_op(OP_BIO_WRITE, 2000, 2100);
	assert_op(OP_BIO_WRITE, 3000, 3100);
}

/* Issues only, all on one sector: no pile, no quadratic walk. */
Test(blkpair, alike_requests_do_not_pile_up)
{
	for (int64_t t = 0; t < 300000; t++)
		feed('D', t, "W", 8, 4096);
	cr_assert_eq(trace.info.unpaired, 300000 - 256);
	assert_counts(0, 300000);
}

/* 16 sectors done as 8, then 8 at the sector where the first part ended. */
Test(blkpair, a_request_completed_in_parts_is_done_with_the_last)
{
	feed('D', 1, "W", 100, 8192);
	feed('C', 5, "W", 100, 4096);
	feed('C', 9, "W", 108, 4096);
	assert_counts(1, 0);
	assert_op(OP_BIO_WRITE, 1, 9);
	cr_assert_eq(op.len, 8192);
	cr_assert_eq(op.result, 8192);
}

Test(blkpair, a_requeue_cancels_the_issue)
{
	feed('D', 1, "R", 8, 4096);
	feed('R', 2, "R", 8, 4096);
	feed('D', 6, "R", 8, 4096);
	feed('C', 9, "R", 8, 4096);
	assert_counts(1, 0);
	assert_op(OP_BIO_READ, 6, 9);
	assert_no_op();
}

Test(blkpair, an_error_is_the_result)
{
	struct blk_event c = event('C', 9, "R", 8, 4096);

	c.error = 5;
	feed('D', 1, "R", 8, 4096);
	blkpair_event(pair, &c);
	assert_counts(1, 0);
	assert_op(OP_BIO_READ, 1, 9);
	cr_assert_eq(op.result, -5);
}

/* F2FS checkpoint pack, as in the seqwrite capture: flush, write, and a completion of the whole. */
Test(blkpair, a_flush_sequence_is_a_flush_and_a_write)
{
	feed('Q', 1, "FWFSM", 8208, 4096);
	feed('D', 2, "FN", 0, 0);
	feed('C', 3, "FN", 0, 0);
	feed('D', 4, "WFSM", 8208, 4096);
	feed('C', 5, "WFSM", 8208, 4096);
	feed('C', 6, "WFSM", 8208, 0);
	assert_counts(2, 0);
	assert_op(OBS_FLUSH_SEQUENCE, 1, 6);
	cr_assert_eq(op.flags, OP_PREFLUSH | OP_FUA | OP_SYNC | OP_META);
	cr_assert_eq(op.pos, 8208 * 512);
	cr_assert_eq(op.len, 4096);
	cr_assert_eq(op.result, 4096);
	assert_op(OP_FLUSH, 2, 3);
	assert_op(OP_BIO_WRITE, 4, 5);
	cr_assert_eq(op.flags, OP_FUA | OP_SYNC | OP_META);
	assert_no_op();
}

/* Two writes behind one flush: the one with data by its sector, the bare one by being next. */
Test(blkpair, flush_sequences_overlap)
{
	feed('Q', 1, "FWS", 0, 0);
	feed('Q', 2, "FWFS", 64, 4096);
	feed('Q', 3, "FWFS", 128, 4096);
	feed('D', 4, "FN", 0, 0);
	feed('C', 5, "FN", 0, 0);
	feed('C', 6, "WFS", 128, 0);
	feed('C', 7, "WS", 0, 0);
	feed('C', 8, "WFS", 64, 0);
	assert_counts(1, 0);
	assert_op(OBS_FLUSH_SEQUENCE, 1, 7);
	assert_op(OBS_FLUSH_SEQUENCE, 2, 8);
	assert_op(OBS_FLUSH_SEQUENCE, 3, 6);
	assert_op(OP_FLUSH, 4, 5);
	assert_no_op();
}

/* Sequences that never end hold nothing up, and are not delivered. */
Test(blkpair, flush_sequences_without_end)
{
	feed('D', 0, "R", 8, 4096);
	feed('C', 0, "R", 8, 4096);
	for (int64_t t = 1; t <= 2000; t++)
		feed('Q', t, "FWFS", 64 * (uint64_t)t, 4096);
	assert_op(OP_BIO_READ, 0, 0);
	assert_counts(1, 0);
	assert_no_op();
}

/* Old kernels give a flush sector 2^64 - 1, new ones 0. */
Test(blkpair, flushes_have_no_address)
{
	feed('D', 1, "FWS", UINT64_MAX, 0);
	feed('C', 2, "FWS", 0, 0);
	feed('D', 3, "FF", 0, 0);
	feed('C', 4, "FF", 0, 0);
	assert_counts(2, 0);
	assert_op(OP_FLUSH, 1, 2);
	cr_assert_eq(op.pos, 0);
	assert_op(OP_FLUSH, 3, 4);
}

/* CPU 1's clock runs 9 us behind CPU 0's: no negative latency, and the pair is kept. */
Test(blkpair, a_completion_before_its_issue_by_clock_skew)
{
	feed_on(1, 'C', 1000, 8);
	feed_on(0, 'D', 10000, 8);
	assert_counts(1, 0);
	cr_assert_eq(trace.info.skewed, 1);
	cr_assert_eq(trace.info.cross_cpu, 1);
	assert_op(OP_BIO_READ, 10000, 10000);
}

Test(blkpair, a_completion_too_early_is_of_another_request)
{
	feed_on(1, 'C', 1000, 8);
	feed_on(0, 'D', 11001, 8);  /* past 10 us */
	feed_on(0, 'C', 11002, 16); /* same CPU: no skew */
	feed_on(0, 'D', 11003, 16);
	assert_counts(0, 4);
	assert_op(OP_BIO_READ, 11001, OP_NO_TIME);
	assert_op(OP_BIO_READ, 11003, OP_NO_TIME);
}

/* CASES 25, for block requests: only what the losing CPU issued is void. */
Test(blkpair, loss_on_a_cpu_voids_its_own_requests)
{
	feed_on(0, 'D', 1, 8);
	feed_on(1, 'D', 2, 16);
	blkpair_lost(pair, 1);
	feed_on(0, 'C', 5, 8);
	assert_counts(1, 1);
	assert_op(OP_BIO_READ, 1, 5);
	assert_op(OP_BIO_READ, 2, OP_NO_TIME);
}

/* A device's first issue shows that its earlier queue events were not the requests. */
Test(blkpair, the_first_issue_drops_what_was_queued)
{
	feed('Q', 1, "R", 8, 4096);
	feed('Q', 2, "R", 16, 4096);
	feed('D', 3, "R", 8, 8192);
	feed('C', 4, "R", 8, 8192);
	assert_counts(1, 0);
	assert_op(OP_BIO_READ, 3, 4);
	assert_no_op();
}

Test(blkpair, commands_have_bytes_and_no_address)
{
	struct blk_event d = event('D', 1, "W", UINT64_MAX, 512), c = event('C', 2, "W", 0, 0);

	d.passthrough = c.passthrough = true;
	blkpair_event(pair, &d);
	blkpair_event(pair, &c);
	assert_counts(1, 0);
	assert_op(OP_BIO_WRITE, 1, 2);
	cr_assert_eq(op.pos, 0);
	cr_assert_eq(op.len, 512);
	cr_assert_eq(op.flags, OP_PASSTHROUGH);
}

/* Commands always look alike: several in flight all the time, in order. */
Test(blkpair, commands_complete_in_order)
{
	for (int64_t t = 0; t < 4; t++) {
		struct blk_event d = event('D', 10 * t, "R", UINT64_MAX, 512);
		struct blk_event c = event('C', 10 * t + 1, "R", UINT64_MAX, 0);

		blkpair_event(pair, &d);
		if (t > 0)
			blkpair_event(pair, &c);
	}
	assert_counts(3, 1);
	assert_op(OP_BIO_READ, 0, 11);
	assert_op(OP_BIO_READ, 10, 21);
	assert_op(OP_BIO_READ, 20, 31);
	assert_op(OP_BIO_READ, 30, OP_NO_TIME);
}

/* HOLD_MAX requests that never complete, and one more: the oldest is given up. */
Test(blkpair, requests_that_never_complete_do_not_pile_up)
{
	for (uint32_t i = 0; i <= HOLD_MAX; i++)
		feed('D', i, "R", 8 * (uint64_t)i, 4096);
	cr_assert_eq(trace.info.unpaired, 1);
	feed('C', HOLD_MAX + 1, "R", 8 * (uint64_t)HOLD_MAX, 4096);
	assert_counts(1, HOLD_MAX);
}

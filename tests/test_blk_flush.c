/*
 * tests/test_blk_flush.c - REQ_PREFLUSH, REQ_FUA and flush bios (block/blk-flush.c v6.1).
 *
 * A write takes 100 us, a flush 1 ms, the interrupt nothing.
 */
#include <criterion/criterion.h>

#include "tests/blk_machine.h"

#define DEVICE "[blk_mq]\nirq_ns = 0\n[device]\nmodel = fixed\nparallel = 8\n"
#define US NSEC_PER_USEC

static uint64_t stat(const struct sim *sim, const char *counter)
{
	return blk_machine_stat(sim, "blk_mq", counter);
}

/* The checkpoint pack, "FWFSM": flush, then the write with FUA. */
Test(blk_flush, preflush_goes_first)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct seen_bio s;

	seen_bio_submit(&s, sim, REQ_OP_WRITE, REQ_PREFLUSH | REQ_FUA | REQ_SYNC | REQ_META, 8, 8,
			NULL);
	blk_machine_run(sim, 500 * US);
	cr_assert_eq(stat(sim, "writes_completed"), 0);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(s.end_ns, 1100 * US);
	cr_assert_eq(stat(sim, "flushes"), 1);
	cr_assert_eq(stat(sim, "writes_completed"), 1);
	sim_free(sim);
}

Test(blk_flush, fua_is_emulated_by_a_flush)
{
	struct sim *sim = blk_machine_new(DEVICE "fua = no\n");
	struct seen_bio both, fua;

	seen_bio_submit(&both, sim, REQ_OP_WRITE, REQ_PREFLUSH | REQ_FUA, 8, 8, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(both.end_ns, 2100 * US);
	cr_assert_eq(stat(sim, "flushes"), 2);
	seen_bio_submit(&fua, sim, REQ_OP_WRITE, REQ_FUA, 8, 2048, NULL); /* two requests */
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(fua.ended, 1);
	cr_assert_eq(stat(sim, "flushes"), 3);
	cr_assert_eq(stat(sim, "writes_completed"), 3);
	sim_free(sim);
}

/* One is at the device; those that come meanwhile share the next. */
Test(blk_flush, concurrent_flushes_share)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct seen_bio s[5];

	for (unsigned int i = 0; i < 5; i++) {
		seen_bio_submit(&s[i], sim, REQ_OP_FLUSH, REQ_PREFLUSH, 0, 0, NULL);
		blk_machine_run(sim, 100 * US);
	}
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "flushes"), 2);
	cr_assert_eq(s[0].end_ns, 1000 * US);
	for (unsigned int i = 1; i < 5; i++)
		cr_assert_eq(s[i].end_ns, 2000 * US);
	sim_free(sim);
}

/* A flush overtakes what waits in the queue. */
Test(blk_flush, goes_to_the_head_of_the_queue)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n");
	struct seen_bio w[3], f;

	for (unsigned int i = 0; i < 3; i++)
		seen_bio_submit(&w[i], sim, REQ_OP_WRITE, 0, 1000 * i, 8, NULL);
	seen_bio_submit(&f, sim, REQ_OP_FLUSH, REQ_PREFLUSH, 0, 0, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_lt(w[0].order, f.order);
	cr_assert_lt(f.order, w[1].order);
	sim_free(sim);
}

/* Without a volatile cache nothing is flushed; end_io still comes in a later event. */
Test(blk_flush, nothing_to_flush_without_a_volatile_cache)
{
	struct sim *sim = blk_machine_new(DEVICE "volatile_cache = no\n");
	struct seen_bio w, f;

	seen_bio_submit(&f, sim, REQ_OP_FLUSH, REQ_PREFLUSH, 0, 0, NULL);
	seen_bio_submit(&w, sim, REQ_OP_WRITE, REQ_PREFLUSH | REQ_FUA, 8, 8, NULL);
	cr_assert_eq(f.ended, 0);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(f.ended, 1);
	cr_assert_eq(f.end_ns, 0);
	cr_assert_eq(w.end_ns, 100 * US);
	cr_assert_eq(stat(sim, "flushes"), 0);
	cr_assert_eq(stat(sim, "nr_in_flight"), 0);
	sim_free(sim);
}

/* PREFLUSH without data is a flush, whatever the op says. */
Test(blk_flush, empty_preflush_write_is_a_flush)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct seen_bio s;

	seen_bio_submit(&s, sim, REQ_OP_WRITE, REQ_PREFLUSH | REQ_SYNC, 0, 0, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(s.end_ns, 1000 * US);
	cr_assert_eq(stat(sim, "flushes"), 1);
	cr_assert_eq(stat(sim, "writes_completed"), 0);
	sim_free(sim);
}

/* What carries FUA or PREFLUSH is merged with nothing. */
Test(blk_flush, flush_sequences_do_not_merge)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n");
	struct seen_bio s[4];

	seen_bio_submit(&s[0], sim, REQ_OP_READ, 0, 90000, 8, NULL);
	seen_bio_submit(&s[1], sim, REQ_OP_WRITE, REQ_FUA, 0, 8, NULL);
	seen_bio_submit(&s[2], sim, REQ_OP_WRITE, REQ_FUA, 8, 8, NULL);
	seen_bio_submit(&s[3], sim, REQ_OP_WRITE, 0, 16, 8, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "merges_write"), 0);
	cr_assert_eq(stat(sim, "writes_completed"), 3);
	sim_free(sim);
}

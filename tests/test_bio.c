/*
 * tests/test_bio.c - where and when end_io runs (KERNEL.md 2.4, 2.5).
 *
 * The device takes 100 us, eight commands at a time; the interrupt 2 us; the worker starts 20 us
 * after it was queued.  Times below are sums of these.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "tests/blk_machine.h"

#define DEVICE "[device]\nmodel = fixed\nparallel = 8\n"
#define POLICY(p) DEVICE "[bio]\ncompletion = " p "\n"
#define US NSEC_PER_USEC

static void submit(struct seen_bio *s, struct sim *sim, sector_t sector, unsigned int bi_flags,
		   ktime_t cost)
{
	struct bio *bio = seen_bio_new(s, sim, REQ_OP_WRITE, sector, 8);

	bio->bi_flags = bi_flags;
	bio->end_cost_ns = cost;
	submit_bio(sim, bio, NULL);
}

Test(bio, ends_in_interrupt_after_its_cost)
{
	struct sim *sim = blk_machine_new(POLICY("irq_skip"));
	struct seen_bio a, b;

	submit(&a, sim, 0, BIO_COMPLETE_IN_TASK, 5 * US);
	submit(&b, sim, 1000, 0, 0);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(a.ended, 1);
	cr_assert_not(a.in_task);
	/* both interrupts come at 100 us on CPU 0: a's 2 and 5 us, then b's 2 */
	cr_assert_eq(a.end_ns, 107 * US);
	cr_assert_eq(b.end_ns, 109 * US, "%ld", b.end_ns);
	cr_assert_lt(a.order, b.order);
	cr_assert_eq(sim->cpus[0].ctx_ns[CTX_HARDIRQ], 4 * US);
	cr_assert_eq(sim->cpus[0].ctx_ns[CTX_SOFTIRQ], 5 * US);
	cr_assert_eq(sim->cpus[1].ctx_ns[CTX_HARDIRQ], 0);
	sim_free(sim);
}

Test(bio, flagged_goes_to_the_worker_alone)
{
	struct sim *sim = blk_machine_new(POLICY("task_flagged"));
	struct seen_bio flagged, plain;

	submit(&flagged, sim, 0, BIO_COMPLETE_IN_TASK, 5 * US);
	submit(&plain, sim, 1000, 0, 0);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert(flagged.in_task);
	cr_assert_eq(flagged.end_ns, (102 + 20 + 5) * US);
	cr_assert_not(plain.in_task);
	cr_assert_eq(plain.end_ns, 104 * US);
	cr_assert_eq(sim->cpus[0].ctx_ns[CTX_SOFTIRQ], 0);
	cr_assert_eq(blk_machine_stat(sim, "bio", "completed_in_irq"), 1);
	cr_assert_eq(blk_machine_stat(sim, "bio", "completed_in_task"), 1);
	sim_free(sim);
}

Test(bio, always_task_takes_all)
{
	struct sim *sim = blk_machine_new(POLICY("always_task"));
	struct seen_bio s;

	submit(&s, sim, 0, 0, 0);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert(s.in_task);
	cr_assert_eq(s.end_ns, 122 * US);
	sim_free(sim);
}

/*
 * Four bios arrive before the worker runs: one batch in FIFO order.  A fifth arrives at 202 us
 * while the worker (50 us a bio, busy from 122 to 322) is at it: second batch, no second wakeup.
 */
Test(bio, worker_steals_the_whole_list)
{
	struct sim *sim = blk_machine_new(POLICY("always_task"));
	struct seen_bio s[5];

	for (unsigned int i = 0; i < 4; i++)
		submit(&s[i], sim, 1000 * i, 0, 50 * US);
	sim_run_until(sim, 100 * US);
	submit(&s[4], sim, 90000, 0, 50 * US);
	blk_machine_run(sim, NSEC_PER_SEC);
	for (unsigned int i = 0; i < 4; i++) {
		cr_assert_eq(s[i].order, i + 1);
		cr_assert_geq(s[i].end_ns, (122 + 50 * (i + 1)) * US);
	}
	/* interrupts at 104, 106, 108 move the worker not at all, the one at 202 by its 2 us */
	cr_assert_eq(s[3].end_ns, 324 * US, "%ld", s[3].end_ns);
	cr_assert_eq(s[4].end_ns, 374 * US, "%ld", s[4].end_ns);
	cr_assert_eq(blk_machine_stat(sim, "bio", "worker_batches"), 2);
	sim_free(sim);
}

Test(bio, delay_gathers_more)
{
	struct sim *sim = blk_machine_new(POLICY("always_task") "completion_delay = 4ms\n");
	struct seen_bio s[3];

	for (unsigned int i = 0; i < 3; i++) {
		submit(&s[i], sim, 1000 * i, 0, 0);
		sim_run_until(sim, sim->now + NSEC_PER_MSEC);
	}
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(blk_machine_stat(sim, "bio", "worker_batches"), 1);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(s[i].end_ns, (102 + 4000 + 20) * US);
	sim_free(sim);
}

/* Each CPU completes what it submitted. */
Test(bio, completes_where_it_was_submitted)
{
	struct sim *sim = blk_machine_new(POLICY("irq_skip"));
	struct seen_bio s;
	struct bio *bio = seen_bio_new(&s, sim, REQ_OP_READ, 0, 8);

	bio->cpu = 1;
	bio->end_cost_ns = 7 * US;
	submit_bio(sim, bio, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(sim->cpus[0].ctx_ns[CTX_SOFTIRQ], 0);
	cr_assert_eq(sim->cpus[1].ctx_ns[CTX_SOFTIRQ], 7 * US);
	cr_assert_eq(sim->cpus[1].ctx_ns[CTX_HARDIRQ], 2 * US);
	sim_free(sim);
}

static void resubmit(struct seen_bio *s)
{
	static unsigned int left = 100;
	struct sim *sim = s->sim;

	if (left-- == 0)
		return;
	struct bio *bio = seen_bio_new(s, sim, REQ_OP_READ, left * 8, 8);

	s->then = resubmit;
	submit_bio(sim, bio, NULL);
}

/* end_io may put its bio and submit another at once, in either context. */
Test(bio, end_io_may_submit)
{
	struct sim *sim = blk_machine_new(POLICY("irq_skip"));
	struct seen_bio s;

	submit(&s, sim, 0, 0, 0);
	s.then = resubmit;
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(blk_machine_stat(sim, "bio", "bios_completed"), 101);
	cr_assert_eq(blk_machine_stat(sim, "bio", "nr_in_flight"), 0);
	sim_free(sim);
}

Test(bio, without_end_io_is_our_bug, .signal = SIGABRT)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct bio *bio = bio_alloc(sim);

	bio->size_bytes = 4096;
	submit_bio(sim, bio, NULL);
}

Test(bio, put_while_in_flight_is_our_bug, .signal = SIGABRT)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct seen_bio s;
	struct bio *bio = seen_bio_new(&s, sim, REQ_OP_READ, 0, 8);

	submit_bio(sim, bio, NULL);
	bio_put(sim, bio);
}

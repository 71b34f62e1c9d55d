/*
 * tests/test_context.c - the context checker: which locks may be taken where (KERNEL.md 2.3).
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "tests/blk_machine.h"

#define DEVICE "[device]\nmodel = fixed\n"
#define US NSEC_PER_USEC

static const struct lock_class try_lock = {"folio lock", LOCK_TRY};
static const struct lock_class irq_lock = {"xa_lock", LOCK_SPIN_IRQ};
static const struct lock_class spin_lock = {"i_lock", LOCK_SPIN};
static const struct lock_class sleep_lock = {"i_mmap_rwsem", LOCK_SLEEP};

static void take_all(struct sim *sim)
{
	static const struct lock_class *const locks[] = {&try_lock, &irq_lock, &spin_lock,
							 &sleep_lock};

	for (unsigned int i = 0; i < G_N_ELEMENTS(locks); i++) {
		context_take(sim, locks[i]);
		context_release(sim, locks[i]);
	}
}

Test(context, a_task_may_take_all)
{
	struct sim *sim = blk_machine_new(DEVICE);

	cr_assert(context_in_task(sim));
	take_all(sim);
	cr_assert_eq(sim->context.nr_violations, 0);
	cr_assert_null(context_report(sim, 0));
	sim_free(sim);
}

/* In softirq and hardirq the spinlock that is not irq safe and the sleeping one: 2 each. */
Test(context, an_interrupt_may_not)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct context_frame a, b;

	context_enter(sim, &a, CTX_SOFTIRQ, 1, "completion");
	context_call(sim, &b, "end_io");
	cr_assert_not(context_in_task(sim));
	cr_assert_eq(context_cpu(sim), 1);
	take_all(sim);
	cr_assert_eq(sim->context.nr_violations, 2);
	cr_assert_str_eq(context_report(sim, 0),
			 "softirq: completion -> end_io -> i_lock, which is not irq safe");
	cr_assert_str_eq(context_report(sim, 1),
			 "softirq: completion -> end_io -> i_mmap_rwsem, which may sleep");
	context_leave(sim, &b);
	context_leave(sim, &a);
	context_enter(sim, &a, CTX_HARDIRQ, 0, "interrupt");
	take_all(sim);
	context_leave(sim, &a);
	cr_assert_eq(sim->context.nr_violations, 4);
	cr_assert(context_in_task(sim));
	cr_assert_null(sim->failure);
	sim_free(sim);
}

/* The same chain a thousand times is one report and a thousand violations; four chains are kept. */
Test(context, reports_are_few)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	struct sim *sim = blk_machine_new(DEVICE);

	for (unsigned int i = 0; i < 1000; i++) {
		struct context_frame frame;

		context_enter(sim, &frame, CTX_SOFTIRQ, 0, names[i / 200]);
		context_take(sim, &spin_lock);
		context_release(sim, &spin_lock);
		context_leave(sim, &frame);
	}
	cr_assert_eq(sim->context.nr_violations, 1000);
	cr_assert(strstr(context_report(sim, 3), "softirq: d -> i_lock"));
	cr_assert_null(context_report(sim, 4));
	sim_free(sim);
}

/* i_lock is outside xa_lock: right so; wrong the other way; nothing sleeps under either. */
Test(context, the_order_of_locks)
{
	struct sim *sim = blk_machine_new(DEVICE);

	context_take(sim, &spin_lock);
	context_take(sim, &irq_lock);
	context_release(sim, &irq_lock);
	context_release(sim, &spin_lock);
	cr_assert_eq(sim->context.nr_violations, 0);
	context_take(sim, &irq_lock);
	context_take(sim, &spin_lock);
	context_release(sim, &spin_lock);
	context_release(sim, &irq_lock);
	cr_assert_eq(sim->context.nr_violations, 1);
	context_take(sim, &spin_lock);
	context_take(sim, &sleep_lock);
	context_release(sim, &sleep_lock);
	context_release(sim, &spin_lock);
	cr_assert_eq(sim->context.nr_violations, 2);
	sim_free(sim);
}

static void planted_fault(struct seen_bio *s)
{
	context_take(s->sim, &spin_lock);
	context_release(s->sim, &spin_lock);
}

/* A planted fault: an end_io that takes i_lock.  Harmless in the worker, seen in softirq. */
Test(context, a_lock_taken_in_softirq_is_caught)
{
	static const char *const policy[] = {"irq_skip", "always_task"};

	for (unsigned int i = 0; i < 2; i++) {
		g_autofree char *ini =
			g_strconcat(DEVICE "[bio]\ncompletion = ", policy[i], "\n", NULL);
		struct sim *sim = blk_machine_new(ini);
		struct seen_bio s;
		struct bio *bio = seen_bio_new(&s, sim, REQ_OP_WRITE, 0, 8);

		s.then = planted_fault;
		submit_bio(sim, bio, NULL);
		blk_machine_run(sim, NSEC_PER_SEC);
		cr_assert_eq(s.ended, 1);
		cr_assert_eq(sim->context.nr_violations, i == 0);
		if (i == 0)
			cr_assert_str_eq(context_report(sim, 0),
					 "softirq: blk_mq_complete_request -> bio_endio -> "
					 "i_lock, which is not irq safe");
		sim_free(sim);
	}
}

Test(context, fail_ends_the_run)
{
	struct sim *sim = blk_machine_new(DEVICE "[sim]\ncontext = fail\n");
	struct seen_bio s;
	struct bio *bio = seen_bio_new(&s, sim, REQ_OP_WRITE, 0, 8);

	s.then = planted_fault;
	submit_bio(sim, bio, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert(sim->failure);
	/* device 100 us and interrupt 2 us */
	cr_assert_str_eq(sim->failure->str,
			 "context violation at 0.000102000 s in softirq: blk_mq_complete_request "
			 "-> bio_endio -> i_lock, which is not irq safe");
	sim_free(sim);
}

Test(context, frames_leave_in_order, .signal = SIGABRT)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct context_frame a, b;

	context_enter(sim, &a, CTX_SOFTIRQ, 0, "a");
	context_call(sim, &b, "b");
	context_leave(sim, &a);
}

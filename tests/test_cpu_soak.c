/*
 * tests/test_cpu_soak.c - a random soak of the accounting of CPU time.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/rng.h"
#include "tests/bare_machine.h"

/* The soak: tasks that run, sleep, wait, wake and raise interrupts as the dice say. */
struct soak {
	struct task task;
	struct rng rng;
	unsigned int left;
};

static struct wait_queue soak_wq;
static uint64_t soak_sum;

static void soak_next(struct task *t)
{
	struct soak *s = container_of(t, struct soak, task);
	struct sim *sim = t->sim;
	ktime_t ns = (ktime_t)rng_below(&s->rng, 50) * 100;

	soak_sum = soak_sum * 31 + (uint64_t)sim->now + (uint64_t)t->pid;
	if (rng_below(&s->rng, 3) == 0)
		cpu_irq(sim, (unsigned int)rng_below(&s->rng, sim->nr_cpus),
			rng_below(&s->rng, 2) ? CTX_SOFTIRQ : CTX_HARDIRQ,
			(ktime_t)rng_below(&s->rng, 300));
	wake_up(&soak_wq);
	if (s->left-- == 0) {
		wake_up_all(&soak_wq);
		task_exit(t);
	} else if (rng_below(&s->rng, 4) == 0) {
		task_sleep(t, sim->now + ns, soak_next);
	} else if (rng_below(&s->rng, 8) == 0 && sim->nr_foreground > 4) {
		task_wait(t, &soak_wq, soak_next, "soak", 0, 0);
	} else {
		task_run(t, ns, soak_next);
	}
}

static uint64_t soak_once(const char *check)
{
	struct sim *sim = bare_machine("3", check);
	struct soak s[8];

	soak_sum = 0;
	wait_queue_init(&soak_wq);
	for (int i = 0; i < 8; i++) {
		rng_init(&s[i].rng, (uint64_t)i, "soak");
		s[i].left = 3000;
		task_init(&s[i].task, sim, "soak", i, false);
		task_start(&s[i].task, soak_next);
	}
	for (ktime_t until = 777; sim->nr_foreground > 0; until += 777) {
		sim_run_until(sim, until);
		cpus_check(sim); /* at odd instants, in the middle of runs and interrupts */
		cr_assert_lt(until, NSEC_PER_SEC);
	}
	sim_free(sim);
	return soak_sum;
}

/* With checks every event takes the queue, without them tasks go on alone: same run. */
Test(cpu_soak, accounting_holds_at_any_instant_and_runs_repeat)
{
	uint64_t first = soak_once("off");

	cr_assert_neq(first, 0);
	cr_assert_eq(soak_once("off"), first);
	cr_assert_eq(soak_once("event"), first);
}

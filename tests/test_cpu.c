/*
 * tests/test_cpu.c - tasks on CPUs: times worked out by hand, and a random soak of the accounting.
 */
#include <criterion/criterion.h>

#include "tests/bare_machine.h"

static struct sim *machine(const char *nr_cpus)
{
	return bare_machine(nr_cpus, "event");
}

/* A task that does one run and notes when it was over. */
struct runner {
	struct task task;
	ktime_t ns, started, ended;
	unsigned int left; /* runs still to do */
	unsigned int cpu;  /* where the last one ended */
};

static unsigned int order[16], nr_ended; /* pids as they ended */

static void runner_end(struct task *t)
{
	struct runner *r = container_of(t, struct runner, task);

	r->ended = t->sim->now;
	r->cpu = t->cpu;
	if (r->left > 0) {
		r->left--;
		task_run(t, r->ns, runner_end);
		return;
	}
	order[nr_ended++ % 16] = (unsigned int)t->pid;
	task_exit(t);
}

static void runner_begin(struct task *t)
{
	struct runner *r = container_of(t, struct runner, task);

	r->started = t->sim->now;
	task_run(t, r->ns, runner_end);
}

static void runner_start(struct runner *r, struct sim *sim, int pid, ktime_t ns, unsigned int more)
{
	*r = (struct runner){.ns = ns, .left = more};
	task_init(&r->task, sim, "runner", pid, false);
	task_start(&r->task, runner_begin);
}

/*
 * One CPU.  The task wants 100 ns from 0.  At 40 softirq work of 30 comes (until 70), at 60
 * hardirq work of 20 queues behind it (until 90): the task ends at 150.
 */
Test(cpu, interrupts_push_the_end_back)
{
	struct sim *sim = machine("1");
	struct cpu *cpu = &sim->cpus[0];
	struct runner r;

	runner_start(&r, sim, 1, 100, 0);
	sim_run_until(sim, 40);
	cr_assert_eq(cpu_irq(sim, 0, CTX_SOFTIRQ, 30), 70);
	sim_run_until(sim, 50);
	cr_assert_eq(cpu->ctx_ns[CTX_TASK], 40);
	cr_assert_eq(cpu->ctx_ns[CTX_SOFTIRQ], 10);
	sim_run_until(sim, 60);
	cr_assert_eq(cpu_irq(sim, 0, CTX_HARDIRQ, 20), 90);
	sim_run_until(sim, 80);
	cr_assert_eq(cpu->ctx_ns[CTX_SOFTIRQ], 30);
	cr_assert_eq(cpu->ctx_ns[CTX_HARDIRQ], 10);
	cr_assert_eq(r.task.cpu_ns, 40);
	sim_run_until(sim, 100);
	cr_assert_eq(r.task.cpu_ns, 50);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(r.ended, 150);
	cr_assert_eq(cpu->ctx_ns[CTX_TASK], 100);
	cr_assert_eq(cpu->ctx_ns[CTX_SOFTIRQ] + cpu->ctx_ns[CTX_HARDIRQ], 50);
	sim_free(sim);
}

/* An idle CPU busy with interrupt work until 50 lets a task begin only then. */
Test(cpu, an_idle_cpu_starts_after_its_interrupts)
{
	struct sim *sim = machine("1");
	struct runner r;

	cpu_irq(sim, 0, CTX_HARDIRQ, 50);
	sim_run_until(sim, 10);
	runner_start(&r, sim, 1, 5, 0);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(r.started, 50);
	cr_assert_eq(r.ended, 55);
	sim_free(sim);
}

static void irq_then_run(struct task *t)
{
	task_run(t, 10, runner_end);
	cpu_irq(t->sim, t->cpu, CTX_SOFTIRQ, 7); /* after the choice, before the run began */
}

Test(cpu, interrupts_raised_by_the_task_itself)
{
	struct sim *sim = machine("1");
	struct runner r = {0};

	task_init(&r.task, sim, "self", 1, false);
	task_start(&r.task, irq_then_run);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(r.ended, 17);
	cr_assert_eq(r.task.cpu_ns, 10);
	sim_free(sim);
}

/* Two CPUs, three tasks of 10, 20 and 5 ns: the third follows the first, on its CPU. */
Test(cpu, queue_is_fifo)
{
	struct sim *sim = machine("2");
	struct runner r[3];

	runner_start(&r[0], sim, 1, 10, 0);
	runner_start(&r[1], sim, 2, 20, 0);
	runner_start(&r[2], sim, 3, 5, 0);
	cr_assert(sim_run(sim, NULL));
	cr_assert(r[0].ended == 10 && r[0].cpu == 0);
	cr_assert(r[1].ended == 20 && r[1].cpu == 1);
	cr_assert(r[2].ended == 15 && r[2].cpu == 0);
	sim_free(sim);
}

/*
 * sched_slice 3 ms, runs of 1 ms: A does three, then B (one run of 10 ms, not cut) and C (1 ms),
 * then A's last two.  A alone would not be put off at all.
 */
Test(cpu, a_slice_ends_at_the_next_run)
{
	struct sim *sim = machine("1");
	struct runner r[3];

	runner_start(&r[0], sim, 1, NSEC_PER_MSEC, 4);
	runner_start(&r[1], sim, 2, 10 * NSEC_PER_MSEC, 0);
	runner_start(&r[2], sim, 3, NSEC_PER_MSEC, 0);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(r[1].ended, 13 * NSEC_PER_MSEC);
	cr_assert_eq(r[2].ended, 14 * NSEC_PER_MSEC);
	cr_assert_eq(r[0].ended, 16 * NSEC_PER_MSEC);
	cr_assert(order[0] == 2 && order[1] == 3 && order[2] == 1);
	sim_free(sim);
}

/* A task that waits on a queue, and counts how often it was let go. */
struct waiter {
	struct task task;
	struct wait_queue *wq;
	unsigned int woken;
};

static void waiter_next(struct task *t)
{
	struct waiter *w = container_of(t, struct waiter, task);

	w->woken++;
	task_wait(t, w->wq, waiter_next, "test", 0, 0);
}

static void waiter_start(struct waiter *w, struct sim *sim, struct wait_queue *wq)
{
	*w = (struct waiter){.wq = wq};
	task_init(&w->task, sim, "waiter", 1, true);
	task_start(&w->task, waiter_next);
}

/* An event that wakes one wait of one task. */
struct alarm {
	struct event ev;
	struct task *task;
	uint64_t generation;
	bool hit;
};

static void alarm_fire(struct event *ev)
{
	struct alarm *a = container_of(ev, struct alarm, ev);

	a->hit = wake_task(a->task, a->generation);
}

static void alarm_set(struct alarm *a, struct waiter *w, ktime_t time)
{
	*a = (struct alarm){.task = &w->task, .generation = w->task.generation};
	event_init(&a->ev, alarm_fire);
	sim_at(w->task.sim, &a->ev, time);
}

/*
 * Three alarms for the same wait: two at 10, one at 11.  The first wakes; the second meets a task
 * that is on its way, the third a task that waits again, in another wait: neither may wake it.
 */
Test(cpu, stale_wakeups_do_nothing)
{
	struct sim *sim = machine("1");
	struct wait_queue wq;
	struct waiter w;
	struct alarm a[3];

	wait_queue_init(&wq);
	waiter_start(&w, sim, &wq);
	sim_run_until(sim, 5);
	cr_assert_eq(w.woken, 1); /* started, waits for the first time */
	alarm_set(&a[0], &w, 10);
	alarm_set(&a[1], &w, 10);
	alarm_set(&a[2], &w, 11);
	sim_run_until(sim, 20);
	cr_assert(a[0].hit && !a[1].hit && !a[2].hit);
	cr_assert_eq(w.woken, 2);
	cr_assert_eq(w.task.state, TASK_WAITING);
	cr_assert_eq(w.task.wait_since, 10);
	sim_free(sim);
}

/* Two wakeups at one instant free two waiters, oldest first; wake_up_all counts the rest. */
Test(cpu, wake_up_takes_the_oldest)
{
	struct sim *sim = machine("1");
	struct wait_queue wq;
	struct waiter w[5];

	wait_queue_init(&wq);
	cr_assert_eq(wake_up(&wq), 0);
	for (unsigned int i = 0; i < 5; i++)
		waiter_start(&w[i], sim, &wq);
	sim_run_until(sim, 1);
	cr_assert_eq(wake_up(&wq) + wake_up(&wq), 2);
	cr_assert(w[0].task.state != TASK_WAITING && w[1].task.state != TASK_WAITING);
	cr_assert_eq(w[2].task.state, TASK_WAITING);
	cr_assert_eq(wake_up_all(&wq), 3);
	cr_assert(wait_queue_empty(&wq));
	sim_run_until(sim, 2);
	for (unsigned int i = 0; i < 5; i++)
		cr_assert_eq(w[i].woken, 2);
	sim_free(sim);
}

/*
 * Three CPUs.  The waiter was last on CPU 1 (0 was busy).  It goes back there while that is idle;
 * with 1 busy to the lowest idle (2, as 0 is busy); with all busy to the shortest queue.
 */
Test(cpu, a_woken_task_chooses_its_cpu)
{
	struct sim *sim = machine("3");
	struct runner r[4];
	struct wait_queue wq;
	struct waiter w;

	wait_queue_init(&wq);
	runner_start(&r[0], sim, 1, 1000, 0);
	waiter_start(&w, sim, &wq);
	sim_run_until(sim, 10);
	cr_assert_eq(w.task.cpu, 1);
	wake_up(&wq);
	cr_assert_eq(w.task.cpu, 1);
	sim_run_until(sim, 20);
	runner_start(&r[1], sim, 2, 1000, 0);
	cr_assert_eq(r[1].task.cpu, 1);
	wake_up(&wq);
	cr_assert_eq(w.task.cpu, 2);
	sim_run_until(sim, 30);
	runner_start(&r[2], sim, 3, 1000, 0); /* CPU 2 */
	runner_start(&r[3], sim, 4, 1, 0);    /* queues on 0 */
	cr_assert_eq(r[3].task.cpu, 0);
	wake_up(&wq);
	cr_assert_eq(w.task.cpu, 1); /* 1 and 2 queue nobody: lowest number */
	cr_assert_eq(w.task.state, TASK_QUEUED);
	cr_assert(sim_run(sim, NULL));
	sim_free(sim);
}

static void sleeper(struct task *t)
{
	struct runner *r = container_of(t, struct runner, task);

	r->started = t->sim->now;
	task_sleep(t, r->ns, runner_end);
}

Test(cpu, sleep_until_a_time_and_until_the_past)
{
	struct sim *sim = machine("1");
	struct runner late = {.ns = 70}, past = {.ns = -5};

	task_init(&late.task, sim, "late", 1, false);
	task_init(&past.task, sim, "past", 2, false);
	sim_run_until(sim, 3);
	task_start(&late.task, sleeper);
	task_start(&past.task, sleeper);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(late.ended, 70);
	cr_assert_eq(past.ended, 3);
	cr_assert_eq(late.task.cpu_ns, 0);
	sim_free(sim);
}

/* A million runs of 0 ns must not deepen the stack; nor may they move the clock. */
Test(cpu, empty_runs_do_not_recurse)
{
	struct sim *sim = machine("1");
	struct runner r;

	runner_start(&r, sim, 1, 0, 1000000);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(sim->now, 0);
	cr_assert_geq(sim->nr_events, 1000000);
	sim_free(sim);
}

/* Two tasks in step on two CPUs: at every tie the one scheduled first goes first. */
static void tied_next(struct task *t)
{
	struct runner *r = container_of(t, struct runner, task);

	cr_assert_eq(nr_ended++ % 2, (unsigned int)t->pid);
	if (r->left-- > 0)
		task_run(t, 10, tied_next);
	else
		task_exit(t);
}

Test(cpu, ties_keep_the_order_of_scheduling)
{
	struct sim *sim = machine("2");
	struct runner r[2] = {{.left = 1000}, {.left = 1000}};

	for (int i = 0; i < 2; i++) {
		task_init(&r[i].task, sim, "tied", i, false);
		task_start(&r[i].task, tied_next);
	}
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(nr_ended, 2002);
	sim_free(sim);
}

static void chooses_nothing(struct task *t)
{
	(void)t;
}

static void chooses_twice(struct task *t)
{
	task_run(t, 1, runner_end);
	task_run(t, 1, runner_end);
}

static void sleeps_then_exits(struct task *t)
{
	task_sleep(t, 1, runner_end);
	task_exit(t);
}

static void run_one(task_fn next)
{
	struct sim *sim = machine("1");
	struct runner r = {0};

	task_init(&r.task, sim, "bad", 1, false);
	task_start(&r.task, next);
	sim_run(sim, NULL);
}

Test(cpu, choosing_nothing_aborts, .signal = SIGABRT)
{
	run_one(chooses_nothing);
}

Test(cpu, choosing_twice_aborts, .signal = SIGABRT)
{
	run_one(chooses_twice);
}

Test(cpu, acting_after_leaving_aborts, .signal = SIGABRT)
{
	run_one(sleeps_then_exits);
}

/*
 * sim/cpu.c - see sim/cpu.h.
 *
 * A task that gets runnable always carries a pending run (run_ns; 0 after a wakeup) and its next
 * function: getting the CPU schedules the end of that run, and the end calls next.  So whatever a
 * next function does comes back through the queue and nothing recurses.  When the end of a run is
 * the next thing that can happen at all, task_step() moves the clock itself and loops.
 *
 * Interrupt work is charged to its context as it passes, not when it is queued; the spans still
 * ahead wait in cpu->irqs.  What is left of a running task's run is ev.time - max(now, irq_until),
 * because interrupts known now come first.
 *
 * Not modelled: priorities, affinity, preemption inside a run, cost of a switch.
 *
 * I1  a CPU without a current task has an empty run queue.
 * I2  sum of ctx_ns <= now on every CPU; sum of cpu_ns of tasks = sum of ctx_ns[CTX_TASK].
 */
#include "sim/cpu.h"

#include <string.h>

#include "sim/sim.h"
#include "sim/tracepoint.h"

enum { ACT_NONE, ACT_RUN, ACT_LEAVE };

struct irq_span {
	ktime_t end, ns; /* [end - ns, end) */
	enum cpu_context ctx;
};

static void queue_append(struct wait_queue *wq, struct task *t)
{
	t->q_next = NULL;
	t->q_prev = wq->last;
	if (wq->last)
		wq->last->q_next = t;
	else
		wq->first = t;
	wq->last = t;
}

static void queue_remove(struct wait_queue *wq, struct task *t)
{
	if (t->q_prev)
		t->q_prev->q_next = t->q_next;
	else
		wq->first = t->q_next;
	if (t->q_next)
		t->q_next->q_prev = t->q_prev;
	else
		wq->last = t->q_prev;
	t->q_next = t->q_prev = NULL;
}

static struct cpu *cpu_of(const struct task *t)
{
	return &t->sim->cpus[t->cpu];
}

/* When a run of @t could end if it began now. */
static ktime_t end_of_run(const struct task *t)
{
	return MAX(t->sim->now, cpu_of(t)->irq_until) + t->run_ns;
}

/* Let the oldest queued task have the idle CPU. */
static void cpu_dispatch(struct sim *sim, struct cpu *cpu)
{
	struct task *t = cpu->run_queue.first;

	assert(!cpu->current);
	if (!t)
		return;
	queue_remove(&cpu->run_queue, t);
	cpu->nr_queued--;
	cpu->current = t;
	t->state = TASK_RUNNING;
	t->slice_ns = 0;
	sim_at(sim, &t->ev, end_of_run(t));
}

static void cpu_enqueue(struct cpu *cpu, struct task *t)
{
	t->state = TASK_QUEUED;
	queue_append(&cpu->run_queue, t);
	cpu->nr_queued++;
	if (!cpu->current)
		cpu_dispatch(t->sim, cpu);
}

static unsigned int choose_cpu(const struct task *t)
{
	const struct cpu *cpus = t->sim->cpus;
	unsigned int best = 0;

	if (!cpus[t->cpu].current)
		return t->cpu;
	for (unsigned int i = 0; i < t->sim->nr_cpus; i++) {
		if (!cpus[i].current)
			return i;
		if (cpus[i].nr_queued < cpus[best].nr_queued)
			best = i;
	}
	return best;
}

static void make_runnable(struct task *t)
{
	t->run_ns = t->charged_ns = 0;
	t->cpu = choose_cpu(t);
	cpu_enqueue(cpu_of(t), t);
}

/* Charge @t up to @done_ns of its pending run. */
static void charge_run(struct task *t, ktime_t done_ns)
{
	ktime_t ns = done_ns - t->charged_ns;

	assert(ns >= 0 && done_ns <= t->run_ns);
	t->charged_ns = done_ns;
	t->cpu_ns += ns;
	cpu_of(t)->ctx_ns[CTX_TASK] += ns;
}

/* The pending run is over: let the task choose what comes next. */
static void call_next(struct task *t)
{
	charge_run(t, t->run_ns);
	t->slice_ns += t->run_ns;
	t->run_ns = t->charged_ns = 0;
	t->act = ACT_NONE;
	if (trace_enabled(t->sim))
		trace_stretch(t);
	else
		t->next(t);
	assert(t->act != ACT_NONE); /* exactly one of task_run, _sleep, _wait, _exit */
}

static void task_step(struct task *t)
{
	assert(cpu_of(t)->current == t);
	do {
		call_next(t);
		if (t->act != ACT_RUN)
			return;
	} while (sim_advance(t->sim, end_of_run(t)));
	sim_at(t->sim, &t->ev, end_of_run(t));
}

static void task_event(struct event *ev)
{
	struct task *t = container_of(ev, struct task, ev);

	if (t->state == TASK_RUNNING) {
		task_step(t);
		return;
	}
	assert(t->state == TASK_SLEEPING);
	make_runnable(t);
}

void task_init(struct task *t, struct sim *sim, const char *name, int32_t pid, bool daemon)
{
	memset(t, 0, sizeof(*t));
	t->sim = sim;
	t->name = name;
	t->pid = pid;
	t->daemon = daemon;
	event_init(&t->ev, task_event);
	t->ev.daemon = daemon;
	if (sim->tasks_last)
		sim->tasks_last->all_next = t;
	else
		sim->tasks = t;
	sim->tasks_last = t;
	sim->nr_foreground += !daemon;
}

void task_start(struct task *t, task_fn next)
{
	assert(t->state == TASK_NEW && next);
	t->next = next;
	make_runnable(t);
}

/* Note the one choice of a next function. */
static void choose(struct task *t, unsigned int act, task_fn next)
{
	assert(t->state == TASK_RUNNING && cpu_of(t)->current == t);
	assert(t->act == ACT_NONE && !event_pending(&t->ev));
	t->act = (uint8_t)act;
	t->next = next;
}

static void leave_cpu(struct task *t, enum task_state state)
{
	struct cpu *cpu = cpu_of(t);

	t->state = state;
	cpu->current = NULL;
	cpu_dispatch(t->sim, cpu);
}

void task_run(struct task *t, ktime_t ns, task_fn next)
{
	struct cpu *cpu = cpu_of(t);

	assert(ns >= 0 && next);
	t->run_ns = ns;
	if (!cpu->nr_queued || t->slice_ns < t->sim->host.sched_slice) {
		choose(t, ACT_RUN, next);
		return;
	}
	choose(t, ACT_LEAVE, next);
	t->state = TASK_QUEUED;
	queue_append(&cpu->run_queue, t);
	cpu->nr_queued++;
	cpu->current = NULL;
	cpu_dispatch(t->sim, cpu);
}

void task_sleep(struct task *t, ktime_t until, task_fn next)
{
	assert(next);
	choose(t, ACT_LEAVE, next);
	sim_at(t->sim, &t->ev, MAX(until, t->sim->now));
	leave_cpu(t, TASK_SLEEPING);
}

void task_wait(struct task *t, struct wait_queue *wq, task_fn next, const char *why, uint64_t arg0,
	       uint64_t arg1)
{
	assert(next && why);
	choose(t, ACT_LEAVE, next);
	t->generation++;
	t->wait_since = t->sim->now;
	t->why = why;
	t->why_arg[0] = arg0;
	t->why_arg[1] = arg1;
	t->wq = wq;
	queue_append(wq, t);
	leave_cpu(t, TASK_WAITING);
}

void task_exit(struct task *t)
{
	choose(t, ACT_LEAVE, NULL);
	t->sim->nr_foreground -= !t->daemon;
	leave_cpu(t, TASK_EXITED);
}

void wait_queue_init(struct wait_queue *wq)
{
	wq->first = wq->last = NULL;
}

bool wake_task(struct task *t, uint64_t generation)
{
	if (t->state != TASK_WAITING || t->generation != generation)
		return false;
	queue_remove(t->wq, t);
	t->wq = NULL;
	make_runnable(t);
	return true;
}

unsigned int wake_up(struct wait_queue *wq)
{
	return wq->first && wake_task(wq->first, wq->first->generation);
}

/* A woken task runs in an event of its own, so nobody can queue again while this loops. */
unsigned int wake_up_all(struct wait_queue *wq)
{
	unsigned int nr = 0;

	while (wake_up(wq))
		nr++;
	return nr;
}

/* Charge the interrupt work that has passed by now. */
static void settle_irqs(struct cpu *cpu, ktime_t now)
{
	unsigned int passed = 0;

	for (; passed < cpu->irqs->len; passed++) {
		struct irq_span *span = &g_array_index(cpu->irqs, struct irq_span, passed);
		ktime_t ahead = CLAMP(span->end - now, 0, span->ns);

		cpu->ctx_ns[span->ctx] += span->ns - ahead;
		span->ns = ahead;
		if (ahead)
			break;
	}
	if (passed)
		g_array_remove_range(cpu->irqs, 0, passed);
}

ktime_t cpu_irq(struct sim *sim, unsigned int nr, enum cpu_context ctx, ktime_t ns)
{
	struct cpu *cpu = &sim->cpus[nr];
	struct irq_span span = {.ns = ns, .ctx = ctx};

	assert(nr < sim->nr_cpus && ns >= 0);
	assert(ctx == CTX_SOFTIRQ || ctx == CTX_HARDIRQ);
	settle_irqs(cpu, sim->now);
	cpu->irq_until = span.end = MAX(sim->now, cpu->irq_until) + ns;
	if (ns == 0)
		return cpu->irq_until;
	g_array_append_val(cpu->irqs, span);
	if (cpu->current) /* an end due now moves too: the CPU is taken before the task goes on */
		event_postpone(&sim->queue, &cpu->current->ev, ns);
	return cpu->irq_until;
}

void cpus_init(struct sim *sim, unsigned int nr)
{
	assert(nr > 0);
	sim->cpus = g_new0(struct cpu, nr);
	sim->nr_cpus = nr;
	for (unsigned int i = 0; i < nr; i++) {
		sim->cpus[i].nr = i;
		sim->cpus[i].irqs = g_array_new(FALSE, FALSE, sizeof(struct irq_span));
	}
}

void cpus_fini(struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_cpus; i++)
		g_array_unref(sim->cpus[i].irqs);
	g_free(sim->cpus);
	sim->cpus = NULL;
	sim->nr_cpus = 0;
}

void cpus_settle(struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_cpus; i++) {
		struct cpu *cpu = &sim->cpus[i];
		struct task *t = cpu->current;

		settle_irqs(cpu, sim->now);
		if (t && event_pending(&t->ev)) {
			ktime_t left = t->ev.time - MAX(sim->now, cpu->irq_until);

			charge_run(t, t->run_ns - left);
		}
	}
}

ktime_t cpus_context_ns(const struct sim *sim, enum cpu_context ctx)
{
	ktime_t ns = 0;

	for (unsigned int i = 0; i < sim->nr_cpus; i++)
		ns += sim->cpus[i].ctx_ns[ctx];
	return ns;
}

const char *cpu_context_name(enum cpu_context ctx)
{
	static const char *const names[CTX_NR] = {"task", "softirq", "hardirq"};

	assert(ctx < CTX_NR);
	return names[ctx];
}

void cpus_check(struct sim *sim)
{
	ktime_t tasks_ns = 0;

	cpus_settle(sim);
	for (unsigned int i = 0; i < sim->nr_cpus; i++) {
		const struct cpu *cpu = &sim->cpus[i];
		ktime_t used = 0;

		assert(cpu->current ? cpu->current->state == TASK_RUNNING
				    : wait_queue_empty(&cpu->run_queue));
		for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
			used += cpu->ctx_ns[ctx];
		assert(used <= sim->now);
	}
	for (const struct task *t = sim->tasks; t; t = t->all_next)
		tasks_ns += t->cpu_ns;
	assert(tasks_ns == cpus_context_ns(sim, CTX_TASK));
}

/*
 * models/bio_work.c - completion in task context.  Level 0.
 *
 * Two ways (KERNEL 2.4, 0.3).  The per-CPU worker of BIO_COMPLETE_IN_TASK (block/bio.c, 7.3): bios
 * gather in a list; the first one queues the worker, which starts completion_delay +
 * completion_wakeup_ns later, steals the whole list, ends every bio of it in FIFO order, and looks
 * again before it sleeps.  So batching is implicit and a busy worker needs no wakeup.  The file
 * system's workqueue (fs/f2fs 7.2/7.3 cycle): one item a bio, bound to no CPU, as many threads as
 * CPUs; an item wakes an idle thread, a busy one takes the next item before it sleeps.
 *
 * DEVIATION: the per-CPU worker is bound to its CPU only as far as the engine keeps tasks where
 * they last ran (sim/cpu.h has no affinity).
 *
 * I3 of bio.c is asserted here.
 */
#include "models/bio_internal.h"

static void worker_loop(struct task *t);

static int64_t task_cost_ns(const struct bio *bio)
{
	return bio->end_cost_ns + bio->drop_cost_ns;
}

/* The cost of the first bio of the batch has passed. */
static void worker_end_one(struct task *t)
{
	struct bio_cpu *c = container_of(t, struct bio_cpu, worker);

	bio_call_end_io(c->owner, bio_list_pop(&c->batch), CTX_TASK, c->nr, "bio_complete_work");
	worker_loop(t);
}

/* Next of the batch; then steal the list again; then sleep. */
static void worker_loop(struct task *t)
{
	struct bio_cpu *c = container_of(t, struct bio_cpu, worker);

	if (!c->batch.head && c->task.head) {
		c->batch = c->task;
		c->task = (struct bio_list){NULL, NULL};
		c->owner->stat.worker_batches++;
	}
	if (c->batch.head)
		task_run(t, task_cost_ns(c->batch.head), worker_end_one);
	else
		task_wait(t, &c->wq, worker_loop, "bios to complete", c->nr, 0);
}

static void wakeup_event(struct event *ev)
{
	struct bio_cpu *c = container_of(ev, struct bio_cpu, wakeup);

	wake_up(&c->wq);
}

void bio_end_on_cpu_worker(struct bio_cpu *c, struct bio *bio)
{
	const struct bio_model *m = c->owner;
	struct sim *sim = m->model.sim;
	bool was_empty = !c->task.head;

	bio_list_append(&c->task, bio);
	if (was_empty && c->worker.state == TASK_WAITING && !event_pending(&c->wakeup))
		sim_at(sim, &c->wakeup,
		       MAX(sim->now, sim->cpus[c->nr].irq_until) + m->conf.completion_delay +
			       m->conf.completion_wakeup_ns);
}

static void wq_loop(struct task *t);

static void wq_end_one(struct task *t)
{
	struct bio_wq_worker *w = container_of(t, struct bio_wq_worker, worker);
	struct bio *bio = w->bio;

	w->bio = NULL;
	w->owner->stat.completed_in_wq++;
	bio_call_end_io(w->owner, bio, CTX_TASK, t->cpu, "process_one_work");
	wq_loop(t);
}

static void wq_loop(struct task *t)
{
	struct bio_wq_worker *w = container_of(t, struct bio_wq_worker, worker);
	struct bio_list *list = &w->owner->sb_wq.list;

	if (!list->head) {
		task_wait(t, &w->wq, wq_loop, "bios to complete", 0, 0);
		return;
	}
	w->bio = bio_list_pop(list);
	task_run(t, task_cost_ns(w->bio), wq_end_one);
}

static void wq_wakeup_event(struct event *ev)
{
	struct bio_wq_worker *w = container_of(ev, struct bio_wq_worker, wakeup);

	wake_up(&w->wq);
}

void bio_end_on_workqueue(struct bio_model *m, struct bio *bio, unsigned int cpu)
{
	struct sim *sim = m->model.sim;
	ktime_t from = MAX(sim->now, sim->cpus[cpu].irq_until);

	bio_list_append(&m->sb_wq.list, bio);
	for (unsigned int i = 0; i < m->sb_wq.nr; i++) {
		struct bio_wq_worker *w = &m->sb_wq.workers[i];

		if (w->worker.state != TASK_WAITING || event_pending(&w->wakeup))
			continue;
		sim_at(sim, &w->wakeup, from + m->conf.completion_wakeup_ns);
		return;
	}
}

void bio_workers_init(struct bio_model *m, bool workqueue)
{
	struct sim *sim = m->model.sim;

	for (unsigned int i = 0; i < sim->nr_cpus; i++) {
		struct bio_cpu *c = &m->cpus[i];

		event_init(&c->wakeup, wakeup_event);
		wait_queue_init(&c->wq);
		g_snprintf(c->name, sizeof(c->name), "bio_complete/%u", i);
		task_init(&c->worker, sim, c->name, 10 + (int32_t)i, true);
		c->worker.cpu = i;
	}
	if (!workqueue)
		return;
	m->sb_wq.nr = sim->nr_cpus;
	m->sb_wq.workers = g_new0(struct bio_wq_worker, sim->nr_cpus);
	for (unsigned int i = 0; i < sim->nr_cpus; i++) {
		struct bio_wq_worker *w = &m->sb_wq.workers[i];

		w->owner = m;
		event_init(&w->wakeup, wq_wakeup_event);
		wait_queue_init(&w->wq);
		g_snprintf(w->name, sizeof(w->name), "f2fs_wq/%u", i);
		task_init(&w->worker, sim, w->name, 10 + (int32_t)(sim->nr_cpus + i), true);
		w->worker.cpu = i;
	}
}

void bio_workers_start(struct bio_model *m)
{
	for (unsigned int i = 0; i < m->model.sim->nr_cpus; i++)
		task_start(&m->cpus[i].worker, worker_loop);
	for (unsigned int i = 0; i < m->sb_wq.nr; i++)
		task_start(&m->sb_wq.workers[i].worker, wq_loop);
}

static uint64_t list_length(const struct bio_list *list)
{
	uint64_t nr = 0;

	for (const struct bio *bio = list->head; bio; bio = bio->next)
		nr++;
	return nr;
}

uint64_t bio_workers_check(const struct bio_model *m)
{
	uint64_t held = list_length(&m->sb_wq.list);
	bool awake = false;

	for (unsigned int i = 0; i < m->model.sim->nr_cpus; i++) {
		const struct bio_cpu *c = &m->cpus[i];

		held += list_length(&c->task) + list_length(&c->batch);
		assert(!c->task.head || event_pending(&c->wakeup) ||
		       c->worker.state != TASK_WAITING);
	}
	for (unsigned int i = 0; i < m->sb_wq.nr; i++) {
		const struct bio_wq_worker *w = &m->sb_wq.workers[i];

		held += w->bio != NULL;
		awake |= event_pending(&w->wakeup) || w->worker.state != TASK_WAITING;
	}
	assert(!m->sb_wq.list.head || awake);
	return held;
}

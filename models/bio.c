/*
 * models/bio.c - struct bio's life and the context its end_io runs in (block/bio.c,
 * include/linux/bio.h v6.1; BIO_COMPLETE_IN_TASK as merged for 7.3).
 *
 * Where end_io runs is one row of `policies`.  In interrupt context it runs after its cost has been
 * charged to the CPU as softirq time.  In task context it goes to that CPU's completion worker:
 * bios gather in a list; the first one queues the worker, which starts completion_delay +
 * completion_wakeup_ns later, steals the whole list, ends every bio of it in FIFO order, and looks
 * again before it sleeps.  So batching is implicit and a busy worker needs no wakeup.
 *
 * DEVIATION: a worker is bound to its CPU only as far as the engine keeps tasks where they last
 * ran (sim/cpu.h has no affinity).
 *
 * I1  bios_submitted = bios_completed + nr_in_flight.
 * I2  bios_completed = completed_in_irq + completed_in_task.
 * I3  a bio waits in a CPU's irq list only while its event is pending, in its worker's list only
 *     while the worker is queued or running.
 */
#include "models/bio.h"

#include <string.h>

#include "sim/tracepoint.h"

#define BIO_CHUNK 64 /* allocated at a time */

struct bio_list {
	struct bio *head, *tail;
};

/* What one CPU has to complete. */
struct bio_cpu {
	struct bio_model *owner;
	unsigned int nr;
	struct bio_list irq;   /* end_io in interrupt context, by due_ns */
	struct event irq_ev;   /* at the head's due_ns */
	struct bio_list task;  /* for the worker */
	struct bio_list batch; /* stolen by the worker */
	struct event wakeup;   /* the worker gets queued */
	struct wait_queue wq;  /* of the worker */
	struct task worker;
	char name[24]; /* bio_complete/N */
};

struct bio_policy {
	const char *name;
	bool (*in_task)(const struct bio *bio);
};

struct bio_model {
	struct model model;
	struct {
		int completion; /* index into policies */
		int64_t completion_delay, completion_wakeup_ns;
	} conf;
	struct {
		uint64_t bios_submitted, bios_completed, completed_in_irq, completed_in_task;
		uint64_t nr_in_flight, worker_batches;
	} stat;
	struct bio_cpu *cpus;
	struct bio *free;
	GPtrArray *chunks;
};

static bool never(const struct bio *bio)
{
	(void)bio;
	return false;
}

static bool always(const struct bio *bio)
{
	(void)bio;
	return true;
}

static bool flagged(const struct bio *bio)
{
	return bio->bi_flags & BIO_COMPLETE_IN_TASK;
}

/* clang-format off */
static const struct bio_policy policies[] = {
	{ "irq_skip",     never },	/* end_io must skip what may sleep */
	{ "task_flagged", flagged },	/* 7.3 */
	{ "always_task",  always },
};

static const char *const policy_names[] = { "irq_skip", "task_flagged", "always_task", NULL };
static_assert(G_N_ELEMENTS(policy_names) == G_N_ELEMENTS(policies) + 1, "every policy has a name");

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, bio_model, completion, "irq_skip", NULL, NULL,
	     "when end_io is left to the worker [S] KERNEL.md 2.4", policy_names),
	CONF(CONF_NSEC, bio_model, completion_delay, "0", "0", "1s",
	     "wait before the worker is queued; 0 as merged [S] KERNEL.md 2.4"),
	CONF(CONF_NSEC, bio_model, completion_wakeup_ns, "20us", "0", "1s",
	     "from queueing the worker until it runs on an idle CPU: tens of us [E] KERNEL.md 2.4"),
	{ 0 }
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, bio_model, bios_submitted), STAT(STAT_COUNT, bio_model, bios_completed),
	STAT(STAT_COUNT, bio_model, completed_in_irq), STAT(STAT_COUNT, bio_model, completed_in_task),
	STAT(STAT_GAUGE, bio_model, nr_in_flight), STAT(STAT_COUNT, bio_model, worker_batches),
	{ 0 }
};
/* clang-format on */

static struct bio_model *bio_model_of(const struct sim *sim)
{
	return container_of(model_get(sim, &bio_model), struct bio_model, model);
}

static void list_append(struct bio_list *list, struct bio *bio)
{
	bio->next = NULL;
	if (list->head)
		list->tail->next = bio;
	else
		list->head = bio;
	list->tail = bio;
}

static struct bio *list_pop(struct bio_list *list)
{
	struct bio *bio = list->head;

	list->head = bio->next;
	bio->next = NULL;
	return bio;
}

static void pool_grow(struct bio_model *m)
{
	struct bio *chunk = g_new(struct bio, BIO_CHUNK);

	g_ptr_array_add(m->chunks, chunk);
	for (unsigned int i = 0; i < BIO_CHUNK; i++) {
		chunk[i].next = m->free;
		m->free = &chunk[i];
	}
}

struct bio *bio_alloc(struct sim *sim)
{
	struct bio_model *m = bio_model_of(sim);
	struct bio *bio;

	if (!m->free)
		pool_grow(m);
	bio = m->free;
	m->free = bio->next;
	memset(bio, 0, sizeof(*bio));
	return bio;
}

void bio_put(struct sim *sim, struct bio *bio)
{
	struct bio_model *m = bio_model_of(sim);

	assert(bio->remaining == 0);
	bio->next = m->free;
	m->free = bio;
}

void bio_account_submit(struct sim *sim, struct bio *bio)
{
	struct bio_model *m = bio_model_of(sim);

	assert(bio->end_io && bio->end_cost_ns >= 0 && bio->cpu < sim->nr_cpus);
	bio->submit_ns = sim->now;
	m->stat.bios_submitted++;
	m->stat.nr_in_flight++;
}

/* The last thing done with @bio here: end_io may put it. */
static void call_end_io(struct bio_model *m, struct bio *bio, bool in_task)
{
	assert(m->stat.nr_in_flight > 0);
	m->stat.nr_in_flight--;
	m->stat.bios_completed++;
	m->stat.completed_in_irq += !in_task;
	m->stat.completed_in_task += in_task;
	bio->end_io(bio, in_task);
}

static void irq_event(struct event *ev)
{
	struct bio_cpu *c = container_of(ev, struct bio_cpu, irq_ev);
	struct sim *sim = c->owner->model.sim;

	trace_irq_enter(sim, c->nr, CTX_SOFTIRQ);
	while (c->irq.head && c->irq.head->due_ns <= sim->now)
		call_end_io(c->owner, list_pop(&c->irq), false);
	trace_irq_exit(sim);
	if (c->irq.head && !event_pending(ev))
		sim_at(sim, ev, c->irq.head->due_ns);
}

static void end_in_irq(struct bio_cpu *c, struct bio *bio)
{
	struct sim *sim = c->owner->model.sim;

	bio->due_ns = cpu_irq(sim, c->nr, CTX_SOFTIRQ, bio->end_cost_ns);
	list_append(&c->irq, bio);
	if (bio->due_ns == sim->now && c->irq.head == bio)
		call_end_io(c->owner, list_pop(&c->irq), false);
	else if (!event_pending(&c->irq_ev))
		sim_at(sim, &c->irq_ev, c->irq.head->due_ns);
}

static void worker_loop(struct task *t);

/* The cost of the first bio of the batch has passed. */
static void worker_end_one(struct task *t)
{
	struct bio_cpu *c = container_of(t, struct bio_cpu, worker);

	call_end_io(c->owner, list_pop(&c->batch), true);
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
		task_run(t, c->batch.head->end_cost_ns, worker_end_one);
	else
		task_wait(t, &c->wq, worker_loop, "bios to complete", c->nr, 0);
}

static void wakeup_event(struct event *ev)
{
	struct bio_cpu *c = container_of(ev, struct bio_cpu, wakeup);

	wake_up(&c->wq);
}

static void end_in_task(struct bio_cpu *c, struct bio *bio)
{
	const struct bio_model *m = c->owner;
	struct sim *sim = m->model.sim;
	bool was_empty = !c->task.head;

	list_append(&c->task, bio);
	if (was_empty && c->worker.state == TASK_WAITING && !event_pending(&c->wakeup))
		sim_at(sim, &c->wakeup,
		       MAX(sim->now, sim->cpus[c->nr].irq_until) + m->conf.completion_delay +
			       m->conf.completion_wakeup_ns);
}

void bio_endio(struct sim *sim, struct bio *bio, unsigned int cpu)
{
	struct bio_model *m = bio_model_of(sim);

	assert(bio->remaining == 0 && cpu < sim->nr_cpus);
	if (policies[m->conf.completion].in_task(bio))
		end_in_task(&m->cpus[cpu], bio);
	else
		end_in_irq(&m->cpus[cpu], bio);
}

static bool bio_init(struct model *base, GError **err)
{
	struct bio_model *m = container_of(base, struct bio_model, model);

	(void)err;
	m->chunks = g_ptr_array_new_with_free_func(g_free);
	m->cpus = g_new0(struct bio_cpu, base->sim->nr_cpus);
	for (unsigned int i = 0; i < base->sim->nr_cpus; i++) {
		struct bio_cpu *c = &m->cpus[i];

		c->owner = m;
		c->nr = i;
		event_init(&c->irq_ev, irq_event);
		event_init(&c->wakeup, wakeup_event);
		wait_queue_init(&c->wq);
		g_snprintf(c->name, sizeof(c->name), "bio_complete/%u", i);
		task_init(&c->worker, base->sim, c->name, 10 + (int32_t)i, true);
		c->worker.cpu = i;
	}
	return true;
}

static void bio_start(struct model *base)
{
	struct bio_model *m = container_of(base, struct bio_model, model);

	for (unsigned int i = 0; i < base->sim->nr_cpus; i++)
		task_start(&m->cpus[i].worker, worker_loop);
}

static uint64_t list_length(const struct bio_list *list)
{
	uint64_t nr = 0;

	for (const struct bio *bio = list->head; bio; bio = bio->next)
		nr++;
	return nr;
}

static void bio_check(const struct model *base)
{
	const struct bio_model *m = container_of(base, const struct bio_model, model);
	uint64_t completing = 0;

	assert(m->stat.bios_submitted == m->stat.bios_completed + m->stat.nr_in_flight);
	assert(m->stat.bios_completed == m->stat.completed_in_irq + m->stat.completed_in_task);
	for (unsigned int i = 0; i < base->sim->nr_cpus; i++) {
		const struct bio_cpu *c = &m->cpus[i];

		completing += list_length(&c->irq) + list_length(&c->task) + list_length(&c->batch);
		assert(!c->irq.head || event_pending(&c->irq_ev)); /* I3 */
		assert(!c->task.head || event_pending(&c->wakeup) ||
		       c->worker.state != TASK_WAITING);
	}
	assert(completing <= m->stat.nr_in_flight);
}

static void bio_fini(struct model *base)
{
	struct bio_model *m = container_of(base, struct bio_model, model);

	g_ptr_array_unref(m->chunks);
	g_free(m->cpus);
}

const struct model_ops bio_model = {.name = "bio",
				    .source = "block/bio.c v6.1; BIO_COMPLETE_IN_TASK 7.3",
				    .size = sizeof(struct bio_model),
				    .keys = keys,
				    .stats = stats,
				    .init = bio_init,
				    .start = bio_start,
				    .check = bio_check,
				    .fini = bio_fini};

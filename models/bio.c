/*
 * models/bio.c - struct bio's life and the context its end_io runs in (block/bio.c,
 * include/linux/bio.h v6.1; BIO_COMPLETE_IN_TASK as merged for 7.3).
 *
 * Where end_io runs is one row of `policies`, and so is what becomes of dropbehind folios when it
 * runs in interrupt context (KERNEL 2.1 to 2.6).  In interrupt context it runs after its cost has
 * been charged to the interrupted CPU as softirq time; in task context models/bio_work.c runs it.
 *
 *   irq_skip      end_io in softirq skips the drop: kernels without any of the below
 *   irq_drop      end_io in softirq drops, taking i_lock: what one must not do
 *   task_flagged  BIO_COMPLETE_IN_TASK bios go to the per-CPU worker (7.3)
 *   task_gt16k    page cache writes above max_atc_write_bio_size go to the file system's workqueue
 *   task_flagged_gt16k  both, the flag first
 *   folio_batch   end_io in softirq puts folios into a small per-CPU batch (RFC of February 2026)
 *   always_task   every bio goes to the per-CPU worker
 *
 * I1  bios_submitted = bios_completed + nr_in_flight.
 * I2  bios_completed = completed_in_irq + completed_in_task; completed_in_wq are of the latter.
 * I3  a bio waits in a CPU's irq list only while its event is pending, in a worker's list only
 *     while a worker is queued or running.
 * I4  nothing in flight: no bio is kept by anybody.
 */
#include "models/bio_internal.h"

#include <string.h>

#include "sim/tracepoint.h"

#define BIO_CHUNK 64 /* allocated at a time */

struct bio_policy {
	const char *name;
	enum end_where (*where)(const struct bio_model *m, const struct bio *bio);
	enum irq_drop irq_drop;
	bool workqueue; /* where() may answer END_SB_WORKQUEUE */
};

static enum end_where in_irq(const struct bio_model *m, const struct bio *bio)
{
	(void)m;
	(void)bio;
	return END_IRQ;
}

static enum end_where in_task(const struct bio_model *m, const struct bio *bio)
{
	(void)m;
	(void)bio;
	return END_CPU_WORKER;
}

static enum end_where flagged(const struct bio_model *m, const struct bio *bio)
{
	(void)m;
	return bio->bi_flags & BIO_COMPLETE_IN_TASK ? END_CPU_WORKER : END_IRQ;
}

/* f2fs_write_end_io() defers itself: writes of the page cache only. */
static enum end_where large_write(const struct bio_model *m, const struct bio *bio)
{
	return bio->op == REQ_OP_WRITE && bio->folios &&
			       bio->size_bytes > m->conf.max_atc_write_bio_size
		       ? END_SB_WORKQUEUE
		       : END_IRQ;
}

static enum end_where flagged_or_large(const struct bio_model *m, const struct bio *bio)
{
	enum end_where where = flagged(m, bio);

	return where == END_IRQ ? large_write(m, bio) : where;
}

/* clang-format off */
static const struct bio_policy policies[] = {
	{ "irq_skip",           in_irq,           IRQ_DROP_SKIP,  false },
	{ "irq_drop",           in_irq,           IRQ_DROP_NOW,   false },
	{ "task_flagged",       flagged,          IRQ_DROP_SKIP,  false },
	{ "task_gt16k",         large_write,      IRQ_DROP_SKIP,  true },
	{ "task_flagged_gt16k", flagged_or_large, IRQ_DROP_SKIP,  true },
	{ "folio_batch",        in_irq,           IRQ_DROP_BATCH, false },
	{ "always_task",        in_task,          IRQ_DROP_SKIP,  false },
};

static const char *const policy_names[] = {
	"irq_skip", "irq_drop", "task_flagged", "task_gt16k", "task_flagged_gt16k", "folio_batch",
	"always_task", NULL
};
static_assert(G_N_ELEMENTS(policy_names) == G_N_ELEMENTS(policies) + 1, "every policy has a name");

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, bio_model, completion, "irq_skip", NULL, NULL,
	     "when end_io is left to the worker [S] KERNEL.md 2.4", policy_names),
	CONF(CONF_NSEC, bio_model, completion_delay, "0", "0", "1s",
	     "wait before the worker is queued; 0 as merged [S] KERNEL.md 2.4"),
	CONF(CONF_NSEC, bio_model, completion_wakeup_ns, "20us", "0", "1s",
	     "from queueing the worker until it runs on an idle CPU: tens of us [E] KERNEL.md 2.4"),
	CONF(CONF_BYTES, bio_model, max_atc_write_bio_size, "16KiB", "0", "1GiB",
	     "task_gt16k: largest write bio that may end in interrupt context (sysfs of F2FS) [S] KERNEL.md 6.7"),
	{ 0 }
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, bio_model, bios_submitted), STAT(STAT_COUNT, bio_model, bios_completed),
	STAT(STAT_COUNT, bio_model, completed_in_irq), STAT(STAT_COUNT, bio_model, completed_in_task),
	STAT(STAT_GAUGE, bio_model, nr_in_flight), STAT(STAT_COUNT, bio_model, worker_batches),
	STAT(STAT_COUNT, bio_model, completed_in_wq),
	{ 0 }
};
/* clang-format on */

static struct bio_model *bio_model_of(const struct sim *sim)
{
	return container_of(model_get(sim, &bio_model), struct bio_model, model);
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
	m->nr_live++;
	memset(bio, 0, sizeof(*bio));
	return bio;
}

void bio_put(struct sim *sim, struct bio *bio)
{
	struct bio_model *m = bio_model_of(sim);

	assert(bio->remaining == 0 && m->nr_live > 0);
	m->nr_live--;
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

void bio_call_end_io(struct bio_model *m, struct bio *bio, enum cpu_context ctx, unsigned int cpu,
		     const char *function)
{
	struct sim *sim = m->model.sim;
	struct context_frame outer, inner;

	assert(m->stat.nr_in_flight > 0);
	m->stat.nr_in_flight--;
	m->stat.bios_completed++;
	m->stat.completed_in_irq += ctx != CTX_TASK;
	m->stat.completed_in_task += ctx == CTX_TASK;
	context_enter(sim, &outer, ctx, cpu, function);
	context_call(sim, &inner, "bio_endio");
	bio->end_io(bio, ctx == CTX_TASK);
	context_leave(sim, &inner);
	context_leave(sim, &outer);
}

static void end_next_in_irq(struct bio_cpu *c)
{
	bio_call_end_io(c->owner, bio_list_pop(&c->irq), CTX_SOFTIRQ, c->nr,
			"blk_mq_complete_request");
}

static void irq_event(struct event *ev)
{
	struct bio_cpu *c = container_of(ev, struct bio_cpu, irq_ev);
	struct sim *sim = c->owner->model.sim;

	trace_irq_enter(sim, c->nr, CTX_SOFTIRQ);
	while (c->irq.head && c->irq.head->due_ns <= sim->now)
		end_next_in_irq(c);
	trace_irq_exit(sim);
	if (c->irq.head && !event_pending(ev))
		sim_at(sim, ev, c->irq.head->due_ns);
}

static void end_in_irq(struct bio_cpu *c, struct bio *bio)
{
	struct sim *sim = c->owner->model.sim;
	int64_t cost_ns = bio->end_cost_ns;

	if (policies[c->owner->conf.completion].irq_drop == IRQ_DROP_NOW)
		cost_ns += bio->drop_cost_ns;
	bio->due_ns = cpu_irq(sim, c->nr, CTX_SOFTIRQ, cost_ns);
	bio_list_append(&c->irq, bio);
	if (bio->due_ns == sim->now && c->irq.head == bio)
		end_next_in_irq(c);
	else if (!event_pending(&c->irq_ev))
		sim_at(sim, &c->irq_ev, c->irq.head->due_ns);
}

void bio_endio(struct sim *sim, struct bio *bio, unsigned int cpu)
{
	struct bio_model *m = bio_model_of(sim);

	assert(bio->remaining == 0 && cpu < sim->nr_cpus);
	switch (policies[m->conf.completion].where(m, bio)) {
	case END_IRQ:
		end_in_irq(&m->cpus[cpu], bio);
		break;
	case END_CPU_WORKER:
		bio_end_on_cpu_worker(&m->cpus[cpu], bio);
		break;
	case END_SB_WORKQUEUE:
		bio_end_on_workqueue(m, bio, cpu);
		break;
	}
}

enum irq_drop bio_irq_drop(const struct sim *sim)
{
	return policies[bio_model_of(sim)->conf.completion].irq_drop;
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
	}
	bio_workers_init(m, policies[m->conf.completion].workqueue);
	return true;
}

static void bio_start(struct model *base)
{
	struct bio_model *m = container_of(base, struct bio_model, model);

	bio_workers_start(m);
}

static void bio_check(const struct model *base)
{
	const struct bio_model *m = container_of(base, const struct bio_model, model);
	uint64_t completing = bio_workers_check(m);

	assert(m->stat.bios_submitted == m->stat.bios_completed + m->stat.nr_in_flight);
	assert(m->stat.bios_completed == m->stat.completed_in_irq + m->stat.completed_in_task);
	for (unsigned int i = 0; i < base->sim->nr_cpus; i++) {
		const struct bio_cpu *c = &m->cpus[i];

		for (const struct bio *bio = c->irq.head; bio; bio = bio->next)
			completing++;
		assert(!c->irq.head || event_pending(&c->irq_ev)); /* I3 */
	}
	assert(completing <= m->stat.nr_in_flight);
	assert(m->stat.nr_in_flight <= m->nr_live);
}

static void bio_check_idle(const struct model *base)
{
	const struct bio_model *m = container_of(base, const struct bio_model, model);

	assert(!m->stat.nr_in_flight);
	assert(!m->nr_live); /* I4 */
}

static void bio_fini(struct model *base)
{
	struct bio_model *m = container_of(base, struct bio_model, model);

	g_ptr_array_unref(m->chunks);
	g_free(m->cpus);
	g_free(m->sb_wq.workers);
}

const struct model_ops bio_model = {.name = "bio",
				    .source = "block/bio.c v6.1; BIO_COMPLETE_IN_TASK 7.3",
				    .size = sizeof(struct bio_model),
				    .keys = keys,
				    .stats = stats,
				    .init = bio_init,
				    .start = bio_start,
				    .check = bio_check,
				    .check_idle = bio_check_idle,
				    .fini = bio_fini};

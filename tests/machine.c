/*
 * tests/machine.c - see tests/machine.h.
 */
#include "tests/machine.h"

#include <criterion/criterion.h>

#include "models/models.h"
#include "tests/support.h"

struct hand_task {
	struct task task;
	struct op *ops;
	unsigned int nr, next;
	struct hand_task *older;
};

static struct hand_task *hand_tasks; /* of the machine of this test */

struct sim *machine_new(const char *ini)
{
	GError *err = NULL;
	const char *sets[] = {"sim.check=event", NULL};
	struct config *config = config_load(test_text("machine.ini", ini), NULL, sets, &err);

	cr_assert(config, "%s", err ? err->message : "");
	struct sim *sim = sim_new(config, models, &err);

	cr_assert(sim, "%s", err ? err->message : "");
	cr_assert(config_check_unknown(config, &err), "%s", err ? err->message : "");
	return sim;
}

void machine_free(struct sim *sim)
{
	sim_check(sim);
	sim_free(sim);
	while (hand_tasks) { /* tasks outlive their machine */
		struct hand_task *h = hand_tasks;

		hand_tasks = h->older;
		g_free(h);
	}
}

static void hand_step(struct task *t)
{
	struct hand_task *h = container_of(t, struct hand_task, task);

	if (h->next)
		h->ops[h->next - 1].done_ns = t->sim->now;
	if (h->next == h->nr) {
		task_exit(t);
		return;
	}
	struct op *op = &h->ops[h->next++];

	op->time_ns = t->sim->now;
	t->sim->submit_op(t->sim, t, op, hand_step);
}

void machine_ops(struct sim *sim, struct op *ops, unsigned int nr)
{
	struct hand_task *h = g_new0(struct hand_task, 1);
	GError *err = NULL;

	h->older = hand_tasks;
	hand_tasks = h;
	h->ops = ops;
	h->nr = nr;
	if (!sim->series)
		sim_start(sim);
	task_init(&h->task, sim, "hand", 100, false);
	task_start(&h->task, hand_step);
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");
	cr_assert_null(sim->failure);
}

struct op machine_op(enum op_kind kind, uint64_t ino)
{
	return (struct op){.kind = (uint8_t)kind, .ino = ino, .dev = MACHINE_DEV, .task = 100};
}

struct op machine_read(uint64_t ino, int64_t pos, int64_t len, uint32_t flags)
{
	struct op op = machine_op(OP_READ, ino);

	op.pos = pos;
	op.len = len;
	op.flags = flags;
	return op;
}

struct op machine_write(uint64_t ino, int64_t pos, int64_t len, uint32_t flags)
{
	struct op op = machine_read(ino, pos, len, flags);

	op.kind = OP_WRITE;
	return op;
}

void machine_read_pages(struct sim *sim, uint64_t ino, unsigned int first, unsigned int nr)
{
	struct op *ops = g_new(struct op, nr);

	for (unsigned int i = 0; i < nr; i++)
		ops[i] = machine_read(ino, (int64_t)(first + i) << 12, 4096, 0);
	machine_ops(sim, ops, nr);
	g_free(ops);
}

uint64_t machine_stat(const struct sim *sim, const char *model, const char *counter)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		if (strcmp(m->ops->name, model))
			continue;
		for (const struct stat_desc *d = m->ops->stats; d && d->kind != STAT_END; d++)
			if (!strcmp(d->name, counter))
				return stat_value(m, d);
	}
	cr_assert(false, "no counter %s.%s", model, counter);
	return 0;
}

struct inode *machine_inode(struct sim *sim, uint64_t ino)
{
	return inode_get(filemap_of(sim), MACHINE_DEV, ino);
}

uint64_t machine_resident(struct sim *sim, uint64_t ino)
{
	return machine_inode(sim, ino)->i_data.nrpages;
}

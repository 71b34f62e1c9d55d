/*
 * tests/blk_machine.c - see tests/blk_machine.h.
 */
#include "tests/blk_machine.h"

#include <criterion/criterion.h>
#include <string.h>

#include "models/dev_fixed.h"
#include "models/dev_nvme.h"
#include "tests/support.h"

static const struct model_ops *const table[] = {&bio_model, &blk_mq, &dev_fixed.model,
						&dev_nvme.model, NULL};

static unsigned int nr_ended;

struct sim *blk_machine_new(const char *ini)
{
	const char *sets[] = {"sim.check=event", "host.nr_cpus=2", NULL};
	GError *err = NULL;
	struct config *config = config_load(test_text("blk.ini", ini), NULL, sets, &err);
	struct sim *sim = config ? sim_new(config, table, &err) : NULL;

	cr_assert(sim, "%s", err ? err->message : "");
	cr_assert(config_check_unknown(sim->config, &err), "%s", err ? err->message : "");
	sim_start(sim);
	return sim;
}

void blk_machine_run(struct sim *sim, ktime_t ns)
{
	sim_run_until(sim, sim->now + ns);
	sim_check(sim);
}

uint64_t blk_machine_stat(const struct sim *sim, const char *model, const char *counter)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		for (const struct stat_desc *d = m->ops->stats; d->kind != STAT_END; d++)
			if (!strcmp(m->ops->name, model) && !strcmp(d->name, counter))
				return stat_value(m, d);
	}
	cr_assert_fail("no counter %s.%s", model, counter);
	return 0;
}

static void seen_end_io(struct bio *bio, bool in_task)
{
	struct seen_bio *s = bio->private;

	s->ended++;
	s->order = ++nr_ended;
	s->end_ns = s->sim->now;
	s->in_task = in_task;
	bio_put(s->sim, bio);
	if (s->then)
		s->then(s);
}

struct bio *seen_bio_new(struct seen_bio *s, struct sim *sim, enum req_op op, sector_t sector,
			 int64_t sectors)
{
	struct bio *bio = bio_alloc(sim);

	*s = (struct seen_bio){.sim = sim};
	bio->op = op;
	bio->sector = sector;
	bio->size_bytes = sectors << SECTOR_SHIFT;
	bio->end_io = seen_end_io;
	bio->private = s;
	return bio;
}

void seen_bio_submit(struct seen_bio *s, struct sim *sim, enum req_op op, unsigned int opf,
		     sector_t sector, int64_t sectors, struct blk_plug *plug)
{
	struct bio *bio = seen_bio_new(s, sim, op, sector, sectors);

	bio->opf = opf;
	submit_bio(sim, bio, plug);
}

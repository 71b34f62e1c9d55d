/*
 * tests/closed_loop.c - see tests/closed_loop.h.
 */
#include "tests/closed_loop.h"

#include <criterion/criterion.h>
#include <math.h>

#include "models/dev_empirical.h"
#include "models/dev_fixed.h"
#include "models/dev_nvme.h"
#include "models/dev_ufs.h"
#include "sim/rng.h"

#define SPAN_DEFAULT ((int64_t)64 << 30)

static const struct model_ops *const devices[] = {&dev_nvme.model, &dev_ufs.model, &dev_fixed.model,
						  &dev_empirical.model, NULL};

struct runner {
	struct sim *sim;
	struct closed_loop *loop;
	struct loop_request *idle;
	struct event arrival;
	uint64_t submitted;
	uint64_t *next_id;
	struct rng rng;
};

struct loop_request {
	struct request rq;
	struct runner *runner;
	struct loop_request *next;
};

struct sim *device_sim(const char *ini, const char *const *sets)
{
	g_autofree char *path = ini ? g_build_filename("configs/devices", ini, NULL) : NULL;
	GError *err = NULL;
	struct config *config = config_load(path, NULL, sets, &err);
	struct sim *sim = config ? sim_new(config, devices, &err) : NULL;

	cr_assert(sim, "%s", err ? err->message : "?");
	config_allow_section(sim->config, "blk_mq"); /* the profiles set its limits too */
	cr_assert(config_check_unknown(sim->config, &err), "%s", err ? err->message : "?");
	return sim;
}

struct model *device_of(const struct sim *sim)
{
	return model_chosen(sim, "device");
}

static void request_fill(struct runner *r, struct request *rq)
{
	struct closed_loop *loop = r->loop;
	uint64_t slots =
		(uint64_t)((loop->span_bytes ? loop->span_bytes : SPAN_DEFAULT) / loop->size_bytes);
	uint64_t slot = loop->sequential ? r->submitted % slots : rng_below(&r->rng, slots);

	rq->op = loop->op;
	rq->opf = loop->opf;
	rq->sector = slot * (uint64_t)loop->size_bytes >> SECTOR_SHIFT;
	rq->size_bytes = loop->size_bytes;
	rq->id = (*r->next_id)++;
	rq->queued_ns = rq->issue_ns = r->sim->now;
}

static void submit(struct loop_request *lr)
{
	struct runner *r = lr->runner;
	struct model *dev = device_of(r->sim);

	request_fill(r, &lr->rq);
	lr->rq.dev = dev;
	r->submitted++;
	dev_ops_of(dev)->submit(dev, &lr->rq);
}

static bool more(const struct runner *r)
{
	return !r->loop->nr || r->submitted < r->loop->nr;
}

static void completed(struct request *rq)
{
	struct loop_request *lr = container_of(rq, struct loop_request, rq);
	struct runner *r = lr->runner;

	r->loop->completed++;
	r->loop->last_ns = r->sim->now;
	hist_add(&r->loop->latency, r->sim->now - rq->queued_ns);
	if (!r->loop->interval && more(r)) {
		submit(lr);
		return;
	}
	lr->next = r->idle;
	r->idle = lr;
}

/* Open loop: what finds no slot is not submitted at all; the test sizes qd so that none is lost. */
static void arrive(struct event *ev)
{
	struct runner *r = container_of(ev, struct runner, arrival);
	struct loop_request *lr = r->idle;

	cr_assert(lr, "open loop ran out of requests");
	r->idle = lr->next;
	submit(lr);
	if (more(r))
		sim_after(r->sim, ev, r->loop->interval);
}

static void runner_start(struct runner *r, struct loop_request *lrs)
{
	for (unsigned int i = 0; i < r->loop->qd; i++) {
		lrs[i].runner = r;
		lrs[i].rq.complete = completed;
		event_init(&lrs[i].rq.ev, NULL);
		lrs[i].next = r->idle;
		r->idle = &lrs[i];
	}
	event_init(&r->arrival, arrive);
	r->loop->first_ns = r->sim->now;
	if (r->loop->interval) {
		sim_at(r->sim, &r->arrival, r->sim->now);
		return;
	}
	for (unsigned int i = 0; i < r->loop->qd && more(r); i++) {
		struct loop_request *lr = r->idle;

		r->idle = lr->next;
		submit(lr);
	}
}

static bool finished(struct closed_loop **loops, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (loops[i]->nr && loops[i]->completed < loops[i]->nr)
			return false;
	return true;
}

void closed_loops_run(struct sim *sim, struct closed_loop **loops, unsigned int nr_loops)
{
	struct runner *runners = g_new0(struct runner, nr_loops);
	struct loop_request **lrs = g_new0(struct loop_request *, nr_loops);
	uint64_t next_id = 1;

	for (unsigned int i = 0; i < nr_loops; i++) {
		lrs[i] = g_new0(struct loop_request, loops[i]->qd);
		runners[i] = (struct runner){.sim = sim, .loop = loops[i], .next_id = &next_id};
		rng_init(&runners[i].rng, loops[i]->seed, "closed_loop");
		hist_init_in(&loops[i]->latency, loops[i]->latency_buckets);
		runner_start(&runners[i], lrs[i]);
	}
	while (!finished(loops, nr_loops))
		sim_run_until(sim, event_first(&sim->queue)->time);
	if (sim->models[0]->ops->check)
		sim->models[0]->ops->check(sim->models[0]);
	/* Requests of endless loops may be pending: they are dropped with the machine's queue. */
	for (unsigned int i = 0; i < nr_loops; i++) {
		for (unsigned int k = 0; k < loops[i]->qd; k++)
			event_cancel(&sim->queue, &lrs[i][k].rq.ev);
		g_free(lrs[i]);
	}
	g_free(lrs);
	g_free(runners);
}

void closed_loop_run(struct sim *sim, struct closed_loop *loop)
{
	closed_loops_run(sim, &loop, 1);
}

double closed_loop_iops(const struct closed_loop *loop)
{
	return (double)loop->completed * 1e9 / (double)(loop->last_ns - loop->first_ns);
}

static void single_done(struct request *rq)
{
	struct single *s = container_of(rq, struct single, rq);

	s->latency_ns = s->sim->now - rq->issue_ns;
}

static void single_submit(struct event *ev)
{
	struct single *s = container_of(ev, struct single, submit);

	s->rq.dev = device_of(s->sim);
	s->rq.issue_ns = s->rq.queued_ns = s->sim->now;
	dev_ops_of(s->rq.dev)->submit(s->rq.dev, &s->rq);
}

void single_add(struct single *s, struct sim *sim, enum req_op op, unsigned int opf, int64_t pos,
		int64_t size_bytes, ktime_t when)
{
	static uint64_t id = 1u << 20;

	*s = (struct single){.sim = sim, .latency_ns = -1};
	s->rq = (struct request){.op = op,
				 .opf = opf,
				 .sector = (sector_t)pos >> SECTOR_SHIFT,
				 .size_bytes = size_bytes,
				 .id = id,
				 .complete = single_done};
	id++;
	event_init(&s->rq.ev, NULL);
	event_init(&s->submit, single_submit);
	sim_at(sim, &s->submit, when);
}

void assert_near(const char *what, double got, double want, double percent)
{
	cr_log_info("%s: %.6g, wanted %.6g (%+.2f %%)", what, got, want, 100 * (got / want - 1));
	cr_assert(fabs(got / want - 1) <= percent / 100, "%s: %.6g, wanted %.6g +- %g %%", what,
		  got, want, percent);
}

/*
 * models/dev_fixed.c - a device of `parallel` equal servers: a command takes a fixed time by op and
 * its bytes over one shared rate.
 *
 * For tests worked out by hand, and for questions in which the device must not matter.  A command
 * takes the server that is free first (ties: lowest number), then `rate` moves its bytes, one
 * command after the other, if rate is not 0.  No write buffer: FUA is a write, a flush only its
 * time.
 *
 * I1  nr_held <= slots; 0 when nothing is in flight.
 */
#include "models/dev_fixed.h"

#include "models/dev_servers.h"
#include "sim/sim.h"

struct dev_fixed {
	struct model model;
	struct {
		uint64_t slots, parallel;
		int64_t read_time, write_time, flush_time, discard_time;
		int64_t rate; /* bytes/s; 0 = bytes take no time */
		bool volatile_cache, fua;
	} conf;
	struct {
		uint64_t nr_held;
	} stat;
	struct dev_servers servers; /* conf.parallel of them */
	ktime_t rate_end;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, dev_fixed, slots, "32", "1", "1000000", "commands the device holds"),
	CONF(CONF_U64, dev_fixed, parallel, "1", "1", "4096", "commands it works on at a time"),
	CONF(CONF_NSEC, dev_fixed, read_time, "100us", "0", "100s", "time of a read [E]"),
	CONF(CONF_NSEC, dev_fixed, write_time, "100us", "0", "100s", "time of a write [E]"),
	CONF(CONF_NSEC, dev_fixed, flush_time, "1ms", "0", "100s", "time of a flush [E]"),
	CONF(CONF_NSEC, dev_fixed, discard_time, "100us", "0", "100s", "time of a discard [E]"),
	CONF(CONF_RATE, dev_fixed, rate, "0/s", NULL, NULL,
	     "bytes of reads and writes together, one after the other; 0 = no time [E]"),
	CONF(CONF_BOOL, dev_fixed, volatile_cache, "yes", NULL, NULL,
	     "whether flushes reach the device"),
	CONF(CONF_BOOL, dev_fixed, fua, "yes", NULL, NULL,
	     "takes FUA writes; otherwise the block layer flushes after them"),
	{ 0 }
};

static const struct stat_desc stats[] = { STAT(STAT_GAUGE, dev_fixed, nr_held), { 0 } };
/* clang-format on */

static struct dev_fixed *fixed_of(struct model *m)
{
	return container_of(m, struct dev_fixed, model);
}

static bool fixed_init(struct model *m, GError **err)
{
	struct dev_fixed *d = fixed_of(m);

	(void)err;
	dev_servers_init(&d->servers, d->conf.parallel);
	return true;
}

static void fixed_fini(struct model *m)
{
	dev_servers_fini(&fixed_of(m)->servers);
}

static void fixed_check(const struct model *m)
{
	const struct dev_fixed *d = container_of(m, const struct dev_fixed, model);

	assert(d->stat.nr_held <= d->conf.slots); /* I1 */
}

static void fixed_done(struct event *ev)
{
	struct request *rq = container_of(ev, struct request, ev);

	fixed_of(rq->dev)->stat.nr_held--;
	rq->complete(rq);
}

static void fixed_check_idle(const struct model *m)
{
	assert(!container_of(m, const struct dev_fixed, model)->stat.nr_held);
}

static ktime_t op_time(const struct dev_fixed *d, enum req_op op)
{
	switch (op) {
	case REQ_OP_READ:
		return d->conf.read_time;
	case REQ_OP_WRITE:
		return d->conf.write_time;
	case REQ_OP_FLUSH:
		return d->conf.flush_time;
	case REQ_OP_DISCARD:
		break;
	}
	return d->conf.discard_time;
}

static void fixed_submit(struct model *m, struct request *rq)
{
	struct dev_fixed *d = fixed_of(m);
	ktime_t end = dev_servers_take(&d->servers, m->sim->now, op_time(d, rq->op));

	assert(d->stat.nr_held < d->conf.slots);
	d->stat.nr_held++;
	if (d->conf.rate && (rq->op == REQ_OP_READ || rq->op == REQ_OP_WRITE))
		end = d->rate_end =
			MAX(end, d->rate_end) + dev_transfer_ns(rq->size_bytes, d->conf.rate);
	rq->ev.fn = fixed_done;
	sim_at(m->sim, &rq->ev, end);
}

static unsigned int fixed_slots(const struct model *m)
{
	return (unsigned int)container_of(m, const struct dev_fixed, model)->conf.slots;
}

static bool fixed_volatile_cache(const struct model *m)
{
	return container_of(m, const struct dev_fixed, model)->conf.volatile_cache;
}

static bool fixed_fua(const struct model *m)
{
	return container_of(m, const struct dev_fixed, model)->conf.fua;
}

const struct dev_ops dev_fixed = {
	.model = {.name = "dev_fixed",
		  .section = "device",
		  .choice = "fixed",
		  .source = "none: fixed times, for tests",
		  .size = sizeof(struct dev_fixed),
		  .keys = keys,
		  .stats = stats,
		  .init = fixed_init,
		  .check = fixed_check,
		  .check_idle = fixed_check_idle,
		  .fini = fixed_fini},
	.submit = fixed_submit,
	.slots = fixed_slots,
	.volatile_cache = fixed_volatile_cache,
	.fua = fixed_fua,
};

/*
 * models/dev_flash.c - see models/dev_flash.h: a command's way through a flash device (DEVICES.md
 * section 5).
 *
 * Command: idle exit, the serial firmware server, then cmd time.  A read is cut into stripe units;
 * each waits for its die (unit number mod dies), takes read_time * X + unit / die_bus there, and
 * then the link, in the order in which dies are done: so one event a unit, since a slow die must
 * not hold up the link for others.  A write crosses the link into the buffer and is acknowledged as
 * soon as at most write_buffer bytes are not yet drained: one event.  Flush and FUA wait for the
 * drain.  X and every other draw is a function of the request's id, never of what was drawn before.
 *
 * With read_priority a read suspends the running program (suspend_time); without, it waits until
 * all that is buffered is programmed.  Either way a die taken by a read is lost to the drain.
 *
 * Not modelled: channels shared by dies, planes, mapping, wear, placement of writes (the drain
 * stands for all dies in step), half-duplex links, thermal states.
 *
 * I1  nr_held <= slots.
 * I2  an end of a server never moves back.
 */
#include "models/dev_flash.h"

#include <stdlib.h>

#include "sim/sim.h"

#define UNIT_BITS 16 /* units of one request, in the id of a draw */

struct die {
	ktime_t end; /* busy with reads and collections until */
};

struct unit {
	ktime_t done; /* read from its die */
	int64_t bytes;
};

struct flash_read {
	struct flash_read *next; /* while free */
	uint32_t nr, at, cap;	 /* units, the next to cross the link, allocated */
	struct unit *units;	 /* by done */
};

struct gc {
	ktime_t due;
};

/* Number of 32-bit draws of a hit with probability @p. */
static uint64_t threshold(double p)
{
	return (uint64_t)(p * 4294967296.0);
}

static bool hit(uint64_t key, uint64_t id, uint64_t below)
{
	return below && (rng_hash(key, id) >> 32) < below;
}

bool dev_flash_init(struct dev_flash *d, uint64_t slots, GError **err)
{
	uint64_t seed = d->model.sim->conf.seed;

	if (d->conf.gc_dies > d->conf.dies) {
		config_error(d->model.sim->config, "device", "gc_dies", err,
			     "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " dies", d->conf.gc_dies,
			     d->conf.dies);
		return false;
	}
	if (!config_multiple(d->model.sim->config, "device", "stripe_unit", d->conf.stripe_unit,
			     PAGE_SIZE, "a page lies on one die", err))
		return false;
	d->max_held = (unsigned int)slots;
	d->key_cmd = rng_key(seed, "dev_flash.cmd");
	d->key_read = rng_key(seed, "dev_flash.read");
	d->key_exceptional = rng_key(seed, "dev_flash.exceptional");
	d->key_l2p = rng_key(seed, "dev_flash.l2p");
	d->exceptional_below = threshold(d->conf.exceptional_prob);
	d->l2p_below = threshold(d->conf.l2p_miss_prob);
	lognormal_init(&d->cmd_spread, d->conf.cmd_read_sigma);
	lognormal_init(&d->read_spread, d->conf.read_sigma);
	drain_init(&d->drain, &d->conf.drain, seed);
	d->dies = g_new0(struct die, d->conf.dies);
	g_queue_init(&d->gc_due);
	d->all_reads = g_ptr_array_new();
	return true;
}

void dev_flash_fini(struct model *m)
{
	struct dev_flash *d = container_of(m, struct dev_flash, model);

	for (unsigned int i = 0; d->all_reads && i < d->all_reads->len; i++) {
		struct flash_read *r = d->all_reads->pdata[i];

		g_free(r->units);
		g_free(r);
	}
	g_clear_pointer(&d->all_reads, g_ptr_array_unref);
	g_queue_clear_full(&d->gc_due, g_free);
	g_free(d->dies);
}

void dev_flash_check(const struct model *m)
{
	const struct dev_flash *d = container_of(m, const struct dev_flash, model);
	uint64_t nr_free = 0;

	assert(d->stat.nr_held <= d->max_held); /* I1 */
	for (const struct flash_read *r = d->free_reads; r; r = r->next)
		nr_free++;
	assert(d->all_reads->len - nr_free <= d->stat.nr_held);
	assert(d->drain.wb_left <= d->conf.drain.wb_bytes);
}

void dev_flash_check_idle(const struct model *m)
{
	assert(!container_of(m, const struct dev_flash, model)->stat.nr_held);
}

unsigned int dev_flash_slots(const struct model *m)
{
	return container_of(m, const struct dev_flash, model)->max_held;
}

bool dev_flash_volatile_cache(const struct model *m)
{
	return container_of(m, const struct dev_flash, model)->conf.volatile_cache;
}

bool dev_flash_fua(const struct model *m)
{
	(void)m;
	return true;
}

static struct flash_read *read_get(struct dev_flash *d, uint32_t nr)
{
	struct flash_read *r = d->free_reads;

	if (r) {
		d->free_reads = r->next;
	} else {
		r = g_new0(struct flash_read, 1);
		g_ptr_array_add(d->all_reads, r);
	}
	if (r->cap < nr) {
		r->units = g_renew(struct unit, r->units, nr);
		r->cap = nr;
	}
	r->nr = nr;
	r->at = 0;
	return r;
}

static void read_put(struct dev_flash *d, struct flash_read *r)
{
	r->next = d->free_reads;
	d->free_reads = r;
}

static struct dev_flash *flash_of(const struct request *rq)
{
	return container_of(rq->dev, struct dev_flash, model);
}

static void request_done(struct event *ev)
{
	struct request *rq = container_of(ev, struct request, ev);
	struct dev_flash *d = flash_of(rq);

	assert(d->stat.nr_held > 0);
	if (--d->stat.nr_held == 0)
		d->idle_since = d->model.sim->now;
	rq->complete(rq);
}

static void done_at(struct dev_flash *d, struct request *rq, ktime_t time)
{
	rq->ev.fn = request_done;
	sim_at(d->model.sim, &rq->ev, time);
}

/* When the controller begins with a command that arrives now: awake, and its turn. */
static ktime_t command_begin(struct dev_flash *d)
{
	ktime_t now = d->model.sim->now, t;

	if (d->conf.idle_exit && d->stat.nr_held == 0 &&
	    now - d->idle_since >= d->conf.idle_threshold) {
		d->awake_ns = now + d->conf.idle_exit;
		d->stat.idle_exits++;
	}
	t = MAX(now, d->awake_ns);
	if (d->conf.cmd_serial)
		t = d->serial_end = MAX(t, d->serial_end) + d->conf.cmd_serial;
	return t;
}

/* Array time of unit @u of @rq. */
static ktime_t array_ns(struct dev_flash *d, const struct request *rq, uint64_t u)
{
	uint64_t id = rq->id << UNIT_BITS | u;
	ktime_t ns = lognormal_scale(&d->read_spread, rng_hash(d->key_read, id), d->conf.read_time);

	if (hit(d->key_exceptional, id, d->exceptional_below)) {
		d->stat.exceptional_reads++;
		ns += d->conf.exceptional_time;
	}
	if (u == 0 && hit(d->key_l2p, rq->id, d->l2p_below)) {
		d->stat.l2p_misses++;
		ns += d->conf.read_time;
	}
	return ns;
}

/* When die @die can begin a read that is ready at @t. */
static ktime_t die_begin(struct dev_flash *d, const struct die *die, ktime_t t)
{
	ktime_t begin = MAX(t, die->end);

	if (d->drain.end <= begin)
		return begin;
	if (!d->conf.read_priority)
		return drain_ahead(&d->drain, begin, d->conf.write_buffer);
	d->stat.read_suspends++;
	return begin + d->conf.suspend_time;
}

static ktime_t read_unit(struct dev_flash *d, struct die *die, ktime_t t, ktime_t service)
{
	ktime_t begin = die_begin(d, die, t), end = begin + service;

	assert(end >= die->end); /* I2 */
	die->end = end;
	drain_delay(&d->drain, d->model.sim->now, (end - begin) / (ktime_t)d->conf.dies);
	return end;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return x->done != y->done ? (x->done > y->done) - (x->done < y->done)
				  : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The units that dies have finished cross the link; the last one ends the request. */
static void read_event(struct event *ev)
{
	struct request *rq = container_of(ev, struct request, ev);
	struct dev_flash *d = flash_of(rq);
	struct flash_read *r = rq->dev_io;
	ktime_t now = d->model.sim->now;

	for (; r->at < r->nr && r->units[r->at].done <= now; r->at++)
		d->link_read_end = MAX(d->link_read_end, now) +
				   dev_transfer_ns(r->units[r->at].bytes, d->conf.link_read);
	if (r->at < r->nr) {
		sim_at(d->model.sim, &rq->ev, r->units[r->at].done);
		return;
	}
	rq->dev_io = NULL;
	read_put(d, r);
	done_at(d, rq, d->link_read_end);
}

static void submit_read(struct dev_flash *d, struct request *rq, ktime_t t)
{
	int64_t unit = d->conf.stripe_unit, pos = (int64_t)(rq->sector << SECTOR_SHIFT);
	int64_t end = pos + rq->size_bytes, first = pos / unit;
	uint32_t nr = (uint32_t)((end - 1) / unit - first + 1);
	struct flash_read *r = read_get(d, nr);

	assert(nr < 1u << UNIT_BITS);
	t += lognormal_scale(&d->cmd_spread, rng_hash(d->key_cmd, rq->id), d->conf.cmd_read);
	for (uint32_t u = 0; u < nr; u++) {
		int64_t index = first + u;
		int64_t bytes = MIN(end, (index + 1) * unit) - MAX(pos, index * unit);
		ktime_t service = array_ns(d, rq, u) + dev_transfer_ns(bytes, d->conf.die_bus);
		struct die *die = &d->dies[(uint64_t)index % d->conf.dies];

		r->units[u] = (struct unit){read_unit(d, die, t, service), bytes};
	}
	if (nr > 1)
		qsort(r->units, nr, sizeof(r->units[0]), compare_units);
	rq->dev_io = r;
	rq->ev.fn = read_event;
	sim_at(d->model.sim, &rq->ev, r->units[0].done);
}

/* Every gc_bytes drained, a collection is due when the drain gets there; it costs drain time. */
static void gc_account(struct dev_flash *d, int64_t bytes)
{
	if (!d->conf.gc_bytes)
		return;
	d->gc_account += bytes;
	for (; d->gc_account >= d->conf.gc_bytes; d->gc_account -= d->conf.gc_bytes) {
		struct gc *gc = g_new(struct gc, 1);

		gc->due = d->drain.end;
		g_queue_push_tail(&d->gc_due, gc);
		d->drain.end += d->conf.gc_time * (ktime_t)d->conf.gc_dies / (ktime_t)d->conf.dies;
	}
}

/* Let the collections begin that are due by now. */
static void gc_run(struct dev_flash *d)
{
	struct gc *gc;

	while ((gc = g_queue_peek_head(&d->gc_due)) && gc->due <= d->model.sim->now) {
		for (uint64_t i = 0; i < d->conf.gc_dies; i++) {
			struct die *die = &d->dies[d->gc_next_die];

			die->end = MAX(die->end, gc->due) + d->conf.gc_time;
			d->gc_next_die = (d->gc_next_die + 1) % (unsigned int)d->conf.dies;
		}
		d->stat.gc_runs++;
		g_free(g_queue_pop_head(&d->gc_due));
	}
}

/* Over the link at @t; returns when the last byte is in, *@first when the first unit is. */
static ktime_t link_write(struct dev_flash *d, ktime_t t, int64_t bytes, ktime_t *first)
{
	ktime_t begin = MAX(t, d->link_write_end);

	*first = begin + dev_transfer_ns(MIN(bytes, d->conf.stripe_unit), d->conf.link_write);
	d->link_write_end = begin + dev_transfer_ns(bytes, d->conf.link_write);
	return d->link_write_end;
}

static void submit_write(struct dev_flash *d, struct request *rq, ktime_t t)
{
	ktime_t first, in = link_write(d, t + d->conf.cmd_write, rq->size_bytes, &first);
	ktime_t drained = drain_add(&d->drain, first, rq->size_bytes), ack, room;

	d->drain.end = drained = MAX(drained, in); /* not before the last byte came */
	ack = in + d->conf.write_per_page * rq->size_bytes / PAGE_SIZE;
	room = drain_backlog_below(&d->drain, d->conf.write_buffer);
	if (room > ack) {
		d->stat.buffer_waits++;
		d->stat.buffer_wait_ns += (uint64_t)(room - ack);
		ack = room;
	}
	if ((rq->opf & REQ_FUA) && !d->conf.plp)
		ack = MAX(ack, drained) + d->conf.fua_time;
	gc_account(d, rq->size_bytes);
	done_at(d, rq, ack);
}

void dev_flash_submit(struct model *m, struct request *rq)
{
	struct dev_flash *d = container_of(m, struct dev_flash, model);
	ktime_t t = command_begin(d);

	assert(d->stat.nr_held < d->max_held && !rq->dev_io);
	d->stat.nr_held++;
	gc_run(d);
	switch (rq->op) {
	case REQ_OP_READ:
		submit_read(d, rq, t);
		break;
	case REQ_OP_WRITE:
		submit_write(d, rq, t);
		break;
	case REQ_OP_FLUSH:
		done_at(d, rq, (d->conf.plp ? t : MAX(t, d->drain.end)) + d->conf.flush_time);
		break;
	case REQ_OP_DISCARD:
		done_at(d, rq, t + d->conf.cmd_write + d->conf.discard_time);
		break;
	}
}

/*
 * traces/blkpair.c - see traces/blkpair.h.
 *
 * At most HOLD_MAX requests are open: past that the oldest is given up.  Completions that find no
 * issue wait a little (EARLY_EVENTS further events at least, and BLKPAIR_SKEW_NS): their issue may
 * come late from another CPU's clock or from an unsorted dump.
 *
 * Not modelled: completions of a part that is not the front of its request.
 * I1  the open requests of a device come all from Q or all from D.
 */
#include "traces/blkpair.h"

#include <stdlib.h>
#include <string.h>

#include "traces/blkopen.h"

#define EARLY_MAX 64u
#define EARLY_EVENTS 256u

struct early {
	struct blk_event event;
	uint64_t serial;
};

struct device {
	uint32_t dev;
	bool issues; /* a D was seen */
};

struct blkpair {
	struct trace *trace;
	struct hold *hold;
	struct blk_open *open;
	uint64_t serial;	/* events so far */
	uint64_t open_ended;	/* issues without completion */
	uint64_t without_issue; /* completions without issue */
	struct early early[EARLY_MAX];
	unsigned int nr_early;
	GArray *devices;       /* struct device */
	unsigned int last_dev; /* index in devices of the event before */
};

struct blkpair *blkpair_new(struct trace *t, struct hold *h)
{
	struct blkpair *p = g_new0(struct blkpair, 1);

	p->trace = t;
	p->hold = h;
	p->open = blk_open_new();
	p->devices = g_array_new(FALSE, FALSE, sizeof(struct device));
	t->info.has_pairs = true;
	return p;
}

void blkpair_free(struct blkpair *p)
{
	if (!p)
		return;
	blk_open_free(p->open);
	g_array_unref(p->devices);
	g_free(p);
}

static struct device *device_of(struct blkpair *p, uint32_t dev)
{
	const struct device fresh = {.dev = dev};

	if (p->last_dev < p->devices->len) {
		struct device *d = &g_array_index(p->devices, struct device, p->last_dev);

		if (d->dev == dev)
			return d;
	}
	for (p->last_dev = 0; p->last_dev < p->devices->len; p->last_dev++) {
		struct device *d = &g_array_index(p->devices, struct device, p->last_dev);

		if (d->dev == dev)
			return d;
	}
	g_array_append_val(p->devices, fresh);
	return &g_array_index(p->devices, struct device, p->last_dev);
}

/* Is the sector an address?  Flushes of old kernels and commands carry ~0. */
static bool has_address(const struct blk_event *e)
{
	return e->sector <= (uint64_t)(INT64_MAX - UINT32_MAX) >> SECTOR_SHIFT;
}

static enum blk_direction direction_of(const struct blk_event *e)
{
	bool flush = e->rwbs.op == BLK_FLUSH || (e->rwbs.flags & OP_PREFLUSH);

	if (e->passthrough)
		return DIR_PASSTHROUGH;
	if (flush && !e->bytes)
		return DIR_FLUSH;
	if (!has_address(e) || (e->rwbs.op == BLK_NONE && !e->bytes))
		return DIR_PASSTHROUGH;
	switch (e->rwbs.op) {
	case BLK_READ:
		return DIR_READ;
	case BLK_WRITE:
		return DIR_WRITE;
	case BLK_DISCARD:
		return DIR_DISCARD;
	default:
		return DIR_OTHER;
	}
}

static bool is_addressed(enum blk_direction dir)
{
	return dir != DIR_FLUSH && dir != DIR_PASSTHROUGH;
}

static struct blk_key key_of(const struct blk_event *e)
{
	enum blk_direction dir = direction_of(e);

	return (struct blk_key){is_addressed(dir) ? e->sector : 0, e->dev, dir};
}

/* Request @i will see no completion: its op leaves without one. */
static void request_give_up(struct blkpair *p, uint32_t i)
{
	hold_finish(p->hold, blk_open_at(p->open, i)->ticket);
	p->open_ended++;
	p->trace->info.unpaired++;
	blk_open_del(p->open, i);
}

static enum op_kind kind_of(const struct blk_event *e, enum blk_direction dir)
{
	switch (dir) {
	case DIR_READ:
		return OP_BIO_READ;
	case DIR_WRITE:
		return OP_BIO_WRITE;
	case DIR_FLUSH:
		return OP_FLUSH;
	case DIR_PASSTHROUGH:
		return e->rwbs.op == BLK_WRITE ? OP_BIO_WRITE : OP_BIO_READ;
	default:
		return OP_DISCARD;
	}
}

static struct op op_of(const struct blk_event *e, const struct blk_key *key)
{
	struct op op = {
		.time_ns = e->time_ns,
		.done_ns = OP_NO_TIME,
		.pos = (int64_t)(key->sector << SECTOR_SHIFT),
		.len = e->bytes,
		.dev = e->dev,
		.task = e->task,
		.flags = e->rwbs.flags,
		.cpu = e->cpu,
		.kind = (uint8_t)kind_of(e, key->dir),
	};

	if (key->dir == DIR_PASSTHROUGH)
		op.flags |= OP_PASSTHROUGH;
	return op;
}

static void request_add(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = key_of(e);
	struct op op = op_of(e, &key);

	if (blk_open_count(p->open) >= HOLD_MAX)
		request_give_up(p, blk_open_oldest(p->open));
	const struct blk_request r = {
		.key = key,
		.ticket = hold_push(p->hold, &op, true),
		.time_ns = e->time_ns,
		.left = e->bytes,
		.cpu = e->cpu,
	};

	blk_open_add(p->open, &r);
	p->trace->info.drives |= TRACE_DRIVES_BLOCK;
}

static bool moves_data(enum op_kind kind)
{
	return kind == OP_BIO_READ || kind == OP_BIO_WRITE;
}

static void request_done(struct blkpair *p, uint32_t i, const struct blk_event *e)
{
	struct blk_request *r = blk_open_at(p->open, i);
	struct op *op = hold_get(p->hold, r->ticket);
	struct trace_info *info = &p->trace->info;

	if (op) {
		op->done_ns = MAX(e->time_ns, r->time_ns);
		op->result = r->error ? -labs(r->error) : moves_data(op->kind) ? op->len : 0;
		if (r->cpu != e->cpu)
			op->flags |= OP_CROSS_CPU;
		info->paired++;
		info->cross_cpu += r->cpu != e->cpu;
		hold_finish(p->hold, r->ticket);
	} else {
		info->unpaired++; /* the hold had to let it go */
		p->open_ended++;
	}
	blk_open_del(p->open, i);
}

/* Pair completion @e; false when no open request is its own. */
static bool complete(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = key_of(e);
	uint32_t i = blk_open_find(p->open, &key);

	if (i == BLK_OPEN_NONE)
		return false;
	struct blk_request *r = blk_open_at(p->open, i);

	if (e->error)
		r->error = e->error;
	if (is_addressed(key.dir) && e->bytes && e->bytes < r->left)
		blk_open_advance(p->open, i, e->bytes);
	else
		request_done(p, i, e);
	return true;
}

/* A write without bytes ends a flush sequence: its flush is the request where nothing was issued
 * on the device, else the parts were paired on their own. */
static void complete_sequence(struct blkpair *p, const struct blk_event *e)
{
	struct blk_event flush = *e;

	if (device_of(p, e->dev)->issues)
		return;
	flush.rwbs.op = BLK_FLUSH;
	complete(p, &flush);
}

static void early_del(struct blkpair *p, unsigned int i)
{
	p->nr_early--;
	memmove(&p->early[i], &p->early[i + 1], (p->nr_early - i) * sizeof(p->early[0]));
}

static void early_give_up(struct blkpair *p, unsigned int i)
{
	p->without_issue++;
	p->trace->info.unpaired++;
	early_del(p, i);
}

/* Give up completions whose issue can no longer come. */
static void early_expire(struct blkpair *p, int64_t now_ns)
{
	for (unsigned int i = p->nr_early; i-- > 0;) {
		const struct early *c = &p->early[i];

		if (p->serial - c->serial <= EARLY_EVENTS ||
		    now_ns - c->event.time_ns <= BLKPAIR_SKEW_NS)
			continue;
		early_give_up(p, i);
	}
}

static void early_add(struct blkpair *p, const struct blk_event *e)
{
	if (p->nr_early == EARLY_MAX) {
		early_give_up(p, 0);
	}
	p->early[p->nr_early++] = (struct early){*e, p->serial};
}

/* Can completion @c, met first, be of issue @e?  In time order in an unsorted dump, or before it by
 * the skew of two clocks. */
static bool early_matches(const struct blk_event *c, const struct blk_event *e)
{
	struct blk_key a = key_of(c), b = key_of(e);
	int64_t ahead_ns = e->time_ns - c->time_ns;

	return blk_key_equal(&a, &b) &&
	       (ahead_ns <= 0 || (ahead_ns < BLKPAIR_SKEW_NS && c->cpu != e->cpu));
}

/* Complete the request of issue @e, just opened, with completions met before it. */
static void early_take(struct blkpair *p, const struct blk_event *e)
{
	for (unsigned int i = 0; i < p->nr_early; i++) {
		const struct blk_event c = p->early[i].event;

		if (!early_matches(&c, e))
			continue;
		early_del(p, i);
		p->trace->info.skewed++;
		complete(p, &c);
		return;
	}
}

/* From its first issue on, a device's requests are those it issues. */
static void drop_queued(struct blkpair *p, uint32_t dev)
{
	for (uint32_t i = blk_open_oldest(p->open), newer; i != BLK_OPEN_NONE; i = newer) {
		newer = blk_open_at(p->open, i)->newer;
		if (blk_open_at(p->open, i)->key.dev != dev)
			continue;
		hold_abandon(p->hold, blk_open_at(p->open, i)->ticket);
		blk_open_del(p->open, i);
	}
}

static void issue(struct blkpair *p, const struct blk_event *e)
{
	struct device *d = device_of(p, e->dev);

	if (!d->issues)
		drop_queued(p, e->dev);
	d->issues = true;
	request_add(p, e);
	if (p->nr_early)
		early_take(p, e);
}

static void requeue(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = key_of(e);
	uint32_t i = blk_open_find(p->open, &key);

	if (i == BLK_OPEN_NONE)
		return;
	hold_abandon(p->hold, blk_open_at(p->open, i)->ticket);
	blk_open_del(p->open, i);
}

void blkpair_event(struct blkpair *p, const struct blk_event *e)
{
	p->serial++;
	if (p->nr_early)
		early_expire(p, e->time_ns);
	switch (e->action) {
	case 'Q':
		if (!device_of(p, e->dev)->issues)
			request_add(p, e);
		break;
	case 'D':
		issue(p, e);
		break;
	case 'R':
		requeue(p, e);
		break;
	case 'C':
		if (complete(p, e))
			break;
		if (direction_of(e) == DIR_WRITE && !e->bytes)
			complete_sequence(p, e);
		else
			early_add(p, e);
		break;
	default:
		break;
	}
}

void blkpair_lost(struct blkpair *p, unsigned int cpu)
{
	for (uint32_t i = blk_open_oldest(p->open), newer; i != BLK_OPEN_NONE; i = newer) {
		newer = blk_open_at(p->open, i)->newer;
		if (blk_open_at(p->open, i)->cpu == cpu)
			request_give_up(p, i);
	}
}

static void warn_unpaired(struct blkpair *p, uint64_t n, const char *what, const char *missing)
{
	if (n)
		trace_warn(p->trace, "%" G_GUINT64_FORMAT " %s%s without %s", n, what,
			   n == 1 ? "" : "s", missing);
}

void blkpair_end(struct blkpair *p)
{
	while (blk_open_oldest(p->open) != BLK_OPEN_NONE)
		request_give_up(p, blk_open_oldest(p->open));
	while (p->nr_early)
		early_give_up(p, 0);
	warn_unpaired(p, p->open_ended, "issue", "completion");
	warn_unpaired(p, p->without_issue, "completion", "issue");
}

/*
 * traces/blkpair.c - see traces/blkpair.h.
 *
 * Open requests hang in a hash by (device, sector, direction), oldest first, and in one list by
 * arrival.  At most HOLD_MAX are open: past that the oldest is given up.  Completions that find no
 * issue wait a little (EARLY_EVENTS further events at least, and BLKPAIR_SKEW_NS): their issue may
 * come late from another CPU's clock or from an unsorted dump.
 *
 * Not modelled: completions of a part that is not the front of its request.
 * I1  a request in the hash is in the list, and the other way round.
 * I2  the requests of a device come all from Q or all from D.
 */
#include "traces/blkpair.h"

#include <stdlib.h>
#include <string.h>

#define NR_BUCKETS 16384u
#define EARLY_MAX 64u
#define EARLY_EVENTS 256u
#define NONE UINT32_MAX

/* What a completion must share with its issue, besides device and sector. */
enum direction { DIR_READ, DIR_WRITE, DIR_DISCARD, DIR_OTHER, DIR_FLUSH, DIR_PASSTHROUGH };

struct key {
	uint64_t sector; /* 0 where the direction has no address */
	uint32_t dev;
	enum direction dir;
};

struct request {
	struct key key; /* moves on as the front is completed */
	uint64_t ticket;
	int64_t time_ns;
	uint32_t bytes, left;
	int32_t error;
	uint16_t cpu;
	uint32_t next;	       /* in the bucket; of free ones */
	uint32_t older, newer; /* in the list */
};

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
	GArray *requests; /* struct request, links by index */
	uint32_t free, oldest, newest, count;
	uint64_t serial; /* events so far */
	struct early early[EARLY_MAX];
	unsigned int nr_early;
	GArray *devices;       /* struct device */
	unsigned int last_dev; /* index in devices of the event before */
	uint32_t buckets[NR_BUCKETS];
};

struct blkpair *blkpair_new(struct trace *t, struct hold *h)
{
	struct blkpair *p = g_new0(struct blkpair, 1);

	p->trace = t;
	p->hold = h;
	p->requests = g_array_new(FALSE, FALSE, sizeof(struct request));
	p->devices = g_array_new(FALSE, FALSE, sizeof(struct device));
	p->free = p->oldest = p->newest = NONE;
	for (unsigned int i = 0; i < NR_BUCKETS; i++)
		p->buckets[i] = NONE;
	t->info.has_pairs = true;
	return p;
}

void blkpair_free(struct blkpair *p)
{
	if (!p)
		return;
	g_array_unref(p->requests);
	g_array_unref(p->devices);
	g_free(p);
}

static struct request *request_at(struct blkpair *p, uint32_t i)
{
	return &g_array_index(p->requests, struct request, i);
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

static enum direction direction_of(const struct blk_event *e)
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

static bool is_addressed(enum direction dir)
{
	return dir != DIR_FLUSH && dir != DIR_PASSTHROUGH;
}

static struct key key_of(const struct blk_event *e)
{
	enum direction dir = direction_of(e);

	return (struct key){is_addressed(dir) ? e->sector : 0, e->dev, dir};
}

static bool key_equal(const struct key *a, const struct key *b)
{
	return a->sector == b->sector && a->dev == b->dev && a->dir == b->dir;
}

static uint32_t *bucket_of(struct blkpair *p, const struct key *key)
{
	uint64_t mix = (key->sector ^ (uint64_t)key->dev << 32 ^ (uint64_t)key->dir << 60) *
		       UINT64_C(0x9e3779b97f4a7c15);

	return &p->buckets[mix >> 50];
}

static_assert(NR_BUCKETS == 1u << (64 - 50), "the hash keeps 14 bits");

static uint32_t find(struct blkpair *p, const struct key *key)
{
	uint32_t i = *bucket_of(p, key);

	while (i != NONE && !key_equal(&request_at(p, i)->key, key))
		i = request_at(p, i)->next;
	return i;
}

/* Behind all of its bucket: alike requests complete in order of issue. */
static void bucket_add(struct blkpair *p, uint32_t i)
{
	uint32_t *link = bucket_of(p, &request_at(p, i)->key);

	while (*link != NONE)
		link = &request_at(p, *link)->next;
	*link = i;
	request_at(p, i)->next = NONE;
}

static void bucket_del(struct blkpair *p, uint32_t i)
{
	uint32_t *link = bucket_of(p, &request_at(p, i)->key);

	while (*link != i)
		link = &request_at(p, *link)->next;
	*link = request_at(p, i)->next;
}

static uint32_t request_alloc(struct blkpair *p)
{
	uint32_t i = p->free;

	if (i != NONE) {
		p->free = request_at(p, i)->next;
		return i;
	}
	g_array_set_size(p->requests, p->requests->len + 1);
	return p->requests->len - 1;
}

static void request_del(struct blkpair *p, uint32_t i)
{
	struct request *r = request_at(p, i);

	bucket_del(p, i);
	*(r->older == NONE ? &p->oldest : &request_at(p, r->older)->newer) = r->newer;
	*(r->newer == NONE ? &p->newest : &request_at(p, r->newer)->older) = r->older;
	r->next = p->free;
	p->free = i;
	p->count--;
}

/* Request @i will see no completion: its op leaves without one. */
static void request_give_up(struct blkpair *p, uint32_t i)
{
	hold_finish(p->hold, request_at(p, i)->ticket);
	p->trace->info.unpaired++;
	request_del(p, i);
}

static enum op_kind kind_of(const struct blk_event *e, enum direction dir)
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

static struct op op_of(const struct blk_event *e, const struct key *key)
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
	struct key key = key_of(e);
	struct op op = op_of(e, &key);

	if (p->count >= HOLD_MAX)
		request_give_up(p, p->oldest);
	uint32_t i = request_alloc(p);

	*request_at(p, i) = (struct request){
		.key = key,
		.ticket = hold_push(p->hold, &op, true),
		.time_ns = e->time_ns,
		.bytes = e->bytes,
		.left = e->bytes,
		.cpu = e->cpu,
		.older = p->newest,
		.newer = NONE,
	};
	*(p->newest == NONE ? &p->oldest : &request_at(p, p->newest)->newer) = i;
	p->newest = i;
	p->count++;
	bucket_add(p, i);
	p->trace->info.drives |= TRACE_DRIVES_BLOCK;
}

static bool moves_data(enum op_kind kind)
{
	return kind == OP_BIO_READ || kind == OP_BIO_WRITE;
}

static void request_done(struct blkpair *p, uint32_t i, const struct blk_event *e)
{
	struct request *r = request_at(p, i);
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
	}
	request_del(p, i);
}

/* The first @bytes of request @i are done, more are to come. */
static void request_advance(struct blkpair *p, uint32_t i, uint32_t bytes)
{
	struct request *r = request_at(p, i);

	bucket_del(p, i);
	r->key.sector += bytes >> SECTOR_SHIFT;
	r->left -= bytes;
	bucket_add(p, i);
}

/* Pair completion @e; false when no open request is its own. */
static bool complete(struct blkpair *p, const struct blk_event *e)
{
	struct key key = key_of(e);
	uint32_t i = find(p, &key);

	if (i == NONE)
		return false;
	struct request *r = request_at(p, i);

	if (e->error)
		r->error = e->error;
	if (is_addressed(key.dir) && e->bytes && e->bytes < r->left)
		request_advance(p, i, e->bytes);
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

/* Give up completions whose issue can no longer come. */
static void early_expire(struct blkpair *p, int64_t now_ns)
{
	for (unsigned int i = p->nr_early; i-- > 0;) {
		const struct early *c = &p->early[i];

		if (p->serial - c->serial <= EARLY_EVENTS ||
		    now_ns - c->event.time_ns <= BLKPAIR_SKEW_NS)
			continue;
		p->trace->info.unpaired++;
		early_del(p, i);
	}
}

static void early_add(struct blkpair *p, const struct blk_event *e)
{
	if (p->nr_early == EARLY_MAX) {
		p->trace->info.unpaired++;
		early_del(p, 0);
	}
	p->early[p->nr_early++] = (struct early){*e, p->serial};
}

/* Can completion @c, met first, be of issue @e?  In time order in an unsorted dump, or before it by
 * the skew of two clocks. */
static bool early_matches(const struct blk_event *c, const struct blk_event *e)
{
	struct key a = key_of(c), b = key_of(e);
	int64_t ahead_ns = e->time_ns - c->time_ns;

	return key_equal(&a, &b) &&
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
	for (uint32_t i = p->oldest, newer; i != NONE; i = newer) {
		newer = request_at(p, i)->newer;
		if (request_at(p, i)->key.dev != dev)
			continue;
		hold_abandon(p->hold, request_at(p, i)->ticket);
		request_del(p, i);
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
	struct key key = key_of(e);
	uint32_t i = find(p, &key);

	if (i == NONE)
		return;
	hold_abandon(p->hold, request_at(p, i)->ticket);
	request_del(p, i);
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
	for (uint32_t i = p->oldest, newer; i != NONE; i = newer) {
		newer = request_at(p, i)->newer;
		if (request_at(p, i)->cpu == cpu)
			request_give_up(p, i);
	}
}

void blkpair_end(struct blkpair *p)
{
	while (p->oldest != NONE)
		request_give_up(p, p->oldest);
	p->trace->info.unpaired += p->nr_early;
	p->nr_early = 0;
}

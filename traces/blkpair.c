/*
 * traces/blkpair.c - see traces/blkpair.h.
 *
 * At most HOLD_MAX requests are open, and BLK_OPEN_ALIKE with one key: past that the oldest is
 * given up.  Where several alike are open, a completion may belong to any, and one of them may have
 * lost its own: completions are kept with the oldest ones until there are as many as requests, or
 * until the next issue shows that no more come.  Then they belong to the newest.  Otherwise one
 * lost completion would shift all later pairs on that sector.
 *
 * Not modelled: completions of a part that is not the front of its request.
 * I1  the open requests of a device come all from Q or all from D.
 */
#include "traces/blkpair.h"

#include <stdlib.h>

#include "traces/blkearly.h"
#include "traces/blkopen.h"
#include "traces/blksequence.h"

struct blkpair {
	struct trace *trace;
	struct hold *hold;
	struct blk_open *open;
	uint64_t serial;	/* events so far */
	uint64_t open_ended;	/* issues without completion */
	uint64_t without_issue; /* completions without issue */
	struct blk_early early;
	struct blk_sequences sequences;
	GHashTable *issuing; /* set of devices of which a D was seen */
	uint32_t last_dev;   /* the one asked for last that is in the set */
};

struct blkpair *blkpair_new(struct trace *t, struct hold *h)
{
	struct blkpair *p = g_new0(struct blkpair, 1);

	p->trace = t;
	p->hold = h;
	p->open = blk_open_new();
	p->issuing = g_hash_table_new(NULL, NULL);
	t->info.has_pairs = true;
	return p;
}

void blkpair_free(struct blkpair *p)
{
	if (!p)
		return;
	blk_open_free(p->open);
	g_hash_table_unref(p->issuing);
	g_free(p);
}

/* Was a D of device @dev seen? */
static bool is_issuing(struct blkpair *p, uint32_t dev)
{
	if (dev != p->last_dev && g_hash_table_contains(p->issuing, GUINT_TO_POINTER(dev)))
		p->last_dev = dev;
	return dev == p->last_dev && g_hash_table_size(p->issuing);
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

static bool moves_data(enum op_kind kind)
{
	return kind == OP_BIO_READ || kind == OP_BIO_WRITE;
}

/* Request @i is done as assigned. */
static void request_done(struct blkpair *p, uint32_t i)
{
	struct blk_request *r = blk_open_at(p->open, i);
	struct op *op = hold_get(p->hold, r->ticket);
	struct trace_info *info = &p->trace->info;
	bool cross_cpu = r->cpu != r->done_cpu;

	if (!op) { /* the hold had to let it go */
		request_give_up(p, i);
		return;
	}
	op->done_ns = MAX(r->done_ns, r->time_ns);
	op->result = r->error ? -labs(r->error) : moves_data(op->kind) ? op->len : 0;
	if (cross_cpu)
		op->flags |= OP_CROSS_CPU;
	info->paired++;
	info->cross_cpu += cross_cpu;
	hold_finish(p->hold, r->ticket);
	blk_open_del(p->open, i);
}

static bool is_assigned(const struct blkpair *p, uint32_t i)
{
	return blk_open_at(p->open, i)->done_ns != OP_NO_TIME;
}

/* Completions assigned to the oldest of @alike belong to the newest if the oldest ones' own never
 * came: move them there. */
static void reassign(struct blkpair *p, const uint32_t *alike, unsigned int n,
		     unsigned int assigned)
{
	for (unsigned int k = assigned; k-- > 0;) {
		const struct blk_request *from = blk_open_at(p->open, alike[k]);
		struct blk_request *to = blk_open_at(p->open, alike[n - assigned + k]);

		to->done_ns = from->done_ns;
		to->done_cpu = from->done_cpu;
		to->error = from->error;
	}
}

/* No further completion of those with @key comes before their next issue: if fewer came than were
 * issued, the oldest lost theirs. */
static void settle(struct blkpair *p, const struct blk_key *key)
{
	uint32_t alike[BLK_OPEN_ALIKE];
	unsigned int n = blk_open_alike(p->open, key, alike), assigned = 0;

	while (assigned < n && is_assigned(p, alike[assigned]))
		assigned++;
	if (n == BLK_OPEN_ALIKE && !assigned)
		request_give_up(p, alike[0]);
	if (!assigned)
		return;
	reassign(p, alike, n, assigned);
	for (unsigned int k = 0; k < n; k++)
		if (k < n - assigned)
			request_give_up(p, alike[k]);
		else
			request_done(p, alike[k]);
}

static void request_add(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = blk_key_of(e);
	struct op op = op_of(e, &key);

	settle(p, &key);
	if (blk_open_count(p->open) >= HOLD_MAX)
		request_give_up(p, blk_open_oldest(p->open));
	const struct blk_request r = {
		.key = key,
		.ticket = hold_push(p->hold, &op, true),
		.time_ns = e->time_ns,
		.done_ns = OP_NO_TIME,
		.left = e->bytes,
		.cpu = e->cpu,
	};

	blk_open_add(p->open, &r);
	p->trace->info.drives |= TRACE_DRIVES_BLOCK;
}

/* Assign completion @e to one of the requests with @key, oldest first.  They are done when each
 * has its own; commands have no address to tell them apart and are done at once. */
static void assign(struct blkpair *p, const struct blk_key *key, const struct blk_event *e)
{
	uint32_t alike[BLK_OPEN_ALIKE];
	unsigned int n = blk_open_alike(p->open, key, alike), k = 0;

	while (is_assigned(p, alike[k]))
		k++;
	assert(k < n);
	struct blk_request *r = blk_open_at(p->open, alike[k]);

	r->done_ns = e->time_ns;
	r->done_cpu = e->cpu;
	if (e->error)
		r->error = e->error;
	if (key->dir == DIR_PASSTHROUGH)
		request_done(p, alike[k]);
	else if (k + 1 == n)
		for (k = 0; k < n; k++)
			request_done(p, alike[k]);
}

/* Pair completion @e; false when no open request is its own. */
static bool complete(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = blk_key_of(e);
	uint32_t i = blk_open_find(p->open, &key);

	if (i == BLK_OPEN_NONE)
		return false;
	struct blk_request *r = blk_open_at(p->open, i);

	if (!blk_is_addressed(key.dir) || !e->bytes || e->bytes >= r->left) {
		assign(p, &key, e);
		return true;
	}
	if (e->error)
		r->error = e->error;
	blk_open_advance(p->open, i, e->bytes);
	return true;
}

/* A write without bytes ends a flush sequence: its flush is the request where nothing was issued
 * on the device, else the parts were paired on their own and lie inside the sequence. */
static void complete_sequence(struct blkpair *p, const struct blk_event *e)
{
	struct blk_event flush = *e;

	if (is_issuing(p, e->dev)) {
		blk_sequence_end(&p->sequences, p->hold, e);
		return;
	}
	blk_sequence_drop(&p->sequences, p->hold, e->dev);
	flush.rwbs.op = BLK_FLUSH;
	complete(p, &flush);
}

static void lone_completions(struct blkpair *p, unsigned int n)
{
	p->without_issue += n;
	p->trace->info.unpaired += n;
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
	struct blk_event c;

	if (!is_issuing(p, e->dev)) {
		drop_queued(p, e->dev);
		g_hash_table_add(p->issuing, GUINT_TO_POINTER(e->dev));
	}
	request_add(p, e);
	if (p->early.count && blk_early_take(&p->early, e, &c)) {
		p->trace->info.skewed += c.time_ns < e->time_ns;
		complete(p, &c);
	}
}

static void requeue(struct blkpair *p, const struct blk_event *e)
{
	struct blk_key key = blk_key_of(e);
	uint32_t alike[BLK_OPEN_ALIKE];
	unsigned int n = blk_open_alike(p->open, &key, alike);

	if (!n)
		return;
	hold_abandon(p->hold, blk_open_at(p->open, alike[n - 1])->ticket);
	blk_open_del(p->open, alike[n - 1]);
}

void blkpair_event(struct blkpair *p, const struct blk_event *e)
{
	p->serial++;
	if (p->early.count)
		lone_completions(p, blk_early_expire(&p->early, e->time_ns, p->serial));
	switch (e->action) {
	case 'Q':
		if (blk_sequence_begins(e))
			blk_sequence_add(&p->sequences, p->hold, e);
		if (!is_issuing(p, e->dev))
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
		if (e->rwbs.op == BLK_WRITE && !e->bytes && !e->passthrough)
			complete_sequence(p, e);
		else
			lone_completions(p, !blk_early_add(&p->early, e, p->serial));
		break;
	default:
		break;
	}
}

void blkpair_lost(struct blkpair *p, unsigned int cpu)
{
	blk_sequence_drop(&p->sequences, p->hold, 0); /* which one it was is not known */
	for (uint32_t i = blk_open_oldest(p->open), newer; i != BLK_OPEN_NONE; i = newer) {
		newer = blk_open_at(p->open, i)->newer;
		if (blk_open_at(p->open, i)->cpu != cpu)
			continue;
		if (is_assigned(p, i))
			request_done(p, i);
		else
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
	uint32_t i;

	blk_sequence_drop(&p->sequences, p->hold, 0);
	while ((i = blk_open_oldest(p->open)) != BLK_OPEN_NONE) {
		const struct blk_key key = blk_open_at(p->open, i)->key;

		settle(p, &key);
		if (blk_open_oldest(p->open) == i)
			request_give_up(p, i);
	}
	lone_completions(p, p->early.count);
	p->early.count = 0;
	warn_unpaired(p, p->open_ended, "issue", "completion");
	warn_unpaired(p, p->without_issue, "completion", "issue");
}

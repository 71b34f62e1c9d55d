/*
 * traces/blksequence.c - see traces/blksequence.h.
 *
 * A write with data is known by its sector.  One without prints none where it is queued, and any
 * where it is completed: those are taken in their order, which is that of the flushes.
 */
#include "traces/blksequence.h"

#include <stdlib.h>
#include <string.h>

#include "traces/blkopen.h"

bool blk_sequence_begins(const struct blk_event *e)
{
	return e->rwbs.op == BLK_WRITE && (e->rwbs.flags & OP_PREFLUSH) && !e->passthrough;
}

static void del(struct blk_sequences *s, unsigned int i)
{
	unsigned int behind = --s->count - i;

	memmove(&s->open[i], &s->open[i + 1], behind * sizeof(s->open[0]));
}

void blk_sequence_add(struct blk_sequences *s, struct hold *h, const struct blk_event *e)
{
	struct blk_key key = blk_key_of(e);
	struct op op = {
		.time_ns = e->time_ns,
		.done_ns = OP_NO_TIME,
		.pos = (int64_t)(key.sector << SECTOR_SHIFT), /* 0 where it has no bytes */
		.len = e->bytes,
		.dev = e->dev,
		.task = e->task,
		.flags = e->rwbs.flags,
		.cpu = e->cpu,
		.kind = OBS_FLUSH_SEQUENCE,
	};

	if (s->count == BLK_SEQUENCES_MAX) {
		hold_abandon(h, s->open[0].ticket);
		del(s, 0);
	}
	s->open[s->count++] = (struct blk_sequence){
		.ticket = hold_push(h, &op, true),
		.sector = key.sector,
		.dev = e->dev,
		.bytes = e->bytes,
	};
}

/* The sequence that @e ends, or s->count. */
static unsigned int find(const struct blk_sequences *s, const struct blk_event *e)
{
	unsigned int bare = s->count;

	for (unsigned int i = s->count; i-- > 0;) {
		const struct blk_sequence *one = &s->open[i];

		if (one->dev != e->dev)
			continue;
		if (one->bytes && one->sector == e->sector)
			return i;
		if (!one->bytes)
			bare = i;
	}
	return bare;
}

void blk_sequence_end(struct blk_sequences *s, struct hold *h, const struct blk_event *e)
{
	unsigned int i = find(s, e);

	if (i == s->count)
		return;
	struct op *op = hold_get(h, s->open[i].ticket);

	if (op) { /* else the hold had to let it go */
		op->done_ns = MAX(e->time_ns, op->time_ns);
		op->result = e->error ? -labs(e->error) : op->len;
		if (op->cpu != e->cpu)
			op->flags |= OP_CROSS_CPU;
		hold_finish(h, s->open[i].ticket);
	}
	del(s, i);
}

void blk_sequence_drop(struct blk_sequences *s, struct hold *h, uint32_t dev)
{
	for (unsigned int i = s->count; i-- > 0;)
		if (!dev || s->open[i].dev == dev) {
			hold_abandon(h, s->open[i].ticket);
			del(s, i);
		}
}

/*
 * traces/blkearly.c - see traces/blkearly.h.
 */
#include "traces/blkearly.h"

#include <string.h>

#include "traces/blkopen.h"

static void del(struct blk_early *early, unsigned int i)
{
	unsigned int behind = --early->count - i;

	memmove(&early->events[i], &early->events[i + 1], behind * sizeof(early->events[0]));
	memmove(&early->serials[i], &early->serials[i + 1], behind * sizeof(early->serials[0]));
}

bool blk_early_add(struct blk_early *early, const struct blk_event *e, uint64_t serial)
{
	bool room = early->count < EARLY_MAX;

	if (!room)
		del(early, 0);
	early->events[early->count] = *e;
	early->serials[early->count++] = serial;
	return room;
}

unsigned int blk_early_expire(struct blk_early *early, int64_t now_ns, uint64_t serial)
{
	unsigned int before = early->count;

	for (unsigned int i = before; i-- > 0;)
		if (serial - early->serials[i] > EARLY_EVENTS &&
		    now_ns - early->events[i].time_ns > BLKPAIR_SKEW_NS)
			del(early, i);
	return before - early->count;
}

/* Can @c be of issue @e, which came behind it?  It can when it is later all the same (an unsorted
 * dump), or earlier by no more than two clocks differ. */
static bool can_be_of(const struct blk_event *c, const struct blk_event *e)
{
	struct blk_key a = blk_key_of(c), b = blk_key_of(e);
	int64_t ahead_ns = e->time_ns - c->time_ns;

	return blk_key_equal(&a, &b) &&
	       (ahead_ns <= 0 || (ahead_ns < BLKPAIR_SKEW_NS && c->cpu != e->cpu));
}

bool blk_early_take(struct blk_early *early, const struct blk_event *e, struct blk_event *c)
{
	for (unsigned int i = 0; i < early->count; i++) {
		if (!can_be_of(&early->events[i], e))
			continue;
		*c = early->events[i];
		del(early, i);
		return true;
	}
	return false;
}

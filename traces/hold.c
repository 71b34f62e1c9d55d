/*
 * traces/hold.c - see traces/hold.h.
 *
 * Ops live in slots that never move; a ring of slot numbers is kept sorted by (time, arrival).
 * Captures are nearly sorted, so an insertion from the tail costs one comparison; a full reversal
 * costs one memmove of the ring's slot numbers (4 bytes each, at most HOLD_MAX) a push.
 * A ticket is (serial << SLOT_BITS | slot): the serial tells a live ticket from a reused slot.
 * I1  the ring is sorted by time, equal times by arrival; so are its first nr_old for themselves.
 * I2  a slot is in the ring or on the free stack, never in both.
 */
#include "traces/hold.h"

#include <string.h>

#define SLOT_BITS 20u
#define SLOTS_MIN 128u

enum slot_state { SLOT_FREE, SLOT_READY, SLOT_PENDING, SLOT_DEAD };

struct slot {
	struct op op;
	uint64_t ticket;
	enum slot_state state;
};

struct hold {
	struct slot *slots;
	uint32_t *free_slots; /* stack of slot numbers */
	uint32_t *order;      /* ring of slot numbers, nr_slots long */
	uint32_t nr_slots;    /* a power of two */
	uint32_t nr_free;
	uint32_t head, count; /* of the ring */
	uint32_t nr_old;      /* at its front, from before the clock restarted */
	uint64_t serial;
};

static void free_upper_slots(struct hold *h, uint32_t from)
{
	for (uint32_t i = h->nr_slots; i > from; i--)
		h->free_slots[h->nr_free++] = i - 1;
}

struct hold *hold_new(void)
{
	struct hold *h = g_new0(struct hold, 1);

	h->nr_slots = SLOTS_MIN;
	h->slots = g_new0(struct slot, h->nr_slots);
	h->free_slots = g_new(uint32_t, h->nr_slots);
	h->order = g_new(uint32_t, h->nr_slots);
	free_upper_slots(h, 0);
	return h;
}

void hold_free(struct hold *h)
{
	if (!h)
		return;
	g_free(h->slots);
	g_free(h->free_slots);
	g_free(h->order);
	g_free(h);
}

/* Entry @i of the ring, counted from its oldest. */
static uint32_t *ring_at(struct hold *h, uint32_t i)
{
	return &h->order[(h->head + i) & (h->nr_slots - 1)];
}

static void grow(struct hold *h)
{
	uint32_t *order = g_new(uint32_t, h->nr_slots * 2);
	uint32_t old = h->nr_slots;

	for (uint32_t i = 0; i < h->count; i++)
		order[i] = *ring_at(h, i);
	g_free(h->order);
	h->order = order;
	h->head = 0;
	h->nr_slots = old * 2;
	assert(h->nr_slots <= 1u << SLOT_BITS);
	h->slots = g_renew(struct slot, h->slots, h->nr_slots);
	memset(h->slots + old, 0, sizeof(*h->slots) * old);
	h->free_slots = g_renew(uint32_t, h->free_slots, h->nr_slots);
	free_upper_slots(h, old);
}

/* Does the clock begin anew with @time_ns, far before all of a full window? */
static bool is_restart(struct hold *h, int64_t time_ns)
{
	if (h->count - h->nr_old < HOLD_SORT)
		return false;
	int64_t first_ns = h->slots[*ring_at(h, h->nr_old)].op.time_ns;

	return time_ns < first_ns && (uint64_t)first_ns - (uint64_t)time_ns > HOLD_RESTART_NS;
}

/* Put slot @nr into the ring behind all that are not later. */
static void ring_insert(struct hold *h, uint32_t nr)
{
	int64_t time_ns = h->slots[nr].op.time_ns;

	if (is_restart(h, time_ns))
		h->nr_old = h->count;
	uint32_t i = h->count++;

	for (; i > h->nr_old && h->slots[*ring_at(h, i - 1)].op.time_ns > time_ns; i--)
		*ring_at(h, i) = *ring_at(h, i - 1);
	*ring_at(h, i) = nr;
}

uint64_t hold_push(struct hold *h, const struct op *op, bool pending)
{
	if (!h->nr_free)
		grow(h);
	uint32_t nr = h->free_slots[--h->nr_free];
	struct slot *s = &h->slots[nr];

	assert(s->state == SLOT_FREE);
	s->op = *op;
	s->state = pending ? SLOT_PENDING : SLOT_READY;
	s->ticket = ++h->serial << SLOT_BITS | nr;
	ring_insert(h, nr);
	return s->ticket;
}

/* The slot of an op that has not left yet. */
static struct slot *find_held(struct hold *h, uint64_t ticket)
{
	uint64_t nr = ticket & ((1u << SLOT_BITS) - 1);
	struct slot *s = nr < h->nr_slots ? &h->slots[nr] : NULL;
	bool held =
		s && s->ticket == ticket && (s->state == SLOT_PENDING || s->state == SLOT_READY);

	return held ? s : NULL;
}

struct op *hold_get(struct hold *h, uint64_t ticket)
{
	struct slot *s = find_held(h, ticket);

	return s ? &s->op : NULL;
}

static void set_state(struct hold *h, uint64_t ticket, enum slot_state state)
{
	struct slot *s = find_held(h, ticket);

	if (s && s->state == SLOT_PENDING)
		s->state = state;
}

void hold_finish(struct hold *h, uint64_t ticket)
{
	set_state(h, ticket, SLOT_READY);
}

void hold_abandon(struct hold *h, uint64_t ticket)
{
	set_state(h, ticket, SLOT_DEAD);
}

/* Take the oldest slot out of the ring. */
static struct slot *ring_shift(struct hold *h)
{
	uint32_t nr = *ring_at(h, 0);

	h->head = (h->head + 1) & (h->nr_slots - 1);
	h->count--;
	h->nr_old -= h->nr_old > 0;
	h->free_slots[h->nr_free++] = nr;
	return &h->slots[nr];
}

/* May the oldest op leave?  Waiting ones only when there is no more room to wait. */
static bool may_leave(struct hold *h, bool end)
{
	if (end || h->count > HOLD_MAX)
		return true;
	return (h->nr_old || h->count > HOLD_SORT) &&
	       h->slots[*ring_at(h, 0)].state != SLOT_PENDING;
}

bool hold_pop(struct hold *h, bool end, struct op *op)
{
	while (h->count && may_leave(h, end)) {
		struct slot *s = ring_shift(h);
		enum slot_state state = s->state;

		s->state = SLOT_FREE;
		if (state == SLOT_DEAD)
			continue;
		*op = s->op;
		return true;
	}
	return false;
}

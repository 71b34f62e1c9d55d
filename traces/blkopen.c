/*
 * traces/blkopen.c - see traces/blkopen.h.
 *
 * Requests live in one array and link to each other by index, so that it may move as it grows; it
 * grows only to the most that were ever open at once.  The hash has a fixed number of buckets: a
 * queue is at most some thousand requests deep, and blkpair bounds the rest.
 *
 * I1  a request in the hash is in the list, and the other way round.
 * I2  a bucket holds alike requests in order of arrival.
 */
#include "traces/blkopen.h"

#define BUCKET_BITS 10u
#define NR_BUCKETS (1u << BUCKET_BITS)
#define NONE BLK_OPEN_NONE

struct blk_open {
	GArray *requests; /* struct blk_request, links by index */
	uint32_t free, oldest, newest, count;
	uint32_t buckets[NR_BUCKETS];
};

struct blk_open *blk_open_new(void)
{
	struct blk_open *o = g_new0(struct blk_open, 1);

	o->requests = g_array_new(FALSE, FALSE, sizeof(struct blk_request));
	o->free = o->oldest = o->newest = NONE;
	for (unsigned int i = 0; i < NR_BUCKETS; i++)
		o->buckets[i] = NONE;
	return o;
}

void blk_open_free(struct blk_open *o)
{
	if (!o)
		return;
	g_array_unref(o->requests);
	g_free(o);
}

uint32_t blk_open_count(const struct blk_open *o)
{
	return o->count;
}

uint32_t blk_open_oldest(const struct blk_open *o)
{
	return o->oldest;
}

struct blk_request *blk_open_at(const struct blk_open *o, uint32_t i)
{
	return &g_array_index(o->requests, struct blk_request, i);
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

bool blk_is_addressed(enum blk_direction dir)
{
	return dir != DIR_FLUSH && dir != DIR_PASSTHROUGH;
}

struct blk_key blk_key_of(const struct blk_event *e)
{
	enum blk_direction dir = direction_of(e);

	return (struct blk_key){blk_is_addressed(dir) ? e->sector : 0, e->dev, dir};
}

bool blk_key_equal(const struct blk_key *a, const struct blk_key *b)
{
	return a->sector == b->sector && a->dev == b->dev && a->dir == b->dir;
}

static unsigned int bucket_of(const struct blk_key *key)
{
	uint64_t mix = (key->sector ^ (uint64_t)key->dev << 32 ^ (uint64_t)key->dir << 60) *
		       UINT64_C(0x9e3779b97f4a7c15);

	return (unsigned int)(mix >> (64 - BUCKET_BITS));
}

uint32_t blk_open_find(const struct blk_open *o, const struct blk_key *key)
{
	uint32_t i = o->buckets[bucket_of(key)];

	while (i != NONE && !blk_key_equal(&blk_open_at(o, i)->key, key))
		i = blk_open_at(o, i)->next;
	return i;
}

/* The link in @i's bucket that is @end: @i itself, or NONE behind the last. */
static uint32_t *bucket_link(struct blk_open *o, uint32_t i, uint32_t end)
{
	uint32_t *link = &o->buckets[bucket_of(&blk_open_at(o, i)->key)];

	while (*link != end)
		link = &blk_open_at(o, *link)->next;
	return link;
}

static void bucket_add(struct blk_open *o, uint32_t i)
{
	*bucket_link(o, i, NONE) = i;
	blk_open_at(o, i)->next = NONE;
}

static void bucket_del(struct blk_open *o, uint32_t i)
{
	*bucket_link(o, i, i) = blk_open_at(o, i)->next;
}

static uint32_t request_alloc(struct blk_open *o)
{
	uint32_t i = o->free;

	if (i != NONE) {
		o->free = blk_open_at(o, i)->next;
		return i;
	}
	g_array_set_size(o->requests, o->requests->len + 1);
	return o->requests->len - 1;
}

unsigned int blk_open_alike(const struct blk_open *o, const struct blk_key *key,
			    uint32_t alike[BLK_OPEN_ALIKE])
{
	unsigned int n = 0;

	for (uint32_t i = o->buckets[bucket_of(key)]; i != NONE && n < BLK_OPEN_ALIKE;
	     i = blk_open_at(o, i)->next)
		if (blk_key_equal(&blk_open_at(o, i)->key, key))
			alike[n++] = i;
	return n;
}

void blk_open_add(struct blk_open *o, const struct blk_request *r)
{
	uint32_t i = request_alloc(o);
	struct blk_request *slot = blk_open_at(o, i);

	*slot = *r;
	slot->older = o->newest;
	slot->newer = slot->next = NONE;
	*(o->newest == NONE ? &o->oldest : &blk_open_at(o, o->newest)->newer) = i;
	o->newest = i;
	o->count++;
	bucket_add(o, i);
}

void blk_open_del(struct blk_open *o, uint32_t i)
{
	struct blk_request *r = blk_open_at(o, i);

	bucket_del(o, i);
	*(r->older == NONE ? &o->oldest : &blk_open_at(o, r->older)->newer) = r->newer;
	*(r->newer == NONE ? &o->newest : &blk_open_at(o, r->newer)->older) = r->older;
	r->next = o->free;
	o->free = i;
	o->count--;
}

void blk_open_advance(struct blk_open *o, uint32_t i, uint32_t bytes)
{
	struct blk_request *r = blk_open_at(o, i);

	assert(bytes < r->left);
	bucket_del(o, i);
	r->key.sector += bytes >> SECTOR_SHIFT;
	r->left -= bytes;
	bucket_add(o, i);
}

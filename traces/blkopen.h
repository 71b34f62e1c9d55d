/*
 * traces/blkopen.h - the open requests of blkpair: a hash by (device, sector, direction) and a list
 * by arrival.
 *
 * Requests are named by index; pointers to them are valid until the next blk_open_add().
 */
#ifndef TRACES_BLKOPEN_H
#define TRACES_BLKOPEN_H

#include <glib.h>

#include "traces/blkaction.h"

#define BLK_OPEN_NONE UINT32_MAX
#define BLK_OPEN_ALIKE                                                                             \
	256u /* more requests than this with one key are for the caller to prevent                 \
	      */

/* What a completion must share with its issue, besides device and sector. */
enum blk_direction {
	DIR_READ,
	DIR_WRITE,
	DIR_DISCARD,
	DIR_OTHER, /* write zeroes, zone management */
	DIR_FLUSH, /* no address from here on */
	DIR_PASSTHROUGH
};

struct blk_key {
	uint64_t sector; /* 0 where the direction has no address */
	uint32_t dev;
	enum blk_direction dir;
};

struct blk_request {
	struct blk_key key; /* moves on as the front is completed */
	uint64_t ticket;    /* of its op in the hold */
	int64_t time_ns;
	int64_t done_ns; /* of the completion assigned to it; OP_NO_TIME = none yet */
	uint32_t left;	 /* bytes not completed */
	int32_t error;
	uint16_t cpu, done_cpu;
	uint32_t next;	       /* in the bucket; of free ones */
	uint32_t older, newer; /* in the list */
};

struct blk_open;

struct blk_open *blk_open_new(void);	/* returns new */
void blk_open_free(struct blk_open *o); /* NULL is fine */

uint32_t blk_open_count(const struct blk_open *o);
uint32_t blk_open_oldest(const struct blk_open *o); /* BLK_OPEN_NONE: nothing is open */
struct blk_request *blk_open_at(const struct blk_open *o, uint32_t i);

/* The oldest request with @key, or BLK_OPEN_NONE. */
uint32_t blk_open_find(const struct blk_open *o, const struct blk_key *key);

/* All requests with @key, oldest first, at most BLK_OPEN_ALIKE; returns their number. */
unsigned int blk_open_alike(const struct blk_open *o, const struct blk_key *key,
			    uint32_t alike[BLK_OPEN_ALIKE]);

/* Add a copy of @r, whose links are of no matter. */
void blk_open_add(struct blk_open *o, const struct blk_request *r);
void blk_open_del(struct blk_open *o, uint32_t i);

/* The first @bytes of request @i are done, more are to come. */
void blk_open_advance(struct blk_open *o, uint32_t i, uint32_t bytes);

/* Key of the request that event @e belongs to. */
struct blk_key blk_key_of(const struct blk_event *e);
bool blk_is_addressed(enum blk_direction dir);
bool blk_key_equal(const struct blk_key *a, const struct blk_key *b);

#endif

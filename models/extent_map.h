/*
 * models/extent_map.h - file page -> block on the device, as extents.  Level 1.
 */
#ifndef MODELS_EXTENT_MAP_H
#define MODELS_EXTENT_MAP_H

#include "sim/types.h"

typedef uint64_t block_t; /* 4 KiB block number on the device; 0 = hole (NULL_ADDR) */

struct extent {
	pgoff_t index; /* first file page */
	uint64_t len;  /* pages */
	block_t block; /* of the first page */
};

struct extent_map;

struct extent_map *extent_map_new(void); /* returns new */
void extent_map_free(struct extent_map *em);

/* Map [index, index + len) to @block on, replacing what was there; merges with neighbours that
 * continue it. */
void extent_map_set(struct extent_map *em, pgoff_t index, uint64_t len, block_t block);

/* Forget [index, UINT64_MAX]. */
void extent_map_truncate(struct extent_map *em, pgoff_t index);

/*
 * The extent that holds @index, cut to start at it; or when it is a hole, block 0 and len up to the
 * next extent (UINT64_MAX - index when there is none).
 */
struct extent extent_map_lookup(struct extent_map *em, pgoff_t index);

#endif

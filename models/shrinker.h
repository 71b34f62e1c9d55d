/*
 * models/shrinker.h - caches that give memory back when reclaim asks (mm/shrinker.c).  Level 1.
 */
#ifndef MODELS_SHRINKER_H
#define MODELS_SHRINKER_H

#include "sim/sim.h"

#define DEFAULT_SEEKS 2u
#define SHRINK_BATCH 128u
#define SHRINK_STOP (~(uint64_t)0)	/* of scan: no more now */
#define SHRINK_EMPTY (~(uint64_t)0 - 1) /* of count: nothing there at all */

/* What one call is asked and answers. */
struct shrink_control {
	uint64_t nr_to_scan; /* objects to look at */
	uint64_t nr_scanned; /* objects looked at; preset to nr_to_scan */
	uint64_t nr_pages;   /* whole pages the call gave back; starts at 0 */
	int64_t cost_ns;     /* CPU time it used; starts at 0 */
};

/* A cache that can shrink; embedded in its owner, who fills all but the last two. */
struct shrinker {
	const char *name;
	/* Objects that could be freed; 0 or SHRINK_EMPTY = none.  Must be cheap. */
	uint64_t (*count_objects)(struct shrinker *shrinker);
	/* Look at sc->nr_to_scan objects and free what can go; returns objects freed or
	 * SHRINK_STOP. */
	uint64_t (*scan_objects)(struct shrinker *shrinker, struct shrink_control *sc);
	unsigned int seeks; /* cost to make an object again; 0 = cheap: half the cache at once */
	uint64_t batch;	    /* objects a call; 0 = SHRINK_BATCH */
	uint64_t nr_deferred;
	struct shrinker *next;
};

struct shrinkers;
extern const struct model_ops shrinker_model;
struct shrinkers *shrinkers_of(const struct sim *sim);

/* @shrinker is called from now on, after those registered before; it outlives the run. */
void register_shrinker(struct shrinkers *all, struct shrinker *shrinker);

/*
 * shrink_slab(): ask every shrinker, once a pass of reclaim over the node at @priority (12 .. 0).
 * Adds CPU time to *@cost_ns; returns pages freed.
 */
uint64_t shrink_slab(struct shrinkers *all, int priority, int64_t *cost_ns);

#endif

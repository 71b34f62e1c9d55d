/*
 * models/shrinker.c - caches that give memory back when reclaim asks.  Level 1.
 *
 * Stands for shrink_slab() and do_shrink_slab() of mm/vmscan.c v6.1 (mm/shrinker.c since 6.7), one
 * node, no memory cgroups (KERNEL 5.9).  A pass of reclaim at priority p asks of each cache
 * 4 / seeks of size >> p; what is less than a batch is deferred and adds up over passes, scaled by
 * the priority when it is drawn on.
 *
 * Not modelled: caches of others (dentries, inodes), kmem accounting, removal in the run.
 * I1  nr_deferred <= 2 * the size of the cache when last asked.
 */
#include "models/shrinker.h"

struct shrinkers {
	struct model model;
	struct {
		uint64_t slabs_scanned, slabs_freed, pages_freed;
	} stat;
	struct shrinker *first, *last;
};

/* clang-format off */
static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, shrinkers, slabs_scanned), STAT(STAT_COUNT, shrinkers, slabs_freed),
	STAT(STAT_COUNT, shrinkers, pages_freed),
	{ 0 },
};
/* clang-format on */

struct shrinkers *shrinkers_of(const struct sim *sim)
{
	return (struct shrinkers *)model_get(sim, &shrinker_model);
}

void register_shrinker(struct shrinkers *all, struct shrinker *shrinker)
{
	assert(shrinker->count_objects && shrinker->scan_objects);
	shrinker->nr_deferred = 0;
	shrinker->next = NULL;
	if (all->last)
		all->last->next = shrinker;
	else
		all->first = shrinker;
	all->last = shrinker;
}

/* Objects that a pass at @priority asks of a cache of @freeable. */
static uint64_t pass_share(const struct shrinker *shrinker, uint64_t freeable, int priority)
{
	return shrinker->seeks ? (freeable >> priority) * 4 / shrinker->seeks : freeable / 2;
}

/* Scan up to @total objects, a batch a call.  Returns objects scanned. */
static uint64_t scan_batches(struct shrinkers *all, struct shrinker *shrinker, uint64_t freeable,
			     uint64_t total, struct shrink_control *sum)
{
	uint64_t batch = shrinker->batch ? shrinker->batch : SHRINK_BATCH, scanned = 0;

	while (total && (total >= batch || total >= freeable)) {
		uint64_t nr = MIN(batch, total), freed;
		struct shrink_control sc = {.nr_to_scan = nr, .nr_scanned = nr};

		freed = shrinker->scan_objects(shrinker, &sc);
		sum->cost_ns += sc.cost_ns;
		sum->nr_pages += sc.nr_pages;
		if (freed == SHRINK_STOP)
			break;
		assert(sc.nr_scanned > 0);
		all->stat.slabs_freed += freed;
		scanned += sc.nr_scanned;
		total -= MIN(total, sc.nr_scanned);
	}
	return scanned;
}

static void do_shrink_slab(struct shrinkers *all, struct shrinker *shrinker, int priority,
			   struct shrink_control *sum)
{
	uint64_t freeable = shrinker->count_objects(shrinker);
	uint64_t nr, delta, scanned;

	if (freeable == 0 || freeable == SHRINK_EMPTY)
		return;
	nr = shrinker->nr_deferred;
	delta = pass_share(shrinker, freeable, priority);
	scanned = scan_batches(all, shrinker, freeable, MIN((nr >> priority) + delta, 2 * freeable),
			       sum);
	all->stat.slabs_scanned += scanned;
	shrinker->nr_deferred = nr + delta > scanned ? MIN(nr + delta - scanned, 2 * freeable) : 0;
}

uint64_t shrink_slab(struct shrinkers *all, int priority, int64_t *cost_ns)
{
	struct shrink_control sum = {0};

	assert(priority >= 0);
	for (struct shrinker *s = all->first; s; s = s->next)
		do_shrink_slab(all, s, priority, &sum);
	*cost_ns += sum.cost_ns;
	all->stat.pages_freed += sum.nr_pages;
	return sum.nr_pages;
}

const struct model_ops shrinker_model = {
	.name = "shrinker",
	.source = "mm/vmscan.c v6.1, mm/shrinker.c",
	.size = sizeof(struct shrinkers),
	.stats = stats,
};

/*
 * tests/test_shrinker.c - the proportion rule of the shrinkers, and who calls them.
 */
#include <criterion/criterion.h>

#include "models/shrinker.h"
#include "tests/machine.h"

/* A cache of @size objects, a page each, that frees what it looks at. */
struct fake {
	struct shrinker shrinker;
	uint64_t size, calls, asked, most;
	bool stop; /* answer SHRINK_STOP */
};

static uint64_t fake_count(struct shrinker *shrinker)
{
	return container_of(shrinker, struct fake, shrinker)->size;
}

static uint64_t fake_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct fake *fake = container_of(shrinker, struct fake, shrinker);
	uint64_t freed = MIN(fake->size, sc->nr_to_scan);

	fake->calls++;
	fake->asked += sc->nr_to_scan;
	fake->most = MAX(fake->most, sc->nr_to_scan);
	if (fake->stop)
		return SHRINK_STOP;
	fake->size -= freed;
	sc->nr_pages = freed;
	sc->cost_ns = 10 * (int64_t)sc->nr_to_scan;
	return freed;
}

static struct fake fake_of(uint64_t size, unsigned int seeks, uint64_t batch)
{
	return (struct fake){
		.size = size,
		.shrinker = {.name = "fake",
			     .count_objects = fake_count,
			     .scan_objects = fake_scan,
			     .seeks = seeks,
			     .batch = batch},
	};
}

static struct sim *machine(const char *lru, struct fake *fake)
{
	g_autofree char *ini = g_strdup_printf("[device]\nmodel = fixed\nread_time = 10us\n"
					       "parallel = 8\n[host]\nnr_cpus = 4\nmemory = 32MiB\n"
					       "[vmscan]\nlru = %s\n",
					       lru);
	struct sim *sim = machine_new(ini);

	register_shrinker(shrinkers_of(sim), &fake->shrinker);
	return sim;
}

static uint64_t slab(const struct sim *sim, const char *counter)
{
	return machine_stat(sim, "shrinker", counter);
}

/* 16,384 objects, seeks 2: a pass at priority 12 asks for (16384 >> 12) * 4 / 2 = 8, less than a
 * batch, so it is deferred; at 11 for 16; at 8 for 128 + ((8 + 16) >> 8 = 0): one batch. */
Test(shrinker, share_of_a_pass)
{
	struct fake fake = fake_of(16384, DEFAULT_SEEKS, 0);
	struct sim *sim = machine("classic", &fake);
	struct shrinkers *all = shrinkers_of(sim);
	int64_t cost_ns = 5;

	cr_assert_eq(shrink_slab(all, 12, &cost_ns), 0);
	cr_assert_eq(fake.shrinker.nr_deferred, 8);
	cr_assert_eq(shrink_slab(all, 11, &cost_ns), 0);
	cr_assert_eq(fake.shrinker.nr_deferred, 24);
	cr_assert_eq(fake.calls, 0);
	cr_assert_eq(cost_ns, 5);
	cr_assert_eq(shrink_slab(all, 8, &cost_ns), 128);
	cr_assert_eq(fake.calls, 1);
	cr_assert_eq(cost_ns, 5 + 1280);
	cr_assert_eq(fake.shrinker.nr_deferred, 24);
	cr_assert_eq(slab(sim, "slabs_scanned"), 128);
	cr_assert_eq(slab(sim, "pages_freed"), 128);
	machine_free(sim);
}

/* At priority 5: 16384 >> 5 = 512, times 2 = 1024 = 8 batches.  At 0 twice the size is asked for,
 * the cache is empty after 15,360 / 128 = 120 of the batches, the rest finds nothing: 240 calls. */
Test(shrinker, batches_down_to_nothing)
{
	struct fake fake = fake_of(16384, DEFAULT_SEEKS, 0);
	struct sim *sim = machine("classic", &fake);
	int64_t cost_ns = 0;

	cr_assert_eq(shrink_slab(shrinkers_of(sim), 5, &cost_ns), 1024);
	cr_assert_eq(fake.calls, 8);
	cr_assert_eq(fake.most, 128);
	cr_assert_eq(shrink_slab(shrinkers_of(sim), 0, &cost_ns), 15360);
	cr_assert_eq(fake.calls, 8 + 240);
	cr_assert_eq(fake.size, 0);
	cr_assert_eq(shrink_slab(shrinkers_of(sim), 0, &cost_ns), 0);
	cr_assert_eq(fake.calls, 8 + 240);
	machine_free(sim);
}

/* A cache that cannot go on keeps all of it for the next pass: 1024 deferred; then (1024 >> 5) +
 * 1024 = 1056 are due, 8 batches, 1024 + 1024 - 1024 stay; the rest of 32 is no batch. */
Test(shrinker, what_a_stop_left_is_asked_again)
{
	struct fake fake = fake_of(16384, DEFAULT_SEEKS, 0);
	struct sim *sim = machine("classic", &fake);
	int64_t cost_ns = 0;

	fake.stop = true;
	cr_assert_eq(shrink_slab(shrinkers_of(sim), 5, &cost_ns), 0);
	cr_assert_eq(fake.calls, 1);
	cr_assert_eq(slab(sim, "slabs_scanned"), 0);
	cr_assert_eq(fake.shrinker.nr_deferred, 1024);
	fake.stop = false;
	cr_assert_eq(shrink_slab(shrinkers_of(sim), 5, &cost_ns), 1024);
	cr_assert_eq(fake.shrinker.nr_deferred, 1024);
	machine_free(sim);
}

/*
 * The dentries of captures/pressure_ftrace/kswapd, first run of kswapd: mm_shrink_slab_start and
 * _end of super_cache_scan with 135 items (seeks 0, batch 1024; "objects to shrink", "total_scan",
 * "new scan count").  135 deferred at most twice over: 270.
 */
Test(shrinker, as_the_kernel_counted)
{
	static const uint64_t after[] = {67, 134, 201, 268, 270}; /* priority 12 .. 8 */
	struct fake fake = fake_of(135, 0, 1024);
	struct sim *sim = machine("classic", &fake);
	int64_t cost_ns = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(after); i++) {
		shrink_slab(shrinkers_of(sim), 12 - (int)i, &cost_ns);
		cr_assert_eq(fake.shrinker.nr_deferred, after[i], "pass %u", i);
	}
	cr_assert_eq(fake.calls, 0);
	machine_free(sim);
}

/* kswapd asks, with either policy, and only under pressure. */
Test(shrinker, kswapd_asks)
{
	static const char *const lru[] = {"classic", "mglru"};

	for (unsigned int i = 0; i < 2; i++) {
		struct fake fake = fake_of(1 << 20, DEFAULT_SEEKS, 0);
		struct sim *sim = machine(lru[i], &fake);
		struct op ops[2] = {machine_read(5, 0, 16 << 20, 0),
				    machine_read(5, 16 << 20, 48 << 20, 0)};

		f2fs_set_initial_size(machine_inode(sim, 5), 64 << 20);
		machine_ops(sim, ops, 1);
		cr_assert_eq(fake.calls, 0, "%s", lru[i]);
		machine_ops(sim, ops + 1, 1);
		cr_assert_gt(fake.calls, 0, "%s", lru[i]);
		cr_assert_eq(slab(sim, "slabs_scanned"), fake.asked);
		cr_assert_gt(machine_stat(sim, "vmscan", "kswapd_wakes"), 0);
		machine_free(sim);
	}
}

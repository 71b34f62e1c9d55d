/*
 * tests/test_extent_map.c - models/extent_map.c against a plain array.
 */
#include <criterion/criterion.h>

#include <glib.h>

#include "models/extent_map.h"
#include "sim/rng.h"

#define PAGES 300u

Test(extent_map, merges_what_continues)
{
	struct extent_map *em = extent_map_new();

	extent_map_set(em, 0, 4, 100);
	extent_map_set(em, 4, 4, 104); /* continues in file and on device */
	cr_assert_eq(extent_map_lookup(em, 0).len, 8);
	extent_map_set(em, 8, 4, 200); /* continues in the file only */
	cr_assert_eq(extent_map_lookup(em, 0).len, 8);

	struct extent e = extent_map_lookup(em, 6);

	cr_assert_eq(e.index, 6);
	cr_assert_eq(e.len, 2);
	cr_assert_eq(e.block, 106);
	e = extent_map_lookup(em, 12);
	cr_assert_eq(e.block, 0);
	cr_assert_eq(e.len, UINT64_MAX - 12);
	extent_map_free(em);
}

Test(extent_map, an_overwrite_splits)
{
	struct extent_map *em = extent_map_new();

	extent_map_set(em, 0, 10, 100);
	extent_map_set(em, 4, 2, 500);
	cr_assert_eq(extent_map_lookup(em, 0).len, 4);
	cr_assert_eq(extent_map_lookup(em, 4).len, 2);
	cr_assert_eq(extent_map_lookup(em, 6).len, 4);
	cr_assert_eq(extent_map_lookup(em, 3).block, 103);
	cr_assert_eq(extent_map_lookup(em, 3).len, 1);
	cr_assert_eq(extent_map_lookup(em, 5).block, 501);
	cr_assert_eq(extent_map_lookup(em, 6).block, 106);
	extent_map_truncate(em, 5);
	cr_assert_eq(extent_map_lookup(em, 5).block, 0);
	cr_assert_eq(extent_map_lookup(em, 7).block, 0);
	cr_assert_eq(extent_map_lookup(em, 4).block, 500); /* the hole begins at 5 */
	cr_assert_eq(extent_map_lookup(em, 4).len, 1);
	extent_map_free(em);
}

/* Random sets and truncates; every page must map as in a plain array. */
Test(extent_map, equals_a_plain_array)
{
	struct extent_map *em = extent_map_new();
	block_t plain[PAGES] = {0};
	struct rng rng;

	rng_init(&rng, 7, "extent_map");
	for (unsigned int round = 0; round < 3000; round++) {
		pgoff_t index = rng_below(&rng, PAGES);
		uint64_t len = 1 + rng_below(&rng, MIN(PAGES - index, 40u));

		if (rng_below(&rng, 50) == 0) {
			extent_map_truncate(em, index);
			memset(&plain[index], 0, (PAGES - index) * sizeof(plain[0]));
			continue;
		}
		block_t block = 1 + rng_below(&rng, 20) * 16;

		extent_map_set(em, index, len, block);
		for (uint64_t i = 0; i < len; i++)
			plain[index + i] = block + i;
		for (pgoff_t i = 0; i < PAGES; i++) {
			struct extent e = extent_map_lookup(em, i);

			cr_assert_eq(e.block, plain[i], "round %u page %lu", round, i);
			cr_assert(e.len >= 1);
			cr_assert(i + 1 >= PAGES || e.len == 1 || !plain[i] ||
				  plain[i + 1] == plain[i] + 1);
		}
	}
	extent_map_free(em);
}

/*
 * tests/test_stat.c - histograms against exact sorting.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sim/rng.h"
#include "sim/stat.h"

struct owner {
	struct {
		uint64_t reads, level;
	} stat;
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, owner, reads), STAT(STAT_GAUGE, owner, level), {0}};

Test(stat, value_reads_the_field)
{
	struct owner o = {.stat = {.reads = 7, .level = 9}};

	cr_assert_eq(stat_value(&o, &stats[0]), 7);
	cr_assert_eq(stat_value(&o, &stats[1]), 9);
	cr_assert_str_eq(stats[1].name, "level");
}

Test(stat, gauge_below_zero_aborts, .signal = SIGABRT)
{
	struct owner o = {0};

	o.stat.level--;
	stat_value(&o, &stats[1]);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Percentile as the header defines it, on the values themselves. */
static int64_t exact(const int64_t *sorted, size_t n, uint32_t ppm)
{
	size_t rank = (size_t)(((unsigned __int128)n * ppm + 999999) / 1000000);

	return sorted[rank ? rank - 1 : 0];
}

Test(stat, percentiles_are_at_most_one_64th_above)
{
	static struct hist h;
	enum { N = 20000 };
	int64_t *values = g_new(int64_t, N);
	struct rng rng;

	rng_init(&rng, 3, "hist");
	hist_init(&h);
	for (unsigned int octaves = 4; octaves <= 60; octaves += 8) {
		for (unsigned int i = 0; i < N; i++) {
			values[i] = (int64_t)(rng_u64(&rng) >> (63 - rng_below(&rng, octaves)));
			hist_add(&h, values[i]);
		}
		qsort(values, N, sizeof(*values), by_value);
		for (uint32_t ppm = 0; ppm <= 1000000; ppm += 2500) {
			int64_t want = exact(values, N, ppm), got = hist_percentile(&h, ppm);

			cr_assert(got >= want && got - want <= want / 64,
				  "p%u of 2^%u: %" PRId64 " for %" PRId64, ppm, octaves, got, want);
		}
		cr_assert_eq(hist_percentile(&h, 0), values[0]);
		cr_assert_eq(hist_percentile(&h, 1000000), values[N - 1]);
		hist_fini(&h);
	}
	g_free(values);
}

/* 0 .. 99: the mean is 49.5, rounded down; every value below 128 is exact. */
Test(stat, small_values_are_exact)
{
	static struct hist h;

	hist_init(&h);
	cr_assert_eq(hist_mean(&h), 0);
	cr_assert_eq(hist_percentile(&h, 500000), 0);
	for (int64_t i = 0; i < 100; i++)
		hist_add(&h, i);
	cr_assert_eq(hist_mean(&h), 49);
	cr_assert_eq(hist_percentile(&h, 500000), 49);
	cr_assert_eq(hist_percentile(&h, 990000), 98);
	cr_assert_eq(hist_percentile(&h, 990001), 99);
	hist_fini(&h);
}

Test(stat, extremes_fit)
{
	static struct hist h;

	hist_init(&h);
	hist_add(&h, INT64_MAX);
	hist_add(&h, INT64_MAX);
	cr_assert_eq(hist_percentile(&h, 500000), INT64_MAX);
	cr_assert_eq(hist_mean(&h), INT64_MAX);
	hist_fini(&h);
}

Test(stat, merge_equals_adding_all)
{
	static uint64_t all_buckets[HIST_BUCKETS], a_buckets[HIST_BUCKETS];
	static struct hist all, a, b;
	struct rng rng;

	hist_init_in(&all, all_buckets);
	hist_init_in(&a, a_buckets);
	hist_init(&b);
	hist_merge(&a, &b); /* empty into empty */
	rng_init(&rng, 1, "merge");
	for (unsigned int i = 0; i < 1000; i++) {
		int64_t value = (int64_t)rng_below(&rng, 1000000);

		hist_add(&all, value);
		hist_add(i % 3 ? &a : &b, value);
	}
	hist_merge(&a, &b);
	cr_assert_eq(memcmp(a_buckets, all_buckets, sizeof(a_buckets)), 0);
	cr_assert_eq(memcmp(&a, &all, offsetof(struct hist, octave)), 0);
	hist_fini(&b);
}

Test(stat, an_octave_takes_memory_at_its_first_value)
{
	static struct hist h;
	unsigned int octaves = 0;

	hist_init(&h);
	hist_add(&h, 100000);
	hist_add(&h, 100001);
	for (size_t i = 0; i < HIST_OCTAVES; i++)
		octaves += h.octave[i] != NULL;
	cr_assert_eq(octaves, 1);
	hist_fini(&h);
	cr_assert_eq(h.count, 0);
	hist_add(&h, 7);
	cr_assert_eq(hist_percentile(&h, 500000), 7);
	hist_fini(&h);
}

Test(stat, reported_percentiles_rise)
{
	cr_assert_eq(hist_report_nr, 17);
	for (size_t i = 1; i < hist_report_nr; i++)
		cr_assert_lt(hist_report_ppm[i - 1], hist_report_ppm[i]);
	cr_assert_eq(hist_report_ppm[hist_report_nr - 1], 999900);
}

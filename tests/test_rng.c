/*
 * tests/test_rng.c - fixed vectors, and the shape of what is drawn.
 *
 * xoshiro256** from state 1, 2, 3, 4 and splitmix64 are published vectors (the rand_xoshiro crate's
 * tests); the others were computed by a separate Python program from the header's description.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/rng.h"

Test(rng, xoshiro256starstar_reference)
{
	static const uint64_t want[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240),
					UINT64_C(1216172134540287360)};
	struct rng r = {.s = {1, 2, 3, 4}};

	for (size_t i = 0; i < G_N_ELEMENTS(want); i++)
		cr_assert_eq(rng_u64(&r), want[i]);
}

Test(rng, streams_are_fixed_for_ever)
{
	struct rng r;

	rng_init(&r, 1, "dev_nvme");
	cr_assert_eq(rng_u64(&r), UINT64_C(0xf6179d1b440444e8));
	cr_assert_eq(rng_u64(&r), UINT64_C(0x0afbc654b78c63f7));
	cr_assert_eq(rng_u64(&r), UINT64_C(0xc63e383519b30db8));
	cr_assert_eq(rng_key(1, "dev_nvme"), UINT64_C(0x23fed849c772bb4c));
	cr_assert_eq(rng_key(2, "dev_nvme"), UINT64_C(0xe2b2a5de6ca1b021));
	cr_assert_eq(rng_hash(0, 0), UINT64_C(0x48218226ff3cd4bf));
	cr_assert_eq(rng_hash(5, 7), UINT64_C(0xefcb19f08cb544aa));
}

/* Chi-square over 7 cells, 6 degrees of freedom: 22.46 is passed by 0.1 % of fair generators. */
static void assert_uniform(const unsigned int *count, unsigned int draws)
{
	double chi2 = 0, expect = draws / 7.0;

	for (unsigned int i = 0; i < 7; i++)
		chi2 += (count[i] - expect) * (count[i] - expect) / expect;
	cr_assert_lt(chi2, 22.46);
}

Test(rng, below_is_uniform)
{
	unsigned int count[7] = {0}, hashed[7] = {0};
	struct rng r;

	rng_init(&r, 9, "uniform");
	for (unsigned int i = 0; i < 70000; i++) {
		uint64_t value = rng_below(&r, 7);

		cr_assert_lt(value, 7);
		count[value]++;
		hashed[rng_hash(9, i) % 7]++;
	}
	assert_uniform(count, 70000);
	assert_uniform(hashed, 70000);
	cr_assert_eq(rng_below(&r, 1), 0);
}

/* Two thirds of the 64-bit range: a modulo would make the lower half twice as likely. */
Test(rng, below_has_no_modulo_bias)
{
	uint64_t n = UINT64_MAX / 3 * 2;
	unsigned int low = 0;
	struct rng r;

	rng_init(&r, 1, "bias");
	for (unsigned int i = 0; i < 10000; i++)
		low += rng_below(&r, n) < n / 2;
	cr_assert(low > 4800 && low < 5200, "%u of 10000", low);
}

Test(rng, below_zero_aborts, .signal = SIGABRT)
{
	struct rng r;

	rng_init(&r, 1, "x");
	rng_below(&r, 0);
}

/* The value at upper tail probability @p: the top bit picks the side, the rest is the tail. */
static double quantile(const struct lognormal *t, double p)
{
	uint64_t tail = (uint64_t)ldexp(p, 64) - 1;

	return (double)lognormal_scale(t, tail | UINT64_C(1) << 63, 1000000000) / 1e9;
}

/* z of the tails 0.1, 0.05, 0.01, 0.001, 0.0001 from tables of the normal distribution. */
Test(rng, lognormal_quantiles_within_half_a_percent)
{
	static const double tails[][2] = {{0.1, 1.281552},
					  {0.05, 1.644854},
					  {0.01, 2.326348},
					  {0.001, 3.090232},
					  {0.0001, 3.719016}};
	static const double sigmas[] = {0.05, 0.229, 0.5, 1.0, 2.0};

	for (size_t i = 0; i < G_N_ELEMENTS(sigmas); i++) {
		struct lognormal t;

		lognormal_init(&t, sigmas[i]);
		cr_assert_float_eq(quantile(&t, 0.5), 1, 0.001);
		for (size_t j = 0; j < G_N_ELEMENTS(tails); j++) {
			double want = exp(sigmas[i] * tails[j][1]);
			double got = quantile(&t, tails[j][0]);

			cr_assert_float_eq(got / want, 1, 0.005, "sigma %g p %g: %g for %g",
					   sigmas[i], tails[j][0], got, want);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Drawn values: median 1, mean exp(sigma^2 / 2), p99 exp(2.326 sigma); sigma 0.229 of DEVICES 3. */
Test(rng, lognormal_draws)
{
	enum { N = 400000 };
	int64_t *values = g_new(int64_t, N);
	struct lognormal t;
	double sum = 0;

	lognormal_init(&t, 0.229);
	for (unsigned int i = 0; i < N; i++) {
		values[i] = lognormal_scale(&t, rng_hash(1, i), 1000000);
		sum += (double)values[i];
	}
	qsort(values, N, sizeof(*values), by_value);
	cr_assert_float_eq((double)values[N / 2] / 1e6, 1, 0.002);
	cr_assert_float_eq((double)values[N / 100 * 99] / 1e6 / exp(2.326 * 0.229), 1, 0.005);
	cr_assert_float_eq(sum / N / 1e6, exp(0.229 * 0.229 / 2), 0.002);
	g_free(values);
}

Test(rng, lognormal_rises_with_its_tail_and_sigma_0_is_1)
{
	struct lognormal t, one;
	int64_t last = 0;

	lognormal_init(&t, 0.8);
	lognormal_init(&one, 0);
	for (double p = 0.5; p > 1e-7; p *= 0.97) {
		uint64_t tail = (uint64_t)ldexp(p, 64) - 1;
		int64_t up = lognormal_scale(&t, tail | UINT64_C(1) << 63, 1000000);
		int64_t down = lognormal_scale(&t, tail, 1000000);

		cr_assert_geq(up, last);
		cr_assert_float_eq((double)up * (double)down / 1e12, 1,
				   0.01); /* symmetric in log */
		last = up;
		cr_assert_eq(lognormal_scale(&one, tail, 123456789), 123456789);
	}
	cr_assert_eq(lognormal_scale(&t, 0, 0), 0);
}

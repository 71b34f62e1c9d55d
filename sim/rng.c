/*
 * sim/rng.c - xoshiro256** (Blackman and Vigna) seeded by splitmix64; a counter-based stream is two
 * rounds of splitmix64's finalizer over (key, id).
 *
 * The lognormal table is dense where the curve bends: index 128 is the median, and on either side
 * the tail probability p in (0, 1/2] is cut into 16 octaves of 8 linear steps.  Linear
 * interpolation is then within 0.1 % of the curve down to p = 2^-17, where the tail is cut off (4.3
 * sigma).
 */
#include "sim/rng.h"

#include <math.h>

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define LOGNORMAL_MEDIAN 128u
#define LOGNORMAL_OCTAVES 16u
#define LOGNORMAL_STEPS 8u
#define LOGNORMAL_SIGMA_MAX 2.5 /* q of the last entry still fits 32 bits */

static_assert(LOGNORMAL_OCTAVES * LOGNORMAL_STEPS == LOGNORMAL_MEDIAN, "the tail fills its half");

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, unsigned int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t rng_key(uint64_t seed, const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return mix(hash + mix(seed + GOLDEN));
}

uint64_t rng_hash(uint64_t key, uint64_t id)
{
	return mix(key ^ mix(id + GOLDEN));
}

void rng_init(struct rng *r, uint64_t seed, const char *name)
{
	uint64_t state = rng_key(seed, name);

	for (unsigned int i = 0; i < 4; i++)
		r->s[i] = mix(state += GOLDEN);
}

uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

/* Lemire's multiply and reject: the low half tells the few draws that would bias the result. */
uint64_t rng_below(struct rng *r, uint64_t n)
{
	uint64_t reject;
	unsigned __int128 product;

	assert(n > 0);
	reject = -n % n;
	do {
		product = (unsigned __int128)rng_u64(r) * n;
	} while ((uint64_t)product < reject);
	return (uint64_t)(product >> 64);
}

/* z with P(Z > z) = @p, for 0 < p <= 1/2. */
static double normal_tail(double p)
{
	double low = 0, high = 8;

	for (unsigned int i = 0; i < 60; i++) {
		double z = (low + high) / 2;

		if (erfc(z / sqrt(2)) / 2 > p)
			low = z;
		else
			high = z;
	}
	return (low + high) / 2;
}

/* Tail probability at @k steps from the median. */
static double tail_at(unsigned int k)
{
	unsigned int octave = k / LOGNORMAL_STEPS, step = k % LOGNORMAL_STEPS;

	return ldexp(1 - (double)step / (2 * LOGNORMAL_STEPS), -(int)octave - 1);
}

void lognormal_init(struct lognormal *t, double sigma)
{
	assert(sigma >= 0 && sigma <= LOGNORMAL_SIGMA_MAX);
	for (unsigned int k = 0; k <= LOGNORMAL_MEDIAN; k++) {
		double z = k ? normal_tail(tail_at(k)) : 0;

		t->q[LOGNORMAL_MEDIAN + k] = (uint32_t)lround(65536 * exp(sigma * z));
		t->q[LOGNORMAL_MEDIAN - k] = (uint32_t)lround(65536 * exp(-sigma * z));
	}
}

/*
 * The top bit picks the side; the other 63 are the tail: its leading zeros are the octave, the bits
 * below the leading one say how far through it, from the inner edge out.
 */
int64_t lognormal_scale(const struct lognormal *t, uint64_t bits, int64_t ns)
{
	uint64_t tail = (bits << 1) >> 1;
	unsigned int octave = tail ? (unsigned int)__builtin_clzll(tail) - 1 : LOGNORMAL_OCTAVES;
	unsigned int k = LOGNORMAL_MEDIAN, inner = k, outer = k;
	int64_t frac = 0, x;

	assert(ns >= 0);
	if (octave < LOGNORMAL_OCTAVES) {
		uint64_t out = ~(tail << (octave + 2));

		k = octave * LOGNORMAL_STEPS + (unsigned int)(out >> 61);
		frac = (int64_t)((out >> 45) & 0xffff);
	}
	inner = bits >> 63 ? LOGNORMAL_MEDIAN + k : LOGNORMAL_MEDIAN - k;
	outer = !frac ? inner : bits >> 63 ? inner + 1 : inner - 1;
	x = (int64_t)t->q[inner] * 65536 + ((int64_t)t->q[outer] - t->q[inner]) * frac;
	return (int64_t)(((__int128)ns * x + (INT64_C(1) << 31)) >> 32);
}

/*
 * sim/rng.h - random streams, one per (seed, name): adding a model moves no other model's stream.
 * Integers only; the same bits on every machine.
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include "sim/types.h"

struct rng {
	uint64_t s[4]; /* xoshiro256** state */
};

void rng_init(struct rng *r, uint64_t seed, const char *name);
uint64_t rng_u64(struct rng *r);

/* Uniform in [0, n), n > 0, without modulo bias. */
uint64_t rng_below(struct rng *r, uint64_t n);

/* Counter-based: the same bits for (key, id) whatever was drawn before (MODELING 4, DEVICES 5). */
uint64_t rng_hash(uint64_t key, uint64_t id);

/* Key of a counter-based stream. */
uint64_t rng_key(uint64_t seed, const char *name);

/*
 * Inverse-CDF table of a lognormal with median 1 and @sigma, in 1/65536 units (257 entries,
 * interpolated).  Built with doubles once at init, used with integers: lognormal_scale(t, bits, ns)
 * = ns * X, X drawn by the 64 random bits.
 */
struct lognormal {
	uint32_t q[257];
};
void lognormal_init(struct lognormal *t, double sigma);
int64_t lognormal_scale(const struct lognormal *t, uint64_t bits, int64_t ns);

#endif

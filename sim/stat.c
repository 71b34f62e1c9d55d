/*
 * sim/stat.c - see sim/stat.h.
 *
 * Buckets of a histogram: values below 128 have one each; above, a value with its top bit at m
 * falls into the bucket of its 6 bits below the top one, so a bucket is 1/64 of an octave wide.
 */
#include "sim/stat.h"

#include <glib.h>
#include <string.h>

#define SUB_BITS 6
#define PPM 1000000u

static_assert(1 << SUB_BITS == HIST_SUB, "buckets an octave");

/* fio's default list (fio(1), percentile_list): 1 5 10 .. 90 95 99 99.5 99.9 99.95 99.99. */
const uint32_t hist_report_ppm[] = {
	10000,	50000,	100000, 200000, 300000, 400000, 500000, 600000, 700000,
	800000, 900000, 950000, 990000, 995000, 999000, 999500, 999900,
};
const size_t hist_report_nr = sizeof(hist_report_ppm) / sizeof(hist_report_ppm[0]);

uint64_t stat_value(const void *owner, const struct stat_desc *d)
{
	uint64_t value;

	memcpy(&value, (const char *)owner + d->off, sizeof(value));
	assert(d->kind != STAT_GAUGE || value <= INT64_MAX); /* a level fell below 0 */
	return value;
}

static unsigned int bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < HIST_SUB)
		return (unsigned int)value;
	shift = 63 - SUB_BITS - (unsigned int)__builtin_clzll(value);
	return (shift + 1) * HIST_SUB + (unsigned int)(value >> shift) % HIST_SUB;
}

/* Largest value that falls into @bucket. */
static uint64_t bucket_top(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < HIST_SUB)
		return bucket;
	shift = bucket / HIST_SUB - 1;
	return ((uint64_t)(HIST_SUB + bucket % HIST_SUB + 1) << shift) - 1;
}

void hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
}

void hist_fini(struct hist *h)
{
	for (unsigned int i = 0; i < HIST_OCTAVES; i++)
		g_free(h->octave[i]);
	hist_init(h);
}

void hist_init_in(struct hist *h, uint64_t buckets[HIST_BUCKETS])
{
	hist_init(h);
	memset(buckets, 0, HIST_BUCKETS * sizeof(buckets[0]));
	for (size_t i = 0; i < HIST_OCTAVES; i++)
		h->octave[i] = buckets + i * HIST_SUB;
}

static uint64_t *octave_of(struct hist *h, unsigned int i)
{
	if (!h->octave[i])
		h->octave[i] = g_new0(uint64_t, HIST_SUB);
	return h->octave[i];
}

void hist_add(struct hist *h, int64_t value)
{
	unsigned int bucket = bucket_of((uint64_t)value);

	assert(value >= 0);
	if (!h->count || value < h->min)
		h->min = value;
	if (!h->count || value > h->max)
		h->max = value;
	h->count++;
	h->sum += (uint64_t)value;
	octave_of(h, bucket / HIST_SUB)[bucket % HIST_SUB]++;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (!from->count)
		return;
	if (!into->count || from->min < into->min)
		into->min = from->min;
	if (!into->count || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum += from->sum;
	for (unsigned int i = 0; i < HIST_OCTAVES; i++)
		for (unsigned int k = 0; from->octave[i] && k < HIST_SUB; k++)
			octave_of(into, i)[k] += from->octave[i][k];
}

int64_t hist_mean(const struct hist *h)
{
	return h->count ? (int64_t)(h->sum / h->count) : 0;
}

int64_t hist_percentile(const struct hist *h, uint32_t ppm)
{
	uint64_t rank, seen = 0;
	unsigned int i = 0;

	assert(ppm <= PPM);
	if (!h->count)
		return 0;
	rank = (uint64_t)(((unsigned __int128)h->count * ppm + PPM - 1) / PPM);
	if (rank == 0)
		return h->min;
	for (; seen < rank; i++)
		if (h->octave[i / HIST_SUB])
			seen += h->octave[i / HIST_SUB][i % HIST_SUB];
	i--;
	return bucket_top(i) < (uint64_t)h->max ? (int64_t)bucket_top(i) : h->max;
}

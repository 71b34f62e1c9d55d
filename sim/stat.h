/*
 * sim/stat.h - counters described by tables, log-linear histograms, series sampled on the simulated
 * clock.
 */
#ifndef SIM_STAT_H
#define SIM_STAT_H

#include "sim/types.h"

/* One uint64_t field of a model; vmstat's name when the kernel has one. */
enum stat_kind { STAT_END, STAT_COUNT, STAT_GAUGE, STAT_NSEC };

struct stat_desc {
	const char *name;
	enum stat_kind kind; /* COUNT only grows; GAUGE is a level (asserted never to wrap below 0);
				NSEC a time sum */
	size_t off;	     /* of the uint64_t field in the owner */
};

#define STAT(kind, s, f)                                                                           \
	{                                                                                          \
#f, kind, offsetof(struct s, stat.f)                                               \
	}

/* Value of @d in @owner. */
uint64_t stat_value(const void *owner, const struct stat_desc *d);

/*
 * Log-linear histogram of ns (or any non-negative count): exact below 64, then 64 steps an octave,
 * so a percentile is at most 1.6 % above the true value.  The steps of an octave take memory once a
 * value lies in it (thousands of jobs have a few histograms each), or never: hist_init_in().
 */
#define HIST_SUB 64
#define HIST_OCTAVES (64 - 6 + 1)
#define HIST_BUCKETS (HIST_OCTAVES * HIST_SUB)

struct hist {
	uint64_t count;
	int64_t min, max;		/* valid while count > 0 */
	unsigned __int128 sum;		/* exact */
	uint64_t *octave[HIST_OCTAVES]; /* HIST_SUB buckets each; NULL = all 0 */
};

void hist_init(struct hist *h);
void hist_fini(struct hist *h); /* empty again; may be used on */
/* For one that must not allocate: lives in @buckets, and hist_fini() is not for it. */
void hist_init_in(struct hist *h, uint64_t buckets[HIST_BUCKETS]);
void hist_add(struct hist *h, int64_t value); /* value >= 0 */
void hist_merge(struct hist *into, const struct hist *from);
int64_t hist_mean(const struct hist *h); /* rounded down; 0 when empty */
/* Smallest bucket top that holds @ppm of a million samples or more (500000 = p50); exact min and
 * max at the ends. */
int64_t hist_percentile(const struct hist *h, uint32_t ppm);

/* Percentiles that reports print, fio's set: ppm values and their names ("50.000000"). */
extern const uint32_t hist_report_ppm[];
extern const size_t hist_report_nr;

#endif

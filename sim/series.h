/*
 * sim/series.h - values sampled on the simulated clock, and series.csv.
 */
#ifndef SIM_SERIES_H
#define SIM_SERIES_H

#include "sim/types.h"

struct sim;

/* Sampling (called by sim.c): one row of every STAT_GAUGE and STAT_COUNT of every model, plus CPU
 * time by context. */
struct series;
struct series *series_new(const struct sim *sim);
void series_sample(struct series *s, const struct sim *sim);
void series_free(struct series *s);

/* From one row to the next: sim.sample_interval, doubled as often as there were 65,536 rows. */
ktime_t series_interval(const struct series *s);

/* Mean of a column over time (straight lines between the rows) and maximum of all samples, by
 * "model.counter"; false when there is none. */
bool series_summary(const struct series *s, const char *column, double *mean, uint64_t *max);

/* The rows: their number, the column "model.counter" counted from 0 (-1 = there is none), the time
 * of a row and one of its values.  Counters only grow, gauges are levels. */
unsigned int series_rows(const struct series *s);
int series_column(const struct series *s, const char *column);
ktime_t series_time(const struct series *s, unsigned int row);
uint64_t series_value(const struct series *s, unsigned int row, unsigned int column);

/* The rows as CSV with a header line, times in s; returns new. */
char *series_csv(const struct series *s);

#endif

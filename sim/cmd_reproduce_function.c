/*
 * sim/cmd_reproduce_function.c - see sim/cmd_reproduce_function.h.
 *
 * Doubles are for what is printed; the run itself knows none of this.
 */
#include "sim/cmd_reproduce_function.h"

#include <math.h>
#include <string.h>

/* Bytes, calls and span of one direction of all jobs together. */
static double throughput(const struct value_def *def, const struct report *r)
{
	double bytes = 0;
	ktime_t from = KTIME_MAX, to = 0;

	for (unsigned int i = 0; i < r->nr_jobs; i++) {
		if (!r->jobs[i].dir[def->dir].ios)
			continue;
		bytes += (double)r->jobs[i].dir[def->dir].bytes;
		from = MIN(from, r->jobs[i].dir[def->dir].first_ns);
		to = MAX(to, r->jobs[i].dir[def->dir].last_ns);
	}
	return to > from ? bytes * (double)NSEC_PER_SEC / (double)(to - from) : NAN;
}

static double bytes(const struct value_def *def, const struct report *r)
{
	double sum = 0;

	for (unsigned int i = 0; i < r->nr_jobs; i++)
		sum += (double)r->jobs[i].dir[def->dir].bytes;
	return sum;
}

static double late(const struct value_def *def, const struct report *r)
{
	uint64_t calls = 0, behind = 0;

	for (unsigned int i = 0; i < r->nr_jobs; i++) {
		calls += r->jobs[i].dir[def->dir].paced;
		behind += r->jobs[i].dir[def->dir].late;
	}
	return calls ? (double)behind / (double)calls : NAN;
}

static double lag_max(const struct value_def *def, const struct report *r)
{
	ktime_t worst = 0;

	for (unsigned int i = 0; i < r->nr_jobs; i++)
		worst = MAX(worst, r->jobs[i].dir[def->dir].lag_max_ns);
	return (double)worst;
}

static double sum_at(const GArray *sum, const struct window *w, unsigned int row)
{
	double value = 0;

	for (unsigned int i = 0; i < sum->len; i++) {
		const struct term *t = &g_array_index(sum, struct term, i);

		value += t->factor * (t->io_pages ? w->io_pages : 1) *
			 (double)series_value(w->series, row, (unsigned int)t->at);
	}
	return value;
}

static unsigned int last_row(const struct window *w)
{
	return series_rows(w->series) - 1;
}

/* The sum of counters at @time: straight lines between the rows. */
static double sum_when(const GArray *sum, const struct window *w, double time)
{
	for (unsigned int row = 1; row <= last_row(w); row++) {
		double a = (double)series_time(w->series, row - 1);
		double b = (double)series_time(w->series, row);

		if (time > b)
			continue;
		double x = sum_at(sum, w, row - 1), y = sum_at(sum, w, row);

		return b > a ? x + (y - x) * (time - a) / (b - a) : y;
	}
	return sum_at(sum, w, last_row(w));
}

static bool inside(const struct window *w, unsigned int row)
{
	ktime_t time = series_time(w->series, row);

	return time >= w->from && time <= w->to;
}

static double mean(const struct value_def *def, const struct window *w)
{
	double sum = 0;
	unsigned int n = 0;

	for (unsigned int row = 0; row <= last_row(w); row++)
		if (inside(w, row)) {
			sum += sum_at(def->sum, w, row);
			n++;
		}
	return n ? sum / n : NAN;
}

static double max(const struct value_def *def, const struct window *w)
{
	double most = NAN;

	for (unsigned int row = 0; row <= last_row(w); row++)
		if (inside(w, row))
			most = fmax(most, sum_at(def->sum, w, row));
	return most;
}

static double final(const struct value_def *def, const struct window *w)
{
	return sum_at(def->sum, w, last_row(w));
}

static double growth(const struct value_def *def, const struct window *w)
{
	return sum_at(def->sum, w, last_row(w)) - sum_at(def->sum, w, 0);
}

/* Growth per ns of part @i of @n of the window. */
static double part_rate(const struct value_def *def, const struct window *w, unsigned int i,
			unsigned int n)
{
	double len = (double)(w->to - w->from) / n;
	double from = (double)w->from + len * i;

	if (len <= 0)
		return NAN;
	return (sum_when(def->sum, w, from + len) - sum_when(def->sum, w, from)) / len;
}

static double share(const struct value_def *def, const struct window *w)
{
	return part_rate(def, w, 0, 1);
}

static double share_max(const struct value_def *def, const struct window *w)
{
	double most = NAN;

	for (unsigned int i = 0; i < def->parts; i++)
		most = fmax(most, part_rate(def, w, i, def->parts));
	return most;
}

static double share_busy(const struct value_def *def, const struct window *w)
{
	unsigned int first = 0, n;
	double sum = 0;

	while (first < def->parts && part_rate(def, w, first, def->parts) == 0)
		first++;
	n = first + 1 < def->parts ? def->parts - first - 1 : 0;
	for (unsigned int i = first + 1; i < def->parts; i++)
		sum += part_rate(def, w, i, def->parts);
	return n ? sum / n : 0;
}

static double share_until(const struct value_def *def, const struct window *w)
{
	double most = 0;

	for (unsigned int row = 1; row <= last_row(w); row++) {
		double dt = (double)(series_time(w->series, row) - series_time(w->series, row - 1));
		double grown = sum_at(def->sum, w, row) - sum_at(def->sum, w, row - 1);

		if (sum_at(def->limit, w, row) <= 0)
			break;
		if (dt > 0)
			most = fmax(most, grown / dt);
	}
	return most;
}

static double rate_spread(const struct value_def *def, const struct window *w)
{
	double least = NAN, most = NAN;

	for (unsigned int i = 0; i < def->parts; i++) {
		double rate = part_rate(def, w, i, def->parts);

		least = fmin(least, rate);
		most = fmax(most, rate);
	}
	return (most - least) * (double)NSEC_PER_SEC;
}

/* clang-format off */
static const struct function functions[] = {
	{ "throughput",  BYTES_PER_S, "d",   throughput, NULL },
	{ "bytes",       BYTES,       "d",   bytes,      NULL },
	{ "late",        FRACTION,    "d",   late,       NULL },
	{ "lag_max",     TIME_NS,     "d",   lag_max,    NULL },
	{ "mean",        LEVEL,       "s",   NULL,       mean },
	{ "max",         LEVEL,       "s",   NULL,       max },
	{ "final",       LEVEL,       "s",   NULL,       final },
	{ "growth",      LEVEL,       "s",   NULL,       growth },
	{ "share",       FRACTION,    "s",   NULL,       share },
	{ "share_max",   FRACTION,    "ns",  NULL,       share_max },
	{ "share_busy",  FRACTION,    "ns",  NULL,       share_busy },
	{ "share_until", FRACTION,    "sl",  NULL,       share_until },
	{ "rate_spread", LEVEL_PER_S, "ns",  NULL,       rate_spread },
};
/* clang-format on */

const struct function *function_find(const char *name)
{
	for (unsigned int i = 0; name && i < G_N_ELEMENTS(functions); i++)
		if (g_str_equal(functions[i].name, name))
			return &functions[i];
	return NULL;
}

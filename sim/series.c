/*
 * sim/series.c - counters over simulated time: one row of unsigned values a sample.
 *
 * Columns are fixed when the run starts, in table order: "model.counter" for every count and gauge,
 * "cpu.CONTEXT_ns" for the CPUs together, "task.NAME.cpu_ns" for the kernel threads there are by
 * then (kswapd's CPU share over time is a difference of two rows).
 *
 * However long a run is, at most ROWS_MAX rows are held: before one more comes, every second one is
 * dropped and the interval doubles, from then on for the sampling too.  A run of any length so
 * costs less than ROWS_MAX / 2 samples each time its length doubles, and what is left is what a run
 * with the longer interval would have sampled.
 *
 * I1  row i is the sample at i * interval_ns, but for the last ones, taken when the run ends.
 */
#include "sim/series.h"

#include <string.h>

#include "sim/sim.h"

#define ROWS_MAX 65536u

struct series {
	GPtrArray *columns;  /* owned names */
	GArray *rows;	     /* uint64_t, columns->len + 1 a row; the first is the time in ns */
	uint64_t *max;	     /* a column, of all samples, dropped ones too */
	ktime_t interval_ns; /* between rows; 0 = none but those asked for */
};

static bool sampled(const struct stat_desc *d)
{
	return d->kind == STAT_COUNT || d->kind == STAT_GAUGE;
}

static void name_columns(GPtrArray *columns, const struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model_ops *ops = sim->models[i]->ops;

		for (const struct stat_desc *d = ops->stats; d && d->kind != STAT_END; d++)
			if (sampled(d))
				g_ptr_array_add(columns,
						g_strdup_printf("%s.%s", ops->name, d->name));
	}
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
		g_ptr_array_add(columns, g_strdup_printf("cpu.%s_ns", cpu_context_name(ctx)));
	for (const struct task *t = sim->tasks; t; t = t->all_next)
		if (t->daemon)
			g_ptr_array_add(columns, g_strdup_printf("task.%s.cpu_ns", t->name));
}

struct series *series_new(const struct sim *sim)
{
	struct series *s = g_new0(struct series, 1);

	s->columns = g_ptr_array_new_with_free_func(g_free);
	s->rows = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	name_columns(s->columns, sim);
	s->max = g_new0(uint64_t, s->columns->len);
	s->interval_ns = sim->conf.sample_interval;
	return s;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->columns);
	g_array_unref(s->rows);
	g_free(s->max);
	g_free(s);
}

ktime_t series_interval(const struct series *s)
{
	return s->interval_ns;
}

static unsigned int row_len(const struct series *s)
{
	return s->columns->len + 1;
}

static unsigned int nr_rows(const struct series *s)
{
	return s->rows->len / row_len(s);
}

static uint64_t cell(const struct series *s, unsigned int row, unsigned int column)
{
	return g_array_index(s->rows, uint64_t, row * row_len(s) + column);
}

static void add(struct series *s, uint64_t value)
{
	g_array_append_val(s->rows, value);
}

/* Drop rows 1, 3, 5, ... */
static void thin_out(struct series *s)
{
	size_t row_bytes = row_len(s) * sizeof(uint64_t);
	unsigned int kept = (nr_rows(s) + 1) / 2;

	for (unsigned int row = 1; row < kept; row++)
		memcpy(s->rows->data + row * row_bytes, s->rows->data + 2 * row * row_bytes,
		       row_bytes);
	g_array_set_size(s->rows, kept * row_len(s));
	s->interval_ns *= 2; /* no more than now / (ROWS_MAX / 4): I1 */
}

static void note_max(struct series *s)
{
	unsigned int row = nr_rows(s) - 1;

	for (unsigned int i = 0; i < s->columns->len; i++)
		s->max[i] = MAX(s->max[i], cell(s, row, i + 1));
}

/* A second sample at the same instant (the end of a run) replaces the first. */
void series_sample(struct series *s, const struct sim *sim)
{
	if (nr_rows(s) == ROWS_MAX)
		thin_out(s);
	unsigned int end = (nr_rows(s) + 1) * row_len(s);

	if (nr_rows(s) && cell(s, nr_rows(s) - 1, 0) == (uint64_t)sim->now) {
		end -= row_len(s);
		g_array_set_size(s->rows, end - row_len(s));
	}
	add(s, (uint64_t)sim->now);
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		for (const struct stat_desc *d = m->ops->stats; d && d->kind != STAT_END; d++)
			if (sampled(d))
				add(s, stat_value(m, d));
	}
	for (unsigned int ctx = 0; ctx < CTX_NR; ctx++)
		add(s, (uint64_t)cpus_context_ns(sim, ctx));
	for (const struct task *t = sim->tasks; t && s->rows->len < end; t = t->all_next)
		if (t->daemon)
			add(s, (uint64_t)t->cpu_ns);
	assert(s->rows->len == end); /* tasks are only ever added behind */
	note_max(s);
}

/* Integral over time of column @i, counted from 1: straight lines between the rows. */
static unsigned __int128 twice_area(const struct series *s, unsigned int i)
{
	unsigned __int128 sum = 0;

	for (unsigned int row = 1; row < nr_rows(s); row++) {
		uint64_t dt = cell(s, row, 0) - cell(s, row - 1, 0);

		sum += (unsigned __int128)cell(s, row - 1, i) * dt;
		sum += (unsigned __int128)cell(s, row, i) * dt;
	}
	return sum;
}

bool series_summary(const struct series *s, const char *column, double *mean, uint64_t *max)
{
	unsigned int at, last = nr_rows(s);

	if (!g_ptr_array_find_with_equal_func(s->columns, column, g_str_equal, &at) || !last--)
		return false;
	uint64_t span = cell(s, last, 0) - cell(s, 0, 0);

	*max = s->max[at];
	*mean = span ? (double)twice_area(s, at + 1) / 2 / (double)span
		     : (double)cell(s, last, at + 1);
	return true;
}

unsigned int series_rows(const struct series *s)
{
	return nr_rows(s);
}

int series_column(const struct series *s, const char *column)
{
	unsigned int at;

	return g_ptr_array_find_with_equal_func(s->columns, column, g_str_equal, &at) ? (int)at
										      : -1;
}

ktime_t series_time(const struct series *s, unsigned int row)
{
	return (ktime_t)cell(s, row, 0);
}

uint64_t series_value(const struct series *s, unsigned int row, unsigned int column)
{
	assert(row < nr_rows(s) && column < s->columns->len);
	return cell(s, row, column + 1);
}

char *series_csv(const struct series *s)
{
	GString *csv = g_string_new("time_s");

	for (unsigned int i = 0; i < s->columns->len; i++)
		g_string_append_printf(csv, ",%s", (const char *)s->columns->pdata[i]);
	g_string_append_c(csv, '\n');
	for (unsigned int row = 0; row < nr_rows(s); row++) {
		uint64_t ns = cell(s, row, 0);

		g_string_append_printf(csv, "%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
				       ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
		for (unsigned int i = 1; i < row_len(s); i++)
			g_string_append_printf(csv, ",%" G_GUINT64_FORMAT, cell(s, row, i));
		g_string_append_c(csv, '\n');
	}
	return g_string_free(csv, FALSE);
}

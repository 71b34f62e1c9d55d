/*
 * tests/test_reproduce.c - reproduce from the inside: published tables, cells made of many rows,
 * values of a run, and the judgement of figures given by hand.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <math.h>

#include "sim/cmd_reproduce_judge.h"
#include "tests/mini_series.h"
#include "tests/support.h"

static struct repro_series *series_of(const char *folder)
{
	GError *err = NULL;
	struct repro_series *s = repro_series_new(folder, &err);

	cr_assert(s, "%s", err ? err->message : "");
	return s;
}

static GPtrArray *cells_of(const struct repro_series *s, const struct table *t)
{
	GPtrArray *cells = g_ptr_array_new_with_free_func(repro_cell_free);
	struct repro_filter filter = {0};
	GError *err = NULL;

	cr_assert(repro_add_cells(cells, s, t, &filter, &err), "%s", err ? err->message : "");
	return cells;
}

static const struct repro_cell *find(const GPtrArray *cells, const struct table_row *r)
{
	for (unsigned int i = 0; i < cells->len; i++) {
		const struct repro_cell *c = cells->pdata[i];

		if (g_str_equal(c->metric->experiment, r->experiment) &&
		    g_str_equal(c->name, r->metric) && g_str_equal(c->variant, r->variant) &&
		    c->io_bytes == r->io_bytes && g_str_equal(c->unit, r->unit))
			return c;
	}
	return NULL;
}

/* Does the cell of row @r say what the row says? */
static bool holds(const struct repro_cell *c, const struct table_row *r)
{
	switch (r->kind) {
	case TABLE_LOW:
		return c->low == r->value;
	case TABLE_HIGH:
		return c->high == r->value;
	case TABLE_LIST:
		return g_str_equal(c->list, r->text);
	default:
		return c->published == r->value && g_str_equal(c->stat, r->stat);
	}
}

/* Every figure of @csv is a cell of the series, as it stands there; returns how many cells. */
static unsigned int expect_all(const char *folder, const char *csv)
{
	struct repro_series *s = series_of(folder);
	struct table *t = table_read(csv, NULL);
	GPtrArray *cells = cells_of(s, s->table);
	unsigned int n = cells->len;

	cr_assert_eq(t->rows->len, s->table->rows->len, "rows of %s and the series differ", csv);
	for (unsigned int i = 0; i < t->rows->len; i++) {
		const struct table_row *r = t->rows->pdata[i];
		const struct repro_cell *c = find(cells, r);

		if (r->kind == TABLE_REPEAT)
			continue;
		cr_assert(c, "%s:%u: no cell", csv, r->line);
		cr_assert(holds(c, r), "%s:%u: the cell says another thing", csv, r->line);
	}
	g_ptr_array_unref(cells);
	table_free(t);
	repro_series_free(s);
	return n;
}

#define REFERENCE "../shared/reference/"

/* reference/README.md: r1, s1 and t0 are no cells; low and high are one together. */
Test(reproduce_tables, every_published_figure_of_dropbehind_is_a_cell)
{
	if (!g_file_test(REFERENCE "dropbehind.csv", G_FILE_TEST_EXISTS))
		cr_skip_test(REFERENCE "dropbehind.csv is not here");
	expect_all("configs/series/dropbehind", REFERENCE "dropbehind.csv");
}

/* Per variant: throughput and its spread, kswapd and until memory is full. */
Test(reproduce_tables, every_published_figure_of_uncached_read_is_a_cell)
{
	if (!g_file_test(REFERENCE "uncached_read.csv", G_FILE_TEST_EXISTS))
		cr_skip_test(REFERENCE "uncached_read.csv is not here");
	cr_assert_eq(expect_all("configs/series/uncached_read", REFERENCE "uncached_read.csv"), 8);
}

/* Issue 3: 16 calibrated values at most for both together. */
Test(reproduce_tables, the_allowance_is_for_both_series)
{
	struct repro_series *a = series_of("configs/series/dropbehind");
	struct repro_series *b = series_of("configs/series/uncached_read");

	cr_assert_eq(a->conf.allowance, 16);
	cr_assert_eq(b->conf.allowance, 16);
	cr_assert_leq(a->calibrated->len + b->calibrated->len, 16);
	repro_series_free(a);
	repro_series_free(b);
}

/* A value of the other series is counted; the same key with the same value only once. */
Test(reproduce_tables, a_shared_allowance_counts_the_other_series)
{
	static const char *const second[][2] = {
		{"filemap.read_call_ns = 1us", NULL},
		{"filemap.read_call_ns = 2us", "2 calibrated values together with"},
		{"filemap.read_page_ns = 1us", "2 calibrated values together with"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(second); i++) {
		g_autofree char *base = g_dir_make_tmp("f2sim-pair-XXXXXX", NULL);
		g_autofree char *ini = g_build_filename(base, "series.ini", NULL);
		g_autofree char *csv = g_build_filename(base, "reference.csv", NULL);
		g_autofree char *text = g_strdup_printf(
			"[series]\nallowance = 1\nallowance_with = %s\n[calibrated mini]\n"
			"%s ; read/65536/normal\n[metric mini/read]\nrole = input\n",
			mini_series(), second[i][0]);
		g_autofree char *why = NULL;
		GError *err = NULL;

		cr_assert(g_file_set_contents(ini, text, -1, NULL));
		cr_assert(g_file_set_contents(csv,
					      "experiment,metric,io_bytes,variant,unit,stat,value\n"
					      "mini,read,65536,normal,MiB,mean,4\n",
					      -1, NULL));
		struct repro_series *s = repro_series_new(base, &err);

		why = err ? g_strdup(err->message) : NULL;
		cr_assert(second[i][1] ? !s && strstr(why, second[i][1]) : s != NULL, "%s: %s",
			  second[i][0], why);
		repro_series_free(s);
		g_clear_error(&err);
		unlink(ini);
		unlink(csv);
		rmdir(base);
	}
}

/* The series of reads: the mean of s1..s20, their greatest and smallest, the mean of t3..t29. */
Test(reproduce_tables, cells_made_of_many_rows)
{
	static const struct {
		const char *metric;
		double published, within;
	} made[] = {
		{"read_throughput", 36781 / 20.0, 1e-9},
		{"read_throughput_spread", 1915 - 1745, 0},
		{"kswapd_cpu", 71.2, 0.05}, /* issue 3 */
	};
	struct repro_series *s = series_of("configs/series/uncached_read");
	GPtrArray *cells = cells_of(s, s->table);
	unsigned int seen = 0;

	for (unsigned int i = 0; i < cells->len; i++) {
		const struct repro_cell *c = cells->pdata[i];

		for (unsigned int k = 0; k < G_N_ELEMENTS(made); k++) {
			if (!g_str_equal(c->variant, "normal") ||
			    !g_str_equal(c->name, made[k].metric))
				continue;
			cr_assert_float_eq(c->published, made[k].published, made[k].within, "%s",
					   c->name);
			seen++;
		}
	}
	cr_assert_eq(seen, 3);
	g_ptr_array_unref(cells);
	repro_series_free(s);
}

/* A value and units it can be in. */
Test(reproduce_value, units)
{
	static const struct {
		const char *value, *unit;
		double scale; /* NAN = cannot */
	} cases[] = {
		{"throughput write", "MB/s", 1e-6},
		{"throughput write", "MiB/s", 1.0 / 1048576},
		{"throughput write", "MiB", NAN},
		{"mean a.b", "MiB", 1.0 / 256}, /* a page is 4 KiB */
		{"mean a.b", "pages", 1},
		{"share a.cpu_ns", "%", 100},
		{"lag_max write", "ms", 1e-6},
		{"lag_max write", "%", NAN},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct value_def *def = value_parse(cases[i].value, NULL);
		double scale = value_scale(def, cases[i].unit);

		cr_assert(isnan(cases[i].scale) ? isnan(scale)
						: fabs(scale - cases[i].scale) < 1e-12,
			  "%s in %s", cases[i].value, cases[i].unit);
		value_free(def);
	}
}

Test(reproduce_value, bad_values)
{
	static const char *const bad[][2] = {
		{"", "nothing: expected throughput"},
		{"mean", "expected a column"},
		{"mean a.b c.d", "expected + or -"},
		{"mean a.b +", "expected a column"},
		{"mean x*a.b", "expected a number or io_pages"},
		{"share_max a.b", "number of parts"},
		{"share_max 0 a.b", "number of parts"},
		{"share_until a.b", "expected share_until SUM | SUM"},
		{"late sideways", "expected late read, write, sync or trim"},
		{"bytes read a.b", "nothing is expected here"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *err = NULL;

		cr_assert_null(value_parse(bad[i][0], &err), "%s", bad[i][0]);
		cr_assert(strstr(err->message, bad[i][1]), "%s: %s", bad[i][0], err->message);
		g_error_free(err);
	}
}

/* A plan of one point as if it had been run: metric of @c was @values[0..2] with the three seeds.
 */
static struct repro_plan *plan_of(struct repro_cell *c, const double *values)
{
	struct repro_plan *plan = repro_plan_new();
	struct repro_filter filter = {0};
	GError *err = NULL;

	plan->nr_seeds = 3;
	plan->first_seed = 1;
	cr_assert(repro_plan_add(plan, c, NULL, &filter, &err), "%s", err ? err->message : "");
	for (unsigned int i = 0; i < plan->points->len * plan->nr_seeds; i++) {
		GArray *measures = g_array_new(FALSE, FALSE, sizeof(struct repro_measure));
		struct repro_measure m = {.value = values[i]};

		g_array_append_val(measures, m);
		g_ptr_array_add(plan->measures, measures);
		g_ptr_array_add(plan->failures, NULL);
	}
	return plan;
}

/* Judge the first cell of the mini series with @row as its figure; the caller frees nothing. */
static struct repro_cell *judged(const char *row, const double *values)
{
	static struct repro_series *s;
	static GPtrArray *cells;
	static struct table *t;
	g_autofree char *text = g_strconcat("experiment,metric,io_bytes,variant,unit,stat,value\n",
					    row, "\n", NULL);

	g_clear_pointer(&cells, g_ptr_array_unref);
	g_clear_pointer(&t, table_free);
	g_clear_pointer(&s, repro_series_free);
	s = series_of(mini_series());
	t = table_read(test_text("rows.csv", text), NULL);
	cells = cells_of(s, t);
	cr_assert_eq(cells->len, 1);
	struct repro_plan *plan = plan_of(cells->pdata[0], values);

	repro_judge(cells, plan);
	repro_plan_free(plan);
	return cells->pdata[0];
}

static void expect(const struct repro_cell *c, double simulated, double error, const char *failure)
{
	cr_assert_float_eq(c->simulated, simulated, 1e-9, "simulated %g", c->simulated);
	cr_assert(isnan(error) ? isnan(c->error_pct) : fabs(c->error_pct - error) < 1e-9,
		  "error %g", c->error_pct);
	cr_assert_eq(failure != NULL, c->failure != NULL, "%s", c->failure);
	cr_assert(!failure || strstr(c->failure, failure), "%s", c->failure);
}

/* (1 + 2 + 6) / 3 = 3, the middle one is 2; 2 points of a cell for both: the worse one. */
Test(reproduce_judge, means_and_medians_over_the_seeds)
{
	const double values[] = {1, 6, 2}, two[] = {1000, 1001, 1002, 900, 960, 990};
	struct repro_cell *c = judged("mini,resident,65536,normal,pages,mean,2", values);

	expect(c, 3, 50, NULL); /* no gate but for exact */
	cr_assert_float_eq(c->min, 1, 0);
	cr_assert_float_eq(c->max, 6, 0);
	expect(judged("mini,resident,65536,normal,pages,median,2", values), 2, 0, NULL);
	expect(judged("mini,resident,65536,normal,pages,exact,2", values), 3, 50, "gate is 0 %");
	expect(judged("mini,resident,65536,both,pages,mean,1000", two), 950, -5, NULL);
}

/* 1 % of 4 MiB; the gate is inclusive. */
Test(reproduce_judge, gates)
{
	const double exactly[] = {4194304, 4194304, 4194304};
	const double over[] = {4194304 * 1.02, 4194304 * 1.02, 4194304 * 1.02};
	const double odd[] = {4194304 * 1.03, 4194304, 4194304 * 0.97};

	expect(judged("mini,read,65536,normal,MiB,mean,4", exactly), 4, 0, NULL);
	expect(judged("mini,read,65536,normal,MiB,mean,4", over), 4.08, 2, "the gate is 1 %");
	expect(judged("mini,read,65536,normal,MiB,mean,4", odd), 4, 0, NULL);
	expect(judged("mini,read,65536,normal,MiB,mean,0", exactly), 4, NAN, "must be 0");
}

/* Inside 0, outside to the nearer bound; a bound of 0 has no percent. */
Test(reproduce_judge, bounds)
{
	const double zero[] = {0, 0, 0, 0, 0, 0}, one[] = {1, 1, 1, 1, 1, 1};
	const double five[] = {5, 5, 5, 5, 5, 5};

	expect(judged("mini,added,65536,both,pages,high,1", one), 1, 0, NULL);
	expect(judged("mini,added,65536,both,pages,high,4", five), 5, 25, "the gate is 0 %");
	expect(judged("mini,added,65536,both,pages,low,10", five), 5, -50, "the gate is 0 %");
	expect(judged("mini,added,65536,both,pages,high,0", zero), 0, 0, NULL);
	expect(judged("mini,added,65536,both,pages,high,0", one), 1, NAN, "outside a bound of 0");
}

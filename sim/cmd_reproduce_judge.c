/*
 * sim/cmd_reproduce_judge.c - see sim/cmd_reproduce_judge.h.
 */
#include "sim/cmd_reproduce_judge.h"

#include <math.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of @n numbers, which get sorted; NAN of none. */
static double median(double *v, unsigned int n)
{
	if (!n)
		return NAN;
	qsort(v, n, sizeof(*v), compare_doubles);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double mean(const double *v, unsigned int n)
{
	double sum = 0;

	for (unsigned int i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / n : NAN;
}

const char *repro_role_name(enum cell_role role)
{
	static const char *const names[] = {
		[ROLE_INPUT] = "input",
		[ROLE_CALIBRATED] = "calibrated",
		[ROLE_PREDICTED] = "predicted",
		[ROLE_UNEXPLAINED] = "unexplained",
	};

	return names[role];
}

/* The published figure that @value is compared with. */
static double nearest(const struct repro_cell *c, double value)
{
	if (!repro_cell_bounds(c))
		return c->published;
	if (!isfinite(c->low) || value > c->high)
		return c->high;
	if (!isfinite(c->high) || value < c->low)
		return c->low;
	return value - c->low <= c->high - value ? c->low : c->high;
}

static bool inside(const struct repro_cell *c, double value)
{
	return repro_cell_bounds(c) && !(value < c->low) && !(value > c->high);
}

/* In percent; NAN to a published 0. */
static double error_of(const struct repro_cell *c, double value)
{
	double published = nearest(c, value);

	if (inside(c, value))
		return 0;
	return published != 0 ? 100 * (value - published) / published : NAN;
}

/* How bad @value is, for the choice among several configurations. */
static double badness(const struct repro_cell *c, double value)
{
	double error = error_of(c, value);

	return isnan(error) ? fabs(value) : fabs(error);
}

/* The cell at one configuration, over the seeds; NAN when a run has none. */
static double point_value(struct repro_cell *c, const struct repro_plan *plan, unsigned int point)
{
	g_autofree double *v = g_new(double, plan->nr_seeds);
	bool is_median = strstr(c->stat, "median");

	for (unsigned int i = 0; i < plan->nr_seeds; i++) {
		const char *failure;
		const struct repro_measure *m =
			repro_plan_measure(plan, point, i, c->metric, &failure);

		if (!m || m->missing) {
			if (!c->note)
				c->note = g_strdup(m ? m->missing : "a run fell short");
			return NAN;
		}
		v[i] = m->value * c->scale;
		c->min = fmin(c->min, v[i]);
		c->max = fmax(c->max, v[i]);
	}
	return is_median ? median(v, plan->nr_seeds) : mean(v, plan->nr_seeds);
}

static void simulate_cell(struct repro_cell *c, const struct repro_plan *plan)
{
	for (unsigned int i = 0; i < c->points->len; i++) {
		double value = point_value(c, plan, g_array_index(c->points, unsigned int, i));

		if (isnan(value)) {
			c->simulated = NAN;
			break;
		}
		if (isnan(c->simulated) || badness(c, value) > badness(c, c->simulated))
			c->simulated = value;
	}
	if (c->role == ROLE_INPUT) /* what was published is what was simulated with */
		c->simulated = c->min = c->max = c->published;
	c->nearest = nearest(c, c->simulated);
	c->error_pct = isnan(c->simulated) ? NAN : error_of(c, c->simulated);
}

/* Tolerance in percent; NAN when the cell is not gated. */
static double gate_of(const struct repro_cell *c)
{
	double percent = g_str_equal(c->stat, "exact") ? 0 : NAN;

	if (c->role == ROLE_INPUT || c->role == ROLE_UNEXPLAINED || c->published == 0 ||
	    c->published < c->metric->conf.gate_from)
		return NAN;
	for (unsigned int i = 0; i < c->metric->gates->len; i++) {
		const struct repro_gate *gate =
			&g_array_index(c->metric->gates, struct repro_gate, i);

		if (!gate->variant || g_str_equal(gate->variant, c->variant))
			percent = gate->percent;
	}
	return percent;
}

static bool is_zero(const struct repro_cell *c)
{
	return c->simulated == 0 || fabs(c->simulated) < c->metric->conf.zero_below;
}

/* The same figure of another variant, or NULL. */
static const struct repro_cell *sibling(const GPtrArray *cells, const struct repro_cell *c)
{
	for (unsigned int i = 0; i < cells->len; i++) {
		const struct repro_cell *other = cells->pdata[i];

		if (other->series == c->series && other->io_bytes == c->io_bytes &&
		    g_str_equal(other->name, c->name) &&
		    g_str_equal(other->metric->experiment, c->metric->experiment) &&
		    g_str_equal(other->variant, c->metric->conf.below_variant))
			return other;
	}
	return NULL;
}

static void judge_cell(const GPtrArray *cells, struct repro_cell *c)
{
	const struct repro_cell *other = *c->metric->conf.below_variant ? sibling(cells, c) : NULL;
	double gate = gate_of(c);
	bool zero = c->published == 0 && c->role != ROLE_INPUT && c->role != ROLE_UNEXPLAINED;

	if (isnan(c->simulated) && (zero || !isnan(gate) || other))
		c->failure = g_strdup(c->note ? c->note : "no value");
	else if (zero && !is_zero(c))
		c->failure = c->metric->conf.zero_below > 0
				     ? g_strdup_printf("published 0, must be below %g",
						       c->metric->conf.zero_below)
				     : g_strdup("published 0, must be 0");
	else if (!isnan(gate) && repro_cell_bounds(c) && isnan(c->error_pct))
		c->failure = g_strdup("outside a bound of 0");
	else if (!isnan(gate) && fabs(c->error_pct) > gate)
		c->failure = g_strdup_printf("the gate is %g %%", gate);
	else if (other && !(c->simulated < other->simulated))
		c->failure = g_strdup_printf("must be below %s", other->variant);
}

void repro_judge(const GPtrArray *cells, const struct repro_plan *plan)
{
	for (unsigned int i = 0; i < cells->len; i++)
		simulate_cell(cells->pdata[i], plan);
	for (unsigned int i = 0; i < cells->len; i++)
		judge_cell(cells, cells->pdata[i]);
}

/* Errors of the predicted cells that match @globs of @s (NULL = all), without sign. */
static GArray *errors(const GPtrArray *cells, const struct repro_series *s, char **globs)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(double));

	for (unsigned int i = 0; i < cells->len; i++) {
		const struct repro_cell *c = cells->pdata[i];
		double error = fabs(c->error_pct);

		if (c->role == ROLE_PREDICTED && !isnan(error) && (!s || c->series == s) &&
		    (!globs || repro_cell_matches(globs, c->metric->experiment, c->name,
						  c->io_bytes, c->variant)))
			g_array_append_val(list, error);
	}
	return list;
}

void repro_summarize(const GPtrArray *cells, struct repro_summary *sum)
{
	g_autoptr(GArray) list = errors(cells, NULL, NULL);

	*sum = (struct repro_summary){.cells = cells->len};
	for (unsigned int i = 0; i < cells->len; i++) {
		const struct repro_cell *c = cells->pdata[i];

		sum->calibrated += c->role == ROLE_CALIBRATED;
		sum->predicted += c->role == ROLE_PREDICTED;
		sum->failed += c->failure != NULL;
	}
	sum->median_abs_error_pct = median((double *)list->data, list->len);
	sum->worst_abs_error_pct = list->len ? g_array_index(list, double, list->len - 1) : NAN;
}

static void check_medians(const GPtrArray *cells, const struct repro_series *s, GPtrArray *lines)
{
	for (unsigned int i = 0; i < s->medians->len; i++) {
		const struct repro_median *m = s->medians->pdata[i];
		g_autoptr(GArray) list = errors(cells, s, m->globs);
		double value = median((double *)list->data, list->len);

		if (value > m->conf.percent)
			g_ptr_array_add(lines,
					g_strdup_printf("%s: median error of %s is %.2f %%, the "
							"gate is %g %%",
							s->name, m->name, value, m->conf.percent));
	}
}

GPtrArray *repro_shortfalls(const GPtrArray *cells, const GPtrArray *all_series,
			    const struct repro_plan *plan, bool whole)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int i = 0; whole && i < all_series->len; i++)
		check_medians(cells, all_series->pdata[i], lines);
	for (unsigned int i = 0; i < plan->failures->len; i++)
		if (plan->failures->pdata[i])
			g_ptr_array_add(lines, g_strdup(plan->failures->pdata[i]));
	return lines;
}

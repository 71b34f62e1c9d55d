/*
 * sim/cmd_reproduce_cells.c - see sim/cmd_reproduce_cells.h.
 *
 * A row of one number or list is a cell; low and high of one metric are one cell together; rows
 * that are one of many (r1, s1, t0) are none, but a metric may say what its cell is to be made of.
 */
#include "sim/cmd_reproduce_cells.h"

#include <math.h>
#include <string.h>

#include "sim/op.h"

void repro_cell_free(void *cell)
{
	struct repro_cell *c = cell;

	g_array_unref(c->points);
	g_free(c->note);
	g_free(c->failure);
	g_free(c);
}

bool repro_cell_bounds(const struct repro_cell *c)
{
	return isfinite(c->low) || isfinite(c->high);
}

bool repro_wants_size(const struct repro_filter *filter, int64_t io_bytes)
{
	if (!filter->sizes || io_bytes < 0)
		return true;
	for (unsigned int i = 0; i < filter->sizes->len; i++)
		if (g_array_index(filter->sizes, int64_t, i) == io_bytes)
			return true;
	return false;
}

static bool wanted(const struct repro_filter *f, const struct table_row *r, const char *metric)
{
	if (!repro_wants_size(f, r->io_bytes))
		return false;
	return !f->cells ||
	       repro_cell_matches(f->cells, r->experiment, metric, r->io_bytes, r->variant);
}

static bool refuse(const struct table *t, const struct table_row *r, GError **err, const char *what)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s:%u: %s", t->path, r->line, what);
	return false;
}

static bool check_variant(const struct repro_series *s, const struct table *t,
			  const struct table_row *r, GError **err)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned int i = 0; i < s->variants->len; i++) {
		const struct repro_variant *v = s->variants->pdata[i];

		if (g_str_equal(v->name, r->variant))
			return true;
		g_string_append_printf(names, "%s, ", v->name);
	}
	if (g_str_equal(r->variant, "both"))
		return true;
	g_autofree char *what =
		g_strdup_printf("variant %s: expected %sor both", r->variant, names->str);
	return refuse(t, r, err, what);
}

static bool unknown_metric(const struct repro_series *s, const struct table *t,
			   const struct table_row *r, GError **err)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned int i = 0; i < s->metrics->len; i++) {
		const struct repro_metric *m = s->metrics->pdata[i];

		if (g_str_equal(m->experiment, r->experiment) && !m->variant)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", m->metric);
	}
	g_autofree char *what = g_strdup_printf("metric %s: series %s has for %s only %s",
						r->metric, s->name, r->experiment, names->str);
	return refuse(t, r, err, what);
}

/* Is there such a figure in the published table of the series? */
static bool is_published(const struct repro_series *s, const struct table_row *r)
{
	for (unsigned int i = 0; i < s->table->rows->len; i++) {
		const struct table_row *own = s->table->rows->pdata[i];

		if (own->io_bytes == r->io_bytes && g_str_equal(own->metric, r->metric) &&
		    g_str_equal(own->variant, r->variant) &&
		    g_str_equal(own->experiment, r->experiment))
			return true;
	}
	return false;
}

static enum cell_role role_of(const struct repro_series *s, const struct repro_metric *m,
			      const struct table_row *r)
{
	if (m->conf.role == ROLE_INPUT)
		return ROLE_INPUT;
	for (unsigned int i = 0; is_published(s, r) && i < s->calibrated->len; i++) {
		const struct repro_calibrated *c = s->calibrated->pdata[i];

		if (repro_cell_matches(c->cells, r->experiment, m->metric, r->io_bytes, r->variant))
			return ROLE_CALIBRATED;
	}
	if (repro_cell_matches(s->unexplained, r->experiment, m->metric, r->io_bytes, r->variant))
		return ROLE_UNEXPLAINED;
	return (enum cell_role)m->conf.role;
}

/* A cell of metric @m with the place and the unit of @r.  Returns new; NULL with *@err. */
static struct repro_cell *cell_new(const struct repro_series *s, const struct table *t,
				   const struct repro_metric *m, const struct table_row *r,
				   GError **err)
{
	double scale = m->value ? value_scale(m->value, r->unit) : 1;
	struct repro_cell *c;

	if (!isfinite(scale)) {
		g_autofree char *what = g_strdup_printf("unit %s: %s is not measured in it",
							r->unit, m->conf.value);
		refuse(t, r, err, what);
		return NULL;
	}
	if (!check_variant(s, t, r, err))
		return NULL;
	c = g_new0(struct repro_cell, 1);
	c->series = s;
	c->metric = m;
	c->name = m->metric;
	c->variant = r->variant;
	c->unit = r->unit;
	c->stat = r->stat;
	c->io_bytes = r->io_bytes;
	c->scale = scale;
	c->role = role_of(s, m, r);
	c->published = c->low = c->high = NAN;
	c->simulated = c->error_pct = c->min = c->max = c->nearest = NAN;
	c->points = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	return c;
}

static struct repro_cell *find_cell(const GPtrArray *cells, unsigned int from,
				    const struct repro_metric *m, const struct table_row *r)
{
	for (unsigned int i = from; i < cells->len; i++) {
		struct repro_cell *c = cells->pdata[i];

		if (c->metric == m && c->io_bytes == r->io_bytes &&
		    g_str_equal(c->variant, r->variant))
			return c;
	}
	return NULL;
}

static bool add_row(GPtrArray *cells, unsigned int from, const struct repro_series *s,
		    const struct table *t, const struct table_row *r, GError **err)
{
	const struct repro_metric *m = repro_metric_of(s, r->experiment, r->metric, r->variant);
	struct repro_cell *c = m ? find_cell(cells, from, m, r) : NULL;

	if (!m)
		return unknown_metric(s, t, r, err);
	if (r->kind == TABLE_REPEAT)
		return true;
	if (!c || !repro_cell_bounds(c)) {
		c = cell_new(s, t, m, r, err);
		if (!c)
			return false;
		g_ptr_array_add(cells, c);
	}
	if (r->kind == TABLE_LOW)
		c->low = r->value;
	else if (r->kind == TABLE_HIGH)
		c->high = r->value;
	else if (r->kind == TABLE_LIST)
		c->list = r->text;
	else
		c->published = r->value;
	if (repro_cell_bounds(c))
		c->stat = "bounds";
	if (c->low > c->high)
		return refuse(t, r, err, "low is above high");
	return true;
}

/* The figure that metric @m makes of the rows like @like. */
static bool summarize(struct repro_cell *c, const struct table *t, const struct table_row *like)
{
	const struct repro_published *p = &c->metric->published;
	double sum = 0, least = NAN, most = NAN;
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->rows->len; i++) {
		const struct table_row *r = t->rows->pdata[i];

		if (r->kind != TABLE_REPEAT || *r->stat != p->letter || r->index < p->first ||
		    r->index > p->last || r->io_bytes != like->io_bytes ||
		    !g_str_equal(r->metric, like->metric) ||
		    !g_str_equal(r->variant, like->variant) ||
		    !g_str_equal(r->experiment, like->experiment))
			continue;
		sum += r->value;
		n++;
		least = fmin(least, r->value);
		most = fmax(most, r->value);
	}
	c->published = p->how == PUBLISHED_MEAN ? sum / n : most - least;
	c->stat = p->how == PUBLISHED_MEAN ? "mean" : "spread";
	return n;
}

/* A cell for metric @m whose figures are made of rows such as @r. */
static bool add_made(GPtrArray *cells, const struct repro_series *s, const struct table *t,
		     const struct repro_metric *m, const struct table_row *r, GError **err)
{
	struct repro_cell *c = cell_new(s, t, m, r, err);

	if (!c)
		return false;
	if (m->published.how == PUBLISHED_BOUND) {
		c->low = m->published.low;
		c->high = m->published.high;
		c->stat = "bounds";
	} else if (!summarize(c, t, r)) {
		repro_cell_free(c);
		return true;
	}
	g_ptr_array_add(cells, c);
	return true;
}

static bool add_made_cells(GPtrArray *cells, unsigned int from, const struct repro_series *s,
			   const struct table *t, const struct repro_filter *filter, GError **err)
{
	for (unsigned int i = 0; i < s->metrics->len; i++) {
		const struct repro_metric *m = s->metrics->pdata[i];
		const char *source = *m->conf.from ? m->conf.from : m->metric;

		for (unsigned int k = 0; k < t->rows->len; k++) {
			const struct table_row *r = t->rows->pdata[k];

			if (m->published.how == PUBLISHED_CELL || r->kind != TABLE_REPEAT ||
			    !g_str_equal(r->experiment, m->experiment) ||
			    !g_str_equal(r->metric, source) || !wanted(filter, r, m->metric) ||
			    repro_metric_of(s, r->experiment, m->metric, r->variant) != m ||
			    find_cell(cells, from, m, r))
				continue;
			if (!add_made(cells, s, t, m, r, err))
				return false;
		}
	}
	return true;
}

bool repro_add_cells(GPtrArray *cells, const struct repro_series *s, const struct table *table,
		     const struct repro_filter *filter, GError **err)
{
	unsigned int from = cells->len;

	for (unsigned int i = 0; i < table->rows->len; i++) {
		const struct table_row *r = table->rows->pdata[i];

		if (repro_has_experiment(s, r->experiment) && wanted(filter, r, r->metric) &&
		    !add_row(cells, from, s, table, r, err))
			return false;
	}
	return add_made_cells(cells, from, s, table, filter, err);
}

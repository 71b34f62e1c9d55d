/*
 * sim/cmd_reproduce_plan.c - see sim/cmd_reproduce_plan.h.
 *
 * A cell needs one configuration, or several: each variant when it is for both, each element of its
 * run's list of inputs, and each published size when it is for none.
 */
#include "sim/cmd_reproduce_plan.h"

#include <string.h>

#include "sim/op.h"

static void point_free(void *p)
{
	struct repro_point *point = p;

	g_free(point->label);
	g_strfreev(point->sets);
	g_ptr_array_unref(point->metrics);
	g_free(point);
}

struct repro_plan *repro_plan_new(void)
{
	struct repro_plan *plan = g_new0(struct repro_plan, 1);

	plan->points = g_ptr_array_new_with_free_func(point_free);
	plan->by_label = g_hash_table_new(g_str_hash, g_str_equal);
	plan->measures = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	plan->failures = g_ptr_array_new_with_free_func(g_free);
	return plan;
}

void repro_plan_free(struct repro_plan *plan)
{
	g_hash_table_unref(plan->by_label);
	g_ptr_array_unref(plan->points);
	g_ptr_array_unref(plan->measures);
	g_ptr_array_unref(plan->failures);
	g_free(plan);
}

static const char *input_in(const struct table *t, const char *experiment, const char *name)
{
	for (unsigned int i = 0; t && i < t->rows->len; i++) {
		const struct table_row *r = t->rows->pdata[i];

		if (g_str_equal(r->experiment, experiment) && g_str_equal(r->metric, name))
			return r->text;
	}
	return NULL;
}

static const char *input_of(const struct repro_series *s, const struct table *table,
			    const char *experiment, const char *name)
{
	const struct repro_metric *m = repro_metric_of(s, experiment, name, "both");
	const char *text = NULL;

	if (m && m->conf.role == ROLE_INPUT)
		text = input_in(table, experiment, name);
	if (m && m->conf.role == ROLE_INPUT && !text)
		text = input_in(s->table, experiment, name);
	return text;
}

struct need {
	const struct repro_series *series;
	const struct table *table;
	const struct repro_run *run;
	const struct repro_variant *variant;
	int64_t io_bytes;
	const char *element; /* of the run's list; or NULL */
};

static bool refuse_set(const struct need *n, GError **err, const char *what, const char *name)
{
	g_autofree char *section = g_strdup_printf("run %s", n->run->name);

	config_error(n->series->config, section, "set", err, what, name);
	return false;
}

/* Put what @name stands for behind @text. */
static bool fill_in(const struct need *n, GString *text, const char *name, GError **err)
{
	const char *input = input_of(n->series, n->table, n->run->conf.experiment, name);

	if (g_str_equal(name, "io_bytes") && n->io_bytes > 0)
		g_string_append_printf(text, "%" G_GINT64_FORMAT, n->io_bytes);
	else if (g_str_equal(name, "io_bytes"))
		return refuse_set(n, err, "{%s}: the cell has no size, and no size is published",
				  name);
	else if (g_str_equal(name, "each") && n->element)
		g_string_append(text, n->element);
	else if (input)
		g_string_append(text, input);
	else
		return refuse_set(n, err, "{%s}: expected io_bytes, each or a published input",
				  name);
	return true;
}

/* @set with every {NAME} filled in; returns new, NULL with *@err. */
static char *expand(const struct need *n, const char *set, GError **err)
{
	g_autoptr(GString) text = g_string_new(NULL);

	while (*set) {
		const char *open = strchr(set, '{'), *close = open ? strchr(open, '}') : NULL;

		if (!close) {
			g_string_append(text, set);
			break;
		}
		g_autofree char *name = g_strndup(open + 1, (gsize)(close - open - 1));

		g_string_append_len(text, set, open - set);
		if (!fill_in(n, text, name, err))
			return NULL;
		set = close + 1;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* What lies over the scenario: calibrated values, the run's own, the user's. */
static char **point_sets(const struct need *n, char **user_sets, GError **err)
{
	g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int i = 0; i < n->series->calibrated->len; i++) {
		const struct repro_calibrated *c = n->series->calibrated->pdata[i];

		if (g_pattern_match_simple(c->experiment, n->run->conf.experiment))
			g_ptr_array_add(sets, g_strdup_printf("%s=%s [C] series %s", c->key,
							      c->value, n->series->name));
	}
	for (char **set = n->run->sets; *set; set++) {
		char *text = expand(n, *set, err);

		if (!text)
			return NULL;
		g_ptr_array_add(sets, text);
	}
	for (char **set = user_sets; set && *set; set++)
		g_ptr_array_add(sets, g_strdup(*set));
	g_ptr_array_add(sets, NULL);
	return (char **)g_ptr_array_steal(sets, NULL);
}

static char *point_label(const struct need *n)
{
	GString *label = g_string_new(n->run->name);

	if (n->io_bytes > 0)
		g_string_append_printf(label, "-%" G_GINT64_FORMAT, n->io_bytes);
	g_string_append_printf(label, "-%s", n->variant->name);
	if (n->element)
		g_string_append_printf(label, "-%s", n->element);
	g_string_prepend_c(label, '/');
	g_string_prepend(label, n->series->name);
	return g_string_free(label, FALSE);
}

static bool add_point(struct repro_plan *plan, struct repro_cell *cell, const struct need *n,
		      GError **err)
{
	g_autofree char *label = point_label(n);
	struct repro_point *p = g_hash_table_lookup(plan->by_label, label);
	unsigned int at;

	if (!p) {
		char **sets = point_sets(n, plan->user_sets, err);

		if (!sets)
			return false;
		p = g_new0(struct repro_point, 1);
		p->label = g_steal_pointer(&label);
		p->series = n->series;
		p->run = n->run;
		p->variant = n->variant;
		p->io_bytes = n->io_bytes;
		p->sets = sets;
		p->metrics = g_ptr_array_new();
		g_ptr_array_add(plan->points, p);
		g_hash_table_insert(plan->by_label, p->label, p);
	}
	if (!g_ptr_array_find(p->metrics, cell->metric, NULL))
		g_ptr_array_add(p->metrics, (void *)(uintptr_t)cell->metric);
	g_ptr_array_find(plan->points, p, &at);
	g_array_append_val(cell->points, at);
	return true;
}

/* For each element of the run's list, or once. */
static bool add_elements(struct repro_plan *plan, struct repro_cell *cell, struct need *n,
			 GError **err)
{
	const char *each = n->run->conf.each;
	const char *list =
		*each ? input_of(n->series, n->table, n->run->conf.experiment, each) : NULL;

	if (!list)
		return *each ? refuse_set(n, err, "each = %s: no such input is published", each)
			     : add_point(plan, cell, n, err);
	g_auto(GStrv) elements = g_strsplit_set(list, " \t", -1);

	for (unsigned int i = 0; elements[i]; i++) {
		n->element = elements[i];
		if (*elements[i] && !add_point(plan, cell, n, err))
			return false;
	}
	return true;
}

static bool add_variants(struct repro_plan *plan, struct repro_cell *cell, struct need *n,
			 GError **err)
{
	for (unsigned int i = 0; i < n->series->variants->len; i++) {
		n->variant = n->series->variants->pdata[i];
		if ((g_str_equal(cell->variant, "both") ||
		     g_str_equal(cell->variant, n->variant->name)) &&
		    !add_elements(plan, cell, n, err))
			return false;
	}
	return true;
}

static void add_size(GArray *sizes, int64_t io_bytes)
{
	for (unsigned int i = 0; i < sizes->len; i++)
		if (g_array_index(sizes, int64_t, i) == io_bytes)
			return;
	g_array_append_val(sizes, io_bytes);
}

/* The sizes at which figures of @run are published. */
static GArray *published_sizes(const struct repro_series *s, const struct repro_run *run)
{
	GArray *sizes = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (unsigned int i = 0; i < s->table->rows->len; i++) {
		const struct table_row *r = s->table->rows->pdata[i];
		const struct repro_metric *m =
			repro_metric_of(s, r->experiment, r->metric, r->variant);

		if (m && m->run == run && r->io_bytes > 0)
			add_size(sizes, r->io_bytes);
	}
	return sizes;
}

/* Where a cell without a size is looked at. */
static GArray *cell_sizes(const struct repro_cell *cell, const struct repro_filter *filter)
{
	g_autoptr(GArray) all = cell->metric->sizes->len
					? g_array_ref(cell->metric->sizes)
					: published_sizes(cell->series, cell->metric->run);
	GArray *sizes = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (unsigned int i = 0; i < all->len; i++)
		if (repro_wants_size(filter, g_array_index(all, int64_t, i)))
			add_size(sizes, g_array_index(all, int64_t, i));
	if (!sizes->len)
		g_array_append_vals(sizes, all->data, all->len);
	if (!sizes->len)
		add_size(sizes, -1);
	return sizes;
}

bool repro_plan_add(struct repro_plan *plan, struct repro_cell *cell, const struct table *table,
		    const struct repro_filter *filter, GError **err)
{
	struct need n = {
		.series = cell->series,
		.table = table,
		.run = cell->metric->run,
		.io_bytes = cell->io_bytes,
	};

	if (cell->role == ROLE_INPUT)
		return true;
	if (cell->io_bytes > 0)
		return add_variants(plan, cell, &n, err);
	g_autoptr(GArray) sizes = cell_sizes(cell, filter);

	for (unsigned int i = 0; i < sizes->len; i++) {
		n.io_bytes = g_array_index(sizes, int64_t, i);
		if (!add_variants(plan, cell, &n, err))
			return false;
	}
	return true;
}

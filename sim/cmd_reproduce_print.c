/*
 * sim/cmd_reproduce_print.c - see sim/cmd_reproduce_print.h.
 *
 * The table has a block a metric, a line a size, and the variants side by side; a cell that fails a
 * gate has a ! and is named again at the end.
 */
#include "sim/cmd_reproduce_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cmd.h"
#include "sim/json_member.h"

#define NUMBER 64

/* As many digits as people want to see; returns @text. */
static const char *number(char text[NUMBER], double value)
{
	double size = fabs(value);

	if (isnan(value))
		return "-";
	if (value == floor(value) && size < 1e15)
		g_snprintf(text, NUMBER, "%.0f", value);
	else
		g_snprintf(text, NUMBER,
			   size >= 1000 ? "%.1f"
			   : size >= 1	? "%.2f"
					: "%.5f",
			   value);
	return text;
}

static void print_published(const struct repro_cell *c)
{
	char low[NUMBER], high[NUMBER];
	g_autofree char *text = NULL;

	if (!repro_cell_bounds(c))
		text = g_strdup(c->list ? c->list : number(low, c->published));
	else if (isnan(c->low))
		text = g_strdup_printf("<= %s", number(high, c->high));
	else if (isnan(c->high))
		text = g_strdup_printf(">= %s", number(low, c->low));
	else
		text = g_strdup_printf("%s..%s", number(low, c->low), number(high, c->high));
	printf("  %15s", text);
}

static void print_cell(const struct repro_cell *c, bool spread)
{
	static const char *const roles[] = {
		[ROLE_INPUT] = "input",
		[ROLE_CALIBRATED] = "cal",
		[ROLE_PREDICTED] = "pred",
		[ROLE_UNEXPLAINED] = "unexp",
	};
	char a[NUMBER], b[NUMBER];

	print_published(c);
	printf(" %10s", number(a, c->simulated));
	if (spread) {
		g_autofree char *range =
			g_strdup_printf("%s..%s", number(a, c->min), number(b, c->max));

		printf(" %19s", isnan(c->min) ? "" : range);
	}
	if (isnan(c->error_pct))
		printf(" %8s", "-");
	else
		printf(" %+7.1f%%", c->error_pct);
	printf("%c %-5s", c->failure ? '!' : ' ', roles[c->role]);
}

static bool same_group(const struct repro_cell *a, const struct repro_cell *b)
{
	return a->series == b->series && g_str_equal(a->name, b->name) &&
	       g_str_equal(a->metric->experiment, b->metric->experiment) &&
	       g_str_equal(a->unit, b->unit);
}

static bool same_line(const struct repro_cell *a, const struct repro_cell *b)
{
	return same_group(a, b) && a->io_bytes == b->io_bytes;
}

/* Is cell @i the first of those that are the @same? */
static bool first_of(const GPtrArray *cells, unsigned int i,
		     bool (*same)(const struct repro_cell *a, const struct repro_cell *b))
{
	for (unsigned int k = 0; k < i; k++)
		if (same(cells->pdata[k], cells->pdata[i]))
			return false;
	return true;
}

static void print_size(int64_t io_bytes)
{
	if (io_bytes < 0)
		printf("%9s", "-");
	else if (io_bytes % 1048576 == 0)
		printf("%8" G_GINT64_FORMAT "M", io_bytes / 1048576);
	else if (io_bytes % 1024 == 0)
		printf("%8" G_GINT64_FORMAT "K", io_bytes / 1024);
	else
		printf("%9" G_GINT64_FORMAT, io_bytes);
}

/* The line that begins with cell @first: its variants side by side. */
static void print_line(const GPtrArray *cells, unsigned int first, bool spread)
{
	print_size(((struct repro_cell *)cells->pdata[first])->io_bytes);
	for (unsigned int i = first; i < cells->len; i++) {
		const struct repro_cell *c = cells->pdata[i];

		if (!same_line(c, cells->pdata[first]))
			continue;
		printf("  %-9s", c->variant);
		print_cell(c, spread);
	}
	printf("\n");
}

static void print_group(const GPtrArray *cells, unsigned int first, bool spread)
{
	const struct repro_cell *head = cells->pdata[first];

	printf("%s%s  %s, %s\n", first ? "\n" : "", head->metric->experiment, head->name,
	       head->unit);
	for (unsigned int i = first; i < cells->len; i++)
		if (same_group(cells->pdata[i], head) && first_of(cells, i, same_line))
			print_line(cells, i, spread);
}

static void print_calibrated(const struct repro_series *s)
{
	for (unsigned int i = 0; i < s->calibrated->len; i++) {
		const struct repro_calibrated *c = s->calibrated->pdata[i];
		g_autofree char *cells = g_strjoinv(" ", c->cells);

		if (!i)
			printf("\n%s: %u calibrated values of %" G_GUINT64_FORMAT "%s%s\n", s->name,
			       s->calibrated->len, s->conf.allowance,
			       *s->conf.allowance_with ? " together with " : "",
			       s->conf.allowance_with);
		printf("  %-36s %-12s %s\n", c->key, c->value, cells);
	}
}

static char *cell_name(const struct repro_cell *c)
{
	g_autofree char *size =
		c->io_bytes < 0 ? g_strdup("") : g_strdup_printf("%" G_GINT64_FORMAT, c->io_bytes);

	return g_strdup_printf("%s/%s/%s/%s", c->metric->experiment, c->name, size, c->variant);
}

static void print_failed(const struct repro_results *r)
{
	for (unsigned int i = 0; i < r->cells->len; i++) {
		const struct repro_cell *c = r->cells->pdata[i];
		g_autofree char *name = cell_name(c);
		char text[NUMBER];

		if (c->failure && !isnan(c->error_pct))
			printf("FAILED: %s: %s, %+.2f %%; %s\n", name, number(text, c->simulated),
			       c->error_pct, c->failure);
		else if (c->failure)
			printf("FAILED: %s: %s; %s\n", name, number(text, c->simulated),
			       c->failure);
		else if (c->note)
			printf("note: %s: %s\n", name, c->note);
	}
	for (unsigned int i = 0; i < r->shortfalls->len; i++) {
		g_autofree char *line = cmd_printable(r->shortfalls->pdata[i]);

		printf("FAILED: %s\n", line);
	}
}

void repro_print_table(const struct repro_results *r)
{
	struct repro_summary sum;

	for (unsigned int i = 0; i < r->cells->len; i++)
		if (first_of(r->cells, i, same_group))
			print_group(r->cells, i, r->plan->nr_seeds > 1);
	for (unsigned int i = 0; i < r->series->len; i++)
		print_calibrated(r->series->pdata[i]);
	repro_summarize(r->cells, &sum);
	printf("\n%u cells: %u calibrated, %u predicted", sum.cells, sum.calibrated, sum.predicted);
	if (!isnan(sum.median_abs_error_pct))
		printf(", median error %.2f %%, worst %.2f %%", sum.median_abs_error_pct,
		       sum.worst_abs_error_pct);
	printf("; seeds %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT "\n", r->plan->first_seed,
	       r->plan->first_seed + r->plan->nr_seeds - 1);
	print_failed(r);
}

/* NAN is null. */
static void add_number(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	if (isnan(value))
		json_builder_add_null_value(b);
	else
		json_builder_add_double_value(b, value);
}

static void add_figures(JsonBuilder *b, const struct repro_cell *c)
{
	if (c->list) {
		json_member_string(b, "published", c->list);
		json_member_string(b, "simulated", c->list);
	} else {
		add_number(b, "published", repro_cell_bounds(c) ? c->nearest : c->published);
		add_number(b, "simulated", c->simulated);
	}
	add_number(b, "error_pct", c->error_pct);
	json_member_string(b, "role", repro_role_name(c->role));
	if (repro_cell_bounds(c)) {
		add_number(b, "low", c->low);
		add_number(b, "high", c->high);
	}
	if (!isnan(c->min)) {
		add_number(b, "min", c->min);
		add_number(b, "max", c->max);
	}
	if (c->note)
		json_member_string(b, "note", c->note);
	if (c->failure)
		json_member_string(b, "failed", c->failure);
}

static void add_cell(JsonBuilder *b, const struct repro_cell *c)
{
	json_builder_begin_object(b);
	json_member_string(b, "experiment", c->metric->experiment);
	json_member_string(b, "metric", c->name);
	json_builder_set_member_name(b, "io_bytes");
	if (c->io_bytes < 0)
		json_builder_add_null_value(b);
	else
		json_builder_add_int_value(b, c->io_bytes);
	json_member_string(b, "variant", c->variant);
	json_member_string(b, "unit", c->unit);
	json_member_string(b, "stat", c->stat);
	add_figures(b, c);
	json_builder_end_object(b);
}

static void add_summary(JsonBuilder *b, const struct repro_results *r)
{
	struct repro_summary sum;

	repro_summarize(r->cells, &sum);
	json_builder_set_member_name(b, "summary");
	json_builder_begin_object(b);
	json_member_int(b, "cells", sum.cells);
	json_member_int(b, "calibrated", sum.calibrated);
	json_member_int(b, "predicted", sum.predicted);
	add_number(b, "median_abs_error_pct", sum.median_abs_error_pct);
	add_number(b, "worst_abs_error_pct", sum.worst_abs_error_pct);
	json_member_int(b, "failed", sum.failed);
	json_member_int(b, "seeds", r->plan->nr_seeds);
	json_builder_end_object(b);
}

static void add_calibrated(JsonBuilder *b, const struct repro_series *s)
{
	for (unsigned int i = 0; i < s->calibrated->len; i++) {
		const struct repro_calibrated *c = s->calibrated->pdata[i];

		json_builder_begin_object(b);
		json_member_string(b, "series", s->name);
		json_member_string(b, "key", c->key);
		json_member_string(b, "value", c->value);
		json_builder_set_member_name(b, "cells");
		json_builder_begin_array(b);
		for (char **cell = c->cells; *cell; cell++)
			json_builder_add_string_value(b, *cell);
		json_builder_end_array(b);
		json_builder_end_object(b);
	}
}

void repro_print_json(const struct repro_results *r)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "cells");
	json_builder_begin_array(b);
	for (unsigned int i = 0; i < r->cells->len; i++)
		add_cell(b, r->cells->pdata[i]);
	json_builder_end_array(b);
	add_summary(b, r);
	json_builder_set_member_name(b, "calibrated");
	json_builder_begin_array(b);
	for (unsigned int i = 0; i < r->series->len; i++)
		add_calibrated(b, r->series->pdata[i]);
	json_builder_end_array(b);
	json_builder_set_member_name(b, "shortfalls");
	json_builder_begin_array(b);
	for (unsigned int i = 0; i < r->shortfalls->len; i++)
		json_builder_add_string_value(b, r->shortfalls->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
	cmd_print_json(json_builder_get_root(b));
}

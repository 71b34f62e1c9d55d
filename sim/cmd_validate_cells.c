/*
 * sim/cmd_validate_cells.c - see sim/cmd_validate_cells.h.
 *
 * The summary is over cells that were predicted: what the replay was given says nothing of a model.
 * An observed 0 has no error in percent: the cell is right when the simulated value is 0 as well,
 * or within a tolerance in units.
 *
 * I1  a cell without a gate has no verdict.
 */
#include "sim/cmd_validate_cells.h"

#include <math.h>
#include <stdio.h>

#include "sim/json_member.h"
#include "sim/op.h"

static void metric_clear(gpointer p)
{
	g_free(((struct metric *)p)->name);
}

GArray *metrics_new(void)
{
	GArray *metrics = g_array_new(FALSE, FALSE, sizeof(struct metric));

	g_array_set_clear_func(metrics, metric_clear);
	return metrics;
}

void metrics_add(GArray *metrics, double value, const char *unit, const char *stat,
		 const char *format, ...)
{
	struct metric *m;
	va_list ap;

	g_array_set_size(metrics, metrics->len + 1);
	m = &g_array_index(metrics, struct metric, metrics->len - 1);
	va_start(ap, format);
	*m = (struct metric){
		.name = g_strdup_vprintf(format, ap), .unit = unit, .stat = stat, .value = value};
	va_end(ap);
}

const struct metric *metrics_find(const GArray *metrics, const char *name)
{
	for (guint i = 0; i < metrics->len; i++) {
		const struct metric *m = &g_array_index(metrics, struct metric, i);

		if (g_str_equal(m->name, name))
			return m;
	}
	return NULL;
}

bool tolerance_parse(const char *text, struct tolerance *t, GError **err)
{
	char *end;

	t->value = g_ascii_strtod(text, &end);
	t->percent = *end == '%';
	if (end > text && end[t->percent] == '\0' && isfinite(t->value) && t->value >= 0)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "\"%s\": expected a tolerance in percent (5%%) or in units (12)", text);
	return false;
}

static void cell_clear(gpointer p)
{
	struct cell *c = p;

	g_free(c->experiment);
	g_free(c->metric);
	g_free(c->variant);
}

GArray *cells_new(void)
{
	GArray *cells = g_array_new(FALSE, TRUE, sizeof(struct cell));

	g_array_set_clear_func(cells, cell_clear);
	return cells;
}

/* Error in percent of the observed value into *@pct; false where that is 0 and the simulated value
 * is not. */
static bool cell_error(const struct cell *c, double *pct)
{
	if (c->observed == 0 && c->simulated != 0)
		return false;
	*pct = c->observed == 0 ? 0 : 100 * (c->simulated - c->observed) / c->observed;
	return true;
}

enum verdict cell_verdict(const struct cell *c)
{
	double pct;
	bool ok;

	if (!c->gated)
		return VERDICT_NONE;
	if (c->tolerance.percent)
		ok = cell_error(c, &pct) && fabs(pct) <= c->tolerance.value;
	else
		ok = fabs(c->simulated - c->observed) <= c->tolerance.value;
	return ok ? VERDICT_OK : VERDICT_OFF;
}

/* Whole numbers without a point. */
static void format_value(char text[32], double value)
{
	if (value == floor(value) && fabs(value) < 1e15)
		g_snprintf(text, 32, "%.0f", value);
	else
		g_snprintf(text, 32, fabs(value) < 100 ? "%.3f" : "%.1f", value);
}

static void print_cell(const struct cell *c)
{
	static const char *const verdicts[] = {"", "ok", "OFF"};
	char simulated[32], observed[32], error[32] = "-", tolerance[32] = "-";
	const char *verdict = c->input ? "input" : verdicts[cell_verdict(c)];
	double pct;

	format_value(simulated, c->simulated);
	format_value(observed, c->observed);
	if (cell_error(c, &pct))
		g_snprintf(error, sizeof(error), "%+.2f%%", pct);
	if (c->gated)
		g_snprintf(tolerance, sizeof(tolerance), "%g%s", c->tolerance.value,
			   c->tolerance.percent ? "%" : "");
	if (c->input && cell_verdict(c) == VERDICT_OFF)
		verdict = verdicts[VERDICT_OFF];
	g_autofree char *name = g_strdup_printf("%s %s", c->metric, c->stat);

	printf("  %-44s %-8s %14s %14s %10s %9s  %s\n", name, c->unit, simulated, observed, error,
	       tolerance, verdict);
}

void cells_print(const char *experiment, const GArray *cells)
{
	unsigned int gated = 0, met = 0;

	printf("%s\n  %-44s %-8s %14s %14s %10s %9s  %s\n", experiment, "metric", "unit",
	       "simulated", "observed", "error", "tolerance", "verdict");
	for (guint i = 0; i < cells->len; i++) {
		const struct cell *c = &g_array_index(cells, struct cell, i);

		if (!g_str_equal(c->experiment, experiment))
			continue;
		print_cell(c);
		gated += c->gated;
		met += cell_verdict(c) == VERDICT_OK;
	}
	printf("  %u of %u gated cells within their tolerance\n", met, gated);
}

static void member_number(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	if (value == floor(value) && fabs(value) < 1e15)
		json_builder_add_int_value(b, (gint64)value);
	else
		json_builder_add_double_value(b, value);
}

static void json_gate(JsonBuilder *b, const struct cell *c)
{
	if (!c->gated)
		return;
	g_autofree char *text =
		g_strdup_printf("%g%s", c->tolerance.value, c->tolerance.percent ? "%" : "");

	json_member_string(b, "tolerance", text);
	json_member_string(b, "verdict", cell_verdict(c) == VERDICT_OK ? "ok" : "off");
}

static void json_cell(JsonBuilder *b, const struct cell *c)
{
	double pct;

	json_builder_begin_object(b);
	json_member_string(b, "experiment", c->experiment);
	json_member_string(b, "metric", c->metric);
	if (c->io_bytes)
		member_number(b, "io_bytes", (double)c->io_bytes);
	else
		json_member_null(b, "io_bytes");
	json_member_string(b, "variant", c->variant);
	json_member_string(b, "unit", c->unit);
	json_member_string(b, "stat", c->stat);
	member_number(b, "observed", c->observed);
	member_number(b, "simulated", c->simulated);
	if (cell_error(c, &pct))
		member_number(b, "error_pct", pct);
	else
		json_member_null(b, "error_pct");
	json_member_string(b, "role", c->input ? "input" : "predicted");
	json_gate(b, c);
	json_builder_end_object(b);
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median and largest of |error| over predicted cells that have one. */
static void json_errors(JsonBuilder *b, const GArray *cells)
{
	g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < cells->len; i++) {
		const struct cell *c = &g_array_index(cells, struct cell, i);
		double pct;

		if (c->input || !cell_error(c, &pct))
			continue;
		pct = fabs(pct);
		g_array_append_val(errors, pct);
	}
	if (!errors->len) {
		json_member_null(b, "median_abs_error_pct");
		json_member_null(b, "worst_abs_error_pct");
		return;
	}
	g_array_sort(errors, cmp_double);
	const double *sorted = (const double *)(void *)errors->data;
	guint n = errors->len;

	member_number(b, "median_abs_error_pct", (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
	member_number(b, "worst_abs_error_pct", sorted[n - 1]);
}

static void json_summary(JsonBuilder *b, const GArray *cells)
{
	guint predicted = 0, gated = 0, off = 0;

	for (guint i = 0; i < cells->len; i++) {
		const struct cell *c = &g_array_index(cells, struct cell, i);

		predicted += !c->input;
		gated += c->gated;
		off += cell_verdict(c) == VERDICT_OFF;
	}
	json_builder_set_member_name(b, "summary");
	json_builder_begin_object(b);
	member_number(b, "cells", cells->len);
	member_number(b, "calibrated", 0);
	member_number(b, "predicted", predicted);
	json_errors(b, cells);
	member_number(b, "gated", gated);
	member_number(b, "off", off);
	json_builder_end_object(b);
}

JsonNode *cells_json(const GArray *cells)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "cells");
	json_builder_begin_array(b);
	for (guint i = 0; i < cells->len; i++)
		json_cell(b, &g_array_index(cells, struct cell, i));
	json_builder_end_array(b);
	json_summary(b, cells);
	json_builder_end_object(b);
	return json_builder_get_root(b);
}

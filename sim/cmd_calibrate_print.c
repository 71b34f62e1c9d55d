/*
 * sim/cmd_calibrate_print.c - a fitted device as a section ready to use, with its residuals as
 * comments, or as JSON; see sim/cmd_calibrate.h.
 */
#include <string.h>

#include "sim/cmd_calibrate.h"
#include "sim/op.h"

static int compare_classes(const void *a, const void *b)
{
	const struct calib_class *x = *(const struct calib_class *const *)a;
	const struct calib_class *y = *(const struct calib_class *const *)b;

	if (x->kind != y->kind)
		return x->kind - y->kind;
	if (x->fua != y->fua)
		return x->fua - y->fua;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Observed classes by kind and size; free with g_ptr_array_unref(). */
static GPtrArray *sorted(const struct calib *c)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < c->classes->len; i++) {
		struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->n)
			g_ptr_array_add(list, k);
	}
	g_ptr_array_sort(list, compare_classes);
	return list;
}

static char *class_name(const struct calib_class *k)
{
	static const char *const names[] = {"read", "write", "flush", "discard"};
	GString *text = g_string_new(names[k->kind - OP_BIO_READ]);

	if (k->fua)
		g_string_append(text, " fua");
	if (k->size >= 1024)
		g_string_append_printf(text, " <=%" G_GINT64_FORMAT "K", k->size >> 10);
	else if (k->size)
		g_string_append_printf(text, " <=%" G_GINT64_FORMAT, k->size);
	if (k->depth)
		g_string_append_printf(text, " depth %u", k->depth);
	return g_string_free(text, FALSE);
}

static double us(int64_t ns)
{
	return (double)ns / 1000;
}

static void append_class(GString *text, const struct calib_class *k)
{
	g_autofree char *name = class_name(k);

	g_string_append_printf(text, "# %-22s %9" G_GUINT64_FORMAT, name, k->n);
	for (unsigned int q = Q_P50; q < Q_NR; q += Q_P99 - Q_P50) {
		double seen = us(k->observed[q]), got = us(k->simulated[q]);

		if (k->nr_simulated && seen > 0)
			g_string_append_printf(text, "  %10.1f %10.1f %+7.1f%%", seen, got,
					       100 * (got - seen) / seen);
		else
			g_string_append_printf(text, "  %10.1f %10s %8s", seen, "-", "-");
	}
	g_string_append_c(text, '\n');
}

/* File names may hold anything; a comment is one line. */
static void append_source(GString *text, const struct calib *c)
{
	g_string_append_printf(text, "# f2sim calibrate, [device] model = %s, from", c->model);
	for (unsigned int i = 0; c->paths[i]; i++) {
		g_autofree char *name = g_path_get_basename(c->paths[i]);
		g_autofree char *shown = cmd_printable(name);

		g_string_append_printf(text, " %s", shown);
	}
	g_string_append_c(text, '\n');
	if (g_str_equal(c->grade, "E"))
		g_string_append(text, "# An iolog holds no completions: gaps between ops are taken "
				      "as latencies.\n");
}

char *calib_text(const struct calib *c, const GArray *keys)
{
	g_autoptr(GPtrArray) classes = sorted(c);
	GString *text = g_string_new(NULL);

	append_source(text, c);
	g_string_append_printf(text,
			       "# Latency, us, observed and simulated under the same load%s:\n",
			       c->closed ? " (closed loop)" : "");
	g_string_append_printf(text, "# %-22s %9s  %10s %10s %8s  %10s %10s %8s\n", "class",
			       "count", "p50", "simulated", "error", "p99", "simulated", "error");
	for (guint i = 0; i < classes->len; i++)
		append_class(text, classes->pdata[i]);
	g_string_append_printf(text, "[device]\nmodel = %s\n", c->model);
	for (guint i = 0; i < keys->len; i++) {
		const struct calib_key *k = &g_array_index(keys, struct calib_key, i);

		g_string_append_printf(text, "%s = %s %s\n", k->name, k->value, k->why);
	}
	return g_string_free(text, FALSE);
}

static void json_class(JsonBuilder *b, const struct calib_class *k)
{
	g_autofree char *name = class_name(k);

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "class");
	json_builder_add_string_value(b, name);
	json_builder_set_member_name(b, "count");
	json_builder_add_int_value(b, (gint64)k->n);
	for (unsigned int side = 0; side < 2; side++) {
		json_builder_set_member_name(b, side ? "simulated_ns" : "observed_ns");
		if (side && !k->nr_simulated) {
			json_builder_add_null_value(b);
			continue;
		}
		json_builder_begin_object(b);
		for (unsigned int q = 0; q < Q_NR; q++) {
			json_builder_set_member_name(b, calib_quantile_names[q]);
			json_builder_add_int_value(b, side ? k->simulated[q] : k->observed[q]);
		}
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

JsonNode *calib_json(const struct calib *c, const GArray *keys)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(GPtrArray) classes = sorted(c);

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "device");
	json_builder_begin_object(b);
	json_builder_set_member_name(b, "model");
	json_builder_add_string_value(b, c->model);
	for (guint i = 0; i < keys->len; i++) {
		json_builder_set_member_name(b, g_array_index(keys, struct calib_key, i).name);
		json_builder_add_string_value(b, g_array_index(keys, struct calib_key, i).value);
	}
	json_builder_end_object(b);
	json_builder_set_member_name(b, "grade");
	json_builder_add_string_value(b, c->grade);
	json_builder_set_member_name(b, "classes");
	json_builder_begin_array(b);
	for (guint i = 0; i < classes->len; i++)
		json_class(b, classes->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
	return json_builder_get_root(b);
}

/*
 * sim/cmd_convert.c - `f2sim convert CAPTURE... OUT`: captures as ops in another form.
 *
 * Several captures become one stream in time order.  OUT appears whole or not at all (standard
 * output cannot take back what it was given).  Ops the form has no words for are counted by kind
 * and told.
 */
#include "sim/cmd.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "sim/progress.h"
#include "traces/paths.h"
#include "traces/writer.h"

static void describe(GString *text)
{
	g_string_append(text,
			"OUT is a file, or - for standard output (--to is needed then).  Forms "
			"for --to:");
	for (unsigned int i = 0; writer_formats[i]; i++)
		g_string_append_printf(text, " %s", writer_formats[i]->name);
	g_string_append(text, "\n\n");
	capture_options_describe(text);
}

/* The form that OUT's extension names; NULL with *@err. */
static const char *form_of(const char *out, GError **err)
{
	const char *dot = strrchr(out, '.');

	for (unsigned int i = 0; dot && writer_formats[i]; i++)
		if (!strcmp(writer_formats[i]->name, dot + 1))
			return writer_formats[i]->name;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: its extension names no form; say --to iolog, ops or csv", out);
	return NULL;
}

static bool same_file(const char *a, const char *b)
{
	GStatBuf x, y;

	return g_stat(a, &x) == 0 && g_stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool check_out(const char *out, const GPtrArray *groups, bool json, GError **err)
{
	if (json && !strcmp(out, "-")) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "--json and the ops cannot both go to standard output");
		return false;
	}
	if (g_file_test(out, G_FILE_TEST_IS_DIR)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: a folder, expected a file to write", out);
		return false;
	}
	for (guint i = 0; i < groups->len; i++)
		for (char **path = g_ptr_array_index(groups, i); *path; path++)
			if (same_file(*path, out)) {
				g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
					    "%s: is an input too, will not overwrite it", out);
				return false;
			}
	return true;
}

/* What became of the ops. */
struct outcome {
	uint64_t written;
	uint64_t unexpressed[OP_NR_KINDS];
};

static void warn_unexpressed(const char *form, const struct outcome *o)
{
	g_autoptr(GString) list = g_string_new(NULL);

	for (unsigned int i = 0; i < OP_NR_KINDS; i++)
		if (o->unexpressed[i])
			g_string_append_printf(list, "%s %" G_GUINT64_FORMAT " %s",
					       list->len ? "," : "", o->unexpressed[i],
					       op_kind_name((enum op_kind)i));
	if (list->len)
		cmd_warn("%s has no words for some ops, left out:%s", form, list->str);
}

static void print_json(const char *out, const char *form, const struct outcome *o)
{
	g_autofree char *valid = g_utf8_make_valid(out, -1);
	JsonObject *root = json_object_new(), *left_out = json_object_new();
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);

	json_object_set_string_member(root, "out", valid);
	json_object_set_string_member(root, "form", form);
	json_object_set_int_member(root, "written", (int64_t)o->written);
	for (unsigned int i = 0; i < OP_NR_KINDS; i++)
		if (o->unexpressed[i])
			json_object_set_int_member(left_out, op_kind_name((enum op_kind)i),
						   (int64_t)o->unexpressed[i]);
	json_object_set_object_member(root, "unexpressed", left_out);
	json_node_take_object(node, root);
	cmd_print_json(node);
}

static bool copy(struct trace *t, struct writer *w, struct outcome *o, struct progress *progress,
		 GError **err)
{
	GError *failed = NULL;
	struct op op;

	while (trace_next(t, &op, &failed)) {
		uint64_t before = w->unexpressed;

		if (!writer_op(w, &op, err))
			return false;
		o->unexpressed[op.kind] += w->unexpressed - before;
		progress_tick(progress);
	}
	if (failed)
		g_propagate_error(err, failed);
	o->written = w->written;
	return !failed;
}

static bool copy_and_commit(struct trace *t, const char *form, const char *out, struct outcome *o,
			    const GPtrArray *groups, GError **err)
{
	struct writer *w = writer_new(form, out, err);

	if (!w)
		return false;
	struct progress *progress = progress_new(groups);
	bool ok = copy(t, w, o, progress, err);

	progress_free(progress);
	if (ok)
		return writer_commit(w, NULL, err);
	writer_abort(w);
	return false;
}

/* @args are the captures and, last, OUT. */
static bool convert(char **args, const struct trace_opts *opts, const char *form, bool json,
		    GError **err)
{
	unsigned int last = g_strv_length(args) - 1;
	g_autofree char *out = g_steal_pointer(&args[last]);
	g_autoptr(GPtrArray) groups = paths_group((const char *const *)args, err);
	struct outcome o = {0};

	if (!groups || !check_out(out, groups, json, err))
		return false;
	if (!form)
		form = form_of(out, err);
	struct trace *t = form ? trace_open((const char *const *)args, opts, err) : NULL;

	if (!t)
		return false;
	bool ok = copy_and_commit(t, form, out, &o, groups, err);

	if (ok) {
		cmd_warn_twice(groups);
		cmd_warn_trace(t);
		warn_unexpressed(form, &o);
		if (json)
			print_json(out, form, &o);
		else if (strcmp(out, "-"))
			printf("%s: %" G_GUINT64_FORMAT " ops\n", out, o.written);
	}
	trace_close(t);
	return ok;
}

static int run(int argc, char **argv, GError **err)
{
	struct capture_options capture = {0};
	g_autofree char *form = NULL;
	gboolean json = FALSE;
	const GOptionEntry options[] = {
		{"to", 0, 0, G_OPTION_ARG_FILENAME, &form,
		 "Write this form instead of the one OUT's extension names", "FORM"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the counts as JSON", NULL},
		CAPTURE_OPTION_ENTRIES(&capture),
		G_OPTION_ENTRY_NULL,
	};
	struct trace_opts opts;
	g_auto(GStrv) args = NULL;
	bool ok = cmd_parse(&cmd_convert, argc, argv, options, &args, err);

	if (ok && args)
		ok = capture_options_apply(&capture, OP_CLASS_ALL, &opts, err) &&
		     convert(args, &opts, form, json, err);
	capture_options_clear(&capture);
	return ok ? 0 : -1;
}

const struct command cmd_convert = {
	.name = "convert",
	.args = "CAPTURE... OUT",
	.summary = "Write captures as fio iolog, op text or csv",
	.min_args = 2,
	.max_args = UINT_MAX,
	.describe = describe,
	.run = run,
};

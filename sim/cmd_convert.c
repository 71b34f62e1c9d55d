/*
 * sim/cmd_convert.c - `f2sim convert CAPTURE... OUT`: captures as ops in another form.
 *
 * Several captures become one stream in time order.  OUT appears whole or not at all (standard
 * output cannot take back what it was given).  Ops the form has no words for are counted by kind
 * and told.
 *
 * A kernel trace shows the same bytes twice: as file ops and as the block ops they became.  An
 * iolog, which fio replays, gets one of the two (--level): file ops where the first LOOK_AHEAD ops
 * have one that can be placed, else block ops.  Ops are held back until that is known, because a
 * pipe cannot be read twice.
 */
#include "sim/cmd.h"

#include <stdio.h>
#include <string.h>

#include "sim/input.h"
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

static bool check_out(const char *out, const GPtrArray *groups, bool json, GError **err)
{
	static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst", ".lz4"};

	if (json && !strcmp(out, "-")) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "--json and the ops cannot both go to standard output");
		return false;
	}
	for (unsigned int i = 0; i < G_N_ELEMENTS(packed); i++)
		if (g_str_has_suffix(out, packed[i])) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: would hold plain text under the name of a packed file; "
				    "leave %s off, or write - and pack that",
				    out, packed[i]);
			return false;
		}
	for (guint i = 0; i < groups->len; i++)
		if (!input_check_out(g_ptr_array_index(groups, i), out, err))
			return false;
	return true;
}

#define LOOK_AHEAD 262144u /* ops, 20 MiB of them */

enum level { LEVEL_FILE, LEVEL_BLOCK, LEVEL_ALL, LEVEL_AUTO };

static const char *const level_names[] = {"file", "block", "all"};

/* What became of the ops. */
struct outcome {
	enum level level; /* LEVEL_AUTO until it is decided */
	GArray *held;	  /* struct op, while it is not */
	uint64_t written;
	uint64_t unexpressed[OP_NR_KINDS], left_out[OP_NR_KINDS];
};

/* Did a task ask for it?  The discards of an iolog or a fio job name a file. */
static bool is_file_level(const struct op *op)
{
	return op_class(op->kind) == OP_CLASS_FILE || (op->kind == OP_DISCARD && op->ino);
}

static bool is_taken(enum level level, const struct op *op)
{
	if (level == LEVEL_ALL)
		return true;
	return level == LEVEL_FILE ? is_file_level(op)
				   : op_class(op->kind) == OP_CLASS_BLOCK && !is_file_level(op);
}

/* "3 read, 4 write"; NULL when there are none. */
static char *list_kinds(const uint64_t counts[OP_NR_KINDS])
{
	GString *list = g_string_new(NULL);

	for (unsigned int i = 0; i < OP_NR_KINDS; i++)
		if (counts[i])
			g_string_append_printf(list, "%s%" G_GUINT64_FORMAT " %s",
					       list->len ? ", " : "", counts[i],
					       op_kind_name((enum op_kind)i));
	return g_string_free(list, !list->len);
}

static void warn_missing(const char *form, const struct outcome *o)
{
	g_autofree char *unexpressed = list_kinds(o->unexpressed);
	g_autofree char *left_out = list_kinds(o->left_out);

	if (unexpressed)
		cmd_warn("%s has no words for some ops, left out: %s", form, unexpressed);
	if (left_out)
		cmd_warn("%s holds the %s ops, left out: %s (--level chooses)", form,
			 level_names[o->level], left_out);
}

static void add_kinds(JsonObject *root, const char *name, const uint64_t counts[OP_NR_KINDS])
{
	JsonObject *kinds = json_object_new();

	for (unsigned int i = 0; i < OP_NR_KINDS; i++)
		if (counts[i])
			json_object_set_int_member(kinds, op_kind_name((enum op_kind)i),
						   (int64_t)counts[i]);
	json_object_set_object_member(root, name, kinds);
}

static void print_json(const char *out, const char *form, const struct outcome *o)
{
	g_autofree char *valid = g_utf8_make_valid(out, -1);
	JsonObject *root = json_object_new();
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);

	json_object_set_string_member(root, "out", valid);
	json_object_set_string_member(root, "form", form);
	json_object_set_string_member(root, "level", level_names[o->level]);
	json_object_set_int_member(root, "written", (int64_t)o->written);
	add_kinds(root, "unexpressed", o->unexpressed);
	add_kinds(root, "left_out", o->left_out);
	json_node_take_object(node, root);
	cmd_print_json(node);
}

static bool put(struct writer *w, struct outcome *o, const struct op *op, GError **err)
{
	uint64_t before = w->unexpressed;

	if (!is_taken(o->level, op)) {
		o->left_out[op->kind]++;
		return true;
	}
	if (!writer_op(w, op, err))
		return false;
	o->unexpressed[op->kind] += w->unexpressed - before;
	return true;
}

/* The level is known: what was held back goes its way. */
static bool decide(struct writer *w, struct outcome *o, enum level level, GError **err)
{
	bool ok = true;

	o->level = level;
	for (guint i = 0; ok && i < o->held->len; i++)
		ok = put(w, o, &g_array_index(o->held, struct op, i), err);
	g_array_set_size(o->held, 0);
	return ok;
}

/* Hold @op back, unless it or their number tells the level. */
static bool look_ahead(struct writer *w, struct outcome *o, const struct op *op, GError **err)
{
	bool placed = op->ino && !(op->flags & OP_UNBOUND);

	if (op_class(op->kind) != OP_CLASS_OBSERVED)
		g_array_append_vals(o->held, op, 1);
	else
		o->left_out[op->kind]++;
	if (is_file_level(op) && placed)
		return decide(w, o, LEVEL_FILE, err);
	return o->held->len < LOOK_AHEAD || decide(w, o, LEVEL_BLOCK, err);
}

static bool copy(struct trace *t, struct writer *w, struct outcome *o, struct progress *progress,
		 GError **err)
{
	GError *failed = NULL;
	struct op op;

	while (trace_next(t, &op, &failed)) {
		if (!(o->level == LEVEL_AUTO ? look_ahead : put)(w, o, &op, err))
			return false;
		progress_tick(progress);
	}
	if (failed)
		g_propagate_error(err, failed);
	else if (o->level == LEVEL_AUTO && !decide(w, o, LEVEL_BLOCK, err))
		return false;
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

/* @name as --level gives it (NULL = by @form); false with *@err. */
static bool find_level(const char *name, const char *form, enum level *level, GError **err)
{
	*level = strcmp(form, iolog_writer.name) ? LEVEL_ALL : LEVEL_AUTO;
	for (unsigned int i = 0; name && i < G_N_ELEMENTS(level_names); i++)
		if (!strcmp(level_names[i], name)) {
			*level = (enum level)i;
			return true;
		}
	if (!name)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "--level %s: unknown, expected file, block or all", name);
	return false;
}

/* @args are the captures and, last, OUT. */
static bool convert(char **args, const struct trace_opts *opts, const char *form, const char *level,
		    bool json, GError **err)
{
	unsigned int last = g_strv_length(args) - 1;
	g_autofree char *out = g_steal_pointer(&args[last]);
	g_autoptr(GPtrArray) groups = paths_group((const char *const *)args, err);
	struct outcome o = {0};

	if (!groups || !check_out(out, groups, json, err))
		return false;
	if (!form)
		form = form_of(out, err);
	if (!form || !find_level(level, form, &o.level, err))
		return false;
	struct trace *t = trace_open((const char *const *)args, opts, err);

	if (!t)
		return false;
	o.held = g_array_new(FALSE, FALSE, sizeof(struct op));
	bool ok = copy_and_commit(t, form, out, &o, groups, err);

	g_array_unref(o.held);
	if (ok) {
		cmd_warn_twice(groups);
		cmd_warn_trace(t);
		warn_missing(form, &o);
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
	g_autofree char *form = NULL, *level = NULL;
	gboolean json = FALSE;
	const GOptionEntry options[] = {
		{"to", 0, 0, G_OPTION_ARG_FILENAME, &form,
		 "Write this form instead of the one OUT's extension names", "FORM"},
		{"level", 0, 0, G_OPTION_ARG_FILENAME, &level,
		 "Take file ops, block ops or all (iolog: file ops if there are any, else block)",
		 "file|block|all"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the counts as JSON", NULL},
		CAPTURE_OPTION_ENTRIES(&capture),
		G_OPTION_ENTRY_NULL,
	};
	struct trace_opts opts;
	g_auto(GStrv) args = NULL;
	bool ok = cmd_parse(&cmd_convert, argc, argv, options, &args, err);

	if (ok && args)
		ok = capture_options_apply(&capture, OP_CLASS_ALL, &opts, err) &&
		     convert(args, &opts, form, level, json, err);
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

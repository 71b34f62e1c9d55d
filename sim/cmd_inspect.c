/*
 * sim/cmd_inspect.c - `f2sim inspect CAPTURE...`: what is in a capture and what it can drive.
 *
 * Captures are read one after the other, each on its own account, so that a thousand of them cost
 * the memory and the descriptors of one.  Nothing is printed before all were read to their end.
 */
#include "sim/cmd.h"

#include <stdio.h>

#include "sim/inspect.h"
#include "sim/progress.h"
#include "traces/paths.h"

/* Where the captures' descriptions collect: one of the two is set. */
struct sink {
	JsonBuilder *json;
	GString *text;
};

static bool read_all(struct trace *t, struct inspect *in, struct progress *progress, GError **err)
{
	GError *failed = NULL;
	struct op op;

	while (trace_next(t, &op, &failed)) {
		inspect_op(in, &op);
		progress_tick(progress);
	}
	if (failed)
		g_propagate_error(err, failed);
	return !failed;
}

static bool inspect_reader(struct trace *t, struct sink *to, struct progress *progress,
			   GError **err)
{
	struct inspect in;
	bool ok;

	inspect_init(&in);
	ok = read_all(t, &in, progress, err);
	if (ok && to->json)
		inspect_json(to->json, trace_info(t), &in);
	if (ok && to->text) {
		if (to->text->len)
			g_string_append_c(to->text, '\n');
		inspect_print(to->text, trace_info(t), &in);
	}
	inspect_fini(&in);
	return ok;
}

/* A group whose format keeps one file a capture comes as several readers. */
static bool inspect_group(const char *const *paths, const struct trace_opts *opts, struct sink *to,
			  struct progress *progress, GError **err)
{
	struct trace *t = trace_open_group(paths, opts, err);
	unsigned int n = 1;
	bool ok = t != NULL;

	if (!t)
		return false;
	struct trace *const *readers = t->ops->children ? t->ops->children(t, &n) : &t;

	for (unsigned int i = 0; i < n && ok; i++)
		ok = inspect_reader(readers[i], to, progress, err);
	if (ok && to->text)
		cmd_warn_trace(t);
	trace_close(t);
	return ok;
}

static bool inspect_groups(const char *const *args, const struct trace_opts *opts, struct sink *to,
			   GError **err)
{
	g_autoptr(GPtrArray) groups = paths_group(args, err);
	bool ok = groups != NULL;

	if (!groups)
		return false;
	struct progress *progress = progress_new(groups);

	for (guint i = 0; i < groups->len && ok; i++)
		ok = inspect_group(g_ptr_array_index(groups, i), opts, to, progress, err);
	progress_free(progress);
	return ok;
}

static bool inspect_text(const char *const *args, const struct trace_opts *opts, GError **err)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct sink to = {.text = text};

	if (!inspect_groups(args, opts, &to, err))
		return false;
	fputs(text->str, stdout);
	return true;
}

static bool inspect_to_json(const char *const *args, const struct trace_opts *opts, GError **err)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	struct sink to = {.json = b};

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "captures");
	json_builder_begin_array(b);
	if (!inspect_groups(args, opts, &to, err))
		return false;
	json_builder_end_array(b);
	json_builder_end_object(b);
	cmd_print_json(json_builder_get_root(b));
	return true;
}

static int run(int argc, char **argv, GError **err)
{
	struct capture_options capture = {0};
	gboolean json = FALSE;
	const GOptionEntry options[] = {
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON instead of a table", NULL},
		CAPTURE_OPTION_ENTRIES(&capture),
		G_OPTION_ENTRY_NULL,
	};
	struct trace_opts opts;
	g_auto(GStrv) args = NULL;
	bool ok = cmd_parse(&cmd_inspect, argc, argv, options, &args, err);

	if (ok && args) {
		const char *const *paths = (const char *const *)args;

		ok = capture_options_apply(&capture, OP_CLASS_ALL, &opts, err) &&
		     (json ? inspect_to_json : inspect_text)(paths, &opts, err);
	}
	capture_options_clear(&capture);
	return ok ? 0 : -1;
}

const struct command cmd_inspect = {
	.name = "inspect",
	.args = "CAPTURE...",
	.summary = "Tell what is in captures and what they can drive",
	.min_args = 1,
	.max_args = UINT_MAX,
	.describe = capture_options_describe,
	.run = run,
};

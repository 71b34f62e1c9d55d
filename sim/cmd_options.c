/*
 * sim/cmd_options.c - what the commands share: options, help, warnings, JSON on stdout.
 */
#include "sim/cmd.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static void usage_error(const struct command *cmd, GError **err, const char *what)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s; f2sim %s --help tells more",
		    cmd->name, what, cmd->name);
}

static GOptionContext *context_new(const struct command *cmd, const GOptionEntry *options,
				   gboolean *help)
{
	const GOptionEntry own[] = {
		{"help", 'h', 0, G_OPTION_ARG_NONE, help, "Print this and exit", NULL},
		G_OPTION_ENTRY_NULL,
	};
	g_autofree char *prgname = g_strconcat("f2sim ", cmd->name, NULL);
	GOptionContext *ctx = g_option_context_new(cmd->args);

	g_set_prgname(prgname);
	g_option_context_set_help_enabled(ctx, FALSE);
	g_option_context_set_summary(ctx, cmd->summary);
	g_option_context_add_main_entries(ctx, own, NULL);
	if (options)
		g_option_context_add_main_entries(ctx, options, NULL);
	if (cmd->describe) {
		g_autoptr(GString) text = g_string_new(NULL);

		cmd->describe(text);
		g_option_context_set_description(ctx, text->str);
	}
	return ctx;
}

/* Positional arguments: what the parser left behind the name, without a leading "--". */
static char **positional(char **left)
{
	GPtrArray *args = g_ptr_array_new();
	bool literal = false;

	for (unsigned int i = 1; left[i]; i++) {
		if (!literal && !strcmp(left[i], "--"))
			literal = true;
		else
			g_ptr_array_add(args, g_strdup(left[i]));
	}
	g_ptr_array_add(args, NULL);
	return (char **)g_ptr_array_free(args, FALSE);
}

static bool check_args(const struct command *cmd, const char *const *args, GError **err)
{
	unsigned int n = g_strv_length((char **)(uintptr_t)args);

	if (n >= cmd->min_args && n <= cmd->max_args) {
		if (!g_strv_contains(args, ""))
			return true;
		usage_error(cmd, err, "an argument is empty");
		return false;
	}
	g_autofree char *what =
		n < cmd->min_args
			? g_strdup_printf("expected %s", cmd->args)
			: g_strdup_printf("expected at most %u argument%s, got %u", cmd->max_args,
					  cmd->max_args == 1 ? "" : "s", n);
	usage_error(cmd, err, what);
	return false;
}

bool cmd_parse(const struct command *cmd, int argc, char **argv, const GOptionEntry *options,
	       char ***args, GError **err)
{
	gboolean help = FALSE;
	g_autoptr(GOptionContext) ctx = context_new(cmd, options, &help);
	g_autofree char **left = g_new0(char *, (gsize)argc + 1);
	g_autoptr(GError) bad = NULL;

	*args = NULL;
	memcpy(left, argv, (gsize)argc * sizeof(*left));
	if (!g_option_context_parse(ctx, &argc, &left, &bad)) {
		usage_error(cmd, err, bad->message);
		return false;
	}
	if (help) {
		g_autofree char *text = g_option_context_get_help(ctx, TRUE, NULL);

		fputs(text, stdout);
		return true;
	}
	*args = positional(left);
	if (check_args(cmd, (const char *const *)*args, err))
		return true;
	g_clear_pointer(args, g_strfreev);
	return false;
}

bool capture_options_apply(const struct capture_options *o, unsigned int want,
			   struct trace_opts *opts, GError **err)
{
	static const char *const units[] = {
		[TRACE_UNIT_NS] = "ns",
		[TRACE_UNIT_US] = "us",
		[TRACE_UNIT_MS] = "ms",
	};

	*opts = (struct trace_opts){.format = o->format, .want = want};
	if (!o->time_unit)
		return true;
	for (unsigned int i = TRACE_UNIT_NS; i <= TRACE_UNIT_MS; i++)
		if (!strcmp(units[i], o->time_unit)) {
			opts->time_unit = (enum trace_time_unit)i;
			return true;
		}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "--time-unit %s: unknown, expected ns, us or ms", o->time_unit);
	return false;
}

void capture_options_clear(struct capture_options *o)
{
	g_clear_pointer(&o->format, g_free);
	g_clear_pointer(&o->time_unit, g_free);
}

void capture_options_describe(GString *text)
{
	g_string_append(text,
			"CAPTURE is a file, plain or packed (.gz .xz .lz4 .zst), - for "
			"standard input, or the base name\nof a blktrace per-CPU set.  Formats "
			"for --format:\n");
	for (unsigned int i = 0; trace_formats[i]; i++)
		g_string_append_printf(text, "  %-10s %s\n", trace_formats[i]->name,
				       trace_formats[i]->summary);
}

char *cmd_printable(const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	for (char *c = valid; *c; c = g_utf8_next_char(c)) {
		gunichar u = g_utf8_get_char(c);

		if (u < 0x20 || u == 0x7f)
			*c = '?';
		else if (u >= 0x80 && u < 0xa0) /* as wide as U+00BF in UTF-8 */
			memcpy(c, "\u00bf", 2);
	}
	return valid;
}

void cmd_warn(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_autofree char *line = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_autofree char *shown = cmd_printable(line);

	fprintf(stderr, "f2sim: warning: %s\n", shown);
}

static void warn_count(const struct trace_info *info, uint64_t n, const char *what)
{
	if (n)
		cmd_warn("%s: %" G_GUINT64_FORMAT " %s", info->path, n, what);
}

static void warn_unknown(const struct trace_info *info)
{
	GHashTableIter it;
	void *count;
	uint64_t sum = 0;

	g_hash_table_iter_init(&it, info->unknown);
	while (g_hash_table_iter_next(&it, NULL, &count))
		sum += *(const uint64_t *)count;
	if (sum)
		cmd_warn("%s: %" G_GUINT64_FORMAT " events of %u kinds that f2sim does not know",
			 info->path, sum, g_hash_table_size(info->unknown));
}

static void warn_info(const struct trace_info *info)
{
	warn_count(info, info->lost, "events were lost when the capture was made");
	warn_unknown(info);
	warn_count(info, info->broken, "records could not be read");
	warn_count(info, info->unpaired, "events without their other half");
	warn_count(info, info->unbound, "file ops whose inode or position stayed unknown");
	warn_count(info, info->underflow, "counters below zero (printed as 2^64 - n)");
	warn_count(info, info->skewed, "records whose time stepped back");
	if (info->truncated)
		cmd_warn("%s: the end of the capture is cut off", info->path);
	for (guint i = 0; i < info->warnings->len; i++)
		cmd_warn("%s: %s", info->path, (const char *)g_ptr_array_index(info->warnings, i));
	warn_count(info, info->more_warnings, "more warnings of this kind");
}

void cmd_warn_trace(const struct trace *t)
{
	for (unsigned int i = 0; i < trace_nr_captures(t); i++)
		warn_info(trace_capture_info(t, i));
}

void cmd_warn_twice(const GPtrArray *groups)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GStatBuf st;

	for (guint i = 0; i < groups->len; i++)
		for (char **path = g_ptr_array_index(groups, i); *path; path++)
			if (g_stat(*path, &st) == 0 &&
			    !g_hash_table_add(seen, g_strdup_printf("%ju:%ju", (uintmax_t)st.st_dev,
								    (uintmax_t)st.st_ino)))
				cmd_warn("%s: given twice, its ops count twice", *path);
}

void cmd_print_json(JsonNode *root)
{
	g_autoptr(JsonGenerator) gen = json_generator_new();

	json_generator_set_pretty(gen, TRUE);
	json_generator_set_root(gen, root);
	json_node_unref(root);
	g_autofree char *text = json_generator_to_data(gen, NULL);

	puts(text);
}

/*
 * sim/inspect_print.c - one capture as a table for people.
 *
 * Names come out of the capture: control characters in them never reach a terminal.  Times are
 * printed with integer arithmetic only, so that no digit is made up.
 */
#include "sim/inspect.h"

#include "sim/cmd.h"

static void put_time(GString *text, int64_t ns)
{
	uint64_t abs_ns = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	g_string_append_printf(text, "%s%" G_GUINT64_FORMAT ".%09u s", ns < 0 ? "-" : "",
			       abs_ns / (uint64_t)NSEC_PER_SEC,
			       (unsigned int)(abs_ns % (uint64_t)NSEC_PER_SEC));
}

static void put_us(GString *text, int64_t ns)
{
	g_string_append_printf(text, " %10" G_GINT64_FORMAT ".%03d", ns / NSEC_PER_USEC,
			       (int)(ns % NSEC_PER_USEC));
}

static void print_head(GString *text, const struct trace_info *info, const struct inspect *in)
{
	g_autofree char *path = cmd_printable(info->path);

	g_string_append_printf(text, "%s: %s%s%s, %" G_GUINT64_FORMAT " records\n", path,
			       info->format, info->version ? " " : "",
			       info->version ? info->version : "", info->records);
	if (info->first_ns != OP_NO_TIME) {
		g_string_append(text, "  span        ");
		put_time(text, (int64_t)((uint64_t)info->last_ns - (uint64_t)info->first_ns));
		g_string_append(text, " (from ");
		put_time(text, info->first_ns);
		g_string_append(text, " to ");
		put_time(text, info->last_ns);
		g_string_append(text, ")\n");
	}
	g_string_append_printf(text, "  tasks       %u\n  inodes      %" G_GUINT64_FORMAT "\n",
			       g_hash_table_size(info->tasks), inspect_nr_inodes(in));
}

static void print_drives(GString *text, unsigned int drives)
{
	static const char *const what[] = {
		"file ops (replay)",
		"block requests (replay at the device, calibrate)",
		"observed effects (validate)",
	};
	const char *comma = "";

	g_string_append(text, "  can drive   ");
	for (unsigned int bit = 0; bit < G_N_ELEMENTS(what); bit++)
		if (drives & 1u << bit) {
			g_string_append_printf(text, "%s%s", comma, what[bit]);
			comma = ", ";
		}
	g_string_append(text, drives ? "\n" : "nothing\n");
}

static void print_count(GString *text, const char *label, uint64_t n)
{
	if (n)
		g_string_append_printf(text, "  %-11s %" G_GUINT64_FORMAT "\n", label, n);
}

static void print_account(GString *text, const struct trace_info *info)
{
	print_count(text, "lost", info->lost);
	print_count(text, "broken", info->broken);
	print_count(text, "unpaired", info->unpaired);
	print_count(text, "unbound", info->unbound);
	print_count(text, "underflow", info->underflow);
	print_count(text, "skewed", info->skewed);
	if (info->truncated)
		g_string_append(text, "  truncated   the end is cut off\n");
	if (info->has_pairs)
		g_string_append_printf(text,
				       "  pairs       %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT
				       " completed on another CPU)\n",
				       info->paired, info->cross_cpu);
}

static void print_ops(GString *text, const struct inspect *in)
{
	bool any = false;

	for (unsigned int i = 0; i < OP_NR_KINDS; i++) {
		const struct inspect_kind *kind = &in->kinds[i];

		if (!kind->count)
			continue;
		if (!any)
			g_string_append_printf(text, "  %-20s %12s %18s %12s\n", "op", "count",
					       "bytes", "dontcache");
		any = true;
		g_string_append_printf(text,
				       "  %-20s %12" G_GUINT64_FORMAT " %18" G_GUINT64_FORMAT
				       " %12" G_GUINT64_FORMAT "\n",
				       op_kind_name((enum op_kind)i), kind->count, kind->bytes,
				       kind->dontcache);
	}
}

/* One row of latencies; @*title, if there is one, goes above it and is gone. */
static void print_hist(GString *text, const char **title, const char *name, const struct hist *h)
{
	if (!h)
		return;
	if (*title)
		g_string_append_printf(text, "  %-20s %12s %14s %14s %14s %14s\n", *title, "count",
				       "mean", "p50", "p99", "max");
	*title = NULL;
	g_string_append_printf(text, "  %-20s %12" G_GUINT64_FORMAT, name, h->count);
	put_us(text, hist_mean(h));
	put_us(text, hist_percentile(h, 500000));
	put_us(text, hist_percentile(h, 990000));
	put_us(text, h->max);
	g_string_append_c(text, '\n');
}

static void print_latencies(GString *text, const struct inspect *in)
{
	const char *d2c = "D to C, us", *q2c = "Q to C, us";

	for (unsigned int i = 0; i < INSPECT_NR_DIRS; i++)
		print_hist(text, &d2c, inspect_dir_name(i), in->d2c[i]);
	print_hist(text, &q2c, "flush sequence", in->sequence);
}

static void print_cache(GString *text, const struct inspect *in)
{
	if (!in->added && !in->deleted)
		return;
	g_string_append_printf(text,
			       "  page cache  %" G_GINT64_FORMAT " pages added, %" G_GINT64_FORMAT
			       " deleted, %" G_GINT64_FORMAT " resident at the end\n",
			       in->added, in->deleted, in->added - in->deleted);
	if (in->sized)
		g_string_append_printf(text,
				       "  beyond EOF  %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
				       " pages added to files of known size\n",
				       in->beyond_eof, in->sized);
}

static void print_names(GString *text, const char *label, GHashTable *table)
{
	g_autofree const char **keys = inspect_sorted_keys(table);

	if (keys[0])
		g_string_append_printf(text, "  %-40s %12s\n", label, "count");
	for (unsigned int i = 0; keys[i]; i++) {
		g_autofree char *name = cmd_printable(keys[i]);

		g_string_append_printf(text, "  %-40s %12" G_GUINT64_FORMAT "\n", name,
				       *(const uint64_t *)g_hash_table_lookup(table, keys[i]));
	}
}

static void print_actions(GString *text, const struct trace_info *info)
{
	g_autofree const char **keys = inspect_sorted_keys(info->rwbs);
	char name[3];

	g_string_append(text, "  actions    ");
	for (unsigned int i = 0; i < G_N_ELEMENTS(info->actions); i++)
		if (info->actions[i]) {
			inspect_action_name(name, i);
			g_string_append_printf(text, " %s %" G_GUINT64_FORMAT, name,
					       info->actions[i]);
		}
	g_string_append_printf(text, "\n  %-20s %12s %18s\n", "action, rwbs", "count", "sectors");
	for (unsigned int i = 0; keys[i]; i++) {
		const struct trace_rwbs *entry = g_hash_table_lookup(info->rwbs, keys[i]);
		g_autofree char *key = cmd_printable(keys[i]);

		g_string_append_printf(text,
				       "  %-20s %12" G_GUINT64_FORMAT " %18" G_GUINT64_FORMAT "\n",
				       key, entry->count, entry->sectors);
	}
}

void inspect_print(GString *text, const struct trace_info *info, const struct inspect *in)
{
	print_head(text, info, in);
	print_drives(text, info->drives);
	print_account(text, info);
	print_cache(text, in);
	print_ops(text, in);
	print_latencies(text, in);
	if (info->has_actions)
		print_actions(text, info);
	print_names(text, "event", info->events);
	print_names(text, "unknown event", info->unknown);
}

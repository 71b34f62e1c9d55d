/*
 * traces/blkparse.c - blkparse's text: its default format, or one given as blkparse:'FORMAT'.
 *
 * Every event line is counted; requests come out of blkpair through a hold.  Text without event is
 * expected before the first event (messages of the program) and in the summary blocks, which begin
 * with an unindented "NAME (..)" line and last until the next event.  Anything else is a broken
 * line.
 *
 * The text has less than the binary capture: notify records are gone except for messages, times
 * count from the first event, a completion of a command has no size.
 *
 * Not modelled: gaps in the sequence column (texts are filtered by hand too often); "Skips" and the
 * report of dropped events are believed instead.
 */
#include <string.h>

#include "traces/blkline.h"
#include "traces/blkpair.h"
#include "traces/hold.h"
#include "traces/scan.h"
#include "traces/stream.h"
#include "traces/trace.h"

extern const struct trace_ops trace_blkparse;

#define PROBE_LINES 16

struct blkparse {
	struct trace trace;
	struct stream *stream;
	struct hold *hold;
	struct blkpair *pair;
	struct blk_format *format; /* NULL = the default one */
	int64_t last_ns;
	bool in_summary;
	bool ended;
};

/* Lines that blkparse and blktrace print around the events. */
static bool is_remark(const char *line)
{
	static const char *const starts[] = {
		"Input file ", "Throughput (", "Events (", "Skips: ", "You have ", "Consider ",
		"Trace ",      "=== ",	       "Device: ", "  CPU",   "  Total:",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		if (g_str_has_prefix(line, starts[i]))
			return true;
	return !line[strspn(line, " \t")];
}

/* "CPU0 (sda):", "Total (sda):", "fio (1234)" */
static bool begins_summary(const char *line)
{
	size_t len = strlen(line);
	const char *open = strrchr(line, '(');

	if (g_ascii_isspace(line[0]) || !open || open == line || open[-1] != ' ')
		return false;
	return line[len - 1] == ')' || g_str_has_suffix(line, "):");
}

static int blkparse_probe(const uint8_t *head, size_t n)
{
	g_autofree char *text = g_strndup((const char *)head, n);
	g_auto(GStrv) lines = g_strsplit(text, "\n", PROBE_LINES + 1);
	struct blk_line l;

	for (unsigned int i = 0; i < PROBE_LINES && lines[i]; i++) {
		g_strchomp(lines[i]);
		if (blk_line_parse(lines[i], &l))
			return 90;
		if (!is_remark(lines[i]))
			return 0;
	}
	return 0;
}

/* "Skips: 2 forward (17 -   0.3%)": 17 events lost; "You have 5 dropped events". */
static void count_lost(struct trace *t, const char *line)
{
	const char *p = line;
	uint64_t n = 0;

	if (g_str_has_prefix(line, "Skips: ")) {
		p = strchr(line, '(');
		p = p ? p + 1 : line;
	} else if (g_str_has_prefix(line, "You have ")) {
		p = line + strlen("You have ");
	} else {
		return;
	}
	if (!scan_number(&p, UINT64_MAX, &n) || !n)
		return;
	t->info.lost += n;
	trace_warn(t, "%" G_GUINT64_FORMAT " events lost: \"%s\"", n, line);
}

static bool parse_line(const struct blkparse *b, const char *line, struct blk_line *l)
{
	return b->format ? blk_format_parse(b->format, line, l) : blk_line_parse(line, l);
}

static void take_event(struct blkparse *b, const struct blk_line *l)
{
	struct trace *t = &b->trace;
	const struct blk_event *e = &l->event;

	t->info.records++;
	t->info.actions[(unsigned char)e->action]++;
	trace_count_rwbs(t, e->action, l->rwbs, e->passthrough ? 0 : e->bytes >> SECTOR_SHIFT);
	t->info.skewed += e->time_ns < b->last_ns;
	b->last_ns = e->time_ns;
	trace_seen(t, e->time_ns, e->action == 'C' || e->action == 'm' ? -1 : e->task);
	if (e->rwbs.unknown)
		trace_count(t->info.unknown, l->rwbs, 1);
	if (l->comm && e->action != 'C')
		trace_name_task(t, e->task, l->comm, l->comm_len);
	if (e->action != 'm')
		blkpair_event(b->pair, e);
}

/* Is @line, no event, one that may stand here? */
static bool take_remark(struct blkparse *b, const char *line)
{
	if (!b->format && blk_line_begins(line))
		return false;
	if (is_remark(line)) {
		count_lost(&b->trace, line);
		return true;
	}
	b->in_summary |= begins_summary(line);
	return b->in_summary;
}

static bool broken_line(struct blkparse *b, const char *line, GError **err)
{
	g_autofree char *start = g_strndup(line, 40);
	g_autofree char *shown = g_strescape(start, NULL);

	if (stream_cut(b->stream) && b->trace.info.records) {
		b->trace.info.truncated = true;
		b->trace.info.broken++;
		trace_warn(&b->trace, "the last line is cut short: \"%s\"", shown);
		return true;
	}
	trace_error_line(err, stream_path(b->stream), stream_line(b->stream),
			 "no blkparse line, expected %s (found \"%s\")",
			 b->format ? b->trace.opts.format
				   : "\"MAJ,MIN CPU SEQUENCE SEC.NSEC PID ACTION RWBS ..\"",
			 shown);
	return false;
}

/* Take one line; false at the end or with *@err. */
static bool take_line(struct blkparse *b, GError **err)
{
	size_t len;
	const char *line = stream_getline(b->stream, &len, err);
	struct blk_line l;

	if (!line)
		return false;
	if (parse_line(b, line, &l)) {
		b->in_summary = false;
		take_event(b, &l);
		return true;
	}
	return take_remark(b, line) || broken_line(b, line, err);
}

static void finish(struct blkparse *b)
{
	b->ended = true;
	if (stream_truncated(b->stream)) {
		b->trace.info.truncated = true;
		trace_warn(&b->trace, "the packed file ends early");
	}
	blkpair_end(b->pair);
}

static bool blkparse_next(struct trace *t, struct op *op, GError **err)
{
	struct blkparse *b = container_of(t, struct blkparse, trace);
	GError *failed = NULL;

	while (!hold_pop(b->hold, b->ended, op)) {
		if (b->ended)
			return false;
		if (take_line(b, &failed))
			continue;
		if (failed) {
			g_propagate_error(err, failed);
			return false;
		}
		finish(b);
	}
	return true;
}

static void blkparse_close(struct trace *t)
{
	struct blkparse *b = container_of(t, struct blkparse, trace);

	stream_close(b->stream);
	hold_free(b->hold);
	blkpair_free(b->pair);
	blk_format_free(b->format);
	trace_fini(t);
	g_free(b);
}

static struct trace *blkparse_open(const char *const *paths, const struct trace_opts *opts,
				   GError **err)
{
	const char *format = opts->format ? strchr(opts->format, ':') : NULL;
	struct blkparse *b = g_new0(struct blkparse, 1);

	trace_init(&b->trace, &trace_blkparse, opts, paths[0]);
	b->trace.info.has_actions = true;
	b->hold = hold_new();
	b->pair = blkpair_new(&b->trace, b->hold);
	if (format)
		b->format = blk_format_new(format + 1, err);
	if (!format || b->format)
		b->stream = stream_open(paths[0], err);
	if (b->stream)
		return &b->trace;
	blkparse_close(&b->trace);
	return NULL;
}

const struct trace_ops trace_blkparse = {
	.name = "blkparse",
	.summary = "text of blkparse, or of blkparse -f with blkparse:'FORMAT'",
	.probe = blkparse_probe,
	.open = blkparse_open,
	.next = blkparse_next,
	.close = blkparse_close,
	.takes_suffix = true,
};

/*
 * traces/ftrace.c - readers of ftrace text: `trace`, trace_pipe, `trace-cmd report`, a systrace
 * page (trace_ftrace) and perf script (trace_perf).  Both read either; the name follows the
 * content.
 *
 * Line by line: traces/ftrace_line.h splits, traces/ftrace_names.h counts, and where the wanted ops
 * ask for it traces/ftrace_event.h reads the body and traces/ftrace_ops.h makes ops of it.
 *
 * Every line is split and counted, whatever is wanted; bodies are read only for events that some
 * wanted op depends on.  That, names being interned, and what is known from earlier lines
 * (traces/ftrace_left.h, traces/ftrace_shape.h) makes the reader over ten times as fast as
 * `trace-cmd report`.
 *
 * Loss: "CPU:1 [LOST 17 EVENTS]" and its like add to info.lost and void what is open on that CPU;
 * the header's entries-written minus entries-in-buffer are events overwritten before the first.
 * A new "# tracer:" header inside the file is another capture behind the first: nothing open goes
 * on.  A systrace page is read inside <script class="trace-data"> only; what such a block holds
 * before its first event (a process table, JSON) is skipped.
 *
 * Lines that are none of ours end the read with an error, except at the very end of the file: there
 * they are a truncated tail.  An event whose body reads as no version of it is passed over and
 * counted in info.broken.
 */
#include "traces/ftrace.h"

#include <inttypes.h>
#include <string.h>

#include "traces/ftrace_line.h"
#include "traces/ftrace_ops.h"
#include "traces/ftrace_shape.h"
#include "traces/stream.h"

#define EXPECTED "expected \"comm-pid [cpu] flags seconds: event: ...\""
#define FAILED "[FAILED TO PARSE]"

struct ftrace {
	struct trace t;
	struct stream *stream;
	struct ftrace_names *names;
	struct ftrace_ops *ops;
	struct ftrace_shapes *shapes;
	struct ftrace_left left;
	int64_t last_ns;
	uint64_t undecoded; /* events trace-cmd could not print and that do not matter here */
	bool html;	    /* a systrace page: only its scripts are read */
	bool in_script;	    /* between trace-data and </script> */
	bool in_events;	    /* an event of this block was seen */
	bool ours;	    /* some line was ftrace */
	bool end;
};

struct trace *ftrace_open_stream(struct stream *s, const struct trace_ops *ops,
				 const struct trace_opts *opts, const char *path, GError **err)
{
	(void)err;
	struct ftrace *f = g_new0(struct ftrace, 1);
	trace_init(&f->t, ops, opts, path);
	f->stream = s;
	f->names = ftrace_names_new(&f->t.info);
	f->ops = ftrace_ops_new(&f->t);
	f->shapes = ftrace_shapes_new();
	f->last_ns = OP_NO_TIME;
	return &f->t;
}

static struct trace *ftrace_open(const struct trace_ops *ops, const char *const *paths,
				 const struct trace_opts *opts, GError **err)
{
	struct stream *s = stream_open(paths[0], err);

	return s ? ftrace_open_stream(s, ops, opts, paths[0], err) : NULL;
}

static struct trace *open_ftrace(const char *const *paths, const struct trace_opts *opts,
				 GError **err)
{
	return ftrace_open(&trace_ftrace, paths, opts, err);
}

static struct trace *open_perf(const char *const *paths, const struct trace_opts *opts,
			       GError **err)
{
	return ftrace_open(&trace_perf, paths, opts, err);
}

static void ftrace_close(struct trace *t)
{
	struct ftrace *f = container_of(t, struct ftrace, t);

	ftrace_ops_free(f->ops);
	ftrace_shapes_free(f->shapes);
	ftrace_names_free(f->names);
	stream_close(f->stream);
	trace_fini(t);
	g_free(f);
}

static void body_failed(struct ftrace *f, const struct ftrace_name *name)
{
	f->t.info.broken++;
	trace_warn(&f->t, "line %" PRId64 ": cannot read the fields of %s", stream_line(f->stream),
		   name->name);
}

/* A look at the names at every event would cost more than the event: one that is not among the
 * recent tasks is named again. */
static void name_task(struct ftrace *f, const struct ftrace_line *l)
{
	const int32_t *recent = f->t.recent_tasks;

	if (l->pid > 0 && recent[(size_t)l->pid % G_N_ELEMENTS(f->t.recent_tasks)] != l->pid)
		trace_name_task(&f->t, l->pid, l->comm, l->comm_len);
}

static void take_event(struct ftrace *f, const struct ftrace_line *l)
{
	struct ftrace_name *name =
		ftrace_names_get(f->names, l->name, l->name_len, (enum ftrace_spelling)l->kind);
	struct ftrace_event e;

	f->ours = f->in_events = true;
	f->t.info.records++;
	ftrace_names_count(f->names, name);
	name_task(f, l);
	trace_seen(&f->t, l->time_ns, l->pid > 0 ? l->pid : -1);
	if (l->time_ns < f->last_ns)
		f->t.info.skewed++;
	f->last_ns = l->time_ns;
	if (!ftrace_ops_wants(f->ops, name->id)) {
		f->undecoded +=
			l->body_len > strlen(FAILED) && !memcmp(l->body, FAILED, strlen(FAILED));
		return;
	}
	e.id = name->id;
	e.sys = name->sys;
	e.pid = l->pid;
	e.tgid = l->tgid;
	e.cpu = (uint16_t)l->cpu;
	e.time_ns = l->time_ns;
	if (ftrace_event_parse(f->shapes, &e, l->body, l->body_len))
		ftrace_ops_event(f->ops, &e);
	else
		body_failed(f, name);
}

/* "# entries-in-buffer/entries-written: 105/205   #P:8" */
static void take_header(struct ftrace *f, const char *text)
{
	static const char entries[] = "entries-in-buffer/entries-written:";
	const char *p = strstr(text, entries);
	uint64_t left, written;
	char *next;

	f->ours |= p || strstr(text, "# tracer:") || g_str_has_prefix(text, "cpus=");
	if (p) {
		left = g_ascii_strtoull(p + strlen(entries), &next, 10);
		written = *next == '/' ? g_ascii_strtoull(next + 1, NULL, 10) : left;
		f->t.info.lost += written > left ? written - left : 0;
	} else if (f->t.info.records && strstr(text, "# tracer:")) {
		ftrace_ops_end(f->ops);
	}
}

static void take_lost(struct ftrace *f, const struct ftrace_line *l)
{
	f->ours = true;
	f->t.info.lost += l->lost;
	if (!l->lost)
		trace_warn(&f->t,
			   "line %" PRId64 ": events of CPU %u are missing, how many is not told",
			   stream_line(f->stream), l->cpu);
	ftrace_ops_lost(f->ops, l->cpu);
}

/* A line that is nothing we know: the cut end of the file, or an error. */
static bool take_broken(struct ftrace *f, const char *text, GError **err)
{
	int64_t line = stream_line(f->stream);
	g_autofree char *shown = g_strndup(text, 60);
	GError *failed = NULL;
	size_t len;

	if (f->html && !f->in_events)
		return true;
	do
		text = stream_getline(f->stream, &len, &failed);
	while (text && len == 0);
	if (failed) {
		g_propagate_error(err, failed);
		return false;
	}
	if (text || !f->ours) {
		g_autofree char *clean = g_utf8_make_valid(shown, -1);

		trace_error_line(err, f->t.info.path, line, "not a line of ftrace: \"%s\" (%s)",
				 clean, EXPECTED);
		return false;
	}
	f->t.info.broken++;
	f->t.info.truncated = true;
	trace_warn(&f->t, "line %" PRId64 " is cut off", line);
	f->end = true;
	return true;
}

/* Keep only what of @text stands in a trace-data script; NULL: nothing. */
static char *html_part(struct ftrace *f, char *text, size_t *len)
{
	char *mark;

	if (!f->in_script) {
		mark = strstr(text, "class=\"trace-data\"");
		mark = mark ? strchr(mark, '>') : NULL;
		if (!mark)
			return NULL;
		f->in_script = true;
		f->in_events = false;
		text = mark + 1;
	}
	mark = strstr(text, "</script>");
	if (mark) {
		*mark = '\0';
		f->in_script = false;
	}
	*len = strlen(text);
	return text;
}

static bool is_html(const char *text)
{
	return !g_ascii_strncasecmp(text, "<!doctype html", 14) ||
	       !g_ascii_strncasecmp(text, "<html", 5);
}

static void take_end(struct ftrace *f)
{
	f->end = true;
	if (stream_truncated(f->stream)) {
		f->t.info.truncated = true;
		trace_warn(&f->t, "the packed data ends early");
	}
	if (f->undecoded)
		trace_warn(&f->t,
			   "%" PRIu64 " events that trace-cmd failed to parse are counted only",
			   f->undecoded);
	ftrace_ops_end(f->ops);
}

/* A last line without a newline.  Of packed data that ended early it is a fragment for sure. */
static bool take_cut(struct ftrace *f)
{
	if (!stream_truncated(f->stream)) {
		trace_warn(&f->t, "line %" PRId64 " has no newline: it may be cut",
			   stream_line(f->stream));
		return false;
	}
	f->t.info.broken++;
	return true;
}

/* Take one line; false on an error. */
static bool take_line(struct ftrace *f, GError **err)
{
	GError *failed = NULL;
	struct ftrace_line l;
	size_t len;
	char *text = stream_getline(f->stream, &len, &failed);

	if (failed) {
		g_propagate_error(err, failed);
		return false;
	}
	if (!text) {
		take_end(f);
		return true;
	}
	if (G_UNLIKELY(stream_cut(f->stream)) && take_cut(f))
		return true;
	if (G_UNLIKELY(*text == '<') && stream_line(f->stream) == 1)
		f->html = is_html(text);
	if (G_UNLIKELY(f->html) && !(text = html_part(f, text, &len)))
		return true;
	ftrace_line_split(&f->left, text, len, &l);
	switch (l.kind) {
	case FTRACE_LINE_EVENT:
	case FTRACE_LINE_ENTER:
	case FTRACE_LINE_EXIT:
		take_event(f, &l);
		return true;
	case FTRACE_LINE_HEADER:
		take_header(f, text);
		return true;
	case FTRACE_LINE_LOST:
		take_lost(f, &l);
		return true;
	default:
		break;
	}
	if (!take_broken(f, text, err))
		return false;
	if (f->end)
		take_end(f);
	return true;
}

static bool ftrace_next(struct trace *t, struct op *op, GError **err)
{
	struct ftrace *f = container_of(t, struct ftrace, t);

	while (!ftrace_ops_pop(f->ops, f->end, op))
		if (f->end || !take_line(f, err))
			return false;
	return true;
}

struct looks {
	unsigned int events, perf, broken;
	bool tracer; /* a header of ours */
};

static void look_at(const char *line, size_t len, struct looks *looks)
{
	struct ftrace_line l;

	ftrace_line_split(NULL, line, len, &l);
	looks->broken += l.kind == FTRACE_LINE_BROKEN;
	looks->tracer |= g_str_has_prefix(line, "# tracer:") || g_str_has_prefix(line, "cpus=");
	if (l.kind > FTRACE_LINE_EXIT)
		return;
	looks->events++;
	looks->perf += l.comm[l.comm_len] != '-';
}

static struct looks look(const uint8_t *head, size_t n)
{
	g_autofree char *text = g_strndup((const char *)head, n);
	struct looks looks = {0};

	for (char *line = text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else if (n >= 4096)
			break; /* may be cut by the window */
		g_strchomp(line);
		look_at(line, strlen(line), &looks);
	}
	return looks;
}

static int probe(const uint8_t *head, size_t n, bool perf)
{
	if (memchr(head, '\0', n))
		return 0;
	if (n > 16 && is_html((const char *)head))
		return perf ? 0 : 40;
	struct looks looks = look(head, n);
	if (looks.events <= looks.broken)
		return looks.tracer && !perf ? 60 : 0;
	if ((looks.perf * 2 > looks.events) != perf)
		return 0;
	return looks.broken ? 50 : 90;
}

static int probe_ftrace(const uint8_t *head, size_t n)
{
	return probe(head, n, false);
}

static int probe_perf(const uint8_t *head, size_t n)
{
	return probe(head, n, true);
}

const struct trace_ops trace_ftrace = {
	.name = "ftrace",
	.summary = "ftrace text: trace, trace_pipe, trace-cmd report, systrace",
	.probe = probe_ftrace,
	.open = open_ftrace,
	.next = ftrace_next,
	.close = ftrace_close,
};

const struct trace_ops trace_perf = {
	.name = "perf",
	.summary = "output of perf script",
	.probe = probe_perf,
	.open = open_perf,
	.next = ftrace_next,
	.close = ftrace_close,
};

/*
 * traces/line_reader.c - see traces/line_reader.h.
 */
#include "traces/line_reader.h"

#include <string.h>

#include "traces/field.h"
#include "traces/hold.h"

bool line_reader_init(struct line_reader *r, const struct trace_ops *ops, const char *path,
		      const struct trace_opts *opts, line_parser parse, GError **err)
{
	r->s = stream_open(path, err);
	if (!r->s)
		return false;
	r->hold = hold_new();
	r->parse = parse;
	trace_init(&r->trace, ops, opts, path);
	return true;
}

void line_reader_fini(struct line_reader *r)
{
	trace_fini(&r->trace);
	hold_free(r->hold);
	stream_close(r->s);
}

char *line_reader_header(struct line_reader *r, GError **err)
{
	size_t len;

	return stream_getline(r->s, &len, err);
}

void line_reader_push(struct line_reader *r, const struct op *op)
{
	static const unsigned int drives[] = {
		[OP_CLASS_FILE] = TRACE_DRIVES_FILE,
		[OP_CLASS_BLOCK] = TRACE_DRIVES_BLOCK,
		[OP_CLASS_OBSERVED] = TRACE_DRIVES_OBSERVED,
	};
	struct trace_info *info = &r->trace.info;

	info->drives |= drives[op_class(op->kind)];
	info->unbound += (op->flags & OP_UNBOUND) != 0;
	if (op->time_ns != OP_NO_TIME) {
		info->skewed += info->last_ns != OP_NO_TIME && op->time_ns < info->last_ns;
		trace_seen(&r->trace, op->time_ns, op->task);
	}
	if (op_class(op->kind) & r->trace.opts.want)
		hold_push(r->hold, op, false);
}

/* A line that does not parse is the truncated tail, or the end with its number; takes @why. */
static bool broken_line(struct line_reader *r, GError *why, GError **err)
{
	bool tail = stream_cut(r->s);

	if (tail) {
		r->trace.info.broken++;
		r->trace.info.truncated = true;
	} else {
		trace_error_line(err, stream_path(r->s), stream_line(r->s), "%s", why->message);
	}
	g_error_free(why);
	return tail;
}

static bool read_line(struct line_reader *r, char *line, size_t len, GError **err)
{
	GError *why = NULL;

	if (!line[strspn(line, " \t")] && strlen(line) == len)
		return true;
	if (stream_cut(r->s) && stream_truncated(r->s)) /* it may parse, and yet be half a number */
		input_fail(&why, "cut by the end of the packed data");
	else if (strlen(line) != len)
		input_fail(&why, "a NUL byte in a line of text");
	else if (r->parse(r, line, &why))
		return true;
	return broken_line(r, why, err);
}

static void read_end(struct line_reader *r)
{
	r->end = true;
	r->trace.info.truncated |= stream_truncated(r->s);
	if (r->at_end)
		r->at_end(r);
}

bool line_reader_next(struct trace *t, struct op *op, GError **err)
{
	struct line_reader *r = container_of(t, struct line_reader, trace);

	while (!hold_pop(r->hold, r->end, op)) {
		GError *why = NULL;
		size_t len;

		if (r->end)
			return false;
		char *line = stream_getline(r->s, &len, &why);
		if (why) {
			g_propagate_error(err, why);
			return false;
		}
		if (!line)
			read_end(r);
		else if (!read_line(r, line, len, err))
			return false;
	}
	return true;
}

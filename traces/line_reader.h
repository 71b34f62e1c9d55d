/*
 * traces/line_reader.h - a reader of one op, or none, a line: what op text and iolog share.
 *
 * The format gives a parser of one line; the stream, the sorting window, the account and the tail
 * are done here.  Lines may step back in time within the window of traces/hold.h: they leave
 * sorted, and are counted as skewed.  A last line without newline that does not parse is a
 * truncated tail.
 */
#ifndef TRACES_LINE_READER_H
#define TRACES_LINE_READER_H

#include "traces/stream.h"
#include "traces/trace.h"

struct hold;
struct line_reader;

/* Parse @line (cut in place; never blank): line_reader_push() what it says.  False with *@why,
 * without file and line number, when it is broken. */
typedef bool (*line_parser)(struct line_reader *r, char *line, GError **why);

/* First member of the format's reader; the format's .close ends with line_reader_fini(). */
struct line_reader {
	struct trace trace; /* must be first */
	struct stream *s;   /* owned */
	struct hold *hold;
	line_parser parse;
	void (*at_end)(struct line_reader *r); /* before the last ops leave; optional */
	bool end;
};

/* Open @path and set @r up; false with *@err (then nothing is left to undo). */
bool line_reader_init(struct line_reader *r, const struct trace_ops *ops, const char *path,
		      const struct trace_opts *opts, line_parser parse, GError **err);
void line_reader_fini(struct line_reader *r);

/* Line 1, or NULL: with *@err on a read error, without it when the file is empty.  Borrowed until
 * the next line. */
char *line_reader_header(struct line_reader *r, GError **err);

/* Count @op and deliver it in its turn when it is wanted. */
void line_reader_push(struct line_reader *r, const struct op *op);

/* trace_ops.next of the format. */
bool line_reader_next(struct trace *t, struct op *op, GError **err);

#endif

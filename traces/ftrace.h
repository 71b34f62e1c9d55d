/*
 * traces/ftrace.h - readers of ftrace text, and of lines of it that come from elsewhere.
 */
#ifndef TRACES_FTRACE_H
#define TRACES_FTRACE_H

#include "traces/stream.h"
#include "traces/trace.h"

extern const struct trace_ops trace_ftrace;
extern const struct trace_ops trace_perf;

/* A reader over the lines of @s, which it takes, that calls itself @ops and @path: ops->next must
 * come to trace_ftrace.next, ops->close to trace_ftrace.close.  NULL with *@err. */
struct trace *ftrace_open_stream(struct stream *s, const struct trace_ops *ops,
				 const struct trace_opts *opts, const char *path, GError **err);

#endif

/*
 * traces/tracedat.h - trace-cmd's trace.dat, versions 6 and 7, through libtracecmd.
 */
#ifndef TRACES_TRACEDAT_H
#define TRACES_TRACEDAT_H

#include "traces/stream.h"
#include "traces/trace.h"

extern const struct trace_ops trace_tracedat;

struct tracedat_head {
	unsigned int version; /* 6 or 7 */
	bool truncated;	      /* its end is cut off */
};

/*
 * The records of the trace.dat @path (plain, packed or "-") as lines, see traces/tracedat_child.h;
 * only events for which @wants_body says so get more than their name (called in another process).
 * *@head is what was found on the way.  A damaged file makes a read of the stream fail with one
 * clear line.
 */
struct stream *tracedat_stream(const char *path, bool (*wants_body)(const char *event, void *arg),
			       void *arg, struct tracedat_head *head, GError **err);

#endif

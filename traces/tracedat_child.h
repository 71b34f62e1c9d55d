/*
 * traces/tracedat_child.h - the process in which libtracecmd reads a trace.dat.
 *
 * libtracecmd trusts what it reads: on a damaged file it aborts, runs off its mappings or never
 * comes back.  So it runs in a forked child that prints each record as a line of `trace-cmd report`
 * into a pipe (traces/tracedat.c holds the other end):
 *
 *	comm-pid [003] 12.345678901: event: body
 *	CPU:3 [LOST 17 EVENTS]
 *
 * with 9 digits of time, because a trace.dat has ns.
 */
#ifndef TRACES_TRACEDAT_CHILD_H
#define TRACES_TRACEDAT_CHILD_H

#include "sim/types.h"

/* Exit statuses of the child, besides 0. */
enum { TRACEDAT_EXIT_OPEN = 3, TRACEDAT_EXIT_DAMAGED = 4 };

/*
 * Read the trace.dat at @in_fd (seekable) and write lines to @out_fd; what there is to complain
 * about goes to standard error.  Only events for which @wants_body says so get more than their
 * name.
 */
_Noreturn void tracedat_child(int in_fd, int out_fd,
			      bool (*wants_body)(const char *event, void *arg), void *arg);

#endif

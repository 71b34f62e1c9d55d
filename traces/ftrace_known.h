/*
 * traces/ftrace_known.h - tables of known tracepoints, for traces/ftrace_names.c only.
 */
#ifndef TRACES_FTRACE_KNOWN_H
#define TRACES_FTRACE_KNOWN_H

#include "traces/ftrace_names.h"

struct ftrace_known {
	const char *name;
	enum ftrace_id id;
};

extern const struct ftrace_known ftrace_known[]; /* with a meaning; ended by a NULL name */
extern const char *const ftrace_counted[];	 /* only counted; ended by NULL */

#endif

/*
 * traces/ftrace_left.h - "comm-pid [cpu]" as on an earlier line, for traces/ftrace_line.c only.
 *
 * Neighbouring lines come from a few tasks on a few CPUs.  What stands left of a stamp has to be
 * taken apart from the right, as comm may hold any byte; when its bytes are those of a line before,
 * so is what it means.
 */
#ifndef TRACES_FTRACE_LEFT_H
#define TRACES_FTRACE_LEFT_H

#include "traces/ftrace_line.h"

/* Take cpu, pid, tgid, comm and time_ns of the line [@text, @end) into *@l; behind the ':' of its
 * stamp, or NULL when its left part is none remembered or anything about it is unusual. */
const char *ftrace_left_match(const struct ftrace_left *left, const char *text, const char *end,
			      struct ftrace_line *l);

/* Remember what *@l says of [@text, @cpu_end), which ends with the ']' of its CPU.  No ':' in there
 * may look like the end of a stamp. */
void ftrace_left_learn(struct ftrace_left *left, const char *text, const char *cpu_end,
		       const struct ftrace_line *l);

#endif

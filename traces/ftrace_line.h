/*
 * traces/ftrace_line.h - one line of ftrace text, whoever printed it: the `trace` file, trace_pipe,
 * `trace-cmd report`, a systrace page, perf script.
 *
 *   comm-pid [cpu] flags sec.frac: event: body          trace, trace_pipe
 *   comm-pid (tgid) [cpu] flags sec.frac: event: body   with record-tgid, atrace
 *   comm-pid [cpu] sec.frac: event:  body               trace-cmd report
 *   comm pid [cpu] sec.frac: subsys:event: body         perf script; without -a no [cpu]
 *
 * Nothing but the time stamp is at a fixed place, and comm may hold any byte ("highpool[392]",
 * "binder:3_1", "AsyncTask #2"): the stamp is found first, then [cpu] and pid to its left.
 */
#ifndef TRACES_FTRACE_LINE_H
#define TRACES_FTRACE_LINE_H

#include "sim/types.h"

enum ftrace_line_kind {
	FTRACE_LINE_EVENT,  /* "event: body" */
	FTRACE_LINE_ENTER,  /* "sys_read(fd: 3, ...)": name is "sys_read", body follows the "(" */
	FTRACE_LINE_EXIT,   /* "sys_read -> 0x10": name is "sys_read", body "0x10" */
	FTRACE_LINE_HEADER, /* comment, blank line, header or stack line: no event */
	FTRACE_LINE_LOST,   /* loss marker: cpu, lost */
	FTRACE_LINE_BROKEN  /* none of these */
};

#define FTRACE_NO_TGID (-1)
#define FTRACE_NO_CPU UINT32_MAX

/* Pointers go into the line given to ftrace_line_split() and live as long as it. */
struct ftrace_line {
	enum ftrace_line_kind kind;
	const char *comm; /* comm_len bytes, without padding */
	size_t comm_len;
	int32_t pid;
	int32_t tgid;	  /* FTRACE_NO_TGID: no such column, or "(-----)" */
	uint32_t cpu;	  /* FTRACE_NO_CPU only for a loss marker that names none */
	int64_t time_ns;  /* as stamped; a stamp without '.' counts its own unit (tsc, counter) */
	const char *name; /* name_len bytes, without "subsys:" */
	size_t name_len;
	const char *body; /* body_len bytes, NUL-terminated, without padding in front */
	size_t body_len;
	uint64_t lost; /* FTRACE_LINE_LOST: events lost; 0 when the marker does not tell */
};

/* Left parts of earlier lines (traces/ftrace_left.h); all zero to begin with. */
#define FTRACE_LEFT_KEPT 4u
#define FTRACE_LEFT_BYTES 56u
struct ftrace_left {
	struct ftrace_left_part {
		size_t bytes; /* of text; 0: none */
		size_t comm_at, comm_len;
		int32_t pid, tgid;
		uint32_t cpu;
		char text[FTRACE_LEFT_BYTES];
	} parts[FTRACE_LEFT_KEPT];
	unsigned int next; /* to be replaced */
};

#define FTRACE_FLAGS_MAX 9 /* "dNh1." and what newer kernels may add */

/* Split @text (@len bytes, then a NUL, no newline) into *@l.  For kinds other than the first three
 * only kind, cpu and lost are set.  @left, which is kept from line to line, makes it fast and
 * changes nothing else; NULL is fine. */
void ftrace_line_split(struct ftrace_left *left, const char *text, size_t len,
		       struct ftrace_line *l);

#endif

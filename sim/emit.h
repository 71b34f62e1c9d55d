/*
 * sim/emit.h - what a run did, written down in a format of the kernel's: --emit.
 *
 * A format is a sink of the tracepoints (sim/tracepoint.h) and one struct emit_ops; it shares no
 * state with another.  Files appear whole or not at all (sim/emit_file.h).
 */
#ifndef SIM_EMIT_H
#define SIM_EMIT_H

#include "sim/tracepoint.h"

struct emit_ops {
	const char *name;    /* of --emit */
	const char *summary; /* one line, with the names of its files */
	/* A sink that writes into the folder @dir, for a machine of @nr_cpus.  Returns new; NULL
	 * with *@err. */
	struct trace_sink *(*open)(const char *dir, unsigned int nr_cpus, GError **err);
	/* All events were given: write what is left, so that commit has only names to change.
	 * False with *@err. */
	bool (*finish)(struct trace_sink *sink, GError **err);
	/* Put the finished files in their places.  False with *@err and no file.  Frees @sink
	 * either way. */
	bool (*commit)(struct trace_sink *sink, GError **err);
	/* Give up: nothing is left behind.  Frees @sink. */
	void (*abort)(struct trace_sink *sink);
};

extern const struct emit_ops emit_ftrace, emit_blktrace;

#endif

/*
 * sim/cmd_reproduce_function.h - the functions a value may name, each over the jobs or over the
 * samples of a run.  Private to cmd_reproduce_value.c.
 */
#ifndef SIM_CMD_REPRODUCE_FUNCTION_H
#define SIM_CMD_REPRODUCE_FUNCTION_H

#include "sim/report.h"

/* What a value measures, which decides the units it can be in. */
enum dimension { BYTES_PER_S, BYTES, FRACTION, TIME_NS, LEVEL, LEVEL_PER_S };

struct term {
	char *column; /* owned */
	double factor;
	bool io_pages;
	int at; /* in the series */
};

/* A parsed value. */
struct value_def {
	const struct function *function;
	enum job_dir dir;
	unsigned int parts;
	GArray *sum, *limit; /* struct term */
};

/* The samples of a run from the first issue to the last completion. */
struct window {
	const struct series *series;
	ktime_t from, to;
	double io_pages;
};

struct function {
	const char *name;
	enum dimension dimension;
	const char *arguments; /* d = direction, n = parts, s = sum, l = second sum */
	double (*job)(const struct value_def *def, const struct report *r);
	double (*series)(const struct value_def *def, const struct window *w);
};

/* By name; NULL when there is none. */
const struct function *function_find(const char *name);

#endif

/*
 * tests/ftrace_support.h - running a reader over text or a capture, for the ftrace suites.
 */
#ifndef TESTS_FTRACE_SUPPORT_H
#define TESTS_FTRACE_SUPPORT_H

#include "tests/support.h"
#include "traces/trace.h"

/* A whole capture, read. */
struct run {
	struct trace *t;
	const struct trace_info *info;
	GArray *ops; /* struct op */
};

/* Read all of @path; fails the test on an error. */
struct run run_path(const char *path, unsigned int want);

/* The same of @text, all classes, or of @text written to "@name", classes @want. */
struct run run_text(const char *text);
struct run run_want(const char *name, const char *text, unsigned int want);
void run_free(struct run *r);

/* Read @text (file "bad.txt") as ftrace, which must fail; returns the message (new). */
char *run_fails(const char *text);

const struct op *op_at(const struct run *r, unsigned int i);

/* Ops of @kind; the @i-th of them (fails the test when there is none). */
unsigned int count_kind(const struct run *r, enum op_kind kind);
const struct op *nth_of_kind(const struct run *r, enum op_kind kind, unsigned int i);

/* Count of @name in an info table, 0 when missing. */
uint64_t count_of(GHashTable *table, const char *name);

#endif

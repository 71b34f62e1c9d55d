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

/* The same of a blktrace of two CPUs, @base.blktrace.0 and .1. */
struct run run_cpus(const char *base, unsigned int want);

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

/* Warnings that contain @text. */
unsigned int count_warnings(const struct run *r, const char *text);

/* Read lines of task a-7 on CPU 0 at 1.000000, 1.000001, ... made from bodies that each end in a
 * newline; file ops only. */
struct run run_bodies(const char *bodies);

/* Fails the test when @op differs. */
void check_op(const struct op *op, enum op_kind kind, uint64_t ino, int64_t pos, int64_t len,
	      uint32_t flags);

/* An open that looks up inode @ino, for fd 3. */
#define OPEN(flags, ino)                                                                           \
	"sys_openat(dfd: ffffff9c, filename: 7ff0, flags: " flags ", mode: 1a4)\n"                 \
	"f2fs_lookup_start: dev = (8,1), pino = 3, name:a, ino: 9, flags:0\n"                      \
	"f2fs_lookup_end: dev = (8,1), pino = 3, name:a, ino: 9, ino:" ino ", err:-2\n"            \
	"sys_openat -> 0x3\n"
#define READ(count, got) "sys_read(fd: 3, buf: 7ff0, count: " count ")\nsys_read -> " got "\n"
#define WRITE(count, got) "sys_write(fd: 3, buf: 7ff0, count: " count ")\nsys_write -> " got "\n"

#endif

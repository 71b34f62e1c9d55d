/*
 * tests/emitted.h - run f2sim with --emit and look at what it wrote.
 */
#ifndef TESTS_EMITTED_H
#define TESTS_EMITTED_H

#include "tests/ftrace_support.h"

/*
 * Run `f2sim ARGS --emit ftrace --emit blktrace --emit iolog` into a fresh folder and assert exit
 * status 0.  Returns the folder, borrowed until the process ends, which removes it.
 */
const char *emitted(const char *args);

/* The file @name of @folder, read to the end: ops of @want. */
struct run emitted_ops(const char *folder, const char *name, unsigned int want);

/* Take out what a replay does not do: unbound ops, and all of no class in @want. */
void drop_idle_ops(GArray *ops, unsigned int want);

/* Order by task, and in a task as they come; CPU and times are not looked at. */
void sort_by_task(GArray *ops);

/* Same number, and op by op the same kind, task, device, inode, range, aux, flags (but for
 * OP_CROSS_CPU). */
void check_same_ops(const GArray *want, const GArray *got);

/* What the shell's @script prints with @folder as its first argument and working directory; asserts
 * that it exits with 0 and says nothing on stderr.  New. */
char *script_in(const char *folder, const char *script);

#endif

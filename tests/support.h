/*
 * tests/support.h - what several suites share: temporary files, the places captures live, skipping
 * by name.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <stddef.h>

/* Write @n bytes to a fresh file "@name" in a temporary folder of this process; returns its path
 * (borrowed). */
const char *test_file(const char *name, const void *bytes, size_t n);
const char *test_text(const char *name, const char *text);

/*
 * Path of a capture: "ftrace/seqread.trace.txt.xz" is looked up in traces/captures/, then in
 * ../shared/captures/. Where it is in neither the test is skipped, by name (does not return).
 */
const char *test_capture(const char *name);

/*
 * The file @name that the shell's @command makes of the file @from; "$1" is its path, "$2" the
 * result's.  Skips the test where the command is not there.
 */
const char *test_made(const char *from, const char *name, const char *command);

#endif

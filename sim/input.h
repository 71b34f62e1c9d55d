/*
 * sim/input.h - files a user names: scenarios, job files, captures.
 *
 * A pipe can be read once only, but a scenario is looked at before it is loaded and a capture that
 * drives a run is read twice.  input_spool() keeps the bytes of such a path in an unlinked
 * temporary file; input_open() of the same path then begins with its first byte, as often as
 * wanted.  Spooled files live until the process ends.
 */
#ifndef SIM_INPUT_H
#define SIM_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define INPUT_TEXT_MAX (1u << 20) /* bytes of a scenario or a job file */

/* Open @path for reading: what was spooled of it, or itself ("-" is standard input).  -1 with
 * errno. The caller closes it, unless it is STDIN_FILENO. */
int input_open(const char *path);

/*
 * Make @path readable more than once: a pipe, a socket or a terminal is copied, @max_bytes of it at
 * most; standard input that is a file is remembered with its beginning.  Anything else stays as it
 * is.  False with *@err.
 */
bool input_spool(const char *path, int64_t max_bytes, GError **err);

/*
 * The whole text file @path, with a NUL behind its *@len bytes; returns new.  NULL with *@err for a
 * folder, a device or more than INPUT_TEXT_MAX.  A pipe can be read again afterwards.
 */
char *input_text(const char *path, size_t *len, GError **err);

/* May the file @out be written, with @paths as inputs?  False with *@err for a folder and for one
 * of them. */
bool input_check_out(char *const *paths, const char *out, GError **err);

#endif

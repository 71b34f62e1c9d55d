/*
 * traces/paths.h - which of the user's paths are one capture.
 *
 * blktrace writes one file a CPU, NAME.blktrace.N; people name the base (NAME or NAME.blktrace),
 * list the files, or join them with ':' as fio asks for.  All three mean one capture.
 */
#ifndef TRACES_PATHS_H
#define TRACES_PATHS_H

#include <glib.h>

/*
 * Sort @paths (ended by NULL) into captures: returns new, an array of char ** (each ended by NULL,
 * per-CPU files in order of their number), in order of first mention.  NULL with *@err when a path
 * is neither a file nor the base name of a set.
 */
GPtrArray *paths_group(const char *const *paths, GError **err);

#endif

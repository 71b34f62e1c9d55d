/*
 * traces/tracedat_mend.h - a trace.dat whose end is cut off, made readable for libtracecmd.
 *
 * libtracecmd dies of such a file, or refuses it.  What is left is copied into a file without name
 * in which everything that says how much data there is tells of what is really there:
 *
 *   version 6   the table of the CPUs' data at the end of the header: sizes in whole pages
 *   version 7   (compressed) the numbers of chunks before each CPU's data; the list of buffers,
 *               which stood behind the data, is made again
 *
 * Nothing is left to read where the cut is in what stands before the data: the header with its
 * event formats, and in version 7 the first list of options.
 */
#ifndef TRACES_TRACEDAT_MEND_H
#define TRACES_TRACEDAT_MEND_H

#include "traces/tracedat.h"

/*
 * Look whether the trace.dat at @fd (taken) is whole.  Returns @fd when it is, or when what is
 * wrong with it is no cut; a mended copy, with @head->truncated, when it is not; -1 with *@err, one
 * line that tells where the file ends, when nothing of its events is left.
 */
int tracedat_mend(int fd, const char *path, struct tracedat_head *head, GError **err);

#endif

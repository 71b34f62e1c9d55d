/*
 * traces/merge.h - several captures as one stream.
 */
#ifndef TRACES_MERGE_H
#define TRACES_MERGE_H

#include "traces/trace.h"

/* Merge the readers in @readers (struct trace *, at least one; takes the array) by (time, reader,
 * order in the reader).  Returns new. */
struct trace *merge_new(GPtrArray *readers, const struct trace_opts *opts);

#endif

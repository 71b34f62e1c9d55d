/*
 * traces/fiojob_value.h - numbers as fio writes them, in job files and in its results.
 */
#ifndef TRACES_FIOJOB_VALUE_H
#define TRACES_FIOJOB_VALUE_H

#include "sim/types.h"

/* "4k", "1 MiB", "0x1000": prefixes are powers of @kb_base, with an i of the other base (1024 <->
 * 1000). */
bool fio_bytes(const char *s, int64_t kb_base, int64_t *v);

/* "10", "10m", "500ms" into ns; a bare number counts @unit_ns. */
bool fio_time(const char *s, int64_t unit_ns, int64_t *v);

#endif

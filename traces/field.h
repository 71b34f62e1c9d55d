/*
 * traces/field.h - columns and strict numbers of line-oriented captures.
 * Strict: digits only, the whole column, no sign, no wrap-around.  strtoull() takes "-4096" and
 * gives 2^64 - 4096, which is how a negative offset became an exabyte elsewhere (CASES 9).
 */
#ifndef TRACES_FIELD_H
#define TRACES_FIELD_H

#include <glib.h>

#include "sim/types.h"

/* Cut @line at blanks, in place; the first @max columns into @cols.  Returns how many there are,
 * which may be more than @max. */
size_t field_split(char *line, char **cols, size_t max);

/* Decimal @s, 0 .. @max, into *@v; false (*@v untouched) for anything else. */
bool field_u64(const char *s, uint64_t max, uint64_t *v);

/* As field_u64(), with one "-" allowed in front: @min .. @max. */
bool field_i64(const char *s, int64_t min, int64_t max, int64_t *v);

/* Set *@err (F2SIM_ERROR_INPUT) and return false: for parsers, whose caller adds file and line. */
bool input_fail(GError **err, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif

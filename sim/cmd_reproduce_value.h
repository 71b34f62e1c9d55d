/*
 * sim/cmd_reproduce_value.h - what a published figure is in the results of a run, written as a
 * short text: FUNCTION ARGUMENTS.
 *
 *   throughput DIR     completed bytes a second of the jobs, DIR is read or write
 *   bytes DIR          completed bytes
 *   late DIR           share of paced calls issued after their due time
 *   lag_max DIR        longest time from due time to completion of such a call
 *   mean SUM           mean of the samples from the first issue to the last completion
 *   max SUM            their maximum
 *   final SUM          the value when the run has ended
 *   growth SUM         from the start of the run to its end
 *   share SUM          CPU time per time, as pidstat shows it, over the same samples
 *   share_max N SUM    the same stretch in N equal parts: the greatest share
 *   share_busy N SUM   mean share of the parts behind the first one that is not 0
 *   share_until SUM | SUM   greatest share between two samples before the second sum is 0 or less
 *   rate_spread N SUM  greatest less smallest growth a second of N equal parts
 *
 * SUM is columns of series.csv with + and -, each with an optional factor: 8*f2fs_file.ops_read -
 * a.b; the factor io_pages is the pages of one I/O.  Levels are pages where the unit is bytes.
 */
#ifndef SIM_CMD_REPRODUCE_VALUE_H
#define SIM_CMD_REPRODUCE_VALUE_H

#include "sim/report.h"

struct value_def;

/* Parse @text.  Returns new; NULL with *@err, which says what was expected but no place. */
struct value_def *value_parse(const char *text, GError **err);
void value_free(struct value_def *def); /* NULL is fine */

/* What a value must be multiplied with to be in @unit; NAN when it cannot be. */
double value_scale(const struct value_def *def, const char *unit);

/* The value in a run that is over, unscaled.  NAN when a column is missing or nothing was done:
 * then *@missing says what (new). */
double value_of(const struct value_def *def, const struct report *report, int64_t io_bytes,
		char **missing);

#endif

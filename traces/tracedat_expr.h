/*
 * traces/tracedat_expr.h - the arguments of a tracepoint's "print fmt", compiled.
 *
 * libtraceevent walks its parse tree for each record and compares operators as strings; that makes
 * `trace-cmd report` slow.  Here the tree becomes nodes with constants folded and fields resolved,
 * once per event.  What the compiler does not know it refuses (NULL), and the caller lets
 * libtraceevent print the event.  Lives in the trace.dat child only; nothing is freed before it
 * exits.
 */
#ifndef TRACES_TRACEDAT_EXPR_H
#define TRACES_TRACEDAT_EXPR_H

#include <event-parse.h>
#include <stddef.h>

#include "sim/types.h"

struct expr; /* a number */
struct text; /* a string */

/* Where text is put; what does not fit is cut. */
struct out {
	char *p, *end;
};

void out_bytes(struct out *o, const char *bytes, size_t n);
void out_fill(struct out *o, char c, size_t n);

/* Compile @arg of @event; NULL = not known here.  *@need grows to the record size it reads. */
struct expr *expr_new(struct tep_event *event, const struct tep_print_arg *arg, int *need);
struct text *text_new(struct tep_event *event, const struct tep_print_arg *arg, int *need);

/* The unsigned 32 bits at @offset of a record of @event. */
struct expr *expr_u32(struct tep_event *event, int offset);

/* Value over the record @data, at least *need bytes long. */
int64_t expr_eval(const struct expr *e, const uint8_t *data);

/* Append the string over the record @data of @size bytes. */
void text_put(const struct text *t, const uint8_t *data, int size, struct out *o);

#endif

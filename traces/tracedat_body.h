/*
 * traces/tracedat_body.h - the body of an event as its "print fmt" says, fast.
 * Gives byte for byte what tep_print_event("%s", TEP_PRINT_INFO) gives, but for signed fields
 * that a cast widens, which the kernel and this extend by their sign and libtraceevent does not.
 */
#ifndef TRACES_TRACEDAT_BODY_H
#define TRACES_TRACEDAT_BODY_H

#include "traces/tracedat_expr.h"

struct body;

/* Compile the format of @event; NULL when it holds what only libtraceevent knows to print. */
struct body *body_new(struct tep_event *event);

/* Append the body of the record @data of @size bytes; false (nothing appended) when it is too
 * short. */
bool body_put(const struct body *b, const uint8_t *data, int size, struct out *o);

#endif

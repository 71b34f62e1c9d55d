/*
 * traces/ftrace_shape.h - bodies that differ from an earlier one in nothing but numbers.
 *
 * The kernel prints an event with one format string, so its bodies are the same text around other
 * numbers.  A body that was read by key leaves its shape: the text, and where the wanted numbers
 * stand.  The next body is compared with it from left to right, in one pass, and the numbers are
 * taken on the way.  Whatever does not fit is read by key again, so a shape changes the speed and
 * never the outcome: equal text around numbers has its keys at the same places, since no key
 * begins with a digit or reads as a hexadecimal number.
 */
#ifndef TRACES_FTRACE_SHAPE_H
#define TRACES_FTRACE_SHAPE_H

#include "traces/ftrace_event.h"

/* How the number behind a key becomes the value. */
enum ftrace_conv {
	FTRACE_NUMBER, /* decimal, or hex with 0x, may be negative */
	FTRACE_HEX,    /* hex with or without 0x */
	FTRACE_PAGES,  /* NUMBER of pages, or of F2FS blocks, as bytes */
	FTRACE_ORDER,  /* NUMBER n is 2^n pages, as bytes */
	FTRACE_DEVICE, /* "(8,0)", "8:0", "8,0" or a dev_t */
	FTRACE_SKIP    /* only bounds the search from the right */
};

/* Value at @p into *@v; behind it, or NULL: none, or out of range. */
const char *ftrace_value(const char *p, enum ftrace_conv conv, uint64_t *v);

/* A value found by key. */
struct ftrace_found {
	const char *at;
	enum ftrace_field field;
	enum ftrace_conv conv;
};

struct ftrace_shapes;

struct ftrace_shapes *ftrace_shapes_new(void);	       /* returns new */
void ftrace_shapes_free(struct ftrace_shapes *shapes); /* NULL is fine */

/* Read the body (NUL-terminated) of e->id into e->has and e->v; false, with e->has 0, when it has
 * none of the shapes remembered. */
bool ftrace_shapes_match(const struct ftrace_shapes *shapes, struct ftrace_event *e,
			 const char *body, size_t len);

/* Remember the shape of a body of event @id, in which the @nr values were @found. */
void ftrace_shapes_learn(struct ftrace_shapes *shapes, enum ftrace_id id, const char *body,
			 size_t len, const struct ftrace_found *found, unsigned int nr);

#endif

/*
 * traces/blkline.h - one line of blkparse's text, in its default format or one given with -f.
 */
#ifndef TRACES_BLKLINE_H
#define TRACES_BLKLINE_H

#include <glib.h>

#include "traces/blkaction.h"

struct blk_line {
	struct blk_event event;
	char rwbs[BLK_RWBS_MAX];
	const char *comm; /* in the line; NULL = none */
	size_t comm_len;
};

/* Read @line of the default format.  False when it is no event line. */
bool blk_line_parse(const char *line, struct blk_line *l);

/* Does @line begin as an event line of the default format does: "MAJ,MIN"? */
bool blk_line_begins(const char *line);

struct blk_format;

/*
 * Compile @format as blkparse -f takes it: %[-][width]X with X of a c C d D e m M n N p P s S t T u
 * U, "\n" and "\t" as two characters, and text.  Returns new; NULL with *@err naming a specifier
 * that is not known, or one that is missing (action, RWBS, time, sector and size are needed).
 */
struct blk_format *blk_format_new(const char *format, GError **err);
void blk_format_free(struct blk_format *f); /* NULL is fine */

/* Read @line of format @f.  False when it does not match. */
bool blk_format_parse(const struct blk_format *f, const char *line, struct blk_line *l);

#endif

/*
 * traces/text_mark.h - the byte order mark that text from other systems begins with.
 */
#ifndef TRACES_TEXT_MARK_H
#define TRACES_TEXT_MARK_H

#include "traces/stream.h"

/* Pass over the mark at the start of @s, if there is one.  False with *@err for UTF-16. */
bool text_mark_skip(struct stream *s, GError **err);

#endif

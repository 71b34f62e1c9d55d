/*
 * traces/text_mark.c - see traces/text_mark.h.
 */
#include "traces/text_mark.h"

#include "sim/config.h"

bool text_mark_skip(struct stream *s, GError **err)
{
	size_t n;
	const uint8_t *head = stream_peek(s, 4, &n, err);
	int mark = head ? text_mark_bytes((const char *)head, n, stream_path(s), err) : -1;

	if (mark > 0)
		stream_skip(s, (size_t)mark);
	return mark >= 0;
}

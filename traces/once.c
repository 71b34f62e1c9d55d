/*
 * traces/once.c - see traces/once.h.
 */
#include "traces/once.h"

#include <glib.h>
#include <string.h>

#include "traces/stream.h"

static GSList *kept; /* struct stream */

void once_keep(struct stream *s)
{
	kept = g_slist_prepend(kept, s);
}

struct stream *once_take(const char *path)
{
	for (GSList *l = kept; l; l = l->next) {
		struct stream *s = l->data;

		if (strcmp(stream_path(s), path) == 0) {
			kept = g_slist_delete_link(kept, l);
			return s;
		}
	}
	return NULL;
}

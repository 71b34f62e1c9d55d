/*
 * models/dev_servers.c - see models/dev_servers.h.
 */
#include "models/dev_servers.h"

#include <glib.h>

void dev_servers_init(struct dev_servers *s, uint64_t nr)
{
	assert(nr > 0);
	s->end = g_new0(ktime_t, nr);
	s->nr = nr;
}

void dev_servers_fini(struct dev_servers *s)
{
	g_clear_pointer(&s->end, g_free);
}

ktime_t dev_servers_take(struct dev_servers *s, ktime_t now, ktime_t ns)
{
	ktime_t *best = &s->end[0];

	for (uint64_t i = 1; i < s->nr; i++)
		if (s->end[i] < *best)
			best = &s->end[i];
	*best = MAX(now, *best) + ns;
	return *best;
}

/*
 * models/dev_servers.h - equal servers that work side by side, each busy until a time; what simple
 * devices are made of.  Level 0.
 */
#ifndef MODELS_DEV_SERVERS_H
#define MODELS_DEV_SERVERS_H

#include "sim/types.h"

struct dev_servers {
	ktime_t *end; /* busy until */
	uint64_t nr;
};

void dev_servers_init(struct dev_servers *s, uint64_t nr);
void dev_servers_fini(struct dev_servers *s);

/* Give @ns of work, from @now on, to the server that is free first (ties: lowest number); returns
 * when it is done.  O(nr). */
ktime_t dev_servers_take(struct dev_servers *s, ktime_t now, ktime_t ns);

#endif

/*
 * sim/progress.h - a progress bar on stderr, only where stderr is a terminal.
 *
 * Progress is bytes of the input files that were read (packed bytes of a packed file), so that the
 * time left can be told; where the reader does not tell bytes, or their number is unknown (a pipe),
 * it is the count of ops.  It is redrawn at most ten times a second and wiped by progress_free(),
 * so that results, warnings and errors stand alone.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <glib.h>

#include "sim/types.h"

struct progress;

/* Over the files in @groups (each a char ** ended by NULL; borrowed for the call).  Returns new, or
 * NULL when nobody looks: every call takes NULL. */
struct progress *progress_new(const GPtrArray *groups);

/* One op more. */
void progress_tick(struct progress *p);

void progress_free(struct progress *p);

#endif

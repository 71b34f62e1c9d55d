/*
 * traces/tracedat_formats.h - the event formats of a trace.dat, parsed when a record asks for them.
 *
 * A trace.dat holds the format of every event of its kernel, a thousand and more, and a capture
 * uses twenty of them.  Parsing them all is most of what opening a small file costs.  So
 * libtracecmd is given a tep_parse_event() that only remembers the text under its id.  Lives in the
 * trace.dat child only; nothing is freed before it exits.
 */
#ifndef TRACES_TRACEDAT_FORMATS_H
#define TRACES_TRACEDAT_FORMATS_H

#include <event-parse.h>

/* The event @id of @tep, parsed at need; NULL when the file has no such event, or none that can be
 * parsed. */
struct tep_event *tracedat_format(struct tep_handle *tep, int id);

#endif

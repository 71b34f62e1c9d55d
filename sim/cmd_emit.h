/*
 * sim/cmd_emit.h - --emit of run and replay: which formats there are, and their files.
 */
#ifndef SIM_CMD_EMIT_H
#define SIM_CMD_EMIT_H

#include "sim/emit.h"

/* The formats, for --help, one a line. */
void emits_describe(GString *text);

/* Can the @names (NULL-terminated; NULL = none) be written to @out (NULL = no folder given)?  False
 * with *@err. */
bool emits_check(char *const *names, const char *out, GError **err);

struct emits;

/* Let @sim write them into @out (made if missing) from now on.  @names as emits_check() took them.
 * Returns new; NULL with *@err. */
struct emits *emits_open(char *const *names, const char *out, struct sim *sim, GError **err);

/* The run is over: put the files in their places.  False with *@err.  Frees @e either way, before
 * its machine goes. */
bool emits_commit(struct emits *e, GError **err);

/* Give up: nothing is left behind.  Frees @e; NULL is fine. */
void emits_abort(struct emits *e);

#endif

/*
 * sim/cmd_validate_tally.h - what a stream of ops amounts to, in numbers that can be compared: the
 * observed ops of a capture, or those of a simulation.
 *
 * Memory grows with the number of distinct pages and blocks (a bit each), never with that of ops.
 */
#ifndef SIM_CMD_VALIDATE_TALLY_H
#define SIM_CMD_VALIDATE_TALLY_H

#include "sim/cmd_validate_cells.h"
#include "traces/trace.h"

struct tally;

struct tally *tally_new(void);
void tally_free(struct tally *t);

/* Take @op in: file ops that can be replayed say which files matter. */
void tally_op(struct tally *t, const struct op *op);

/* @op happens to a file that matters (a simulation knows no others). */
void tally_drive(struct tally *t, uint32_t dev, uint64_t ino);

/* The task @pid drives: bios it queues are its own. */
void tally_task(struct tally *t, int32_t pid);

/* Did any file op drive something? */
bool tally_has_files(const struct tally *t);

/*
 * The numbers of @t into @metrics; nothing for what never occurred.  @info (may be NULL) gives
 * events that make no ops, and the names of tasks.
 */
void tally_metrics(const struct tally *t, const struct trace_info *info, GArray *metrics);

/* Pages of files that matter in the cache at the end: of @t, and of these, how many in @other too.
 */
uint64_t tally_resident(const struct tally *t);
uint64_t tally_common(const struct tally *t, const struct tally *other);

#endif

/*
 * sim/cmd_prescan.h - first pass over a capture: what must be known before its ops can be replayed.
 */
#ifndef SIM_CMD_PRESCAN_H
#define SIM_CMD_PRESCAN_H

#include "sim/sim.h"
#include "traces/trace.h"

struct prescan {
	uint64_t file_ops, block_ops; /* that can drive a replay; open and close alone cannot */
	uint64_t files;		      /* inodes with reads or writes */
	uint64_t sizes_assumed;	      /* of these, how many sizes no event shows */
	/* Observed in the page cache for inodes that no op reads or writes: node, meta and
	 * directory pages. */
	uint64_t other_added_pages, other_dirtied_pages;
};

/*
 * Read @trace to its end.  Tells @sim's models the size that each file had before the capture and
 * the blocks that its events show (@sim may be NULL: only count).  False with *@err.
 */
bool prescan_capture(struct trace *trace, struct sim *sim, struct prescan *result, GError **err);

#endif

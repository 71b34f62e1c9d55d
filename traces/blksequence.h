/*
 * traces/blksequence.h - flush sequences seen from outside: the write that asked for a flush in
 * front of it, from its Q to its last C.
 *
 * The block layer issues the flush and the data of such a write (RWBS "FW..") as requests of their
 * own and then completes the write once more, without bytes.  What the submitter waited for is
 * therefore no request; it becomes an observed op, OBS_FLUSH_SEQUENCE, that drives nothing: the
 * flush and the data inside it do.
 */
#ifndef TRACES_BLKSEQUENCE_H
#define TRACES_BLKSEQUENCE_H

#include "traces/blkaction.h"
#include "traces/hold.h"

#define BLK_SEQUENCES_MAX 64u

/* In flight, oldest first.  Zeroed = none. */
struct blk_sequences {
	struct blk_sequence {
		uint64_t ticket; /* of its op in the hold */
		uint64_t sector; /* where bytes are */
		uint32_t dev, bytes;
	} open[BLK_SEQUENCES_MAX];
	unsigned int count;
};

/* Does Q event @e begin one? */
bool blk_sequence_begins(const struct blk_event *e);

/* Push the op of the sequence that @e begins into @h.  Where too many are open the oldest goes
 * without being delivered. */
void blk_sequence_add(struct blk_sequences *s, struct hold *h, const struct blk_event *e);

/* @e, a write's completion without bytes, ends the sequence it belongs to, if one is open. */
void blk_sequence_end(struct blk_sequences *s, struct hold *h, const struct blk_event *e);

/* Forget the sequences of @dev; of all devices when it is 0. */
void blk_sequence_drop(struct blk_sequences *s, struct hold *h, uint32_t dev);

#endif

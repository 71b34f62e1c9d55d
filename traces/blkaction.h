/*
 * traces/blkaction.h - what block-layer events are called: blktrace action codes and letters,
 * category bits and RWBS text, as the kernel (blk_fill_rwbs) and blkparse write them.
 */
#ifndef TRACES_BLKACTION_H
#define TRACES_BLKACTION_H

#include "sim/op.h"

enum blk_op {
	BLK_NONE, /* N: plugs, flushes as blkparse prints them (FN), driver commands */
	BLK_READ,
	BLK_WRITE, /* zone append included */
	BLK_DISCARD,
	BLK_FLUSH,
	BLK_ZEROES, /* write zeroes: no data moves */
	BLK_ZONE,   /* zone reset, open, close, finish */
};

struct blk_rwbs {
	enum blk_op op;
	uint32_t flags;	      /* OP_PREFLUSH FUA RAHEAD SYNC META ATOMIC SECURE */
	unsigned int unknown; /* letters not understood; the rest holds all the same */
};

/* One event of a request, as blkpair takes it. */
struct blk_event {
	int64_t time_ns;
	uint64_t sector; /* UINT64_MAX = none */
	uint32_t bytes;
	uint32_t dev; /* DEVNO() */
	int32_t task;
	int32_t error; /* of a completion: 0 or an errno of either sign */
	uint16_t cpu;
	char action;	  /* letter as in trace_info.actions; Q, D, C and R matter to blkpair */
	bool passthrough; /* SCSI/NVMe command (PC): bytes move, sector says nothing */
	struct blk_rwbs rwbs;
};

/* The longest RWBS text with its NUL. */
#define BLK_RWBS_MAX 16

/* Categories of a blktrace action (its bits from 16 on). */
#define BLK_TC_WRITE (1u << 1)
#define BLK_TC_FLUSH (1u << 2)
#define BLK_TC_SYNC (1u << 3)
#define BLK_TC_PC (1u << 9)
#define BLK_TC_NOTIFY (1u << 10)
#define BLK_TC_AHEAD (1u << 11)
#define BLK_TC_META (1u << 12)
#define BLK_TC_DISCARD (1u << 13)
#define BLK_TC_FUA (1u << 15)
#define BLK_TC_ZONE_APPEND (1u << 16) /* this and the following in version 8 only */
#define BLK_TC_ZONE_RESET (1u << 17)
#define BLK_TC_ZONE_RESET_ALL (1u << 18)
#define BLK_TC_ZONE_FINISH (1u << 19)
#define BLK_TC_ZONE_OPEN (1u << 20)
#define BLK_TC_ZONE_CLOSE (1u << 21)
#define BLK_TC_WRITE_ZEROES (1u << 22)

/* Letter of action code @code (low 8 bits), 'T' for UT; 0 for a code without an event line. */
char blk_action_letter(unsigned int code);

/* Letter of the action column @text ("Q", "UT"); 0 when it is none. */
char blk_action_from_text(const char *text);

/* RWBS as blkparse prints it for categories @tc; @has_bytes: the record's bytes are not 0. */
void blk_rwbs_print(uint32_t tc, bool has_bytes, char text[BLK_RWBS_MAX]);

/* Read RWBS text of the kernel or of blkparse.  False when it holds no operation at all (*@rwbs is
 * then BLK_NONE). */
bool blk_rwbs_parse(const char *text, struct blk_rwbs *rwbs);

#endif

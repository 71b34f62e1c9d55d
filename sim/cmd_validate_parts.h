/*
 * sim/cmd_validate_parts.h - what a tally is made of; for sim/cmd_validate_tally.c, which takes ops
 * in, and sim/cmd_validate_numbers.c, which makes metrics of it.
 */
#ifndef SIM_CMD_VALIDATE_PARTS_H
#define SIM_CMD_VALIDATE_PARTS_H

#include "sim/cmd_validate_tally.h"
#include "sim/stat.h"

#define NR_ORDERS 16
#define NR_DIRS (OP_DISCARD - OP_BIO_READ + 1)

/* A set of page or block numbers. */
struct word {
	gint64 key;
	uint64_t bits;
};

struct folios {
	uint64_t pages, folios[NR_ORDERS];
};

struct tally_file {
	uint64_t ino;
	uint32_t dev;
	bool driven;
	GHashTable *resident, *ever; /* struct word */
};

struct sum {
	uint64_t count, bytes;
};

struct tally {
	GHashTable *files;
	GHashTable *blocks; /* struct word: device pages of driven files */
	GHashTable *tasks;  /* pids of driving tasks */
	GHashTable
		*reclaim; /* pid -> struct sum *: count = pages scanned, bytes = pages reclaimed */
	struct tally_file *recent;
	bool has_files, has_blocks;
	struct sum kinds[OP_NR_KINDS]; /* of what matters */
	struct sum requests[NR_DIRS], bios[NR_DIRS];
	uint64_t caller_bios[NR_DIRS];
	struct folios added, deleted;
	uint64_t added_again;
	struct hist d2c[NR_DIRS];
	uint64_t pauses, pause_ms;
	struct {
		uint64_t n, dirty_max, thresh, background;
		double dirty;
	} state; /* pages, sums but for the maximum */
};

#endif

/*
 * tests/blk_machine.h - a machine of bios, block layer and device only, and bios that note how they
 * end.
 */
#ifndef TESTS_BLK_MACHINE_H
#define TESTS_BLK_MACHINE_H

#include "models/blk_mq.h"
#include "sim/sim.h"

/* Started; configured by @ini over the defaults, [sim] check = event, 2 CPUs. */
struct sim *blk_machine_new(const char *ini);

/* Run for @ns and check every invariant. */
void blk_machine_run(struct sim *sim, ktime_t ns);

uint64_t blk_machine_stat(const struct sim *sim, const char *model, const char *counter);

/* A bio under observation; lives as long as the test. */
struct seen_bio {
	struct sim *sim;
	unsigned int ended; /* times end_io ran */
	unsigned int order; /* 1 = first of all to end */
	ktime_t end_ns;
	bool in_task;
	void (*then)(struct seen_bio *s); /* called in end_io; optional */
};

/* A bio of @sectors for @s, not submitted; fields may be changed before. */
struct bio *seen_bio_new(struct seen_bio *s, struct sim *sim, enum req_op op, sector_t sector,
			 int64_t sectors);

/* ... and submitted through @plug (or NULL). */
void seen_bio_submit(struct seen_bio *s, struct sim *sim, enum req_op op, unsigned int opf,
		     sector_t sector, int64_t sectors, struct blk_plug *plug);

#endif

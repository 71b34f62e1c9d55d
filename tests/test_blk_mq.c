/*
 * tests/test_blk_mq.c - split, merge, plug, tags, slots (block/blk-mq.c, blk-merge.c v6.1).
 *
 * The device takes 100 us a command and the interrupt 2 us unless a test says otherwise.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/rng.h"
#include "tests/blk_machine.h"
#include "tests/support.h"

#define DEVICE "[device]\nmodel = fixed\n"
#define US NSEC_PER_USEC

static uint64_t stat(const struct sim *sim, const char *counter)
{
	return blk_machine_stat(sim, "blk_mq", counter);
}

/*
 * captures/blktrace/seqwrite: one Q of 2 MiB and one of 126 MiB at these sectors; the capture has
 * 254 X and 260 D of WS, 256 of them these two bios' (the others are F2FS metadata).
 */
Test(blk_mq, splits_as_the_seqwrite_capture)
{
	struct sim *sim = blk_machine_new(DEVICE "rate = 2GB/s\nslots = 64\nparallel = 64\n");
	struct seen_bio small, large;
	struct blk_plug plug;

	blk_start_plug(&plug);
	seen_bio_submit(&small, sim, REQ_OP_WRITE, REQ_SYNC, 2117632, 4096, &plug);
	seen_bio_submit(&large, sim, REQ_OP_WRITE, REQ_SYNC, 69632, 258048, &plug);
	blk_finish_plug(sim, &plug);
	cr_assert_eq(blk_machine_stat(sim, "blk_mq", "nr_in_flight"), 256);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(small.ended, 1);
	cr_assert_eq(large.ended, 1);
	cr_assert_eq(stat(sim, "splits"), 254);
	cr_assert_eq(stat(sim, "writes_completed"), 256); /* 256 * 1024 sectors: every one full */
	cr_assert_eq(stat(sim, "sectors_written"), 262144);
	cr_assert_eq(stat(sim, "merges_write"), 0);
	sim_free(sim);
}

/* The capture itself: as many X, and 256 D of 1024 sectors but one bio of 264 and smaller ones. */
Test(blk_mq, seqwrite_capture_says_so)
{
	const char *path = test_capture("blktrace/seqwrite.blkparse.txt.xz");
	g_autofree char *command = g_strdup_printf("xz -dc '%s'", path);
	FILE *f = popen(command, "r");
	unsigned int splits = 0, full = 0, larger = 0;
	char line[256];

	cr_assert(f);
	while (fgets(line, sizeof(line), f)) {
		char action[8], rwbs[8];
		unsigned long sectors;

		if (sscanf(line, "%*s %*d %*d %*f %*d %7s %7s %*u + %lu", action, rwbs, &sectors) ==
			    3 &&
		    !strcmp(action, "D") && !strcmp(rwbs, "WS")) {
			full += sectors == 1024;
			larger += sectors > 1024;
		} else if (sscanf(line, "%*s %*d %*d %*f %*d %7s", action) == 1) {
			splits += !strcmp(action, "X");
		}
	}
	pclose(f);
	cr_assert_eq(splits, 254);
	cr_assert_eq(full, 256);
	cr_assert_eq(larger, 0);
}

/* A bio that is not a multiple of the limit: 512 + 512 + 176 KiB. */
Test(blk_mq, last_piece_is_the_rest)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n");
	struct seen_bio s;

	seen_bio_submit(&s, sim, REQ_OP_READ, 0, 8, 2400, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "reads_completed"), 3);
	cr_assert_eq(stat(sim, "sectors_read"), 2400);
	cr_assert_eq(s.end_ns, 302 * US); /* the slot is free before the interrupt is over */
	sim_free(sim);
}

/* First request is at the device; the others wait and take what touches them. */
Test(blk_mq, merges_at_back_and_front_of_undispatched)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n");
	struct seen_bio s[6];

	seen_bio_submit(&s[0], sim, REQ_OP_WRITE, 0, 0, 8, NULL);
	seen_bio_submit(&s[1], sim, REQ_OP_WRITE, 0, 8, 8, NULL);  /* at the device: no merge */
	seen_bio_submit(&s[2], sim, REQ_OP_WRITE, 0, 16, 8, NULL); /* back of [1] */
	seen_bio_submit(&s[3], sim, REQ_OP_WRITE, 0, 1016, 8, NULL);
	seen_bio_submit(&s[4], sim, REQ_OP_WRITE, 0, 1000, 16, NULL); /* front of [3] */
	seen_bio_submit(&s[5], sim, REQ_OP_READ, 0, 24, 8, NULL);     /* contiguous, but a read */
	cr_assert_eq(blk_machine_stat(sim, "blk_mq", "nr_in_flight"), 4);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "merges_write"), 2);
	cr_assert_eq(stat(sim, "merges_read"), 0);
	cr_assert_eq(stat(sim, "writes_completed"), 3);
	cr_assert_eq(stat(sim, "sectors_written"), 48);
	cr_assert_eq(s[1].end_ns, 202 * US);
	cr_assert_eq(s[2].end_ns, 202 * US);
	cr_assert_lt(s[4].order, s[3].order); /* in the request's order */
	sim_free(sim);
}

Test(blk_mq, does_not_merge_unlike_or_over_the_limit)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n");
	struct seen_bio s[6];

	seen_bio_submit(&s[0], sim, REQ_OP_READ, 0, 900000, 8, NULL);
	seen_bio_submit(&s[1], sim, REQ_OP_WRITE, 0, 0, 1016, NULL);
	seen_bio_submit(&s[2], sim, REQ_OP_WRITE, REQ_SYNC, 1016, 8, NULL); /* other flags */
	seen_bio_submit(&s[3], sim, REQ_OP_WRITE, 0, 1016, 16, NULL);	    /* 516 KiB */
	seen_bio_submit(&s[4], sim, REQ_OP_DISCARD, 0, 5000, 8, NULL);
	seen_bio_submit(&s[5], sim, REQ_OP_DISCARD, 0, 5008, 8, NULL);
	cr_assert_eq(blk_machine_stat(sim, "blk_mq", "nr_in_flight"), 6);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "merges_write"), 0);
	cr_assert_eq(stat(sim, "discards"), 2);
	cr_assert_eq(stat(sim, "sectors_discarded"), 16);
	sim_free(sim);
}

Test(blk_mq, nomerges)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n[blk_mq]\nnomerges = yes\n");
	struct seen_bio s[3];

	for (unsigned int i = 0; i < 3; i++)
		seen_bio_submit(&s[i], sim, REQ_OP_WRITE, 0, 8 * i, 8, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "writes_completed"), 3);
	sim_free(sim);
}

static const struct hist *reads(const struct sim *sim)
{
	return blk_mq_latency(sim, REQ_OP_READ);
}

/* The 33rd request sends the first 32 on their way. */
Test(blk_mq, plug_holds_32_requests)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 64\nparallel = 64\n");
	struct seen_bio s[33];
	struct blk_plug plug;

	blk_start_plug(&plug);
	for (unsigned int i = 0; i < 33; i++) {
		seen_bio_submit(&s[i], sim, REQ_OP_READ, 0, 1000 * i, 8, &plug);
		cr_assert_eq(plug.nr, i < 32 ? i + 1 : 1);
	}
	cr_assert_eq(blk_machine_stat(sim, "blk_mq", "nr_in_flight"), 33);
	blk_machine_run(sim, NSEC_PER_MSEC);
	cr_assert_eq(reads(sim)->count, 32);
	blk_finish_plug(sim, &plug);
	blk_machine_run(sim, NSEC_PER_MSEC);
	cr_assert_eq(reads(sim)->count, 33);
	cr_assert_eq(reads(sim)->max, 100 * US); /* D to C: the time in the plug is not in it */
	sim_free(sim);
}

/* After a request of 128 KiB the next one finds the plug sent; a merge still finds it there. */
Test(blk_mq, plug_is_sent_after_128_kib)
{
	struct sim *sim = blk_machine_new(DEVICE);
	struct seen_bio s[4];
	struct blk_plug plug;

	blk_start_plug(&plug);
	seen_bio_submit(&s[0], sim, REQ_OP_WRITE, 0, 0, 248, &plug);
	seen_bio_submit(&s[1], sim, REQ_OP_WRITE, 0, 248, 8, &plug); /* now 128 KiB */
	cr_assert_eq(plug.nr, 1);
	seen_bio_submit(&s[2], sim, REQ_OP_WRITE, 0, 256, 8, &plug);
	cr_assert_eq(plug.nr, 1);
	cr_assert_eq(stat(sim, "merges_write"), 2);
	seen_bio_submit(&s[3], sim, REQ_OP_WRITE, 0, 5000, 8, &plug);
	cr_assert_eq(plug.nr, 1);
	cr_assert_eq(plug.first->sector, 5000);
	blk_finish_plug(sim, &plug);
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "writes_completed"), 2);
	sim_free(sim);
}

/* Two slots, both worked on: 100 100 200 200 300 us, and the interrupt. */
Test(blk_mq, dispatches_fifo_within_the_slots)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 2\nparallel = 2\n[blk_mq]\nirq_ns = 0\n");
	struct seen_bio s[5];

	for (unsigned int i = 0; i < 5; i++)
		seen_bio_submit(&s[i], sim, REQ_OP_READ, 0, 10000 - 1000 * i, 8, NULL);
	blk_machine_run(sim, NSEC_PER_SEC);
	for (unsigned int i = 0; i < 5; i++) {
		cr_assert_eq(s[i].end_ns, 100 * US * (i / 2 + 1));
		cr_assert_eq(s[i].order, i + 1);
	}
	cr_assert_eq(reads(sim)->max, 100 * US);
	cr_assert_eq(stat(sim, "read_ticks"), (100 + 100 + 200 + 200 + 300) * US);
	sim_free(sim);
}

struct submitter {
	struct task task;
	struct seen_bio s[8];
	unsigned int nr, sleeps;
	ktime_t end_ns;
};

static void submitter_step(struct task *t)
{
	struct submitter *w = container_of(t, struct submitter, task);
	struct wait_queue *wq = blk_mq_tags_wait(t->sim);

	if (wq) {
		w->sleeps++;
		task_wait(t, wq, submitter_step, "a tag", w->nr, 0);
		return;
	}
	if (w->nr == G_N_ELEMENTS(w->s)) {
		w->end_ns = t->sim->now;
		task_exit(t);
		return;
	}
	unsigned int i = w->nr++;

	seen_bio_submit(&w->s[i], t->sim, REQ_OP_WRITE, 0, 1000 * (i + 1), 8, NULL);
	task_run(t, 0, submitter_step);
}

/* One tag: the second request has none, so the task sleeps until the first is complete. */
Test(blk_mq, submitters_sleep_for_tags)
{
	struct sim *sim = blk_machine_new(DEVICE "[blk_mq]\nnr_requests = 1\n");
	static struct submitter w[2];
	GError *err = NULL;

	for (unsigned int i = 0; i < 2; i++) {
		task_init(&w[i].task, sim, "submitter", (int32_t)i + 1, false);
		task_start(&w[i].task, submitter_step);
	}
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");
	blk_machine_run(sim, NSEC_PER_SEC);
	cr_assert_eq(stat(sim, "writes_completed"), 16);
	cr_assert_geq(w[0].sleeps, 7);
	cr_assert_geq(w[1].sleeps, 7);
	cr_assert_geq(stat(sim, "tag_waits"), 14);
	sim_free(sim);
}

static struct op block_op(enum op_kind kind, int64_t pos, int64_t len, uint32_t flags)
{
	return (struct op){.kind = (uint8_t)kind, .pos = pos, .len = len, .flags = flags};
}

struct replayer {
	struct task task;
	struct op op;
	ktime_t done_ns;
};

static void replayer_done(struct task *t)
{
	container_of(t, struct replayer, task)->done_ns = t->sim->now;
	task_exit(t);
}

static void replayer_start(struct task *t)
{
	struct replayer *r = container_of(t, struct replayer, task);

	t->sim->submit_block_op(t->sim, t, &r->op, replayer_done);
}

/* Contiguous requests of a capture stay what they are; results are bytes. */
Test(blk_mq, block_ops_are_requests_of_their_own)
{
	struct sim *sim = blk_machine_new(DEVICE "slots = 1\n[blk_mq]\nirq_ns = 0\n");
	static struct replayer r[6];
	GError *err = NULL;

	r[0].op = block_op(OP_BIO_WRITE, 0, 4096, OP_SYNC);
	r[1].op = block_op(OP_BIO_WRITE, 4096, 8192, OP_SYNC);
	r[2].op = block_op(OP_BIO_WRITE, 12288, 4096, OP_SYNC);
	r[3].op = block_op(OP_BIO_READ, 0, 100, 0); /* an odd size is rounded up */
	r[4].op = block_op(OP_FLUSH, 0, 0, 0);
	r[5].op = block_op(OP_DISCARD, 0, 1 << 30, 0);
	for (unsigned int i = 0; i < 6; i++) {
		task_init(&r[i].task, sim, "replayer", (int32_t)i + 1, false);
		task_start(&r[i].task, replayer_start);
	}
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");
	cr_assert_eq(stat(sim, "writes_completed"), 3);
	cr_assert_eq(stat(sim, "merges_write"), 0);
	cr_assert_eq(stat(sim, "sectors_written"), 32);
	cr_assert_eq(stat(sim, "sectors_read"), 1);
	cr_assert_eq(stat(sim, "flushes"), 1);
	cr_assert_eq(stat(sim, "sectors_discarded"), 1 << 21);
	cr_assert_eq(r[1].op.result, 8192);
	cr_assert_eq(r[0].done_ns, 100 * US);
	sim_free(sim);
}

#define NR_RANDOM 3000

/* Any mixture on a tight queue: every bio ends once, no byte is lost, checks after every event. */
Test(blk_mq, random_bios_all_end_once)
{
	struct sim *sim =
		blk_machine_new(DEVICE "slots = 3\nparallel = 2\n"
				       "[blk_mq]\nnr_requests = 5\nmax_sectors_kb = 64\n");
	struct seen_bio *s = g_new0(struct seen_bio, NR_RANDOM);
	uint64_t written = 0;
	struct blk_plug plug;
	struct rng rng;

	rng_init(&rng, 1, "test");
	blk_start_plug(&plug);
	for (unsigned int i = 0; i < NR_RANDOM; i++) {
		static const unsigned int opfs[] = {0, 0, 0, REQ_SYNC, REQ_FUA, REQ_PREFLUSH};
		unsigned int opf = opfs[rng_below(&rng, G_N_ELEMENTS(opfs))];
		bool read = opf < REQ_FUA && rng_below(&rng, 3) == 0;
		int64_t sectors = 8 * (1 + (int64_t)rng_below(&rng, 40));

		seen_bio_submit(&s[i], sim, read ? REQ_OP_READ : REQ_OP_WRITE, opf,
				rng_below(&rng, 100) * 8, sectors,
				rng_below(&rng, 4) ? &plug : NULL);
		written += read ? 0 : (uint64_t)sectors;
		if (rng_below(&rng, 20) == 0)
			blk_finish_plug(sim, &plug);
		blk_machine_run(sim, (ktime_t)rng_below(&rng, 200) * US);
	}
	blk_finish_plug(sim, &plug);
	blk_machine_run(sim, 100 * NSEC_PER_SEC);
	for (unsigned int i = 0; i < NR_RANDOM; i++)
		cr_assert_eq(s[i].ended, 1, "bio %u", i);
	cr_assert_eq(stat(sim, "sectors_written"), written);
	cr_assert_eq(stat(sim, "nr_in_flight"), 0);
	cr_assert_gt(stat(sim, "merges_write"), 0);
	g_free(s);
	sim_free(sim);
}

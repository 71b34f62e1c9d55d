/*
 * tests/closed_loop.h - load at the device itself: QD requests outstanding, no block layer and no
 * CPU costs, so what comes out is the device's own.
 */
#ifndef TESTS_CLOSED_LOOP_H
#define TESTS_CLOSED_LOOP_H

#include "models/dev.h"
#include "sim/sim.h"

struct closed_loop {
	enum req_op op;
	unsigned int opf;
	bool sequential;    /* else uniform over span_bytes */
	int64_t span_bytes; /* 0 = 64 GiB */
	int64_t size_bytes;
	unsigned int qd;
	uint64_t nr;	  /* requests to run in all */
	ktime_t interval; /* > 0: open loop, one request every so many ns, as far as slots allow */
	uint64_t seed;
	/* results */
	uint64_t completed;
	ktime_t first_ns, last_ns; /* first submission, last completion */
	struct hist latency;	   /* submission (open loop: arrival) to completion */
	uint64_t latency_buckets[HIST_BUCKETS];
};

/* A machine with only the devices, from configs/devices/@ini and @sets (NULL-terminated, may be
 * NULL).  Asserts that it loads. */
struct sim *device_sim(const char *ini, const char *const *sets);
struct model *device_of(const struct sim *sim);

/* Run the loops together until each has completed its nr (or, with nr 0, until the others have). */
void closed_loops_run(struct sim *sim, struct closed_loop **loops, unsigned int nr_loops);
void closed_loop_run(struct sim *sim, struct closed_loop *loop);

/* completions / (last completion - first submission). */
double closed_loop_iops(const struct closed_loop *loop);

/* One request at @when; its latency. */
struct single {
	struct request rq;
	struct sim *sim;
	struct event submit;
	ktime_t latency_ns; /* -1 until done */
};
void single_add(struct single *s, struct sim *sim, enum req_op op, unsigned int opf, int64_t pos,
		int64_t size_bytes, ktime_t when);

/* Print @got beside @want and assert that they are within @percent. */
void assert_near(const char *what, double got, double want, double percent);

#endif

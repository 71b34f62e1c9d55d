/*
 * sim/report.h - results.json and series.csv of a run; names no model.
 *
 * results.json: schema version, full config echo (every key of every table with value, grade and
 * where it came from), seed, counters of every model under its name, CPU time by context and by
 * task, jobs in fio's JSON shape (jobs[].read.clat_ns.percentile), and limits: the parameters of
 * grade E or without grade a number depends on. Written through json-glib; files appear whole or
 * not at all (temporary file, then rename).
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/series.h"
#include "sim/sim.h"

#define F2SIM_VERSION "0.1.0"

/* Of results.json; grows when a key changes its meaning or goes away. */
#define REPORT_SCHEMA_VERSION 1

/* What one workload (a capture, or a fio job clone) saw; the replayer fills it. */
enum job_dir { JOB_READ, JOB_WRITE, JOB_SYNC, JOB_TRIM, JOB_NR_DIRS };

struct job_stat {
	char *name; /* owned */
	struct {
		uint64_t ios, short_ios, errors, bytes;
		uint64_t eopnotsupp;  /* of errors: -EOPNOTSUPP (dontcache refused) */
		struct hist clat;     /* issue to completion, ns */
		uint64_t paced, late; /* calls with a due time (rate=); of them issued after it */
		ktime_t lag_max_ns;   /* longest from due time to completion of a late call */
		ktime_t first_ns, last_ns; /* first issue, last completion; valid while ios > 0 */
	} dir[JOB_NR_DIRS];
	uint64_t skipped_unbound, skipped_failed; /* ops of the capture that were not replayed */
};

/* Completed bytes or operations a second, from the first issue to the last completion (never to a
 * stop time); 0 when that is no time. */
uint64_t job_bytes_per_second(const struct job_stat *job, enum job_dir dir);
double job_iops(const struct job_stat *job, enum job_dir dir);
const char *job_dir_name(enum job_dir dir); /* "read", "write", "sync", "trim" */

struct report {
	struct sim *sim;
	struct job_stat *jobs;
	unsigned int nr_jobs;
	const char *workload; /* path or description, for the head */
	GPtrArray *notes; /* owned lines: what is not modelled, loss, unbound ops; may be NULL */
};

/* The results as a JSON tree; returns new (json_node_unref). */
JsonNode *report_json(const struct report *r);

/* Write @dir/results.json and @dir/series.csv (made if missing).  False with *@err. */
bool report_write(const struct report *r, const char *dir, GError **err);

/* The human table on stdout. */
void report_print(const struct report *r);

#endif

/*
 * sim/replay.h - put a stream of ops back in time: who issues what, when.
 *
 * File ops of a capture: each task of the capture is a task here and issues its ops in its own
 * order.  Modes: timed  at the capture's time stamp, or at once when the task is late think  the
 * gap from the completion before to this issue is kept (the default); a task's first op is timed
 *   asap   at once
 * Block ops of a capture go to the device (submit_block_op): timed and think are open loop, at the
 * time stamps; asap keeps iodepth in flight.  A generated job (fio) keeps its iodepth in flight,
 * paced by rate and thinktime.  A discard without a device (a trim of fio or of an iolog) belongs
 * to the task that asks for it: it goes to the device too, at its position in the file.
 *
 * A capture is read as the run needs it: at most REPLAY_AHEAD ops wait for tasks that are busy, so
 * memory does not grow with the capture.  A task that has run dry while that window is full waits
 * until others move on, counted in window_stalls.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/report.h"

#define REPLAY_AHEAD 65536u

/* Nothing is due later than this (73 years); a run that comes here ends with an error. */
#define REPLAY_MAX_NS (INT64_MAX / 4)

enum replay_mode { REPLAY_TIMED, REPLAY_THINK, REPLAY_ASAP };

struct replay_conf {
	enum replay_mode mode;
	uint64_t time_scale_ppm;	 /* gaps and time stamps times this / 1000000; > 0 */
	bool block_level;		 /* block ops drive, file ops do not */
	uint64_t iodepth;		 /* asap at block level */
	uint32_t set_flags, clear_flags; /* OP_* put on or taken off every read and write */
};

/* Pacing of a generated job; times in ns, <= REPLAY_MAX_NS.  Zero = no limit. */
struct replay_job {
	const char *name;	  /* copied */
	uint64_t iodepth;	  /* >= 1: ops in flight */
	int64_t rate_bytes;	  /* per second; writes have a budget of their own */
	int64_t rate_iops;	  /* as rate_bytes, in ops */
	int64_t thinktime_ns;	  /* pause of a slot after thinktime_blocks reads and writes */
	int64_t thinktime_blocks; /* >= 1 where thinktime_ns is set */
	int64_t ramp_ns;	  /* what is issued so long from the job's start is not counted */
	int64_t runtime_ns;	  /* from the end of the ramp */
	int64_t startdelay_ns;
	bool stonewall; /* starts when all jobs before it are done */
	/* The runtime is over: what the source gives from here on (a last fsync, close) still runs;
	 * NULL = nothing. */
	void (*stop)(struct op_source *source);
};

struct replay;

/* Returns new; the replay borrows @sim and all sources. */
struct replay *replay_new(struct sim *sim, const struct replay_conf *conf);
void replay_free(struct replay *r); /* after sim_free(): its tasks outlive the machine */

/* The one capture of this replay.  Reads ahead to create its tasks.  False with *@err (from the
 * source). */
bool replay_add_capture(struct replay *r, struct op_source *source, const char *name, GError **err);

/* Is @op replayed at this level? */
bool replay_drives(bool block_level, const struct op *op);

/* One generated job; any number. */
void replay_add_job(struct replay *r, struct op_source *source, const struct replay_job *job);

/* After the run: an error that a source gave in the middle (then what was simulated is incomplete);
 * false = fine. */
bool replay_failed(struct replay *r, GError **err);

/* What each job (or the capture) saw; borrowed until the next call or replay_free(). */
struct job_stat *replay_stats(struct replay *r, unsigned int *nr);

/* Times a task waited because the read-ahead window was full of other tasks' ops. */
uint64_t replay_window_stalls(const struct replay *r);

#endif

/*
 * traces/fiojob.h - fio jobs: their options, job files, and the ops a job issues.
 *
 * Options have fio's own names, units and meaning (HOWTO of fio 3.33; uncached of 3.39): sizes in
 * bytes with k m g t p, 1024-based unless kb_base=1000, times with d h m s ms us.  What changes
 * nothing in a simulation (directory, group_reporting, ...) is accepted and listed; anything else
 * is refused.
 */
#ifndef TRACES_FIOJOB_H
#define TRACES_FIOJOB_H

#include <glib.h>

#include "sim/op.h"
#include "traces/trace.h"

enum fio_rw {
	FIO_READ,
	FIO_WRITE,
	FIO_TRIM,
	FIO_RANDREAD,
	FIO_RANDWRITE,
	FIO_RANDTRIM,
	FIO_RW,
	FIO_RANDRW
};

/* How an ioengine issues: one call at a time, or up to iodepth of them. */
enum fio_engine { FIO_ENGINE_SYNC, FIO_ENGINE_MMAP, FIO_ENGINE_LIBAIO, FIO_ENGINE_IO_URING };

struct fio_job {
	char *name;
	char *filename;		  /* NULL: each clone has a file of its own */
	char *where;		  /* "FILE: line N" of its section, for errors; NULL = nowhere */
	int64_t rw;		  /* enum fio_rw */
	int64_t engine;		  /* enum fio_engine; fio's default is psync */
	int64_t rwmixread;	  /* percent of reads in FIO_RW and FIO_RANDRW */
	int64_t bs_bytes;	  /* default 4096 */
	int64_t size_bytes;	  /* the region of the file; 0 = not set */
	int64_t io_size_bytes;	  /* how much is done in it; 0 = size */
	int64_t offset_bytes;	  /* where the region begins */
	int64_t offset_increment; /* bytes more for each clone */
	int64_t numjobs, iodepth, loops;
	int64_t rate;	   /* bytes/s a clone and direction may do; 0 = any */
	int64_t rate_iops; /* as rate, in I/Os */
	/* times in ns, at most FIO_TIME_MAX_NS */
	int64_t thinktime; /* ns of pause after thinktime_blocks I/Os */
	int64_t thinktime_blocks;
	int64_t runtime; /* 0 = until all is done */
	int64_t startdelay;
	int64_t ramp_time;	  /* before runtime; nothing of it is counted */
	int64_t fsync, fdatasync; /* after so many writes; 0 = never */
	int64_t randseed;	  /* 0 = of the run */
	int64_t kb_base;
	bool time_based; /* begin anew until runtime is over */
	bool end_fsync, fsync_on_close;
	bool uncached, direct, sync;
	bool norandommap;   /* blocks may repeat */
	bool stonewall;	    /* starts when all jobs before it are done */
	uint64_t ino;	    /* of clone 0; without filename clone c has ino + c */
	int32_t task;	    /* of clone 0; clone c is task + c */
	GPtrArray *ignored; /* names of options that were accepted and mean nothing here; owned */
};

/* About three years: sums of a few of them and of a run's clock stay far below 2^63. */
#define FIO_TIME_MAX_NS INT64_C(100000000000000000)

struct fio_job *fio_job_new(void); /* returns new, fio's defaults, ino 1, task 1 */
struct fio_job *fio_job_copy(const struct fio_job *job);
void fio_job_free(struct fio_job *job); /* NULL is fine */

/* Is @key an option that fio_job_set() takes? */
bool fio_job_has(const char *key);

/* Set @key to @value as fio would; NULL: the option stands alone.  False with *@err, which names
 * the option but no file. */
bool fio_job_set(struct fio_job *job, const char *key, const char *value, GError **err);

/* How many I/Os fio has in flight: iodepth, or 1 where the ioengine makes it so. */
int64_t fio_job_depth(const struct fio_job *job);

/* The ioengine and what makes it synchronous, for people; static. */
const char *fio_job_engine(const struct fio_job *job);

/* Check options against each other, once all are set.  False with *@err, which begins with
 * job->where. */
bool fio_job_check(const struct fio_job *job, GError **err);

/* Give jobs inodes (1.., one for each filename, one for each clone without) and tasks (1..). */
void fio_jobs_number(GPtrArray *jobs);

/* The jobs of the job file @path, checked and numbered: array of struct fio_job *.  Returns new;
 * NULL with *@err (file and line). */
GPtrArray *fio_jobs_read(const char *path, GError **err);

/*
 * Ops of clone @clone (0 .. numjobs - 1) in fio's order, all with OP_NO_TIME: open, I/O and syncs,
 * close, once a loop.  With time_based it has no end: the replayer calls fio_source_stop().  Rates,
 * thinktime, iodepth, runtime, startdelay and stonewall are the replayer's.  Borrows @job. Constant
 * memory.
 */
struct op_source *fio_source_new(const struct fio_job *job, unsigned int clone, uint64_t seed);
void fio_source_free(struct op_source *src);

/* The time is over: what remains are end_fsync and the close. */
void fio_source_stop(struct op_source *src);

/* A job file as a capture: the clones of all jobs in turn; a time_based one does one round. */
extern const struct trace_ops trace_fiojob;

#endif

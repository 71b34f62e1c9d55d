/*
 * tests/test_replay_modes.c - when ops are issued: modes, scale, open and closed loop, job pacing.
 *
 * The device takes 100 us a read and one command at a time; nothing else takes time, so every
 * number here is the sum of waits written in the test.
 */
#include <criterion/criterion.h>

#include <string.h>

#include "sim/replay_internal.h"
#include "tests/machine.h"

#define US NSEC_PER_USEC
#define MS NSEC_PER_MSEC
#define QUIET                                                                                      \
	"[device]\nmodel = fixed\nread_time = 100us\nrate = 0\nparallel = 1\n"                     \
	"[blk_mq]\nirq_ns = 0\n[f2fs_data]\nmap_ns = 0\nsubmit_bio_ns = 0\nend_io_page_ns = 0\n"   \
	"end_read_page_ns = 0\n"                                                                   \
	"submit_page_ns = 0\n[f2fs_file]\nopen_ns = 0\n"                                           \
	"[filemap]\nread_call_ns = 0\nread_page_ns = 0\nadd_page_ns = 0\nwrite_call_ns = 0\n"      \
	"write_page_ns = 0\n[dropbehind]\ndrop_page_ns = 0\n"

struct list_source {
	struct op_source source; /* must be first */
	const struct op *ops;
	unsigned int nr, next;
};

static bool list_next(struct op_source *src, struct op *op, GError **err)
{
	struct list_source *s = (struct list_source *)src;

	(void)err;
	if (s->next == s->nr)
		return false;
	*op = s->ops[s->next++];
	return true;
}

/* A read of one page of inode 5, far from every other so that no window forms. */
static struct op read_at(int32_t task, ktime_t time, ktime_t done, unsigned int nr)
{
	struct op op = machine_read(5, (int64_t)nr << 24, 4096, 0);

	op.task = task;
	op.time_ns = time;
	op.done_ns = done;
	op.result = 4096;
	return op;
}

static struct op bio_read_at(ktime_t time, unsigned int nr)
{
	struct op op = read_at(7, time, OP_NO_TIME, nr);

	op.kind = OP_BIO_READ;
	return op;
}

/* Replay @ops and return what the job saw of reads. */
static struct job_stat run(struct replay_conf conf, const struct op *ops, unsigned int nr,
			   const struct replay_job *job)
{
	struct sim *sim = machine_new(QUIET);
	struct list_source source = {{list_next}, ops, nr, 0};
	struct replay *r;
	GError *err = NULL;
	unsigned int jobs;

	f2fs_set_initial_size(machine_inode(sim, 5), (int64_t)1 << 40);
	conf.time_scale_ppm = conf.time_scale_ppm ? conf.time_scale_ppm : 1000000;
	r = replay_new(sim, &conf);
	if (job)
		replay_add_job(r, &source.source, job);
	else
		cr_assert(replay_add_capture(r, &source.source, "capture", &err));
	sim_start(sim);
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");

	struct job_stat stat = replay_stats(r, &jobs)[0];

	machine_free(sim);
	replay_free(r);
	return stat;
}

struct endless_source {
	struct op_source source; /* must be first */
	struct op op;
};

static bool endless_next(struct op_source *src, struct op *op, GError **err)
{
	(void)err;
	*op = ((struct endless_source *)src)->op;
	return true;
}

/* The error of a job that gives @op for ever. */
static char *error_of_endless(struct op op, const char *ini, int64_t runtime_ns)
{
	struct sim *sim = machine_new(ini);
	struct endless_source source = {{endless_next}, op};
	struct replay_conf conf = {.mode = REPLAY_ASAP, .time_scale_ppm = 1000000};
	struct replay_job job = {.name = "job", .iodepth = 1, .runtime_ns = runtime_ns};
	struct replay *r = replay_new(sim, &conf);
	GError *err = NULL;

	replay_add_job(r, &source.source, &job);
	sim_start(sim);
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");
	cr_assert(replay_failed(r, &err), "it must not go on for ever");
	machine_free(sim);
	replay_free(r);

	char *message = g_strdup(err->message);

	g_error_free(err);
	return message;
}

Test(replay_modes, a_source_of_nothing_wanted_ends)
{
	struct op op = {.kind = OP_BIO_READ, .time_ns = OP_NO_TIME, .done_ns = OP_NO_TIME};
	g_autofree char *message = error_of_endless(op, QUIET, 0);

	cr_assert_str_eq(message,
			 "job: 1048576 ops in a row that cannot be replayed, the last a bio_read");
}

/* A refused dontcache write takes no time: the clock never comes to the end of the runtime. */
Test(replay_modes, a_runtime_that_cannot_pass_ends)
{
	struct op op = machine_write(5, 0, 4096, OP_DONTCACHE);

	op.time_ns = OP_NO_TIME;
	g_autofree char *message = error_of_endless(op, QUIET "[sim]\ncheck = off\n", NSEC_PER_SEC);

	cr_assert(strstr(message, "took no time at all"), "%s", message);
}

/* Trims have no device: they take the way of their job, and the device sees all of them. */
Test(replay_modes, trims_go_with_the_file_ops)
{
	struct op ops[3] = {read_at(7, 0, 1 * MS, 1), read_at(7, 2 * MS, OP_NO_TIME, 2),
			    read_at(7, 4 * MS, OP_NO_TIME, 3)};

	ops[1].kind = OP_DISCARD;
	ops[1].dev = 0;
	ops[1].len = INT64_C(1) << 31; /* CASES 4 */
	ops[2].kind = OP_WRITE;
	struct job_stat stat = run((struct replay_conf){.mode = REPLAY_ASAP}, ops, 3, NULL);

	cr_assert_eq(stat.dir[JOB_READ].ios, 1);
	cr_assert_eq(stat.dir[JOB_WRITE].ios, 1);
	cr_assert_eq(stat.dir[JOB_TRIM].ios, 1);
	cr_assert_eq(stat.dir[JOB_TRIM].bytes, UINT64_C(1) << 31);
	ops[1].dev = MACHINE_DEV; /* one that the file system sent */
	stat = run((struct replay_conf){.mode = REPLAY_ASAP}, ops, 3, NULL);
	cr_assert_eq(stat.dir[JOB_TRIM].ios, 0);
}

/* Stamps as far apart as they can be. */
Test(replay_modes, far_stamps_saturate)
{
	struct replay_conf conf = {.mode = REPLAY_TIMED, .time_scale_ppm = 10000000000};
	struct replay r = {.conf = conf, .first_ns = OP_NO_TIME + 1};

	cr_assert_eq(replay_due(&r, INT64_MAX), REPLAY_MAX_NS);
	cr_assert_eq(replay_due(&r, OP_NO_TIME), 0);
	r.first_ns = 0;
	cr_assert_eq(replay_due(&r, 5), 50000);
	cr_assert_eq(replay_due(&r, -5), 0);
}

static ktime_t last_read(enum replay_mode mode, uint64_t scale_ppm)
{
	const struct op ops[] = {read_at(7, 10 * MS, 11 * MS, 1), read_at(7, 13 * MS, 14 * MS, 2)};
	struct replay_conf conf = {.mode = mode, .time_scale_ppm = scale_ppm};
	struct job_stat stat = run(conf, ops, 2, NULL);

	cr_assert_eq(stat.dir[JOB_READ].ios, 2);
	cr_assert_eq(stat.dir[JOB_READ].first_ns, 0, "the capture's first op is time 0");
	return stat.dir[JOB_READ].last_ns;
}

Test(replay_modes, timed_keeps_the_stamps)
{
	cr_assert_eq(last_read(REPLAY_TIMED, 0), 3 * MS + 100 * US);
	cr_assert_eq(last_read(REPLAY_TIMED, 500000), 1500 * US + 100 * US);
}

/* 2 ms from the first completion to the second issue. */
Test(replay_modes, think_keeps_the_gaps)
{
	cr_assert_eq(last_read(REPLAY_THINK, 0), 100 * US + 2 * MS + 100 * US);
	cr_assert_eq(last_read(REPLAY_THINK, 2000000), 100 * US + 4 * MS + 100 * US);
}

Test(replay_modes, asap_keeps_nothing)
{
	cr_assert_eq(last_read(REPLAY_ASAP, 0), 200 * US);
}

/* Two tasks run side by side; the second waits for the device behind the first. */
Test(replay_modes, tasks_are_independent)
{
	const struct op ops[] = {read_at(7, 0, 1 * MS, 1), read_at(8, 0, 1 * MS, 2),
				 read_at(7, 2 * MS, 3 * MS, 3)};
	struct job_stat stat = run((struct replay_conf){.mode = REPLAY_THINK}, ops, 3, NULL);

	cr_assert_eq(stat.dir[JOB_READ].clat.max, 200 * US);
	cr_assert_eq(stat.dir[JOB_READ].last_ns, 100 * US + 1 * MS + 100 * US);
}

/* Unbound ops and calls that failed in the capture are counted, not replayed. */
Test(replay_modes, what_cannot_be_replayed_is_counted)
{
	struct op ops[] = {read_at(7, 0, 1 * MS, 1), read_at(7, 2 * MS, 3 * MS, 2),
			   read_at(7, 4 * MS, 5 * MS, 3)};

	ops[0].flags = OP_UNBOUND;
	ops[1].result = -5;
	struct job_stat stat = run((struct replay_conf){.mode = REPLAY_ASAP}, ops, 3, NULL);

	cr_assert_eq(stat.skipped_unbound, 1);
	cr_assert_eq(stat.skipped_failed, 1);
	cr_assert_eq(stat.dir[JOB_READ].ios, 1);
}

/* Open loop: arrivals at the stamps whatever the device does; the third waits 80 us twice over. */
Test(replay_modes, block_ops_are_open_loop)
{
	const struct op ops[] = {bio_read_at(0, 1), bio_read_at(10 * US, 2),
				 bio_read_at(20 * US, 3)};
	struct job_stat stat =
		run((struct replay_conf){.mode = REPLAY_TIMED, .block_level = true}, ops, 3, NULL);

	cr_assert_eq(stat.dir[JOB_READ].ios, 3);
	cr_assert_eq(stat.dir[JOB_READ].last_ns, 300 * US);
	cr_assert_eq(stat.dir[JOB_READ].clat.max, 280 * US);
}

Test(replay_modes, block_asap_keeps_its_depth)
{
	const struct op ops[] = {bio_read_at(0, 1), bio_read_at(1 * MS, 2), bio_read_at(2 * MS, 3)};
	struct replay_conf conf = {.mode = REPLAY_ASAP, .block_level = true, .iodepth = 1};
	struct job_stat stat = run(conf, ops, 3, NULL);

	cr_assert_eq(stat.dir[JOB_READ].last_ns, 300 * US);
	cr_assert_eq(stat.dir[JOB_READ].clat.max, 100 * US);
}

static struct job_stat run_job(struct replay_job job)
{
	struct op ops[10];

	for (unsigned int i = 0; i < 10; i++)
		ops[i] = read_at(1, OP_NO_TIME, OP_NO_TIME, i + 1);
	job.name = "job";
	job.iodepth = 1;
	return run((struct replay_conf){.mode = REPLAY_ASAP}, ops, 10, &job);
}

/* 4,096 bytes at 4,096,000 B/s: one a ms, the tenth at 9 ms. */
Test(replay_modes, rate_paces_a_job)
{
	struct job_stat stat = run_job((struct replay_job){.rate_bytes = 4096000});

	cr_assert_eq(stat.dir[JOB_READ].last_ns, 9 * MS + 100 * US);
	stat = run_job((struct replay_job){.rate_iops = 500});
	cr_assert_eq(stat.dir[JOB_READ].last_ns, 18 * MS + 100 * US);
}

/*
 * Due every 50 us, and a read takes 100: the first begins in time, the other nine begin when the
 * one before them ends.  The tenth is due at 450 us and ends at 1,000.  With 1 ms between them all
 * begin when they are due.
 */
Test(replay_modes, a_job_that_cannot_keep_its_rate_is_late)
{
	struct job_stat stat = run_job((struct replay_job){.rate_iops = 20000});

	cr_assert_eq(stat.dir[JOB_READ].paced, 10);
	cr_assert_eq(stat.dir[JOB_READ].late, 9);
	cr_assert_eq(stat.dir[JOB_READ].lag_max_ns, 550 * US);
	stat = run_job((struct replay_job){.rate_iops = 1000});
	cr_assert_eq(stat.dir[JOB_READ].paced, 10);
	cr_assert_eq(stat.dir[JOB_READ].late, 0);
	cr_assert_eq(stat.dir[JOB_READ].lag_max_ns, 0);
	stat = run_job((struct replay_job){0}); /* not paced at all */
	cr_assert_eq(stat.dir[JOB_READ].paced, 0);
}

/* 1 ms after every second read: pauses after 2, 4, 6, 8. */
Test(replay_modes, thinktime_and_startdelay)
{
	struct job_stat stat = run_job((struct replay_job){
		.thinktime_ns = 1 * MS, .thinktime_blocks = 2, .startdelay_ns = 5 * MS});

	cr_assert_eq(stat.dir[JOB_READ].first_ns, 5 * MS);
	cr_assert_eq(stat.dir[JOB_READ].last_ns, 5 * MS + 10 * 100 * US + 4 * MS);
}

/* 350 us: reads begin at 0, 100, 200, 300; none after. */
Test(replay_modes, runtime_ends_a_job)
{
	struct job_stat stat = run_job((struct replay_job){.runtime_ns = 350 * US});

	cr_assert_eq(stat.dir[JOB_READ].ios, 4);
}

/* Reads at 0, 100, .. us: three begin in the ramp of 250 us, and the runtime begins after it. */
Test(replay_modes, the_ramp_is_not_counted)
{
	struct job_stat stat = run_job((struct replay_job){.ramp_ns = 250 * US});

	cr_assert_eq(stat.dir[JOB_READ].ios, 7);
	cr_assert_eq(stat.dir[JOB_READ].first_ns, 300 * US);
	stat = run_job((struct replay_job){.ramp_ns = 250 * US, .runtime_ns = 350 * US});
	cr_assert_eq(stat.dir[JOB_READ].ios, 3);
	cr_assert_eq(stat.dir[JOB_READ].last_ns, 600 * US);
}

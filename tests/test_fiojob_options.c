/*
 * tests/test_fiojob_options.c - traces/fiojob.h: options of a fio job, one by one.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/fio_job.h"

static int64_t size_set(const char *kb_base, const char *value)
{
	g_autoptr(GError) err = NULL;
	struct fio_job *job = fio_job_new();

	cr_assert(fio_job_set(job, "kb_base", kb_base, &err));
	int64_t size = fio_job_set(job, "size", value, &err) ? job->size_bytes : -1;
	fio_job_free(job);
	return size;
}

/* The examples of fio's HOWTO, "Parameter types". */
Test(fiojob_options, sizes)
{
	static const char *const kib[] = {"4096", "4096b", "4096B", "4k",
					  "4kb",  "4kB",   "4K",    "4KB"};
	static const char *const kib1000[] = {"4ki", "4kib", "4kiB", "4Ki", "4KiB", "4 KiB"};

	for (size_t i = 0; i < G_N_ELEMENTS(kib); i++)
		cr_assert_eq(size_set("1024", kib[i]), 4096, "%s", kib[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(kib1000); i++)
		cr_assert_eq(size_set("1000", kib1000[i]), 4096, "%s", kib1000[i]);
	cr_assert_eq(size_set("1024", "1024k"), 1048576);
	cr_assert_eq(size_set("1024", "1mi"), 1000000);
	cr_assert_eq(size_set("1024", "1000ki"), 1000000);
	cr_assert_eq(size_set("1000", "1m"), 1000000);
	cr_assert_eq(size_set("1024", "1t"), INT64_C(1099511627776));
	cr_assert_eq(size_set("1024", "0x1000"), 4096);
	cr_assert_eq(size_set("1024", "9p"), INT64_C(10133099161583616));
}

Test(fiojob_options, bad_sizes)
{
	static const char *const bad[] = {"",
					  "k",
					  "-4k",
					  "4kk",
					  "4x",
					  "50%",
					  "4k,8k",
					  "4k-8k",
					  "0",
					  "8193p",
					  "99999999999999999999"};

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		cr_assert_eq(size_set("1024", bad[i]), -1, "%s", bad[i]);
}

Test(fiojob_options, times)
{
	struct fio_job *job =
		JOB("size", "1m", "runtime", "10m", "startdelay", "500ms", "thinktime", "30");

	cr_assert_eq(job->runtime, 600 * NSEC_PER_SEC);
	cr_assert_eq(job->startdelay, 500 * NSEC_PER_MSEC);
	cr_assert_eq(job->thinktime, 30 * NSEC_PER_USEC);
	fio_job_free(job);
	job = JOB("size", "1m", "runtime", "30", "thinktime", "2s");
	cr_assert_eq(job->runtime, 30 * NSEC_PER_SEC);
	cr_assert_eq(job->thinktime, 2 * NSEC_PER_SEC);
	fio_job_free(job);
}

static void expect_refused(const char *key, const char *value, const char *what)
{
	struct fio_job *job = fio_job_new();
	GError *err = NULL;

	cr_assert_not(fio_job_set(job, key, value, &err), "%s=%s", key, value);
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	cr_assert(strstr(err->message, what), "%s", err->message);
	g_error_free(err);
	fio_job_free(job);
}

Test(fiojob_options, refuses)
{
	expect_refused("rw", "trimwrite", "rw: \"trimwrite\"");
	expect_refused("rwmixread", "101", "not within 0 .. 100");
	expect_refused("numjobs", "0", "numjobs: 0 is not within");
	expect_refused("direct", "yes", "neither 0 nor 1");
	expect_refused("zonemode", "zbd", "unknown option \"zonemode\"");
	expect_refused("size", NULL, "size: needs a value");
	expect_refused("runtime", "10x", "is not a time");
	expect_refused("rate", "1m,500k", "is not a number of bytes");
	expect_refused("bs", "4k,8k", "bs: \"4k,8k\" is not a number of bytes: one value for each");
	expect_refused("size", "50%", "size: 50%: a share needs the size of the file");
	expect_refused("nrfiles", "2", "nrfiles: 2: only one file a job");
	expect_refused("openfiles", "4", "openfiles: 4: only one file a job");
	expect_refused("ioengine", "null", "ioengine: \"null\" is not modelled");
}

/* 10^17 ns are 100,000,000 s; what is beyond overflowed in sums with the clock. */
Test(fiojob_options, times_are_bounded)
{
	static const char *const seconds[] = {"runtime", "startdelay", "ramp_time", "timeout"};

	for (size_t i = 0; i < G_N_ELEMENTS(seconds); i++) {
		struct fio_job *job = JOB("size", "1m", seconds[i], "100000000");

		fio_job_free(job);
		g_autofree char *what = g_strdup_printf("%s: 100000001 is more than", seconds[i]);
		expect_refused(seconds[i], "100000001", what);
	}
	expect_refused("thinktime", "9223372036854775", "thinktime: 9223372036854775 is more than");
}

/* HOWTO of fio: iodepth, "Even async engines may impose OS restrictions causing the desired depth
 * not to be achieved. This may happen on Linux when using libaio and not setting direct=1". */
Test(fiojob_options, depth_is_that_of_the_engine)
{
	static const struct {
		const char *engine, *direct;
		int64_t depth;
	} cases[] = {
		{"psync", "1", 1},     {"sync", "0", 1},    {"vsync", "1", 1},
		{"pvsync", "0", 1},    {"pvsync2", "1", 1}, {"mmap", "0", 1},
		{"libaio", "0", 1},    {"libaio", "1", 16}, {"io_uring", "0", 16},
		{"io_uring", "1", 16},
	};
	struct fio_job *job = JOB("size", "1m", "iodepth", "16");

	cr_assert_eq(fio_job_depth(job), 1, "psync is the default");
	fio_job_free(job);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		job = JOB("size", "1m", "iodepth", "16", "ioengine", cases[i].engine, "direct",
			  cases[i].direct);
		cr_assert_eq(fio_job_depth(job), cases[i].depth, "%s", cases[i].engine);
		fio_job_free(job);
	}
}

Test(fiojob_options, options_of_real_jobs)
{
	static const char *const ignored[] = {"thread",
					      "group_reporting",
					      "lat_percentiles",
					      "clat_percentiles",
					      "percentile_list",
					      "write_bw_log",
					      "write_lat_log",
					      "write_iops_log",
					      "log_avg_msec",
					      "invalidate",
					      "refill_buffers",
					      "randrepeat",
					      "allrandrepeat",
					      "create_on_open",
					      "fallocate",
					      "unlink",
					      "eta",
					      "disk_util"};
	struct fio_job *job = JOB("filesize", "1m", "blocksize", "8k", "rwmixwrite", "30",
				  "nrfiles", "1", "openfiles", "1", "ramp_time", "5");

	cr_assert(job->size_bytes == 1048576 && job->bs_bytes == 8192);
	cr_assert_eq(job->rwmixread, 70);
	cr_assert_eq(job->ramp_time, 5 * NSEC_PER_SEC);
	cr_assert_eq(job->ignored->len, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(ignored); i++)
		cr_assert(fio_job_set(job, ignored[i], "x", NULL), "%s", ignored[i]);
	cr_assert_eq(job->ignored->len, G_N_ELEMENTS(ignored));
	fio_job_free(job);
}

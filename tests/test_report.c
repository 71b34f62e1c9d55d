/*
 * tests/test_report.c - results.json and series.csv of a small machine with known numbers.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#include "sim/op.h"
#include "sim/report.h"
#include "tests/support.h"

struct disk {
	struct model model;
	struct {
		int64_t read_ns, exit_ns;
		uint64_t depth;
	} conf;
	struct {
		uint64_t reads, nr_queued, busy_ns;
	} stat;
};

static void disk_sample(struct model *m)
{
	struct disk *d = (struct disk *)m;

	d->stat.nr_queued = (uint64_t)(m->sim->now / NSEC_PER_SEC) * 10;
}

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_NSEC, disk, read_ns, "54us [E] guess", NULL, NULL, "read latency"),
	CONF(CONF_NSEC, disk, exit_ns, "0ns", NULL, NULL, "idle exit"),
	CONF(CONF_U64,  disk, depth, "32", "1", NULL, "queue depth"),
	{ 0 }
};
static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, disk, reads), STAT(STAT_GAUGE, disk, nr_queued), STAT(STAT_NSEC, disk, busy_ns),
	{ 0 }
};
static const struct model_ops disk = {
	.name = "dev_test", .section = "device", .choice = "test", .source = "test",
	.size = sizeof(struct disk), .keys = keys, .stats = stats, .sample = disk_sample,
};
static const struct model_ops *const table[] = { &disk, NULL };
/* clang-format on */

static void worker_end(struct task *t)
{
	struct disk *d = (struct disk *)model_get(t->sim, &disk);

	d->stat.reads = 3;
	d->stat.busy_ns = 12345;
	task_exit(t);
}

static void worker(struct task *t)
{
	task_run(t, 2500 * NSEC_PER_MSEC, worker_end);
}

/* A run of 2.5 s with one task and one kernel thread; ten reads of 1 .. 10 us in its job. */
struct fixture {
	struct sim *sim;
	struct task task, kswapd;
	struct job_stat job;
	struct report report;
};

static struct fixture *run_one(void)
{
	static const char text[] = "[device]\nread_ns = 60us\ndepth = 8 [D] datasheet\n"
				   "[workload]\nrw = read\n[calibrated]\nx = 3 [E] by eye\n";
	struct fixture *f = g_new0(struct fixture, 1);
	struct config *c = config_load(test_text("r.ini", text), NULL, NULL, NULL);

	config_allow_section(c, "workload");
	f->sim = sim_new(c, table, NULL);
	cr_assert_not_null(f->sim);
	task_init(&f->task, f->sim, "fio", 7, false);
	task_init(&f->kswapd, f->sim, "kswapd0", 8, true);
	task_start(&f->task, worker);
	sim_start(f->sim);
	cr_assert(sim_run(f->sim, NULL));
	f->job.name = (char *)"job0";
	f->job.dir[JOB_READ].ios = 10;
	f->job.dir[JOB_READ].bytes = 40960;
	f->job.dir[JOB_READ].short_ios = 1;
	f->job.dir[JOB_READ].first_ns = 500 * NSEC_PER_MSEC;
	f->job.dir[JOB_READ].last_ns = 2000 * NSEC_PER_MSEC;
	for (int64_t us = 1; us <= 10; us++)
		hist_add(&f->job.dir[JOB_READ].clat, us * 1000);
	f->report = (struct report){.sim = f->sim, .jobs = &f->job, .nr_jobs = 1, .workload = "w"};
	f->report.notes = g_ptr_array_new();
	g_ptr_array_add(f->report.notes, (char *)"a note");
	return f;
}

static void fixture_free(struct fixture *f)
{
	sim_free(f->sim);
	hist_fini(&f->job.dir[JOB_READ].clat);
	g_ptr_array_unref(f->report.notes);
	g_free(f);
}

static JsonObject *object(JsonObject *o, const char *path)
{
	g_auto(GStrv) part = g_strsplit(path, "/", -1);

	for (char **p = part; *p; p++) {
		cr_assert(json_object_has_member(o, *p), "%s of %s", *p, path);
		o = json_object_get_object_member(o, *p);
	}
	return o;
}

static gint64 number(JsonObject *o, const char *name)
{
	cr_assert(json_object_has_member(o, name), "%s", name);
	return json_object_get_int_member(o, name);
}

static JsonObject *results(const struct fixture *f)
{
	return json_node_get_object(report_json(&f->report));
}

Test(report, head_counters_and_cpu)
{
	struct fixture *f = run_one();
	JsonObject *o = results(f), *cpu = object(o, "cpu");
	JsonObject *task =
		json_array_get_object_element(json_object_get_array_member(cpu, "tasks"), 0);

	cr_assert_eq(number(o, "schema_version"), 1);
	cr_assert_eq(number(o, "seed"), 1);
	cr_assert_eq(number(o, "simulated_ns"), INT64_C(2500000000));
	cr_assert_str_eq(json_object_get_string_member(o, "f2sim"), F2SIM_VERSION);
	cr_assert_str_eq(json_object_get_string_member(o, "workload"), "w");
	cr_assert(json_object_get_null_member(o, "failure"));
	cr_assert_eq(number(object(o, "stats/dev_test"), "reads"), 3);
	cr_assert_eq(number(object(o, "stats/dev_test"), "busy_ns"), 12345);
	cr_assert_eq(number(object(cpu, "contexts"), "task_ns"), INT64_C(2500000000));
	cr_assert_eq(number(object(cpu, "contexts"), "hardirq_ns"), 0);
	cr_assert_str_eq(json_object_get_string_member(task, "name"), "fio");
	cr_assert_eq(number(task, "pid"), 7);
	cr_assert_eq(number(task, "cpu_ns"), INT64_C(2500000000));
	cr_assert_str_eq(json_array_get_string_element(json_object_get_array_member(o, "notes"), 0),
			 "a note");
	fixture_free(f);
}

/*
 * 40960 bytes and 10 reads from the first issue at 0.5 s to the last completion at 2 s (the run
 * itself went on to 2.5 s): 40960 / 1.5 = 27306 bytes/s, 6.67 IOPS.  Latencies are 1 .. 10 us: p50
 * is the fifth, 5 us, whose bucket is [4992, 5055].
 */
Test(report, throughput_by_what_completed)
{
	struct fixture *f = run_one();
	JsonObject *o = results(f);
	JsonObject *job = json_array_get_object_element(json_object_get_array_member(o, "jobs"), 0);
	JsonObject *read = object(job, "read"), *clat = object(read, "clat_ns");
	gint64 p50 = number(object(clat, "percentile"), "50.000000");

	cr_assert_str_eq(json_object_get_string_member(job, "jobname"), "job0");
	cr_assert_eq(number(read, "io_bytes"), 40960);
	cr_assert_eq(number(read, "total_ios"), 10);
	cr_assert_eq(number(read, "short_ios"), 1);
	cr_assert_eq(number(read, "bw_bytes"), 27306);
	cr_assert_eq(number(read, "runtime_ms"), 1500);
	cr_assert_float_eq(json_object_get_double_member(read, "iops"), 6.666667, 1e-5);
	cr_assert_eq(number(clat, "min"), 1000);
	cr_assert_eq(number(clat, "max"), 10000);
	cr_assert_eq(number(clat, "N"), 10);
	cr_assert_float_eq(json_object_get_double_member(clat, "mean"), 5500, 1e-9);
	cr_assert_eq(p50, 5055);
	cr_assert_eq(number(object(clat, "percentile"), "99.990000"), 10000);
	cr_assert_eq(number(object(job, "trim"), "total_ios"), 0);
	cr_assert_eq(number(object(job, "write"), "bw_bytes"), 0);
	fixture_free(f);
}

static void assert_echo(JsonObject *config, const char *path, const char *value, const char *where,
			const char *grade)
{
	JsonObject *o = object(config, path);

	cr_assert_str_eq(json_object_get_string_member(o, "value"), value);
	cr_assert(g_str_has_suffix(json_object_get_string_member(o, "where"), where), "%s", path);
	if (grade)
		cr_assert_str_eq(json_object_get_string_member(o, "grade"), grade);
	else
		cr_assert(json_object_get_null_member(o, "grade"));
}

/* Given keys lose the grade of the default; estimates and ungraded times are limits. */
Test(report, config_echo_and_limits)
{
	struct fixture *f = run_one();
	JsonObject *o = results(f), *config = object(o, "config");
	JsonArray *limits = json_object_get_array_member(o, "limits");

	assert_echo(config, "device/read_ns", "60us", "r.ini:2", NULL);
	assert_echo(config, "device/exit_ns", "0ns", "default", NULL);
	assert_echo(config, "device/depth", "8", "r.ini:3", "D");
	assert_echo(config, "device/model", "test", "default", NULL);
	assert_echo(config, "host/memory", "4GiB", "default", NULL);
	assert_echo(config, "sim/seed", "1", "default", NULL);
	assert_echo(config, "workload/rw", "read", "r.ini:5", NULL);
	assert_echo(config, "calibrated/x", "3", "r.ini:7", "E");
	cr_assert_eq(json_array_get_length(limits), 3);
	cr_assert_str_eq(json_array_get_string_element(limits, 0),
			 "device.read_ns = 60us has no grade");
	cr_assert_str_eq(json_array_get_string_element(limits, 1),
			 "device.exit_ns = 0ns has no grade");
	cr_assert_str_eq(json_array_get_string_element(limits, 2),
			 "calibrated.x = 3 is an estimate (grade E)");
	fixture_free(f);
}

/* Samples at 0, 1, 2 s and the end, 2.5 s; the gauge is 10 a full second. */
Test(report, series_rows)
{
	struct fixture *f = run_one();
	g_autofree char *csv = series_csv(f->sim->series);
	uint64_t max;
	double mean;

	cr_assert_str_eq(csv, "time_s,dev_test.reads,dev_test.nr_queued,cpu.task_ns,cpu.softirq_ns,"
			      "cpu.hardirq_ns,task.kswapd0.cpu_ns\n"
			      "0.000000000,0,0,0,0,0,0\n"
			      "1.000000000,0,10,1000000000,0,0,0\n"
			      "2.000000000,0,20,2000000000,0,0,0\n"
			      "2.500000000,3,20,2500000000,0,0,0\n");
	cr_assert(series_summary(f->sim->series, "dev_test.nr_queued", &mean, &max));
	cr_assert_float_eq(mean, 12, 1e-12); /* (5 + 15 + 20 / 2) / 2.5 s */
	cr_assert_eq(max, 20);
	cr_assert_not(series_summary(f->sim->series, "dev_test.busy_ns", &mean, &max));
	fixture_free(f);
}

static char *contents(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;

	cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
	g_unlink(path);
	return text;
}

Test(report, files_parse_and_equal_runs_give_equal_bytes)
{
	g_autofree char *folder = g_dir_make_tmp("f2sim-report-XXXXXX", NULL);
	g_autofree char *deep = g_build_filename(folder, "made", "here", NULL);
	g_autofree char *above = g_path_get_dirname(deep);
	g_autoptr(JsonParser) parser = json_parser_new();
	char *json[2], *csv[2];

	for (unsigned int i = 0; i < 2; i++) {
		struct fixture *f = run_one();
		GError *err = NULL;

		cr_assert(report_write(&f->report, deep, &err), "%s", err ? err->message : "");
		json[i] = contents(deep, "results.json");
		csv[i] = contents(deep, "series.csv");
		fixture_free(f);
	}
	cr_assert_str_eq(json[0], json[1]);
	cr_assert_str_eq(csv[0], csv[1]);
	cr_assert(json_parser_load_from_data(parser, json[0], -1, NULL));
	cr_assert(g_str_has_suffix(json[0], "}\n"));
	cr_assert_eq(g_rmdir(deep), 0); /* no temporary file was left behind */
	g_rmdir(above);
	g_rmdir(folder);
	for (unsigned int i = 0; i < 2; i++) {
		g_free(json[i]);
		g_free(csv[i]);
	}
}

Test(report, a_file_that_cannot_be_written_is_absent)
{
	const char *file = test_text("plain", "x");
	g_autofree char *below = g_build_filename(file, "results.json", NULL);
	struct fixture *f = run_one();
	GError *err = NULL;

	cr_assert_not(report_write(&f->report, file, &err));
	cr_assert(g_str_has_prefix(err->message, file));
	cr_assert_not(g_file_test(below, G_FILE_TEST_EXISTS));
	g_error_free(err);
	fixture_free(f);
}

/* Mean 5.5 us, p50 the bucket top 5055 ns (5000 lies in [4992, 5055]); 40960 / 1.5 s = 0.026 MiB/s;
 * one of two CPUs was busy all the time. */
Test(report, table_for_people, .init = cr_redirect_stdout)
{
	struct fixture *f = run_one();

	report_print(&f->report);
	fflush(stdout);
	/* clang-format off */
	cr_assert_stdout_eq_str(
		"workload w\n"
		"simulated 2.500000 s, seed 1\n"
		"\n"
		"job                  dir            ios      MiB/s         IOPS    mean ms     p50 ms     p99 ms   p99.9 ms   errors\n"
		"job0                 read            10       0.03          6.7     0.0055     0.0051     0.0100     0.0100        0\n"
		"\n"
		"cpu (of 2)  task 50.00%  softirq 0.00%  hardirq 0.00%\n"
		"  fio                        2500.000 ms\n"
		"\n"
		"dev_test.reads                                                      3\n"
		"dev_test.nr_queued                                                 20\n"
		"dev_test.busy_ns                                                12345\n"
		"note: a note\n"
		"limits: 3 parameters are estimates or without a source (limits in "
		"results.json, --json)\n");
	/* clang-format on */
	fixture_free(f);
}

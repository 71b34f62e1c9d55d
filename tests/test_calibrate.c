/*
 * tests/test_calibrate.c - device sections from latencies: a known device is found again, real
 * captures are met as far as README.md says, and input that says nothing is refused.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

/* A fresh folder of this test. */
static char *fresh(void)
{
	char *dir = g_dir_make_tmp("f2sim-calibrate-XXXXXX", NULL);

	cr_assert(dir);
	return dir;
}

static JsonObject *class_of(JsonObject *root, const char *name)
{
	JsonArray *classes = json_object_get_array_member(root, "classes");

	for (guint i = 0; i < json_array_get_length(classes); i++) {
		JsonObject *k = json_array_get_object_element(classes, i);

		if (!strcmp(json_object_get_string_member(k, "class"), name))
			return k;
	}
	cr_assert(false, "no class \"%s\"", name);
	return NULL;
}

static double quantile(JsonObject *k, const char *side, const char *q)
{
	return (double)json_object_get_int_member(json_object_get_object_member(k, side), q);
}

/* The simulated quantile @q of class @name lies within @percent of the observed one. */
static void near(JsonObject *root, const char *name, const char *q, double percent)
{
	JsonObject *k = class_of(root, name);
	double seen = quantile(k, "observed_ns", q), got = quantile(k, "simulated_ns", q);

	cr_assert(fabs(got - seen) <= seen * percent / 100, "%s %s: observed %.0f, simulated %.0f",
		  name, q, seen, got);
}

static double device_number(JsonObject *root, const char *key)
{
	return g_ascii_strtod(
		json_object_get_string_member(json_object_get_object_member(root, "device"), key),
		NULL);
}

/* Direct I/O of @options on the consumer NVMe drive; its blktrace. */
static char *blktrace_of(const char *dir, const char *options)
{
	g_autofree char *scenario = g_strdup_printf("[workload]\ndirect = 1\nioengine = libaio\n"
						    "size = 1g\n%s",
						    options);
	const char *ini = test_text("known.ini", scenario);
	const struct ran *r = cli("run", ini, "--variant", "configs/devices/nvme-970pro.ini",
				  "--emit", "blktrace", "--out", dir);

	cr_assert_eq(r->status, 0, "%s", r->err);
	return g_build_filename(dir, "nvme0n1", NULL);
}

/* clat of reads at @percentile of the scenario known.ini on the device @section. */
static double clat(const char *section, const char *percentile)
{
	JsonObject *root =
		cli_json(cli("run",
			     test_text("known.ini", "[workload]\ndirect = 1\nioengine = libaio\n"
						    "size = 1g\nrw = randread\nbs = 4k\n"
						    "io_size = 16m\n"),
			     "--variant", section, "--json"));
	JsonArray *jobs = json_object_get_array_member(root, "jobs");
	JsonObject *read =
		json_object_get_object_member(json_array_get_object_element(jobs, 0), "read");
	JsonObject *ns = json_object_get_object_member(read, "clat_ns");

	return (double)json_object_get_int_member(json_object_get_object_member(ns, "percentile"),
						  percentile);
}

/* Simulate, calibrate, simulate with what was written: the same latencies. */
Test(calibrate, round_trip_of_reads, .timeout = 120)
{
	static const char *const percentiles[] = {"5.000000", "50.000000", "95.000000",
						  "99.000000"};
	g_autofree char *dir = fresh();
	g_autofree char *capture = blktrace_of(dir, "rw = randread\nbs = 4k\nio_size = 16m\n");
	g_autofree char *section = g_build_filename(dir, "device.ini", NULL);
	const struct ran *r = cli("calibrate", capture, "--out", section);

	cr_assert_eq(r->status, 0, "%s", r->err);
	cr_assert_str_eq(r->out, "");
	for (unsigned int i = 0; i < G_N_ELEMENTS(percentiles); i++) {
		double known = clat("configs/devices/nvme-970pro.ini", percentiles[i]);
		double found = clat(section, percentiles[i]);

		cr_assert(fabs(found - known) <= known * 0.05, "p%s: %.0f, found %.0f",
			  percentiles[i], known, found);
	}
}

/* Reads and writes in one capture, and queues that are 8 deep. */
Test(calibrate, round_trip_mixed, .timeout = 120)
{
	g_autofree char *dir = fresh();
	g_autofree char *capture = blktrace_of(dir, "rw = randrw\nbs = 4k\nio_size = 16m\n");
	JsonObject *root = cli_json(cli("calibrate", "--json", capture));

	near(root, "read <=4K", "p50", 3);
	near(root, "read <=4K", "p99", 5);
	near(root, "write <=4K", "p50", 3);
	near(root, "write <=4K", "p99", 5);
	g_free(capture);
	g_free(dir);
	dir = fresh();
	capture = blktrace_of(dir, "rw = randread\nbs = 64k\niodepth = 8\nio_size = 64m\n");
	root = cli_json(cli("calibrate", "--json", capture));
	near(root, "read <=64K", "p50", 3);
	near(root, "read <=64K", "p99", 10);
}

/* 16 x 512 KiB outstanding: what is written a second is the drain, 2,320 MB/s. */
Test(calibrate, round_trip_of_a_full_queue, .timeout = 120)
{
	g_autofree char *dir = fresh();
	g_autofree char *capture =
		blktrace_of(dir, "rw = write\nbs = 512k\niodepth = 16\nio_size = 256m\n");
	JsonObject *root = cli_json(cli("calibrate", "--json", capture));
	double rate = device_number(root, "drain_rate");

	cr_assert(fabs(rate - 2320) <= 2320 * 0.03, "%.0f MB/s", rate);
	near(root, "write <=512K", "p50", 10);
	near(root, "write <=512K", "p99", 5);
}

/* What README.md says of the captures: medians of reads are met, tails only so far. */
Test(calibrate, real_captures, .timeout = 120)
{
	JsonObject *root = cli_json(
		cli("calibrate", "--json", test_capture("blktrace/createstat.blkparse.txt.xz")));

	near(root, "read <=4K", "p50", 3);
	near(root, "read <=4K", "p99", 30);
	near(root, "write <=512K", "p50", 5);
	root = cli_json(
		cli("calibrate", "--json", test_capture("blktrace/seqread.blkparse.txt.xz")));
	near(root, "read <=128K", "p50", 3);
	near(root, "read <=128K", "p99", 100);
	root = cli_json(cli("calibrate", "--json", "--model", "empirical",
			    test_capture("blktrace/seqwrite.blkparse.txt.xz")));
	near(root, "write <=512K", "p50", 5);
	near(root, "write <=512K", "p99", 5);
}

static const char three_reads[] = "8,0 0 1 0.000000000 100 D R 0 + 8 [dd]\n"
				  "8,0 0 2 0.000100000 0 C R 0 + 8 [0]\n"
				  "8,0 0 3 0.001000000 100 D R 64 + 8 [dd]\n"
				  "8,0 0 4 0.001200000 0 C R 64 + 8 [0]\n"
				  "8,0 0 5 0.002000000 100 D R 128 + 8 [dd]\n"
				  "8,0 0 6 0.002300000 0 C R 128 + 8 [0]\n";

/* Of 100, 200 and 300 us the median is 200 us; a histogram's step is 1.6 % wide. */
Test(calibrate, fixed_is_the_median)
{
	const char *text = test_text("three.txt", three_reads);
	JsonObject *root = cli_json(cli("calibrate", "--json", "--model", "fixed", text));
	double ns = device_number(root, "read_time");

	cr_assert(ns >= 200000 && ns <= 200000 * 1.016, "%.0f", ns);
	cr_assert_eq(quantile(class_of(root, "read <=4K"), "observed_ns", "p99"), 300000);
}

/* The section is ready to use, and the same every time. */
Test(calibrate, every_model_loads)
{
	static const char *const models[] = {"nvme", "ufs", "empirical", "fixed"};
	const char *text = test_text("three.txt", three_reads);
	const char *job = test_text("j.ini", "[workload]\nrw = read\nsize = 64k\n");

	for (unsigned int i = 0; i < G_N_ELEMENTS(models); i++) {
		g_autofree char *first =
			g_strdup(cli("calibrate", "--model", models[i], text)->out);
		const struct ran *again = cli("calibrate", "--model", models[i], text);

		cr_assert_eq(again->status, 0, "%s", again->err);
		cr_assert_str_eq(again->out, first);
		const struct ran *r = cli("run", job, "--variant", test_text("d.ini", first));

		cr_assert_eq(r->status, 0, "%s: %s", models[i], r->err);
	}
}

/* One request, and requests that are all alike, are enough for a device without spread. */
Test(calibrate, without_spread)
{
	JsonObject *root =
		cli_json(cli("calibrate", "--json",
			     test_text("one.txt", "8,0 0 1 0.000000000 100 D R 0 + 8 [dd]\n"
						  "8,0 0 2 0.000100000 0 C R 0 + 8 [0]\n")));

	near(root, "read <=4K", "p50", 2);
	near(root, "read <=4K", "p99", 2);
	cr_assert_eq(device_number(root, "read_sigma"), 0);
}

static const char fio[] =
	"{\"global options\": {\"ioengine\": \"libaio\", \"bs\": \"4k\"}, \"jobs\": ["
	"{\"jobname\": \"r\", \"job options\": {\"rw\": \"randread\", \"iodepth\": \"1\"}, "
	"\"read\": "
	"{\"total_ios\": 9000, \"clat_ns\": {\"percentile\": {\"5.000000\": 45000, \"50.000000\": "
	"60000, \"95.000000\": 85000, \"99.000000\": 100000}}}},"
	"{\"jobname\": \"l\", \"job options\": {\"rw\": \"randread\", \"bs\": \"128k\"}, \"read\": "
	"{\"total_ios\": 900, \"clat_ns\": {\"percentile\": {\"5.000000\": 120000, \"50.000000\": "
	"140000, \"95.000000\": 180000, \"99.000000\": 210000}}}}]}";

/* Two sizes of reads: both medians are met. */
Test(calibrate, fio_results, .timeout = 120)
{
	JsonObject *root = cli_json(cli("calibrate", "--json", test_text("fio.json", fio)));

	near(root, "read <=4K depth 1", "p50", 3);
	near(root, "read <=4K depth 1", "p99", 5);
	near(root, "read <=128K depth 1", "p50", 3);
}

/* An iolog's gaps of 100 us: an estimate, and said so. */
Test(calibrate, iolog_gaps)
{
	const struct ran *r =
		cli("calibrate", test_text("a.log", "fio version 3 iolog\n0 /f add\n0 /f open\n"
						    "0 /f read 0 4096\n100 /f read 4096 4096\n"
						    "200 /f read 8192 4096\n300 /f close\n"));

	cr_assert_eq(r->status, 0, "%s", r->err);
	cr_assert(strstr(r->err, "an iolog holds no completions"), "%s", r->err);
	cr_assert(strstr(r->out, "[E] median of the smallest reads"), "%s", r->out);
	cr_assert(!strstr(r->out, "[M]"), "%s", r->out);
}

/* As files come from other machines: a byte order mark, what fio said before its results. */
Test(calibrate, fio_results_with_a_head, .timeout = 120)
{
	g_autofree char *marked = g_strconcat("\xef\xbb\xbf", fio, NULL);
	g_autofree char *said = g_strconcat("fio: a warning\nfio: one more\n", fio, NULL);

	near(cli_json(cli("calibrate", "--json", test_text("m.json", marked))), "read <=4K depth 1",
	     "p50", 3);
	near(cli_json(cli("calibrate", "--json", test_text("s.json", said))), "read <=4K depth 1",
	     "p50", 3);
}

/* One word of good results is replaced by what no fio writes or what is no single loop. */
Test(calibrate, bad_fio_results)
{
	static const char *const bad[][3] = {
		{"60000", "-5", "job r: read.clat_ns.percentile: 50.000000: expected ns"},
		{"60000", "\"x\"", "50.000000: expected ns"},
		{"60000", "6000", "job r: read.clat_ns.percentile: p50 is below p5"},
		{"\"5.000000\"", "\"many\"", "\"many\": expected a percent"},
		{"9000", "4611686018427387904", "job r: read.total_ios"},
		{"\"iodepth\": \"1\"", "\"iodepth\": \"1m\"", "got iodepth=1m and numjobs=1"},
		{"\"rw\": \"randread\"", "\"bsrange\": \"4k-64k\"", "with one bs, got bsrange"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_auto(GStrv) parts = g_strsplit(fio, bad[i][0], 2);
		g_autofree char *text = g_strjoinv(bad[i][1], parts);

		cli_refused(cli("calibrate", test_text("bad.json", text)), bad[i][2]);
	}
}

/* A fit from reads alone says what else was in the file. */
Test(calibrate, fio_results_not_used, .timeout = 120)
{
	g_auto(GStrv) parts = g_strsplit(fio, "\"read\"", 2);
	g_autofree char *text = g_strjoinv("\"trim\": {\"total_ios\": 5}, \"read\"", parts);
	const struct ran *r = cli("calibrate", test_text("trim.json", text));

	cr_assert_eq(r->status, 0, "%s", r->err);
	cr_assert(strstr(r->err, "trim.json: job r: trims are not used"), "%s", r->err);
}

Test(calibrate, bad_input)
{
	const char *text = test_text("three.txt", three_reads);

	cli_refused(cli("calibrate"), "CAPTURE");
	cli_refused(cli("calibrate", test_text("empty.txt", "")), "empty.txt");
	cli_refused(
		cli("calibrate", test_text("d.txt", "8,0 0 1 0.000000000 100 D R 0 + 8 [dd]\n")),
		"no request with issue and completion");
	cli_refused(cli("calibrate", "--model", "disk", text),
		    "--model: expected nvme, ufs, empirical or fixed");
	cli_refused(cli("calibrate", test_text("x.json", "{\"jobs\": [}")), "x.json");
	cli_refused(cli("calibrate", test_text("n.json", "{\"jobs\": []}")),
		    "no job that reads or writes with clat_ns.percentile");
	cli_refused(cli("calibrate",
			test_text("b.json", "{\"jobs\": [{\"job options\": {\"bs\": \"4k,8k\"}, "
					    "\"read\": {\"total_ios\": 1, \"clat_ns\": "
					    "{\"percentile\": {\"50.0\": 1}}}}]}")),
		    "expected a job with one bs");
	cli_refused(cli("calibrate", text, "--out", "/nonexistent/d.ini"), "/nonexistent/d.ini");
	cli_refused(cli("calibrate", text, "--out", text), "is an input too, will not overwrite");
	cli_refused(cli("calibrate", text, "--out", "/"), "a folder, expected a file to write");
}

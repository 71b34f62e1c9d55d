/*
 * tests/test_cli_run.c - run, replay and compare as a user runs them: results, files, refusals,
 * determinism.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/cli.h"
#include "tests/support.h"

/* Two reads of an inode, 64 KiB each, and a write with fsync, by hand. */
#define OPS                                                                                        \
	"# f2sim ops 1\n"                                                                          \
	"1000000 read task=7 cpu=0 dev=259:0 ino=4 pos=0 len=65536 done=2000000 result=65536\n"    \
	"3000000 read task=7 cpu=0 dev=259:0 ino=4 pos=65536 len=65536 done=4000000 "              \
	"result=65536\n"                                                                           \
	"5000000 write task=8 cpu=1 dev=259:0 ino=9 pos=0 len=131072 done=5500000 result=131072\n" \
	"6000000 fsync task=8 cpu=1 dev=259:0 ino=9 pos=0 len=0 done=9000000\n"

static const struct ran *replay_ops(const char *set)
{
	return cli("replay", "--json", test_text("hand.ops", OPS), "--set", set, NULL);
}

static JsonObject *job_of(JsonObject *results, const char *dir)
{
	JsonArray *jobs = json_object_get_array_member(results, "jobs");

	return json_object_get_object_member(json_array_get_object_element(jobs, 0), dir);
}

static gint64 counter(JsonObject *results, const char *model, const char *name)
{
	JsonObject *stats = json_object_get_object_member(results, "stats");

	return json_object_get_int_member(json_object_get_object_member(stats, model), name);
}

Test(cli_run, a_capture_is_replayed)
{
	JsonObject *results = cli_json(replay_ops("device.model=fixed"));

	cr_assert_eq(json_object_get_int_member(job_of(results, "read"), "total_ios"), 2);
	cr_assert_eq(json_object_get_int_member(job_of(results, "read"), "io_bytes"), 131072);
	cr_assert_eq(json_object_get_int_member(job_of(results, "write"), "io_bytes"), 131072);
	cr_assert_eq(json_object_get_int_member(job_of(results, "sync"), "total_ios"), 1);
	cr_assert_eq(counter(results, "page_writeback", "nr_written"), 32);
	cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 64);
}

/* dontcache on a profile without it: counted, reported, nothing cached by the write (CASES 45). */
Test(cli_run, refused_dontcache_is_reported)
{
	const struct ran *r = cli("replay", "--json", test_text("hand.ops", OPS), "--set",
				  "device.model=fixed", "--set", "workload.force=dontcache",
				  "--set", "f2fs_data.dontcache=read_only", NULL);
	JsonObject *results = cli_json(r);

	cr_assert_eq(json_object_get_int_member(job_of(results, "write"), "errors"), 1);
	cr_assert_eq(counter(results, "filemap", "eopnotsupp"), 1);
	cr_assert_eq(counter(results, "page_writeback", "nr_dirtied"), 0);
}

Test(cli_run, dontcache_reads_of_a_real_capture_leave_nothing)
{
	const char *capture = test_capture("ftrace/seqread.trace.txt.xz");
	JsonObject *results = cli_json(cli("replay", "--json", capture, "--mode", "asap", "--set",
					   "workload.force=dontcache", "--set",
					   "f2fs_data.dontcache=read_write", NULL));

	cr_assert_eq(counter(results, "filemap", "pages_added"), 32768);
	cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 0);
	results = cli_json(cli("replay", "--json", capture, "--mode", "asap", NULL));
	cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 32768);
}

static char *contents(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;

	cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
	return text;
}

/* The same command twice, with another environment, memory pattern and folder: the same bytes. */
Test(cli_run, results_are_byte_identical)
{
	const char *capture = test_capture("ftrace/randread.trace.txt.xz");
	g_autofree char *full = g_canonicalize_filename(capture, NULL);
	g_autofree char *folder = g_dir_make_tmp("f2sim-run-XXXXXX", NULL);
	g_autofree char *first = g_build_filename(folder, "first", NULL);
	g_autofree char *second = g_build_filename(folder, "second", NULL);
	g_autofree char *one = g_strdup_printf("replay %s --out %s", full, first);
	g_autofree char *two =
		g_strdup_printf("--version >/dev/null; cd / && MALLOC_PERTURB_=165 LC_ALL=C "
				"MORE_ENVIRONMENT=%064d \"$0\" replay %s --out %s",
				1, full, second);
	static const char *const files[] = {"results.json", "series.csv"};

	const struct ran *r = cli_shell(one);

	cr_assert_eq(r->status, 0, "%s", r->err);
	r = cli_shell(two);
	cr_assert_eq(r->status, 0, "%s", r->err);
	for (unsigned int i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *a = contents(first, files[i]), *b = contents(second, files[i]);

		cr_assert_str_eq(a, b, "%s differs", files[i]);
	}
	g_autofree char *clean = g_strdup_printf("--version; rm -r %s", folder);

	cli_shell(clean);
}

/* A fio job file runs as it is; so does the same job as a [workload] section. */
Test(cli_run, a_fio_job_runs)
{
	const char *job =
		test_text("job.fio", "[global]\nbs=4k\nsize=1m\n[writer]\nrw=write\nend_fsync=1\n");
	const char *scenario =
		test_text("job.ini", "[workload]\nrw = write\nbs = 4k\nsize = 1m\nend_fsync = 1\n");
	JsonObject *results = cli_json(cli("run", "--json", job, NULL));

	cr_assert_eq(json_object_get_int_member(job_of(results, "write"), "total_ios"), 256);
	cr_assert_eq(counter(results, "page_writeback", "nr_written"), 256);
	results = cli_json(cli("run", "--json", scenario, NULL));
	cr_assert_eq(json_object_get_int_member(job_of(results, "write"), "total_ios"), 256);
	cr_assert_eq(counter(results, "page_writeback", "nr_written"), 256);
}

/* Read, write and trim of an iolog, one each (CASES 4); no op is left out. */
Test(cli_run, an_iolog_trims)
{
	const char *log = test_text("t.iolog", "fio version 3 iolog\n0 /f add\n0 /f open\n"
					       "10 /f read 0 4096\n20 /f write 4096 4096\n"
					       "30 /f trim 0 2147483648\n90 /f close\n");
	JsonObject *results = cli_json(cli("replay", "--json", log));

	cr_assert_eq(json_object_get_int_member(job_of(results, "read"), "total_ios"), 1);
	cr_assert_eq(json_object_get_int_member(job_of(results, "write"), "total_ios"), 1);
	cr_assert_eq(json_object_get_int_member(job_of(results, "trim"), "total_ios"), 1);
	cr_assert_null(strstr(cli("replay", log)->out, "are not replayed"));
}

/* 256 blocks; and a second of them on every device model: their discards take time. */
Test(cli_run, a_trim_job_trims)
{
	static const char *const models[] = {"fixed", "nvme", "ufs"};
	const char *once = test_text("t.ini", "[workload]\nrw = trim\nsize = 1m\n");
	const char *timed = test_text("u.ini", "[workload]\nrw = trim\nsize = 1m\nbs = 64k\n"
					       "time_based = 1\nruntime = 10ms\n");
	JsonObject *results = cli_json(cli("run", "--json", once));

	cr_assert_eq(json_object_get_int_member(job_of(results, "trim"), "total_ios"), 256);
	cr_assert_eq(counter(results, "blk_mq", "discards"), 256);
	for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
		g_autofree char *set = g_strdup_printf("device.model=%s", models[i]);

		results = cli_json(cli("run", "--json", timed, "--set", set));
		cr_assert_gt(json_object_get_int_member(job_of(results, "trim"), "total_ios"), 16);
	}
}

static const char *job_name(JsonObject *results, unsigned int i)
{
	JsonArray *jobs = json_object_get_array_member(results, "jobs");

	return json_object_get_string_member(json_array_get_object_element(jobs, i), "jobname");
}

/* fio numbers the clones; their tasks can be told apart. */
Test(cli_run, clones_have_names_of_their_own)
{
	JsonObject *results =
		cli_json(cli("run", "--json",
			     test_text("nj.fio", "[nj]\nrw=read\nsize=64k\nnumjobs=2\niodepth=2\n"
						 "ioengine=io_uring\n[one]\nrw=read\nsize=4k\n")));
	static const char *const tasks[] = {"nj.0/0", "nj.0/1", "nj.1/0", "nj.1/1", "one/0"};
	JsonArray *list = json_object_get_array_member(
		json_object_get_object_member(results, "cpu"), "tasks");
	unsigned int found = 0;

	cr_assert_str_eq(job_name(results, 0), "nj.0");
	cr_assert_str_eq(job_name(results, 1), "nj.1");
	cr_assert_str_eq(job_name(results, 2), "one");
	for (unsigned int i = 0; i < json_array_get_length(list); i++) {
		JsonObject *task = json_array_get_object_element(list, i);

		if (found < G_N_ELEMENTS(tasks) &&
		    !strcmp(json_object_get_string_member(task, "name"), tasks[found]))
			cr_assert_eq(json_object_get_int_member(task, "pid"), 1000 + found++);
	}
	cr_assert_eq(found, G_N_ELEMENTS(tasks));
}

Test(cli_run, a_depth_that_fio_would_not_reach_is_noted)
{
	const char *ini = test_text("d.ini", "[workload]\nrw = read\nsize = 64k\niodepth = 8\n");

	cr_assert(strstr(cli("run", ini)->out, "iodepth=8 has no effect"));
	cr_assert(strstr(cli("run", ini, "--set", "workload.ioengine=io_uring")->out,
			 "its 8 I/Os in flight are tasks of their own"));
}

#ifndef F2SIM_SANITIZE /* whose shadow is memory too */
/* 5,000 clones and their results in less than 100 MB. */
Test(cli_run, clones_by_the_thousand)
{
	const char *ini = test_text("k.ini", "[workload]\nrw = write\nsize = 4k\nnumjobs = 5000\n");
	JsonObject *results = cli_json(cli("run", "--json", ini));
	struct rusage used;

	cr_assert_eq(json_array_get_length(json_object_get_array_member(results, "jobs")), 5000);
	cr_assert_eq(getrusage(RUSAGE_CHILDREN, &used), 0);
	cr_assert_lt(used.ru_maxrss, 100000, "%ld KB", used.ru_maxrss);
}
#endif

/* Ops are in flight when the run is given up: nothing may be left (the sanitizers tell). */
Test(cli_run, a_run_that_is_given_up)
{
	const char *ini = test_text("m.ini", "[workload]\nrw = randread\nsize = 1m\niodepth = 8\n"
					     "ioengine = io_uring\nnumjobs = 2\n");
	const struct ran *r = cli("run", ini, "--set", "sim.max_events=100");

	cr_assert_eq(r->status, 1, "%d", r->status);
	cr_assert_null(strstr(r->err, "Sanitizer"), "%s", r->err);
}

/* A file larger than memory: reclaim keeps up, every page is accounted for. */
Test(cli_run, a_file_larger_than_memory)
{
	JsonObject *results = cli_json(cli_run(
		"run", "--json", test_text("job.ini", "[workload]\nrw = write\nsize = 256m\n"),
		"--set", "host.memory=64MiB", NULL));

	cr_assert_eq(counter(results, "filemap", "pages_added"), 65536);
	cr_assert_eq(counter(results, "filemap", "pages_reclaimed") +
			     counter(results, "filemap", "nr_file_pages"),
		     65536);
}

Test(cli_run, bad_scenarios_are_refused)
{
	cli_refused(cli("run", test_text("a.ini", "[page_writeback]\ndirty_ration = 5\n"), NULL),
		    "a.ini:2: page_writeback.dirty_ration: unknown key");
	cli_refused(cli("run", test_text("b.ini", "[page_writebak]\ndirty_ratio = 5\n"), NULL),
		    "page_writebak");
	cli_refused(cli("run", test_text("c.ini", "[page_writeback]\ndirty_ratio = 101\n"), NULL),
		    "dirty_ratio");
	cli_refused(cli("run", test_text("d.ini", "[workload]\ncapture = nowhere.txt\n"), NULL),
		    "nowhere.txt");
	cli_refused(cli("run", test_text("e.ini", "[workload]\nrw = sideways\n"), NULL),
		    "sideways");
	cli_refused(cli("run", "no-such.ini", NULL), "no-such.ini");
	cli_refused(cli("run", test_text("g.ini", "[host]\n[workload]\nrw = read\n")),
		    "g.ini:3: workload: size is not set");
	g_autofree char *nines = g_strnfill(100000, '9');
	g_autofree char *long_size = g_strdup_printf("[workload]\nrw = read\nsize = %s\n", nines);
	const struct ran *r = cli("run", test_text("j.ini", long_size));

	cli_refused(r, "j.ini:3: workload.size: size: \"999");
	cr_assert_lt(strlen(r->err), 1100);
	cr_assert(strstr(r->err, "is not a number of bytes"), "%s", r->err);
	cli_refused(cli("run", test_text("i.ini", "[host]\n")), "[workload] is empty, expected a");
	cli_refused(cli("run", test_text("h.fio", "[global]\nrw=read\n[a]\nsize=4k\nbs=8k\n")),
		    "h.fio: line 3: a: bs is above size");
	cli_refused(cli("run", test_text("f.ini", "[device]\nmodel = floppy\n"), NULL), "floppy");
}

/* What a read got is not in an iolog: the file holds what is asked for. */
Test(cli_run, an_iolog_reads_what_it_asks_for)
{
	const char *log = test_text("r.iolog", "fio version 3 iolog\n0 /f add\n0 /f open\n"
					       "10 /f read 0 4096\n500 /f read 8192 4096\n"
					       "900 /f close\n");
	JsonObject *results = cli_json(cli("replay", "--json", log));

	cr_assert_eq(json_object_get_int_member(job_of(results, "read"), "io_bytes"), 8192);
	cr_assert_geq(counter(results, "blk_mq", "sectors_read"), 16);
}

Test(cli_run, a_scenarios_job_has_no_place_beside_a_capture)
{
	cli_refused(cli("replay", test_text("hand.ops", OPS), "--scenario",
			test_text("j.ini", "[workload]\nrw = write\nsize = 1m\n")),
		    "j.ini:2: workload.rw: a capture is replayed");
}

Test(cli_run, a_capture_without_ops_cannot_drive)
{
	cli_refused(cli("replay", test_text("x.ops", "# f2sim ops 1\n"), NULL),
		    "holds no file or block op");
}

Test(cli_compare, two_variants_side_by_side)
{
	const char *a = test_text("normal.ini", "[workload]\nforce = normal\n");
	const char *b = test_text("drop.ini", "[workload]\nforce = dontcache\n");
	g_autofree char *scenario =
		g_strdup_printf("[workload]\ncapture = %s\n[f2fs_data]\ndontcache = read_write\n"
				"[bio]\ncompletion = task_flagged\n",
				test_text("hand.ops", OPS));
	JsonObject *results = cli_json(cli("compare", "--json", test_text("s.ini", scenario),
					   "--variant", a, "--variant", b, NULL));
	JsonArray *variants = json_object_get_array_member(results, "variants");
	double cached[2];

	cr_assert_eq(json_array_get_length(variants), 2);
	for (unsigned int i = 0; i < 2; i++) {
		JsonObject *v = json_array_get_object_element(variants, i);

		cached[i] = json_object_get_double_member(
			json_object_get_object_member(v, "metrics"), "cached pages at the end");
	}
	cr_assert_eq(cached[0], 64);
	cr_assert_eq(cached[1], 0);
	cli_refused(cli("compare", test_text("s.ini", scenario), "--variant", a, NULL), "two");
}

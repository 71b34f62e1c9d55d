/*
 * tests/test_cli_limits.c - run at the bounds: values, offsets and times that would overflow, runs
 * that would take memory without end.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

static JsonObject *job_of(JsonObject *results, const char *dir)
{
	JsonArray *jobs = json_object_get_array_member(results, "jobs");

	return json_object_get_object_member(json_array_get_object_element(jobs, 0), dir);
}

/* Offsets as large as an op may hold, at both levels: a sum of them is what overflowed. */
Test(cli_limits, the_largest_offsets_run)
{
	const char *ops = test_text(
		"far.ops",
		"# f2sim ops 1\n"
		"1000 read task=7 dev=259:0 ino=4 pos=1152921504606842880 len=4096 done=2000 "
		"result=4096\n"
		"3000 write task=7 dev=259:0 ino=5 pos=1152921504606842880 len=4096 done=4000 "
		"result=4096\n"
		"5000 truncate task=7 dev=259:0 ino=5 pos=1152921504606846976 len=0 done=6000\n"
		"7000 truncate task=7 dev=259:0 ino=5 pos=1152921504606846975 len=0 done=8000\n"
		"8000 bio_read task=7 dev=259:0 pos=1152921504606842880 len=4096 done=9000\n"
		"8000 bio_write task=7 dev=259:0 pos=1152921504606842881 len=4095 done=9000\n");
	static const char *const levels[] = {"workload.level=file", "workload.level=block"};
	static const char *const devices[] = {"device.model=ufs", "device.model=nvme"};

	for (unsigned int i = 0; i < 4; i++)
		cli_json(cli("replay", "--json", ops, "--set", levels[i & 1], "--set",
			     devices[i / 2], NULL));
}

Test(cli_limits, offsets_times_and_results_beyond_are_refused)
{
	static const char *const lines[] = {
		"1000 truncate task=7 dev=259:0 ino=5 pos=9223372036854775807 len=0",
		"1000 read task=7 dev=259:0 ino=5 pos=0 len=9223372036854775807",
		"4611686018427387905 read task=7 dev=259:0 ino=5 pos=0 len=4096",
		"1000 read task=7 dev=259:0 ino=5 pos=0 len=4096 done=2000 result=4097",
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text = g_strdup_printf("# f2sim ops 1\n%s\n", lines[i]);

		cli_refused(cli("replay", test_text("beyond.ops", text), NULL), "line 2: ");
	}
}

/* Every number has an upper bound, shown by defaults; a CPU time a page takes 1 s at most. */
Test(cli_limits, every_number_has_a_bound)
{
	JsonArray *keys = json_object_get_array_member(cli_json(cli("defaults", "--json")), "keys");

	for (guint i = 0; i < json_array_get_length(keys); i++) {
		JsonObject *key = json_array_get_object_element(keys, i);
		const char *type = json_object_get_string_member(key, "type");

		if (strstr("number time size rate", type))
			cr_assert(json_object_has_member(key, "max"), "%s",
				  json_object_get_string_member(key, "key"));
	}
	const char *job = test_text("job.ini", "[workload]\nrw = write\nsize = 64k\n");

	cli_refused(cli("run", job, "--set", "filemap.write_page_ns=1000000000s", NULL),
		    "filemap.write_page_ns: 1000000000s is above 1s");
	cli_refused(cli("run", job, "--set", "sim.sample_interval=1000001s", NULL),
		    "sim.sample_interval: 1000001s is above 1000000s");
	cli_refused(cli("run", job, "--set", "host.memory=1048577TiB", NULL),
		    "host.memory: 1048577TiB is above 1048576TiB");
	cli_json(cli("run", "--json", job, "--set", "filemap.write_page_ns=1s", NULL));
}

static char *read_file(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;

	cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
	g_unlink(path);
	return text;
}

/* A million idle seconds at 1 s: 65,536 rows hold 0 .. 65,535 s, so the interval has doubled four
 * times when 10^6 s is reached (16 s * 62,500), and rows are evenly spaced but for the end. */
Test(cli_limits, rows_of_a_long_run_are_thinned_out)
{
	g_autofree char *folder = g_dir_make_tmp("f2sim-long-XXXXXX", NULL);
	const char *job = test_text("long.fio", "[a]\nrw=write\nsize=64k\nstartdelay=1000000\n");
	JsonObject *results = cli_json(cli("run", job, "--json", "--out", folder, NULL));
	JsonArray *notes = json_object_get_array_member(results, "notes");
	g_autofree char *csv = read_file(folder, "series.csv");
	unsigned int n = 0;
	bool told = false;

	/* g_strsplit() would measure the rest of 12 MB for every line under ASan */
	for (const char *line = csv; *line; line++) {
		if (n == 1)
			cr_assert(g_str_has_prefix(line, "0.000000000,"));
		if (n == 2)
			cr_assert(g_str_has_prefix(line, "16.000000000,"));
		if (n == 62501)
			cr_assert(g_str_has_prefix(line, "1000000.000000000,"));
		while (*line != '\n')
			line++;
		n++;
	}
	cr_assert(n >= 62501 && n <= 62505, "%u lines", n); /* one is the header */
	for (guint i = 0; i < json_array_get_length(notes); i++)
		told |= g_str_has_prefix(json_array_get_string_element(notes, i),
					 "series.csv has a row every 16000000000 ns");
	cr_assert(told);
	g_free(read_file(folder, "results.json"));
	g_rmdir(folder);
}

#define HAND                                                                                       \
	"# f2sim ops 1\n"                                                                          \
	"1000 read task=7 dev=259:0 ino=4 pos=0 len=65536 done=2000 result=65536\n"                \
	"3000 write task=8 dev=259:0 ino=9 pos=0 len=8192 done=4000 result=8192\n"

/* @text with @path replaced by "-". */
static char *normalized(const char *text, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(text, path, -1);

	return g_strjoinv("-", parts);
}

/* A capture is read twice: what comes through a pipe gives the results of the file, whatever packs
 * it; so does a file as standard input. */
Test(cli_limits, a_pipe_can_drive_a_replay)
{
	const char *const paths[] = {test_text("hand.ops", HAND),
				     test_capture("ftrace/seqread.trace.txt.xz")};
	static const char *const forms[] = {"replay - --json <'%s'",
					    "--version >&2; cat '%s' | \"$0\" replay - --json"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *whole =
			normalized(cli("replay", paths[i], "--json", NULL)->out, paths[i]);

		for (unsigned int j = 0; j < G_N_ELEMENTS(forms); j++) {
			g_auto(GStrv) parts = g_strsplit(forms[j], "%s", -1);
			g_autofree char *command = g_strjoinv(paths[i], parts);
			const struct ran *r = cli_shell(command);

			cr_assert_eq(r->status, 0, "%s", r->err);
			cr_assert_str_eq(r->out, whole, "%s", command);
		}
	}
	g_autofree char *fifo = g_strconcat(paths[0], ".fifo", NULL);
	g_autofree char *command =
		g_strdup_printf("--version >&2; mkfifo %s; cat %s >%s & \"$0\" replay %s --json; "
				"rm %s",
				fifo, paths[0], fifo, fifo, fifo);

	cr_assert_eq(json_object_get_int_member(job_of(cli_json(cli_shell(command)), "read"),
						"total_ios"),
		     1);
}

/* A text longer than 1 MiB, a device and a folder are no scenario, wherever one is named. */
Test(cli_limits, scenarios_and_job_files_are_bounded)
{
	g_autofree char *long_text = g_strnfill((1 << 20) + 1, '\n');
	const char *big = test_text("big.ini", long_text);
	const char *good = test_text("good.ini", "[workload]\nrw = write\nsize = 64k\n");

	cli_refused(cli("run", big, NULL), "big.ini: larger than 1 MiB");
	cli_refused(cli("run", "/dev/zero", NULL), "/dev/zero: is a special file");
	cli_refused(cli("run", "/", NULL), "/: is a folder");
	cli_refused(cli("run", test_text("i.ini", "include = /dev/zero\n"), NULL),
		    "i.ini:1: included: /dev/zero: is a special file");
	cli_refused(cli("run", test_text("j.ini", "[workload]\njobfile = big.ini\n"), NULL),
		    "big.ini: larger than 1 MiB");
	cli_refused(cli("compare", good, "--variant", good, "--variant", big, NULL),
		    "big.ini: larger than 1 MiB");
	cli_refused(cli_shell("--version >/dev/null; yes | \"$0\" run /dev/stdin"),
		    "/dev/stdin: larger than 1 MiB");
	long_text[1 << 20] = '\0'; /* exactly 1 MiB */
	memcpy(long_text, "[a]\nrw=write\nsize=64k\n", 22);
	cli_json(cli("run", "--json", test_text("full.fio", long_text), NULL));
}

/* A job file through a pipe is looked at, then read. */
Test(cli_limits, a_job_file_may_be_a_pipe)
{
	const char *command = "--version >&2; printf '[a]\\nrw=write\\nsize=64k\\n' | "
			      "\"$0\" run /dev/stdin --json";

	cr_assert_eq(json_object_get_int_member(job_of(cli_json(cli_shell(command)), "write"),
						"total_ios"),
		     16);
}

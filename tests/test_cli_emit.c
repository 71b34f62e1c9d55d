/*
 * tests/test_cli_emit.c - --emit as a user meets it: files, refusals, full disks, the same bytes.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/emitted.h"

#define JOB "[w]\nrw=write\nbs=64k\nsize=2m\nend_fsync=1\n"

static char *folder;

static void make_folder(void)
{
	folder = g_dir_make_tmp("f2sim-emit-XXXXXX", NULL);
}

static void remove_folder(void)
{
	char *argv[] = {"rm", "-r", folder, NULL};

	g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
	g_free(folder);
}

TestSuite(cli_emit, .init = make_folder, .fini = remove_folder);

/* Names of what is in @path, in order, each with a blank behind; "-" when it does not exist. */
static char *listing(const char *path)
{
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return g_strdup("-");
	return script_in(path, "ls -A | tr '\\n' ' '");
}

static void check_listing(const char *path, const char *want)
{
	g_autofree char *names = listing(path);

	cr_assert_str_eq(names, want);
}

Test(cli_emit, writes_its_files_beside_the_results)
{
	g_autofree char *out = g_build_filename(folder, "a/b", NULL);
	const struct ran *r = cli("run", test_text("j.fio", JOB), "--out", out, "--emit", "ftrace",
				  "--emit", "blktrace", "--emit", "iolog", "--emit", "ftrace");

	cr_assert_eq(r->status, 0, "%s", r->err);
	check_listing(out,
		      "nvme0n1.blktrace.0 nvme0n1.blktrace.1 ops.iolog results.json series.csv "
		      "trace.ftrace ");
}

Test(cli_emit, refusals)
{
	const char *job = test_text("j.fio", JOB);
	g_autofree char *out = g_build_filename(folder, "o", NULL);

	cli_refused(cli("run", job, "--emit", "ftrace"), "--out DIR");
	cli_refused(cli("run", job, "--out", out, "--emit", "ftrase"),
		    "ftrase: expected ftrace, blktrace or iolog");
	cli_refused(cli("run", job, "--out", out, "--emit", ""), "expected ftrace, blktrace");
	cli_refused(cli("run", job, "--out", out, "--emit"), "--emit");
	cli_refused(cli("replay", test_text("bad.ops", "# f2sim ops 1\nhello\n"), "--out", out,
			"--emit", "ftrace"),
		    "bad.ops: line 2");
	cli_refused(cli("run", "/nowhere.fio", "--out", out, "--emit", "ftrace"), "nowhere.fio");
	check_listing(folder, "");
}

/* A place that cannot be written is told before the run, and leaves what was there. */
Test(cli_emit, places_that_cannot_be)
{
	const char *job = test_text("j.fio", JOB);
	g_autofree char *file = g_build_filename(folder, "file", NULL);
	g_autofree char *taken = g_build_filename(folder, "taken", NULL);
	g_autofree char *inner = g_build_filename(taken, "nvme0n1.blktrace.1", NULL);

	cr_assert(g_file_set_contents(file, "mine", -1, NULL));
	cli_refused(cli("run", job, "--out", file, "--emit", "ftrace"), "Not a directory");
	cr_assert_eq(g_mkdir_with_parents(inner, 0777), 0);
	cli_refused(cli("run", job, "--out", taken, "--emit", "ftrace", "--emit", "blktrace"),
		    "nvme0n1.blktrace.1: Is a directory");
	check_listing(folder, "file taken ");
	check_listing(taken, "nvme0n1.blktrace.1 ");
	cli_refused(cli("run", job, "--out", "/dev/full", "--emit", "iolog"), "/dev/full");
	cli_refused(cli("run", job, "--out", "/proc/none", "--emit", "iolog"), "/proc/none");
}

/* The disk is full half way: nothing new, and the file of the last run as it was. */
Test(cli_emit, a_full_disk)
{
	const char *job = test_text("j.fio", JOB);
	g_autofree char *path = g_build_filename(folder, "trace.ftrace", NULL);
	g_autofree char *fresh = g_build_filename(folder, "fresh", NULL);
	g_autofree char *over =
		g_strdup_printf("--version >/dev/null; trap '' XFSZ; ulimit -f 40; "
				"\"$0\" run %s --out %s --emit ftrace --emit blktrace",
				job, folder);
	g_autofree char *new = g_strdup_printf("--version >/dev/null; trap '' XFSZ; ulimit -f 40; "
					       "\"$0\" run %s --out %s --emit ftrace",
					       job, fresh);
	g_autofree char *kept = NULL;

	cr_assert(g_file_set_contents(path, "of yesterday", -1, NULL));
	cli_refused(cli_shell(over), "trace.ftrace: File too large");
	check_listing(folder, "trace.ftrace ");
	cr_assert(g_file_get_contents(path, &kept, NULL, NULL));
	cr_assert_str_eq(kept, "of yesterday");
	cli_refused(cli_shell(new), "File too large");
	check_listing(fresh, "-");
}

/* An older file is replaced; the run itself is the same with and without. */
Test(cli_emit, changes_nothing_in_the_run)
{
	const char *job = test_text("j.fio", JOB);
	g_autofree char *with = g_build_filename(folder, "with", NULL);
	g_autofree char *without = g_build_filename(folder, "without", NULL);
	g_autofree char *old = g_build_filename(with, "trace.ftrace", NULL);
	g_autofree char *text = NULL;

	g_mkdir_with_parents(with, 0777);
	cr_assert(g_file_set_contents(old, "old", -1, NULL));
	cr_assert_eq(cli("run", job, "--out", with, "--emit", "ftrace")->status, 0);
	cr_assert_eq(cli("run", job, "--out", without)->status, 0);
	cr_assert(g_file_get_contents(old, &text, NULL, NULL));
	cr_assert(g_str_has_prefix(text, "# tracer: nop\n"));
	g_free(script_in(folder, "cmp with/results.json without/results.json; "
				 "cmp with/series.csv without/series.csv"));
}

/* Twice, with another environment, memory pattern and folder; several seeds differ. */
Test(cli_emit, the_same_bytes)
{
	const char *capture = test_capture("ftrace/randread.trace.txt.xz");
	g_autofree char *full = g_canonicalize_filename(capture, NULL);
	g_autofree char *one =
		g_strdup_printf("replay %s --variant configs/devices/ufs4.ini", full);
	const char *a = emitted(one);
	g_autofree char *two = g_strdup_printf("--version >/dev/null; MALLOC_PERTURB_=165 LC_ALL=C "
					       "MORE=%064d \"$0\" %s",
					       1, one);
	const char *b = emitted(two);
	g_autofree char *three = g_strdup_printf("%s --seed 2", one);
	const char *c = emitted(three);
	g_autofree char *same = g_strdup_printf("for f in *; do cmp $f %s/$f; done", b);
	g_autofree char *other =
		g_strdup_printf("cmp -s trace.ftrace %s/trace.ftrace || echo differs", c);
	g_autofree char *said = script_in(a, other);

	g_free(script_in(a, same));
	cr_assert_str_eq(said, "differs\n");
}

/* Nothing happens: files without events, which the readers take. */
Test(cli_emit, an_idle_disk)
{
	const char *ops = test_text("i.ops", "# f2sim ops 1\n0 open task=5 ino=9\n5 read task=5 "
					     "ino=9 len=0\n9 close task=5 ino=9\n");
	g_autofree char *args = g_strdup_printf("replay %s", ops);
	const char *out = emitted(args);
	struct run text = emitted_ops(out, "trace.ftrace", OP_CLASS_FILE);
	g_autofree char *sizes = script_in(out, "cat nvme0n1.blktrace.* | wc -c");

	cr_assert_eq(text.ops->len, 3);
	check_op(op_at(&text, 0), OP_OPEN, 9 + 3, 0, 0, 0);
	check_op(op_at(&text, 1), OP_READ, 9 + 3, 0, 0, 0);
	check_op(op_at(&text, 2), OP_CLOSE, 9 + 3, 0, 0, 0);
	cr_assert_eq(atoi(sizes), 0);
	run_free(&text);
}

/*
 * tests/test_cli_captures.c - what inspect and convert say about captures: hand-made ones, whose
 * values follow from the text beside them, and real ones, against captures/README.md.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/cli.h"
#include "tests/support.h"

static int64_t number(JsonObject *o, const char *key)
{
	cr_assert(json_object_has_member(o, key), "no \"%s\"", key);
	return json_object_get_int_member(o, key);
}

/* Number at @path ("ops/read/count") of @o. */
static int64_t at(JsonObject *o, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, "/", -1);
	char **key = keys;

	for (; key[1]; key++) {
		cr_assert(json_object_has_member(o, *key), "no \"%s\" of %s", *key, path);
		o = json_object_get_object_member(o, *key);
	}
	return number(o, *key);
}

static JsonObject *inspect_text(const char *name, const char *text)
{
	return cli_capture(cli("inspect", "--json", test_text(name, text)), 0);
}

static JsonObject *inspect_capture(const char *name)
{
	return cli_capture(cli("inspect", "--json", test_capture(name)), 0);
}

static bool drives(JsonObject *capture, const char *what)
{
	JsonArray *list = json_object_get_array_member(capture, "drives");

	for (guint i = 0; i < json_array_get_length(list); i++)
		if (!strcmp(json_array_get_string_element(list, i), what))
			return true;
	return false;
}

/* Two reads of 100 and 300 us, a discard that moves nothing (CASES 3), a completion on its own. */
Test(inspect, blkparse_text)
{
	JsonObject *c = inspect_text("a.txt", "8,0 0 1 0.000000000 100 Q R 0 + 8 [dd]\n"
					      "8,0 0 2 0.000001000 100 D R 0 + 8 [dd]\n"
					      "8,0 1 1 0.000101000 0 C R 0 + 8 [0]\n"
					      "8,0 0 3 0.001000000 101 D R 64 + 8 [dd]\n"
					      "8,0 0 4 0.001300000 0 C R 64 + 8 [0]\n"
					      "8,0 0 5 0.002000000 100 D D 0 + 2097152 [fstrim]\n"
					      "8,0 0 6 0.002050000 0 C D 0 + 2097152 [0]\n"
					      "8,0 0 7 0.003000000 0 C W 512 + 8 [0]\n");

	cr_assert_str_eq(json_object_get_string_member(c, "format"), "blkparse");
	cr_assert_eq(number(c, "records"), 8);
	cr_assert_eq(at(c, "actions/D"), 3);
	cr_assert_eq(at(c, "actions/C"), 4);
	cr_assert_eq(at(c, "rwbs/D R/count"), 2);
	cr_assert_eq(at(c, "rwbs/D R/sectors"), 16);
	cr_assert_eq(number(c, "pairs"), 3);
	cr_assert_eq(number(c, "cross_cpu"), 1);
	cr_assert_eq(number(c, "unpaired"), 1);
	cr_assert_eq(at(c, "d2c_ns/read/count"), 2);
	cr_assert_eq(at(c, "d2c_ns/read/mean"), 200000);
	cr_assert_eq(at(c, "d2c_ns/read/max"), 300000);
	cr_assert_eq(at(c, "d2c_ns/discard/max"), 50000);
	cr_assert_eq(at(c, "ops/bio_read/bytes"), 8192);
	cr_assert_eq(number(c, "first_ns"), 0);
	cr_assert_eq(number(c, "last_ns"), 3000000);
	cr_assert_not(json_object_has_member(c, "events"));
	cr_assert(drives(c, "block"));
	cr_assert_not(drives(c, "file"));
}

/* CASES 4: an iolog with one op of each direction. */
Test(inspect, iolog)
{
	JsonObject *c = inspect_text("a.log", "fio version 3 iolog\n"
					      "0 /f add\n0 /f open\n"
					      "10 /f read 0 4096\n20 /f write 4096 4096\n"
					      "30 /f trim 0 2147483648\n40 /f close\n");

	cr_assert_str_eq(json_object_get_string_member(c, "format"), "iolog");
	cr_assert_eq(at(c, "ops/read/count"), 1);
	cr_assert_eq(at(c, "ops/write/count"), 1);
	cr_assert_eq(at(c, "ops/discard/bytes"), 2147483648);
	cr_assert_not(json_object_has_member(c, "actions"));
}

/* CASES 30: 100 files of 100 KB (25 pages) whose readahead went to 1 MiB (256 pages). */
Test(inspect, pages_beyond_eof)
{
	g_autoptr(GString) text = g_string_new("# f2sim ops 1\n");

	for (int ino = 1; ino <= 100; ino++) {
		g_string_append_printf(text, "1 obs_size dev=8:1 ino=%d len=102400\n", ino);
		for (int page = 0; page < 256; page++)
			g_string_append_printf(text,
					       "1 obs_cache_add dev=8:1 ino=%d pos=%d len=4096\n",
					       ino, page * 4096);
	}
	g_string_append(text, "2 obs_cache_delete dev=8:1 ino=1 pos=0 len=4096\n");
	JsonObject *c = inspect_text("eof.ops", text->str);

	cr_assert_eq(at(c, "page_cache/added_pages"), 25600);
	cr_assert_eq(at(c, "page_cache/resident_pages"), 25599);
	cr_assert_eq(at(c, "page_cache/beyond_eof_pages"), 100 * (256 - 25));
	cr_assert_eq(number(c, "inodes"), 100);
}

/* A write extends its file before i_size says so; an unseen one is told by the dirty page.  Of the
 * last folio, 4 pages from 8192, three lie behind 12288. */
Test(inspect, writes_are_not_beyond_eof)
{
	JsonObject *c = inspect_text("w.ops", "# f2sim ops 1\n"
					      "1 obs_size dev=8:1 ino=3 len=0\n"
					      "2 write dev=8:1 ino=3 pos=0 len=4096\n"
					      "3 obs_size dev=8:1 ino=3 len=0\n"
					      "4 obs_cache_add dev=8:1 ino=3 pos=0 len=4096\n"
					      "5 obs_cache_add dev=8:1 ino=3 pos=4096 len=4096\n"
					      "6 obs_dirty ino=3 pos=4096 len=4096\n"
					      "7 obs_size dev=8:1 ino=3 len=12288\n"
					      "8 obs_cache_add dev=8:1 ino=3 pos=8192 len=16384\n");

	cr_assert_eq(at(c, "page_cache/sized_pages"), 6);
	cr_assert_eq(at(c, "page_cache/beyond_eof_pages"), 3);
	cr_assert_eq(number(c, "inodes"), 1);
}

Test(inspect, several_captures_keep_their_own_account)
{
	const char *a = test_text("a.ops", "# f2sim ops 1\n1 read ino=1 len=1 flags=dontcache\n");
	const char *b = test_text("b.ops", "# f2sim ops 1\n1 read ino=1 len=1\n2 close ino=1\n");
	const struct ran *r = cli("inspect", "--json", a, b, a);

	cr_assert_eq(number(cli_capture(r, 0), "records"), 1);
	cr_assert_eq(at(cli_capture(r, 0), "ops/read/dontcache"), 1);
	cr_assert_eq(number(cli_capture(r, 1), "records"), 2);
	cr_assert_eq(at(cli_capture(r, 1), "ops/read/dontcache"), 0);
	cr_assert_eq(number(cli_capture(r, 2), "records"), 1);
}

/* CASES 50: the wrong reader says so at the first record, and nothing else is printed. */
Test(inspect, wrong_format)
{
	const char *binary = test_capture("blktrace/seqread.blktrace.0");
	const char *text = test_capture("blktrace/seqread.blkparse.txt.xz");

	cli_refused(cli("inspect", "--format", "blkparse", binary), "line 1");
	cli_refused(cli("inspect", "--format", "blktrace", text), "offset 0");
	cli_refused(cli("inspect", "--format", "iolog", text), "line 1");
	cli_refused(cli("inspect", "--format", "tracedat", text), "offset 0");
	cli_refused(cli("inspect", test_text("noise", "\x01\x02garbage\xff\n")), "not in a");
}

Test(inspect, real_blktrace)
{
	g_autofree char *first = g_strdup(test_capture("blktrace/createstat.blktrace.0"));
	g_autofree char *base = g_strndup(first, strlen(first) - 2);
	JsonObject *c = cli_capture(cli("inspect", "--json", base), 0);

	cr_assert_eq(number(c, "records"), 8263);
	cr_assert_str_eq(json_object_get_string_member(c, "version"), "7");
	cr_assert_eq(at(c, "rwbs/D R/count"), 2016);
	cr_assert_eq(number(inspect_capture("blktrace/createstat.blkparse.txt.xz"), "records"),
		     8254);
	cr_assert_eq(number(inspect_capture("blktrace/seqwrite.blkparse.txt.xz"), "records"), 1336);
}

Test(inspect, real_ftrace)
{
	static const char *const forms[] = {"ftrace/seqread.trace.txt.xz",
					    "ftrace/seqread.v6.dat.xz", "ftrace/seqread.dat"};

	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
		JsonObject *c = inspect_capture(forms[i]);

		cr_assert_eq(number(c, "records"), 49286);
		cr_assert_eq(at(c, "events/block_rq_issue"), 1027);
		cr_assert_eq(at(c, "events/sys_exit_read"), 2055);
		cr_assert_eq(number(c, "lost"), 0);
		cr_assert_eq(at(c, "page_cache/beyond_eof_pages"), 0);
		cr_assert(drives(c, "file") && drives(c, "block") && drives(c, "observed"));
	}
}

Test(inspect, real_loss_is_told_and_no_failure)
{
	const struct ran *r = cli("inspect", test_capture("ftrace/seqwrite_lost.trace.txt.xz"));

	cr_assert_eq(r->status, 0);
	cr_assert_not_null(strstr(r->err, "424711 events were lost"));
	JsonObject *pipe = inspect_capture("pressure_ftrace/pipe_lost.trace_pipe.txt.xz");

	cr_assert_eq(number(pipe, "records"), 74249);
	cr_assert_eq(number(pipe, "lost"), 15153);
	cr_assert_eq(number(inspect_capture("pressure_ftrace/kswapd.trace.txt.xz"), "records"),
		     7619);
}

/* dontcache/: 16 MiB in 64 KiB calls; 5,984 pages added for 4,096, none left. */
Test(inspect, real_dontcache)
{
	JsonObject *c = inspect_capture("dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz");

	cr_assert_eq(number(c, "records"), 6048);
	cr_assert_eq(at(c, "ops/read/dontcache"), 256);
	cr_assert_eq(at(c, "page_cache/added_pages"), 5984);
	cr_assert_eq(at(c, "page_cache/resident_pages"), 0);
}

static char *beside(const char *path, const char *name)
{
	g_autofree char *folder = g_path_get_dirname(path);

	return g_build_filename(folder, name, NULL);
}

static char *contents(const char *path)
{
	char *text = NULL;

	cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
	return text;
}

static void convert(const char *from, const char *to)
{
	const struct ran *r = cli("convert", from, to);

	cr_assert_eq(r->status, 0, "%s", r->err);
}

Test(convert, ops_come_back_as_they_were)
{
	const char *in = test_text(
		"in.ops", "# f2sim ops 1\n"
			  "- fsync task=3 ino=4\n"
			  "1000 write task=7 cpu=1 dev=259:0 ino=4 pos=4096 len=8192 "
			  "flags=dontcache,sync done=2000 result=8192\n"
			  "1500 bio_write dev=259:0 pos=512 len=4096 flags=fua done=1700\n");
	g_autofree char *one = beside(in, "one.ops"), *two = beside(in, "two.ops");
	g_autofree char *first = NULL, *second = NULL;

	convert(in, one);
	convert(one, two);
	first = contents(one);
	second = contents(two);
	cr_assert_str_eq(first, second);
	for (const char *const *word =
		     (const char *const[]){"- fsync", "flags=dontcache,sync", "done=2000",
					   "result=8192", "dev=259:0", "bio_write", "flags=fua",
					   NULL};
	     *word; word++)
		cr_assert_not_null(strstr(first, *word), "%s in %s", *word, first);
}

Test(convert, real_ftrace_through_ops_loses_nothing)
{
	const char *in = test_capture("ftrace/seqread.trace.txt.xz");
	g_autofree char *one = beside(test_text("x", ""), "one.ops"), *two = beside(one, "two.ops");

	convert(in, one);
	convert(one, two);
	g_autofree char *first = contents(one), *second = contents(two);

	cr_assert_str_eq(first, second);
	JsonObject *c = cli_capture(cli("inspect", "--json", one), 0);

	cr_assert_eq(at(c, "ops/obs_cache_add/count"), 32771);
	cr_assert_eq(at(c, "ops/bio_read/count"), 1027);
	cr_assert_eq(at(c, "d2c_ns/read/count"), 1027);
}

/* iolog has no word for unlink, and none for what was observed: counted by kind. */
Test(convert, what_cannot_be_said_is_counted)
{
	const char *in = test_text("in.ops", "# f2sim ops 1\n"
					     "1000 open dev=8:1 ino=4\n"
					     "2000 read dev=8:1 ino=4 pos=0 len=4096\n"
					     "3000 obs_dirty dev=8:1 ino=4 pos=0 len=4096\n"
					     "4000 unlink dev=8:1 ino=4\n");
	g_autofree char *out = beside(in, "out.iolog");
	const struct ran *r = cli("convert", "--json", in, out);

	cr_assert_not_null(strstr(r->err, "1 obs_dirty"), "%s", r->err);
	JsonObject *o = cli_json(r);

	cr_assert_eq(number(o, "written"), 2);
	cr_assert_eq(at(o, "unexpressed/unlink"), 1);
	cr_assert_eq(at(o, "left_out/obs_dirty"), 1);
	JsonObject *c = cli_capture(cli("inspect", "--json", out), 0);

	cr_assert_str_eq(json_object_get_string_member(c, "format"), "iolog");
	cr_assert_eq(at(c, "ops/read/bytes"), 4096);
}

/* Ops and bytes written by `convert ARGS..` of the capture @in. */
static void expect_level(const char *in, const char *args, const char *level, int64_t written)
{
	g_autofree char *command = g_strdup_printf("convert --json %s '%s' out.tmp", args, in);
	JsonObject *o = cli_json(cli_shell(command));

	cr_assert_str_eq(json_object_get_string_member(o, "level"), level, "%s", args);
	cr_assert_eq(number(o, "written"), written, "%s", args);
}

/* 4 KiB that a task read, and the 4 KiB request they became: an iolog holds them once. */
Test(convert, an_iolog_holds_one_level)
{
	const char *both = test_text("both.ops", "# f2sim ops 1\n"
						 "1 bio_read dev=8:1 pos=0 len=512\n"
						 "1 read dev=8:1 ino=4 pos=0 len=4096\n"
						 "2 bio_read dev=8:1 pos=65536 len=4096\n"
						 "3 obs_cache_add dev=8:1 ino=4 len=4096\n");
	const char *block = test_text("block.ops", "# f2sim ops 1\n"
						   "1 read len=4096 flags=unbound\n"
						   "2 bio_read dev=8:1 pos=65536 len=4096\n");
	const char *log = test_text("a.log", "fio version 3 iolog\n0 f add\n0 f open\n"
					     "1 f read 0 4096\n2 f trim 0 4096\n");
	g_autofree char *folder = g_path_get_dirname(both);

	cr_assert_eq(chdir(folder), 0);
	expect_level(both, "--to iolog", "file", 1);
	cr_assert_not_null(strstr(cli("convert", "--to", "iolog", both, "out.tmp")->err,
				  "left out: 2 bio_read, 1 obs_cache_add"));
	expect_level(both, "--to iolog --level block", "block", 2);
	expect_level(both, "--to iolog --level all", "all", 3);
	expect_level(both, "--to ops", "all", 4);
	expect_level(both, "--to csv --level file", "file", 1);
	expect_level(block, "--to iolog", "block", 1);
	expect_level(log, "--to iolog", "file", 3); /* a trim of a file is no request */
	cli_refused(cli("convert", "--level", "x", "--to", "iolog", both, "out.tmp"),
		    "expected file, block or all");
}

Test(convert, captures_are_merged_by_time)
{
	const char *a = test_text("a.ops", "# f2sim ops 1\n1 read ino=1\n4 read ino=1\n");
	const char *b = test_text("b.ops", "# f2sim ops 1\n2 read ino=2\n3 read ino=2\n");
	const struct ran *r = cli("convert", "--to", "ops", b, a, "-");
	const char *last = r->out;

	cr_assert_eq(r->status, 0, "%s", r->err);
	for (const char *const *line = (const char *const[]){"\n1 ", "\n2 ", "\n3 ", "\n4 ", NULL};
	     *line; line++) {
		last = strstr(last, *line);
		cr_assert_not_null(last, "%s", r->out);
	}
}

Test(convert, a_file_given_twice_is_told)
{
	const char *a = test_text("a.ops", "# f2sim ops 1\n1 read ino=1\n");
	const struct ran *r = cli("convert", "--to", "ops", a, a, "-");

	cr_assert_eq(r->status, 0, "%s", r->err);
	cr_assert_not_null(strstr(r->err, "given twice"), "%s", r->err);
	cr_assert_null(strstr(cli("convert", "--to", "ops", a, "-")->err, "given twice"));
}

/* 1,500 captures of 300 ops, merged: all are open at once, none has a large window. */
Test(convert, many_captures_fit_in_memory)
{
	g_autoptr(GString) text = g_string_new("# f2sim ops 1\n");
	struct rusage used;

	for (int i = 0; i < 300; i++)
		g_string_append_printf(text, "%d read task=7 dev=8:1 ino=4 pos=%d len=4096\n", i,
				       i * 4096);
	for (int i = 0; i < 1500; i++) {
		g_autofree char *name = g_strdup_printf("%d.ops", i);

		test_file(name, text->str, text->len);
	}
	g_autofree char *folder = g_path_get_dirname(test_text("a.tmp", ""));

	cr_assert_eq(chdir(folder), 0);
	JsonObject *o = cli_json(cli_shell("convert --json *.ops a.csv"));

	cr_assert_eq(number(o, "written"), 450000);
	cr_assert_eq(getrusage(RUSAGE_CHILDREN, &used), 0);
#ifndef F2SIM_SANITIZE
	cr_assert_lt(used.ru_maxrss, 200 * 1024, "%ld KiB", used.ru_maxrss);
#endif
}

/*
 * tests/test_writer.c - traces/writer.h: the three formats, and files written whole or not at all.
 */
#include "traces/writer.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "tests/support.h"
#include "traces/trace.h"

static const struct op samples[] = {
	{.time_ns = 1000500,
	 .done_ns = OP_NO_TIME,
	 .kind = OP_OPEN,
	 .ino = 4,
	 .task = 9,
	 .dev = DEVNO(259, 0)},
	{.time_ns = 1002499,
	 .done_ns = 1005000,
	 .kind = OP_READ,
	 .ino = 4,
	 .task = 9,
	 .dev = DEVNO(259, 0),
	 .len = 65536,
	 .result = 65536,
	 .flags = OP_DONTCACHE | OP_SYNC},
	{.time_ns = 1004498,
	 .done_ns = OP_NO_TIME,
	 .kind = OP_FADVISE,
	 .ino = 4,
	 .task = 9,
	 .aux = 4},
	{.time_ns = 1004499,
	 .done_ns = OP_NO_TIME,
	 .kind = OP_FSYNC,
	 .ino = 4,
	 .task = 9,
	 .dev = DEVNO(259, 0),
	 .flags = OP_DATASYNC},
	{.time_ns = 1006498,
	 .done_ns = 1007000,
	 .kind = OP_BIO_WRITE,
	 .dev = DEVNO(259, 0),
	 .pos = 4096,
	 .len = 8192,
	 .cpu = 1,
	 .task = -1},
	{.time_ns = 1008497,
	 .done_ns = OP_NO_TIME,
	 .kind = OP_DISCARD,
	 .dev = DEVNO(259, 0),
	 .len = INT64_C(3) << 30,
	 .task = 9},
	{.time_ns = 1010496,
	 .done_ns = OP_NO_TIME,
	 .kind = OP_CLOSE,
	 .ino = 4,
	 .task = 9,
	 .dev = DEVNO(259, 0)},
};

/* What @format makes of the samples, at a path of its own. */
static const char *written(const char *format, uint64_t *unexpressed)
{
	GError *err = NULL;
	const char *path = test_text("out", "before");
	struct writer *w = writer_new(format, path, &err);

	cr_assert(w, "%s", err ? err->message : "");
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++)
		cr_assert(writer_op(w, &samples[i], &err));
	cr_assert(writer_commit(w, unexpressed, &err), "%s", err ? err->message : "");
	return path;
}

static void expect_text(const char *path, const char *text)
{
	g_autofree char *got = NULL;

	cr_assert(g_file_get_contents(path, &got, NULL, NULL));
	cr_assert_str_eq(got, text);
}

static guint files_beside(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	GDir *dir = g_dir_open(folder, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(dir))
		n++;
	g_dir_close(dir);
	return n;
}

/* Times: (t - 1000500) / 1000: 1999 -> 1, 3999 -> 3, 5998 -> 5, 7997 -> 7, 9996 -> 9. */
Test(writer, iolog)
{
	uint64_t unexpressed;
	const char *path = written("iolog", &unexpressed);

	expect_text(path, "fio version 3 iolog\n"
			  "0 f2sim.259-0.4 add\n"
			  "0 f2sim.259-0.4 open\n"
			  "1 f2sim.259-0.4 read 0 65536\n"
			  "3 f2sim.259-0.4 datasync 0 0\n"
			  "5 /dev/block/259:0 add\n"
			  "5 /dev/block/259:0 open\n"
			  "5 /dev/block/259:0 write 4096 8192\n"
			  "7 /dev/block/259:0 trim 0 1073741824\n"
			  "7 /dev/block/259:0 trim 1073741824 1073741824\n"
			  "7 /dev/block/259:0 trim 2147483648 1073741824\n"
			  "9 f2sim.259-0.4 close\n");
	cr_assert_eq(unexpressed, 1); /* fadvise */
	cr_assert_eq(files_beside(path), 1);
}

Test(writer, csv)
{
	uint64_t unexpressed;

	expect_text(written("csv", &unexpressed),
		    "kind,time_ns,done_ns,task,cpu,dev,ino,pos,len,flags,result,aux\n"
		    "open,1000500,,9,0,259:0,4,0,0,,0,0\n"
		    "read,1002499,1005000,9,0,259:0,4,0,65536,dontcache|sync,65536,0\n"
		    "fadvise,1004498,,9,0,0:0,4,0,0,,0,4\n"
		    "fsync,1004499,,9,0,259:0,4,0,0,datasync,0,0\n"
		    "bio_write,1006498,1007000,-1,1,259:0,0,4096,8192,,0,0\n"
		    "discard,1008497,,9,0,259:0,0,0,3221225472,,0,0\n"
		    "close,1010496,,9,0,259:0,4,0,0,,0,0\n");
	cr_assert_eq(unexpressed, 0);
}

Test(writer, op_text_reads_back_exactly)
{
	GError *err = NULL;
	uint64_t unexpressed;
	struct op op;
	const char *const paths[] = {written("ops", &unexpressed), NULL};
	struct trace *t = trace_open(paths, &(struct trace_opts){.want = OP_CLASS_ALL}, &err);

	cr_assert(t, "%s", err ? err->message : "");
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
		cr_assert(trace_next(t, &op, &err));
		cr_assert_eq(memcmp(&op, &samples[i], sizeof(op)), 0, "op %zu", i);
	}
	cr_assert_not(trace_next(t, &op, &err));
	trace_close(t);
}

/* CASES 6 on the way out: the last of 10,000 stamps 1,999 ns apart is 19,988 us, not 9,999. */
Test(writer, iolog_times_do_not_drift)
{
	GError *err = NULL;
	const char *path = test_text("drift", "");
	struct writer *w = writer_new("iolog", path, &err);
	g_autofree char *got = NULL;

	for (int64_t i = 0; i < 10000; i++)
		cr_assert(writer_op(w,
				    &(struct op){.time_ns = i * 1999,
						 .done_ns = OP_NO_TIME,
						 .kind = OP_WRITE,
						 .ino = 1,
						 .len = 4096},
				    &err));
	cr_assert(writer_commit(w, NULL, &err));
	cr_assert(g_file_get_contents(path, &got, NULL, NULL));
	cr_assert(g_str_has_suffix(got, "\n19988 f2sim.0-0.1 write 0 4096\n"));
}

Test(writer, abort_leaves_what_was_there)
{
	GError *err = NULL;
	const char *path = test_text("out", "before");
	struct writer *w = writer_new("csv", path, &err);

	cr_assert(writer_op(w, &samples[0], &err));
	writer_abort(w);
	expect_text(path, "before");
	cr_assert_eq(files_beside(path), 1);
}

Test(writer, refuses)
{
	GError *err = NULL;
	const char *path = test_text("out", "before");

	cr_assert_null(writer_new("blkparse", path, &err));
	cr_assert(strstr(err->message, "iolog ops csv"), "%s", err->message);
	g_clear_error(&err);
	cr_assert_null(writer_new("csv", "/nonexistent/x", &err));
	cr_assert(strstr(err->message, "/nonexistent/x"), "%s", err->message);
	g_clear_error(&err);
	struct writer *w = writer_new("csv", path, &err);
	cr_assert_not(writer_op(w, &(struct op){.kind = OP_READ, .len = -1}, &err));
	cr_assert_not_null(err);
	writer_abort(w);
}

Test(writer, a_full_disk_leaves_nothing)
{
	GError *err = NULL;
	const char *path = test_text("out", "before");
	struct rlimit limit = {.rlim_cur = 65536, .rlim_max = RLIM_INFINITY};
	bool ok = true;

	signal(SIGXFSZ, SIG_IGN);
	struct writer *w = writer_new("csv", path, &err);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; ok && i < 5000; i++)
		ok = writer_op(w, &samples[1], &err);
	cr_assert(ok);
	cr_assert_not(writer_commit(w, NULL, &err));
	cr_assert_not_null(err);
	expect_text(path, "before");
	cr_assert_eq(files_beside(path), 1);
}

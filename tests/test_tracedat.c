/*
 * tests/test_tracedat.c - traces/tracedat.h against the real captures: the trace.dat and the
 * `trace` file of the same ring buffers must tell the same, and damage must never reach the parent.
 */
#include "traces/tracedat.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support.h"

static struct trace *opened(const char *path, unsigned int want, GError **err)
{
	const char *const paths[] = {path, NULL};
	return trace_open(paths, &(struct trace_opts){.want = want}, err);
}

static struct trace *read_all(const char *path, unsigned int want)
{
	GError *err = NULL;
	struct trace *t = opened(path, want, &err);
	struct op op;

	cr_assert(t, "%s", err ? err->message : "");
	while (trace_next(t, &op, &err))
		;
	cr_assert_null(err, "%s", err ? err->message : "");
	cr_assert_str_eq(trace_info(t)->format, "tracedat");
	return t;
}

/* "sys_write:enter" of EVENT_COUNTS.txt is sys_enter_write. */
static char *canonical(const char *name)
{
	const char *colon = strchr(name, ':');

	if (!colon)
		return g_strdup(name);
	g_autofree char *call = g_strndup(name + 4, (gsize)(colon - name) - 4);
	return g_strdup_printf("sys_%s_%s", colon + 1, call);
}

/* Compare with the section "## ftrace/NAME:" of EVENT_COUNTS.txt, made from the trace file. */
static void expect_counts(const struct trace *t, const char *capture)
{
	g_autofree char *text = NULL;
	g_autofree char *head = g_strdup_printf("## ftrace/%s:", capture);
	unsigned int seen = 0;

	cr_assert(g_file_get_contents(test_capture("ftrace/EVENT_COUNTS.txt"), &text, NULL, NULL));
	const char *section = strstr(text, head);
	cr_assert_not_null(section);
	g_auto(GStrv) lines = g_strsplit(section, "\n", -1);
	for (char **line = lines + 1; *line && g_ascii_isdigit(**line); line++, seen++) {
		char *rest;
		uint64_t n = g_ascii_strtoull(*line, &rest, 10);
		g_autofree char *name = canonical(g_strstrip(rest));
		const uint64_t *got = g_hash_table_lookup(trace_info(t)->events, name);
		cr_assert(got, "%s", name);
		cr_assert_eq(*got, n, "%s", name);
	}
	cr_assert_eq(seen, g_hash_table_size(trace_info(t)->events));
}

static void expect_capture(const char *file, const char *capture, const char *version,
			   uint64_t records, uint64_t lost)
{
	g_autofree char *name = g_strconcat("ftrace/", file, NULL);
	struct trace *t = read_all(test_capture(name), OP_CLASS_ALL);

	expect_counts(t, capture);
	cr_assert_str_eq(trace_info(t)->version, version);
	cr_assert_eq(trace_info(t)->records, records);
	cr_assert_eq(trace_info(t)->lost, lost);
	cr_assert_eq(trace_info(t)->broken, 0);
	trace_close(t);
}

/* captures/README.md: entries in the buffer, overrun */
Test(tracedat, v6_counts)
{
	expect_capture("seqwrite.v6.dat.xz", "seqwrite", "6", 446144, 0);
	expect_capture("seqread.v6.dat.xz", "seqread", "6", 49286, 0);
	expect_capture("randread.v6.dat.xz", "randread", "6", 63639, 0);
	expect_capture("createstat.v6.dat.xz", "createstat", "6", 99681, 0);
	expect_capture("seqwrite_lost.v6.dat.xz", "seqwrite_lost", "6", 21551, 424711);
}

Test(tracedat, v7_counts)
{
	expect_capture("seqread.dat", "seqread", "7", 49286, 0);
	expect_capture("seqwrite_lost.dat", "seqwrite_lost", "7", 21551, 424711);
}

Test(tracedat, counts_do_not_depend_on_what_is_wanted)
{
	struct trace *t = read_all(test_capture("ftrace/seqread.dat"), 0);

	expect_counts(t, "seqread");
	trace_close(t);
}

/* The trace file has us, rounded. */
static int64_t to_us(int64_t ns)
{
	return ns == OP_NO_TIME ? ns : (ns + 500) / 1000;
}

static void expect_same_ops(const char *dat, const char *text)
{
	GError *err = NULL;
	struct trace *a = opened(test_capture(dat), OP_CLASS_ALL, &err);
	struct trace *b = opened(test_capture(text), OP_CLASS_ALL, &err);
	struct op x, y;
	int n = 0;

	cr_assert(a && b, "%s", err ? err->message : "");
	for (; trace_next(a, &x, &err); n++) {
		cr_assert(trace_next(b, &y, &err), "op %d", n);
		x.time_ns = to_us(x.time_ns);
		y.time_ns = to_us(y.time_ns);
		x.done_ns = to_us(x.done_ns);
		y.done_ns = to_us(y.done_ns);
		cr_assert_eq(memcmp(&x, &y, sizeof(x)), 0, "op %d", n);
	}
	cr_assert_null(err);
	cr_assert_not(trace_next(b, &y, &err));
	cr_assert_gt(n, 700);
	trace_close(a);
	trace_close(b);
}

Test(tracedat, ops_equal_those_of_the_trace_file)
{
	expect_same_ops("ftrace/seqread.v6.dat.xz", "ftrace/seqread.trace.txt.xz");
	expect_same_ops("ftrace/seqread.dat", "ftrace/seqread.trace.txt.xz");
	expect_same_ops("ftrace/createstat.v6.dat.xz", "ftrace/createstat.trace.txt.xz");
	expect_same_ops("ftrace/seqwrite_lost.dat", "ftrace/seqwrite_lost.trace.txt.xz");
}

static bool all_bodies(const char *event, void *arg)
{
	(void)event;
	(void)arg;
	return true;
}

/* Lines as `trace-cmd report -t` prints them (trace-cmd 3.1.6), without its padding. */
Test(tracedat, lines)
{
	static const char *const expected[] = {
		"trace-cmd-168 [000] 44.856075384: sys_exit_write: 0x1",
		"sh-132 [001] 44.866359154: sys_enter_close: fd: 0x0000000b",
		"sh-132 [001] 44.866387998: sys_exit_close: 0x0",
	};
	GError *err = NULL;
	struct tracedat_head head;
	size_t len;
	struct stream *s = tracedat_stream(test_capture("ftrace/seqread.v6.dat.xz"), all_bodies,
					   NULL, &head, &err);

	cr_assert(s, "%s", err ? err->message : "");
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++)
		cr_assert_str_eq(stream_getline(s, &len, &err), expected[i]);
	stream_close(s); /* the child goes with it */
}

static bool hang(const char *event, void *arg)
{
	(void)event;
	(void)arg;
	while (pause()) /* always -1 */
		;
	return false;
}

static bool crash(const char *event, void *arg)
{
	(void)event;
	(void)arg;
	raise(SIGKILL);
	return false;
}

static bool quit(const char *event, void *arg)
{
	(void)event;
	(void)arg;
	fprintf(stderr, "first\nlast words\n");
	fflush(stderr);
	syscall(SYS_exit_group, 7); /* past a sanitizer's look for the parent's memory */
	return false;
}

/* What a read says of a child in which @wants_body does not come back. */
static void expect_child_error(bool (*wants_body)(const char *, void *), const char *what)
{
	GError *err = NULL;
	struct tracedat_head head;
	size_t len;
	struct stream *s = tracedat_stream(test_capture("ftrace/seqwrite_lost.dat"), wants_body,
					   NULL, &head, &err);

	cr_assert(s, "%s", err ? err->message : "");
	cr_assert_null(stream_getline(s, &len, &err));
	cr_assert_not_null(err);
	cr_assert(strstr(err->message, what), "%s", err->message);
	g_error_free(err);
	stream_close(s);
	cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1, "no child is left");
}

Test(tracedat, a_child_that_ends_badly_is_told)
{
	expect_child_error(crash, "died of signal 9");
	expect_child_error(quit, "libtracecmd failed: last words");
	expect_child_error(hang, "gave nothing for 4 s");
}

static void expect_error(const char *bytes, size_t n, const char *what)
{
	GError *err = NULL;
	const char *const paths[] = {test_file("bad.dat", bytes, n), NULL};
	struct trace *t = trace_open(paths, &(struct trace_opts){.format = "tracedat"}, &err);

	cr_assert_null(t);
	cr_assert(strstr(err->message, what), "%s", err->message);
	g_error_free(err);
}

Test(tracedat, refuses_other_files)
{
	expect_error("\x17\x08\x44tracing"
		     "8\0",
		     12, "version \"8\" is not supported");
	expect_error("# tracer: nop\n", 14, "not a trace.dat");
	expect_error("", 0, "not a trace.dat");
}

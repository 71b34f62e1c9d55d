/*
 * tests/test_tracedat_mend.c - trace.dat files that are cut off or damaged: what is left is read,
 * and nothing reaches the parent.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support.h"
#include "traces/tracedat.h"

static struct trace *opened(const char *path, GError **err)
{
	const char *const paths[] = {path, NULL};

	return trace_open(paths, &(struct trace_opts){.want = OP_CLASS_ALL}, err);
}

static bool all_bodies(const char *event, void *arg)
{
	(void)event;
	(void)arg;
	return true;
}

/* The unpacked bytes of a capture. */
static GByteArray *bytes_of(const char *capture)
{
	GError *err = NULL;
	GByteArray *bytes = g_byte_array_new();
	struct stream *s = stream_open(test_capture(capture), &err);
	size_t n = 1;

	while (n > 0) {
		const uint8_t *p = stream_peek(s, 1 << 20, &n, &err);
		g_byte_array_append(bytes, p, (guint)n);
		stream_skip(s, n);
	}
	stream_close(s);
	return bytes;
}

/* Read what may be damaged: an error of ours or an end, within 5 s.  Returns whether it was an
 * error. */
static bool survives(const uint8_t *bytes, size_t n)
{
	GError *err = NULL;
	int64_t start = g_get_monotonic_time();
	struct trace *t = opened(test_file("damaged.dat", bytes, n), &err);
	struct op op;

	while (t && trace_next(t, &op, &err))
		;
	trace_close(t);
	cr_assert_lt(g_get_monotonic_time() - start, 5 * G_USEC_PER_SEC);
	if (!err)
		return false;
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	cr_assert(strstr(err->message, "damaged.dat: "), "%s", err->message);
	cr_assert_null(strchr(err->message, '\n'), "%s", err->message);
	g_error_free(err);
	return true;
}

static void damage(const char *capture, const guint8 *version)
{
	GByteArray *good = bytes_of(capture);

	cr_assert_eq(good->data[10], *version);
	for (guint i = 1; i <= 20; i++) {
		/* half of them in the headers, where libtracecmd stumbles most */
		guint at = i % 2 ? good->len / 21 * i : 12 + i * i * 7;
		good->data[at] ^= 0xff;
		survives(good->data, good->len);
		good->data[at] ^= 0xff;
	}
	cr_assert_not(survives(good->data, good->len));
	g_byte_array_unref(good);
}

Test(tracedat_mend, damaged_v6)
{
	damage("ftrace/seqwrite_lost.v6.dat.xz", (const guint8 *)"6");
}

Test(tracedat_mend, damaged_v7)
{
	damage("ftrace/seqwrite_lost.dat", (const guint8 *)"7");
}

/* Lines of each of two CPUs in a trace.dat of @n bytes; *@truncated. */
static void lines_of(const uint8_t *bytes, size_t n, GPtrArray *lines[2], bool *truncated)
{
	GError *err = NULL;
	struct tracedat_head head;
	struct stream *s =
		tracedat_stream(test_file("cut.dat", bytes, n), all_bodies, NULL, &head, &err);
	const char *line;
	size_t len;

	cr_assert(s, "%s", err ? err->message : "");
	lines[0] = g_ptr_array_new_with_free_func(g_free);
	lines[1] = g_ptr_array_new_with_free_func(g_free);
	while ((line = stream_getline(s, &len, &err)))
		if (!g_str_has_prefix(line, "CPU:"))
			g_ptr_array_add(lines[strstr(line, " [001] ") != NULL], g_strdup(line));
	cr_assert_null(err, "%s", err ? err->message : "");
	*truncated = head.truncated;
	stream_close(s);
}

static void free_lines(GPtrArray *lines[2])
{
	g_ptr_array_unref(lines[0]);
	g_ptr_array_unref(lines[1]);
}

/* What is left of each CPU's lines when @cut bytes are off the end: the first of them, unchanged.
 */
static void expect_prefix(const GByteArray *good, GPtrArray *whole[2], guint cut, guint at_least)
{
	GPtrArray *left[2];
	bool truncated;

	lines_of(good->data, good->len - cut, left, &truncated);
	cr_assert(truncated, "%u off", cut);
	for (int cpu = 0; cpu < 2; cpu++) {
		cr_assert_leq(left[cpu]->len, whole[cpu]->len);
		for (guint i = 0; i < left[cpu]->len; i++)
			cr_assert_str_eq(left[cpu]->pdata[i], whole[cpu]->pdata[i]);
	}
	cr_assert_geq(left[0]->len + left[1]->len, at_least, "%u off: %u and %u lines", cut,
		      left[0]->len, left[1]->len);
	free_lines(left);
}

/* captures/README.md: 49,286 events, 96 of them on CPU 1, in one page at the end of version 6. */
Test(tracedat_mend, a_cut_v6_is_read_up_to_the_cut)
{
	GByteArray *good = bytes_of("ftrace/seqread.v6.dat.xz");
	GPtrArray *whole[2];
	bool truncated;

	lines_of(good->data, good->len, whole, &truncated);
	cr_assert_not(truncated);
	cr_assert_eq(whole[0]->len + whole[1]->len, 49286);
	expect_prefix(good, whole, 1, 49286);	 /* the page's unused end */
	expect_prefix(good, whole, 4095, 49190); /* CPU 1's page */
	expect_prefix(good, whole, 4096, 49190);
	expect_prefix(good, whole, 100000, 47000); /* 24 of 552 pages, and a part */
	expect_prefix(good, whole, 2200000, 1);	   /* all but CPU 0's first pages */
	free_lines(whole);
	g_byte_array_unref(good);
}

/* Packed chunks, and the list of buffers behind them. */
Test(tracedat_mend, a_cut_v7_is_read_up_to_the_cut)
{
	GByteArray *good = bytes_of("ftrace/seqread.dat");
	GPtrArray *whole[2];
	bool truncated;

	lines_of(good->data, good->len, whole, &truncated);
	cr_assert_not(truncated);
	expect_prefix(good, whole, 1, 49286);	/* the names of sections */
	expect_prefix(good, whole, 216, 49286); /* and the whole list */
	expect_prefix(good, whole, 4096, 47000);
	expect_prefix(good, whole, 100000, 30000);
	free_lines(whole);
	g_byte_array_unref(good);
}

/* 40 % off the end: 11 of 27 MB, of which 5 are header. */
Test(tracedat_mend, of_a_large_one_most_is_left)
{
	GByteArray *good = bytes_of("ftrace/seqwrite.v6.dat.xz");
	GError *err = NULL;
	struct trace *t = opened(test_file("cut.dat", good->data, good->len / 5 * 3), &err);
	struct op op;

	cr_assert(t, "%s", err ? err->message : "");
	while (trace_next(t, &op, &err))
		;
	cr_assert_null(err, "%s", err ? err->message : "");
	cr_assert(trace_info(t)->truncated);
	cr_assert_gt(trace_info(t)->records, 446144 / 3);
	cr_assert_lt(trace_info(t)->records, 446144);
	trace_close(t);
	g_byte_array_unref(good);
}

static void expect_cut_header(const char *capture, guint first, guint end)
{
	GByteArray *good = bytes_of(capture);

	for (guint i = 0; i < 20; i++) {
		guint n = first + (end - first) / 20 * i;
		const char *path = test_file("cut.dat", good->data, n);
		g_autofree char *what = g_strdup_printf(
			"cut.dat: offset %u: the file ends here, before its first event", n);
		GError *err = NULL;

		cr_assert_null(opened(path, &err), "%u bytes", n);
		cr_assert(strstr(err->message, what), "%s", err->message);
		g_error_free(err);
	}
	g_byte_array_unref(good);
}

/* Its end, the table or the first options: 5140254 and 1007098. */
Test(tracedat_mend, a_cut_header_is_told)
{
	expect_cut_header("ftrace/seqread.v6.dat.xz", 12, 5140254);
	expect_cut_header("ftrace/seqread.v6.dat.xz", 5140254, 5140480); /* a table, and no page */
	expect_cut_header("ftrace/seqread.dat", 12, 1007098);
}

/* One page too many in the middle of the table, or a byte of the data: not cut, but damaged. */
Test(tracedat_mend, damage_is_no_cut)
{
	GByteArray *good = bytes_of("ftrace/seqread.v6.dat.xz");
	guint8 *size = good->data + 5140222 + 8; /* of CPU 0's data: 2260992 */

	cr_assert_eq(size[1], 0x80);
	size[1] = 0x90;
	good->data[5140480 + 8 + 1] ^= 0xff; /* commit of the first page */
	cr_assert(survives(good->data, good->len - 4096));
	g_byte_array_unref(good);
}

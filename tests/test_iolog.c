/*
 * tests/test_iolog.c - traces/iolog.h: fio's formats, and the faults of CASES 4, 6, 7, 9.
 */
#include "traces/iolog.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support.h"

static struct trace *opened(const char *text, enum trace_time_unit unit, GError **err)
{
	const char *const paths[] = {test_text("t.iolog", text), NULL};
	return trace_open(paths, &(struct trace_opts){.want = OP_CLASS_ALL, .time_unit = unit},
			  err);
}

/* All ops of @text, which must be good; @t stays open for the account. */
static GArray *ops_of(const char *text, enum trace_time_unit unit, struct trace **t)
{
	GError *err = NULL;
	GArray *ops = g_array_new(FALSE, FALSE, sizeof(struct op));
	struct op op;

	*t = opened(text, unit, &err);
	cr_assert(*t, "%s", err ? err->message : "");
	while (trace_next(*t, &op, &err))
		g_array_append_val(ops, op);
	cr_assert_null(err, "%s", err ? err->message : "");
	return ops;
}

static void done(struct trace *t, GArray *ops)
{
	trace_close(t);
	g_array_unref(ops);
}

static void expect_op(GArray *ops, guint i, enum op_kind kind, uint64_t ino, int64_t time_ns,
		      int64_t pos, int64_t len, uint32_t flags)
{
	const struct op *op = &g_array_index(ops, struct op, i);

	cr_assert_eq(op->kind, kind, "op %u", i);
	cr_assert_eq(op->ino, ino, "op %u", i);
	cr_assert_eq(op->time_ns, time_ns, "op %u", i);
	cr_assert_eq(op->pos, pos, "op %u", i);
	cr_assert_eq(op->len, len, "op %u", i);
	cr_assert_eq(op->flags, flags, "op %u", i);
	cr_assert_eq(op->done_ns, OP_NO_TIME);
}

Test(iolog, v3)
{
	struct trace *t;
	GArray *ops = ops_of("fio version 3 iolog\n"
			     "0 /mnt/a add\n"
			     "0 /mnt/b add\n"
			     "5 /mnt/a open\n"
			     "7 /mnt/b read 4096 8192\n"
			     "9 /mnt/a write 0 65536\n"
			     "11 /mnt/a sync 0 0\n"
			     "12 /mnt/a datasync 0 0\n"
			     "13 /mnt/a sync_file_range 4096 4096\n"
			     "14 /mnt/a close\n",
			     TRACE_UNIT_DEFAULT, &t);

	cr_assert_eq(ops->len, 7);
	expect_op(ops, 0, OP_OPEN, 1, 5000, 0, 0, 0);
	expect_op(ops, 1, OP_READ, 2, 7000, 4096, 8192, 0);
	expect_op(ops, 2, OP_WRITE, 1, 9000, 0, 65536, 0);
	expect_op(ops, 3, OP_FSYNC, 1, 11000, 0, 0, 0);
	expect_op(ops, 4, OP_FSYNC, 1, 12000, 0, 0, OP_DATASYNC);
	expect_op(ops, 5, OP_FSYNC, 1, 13000, 4096, 4096, OP_DATASYNC);
	expect_op(ops, 6, OP_CLOSE, 1, 14000, 0, 0, 0);
	cr_assert_str_eq(trace_info(t)->version, "v3");
	cr_assert_eq(trace_info(t)->records, 9);
	cr_assert_eq(trace_info(t)->drives, TRACE_DRIVES_FILE);
	cr_assert_eq(g_hash_table_size(trace_info(t)->tasks), 1);
	done(t, ops);
}

Test(iolog, v2_waits_are_ms_since_the_start)
{
	struct trace *t;
	GArray *ops = ops_of("fio version 2 iolog\n"
			     "f add\n"
			     "f open\n"
			     "f read 0 4096\n"
			     "f wait 3 0\n"
			     "f write 4096 4096\n"
			     "f wait 2 0\n" /* already past */
			     "f write 8192 4096\n"
			     "f wait 10 0\n"
			     "f close\n",
			     TRACE_UNIT_DEFAULT, &t);

	cr_assert_eq(ops->len, 5);
	expect_op(ops, 0, OP_OPEN, 1, 0, 0, 0, 0);
	expect_op(ops, 1, OP_READ, 1, 0, 0, 4096, 0);
	expect_op(ops, 2, OP_WRITE, 1, 3000000, 4096, 4096, 0);
	expect_op(ops, 3, OP_WRITE, 1, 3000000, 8192, 4096, 0);
	expect_op(ops, 4, OP_CLOSE, 1, 10000000, 0, 0, 0);
	cr_assert_str_eq(trace_info(t)->version, "v2");
	done(t, ops);
}

/* CASES 4: a trim is a request like others; 2^31 stays positive. */
Test(iolog, trims)
{
	struct trace *t;
	GArray *ops = ops_of("fio version 3 iolog\n"
			     "0 /dev/sda read 0 4096\n"
			     "1 /dev/sda write 0 4096\n"
			     "2 /dev/sda trim 0 2147483648\n",
			     TRACE_UNIT_DEFAULT, &t);

	cr_assert_eq(ops->len, 3);
	expect_op(ops, 2, OP_DISCARD, 1, 2000, 0, INT64_C(2147483648), 0);
	cr_assert_eq(g_array_index(ops, struct op, 2).dev, 0);
	expect_op(ops, 0, OP_READ, 1, 0, 0, 4096, 0);
	expect_op(ops, 1, OP_WRITE, 1, 1000, 0, 4096, 0);
	cr_assert_eq(g_hash_table_size(trace_info(t)->events), 0); /* actions are no tracepoints */
	done(t, ops);
}

/* CASES 6: 10,000 requests 1,999 ns apart end at 9,999 * 1,999 ns. */
Test(iolog, nanoseconds_do_not_drift)
{
	g_autoptr(GString) text = g_string_new("fio version 3 iolog\n");
	struct trace *t;

	for (int i = 0; i < 10000; i++)
		g_string_append_printf(text, "%d f write %d 4096\n", i * 1999, i * 4096);
	GArray *ops = ops_of(text->str, TRACE_UNIT_NS, &t);
	cr_assert_eq(ops->len, 10000);
	cr_assert_eq(g_array_index(ops, struct op, 9999).time_ns, 19988001);
	cr_assert_eq(trace_info(t)->warnings->len, 0);
	done(t, ops);
}

/* CASES 7: the ends of the sample in SPDK's blog. */
static const char blog[] = "fio version 3 iolog\n"
			   "878 f read 0 4096\n"
			   "888 f read 4096 4096\n"
			   "891 f read 8192 4096\n"
			   "10001677 f read 12288 4096\n";

static int64_t span_of(const char *text, enum trace_time_unit unit)
{
	struct trace *t;
	GArray *ops = ops_of(text, unit, &t);
	int64_t span = trace_info(t)->last_ns - trace_info(t)->first_ns;
	done(t, ops);
	return span;
}

Test(iolog, time_units)
{
	cr_assert_eq(span_of(blog, TRACE_UNIT_DEFAULT), INT64_C(10000799000));
	cr_assert_eq(span_of(blog, TRACE_UNIT_US), INT64_C(10000799000));
	cr_assert_eq(span_of(blog, TRACE_UNIT_NS), INT64_C(10000799));
	cr_assert_eq(span_of(blog, TRACE_UNIT_MS), INT64_C(10000799000000));
}

Test(iolog, warns_of_times_in_the_wrong_unit)
{
	struct trace *t;
	g_autoptr(GString) text = g_string_new("fio version 3 iolog\n");

	for (int i = 0; i < 100; i++) /* 1 ms apart in ns, 1 s apart when read as us */
		g_string_append_printf(text, "%d f write %d 4096\n", i * 1000000, i * 4096);
	GArray *ops = ops_of(text->str, TRACE_UNIT_DEFAULT, &t);
	cr_assert_eq(trace_info(t)->warnings->len, 1);
	cr_assert(strstr(g_ptr_array_index(trace_info(t)->warnings, 0), "--time-unit"));
	done(t, ops);
	ops = ops_of(text->str, TRACE_UNIT_NS, &t);
	cr_assert_eq(trace_info(t)->warnings->len, 0);
	done(t, ops);
}

Test(iolog, wait_in_v3_is_ignored_and_told)
{
	struct trace *t;
	GArray *ops = ops_of("fio version 3 iolog\n0 f wait 5000 0\n1 f read 0 4096\n",
			     TRACE_UNIT_DEFAULT, &t);

	cr_assert_eq(ops->len, 1);
	expect_op(ops, 0, OP_READ, 1, 1000, 0, 4096, 0);
	cr_assert_eq(trace_info(t)->warnings->len, 1);
	cr_assert(strstr(g_ptr_array_index(trace_info(t)->warnings, 0), "wait"));
	done(t, ops);
}

static void expect_error(const char *format, const char *text, const char *what)
{
	GError *err = NULL;
	struct op op;
	const char *const paths[] = {test_text("bad.iolog", text), NULL};
	struct trace *t = trace_open(
		paths, &(struct trace_opts){.want = OP_CLASS_ALL, .format = format}, &err);
	int n = 0;

	while (t && trace_next(t, &op, &err))
		n++;
	cr_assert_not_null(err, "%s", text);
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	cr_assert(strstr(err->message, what), "%s", err->message);
	cr_assert_eq(n, 0, "no partial result");
	g_error_free(err);
	trace_close(t);
}

#define V3 "fio version 3 iolog\n0 f add\n"

/* CASES 9 */
Test(iolog, what_fio_takes_silently)
{
	expect_error(NULL, V3 "1 f read -4096 4096\n", "line 3: bad offset \"-4096\"");
	expect_error(NULL, V3 "1 f read 0 4096\n1 f read 0 4294967296\n",
		     "line 4: bad length \"4294967296\"");
	expect_error(NULL, V3 "1 f read 0 4096\n2 f read 0 4096\n1 my file read 0 4096\n",
		     "line 5: 6 columns");
	expect_error(NULL, V3 "1 f read 18446744073709547520 4096\n", "line 3: bad offset");
	expect_error(NULL, V3 "1 f read 9223372036854775807 4096\n", "line 3: offset + length");
	expect_error(NULL, V3 "-1 f read 0 4096\n", "line 3: bad time");
	expect_error(NULL, V3 "4611686018427387 f read 0 4096\n4611686018427388 f read 0 4096\n",
		     "line 4: bad time");
	expect_error(NULL, V3 "1 f scan 0 4096\n", "line 3: unknown action \"scan\"");
	expect_error(NULL, V3 "1 f read\n", "line 3: read: expected OFFSET LENGTH");
	expect_error(NULL, V3 "1 f open 0 0\n", "line 3: open: expected nothing");
	expect_error(NULL, V3 "f read 0 4096\n", "line 3: 4 columns");
	expect_error(NULL, V3 "1 f read 0 4096\n" V3, "line 4: a second header");

	g_autofree char *name = g_strnfill(4090, 'n');
	g_autofree char *text = g_strdup_printf(V3 "1 %s add\n", name);
	expect_error(NULL, text, "line 3: longer than");
}

Test(iolog, headers)
{
	expect_error("iolog", "1,4096,4096\n", "line 1: iolog version 1 is not supported");
	expect_error(NULL, "fio version 1 iolog\n", "line 1: \"fio version 1 iolog\"");
	expect_error(NULL, "fio version 4 iolog\n", "line 1: \"fio version 4 iolog\"");
	expect_error("iolog", "# by hand\nfio version 3 iolog\n", "line 1: expected");
}

/*
 * tests/test_optext.c - traces/optext.h: every field there and back, and what is refused.
 */
#include "traces/optext.h"

#include <criterion/criterion.h>
#include <string.h>

#include "sim/op.h"
#include "tests/support.h"
#include "traces/trace.h"

static void round_trip(const struct op *op)
{
	GError *err = NULL;
	g_autofree char *line = NULL;
	struct op back;
	size_t n;
	FILE *f = open_memstream(&line, &n);

	optext_write(f, op);
	fclose(f);
	cr_assert_eq(line[n - 1], '\n');
	line[n - 1] = '\0';
	g_autofree char *shown = g_strdup(line);
	cr_assert(optext_parse(line, &back, &err), "%s: %s", shown, err ? err->message : "");
	cr_assert_eq(memcmp(op, &back, sizeof(back)), 0, "%s", shown);
}

Test(optext, every_kind_and_flag)
{
	for (unsigned int kind = 0; kind < OP_NR_KINDS; kind++)
		for (unsigned int bit = 0; bit < OP_NR_FLAGS; bit++)
			round_trip(&(struct op){.time_ns = 1,
						.done_ns = 2,
						.kind = (uint8_t)kind,
						.flags = 1u << bit});
}

Test(optext, extremes)
{
	round_trip(&(struct op){.time_ns = OP_NO_TIME, .done_ns = OP_NO_TIME, .kind = OP_READ});
	round_trip(&(struct op){.time_ns = OP_MAX_NS,
				.done_ns = OP_MAX_NS,
				.kind = OBS_MAP,
				.ino = UINT64_MAX,
				.pos = OP_MAX_BYTES - 5,
				.len = 5,
				.result = INT64_MIN,
				.aux = OP_MAX_BYTES,
				.dev = DEVNO(4095, 1048575),
				.task = INT32_MAX,
				.flags = (1u << OP_NR_FLAGS) - 1,
				.cpu = UINT16_MAX});
	round_trip(&(struct op){.done_ns = 0,
				.kind = OP_WRITE,
				.task = -1,
				.len = OP_MAX_BYTES,
				.result = OP_MAX_BYTES});
	round_trip(&(struct op){.kind = OP_FADVISE, .aux = UINT64_MAX});
}

Test(optext, as_the_header_shows_it)
{
	GError *err = NULL;
	struct op op;
	char line[] = "12345 read task=169 cpu=0 dev=259:0 ino=4 pos=0 len=65536 "
		      "flags=dontcache,sync done=23456 result=65536";

	cr_assert(optext_parse(line, &op, &err));
	cr_assert_eq(op.time_ns, 12345);
	cr_assert_eq(op.done_ns, 23456);
	cr_assert_eq(op.kind, OP_READ);
	cr_assert_eq(op.task, 169);
	cr_assert_eq(op.dev, 271581184); /* 259 * 2^20 */
	cr_assert_eq(op.ino, 4);
	cr_assert_eq(op.len, 65536);
	cr_assert_eq(op.flags, OP_DONTCACHE | OP_SYNC);
	cr_assert_eq(op.result, 65536);
}

Test(optext, refuses)
{
	static const char *const bad[] = {
		"x read",
		"-5 read",
		"9223372036854775808 read",
		"1",
		"1 reed",
		"1 read pos",
		"1 read pos=",
		"1 read pos=-1",
		"1 read pos=+1",
		"1 read pos=0x10",
		"1 read pos=9223372036854775808",
		"1 read len=-1",
		"1 read pos=9223372036854775807 len=1",
		"1 read offset=3",
		"1 read pos=1 pos=2",
		"1 read flags=",
		"1 read flags=,",
		"1 read flags=sync,,meta",
		"1 read flags=sync,",
		"1 read flags=cold",
		"1 read flags=sync,cold",
		"1 read dev=259",
		"1 read dev=4096:0",
		"1 read dev=8:1048576",
		"1 read task=-2",
		"1 read task=2147483648",
		"1 read cpu=65536",
		"1 read done=-1",
		"1 read ino=18446744073709551616",
		"1 read result=9223372036854775808",
		"1 read task=1 cpu=1 dev=1:1 ino=1 pos=1 len=1 flags=fua aux=1 done=1 result=1 x=1",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *err = NULL;
		struct op op;
		g_autofree char *line = g_strdup(bad[i]);
		cr_assert_not(optext_parse(line, &op, &err), "%s", bad[i]);
		cr_assert_not_null(err);
		g_error_free(err);
	}
}

static struct trace *opened(const char *path, unsigned int want, GError **err)
{
	const char *const paths[] = {path, NULL};
	return trace_open(paths, &(struct trace_opts){.want = want}, err);
}

Test(optext, reader_sorts_counts_and_filters)
{
	GError *err = NULL;
	struct op op;
	struct trace *t = opened(test_text("a.ops", "# f2sim ops 1\n"
						    "300 read task=7 ino=4 len=10\n"
						    "\n"
						    "# a comment\r\n"
						    "100 write task=8 ino=4 len=20 flags=unbound\n"
						    "200 obs_dirty ino=4\n"
						    "400 bio_read pos=8 len=512"),
				 OP_CLASS_FILE, &err);

	cr_assert(t, "%s", err ? err->message : "");
	cr_assert(trace_next(t, &op, &err));
	cr_assert_eq(op.kind, OP_WRITE);
	cr_assert(trace_next(t, &op, &err));
	cr_assert_eq(op.kind, OP_READ);
	cr_assert_not(trace_next(t, &op, &err));
	cr_assert_null(err);

	const struct trace_info *info = trace_info(t);
	cr_assert_str_eq(info->format, "ops");
	cr_assert_str_eq(info->version, "1");
	cr_assert_eq(info->records, 4);
	cr_assert_eq(g_hash_table_size(info->events), 0); /* kinds of ops are no tracepoints */
	cr_assert_eq(info->skewed, 2);			  /* 100 and 200 after 300 */
	cr_assert_eq(info->unbound, 1);
	cr_assert_eq(info->first_ns, 100);
	cr_assert_eq(info->last_ns, 400);
	cr_assert_not(info->truncated);
	cr_assert_eq(info->drives, TRACE_DRIVES_FILE | TRACE_DRIVES_BLOCK | TRACE_DRIVES_OBSERVED);
	trace_close(t);
}

static void expect_error(const char *text, const char *what)
{
	GError *err = NULL;
	struct op op;
	struct trace *t = opened(test_text("bad.ops", text), OP_CLASS_ALL, &err);

	while (t && trace_next(t, &op, &err))
		;
	cr_assert_not_null(err);
	cr_assert(strstr(err->message, what), "%s", err->message);
	g_error_free(err);
	trace_close(t);
}

Test(optext, errors_name_the_line)
{
	expect_error("# f2sim ops 2\n", "line 1: expected \"# f2sim ops 1\"");
	expect_error("# f2sim ops 1\n1 read\n\n2 reed\n3 read\n", "line 4: unknown kind \"reed\"");
	expect_error("# f2sim ops 1\n1 read dev=9:x\n2 read\n", "line 2: bad dev \"9:x\"");
}

Test(optext, cut_tail_is_counted)
{
	GError *err = NULL;
	struct op op;
	struct trace *t = opened(test_text("cut.ops", "# f2sim ops 1\n1 read len=5\n2 wri"),
				 OP_CLASS_ALL, &err);

	cr_assert(trace_next(t, &op, &err));
	cr_assert_eq(op.len, 5);
	cr_assert_not(trace_next(t, &op, &err));
	cr_assert_null(err);
	cr_assert(trace_info(t)->truncated);
	cr_assert_eq(trace_info(t)->broken, 1);
	cr_assert_eq(trace_info(t)->records, 1);
	trace_close(t);
}

#include "tests/blkbuild.h"

#include "traces/blkline.h"

static struct blk_line parse(const char *line)
{
	struct blk_line l;

	cr_assert(blk_line_parse(line, &l), "%s", line);
	return l;
}

Test(blkparse, the_default_line)
{
	const char *line =
		"  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]";
	struct blk_line l = parse(line);

	cr_assert_eq(l.event.dev, DEVNO(8, 0));
	cr_assert_eq(l.event.cpu, 3);
	cr_assert_eq(l.event.time_ns, 0);
	cr_assert_eq(l.event.task, 697);
	cr_assert_eq(l.event.action, 'G');
	cr_assert_str_eq(l.rwbs, "W");
	cr_assert_eq(l.event.sector, 223490);
	cr_assert_eq(l.event.bytes, 4096);
	cr_assert_eq(l.comm_len, 9);
}

/* Every column one digit wider than its width. */
Test(blkparse, columns_widen)
{
	struct blk_line l =
		parse("4095,1048575 1000 123456789 123456.123456789 4194304 UT WSM [a b] 17");

	cr_assert_eq(l.event.dev, DEVNO(4095, 1048575));
	cr_assert_eq(l.event.cpu, 1000);
	cr_assert_eq(l.event.time_ns, INT64_C(123456123456789));
	cr_assert_eq(l.event.task, 4194304);
	cr_assert_eq(l.event.action, 'T');
}

Test(blkparse, what_follows_depends_on_the_action)
{
	cr_assert_eq(parse("8,0 1 1 0.1 1 C WS 100 + 8 [-5]").event.error, -5);
	cr_assert_eq(parse("8,0 1 1 0.1 1 C WS 100 [0]").event.bytes, 0);
	cr_assert_eq(parse("8,0 1 1 0.1 1 C R 53272 + 8 (  681722) [0]").event.bytes, 4096);
	cr_assert_eq(parse("8,0 1 1 0.1 1 D R 53272 + 8 (  681722) [x]").event.sector, 53272);
	cr_assert_eq(parse("8,0 1 1 0.1 1 X WS 100 / 108 [x]").event.sector, 100);
	cr_assert_eq(parse("8,0 1 1 0.1 1 A R 63 + 8 <- (8,1) 0").event.bytes, 4096);
	cr_assert_eq(parse("8,0 1 1 0.1 0 m   N cfq123 insert_request").event.action, 'm');
	cr_assert_eq(parse("8,0 1 1 0.1 1 D  FN [kworker/0:1H]").event.bytes, 0);

	struct blk_line pc = parse("8,0 1 1 0.1 1 D R 36 (12 00 00 00 24 00 ..) [hald]");

	cr_assert(pc.event.passthrough);
	cr_assert_eq(pc.event.bytes, 36);
	cr_assert(parse("8,0 1 1 0.1 1 C R (12 00 00 00 24 00) [0]").event.passthrough);
}

Test(blkparse, names_may_hold_anything)
{
	struct blk_line l = parse("8,0 1 1 0.1 1 Q R 8 + 8 [a [b] (c) d]");

	cr_assert_eq(l.comm_len, strlen("a [b] (c) d"));
	cr_assert_not(memcmp(l.comm, "a [b] (c) d", l.comm_len));
}

Test(blkparse, other_lines_are_none)
{
	struct blk_line l;

	cr_assert_not(blk_line_parse("", &l));
	cr_assert_not(blk_line_parse("CPU0 (sda):", &l));
	cr_assert_not(blk_line_parse("8,0 1 1 0.1 1 Q R 8 + 8 [x", &l));
	cr_assert_not(blk_line_parse("8,0 1 1 0.1 1 Y R 8 + 8 [x]", &l));
	cr_assert_not(blk_line_parse("8,0 1 1 0.9999999999 1 Q R 8 + 8 [x]", &l));
	cr_assert_not(blk_line_parse("8,0 1 1 0.1 1 Q R 8 + 8388608 [x]", &l));
}

/* CASES 3 */
Test(blkparse, a_discard_moves_nothing)
{
	struct whole w =
		read_good(test_text("t", "8,0 0 1 0.000000000 100 Q D 0 + 2097152 [fstrim]\n"
					 "8,0 0 2 0.000001000 100 D D 0 + 2097152 [fstrim]\n"
					 "8,0 0 3 0.000501000 0 C D 0 + 2097152 [0]\n"));

	cr_assert_eq(w.ops->len, 1);
	cr_assert_eq(op_at(&w, 0)->kind, OP_DISCARD);
	cr_assert_eq(op_at(&w, 0)->len, INT64_C(1) << 30);
	cr_assert_eq(op_at(&w, 0)->result, 0);
	cr_assert_eq(latency(&w, 0), 500000);
	whole_free(&w);
}

/* CASES 15: 0.765 ms from D to C of the one flush, 0.779 ms from Q to C of the write around it. */
Test(blkparse, a_flush_sequence_is_one_flush)
{
	struct whole w =
		read_good(test_text("t", "8,0 0 1 0.000000000 9 A FWFS 575480360 + 0 <- (8,2) 0\n"
					 "8,0 0 2 0.000001000 9 Q FWFS [fio]\n"
					 "8,0 0 3 0.000002000 9 G FWFS [fio]\n"
					 "8,0 0 4 0.000013000 7 D FN [kworker/0:1H]\n"
					 "8,0 0 5 0.000778000 0 C FN 0 [0]\n"
					 "8,0 0 6 0.000780000 0 C WFS 575480360 [0]\n"));

	cr_assert_eq(w.ops->len, 2);
	cr_assert_eq(op_at(&w, 0)->kind, OBS_FLUSH_SEQUENCE); /* drives nothing */
	cr_assert_eq(op_at(&w, 0)->flags, OP_PREFLUSH | OP_FUA | OP_SYNC);
	cr_assert_eq(latency(&w, 0), 779000);
	cr_assert_eq(op_at(&w, 1)->kind, OP_FLUSH);
	cr_assert_eq(latency(&w, 1), 765000);
	cr_assert_eq(w.info->paired, 1);
	cr_assert_eq(w.info->unpaired, 0);
	cr_assert_eq(w.info->records, 6);
	whole_free(&w);
}

/* The same where the device below does not trace its issues: Q to the last C, 0.779 ms. */
Test(blkparse, a_flush_without_issue_is_queue_to_completion)
{
	struct whole w = read_good(test_text("t", "8,0 0 2 0.000001000 9 Q FWFS [fio]\n"
						  "8,0 0 6 0.000780000 0 C WFS 575480360 [0]\n"));

	cr_assert_eq(w.ops->len, 1);
	cr_assert_eq(op_at(&w, 0)->kind, OP_FLUSH);
	cr_assert_eq(latency(&w, 0), 779000);
	cr_assert_eq(w.info->unpaired, 0);
	whole_free(&w);
}

/* CASES 16 */
Test(blkparse, a_completion_alone_is_no_latency)
{
	struct whole w = read_good(test_text("t", "8,0 0 1 20.130000000 0 C R 8 + 8 [0]\n"));

	cr_assert_eq(w.ops->len, 0);
	cr_assert_eq(w.info->unpaired, 1);
	cr_assert_eq(w.info->drives, 0);
	whole_free(&w);
}

static const char summary[] =
	"CPU0 (sda):\n"
	" Reads Queued:           2,        8KiB\t Writes Queued:  12,  131492KiB\n"
	" Read depth:             1        \t Write depth:           253\n"
	"\n"
	"Throughput (R/W): 3KiB/s / 59932KiB/s\n"
	"Events (sda): 1336 entries\n"
	"Skips: 2 forward (17 -   1.2%)\n"
	"Input file sda.blktrace.0 added\n";

Test(blkparse, summaries_are_skipped_and_their_skips_are_lost)
{
	g_autofree char *text = g_strconcat("8,0 0 1 0.1 1 D R 8 + 8 [x]\n", summary,
					    "8,0 0 1 0.2 1 C R 8 + 8 [0]\n", NULL);
	struct whole w = read_good(test_text("t", text));

	cr_assert_eq(w.info->records, 2);
	cr_assert_eq(w.info->paired, 1);
	cr_assert_eq(w.info->lost, 17);
	whole_free(&w);
}

Test(blkparse, a_broken_line_ends_the_read_and_a_cut_tail_does_not)
{
	struct whole w = read_file(test_text("t", "8,0 0 1 0.1 1 D R 8 + 8 [x]\n8,0 0 what\n"
						  "8,0 0 1 0.2 1 C R 8 + 8 [0]\n"),
				   NULL);

	cr_assert_not_null(strstr(w.err->message, "t: line 2: no blkparse line"));
	whole_free(&w);
	w = read_good(test_text("t", "8,0 0 1 0.1 1 D R 8 + 8 [x]\n8,0 0 1 0.2 1 C R 8 +"));
	cr_assert(w.info->truncated);
	cr_assert_eq(w.info->broken, 1);
	cr_assert_eq(w.info->unpaired, 1);
	whole_free(&w);
}

static struct whole read_format(const char *format, const char *text)
{
	g_autofree char *name = g_strconcat("blkparse:", format, NULL);

	return read_file(test_text("t", text), name);
}

Test(blkparse, a_format_of_ones_own)
{
	struct whole w = read_format("%D|%2c|%5T.%9t|%-12C|%a %3d|%S+%n\\n",
				     "259,0  | 1|    0.000000500|my prog     |D   R|8+16\n"
				     "259,0  | 2|    0.000001500|            |C   R|8+16\n");

	cr_assert_null(w.err, "%s", w.err ? w.err->message : "");
	cr_assert_eq(w.ops->len, 1);
	cr_assert_eq(op_at(&w, 0)->dev, DEVNO(259, 0));
	cr_assert_eq(op_at(&w, 0)->len, 8192);
	cr_assert_eq(op_at(&w, 0)->flags, OP_CROSS_CPU);
	cr_assert_eq(latency(&w, 0), 1000);
	cr_assert_str_eq(g_hash_table_lookup(w.info->names, GINT_TO_POINTER(0)), "my prog");
	whole_free(&w);
}

/* Nothing but spaces around the name: C has none, D one with spaces. */
Test(blkparse, a_name_between_spaces_may_be_empty_or_several_words)
{
	struct whole w = read_format("%T.%t %p %C %a %d %S %n", "0.1 5 my prog 2 D R 8 16\n"
								"0.2 0  C R 8 16\n");

	cr_assert_null(w.err, "%s", w.err ? w.err->message : "");
	cr_assert_eq(w.info->paired, 1);
	cr_assert_str_eq(g_hash_table_lookup(w.info->names, GINT_TO_POINTER(5)), "my prog 2");
	whole_free(&w);
}

static void assert_refused(const char *format, const char *why)
{
	struct whole w = read_format(format, "x\n");

	cr_assert_not_null(w.err);
	cr_assert_not_null(strstr(w.err->message, why), "%s", w.err->message);
	whole_free(&w);
}

Test(blkparse, formats_that_cannot_do_are_named)
{
	assert_refused("%a %z", "specifier %z is not known");
	assert_refused("%a %5", "specifier % is not known");
	assert_refused("%a %d %T.%t %S", "needs %n (blocks) or %N (bytes)");
	assert_refused("%d %T.%t %S %n", "needs %a (action)");
	assert_refused("%a %d %T.%t\\n%S %n", "more than one line");
	assert_refused("%a %d %T.%t %S %n", "line 1: no blkparse line, expected blkparse:%a %d");
}

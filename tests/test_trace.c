#include "tests/blkbuild.h"

static const struct rec read_8 = {
	.seq = 1, .time = 10000, .sector = 8, .bytes = 4096, .action = ACT_D | TC_READ, .pid = 7};
static const struct rec read_8_done = {
	.seq = 2, .time = 110000, .sector = 8, .bytes = 4096, .action = ACT_C | TC_READ};

static const char *write_pair(const char *name, uint64_t at_ns, uint32_t pid)
{
	struct rec r[] = {read_8, read_8_done};

	r[0].time += at_ns;
	r[1].time += at_ns;
	r[0].pid = pid;
	return put_file(name, r, 2);
}

static void assert_refused(const char *path, const char *format, const char *why)
{
	struct whole w = read_file(path, format);

	cr_assert_not_null(w.err);
	cr_assert_eq(w.err->domain, F2SIM_ERROR);
	cr_assert_eq(w.err->code, F2SIM_ERROR_INPUT);
	cr_assert_not_null(strstr(w.err->message, why), "\"%s\" lacks \"%s\"", w.err->message, why);
	cr_assert_eq(w.ops->len, 0);
	whole_free(&w);
}

Test(trace, names_what_it_cannot_open)
{
	assert_refused("/nowhere/x", NULL, "/nowhere/x: no such file");
	assert_refused("/tmp", NULL, "a folder");
	assert_refused(test_text("empty", ""), NULL, "empty");
	assert_refused(test_text("letter", "Dear all,\nbye\n"), NULL, "begins with \"Dear all,");
	assert_refused(test_text("letter", "Dear all,\n"), "excel", "--format excel: unknown");
}

/* CASES 50 */
Test(trace, the_wrong_format_fails_in_the_first_record)
{
	const char *binary = write_pair("bin", 0, 7);
	const char *text = test_text("text", "8,0 0 1 0.000000001 1 D R 8 + 8 [x]\n");

	assert_refused(binary, "blkparse", "bin: line 1: no blkparse line");
	assert_refused(text, "blktrace", "text: offset 0: no blktrace record");
}

/* Times 1, 2 and 3 us in three captures; equal times in order of the files. */
Test(trace, unrelated_captures_are_merged_by_time)
{
	const char *const paths[] = {write_pair("c", 2000, 3), write_pair("a", 0, 1),
				     write_pair("b", 2000, 2), NULL};
	struct whole w = read_paths(paths, NULL);

	cr_assert_null(w.err);
	cr_assert_eq(w.ops->len, 3);
	cr_assert_eq(op_at(&w, 0)->task, 1);
	cr_assert_eq(op_at(&w, 1)->task, 3);
	cr_assert_eq(op_at(&w, 2)->task, 2);
	cr_assert_eq(trace_nr_captures(w.trace), 3);
	cr_assert_str_eq(trace_capture_info(w.trace, 1)->path, paths[1]);
	cr_assert_eq(trace_capture_info(w.trace, 1)->records, 2);
	cr_assert_eq(w.info->records, 6);
	cr_assert_eq(w.info->paired, 3);
	cr_assert_eq(w.info->actions['D'], 3);
	cr_assert_eq(g_hash_table_size(w.info->tasks), 3);
	cr_assert_eq(w.info->first_ns, 10000);
	cr_assert_eq(w.info->last_ns, 112000);
	whole_free(&w);
}

Test(trace, only_wanted_classes_are_delivered)
{
	const char *const paths[] = {write_pair("a", 0, 1), NULL};
	const struct trace_opts opts = {.want = OP_CLASS_FILE};
	struct trace *t = trace_open(paths, &opts, NULL);
	struct op op;

	cr_assert_not(trace_next(t, &op, NULL));
	cr_assert_eq(trace_info(t)->paired, 1);
	trace_close(t);
}

Test(trace, text_captures_joined_by_a_colon_are_merged)
{
	const char *a = test_text("ta", "8,0 0 1 2.000000000 1 D R 8 + 8 [x]\n");
	const char *b = test_text("tb", "8,0 0 1 1.000000000 2 D R 8 + 8 [x]\n");
	g_autofree char *both = g_strconcat(a, ":", b, NULL);
	struct whole w = read_good(both);

	cr_assert_eq(w.ops->len, 2);
	cr_assert_eq(op_at(&w, 0)->task, 2);
	cr_assert_eq(op_at(&w, 0)->time_ns, 1000000000);
	whole_free(&w);
}

Test(trace, warnings_are_limited_and_counted)
{
	static const struct trace_ops ops = {.name = "test"};
	struct trace t = {.ops = NULL};

	trace_init(&t, &ops, NULL, "x");
	for (int i = 0; i < 40; i++)
		trace_warn(&t, "warning %d", i);
	cr_assert_eq(t.info.warnings->len, 32);
	cr_assert_str_eq(g_ptr_array_index(t.info.warnings, 31), "warning 31");
	cr_assert_eq(t.info.more_warnings, 8);
	trace_fini(&t);
}

Test(trace, counts_and_spans)
{
	static const struct trace_ops ops = {.name = "test"};
	struct trace t = {.ops = NULL};

	trace_init(&t, &ops, NULL, "x");
	trace_count(t.info.events, "sys_enter_write", 1);
	trace_count(t.info.events, "sys_enter_write", 2);
	cr_assert_eq(*(uint64_t *)g_hash_table_lookup(t.info.events, "sys_enter_write"), 3);
	trace_count_rwbs(&t, 'T', "N", 5);
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(t.info.rwbs, "UT N"))->sectors, 5);
	cr_assert_eq(t.info.first_ns, OP_NO_TIME);
	trace_seen(&t, 50, 64);
	trace_seen(&t, 20, 0);
	trace_seen(&t, 30, 64);
	trace_seen(&t, 40, -1);
	cr_assert_eq(t.info.first_ns, 20);
	cr_assert_eq(t.info.last_ns, 50);
	cr_assert_eq(g_hash_table_size(t.info.tasks), 2);
	trace_name_task(&t, 64, "fio\0garbage", 11);
	trace_name_task(&t, 64, "fio2", 4);
	cr_assert_str_eq(g_hash_table_lookup(t.info.names, GINT_TO_POINTER(64)), "fio2");
	trace_fini(&t);
}

/*
 * tests/test_ftrace.c - traces/ftrace.c: what is counted, what is lost, what is an error (CASES 22
 * to 26, 50 and shared/FORMATS.md 3.1).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/ftrace_support.h"

/* CASES 25: a loss marker ends the pair of its CPU only. */
Test(ftrace, lost_marker_voids_its_cpu_only)
{
	struct run r =
		run_text("a-1 [000] ..... 1.000000: block_rq_issue: 8,0 R 4096 () 8 + 8 [a]\n"
			 "b-2 [001] ..... 1.000001: block_rq_issue: 8,0 R 4096 () 64 + 8 [b]\n"
			 "CPU:1 [LOST 17 EVENTS]\n"
			 "b-2 [001] ..... 1.000100: block_rq_complete: 8,0 R () 64 + 8 [0]\n"
			 "a-1 [000] ..... 1.000101: block_rq_complete: 8,0 R () 8 + 8 [0]\n");

	cr_assert_eq(r.info->lost, 17);
	cr_assert_eq(r.info->paired, 1);
	cr_assert_eq(r.ops->len, 2);
	cr_assert_eq(op_at(&r, 0)->done_ns, 1000101000);
	cr_assert_eq(op_at(&r, 1)->done_ns, OP_NO_TIME);
	run_free(&r);
}

/* The same for system calls: the read on CPU 1 keeps what its entry told, and no more. */
Test(ftrace, lost_marker_voids_open_calls_of_its_cpu)
{
	struct run r = run_text("a-1 [000] ..... 1.000000: sys_read(fd: 3, buf: 0, count: 1000)\n"
				"b-2 [001] ..... 1.000001: sys_read(fd: 3, buf: 0, count: 2000)\n"
				"##### CPU 1 buffer started ####\n"
				"b-2 [001] ..... 1.000002: sys_read -> 0x2000\n"
				"a-1 [000] ..... 1.000003: sys_read -> 0x1000\n");

	cr_assert_eq(r.ops->len, 2);
	cr_assert_eq(op_at(&r, 0)->done_ns, 1000003000);
	cr_assert_eq(op_at(&r, 0)->result, 4096);
	cr_assert_eq(op_at(&r, 1)->done_ns, OP_NO_TIME);
	cr_assert_eq(op_at(&r, 1)->len, 8192);
	cr_assert_eq(r.info->unpaired, 2); /* an entry and an exit */
	run_free(&r);
}

Test(ftrace, equal_time_stamps_keep_file_order)
{
	struct run r = run_text("a-1 [000] ..... 1.000000: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino a pfn=0x1 ofs=0 order=0\n"
				"a-1 [001] ..... 1.000000: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino b pfn=0x1 ofs=0 order=0\n"
				"a-1 [000] ..... 1.000000: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino c pfn=0x1 ofs=0 order=0\n");

	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(op_at(&r, i)->ino, 10 + i);
	run_free(&r);
}

/* Per-CPU buffers merged by time can step back: counted, and delivered in order. */
Test(ftrace, steps_back_in_time_are_sorted)
{
	struct run r = run_text("a-1 [000] ..... 1.000005: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino a pfn=0x1 ofs=0 order=0\n"
				"a-1 [001] ..... 1.000002: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino b pfn=0x1 ofs=0 order=0\n");

	cr_assert_eq(r.info->skewed, 1);
	cr_assert_eq(op_at(&r, 0)->ino, 11);
	cr_assert_eq(r.info->first_ns, 1000002000);
	cr_assert_eq(r.info->last_ns, 1000005000);
	run_free(&r);
}

/* CASE 23: two tasks of the same (unknown) name are two tasks, before and after a rename. */
Test(ftrace, tasks_are_pids)
{
	struct run r = run_text(
		"<...>-33 [000] ..... 1.000000: sched_waking: comm=x pid=9\n"
		"<...>-34 [000] ..... 1.000001: sched_waking: comm=x pid=9\n"
		"<...>-33 [000] ..... 1.000002: task_rename: pid=33 oldcomm=a newcomm=foo "
		"oom_score_adj=0\n"
		"foo-33 [000] ..... 1.000003: sched_process_exec: filename=/foo pid=33 old_pid=33\n"
		"<idle>-0 [000] ..... 1.000004: sched_waking: comm=foo pid=33\n");

	cr_assert_eq(g_hash_table_size(r.info->tasks), 2);
	cr_assert_eq(g_hash_table_size(r.info->unknown), 0);
	cr_assert_eq(r.info->records, 5);
	run_free(&r);
}

/* CASE 26: nothing of interest, every line counted, no error. */
Test(ftrace, events_the_tool_could_not_parse)
{
	struct run r = run_text("cpus=1\n"
				"a-1 [000] 1.000000: f2fs_truncate_partial_nodes: [FAILED TO "
				"PARSE] dev=1 ino=2 nid=ARRAY[1, 2] depth=1 err=0\n"
				"a-1 [000] 1.000001: my_event: [FAILED TO PARSE] x=1\n"
				"a-1 [000] 1.000002: f2fs_iget: [FAILED TO PARSE] something=1\n");

	cr_assert_eq(r.ops->len, 0);
	cr_assert_eq(r.info->records, 3);
	cr_assert_eq(count_of(r.info->events, "my_event"), 1);
	cr_assert_eq(count_of(r.info->unknown, "my_event"), 1);
	cr_assert_eq(g_hash_table_size(r.info->unknown), 1);
	cr_assert_eq(r.info->broken, 1); /* f2fs_iget, which would have been of use */
	cr_assert_eq(count_warnings(&r, "fields of f2fs_iget"), 1);
	cr_assert_eq(count_warnings(&r, "2 events that trace-cmd failed to parse"), 1);
	run_free(&r);
}

Test(ftrace, header_admits_overwritten_events)
{
	struct run r =
		run_text("# tracer: nop\n#\n# entries-in-buffer/entries-written: 1/206   #P:8\n#\n"
			 "a-1 [000] ..... 1.000000: e: b\n");

	cr_assert_eq(r.info->lost, 205);
	cr_assert_eq(r.info->records, 1);
	run_free(&r);
}

Test(ftrace, crlf_and_missing_newline)
{
	struct run r =
		run_text("# tracer: nop\r\n\r\na-1 [000] ..... 1.000000: sys_fsync(fd: 3)\r\n"
			 "a-1 [000] ..... 1.000001: sys_fsync -> 0x0");

	cr_assert_eq(r.info->records, 2);
	cr_assert_eq(r.ops->len, 1);
	cr_assert_eq(op_at(&r, 0)->done_ns, 1000001000);
	cr_assert_eq(r.info->broken, 0);
	run_free(&r);
}

Test(ftrace, broken_line_in_the_middle_is_an_error)
{
	g_autofree char *message = run_fails("# tracer: nop\n"
					     "a-1 [000] ..... 1.000000: e: b\n"
					     "a-1 [000] ..... 1.0000\n"
					     "a-1 [000] ..... 1.000001: e: b\n");

	cr_assert(strstr(message, "bad.txt"), "%s", message);
	cr_assert(strstr(message, "line 3"), "%s", message);
	cr_assert(!strchr(message, '\n'));
}

Test(ftrace, cut_tail_is_counted)
{
	struct run r = run_text("# tracer: nop\n"
				"a-1 [000] ..... 1.000000: e: b\n"
				"a-1 [000] ..... 1.0000");

	cr_assert_eq(r.info->records, 1);
	cr_assert_eq(r.info->broken, 1);
	cr_assert(r.info->truncated);
	run_free(&r);
}

/* CASE 50: another format under our name is an error in its first record. */
Test(ftrace, other_formats_are_refused)
{
	g_autofree char *iolog = run_fails("fio version 2 iolog\n");
	g_autofree char *blkparse = run_fails(
		"  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]\n");

	cr_assert(strstr(iolog, "line 1"), "%s", iolog);
	cr_assert(strstr(blkparse, "line 1"), "%s", blkparse);
}

/* A second capture behind the first: nothing goes on, time steps back. */
Test(ftrace, concatenated_captures)
{
	struct run r = run_text("# tracer: nop\n"
				"a-1 [000] ..... 9.000000: sys_fsync(fd: 3)\n"
				"# tracer: nop\n"
				"a-1 [000] ..... 1.000000: sys_fsync -> 0x0\n");

	cr_assert_eq(r.info->unpaired, 2);
	cr_assert_eq(r.info->skewed, 1);
	cr_assert_eq(op_at(&r, 0)->done_ns, OP_NO_TIME);
	run_free(&r);
}

Test(ftrace, systrace_page)
{
	struct run r = run_text("<!DOCTYPE html>\n<html>\n<script>\nfunction x() {\n}\n</script>\n"
				"<script class=\"trace-data\" type=\"application/text\">\n"
				"USER PID PPID\nroot 1 0\n</script>\n"
				"  <script class=\"trace-data\" type=\"application/text\">\n"
				"# tracer: nop\n"
				"     a-1     (    1) [000] ...1 1.000000: sys_fsync(fd: 3)\n"
				"     a-1     (-----) [000] ...1 1.000001: sys_fsync -> 0x0\n"
				"  </script>\n</body>\nnot a line: at all\n</html>\n");

	cr_assert_str_eq(r.info->format, "ftrace");
	cr_assert_eq(r.info->records, 2);
	cr_assert_eq(r.ops->len, 1);
	cr_assert_eq(op_at(&r, 0)->done_ns, 1000001000);
	run_free(&r);
}

Test(ftrace, perf_script)
{
	struct run r =
		run_text("# ========\n# captured on    : Mon\n# ========\n#\n"
			 "dd  1234 [001]  100.000001: syscalls:sys_enter_write: fd: 0x00000001, "
			 "buf: 0x7f0000001000, count: 0x00001000\n"
			 "            7f12a8d1e290 __write+0x10 (/usr/lib/libc.so.6)\n"
			 "            55d0c0de1234 [unknown] (/usr/bin/dd)\n"
			 "\n"
			 "dd  1234 [001]  100.000002: f2fs:f2fs_datawrite_start: entry_name /a, b, "
			 "offset 4096, bytes 4096, cmdline dd, pid 1234, i_size 8192, ino 77\n"
			 "dd  1234 [001]  100.000009: syscalls:sys_exit_write: 0x1000\n");

	cr_assert_str_eq(r.info->format, "perf");
	cr_assert_eq(r.info->records, 3);
	cr_assert_eq(count_of(r.info->events, "sys_enter_write"), 1);
	cr_assert_eq(count_of(r.info->events, "f2fs_datawrite_start"), 1);
	cr_assert_eq(r.ops->len, 2);
	cr_assert_eq(op_at(&r, 0)->kind, OP_WRITE);
	cr_assert_eq(op_at(&r, 0)->ino, 77);
	cr_assert_eq(op_at(&r, 0)->pos, 4096);
	cr_assert_eq(op_at(&r, 0)->result, 4096);
	cr_assert_eq(op_at(&r, 0)->flags, 0);
	cr_assert_eq(op_at(&r, 1)->kind, OBS_SIZE);
	run_free(&r);
}

/* Endless new names do not grow memory without end, and none is lost from the sum. */
Test(ftrace, many_names)
{
	g_autoptr(GString) s = g_string_new(NULL);
	GHashTableIter iter;
	gpointer count;
	uint64_t sum = 0;

	for (int i = 0; i < 20000; i++)
		g_string_append_printf(s, "a-1 [000] ..... 1.000000: func_%d: b\n", i);
	struct run r = run_text(s->str);

	g_hash_table_iter_init(&iter, r.info->events);
	while (g_hash_table_iter_next(&iter, NULL, &count))
		sum += *(uint64_t *)count;
	cr_assert_eq(sum, 20000);
	cr_assert_lt(g_hash_table_size(r.info->events), 20000);
	run_free(&r);
}

/* A packed capture cut short: what came out is delivered, the fragment at its end is not read. */
Test(ftrace, truncated_archive)
{
	g_autoptr(GString) s = g_string_new("# tracer: nop\n");
	g_autofree char *out = NULL;
	g_autofree char *packed = NULL;
	gsize n;

	for (int i = 0; i < 20000; i++)
		g_string_append_printf(s,
				       "a-1 [000] ..... %d.000000: writeback_dirty_folio: bdi 8:0: "
				       "ino=%d index=%d\n",
				       i, i * 7919, i * 104729);
	g_autofree char *command = g_strdup_printf("gzip -k %s", test_text("cut.txt", s->str));
	cr_assert(g_spawn_command_line_sync(command, &out, NULL, NULL, NULL));
	g_autofree char *path = g_strdup_printf("%s.gz", test_text("cut.txt", s->str));
	cr_assert(g_file_get_contents(path, &packed, &n, NULL));
	struct run r = run_path(test_file("cut.gz", packed, n / 2), OP_CLASS_ALL);

	cr_assert(r.info->truncated);
	cr_assert_gt(r.info->records, 0);
	cr_assert_lt(r.info->records, 20000);
	cr_assert_leq(r.info->broken, 1);
	cr_assert_eq(r.ops->len, r.info->records);
	for (unsigned int i = 0; i < r.ops->len; i++) {
		cr_assert_eq(op_at(&r, i)->ino, i * 7919u);
		cr_assert_eq(op_at(&r, i)->pos, INT64_C(4096) * (i * 104729u));
	}
	run_free(&r);
}

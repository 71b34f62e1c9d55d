/*
 * tests/test_cli_emit_format.c - is it what a kernel writes?  Text line by line against the lines
 * of real captures, with the values taken out; blktrace through Debian's blkparse and btt.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "tests/emitted.h"

/* The shape of up to @max lines of each event: what is a value becomes a word that says so. */
#define SHAPES(max)                                                                                \
	"awk '!/^#/ && match($0, /[0-9]+\\.[0-9]+: [a-z0-9_]+/) {"                                 \
	" s = substr($0, RSTART + RLENGTH); n = substr($0, RSTART, RLENGTH); sub(/.* /, \"\", n);" \
	" if (++seen[n, s ~ /->/] > " max ") next;"                                                \
	" if (n ~ /^sys_/) { gsub(/: (0x)?[0-9a-f]+/, \": N\", s) }" /* 0x: 6.18 */                \
	" if (n ~ /^mm_filemap/) sub(/ino[ =][0-9a-f]+/, \"ino=N\", s);"                           \
	" sub(/isolate_mode=[0-9] /, \"\", s);" /* of 6.1; gone in 6.12 */                         \
	" sub(/entry_name .*, offset /, \"entry_name P, offset \", s);"                            \
	" sub(/cmdline .*, pid /, \"cmdline C, pid \", s); sub(/name:[^,]*,/, \"name:F,\", s);"    \
	" sub(/state=[^ ]*/, \"state=S\", s); sub(/reason=[a-z_]*/, \"reason=R\", s);"             \
	" sub(/gfp_flags=.*/, \"gfp_flags=G\", s); sub(/flags=RECLAIM.*/, \"flags=R\", s);"        \
	" sub(/lru=[a-z_]*/, \"lru=L\", s); sub(/type = [A-Z]+_[A-Z]+/, \"type = T\", s);"         \
	" sub(/rw = [A-Z]+\\([A-Z|]*\\)/, \"rw = O\", s);"                                         \
	" if (n ~ /^block/) { sub(/\\[[^0][^]]*\\]/, \"[C]\", s); sub(/ [A-Z]+ /, \" RWBS \", s) " \
	"}"                                                                                        \
	" gsub(/0x[0-9a-f]+/, \"N\", s); gsub(/-?[0-9]+/, \"N\", s); print n s }' | sort -u"

/* Events that no capture has, from the kernel's formats as KERNEL 7 gives them. */
static const char *const not_captured[] = {
	"mm_vmscan_direct_reclaim_begin: order=N gfp_flags=G", /* 7.3 */
	"mm_vmscan_direct_reclaim_end: nr_reclaimed=N",	       /* 7.3 */
	"mm_vmscan_lru_shrink_active: nid=N nr_taken=N nr_active=N nr_deactivated=N "
	"nr_referenced=N priority=N flags=R",	    /* 7.3 */
	"block_plug: [C]",			    /* 7.5 */
	"block_bio_frontmerge: N,N RWBS N + N [C]", /* 7.5 */
	"f2fs_direct_IO_enter: dev = (N,N), ino = N pos = N len = N ki_flags = N ki_ioprio = N "
	"rw = N",								    /* 7.1 */
	"f2fs_direct_IO_exit: dev = (N,N), ino = N pos = N len = N rw = N ret = N", /* 7.1 */
	"sys_fdatasync(fd: N)",
	"sys_fdatasync -> N",
	"sys_pwrite64(fd: N, buf: N, count: N, pos: N)", /* as pread64 is in the captures */
	"sys_pwrite64 -> N",
};

static GHashTable *set_of(const char *lines)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) words = g_strsplit(lines, "\n", -1);

	for (char **line = words; *line; line++)
		if (**line)
			g_hash_table_add(set, g_strdup(*line));
	return set;
}

/* All shapes of the captures, 6.1 and 6.18. */
static GHashTable *captured_shapes(void)
{
	static const char *const names[] = {
		"dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz",
		"dontcache/trace_ext4_read_normal_64k.trace.txt.xz",
		"ftrace/seqwrite.trace.txt.xz",
		"ftrace/seqread.trace.txt.xz",
		"ftrace/createstat.trace.txt.xz",
		"pressure_ftrace/memcg16m.trace.txt.xz",
		"pressure_ftrace/kswapd.trace.txt.xz",
	};
	g_autoptr(GString) script = g_string_new("xz -dc");

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++)
		g_string_append_printf(script, " %s", test_capture(names[i]));
	g_string_append(script, " | " SHAPES("300"));
	g_autofree char *lines = script_in(".", script->str);
	GHashTable *set = set_of(lines);

	for (unsigned int i = 0; i < G_N_ELEMENTS(not_captured); i++)
		g_hash_table_add(set, g_strdup(not_captured[i]));
	return set;
}

/* Every shape that @folder has is a kernel's; at least the events @named are there. */
static void check_shapes(const char *folder, const char *const *named)
{
	g_autoptr(GHashTable) known = captured_shapes();
	g_autofree char *lines = script_in(folder, "cat trace.ftrace | " SHAPES("1e9"));
	g_autoptr(GHashTable) mine = set_of(lines);
	GHashTableIter iter;
	gpointer shape;

	g_hash_table_iter_init(&iter, mine);
	while (g_hash_table_iter_next(&iter, &shape, NULL))
		cr_expect(g_hash_table_contains(known, shape), "no kernel writes: %s",
			  (const char *)shape);
	for (; *named; named++)
		cr_expect_not_null(strstr(lines, *named), "no %s", *named);
}

Test(cli_emit_format, writes_and_reads_under_pressure)
{
	const char *job = test_text("p.fio", "[global]\nbs=64k\nsize=96m\n[w]\nrw=write\n"
					     "end_fsync=1\n[r]\nrw=randread\nbs=4k\nsize=8m\n");
	g_autofree char *args = g_strdup_printf(
		"run %s --set host.memory=48MiB --variant configs/devices/ufs21.ini", job);
	static const char *const named[] = {"sys_openat(",
					    "f2fs_new_inode: ",
					    "f2fs_datawrite_start: ",
					    "f2fs_write_begin: ",
					    "f2fs_file_write_iter: ",
					    "f2fs_sync_file_enter: ",
					    "f2fs_issue_flush: ",
					    "f2fs_readpages: ",
					    "f2fs_map_blocks: ",
					    "f2fs_writepages: ",
					    "f2fs_submit_page_write: ",
					    "mm_filemap_add_to_page_cache: ",
					    "mm_filemap_delete_from_page_cache: ",
					    "mm_filemap_get_pages: ",
					    "writeback_dirty_folio: ",
					    "writeback_start: ",
					    "writeback_written: ",
					    "writeback_queue_io: ",
					    "writeback_single_inode_start: ",
					    "writeback_single_inode: ",
					    "writeback_wake_background: ",
					    "global_dirty_state: ",
					    "balance_dirty_pages: ",
					    "bdi_dirty_ratelimit: ",
					    "mm_vmscan_kswapd_wake: ",
					    "mm_vmscan_kswapd_sleep: ",
					    "mm_vmscan_wakeup_kswapd: ",
					    "mm_vmscan_lru_isolate: ",
					    "mm_vmscan_lru_shrink_inactive: ",
					    "block_bio_queue: ",
					    "block_split: ",
					    "block_getrq: ",
					    "block_rq_issue: ",
					    "block_rq_complete: ",
					    NULL};

	check_shapes(emitted(args), named);
}

Test(cli_emit_format, a_memory_cgroup_and_dontcache)
{
	const char *capture = test_capture("pressure_ftrace/memcg16m.trace.txt.xz");
	g_autofree char *args = g_strdup_printf("replay %s --set memcg.max=16MiB", capture);
	static const char *const named[] = {
		"mm_vmscan_memcg_reclaim_begin: ", "mm_vmscan_memcg_reclaim_end: ", NULL};

	check_shapes(emitted(args), named);
	g_autofree char *dontcache = g_strdup_printf(
		"replay %s --variant configs/kernels/6.12-phone.ini --set workload.force=dontcache",
		capture);
	static const char *const flagged[] = {"sys_pwritev2(", "f2fs_writepages: ", NULL};

	check_shapes(emitted(dontcache), flagged);
}

Test(cli_emit_format, direct)
{
	const char *job = test_text("d.fio", "[w]\ndirect=1\nbs=8k\nsize=1m\nrw=randwrite\n"
					     "fdatasync=8\n");
	g_autofree char *args = g_strdup_printf("run %s", job);
	static const char *const named[] = {"f2fs_direct_IO_enter: ", "sys_fdatasync(", NULL};

	check_shapes(emitted(args), named);
}

/* Reclaim as the counters have it: sums over the events (captures/README.md does the same). */
Test(cli_emit_format, reclaim_adds_up)
{
	const char *job = test_text("p.fio", "[w]\nbs=64k\nsize=96m\nrw=write\nend_fsync=1\n");
	static const char *const lru[] = {"classic", "mglru"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(lru); i++) {
		g_autofree char *args = g_strdup_printf(
			"run %s --set memcg.max=16MiB --set vmscan.lru=%s", job, lru[i]);
		const char *folder = emitted(args);
		g_autofree char *sums = script_in(
			folder, "sed -n 's/.*_shrink_inactive: .*nr_scanned=\\([0-9]*\\) "
				"nr_reclaimed=\\([0-9]*\\) .*/\\1 \\2/p' trace.ftrace |"
				" awk '{ a += $1; b += $2 } END { printf \"%d %d\", a, b }'");
		g_autofree char *counted = script_in(
			folder, "awk -F'[:,]' '/\"pgscan_direct\"/ { a += $2 } /\"pgsteal_direct\"/"
				" { b += $2 } END { printf \"%d %d\", a, b }' results.json");
		g_autofree char *deleted =
			script_in(folder, "grep -c mm_filemap_delete_from_page_cache trace.ftrace");

		cr_assert_str_eq(sums, counted);
		cr_assert_gt(atoi(sums), 16384);
		cr_assert_eq(atoi(strchr(sums, ' ')), atoi(deleted));
	}
}

/* The header's number of events is that of the lines; a byte order of time holds. */
Test(cli_emit_format, the_header_tells_the_truth)
{
	const char *capture = test_capture("ftrace/randread.trace.txt.xz");
	g_autofree char *args = g_strdup_printf("replay %s", capture);
	g_autofree char *out = script_in(
		emitted(args),
		"head -n 1 trace.ftrace;"
		"awk -F'[ /:]+' '/entries-in-buffer/ { a = $4; b = $5 } !/^#/ { n++ } "
		"END { print a - n, b - n }' trace.ftrace;"
		"grep -v '^#' trace.ftrace | awk 'match($0, /[0-9]+\\.[0-9]+: /) {"
		" t = substr($0, RSTART, RLENGTH - 2) + 0; if (t < last) back++; last = t }"
		" END { print back + 0 }'");

	cr_assert_str_eq(out, "# tracer: nop\n0 0\n0\n");
}

/* blkparse and btt; skipped by name where they are not installed (.ci/deps installs them). */
static void need_blktrace(void)
{
	g_autofree char *blkparse = g_find_program_in_path("blkparse");
	g_autofree char *btt = g_find_program_in_path("btt");

	if (!blkparse || !btt)
		cr_skip_test("blkparse and btt are not installed");
}

/* What the tools say of @folder: no complaint, no gap, all that f2sim counted. */
static void check_tools(const char *folder)
{
	g_autofree char *parsed = script_in(
		folder, "blkparse -q -i nvme0n1 -d dump.bin -f '%a %s %S %N\\n' >p.txt;"
			"blkparse -i nvme0n1 -o all.txt >added.txt; btt -i dump.bin >btt.txt;"
			"grep -ciE 'bad |unmatched|unhandled|lost' all.txt btt.txt; true");
	g_autofree char *skips = script_in(folder, "blkparse -i nvme0n1 | grep '^Skips'");
	g_autofree char *done =
		script_in(folder, "awk '$1 == \"C\" { n += $4 } END { print n+0 }' p.txt");
	g_autofree char *gaps =
		script_in(folder, "blkparse -q -i nvme0n1 -f '%c %s\\n' | awk '$1 ~ /^[0-9]+$/ {"
				  " if ($2 != ++n[$1]) bad++ } END { print bad + 0 }'");
	struct run r = {.ops = NULL};
	g_autofree char *base = g_build_filename(folder, "nvme0n1", NULL);
	int64_t bytes = 0;

	cr_assert_str_eq(parsed, "all.txt:0\nbtt.txt:0\n");
	cr_assert(g_str_has_prefix(skips, "Skips: 0 forward"), "%s", skips);
	cr_assert_str_eq(gaps, "0\n", "sequence numbers of a CPU have no gap");
	r = run_cpus(base, OP_CLASS_BLOCK);
	drop_idle_ops(r.ops, OP_CLASS_BLOCK);
	for (guint i = 0; i < r.ops->len; i++)
		bytes += op_at(&r, i)->len;
	cr_assert_gt(bytes, 0);
	cr_assert_eq(g_ascii_strtoll(done, NULL, 10), bytes, "blkparse completed %s bytes", done);
	run_free(&r);
}

Test(cli_emit_format, blkparse_reads_a_write)
{
	need_blktrace();
	g_autofree char *args =
		g_strdup_printf("replay %s", test_capture("ftrace/seqwrite.trace.txt.xz"));

	check_tools(emitted(args));
}

Test(cli_emit_format, blkparse_reads_mixed_jobs)
{
	need_blktrace();
	const char *job = test_text("m.fio", "[global]\nbs=16k\nsize=32m\n[w]\nrw=write\n"
					     "end_fsync=1\n[r]\nrw=randread\nnumjobs=2\n[t]\n"
					     "direct=1\nrw=randwrite\nfsync=32\n");
	g_autofree char *args = g_strdup_printf("run %s --set host.memory=48MiB", job);

	check_tools(emitted(args));
}

/* The same names of tasks in both; the disk's name opens all CPUs' files. */
Test(cli_emit_format, processes_are_noted)
{
	need_blktrace();
	const char *job = test_text("n.fio", "[wri]\nbs=64k\nsize=4m\nrw=write\nend_fsync=1\n");
	g_autofree char *args = g_strdup_printf("run %s", job);
	g_autofree char *names =
		script_in(emitted(args), "blkparse -q -i nvme0n1 -f '%a %C\\n' | sort -u");

	cr_assert_not_null(strstr(names, "Q wri/0\n"), "%s", names);
}

/*
 * tests/test_ftrace_bind.c - which inode and offset a system call is given (traces/ftrace_bind.c,
 * ftrace_call.c, ftrace_proof.c).  Each case is one hand-made capture.
 */
#include <criterion/criterion.h>
#include <errno.h>

#include "tests/ftrace_support.h"

/* Lengths are hexadecimal, the offset follows the results, lseek moves it. */
Test(ftrace_bind, offset_is_tracked_from_open)
{
	struct run r = run_bodies(OPEN("0", "20") READ("1000", "0x1000") READ(
		"1000", "0x800") "sys_lseek(fd: 3, offset: 10000, whence: 0)\nsys_lseek -> "
				 "0x10000\n" READ("10", "0x10") READ("10", "0x0")
					  READ("10", "0xfffffffffffffffb") READ("10", "0x10"));

	cr_assert_eq(r.ops->len, 7);
	check_op(op_at(&r, 0), OP_OPEN, 20, 0, 0, 0);
	check_op(op_at(&r, 1), OP_READ, 20, 0, 0x1000, 0);
	check_op(op_at(&r, 2), OP_READ, 20, 0x1000, 0x1000, 0);
	cr_assert_eq(op_at(&r, 2)->result, 0x800);
	check_op(op_at(&r, 3), OP_READ, 20, 0x10000, 0x10, 0);
	check_op(op_at(&r, 4), OP_READ, 20, 0x10010, 0x10, 0);
	check_op(op_at(&r, 5), OP_READ, 20, 0x10010, 0x10, 0);
	cr_assert_eq(op_at(&r, 5)->result, -EIO);
	check_op(op_at(&r, 6), OP_READ, 20, 0x10010, 0x10, 0);
	cr_assert_eq(op_at(&r, 1)->dev, DEVNO(8, 1));
	cr_assert_eq(r.info->unbound, 0);
	run_free(&r);
}

/* A descriptor open before the capture: inode and offset come from the event, then are tracked. */
Test(ftrace_bind, event_shows_inode_and_offset)
{
	struct run r = run_bodies("sys_read(fd: 3, buf: 0, count: 1000)\n"
				  "f2fs_dataread_start: entry_name /x, offset 5, ino 6, y, offset "
				  "8192, bytes 4096, cmdline a, pid 7, i_size 99999, ino 20\n"
				  "f2fs_dataread_end: ino 20, offset 8192, bytes 4096\n"
				  "sys_read -> 0x1000\n" READ("1000", "0x1000"));

	cr_assert_eq(r.ops->len, 2);
	check_op(op_at(&r, 0), OP_READ, 20, 8192, 4096, 0);
	check_op(op_at(&r, 1), OP_READ, 20, 12288, 4096, 0);
	run_free(&r);
}

/* The event wins over an offset that was tracked wrongly (another process shares the file). */
Test(ftrace_bind, event_corrects_the_offset)
{
	struct run r =
		run_bodies(OPEN("1", "20") "sys_write(fd: 3, buf: 0, count: 1000)\n"
					   "f2fs_datawrite_start: entry_name /x, offset 4096, "
					   "bytes 4096, cmdline a, pid 7, i_size 4096, ino 20\n"
					   "sys_write -> 0x1000\n" WRITE("10", "0x10"));

	check_op(op_at(&r, 1), OP_WRITE, 20, 4096, 4096, 0);
	check_op(op_at(&r, 2), OP_WRITE, 20, 8192, 16, 0);
	run_free(&r);
}

/* Unknown stays unknown: no event, no open. */
Test(ftrace_bind, nothing_is_guessed)
{
	struct run r = run_bodies(
		READ("1000", "0x1000") "sys_pread64(fd: 3, buf: 0, count: 10, pos: 20)\n"
				       "sys_pread64 -> 0x10\nsys_fsync(fd: 3)\nsys_fsync -> 0x0\n"
				       "sys_close(fd: 3)\nsys_close -> 0x0\n");

	cr_assert_eq(r.info->unbound, 4);
	check_op(op_at(&r, 0), OP_READ, 0, 0, 0x1000, OP_UNBOUND);
	check_op(op_at(&r, 1), OP_READ, 0, 0x20, 0x10, OP_UNBOUND);
	cr_assert_eq(r.info->drives, 0);
	run_free(&r);
}

/* An inode without an offset is not enough for read(). */
Test(ftrace_bind, inode_without_offset_is_unbound)
{
	struct run r =
		run_bodies("sys_read(fd: 3, buf: 0, count: 1000)\n"
			   "mm_filemap_add_to_page_cache: dev 8:1 ino 14 pfn=0x1 ofs=0 order=0\n"
			   "sys_read -> 0x1000\n");

	check_op(op_at(&r, 0), OP_READ, 20, 0, 0x1000, OP_UNBOUND);
	run_free(&r);
}

/* Node, meta and directory pages are in the way and never bind; the page of the call does. */
Test(ftrace_bind, pages_of_other_inodes)
{
	struct run r = run_bodies(
		"f2fs_lookup_start: dev = (8,1), pino = 5, name:b, flags:0\n"
		"sys_pread64(fd: 3, buf: 0, count: 1000, pos: 5000)\n"
		"mm_filemap_add_to_page_cache: dev 8:1 ino 1 pfn=0x1 ofs=20480 order=0\n"
		"mm_filemap_add_to_page_cache: dev 8:1 ino 2 pfn=0x1 ofs=20480 order=0\n"
		"mm_filemap_add_to_page_cache: dev 8:1 ino 5 pfn=0x1 ofs=20480 order=0\n"
		"mm_filemap_add_to_page_cache: dev 8:1 ino 6 pfn=0x1 ofs=0 order=0\n"
		"mm_filemap_add_to_page_cache: dev 8:1 ino 14 pfn=0x1 ofs=20480 order=0\n"
		"sys_pread64 -> 0x1000\n");

	check_op(op_at(&r, 0), OP_READ, 20, 0x5000, 0x1000, 0);
	run_free(&r);
}

/* Two inodes with the same claim: neither. */
Test(ftrace_bind, equal_proofs_cancel)
{
	struct run r =
		run_bodies("sys_pread64(fd: 3, buf: 0, count: 1000, pos: 0)\n"
			   "mm_filemap_add_to_page_cache: dev 8:1 ino 6 pfn=0x1 ofs=0 order=0\n"
			   "mm_filemap_add_to_page_cache: dev 8:1 ino 14 pfn=0x1 ofs=0 order=0\n"
			   "sys_pread64 -> 0x1000\n");

	check_op(op_at(&r, 0), OP_READ, 0, 0, 0x1000, OP_UNBOUND);
	run_free(&r);
}

/* mark_inode_dirty alone is taken, a stronger event later replaces it, "(unknown)" never counts. */
Test(ftrace_bind, weak_proof_gives_way)
{
	struct run r = run_bodies(
		"sys_pwrite64(fd: 3, buf: 0, count: 10, pos: 0)\n"
		"writeback_mark_inode_dirty: bdi (unknown): ino=9 state= flags=I_DIRTY_SYNC\n"
		"sys_pwrite64 -> 0x10\n"
		"sys_pwrite64(fd: 3, buf: 0, count: 10, pos: 0)\n"
		"writeback_mark_inode_dirty: bdi 8:1: ino=6 state= flags=I_DIRTY_SYNC\n"
		"sys_pwrite64 -> 0x10\n"
		"sys_pwrite64(fd: 4, buf: 0, count: 10, pos: 0)\n"
		"writeback_mark_inode_dirty: bdi 8:1: ino=6 state= flags=I_DIRTY_SYNC\n"
		"writeback_dirty_folio: bdi 8:1: ino=20 index=0\n"
		"sys_pwrite64 -> 0x10\n"
		"sys_pwrite64(fd: 3, buf: 0, count: 10, pos: 0)\n"
		"writeback_dirty_folio: bdi 8:1: ino=20 index=0\n"
		"sys_pwrite64 -> 0x10\n");

	for (unsigned int i = 0; i < 4; i++) /* all still held when the last event came */
		check_op(op_at(&r, i), OP_WRITE, 20, 0, 16, 0);
	run_free(&r);
}

/* What has left the window cannot be bound any more. */
Test(ftrace_bind, late_proof_binds_held_ops_only)
{
	g_autoptr(GString) s = g_string_new(NULL);

	for (int i = 0; i < 3000; i++)
		g_string_append(
			s, "sys_pread64(fd: 3, buf: 0, count: 10, pos: 0)\nsys_pread64 -> 0x10\n");
	g_string_append(s, "sys_fsync(fd: 3)\n"
			   "f2fs_sync_file_enter: dev = (8,1), ino = 20, pino = 3, i_mode = "
			   "0x81a4, i_size = 1, i_nlink = 1, i_blocks = 1, i_advise = 0x0\n"
			   "sys_fsync -> 0x0\n");
	struct run r = run_bodies(s->str);

	cr_assert_eq(r.ops->len, 3001);
	cr_assert_eq(r.info->unbound, 3000 - 1023); /* HOLD_SORT are held, the fsync is one */
	cr_assert_eq(op_at(&r, 0)->ino, 0);
	cr_assert_eq(op_at(&r, 2999)->ino, 20);
	run_free(&r);
}

Test(ftrace_bind, close_and_reuse)
{
	struct run r = run_bodies(OPEN(
		"0",
		"20") "sys_close(fd: 3)\nsys_close -> 0x0\n"
		      "sys_pread64(fd: 3, buf: 0, count: 10, pos: 0)\nsys_pread64 -> 0x10\n" OPEN(
			      "0", "21") READ("10", "0x10"));

	check_op(op_at(&r, 1), OP_CLOSE, 20, 0, 0, 0);
	check_op(op_at(&r, 2), OP_READ, 0, 0, 16, OP_UNBOUND);
	check_op(op_at(&r, 4), OP_READ, 21, 0, 16, 0);
	run_free(&r);
}

/* A path of several parts: the last one looked up is the file, directories are not. */
Test(ftrace_bind, open_by_path)
{
	struct run r =
		run_bodies("sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 0, mode: 0)\n"
			   "f2fs_lookup_start: dev = (8,1), pino = 3, name:d, flags:0\n"
			   "f2fs_iget: dev = (8,1), ino = 38, pino = 3, i_mode = 0x41ed, i_size = "
			   "3488, i_nlink = 2, i_blocks = 0, i_advise = 0x0\n"
			   "f2fs_lookup_end: dev = (8,1), pino = 3, name:d, ino:38, err:-2\n"
			   "f2fs_lookup_start: dev = (8,1), pino = 38, name:f, flags:0\n"
			   "f2fs_lookup_end: dev = (8,1), pino = 38, name:f, ino:20, err:-2\n"
			   "sys_openat -> 0x3\n"
			   "sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 0, mode: 0)\n"
			   "f2fs_iget: dev = (8,1), ino = 21, pino = 3, i_mode = 0x81a4, i_size = "
			   "1, i_nlink = 1, i_blocks = 0, i_advise = 0x0\n"
			   "sys_openat -> 0x4\n"
			   "sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 0, mode: 0)\n"
			   "f2fs_iget: dev = (8,1), ino = 22, pino = 3, i_mode = 0x41ed, i_size = "
			   "1, i_nlink = 1, i_blocks = 0, i_advise = 0x0\n"
			   "sys_openat -> 0x5\n");

	check_op(op_at(&r, 0), OP_OPEN, 20, 0, 0, 0);
	check_op(op_at(&r, 1), OP_OPEN, 21, 0, 0, 0);
	check_op(op_at(&r, 2), OP_OPEN, 0, 0, 0, OP_UNBOUND);
	run_free(&r);
}

/* Threads of one group share descriptors; where the column is missing they do not. */
Test(ftrace_bind, threads)
{
	static const char with[] =
		"a-7 (    7) [000] ..... 1.000000: sys_openat(dfd: ffffff9c, filename: 1, flags: "
		"0, mode: 0)\n"
		"a-7 (    7) [000] ..... 1.000001: f2fs_lookup_end: dev = (8,1), pino = 3, name:a, "
		"ino:20, err:-2\n"
		"a-7 (    7) [000] ..... 1.000002: sys_openat -> 0x3\n"
		"b-8 (    7) [001] ..... 1.000003: sys_read(fd: 3, buf: 0, count: 10)\n"
		"b-8 (-----) [001] ..... 1.000004: sys_read -> 0x10\n"
		"b-8 (-----) [001] ..... 1.000005: sys_read(fd: 3, buf: 0, count: 10)\n"
		"b-8 (-----) [001] ..... 1.000006: sys_read -> 0x10\n"
		"c-9 (-----) [001] ..... 1.000007: sys_read(fd: 3, buf: 0, count: 10)\n"
		"c-9 (-----) [001] ..... 1.000008: sys_read -> 0x10\n";
	struct run r = run_want("threads.txt", with, OP_CLASS_FILE);

	check_op(op_at(&r, 1), OP_READ, 20, 0, 16, 0);
	check_op(op_at(&r, 2), OP_READ, 20, 16, 16, 0); /* the tgid was told before */
	check_op(op_at(&r, 3), OP_READ, 0, 0, 16, OP_UNBOUND);
	run_free(&r);
}

/* Events of another task, or between two calls, prove nothing. */
Test(ftrace_bind, only_events_inside_the_call)
{
	static const char text[] =
		"a-7 [000] ..... 1.000000: sys_pread64(fd: 3, buf: 0, count: 1000, pos: 0)\n"
		"b-8 [001] ..... 1.000001: mm_filemap_add_to_page_cache: dev 8:1 ino 14 pfn=0x1 "
		"ofs=0 order=0\n"
		"a-7 [000] ..... 1.000002: sys_pread64 -> 0x1000\n"
		"a-7 [000] ..... 1.000003: mm_filemap_add_to_page_cache: dev 8:1 ino 14 pfn=0x1 "
		"ofs=0 order=0\n";
	struct run r = run_want("inside.txt", text, OP_CLASS_FILE);

	cr_assert_eq(r.ops->len, 1);
	check_op(op_at(&r, 0), OP_READ, 0, 0, 4096, OP_UNBOUND);
	run_free(&r);
}

/* After a loss on its CPU a task's descriptors may lead elsewhere; another CPU's task keeps its. */
Test(ftrace_bind, loss_forgets_descriptors_of_its_cpu)
{
	static const char text[] = "a-7 [000] ..... 1.000000: sys_openat(dfd: ffffff9c, filename: "
				   "1, flags: 0, mode: 0)\n"
				   "a-7 [000] ..... 1.000001: f2fs_lookup_end: dev = (8,1), pino = "
				   "3, name:a, ino:20, err:-2\n"
				   "a-7 [000] ..... 1.000002: sys_openat -> 0x3\n"
				   "b-8 [001] ..... 1.000003: sys_openat(dfd: ffffff9c, filename: "
				   "1, flags: 0, mode: 0)\n"
				   "b-8 [001] ..... 1.000004: f2fs_lookup_end: dev = (8,1), pino = "
				   "3, name:b, ino:21, err:-2\n"
				   "b-8 [001] ..... 1.000005: sys_openat -> 0x3\n"
				   "CPU:1 [LOST 5 EVENTS]\n"
				   "a-7 [000] ..... 1.000006: sys_read(fd: 3, buf: 0, count: 10)\n"
				   "a-7 [000] ..... 1.000007: sys_read -> 0x10\n"
				   "b-8 [001] ..... 1.000008: sys_read(fd: 3, buf: 0, count: 10)\n"
				   "b-8 [001] ..... 1.000009: sys_read -> 0x10\n";
	struct run r = run_want("loss.txt", text, OP_CLASS_FILE);

	check_op(op_at(&r, 2), OP_READ, 20, 0, 16, 0);
	check_op(op_at(&r, 3), OP_READ, 0, 0, 16, OP_UNBOUND);
	run_free(&r);
}

/* An exit whose entry was lost gives its descriptor to an unknown file. */
Test(ftrace_bind, orphan_exit_of_open)
{
	struct run r = run_bodies(OPEN("0", "20") "sys_openat -> 0x3\n" READ("10", "0x10"));

	cr_assert_eq(r.info->unpaired, 1);
	check_op(op_at(&r, 1), OP_READ, 0, 0, 16, OP_UNBOUND);
	run_free(&r);
}

/* mm_filemap_get_pages (6.12 on) is the file being read, whatever else is added meanwhile. */
Test(ftrace_bind, get_pages)
{
	struct run r =
		run_bodies("sys_pread64(fd: 3, buf: 0, count: 1000, pos: 2000)\n"
			   "mm_filemap_add_to_page_cache: dev 8:1 ino 9 pfn=0x1 ofs=8192 order=0\n"
			   "mm_filemap_get_pages: dev=8:1 ino=14 ofs=8192-12287\n"
			   "sys_pread64 -> 0x1000\n");

	check_op(op_at(&r, 0), OP_READ, 20, 8192, 4096, 0);
	run_free(&r);
}

/* unlink and truncate by path; an open whose name was cached shows itself by O_TRUNC only. */
Test(ftrace_bind, calls_on_paths)
{
#define TRUNCATE_EVENT                                                                             \
	"f2fs_truncate: dev = (8,1), ino = 20, pino = 3, i_mode = 0x81a4, i_size = 0, "            \
	"i_nlink = 1, i_blocks = 8, i_advise = 0x0\n"
	struct run r = run_bodies(
		"sys_unlink(pathname: 7ff0)\n"
		"f2fs_lookup_end: dev = (8,1), pino = 3, name:a, ino:20, err:-2\n"
		"sys_unlink -> 0x0\n"
		"sys_truncate(path: 7ff0, length: 1000)\n" TRUNCATE_EVENT "sys_truncate -> 0x0\n"
		"sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 201, mode: 0)\n" TRUNCATE_EVENT
		"sys_openat -> 0x3\n" WRITE("10", "0x10"));

	check_op(op_at(&r, 0), OP_UNLINK, 20, 0, 0, 0);
	check_op(op_at(&r, 1), OP_TRUNCATE, 20, 4096, 0, 0);
	check_op(op_at(&r, 2), OP_OPEN, 20, 0, 0, 0);
	check_op(op_at(&r, 3), OP_TRUNCATE, 20, 0, 0, 0);
	check_op(op_at(&r, 4), OP_WRITE, 20, 0, 16, 0);
	run_free(&r);
}

/* The pid of a process that ended may come back: with other files. */
Test(ftrace_bind, exit_group)
{
	struct run r = run_bodies(OPEN("0", "20") READ(
		"10", "0x10") "sys_exit_group(error_code: 0)\n" READ("10", "0x10"));

	check_op(op_at(&r, 1), OP_READ, 20, 0, 16, 0);
	check_op(op_at(&r, 2), OP_READ, 0, 0, 16, OP_UNBOUND);
	run_free(&r);
}

/*
 * tests/test_ftrace_call.c - flags, lengths and kinds of the ops that system calls become, and f2fs
 * events without system calls (traces/ftrace_call.c, ftrace_f2fs.c).
 */
#include <criterion/criterion.h>
#include <errno.h>

#include "tests/ftrace_support.h"

/* dup() shares the offset. */
Test(ftrace_call, dup)
{
	struct run r = run_bodies(
		OPEN("0", "20") "sys_dup(fildes: 3)\nsys_dup -> 0x4\n"
				"sys_read(fd: 4, buf: 0, count: 10)\nsys_read -> 0x10\n"
				"sys_dup2(oldfd: 4, newfd: b)\nsys_dup2 -> 0xb\n"
				"sys_close(fd: 3)\nsys_close -> 0x0\n"
				"sys_read(fd: b, buf: 0, count: 10)\nsys_read -> 0x10\n"
				"sys_fcntl(fd: b, cmd: 406, arg: 0)\nsys_fcntl -> 0x3\n" READ(
					"10", "0x10"));

	check_op(op_at(&r, 1), OP_READ, 20, 0, 16, 0);
	check_op(op_at(&r, 3), OP_READ, 20, 16, 16, 0);
	check_op(op_at(&r, 4), OP_READ, 20, 32, 16, 0);
	run_free(&r);
}

/* 0x241 = O_CREAT|O_TRUNC|O_WRONLY: of a new file nothing is cut, of an old one all. */
Test(ftrace_call, create_and_truncate)
{
	struct run r = run_bodies(
		"sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 241, mode: 1a4)\n"
		"f2fs_lookup_end: dev = (8,1), pino = 3, name:a, ino:4294967295, err:-2\n"
		"f2fs_new_inode: dev = (8,1), ino = 20, ret = 0\n"
		"sys_openat -> 0x3\n" OPEN(
			"241",
			"21") "sys_ftruncate(fd: 3, length: 1000)\nsys_ftruncate -> 0x0\n"
			      "sys_openat(dfd: ffffff9c, filename: 7ff0, flags: 241, mode: 1a4)\n"
			      "sys_openat -> 0xfffffffffffffffe\n");

	cr_assert_eq(r.ops->len, 5);
	check_op(op_at(&r, 0), OP_OPEN, 20, 0, 0, OP_CREATE);
	check_op(op_at(&r, 1), OP_OPEN, 21, 0, 0, 0);
	check_op(op_at(&r, 2), OP_TRUNCATE, 21, 0, 0, 0);
	check_op(op_at(&r, 3), OP_TRUNCATE, 21, 4096, 0, 0);
	check_op(op_at(&r, 4), OP_OPEN, 0, 0, 0, OP_UNBOUND);
	cr_assert_eq(op_at(&r, 4)->result, -ENOENT);
	run_free(&r);
}

/* O_APPEND (0x400): placed by the event, unbound without; O_DSYNC and O_DIRECT show on the ops. */
Test(ftrace_call, open_flags)
{
	struct run r = run_bodies(
		OPEN("401", "20") "sys_write(fd: 3, buf: 0, count: 10)\n"
				  "f2fs_datawrite_start: entry_name /x, offset 500, bytes 16, "
				  "cmdline a, pid 7, i_size 500, ino 20\n"
				  "sys_write -> 0x10\n" WRITE("10", "0x10") OPEN("1001", "21")
					  WRITE("10", "0x10") OPEN("4002", "22")
						  READ("1000", "0x1000") OPEN("10002", "23")
							  READ("1000", "0x1000"));

	check_op(op_at(&r, 0), OP_OPEN, 20, 0, 0, OP_APPEND);
	check_op(op_at(&r, 1), OP_WRITE, 20, 500, 16, OP_APPEND);
	check_op(op_at(&r, 2), OP_WRITE, 20, 0, 16, OP_APPEND | OP_UNBOUND);
	check_op(op_at(&r, 4), OP_WRITE, 21, 0, 16, OP_SYNC);
	check_op(op_at(&r, 6), OP_READ, 22, 0, 4096, OP_DIRECT);
	check_op(op_at(&r, 8), OP_READ, 23, 0, 4096, OP_DIRECT); /* the bit as ARM has it */
	run_free(&r);
}

/* Vectored calls: length from the exit; RWF_DONTCACHE 0x80, RWF_DSYNC 2; offset -1 is the file's.
 */
Test(ftrace_call, vectored)
{
	struct run r = run_bodies(OPEN(
		"2",
		"20") "sys_pwritev2(fd: 3, vec: 0x7ffe, vlen: 1, pos_l: 0x1000, pos_h: 0, flags: "
		      "0x82)\n"
		      "sys_pwritev2 -> 0x10000\n"
		      "sys_preadv2(fd: 3, vec: 0x7ffe, vlen: 1, pos_l: 0xffffffffffffffff, pos_h: "
		      "0xffffffff, flags: 0x80)\n"
		      "sys_preadv2 -> 0xffffffffffffffa1\n"
		      "sys_readv(fd: 3, vec: 7ffe, vlen: 1)\nsys_readv -> 0x30\n"
		      "sys_preadv(fd: 3, vec: 7ffe, vlen: 1, pos_l: 10, pos_h: 1)\nsys_preadv -> "
		      "0x20\n"
		      "sys_preadv2(fd: 3, vec: 0x7ffe, vlen: 1, pos_l: 0, pos_h: 0, flags: 0)\n");

	check_op(op_at(&r, 1), OP_WRITE, 20, 4096, 65536, OP_DONTCACHE | OP_SYNC);
	check_op(op_at(&r, 2), OP_READ, 20, 0, 0, OP_DONTCACHE);
	cr_assert_eq(op_at(&r, 2)->result, -EOPNOTSUPP);
	check_op(op_at(&r, 3), OP_READ, 20, 0, 0x30, 0);
	check_op(op_at(&r, 4), OP_READ, 20, INT64_C(0x100000010), 0x20, 0);
	check_op(op_at(&r, 5), OP_READ, 20, 0, 0, OP_UNBOUND); /* its length was never seen */
	cr_assert_eq(op_at(&r, 5)->done_ns, OP_NO_TIME);
	cr_assert_eq(r.info->unpaired, 1);
	run_free(&r);
}

/* Damaged numbers: a batch of 2^51 - 1 pages from page 116 on, an offset just below 2^63, a lseek
 * to its end.  Their sums with a length must not be formed.  A call
 * beyond the bounds of an op has no place. */
Test(ftrace_call, offsets_near_the_end_of_int64)
{
	struct run r = run_bodies(
		OPEN("2", "20") "sys_pread64(fd: 3, buf: 7ff0, count: 1000, pos: 100000)\n"
				"f2fs_readpages: dev = (8,1), ino = 14, start = 116 nrpage = "
				"2251799813685247\n"
				"sys_pread64 -> 0x1000\n"
				"sys_pwrite64(fd: 3, buf: 7ff0, count: 10, pos: 7ffffffffffff000)\n"
				"sys_pwrite64 -> 0x10\n"
				"sys_lseek(fd: 3, offset: 7fffffffffffffff, whence: 0)\n"
				"sys_lseek -> 0x7fffffffffffffff\n" READ("1000", "0x1000")
					READ("1000", "0x1000"));

	check_op(nth_of_kind(&r, OP_WRITE, 0), OP_WRITE, 20, 0, 16, OP_UNBOUND);
	cr_assert_eq(count_kind(&r, OP_READ), 3);
	check_op(nth_of_kind(&r, OP_READ, 2), OP_READ, 20, 0, 4096, OP_UNBOUND);
	for (guint i = 0; i < r.ops->len; i++)
		cr_assert(op_valid(op_at(&r, i), NULL));
	run_free(&r);
}

Test(ftrace_call, other_calls)
{
	struct run r = run_bodies(
		OPEN("2", "20") "sys_fadvise64(fd: 3, offset: 1000, len: 2000, advice: 4)\n"
				"sys_fadvise64 -> 0x0\nsys_fdatasync(fd: 3)\nsys_fdatasync -> 0x0\n"
				"sys_unlinkat(dfd: ffffff9c, pathname: 7ff0, flag: 0)\n"
				"f2fs_unlink_enter: dev = (8,1), dir ino = 3, i_size = 4096, "
				"i_blocks = 8, name = ino = 9\n"
				"f2fs_unlink_exit: dev = (8,1), ino = 21, ret = 0\n"
				"sys_unlinkat -> 0x0\n"
				"sys_sync_file_range(fd: 3, offset: 0, nbytes: 0, flags: 2)\n"
				"sys_sync_file_range -> 0x0\n");

	cr_assert_eq(r.ops->len, 4);
	check_op(op_at(&r, 1), OP_FADVISE, 20, 4096, 8192, 0);
	cr_assert_eq(op_at(&r, 1)->aux, 4);
	check_op(op_at(&r, 2), OP_FSYNC, 20, 0, 0, OP_DATASYNC);
	check_op(op_at(&r, 3), OP_UNLINK, 21, 0, 0, 0);
	run_free(&r);
}

/* f2fs events alone drive, too; f2fs_file_write_iter does not double f2fs_datawrite_*. */
Test(ftrace_call, f2fs_without_system_calls)
{
	struct run r = run_bodies("f2fs_dataread_start: entry_name /x, offset 8192, bytes 4096, "
				  "cmdline a, pid 7, i_size 99999, ino 20\n"
				  "f2fs_dataread_end: ino 20, offset 8192, bytes 100\n"
				  "f2fs_datawrite_start: entry_name /x, offset 0, bytes 4096, "
				  "cmdline a, pid 7, i_size 99999, ino 20\n"
				  "f2fs_datawrite_end: ino 20, offset 0, bytes 4096\n"
				  "f2fs_file_write_iter: dev = (8,1), ino = 20, offset = 0, length "
				  "= 4096, written(err) = 4096\n"
				  "f2fs_file_write_iter: dev = (8,1), ino = 21, offset = 4096, "
				  "length = 10, written(err) = -28\n"
				  "f2fs_sync_file_enter: dev = (8,1), ino = 20, pino = 3, i_mode = "
				  "0x81a4, i_size = 1, i_nlink = 1, i_blocks = 1, i_advise = 0x0\n"
				  "f2fs_sync_file_exit: dev = (8,1), ino = 20, cp_reason: no "
				  "needed, datasync = 1, ret = 0\n"
				  "f2fs_unlink_enter: dev = (8,1), dir ino = 3, i_size = 4096, "
				  "i_blocks = 8, name = a\n"
				  "f2fs_unlink_exit: dev = (8,1), ino = 21, ret = 0\n");

	cr_assert_eq(r.ops->len, 5);
	check_op(op_at(&r, 0), OP_READ, 20, 8192, 4096, 0);
	cr_assert_eq(op_at(&r, 0)->result, 100);
	cr_assert_eq(op_at(&r, 0)->done_ns, 1000001000);
	check_op(op_at(&r, 1), OP_WRITE, 20, 0, 4096, 0);
	check_op(op_at(&r, 2), OP_WRITE, 21, 4096, 10, 0);
	cr_assert_eq(op_at(&r, 2)->result, -ENOSPC);
	check_op(op_at(&r, 3), OP_FSYNC, 20, 0, 0, OP_DATASYNC);
	check_op(op_at(&r, 4), OP_UNLINK, 21, 0, 0, 0);
	cr_assert_eq(r.info->drives, TRACE_DRIVES_FILE);
	cr_assert_eq(r.info->unpaired, 0);
	run_free(&r);
}

/* Newer kernels print what a pointer leads to; offsets past any file are no place in one. */
Test(ftrace_call, odd_arguments)
{
	struct run r = run_bodies(OPEN(
		"2",
		"20") "sys_write(fd: 0x3, buf: 0x7ff0 (61 2c \"a, count: 9)\"), count: 0x10)\n"
		      "sys_write -> 0x10\n"
		      "sys_pread64(fd: 3, buf: 0, count: 7fffffffffffffff, pos: 7fffffffffffffff)\n"
		      "sys_pread64 -> 0xffffffffffffffea\n"
		      "sys_pread64(fd: 3, buf: 0, count: 10, pos: ffffffffffffffff)\n"
		      "sys_pread64 -> 0xffffffea\n"
		      "sys_read(fd: ffffffff, buf: 0, count: 10)\nsys_read -> 0xfffffffffffffff7\n"
		      "sys_read(buf: 0)\nsys_read -> 0x0\n");

	check_op(op_at(&r, 1), OP_WRITE, 20, 0, 16, 0);
	check_op(op_at(&r, 2), OP_READ, 20, 0, 0x7ffff000, OP_UNBOUND); /* MAX_RW_COUNT */
	check_op(op_at(&r, 3), OP_READ, 20, 0, 16, OP_UNBOUND);
	cr_assert_eq(op_at(&r, 3)->result, -EINVAL); /* of a 32-bit task */
	check_op(op_at(&r, 4), OP_READ, 0, 0, 16, OP_UNBOUND);
	cr_assert_eq(op_at(&r, 4)->result, -EBADF);
	cr_assert_eq(r.ops->len, 5);
	run_free(&r);
}

/* f2fs_direct_IO_enter shows a direct op even where the open was not seen; its ki_flags 0x80 are
 * IOCB_DONTCACHE. */
Test(ftrace_call, direct_io)
{
#define DIRECT(pos, flags)                                                                         \
	"f2fs_direct_IO_enter: dev = (8,1), ino = 20 pos = " pos " len = 4096 ki_flags = " flags   \
	" ki_ioprio = 0 rw = 0\n"
	struct run r = run_bodies("sys_read(fd: 3, buf: 0, count: 1000)\n" DIRECT(
		"8192",
		"20080") "sys_read -> 0x1000\n" READ("1000",
						     "0x1000") "f2fs_dataread_start: entry_name "
							       "/x, offset 0, bytes 4096, cmdline "
							       "a, pid 7, i_size 99999, ino "
							       "20\n" DIRECT("0",
									     "20000") "f2fs_"
										      "dataread_"
										      "end: ino "
										      "20, offset "
										      "0, bytes "
										      "4096\n");

	check_op(op_at(&r, 0), OP_READ, 20, 8192, 4096, OP_DIRECT | OP_DONTCACHE);
	check_op(op_at(&r, 1), OP_READ, 20, 12288, 4096, 0);
	check_op(op_at(&r, 2), OP_READ, 20, 0, 4096, OP_DIRECT);
	run_free(&r);
}

/*
 * tests/test_filemap.c - page cache, readahead, writes and drops on a small machine.
 *
 * The windows are worked out by hand from KERNEL.md 3.2; the captures' windows are tested in
 * test_replay.c.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>

#include "tests/machine.h"

#define FIXED "[device]\nmodel = fixed\n"
#define DONTCACHE FIXED "[f2fs_data]\ndontcache = read_write\n[bio]\ncompletion = task_flagged\n"

/* Readahead batches as they happen. */
static struct {
	pgoff_t index;
	uint64_t nr;
} batches[256];
static unsigned int nr_batches;

static void note_batch(void *arg, const struct inode *inode, pgoff_t index, uint64_t nr)
{
	(void)arg;
	(void)inode;
	cr_assert(nr_batches < G_N_ELEMENTS(batches));
	batches[nr_batches].index = index;
	batches[nr_batches++].nr = nr;
}

static struct sim *machine_with_file(const char *ini, int64_t size)
{
	struct sim *sim = machine_new(ini);

	f2fs_set_initial_size(machine_inode(sim, 5), size);
	filemap_of(sim)->on_readahead = note_batch;
	return sim;
}

/* 4 KiB sequential reads, 32-page window: 4, 8, 16, 32, 32 pages (KERNEL 3.2). */
Test(filemap, sequential_4k_windows)
{
	struct sim *sim = machine_with_file(FIXED, 128 << 12);
	struct op ops[128];
	static const struct {
		pgoff_t index;
		uint64_t nr;
	} want[] = {{0, 4}, {4, 8}, {12, 16}, {28, 32}, {60, 32}, {92, 32}, {124, 4}};

	for (unsigned int i = 0; i < 128; i++)
		ops[i] = machine_read(5, (int64_t)i << 12, 4096, 0);
	machine_ops(sim, ops, 128);
	cr_assert_eq(nr_batches, G_N_ELEMENTS(want));
	for (unsigned int i = 0; i < nr_batches; i++) {
		cr_assert_eq(batches[i].index, want[i].index, "batch %u", i);
		cr_assert_eq(batches[i].nr, want[i].nr, "batch %u", i);
	}
	cr_assert_eq(machine_resident(sim, 5), 128);
	cr_assert_eq(machine_stat(sim, "blk_mq", "sectors_read"), 128 * 8);
	machine_free(sim);
}

/* A random read brings one page, twice the same page one only. */
Test(filemap, random_reads_bring_their_page)
{
	struct sim *sim = machine_with_file(FIXED, 1000 << 12);
	struct op ops[] = {
		machine_read(5, 700 << 12, 4096, 0),
		machine_read(5, 100 << 12, 4096, 0),
		machine_read(5, 700 << 12, 4096, 0),
	};

	machine_ops(sim, ops, G_N_ELEMENTS(ops));
	cr_assert_eq(machine_resident(sim, 5), 2);
	cr_assert_eq(machine_stat(sim, "filemap", "read_hits"), 1);
	cr_assert_eq(machine_stat(sim, "filemap", "read_misses"), 2);
	machine_free(sim);
}

/* Reads end at i_size, and so does readahead. */
Test(filemap, reads_end_at_i_size)
{
	struct sim *sim = machine_with_file(FIXED, 10000);
	struct op ops[] = {machine_read(5, 8192, 65536, 0), machine_read(5, 20000, 4096, 0)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(ops[0].result, 10000 - 8192);
	cr_assert_eq(ops[1].result, 0);
	cr_assert_eq(machine_resident(sim, 5), 1);
	machine_free(sim);
}

/* dontcache reads leave nothing, normal reads everything (S2). */
Test(filemap, dontcache_reads_leave_nothing)
{
	struct sim *sim = machine_with_file(DONTCACHE, 64 << 12);
	struct op ops[16];

	for (unsigned int i = 0; i < 16; i++)
		ops[i] = machine_read(5, (int64_t)i << 14, 1 << 14, OP_DONTCACHE);
	machine_ops(sim, ops, 16);
	cr_assert_eq(machine_resident(sim, 5), 0);
	cr_assert_eq(machine_stat(sim, "filemap", "dropped_after_read"), 64);
	machine_free(sim);
}

/*
 * A window's bio reaches the device after the 100 us that adding its 4 pages takes; the device
 * takes 1 ms, the copy of the one page asked for 10 us.
 */
Test(filemap, a_window_is_sent_when_its_pages_are_there)
{
	struct sim *sim = machine_with_file(
		"[device]\nmodel = fixed\nread_time = 1ms\nrate = 0\n[blk_mq]\nirq_ns = 0\n"
		"[f2fs_data]\nmap_ns = 0\nsubmit_bio_ns = 0\nend_read_page_ns = 0\n"
		"[f2fs_file]\nopen_ns = 0\n[filemap]\nread_call_ns = 0\nread_page_ns = 10us\n"
		"add_page_ns = 25us\n",
		64 << 12);
	struct op op = machine_read(5, 0, 4096, 0);

	machine_ops(sim, &op, 1);
	cr_assert_eq(op.result, 4096);
	cr_assert_eq(op.done_ns, (100 + 1000 + 10) * NSEC_PER_USEC);
	machine_free(sim);
}

/* A folio that a normal read brought never gains the flag (KERNEL 1.4). */
Test(filemap, a_cached_folio_never_gains_dropbehind)
{
	struct sim *sim = machine_with_file(DONTCACHE, 4 << 12);
	struct op ops[] = {machine_read(5, 0, 4 << 12, 0),
			   machine_read(5, 0, 4 << 12, OP_DONTCACHE)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_resident(sim, 5), 4);
	machine_free(sim);
}

/* Without support an op answers -EOPNOTSUPP and nothing happens (CASES 45). */
Test(filemap, refused_dontcache_caches_nothing)
{
	struct sim *sim = machine_with_file(
		FIXED "[f2fs_data]\ndontcache = read_only\n[bio]\ncompletion = task_flagged\n",
		8 << 12);
	struct op ops[] = {machine_write(5, 0, 8 << 12, OP_DONTCACHE),
			   machine_read(5, 0, 4096, OP_DONTCACHE)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(ops[0].result, -EOPNOTSUPP);
	cr_assert_eq(ops[1].result, 4096);
	cr_assert_eq(machine_stat(sim, "filemap", "eopnotsupp"), 1);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirtied"), 0);
	cr_assert_eq(machine_resident(sim, 5), 3, "only what the read's window brought ahead");
	machine_free(sim);
}

/* Which direction each policy refuses (KERNEL 1.1). */
Test(filemap, dontcache_policies)
{
	static const struct {
		const char *policy;
		int64_t write, read;
	} cases[] = {
		{"none", -EOPNOTSUPP, -EOPNOTSUPP},
		{"read_only", -EOPNOTSUPP, 4096},
		{"read_write", 4096, 4096},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *ini =
			g_strconcat(FIXED "[f2fs_data]\ndontcache = ", cases[i].policy, "\n", NULL);
		struct sim *sim = machine_with_file(ini, 8 << 12);
		struct op ops[] = {machine_write(5, 0, 4096, OP_DONTCACHE),
				   machine_read(5, 4096, 4096, OP_DONTCACHE)};

		machine_ops(sim, ops, 2);
		cr_assert_eq(ops[0].result, cases[i].write, "%s", cases[i].policy);
		cr_assert_eq(ops[1].result, cases[i].read, "%s", cases[i].policy);
		machine_free(sim);
	}
}

/* Buffered write, fsync: every page dirtied, written once, resident and clean. */
Test(filemap, write_and_fsync)
{
	struct sim *sim = machine_new(FIXED);
	struct op ops[] = {machine_write(5, 0, 1 << 20, 0), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(ops[0].result, 1 << 20);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirtied"), 256);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_written"), 256);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 0);
	cr_assert_eq(machine_stat(sim, "fs_writeback", "nr_dirty_inodes"), 0);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), 1, "one run of the log");
	cr_assert_eq(machine_resident(sim, 5), 256);
	machine_free(sim);
}

/* A dontcache write submits its own range; its pages leave at the end of writeback in task context.
 */
Test(filemap, dontcache_write_drops_in_task_context)
{
	struct sim *sim = machine_new(DONTCACHE);
	struct op ops[] = {machine_write(5, 0, 1 << 20, OP_DONTCACHE), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_resident(sim, 5), 0);
	cr_assert_eq(machine_stat(sim, "filemap", "dropped_after_writeback"), 256);
	machine_free(sim);
}

/* In interrupt context nothing may be dropped: the pages stay (CASES 32). */
Test(filemap, dontcache_write_in_irq_stays)
{
	struct sim *sim = machine_new(
		FIXED "[f2fs_data]\ndontcache = read_write\n[bio]\ncompletion = irq_skip\n");
	struct op ops[] = {machine_write(5, 0, 1 << 20, OP_DONTCACHE), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_resident(sim, 5), 256);
	cr_assert_eq(machine_stat(sim, "filemap", "drop_skipped_irq"), 256);
	machine_free(sim);
}

/* A partial write inside the file reads the page first; past the end it does not. */
Test(filemap, partial_write_reads_the_page)
{
	struct sim *sim = machine_with_file(FIXED, 8192);
	struct op ops[] = {machine_write(5, 100, 100, 0), machine_write(5, 8192, 100, 0)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_stat(sim, "blk_mq", "reads_completed"), 1);
	cr_assert_eq(machine_inode(sim, 5)->i_size, 8292);
	machine_free(sim);
}

/* The flusher writes an inode 30 s after it became dirty, at its 5 s tick. */
Test(filemap, periodic_writeback)
{
	struct sim *sim = machine_new(FIXED);
	struct op ops[] = {machine_write(5, 0, 4096, 0)};

	machine_ops(sim, ops, 1);
	sim_run_until(sim, 29 * NSEC_PER_SEC);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 1);
	sim_run_until(sim, 36 * NSEC_PER_SEC);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 0);
	machine_free(sim);
}

/*
 * A file that is written all the time keeps the age of its first page.  The work of the tick at
 * 100 ms ends with the 50,000 pages that were dirty at its start (the last slice may take up
 * to 4 MiB more), and does not follow the writer for the 44 ms that are left.
 */
Test(filemap, periodic_work_is_bounded_by_what_was_dirty)
{
	struct sim *sim = machine_new(
		"[device]\nmodel = fixed\nwrite_time = 0\n[filemap]\nwrite_page_ns = 2us\n"
		"write_call_ns = 0\n[page_writeback]\ndirty_expire_centisecs = 10\n"
		"dirty_writeback_centisecs = 5\n");
	enum { NR = 72000 };
	static struct op ops[NR];
	uint64_t written;

	for (unsigned int i = 0; i < NR; i++)
		ops[i] = machine_write(5, (int64_t)i * PAGE_SIZE, PAGE_SIZE, 0);
	machine_ops(sim, ops, NR);
	written = machine_stat(sim, "fs_writeback", "pages_written");
	cr_assert_geq(written, 50000);
	cr_assert_leq(written, 50000 + 4096);
	machine_free(sim);
}

Test(filemap, truncate_and_unlink_empty_the_cache)
{
	struct sim *sim = machine_new(FIXED);
	struct op ops[] = {machine_write(5, 0, 64 << 10, 0), machine_op(OP_TRUNCATE, 5),
			   machine_op(OP_UNLINK, 5)};

	ops[1].pos = 5000;
	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_resident(sim, 5), 2);
	cr_assert_eq(machine_inode(sim, 5)->i_size, 5000);
	machine_ops(sim, &ops[2], 1);
	cr_assert_eq(machine_resident(sim, 5), 0);
	machine_free(sim);
}

/* fadvise RANDOM: no window; DONTNEED: clean pages leave. */
Test(filemap, fadvise)
{
	struct sim *sim = machine_with_file(FIXED, 64 << 12);
	struct op ops[] = {machine_op(OP_FADVISE, 5), machine_read(5, 0, 4096, 0),
			   machine_op(OP_FADVISE, 5)};

	ops[0].aux = POSIX_FADV_RANDOM;
	ops[2].aux = POSIX_FADV_DONTNEED;
	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_resident(sim, 5), 1);
	machine_ops(sim, &ops[2], 1);
	cr_assert_eq(machine_resident(sim, 5), 0);
	machine_free(sim);
}

/* O_DIRECT goes past the cache and drops what it holds of the range. */
Test(filemap, direct_io)
{
	struct sim *sim = machine_with_file(FIXED, 64 << 12);
	struct op ops[] = {machine_read(5, 0, 4 << 12, 0), machine_write(5, 0, 8 << 12, OP_DIRECT),
			   machine_read(5, 0, 8 << 12, OP_DIRECT)};

	machine_ops(sim, ops, 3);
	cr_assert_eq(ops[1].result, 8 << 12);
	cr_assert_eq(ops[2].result, 8 << 12);
	cr_assert_eq(machine_stat(sim, "blk_mq", "sectors_written"), 64);
	cr_assert_eq(mapping_resident(&machine_inode(sim, 5)->i_data, 0, 7), 0);
	machine_free(sim);
}

/* Small calls add up: a writer of 4 KiB pieces passes the background threshold and wakes the
 * flusher. */
Test(filemap, small_writes_wake_the_flusher)
{
	struct sim *sim = machine_new(FIXED "[host]\nmemory = 64MiB\n");
	struct op ops[2048];

	for (unsigned int i = 0; i < 2048; i++)
		ops[i] = machine_write(5, (int64_t)i << 12, 4096, 0);
	machine_ops(sim, ops, 2048);
	cr_assert_gt(machine_stat(sim, "fs_writeback", "works_background"), 0);
	machine_free(sim);
}

/* A direct read writes back what is dirty and leaves the cache alone. */
Test(filemap, direct_read_keeps_the_cache)
{
	struct sim *sim = machine_new(FIXED);
	struct op ops[] = {machine_write(5, 0, 4096, 0), machine_read(5, 0, 4096, OP_DIRECT)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_written"), 1);
	cr_assert_eq(machine_resident(sim, 5), 1);
	machine_free(sim);
}

/*
 * tests/test_f2fs_truncate.c - truncate, and the internal writer that rewrites the page it cuts
 * (KERNEL.md 1.3, 1.4).
 */
#include <criterion/criterion.h>

#include "tests/machine.h"

#define MACHINE                                                                                    \
	"[device]\nmodel = fixed\n[f2fs_data]\ndontcache = read_write\n"                           \
	"[bio]\ncompletion = task_flagged\n[fs_writeback]\nflush_policy = none\n"

static struct op truncate_to(int64_t size)
{
	struct op op = machine_op(OP_TRUNCATE, 5);

	op.pos = size;
	op.flags = OP_DONTCACHE; /* nobody can ask for that: it must not matter */
	return op;
}

/*
 * Four dropbehind pages, dirty; cut inside page 2: 3 goes, 2 is looked up without iocb and loses
 * the flag.  After fsync 0 and 1 leave, 2 stays.
 */
Test(f2fs_truncate, the_cut_page_is_no_longer_dropbehind)
{
	struct sim *sim = machine_new(MACHINE);
	struct op ops[] = {machine_write(5, 0, 4 << 12, OP_DONTCACHE), truncate_to(9000),
			   machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 3);
	sim_run_until(sim, sim->now + NSEC_PER_MSEC);
	cr_assert_eq(machine_inode(sim, 5)->i_size, 9000);
	cr_assert_eq(machine_stat(sim, "filemap", "dropped_after_writeback"), 2);
	cr_assert_eq(machine_stat(sim, "filemap", "pages_truncated"), 1);
	cr_assert_eq(machine_resident(sim, 5), 1);
	cr_assert(filemap_get_folio(&machine_inode(sim, 5)->i_data, 2));
	machine_free(sim);
}

/* Without the truncate all four leave: the test above can fail. */
Test(f2fs_truncate, without_it_all_leave)
{
	struct sim *sim = machine_new(MACHINE);
	struct op ops[] = {machine_write(5, 0, 4 << 12, OP_DONTCACHE), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 2);
	sim_run_until(sim, sim->now + NSEC_PER_MSEC);
	cr_assert_eq(machine_resident(sim, 5), 0);
	machine_free(sim);
}

/* A page that is not cached is read, zeroed, dirtied; it is written by the fsync and stays. */
Test(f2fs_truncate, the_cut_page_is_read)
{
	struct sim *sim = machine_new(MACHINE);
	struct op ops[] = {truncate_to(9000), machine_op(OP_FSYNC, 5)};

	f2fs_set_initial_size(machine_inode(sim, 5), 4 << 12);
	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_stat(sim, "blk_mq", "reads_completed"), 1);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_written"), 1);
	cr_assert_eq(machine_inode(sim, 5)->i_size, 9000);
	cr_assert_eq(machine_resident(sim, 5), 1);
	machine_free(sim);
}

/* At a page boundary, to a larger size, and in a hole nothing is rewritten. */
Test(f2fs_truncate, where_no_page_is_cut)
{
	static const int64_t sizes[] = {8192, 5 << 20, 0};

	for (unsigned int i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct sim *sim = machine_new(MACHINE);
		struct op ops[] = {truncate_to(sizes[i]), truncate_to(sizes[i])};

		f2fs_set_initial_size(machine_inode(sim, 5), 4 << 12);
		machine_ops(sim, ops, 2);
		cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirtied"), 0);
		cr_assert_eq(machine_inode(sim, 5)->i_size, sizes[i]);
		machine_free(sim);
	}
	struct sim *sim = machine_new(MACHINE);
	struct op ops[] = {truncate_to(5 << 20), truncate_to(100)};

	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirtied"), 0);
	machine_free(sim);
}

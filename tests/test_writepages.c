/*
 * tests/test_writepages.c - writepages passes of one file system in each other's way (KERNEL 1.6).
 */
#include <criterion/criterion.h>

#include "models/f2fs_internal.h"
#include "tests/machine.h"

#define DONTCACHE                                                                                  \
	"[device]\nmodel = fixed\nwrite_time = 1ms\n[f2fs_data]\ndontcache = read_write\n"         \
	"submit_page_ns = 860ns\nsubmit_bio_ns = 5us\n[bio]\ncompletion = task_flagged\n"

/* A second writer, beside the one of machine_ops(). */
struct second {
	struct task task;
	struct op op;
};

static void second_done(struct task *t)
{
	task_exit(t);
}

static void second_begins(struct task *t)
{
	t->sim->submit_op(t->sim, t, &container_of(t, struct second, task)->op, second_done);
}

/* Two files, 64 KiB each, copied at the same time on two CPUs: the second kick waits until the
 * first has submitted 16 pages and their bio, 16 * 860 + 5000 ns. */
static uint64_t wait_of_two_writers(const char *ini, uint64_t *waits)
{
	struct sim *sim = machine_new(ini);
	struct op op = machine_write(5, 0, 64 << 10, OP_DONTCACHE);
	static struct second second;
	uint64_t wait_ns;

	second.op = machine_write(6, 0, 64 << 10, OP_DONTCACHE);
	second.op.task = 101;
	sim_start(sim);
	task_init(&second.task, sim, "second", 101, false);
	task_start(&second.task, second_begins);
	machine_ops(sim, &op, 1);
	*waits = machine_stat(sim, "f2fs_data", "writepages_waits");
	wait_ns = machine_stat(sim, "f2fs_data", "writepages_wait_ns");
	machine_free(sim);
	return wait_ns;
}

/* One kick a call, at least one bio a call: neighbours on the device do not meet in a bio, and one
 * large call is cut by max_bio alone. */
Test(writepages, a_call_sends_its_own_bios)
{
	struct sim *sim = machine_new(DONTCACHE "[f2fs_data]\nmax_bio = 1MiB\n");
	struct op small[8], large = machine_write(6, 0, 3 << 20, OP_DONTCACHE);

	for (unsigned int i = 0; i < G_N_ELEMENTS(small); i++)
		small[i] = machine_write(5, (int64_t)i << 12, 4096, OP_DONTCACHE);
	machine_ops(sim, small, G_N_ELEMENTS(small));
	cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), 8);
	machine_ops(sim, &large, 1);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), 8 + 3);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "writepages_waits"), 0);
	cr_assert_eq(machine_stat(sim, "page_writeback", "dirty_pauses"), 0);
	machine_free(sim);
}

Test(writepages, kicks_of_two_files_queue)
{
	uint64_t waits;

	cr_assert_eq(wait_of_two_writers(DONTCACHE, &waits), 16 * 860 + 5000);
	cr_assert_eq(waits, 1);
}

Test(writepages, other_file_systems_have_no_such_mutex)
{
	uint64_t waits;

	wait_of_two_writers("[f2fs_data]\nwritepages_mutex = false\n" DONTCACHE, &waits);
	cr_assert_eq(waits, 0);
}

/* While a fsync writes, a kick does nothing; the pages stay until the tick after 30 s. */
Test(writepages, a_kick_yields_to_fsync)
{
	struct sim *sim = machine_new(DONTCACHE);
	struct op op = machine_write(5, 0, 64 << 10, OP_DONTCACHE);

	f2fs_data_of(sim)->wb_sync_req = 1;
	machine_ops(sim, &op, 1);
	f2fs_data_of(sim)->wb_sync_req = 0;
	cr_assert_eq(op.result, 64 << 10);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "writepages_skipped"), 1);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 16);
	sim_run_until(sim, 29 * NSEC_PER_SEC);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 16);
	sim_run_until(sim, 36 * NSEC_PER_SEC);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirty"), 0);
	cr_assert_eq(machine_resident(sim, 5), 0);
	machine_free(sim);
}

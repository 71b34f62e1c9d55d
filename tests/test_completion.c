/*
 * tests/test_completion.c - what completion costs and delays, from the writer's side: orders that
 * must hold when a knob is turned.
 */
#include <criterion/criterion.h>

#include "tests/machine.h"

#define MACHINE "[f2fs_data]\ndontcache = read_write\n"
#define NR_OPS 200

struct outcome {
	uint64_t writeback, bios, requests, softirq_ns, resident;
	ktime_t wrote_ns; /* when the last write returned */
	ktime_t done_ns;  /* when the fsync was over */
};

/* 64 KiB writes with dontcache, one after the other, then fsync. */
static struct outcome write_all(const char *keys)
{
	static struct op ops[NR_OPS + 1];
	g_autofree char *ini = g_strconcat(MACHINE, keys, NULL);
	struct sim *sim = machine_new(ini);
	struct outcome o = {0};

	for (unsigned int i = 0; i < NR_OPS; i++)
		ops[i] = machine_write(5, (int64_t)i << 16, 1 << 16, OP_DONTCACHE);
	machine_ops(sim, ops, NR_OPS);
	o.writeback = machine_stat(sim, "page_writeback", "nr_writeback");
	o.wrote_ns = sim->now;
	ops[NR_OPS] = machine_op(OP_FSYNC, 5);
	machine_ops(sim, ops + NR_OPS, 1);
	o.done_ns = ops[NR_OPS].done_ns;
	o.bios = machine_stat(sim, "f2fs_data", "write_bios");
	cpus_settle(sim);
	o.softirq_ns = (uint64_t)cpus_context_ns(sim, CTX_SOFTIRQ);
	o.resident = machine_resident(sim, 5);
	machine_free(sim);
	return o;
}

/* A slower worker leaves more pages under writeback behind the writer, and fsync waits longer. */
Test(completion, a_slower_worker_means_more_writeback)
{
	struct outcome fast = write_all("[bio]\ncompletion = task_flagged\n");
	struct outcome slow =
		write_all("[bio]\ncompletion = task_flagged\ncompletion_wakeup_ns = 5ms\n");
	struct outcome delayed =
		write_all("[bio]\ncompletion = task_flagged\ncompletion_delay = 4ms\n");

	cr_assert_gt(slow.writeback, fast.writeback);
	cr_assert_gt(slow.done_ns, fast.done_ns);
	cr_assert_gt(delayed.writeback, fast.writeback);
	cr_assert_eq(slow.bios, fast.bios);
	cr_assert_eq(fast.resident + slow.resident + delayed.resident, 0);
}

/* Smaller bios: more of them, and the same 12.8 MB take longer. */
Test(completion, smaller_bios_are_slower)
{
	struct outcome large = write_all("[bio]\ncompletion = task_flagged\n");
	struct outcome small = write_all("max_bio = 8KiB\n[bio]\ncompletion = task_flagged\n");

	cr_assert_eq(large.bios, NR_OPS);
	cr_assert_eq(small.bios, NR_OPS * 8);
	cr_assert_gt(small.wrote_ns, large.wrote_ns);
	cr_assert_gt(small.done_ns, large.done_ns);
}

/*
 * 3200 pages end in softirq for 10 us each, 32 ms of a CPU that the writer has to do without, or in
 * the worker on some CPU, where no softirq time is used and the writer goes on on the other.
 */
Test(completion, softirq_steals_the_writers_time)
{
	struct outcome irq = write_all("end_io_page_ns = 10us\n[bio]\ncompletion = irq_skip\n");
	struct outcome task =
		write_all("end_io_page_ns = 10us\n[bio]\ncompletion = task_flagged\n");

	cr_assert_eq(irq.softirq_ns, 3200 * 10000);
	cr_assert_eq(irq.resident, 3200);
	cr_assert_eq(task.softirq_ns, 0);
	cr_assert_eq(task.resident, 0);
	cr_assert_gt(irq.wrote_ns, task.wrote_ns);
}

/* The drop costs its time where it is done, and only there: 3200 pages of 1 us. */
Test(completion, the_drop_is_charged_where_it_is_done)
{
	struct outcome skip = write_all("end_io_page_ns = 0\n[dropbehind]\ndrop_page_ns = "
					"1us\n[bio]\ncompletion = irq_skip\n");
	struct outcome drop = write_all("end_io_page_ns = 0\n[dropbehind]\ndrop_page_ns = "
					"1us\n[bio]\ncompletion = irq_drop\n");

	cr_assert_eq(skip.softirq_ns, 0);
	cr_assert_eq(drop.softirq_ns, 3200 * 1000);
	cr_assert_eq(drop.resident, 0);
}

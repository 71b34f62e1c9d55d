/*
 * tests/test_memcontrol.c - a memory cgroup: charges, events, reclaim at the limit.
 */
#include <criterion/criterion.h>

#include "models/models.h"
#include "tests/machine.h"
#include "tests/support.h"

#define QUICK                                                                                      \
	"[device]\nmodel = fixed\nread_time = 10us\nwrite_time = 10us\nparallel = 8\n"             \
	"[host]\nnr_cpus = 2\nmemory = 256MiB\n[filemap]\nread_ahead = 0\n"

static uint64_t cg(const struct sim *sim, const char *counter)
{
	return machine_stat(sim, "memcg", counter);
}

static void read_pages(struct sim *sim, uint64_t ino, unsigned int first, unsigned int nr)
{
	f2fs_set_initial_size(machine_inode(sim, ino), 64 << 20);
	machine_read_pages(sim, ino, first, nr);
}

/* Without a limit nothing is counted and the pages are on the lists of the node. */
Test(memcontrol, no_limit)
{
	struct sim *sim = machine_new(QUICK);

	read_pages(sim, 5, 0, 10);
	cr_assert_eq(cg(sim, "pages_charged"), 0);
	cr_assert_eq(cg(sim, "memory_current"), 0);
	cr_assert_eq(filemap_of(sim)->lruvec.nr_pages[LRU_INACTIVE_FILE], 10);
	machine_free(sim);
}

/* A charge takes 64 pages from the counter; the next 63 come from the stock (KERNEL 5.8). */
Test(memcontrol, current_moves_by_batches)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n");

	read_pages(sim, 5, 0, 64);
	cr_assert_eq(cg(sim, "memory_current"), 64 << 12);
	read_pages(sim, 5, 64, 1);
	cr_assert_eq(cg(sim, "memory_current"), 128 << 12);
	cr_assert_eq(cg(sim, "file"), 65);
	machine_free(sim);
}

/* 128 pages fill two groups of 64, each with a page of kernel memory here: 130 pages with the base
 * of 3 more make 133, which is three batches. */
Test(memcontrol, kernel_memory_is_charged_too)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 4096\n"
					    "base = 12KiB\n");

	read_pages(sim, 5, 0, 128);
	cr_assert_eq(cg(sim, "kernel_bytes"), 5 << 12);
	cr_assert_eq(cg(sim, "memory_current"), 192 << 12);
	machine_free(sim);
}

/*
 * 16 MiB = 4,096 pages.  The 4,097th finds the group full: passes over 4096, 4095, 4094, 4091,
 * 4084, 4069 pages shifted by 12 .. 7 look at 1, 1, 3, 7, 15, 31 = 58, all clean.  One of the 58
 * goes to the page that waited, so 57 more fit before the second event, whose passes over the same
 * 4,096 pages free 58 again.
 */
Test(memcontrol, reclaim_at_the_limit)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n");

	read_pages(sim, 5, 0, 4096);
	cr_assert_eq(cg(sim, "events_max"), 0);
	cr_assert_eq(cg(sim, "memory_current"), 16 << 20);
	read_pages(sim, 5, 4096, 1);
	cr_assert_eq(cg(sim, "events_max"), 1);
	cr_assert_eq(cg(sim, "pgsteal_direct"), 58);
	read_pages(sim, 5, 4097, 57);
	cr_assert_eq(cg(sim, "events_max"), 1);
	read_pages(sim, 5, 4154, 1);
	cr_assert_eq(cg(sim, "events_max"), 2);
	cr_assert_eq(cg(sim, "pgscan_direct"), 116);
	cr_assert_eq(cg(sim, "pgsteal_direct"), 116);
	/* oldest first */
	cr_assert_null(filemap_get_folio(&machine_inode(sim, 5)->i_data, 115));
	cr_assert_not_null(filemap_get_folio(&machine_inode(sim, 5)->i_data, 116));
	cr_assert_eq(machine_stat(sim, "vmscan", "allocstall"), 0);
	machine_free(sim);
}

/* 64 MiB dirtied in a group of 16 MiB: the writer gets through, at least 64 - 16 MiB were stolen
 * and what is charged is what is cached. */
Test(memcontrol, a_writer_of_four_times_the_limit)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\n");
	struct op ops[64];

	for (unsigned int i = 0; i < G_N_ELEMENTS(ops); i++)
		ops[i] = machine_write(5, (int64_t)i << 20, 1 << 20, 0);
	machine_ops(sim, ops, G_N_ELEMENTS(ops));
	cr_assert_eq(ops[63].result, 1 << 20);
	cr_assert_geq(cg(sim, "pgsteal_direct"), (64 - 16) << 8);
	cr_assert_eq(cg(sim, "pages_charged"), 64 << 8);
	cr_assert_eq(cg(sim, "file"), machine_resident(sim, 5));
	cr_assert_leq(cg(sim, "memory_current"), 16 << 20);
	machine_free(sim);
}

/*
 * With flush_time the dirty domain sees the pages of the last flush.  The phase of the worker is
 * drawn from the seed, so that the test waits for it: 2,000 pages dirtied at once stay unseen till
 * then, headroom does not.
 */
Test(memcontrol, the_dirty_domain_sees_flushed_statistics)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n"
					    "flush_time = 1000s\n");
	struct op write = machine_write(5, 0, 2000 << 12, 0);
	struct memcg_wb_stats seen, real;

	machine_ops(sim, &write, 1);
	mem_cgroup_wb_stats(memcg_of(sim), &seen);
	mem_cgroup_stats(memcg_of(sim), &real);
	cr_assert_eq(real.file, 2000);
	cr_assert_eq(real.dirty + real.writeback,
		     cg(sim, "file_dirty") + cg(sim, "file_writeback"));
	cr_assert_eq(seen.file, 0);
	cr_assert_eq(seen.dirty, 0);
	cr_assert_eq(seen.headroom, 4096 - cg(sim, "memory_current") / 4096);
	machine_free(sim);
}

/* 4,096 pages dirtied under statistics that show none: nothing throttles the writer or wakes the
 * flusher before the group is full.  Reclaim does then, and each page it met dirty counts once
 * more: pgscan is over pgsteal.  With exact statistics the writer keeps a fifth dirty at most and
 * reclaim meets only clean pages. */
Test(memcontrol, stale_statistics_make_reclaim_meet_dirty_pages)
{
	static const char *const flush[] = {"flush_time = 1000s\n", "flush_time = 0\n"};
	uint64_t scan[2], steal[2];

	for (unsigned int i = 0; i < 2; i++) {
		g_autofree char *ini = g_strconcat(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n",
						   flush[i], NULL);
		struct sim *sim = machine_new(ini);
		struct op ops[32];

		for (unsigned int k = 0; k < G_N_ELEMENTS(ops); k++)
			ops[k] = machine_write(5, (int64_t)k << 20, 1 << 20, 0);
		machine_ops(sim, ops, G_N_ELEMENTS(ops));
		scan[i] = cg(sim, "pgscan_direct");
		steal[i] = cg(sim, "pgsteal_direct");
		machine_free(sim);
	}
	cr_assert_geq(steal[0], (32 - 16) << 8);
	cr_assert_gt(scan[0], steal[0] + 100);
	cr_assert_eq(scan[1], steal[1]);
}

/* Reclaim takes the writer's time: 58 pages at 1 ms each to look at and nothing to free. */
Test(memcontrol, limit_reclaim_takes_time)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n"
					    "[vmscan]\nscan_page_ns = 1ms\nreclaim_page_ns = 0\n");
	ktime_t before;

	read_pages(sim, 5, 0, 4096);
	before = sim->now;
	read_pages(sim, 5, 4096, 1);
	cr_assert_eq(cg(sim, "pgscan_direct"), 58);
	cr_assert_geq(sim->now - before, 58 * NSEC_PER_MSEC);
	cr_assert_lt(sim->now - before, 59 * NSEC_PER_MSEC);
	machine_free(sim);
}

/* Unlinking gives every page back; kernel memory stays. */
Test(memcontrol, truncate_uncharges)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\ngroup_bytes = 0\n");
	struct op unlink = machine_op(OP_UNLINK, 5);

	read_pages(sim, 5, 0, 100);
	machine_ops(sim, &unlink, 1);
	cr_assert_eq(cg(sim, "file"), 0);
	cr_assert_eq(cg(sim, "pages_uncharged"), 100);
	machine_free(sim);
}

Test(memcontrol, a_limit_below_the_base_is_refused)
{
	const char *ini = QUICK "[memcg]\nmax = 600KiB\nbase = 100KiB\n";
	GError *err = NULL;
	struct config *config = config_load(test_text("memcg.ini", ini), NULL, NULL, &err);

	cr_assert(config);
	cr_assert_null(sim_new(config, models, &err));
	cr_assert(g_error_matches(err, F2SIM_ERROR, F2SIM_ERROR_INPUT));
	cr_assert(strstr(err->message, "memcg.max"));
	g_error_free(err);
}

/* Planted: a page leaves the counter while it stays cached. */
Test(memcontrol, a_lost_charge_is_caught, .signal = SIGABRT)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\n");

	read_pages(sim, 5, 0, 10);
	mem_cgroup_uncharge(memcg_of(sim), filemap_get_folio(&machine_inode(sim, 5)->i_data, 3));
	sim_check(sim);
}

/* Planted: a dirty page is counted that is not there. */
Test(memcontrol, a_dirty_page_too_many_is_caught, .signal = SIGABRT)
{
	struct sim *sim = machine_new(QUICK "[memcg]\nmax = 16MiB\n");

	read_pages(sim, 5, 0, 10);
	mem_cgroup_mod_dirty(memcg_of(sim), 1);
	sim_check(sim);
}

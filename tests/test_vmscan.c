/*
 * tests/test_vmscan.c - kswapd, direct reclaim and the lists.
 */
#include <criterion/criterion.h>

#include "tests/machine.h"

#define SLOW "[device]\nmodel = fixed\nwrite_time = 1ms\nparallel = 1\n[host]\nnr_cpus = 4\n"

#define QUICK                                                                                      \
	"[device]\nmodel = fixed\nread_time = 10us\nwrite_time = 10us\nparallel = "                \
	"8\n[host]\nnr_cpus = 4\n"

static uint64_t vm(const struct sim *sim, const char *counter)
{
	return machine_stat(sim, "vmscan", counter);
}

/* 1 GiB = 262,144 pages: min = sqrt(16 * 1048576) kB = 1,024 pages; step = max(256, 262)
 * (KERNEL 5.1). */
Test(vmscan, watermarks)
{
	struct sim *sim = machine_new(QUICK "memory = 1GiB\n");

	cr_assert_eq(vm(sim, "wmark_min"), 1024);
	cr_assert_eq(vm(sim, "wmark_low"), 1024 + 262);
	cr_assert_eq(vm(sim, "wmark_high"), 1024 + 2 * 262);
	machine_free(sim);
}

/* 1 GiB guest of captures/pressure/global: zoneinfo.txt has min 184 + 11,079, low 230 + 13,848,
 * high 276 + 16,617 pages; khugepaged had set min_free_kbytes to 45,052 or a little more. */
Test(vmscan, watermarks_of_a_real_machine)
{
	struct sim *sim = machine_new(QUICK "memory = 983440KiB\n[vmscan]\nmin_free = 45052KiB\n");

	cr_assert_eq(vm(sim, "wmark_min"), 184 + 11079);
	cr_assert_eq(vm(sim, "wmark_low"), 230 + 13848);
	cr_assert_eq(vm(sim, "wmark_high"), 276 + 16617);
	machine_free(sim);
}

/* 10.7 GiB phone: sqrt(16 * 11,218,944) = 13,397 kB = 3,349 pages.  Steps of 10, 100 and 1 of
 * 10,000: 2,804 and 28,047 pages of 2,804,736, and min / 4 = 837, more than 280. */
Test(vmscan, watermarks_by_scale_factor)
{
	static const struct {
		const char *factor;
		uint64_t step;
	} cases[] = {{"10", 2804}, {"100", 28047}, {"1", 837}};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *ini =
			g_strconcat(QUICK "memory = 10956MiB\n[vmscan]\nwatermark_scale_factor = ",
				    cases[i].factor, "\n", NULL);
		struct sim *sim = machine_new(ini);

		cr_assert_eq(vm(sim, "wmark_min"), 3349);
		cr_assert_eq(vm(sim, "wmark_low"), 3349 + cases[i].step);
		cr_assert_eq(vm(sim, "wmark_high"), 3349 + 2 * cases[i].step);
		machine_free(sim);
	}
}

/* The phone's floor (MODELING 1.1): kswapd wakes below 1400 MiB free and sleeps 60 MiB above; min
 * stays derived. */
Test(vmscan, watermarks_of_the_host)
{
	struct sim *sim = machine_new(QUICK "memory = 4GiB\n[vmscan]\nwmark_low = 1400MiB\n"
					    "wmark_high = 1460MiB\n");

	cr_assert_eq(vm(sim, "wmark_min"), 2048);
	cr_assert_eq(vm(sim, "wmark_low"), 1400 << 8);
	cr_assert_eq(vm(sim, "wmark_high"), 1460 << 8);
	machine_free(sim);
}

/* A clean stream through a small memory: scan = steal, nothing direct, the rest resident
 * (KERNEL 9.1). */
Test(vmscan, a_clean_stream_is_stolen_in_order)
{
	enum { NR = 20000 };
	struct sim *sim = machine_new(QUICK "memory = 32MiB\n");

	f2fs_set_initial_size(machine_inode(sim, 5), NR << 12);
	machine_read_pages(sim, 5, 0, NR);
	cr_assert_eq(vm(sim, "pgscan_kswapd"), vm(sim, "pgsteal_kswapd"));
	cr_assert_eq(vm(sim, "pgsteal_kswapd") + vm(sim, "pgsteal_direct") +
			     machine_resident(sim, 5),
		     NR);
	cr_assert_gt(vm(sim, "kswapd_wakes"), 0);
	/* the oldest went, the youngest stayed */
	cr_assert_eq(mapping_resident(&machine_inode(sim, 5)->i_data, 0, 999), 0);
	cr_assert_eq(mapping_resident(&machine_inode(sim, 5)->i_data, NR - 1000, NR - 1), 1000);
	machine_free(sim);
}

/* kswapd naps for HZ / 10 before it sleeps for good: each of its runs began with a nap that an
 * allocation cut short, with one that ended below the high mark, or from a sleep; only the last
 * sleep goes on. */
Test(vmscan, kswapd_naps)
{
	enum { NR = 20000 };
	struct sim *sim = machine_new(QUICK "memory = 32MiB\n");

	f2fs_set_initial_size(machine_inode(sim, 5), NR << 12);
	machine_read_pages(sim, 5, 0, NR);
	sim_run_until(sim, sim->now + NSEC_PER_MSEC);
	uint64_t sleeps = vm(sim, "kswapd_sleeps");

	cr_assert_gt(vm(sim, "kswapd_low_wmark_hit_quickly"), 0);
	sim_run_until(sim, sim->now + 98 * NSEC_PER_MSEC);
	cr_assert_eq(vm(sim, "kswapd_sleeps"), sleeps);
	sim_run_until(sim, sim->now + 103 * NSEC_PER_MSEC); /* one more when it had to go on */
	cr_assert_eq(vm(sim, "kswapd_sleeps"), sleeps + 1);
	cr_assert_eq(vm(sim, "kswapd_wakes"), vm(sim, "kswapd_low_wmark_hit_quickly") +
						      vm(sim, "kswapd_high_wmark_hit_quickly") +
						      sleeps);
	cr_assert_geq(machine_stat(sim, "page_alloc", "nr_free_pages"), vm(sim, "wmark_high"));
	machine_free(sim);
}

/* Free memory above the low mark: kswapd never wakes. */
Test(vmscan, no_pressure_no_scan)
{
	struct sim *sim = machine_new(QUICK "memory = 64MiB\n");

	f2fs_set_initial_size(machine_inode(sim, 5), 8000 << 12);
	machine_read_pages(sim, 5, 0, 8000);
	cr_assert_eq(vm(sim, "kswapd_wakes"), 0);
	cr_assert_eq(vm(sim, "pgscan_kswapd") + vm(sim, "pgscan_direct"), 0);
	machine_free(sim);
}

/* Pages read twice are active and outlive a stream that is read once. */
Test(vmscan, active_pages_outlive_a_stream)
{
	struct sim *sim = machine_new(QUICK "memory = 32MiB\n");

	f2fs_set_initial_size(machine_inode(sim, 5), 1000 << 12);
	f2fs_set_initial_size(machine_inode(sim, 6), 30000 << 12);
	machine_read_pages(sim, 5, 0, 1000);
	machine_read_pages(sim, 5, 0, 1000);
	machine_read_pages(sim, 6, 0, 30000);
	cr_assert_eq(machine_resident(sim, 5), 1000);
	machine_free(sim);
}

/* A writer larger than memory: only written pages are freed, and what was dirtied was written or is
 * dirty. */
Test(vmscan, dirty_pages_are_written_before_they_go)
{
	enum { NR = 1024 }; /* 64 MiB */
	struct sim *sim = machine_new(QUICK "memory = 32MiB\n");
	static struct op ops[NR];

	for (unsigned int i = 0; i < NR; i++)
		ops[i] = machine_write(5, (int64_t)i << 16, 1 << 16, 0);
	machine_ops(sim, ops, NR);
	cr_assert_eq(ops[NR - 1].result, 1 << 16);
	cr_assert_leq(vm(sim, "pgsteal_kswapd") + vm(sim, "pgsteal_direct"),
		      machine_stat(sim, "page_writeback", "nr_written"));
	machine_free(sim);
}

/* All of memory dirty in one call and a threshold that lets it: reclaim wakes the flusher and the
 * writer waits. */
Test(vmscan, memory_full_of_dirty_pages)
{
	struct sim *sim = machine_new(QUICK "memory = 16MiB\n[page_writeback]\ndirty_ratio = 100\n"
					    "dirty_background_ratio = 99\n");
	struct op ops[] = {machine_write(5, 0, 48 << 20, 0)};

	machine_ops(sim, ops, 1);
	cr_assert_eq(ops[0].result, 48 << 20);
	cr_assert_gt(vm(sim, "allocstall"), 0);
	machine_free(sim);
}

/* Written from the end of the file to its start and flushed in the order of the file, the oldest
 * pages are the last to become clean.  MGLRU sorts the dirty ones it meets: scan = steal (KERNEL
 * 5.7, 0.4); classic counts them as scanned. */
Test(vmscan, mglru_scans_what_it_steals)
{
	enum { NR = 1024 }; /* 64 MiB */
	static const char *const lru[] = {"classic", "mglru"};
	uint64_t scan[2], steal[2], refill[2];

	for (unsigned int k = 0; k < 2; k++) {
		g_autofree char *ini =
			g_strdup_printf(SLOW "memory = 32MiB\n[page_writeback]\ndirty_ratio = 90\n"
					     "dirty_background_ratio = 80\n[vmscan]\nlru = %s\n",
					lru[k]);
		struct sim *sim = machine_new(ini);
		static struct op ops[NR];

		for (unsigned int i = 0; i < NR; i++)
			ops[i] = machine_write(5, (int64_t)(NR - 1 - i) << 16, 1 << 16, 0);
		machine_ops(sim, ops, NR);
		scan[k] = vm(sim, "pgscan_kswapd") + vm(sim, "pgscan_direct");
		steal[k] = vm(sim, "pgsteal_kswapd") + vm(sim, "pgsteal_direct");
		refill[k] = vm(sim, "pgrefill");
		cr_assert_eq(steal[k] + machine_resident(sim, 5), NR * 16);
		machine_free(sim);
	}
	cr_assert_gt(scan[0], steal[0]);
	cr_assert_eq(scan[1], steal[1]);
	cr_assert_gt(refill[1], 0);
}

/* Streamed pages are never in the two youngest generations (KERNEL 5.7): Active(file) stays 0. */
Test(vmscan, mglru_streams_stay_inactive)
{
	struct sim *sim = machine_new(QUICK "memory = 32MiB\n[vmscan]\nlru = mglru\n");

	f2fs_set_initial_size(machine_inode(sim, 5), 20000 << 12);
	machine_read_pages(sim, 5, 0, 20000);
	cr_assert_eq(vm(sim, "nr_active_file"), 0);
	cr_assert_eq(vm(sim, "nr_inactive_file"), machine_resident(sim, 5));
	cr_assert_eq(vm(sim, "pgscan_kswapd"), vm(sim, "pgsteal_kswapd"));
	machine_free(sim);
}

/* The knob: a larger watermark_scale_factor wakes kswapd earlier and leaves more free. */
Test(vmscan, scale_factor_leaves_more_free)
{
	uint64_t free_pages[2];

	for (unsigned int k = 0; k < 2; k++) {
		g_autofree char *ini = g_strdup_printf(
			QUICK "memory = 32MiB\n[vmscan]\nwatermark_scale_factor = %u\n",
			k ? 1000u : 10u);
		struct sim *sim = machine_new(ini);

		f2fs_set_initial_size(machine_inode(sim, 5), 20000 << 12);
		machine_read_pages(sim, 5, 0, 20000);
		free_pages[k] = machine_stat(sim, "page_alloc", "nr_free_pages");
		machine_free(sim);
	}
	cr_assert_gt(free_pages[1], free_pages[0]);
}

/* The knob: the smaller the memory, the more is scanned. */
Test(vmscan, smaller_memory_scans_more)
{
	uint64_t scan[2];

	for (unsigned int k = 0; k < 2; k++) {
		struct sim *sim =
			machine_new(k ? QUICK "memory = 32MiB\n" : QUICK "memory = 48MiB\n");

		f2fs_set_initial_size(machine_inode(sim, 5), 20000 << 12);
		machine_read_pages(sim, 5, 0, 20000);
		scan[k] = vm(sim, "pgscan_kswapd") + vm(sim, "pgscan_direct");
		machine_free(sim);
	}
	cr_assert_gt(scan[1], scan[0]);
}

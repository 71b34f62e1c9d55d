/*
 * tests/test_vmscan_captures.c - reclaim against what real kernels stole (captures/README.md,
 * issue 3: "Must show").
 */
#include <criterion/criterion.h>

#include "tests/cli.h"

static double stat(JsonObject *results, const char *model, const char *name)
{
	JsonObject *stats = json_object_get_object_member(results, "stats");

	return (double)json_object_get_int_member(json_object_get_object_member(stats, model),
						  name);
}

static void assert_near(const char *what, double got, double want, double share)
{
	cr_log_info("%s %.0f, observed %.0f (%+.2f %%)\n", what, got, want, (got / want - 1) * 100);
	cr_assert_float_eq(got, want, want * share, "%s %.0f, observed %.0f", what, got, want);
}

/* pressure/global: 858,930 scanned and 858,065 stolen by kswapd, nothing direct, in 1 GiB; its
 * sleeps and wakes: 225 runs (pageoutrun), of which 94 as free memory fell below the high mark in
 * the nap. */
Test(vmscan_captures, global)
{
	JsonObject *results =
		cli_json(cli("run", "configs/validate/pressure_global.ini", "--json"));

	assert_near("pgsteal_kswapd", stat(results, "vmscan", "pgsteal_kswapd"), 858065, 0.02);
	assert_near("pgscan_kswapd", stat(results, "vmscan", "pgscan_kswapd"), 858930, 0.02);
	cr_assert_eq(stat(results, "vmscan", "pgsteal_direct"), 0);
	cr_assert_eq(stat(results, "vmscan", "allocstall"), 0);
	assert_near("kswapd_wakes", stat(results, "vmscan", "kswapd_wakes"), 225, 0.5);
	cr_assert_gt(stat(results, "vmscan", "kswapd_sleeps"), 1);
	cr_assert_gt(stat(results, "vmscan", "kswapd_high_wmark_hit_quickly"), 0);
}

/* pressure_ftrace/kswapd: 70,996 scanned and stolen by kswapd in 17 runs; thresholds 83,588 and
 * 41,743 pages at the start (its global_dirty_state). */
Test(vmscan_captures, kswapd_scenario)
{
	JsonObject *results = cli_json(
		cli("run", "configs/hosts/vm2-tracer.ini", "--variant", "configs/kernels/6.1.ini",
		    "--variant", "configs/devices/nvme-qemu.ini", "--set", "workload.rw=write",
		    "--set", "workload.bs=64k", "--set", "workload.size=512m", "--json"));

	assert_near("pgsteal_kswapd", stat(results, "vmscan", "pgsteal_kswapd"), 70996, 0.05);
	cr_assert_eq(stat(results, "vmscan", "pgscan_kswapd"),
		     stat(results, "vmscan", "pgsteal_kswapd"));
	cr_assert_eq(stat(results, "vmscan", "pgscan_direct"), 0);
	assert_near("kswapd_wakes", stat(results, "vmscan", "kswapd_wakes"), 17, 0.25);
	assert_near("nr_dirty_threshold", stat(results, "page_writeback", "nr_dirty_threshold"),
		    83588, 0.02);
	assert_near("nr_dirty_background_threshold",
		    stat(results, "page_writeback", "nr_dirty_background_threshold"), 41743, 0.02);
}

/*
 * tests/test_bdi_writeback.c - the control loop of dirty throttling: every figure worked out by
 * hand from KERNEL.md 4.3 to 4.8 with integer arithmetic.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "models/bdi_writeback.h"
#include "tests/machine.h"

/* bg 1,000, thresh 2,000: freerun 1,500, setpoint 1,750, limit 2,000; one device owns all. */
static uint64_t pos_ratio(uint64_t dirty)
{
	struct bdi_writeback wb;
	struct wb_domain dom = {0};
	struct dirty_throttle_control dtc = {.dom = &dom,
					     .thresh = 2000,
					     .bg_thresh = 1000,
					     .dirty = dirty,
					     .wb_thresh = 2000,
					     .wb_dirty = dirty};

	wb_init(&wb, 250);
	wb_position_ratio(&wb, &dtc);
	return dtc.pos_ratio;
}

/*
 * At freerun x = (250 << 10) / 251 = 1019, cube 1009, 2033; the device's line is 206445 at 0
 * and 1.0 at 1749: 2033 * 204945 / 204697 = 2035.  At the setpoint 1024 * 204695 / 204697 = 1023.
 */
Test(bdi_writeback, position_ratio)
{
	cr_assert_eq(pos_ratio(1500), 2035);
	cr_assert_eq(pos_ratio(1750), 1023);
	cr_assert_eq(pos_ratio(2000), 0);
	cr_assert_lt(pos_ratio(1900), pos_ratio(1800));
}

/* A device below half its share is pushed: at 100 of 1,000 (reserve) eight-fold. */
Test(bdi_writeback, a_starved_device_is_pushed)
{
	struct bdi_writeback wb;
	struct wb_domain dom = {0};
	struct dirty_throttle_control dtc = {.dom = &dom,
					     .thresh = 2000,
					     .bg_thresh = 1000,
					     .dirty = 1750,
					     .wb_thresh = 2000,
					     .wb_dirty = 1000};
	uint64_t balanced;

	wb_init(&wb, 250);
	wb_position_ratio(&wb, &dtc);
	balanced = dtc.pos_ratio;
	dtc.wb_dirty = 100;
	wb_position_ratio(&wb, &dtc);
	cr_assert_geq(dtc.pos_ratio, 8 * balanced);
}

/* Period 1,024 jiffies: (10000 * 250 + 25600 * 974) / 1024 = 26791, then 27924; avg follows by 1191
 * >> 3. */
Test(bdi_writeback, bandwidth_estimate)
{
	struct bdi_writeback wb;

	wb_init(&wb, 250);
	cr_assert(!wb_bandwidth_due(&wb, 49));
	cr_assert(wb_bandwidth_due(&wb, 50));
	wb_update_bandwidth(&wb, NULL, NULL, 50, 10000, 10000);
	cr_assert_eq(wb.write_bandwidth, 26791);
	cr_assert_eq(wb.avg_write_bandwidth, 25600);
	wb_update_bandwidth(&wb, NULL, NULL, 100, 20000, 20000);
	cr_assert_eq(wb.write_bandwidth, 27924);
	cr_assert_eq(wb.avg_write_bandwidth, 25748);
	wb_update_bandwidth(&wb, NULL, NULL, 100 + 2000, 20000 + 8000,
			    20000); /* longer than a period */
	cr_assert_eq(wb.write_bandwidth, 1000);
	cr_assert_eq(wb.avg_write_bandwidth, 1000);
}

/* Idle for more than a second: the estimate goes on from the new stamp, as above. */
Test(bdi_writeback, idle_time_does_not_count)
{
	struct bdi_writeback wb;

	wb_init(&wb, 250);
	wb_bandwidth_estimate_start(&wb, 250, 0, 0);
	cr_assert(wb_bandwidth_due(&wb, 251)); /* a second: not long enough */
	wb_bandwidth_estimate_start(&wb, 251, 500, 600);
	cr_assert(!wb_bandwidth_due(&wb, 300));
	wb_update_bandwidth(&wb, NULL, NULL, 301, 10500, 10600);
	cr_assert_eq(wb.write_bandwidth, 26791);
}

/*
 * 5,120 pages in 50 jiffies are the 25,600 a second that are assumed: the bandwidth stays.  Above
 * the setpoint (1,750) at pos_ratio 0.5 with 50,000 dirtied a second: the task's rate is 12,801,
 * balanced 12,801 * 25,600 / 50,001 = 6,553, yet the step waits for the balanced rate of last time,
 * 25,600, to agree.  Then x = 12,801, step 12,799, shift 25,600 / 25,599 = 1, (6,399 + 7) / 8 =
 * 800. Below the setpoint, 12,500 a second: balanced is cut to the bandwidth, and first last time's
 * 6,553 holds it, then the step of 800 has the shift 24,800 / 1,601 = 15 and is nothing.
 */
Test(bdi_writeback, the_rate_of_the_writers_moves_when_all_estimates_agree)
{
	struct bdi_writeback wb;
	struct wb_domain dom = {0};
	struct dirty_throttle_control dtc = {.dom = &dom,
					     .thresh = 2000,
					     .bg_thresh = 1000,
					     .dirty = 1900,
					     .wb_thresh = 2000,
					     .wb_dirty = 1900,
					     .pos_ratio = 512};

	wb_init(&wb, 250);
	wb_update_bandwidth(&wb, &dtc, NULL, 50, 5120, 10000);
	cr_assert_eq(wb.avg_write_bandwidth, 25600);
	cr_assert_eq(wb.dirty_ratelimit, 25600);
	cr_assert_eq(wb.balanced_dirty_ratelimit, 6553);
	wb_update_bandwidth(&wb, &dtc, NULL, 100, 10240, 20000);
	cr_assert_eq(wb.dirty_ratelimit, 24800);
	dtc.dirty = 1600;
	dtc.pos_ratio = 1536;
	wb_update_bandwidth(&wb, &dtc, NULL, 150, 15360, 22500);
	cr_assert_eq(wb.dirty_ratelimit, 24800);
	cr_assert_eq(wb.balanced_dirty_ratelimit, 25600);
	wb_update_bandwidth(&wb, &dtc, NULL, 200, 20480, 25000);
	cr_assert_eq(wb.dirty_ratelimit, 24800);
}

/* The limit follows the threshold up at once and down by a 32nd each fifth of a second. */
Test(bdi_writeback, the_limit_falls_slowly)
{
	struct bdi_writeback wb;
	struct wb_domain dom = {0};
	struct dirty_throttle_control dtc = {.dom = &dom,
					     .thresh = 3200,
					     .bg_thresh = 1600,
					     .wb_thresh = 3200,
					     .pos_ratio = 1024};

	wb_init(&wb, 250);
	wb_update_bandwidth(&wb, &dtc, NULL, 50, 0, 0);
	cr_assert_eq(hard_dirty_limit(&dom, 3200), 3200);
	dtc.thresh = 0;
	wb_update_bandwidth(&wb, &dtc, NULL, 100, 0, 0);
	cr_assert_eq(hard_dirty_limit(&dom, 0), 3100);
	wb_update_bandwidth(&wb, &dtc, NULL, 120, 0, 0); /* too early */
	cr_assert_eq(hard_dirty_limit(&dom, 0), 3100);
}

/* 10000 / (1 + 25600 / 32) + 1 = 13 jiffies, at most HZ / 5. */
Test(bdi_writeback, pauses)
{
	struct bdi_writeback wb;
	uint64_t next_poll;

	wb_init(&wb, 250);
	cr_assert_eq(wb_max_pause(&wb, 10000), 13);
	cr_assert_eq(wb_max_pause(&wb, 1000000), 50);
	cr_assert_eq(wb_min_pause(&wb, 50, 25600, &next_poll), 2);
	cr_assert_eq(next_poll, 200); /* 25600 * 2 / 256 */
	cr_assert_eq(wb_min_pause(&wb, 50, 100, &next_poll), 50);
	cr_assert_eq(next_poll, 19); /* 100 * 50 / 256 */
}

/*
 * A writer faster than its device ends at the device's rate (100 MiB/s), and dirty pages stay
 * between the background threshold and the limit.
 */
Test(bdi_writeback, a_fast_writer_is_held_at_the_devices_rate)
{
	struct sim *sim =
		machine_new("[device]\nmodel = fixed\nwrite_time = 0\nrate = 100MiB/s\n"
			    "[page_writeback]\ndirty_bytes = 64MiB\n"
			    "dirty_background_bytes = 32MiB\n[f2fs_data]\nmax_bio = 1MiB\n");
	enum { NR = 8192 }; /* 512 MiB in 64 KiB calls */
	static struct op ops[NR];
	int64_t rate;

	for (unsigned int i = 0; i < NR; i++)
		ops[i] = machine_write(5, (int64_t)i << 16, 1 << 16, 0);
	machine_ops(sim, ops, NR);
	/* after the start-up slack: the last quarter */
	rate = (NR / 4 * INT64_C(65536)) * NSEC_PER_SEC /
	       (ops[NR - 1].done_ns - ops[NR * 3 / 4 - 1].done_ns);
	cr_assert_geq(rate, (int64_t)95 << 20, "%ld", rate);
	cr_assert_leq(rate, (int64_t)105 << 20, "%ld", rate);
	cr_assert_gt(machine_stat(sim, "page_writeback", "dirty_pauses"), 0);
	cr_assert_leq(machine_stat(sim, "page_writeback", "nr_dirty"), 64 << 8);
	machine_free(sim);
}

/*
 * Dirtyable memory leaves out the high watermark: 4 GiB are 1,048,576 pages; min is
 * isqrt(16 * 4,194,304) / 4 = 2,048 pages, a step 1,048,576 * 10 / 10,000 = 1,048, high 4,144:
 * (1,048,576 - 4,144 + 1) * 819 / 4096 = 208,835 and with 409 / 4096 half of it, 104,290.
 */
Test(page_writeback, thresholds_leave_the_reserve_out)
{
	struct sim *sim = machine_new("[host]\nmemory = 4GiB\n");
	uint64_t background, thresh;

	global_dirty_limits(page_writeback_of(sim), &background, &thresh);
	cr_assert_eq(thresh, UINT64_C(1044433) * 819 / 4096);
	cr_assert_eq(background, UINT64_C(1044433) * 409 / 4096);
	machine_free(sim);
}

/* A page that the counters miss is caught by the check of the page cache (pagemap.c I3). */
Test(page_writeback, a_dirty_page_not_counted_is_caught, .signal = SIGABRT)
{
	struct sim *sim = machine_new("[device]\nmodel = fixed\n");
	struct op op = machine_write(5, 0, 8192, 0);

	machine_ops(sim, &op, 1);
	sim_check(sim); /* all is well so far */
	folio_account_cleaned(page_writeback_of(sim), 1);
	sim_check(sim);
}

/* What 128 MiB in 64 KiB calls to a device of 50 MiB/s leave with @dirty_ratio. */
static void write_with_ratio(const char *dirty_ratio, uint64_t *dirty, uint64_t *pauses)
{
	g_autofree char *ini =
		g_strconcat("[host]\nmemory = 256MiB\n[device]\nmodel = fixed\nwrite_time = 0\n"
			    "rate = 50MiB/s\n[page_writeback]\ndirty_ratio = ",
			    dirty_ratio, "\n", NULL);
	struct sim *sim = machine_new(ini);
	enum { NR = 2048 };
	static struct op ops[NR];

	for (unsigned int i = 0; i < NR; i++)
		ops[i] = machine_write(5, (int64_t)i << 16, 1 << 16, 0);
	machine_ops(sim, ops, NR);
	*dirty = machine_stat(sim, "page_writeback", "nr_dirty") +
		 machine_stat(sim, "page_writeback", "nr_writeback");
	*pauses = machine_stat(sim, "page_writeback", "dirty_pauses");
	machine_free(sim);
}

Test(page_writeback, a_higher_dirty_ratio_keeps_more_dirty_and_pauses_less)
{
	uint64_t dirty[2], pauses[2];

	write_with_ratio("20", &dirty[0], &pauses[0]);
	write_with_ratio("40", &dirty[1], &pauses[1]);
	cr_assert_gt(pauses[0], 0);
	cr_assert_lt(pauses[1], pauses[0], "%lu %lu", pauses[0], pauses[1]);
	cr_assert_gt(dirty[1], dirty[0], "%lu %lu", dirty[0], dirty[1]);
}

/*
 * 64 MiB are 16,384 pages, a 32nd of a CPU's share with 4 CPUs is 128.  Four tasks of CPU 2 dirty
 * 31 each, none has reached its own 32, and a fifth must ask at its fourth page, the 128th of all;
 * then the count starts anew.  Another CPU is not concerned.
 */
Test(page_writeback, the_tasks_of_a_cpu_ask_together)
{
	struct sim *sim = machine_new("[host]\nnr_cpus = 4\n[page_writeback]\n"
				      "dirty_bytes = 64MiB\ndirty_background_bytes = 32MiB\n");
	struct page_writeback *pw = page_writeback_of(sim);
	struct dirty_task dt[5];

	sim_start(sim);
	for (unsigned int i = 0; i < 5; i++) {
		dirty_task_init(&dt[i]);
		dirty_task_dirtied(pw, &dt[i], 2, i < 4 ? 31 : 3);
		cr_assert_not(dirty_task_must_ask(pw, &dt[i], 2), "%u", i);
	}
	dirty_task_dirtied(pw, &dt[4], 2, 1);
	cr_assert_not(dirty_task_must_ask(pw, &dt[4], 1));
	cr_assert(dirty_task_must_ask(pw, &dt[4], 2));
	cr_assert_not(dirty_task_must_ask(pw, &dt[3], 2));
	dirty_task_dirtied(pw, &dt[3], 2, 1); /* its own 32 */
	cr_assert(dirty_task_must_ask(pw, &dt[3], 2));
	machine_free(sim);
}

static void stats_by_hand(void *arg, struct wb_domain_stats *stats)
{
	*stats = *(const struct wb_domain_stats *)arg;
}

/*
 * A cgroup of 10,000 file pages that may grow by 100: thresh 10,100 * 819 / 4096 = 2,019,
 * background 10,100 * 409 / 4096 = 1,008, freerun 1,513, of a machine that has nothing dirty.
 * At freerun the writer looks again after 1 << (ilog2(2,019 - 1,513) / 2) = 16 pages; one more and
 * it keeps the flusher running.  That one writes while more than 1,008 are dirty, whatever is under
 * writeback.
 */
Test(page_writeback, a_memory_cgroup_is_a_domain_of_its_own)
{
	struct sim *sim = machine_new("[host]\nmemory = 4GiB\n");
	struct page_writeback *pw = page_writeback_of(sim);
	struct wb_domain_stats st = {.file_pages = 10000, .headroom_pages = 100};
	struct dirty_task dt;
	bool kick, again;

	page_writeback_set_memcg(pw, stats_by_hand, &st);
	st.dirty = 1008;
	st.writeback = 505;
	cr_assert_not(over_bground_thresh(pw));
	dirty_task_init(&dt);
	cr_assert_eq(balance_dirty_pages(pw, &dt, &kick, &again), 0);
	cr_assert_not(kick);
	cr_assert_eq(dt.nr_dirtied_pause, 16);
	st.dirty = 1009;
	cr_assert(over_bground_thresh(pw));
	dt.nr_dirtied = 16;
	balance_dirty_pages(pw, &dt, &kick, &again);
	cr_assert(kick);
	st.dirty = 2100; /* over its limit: nothing but a pause, then ask again */
	dt.nr_dirtied = 16;
	cr_assert_gt(balance_dirty_pages(pw, &dt, &kick, &again), 0);
	cr_assert(again);
	page_writeback_set_memcg(pw, NULL, NULL);
	machine_free(sim);
}

/*
 * The same cgroup with 1,766 dirty, its setpoint, and a device that has written nothing: its share
 * is (2,019 - 1,766) / 8 = 31 pages, 1,006 in 65,536; wb_setpoint 27, span 206,788 * 1,006 >> 16 =
 * 3,174, pos_ratio 1,024 * 1,435 / 3,175 = 462, rate 25,600 * 462 >> 10 = 11,550.
 * max_pause 1,766 / 801 + 1 = 3 jiffies; 200 pages would take 4, so the shortest is 1 + 3 / 2 = 2
 * with 11,550 * 3 / 256 = 135 pages to follow.  200 pages take 250 * 200 / 11,550 = 4 jiffies: it
 * sleeps 3, 12 ms, and owes nothing for the fourth.  135 pages more by jiffy 5, one after the end
 * of that period: 2 less 1, too short to sleep, and the credit is kept.
 */
Test(page_writeback, a_pause_takes_the_think_time_off)
{
	struct sim *sim = machine_new("[host]\nmemory = 4GiB\n[page_writeback]\nhz = 250\n");
	struct page_writeback *pw = page_writeback_of(sim);
	struct wb_domain_stats st = {.file_pages = 10000, .headroom_pages = 100, .dirty = 1766};
	struct dirty_task dt;
	bool kick, again;

	page_writeback_set_memcg(pw, stats_by_hand, &st);
	folio_account_dirtied(pw, st.dirty); /* all on the one device */
	dirty_task_init(&dt);
	dt.nr_dirtied = 200;
	cr_assert_eq(balance_dirty_pages(pw, &dt, &kick, &again), 12 * NSEC_PER_MSEC);
	cr_assert_not(again);
	cr_assert_eq(dt.nr_dirtied_pause, 135);
	cr_assert_eq(dt.nr_dirtied, 0);
	cr_assert_eq(dt.dirty_paused_when, 4);
	sim->now = 20 * NSEC_PER_MSEC;
	dt.nr_dirtied = 135;
	cr_assert_eq(balance_dirty_pages(pw, &dt, &kick, &again), 0);
	cr_assert_eq(dt.nr_dirtied, 0);
	cr_assert_eq(dt.dirty_paused_when, 6);
	folio_account_cleaned(pw, st.dirty);
	page_writeback_set_memcg(pw, NULL, NULL);
	machine_free(sim);
}

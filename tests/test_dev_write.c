/*
 * tests/test_dev_write.c - write buffer, drain, flush, FUA, read priority and collection of the
 * shipped device profiles (DEVICES.md 3 and 5, checks (b) to (f); CASES.md 53).
 */
#include <criterion/criterion.h>

#include "models/dev_drain.h"
#include "tests/closed_loop.h"

#define MIB ((int64_t)1 << 20)
#define KIB512 (MIB / 2)

static struct closed_loop *writes_on(struct sim *sim, unsigned int qd, int64_t size, uint64_t nr)
{
	struct closed_loop *l = g_new0(struct closed_loop, 1);

	l->op = REQ_OP_WRITE;
	l->sequential = true;
	l->qd = qd;
	l->size_bytes = size;
	l->nr = nr;
	closed_loop_run(sim, l);
	return l;
}

static struct closed_loop *writes(const char *ini, const char *const *sets, unsigned int qd,
				  int64_t size, uint64_t nr)
{
	struct sim *sim = device_sim(ini, sets);
	struct closed_loop *l = writes_on(sim, qd, size, nr);

	sim_free(sim);
	return l;
}

static double mb_per_s(const struct closed_loop *l)
{
	return closed_loop_iops(l) * (double)l->size_bytes / 1e6;
}

Test(dev_write, sustained_rate_is_the_drain)
{
	static const struct {
		const char *ini;
		double mb_per_s;
	} row[] = {{"nvme-970pro.ini", 2320},
		   {"nvme-datacenter.ini", 1441},
		   {"ufs4.ini", 1220},
		   {"ufs31.ini", 1200}};

	for (unsigned int i = 0; i < G_N_ELEMENTS(row); i++) {
		g_autofree struct closed_loop *l = writes(row[i].ini, NULL, 16, KIB512, 8000);

		assert_near(row[i].ini, mb_per_s(l), row[i].mb_per_s, 2);
	}
}

/* 16 x 1 MiB outstanding at 1374 MiB/s: Little gives 11.64 ms (measured p50 11.5), not 0.7. */
Test(dev_write, littles_law)
{
	g_autofree struct closed_loop *l = writes("nvme-datacenter.ini", NULL, 16, MIB, 8000);

	assert_near("datacenter MiB/s", closed_loop_iops(l), 1374, 2);
	assert_near("datacenter mean ms", (double)hist_mean(&l->latency) / 1e6, 11.6, 2);
}

/* Acknowledged by the flush's end: what a burst hides in the buffer is in the time. */
static double mb_per_s_with_flush(struct sim *sim, struct closed_loop *l, ktime_t flush_time)
{
	struct single flush;

	single_add(&flush, sim, REQ_OP_FLUSH, 0, 0, 0, sim->now);
	sim_run_until(sim, sim->now + NSEC_PER_SEC);
	return (double)(l->size_bytes * (int64_t)l->nr) * 1e3 /
	       (double)(l->last_ns + flush.latency_ns - flush_time);
}

/* CASES 53. */
Test(dev_write, burst_beats_the_drain_and_ten_buffers_do_not)
{
	struct sim *sim = device_sim("ufs4.ini", NULL);
	g_autofree struct closed_loop *burst = writes_on(sim, 8, KIB512, 8); /* 4 MiB: the buffer */
	double drained = mb_per_s_with_flush(sim, burst, 200000);

	cr_log_info("burst: %.0f MB/s acknowledged", mb_per_s(burst));
	cr_assert_gt(mb_per_s(burst), 2 * 1220);
	assert_near("burst with flush MB/s", drained, 1220, 2);
	sim_free(sim);

	sim = device_sim("ufs4.ini", NULL);
	g_autofree struct closed_loop *sustained = writes_on(sim, 8, KIB512, 80);

	drained = mb_per_s_with_flush(sim, sustained, 200000);
	assert_near("10 buffers with flush MB/s", drained, 1220, 2);
	cr_assert_gt(sustained->latency.max, 3 * NSEC_PER_MSEC); /* back-pressure: 4 MiB drain */
	sim_free(sim);
}

/* 16 MiB / 1220 MB/s = 13.752 ms, and flush_time 0.2 ms. */
Test(dev_write, flush_waits_for_what_is_buffered)
{
	const char *sets[] = {"device.write_buffer=16MiB", "device.link_write=10TB/s",
			      "device.cmd_write=0", "device.write_per_page=0", NULL};
	struct sim *sim = device_sim("ufs4.ini", sets);
	g_autofree struct closed_loop *l = writes_on(sim, 32, KIB512, 32);
	struct single flush, again;

	cr_assert_lt(l->last_ns, 10 * NSEC_PER_USEC); /* all acknowledged */
	single_add(&flush, sim, REQ_OP_FLUSH, 0, 0, 0, sim->now);
	single_add(&again, sim, REQ_OP_FLUSH, 0, 0, 0, 100 * NSEC_PER_MSEC);
	sim_run_until(sim, NSEC_PER_SEC);
	assert_near("flush under 16 MiB, ms", (double)(flush.latency_ns - 200000) / 1e6, 13.752,
		    0.2);
	cr_assert_eq(again.latency_ns, 200000);
	sim_free(sim);
}

/* OxDeadmeat capture: 4K write p50 12 us, FUA mean 406 us. */
Test(dev_write, fua_against_acknowledged)
{
	struct sim *sim = device_sim("nvme-970pro.ini", NULL);
	struct single plain, fua;

	single_add(&plain, sim, REQ_OP_WRITE, 0, 0, 4096, 0);
	single_add(&fua, sim, REQ_OP_WRITE, REQ_FUA, 0, 4096, 10 * NSEC_PER_MSEC);
	sim_run_until(sim, NSEC_PER_SEC);
	assert_near("write, us", (double)plain.latency_ns / 1e3, 12, 2);
	assert_near("FUA write, us", (double)fua.latency_ns / 1e3, 406, 2);
	sim_free(sim);
}

/* UFS 4, 1 MiB alone: 15 us, 11.70 (first unit over the link), 859.49 (drain), 200 us. */
Test(dev_write, fua_waits_for_its_own_drain)
{
	struct sim *sim = device_sim("ufs4.ini", NULL);
	struct single plain, fua;

	single_add(&fua, sim, REQ_OP_WRITE, REQ_FUA, 0, MIB, 0);
	single_add(&plain, sim, REQ_OP_WRITE, 0, 0, MIB, 10 * NSEC_PER_MSEC);
	sim_run_until(sim, NSEC_PER_SEC);
	assert_near("FUA 1 MiB, us", (double)fua.latency_ns / 1e3, 1086.19, 0.01);
	/* 15 + 374.49 (link) + 256 * 1.3 us */
	assert_near("write 1 MiB, us", (double)plain.latency_ns / 1e3, 722.29, 0.01);
	sim_free(sim);
}

/* Capacitors: neither flush nor FUA waits for the 8 MiB buffered. */
Test(dev_write, power_loss_protection)
{
	struct sim *sim = device_sim("nvme-datacenter.ini", NULL);
	g_autofree struct closed_loop *l = writes_on(sim, 16, KIB512, 64);
	struct single flush;

	cr_assert_eq(l->completed, 64);
	cr_assert_not(dev_ops_of(device_of(sim))->volatile_cache(device_of(sim)));
	single_add(&flush, sim, REQ_OP_FLUSH, 0, 0, 0, sim->now);
	sim_run_until(sim, NSEC_PER_SEC);
	cr_assert_eq(flush.latency_ns, 10000);
	sim_free(sim);
}

/* p50 of 4K reads, ns, while @qd writes of 512 KiB are always outstanding. */
static ktime_t read_p50(const char *ini, const char *const *sets, unsigned int qd)
{
	struct sim *sim = device_sim(ini, sets);
	g_autofree struct closed_loop *r = g_new0(struct closed_loop, 1);
	g_autofree struct closed_loop *w = g_new0(struct closed_loop, 1);
	struct closed_loop *loops[] = {w, r};
	ktime_t p50;

	*r = (struct closed_loop){.op = REQ_OP_READ, .size_bytes = 4096, .qd = 1, .nr = 4000};
	*w = (struct closed_loop){
		.op = REQ_OP_WRITE, .size_bytes = KIB512, .qd = qd, .sequential = true};
	if (qd)
		closed_loops_run(sim, loops, 2);
	else
		closed_loop_run(sim, r);
	p50 = hist_percentile(&r->latency, 500000);
	sim_free(sim);
	return p50;
}

Test(dev_write, read_priority)
{
	static const char *const inis[] = {"ufs4.ini", "nvme-datacenter.ini"};
	const char *off[] = {"device.read_priority=no", NULL};

	for (unsigned int i = 0; i < G_N_ELEMENTS(inis); i++) {
		ktime_t idle = read_p50(inis[i], NULL, 0), with = read_p50(inis[i], NULL, 16);
		ktime_t without = read_p50(inis[i], off, 16);

		cr_log_info(
			"%s read p50: idle %.1f us, under writes %.1f us, without priority %.0f us",
			inis[i], (double)idle / 1e3, (double)with / 1e3, (double)without / 1e3);
		cr_assert_gt(with, idle);
		cr_assert_leq(with, idle + 30000 + with / 64); /* suspend_time, and a bucket */
		cr_assert_gt(without, NSEC_PER_MSEC);
	}
}

/* 64 MiB of SLC at 1200 MB/s, the rest at 500; a second of idling brings 100 MB back. */
Test(dev_write, slc_cliff_and_refill)
{
	const char *sets[] = {"device.wb_bytes=64MiB", NULL};
	struct sim *sim = device_sim("ufs31.ini", sets);
	g_autofree struct closed_loop *first = writes_on(sim, 8, KIB512, 256);
	double ns = 67108864 / 1.2 + 67108864 / 0.5;

	assert_near("64 MiB fast, 64 MiB slow, MB/s", mb_per_s_with_flush(sim, first, 700000),
		    134217728 * 1e3 / ns, 2);
	sim_run_until(sim, sim->now + NSEC_PER_SEC);
	ktime_t begin = sim->now;
	g_autofree struct closed_loop *again = writes_on(sim, 8, KIB512, 128);
	struct single flush;

	single_add(&flush, sim, REQ_OP_FLUSH, 0, 0, 0, sim->now);
	sim_run_until(sim, sim->now + NSEC_PER_SEC);
	assert_near("64 MiB fast again, ms",
		    (double)(again->last_ns + flush.latency_ns - 700000 - begin) / 1e6,
		    67108864 / 1.2e6, 2);
	sim_free(sim);
}

/* Every 64 MiB 4 of 16 dies are gone for 3.5 ms: 64 MiB take 55.007 + 0.875 ms. */
Test(dev_write, garbage_collection)
{
	const char *sets[] = {"device.gc_bytes=64MiB", "device.gc_dies=4", NULL};
	struct sim *sim = device_sim("ufs4.ini", sets);
	g_autofree struct closed_loop *w = g_new0(struct closed_loop, 1);
	g_autofree struct closed_loop *r = g_new0(struct closed_loop, 1);
	struct closed_loop *loops[] = {w, r};

	*w = (struct closed_loop){.op = REQ_OP_WRITE,
				  .size_bytes = KIB512,
				  .qd = 16,
				  .nr = 20480,
				  .sequential = true};
	*r = (struct closed_loop){.op = REQ_OP_READ, .size_bytes = 4096, .qd = 1};
	closed_loop_run(sim, w);
	assert_near("with collection MB/s", mb_per_s(w), 67.108864 / 0.055882, 1);
	sim_free(sim);

	sim = device_sim("ufs4.ini", sets);
	w->completed = 0;
	closed_loops_run(sim, loops, 2);
	/* of about 540 reads a cycle (QD1) one meets a collecting die, within the first few, and
	 * waits for most of 3.5 ms */
	cr_assert_gt(hist_percentile(&r->latency, 999000), NSEC_PER_MSEC);
	cr_assert_lt(hist_percentile(&r->latency, 990000), NSEC_PER_MSEC / 2);
	sim_free(sim);
}

/* MODELING 1.4: the rate varies, the mean stays, and windows do not depend on who asks. */
Test(dev_write, fluctuating_drain)
{
	const struct drain_conf conf = {
		.rate = 1220000000, .tlc_rate = 1, .sigma = 0.5, .window_ns = 10 * NSEC_PER_MSEC};
	struct drain coarse, fine, other, half;
	int64_t total = 64 * 1024 * MIB;
	ktime_t shortest = KTIME_MAX, longest = 0, last = 0;

	drain_init(&coarse, &conf, 1);
	drain_init(&fine, &conf, 1);
	drain_init(&other, &conf, 2);
	for (int64_t done = 0; done < total; done += 64 * MIB) {
		drain_add(&coarse, 0, 64 * MIB);
		shortest = MIN(shortest, coarse.end - last);
		longest = MAX(longest, coarse.end - last);
		last = coarse.end;
	}
	for (int64_t done = 0; done < total; done += KIB512)
		drain_add(&fine, 0, KIB512);
	drain_add(&other, 0, total);
	assert_near("mean rate MB/s", (double)total * 1e3 / (double)coarse.end, 1220, 2);
	assert_near("in small pieces", (double)fine.end, (double)coarse.end, 0.01);
	cr_assert_neq(other.end, coarse.end);
	cr_assert_gt((double)longest, 1.5 * (double)shortest);
	/* backward over the windows is forward undone */
	drain_init(&half, &conf, 1);
	drain_add(&half, 0, total / 2);
	assert_near("backlog", (double)drain_backlog_below(&coarse, total / 2), (double)half.end,
		    0.01);
}

/* With a fluctuating drain the device still gives its mean rate in a closed loop. */
Test(dev_write, fluctuating_device_keeps_its_mean)
{
	const char *sets[] = {"device.drain_sigma=0.4", "device.drain_window=20ms", NULL};
	g_autofree struct closed_loop *l = writes("ufs4.ini", sets, 32, KIB512, 60000);

	assert_near("fluctuating MB/s", mb_per_s(l), 1220, 2);
	cr_assert_gt(hist_percentile(&l->latency, 990000),
		     hist_percentile(&l->latency, 500000) * 3 / 2);
}

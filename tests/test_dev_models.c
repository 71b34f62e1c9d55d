/*
 * tests/test_dev_models.c - the fixed and the empirical device, and what the keys of [device]
 * refuse.  Values worked out by hand.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "models/dev_empirical.h"
#include "models/dev_nvme.h"
#include "tests/closed_loop.h"

#define US NSEC_PER_USEC

/* Two servers of 100 us and a rate of 4096 bytes in 40.96 us, one after the other. */
Test(dev_models, fixed_servers_and_rate)
{
	const char *sets[] = {"device.model=fixed", "device.parallel=2", "device.rate=100MB/s",
			      NULL};
	struct sim *sim = device_sim(NULL, sets);
	struct single s[4];

	for (unsigned int i = 0; i < 3; i++)
		single_add(&s[i], sim, REQ_OP_READ, 0, 0, 4096, 0);
	single_add(&s[3], sim, REQ_OP_FLUSH, 0, 0, 0, 10 * NSEC_PER_MSEC);
	sim_run_until(sim, NSEC_PER_SEC);
	cr_assert_eq(s[0].latency_ns, 140960);
	cr_assert_eq(s[1].latency_ns, 181920);
	cr_assert_eq(s[2].latency_ns, 240960);
	cr_assert_eq(s[3].latency_ns, NSEC_PER_MSEC);
	sim_free(sim);
}

/* The points themselves come back, as percentiles of many draws. */
Test(dev_models, empirical_percentiles)
{
	const char *sets[] = {"device.model=empirical", "device.parallel=1",
			      "device.read=0:40us 50:54.3us 99:92.6us 100:102.5us", NULL};
	struct sim *sim = device_sim(NULL, sets);
	struct closed_loop *l = g_new0(struct closed_loop, 1);

	*l = (struct closed_loop){
		.op = REQ_OP_READ, .size_bytes = 4096, .qd = 1, .nr = 200000, .seed = 1};
	closed_loop_run(sim, l);
	assert_near("p25", (double)hist_percentile(&l->latency, 250000), 47150, 2);
	assert_near("p50", (double)hist_percentile(&l->latency, 500000), 54300, 2);
	assert_near("p99", (double)hist_percentile(&l->latency, 990000), 92600, 2);
	cr_assert_geq(l->latency.min, 40 * US);
	cr_assert_leq(l->latency.max, 102500);
	/* mean of straight lines: 0.5 * 47.15 + 0.49 * 73.45 + 0.01 * 97.55 us */
	assert_near("mean", (double)hist_mean(&l->latency), 60541, 1);
	g_free(l);
	sim_free(sim);
}

/* QD 4 on 4 servers is four times QD 1; the cap of 10 MB/s holds for writes alone. */
Test(dev_models, empirical_parallel_and_caps)
{
	const char *sets[] = {"device.model=empirical",	       "device.parallel=4",
			      "device.read=0:100us 100:100us", "device.write=0:10us 100:10us",
			      "device.write_rate=10MB/s",      NULL};
	struct closed_loop *l = g_new0(struct closed_loop, 1);
	struct sim *sim = device_sim(NULL, sets);

	*l = (struct closed_loop){.op = REQ_OP_READ, .size_bytes = 4096, .qd = 4, .nr = 4000};
	closed_loop_run(sim, l);
	assert_near("reads/s", closed_loop_iops(l), 40000, 0.1);
	*l = (struct closed_loop){.op = REQ_OP_WRITE, .size_bytes = 4096, .qd = 4, .nr = 4000};
	closed_loop_run(sim, l);
	assert_near("writes MB/s", closed_loop_iops(l) * 4096 / 1e6, 10, 0.1);
	g_free(l);
	sim_free(sim);
}

static void assert_refused(const char *set, const char *set2, const char *message)
{
	static const struct model_ops *const table[] = {&dev_nvme.model, &dev_empirical.model,
							NULL};
	const char *sets[] = {set, set2, NULL};
	GError *err = NULL;
	struct sim *sim = sim_new(config_load(NULL, NULL, sets, NULL), table, &err);

	cr_assert_null(sim, "%s %s", set, set2);
	cr_assert(strstr(err->message, message), "\"%s\" is not in \"%s\"", message, err->message);
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	g_clear_error(&err);
}

Test(dev_models, bad_keys_are_refused)
{
	static const char *const lists[] = {"device.read=",
					    "device.read=0:1us",
					    "device.read=0:1us 99:2us",
					    "device.read=50:1us 100:2us",
					    "device.read=0:2us 100:1us",
					    "device.read=0:1us 60:2us 50:3us 100:4us",
					    "device.read=0:1us 100:2",
					    "device.read=0:1us x:2us 100:3us",
					    "device.read=0:1us 101:2us",
					    "device.read=0 100:2us",
					    "device.read=0:1us nan:2us 100:3us",
					    "device.read=0:-1us 100:3us"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(lists); i++)
		assert_refused("device.model=empirical", lists[i], "device.read: ");
	assert_refused("device.model=nvme", "device.gc_dies=17", "17 of 16 dies");
	assert_refused("device.model=nvme", "device.exceptional_prob=1.5", "exceptional_prob");
	assert_refused("device.model=nvme", "device.drain_rate=0MB/s", "drain_rate");
	assert_refused("device.model=nvme", "device.stripe_unit=2KiB", "stripe_unit");
}

/* Every profile loads and knows all its keys (device_sim asserts), and gives a grade to each. */
Test(dev_models, profiles_carry_grades)
{
	GDir *dir = g_dir_open("configs/devices", 0, NULL);
	unsigned int nr = 0;

	cr_assert(dir);
	for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir), nr++) {
		struct sim *sim = device_sim(name, NULL);
		g_autofree const char **keys = config_keys(sim->config, "device");

		for (const char **key = keys; *key; key++)
			cr_assert(!strcmp(*key, "model") ||
					  config_grade(sim->config, "device", *key),
				  "%s: %s has no grade", name, *key);
		sim_free(sim);
	}
	g_dir_close(dir);
	cr_assert_geq(nr, 6);
}

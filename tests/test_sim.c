/*
 * tests/test_sim.c - the machine: models from a table, the run loop, and how a run can end badly.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <inttypes.h>

#include "sim/op.h"
#include "sim/report.h"
#include "sim/rng.h"
#include "tests/support.h"

/* Two devices to choose from and a plain model that uses whichever runs. */
struct disk {
	struct model model;
	struct {
		int64_t read_ns;
	} conf;
	struct {
		uint64_t reads;
	} stat;
};

static GString *calls; /* what was called, in order */

static bool disk_init(struct model *m, GError **err)
{
	(void)err;
	g_string_append_printf(calls, "init %s;", m->ops->name);
	return true;
}

static void disk_start(struct model *m)
{
	g_string_append_printf(calls, "start %s;", m->ops->name);
}

static void disk_fini(struct model *m)
{
	g_string_append_printf(calls, "fini %s;", m->ops->name);
}

static void disk_check(const struct model *m)
{
	assert(((const struct disk *)m)->stat.reads < 1000);
}

/* clang-format off */
static const struct conf_key fast_keys[] = {
	CONF(CONF_NSEC, disk, read_ns, "10us [E] guess", NULL, NULL, "read latency"),
	{ 0 }
};
static const struct conf_key slow_keys[] = {
	{ .name = "seek", .type = CONF_NSEC, .off = offsetof(struct disk, conf.read_ns), .def = "8ms",
	  .help = "time of a seek" },
	{ 0 }
};
static const struct stat_desc stats[] = { STAT(STAT_COUNT, disk, reads), { 0 } };
static const struct model_ops fast = {
	.name = "dev_fast", .section = "device", .choice = "fast", .source = "test",
	.size = sizeof(struct disk), .keys = fast_keys, .stats = stats,
	.init = disk_init, .start = disk_start, .fini = disk_fini,
};
static const struct model_ops slow = {
	.name = "dev_slow", .section = "device", .choice = "slow", .source = "test",
	.size = sizeof(struct disk), .keys = slow_keys, .stats = stats,
	.init = disk_init, .start = disk_start, .fini = disk_fini, .check = disk_check,
};
static const struct model_ops plain = {
	.name = "plain", .source = "test", .size = sizeof(struct model),
	.init = disk_init, .start = disk_start, .fini = disk_fini,
};
static const struct model_ops *const table[] = { &plain, &fast, &slow, NULL };
/* clang-format on */

static struct sim *machine(const char *text, GError **err)
{
	struct config *c = config_load(test_text("sim.ini", text), NULL, NULL, err);

	cr_assert_not_null(c);
	calls = g_string_new(NULL);
	return sim_new(c, table, err);
}

static void assert_ends(const GError *err, const char *want)
{
	cr_assert_not_null(err);
	cr_assert(g_str_has_suffix(err->message, want), "'%s' for '%s'", err->message, want);
}

Test(sim, models_live_in_table_order)
{
	struct sim *sim = machine("", NULL);

	cr_assert_not_null(sim);
	cr_assert_eq(model_get(sim, &plain), sim->models[0]);
	cr_assert_eq(model_chosen(sim, "device"), model_get(sim, &fast)); /* first of the table */
	cr_assert_null(model_chosen(sim, "plain"));
	sim_start(sim);
	cr_assert(sim_run(sim, NULL)); /* nobody is there: over at once */
	sim_free(sim);
	cr_assert_str_eq(calls->str, "init plain;init dev_fast;start plain;start dev_fast;"
				     "fini dev_fast;fini plain;");
}

Test(sim, a_choice_takes_its_keys_along)
{
	struct sim *sim = machine("[device]\nmodel = slow\nseek = 4ms\n[plain]\n", NULL);
	GError *err = NULL;

	cr_assert(config_check_unknown(sim->config, NULL));
	cr_assert_eq(((struct disk *)model_get(sim, &slow))->conf.read_ns, 4000000);
	sim_free(sim);

	sim = machine("[device]\nmodel = fast\nseek = 4ms\n", NULL);
	cr_assert_not(config_check_unknown(sim->config, &err));
	assert_ends(err, "sim.ini:3: device.seek: unknown key");
	g_clear_error(&err);
	sim_free(sim);

	cr_assert_null(machine("[device]\nmodel = floppy\n", &err));
	assert_ends(err, "sim.ini:2: device.model: 'floppy': expected fast | slow");
	g_clear_error(&err);

	sim = machine("[plain]\nx = 1\n", NULL);
	cr_assert_not(config_check_unknown(sim->config, &err));
	assert_ends(err, "plain.x: unknown key");
	sim_free(sim);
}

Test(sim, an_absent_peer_aborts, .signal = SIGABRT)
{
	model_get(machine("", NULL), &slow);
}

Test(sim, models_are_checked_while_it_runs, .signal = SIGABRT)
{
	struct sim *sim = machine("[sim]\ncheck = end\n[device]\nmodel = slow\n", NULL);

	sim_start(sim);
	((struct disk *)model_get(sim, &slow))->stat.reads = 1000;
	sim_run(sim, NULL);
}

Test(sim, check_off_checks_nothing)
{
	struct sim *sim = machine("[sim]\ncheck = off\n[device]\nmodel = slow\n", NULL);

	sim_start(sim);
	((struct disk *)model_get(sim, &slow))->stat.reads = 1000;
	cr_assert(sim_run(sim, NULL));
	sim_free(sim);
}

static unsigned int nr_checks;

static void count_check(const struct model *m)
{
	(void)m;
	nr_checks++;
}

static const struct model_ops counter = {
	.name = "counter", .source = "test", .size = sizeof(struct model), .check = count_check};
static const struct model_ops *const counter_table[] = {&counter, NULL};

static unsigned int steps_left;

static void steps_down(struct task *t)
{
	if (--steps_left > 0)
		task_run(t, 10, steps_down);
	else
		task_exit(t);
}

/*
 * 1000 events of a task that is alone: checked after 1 .. 64 (64 times), then after 66, 68 .. 128
 * (32), 131, 134 .. 191, 194 (22: steps of 1 + n / 64), and so on: 215 in all, and one at the end.
 */
Test(sim, checks_thin_out)
{
	const char *sets[] = {"sim.check=event", NULL};
	struct sim *sim = sim_new(config_load(NULL, NULL, sets, NULL), counter_table, NULL);
	struct task t;

	steps_left = 1000;
	task_init(&t, sim, "fio", 1, false);
	task_start(&t, steps_down);
	sim_start(sim);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(sim->nr_events, 1000);
	cr_assert_eq(nr_checks, 215 + 1, "%u", nr_checks);
	sim_free(sim);
}

Test(sim, bounds_of_the_own_sections)
{
	GError *err = NULL;

	cr_assert_null(machine("[host]\nnr_cpus = 0\n", &err));
	assert_ends(err, "sim.ini:2: host.nr_cpus: 0 is below 1");
}

static struct wait_queue folio_wq;

static void waits_for_ever(struct task *t)
{
	task_wait(t, &folio_wq, waits_for_ever, "folio writeback", 42, 7);
}

static void runs_then_waits(struct task *t)
{
	task_run(t, 1500 * NSEC_PER_MSEC, waits_for_ever);
}

/* Only the sampler is left: the run ends after the grace, not never, and names the task. */
Test(sim, a_lost_wakeup_names_the_task)
{
	struct sim *sim = machine("", NULL);
	struct task lost, thread;
	GError *err = NULL;

	task_init(&thread, sim, "kswapd0", 2, true);
	task_init(&lost, sim, "fio", 100, false);
	task_start(&thread, waits_for_ever);
	task_start(&lost, runs_then_waits);
	sim_start(sim);
	cr_assert_not(sim_run(sim, &err));
	cr_assert_eq(err->code, F2SIM_ERROR_SHORTFALL);
	cr_assert_str_eq(err->message,
			 "lost wakeup: task fio (100) waits for folio writeback (42, 7) since "
			 "1.500000000 s and nothing is left to wake it");
	cr_assert(sim->now <= 1500 * NSEC_PER_MSEC + LOST_WAKEUP_GRACE);
	cr_assert(sim->now >= 1500 * NSEC_PER_MSEC + LOST_WAKEUP_GRACE - NSEC_PER_SEC);
	cr_assert_str_eq(sim->failure->str, err->message);
	sim_free(sim);
}

Test(sim, an_empty_queue_is_a_lost_wakeup_at_once)
{
	struct sim *sim = machine("[sim]\nsample_interval = 0\n", NULL);
	struct task lost, never;
	GError *err = NULL;

	task_init(&never, sim, "idle", 3, false);
	task_init(&lost, sim, "fio", 100, false);
	task_start(&lost, waits_for_ever);
	sim_start(sim);
	cr_assert_not(sim_run(sim, &err));
	cr_assert(g_str_has_prefix(err->message, "lost wakeup: task fio (100)"));
	cr_assert_eq(sim->now, 0);
	sim_free(sim);
}

/* A daemon that wakes the waiter within the grace: no finding. */
static void wakes_after_50_s(struct task *t)
{
	if (t->sim->now >= 50 * NSEC_PER_SEC)
		wake_up(&folio_wq);
	task_sleep(t, t->sim->now + 50 * NSEC_PER_SEC, wakes_after_50_s);
}

static void waits_once(struct task *t)
{
	task_wait(t, &folio_wq, task_exit, "folio", 0, 0);
}

Test(sim, a_daemon_may_take_its_time)
{
	struct sim *sim = machine("", NULL);
	struct task t, thread;

	task_init(&t, sim, "fio", 1, false);
	task_init(&thread, sim, "kworker", 2, true);
	task_start(&t, waits_once);
	task_start(&thread, wakes_after_50_s);
	sim_start(sim);
	cr_assert(sim_run(sim, NULL));
	cr_assert_eq(sim->now, 50 * NSEC_PER_SEC);
	sim_free(sim);
}

static void spins(struct task *t)
{
	task_run(t, 0, spins);
}

static void fails(struct task *t)
{
	sim_fail(t->sim, "i_lock taken in softirq (%d)", 3);
	sim_fail(t->sim, "second");
	task_run(t, 1, spins);
}

Test(sim, a_run_without_progress_ends)
{
	struct sim *sim = machine("[sim]\nmax_events = 5000\n", NULL);
	struct task t;
	GError *err = NULL;

	task_init(&t, sim, "fio", 1, false);
	task_start(&t, spins);
	sim_start(sim);
	cr_assert_not(sim_run(sim, &err));
	cr_assert_str_eq(err->message, "no progress: sim.max_events = 5000 passed");
	cr_assert_eq(sim->nr_events, 5000);
	sim_free(sim);
}

Test(sim, the_first_failure_ends_the_run)
{
	struct sim *sim = machine("", NULL);
	struct task t;
	GError *err = NULL;

	task_init(&t, sim, "fio", 1, false);
	task_start(&t, fails);
	sim_start(sim);
	cr_assert_not(sim_run(sim, &err));
	cr_assert_eq(err->code, F2SIM_ERROR_SHORTFALL);
	cr_assert_str_eq(err->message, "i_lock taken in softirq (3)");
	sim_free(sim);
}

/* A task that goes on alone must not be carried past the end of sim_run_until(). */
static void steps(struct task *t)
{
	task_run(t, 7, steps);
}

Test(sim, run_until_stops_on_time)
{
	struct sim *sim = machine("", NULL);
	struct task t;

	task_init(&t, sim, "fio", 1, false);
	task_start(&t, steps);
	sim_start(sim);
	sim_run_until(sim, 1000);
	cr_assert_eq(sim->now, 1000);
	cr_assert_eq(t.cpu_ns, 1000);
	cr_assert_eq(sim->nr_events, 143); /* start, then one each 7 ns: 0, 7 .. 994 */
	sim_free(sim);
}

static void ignored(struct event *ev)
{
	(void)ev;
}

/* A bio still in flight when the last task exits at 0 finishes at 40; a daemon's event stays. */
Test(sim, drain_waits_for_what_is_in_flight)
{
	struct sim *sim = machine("", NULL);
	struct event bio, flusher;
	struct task t;

	event_init(&bio, ignored);
	event_init(&flusher, ignored);
	flusher.daemon = true;
	sim_at(sim, &bio, 40);
	sim_at(sim, &flusher, 50);
	task_init(&t, sim, "fio", 1, false);
	task_start(&t, task_exit);
	sim_start(sim);
	cr_assert(sim_run(sim, NULL));
	cr_assert(event_pending(&bio) && sim->now == 0);
	sim_drain(sim);
	cr_assert(!event_pending(&bio) && event_pending(&flusher));
	cr_assert_eq(sim->now, 40);
	sim_free(sim);
}

Test(sim, an_event_in_the_past_aborts, .signal = SIGABRT)
{
	struct sim *sim = machine("", NULL);
	struct event ev;

	sim_start(sim);
	sim_run_until(sim, 10);
	event_init(&ev, ignored);
	sim_at(sim, &ev, 9);
}

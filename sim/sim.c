/*
 * sim/sim.c - see sim/sim.h: building the machine, and the run loop.
 *
 * I1  the clock never goes back; nothing fires before it.
 * I2  nr_foreground counts the tasks that are neither daemon nor exited.
 */
#include "sim/sim.h"

#include "sim/series.h"

#if defined(F2SIM_SANITIZE)
#define CHECK_DEFAULT "event"
#elif defined(F2SIM_RELEASE)
#define CHECK_DEFAULT "off"
#else
#define CHECK_DEFAULT "end"
#endif

static const char *const check_names[] = {
	[CHECK_OFF] = "off", [CHECK_END] = "end", [CHECK_EVENT] = "event", NULL};

static const char *const context_names[] = {
	[CONTEXT_DETECT] = "detect", [CONTEXT_FAIL] = "fail", NULL};

#define HOST(kind, f, ...)                                                                         \
	{                                                                                          \
		.name = #f, .type = kind, .off = offsetof(struct sim, host.f), .def = __VA_ARGS__  \
	}

/* clang-format off */
static const struct conf_key sim_keys[] = {
	CONF(CONF_U64, sim, seed, "1", NULL, "9223372036854775807",
	     "seed of every random stream (--seed)"),
	CONF(CONF_ENUM, sim, check, CHECK_DEFAULT, NULL, NULL,
	     "when models check their invariants; default by build (DESIGN.md 7)", check_names),
	{ .name = "context", .type = CONF_ENUM, .off = offsetof(struct sim, context.mode), .def = "detect",
	  .help = "a lock taken where it must not be: count and go on, or end the run (DESIGN.md 2)",
	  .choices = context_names },
	CONF(CONF_NSEC, sim, sample_interval, "1s", "0", NULL,
	     "simulated time between rows of series.csv, doubled whenever there are 65536; "
	     "0 = first and last only (sar's 1 s)"),
	CONF(CONF_U64, sim, max_events, "0", NULL, NULL,
	     "end a run that dispatched more events as one without progress; 0 = no limit"),
	{ 0 }
};

static const struct conf_key host_keys[] = {
	HOST(CONF_U64, nr_cpus, "2", "1", "1024", "CPUs of the simulated host"),
	HOST(CONF_BYTES, memory, "4GiB", "1MiB", NULL,
	     "memory the page cache and free memory share"),
	HOST(CONF_NSEC, sched_slice, "3ms", "0", NULL,
	     "run time after which a task lets others go first (sysctl_sched_base_slice, 3 ms)"),
	{ 0 }
};

const struct conf_section sim_sections[] = {
	{ "sim",  sim_keys },
	{ "host", host_keys },
	{ 0 }
};
/* clang-format on */

static bool apply_sections(struct sim *sim, GError **err)
{
	for (const struct conf_section *s = sim_sections; s->name; s++) {
		conf_table_check(s->keys);
		if (!config_apply(sim->config, s->name, s->keys, sim, err))
			return false;
	}
	return true;
}

struct sim *sim_new(struct config *config, const struct model_ops *const *table, GError **err)
{
	struct sim *sim = g_new0(struct sim, 1);

	sim->config = config;
	sim->horizon = KTIME_MAX;
	event_queue_init(&sim->queue);
	if (apply_sections(sim, err)) {
		cpus_init(sim, (unsigned int)sim->host.nr_cpus);
		if (models_build(sim, table, err))
			return sim;
	}
	sim_free(sim);
	return NULL;
}

void sim_free(struct sim *sim)
{
	if (!sim)
		return;
	event_queue_fini(&sim->queue); /* first: owners of pending events may be gone */
	models_free(sim);
	cpus_fini(sim);
	series_free(sim->series);
	context_fini(sim);
	config_free(sim->config);
	if (sim->failure)
		g_string_free(sim->failure, TRUE);
	g_free(sim);
}

static void sample_now(struct sim *sim)
{
	cpus_settle(sim);
	models_sample(sim);
	series_sample(sim->series, sim);
}

static void sample_event(struct event *ev)
{
	struct sim *sim = container_of(ev, struct sim, sample);

	sample_now(sim);
	sim_after(sim, ev, series_interval(sim->series));
}

void sim_start(struct sim *sim)
{
	assert(!sim->series && sim->now == 0);
	models_start(sim);
	sim->series = series_new(sim);
	sample_now(sim);
	event_init(&sim->sample, sample_event);
	sim->sample.daemon = true;
	if (sim->conf.sample_interval > 0)
		sim_after(sim, &sim->sample, sim->conf.sample_interval);
}

void sim_check(struct sim *sim)
{
	if (sim->conf.check == CHECK_OFF)
		return;
	cpus_check(sim);
	models_check(sim);
}

void sim_fail(struct sim *sim, const char *format, ...)
{
	va_list args;

	if (sim->failure)
		return;
	sim->failure = g_string_new(NULL);
	va_start(args, format);
	g_string_append_vprintf(sim->failure, format, args);
	va_end(args);
}

/* A check is due after event 1, 2, .. 64, and then ever 1/64th more of them. */
static bool check_due(const struct sim *sim)
{
	return sim->conf.check == CHECK_EVENT && sim->nr_events >= sim->next_check;
}

static void check_if_due(struct sim *sim)
{
	if (!check_due(sim))
		return;
	sim_check(sim);
	sim->next_check = sim->nr_events + 1 + sim->nr_events / 64;
}

static void step(struct sim *sim)
{
	struct event *ev = event_pop(&sim->queue);

	assert(ev->time >= sim->now);
	sim->now = ev->time;
	sim->nr_events++;
	ev->fn(ev);
	check_if_due(sim);
}

static bool events_spent(const struct sim *sim)
{
	return sim->conf.max_events && sim->nr_events >= sim->conf.max_events;
}

bool sim_advance(struct sim *sim, ktime_t time)
{
	const struct event *first = event_first(&sim->queue);

	if (!first || time >= first->time || time > sim->horizon || sim->failure)
		return false;
	if (events_spent(sim) || check_due(sim))
		return false;
	sim->now = time;
	sim->nr_events++;
	return true;
}

/* Has nothing but daemons been due for so long that nobody will wake the blocked task? */
static bool nothing_left(const struct sim *sim, ktime_t *daemons_since)
{
	const struct event *first = event_first(&sim->queue);

	if (!first)
		return true;
	if (sim->queue.nr_foreground > 0)
		*daemons_since = -1;
	else if (*daemons_since < 0)
		*daemons_since = sim->now;
	return *daemons_since >= 0 && first->time - *daemons_since > LOST_WAKEUP_GRACE;
}

/* Name the first foreground task that is stuck: waiting, or (never started) nothing at all. */
static void fail_lost_wakeup(struct sim *sim)
{
	const struct task *stuck = NULL;

	for (const struct task *t = sim->tasks; t; t = t->all_next) {
		if (t->daemon || t->state == TASK_EXITED)
			continue;
		if (!stuck || (t->state == TASK_WAITING && stuck->state != TASK_WAITING))
			stuck = t;
	}
	assert(stuck); /* I2 */
	if (stuck->state != TASK_WAITING) {
		sim_fail(sim, "lost wakeup: task %s (%d) is not waiting but never runs",
			 stuck->name, stuck->pid);
		return;
	}
	sim_fail(sim,
		 "lost wakeup: task %s (%d) waits for %s (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
		 ") since %" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT
		 " s and nothing is left to wake it",
		 stuck->name, stuck->pid, stuck->why, stuck->why_arg[0], stuck->why_arg[1],
		 stuck->wait_since / NSEC_PER_SEC, stuck->wait_since % NSEC_PER_SEC);
}

bool sim_run(struct sim *sim, GError **err)
{
	ktime_t daemons_since = -1;

	assert(sim->series); /* sim_start() came first */
	sim->horizon = KTIME_MAX;
	while (sim->nr_foreground > 0 && !sim->failure) {
		if (events_spent(sim))
			sim_fail(sim, "no progress: sim.max_events = %" G_GUINT64_FORMAT " passed",
				 sim->conf.max_events);
		else if (nothing_left(sim, &daemons_since))
			fail_lost_wakeup(sim);
		else
			step(sim);
	}
	sample_now(sim);
	if (!sim->failure) {
		sim_check(sim);
		return true;
	}
	g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_SHORTFALL, sim->failure->str);
	return false;
}

static bool any_cpu_busy(const struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_cpus; i++)
		if (sim->cpus[i].current || sim->cpus[i].nr_queued)
			return true;
	return false;
}

void sim_drain(struct sim *sim)
{
	while ((sim->queue.nr_foreground > 0 || any_cpu_busy(sim)) && !sim->failure &&
	       !events_spent(sim))
		step(sim);
	sample_now(sim);
	sim_check(sim);
	if (sim->conf.check != CHECK_OFF && !sim->failure && !events_spent(sim))
		models_check_idle(sim);
}

void sim_run_until(struct sim *sim, ktime_t until)
{
	assert(until >= sim->now);
	sim->horizon = until;
	for (const struct event *first = event_first(&sim->queue); first && first->time <= until;
	     first = event_first(&sim->queue))
		step(sim);
	sim->now = until;
	cpus_settle(sim);
}

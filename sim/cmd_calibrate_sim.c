/*
 * sim/cmd_calibrate_sim.c - what a device in the making does with the load that was observed, see
 * sim/cmd_calibrate.h.
 *
 * A capture is replayed open loop: each request reaches the device when it did, and D to C is taken
 * from the simulation's tracepoints.  Closed loops run as direct fio jobs, one a class, of at most
 * CLOSED_IOS requests, and their clat is taken.
 */
#include <string.h>

#include "sim/cmd_calibrate.h"
#include "sim/config.h"
#include "sim/simulate.h"
#include "sim/tracepoint.h"

#define CLOSED_IOS 4000

struct flying {
	int64_t time_ns;
	uint64_t sector, bytes, kind, flags;
};

struct calib_sink {
	struct trace_sink sink; /* must be first */
	struct calib *c;
	GArray *flying; /* struct flying, by issue */
};

static void completed(struct calib_sink *s, const struct trace_event *e)
{
	for (guint i = 0; i < s->flying->len; i++) {
		const struct flying f = g_array_index(s->flying, struct flying, i);

		if (f.sector != e->v[2] || f.kind != e->v[0] || f.bytes != e->v[3])
			continue;
		struct calib_class *k = calib_class(s->c, (enum op_kind)f.kind, f.flags & OP_FUA,
						    (int64_t)f.bytes, 0);

		hist_add(&k->run, e->time_ns - f.time_ns);
		g_array_remove_index(s->flying, i);
		return;
	}
}

static void see_event(struct trace_sink *sink, const struct trace_event *e)
{
	struct calib_sink *s = (struct calib_sink *)sink;

	if (e->id == TRACE_BLOCK_RQ_ISSUE) {
		const struct flying f = {e->time_ns, e->v[2], e->v[3], e->v[0], e->v[1]};

		g_array_append_val(s->flying, f);
	} else if (e->id == TRACE_BLOCK_RQ_COMPLETE) {
		completed(s, e);
	}
}

/* The machine with the device of @keys. */
static struct config *machine(const struct calib *c, const GArray *keys, GError **err)
{
	struct config *config = scenario_load(NULL, (const char *const *)c->variants,
					      (const char *const *)c->sets, err);
	g_autofree char *kb = g_strdup_printf("%" G_GINT64_FORMAT, MAX(c->largest >> 10, 512));

	if (!config)
		return NULL;
	config_set(config, "device", "model", c->model);
	config_set(config, "blk_mq", "max_sectors_kb", kb);
	for (guint i = 0; i < keys->len; i++) {
		const struct calib_key *k = &g_array_index(keys, struct calib_key, i);

		config_set(config, "device", k->name, k->value);
	}
	return config;
}

/* Simulated quantiles from k->run, which is emptied. */
static void reduce(struct calib_class *k)
{
	k->nr_simulated = k->run.count;
	for (unsigned int q = 0; q < Q_NR; q++)
		k->simulated[q] = k->run.count ? hist_percentile(&k->run, calib_ppm[q]) : 0;
	hist_fini(&k->run);
	hist_init(&k->run);
}

static bool run_open(struct calib *c, struct config *config, GError **err)
{
	struct calib_sink s = {.sink.event = see_event, .c = c};
	g_autofree char *joined = g_strjoinv(";", (char **)(uintptr_t)c->paths);
	bool ok;

	config_set(config, "workload", "capture", joined);
	config_set(config, "workload", "mode", "timed");
	config_set(config, "workload", "level", "block");
	if (c->capture.format)
		config_set(config, "workload", "format", c->capture.format);
	if (c->capture.time_unit)
		config_set(config, "workload", "time_unit", c->capture.time_unit);
	struct simulation *sim = simulation_new(config, err);

	if (!sim)
		return false;
	s.flying = g_array_new(FALSE, FALSE, sizeof(struct flying));
	trace_add_sink(simulation_report(sim)->sim, &s.sink);
	ok = simulation_run(sim, false, err);
	trace_stop(simulation_report(sim)->sim);
	g_array_unref(s.flying);
	simulation_free(sim);
	for (guint i = 0; ok && i < c->classes->len; i++)
		reduce(&g_array_index(c->classes, struct calib_class, i));
	return ok;
}

static void set_number(struct config *config, const char *key, uint64_t number)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	config_set(config, "workload", key, text);
}

static bool run_closed(struct calib_class *k, struct config *config, GError **err)
{
	bool read = k->kind == OP_BIO_READ, ok;
	uint64_t ios = CLAMP(k->n, 200, CLOSED_IOS);

	config_set(config, "workload", "rw", read ? "randread" : "randwrite");
	config_set(config, "workload", "direct", "1");
	config_set(config, "workload", "ioengine", "libaio");
	set_number(config, "bs", (uint64_t)k->size);
	set_number(config, "iodepth", k->depth);
	set_number(config, "size", (uint64_t)k->size * 65536);
	set_number(config, "io_size", (uint64_t)k->size * ios);
	struct simulation *sim = simulation_new(config, err);

	if (!sim)
		return false;
	ok = simulation_run(sim, false, err);
	if (ok && simulation_report(sim)->nr_jobs)
		hist_merge(&k->run,
			   &simulation_report(sim)->jobs[0].dir[read ? JOB_READ : JOB_WRITE].clat);
	simulation_free(sim);
	reduce(k);
	return ok;
}

bool calib_simulate(struct calib *c, const GArray *keys, GError **err)
{
	bool ok = true;

	if (!c->closed) {
		struct config *config = machine(c, keys, err);

		return config && run_open(c, config, err);
	}
	for (guint i = 0; ok && i < c->classes->len; i++) {
		struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);
		struct config *config;

		if (k->kind == OP_FLUSH || k->kind == OP_DISCARD)
			continue;
		config = machine(c, keys, err);
		ok = config && run_closed(k, config, err);
	}
	return ok;
}

/*
 * sim/cmd_run.c - the commands run and replay: one simulation, its table, its files.
 */
#include "sim/cmd_run.h"

#include <stdio.h>

#include "sim/cmd_emit.h"
#include "sim/simulate.h"

void run_options_clear(struct run_options *o)
{
	g_free(o->out);
	g_strfreev(o->emits);
	g_strfreev(o->sets);
	g_strfreev(o->variants);
}

void run_options_apply(const struct run_options *o, struct config *config)
{
	if (o->seed >= 0) {
		g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, o->seed);

		config_set(config, "sim", "seed", text);
	}
}

/* Results of a run that went to its end: files, then stdout. */
static bool show(const struct run_options *o, const struct report *report, GError **err)
{
	if (o->out && !report_write(report, o->out, err))
		return false;
	if (o->json)
		cmd_print_json(report_json(report));
	else
		report_print(report);
	return true;
}

/* Run @s and write what --emit asks for. */
static bool run_emitting(struct simulation *s, const struct run_options *o, GError **err)
{
	struct emits *emits = emits_open(o->emits, o->out, simulation_report(s)->sim, err);

	if (!emits)
		return false;
	if (simulation_run(s, true, err))
		return emits_commit(emits, err);
	emits_abort(emits);
	return false;
}

/* Simulate @config (taken), write and print.  Exit status, or -1 with *@err. */
static int run_config(struct config *config, const struct run_options *o, GError **err)
{
	run_options_apply(o, config);
	struct simulation *s = simulation_new(config, err);

	if (!s)
		return -1;
	bool ok = run_emitting(s, o, err) && show(o, simulation_report(s), err);

	simulation_free(s);
	return ok ? 0 : -1;
}

static int run(int argc, char **argv, GError **err)
{
	struct run_options o = {.seed = -1};
	const GOptionEntry options[] = {RUN_OPTION_ENTRIES(&o), EMIT_OPTION_ENTRY(&o),
					G_OPTION_ENTRY_NULL};
	g_auto(GStrv) args = NULL;
	int status = cmd_parse(&cmd_run, argc, argv, options, &args, err) ? 0 : -1;

	if (status == 0 && args && !emits_check(o.emits, o.out, err))
		status = -1;
	if (status == 0 && args) {
		struct config *config = scenario_load(args[0], (const char *const *)o.variants,
						      (const char *const *)o.sets, err);

		status = config ? run_config(config, &o, err) : -1;
	}
	run_options_clear(&o);
	return status;
}

/* [workload] capture and its reader's options, as if by --set. */
static bool set_captures(struct config *config, char **paths, const char *mode,
			 const struct capture_options *c, GError **err)
{
	for (unsigned int i = 0; paths[i]; i++) {
		if (!strchr(paths[i], ';'))
			continue;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: a capture's path may not contain ';'", paths[i]);
		return false;
	}
	g_autofree char *joined = g_strjoinv(";", paths);

	config_set(config, "workload", "capture", joined);
	if (mode)
		config_set(config, "workload", "mode", mode);
	if (c->format)
		config_set(config, "workload", "format", c->format);
	if (c->time_unit)
		config_set(config, "workload", "time_unit", c->time_unit);
	return true;
}

static int replay(int argc, char **argv, GError **err)
{
	struct run_options o = {.seed = -1};
	struct capture_options capture = {0};
	struct trace_opts opts;
	g_autofree char *scenario = NULL, *mode = NULL;
	const GOptionEntry options[] = {
		{"scenario", 0, 0, G_OPTION_ARG_FILENAME, &scenario,
		 "Machine and models to replay on", "FILE"},
		{"mode", 0, 0, G_OPTION_ARG_FILENAME, &mode, "When ops are issued (default think)",
		 "timed|think|asap"},
		RUN_OPTION_ENTRIES(&o),
		EMIT_OPTION_ENTRY(&o),
		CAPTURE_OPTION_ENTRIES(&capture),
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;
	int status = cmd_parse(&cmd_replay, argc, argv, options, &args, err) ? 0 : -1;

	if (status == 0 && args &&
	    !(emits_check(o.emits, o.out, err) &&
	      capture_options_apply(&capture, OP_CLASS_ALL, &opts, err)))
		status = -1;
	if (status == 0 && args) {
		struct config *config = scenario_load(scenario, (const char *const *)o.variants,
						      (const char *const *)o.sets, err);

		if (!config)
			status = -1;
		else if (set_captures(config, args, mode, &capture, err))
			status = run_config(config, &o, err);
		else
			config_free(config), status = -1;
	}
	capture_options_clear(&capture);
	run_options_clear(&o);
	return status;
}

static void describe_replay(GString *text)
{
	capture_options_describe(text);
	emits_describe(text);
}

const struct command cmd_run = {
	.name = "run",
	.args = "SCENARIO",
	.summary = "Simulate a scenario file or a fio job file",
	.min_args = 1,
	.max_args = 1,
	.describe = emits_describe,
	.run = run,
};

const struct command cmd_replay = {
	.name = "replay",
	.args = "CAPTURE...",
	.summary = "Replay captures through the simulated page cache and device",
	.min_args = 1,
	.max_args = UINT_MAX,
	.describe = describe_replay,
	.run = replay,
};

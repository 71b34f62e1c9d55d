/*
 * sim/cmd_validate.c - replay the inputs of captures and hold the simulation against what the
 * kernel did.
 *
 * A capture's profile (cmd_validate_profile.h) says on which machine; its file ops, or without any
 * its requests, drive the run.  A profile with a fio job of its own in [workload] is a scenario:
 * the capture only says what was observed.  CAPTURE may be a profile itself.
 */
#include <stdio.h>
#include <string.h>

#include "sim/cmd_run.h"
#include "sim/cmd_validate_files.h"
#include "sim/cmd_validate_profile.h"
#include "sim/cmd_validate_sim.h"
#include "sim/input.h"
#include "sim/simulate.h"
#include "traces/paths.h"

struct validate {
	struct run_options run;
	struct capture_options capture;
	char *profile; /* --profile */
	GArray *cells;
	bool missed; /* a gate, or a gate without a cell */
};

/* One capture, or a scenario, on its way through. */
struct subject {
	const struct validate *v;
	char *const *paths; /* of the capture; NULL = a scenario without */
	char *base;	    /* the experiment */
	struct tally *seen; /* what the capture holds; NULL as paths */
	struct trace *trace;
	struct profile *profile;
	struct config *config; /* until the simulation takes it */
	bool at_device;	       /* the capture's requests drive */
};

static bool see_capture(struct subject *s, GError **err)
{
	struct trace_opts opts;
	GError *error = NULL;
	struct op op;

	if (!capture_options_apply(&s->v->capture, OP_CLASS_ALL, &opts, err))
		return false;
	for (unsigned int i = 0; s->paths[i]; i++)
		if (!input_spool(s->paths[i], INT64_MAX, err))
			return false;
	s->trace = trace_open_group((const char *const *)s->paths, &opts, err);
	if (!s->trace)
		return false;
	s->seen = tally_new();
	while (trace_next(s->trace, &op, &error))
		tally_op(s->seen, &op);
	if (error)
		g_propagate_error(err, error);
	return !error;
}

static bool is_block_format(const struct trace_info *info)
{
	return g_str_equal(info->format, "blktrace") || g_str_equal(info->format, "blkparse");
}

/* The profile in the file @path (NULL = none) over the defaults, with --variant and --set. */
static bool load_profile(struct subject *s, const char *path, GError **err)
{
	s->config = scenario_load(path, (const char *const *)s->v->run.variants,
				  (const char *const *)s->v->run.sets, err);
	if (!s->config)
		return false;
	run_options_apply(&s->v->run, s->config);
	s->profile = profile_new(s->config, err);
	return s->profile != NULL;
}

/* The profile that was found by name may speak of another capture of that name. */
static bool is_of_this(const struct subject *s)
{
	uint64_t records = s->profile->conf.records;

	return !records || records == trace_info(s->trace)->records;
}

static void drop_profile(struct subject *s)
{
	profile_free(s->profile);
	s->profile = NULL;
	g_clear_pointer(&s->config, config_free);
}

static bool find_profile(struct subject *s, GError **err)
{
	g_autofree char *found = NULL;

	if (s->v->profile)
		return load_profile(s, s->v->profile, err);
	found = profile_find(s->base, is_block_format(trace_info(s->trace)));
	if (!load_profile(s, found, err))
		return false;
	if (is_of_this(s))
		return true;
	cmd_warn("%s: %s is of another capture of that name (%" G_GUINT64_FORMAT
		 " records), not used",
		 s->paths[0], found, s->profile->conf.records);
	drop_profile(s);
	return load_profile(s, NULL, err);
}

/* Has [workload] a job of its own, or captures that nothing is observed of? */
static bool is_scenario(const struct subject *s)
{
	static const char *const keys[] = {"rw", "readwrite", "jobfile"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(keys); i++)
		if (config_get(s->config, "workload", keys[i]))
			return true;
	return !s->paths && config_get(s->config, "workload", "capture");
}

static bool replay_this(struct subject *s, GError **err)
{
	if (is_scenario(s))
		return true;
	if (!s->paths) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: names neither a workload nor a capture", s->base);
		return false;
	}
	for (unsigned int i = 0; s->paths[i]; i++)
		if (strchr(s->paths[i], ';')) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: a capture's path may not contain ';'", s->paths[i]);
			return false;
		}
	g_autofree char *joined = g_strjoinv(";", (char **)(uintptr_t)s->paths);

	s->at_device = !tally_has_files(s->seen);
	config_set(s->config, "workload", "capture", joined);
	if (s->v->capture.format)
		config_set(s->config, "workload", "format", s->v->capture.format);
	if (s->v->capture.time_unit)
		config_set(s->config, "workload", "time_unit", s->v->capture.time_unit);
	return true;
}

static GArray *observed(struct subject *s)
{
	GArray *m = metrics_new();

	for (guint i = 0; i < s->profile->observed->len; i++) {
		const struct metric *o = &g_array_index(s->profile->observed, struct metric, i);

		metrics_add(m, o->value, o->unit, o->stat, "%s", o->name);
	}
	if (!s->paths)
		return m;
	tally_metrics(s->seen, trace_info(s->trace), m);
	validate_read_files(s->paths[0], s->base, m);
	return m;
}

static void add_cell(struct validate *v, struct subject *s, const struct metric *m,
		     double simulated)
{
	const struct tolerance *gate = profile_gate(s->profile, m);
	bool given = s->at_device && g_str_has_prefix(m->name, "rq.");
	struct cell c = {
		.experiment = g_strdup(s->base),
		.metric = g_strdup(m->name),
		.variant = g_strdup(s->profile->conf.variant),
		.unit = m->unit,
		.stat = m->stat,
		.io_bytes = s->profile->conf.io_bytes,
		.observed = m->value,
		.simulated = simulated,
		.gated = gate != NULL,
		.input = m->input || given,
		.tolerance = gate ? *gate : (struct tolerance){0},
	};

	v->missed |= cell_verdict(&c) == VERDICT_OFF;
	g_array_append_val(v->cells, c);
}

/* The pages that stayed, and how many of them stayed in the simulation too. */
static void add_survivors(struct validate *v, struct subject *s, const struct tally *simulated)
{
	struct metric m = {.unit = "pages", .stat = "sum"};

	if (!s->seen || !tally_has_files(s->seen) || !tally_resident(s->seen))
		return;
	m.value = (double)tally_resident(s->seen);
	m.name = (char *)(uintptr_t) "resident";
	add_cell(v, s, &m, (double)tally_resident(simulated));
	m.name = (char *)(uintptr_t) "resident.same";
	add_cell(v, s, &m, (double)tally_common(s->seen, simulated));
}

/* A replay at the device begins with requests: what bios they were made of is not simulated. */
static bool is_above_device(const struct subject *s, const struct metric *m)
{
	return s->at_device && g_str_has_prefix(m->name, "bio.");
}

static void add_cells(struct validate *v, struct subject *s, const struct report *r,
		      const struct tally *simulated)
{
	g_autoptr(GArray) seen = observed(s), tallied = metrics_new();

	tally_metrics(simulated, NULL, tallied);
	for (guint i = 0; i < seen->len; i++) {
		const struct metric *m = &g_array_index(seen, struct metric, i);
		double value;

		if (!is_above_device(s, m) &&
		    validate_simulated(r, tallied, m->name, m->stat, &value))
			add_cell(v, s, m, value);
	}
	add_survivors(v, s, simulated);
	if (!profile_unused(s->profile))
		return;
	cmd_warn("%s: [tolerance] %s: there is no such cell", s->base, profile_unused(s->profile));
	v->missed = true;
}

static bool simulate(struct validate *v, struct subject *s, GError **err)
{
	struct tally *tally = tally_new();
	struct simulation *sim = simulation_new(g_steal_pointer(&s->config), err);
	bool ok = sim != NULL;

	if (sim) {
		struct sim *machine = simulation_report(sim)->sim;
		struct watch *watch = validate_watch(machine, tally, s->seen != NULL);

		ok = simulation_run(sim, true, err);
		validate_unwatch(watch, machine);
		if (ok && v->run.out) {
			g_autofree char *dir = g_build_filename(v->run.out, s->base, NULL);

			ok = report_write(simulation_report(sim), dir, err);
		}
		if (ok)
			add_cells(v, s, simulation_report(sim), tally);
	}
	simulation_free(sim);
	tally_free(tally);
	return ok;
}

static void subject_clear(struct subject *s)
{
	trace_close(s->trace);
	tally_free(s->seen);
	profile_free(s->profile);
	if (s->config)
		config_free(s->config);
	g_free(s->base);
}

static bool validate_capture(struct validate *v, char *const *paths, GError **err)
{
	struct subject s = {.v = v, .paths = paths, .base = profile_base(paths[0])};
	bool ok = see_capture(&s, err) && find_profile(&s, err) && replay_this(&s, err) &&
		  simulate(v, &s, err);

	subject_clear(&s);
	return ok;
}

/* A profile: the capture it names, if it does. */
static bool validate_profile(struct validate *v, const char *path, GError **err)
{
	struct subject s = {.v = v, .base = profile_base(path)};
	g_autoptr(GPtrArray) groups = NULL;
	bool ok = load_profile(&s, path, err);
	g_autofree char *capture = ok ? profile_capture(s.profile, s.config) : NULL;

	if (capture) {
		const char *const one[] = {capture, NULL};

		groups = paths_group(one, err);
		ok = groups != NULL;
		s.paths = ok ? groups->pdata[0] : NULL;
		ok = ok && see_capture(&s, err);
	}
	ok = ok && replay_this(&s, err) && simulate(v, &s, err);
	subject_clear(&s);
	return ok;
}

static bool validate_arg(struct validate *v, const char *arg, GError **err)
{
	const char *const one[] = {arg, NULL};
	bool ok = true;

	if (g_str_has_suffix(arg, ".ini"))
		return validate_profile(v, arg, err);
	g_autoptr(GPtrArray) groups = paths_group(one, err);

	for (guint i = 0; groups && ok && i < groups->len; i++)
		ok = validate_capture(v, groups->pdata[i], err);
	return groups && ok;
}

static void print_tables(const GArray *cells)
{
	const char *last = NULL;

	for (guint i = 0; i < cells->len; i++) {
		const char *experiment = g_array_index(cells, struct cell, i).experiment;

		if (last && g_str_equal(last, experiment))
			continue;
		if (last)
			printf("\n");
		cells_print(experiment, cells);
		last = experiment;
	}
}

static int validate(struct validate *v, char *const *args, GError **err)
{
	if (v->run.out && !profile_bases_differ(args, err))
		return -1;
	v->cells = cells_new();
	for (unsigned int i = 0; args[i]; i++)
		if (!validate_arg(v, args[i], err))
			return -1;
	if (v->run.json)
		cmd_print_json(cells_json(v->cells));
	else
		print_tables(v->cells);
	return v->missed ? 1 : 0;
}

static int run(int argc, char **argv, GError **err)
{
	struct validate v = {.run.seed = -1};
	const GOptionEntry options[] = {
		{"profile", 0, 0, G_OPTION_ARG_FILENAME, &v.profile,
		 "Machine, other observations and tolerances, instead of configs/validate/NAME.ini",
		 "FILE"},
		RUN_OPTION_ENTRIES(&v.run),
		CAPTURE_OPTION_ENTRIES(&v.capture),
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;
	int status = cmd_parse(&cmd_validate, argc, argv, options, &args, err) ? 0 : -1;

	if (status == 0 && args)
		status = validate(&v, args, err);
	if (v.cells)
		g_array_unref(v.cells);
	g_free(v.profile);
	capture_options_clear(&v.capture);
	run_options_clear(&v.run);
	return status;
}

static void describe(GString *text)
{
	g_string_append(
		text,
		"CAPTURE is replayed on the machine of configs/validate/NAME.ini (NAME.blk.ini for "
		"blktrace), NAME being its\nname without folder and suffixes; without one, on the "
		"default machine and without gates.  CAPTURE may be a\nprofile itself.  Exit "
		"status "
		"1: a cell is outside its tolerance.\n\n");
	capture_options_describe(text);
}

const struct command cmd_validate = {
	.name = "validate",
	.args = "CAPTURE...",
	.summary = "Replay captures and compare with what they observed",
	.min_args = 1,
	.max_args = UINT_MAX,
	.describe = describe,
	.run = run,
};

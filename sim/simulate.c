/*
 * sim/simulate.c - one run from a configuration.
 */
#include "sim/simulate.h"

#include <string.h>

#include "models/models.h"
#include "models/pagemap.h"
#include "sim/cmd.h"
#include "sim/input.h"
#include "sim/series.h"
#include "sim/workload.h"

struct simulation {
	struct workload *workload;
	struct sim *sim;
	struct replay *replay;
	struct report report;
};

/* A profile of validate is a scenario with these sections more (sim/cmd_validate_profile.h). */
static void allow_observations(struct config *config)
{
	config_allow_section(config, "validate");
	config_allow_section(config, "observed");
	config_allow_section(config, "tolerance");
}

struct simulation *simulation_new(struct config *config, GError **err)
{
	struct simulation *s = g_new0(struct simulation, 1);

	allow_observations(config);
	s->report.notes = g_ptr_array_new_with_free_func(g_free);
	s->workload = workload_new(config, err);
	if (!s->workload) {
		config_free(config);
		goto fail;
	}
	s->sim = sim_new(config, models, err);
	if (!s->sim || !config_check_unknown(config, err))
		goto fail;
	s->replay = workload_start(s->workload, s->sim, s->report.notes, err);
	if (!s->replay)
		goto fail;
	s->report.sim = s->sim;
	s->report.workload = workload_describe(s->workload);
	return s;
fail:
	simulation_free(s);
	return NULL;
}

void simulation_free(struct simulation *s)
{
	if (!s)
		return;
	if (s->sim) /* first: tasks must outlive their machine */
		sim_free(s->sim);
	if (s->replay)
		replay_free(s->replay);
	workload_free(s->workload);
	g_ptr_array_free(s->report.notes, TRUE);
	g_free(s);
}

/* What a user should know of the run beside its numbers. */
static void add_notes(struct simulation *s)
{
	GPtrArray *notes = s->report.notes;
	ktime_t asked = s->sim->conf.sample_interval, used = series_interval(s->sim->series);

	if (replay_window_stalls(s->replay))
		g_ptr_array_add(notes, g_strdup_printf("tasks waited %" G_GUINT64_FORMAT
						       " times for room in the replay window",
						       replay_window_stalls(s->replay)));
	if (used != asked)
		g_ptr_array_add(
			notes,
			g_strdup_printf("series.csv has a row every %" G_GINT64_FORMAT
					" ns instead of sim.sample_interval = %" G_GINT64_FORMAT
					" ns: at most 65536 rows are held",
					used, asked));
}

/* Every dontcache op of an unsupporting profile fails before it begins: nobody should wonder at
 * empty results. */
static void note_refused(struct simulation *s, bool warn)
{
	uint64_t refused = filemap_of(s->sim)->stat.eopnotsupp;
	g_autofree char *line = NULL;

	if (!refused)
		return;
	line = g_strdup_printf(
		"%" G_GUINT64_FORMAT
		" dontcache ops were answered EOPNOTSUPP by [f2fs_data] dontcache = %s; "
		"configs/kernels/6.12-phone.ini is a profile that supports them",
		refused, config_get(s->sim->config, "f2fs_data", "dontcache") ?: "none");
	if (warn)
		cmd_warn("%s", line);
	g_ptr_array_add(s->report.notes, g_steal_pointer(&line));
}

/* Locks taken where they must not be: each different chain, then how many there were in all. */
static void note_violations(struct simulation *s, bool warn)
{
	const struct sim *sim = s->sim;
	const char *chain;

	for (unsigned int i = 0; (chain = context_report(sim, i)); i++) {
		if (warn)
			cmd_warn("context violation in %s", chain);
		g_ptr_array_add(s->report.notes, g_strconcat("context violation in ", chain, NULL));
	}
	if (!sim->context.nr_violations)
		return;
	g_autofree char *line = g_strdup_printf(
		"%" G_GUINT64_FORMAT " context violations in all ([sim] context = detect)",
		sim->context.nr_violations);

	if (warn)
		cmd_warn("%s", line);
	g_ptr_array_add(s->report.notes, g_steal_pointer(&line));
}

bool simulation_run(struct simulation *s, bool warn, GError **err)
{
	bool ok;

	sim_start(s->sim);
	ok = sim_run(s->sim, err);
	if (ok)
		sim_drain(s->sim);
	s->report.jobs = replay_stats(s->replay, &s->report.nr_jobs);
	workload_finish(s->workload, warn, s->report.notes);
	note_refused(s, warn);
	if (ok && !s->sim->failure)
		note_violations(s, warn);
	add_notes(s);
	if (!ok)
		return false;
	if (replay_failed(s->replay, err))
		return false;
	if (s->sim->failure) {
		g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_SHORTFALL, s->sim->failure->str);
		return false;
	}
	return true;
}

const struct report *simulation_report(struct simulation *s)
{
	return &s->report;
}

/*
 * A real fio job file names its options outside [workload]: rw, readwrite or ioengine in a section
 * of any other name.
 */
static bool looks_like_fio(const char *text)
{
	static const char *const options[] = {"rw", "readwrite", "ioengine"};
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool workload = true;

	if (lines[0] && text_mark_bytes(lines[0], strlen(lines[0]), "", NULL) > 0)
		memset(lines[0], ' ', 3);
	for (unsigned int i = 0; lines[i]; i++) {
		const char *line = g_strstrip(lines[i]);
		size_t key = strcspn(line, "= \t");

		if (*line == '[')
			workload = g_str_has_prefix(line, "[workload]");
		for (unsigned int k = 0; !workload && k < G_N_ELEMENTS(options); k++)
			if (strlen(options[k]) == key && !strncmp(line, options[k], key))
				return true;
	}
	return false;
}

struct config *scenario_load(const char *path, const char *const *overlays, const char *const *sets,
			     GError **err)
{
	g_autofree char *text = path ? input_text(path, NULL, err) : NULL;
	bool fio = text && looks_like_fio(text);

	if (path && !text)
		return NULL;
	struct config *config = config_load(fio ? NULL : path, overlays, sets, err);

	if (config && fio)
		config_set(config, "workload", "jobfile", path);
	return config;
}

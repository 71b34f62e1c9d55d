/*
 * sim/workload.c - [workload]: captures or jobs, opened, scanned and handed to the replayer.
 *
 * A capture is read twice: first for the file sizes and blocks it shows (cmd_prescan.h), then to
 * drive the run.
 */
#include "sim/workload.h"

#include <string.h>

#include "models/f2fs_file.h"
#include "sim/cmd.h"
#include "sim/cmd_prescan.h"
#include "sim/input.h"
#include "sim/simulate.h"
#include "sim/workload_jobs.h"
#include "traces/fiojob.h"
#include "traces/paths.h"
#include "traces/trace.h"

enum { LEVEL_AUTO, LEVEL_FILE, LEVEL_BLOCK };
enum { FORCE_NOTHING, FORCE_DONTCACHE, FORCE_NORMAL };

/* An opened capture as a source of ops. */
struct capture_source {
	struct op_source source; /* must be first */
	struct trace *trace;
	bool block_level;
	uint64_t left_out; /* block ops read that file ops drive past */
};

struct workload {
	struct config *config; /* borrowed */
	struct {
		char *capture, *format, *jobfile;
		int time_unit, mode, level, force;
		uint64_t time_scale_percent, replay_iodepth;
	} conf;
	char **paths; /* of the captures, NULL = jobs */
	struct capture_source capture;
	GPtrArray *jobs;    /* struct fio_job *, NULL = a capture */
	GPtrArray *sources; /* struct op_source * of the jobs */
	GString *description;
};

/* clang-format off */
static const char *const unit_choices[] = { "default", "ns", "us", "ms", NULL };
static const char *const mode_choices[] = { "timed", "think", "asap", NULL };
static const char *const level_choices[] = { "auto", "file", "block", NULL };
static const char *const force_choices[] = { "nothing", "dontcache", "normal", NULL };

const struct conf_key workload_keys[] = {
	CONF(CONF_STR, workload, capture, "", NULL, NULL, "captures to replay, separated by ';', relative to this file; empty = a fio job", NULL),
	CONF(CONF_STR, workload, format, "", NULL, NULL, "format of the captures; empty = by content", NULL),
	CONF(CONF_STR, workload, jobfile, "", NULL, NULL, "a fio job file, relative to this file", NULL),
	CONF(CONF_ENUM, workload, time_unit, "default", NULL, NULL, "unit of times where the format leaves it open", unit_choices),
	CONF(CONF_ENUM, workload, mode, "think", NULL, NULL, "when ops are issued (DESIGN 3)", mode_choices),
	CONF(CONF_ENUM, workload, level, "auto", NULL, NULL, "what drives: file ops, or block ops at the device; auto = file ops if there are any", level_choices),
	CONF(CONF_ENUM, workload, force, "nothing", NULL, NULL, "put RWF_DONTCACHE on every read and write, or take it off", force_choices),
	CONF(CONF_U64, workload, time_scale_percent, "100", "1", "1000000", "gaps and time stamps times this / 100", NULL),
	CONF(CONF_U64, workload, replay_iodepth, "32", "1", "4096", "block ops in flight in mode asap", NULL),
	{ 0 },
};
/* clang-format on */

static bool capture_next(struct op_source *src, struct op *op, GError **err)
{
	struct capture_source *c = (struct capture_source *)src;

	if (!trace_next(c->trace, op, err))
		return false;
	c->left_out += !replay_drives(c->block_level, op);
	return true;
}

/* "a/b/../c" -> "a/c" (takes @path): what a scenario in a folder of its own makes of a capture's
 * path. */
static char *simplify(char *path)
{
	for (char *up = strstr(path, "/../"); up; up = strstr(path, "/../")) {
		char *start = g_strrstr_len(path, up - path, "/");

		start = start ? start + 1 : path;
		if (start == up || !strncmp(start, "../", 3) || !strncmp(start, "./", 2))
			break;
		memmove(start, up + 4, strlen(up + 4) + 1);
	}
	return path;
}

/* @path as the user means it: relative to the file that names it, unless a command line did. */
static char *resolve(const struct config *config, const char *key, const char *path)
{
	const char *where = config_where(config, "workload", key);
	const char *colon = where ? strrchr(where, ':') : NULL;

	if (!colon || g_path_is_absolute(path))
		return g_strdup(path);
	g_autofree char *file = g_strndup(where, (gsize)(colon - where));
	g_autofree char *folder = g_path_get_dirname(file);

	return simplify(g_str_equal(folder, ".") ? g_strdup(path)
						 : g_build_filename(folder, path, NULL));
}

static void capture_paths(struct workload *w)
{
	w->paths = g_strsplit(w->conf.capture, ";", -1);
	for (unsigned int i = 0; w->paths[i]; i++) {
		char *path = resolve(w->config, "capture", g_strstrip(w->paths[i]));

		g_free(w->paths[i]);
		w->paths[i] = path;
		g_string_append_printf(w->description, "%s%s", i ? ";" : "", path);
	}
}

static const struct conf_key *own_key(const char *name)
{
	const struct conf_key *k = workload_keys;

	while (k->type != CONF_END && strcmp(k->name, name))
		k++;
	return k->type != CONF_END ? k : NULL;
}

static bool read_jobs(struct workload *w, GError **err)
{
	if (!*w->conf.jobfile) {
		g_string_append(w->description, "fio job");
		w->jobs = workload_section_job(w->config, workload_keys, err);
		return w->jobs != NULL;
	}
	g_autofree char *path = resolve(w->config, "jobfile", w->conf.jobfile);

	g_autofree char *text = input_text(path, NULL, err); /* is it one? */

	if (!text)
		return false;
	g_string_append(w->description, path);
	w->jobs = fio_jobs_read(path, err);
	return w->jobs != NULL;
}

/* Beside a capture only our own keys make sense: a fio option there is a scenario's job that nobody
 * would run. */
static bool no_job_beside_capture(struct workload *w, GError **err)
{
	g_autofree const char **names = config_keys(w->config, "workload");

	for (unsigned int i = 0; names[i]; i++) {
		if (own_key(names[i]))
			continue;
		config_error(w->config, "workload", names[i], err,
			     fio_job_has(names[i]) ? "a capture is replayed, so the options of a "
						     "fio job have no place here"
						   : "unknown key");
		return false;
	}
	return true;
}

struct workload *workload_new(struct config *config, GError **err)
{
	struct workload *w = g_new0(struct workload, 1);
	bool ok;

	w->config = config;
	w->description = g_string_new(NULL);
	w->sources = g_ptr_array_new();
	ok = config_apply(config, "workload", workload_keys, w, err);
	if (ok && *w->conf.capture && *w->conf.jobfile) {
		config_error(config, "workload", "jobfile", err,
			     "a run has either a capture or a jobfile");
		ok = false;
	}
	if (ok && *w->conf.capture)
		ok = no_job_beside_capture(w, err);
	if (ok && !*w->conf.capture && w->conf.level == LEVEL_BLOCK) {
		config_error(config, "workload", "level", err,
			     "block is for captures; a fio job asks for files");
		ok = false;
	}
	if (ok && *w->conf.capture)
		capture_paths(w);
	else if (ok)
		ok = read_jobs(w, err);
	if (ok)
		return w;
	workload_free(w);
	return NULL;
}

void workload_free(struct workload *w)
{
	if (!w)
		return;
	trace_close(w->capture.trace);
	for (unsigned int i = 0; i < w->sources->len; i++)
		fio_source_free(w->sources->pdata[i]);
	g_ptr_array_free(w->sources, TRUE);
	if (w->jobs)
		g_ptr_array_free(w->jobs, TRUE);
	g_strfreev(w->paths);
	g_string_free(w->description, TRUE);
	g_free(w);
}

static struct trace *open_capture(struct workload *w, unsigned int want, GError **err)
{
	struct trace_opts opts = {
		.format = *w->conf.format ? w->conf.format : NULL,
		.time_unit = (enum trace_time_unit)w->conf.time_unit,
		.want = want,
	};

	return trace_open((const char *const *)w->paths, &opts, err);
}

static void note_prescan(const struct prescan *seen, GPtrArray *notes)
{
	if (seen->sizes_assumed)
		workload_note(
			notes,
			"%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			" file sizes are taken from the reads and pages seen: no event shows them",
			seen->sizes_assumed, seen->files);
	if (seen->other_added_pages || seen->other_dirtied_pages)
		workload_note(notes,
			      "node, meta and directory pages are not modelled: the capture shows "
			      "%" G_GUINT64_FORMAT " added and %" G_GUINT64_FORMAT " dirtied",
			      seen->other_added_pages, seen->other_dirtied_pages);
}

/* Ops of the level that does not drive are not replayed: say how many there are. */
static void note_left_out(uint64_t left_out, bool block, GPtrArray *notes)
{
	if (left_out)
		workload_note(notes,
			      "%" G_GUINT64_FORMAT " %s ops of the capture are not replayed: %s "
			      "ops drive (workload.level)",
			      left_out, block ? "file" : "block", block ? "block" : "file");
}

/* First pass; decides what drives. */
static bool scan_capture(struct workload *w, struct sim *sim, GPtrArray *notes, bool *block,
			 GError **err)
{
	struct trace *trace = open_capture(w, OP_CLASS_ALL, err);
	struct prescan seen;
	bool ok = trace && prescan_capture(trace, sim, &seen, err);

	trace_close(trace);
	if (!ok)
		return false;
	*block = w->conf.level == LEVEL_BLOCK || (w->conf.level == LEVEL_AUTO && !seen.file_ops);
	if (*block ? seen.block_ops : seen.file_ops) {
		if (!*block)
			note_prescan(&seen, notes);
		else if (w->conf.level == LEVEL_AUTO)
			workload_note(notes,
				      "no file op of the capture can be replayed: its block ops "
				      "drive the device");
		if (*block)
			note_left_out(seen.file_ops, true, notes);
		return true;
	}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: holds no %s that can drive a replay (f2sim inspect tells what it holds)",
		    w->description->str,
		    w->conf.level == LEVEL_AUTO ? "file or block op"
		    : *block			? "block op"
						: "file op");
	return false;
}

/* Make pipes readable twice. */
static bool spool_captures(const struct workload *w, GError **err)
{
	g_autoptr(GPtrArray) groups = paths_group((const char *const *)w->paths, err);

	for (guint i = 0; groups && i < groups->len; i++)
		for (char **path = g_ptr_array_index(groups, i); *path; path++)
			if (!input_spool(*path, INT64_MAX, err))
				return false;
	return groups;
}

static struct replay *start_capture(struct workload *w, struct sim *sim, GPtrArray *notes,
				    GError **err)
{
	struct replay_conf conf = {
		.mode = (enum replay_mode)w->conf.mode,
		.time_scale_ppm = w->conf.time_scale_percent * 10000,
		.iodepth = w->conf.replay_iodepth,
		.set_flags = w->conf.force == FORCE_DONTCACHE ? OP_DONTCACHE : 0u,
		.clear_flags = w->conf.force == FORCE_NORMAL ? OP_DONTCACHE : 0u,
	};

	if (!spool_captures(w, err) || !scan_capture(w, sim, notes, &conf.block_level, err))
		return NULL;
	w->capture.source.next = capture_next;
	w->capture.block_level = conf.block_level;
	/* trims of an iolog are block ops that file ops take with them */
	w->capture.trace = open_capture(
		w, conf.block_level ? OP_CLASS_BLOCK : OP_CLASS_FILE | OP_CLASS_BLOCK, err);
	if (!w->capture.trace)
		return NULL;
	struct replay *r = replay_new(sim, &conf);

	if (replay_add_capture(r, &w->capture.source, "capture", err))
		return r;
	replay_free(r);
	return NULL;
}

static struct replay *start_jobs(struct workload *w, struct sim *sim, GPtrArray *notes,
				 GError **err)
{
	struct replay_conf conf = {
		.mode = REPLAY_ASAP,
		.time_scale_ppm = 1000000,
		.set_flags = w->conf.force == FORCE_DONTCACHE ? OP_DONTCACHE : 0u,
		.clear_flags = w->conf.force == FORCE_NORMAL ? OP_DONTCACHE : 0u,
	};

	return workload_start_jobs(w->jobs, &conf, sim, w->sources, notes, err);
}

struct replay *workload_start(struct workload *w, struct sim *sim, GPtrArray *notes, GError **err)
{
	return w->paths ? start_capture(w, sim, notes, err) : start_jobs(w, sim, notes, err);
}

const char *workload_describe(const struct workload *w)
{
	return w->description->str;
}

void workload_finish(struct workload *w, bool warn, GPtrArray *notes)
{
	if (!w->capture.trace)
		return;
	const struct trace_info *info = trace_info(w->capture.trace);

	if (warn)
		cmd_warn_trace(w->capture.trace);
	note_left_out(w->capture.left_out, false, notes);
	if (info->unbound)
		workload_note(notes,
			      "%" G_GUINT64_FORMAT " file ops stayed unbound and were not replayed",
			      info->unbound);
	if (info->lost)
		workload_note(notes, "the capture lost %" G_GUINT64_FORMAT " events", info->lost);
}

/*
 * sim/cmd_reproduce.c - published series: simulate what was measured, compare cell by cell.
 *
 * A series is a folder (cmd_reproduce_series.h); a table is its own or the user's (--reference);
 * its cells (cmd_reproduce_cells.h) ask for runs (cmd_reproduce_plan.h), which worker processes do
 * (cmd_reproduce_run.c), and are judged (cmd_reproduce_judge.h).  Nothing is kept between calls.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cmd_reproduce_print.h"
#include "sim/cmd.h"

#define MAX_SEEDS 1000
#define MAX_JOBS 256

struct options {
	char *reference, *out;
	char **cells, **sets, **sizes;
	gint64 seeds, seed, jobs;
	gboolean json;
};

static void options_clear(struct options *o)
{
	g_free(o->reference);
	g_free(o->out);
	g_strfreev(o->cells);
	g_strfreev(o->sets);
	g_strfreev(o->sizes);
}

static bool check_range(const char *name, gint64 value, gint64 max, GError **err)
{
	if (value >= 1 && value <= max)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "--%s %" G_GINT64_FORMAT ": expected 1 to %" G_GINT64_FORMAT, name, value, max);
	return false;
}

static bool check_options(const struct options *o, GError **err)
{
	return check_range("seeds", o->seeds, MAX_SEEDS, err) &&
	       check_range("jobs", o->jobs, MAX_JOBS, err) &&
	       check_range("seed", o->seed, INT64_C(1) << 62, err);
}

static bool parse_sizes(const struct options *o, struct repro_filter *filter, GError **err)
{
	filter->cells = o->cells;
	if (!o->sizes)
		return true;
	filter->sizes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (char **size = o->sizes; *size; size++) {
		int64_t bytes;

		if (!conf_parse_bytes(*size, &bytes, err)) {
			g_prefix_error(err, "--io-bytes %s: ", *size);
			return false;
		}
		g_array_append_val(filter->sizes, bytes);
	}
	return true;
}

/* The folder configs/series: of $F2SIM_DATA, near the executable, or where make install put it. */
static char *series_root(void)
{
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = exe ? g_path_get_dirname(exe) : g_strdup(".");
	const char *const places[][2] = {
		{g_getenv("F2SIM_DATA"), "configs/series"},
		{".", "configs/series"},
		{bin, "configs/series"},
		{bin, "../configs/series"},
		{bin, "../../configs/series"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *dir =
			places[i][0] ? g_build_filename(places[i][0], places[i][1], NULL) : NULL;

		if (dir && g_file_test(dir, G_FILE_TEST_IS_DIR))
			return g_steal_pointer(&dir);
	}
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every folder with a series.ini, by name. */
static void add_all(const char *root, GPtrArray *folders)
{
	g_autoptr(GDir) dir = root ? g_dir_open(root, 0, NULL) : NULL;

	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *ini = g_build_filename(root, name, "series.ini", NULL);

		if (g_file_test(ini, G_FILE_TEST_EXISTS))
			g_ptr_array_add(folders, g_build_filename(root, name, NULL));
	}
	g_ptr_array_sort(folders, compare_names);
}

/* A folder, or a name below configs/series. */
static bool add_named(const char *root, const char *arg, GPtrArray *folders, GError **err)
{
	g_autofree char *here = g_build_filename(arg, "series.ini", NULL);
	g_autofree char *there = root ? g_build_filename(root, arg, "series.ini", NULL) : NULL;

	if (g_file_test(here, G_FILE_TEST_EXISTS)) {
		g_ptr_array_add(folders, g_strdup(arg));
	} else if (there && g_file_test(there, G_FILE_TEST_EXISTS)) {
		g_ptr_array_add(folders, g_build_filename(root, arg, NULL));
	} else {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: no series; expected a folder with a series.ini, or the name of "
			    "one in %s",
			    arg, root ? root : "configs/series");
		return false;
	}
	return true;
}

static bool load_series(char **args, GPtrArray *all, GError **err)
{
	g_autofree char *root = series_root();
	g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int i = 0; args[i]; i++)
		if (!add_named(root, args[i], folders, err))
			return false;
	if (!args[0])
		add_all(root, folders);
	for (unsigned int i = 0; i < folders->len; i++) {
		struct repro_series *s = repro_series_new(folders->pdata[i], err);

		if (!s)
			return false;
		g_ptr_array_add(all, s);
	}
	if (all->len)
		return true;
	g_set_error(
		err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		"no series found in configs/series; set F2SIM_DATA to the folder above configs");
	return false;
}

/* Every experiment of a user's table must be one of the series. */
static bool check_experiments(const struct table *t, const GPtrArray *all, GError **err)
{
	for (unsigned int i = 0; i < t->rows->len; i++) {
		const struct table_row *r = t->rows->pdata[i];
		bool known = false;

		for (unsigned int k = 0; k < all->len; k++)
			known |= repro_has_experiment(all->pdata[k], r->experiment);
		if (known)
			continue;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s:%u: experiment %s: no series has it", t->path, r->line,
			    r->experiment);
		return false;
	}
	return true;
}

static bool collect(struct repro_results *r, const struct table *user,
		    const struct repro_filter *filter, GError **err)
{
	if (user && !check_experiments(user, r->series, err))
		return false;
	for (unsigned int i = 0; i < r->series->len; i++) {
		const struct repro_series *s = r->series->pdata[i];
		unsigned int first = r->cells->len;

		if (!repro_add_cells(r->cells, s, user ? user : s->table, filter, err))
			return false;
		for (unsigned int k = first; k < r->cells->len; k++)
			if (!repro_plan_add(r->plan, r->cells->pdata[k], user, filter, err))
				return false;
	}
	if (r->cells->len)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "no cell is left: --cells and --io-bytes match none");
	return false;
}

static unsigned int nr_failed(const struct repro_results *r)
{
	struct repro_summary sum;

	repro_summarize(r->cells, &sum);
	return sum.failed + r->shortfalls->len;
}

/* Exit status, or -1 with *@err. */
static int reproduce(char **args, const struct options *o, const struct table *user,
		     const struct repro_filter *filter, GError **err)
{
	struct repro_results r = {
		.series = g_ptr_array_new_with_free_func((GDestroyNotify)repro_series_free),
		.cells = g_ptr_array_new_with_free_func(repro_cell_free),
		.plan = repro_plan_new(),
	};
	int status = -1;

	r.plan->nr_seeds = (unsigned int)o->seeds;
	r.plan->first_seed = o->seed;
	r.plan->user_sets = o->sets;
	r.plan->out = o->out;
	if (load_series(args, r.series, err) && collect(&r, user, filter, err) &&
	    repro_plan_run(r.plan, (unsigned int)o->jobs, err)) {
		repro_judge(r.cells, r.plan);
		r.shortfalls = repro_shortfalls(r.cells, r.series, r.plan,
						!filter->cells && !filter->sizes);
		if (o->json)
			repro_print_json(&r);
		else
			repro_print_table(&r);
		status = nr_failed(&r) ? 1 : 0;
		g_ptr_array_unref(r.shortfalls);
	}
	repro_plan_free(r.plan);
	g_ptr_array_unref(r.cells);
	g_ptr_array_unref(r.series);
	return status;
}

static int run_options(char **args, const struct options *o, GError **err)
{
	struct repro_filter filter = {0};
	struct table *user = NULL;
	int status = -1;

	if (check_options(o, err) && parse_sizes(o, &filter, err) &&
	    (!o->reference || (user = table_read(o->reference, err))))
		status = reproduce(args, o, user, &filter, err);
	table_free(user);
	if (filter.sizes)
		g_array_unref(filter.sizes);
	return status;
}

static int run(int argc, char **argv, GError **err)
{
	struct options o = {.seeds = 8, .seed = 1, .jobs = g_get_num_processors()};
	const GOptionEntry options[] = {
		{"reference", 0, 0, G_OPTION_ARG_FILENAME, &o.reference,
		 "Compare with the table FILE instead of the published one", "FILE"},
		{"seeds", 0, 0, G_OPTION_ARG_INT64, &o.seeds,
		 "Runs of each configuration (default 8)", "N"},
		{"seed", 0, 0, G_OPTION_ARG_INT64, &o.seed, "First seed (default 1)", "N"},
		{"jobs", 0, 0, G_OPTION_ARG_INT64, &o.jobs, "Runs at a time (default: one a CPU)",
		 "N"},
		{"cells", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.cells,
		 "Only cells METRIC/IO_BYTES/VARIANT like GLOB (repeatable)", "GLOB"},
		{"io-bytes", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.sizes,
		 "Only this I/O size (repeatable)", "SIZE"},
		{"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.sets, "Set one key, over every file",
		 "SECTION.KEY=VALUE"},
		{"out", 0, 0, G_OPTION_ARG_FILENAME, &o.out,
		 "Write results.json and series.csv of every run below DIR", "DIR"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "Print results as JSON", NULL},
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;
	int status = cmd_parse(&cmd_reproduce, argc, argv, options, &args, err) ? 0 : -1;

	if (status == 0 && args)
		status = run_options(args, &o, err);
	options_clear(&o);
	return status;
}

static void describe(GString *text)
{
	g_string_append(
		text,
		"SERIES is a folder with a series.ini, or the name of one in configs/series "
		"(default: all of them).\nPublished figures are compared with the mean over the "
		"seeds.  Roles: input (given to the simulation),\ncal (a calibrated value was set "
		"by it), pred (predicted), unexp (no mechanism explains it, not gated).\nFILE has "
		"the columns experiment,metric,io_bytes,variant,unit,stat,value of "
		"configs/series/*/reference.csv;\nany I/O size will do.  GLOB may begin with the "
		"experiment: 'dropbehind-phone/cached/*'; with it or --io-bytes medians of groups "
		"are not\njudged.  A cell without a tolerance in series.ini is only reported, but "
		"counts in the "
		"median and the worst.\nExit status: 1 when a cell is outside "
		"its tolerance or a run fell short.\n");
}

const struct command cmd_reproduce = {
	.name = "reproduce",
	.args = "[SERIES...]",
	.summary = "Simulate published series and compare cell by cell",
	.max_args = UINT_MAX,
	.describe = describe,
	.run = run,
};

/*
 * sim/cmd_plot.c - `f2sim plot DIR...`: gnuplot over the series of finished runs.
 *
 * Every plots/NAME.gp but common.gp is a figure, drawn once as DIR/NAME.svg and once as
 * DIR/NAME.png by a gnuplot process of its own.  A script finds its input in the variables series
 * and out, the names of its columns in columns (separated by spaces) and its format in term ("svg"
 * or "png").  compare_NAME.gp puts the first DIR beside each of the others (series2, columns2,
 * label1, label2); its figures go to the other one.  A figure none of whose counters is in a run is
 * left out, with a warning.  No shell is involved; a figure appears whole
 * or not at all.
 */
#include "sim/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cmd_plot_data.h"
#include "sim/tempfile.h"

struct plot {
	char *scripts;	 /* folder of the .gp files */
	GPtrArray *done; /* owned paths of the figures written */
};

static bool has_scripts(const char *dir)
{
	g_autofree char *common = g_build_filename(dir, "common.gp", NULL);

	return g_file_test(common, G_FILE_TEST_EXISTS);
}

/* The folder plots/: of $F2SIM_DATA, near the executable (installed, or in a build tree), or where
 * the build said.  Returns new; NULL with *@err. */
static char *find_scripts(GError **err)
{
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = exe ? g_path_get_dirname(exe) : g_strdup(".");
	const char *const places[][2] = {
		{g_getenv("F2SIM_DATA"), "plots"},
		{bin, "plots"},
		{bin, "../plots"},
		{bin, "../../plots"},
#ifdef DATADIR
		{DATADIR, "plots"},
#endif
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *dir =
			places[i][0] ? g_build_filename(places[i][0], places[i][1], NULL) : NULL;

		if (dir && has_scripts(dir))
			return g_steal_pointer(&dir);
	}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "plots/common.gp not found near %s; set F2SIM_DATA to the folder above plots",
		    bin);
	return NULL;
}

static int cmp_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the figures' scripts without ".gp", sorted; NULL with *@err. */
static GPtrArray *list_figures(const char *scripts, GError **err)
{
	GPtrArray *figures = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) bad = NULL;
	GDir *dir = g_dir_open(scripts, 0, &bad);

	if (!dir) {
		g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, bad->message);
		g_ptr_array_unref(figures);
		return NULL;
	}
	for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir))
		if (g_str_has_suffix(name, ".gp") && strcmp(name, "common.gp"))
			g_ptr_array_add(figures, g_strndup(name, strlen(name) - 3));
	g_dir_close(dir);
	g_ptr_array_sort(figures, cmp_name);
	return figures;
}

/* "name='value';" as gnuplot reads it: between single quotes only a quote is special. */
static void put_var(GString *vars, const char *name, const char *value)
{
	g_auto(GStrv) parts = g_strsplit(value, "'", -1);
	g_autofree char *quoted = g_strjoinv("''", parts);

	g_string_append_printf(vars, "%s='%s';", name, quoted);
}

static bool run_gnuplot(const char *script, const char *vars, GError **err)
{
	const char *const argv[] = {"gnuplot", "-e", vars, script, NULL};
	g_autofree char *complaint = NULL, *out = NULL;
	g_autoptr(GError) bad = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)(uintptr_t)argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN, NULL, NULL, &out,
			  &complaint, &status, &bad)) {
		g_autofree char *program = g_find_program_in_path(argv[0]);

		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s",
			    program ? bad->message : "gnuplot is not installed, and plot needs it");
		return false;
	}
	if (g_spawn_check_wait_status(status, NULL))
		return true;
	g_strstrip(complaint);
	g_strdelimit(complaint, "\n", ' ');
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: gnuplot failed: %s", script,
		    complaint);
	return false;
}

/* gnuplot is given the open file @fd, not a name: one that outlives us (we alone were told to end)
 * cannot make a file that was removed appear again. */
static bool draw_into(const struct plot *p, const char *name, const char *term, int fd,
		      const char *inputs, GError **err)
{
	g_autofree char *script = g_strdup_printf("%s/%s.gp", p->scripts, name);
	g_autofree char *out = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(GString) vars = g_string_new(inputs);
	struct stat st;

	put_var(vars, "plots", p->scripts);
	put_var(vars, "term", term);
	put_var(vars, "out", out);
	g_string_append(vars, "set loadpath plots");
	if (fcntl(fd, F_SETFD, 0) != 0 || !run_gnuplot(script, vars->str, err))
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: drew nothing", script);
	return false;
}

static bool draw(struct plot *p, const char *name, const char *term, const char *dir,
		 const char *inputs, GError **err)
{
	g_autofree char *path = g_strdup_printf("%s/%s.%s", dir, name, term);
	struct tempfile *t = tempfile_new(path, err);

	if (!t)
		return false;
	if (!draw_into(p, name, term, tempfile_fd(t), inputs, err)) {
		tempfile_abort(t);
		return false;
	}
	if (!tempfile_commit(t, err))
		return false;
	g_ptr_array_add(p->done, g_steal_pointer(&path));
	return true;
}

/* What a script needs to know of the run in @dir, the only or first one or the @second; its columns
 * go to *@columns. */
static bool put_run(GString *inputs, const char *dir, bool second, char **columns, GError **err)
{
	g_autofree char *csv = g_build_filename(dir, "series.csv", NULL);
	g_autofree char *base = g_path_get_basename(dir);

	*columns = plot_columns(csv, err);
	if (!*columns)
		return false;
	put_var(inputs, second ? "series2" : "series", csv);
	put_var(inputs, second ? "columns2" : "columns", *columns);
	put_var(inputs, second ? "label2" : "label1", base);
	return true;
}

/* Has each run at hand something for the figure @name?  Warns when not. */
static bool has_data(const struct plot *p, const char *name, const char *dir,
		     const char *const columns[2])
{
	g_autofree char *script = g_strdup_printf("%s/%s.gp", p->scripts, name);

	for (unsigned int i = 0; i < 2 && columns[i]; i++)
		if (!plot_finds_counters(script, columns[i])) {
			cmd_warn("%s: figure %s left out: %s has none of its columns", dir, name,
				 i	      ? "this run"
				 : columns[1] ? "the first run"
					      : "series.csv");
			return false;
		}
	return true;
}

static bool draw_figure(struct plot *p, const char *name, const char *dir, const char *inputs,
			GError **err)
{
	static const char *const terms[] = {"svg", "png"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(terms); i++)
		if (!draw(p, name, terms[i], dir, inputs, err))
			return false;
	return true;
}

/* The figures of @dir, or those that compare @first with it when @first is set. */
static bool draw_dir(struct plot *p, const GPtrArray *figures, const char *first, const char *dir,
		     GError **err)
{
	g_autoptr(GString) inputs = g_string_new(NULL);
	g_autofree char *here = NULL, *there = NULL;

	if (!put_run(inputs, first ? first : dir, false, &here, err) ||
	    (first && !put_run(inputs, dir, true, &there, err)))
		return false;
	const char *const columns[2] = {here, there};

	for (guint i = 0; i < figures->len; i++) {
		const char *name = g_ptr_array_index(figures, i);

		if (g_str_has_prefix(name, "compare_") != (first != NULL))
			continue;
		if (has_data(p, name, dir, columns) && !draw_figure(p, name, dir, inputs->str, err))
			return false;
	}
	return true;
}

static bool check_dirs(char **dirs, GError **err)
{
	for (; *dirs; dirs++) {
		g_autofree char *csv = g_build_filename(*dirs, "series.csv", NULL);

		if (!g_file_test(csv, G_FILE_TEST_IS_REGULAR) || strpbrk(*dirs, "\n\r")) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: no series.csv in it; expected the --out folder of a run",
				    *dirs);
			return false;
		}
	}
	return true;
}

static bool draw_all(struct plot *p, char **dirs, GError **err)
{
	g_autoptr(GPtrArray) figures = list_figures(p->scripts, err);

	if (!figures)
		return false;
	for (unsigned int i = 0; dirs[i]; i++)
		if (!draw_dir(p, figures, NULL, dirs[i], err) ||
		    (i > 0 && !draw_dir(p, figures, dirs[0], dirs[i], err)))
			return false;
	return true;
}

static void print_done(const GPtrArray *done, bool json)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "figures");
	json_builder_begin_array(b);
	for (guint i = 0; i < done->len; i++) {
		g_autofree char *valid = g_utf8_make_valid(g_ptr_array_index(done, i), -1);

		if (!json)
			puts(g_ptr_array_index(done, i));
		json_builder_add_string_value(b, valid);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
	if (json)
		cmd_print_json(json_builder_get_root(b));
}

static bool plot(char **dirs, bool json, GError **err)
{
	struct plot p = {0};

	if (!check_dirs(dirs, err))
		return false;
	p.scripts = find_scripts(err);
	if (!p.scripts)
		return false;
	p.done = g_ptr_array_new_with_free_func(g_free);
	bool ok = draw_all(&p, dirs, err);

	if (ok && !p.done->len) {
		ok = false;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "no figure drawn: %s holds none of the columns that they show", *dirs);
	}
	if (ok)
		print_done(p.done, json);
	g_ptr_array_unref(p.done);
	g_free(p.scripts);
	return ok;
}

static void describe(GString *text)
{
	g_string_append(text, "DIR is the --out folder of a run.  Figures come from plots/*.gp; "
			      "with several DIRs those\nthat compare put the first beside each "
			      "of the others.\n");
}

static int run(int argc, char **argv, GError **err)
{
	gboolean json = FALSE;
	const GOptionEntry options[] = {
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the list of figures as JSON", NULL},
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;

	if (!cmd_parse(&cmd_plot, argc, argv, options, &args, err))
		return -1;
	return !args || plot(args, json, err) ? 0 : -1;
}

const struct command cmd_plot = {
	.name = "plot",
	.args = "DIR...",
	.summary = "Draw the series of finished runs with gnuplot",
	.min_args = 1,
	.max_args = UINT_MAX,
	.describe = describe,
	.run = run,
};

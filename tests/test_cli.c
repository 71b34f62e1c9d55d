/*
 * tests/test_cli.c - the command line as a user meets it: help, exit status, error lines, files.
 * What inspect and convert say about captures is in test_cli_captures.c.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "models/models.h"
#include "sim/sim.h"
#include "tests/cli.h"
#include "tests/support.h"

#define OPS "# f2sim ops 1\n1000 write task=7 ino=4 pos=0 len=4096\n"

/* Names of the commands, as f2sim --help lists them. */
static char **command_names(void)
{
	g_auto(GStrv) lines = g_strsplit(cli("--help")->out, "\n", -1);
	GPtrArray *names = g_ptr_array_new();

	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, "  ") && g_ascii_islower((*line)[2]))
			g_ptr_array_add(names, g_strndup(*line + 2, strcspn(*line + 2, " ")));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

Test(cli, every_command_has_help)
{
	g_auto(GStrv) names = command_names();

	cr_assert(g_strv_contains((const char *const *)names, "inspect"));
	cr_assert(g_strv_contains((const char *const *)names, "defaults"));
	for (char **name = names; *name; name++) {
		const struct ran *r = cli(*name, "--help");
		g_autofree char *usage = g_strdup_printf("Usage:\n  f2sim %s ", *name);

		cr_assert_eq(r->status, 0, "%s: %s", *name, r->err);
		cr_assert(g_str_has_prefix(r->out, usage), "%s", r->out);
		cr_assert_str_empty(r->err);
	}
}

Test(cli, version)
{
	const struct ran *r = cli("--version");

	cr_assert_eq(r->status, 0);
	cr_assert(g_str_has_prefix(r->out, "f2sim ") && g_ascii_isdigit(r->out[6]), "%s", r->out);
}

Test(cli, bad_usage_is_one_line_and_status_2)
{
	cli_refused(cli_shell(""), "no command");
	cli_refused(cli("inpsect"), "did you mean \"inspect\"?");
	cli_refused(cli("Inspect\n\033[31m"), "unknown command");
	cli_refused(cli("zzzzzzzzzzzz"), "f2sim --help");
	cli_refused(cli("--json", "inspect"), "unknown option --json");
	cli_refused(cli("inspect"), "expected CAPTURE");
	cli_refused(cli("inspect", "--nope", "x"), "--nope");
	cli_refused(cli("convert", "x"), "expected CAPTURE... OUT");
	cli_refused(cli("defaults", "x"), "at most 0 arguments");
	cli_refused(cli("plot"), "expected DIR");
	cli_refused(cli("inspect", ""), "an argument is empty");
}

Test(cli, bad_input_is_one_line_and_status_2)
{
	const char *ops = test_text("a.ops", OPS);
	g_autofree char *folder = g_path_get_dirname(ops);

	cli_refused(cli("inspect", "/nowhere/at/all"), "/nowhere/at/all");
	cli_refused(cli("inspect", folder), "folder");
	cli_refused(cli("inspect", "--format", "nope", ops), "nope");
	cli_refused(cli("inspect", "--format", "ops:abc", ops), "ops takes nothing behind it");
	cli_refused(cli("inspect", "--format", "iolog:", ops), "iolog takes nothing behind it");
	cli_refused(cli("inspect", "--time-unit", "h", ops), "expected ns, us or ms");
	cli_refused(cli("inspect", test_text("empty", "")), "empty");
	cli_refused(cli("inspect", "/dev/zero"), "/dev/zero");
	cli_refused(cli("plot", folder), "series.csv");
}

/* One broken capture of two: nothing of the good one is printed either. */
Test(cli, nothing_is_printed_before_all_was_read)
{
	const char *good = test_text("good.ops", OPS);
	const char *bad = test_text("bad.ops", OPS "2000 write len=-1\n" OPS);

	cli_refused(cli("inspect", good, bad), "line 3");
	cli_refused(cli("inspect", "--json", good, bad), "line 3");
}

Test(cli, a_name_may_begin_with_a_dash_or_hold_any_byte)
{
	const char *odd = test_text("\xff\xfe odd\n.ops", OPS);
	JsonObject *c = cli_capture(cli("inspect", "--json", "--", odd), 0);

	cr_assert_str_eq(json_object_get_string_member(c, "format"), "ops");
	cli_refused(cli("inspect", "--", "--nope"), "--nope");
}

Test(cli, standard_input_is_read_once)
{
	g_autofree char *command =
		g_strdup_printf("inspect --json - < '%s'", test_text("in.ops", OPS));
	JsonObject *c = cli_capture(cli_shell(command), 0);

	cr_assert_eq(json_object_get_int_member(c, "records"), 1);
}

/* A pipe with a name cannot be opened twice either: a probe must not eat its first bytes. */
Test(cli, a_pipe_is_read_from_its_first_byte)
{
	g_autoptr(GString) text = g_string_new("# f2sim ops 1\n");
	g_autofree char *command = NULL, *fifo = NULL;

	for (int i = 0; i < 50000; i++)
		g_string_append_printf(text, "%d read ino=1 len=1\n", i);
	const char *ops = test_text("long.ops", text->str);

	fifo = g_strconcat(ops, ".fifo", NULL);
	cr_assert_eq(mkfifo(fifo, 0600), 0);
	command = g_strdup_printf("inspect --json '%s' & timeout 10 cat '%s' > '%s'; wait", fifo,
				  ops, fifo);
	cr_assert_eq(json_object_get_int_member(cli_capture(cli_shell(command), 0), "records"),
		     50000);
}

/* The sums of pages stay at the largest number instead of wrapping. */
Test(cli, huge_numbers_do_not_wrap)
{
	g_autoptr(GString) text = g_string_new("# f2sim ops 1\n"
					       "- bio_read dev=8:0 len=1 done=5\n");

	for (int i = 0; i < 40000; i++)
		g_string_append(text, "1 obs_cache_add ino=1 dev=8:0 len=1152921504606846976\n");
	JsonObject *c = cli_capture(cli("inspect", "--json", test_text("huge.ops", text->str)), 0);
	JsonObject *cache = json_object_get_object_member(c, "page_cache");

	cr_assert_eq(json_object_get_int_member(cache, "added_pages"), INT64_MAX);
	cr_assert_eq(json_object_get_size(json_object_get_object_member(c, "d2c_ns")), 0);
}

Test(cli, a_full_disk_is_told)
{
	const char *ops = test_text("a.ops", OPS);
	g_autofree char *inspect = g_strdup_printf("inspect '%s' > /dev/full", ops);
	g_autofree char *convert = g_strdup_printf("convert --to ops '%s' - > /dev/full", ops);

	cli_refused(cli_shell("defaults > /dev/full"), "No space left");
	cli_refused(cli_shell("--help > /dev/full"), "No space left");
	cli_refused(cli_shell("defaults >&-"), "standard output");
	cli_refused(cli_shell(inspect), "No space left");
	cli_refused(cli_shell(convert), "No space left");
}

/* Anything that convert may have left beside @path. */
static unsigned int files_beside(const char *path, const char *prefix)
{
	g_autofree char *folder = g_path_get_dirname(path);
	GDir *dir = g_dir_open(folder, 0, NULL);
	unsigned int n = 0;

	for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir))
		n += g_str_has_prefix(name, prefix) ? 1 : 0;
	g_dir_close(dir);
	return n;
}

Test(cli, a_failed_convert_leaves_no_file)
{
	const char *bad = test_text("bad.ops", OPS "2000 write len=-1\n" OPS);
	g_autofree char *folder = g_path_get_dirname(bad);
	g_autofree char *out = g_build_filename(folder, "out.csv", NULL);

	cli_refused(cli("convert", bad, out), "line 3");
	cr_assert_eq(files_beside(out, "out.csv"), 0);
	cli_refused(cli("convert", bad, "/nowhere/out.csv"), "/nowhere/out.csv");
}

Test(cli, convert_refuses_to_guess_or_to_overwrite_its_input)
{
	const char *ops = test_text("a.ops", OPS);
	g_autofree char *folder = g_path_get_dirname(ops);
	g_autofree char *other = g_build_filename(folder, ".", "a.ops", NULL);
	g_autofree char *now = NULL;

	cli_refused(cli("convert", ops, other), "is an input too");
	cli_refused(cli("convert", ops, "--to", "csv", folder), "folder");
	cli_refused(cli("convert", ops, "x.txt"), "--to");
	cli_refused(cli("convert", ops, "-"), "--to");
	cli_refused(cli("convert", ops, "--to", "nope", "x.txt"), "nope");
	cli_refused(cli("convert", "--json", "--to", "ops", ops, "-"), "standard output");
	cr_assert(g_file_get_contents(ops, &now, NULL, NULL));
	cr_assert_str_eq(now, OPS);
}

/* A pipe of the test's own: were it replaced by a file, as renaming would, cat saw nothing. */
Test(cli, convert_writes_through_what_is_no_file)
{
	const char *ops = test_text("a.ops", OPS);
	g_autofree char *folder = g_path_get_dirname(ops);
	g_autofree char *fifo = g_build_filename(folder, "fifo", NULL);
	g_autofree char *command = g_strdup_printf("convert --to ops '%s' '%s' & "
						   "timeout 10 cat '%s'; wait",
						   ops, fifo, fifo);
	GStatBuf st;

	cr_assert_eq(mkfifo(fifo, 0600), 0);
	cr_assert_not_null(strstr(cli_shell(command)->out, "ino=4"));
	cr_assert(g_stat(fifo, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* Results of a small job on the machine of @scenario, up to the echo of where keys were set; new.
 */
static char *run_results(const char *scenario)
{
	const struct ran *r = cli("run", "--json", "--set", "workload.rw=write", "--set",
				  "workload.size=1m", scenario);

	cr_assert_eq(r->status, 0, "%s", r->err);
	return g_strndup(r->out, (gsize)(strstr(r->out, "\"config\" :") - r->out));
}

/* The defaults, fed back, are a scenario that changes nothing. */
Test(cli, defaults_are_a_scenario)
{
	const char *path = test_text("defaults.ini", cli("defaults")->out);
	const char *empty = test_text("empty.ini", "[workload]\n");
	g_autofree char *with = run_results(path), *without = run_results(empty);

	cr_assert_not_null(strstr(with, "total_ios"));
	cr_assert_str_eq(with, without);
	cr_assert_not_null(strstr(cli("defaults")->out, "\ntime_scale_percent = 100\n"));
	GError *err = NULL;
	struct config *config = config_load(path, NULL, NULL, &err);

	cr_assert_not_null(config, "%s", err ? err->message : "");
	struct sim *sim = sim_new(config, models, &err);

	cr_assert_not_null(sim, "%s", err ? err->message : "");
	config_allow_section(sim->config, "workload"); /* a workload's to check */
	cr_assert(config_check_unknown(sim->config, &err), "%s", err ? err->message : "");
	cr_assert_eq(sim->host.nr_cpus, 2);
	sim_free(sim);
}

Test(cli, defaults_json_names_every_key)
{
	JsonArray *keys = json_object_get_array_member(cli_json(cli("defaults", "--json")), "keys");
	bool found = false;

	for (guint i = 0; i < json_array_get_length(keys); i++) {
		JsonObject *key = json_array_get_object_element(keys, i);

		cr_assert(json_object_has_member(key, "help"));
		if (strcmp(json_object_get_string_member(key, "section"), "host") ||
		    strcmp(json_object_get_string_member(key, "key"), "nr_cpus"))
			continue;
		found = true;
		cr_assert_str_eq(json_object_get_string_member(key, "max"), "1024");
		cr_assert_str_eq(json_object_get_string_member(key, "type"), "number");
	}
	cr_assert(found);
}

/* A folder with plots/ of one plain and one comparing figure, and two runs; returns new. */
static char *make_runs(void)
{
	char *root = g_dir_make_tmp("f2sim-plot-XXXXXX", NULL);
	static const struct {
		const char *folder, *name, *text;
	} files[] = {
		{"plots", "common.gp", "set datafile separator ','\n"},
		{"plots", "one.gp",
		 "load 'common.gp'\nset terminal @term\nset output out\n"
		 "if (columns ne \"time_s x\") { print undefined_then }\nplot series using 1:2\n"},
		{"plots", "compare_two.gp",
		 "load 'common.gp'\nset terminal @term\nset output out\n"
		 "plot series using 1:2 title label1, series2 using 1:2 title label2\n"},
		{"it's a", "series.csv", "time_s,x\n0,1\n1,2\n"},
		{"b", "series.csv", "time_s,x\n0,2\n1,1\n"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *folder = g_build_filename(root, files[i].folder, NULL);
		g_autofree char *path = g_build_filename(folder, files[i].name, NULL);

		g_mkdir_with_parents(folder, 0700);
		cr_assert(g_file_set_contents(path, files[i].text, -1, NULL));
	}
	g_setenv("F2SIM_DATA", root, TRUE);
	return root;
}

static void remove_runs(const char *root)
{
	char *argv[] = {"rm", "-r", (char *)root, NULL};

	cr_assert(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
			       NULL));
}

Test(cli, plot_draws_each_figure_twice)
{
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
	g_autofree char *root = make_runs();
	g_autofree char *a = g_build_filename(root, "it's a", NULL);
	g_autofree char *b = g_build_filename(root, "b", NULL);
	g_autofree char *svg = g_build_filename(b, "compare_two.svg", NULL);

	if (!gnuplot) {
		remove_runs(root);
		cr_skip_test("gnuplot is not here");
	}
	JsonObject *o = cli_json(cli("plot", "--json", a, b));
	JsonArray *figures = json_object_get_array_member(o, "figures");

	/* one.svg and one.png of each run, compare_two of the second */
	cr_assert_eq(json_array_get_length(figures), 6);
	cr_assert(g_file_test(svg, G_FILE_TEST_EXISTS));
	cr_assert_eq(files_beside(svg, "."), 0);
	remove_runs(root);
}

Test(cli, plot_without_gnuplot_says_so)
{
	g_autofree char *root = make_runs();
	g_autofree char *b = g_build_filename(root, "b", NULL);

	g_setenv("PATH", "/nowhere", TRUE);
	cli_refused(cli("plot", b), "gnuplot is not installed");
	g_setenv("PATH", "/usr/bin:/bin", TRUE);
	remove_runs(root);
}

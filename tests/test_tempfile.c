/*
 * tests/test_tempfile.c - sim/tempfile.h: whole or not at all, also when a signal ends the program.
 */
#include "sim/tempfile.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/op.h"
#include "tests/cli.h"
#include "tests/support.h"

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};

/* Names in the folder of @path, sorted, joined by blanks; new. */
static char *names_beside(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *command = g_strdup_printf("ls -A '%s' | tr '\n' ' '", folder);
	char *argv[] = {"/bin/sh", "-c", command, NULL}, *names = NULL;

	cr_assert(g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &names, NULL, NULL,
			       NULL));
	return g_strchomp(names);
}

static void expect_names(const char *path, const char *names)
{
	g_autofree char *got = names_beside(path);

	cr_assert_str_eq(got, names);
}

static void expect_text(const char *path, const char *text)
{
	g_autofree char *got = NULL;

	cr_assert(g_file_get_contents(path, &got, NULL, NULL));
	cr_assert_str_eq(got, text);
}

Test(tempfile, a_commit_replaces_the_whole_file)
{
	const char *path = test_text("out", "a much longer text than the new one");

	cr_assert(tempfile_write(path, "new", -1, NULL));
	expect_text(path, "new");
	cr_assert(tempfile_write(path, "new", 2, NULL));
	expect_text(path, "ne");
	expect_names(path, "out");
}

Test(tempfile, an_abort_leaves_what_was_there)
{
	const char *path = test_text("out", "before");
	struct tempfile *t = tempfile_new(path, NULL);

	cr_assert_eq(write(tempfile_fd(t), "half", 4), 4);
	tempfile_abort(t);
	tempfile_abort(NULL);
	expect_text(path, "before");
	expect_names(path, "out");
}

Test(tempfile, permissions_are_those_of_a_plain_open)
{
	const char *path = test_text("out", "");
	GStatBuf st;

	g_unlink(path);
	umask(027);
	cr_assert(tempfile_write(path, "x", -1, NULL));
	cr_assert_eq(g_stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0640u);
}

Test(tempfile, a_file_that_cannot_be_made_is_told)
{
	const char *path = test_text("out", "");
	g_autofree char *below = g_build_filename(path, "x", NULL);
	GError *err = NULL;

	cr_assert_not(tempfile_write(below, "text", -1, &err));
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	cr_assert(g_str_has_prefix(err->message, below), "%s", err->message);
	g_clear_error(&err);
	/* a folder in its place, only found at the end */
	cr_assert_eq(g_unlink(path), 0);
	cr_assert_eq(g_mkdir(path, 0700), 0);
	cr_assert_not(tempfile_write(path, "text", -1, &err));
	cr_assert(strstr(err->message, "rename"), "%s", err->message);
	g_error_free(err);
	expect_names(path, "out");
	cr_assert_eq(g_rmdir(path), 0);
}

/* A process with two files in the making and one committed gets @signal_nr; its status. */
static int die_writing(const char *path, const char *other, int signal_nr)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		tempfile_catch_signals();
		tempfile_new(path, NULL);
		tempfile_new(other, NULL);
		raise(signal_nr);
		_exit(0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return status;
}

Test(tempfile, a_signal_removes_what_is_not_committed)
{
	const char *path = test_text("out", "before");
	g_autofree char *other = g_strconcat(path, "2", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++) {
		int status = die_writing(path, other, deadly[i]);

		cr_assert(WIFSIGNALED(status), "signal %d", deadly[i]);
		cr_assert_eq(WTERMSIG(status), deadly[i]);
		expect_text(path, "before");
		expect_names(path, "out");
	}
}

/* nohup: a hangup that is ignored stays so. */
Test(tempfile, ignored_signals_stay_ignored)
{
	const char *path = test_text("out", "");
	g_autofree char *other = g_strconcat(path, "2", NULL);

	signal(SIGHUP, SIG_IGN);
	cr_assert(WIFEXITED(die_writing(path, other, SIGHUP)));
}

/* A child that is forked while a file is in the making, as the reader of trace.dat is. */
Test(tempfile, a_child_removes_nothing)
{
	const char *path = test_text("out", "before");
	int status = 0;

	tempfile_catch_signals();
	struct tempfile *t = tempfile_new(path, NULL);
	pid_t pid = fork();

	if (pid == 0) {
		raise(SIGTERM);
		_exit(0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSIGNALED(status));
	cr_assert(tempfile_commit(t, NULL));
	expect_text(path, "");
	expect_names(path, "out");
}

/* Shell: wait until the files @pattern are there, 10 s at most. */
#define UNTIL(pattern)                                                                             \
	"for i in $(seq 200); do ls " pattern " >/dev/null 2>&1 && break; sleep 0.05; done; "

/* convert waits for more of a pipe when it is told to end. */
Test(tempfile, convert_ended_by_a_signal_leaves_nothing)
{
	g_autoptr(GString) text = g_string_new("# f2sim ops 1\n");

	for (int i = 0; i < 5000; i++) /* enough to tell the format by */
		g_string_append_printf(text, "%d read ino=4 len=4096\n", i);
	const char *ops = test_text("in.ops", text->str);
	g_autofree char *folder = g_path_get_dirname(ops);
	static const char *const signals[] = {"TERM", "HUP"};

	cr_assert_eq(chdir(folder), 0);
	cr_assert_eq(mkfifo("fifo", 0600), 0);
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		g_autofree char *command = g_strdup_printf(
			"convert fifo out.csv & exec 3>fifo; cat in.ops >&3; " UNTIL(
				"out.csv.??????") "ls; kill -s %s $!; wait $!",
			signals[i]);
		const struct ran *r = cli_shell(command);

		cr_assert_not_null(strstr(r->out, "out.csv."), "never began: %s", r->err);
		cr_assert_gt(r->status, 128);
		expect_names(ops, "fifo in.ops");
	}
}

/* A gnuplot that still draws when f2sim alone is told to end: what it draws goes nowhere. */
Test(tempfile, plot_ended_by_a_signal_leaves_nothing)
{
	static const char gnuplot[] = "#!/bin/sh\ntouch begun\nsleep 1\n"
				      "out=${2#*out=\\'}\necho drawn > \"${out%%\\'*}\"\n"
				      "touch ended\n";
	const char *script = test_text("gnuplot", gnuplot);
	g_autofree char *folder = g_path_get_dirname(script);
	g_autofree char *path = g_strdup_printf("%s:%s", folder, g_getenv("PATH"));

	cr_assert_eq(chdir(folder), 0);
	cr_assert_eq(g_chmod("gnuplot", 0700), 0);
	cr_assert_eq(g_mkdir("plots", 0700) | g_mkdir("run", 0700), 0);
	cr_assert(g_file_set_contents("plots/common.gp", "", 0, NULL));
	cr_assert(g_file_set_contents("plots/one.gp", "", 0, NULL));
	cr_assert(g_file_set_contents("run/series.csv", "time_s,x\n0,1\n", -1, NULL));
	g_setenv("F2SIM_DATA", folder, TRUE);
	g_setenv("PATH", path, TRUE);
	const struct ran *r =
		cli_shell("plot run & " UNTIL("begun") "ls run; kill $!; wait $!; "
						       "s=$?; " UNTIL("ended") "exit $s");
	cr_assert_eq(r->status, 128 + SIGTERM);
	cr_assert(g_str_has_prefix(r->out, "one.svg."), "never began: %s", r->out);
	cr_assert(g_file_test("ended", G_FILE_TEST_EXISTS));
	expect_names("run/series.csv", "series.csv");
	cr_assert_eq(cli_shell("plot run")->status, 0); /* left alone it draws */
	expect_names("run/series.csv", "one.png one.svg series.csv");
	cli_shell("--version; rm -r run plots");
}

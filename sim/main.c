/*
 * sim/main.c - the program: table of commands, help, errors and exit status.
 *
 * Exit status: what the command returns (0, 1), or 2 for bad input and usage, a failed write of
 * standard output included.  Errors are one line on stderr.  A reader that goes away (`| head`)
 * ends the program by SIGPIPE, silently, like any filter.
 */
#include "sim/cmd.h"
#include "sim/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/tempfile.h"

const struct command *const commands[] = {
	&cmd_run,     &cmd_replay,  &cmd_compare,  &cmd_reproduce, &cmd_validate, &cmd_calibrate,
	&cmd_inspect, &cmd_convert, &cmd_defaults, &cmd_plot,	   NULL,
};

static void print_help(void)
{
	printf("Usage: f2sim COMMAND [OPTION]... [ARGUMENT]...\n"
	       "Trace-driven simulation of the F2FS page cache.\n\nCommands:\n");
	for (unsigned int i = 0; commands[i]; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	printf("\n`f2sim COMMAND --help' lists a command's options; `f2sim --version' prints the "
	       "version.\n"
	       "Exit status: 0 done; 1 a gate, check or run fell short; 2 bad input or usage.\n");
}

/* Edits between two words (Levenshtein), for the suggestion. */
static unsigned int distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	g_autofree unsigned int *row = g_new(unsigned int, n + 1);

	for (unsigned int j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned int i = 1; a[i - 1]; i++) {
		unsigned int diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			unsigned int replace = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = MIN(replace, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[n];
}

static void unknown_command(const char *name, GError **err)
{
	const char *nearest = NULL;
	unsigned int best = 4; /* farther is no typing error */

	for (unsigned int i = 0; commands[i] && strlen(name) < 32; i++) {
		unsigned int d = distance(name, commands[i]->name);

		if (d < best && d < strlen(commands[i]->name)) {
			best = d;
			nearest = commands[i]->name;
		}
	}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    nearest ? "unknown command \"%s\"; did you mean \"%s\"?"
			    : "unknown command \"%s\"; f2sim --help lists them",
		    name, nearest);
}

static const struct command *find_command(const char *name, GError **err)
{
	for (unsigned int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	unknown_command(name, err);
	return NULL;
}

static int dispatch(int argc, char **argv, GError **err)
{
	const struct command *cmd;

	if (argc < 2) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "no command given; f2sim --help lists them");
		return -1;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help();
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("f2sim %s\n", F2SIM_VERSION);
		return 0;
	}
	if (argv[1][0] == '-') {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "unknown option %s before the command; f2sim --help lists commands",
			    argv[1]);
		return -1;
	}
	cmd = find_command(argv[1], err);
	return cmd ? cmd->run(argc - 1, argv + 1, err) : -1;
}

/* A closed stdin, stdout or stderr must not become the first file that is opened: the number is
 * taken by a descriptor on which the missing direction fails. */
static void hold_std_fds(void)
{
	static const int flags[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		int held = open("/dev/null", flags[fd]);

		if (held != fd)
			abort();
	}
}

/* A thousand captures merged into one stream are a thousand open files. */
static void raise_fd_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

#define LINE_HEAD 700 /* characters of a message that is longer: what it is about, */
#define LINE_TAIL 300 /* and what was expected */

/* A value that is quoted may be as long as a file. */
static void print_error(const GError *err)
{
	g_autofree char *line = cmd_printable(err->message);
	glong n = g_utf8_strlen(line, -1);

	if (n > LINE_HEAD + LINE_TAIL) {
		const char *tail = g_utf8_offset_to_pointer(line, n - LINE_TAIL);
		fprintf(stderr, "f2sim: %.*s[...]%s\n",
			(int)(g_utf8_offset_to_pointer(line, LINE_HEAD) - line), line, tail);
		return;
	}
	fprintf(stderr, "f2sim: %s\n", line);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) err = NULL;

	hold_std_fds();
	raise_fd_limit();
	signal(SIGPIPE, SIG_DFL);
	tempfile_catch_signals();
	signal(SIGXFSZ, SIG_IGN); /* a write past the limit fails like one on a full disk */
	int status = dispatch(argc, argv, &err);

	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && !err)
		g_set_error(&err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "standard output: %s",
			    g_strerror(errno ? errno : EIO));
	if (!err)
		return status;
	print_error(err);
	return err->domain == F2SIM_ERROR ? err->code : F2SIM_ERROR_INPUT;
}

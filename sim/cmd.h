/*
 * sim/cmd.h - the commands: one cmd_NAME.c each, listed in the table in main.c.
 *
 * A command gets its own argv (argv[0] is its name) and returns the exit status: 0, or 1 for a
 * shortfall.  Bad input or usage: false answers travel as GError up to main, which prints "f2sim:
 * LINE" and exits with the error's code (enum f2sim_error).
 */
#ifndef SIM_CMD_H
#define SIM_CMD_H

#include <glib.h>

#include "traces/trace.h"

struct command {
	const char *name;
	const char *args;    /* "CAPTURE..." for the usage line */
	const char *summary; /* one line */
	/* Returns the exit status, or -1 with *@err. */
	int (*run)(int argc, char **argv, GError **err);
};

extern const struct command *const commands[]; /* NULL-terminated, in main.c */

int cmd_run(int argc, char **argv, GError **err);
int cmd_replay(int argc, char **argv, GError **err);
int cmd_compare(int argc, char **argv, GError **err);
int cmd_inspect(int argc, char **argv, GError **err);
int cmd_convert(int argc, char **argv, GError **err);
int cmd_defaults(int argc, char **argv, GError **err);
int cmd_plot(int argc, char **argv, GError **err);

/*
 * Parse @argv with @options (GOptionEntry table) and leave the positional arguments in *@args (new,
 * g_strfreev).
 * --help prints usage made from @cmd and exits 0 through *@help = true.  False with *@err on bad
 * usage.
 */
bool cmd_parse(const struct command *cmd, int argc, char **argv, const GOptionEntry *options,
	       char ***args, bool *help, GError **err);

/* The readers' options that every command taking CAPTURE shares (--format, --time-unit). */
struct capture_options {
	char *format, *time_unit; /* owned; g_free */
};
extern const GOptionEntry
	capture_option_entries_template[]; /* see cmd_options.c for how they are bound */
bool capture_options_apply(const struct capture_options *o, unsigned int want,
			   struct trace_opts *opts, GError **err);

/* Warnings about what a reader saw (loss, unknown, unpaired, truncated, unbound), one line each on
 * stderr. */
void cmd_warn_trace(const struct trace_info *info);

#endif

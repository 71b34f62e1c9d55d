/*
 * sim/cmd.h - the commands: one cmd_NAME.c each, which ends in a struct command; main.c lists them.
 *
 * A command gets its own argv (argv[0] is its name) and returns the exit status: 0, or 1 for a
 * shortfall.  Bad input or usage travels as GError up to main, which prints "f2sim: LINE" and exits
 * with the error's code (enum f2sim_error).  Results go to stdout, warnings and progress to stderr.
 */
#ifndef SIM_CMD_H
#define SIM_CMD_H

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/trace.h"

struct command {
	const char *name;
	const char *args;	     /* "CAPTURE...", for the usage line */
	const char *summary;	     /* one line */
	unsigned int min_args;	     /* positional arguments, checked by cmd_parse() */
	unsigned int max_args;	     /* UINT_MAX = any number */
	void (*describe)(GString *); /* text below the options of --help; optional */
	int (*run)(int argc, char **argv, GError **err); /* exit status, or -1 with *@err */
};

/* In main.c, ended by NULL, in order of --help. */
extern const struct command *const commands[];

extern const struct command cmd_run, cmd_replay, cmd_compare;
extern const struct command cmd_reproduce, cmd_validate, cmd_calibrate;
extern const struct command cmd_inspect, cmd_convert, cmd_defaults, cmd_plot;

/*
 * Parse @argv with @options (ended by G_OPTION_ENTRY_NULL) and leave the positional arguments in
 * *@args (new, g_strfreev; bytes as given, not necessarily UTF-8).  --help prints the usage and
 * leaves *@args NULL: the command returns 0.  False with *@err on bad usage.
 * Use G_OPTION_ARG_FILENAME for strings: G_OPTION_ARG_STRING refuses what is not ASCII here.
 */
bool cmd_parse(const struct command *cmd, int argc, char **argv, const GOptionEntry *options,
	       char ***args, GError **err);

/* The readers' options that every command taking CAPTURE shares. */
struct capture_options {
	char *format, *time_unit; /* owned; capture_options_clear() */
};

/* Entries for the command's own (automatic) GOptionEntry table, bound to @o. */
/* clang-format off */
#define CAPTURE_OPTION_ENTRIES(o)                                                                  \
	{ "format", 0, 0, G_OPTION_ARG_FILENAME, &(o)->format,                                     \
	  "Read every CAPTURE as NAME instead of by its content", "NAME" },                        \
	{ "time-unit", 0, 0, G_OPTION_ARG_FILENAME, &(o)->time_unit,                               \
	  "Unit of times where the format leaves it open (iolog: us)", "ns|us|ms" }
/* clang-format on */

/* Options for trace_open(), borrowing from @o.  False with *@err on an unknown name. */
bool capture_options_apply(const struct capture_options *o, unsigned int want,
			   struct trace_opts *opts, GError **err);
void capture_options_clear(struct capture_options *o);

/* The formats there are, for the describe of a command taking CAPTURE. */
void capture_options_describe(GString *text);

/* What the reader saw that a user should know (loss, unknown, unpaired, unbound, truncated, its own
 * warnings), one "f2sim: warning: PATH: ..." line each on stderr; of a merge, for every capture. */
void cmd_warn_trace(const struct trace *t);

/* Warn about files that stand twice in @groups (of paths_group()): their ops will count twice. */
void cmd_warn_twice(const GPtrArray *groups);

/* @text as it may be shown on a terminal: valid UTF-8, control characters replaced.  Returns new.
 */
char *cmd_printable(const char *text);

/* One such line about anything else, made printable. */
void cmd_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Print @root with a newline on stdout; takes @root. */
void cmd_print_json(JsonNode *root);

#endif

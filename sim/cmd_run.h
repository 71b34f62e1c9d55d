/*
 * sim/cmd_run.h - options and steps that run, replay and compare share.
 */
#ifndef SIM_CMD_RUN_H
#define SIM_CMD_RUN_H

#include "sim/cmd.h"
#include "sim/config.h"

struct run_options {
	char *out;	 /* folder for results.json and series.csv; NULL = none */
	char **emits;	 /* formats; run and replay only */
	char **sets;	 /* section.key=value */
	char **variants; /* overlay files */
	gint64 seed;	 /* -1 = as configured */
	gboolean json;
};

/* Entries for a command's own GOptionEntry table, bound to @o. */
/* clang-format off */
#define RUN_OPTION_ENTRIES(o)                                                                      \
	{ "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(o)->sets,                                    \
	  "Set one key, over every file", "SECTION.KEY=VALUE" },                                   \
	{ "variant", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(o)->variants,                            \
	  "Lay FILE over the scenario (repeatable)", "FILE" },                                     \
	{ "out", 0, 0, G_OPTION_ARG_FILENAME, &(o)->out,                                           \
	  "Write results.json and series.csv to DIR", "DIR" },                                     \
	{ "seed", 0, 0, G_OPTION_ARG_INT64, &(o)->seed, "Seed of every random stream", "N" },      \
	{ "json", 0, 0, G_OPTION_ARG_NONE, &(o)->json, "Print results as JSON", NULL }

#define EMIT_OPTION_ENTRY(o)                                                                       \
	{ "emit", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(o)->emits,                                  \
	  "Write what the simulated kernel did, too (repeatable; needs --out)", "FORMAT" }
/* clang-format on */

void run_options_clear(struct run_options *o);

/* --seed into @config. */
void run_options_apply(const struct run_options *o, struct config *config);

#endif

/*
 * sim/cmd_validate_profile.h - what is known of a capture beside its events: the machine it was
 * made on, what else was observed, how near the simulation must come.
 *
 * configs/validate/BASE.ini (BASE.blk.ini for a block capture) is a scenario with three sections
 * more:
 *   [validate]   variant, io_bytes: as the cells are to say; capture: where the observed events
 * are; records: of which capture of that name it speaks (its number of event lines) [observed]
 * METRIC[:STAT] = VALUE [UNIT], what no event shows (vmstat, samples of /proc) [tolerance]
 * METRIC[:STAT] = 5% or 12 (units): a gate
 */
#ifndef SIM_CMD_VALIDATE_PROFILE_H
#define SIM_CMD_VALIDATE_PROFILE_H

#include "sim/cmd_validate_cells.h"
#include "sim/config.h"

struct profile {
	struct {
		char *variant, *capture; /* owned by the config */
		int64_t io_bytes;
		uint64_t records;
	} conf;
	GArray *observed;      /* struct metric */
	GHashTable *tolerance; /* "metric:stat" or "metric" -> struct tolerance */
};

/* Path of the profile of a capture named @base, or NULL: there is none.  Returns new. */
char *profile_find(const char *base, bool block);

/* Name of the capture @path without folder and suffixes.  Returns new. */
char *profile_base(const char *path);

/* Below --out every capture of @args has the folder of its name: false with *@err when the second
 * would overwrite the first. */
bool profile_bases_differ(char *const *args, GError **err);

/* The three sections of @config, which must outlive the profile.  Returns new; NULL with *@err. */
struct profile *profile_new(struct config *config, GError **err);
void profile_free(struct profile *p);

/* Path of [validate] capture, else of the one [workload] replays, as seen from the file that names
 * it; NULL = none, or several.  Returns new. */
char *profile_capture(const struct profile *p, const struct config *config);

/* The gate of @metric, or NULL; marks it used. */
const struct tolerance *profile_gate(struct profile *p, const struct metric *metric);

/* A tolerance that no cell used: its name, or NULL when all were. */
const char *profile_unused(const struct profile *p);

#endif

/*
 * sim/cmd_validate_cells.h - measured values by name, and cells that hold a simulated one against
 * an observed one.
 */
#ifndef SIM_CMD_VALIDATE_CELLS_H
#define SIM_CMD_VALIDATE_CELLS_H

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/types.h"

/* One value that a capture shows or a simulation gave. */
struct metric {
	char *name;		 /* "cache_add.pages"; owned */
	const char *unit, *stat; /* static: "pages", "sum" */
	double value;
	bool input; /* what the replay was given, not what came out of it */
};

/* An array of struct metric that owns its names.  Returns new. */
GArray *metrics_new(void);
void metrics_add(GArray *metrics, double value, const char *unit, const char *stat,
		 const char *format, ...) G_GNUC_PRINTF(5, 6);
const struct metric *metrics_find(const GArray *metrics, const char *name); /* or NULL */

/* How far a simulated value may be from the observed one: percent of it, or units. */
struct tolerance {
	double value;
	bool percent;
};

/* "5%", "12"; false with *@err. */
bool tolerance_parse(const char *text, struct tolerance *t, GError **err);

enum verdict { VERDICT_NONE, VERDICT_OK, VERDICT_OFF };

struct cell {
	char *experiment, *metric, *variant; /* owned; variant may be empty */
	const char *unit, *stat;
	int64_t io_bytes; /* 0 = none */
	double observed, simulated;
	bool gated, input;
	struct tolerance tolerance; /* where gated */
};

GArray *cells_new(void);
enum verdict cell_verdict(const struct cell *c);

/* A capture's cells as a table for people: a line each; then how many are gated and met. */
void cells_print(const char *experiment, const GArray *cells);

/* All cells as DESIGN section 4 has them. */
JsonNode *cells_json(const GArray *cells);

#endif

/*
 * sim/cmd_reproduce_cells.h - the cells of a table: what is published, and what it is compared
 * with.
 */
#ifndef SIM_CMD_REPRODUCE_CELLS_H
#define SIM_CMD_REPRODUCE_CELLS_H

#include "sim/cmd_reproduce_series.h"

struct repro_cell {
	const struct repro_series *series;
	const struct repro_metric *metric;
	const char *name, *variant, *unit, *stat; /* name of the metric */
	const char *list;			  /* of an input; or NULL */
	int64_t io_bytes;			  /* -1 = not by size */
	double published;			  /* NAN for bounds and lists */
	double low, high;			  /* bounds; NAN = open */
	enum cell_role role;
	double scale;	/* from the value of a run to the unit */
	GArray *points; /* unsigned int: of the plan */
	/* cmd_reproduce_judge.c; NAN = none */
	double simulated, error_pct, min, max;
	double nearest; /* the published figure the error is to */
	char *note;	/* owned: why there is no value, or NULL */
	char *failure;	/* owned: which gate it fails, or NULL */
};

/* Is it judged by bounds? */
bool repro_cell_bounds(const struct repro_cell *c);

/* What to leave out. */
struct repro_filter {
	char **cells;  /* globs; NULL = all */
	GArray *sizes; /* int64_t; NULL = all */
};

/* Does @filter want the size?  -1 is always wanted. */
bool repro_wants_size(const struct repro_filter *filter, int64_t io_bytes);

/*
 * Append the cells of @table that belong to experiments of @s to @cells (struct repro_cell *, freed
 * with the array).  False with *@err on a metric, unit or variant the series does not know.
 */
bool repro_add_cells(GPtrArray *cells, const struct repro_series *s, const struct table *table,
		     const struct repro_filter *filter, GError **err);

void repro_cell_free(void *cell);

#endif

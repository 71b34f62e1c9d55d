/*
 * sim/cmd_reproduce_series.h - a published series as data: FOLDER/series.ini and the scenarios and
 * tables beside it.  configs/series/README.md tells the author of one what each key means.
 */
#ifndef SIM_CMD_REPRODUCE_SERIES_H
#define SIM_CMD_REPRODUCE_SERIES_H

#include "sim/cmd_reproduce_table.h"
#include "sim/cmd_reproduce_value.h"
#include "sim/config.h"

enum cell_role { ROLE_INPUT, ROLE_CALIBRATED, ROLE_PREDICTED, ROLE_UNEXPLAINED };

/* [variant NAME] */
struct repro_variant {
	const char *name;
	struct {
		char *overlay; /* relative to the folder; "" = nothing */
	} conf;
};

/* [run NAME]: what is simulated for a size and a variant. */
struct repro_run {
	const char *name;
	struct {
		char *experiment, *scenario, *set, *each;
	} conf;
	char **sets; /* of conf.set; {NAME} stands for io_bytes, an input's value, or each's */
};

/* Tolerance for some cells: "normal:15%", or "15%" for any variant. */
struct repro_gate {
	char *variant; /* NULL = any */
	double percent;
};

/* How figures that are no cell of their own become one: "mean s 1 20". */
struct repro_published {
	enum { PUBLISHED_CELL, PUBLISHED_MEAN, PUBLISHED_SPREAD, PUBLISHED_BOUND } how;
	char letter;
	unsigned int first, last;
	double low, high; /* PUBLISHED_BOUND; NAN = open */
};

/* [metric EXPERIMENT/METRIC] or [metric EXPERIMENT/METRIC@VARIANT] */
struct repro_metric {
	const char *section, *name;
	char *experiment, *metric, *variant; /* owned; variant NULL = all */
	struct {
		char *run, *value, *gate, *published, *from, *below_variant, *io_bytes;
		int role;
		double zero_below, gate_from;
	} conf;
	const struct repro_run *run; /* NULL for an input */
	struct value_def *value;     /* NULL for an input */
	GArray *gates;		     /* struct repro_gate */
	struct repro_published published;
	GArray *sizes; /* int64_t: what a cell without io_bytes is simulated at; empty = all */
};

/* A key of [calibrated] or [calibrated EXPERIMENT]. */
struct repro_calibrated {
	const char *experiment; /* glob */
	char *key, *value;	/* "filemap.write_call_ns", "1.2us" */
	char **cells;		/* globs of the cells that set it */
	char *where;
};

/* [median NAME]: a gate on the median error of a group of predicted cells. */
struct repro_median {
	const char *name;
	struct {
		char *cells;
		double percent;
	} conf;
	char **globs;
};

struct repro_series {
	char *folder, *name; /* owned */
	struct config *config;
	struct {
		char *title, *reference, *allowance_with, *unexplained;
		uint64_t allowance;
	} conf;
	char **unexplained;    /* globs */
	struct table *table;   /* the published figures */
	GPtrArray *variants;   /* struct repro_variant * */
	GPtrArray *runs;       /* struct repro_run * */
	GPtrArray *metrics;    /* struct repro_metric * */
	GPtrArray *calibrated; /* struct repro_calibrated * */
	GPtrArray *medians;    /* struct repro_median * */
};

/*
 * Read FOLDER/series.ini and its table; count its calibrated values and those of the series it
 * shares its allowance with.  Returns new; NULL with *@err.
 */
struct repro_series *repro_series_new(const char *folder, GError **err);
void repro_series_free(struct repro_series *s); /* NULL is fine */

/* A path of series.ini: relative to the folder.  Returns new. */
char *repro_path(const struct repro_series *s, const char *path);

/* The metric that answers for a row, or NULL. */
const struct repro_metric *repro_metric_of(const struct repro_series *s, const char *experiment,
					   const char *metric, const char *variant);

/* Does the series know the experiment? */
bool repro_has_experiment(const struct repro_series *s, const char *experiment);

/* Does a glob of @globs match "experiment/metric/io_bytes/variant", or that without experiment? */
bool repro_cell_matches(char **globs, const char *experiment, const char *metric, int64_t io_bytes,
			const char *variant);

#endif

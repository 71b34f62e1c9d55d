/*
 * sim/cmd_reproduce_table.h - a table of published figures (reference.csv, or a user's own).
 *
 * Columns experiment,metric,io_bytes,variant,unit,stat,value; lines that begin with # and empty
 * lines are passed over.  What a stat means: ../shared/reference/README.md, carried into
 * configs/series/README.md.
 */
#ifndef SIM_CMD_REPRODUCE_TABLE_H
#define SIM_CMD_REPRODUCE_TABLE_H

#include <glib.h>

#include "sim/types.h"

enum table_stat {
	TABLE_VALUE, /* a number to reproduce: mean, median, single, about, exact, .. */
	TABLE_LOW,   /* bounds of one cell */
	TABLE_HIGH,
	TABLE_LIST,   /* blank-separated inputs */
	TABLE_REPEAT, /* r1, s1, t0, ..: one of many */
};

struct table_row {
	char *experiment, *metric, *variant, *unit, *stat, *text; /* owned; text is the value */
	int64_t io_bytes;					  /* -1 = not by size */
	enum table_stat kind;
	double value;	    /* but for TABLE_LIST */
	unsigned int index; /* TABLE_REPEAT: the number behind the letter */
	unsigned int line;
};

struct table {
	char *path;	 /* owned */
	GPtrArray *rows; /* struct table_row *, in file order */
};

/* Read @path.  Returns new; NULL with *@err, which names file and line. */
struct table *table_read(const char *path, GError **err);
void table_free(struct table *t); /* NULL is fine */

#endif

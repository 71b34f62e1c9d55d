/*
 * sim/cmd_plot_data.h - what the series.csv of a run holds, and whether a figure finds its columns
 * there.  Private to `f2sim plot`.
 */
#ifndef SIM_CMD_PLOT_DATA_H
#define SIM_CMD_PLOT_DATA_H

#include <glib.h>
#include <stdbool.h>

/*
 * Names of the columns of @csv, separated by spaces; spaces in them become '_'.  The file is read
 * whole: it begins with time_s, holds at least one row, and every row a number a column.  Returns
 * new; NULL with *@err naming the line.
 */
char *plot_columns(const char *csv, GError **err);

/* Does @script find one of its counters (its line `counters = "..."`) among @columns?  True when it
 * has no such line. */
bool plot_finds_counters(const char *script, const char *columns);

#endif

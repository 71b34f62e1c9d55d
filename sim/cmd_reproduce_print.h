/*
 * sim/cmd_reproduce_print.h - what reproduce found, as a table and as JSON.
 */
#ifndef SIM_CMD_REPRODUCE_PRINT_H
#define SIM_CMD_REPRODUCE_PRINT_H

#include "sim/cmd_reproduce_judge.h"

struct repro_results {
	GPtrArray *series; /* struct repro_series * */
	GPtrArray *cells;  /* struct repro_cell * */
	struct repro_plan *plan;
	GPtrArray *shortfalls; /* char * */
};

/* On stdout. */
void repro_print_table(const struct repro_results *r);
void repro_print_json(const struct repro_results *r);

#endif

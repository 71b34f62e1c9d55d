/*
 * sim/cmd_reproduce_parse.h - the small texts in series.ini.  Private to cmd_reproduce_series.c.
 */
#ifndef SIM_CMD_REPRODUCE_PARSE_H
#define SIM_CMD_REPRODUCE_PARSE_H

#include "sim/cmd_reproduce_series.h"

/* @text between its semicolons, without blanks around and without empty parts; returns new. */
char **repro_split(const char *text);

/* Fill what conf of @m says in words.  False with *@err. */
bool repro_parse_metric(const struct repro_series *s, struct repro_metric *m, GError **err);

/* "VALUE ; CELL ..." of a calibrated @key.  False with *@err. */
bool repro_parse_calibrated(const struct repro_series *s, struct repro_calibrated *c,
			    const char *section, const char *key, GError **err);

#endif

/*
 * sim/config_load.h - between the reader of scenario files (config_load.c) and the store of keys
 * (config.c).  Private to the config files; sim/config.h is the face.
 */
#ifndef SIM_CONFIG_LOAD_H
#define SIM_CONFIG_LOAD_H

#include "sim/config.h"

/* Note a section header; the first place counts. */
void config_put_section(struct config *c, const char *section, const char *where);

/* Set a key; @text may carry a grade.  A later put overrides, the place in file order stays. */
void config_put(struct config *c, const char *section, const char *key, const char *text,
		const char *where);

/* Put everything @path and its includes hold.  False with *@err. */
bool config_load_file(struct config *c, const char *path, GError **err);

/* Put one "section.key=value".  False with *@err. */
bool config_load_set(struct config *c, const char *set, GError **err);

#endif

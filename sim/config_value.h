/*
 * sim/config_value.h - one value of a config table: text to field and back, by type.  Private to
 * the config files; sim/config.h is the face.
 */
#ifndef SIM_CONFIG_VALUE_H
#define SIM_CONFIG_VALUE_H

#include "sim/config.h"

union conf_value {
	uint64_t u64;
	bool boolean;
	int64_t i64; /* CONF_NSEC, CONF_BYTES, CONF_RATE */
	double real;
	char *str; /* borrowed from the text parsed */
	int choice;
};

/* Parse @text as @key wants it and check the bounds.  False with *@err, which names no key. */
bool conf_value_parse(const struct conf_key *key, const char *text, union conf_value *value,
		      GError **err);

/* Write @value into the field of @owner, or read it back. */
void conf_value_store(const struct conf_key *key, void *owner, union conf_value value);
union conf_value conf_value_fetch(const struct conf_key *key, const void *owner);

/*
 * Cut the grade suffix " [X] source" off @text in place and trim it.  Returns the grade letter or
 * 0.
 */
char conf_value_cut_grade(char *text);

/* Units of times and sizes, largest first, ended by a NULL name; in sim/config_format.c. */
struct conf_unit {
	const char *name;
	int64_t factor;
};

extern const struct conf_unit conf_time_units[], conf_size_units[];

#endif

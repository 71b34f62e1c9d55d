/*
 * sim/config_value.c - see sim/config_value.h.
 *
 * Numbers with a unit are one integer mantissa and a power of ten, multiplied by the unit and
 * divided once: "35.76us" is 35760 ns with no double on the way, and rounded once, half up.
 */
#include "sim/config_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/op.h"

#define MANTISSA_DIGITS_MAX 19

static bool expected(GError **err, const char *text, const char *what)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "'%s': expected %s", text, what);
	return false;
}

static const struct conf_unit *unit_find(const struct conf_unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcmp(units->name, name))
			return units;
	return NULL;
}

/* Digits of "35.76" as 3576 and 100; moves *@text behind them.  False when there are none. */
static bool scan_decimal(const char **text, uint64_t *mantissa, uint64_t *scale)
{
	unsigned int digits = 0;
	bool point = false;

	*mantissa = 0;
	*scale = 1;
	for (const char *s = *text;; s++) {
		if (*s == '.' && !point && digits) {
			point = true;
		} else if (g_ascii_isdigit(*s)) {
			if (++digits > MANTISSA_DIGITS_MAX)
				return false;
			*mantissa = *mantissa * 10 + (uint64_t)(*s - '0');
			*scale *= point ? 10 : 1;
		} else {
			*text = s;
			return digits > 0 && s[-1] != '.';
		}
	}
}

static bool parse_scaled(const char *text, const struct conf_unit *units, const char *what,
			 int64_t *result, GError **err)
{
	const char *rest = text;
	const struct conf_unit *unit;
	uint64_t mantissa, scale;
	unsigned __int128 value;

	if (!scan_decimal(&rest, &mantissa, &scale))
		return expected(err, text, what);
	while (*rest == ' ')
		rest++;
	unit = unit_find(units, rest);
	if (!unit && mantissa == 0 && !*rest)
		unit = units; /* a plain 0 needs no unit */
	if (!unit)
		return expected(err, text, what);
	value = ((unsigned __int128)mantissa * (uint64_t)unit->factor + scale / 2) / scale;
	if (value > INT64_MAX)
		return expected(err, text, "a smaller number (this one overflows 64 bits)");
	*result = (int64_t)value;
	return true;
}

bool conf_parse_nsec(const char *text, int64_t *ns, GError **err)
{
	return parse_scaled(text, conf_time_units, "a number with ns, us, ms or s", ns, err);
}

bool conf_parse_bytes(const char *text, int64_t *bytes, GError **err)
{
	return parse_scaled(text, conf_size_units,
			    "bytes, plain or with K/KiB M/MiB G/GiB T/TiB or kB MB GB TB", bytes,
			    err);
}

static bool parse_rate(const char *text, int64_t *rate, GError **err)
{
	g_autofree char *size =
		g_str_has_suffix(text, "/s") ? g_strndup(text, strlen(text) - 2) : NULL;

	if (size && conf_parse_bytes(size, rate, NULL))
		return true;
	if (g_str_equal(text, "0")) { /* none: needs no unit */
		*rate = 0;
		return true;
	}
	return expected(err, text, "bytes per second, such as 3360MB/s or 512KiB/s");
}

bool conf_parse_u64(const char *text, uint64_t *value, GError **err)
{
	if (!g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, value, NULL))
		return expected(err, text, "a whole number >= 0");
	return true;
}

static bool parse_bool(const char *text, bool *value, GError **err)
{
	static const char *const words[] = {"0", "1", "false", "true", "no", "yes", "off", "on"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_ascii_strcasecmp(words[i], text))
			continue;
		*value = i & 1;
		return true;
	}
	return expected(err, text, "0/1, false/true, no/yes or off/on");
}

static bool parse_real(const char *text, double *value, GError **err)
{
	char *end;

	*value = g_ascii_strtod(text, &end);
	if (!*text || *end || !isfinite(*value))
		return expected(err, text, "a number");
	return true;
}

static bool parse_choice(const char *text, const char *const *choices, int *value, GError **err)
{
	g_autofree char *list = NULL;

	for (*value = 0; choices[*value]; ++*value)
		if (!strcmp(choices[*value], text))
			return true;
	list = g_strjoinv(" | ", (char **)choices);
	return expected(err, text, list);
}

static bool parse_text(const struct conf_key *key, const char *text, union conf_value *value,
		       GError **err)
{
	switch (key->type) {
	case CONF_U64:
		return conf_parse_u64(text, &value->u64, err);
	case CONF_BOOL:
		return parse_bool(text, &value->boolean, err);
	case CONF_NSEC:
		return conf_parse_nsec(text, &value->i64, err);
	case CONF_BYTES:
		return conf_parse_bytes(text, &value->i64, err);
	case CONF_RATE:
		return parse_rate(text, &value->i64, err);
	case CONF_REAL:
		return parse_real(text, &value->real, err);
	case CONF_STR:
		value->str = (char *)text;
		return true;
	case CONF_ENUM:
		return parse_choice(text, key->choices, &value->choice, err);
	case CONF_END:
		break;
	}
	assert(false && "a conf_key has a type");
	return false;
}

static int compare(enum conf_type type, union conf_value a, union conf_value b)
{
	switch (type) {
	case CONF_U64:
		return (a.u64 > b.u64) - (a.u64 < b.u64);
	case CONF_NSEC:
	case CONF_BYTES:
	case CONF_RATE:
		return (a.i64 > b.i64) - (a.i64 < b.i64);
	case CONF_REAL:
		return (a.real > b.real) - (a.real < b.real);
	default:
		return 0;
	}
}

/* Is @value on the wrong side (@sign: 1 = above, -1 = below) of @bound? */
static bool beyond(const struct conf_key *key, const char *bound, union conf_value value, int sign)
{
	union conf_value limit;

	if (!bound)
		return false;
	if (!parse_text(key, bound, &limit, NULL))
		g_error("%s: the bound '%s' of the table does not parse", key->name, bound);
	return compare(key->type, value, limit) * sign > 0;
}

bool conf_value_parse(const struct conf_key *key, const char *text, union conf_value *value,
		      GError **err)
{
	memset(value, 0, sizeof(*value));
	if (!parse_text(key, text, value, err))
		return false;
	if (beyond(key, conf_max(key), *value, 1)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s is above %s", text,
			    conf_max(key));
		return false;
	}
	if (beyond(key, key->min, *value, -1)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s is below %s", text, key->min);
		return false;
	}
	return true;
}

static size_t field_size(enum conf_type type)
{
	switch (type) {
	case CONF_BOOL:
		return sizeof(bool);
	case CONF_ENUM:
		return sizeof(int);
	case CONF_STR:
		return sizeof(char *);
	default:
		return sizeof(int64_t);
	}
}

/* Every member of the union starts at its first byte, so one copy serves all types. */
void conf_value_store(const struct conf_key *key, void *owner, union conf_value value)
{
	memcpy((char *)owner + key->off, &value, field_size(key->type));
}

union conf_value conf_value_fetch(const struct conf_key *key, const void *owner)
{
	union conf_value value = {0};

	memcpy(&value, (const char *)owner + key->off, field_size(key->type));
	return value;
}

char conf_value_cut_grade(char *text)
{
	char grade = 0;

	for (char *s = strstr(text, " ["); s; s = strstr(s + 1, " [")) {
		if (!s[2] || !strchr("MSDAEC", s[2]) || s[3] != ']' || (s[4] && s[4] != ' '))
			continue;
		grade = s[2];
		*s = '\0';
		break;
	}
	g_strstrip(text);
	return grade;
}

char conf_default_grade(const struct conf_key *key)
{
	g_autofree char *def = g_strdup(key->def ? key->def : "");
	g_autofree char *help = g_strdup(key->help);
	char grade = conf_value_cut_grade(def);

	return grade ? grade : conf_value_cut_grade(help);
}

void conf_table_check(const struct conf_key *keys)
{
	for (; keys && keys->type != CONF_END; keys++) {
		g_autofree char *def = g_strdup(keys->def);
		union conf_value value;
		GError *err = NULL;

		assert(keys->name && keys->help);
		assert((keys->type == CONF_ENUM) == (keys->choices != NULL));
		if (!def)
			continue;
		conf_value_cut_grade(def);
		if (!conf_value_parse(keys, def, &value, &err))
			g_error("default of %s: %s", keys->name, err->message);
	}
}

/*
 * sim/config_format.c - values as a user would write them, and the units they are written in.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config_value.h"

/* Largest first: conf_format() takes the first that fits. */
const struct conf_unit conf_time_units[] = {
	{"s", NSEC_PER_SEC}, {"ms", NSEC_PER_MSEC}, {"us", NSEC_PER_USEC}, {"ns", 1}, {NULL, 0},
};

/* clang-format off */
const struct conf_unit conf_size_units[] = {
	{ "TiB", INT64_C(1) << 40 },
	{ "TB",  INT64_C(1000000000000) },
	{ "GiB", INT64_C(1) << 30 },
	{ "GB",  INT64_C(1000000000) },
	{ "MiB", INT64_C(1) << 20 },
	{ "MB",  INT64_C(1000000) },
	{ "KiB", INT64_C(1) << 10 },
	{ "kB",  INT64_C(1000) },
	{ "",    1 },
	{ "T",   INT64_C(1) << 40 },
	{ "G",   INT64_C(1) << 30 },
	{ "M",   INT64_C(1) << 20 },
	{ "K",   INT64_C(1) << 10 },
	{ NULL,  0 },
};
/* clang-format on */

/* The largest unit not above @ns, with as many decimals as it takes. */
static char *format_nsec(int64_t ns)
{
	const struct conf_unit *unit = conf_time_units;
	GString *s = g_string_new(NULL);
	int64_t digit;

	while (unit->factor > 1 && ns < unit->factor)
		unit++;
	digit = unit->factor;
	g_string_printf(s, "%" G_GINT64_FORMAT, ns / digit);
	for (int64_t rest = ns % digit; rest; rest %= digit) {
		if (digit == unit->factor)
			g_string_append_c(s, '.');
		digit /= 10;
		g_string_append_c(s, (char)('0' + rest / digit));
	}
	g_string_append(s, unit->name);
	return g_string_free(s, FALSE);
}

/* The largest unit that divides @bytes. */
static char *format_bytes(int64_t bytes, const char *suffix)
{
	const struct conf_unit *unit = conf_size_units;

	while (bytes == 0 ? unit->factor > 1 : bytes % unit->factor != 0)
		unit++;
	return g_strdup_printf("%" G_GINT64_FORMAT "%s%s", bytes / unit->factor, unit->name,
			       suffix);
}

/* The fewest digits that read back as the same double. */
static char *format_real(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];

	for (int digits = 1; digits <= 17; digits++) {
		g_snprintf(format, sizeof(format), "%%.%dg", digits);
		g_ascii_formatd(text, sizeof(text), format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	return g_strdup(text);
}

char *conf_format(const struct conf_key *key, const void *owner)
{
	union conf_value value = conf_value_fetch(key, owner);

	switch (key->type) {
	case CONF_U64:
		return g_strdup_printf("%" G_GUINT64_FORMAT, value.u64);
	case CONF_BOOL:
		return g_strdup(value.boolean ? "1" : "0");
	case CONF_NSEC:
		return format_nsec(value.i64);
	case CONF_BYTES:
		return format_bytes(value.i64, "");
	case CONF_RATE:
		return format_bytes(value.i64, "/s");
	case CONF_REAL:
		return format_real(value.real);
	case CONF_STR:
		return g_strdup(value.str);
	case CONF_ENUM:
		return g_strdup(key->choices[value.choice]);
	case CONF_END:
		break;
	}
	assert(false && "a conf_key has a type");
	return NULL;
}

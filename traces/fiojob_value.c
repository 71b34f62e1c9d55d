/*
 * traces/fiojob_value.c - see traces/fiojob_value.h.
 */
#include "traces/fiojob_value.h"

#include <glib.h>
#include <string.h>

/* Digits of @s, decimal or 0x; *@suffix gets what follows, without blanks in front. */
static bool number(const char *s, uint64_t *v, const char **suffix)
{
	unsigned int base = 10;
	const char *from;

	s += strspn(s, " \t");
	if (g_ascii_strncasecmp(s, "0x", 2) == 0) {
		base = 16;
		s += 2;
	}
	*v = 0;
	for (from = s; base == 16 ? g_ascii_isxdigit(*s) : g_ascii_isdigit(*s); s++) {
		unsigned int digit = (unsigned int)g_ascii_xdigit_value(*s);
		if (*v > ((uint64_t)INT64_MAX - digit) / base)
			return false;
		*v = *v * base + digit;
	}
	*suffix = s + strspn(s, " \t");
	return s > from;
}

static bool multiply(uint64_t n, uint64_t by, int64_t *v)
{
	if (n > INT64_MAX / by)
		return false;
	*v = (int64_t)(n * by);
	return true;
}

bool fio_bytes(const char *s, int64_t kb_base, int64_t *v)
{
	static const char prefixes[] = "kmgtp";
	const char *suffix, *prefix;
	uint64_t n, by = 1;

	if (!number(s, &n, &suffix))
		return false;
	prefix = *suffix ? strchr(prefixes, g_ascii_tolower(*suffix)) : NULL;
	if (prefix) {
		bool other = g_ascii_tolower(*++suffix) == 'i';
		uint64_t base = (kb_base == 1024) != other ? 1024 : 1000;
		suffix += other;
		for (ptrdiff_t i = 0; i <= prefix - prefixes; i++)
			by *= base;
	}
	if (g_ascii_tolower(*suffix) == 'b')
		suffix++;
	return !*suffix && multiply(n, by, v);
}

bool fio_time(const char *s, int64_t unit_ns, int64_t *v)
{
	static const struct {
		const char *suffix;
		int64_t ns;
	} units[] = {
		{"d", 86400 * NSEC_PER_SEC}, {"h", 3600 * NSEC_PER_SEC}, {"m", 60 * NSEC_PER_SEC},
		{"s", NSEC_PER_SEC},	     {"sec", NSEC_PER_SEC},	 {"ms", NSEC_PER_MSEC},
		{"msec", NSEC_PER_MSEC},     {"us", NSEC_PER_USEC},	 {"usec", NSEC_PER_USEC},
	};
	const char *suffix;
	uint64_t n;

	if (!number(s, &n, &suffix))
		return false;
	if (!*suffix)
		return multiply(n, (uint64_t)unit_ns, v);
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		if (g_ascii_strcasecmp(suffix, units[i].suffix) == 0)
			return multiply(n, (uint64_t)units[i].ns, v);
	return false;
}

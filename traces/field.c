/*
 * traces/field.c - see traces/field.h.
 */
#include "traces/field.h"

#include "sim/op.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t field_split(char *line, char **cols, size_t max)
{
	size_t n = 0;

	for (char *p = line; *p; n++) {
		while (is_blank(*p))
			p++;
		if (!*p)
			break;
		if (n < max)
			cols[n] = p;
		while (*p && !is_blank(*p))
			p++;
		if (*p)
			*p++ = '\0';
	}
	return n;
}

bool field_u64(const char *s, uint64_t max, uint64_t *v)
{
	uint64_t n = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned int digit = (unsigned int)(unsigned char)*s - '0';
		if (digit > 9 || n > UINT64_MAX / 10 || n * 10 > UINT64_MAX - digit)
			return false;
		n = n * 10 + digit;
	}
	if (n > max)
		return false;
	*v = n;
	return true;
}

bool field_i64(const char *s, int64_t min, int64_t max, int64_t *v)
{
	uint64_t n;
	bool negative = *s == '-';

	if (!field_u64(s + negative, (uint64_t)INT64_MAX + negative, &n))
		return false;
	int64_t value = negative ? (int64_t)(0 - n) : (int64_t)n;
	if (value < min || value > max)
		return false;
	*v = value;
	return true;
}

bool input_fail(GError **err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_autofree char *what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, what);
	return false;
}

/*
 * traces/scan.h - reading a line of text from left to right.
 *
 * Every function looks at *@p, and moves it behind what it took; on false *@p is where it was.
 */
#ifndef TRACES_SCAN_H
#define TRACES_SCAN_H

#include "sim/types.h"

static inline void scan_spaces(const char **p)
{
	while (**p == ' ' || **p == '\t')
		++*p;
}

/* One character @c, behind any spaces. */
static inline bool scan_char(const char **p, char c)
{
	const char *s = *p;

	scan_spaces(&s);
	if (*s != c)
		return false;
	*p = s + 1;
	return true;
}

/* Decimal digits of at most @max, not behind spaces. */
static inline bool scan_digits(const char **p, uint64_t max, uint64_t *value)
{
	const char *s = *p;
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		uint64_t digit = (uint64_t)(*s - '0');

		if (v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	*p = s;
	return true;
}

/* As scan_digits(), behind any spaces. */
static inline bool scan_number(const char **p, uint64_t max, uint64_t *value)
{
	const char *s = *p;

	scan_spaces(&s);
	if (!scan_digits(&s, max, value))
		return false;
	*p = s;
	return true;
}

/* A run of other than spaces, behind any spaces, into @word (cut to @size - 1). */
static inline bool scan_word(const char **p, char *word, size_t size)
{
	const char *s = *p;
	size_t n = 0;

	scan_spaces(&s);
	if (!*s)
		return false;
	for (; *s && *s != ' ' && *s != '\t'; s++)
		if (n + 1 < size)
			word[n++] = *s;
	word[n] = '\0';
	*p = s;
	return true;
}

#endif

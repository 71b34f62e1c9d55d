/*
 * traces/ftrace_left.c - see traces/ftrace_left.h.
 *
 * Behind a known part only "flags sec.frac:" is read, flags of letters, digits and dots: such a
 * word ends in no ']' and holds no ':', so the stamp that ftrace_line.c would find is this one.
 */
#include "traces/ftrace_left.h"

#include <glib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Over the blanks at @p; NULL: there are none. */
static const char *skip_blanks(const char *p)
{
	const char *from = p;

	while (is_blank(*p))
		p++;
	return p == from ? NULL : p;
}

/* Digits at @p, at most @max of them, into *@v; behind them, or NULL. */
static const char *read_digits(const char *p, int max, int64_t *v)
{
	const char *from = p, *limit = p + max;
	int64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (p == limit)
			return NULL;
		n = n * 10 + (*p - '0');
	}
	*v = n;
	return p == from ? NULL : p;
}

/* "sec.frac: " at @p; behind its ':'. */
static const char *read_stamp(const char *p, int64_t *ns)
{
	int64_t sec, frac;
	const char *dot = read_digits(p, 9, &sec);

	if (!dot || *dot != '.')
		return NULL;
	p = read_digits(dot + 1, 9, &frac);
	if (!p || *p != ':' || !is_blank(p[1]))
		return NULL;
	for (ptrdiff_t digits = p - dot - 1; digits < 9; digits++)
		frac *= 10;
	*ns = sec * NSEC_PER_SEC + frac;
	return p + 1;
}

/* What follows the CPU, at @p: "flags stamp:" or "stamp:". */
static const char *read_rest(const char *p, int64_t *ns)
{
	const char *word, *behind;

	word = p = skip_blanks(p);
	if (!p)
		return NULL;
	while (g_ascii_isalnum(*p) || *p == '.')
		p++;
	if (*p == ':')
		return read_stamp(word, ns);
	behind = p - word <= FTRACE_FLAGS_MAX ? skip_blanks(p) : NULL;
	return behind ? read_stamp(behind, ns) : NULL;
}

const char *ftrace_left_match(const struct ftrace_left *left, const char *text, const char *end,
			      struct ftrace_line *l)
{
	for (unsigned int i = 0; i < FTRACE_LEFT_KEPT; i++) {
		const struct ftrace_left_part *part = &left->parts[i];

		if (!part->bytes || (size_t)(end - text) < part->bytes ||
		    memcmp(text, part->text, part->bytes) != 0)
			continue;
		l->comm = text + part->comm_at;
		l->comm_len = part->comm_len;
		l->pid = part->pid;
		l->tgid = part->tgid;
		l->cpu = part->cpu;
		return read_rest(text + part->bytes, &l->time_ns);
	}
	return NULL;
}

void ftrace_left_learn(struct ftrace_left *left, const char *text, const char *cpu_end,
		       const struct ftrace_line *l)
{
	struct ftrace_left_part *part = &left->parts[left->next];
	size_t n = (size_t)(cpu_end - text);

	if (n > sizeof(part->text))
		return;
	left->next = (left->next + 1) % FTRACE_LEFT_KEPT;
	memcpy(part->text, text, n);
	part->bytes = n;
	part->comm_at = (size_t)(l->comm - text);
	part->comm_len = l->comm_len;
	part->pid = l->pid;
	part->tgid = l->tgid;
	part->cpu = l->cpu;
}

/*
 * traces/ftrace_line.c - see traces/ftrace_line.h.
 *
 * comm is up to 15 bytes of anything, so no column can be counted and no separator trusted from the
 * left.  Every ':' that follows a digit and precedes a blank may end the time stamp.  It does when
 * the words to its left are [flags] and then "[cpu]" and then a pid; the first such ':' wins, as a
 * body may quote a whole line.  Lines that fail this are compared with the few other things the
 * tools print; that path is rare and may be slow.
 *
 * From the stamp leftwards: flags are one word of at most FTRACE_FLAGS_MAX bytes, or missing;
 * "[cpu]" is digits only, which tells it from "foo[392]-7"; "(tgid)" is digits or dashes; the pid
 * is the digits that end there, and a dash (ftrace), a blank (perf) or a slash (perf tgid/tid)
 * parts it from comm. perf record without -a prints no CPU: then "comm pid" must stand directly
 * before the stamp.
 *
 * Not modelled: the latency format ("cmd-pid 1d..1 45us"), which has neither [cpu] nor a stamp.
 */
#include "traces/ftrace_line.h"

#include <glib.h>
#include <string.h>

#include "traces/ftrace_left.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool is_name(char c)
{
	return is_word(c) || c == '-' || c == '.';
}

/* Last blank-free byte's successor when going left from @p, not below @start. */
static const char *rtrim(const char *start, const char *p)
{
	while (p > start && is_blank(p[-1]))
		p--;
	return p;
}

/* Parse digits [@p, @end) into *@v; false when empty, not all digits or above @max. */
static bool parse_digits(const char *p, const char *end, uint64_t max, uint64_t *v)
{
	uint64_t n = 0;

	if (p == end)
		return false;
	for (; p < end; p++) {
		if (!is_digit(*p))
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
		if (n > max)
			return false;
	}
	*v = n;
	return true;
}

/* "sec.frac" or a plain count in [@p, @end) to ns, exactly: no double holds 10^16. */
static bool parse_time(const char *p, const char *end, int64_t *ns)
{
	const char *dot = memchr(p, '.', (size_t)(end - p));
	uint64_t sec, frac = 0;
	int digits = 0;

	if (!dot) {
		if (!parse_digits(p, end, INT64_MAX / 10, &sec))
			return false;
		*ns = (int64_t)sec;
		return true;
	}
	if (!parse_digits(p, dot, INT64_MAX / NSEC_PER_SEC - 1, &sec) || dot + 1 == end)
		return false;
	for (p = dot + 1; p < end; p++) {
		if (!is_digit(*p))
			return false;
		if (digits == 9)
			continue; /* finer than a ns */
		frac = frac * 10 + (uint64_t)(*p - '0');
		digits++;
	}
	for (; digits < 9; digits++)
		frac *= 10;
	*ns = (int64_t)(sec * (uint64_t)NSEC_PER_SEC + frac);
	return true;
}

/* "[ddd]" that ends at @p: its '[' or NULL. */
static const char *parse_cpu(const char *start, const char *p, uint32_t *cpu)
{
	uint64_t v = 0, scale = 1;

	if (p - start < 3 || p[-1] != ']' || !is_digit(p[-2]))
		return NULL;
	for (p -= 2; p >= start && is_digit(*p); p--, scale *= 10) {
		if (scale > 100000)
			return NULL;
		v += (uint64_t)(*p - '0') * scale;
	}
	if (p < start || *p != '[')
		return NULL;
	*cpu = (uint32_t)v;
	return p;
}

/* Drop a "(tgid)" column that ends at @p: where the text before it ends. */
static const char *parse_tgid(const char *start, const char *p, int32_t *tgid)
{
	uint64_t v;
	const char *open = p;

	*tgid = FTRACE_NO_TGID;
	if (p == start || p[-1] != ')')
		return p;
	while (open > start && *open != '(')
		open--;
	if (*open != '(')
		return p;
	const char *from = open + 1;
	while (is_blank(*from))
		from++;
	if (parse_digits(from, rtrim(from, p - 1), INT32_MAX, &v))
		*tgid = (int32_t)v;
	else if (strspn(from, "-") != (size_t)(p - 1 - from))
		return p; /* part of comm */
	return rtrim(start, open);
}

/* "comm-pid", "comm pid" or "comm tgid/pid" in [@start, @end). */
static bool parse_task(const char *start, const char *end, struct ftrace_line *l)
{
	const char *p = end;
	uint64_t v;

	while (p > start && is_digit(p[-1]))
		p--;
	if (!parse_digits(p, end, INT32_MAX, &v) || p == start)
		return false;
	l->pid = (int32_t)v;
	if (p[-1] == '/') {
		const char *slash = --p;

		while (p > start && is_digit(p[-1]))
			p--;
		if (!parse_digits(p, slash, INT32_MAX, &v) || p == start || !is_blank(p[-1]))
			return false;
		l->tgid = (int32_t)v;
	} else if (p[-1] == '-') {
		p--;
	} else if (!is_blank(p[-1])) {
		return false;
	}
	while (start < p && is_blank(*start))
		start++;
	l->comm = start;
	l->comm_len = (size_t)(rtrim(start, p) - start);
	return true;
}

/* "comm pid" at [@word, @end) of perf without a CPU column. */
static bool parse_task_only(const char *text, const char *word, const char *end,
			    struct ftrace_line *l)
{
	l->cpu = 0;
	l->tgid = FTRACE_NO_TGID;
	return is_digit(*word) && parse_task(text, end, l) && l->comm_len > 0 &&
	       l->comm[l->comm_len] != '-';
}

/* All that stands left of the stamp's ':' at @colon; false: this ':' does not end a stamp.
 * *@cpu_end: behind "[cpu]", NULL when there is none. */
static bool parse_left(const char *text, const char *colon, struct ftrace_line *l,
		       const char **cpu_end)
{
	const char *p = colon, *cpu;

	while (p > text && (is_digit(p[-1]) || p[-1] == '.'))
		p--;
	if (p == text || !is_blank(p[-1]) || !parse_time(p, colon, &l->time_ns))
		return false;
	*cpu_end = p = rtrim(text, p);
	cpu = parse_cpu(text, p, &l->cpu);
	if (!cpu) {
		const char *flags = p;

		while (p > text && !is_blank(p[-1]))
			p--;
		if (p == text || flags - p > FTRACE_FLAGS_MAX)
			return false;
		*cpu_end = rtrim(text, p);
		cpu = parse_cpu(text, *cpu_end, &l->cpu);
		if (!cpu) {
			*cpu_end = NULL;
			return parse_task_only(text, p, flags, l);
		}
	}
	p = parse_tgid(text, rtrim(text, cpu), &l->tgid);
	return parse_task(text, p, l);
}

/* A name without a body of its own: function tracer, stack dumps. */
static void set_name(struct ftrace_line *l, const char *name, const char *p)
{
	l->kind = FTRACE_LINE_EVENT;
	l->name = name;
	l->name_len = strlen(name);
	l->body = p;
}

/* Behind the event's name at @p, which goes into l->name without its "subsys:".  The common form is
 * found by three memchr(): a loop over the bytes took a third of the time of a line. */
static const char *parse_name(const char *p, const char *end, struct ftrace_line *l)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	size_t n = colon ? (size_t)(colon - p) : 0;

	l->name = p;
	if (colon && !is_word(colon[1]) && !memchr(p, '(', n) && !memchr(p, ' ', n))
		return colon;
	while (is_name(*p))
		p++;
	if (*p == ':' && is_word(p[1])) { /* "block:block_rq_issue:" */
		const char *q = p + 1;

		while (is_name(*q))
			q++;
		if (*q == ':' && !is_word(q[1])) {
			l->name = p + 1;
			p = q;
		}
	}
	return p;
}

/* Event name and body right of the stamp. */
static bool parse_right(const char *p, const char *end, struct ftrace_line *l)
{
	while (is_blank(*p))
		p++;
	if (is_digit(*p)) { /* perf: the period of a sampled event */
		const char *q = p + strspn(p, "0123456789");

		p = is_blank(*q) ? q + strspn(q, " \t") : p;
	}
	p = parse_name(p, end, l);
	l->name_len = (size_t)(p - l->name);
	l->body = p + 1;
	if (*p == ':' && l->name_len > 0) {
		l->kind = FTRACE_LINE_EVENT;
	} else if (*p == '(' && l->name_len > 0) {
		l->kind = FTRACE_LINE_ENTER;
	} else if (strncmp(p, " -> ", 4) == 0 && l->name_len > 0) {
		l->kind = FTRACE_LINE_EXIT;
		l->body = p + 4;
	} else if (strncmp(p, " <-", 3) == 0 && l->name_len > 0) {
		set_name(l, "function", l->name);
	} else if (strncmp(p, "<stack trace>", 13) == 0 && l->name_len == 0) {
		set_name(l, "kernel_stack", p);
	} else if (strncmp(p, "<user stack trace>", 18) == 0 && l->name_len == 0) {
		set_name(l, "user_stack", p);
	} else {
		return false;
	}
	while (is_blank(*l->body))
		l->body++;
	l->body_len = (size_t)(end - l->body);
	return true;
}

static const char *skip_digits(const char *p, uint64_t *v)
{
	const char *q = p;

	while (is_digit(*q))
		q++;
	return parse_digits(p, q, UINT32_MAX, v) ? q : NULL;
}

/* "CPU:3 [LOST 17 EVENTS]", "CPU:0 [1234 EVENTS DROPPED]", "CPU:0 [LOST EVENTS]". */
static bool parse_lost(const char *p, struct ftrace_line *l)
{
	uint64_t cpu;
	const char *q = skip_digits(p + strlen("CPU:"), &cpu);

	if (!q || strncmp(q, " [", 2) != 0)
		return false;
	q += 2;
	if (strncmp(q, "LOST ", 5) == 0)
		q += 5;
	l->lost = 0;
	if (is_digit(*q)) {
		q = skip_digits(q, &l->lost);
		if (!q || *q++ != ' ')
			return false;
	}
	if (strncmp(q, "EVENTS", 6) != 0)
		return false;
	l->cpu = (uint32_t)cpu;
	l->kind = FTRACE_LINE_LOST;
	return true;
}

/* "##### CPU 2 buffer started ####": what came before on that CPU is gone, how much unsaid. */
static bool parse_buffer_started(const char *p, struct ftrace_line *l)
{
	uint64_t cpu;
	const char *q = strstr(p, "CPU ");

	q = q ? skip_digits(q + 4, &cpu) : NULL;
	if (!q || strncmp(q, " buffer started", 15) != 0)
		return false;
	l->cpu = (uint32_t)cpu;
	l->lost = 0;
	l->kind = FTRACE_LINE_LOST;
	return true;
}

/* " => func" of ftrace, "    ffffffff81 func+0x1 ([kernel])" of perf. */
static bool is_stack(const char *text, const char *p)
{
	size_t n = strspn(p, "0123456789abcdef");
	bool frame = n >= 8 || g_str_has_suffix(p, ")");

	if (strncmp(p, "=>", 2) == 0)
		return true;
	return p > text && n > 0 && n <= 16 && is_blank(p[n]) && frame;
}

static bool is_header(const char *text, const char *p)
{
	/* clang-format off */
	static const char *const starts[] = {
		"cpus=", "version = ", "CPU ", "capturing trace", "TRACE:", "trace.dat",
	};
	/* clang-format on */
	if (*p == '\0' || *p == '#')
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		if (strncmp(p, starts[i], strlen(starts[i])) == 0)
			return true;
	return is_stack(text, p);
}

static void parse_other(const char *text, struct ftrace_line *l)
{
	const char *p = text;

	while (is_blank(*p) || *p == '\r')
		p++;
	l->kind = FTRACE_LINE_BROKEN;
	if (strncmp(p, "CPU:", 4) == 0 && parse_lost(p, l))
		return;
	if (strncmp(p, "#####", 5) == 0 && parse_buffer_started(p, l))
		return;
	if (is_header(text, p))
		l->kind = FTRACE_LINE_HEADER;
}

void ftrace_line_split(struct ftrace_left *left, const char *text, size_t len,
		       struct ftrace_line *l)
{
	const char *end = text + len, *cpu_end;
	const char *p = left ? ftrace_left_match(left, text, end, l) : NULL;
	bool first = true; /* that may end a stamp */

	if (p && parse_right(p, end, l))
		return;
	for (p = *text == '#' ? NULL : memchr(text, ':', len); p;
	     p = memchr(p + 1, ':', (size_t)(end - p - 1))) {
		if (p == text || !is_digit(p[-1]) || !is_blank(p[1]))
			continue;
		if (!parse_left(text, p, l, &cpu_end))
			continue;
		if (parse_right(p + 1, end, l)) {
			if (left && first && cpu_end)
				ftrace_left_learn(left, text, cpu_end, l);
			return;
		}
		first = false;
	}
	parse_other(text, l);
}

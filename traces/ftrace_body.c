/*
 * traces/ftrace_body.c - see traces/ftrace_body.h.
 *
 * Bodies are NUL-terminated, so nothing here looks past one: every loop stops at a byte that is not
 * what it wants.  Numbers above 64 bits are no numbers.
 */
#include "traces/ftrace_body.h"

#include <string.h>

static const char *find_word(const char *start, const char *from, const char *end, const char *key,
			     size_t n)
{
	for (const char *p = from; (p = memmem(p, (size_t)(end - p), key, n)); p += n)
		if ((p == start || !ftrace_body_is_word(p[-1])) && !ftrace_body_is_word(p[n]))
			return p + n;
	return NULL;
}

const char *ftrace_body_find(const char *body, const char *from, const char *end, const char *key)
{
	size_t n = strlen(key);
	const char *p = find_word(body, from, end, key, n);

	return p || from == body ? p : find_word(body, body, end, key, n);
}

const char *ftrace_body_rfind(const char *body, const char *limit, const char *end, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = limit - n; p >= body; p--)
		if (*p == *key && !memcmp(p, key, n) &&
		    (p == body || !ftrace_body_is_word(p[-1])) &&
		    (p + n == end || !ftrace_body_is_word(p[n])))
			return p + n;
	return NULL;
}

const char *ftrace_body_skip(const char *p)
{
	while (*p == ' ' || *p == '=' || *p == ':')
		p++;
	return p;
}

/* Decimal digits at @p; NULL: none or too many. */
static const char *read_decimal(const char *p, uint64_t *v)
{
	const char *from = p;
	uint64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t d = (uint64_t)(*p - '0');

		if (n > (UINT64_MAX - 9) / 10 && n > (UINT64_MAX - d) / 10)
			return NULL;
		n = n * 10 + d;
	}
	*v = n;
	return p == from ? NULL : p;
}

static const char *read_hex(const char *p, uint64_t *v)
{
	const char *from = p;
	uint64_t n = 0;

	for (;; p++) {
		unsigned int d = (unsigned int)(*p - '0');

		if (d > 9) {
			d = ((unsigned int)*p | 0x20) - 'a';
			if (d > 5)
				break;
			d += 10;
		}
		if (n >> 60)
			return NULL;
		n = n << 4 | d;
	}
	*v = n;
	return p == from ? NULL : p;
}

const char *ftrace_body_number(const char *p, bool hex, uint64_t *v)
{
	bool negative = *p == '-';

	p += negative;
	if (p[0] == '0' && (p[1] | 0x20) == 'x')
		p = read_hex(p + 2, v);
	else
		p = hex ? read_hex(p, v) : read_decimal(p, v);
	if (p && negative)
		*v = -*v;
	return p;
}

const char *ftrace_body_device(const char *p, uint64_t *v)
{
	uint64_t major, minor;

	if (*p == '(')
		p++;
	p = read_decimal(p, &major);
	if (!p)
		return NULL;
	if (*p != ':' && *p != ',') { /* a dev_t has the layout of DEVNO() */
		*v = major;
		return major <= UINT32_MAX ? p : NULL;
	}
	p = read_decimal(p + 1, &minor);
	if (!p || major > 0xfff || minor > 0xfffff)
		return NULL;
	*v = DEVNO(major, minor);
	return p;
}

static enum ftrace_field arg_field(const char *name, size_t n)
{
	/* clang-format off */
	static const struct {
		const char *name;
		enum ftrace_field field;
	} args[] = {
		{ "fd", F_FD }, { "count", F_LEN }, { "pos", F_POS }, { "flags", F_FLAGS },
		{ "pos_l", F_POS }, { "pos_h", F_POS_HI }, { "offset", F_POS }, { "length", F_POS },
		{ "len", F_LEN }, { "advice", F_ADVICE }, { "whence", F_ADVICE }, { "cmd", F_ADVICE },
		{ "fildes", F_FD }, { "oldfd", F_FD }, { "newfd", F_FD2 },
	};
	/* clang-format on */
	for (size_t i = 0; i < G_N_ELEMENTS(args); i++)
		if (args[i].name[0] == name[0] && strlen(args[i].name) == n &&
		    !memcmp(args[i].name, name, n))
			return args[i].field;
	return F_NR;
}

/* Behind the value at @p: newer kernels add what a pointer leads to, in quotes and parentheses. */
static const char *skip_value(const char *p)
{
	bool quoted = false;
	int depth = 0;

	for (; *p && (quoted || depth || (*p != ',' && *p != ')')); p++) {
		if (*p == '"' && p[-1] != '\\')
			quoted = !quoted;
		else if (!quoted)
			depth += (*p == '(') - (*p == ')');
	}
	return p;
}

bool ftrace_body_args(struct ftrace_event *e, const char *body)
{
	for (const char *p = body; *p && *p != ')';) {
		const char *colon = strchr(p, ':');
		enum ftrace_field field;
		uint64_t v;

		if (!colon)
			return false;
		field = arg_field(p, (size_t)(colon - p));
		for (p = colon + 1; *p == ' '; p++)
			;
		if (field < F_NR && ftrace_body_number(p, true, &v))
			ftrace_set(e, field, v);
		for (p = skip_value(p); *p == ',' || *p == ' '; p++)
			;
	}
	return true;
}

/* The word at @p into @word (cut to fit); behind it and the blanks that follow. */
static const char *read_word(const char *p, char *word, size_t size)
{
	size_t n = strcspn(p, " ");

	g_strlcpy(word, p, MIN(n + 1, size));
	p += n;
	while (*p == ' ')
		p++;
	return p;
}

/* Over "(cdb)"; tells whether it held a command. */
static const char *skip_command(const char *p, bool *passthrough)
{
	const char *close = *p == '(' ? strchr(p, ')') : NULL;

	if (!close)
		return NULL;
	*passthrough = close > p + 1;
	return close[1] == ' ' ? close + 2 : NULL;
}

bool ftrace_body_request(struct ftrace_event *e, const char *body)
{
	const char *p = body, *bracket;
	uint64_t v;

	if (!ftrace_body_device(p, &v))
		return false;
	ftrace_set(e, F_DEV, v);
	p += strcspn(p, " ");
	while (*p == ' ')
		p++;
	p = read_word(p, e->rwbs, sizeof(e->rwbs));
	ftrace_set(e, F_LEN, 0);
	e->passthrough = false;
	if (*p != '(' && e->id != FT_BIO_QUEUE) {
		p = read_decimal(p, &e->v[F_LEN]);
		if (!p || *p++ != ' ')
			return false;
		ftrace_set(e, F_SIZE, e->v[F_LEN]);
	}
	if (e->id != FT_BIO_QUEUE)
		p = skip_command(p, &e->passthrough);
	p = p ? read_decimal(p, &e->v[F_SECTOR]) : NULL;
	if (!p || strncmp(p, " + ", 3) != 0 || !read_decimal(p + 3, &v))
		return false;
	if (v > UINT32_MAX >> SECTOR_SHIFT)
		return false;
	if (e->v[F_LEN] == 0 || !e->passthrough)
		e->v[F_LEN] = v << SECTOR_SHIFT;
	e->has |= 1u << F_SECTOR;
	bracket = strrchr(p, '[');
	if (e->id == FT_RQ_COMPLETE && bracket && ftrace_body_number(bracket + 1, false, &v))
		ftrace_set(e, F_RESULT, v);
	return true;
}

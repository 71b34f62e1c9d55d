/*
 * traces/blkformat.c - blkparse's -f formats (traces/blkline.h).
 *
 * A format is compiled to a list of items: a field, or a character of text.  Spaces in the format
 * match one or more spaces, the padding of fields any number.  A name (%C) may be empty or hold
 * spaces: it is the shortest with which the rest of the line matches.
 *
 * Not modelled: formats of several lines an event; different formats by action (-F).
 */
#include <string.h>

#include "traces/blkline.h"
#include "traces/scan.h"

#define COMM_MAX 64u /* bytes, padding included */

struct item {
	char field; /* letter of the specifier; 0 = text */
	char text;
};

struct blk_format {
	GArray *items; /* struct item */
};

/* The numbers of a line by the letter of their specifier; %D gives M and m. */
struct numbers {
	uint64_t of[128];
};

static bool refuse(GError **err, const char *format, const char *what)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "--format blkparse:'%s': %s", format,
		    what);
	return false;
}

static void add_item(struct blk_format *f, char field, char text)
{
	const struct item item = {field, text};

	g_array_append_val(f->items, item);
}

/* A run of white space is one item. */
static void add_text(struct blk_format *f, char text)
{
	guint n = f->items->len;

	if (!g_ascii_isspace(text))
		add_item(f, '\0', text);
	else if (!n || g_array_index(f->items, struct item, n - 1).text != ' ')
		add_item(f, '\0', ' ');
}

/* Compile the specifier behind a '%' at *@p. */
static bool compile_field(struct blk_format *f, const char *format, const char **p, GError **err)
{
	g_autofree char *what = NULL;
	const char *s = *p;

	while (*s == '-' || g_ascii_isdigit(*s))
		s++;
	if (!*s || !strchr("acCdDemMnNpPsStTuU", *s)) {
		what = g_strdup_printf("specifier %%%.*s is not known", *s ? 1 : 0, s);
		return refuse(err, format, what);
	}
	add_item(f, *s, '\0');
	*p = s + 1;
	return true;
}

static bool compile(struct blk_format *f, const char *format, GError **err)
{
	for (const char *p = format; *p;) {
		size_t newline = *p == '\n' ? 1 : !strncmp(p, "\\n", 2) ? 2 : 0;

		if (newline)
			return !p[newline] || refuse(err, format, "more than one line an event");
		if (*p == '%' && p[1] != '%') {
			p++;
			if (!compile_field(f, format, &p, err))
				return false;
			continue;
		}
		bool escape = *p == '%' || !strncmp(p, "\\t", 2);

		add_text(f, *p == '\\' && escape ? ' ' : *p);
		p += escape ? 2 : 1;
	}
	return true;
}

static bool has_field(const struct blk_format *f, const char *any)
{
	for (guint i = 0; i < f->items->len; i++) {
		char field = g_array_index(f->items, struct item, i).field;

		if (field && strchr(any, field))
			return true;
	}
	return false;
}

static bool check_fields(const struct blk_format *f, const char *format, GError **err)
{
	/* clang-format off */
	static const struct {
		const char *any, *what;
	} needed[] = {
		{ "a",  "needs %a (action)" },
		{ "d",  "needs %d (RWBS)" },
		{ "T",  "needs %T (seconds)" },
		{ "t",  "needs %t (nanoseconds)" },
		{ "S",  "needs %S (sector)" },
		{ "nN", "needs %n (blocks) or %N (bytes)" },
	};
	/* clang-format on */

	for (size_t i = 0; i < G_N_ELEMENTS(needed); i++)
		if (!has_field(f, needed[i].any))
			return refuse(err, format, needed[i].what);
	return true;
}

struct blk_format *blk_format_new(const char *format, GError **err)
{
	struct blk_format *f = g_new0(struct blk_format, 1);

	f->items = g_array_new(FALSE, FALSE, sizeof(struct item));
	if (compile(f, format, err) && check_fields(f, format, err))
		return f;
	blk_format_free(f);
	return NULL;
}

void blk_format_free(struct blk_format *f)
{
	if (!f)
		return;
	g_array_unref(f->items);
	g_free(f);
}

static bool parse_action(const char **p, struct blk_event *e)
{
	char word[3] = "";
	const char *s = *p;

	scan_spaces(&s);
	for (size_t n = 0; n < 2 && g_ascii_isalpha(*s); n++)
		word[n] = *s++;
	*p = s;
	e->action = blk_action_from_text(word);
	return e->action;
}

static bool parse_rwbs(const char **p, char rwbs[BLK_RWBS_MAX])
{
	size_t n = 0;

	scan_spaces(p);
	for (; g_ascii_isalpha(**p) && n + 1 < BLK_RWBS_MAX; ++*p)
		rwbs[n++] = **p;
	rwbs[n] = '\0';
	return n > 0;
}

static bool parse_signed(const char **p, int32_t *value)
{
	bool negative = scan_char(p, '-');
	uint64_t v;

	if (!scan_number(p, UINT16_MAX, &v))
		return false;
	*value = negative ? -(int32_t)v : (int32_t)v;
	return true;
}

/* Hexadecimal bytes with spaces between. */
static bool skip_pdu(const char **p)
{
	*p += strspn(*p, "0123456789abcdef .");
	return true;
}

static bool parse_device(const char **p, struct numbers *n)
{
	return scan_number(p, 0xfff, &n->of['M']) && scan_char(p, ',') &&
	       scan_digits(p, 0xfffff, &n->of['m']);
}

static bool parse_number(char field, const char **p, struct numbers *n)
{
	/* clang-format off */
	static const uint64_t maxima[128] = {
		['c'] = UINT16_MAX,
		['m'] = 0xfffff,
		['M'] = 0xfff,
		['n'] = UINT32_MAX >> SECTOR_SHIFT,
		['N'] = UINT32_MAX,
		['p'] = INT32_MAX,
		['s'] = UINT64_MAX,
		['S'] = UINT64_MAX,
		['t'] = 999999999,
		['T'] = INT64_MAX / 1000000000 - 1,
		['u'] = UINT64_MAX,
		['U'] = UINT64_MAX,
	};
	/* clang-format on */

	return scan_number(p, maxima[(unsigned char)field], &n->of[(unsigned char)field]);
}

static bool parse_field(char field, const char **p, struct blk_line *l, struct numbers *n)
{
	switch (field) {
	case 'a':
		return parse_action(p, &l->event);
	case 'd':
		return parse_rwbs(p, l->rwbs);
	case 'D':
		return parse_device(p, n);
	case 'e':
		return parse_signed(p, &l->event.error);
	case 'P':
		return skip_pdu(p);
	default:
		return parse_number(field, p, n);
	}
}

static void assemble(struct blk_event *e, const struct numbers *n)
{
	e->time_ns = (int64_t)(n->of['T'] * (uint64_t)NSEC_PER_SEC + n->of['t']);
	e->dev = DEVNO(n->of['M'], n->of['m']);
	e->cpu = (uint16_t)n->of['c'];
	e->task = (int32_t)n->of['p'];
	e->sector = n->of['S'];
	e->bytes = (uint32_t)(n->of['N'] ? n->of['N'] : n->of['n'] << SECTOR_SHIFT);
}

/* The text of item @i.  Of the spaces before a name only one is the format's: the name may be empty
 * and have spaces of its own behind it. */
static bool match_text(const struct blk_format *f, guint i, const char **p)
{
	const struct item *item = &g_array_index(f->items, struct item, i);
	const char *start = *p;

	if (item->text != ' ')
		return scan_char(p, item->text);
	if (i + 1 < f->items->len && item[1].field == 'C')
		*p += **p == ' ';
	else
		scan_spaces(p);
	return *p > start;
}

static bool match_comm(const struct blk_format *f, guint i, const char *p, struct blk_line *l,
		       struct numbers *n);

/* Does @p match the items of @f from @i on? */
static bool match(const struct blk_format *f, guint i, const char *p, struct blk_line *l,
		  struct numbers *n)
{
	for (; i < f->items->len; i++) {
		const struct item *item = &g_array_index(f->items, struct item, i);

		if (item->field == 'C')
			return match_comm(f, i, p, l, n);
		if (item->field ? !parse_field(item->field, &p, l, n) : !match_text(f, i, &p))
			return false;
	}
	scan_spaces(&p);
	return !*p;
}

static bool match_comm(const struct blk_format *f, guint i, const char *p, struct blk_line *l,
		       struct numbers *n)
{
	size_t len = 0;

	while (!match(f, i + 1, p + len, l, n))
		if (!p[len] || ++len > COMM_MAX)
			return false;
	for (; len && *p == ' '; len--)
		p++;
	while (len && p[len - 1] == ' ')
		len--;
	l->comm = p;
	l->comm_len = len;
	return true;
}

bool blk_format_parse(const struct blk_format *f, const char *line, struct blk_line *l)
{
	struct numbers numbers = {.of = {0}};

	*l = (struct blk_line){.comm = NULL};
	if (!match(f, 0, line, l, &numbers))
		return false;
	assemble(&l->event, &numbers);
	blk_rwbs_parse(l->rwbs, &l->event.rwbs);
	return true;
}

/*
 * traces/tracedat_body.c - see traces/tracedat_body.h.
 * A format becomes pieces: literal text, a number with its conversion, a string.  Known: d i u x X
 * c s and %%, flags 0 - #, a width, h hh l ll z.  Not known (NULL): pointers (%p...), '*', a
 * precision.
 */
#include "traces/tracedat_body.h"

#include <glib.h>
#include <string.h>

struct piece {
	const char *literal; /* interned; copied before what follows */
	size_t literal_len;
	char conv; /* 0: the literal only */
	bool zero, left, alt;
	bool alt_zero;	  /* "0x" in front of a 0 too */
	int width, bytes; /* of the number as printed */
	struct expr *number;
	struct text *string;
};

struct body {
	GArray *pieces; /* of struct piece */
	int need;	/* bytes of the record that are read */
};

static void put_padded(const struct piece *p, const char *s, size_t n, size_t prefix, struct out *o)
{
	size_t pad = (size_t)p->width > n ? (size_t)p->width - n : 0;

	if (p->left) {
		out_bytes(o, s, n);
		out_fill(o, ' ', pad);
	} else if (p->zero) {
		out_bytes(o, s, prefix);
		out_fill(o, '0', pad);
		out_bytes(o, s + prefix, n - prefix);
	} else {
		out_fill(o, ' ', pad);
		out_bytes(o, s, n);
	}
}

static void put_number(const struct piece *p, int64_t v, struct out *o)
{
	char digits[32], *end = digits + sizeof(digits), *s = end;
	bool sign = p->conv == 'd' || p->conv == 'i';
	uint64_t u = (uint64_t)v;
	size_t prefix = 0;

	if (p->bytes < 8) {
		unsigned int shift = 64 - 8 * (unsigned int)p->bytes;
		u = sign ? (uint64_t)((int64_t)(u << shift) >> shift) : u << shift >> shift;
	}
	bool negative = sign && (int64_t)u < 0;
	bool alt = p->alt && (u || p->alt_zero);
	if (negative)
		u = 0 - u;
	if (p->conv == 'x' || p->conv == 'X') {
		const char *hex = p->conv == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
		do
			*--s = hex[u & 15];
		while (u >>= 4);
		if (alt) {
			*--s = p->conv;
			*--s = '0';
			prefix = 2;
		}
	} else {
		do
			*--s = (char)('0' + u % 10);
		while (u /= 10);
		if (negative) {
			*--s = '-';
			prefix = 1;
		}
	}
	if (p->width)
		put_padded(p, s, (size_t)(end - s), prefix, o);
	else
		out_bytes(o, s, (size_t)(end - s));
}

static void put_string(const struct piece *p, const uint8_t *data, int size, struct out *o)
{
	char *from = o->p;

	text_put(p->string, data, size, o);
	size_t n = (size_t)(o->p - from);
	if ((size_t)p->width <= n)
		return;
	size_t pad = (size_t)p->width - n;
	out_fill(o, ' ', pad);
	if (!p->left && o->p - from == p->width) {
		memmove(from + pad, from, n);
		memset(from, ' ', pad);
	}
}

bool body_put(const struct body *b, const uint8_t *data, int size, struct out *o)
{
	if (size < b->need)
		return false;
	for (guint i = 0; i < b->pieces->len; i++) {
		const struct piece *p = &g_array_index(b->pieces, struct piece, i);

		out_bytes(o, p->literal, p->literal_len);
		if (p->conv == 's')
			put_string(p, data, size, o);
		else if (p->conv == 'c')
			out_fill(o, (char)expr_eval(p->number, data), 1);
		else if (p->conv)
			put_number(p, expr_eval(p->number, data), o);
	}
	return true;
}

/* Read the conversion behind the '%' at @f into @p; the character after it, or NULL. */
static const char *parse_conversion(const char *f, int long_size, struct piece *p)
{
	p->bytes = 4;
	for (f++; *f && strchr("0-#", *f); f++) {
		p->zero |= *f == '0';
		p->left |= *f == '-';
		p->alt |= *f == '#';
	}
	for (; g_ascii_isdigit(*f) && p->width < 100; f++)
		p->width = p->width * 10 + (*f - '0');
	if (strncmp(f, "ll", 2) == 0 || strncmp(f, "hh", 2) == 0) {
		p->bytes = *f == 'l' ? 8 : 1;
		f += 2;
	} else if (*f == 'l' || *f == 'z' || *f == 'h') {
		p->bytes = *f == 'h' ? 2 : long_size;
		f++;
	}
	p->conv = *f;
	return *f && strchr("diuxXcs", *f) ? f + 1 : NULL;
}

static char unescape(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Text up to the next conversion, with escapes and "%%" resolved; the conversion's '%', or the end.
 */
static const char *parse_literal(const char *f, struct piece *p)
{
	GString *text = g_string_new(NULL);

	for (; *f && (*f != '%' || f[1] == '%'); f++) {
		bool escaped = (*f == '%' || *f == '\\') && f[1];
		f += escaped;
		g_string_append_c(text, escaped && f[-1] == '\\' ? unescape(*f) : *f);
	}
	p->literal_len = text->len;
	p->literal = g_intern_string(text->str);
	g_string_free(text, TRUE);
	return f;
}

static bool parse_format(struct tep_event *event, struct body *b)
{
	const struct tep_print_arg *arg = event->print_fmt.args;
	const char *f = event->print_fmt.format;
	int long_size = tep_get_long_size(event->tep);

	while (*f) {
		struct piece p = {0};
		f = parse_literal(f, &p);
		if (*f) {
			f = parse_conversion(f, long_size, &p);
			if (f && arg && p.conv == 's')
				p.string = text_new(event, arg, &b->need);
			else if (f && arg)
				p.number = expr_new(event, arg, &b->need);
			if (!p.string && !p.number)
				return false;
			arg = arg->next;
		}
		g_array_append_val(b->pieces, p);
	}
	return true;
}

/* What libtraceevent prints of an event whose print fmt it cannot parse: each field by name, longs
 * in hex.  f2fs_submit_page_write is one, and a hot one. */
static bool raw_fields(struct tep_event *event, struct body *b)
{
	const char *lead = "[FAILED TO PARSE]";

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		bool is_signed = f->flags & TEP_FIELD_IS_SIGNED;
		struct tep_print_arg arg = {.type = TEP_PRINT_FIELD, .field.name = f->name};
		struct piece p = {.bytes = f->size, .conv = is_signed ? 'd' : 'u'};

		if (f->flags & TEP_FIELD_IS_LONG || f->flags & TEP_FIELD_IS_POINTER) {
			p.conv = 'x';
			p.alt = p.alt_zero = true;
		} else if (is_signed && f->size == 2) {
			p.width = 2;
		}
		p.number = expr_new(event, &arg, &b->need);
		if (!p.number)
			return false;
		g_autofree char *literal = g_strdup_printf("%s %s=", lead, f->name);
		p.literal = g_intern_string(literal);
		p.literal_len = strlen(p.literal);
		lead = "";
		g_array_append_val(b->pieces, p);
	}
	return true;
}

struct body *body_new(struct tep_event *event)
{
	struct body *b;
	unsigned int flags = (unsigned int)event->flags;

	if (flags & TEP_EVENT_FL_ISFTRACE || event->handler || !event->print_fmt.format)
		return NULL;
	b = g_new0(struct body, 1);
	b->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	bool known = flags & TEP_EVENT_FL_FAILED ? raw_fields(event, b) : parse_format(event, b);
	return known ? b : NULL;
}

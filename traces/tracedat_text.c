/*
 * traces/tracedat_text.c - strings of a "print fmt", see traces/tracedat_expr.h: char arrays,
 * __get_str(),
 * __print_symbolic(), __print_flags(), literals, and a choice between them.
 */
#include "traces/tracedat_expr.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum text_kind { LITERAL, ARRAY, DYNAMIC, SYMBOLIC, FLAGS, CHOICE };

struct symbol {
	int64_t value;
	const char *name;
};

struct text {
	enum text_kind kind;
	const char *literal, *delim;
	int offset, bytes;  /* ARRAY; DYNAMIC: of the locator */
	bool relative;	    /* DYNAMIC: offset counts from behind the locator */
	struct expr *value; /* SYMBOLIC, FLAGS, CHOICE */
	struct symbol *symbols;
	size_t nr_symbols;
	struct expr *locator;
	struct text *yes, *no;
};

static void put_string(struct out *o, const uint8_t *data, int size, int64_t offset, int64_t len)
{
	if (offset < 0 || len < 0 || offset > size || len > size - offset)
		return;
	out_bytes(o, (const char *)data + offset,
		  strnlen((const char *)data + offset, (size_t)len));
}

static void put_rest(struct out *o, uint64_t v)
{
	char hex[24];

	out_bytes(o, hex, (size_t)snprintf(hex, sizeof(hex), "0x%" G_GINT64_MODIFIER "x", v));
}

static void put_symbolic(const struct text *t, int64_t v, struct out *o)
{
	for (size_t i = 0; i < t->nr_symbols; i++)
		if (t->symbols[i].value == v) {
			out_bytes(o, t->symbols[i].name, strlen(t->symbols[i].name));
			return;
		}
	put_rest(o, (uint64_t)v);
}

static void put_flags(const struct text *t, int64_t v, struct out *o)
{
	const char *sep = "";

	for (size_t i = 0; i < t->nr_symbols; i++) {
		int64_t bits = t->symbols[i].value;
		if (bits <= 0 || (v & bits) != bits)
			continue;
		out_bytes(o, sep, strlen(sep));
		out_bytes(o, t->symbols[i].name, strlen(t->symbols[i].name));
		sep = t->delim;
		v &= ~bits;
	}
	if (!v)
		return;
	out_bytes(o, sep, strlen(sep));
	put_rest(o, (uint64_t)v);
}

void text_put(const struct text *t, const uint8_t *data, int size, struct out *o)
{
	int64_t loc;

	switch (t->kind) {
	case LITERAL:
		out_bytes(o, t->literal, strlen(t->literal));
		break;
	case ARRAY:
		put_string(o, data, size, t->offset, t->bytes);
		break;
	case DYNAMIC: /* 16 bits of length above 16 bits of offset */
		loc = expr_eval(t->locator, data);
		put_string(o, data, size, (loc & 0xffff) + (t->relative ? t->offset + t->bytes : 0),
			   loc >> 16 & 0xffff);
		break;
	case SYMBOLIC:
		put_symbolic(t, expr_eval(t->value, data), o);
		break;
	case FLAGS:
		put_flags(t, expr_eval(t->value, data), o);
		break;
	case CHOICE:
		text_put(expr_eval(t->value, data) ? t->yes : t->no, data, size, o);
		break;
	}
}

static struct text *field_text(struct tep_event *event, const char *name, int *need)
{
	const struct tep_format_field *f = tep_find_any_field(event, name);
	struct text *t;

	if (!f || !(f->flags & TEP_FIELD_IS_STRING) || f->offset < 0 || f->size <= 0)
		return NULL;
	if (f->flags & TEP_FIELD_IS_DYNAMIC && f->size != 4)
		return NULL;
	t = g_new0(struct text, 1);
	t->kind = f->flags & TEP_FIELD_IS_DYNAMIC ? DYNAMIC : ARRAY;
	t->offset = f->offset;
	t->bytes = f->size;
	t->relative = f->flags & TEP_FIELD_IS_RELATIVE;
	*need = MAX(*need, f->offset + f->size);
	if (t->kind == DYNAMIC)
		t->locator = expr_u32(event, f->offset);
	return t;
}

/* Values of @sym into @t; false when one is not a number (an enum the kernel left by name). */
static bool add_symbols(struct text *t, const struct tep_print_flag_sym *sym)
{
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct symbol));

	for (; sym; sym = sym->next) {
		char *end;
		struct symbol s = {.name = sym->str};
		s.value = *sym->value == '-' ? g_ascii_strtoll(sym->value, &end, 0)
					     : (int64_t)g_ascii_strtoull(sym->value, &end, 0);
		if (end == sym->value || strspn(end, "uUlL") != strlen(end) || !sym->str)
			return false;
		g_array_append_val(symbols, s);
	}
	t->nr_symbols = symbols->len;
	t->symbols = (struct symbol *)(void *)g_array_free(symbols, FALSE);
	return true;
}

static struct text *named_value(struct tep_event *event, enum text_kind kind,
				const struct tep_print_arg *value, const char *delim,
				const struct tep_print_flag_sym *symbols, int *need)
{
	struct text *t = g_new0(struct text, 1);

	t->kind = kind;
	t->delim = delim ? delim : "";
	t->value = expr_new(event, value, need);
	if (t->value && add_symbols(t, symbols))
		return t;
	g_free(t);
	return NULL;
}

static struct text *choice(struct tep_event *event, const struct tep_print_arg *arg, int *need)
{
	const struct tep_print_arg *sides = arg->op.right;
	struct text *t;

	if (strcmp(arg->op.op, "?") != 0 || !sides || sides->type != TEP_PRINT_OP ||
	    strcmp(sides->op.op, ":") != 0)
		return NULL;
	t = g_new0(struct text, 1);
	t->kind = CHOICE;
	t->value = expr_new(event, arg->op.left, need);
	t->yes = text_new(event, sides->op.left, need);
	t->no = text_new(event, sides->op.right, need);
	if (t->value && t->yes && t->no)
		return t;
	g_free(t);
	return NULL;
}

struct text *text_new(struct tep_event *event, const struct tep_print_arg *arg, int *need)
{
	struct text *t;

	if (!arg)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		t = g_new0(struct text, 1);
		t->literal = arg->atom.atom;
		return t;
	case TEP_PRINT_FIELD:
		return field_text(event, arg->field.name, need);
	case TEP_PRINT_STRING:
		return field_text(event, arg->string.string, need);
	case TEP_PRINT_TYPE: /* "(char *)REC->name" */
		return text_new(event, arg->typecast.item, need);
	case TEP_PRINT_SYMBOL:
		return named_value(event, SYMBOLIC, arg->symbol.field, NULL, arg->symbol.symbols,
				   need);
	case TEP_PRINT_FLAGS:
		return named_value(event, FLAGS, arg->flags.field, arg->flags.delim,
				   arg->flags.flags, need);
	case TEP_PRINT_OP:
		return choice(event, arg, need);
	default:
		return NULL;
	}
}

/*
 * traces/tracedat_expr.c - numbers, see traces/tracedat_expr.h; strings are in
 * traces/tracedat_text.c. Arithmetic is 64-bit with wrap-around, as libtraceevent's; a field is
 * widened by its own sign.
 */
#include "traces/tracedat_expr.h"

#include <glib.h>
#include <string.h>

enum node { CONST, FIELD, CAST, NOT, INV, CHOICE, BINARY };

enum binary {
	ADD,
	SUB,
	MUL,
	DIV,
	MOD,
	SHL,
	SHR,
	AND,
	OR,
	XOR,
	LAND,
	LOR,
	EQ,
	NE,
	LT,
	GT,
	LE,
	GE,
	NR_OPS
};

static const char *const op_names[NR_OPS] = {
	[ADD] = "+",  [SUB] = "-", [MUL] = "*", [DIV] = "/", [MOD] = "%",   [SHL] = "<<",
	[SHR] = ">>", [AND] = "&", [OR] = "|",	[XOR] = "^", [LAND] = "&&", [LOR] = "||",
	[EQ] = "==",  [NE] = "!=", [LT] = "<",	[GT] = ">",  [LE] = "<=",   [GE] = ">=",
};

struct expr {
	enum node node;
	enum binary op;
	int offset, bytes; /* FIELD, CAST: 1 2 4 8 */
	bool sign, swap;
	int64_t value; /* CONST */
	struct expr *a, *b, *c;
};

void out_bytes(struct out *o, const char *bytes, size_t n)
{
	n = MIN(n, (size_t)(o->end - o->p));
	memcpy(o->p, bytes, n);
	o->p += n;
}

void out_fill(struct out *o, char c, size_t n)
{
	n = MIN(n, (size_t)(o->end - o->p));
	memset(o->p, c, n);
	o->p += n;
}

static int64_t resize(int64_t v, int bytes, bool sign)
{
	switch (bytes) {
	case 1:
		return sign ? (int8_t)v : (uint8_t)v;
	case 2:
		return sign ? (int16_t)v : (uint16_t)v;
	case 4:
		return sign ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v;
	default:
		return v;
	}
}

static int64_t load(const struct expr *e, const uint8_t *p)
{
	uint16_t v2;
	uint32_t v4;
	uint64_t v8;

	switch (e->bytes) {
	case 1:
		return resize(*p, 1, e->sign);
	case 2:
		memcpy(&v2, p, 2);
		return resize(e->swap ? GUINT16_SWAP_LE_BE(v2) : v2, 2, e->sign);
	case 4:
		memcpy(&v4, p, 4);
		return resize(e->swap ? GUINT32_SWAP_LE_BE(v4) : v4, 4, e->sign);
	default:
		memcpy(&v8, p, 8);
		return (int64_t)(e->swap ? GUINT64_SWAP_LE_BE(v8) : v8);
	}
}

static int64_t divide(int64_t a, int64_t b, bool remainder)
{
	if (b == 0 || (a == INT64_MIN && b == -1))
		return 0;
	return remainder ? a % b : a / b;
}

static int64_t binary(enum binary op, int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	switch (op) {
	case ADD:
		return (int64_t)(ua + ub);
	case SUB:
		return (int64_t)(ua - ub);
	case MUL:
		return (int64_t)(ua * ub);
	case DIV:
		return divide(a, b, false);
	case MOD:
		return divide(a, b, true);
	case SHL:
		return ub < 64 ? (int64_t)(ua << ub) : 0;
	case SHR:
		return ub < 64 ? (int64_t)(ua >> ub) : 0;
	case AND:
		return a & b;
	case OR:
		return a | b;
	case XOR:
		return a ^ b;
	case LAND:
		return a && b;
	case LOR:
		return a || b;
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case LT:
		return a < b;
	case GT:
		return a > b;
	case LE:
		return a <= b;
	case GE:
		return a >= b;
	case NR_OPS:
		break;
	}
	return 0;
}

int64_t expr_eval(const struct expr *e, const uint8_t *data)
{
	switch (e->node) {
	case CONST:
		return e->value;
	case FIELD:
		return load(e, data + e->offset);
	case CAST:
		return resize(expr_eval(e->a, data), e->bytes, e->sign);
	case NOT:
		return !expr_eval(e->a, data);
	case INV:
		return ~expr_eval(e->a, data);
	case CHOICE:
		return expr_eval(e->a, data) ? expr_eval(e->b, data) : expr_eval(e->c, data);
	case BINARY:
		return binary(e->op, expr_eval(e->a, data), expr_eval(e->b, data));
	}
	return 0;
}

static struct expr *node_new(enum node node)
{
	struct expr *e = g_new0(struct expr, 1);

	e->node = node;
	return e;
}

/* Replace @e by its value when nothing in it depends on the record. */
static struct expr *fold(struct expr *e)
{
	const struct expr *kids[] = {e->a, e->b, e->c};

	for (size_t i = 0; i < G_N_ELEMENTS(kids); i++)
		if (kids[i] && kids[i]->node != CONST)
			return e;
	e->value = expr_eval(e, NULL);
	e->node = CONST;
	return e;
}

static struct expr *compile_atom(const char *atom)
{
	struct expr *e;
	char *end;
	/* "0x10", "4096ul", "-1"; an enum's name is not a number */
	int64_t value = *atom == '-' ? g_ascii_strtoll(atom, &end, 0)
				     : (int64_t)g_ascii_strtoull(atom, &end, 0);

	if (end == atom || strspn(end, "uUlL") != strlen(end))
		return NULL;
	e = node_new(CONST);
	e->value = value;
	return e;
}

static struct expr *load_new(struct tep_event *event, int offset, int bytes, bool sign)
{
	struct expr *e = node_new(FIELD);

	e->offset = offset;
	e->bytes = bytes;
	e->sign = sign;
	e->swap = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep);
	return e;
}

struct expr *expr_u32(struct tep_event *event, int offset)
{
	return load_new(event, offset, 4, false);
}

static struct expr *compile_field(struct tep_event *event, const char *name, int *need)
{
	const struct tep_format_field *f = tep_find_any_field(event, name);

	if (!f || f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) || f->offset < 0)
		return NULL;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return NULL;
	*need = MAX(*need, f->offset + f->size);
	return load_new(event, f->offset, f->size, f->flags & TEP_FIELD_IS_SIGNED);
}

/* Width and sign of the C type @type; 0 bytes: leaves the value as it is. */
static void type_of(const char *type, int long_size, int *bytes, bool *sign)
{
	static const struct {
		const char *name;
		int bytes;
	} types[] = {
		{"long long", 8}, {"short", 2}, {"char", 1}, {"8", 1},
		{"16", 2},	  {"32", 4},	{"64", 8},
	};

	*sign = !strchr(type, 'u'); /* "unsigned int", "u32", "uint32_t" */
	*bytes = 0;
	if (strchr(type, '*'))
		return;
	for (size_t i = 0; !*bytes && i < G_N_ELEMENTS(types); i++)
		if (strstr(type, types[i].name))
			*bytes = types[i].bytes;
	if (!*bytes && strstr(type, "long"))
		*bytes = long_size;
	else if (!*bytes && (strstr(type, "int") || strcmp(type, "unsigned") == 0))
		*bytes = 4;
}

static struct expr *compile_cast(struct tep_event *event, const struct tep_print_arg *arg,
				 int *need)
{
	struct expr *inner = expr_new(event, arg->typecast.item, need);
	struct expr *e;

	if (!inner)
		return NULL;
	e = node_new(CAST);
	e->a = inner;
	type_of(arg->typecast.type, tep_get_long_size(event->tep), &e->bytes, &e->sign);
	return e->bytes ? fold(e) : inner;
}

static struct expr *compile_choice(struct tep_event *event, const struct tep_print_arg *arg,
				   int *need)
{
	const struct tep_print_arg *sides = arg->op.right;
	struct expr *e = node_new(CHOICE);

	if (!sides || sides->type != TEP_PRINT_OP || strcmp(sides->op.op, ":") != 0)
		return NULL;
	e->a = expr_new(event, arg->op.left, need);
	e->b = expr_new(event, sides->op.left, need);
	e->c = expr_new(event, sides->op.right, need);
	return e->a && e->b && e->c ? fold(e) : NULL;
}

static struct expr *compile_unary(struct tep_event *event, enum node node,
				  const struct tep_print_arg *arg, int *need)
{
	struct expr *e = node_new(node);

	e->a = expr_new(event, arg->op.right, need);
	return e->a ? fold(e) : NULL;
}

static struct expr *compile_op(struct tep_event *event, const struct tep_print_arg *arg, int *need)
{
	const char *op = arg->op.op;
	struct expr *e;
	unsigned int i = 0;

	if (strcmp(op, "?") == 0)
		return compile_choice(event, arg, need);
	if (strcmp(op, "!") == 0)
		return compile_unary(event, NOT, arg, need);
	if (strcmp(op, "~") == 0)
		return compile_unary(event, INV, arg, need);
	while (i < NR_OPS && strcmp(op, op_names[i]) != 0)
		i++;
	if (i == NR_OPS)
		return NULL;
	e = node_new(BINARY);
	e->op = (enum binary)i;
	/* a sign is an operation on nothing */
	e->a = arg->op.left && arg->op.left->type == TEP_PRINT_NULL
		       ? node_new(CONST)
		       : expr_new(event, arg->op.left, need);
	e->b = expr_new(event, arg->op.right, need);
	return e->a && e->b ? fold(e) : NULL;
}

struct expr *expr_new(struct tep_event *event, const struct tep_print_arg *arg, int *need)
{
	if (!arg)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return compile_atom(arg->atom.atom);
	case TEP_PRINT_FIELD:
		return compile_field(event, arg->field.name, need);
	case TEP_PRINT_TYPE:
		return compile_cast(event, arg, need);
	case TEP_PRINT_OP:
		return compile_op(event, arg, need);
	default:
		return NULL;
	}
}

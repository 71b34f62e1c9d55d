/*
 * traces/optext_format.c - one op as a line of text and back, see traces/optext.h.
 *
 * I1  optext_parse(optext_write(op)) == op for every op that op_valid() accepts and whose times are
 *     not negative.
 */
#include "traces/optext.h"

#include <inttypes.h>
#include <string.h>

#include "traces/field.h"

enum key { TASK, CPU, DEV, INO, POS, LEN, FLAGS, AUX, DONE, RESULT, NR_KEYS };

static const char *const key_names[NR_KEYS] = {
	[TASK] = "task", [CPU] = "cpu",	    [DEV] = "dev", [INO] = "ino",   [POS] = "pos",
	[LEN] = "len",	 [FLAGS] = "flags", [AUX] = "aux", [DONE] = "done", [RESULT] = "result",
};

static void write_flags(FILE *f, uint32_t flags)
{
	const char *sep = " flags=";

	for (unsigned int bit = 0; bit < OP_NR_FLAGS; bit++)
		if (flags & 1u << bit) {
			fprintf(f, "%s%s", sep, op_flag_name(bit));
			sep = ",";
		}
}

void optext_write(FILE *f, const struct op *op)
{
	if (op->time_ns == OP_NO_TIME)
		fputc('-', f);
	else
		fprintf(f, "%" PRId64, op->time_ns);
	fprintf(f, " %s", op_kind_name(op->kind));
	if (op->task)
		fprintf(f, " task=%d", op->task);
	if (op->cpu)
		fprintf(f, " cpu=%u", op->cpu);
	if (op->dev)
		fprintf(f, " dev=%u:%u", DEV_MAJOR(op->dev), DEV_MINOR(op->dev));
	if (op->ino)
		fprintf(f, " ino=%" PRIu64, op->ino);
	if (op->pos)
		fprintf(f, " pos=%" PRId64, op->pos);
	if (op->len)
		fprintf(f, " len=%" PRId64, op->len);
	write_flags(f, op->flags);
	if (op->aux)
		fprintf(f, " aux=%" PRIu64, op->aux);
	if (op->done_ns != OP_NO_TIME)
		fprintf(f, " done=%" PRId64, op->done_ns);
	if (op->result)
		fprintf(f, " result=%" PRId64, op->result);
	fputc('\n', f);
}

static bool parse_dev(char *value, uint32_t *dev)
{
	uint64_t major, minor;
	char *colon = strchr(value, ':');

	if (!colon)
		return false;
	*colon = '\0';
	if (!field_u64(value, 0xfff, &major) || !field_u64(colon + 1, 0xfffff, &minor))
		return false;
	*dev = DEVNO((uint32_t)major, (uint32_t)minor);
	return true;
}

/* Bit of the flag called @name, @n bytes long; OP_NR_FLAGS when there is none. */
static unsigned int find_flag(const char *name, size_t n)
{
	unsigned int bit = 0;

	while (bit < OP_NR_FLAGS && (strncmp(name, op_flag_name(bit), n) || op_flag_name(bit)[n]))
		bit++;
	return bit;
}

static bool parse_flags(const char *value, uint32_t *flags)
{
	for (;;) {
		size_t n = strcspn(value, ",");
		unsigned int bit = find_flag(value, n);
		if (bit == OP_NR_FLAGS)
			return false;
		*flags |= 1u << bit;
		if (!value[n])
			return true;
		value += n + 1;
	}
}

static bool parse_value(struct op *op, enum key key, char *value)
{
	int64_t i = 0;
	uint64_t u = 0;
	bool ok = false;

	switch (key) {
	case TASK:
		ok = field_i64(value, -1, INT32_MAX, &i);
		op->task = (int32_t)i;
		break;
	case CPU:
		ok = field_u64(value, UINT16_MAX, &u);
		op->cpu = (uint16_t)u;
		break;
	case DEV:
		return parse_dev(value, &op->dev);
	case INO:
		return field_u64(value, UINT64_MAX, &op->ino);
	case POS:
		return field_i64(value, 0, INT64_MAX, &op->pos);
	case LEN:
		return field_i64(value, 0, INT64_MAX, &op->len);
	case FLAGS:
		return parse_flags(value, &op->flags);
	case AUX:
		return field_u64(value, UINT64_MAX, &op->aux);
	case DONE:
		return field_i64(value, 0, INT64_MAX, &op->done_ns);
	case RESULT:
		return field_i64(value, INT64_MIN, INT64_MAX, &op->result);
	case NR_KEYS:
		break;
	}
	return ok;
}

static bool parse_pair(struct op *op, char *pair, unsigned int *seen, GError **err)
{
	char *value = strchr(pair, '=');
	if (!value)
		return input_fail(err, "expected key=value, got \"%s\"", pair);
	*value++ = '\0';

	unsigned int key = 0;
	while (key < NR_KEYS && strcmp(pair, key_names[key]) != 0)
		key++;
	if (key == NR_KEYS)
		return input_fail(err, "unknown key \"%s\"", pair);
	if (*seen & 1u << key)
		return input_fail(err, "key \"%s\" appears twice", pair);
	*seen |= 1u << key;

	g_autofree char *shown = g_strdup(value);
	return parse_value(op, (enum key)key, value) ||
	       input_fail(err, "bad %s \"%s\"", pair, shown);
}

bool optext_parse(char *line, struct op *op, GError **err)
{
	char *cols[2 + NR_KEYS];
	size_t n = field_split(line, cols, G_N_ELEMENTS(cols));
	unsigned int seen = 0;

	*op = (struct op){.time_ns = OP_NO_TIME, .done_ns = OP_NO_TIME};
	if (n < 2)
		return input_fail(err, "expected \"TIME KIND key=value...\"");
	if (n > G_N_ELEMENTS(cols))
		return input_fail(err, "more than %d keys", NR_KEYS);
	if (strcmp(cols[0], "-") != 0 && !field_i64(cols[0], 0, INT64_MAX, &op->time_ns))
		return input_fail(err, "bad time \"%s\", expected ns or \"-\"", cols[0]);
	enum op_kind kind = op_kind_from_name(cols[1]);
	if (kind == OP_NR_KINDS)
		return input_fail(err, "unknown kind \"%s\"", cols[1]);
	op->kind = (uint8_t)kind;
	for (size_t i = 2; i < n; i++)
		if (!parse_pair(op, cols[i], &seen, err))
			return false;
	return op_valid(op, err);
}

/*
 * traces/csv.c - ops as comma-separated values with named columns: for gnuplot, pandas and SQL.
 * Times in ns, empty where OP_NO_TIME; dev as MAJOR:MINOR; flags joined by "|".  No column ever
 * needs quotes.  Columns are addressed by name: new ones go to the end.
 */
#include <inttypes.h>

#include "traces/writer.h"

static void csv_begin(struct writer *w)
{
	fputs("kind,time_ns,done_ns,task,cpu,dev,ino,pos,len,flags,result,aux\n", w->f);
}

static void write_time(FILE *f, int64_t time_ns)
{
	if (time_ns != OP_NO_TIME)
		fprintf(f, "%" PRId64, time_ns);
	fputc(',', f);
}

static void write_flags(FILE *f, uint32_t flags)
{
	const char *sep = "";

	for (unsigned int bit = 0; bit < OP_NR_FLAGS; bit++)
		if (flags & 1u << bit) {
			fprintf(f, "%s%s", sep, op_flag_name(bit));
			sep = "|";
		}
	fputc(',', f);
}

static bool csv_op(struct writer *w, const struct op *op)
{
	FILE *f = w->f;

	fprintf(f, "%s,", op_kind_name(op->kind));
	write_time(f, op->time_ns);
	write_time(f, op->done_ns);
	fprintf(f, "%" PRId32 ",%u,%u:%u,%" PRIu64 ",%" PRId64 ",%" PRId64 ",", op->task, op->cpu,
		DEV_MAJOR(op->dev), DEV_MINOR(op->dev), op->ino, op->pos, op->len);
	write_flags(f, op->flags);
	fprintf(f, "%" PRId64 ",%" PRIu64 "\n", op->result, op->aux);
	return true;
}

const struct writer_ops csv_writer = {
	.name = "csv",
	.begin = csv_begin,
	.op = csv_op,
};

/*
 * traces/iolog_write.c - ops as a fio iolog, version 3, that `fio --read_iolog=` replays.
 *
 * Times are us since the first op.  Each is the quotient of the whole distance, so the cut
 * nanoseconds do not add up (fio cuts each gap: CASES 6).  A file is "f2sim.MAJOR-MINOR.INO", a
 * block device "/dev/block/MAJOR:MINOR"; each is added and opened before its first op.
 * A file sync has no range in an iolog; a discard longer than fio's 32-bit length is cut in pieces.
 *
 * Not expressed (counted): truncate, unlink, fadvise, node reads, everything observed, passthrough,
 * ops without a known inode or position.  The flags of an op (dontcache, direct, ..) are options of
 * the fio job, not of the log.
 */
#include <inttypes.h>
#include <string.h>

#include "traces/iolog.h"
#include "traces/writer.h"

#define LEN_MAX ((int64_t)1 << 30) /* a piece of a long request; fio's length has 32 bits */

struct state {
	GHashTable *opened; /* file name -> "1" while open, "0" after a close */
	int64_t first_ns, last_ns;
};

static void iolog_begin(struct writer *w)
{
	struct state *s = g_new0(struct state, 1);

	s->opened = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->first_ns = s->last_ns = OP_NO_TIME;
	w->state = s;
	fputs(IOLOG_HEADER_V3 "\n", w->f);
}

static void iolog_end(struct writer *w, bool complete)
{
	struct state *s = w->state;

	(void)complete;
	g_hash_table_unref(s->opened);
	g_free(s);
}

/* Stamp of @op in us; an op without time follows the one before at once. */
static int64_t stamp_us(struct state *s, const struct op *op)
{
	int64_t t = op->time_ns == OP_NO_TIME ? s->last_ns : op->time_ns;

	if (t == OP_NO_TIME)
		return 0;
	if (s->first_ns == OP_NO_TIME)
		s->first_ns = t;
	s->last_ns = t;
	return t > s->first_ns ? (t - s->first_ns) / NSEC_PER_USEC : 0;
}

static const char *action_of(const struct op *op)
{
	switch (op->kind) {
	case OP_OPEN:
		return "open";
	case OP_CLOSE:
		return "close";
	case OP_READ:
	case OP_BIO_READ:
		return "read";
	case OP_WRITE:
	case OP_BIO_WRITE:
		return "write";
	case OP_FSYNC:
		return op->flags & OP_DATASYNC ? "datasync" : "sync";
	case OP_FLUSH:
		return "sync";
	case OP_DISCARD:
		return "trim";
	default:
		return NULL;
	}
}

static void name_of(const struct op *op, char *name, size_t n)
{
	unsigned int major = DEV_MAJOR(op->dev), minor = DEV_MINOR(op->dev);

	if (op_class(op->kind) == OP_CLASS_BLOCK && !op->ino)
		g_snprintf(name, (gulong)n, "/dev/block/%u:%u", major, minor);
	else
		g_snprintf(name, (gulong)n, "f2sim.%u-%u.%" PRIu64, major, minor, op->ino);
}

/* Make sure that @name is added and open, as fio needs it before an I/O. */
static void open_file(struct writer *w, const char *name, int64_t us)
{
	struct state *s = w->state;
	const char *open = g_hash_table_lookup(s->opened, name);

	if (!open)
		fprintf(w->f, "%" PRId64 " %s add\n", us, name);
	if (!open || *open == '0')
		fprintf(w->f, "%" PRId64 " %s open\n", us, name);
	g_hash_table_replace(s->opened, g_strdup(name), (char *)"1");
}

static void close_file(struct writer *w, const char *name, int64_t us)
{
	struct state *s = w->state;
	const char *open = g_hash_table_lookup(s->opened, name);

	if (!open || *open == '0')
		return;
	fprintf(w->f, "%" PRId64 " %s close\n", us, name);
	g_hash_table_replace(s->opened, g_strdup(name), (char *)"0");
}

static bool iolog_op(struct writer *w, const struct op *op)
{
	const char *action = action_of(op);
	bool block = op_class(op->kind) == OP_CLASS_BLOCK;
	bool ranged = op->kind == OP_READ || op->kind == OP_WRITE || op->kind == OP_DISCARD ||
		      op->kind == OP_BIO_READ || op->kind == OP_BIO_WRITE;
	char name[64];

	if (!action || op->flags & (OP_UNBOUND | OP_PASSTHROUGH) || (!block && !op->ino) ||
	    (ranged && op->len == 0))
		return false;
	name_of(op, name, sizeof(name));
	int64_t us = stamp_us(w->state, op);
	if (op->kind == OP_CLOSE) {
		close_file(w, name, us);
		return true;
	}
	open_file(w, name, us);
	if (op->kind == OP_OPEN)
		return true;
	int64_t pos = ranged ? op->pos : 0, left = ranged ? op->len : 0;
	do {
		int64_t len = MIN(left, LEN_MAX);
		fprintf(w->f, "%" PRId64 " %s %s %" PRId64 " %" PRId64 "\n", us, name, action, pos,
			len);
		pos += len;
		left -= len;
	} while (left > 0);
	return true;
}

const struct writer_ops iolog_writer = {
	.name = "iolog",
	.begin = iolog_begin,
	.op = iolog_op,
	.end = iolog_end,
};

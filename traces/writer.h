/*
 * traces/writer.h - ops out of f2sim: what `convert --to iolog|ops|csv` writes.
 *
 * A file is written whole or not at all (sim/tempfile.h).  Ops a format cannot express are counted,
 * not dropped silently.
 */
#ifndef TRACES_WRITER_H
#define TRACES_WRITER_H

#include <glib.h>
#include <stdio.h>

#include "sim/op.h"

struct writer {
	const struct writer_ops *ops;
	FILE *f;
	char *path;
	struct tempfile *temp; /* NULL: written through */
	void *state;	       /* the format's, from begin to end */
	uint64_t written;      /* ops */
	uint64_t unexpressed;  /* ops that the format has no words for */
};

/* A format.  Write errors stay in w->f and are found by writer_commit(). */
struct writer_ops {
	const char *name;				   /* of --to */
	void (*begin)(struct writer *w);		   /* header; sets w->state; optional */
	bool (*op)(struct writer *w, const struct op *op); /* false: cannot be expressed */
	void (*end)(struct writer *w,
		    bool complete); /* trailer if complete; frees w->state; optional */
};

extern const struct writer_ops *const writer_formats[]; /* ended by NULL */

extern const struct writer_ops iolog_writer, optext_writer, csv_writer;

/* Begin @path ("-": standard output, which cannot be taken back) in the format @name.  NULL with
 * *@err. */
struct writer *writer_new(const char *name, const char *path, GError **err);

/* Append @op, which must be valid.  False with *@err when it is not. */
bool writer_op(struct writer *w, const struct op *op, GError **err);

/* Finish the file and put it in its place; *@unexpressed (may be NULL) ops are not in it.  False
 * with *@err and no file.  Frees @w either way. */
bool writer_commit(struct writer *w, uint64_t *unexpressed, GError **err);

/* Give up: nothing is left behind.  Frees @w; NULL is fine. */
void writer_abort(struct writer *w);

#endif

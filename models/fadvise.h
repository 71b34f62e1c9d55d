/*
 * models/fadvise.h - posix_fadvise (mm/fadvise.c v6.1).  Level 5.
 *
 * RANDOM, SEQUENTIAL and NORMAL change the open file; DONTNEED drops clean pages of the range;
 * WILLNEED and NOREUSE change nothing here.
 */
#ifndef MODELS_FADVISE_H
#define MODELS_FADVISE_H

#include "models/readahead.h"
#include "sim/op.h"

/* Take the advice op->aux for the bytes of @op; len 0 = to the end. */
void generic_fadvise(struct filemap *fm, struct file *file, const struct op *op);

#endif

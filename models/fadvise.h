/*
 * models/fadvise.h - advice about an open file (mm/fadvise.c v6.1).  Level 7.
 */
#ifndef MODELS_FADVISE_H
#define MODELS_FADVISE_H

#include "models/readahead.h"

/* generic_fadvise(): @advice (POSIX_FADV_*) about bytes [@pos, @pos + @len), @len 0 = to the end.
 */
void generic_fadvise(struct filemap *fm, struct file *file, int64_t pos, int64_t len,
		     uint64_t advice);

#endif

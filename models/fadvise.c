/*
 * models/fadvise.c - see models/fadvise.h.
 */
#include "models/fadvise.h"

#include <fcntl.h>

void generic_fadvise(struct filemap *fm, struct file *file, const struct op *op)
{
	pgoff_t last = op->len ? (pgoff_t)(op->pos + op->len - 1) >> PAGE_SHIFT : UINT64_MAX;

	switch (op->aux) {
	case POSIX_FADV_NORMAL:
	case POSIX_FADV_SEQUENTIAL:
		file_ra_state_init(&file->ra, fm);
		file->ra.ra_pages *= op->aux == POSIX_FADV_SEQUENTIAL ? 2 : 1;
		file->random = false;
		break;
	case POSIX_FADV_RANDOM:
		file->random = true;
		break;
	case POSIX_FADV_DONTNEED:
		invalidate_mapping_pages(fm, &file->inode->i_data, (pgoff_t)op->pos >> PAGE_SHIFT,
					 last);
		break;
	default: /* WILLNEED and NOREUSE change nothing here */
		break;
	}
}

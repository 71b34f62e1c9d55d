/*
 * models/fadvise.c - see models/fadvise.h.  Level 7.
 *
 * RANDOM, SEQUENTIAL and NORMAL change the open file, DONTNEED drops the clean idle pages of the
 * range.  Not modelled: WILLNEED, NOREUSE.
 */
#include "models/fadvise.h"

#include <fcntl.h>

void generic_fadvise(struct filemap *fm, struct file *file, int64_t pos, int64_t len,
		     uint64_t advice)
{
	pgoff_t last = len ? (pgoff_t)(pos + len - 1) >> PAGE_SHIFT : UINT64_MAX;

	switch (advice) {
	case POSIX_FADV_NORMAL:
	case POSIX_FADV_SEQUENTIAL:
		file_ra_state_init(&file->ra, fm);
		file->ra.ra_pages *= advice == POSIX_FADV_SEQUENTIAL ? 2 : 1;
		file->random = false;
		break;
	case POSIX_FADV_RANDOM:
		file->random = true;
		break;
	case POSIX_FADV_DONTNEED:
		invalidate_mapping_pages(fm, &file->inode->i_data, (pgoff_t)pos >> PAGE_SHIFT,
					 last);
		break;
	default:
		break;
	}
}

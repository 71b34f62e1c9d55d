/*
 * models/f2fs_truncate.h - truncate, and the rewrite of a page that is cut.  Level 7.
 */
#ifndef MODELS_F2FS_TRUNCATE_H
#define MODELS_F2FS_TRUNCATE_H

#include "models/filemap.h"

/*
 * Cut or grow the inode of @io's file to @size bytes; a page that is cut is read if need be, zeroed
 * and dirtied.  Of @io, the models, file and done are given.  The caller holds the inode's i_rwsem.
 * As filemap_read(): the last thing the task's next function does; @io stays valid until done.
 */
void f2fs_truncate(struct task *t, struct filemap_io *io, int64_t size);

#endif

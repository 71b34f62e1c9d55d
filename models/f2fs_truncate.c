/*
 * models/f2fs_truncate.c - truncate, and the rewrite of a page that is cut.  Level 7.
 *
 * Stands for f2fs_truncate(), truncate_partial_data_page() of fs/f2fs/file.c and
 * truncate_pagecache() of mm/truncate.c (v6.1).  Pages and blocks behind the new size go; then the
 * page the new end lies in, if it has data, is looked up (and read when it is not cached), waited
 * for while it is under writeback, zeroed from the new end on and dirtied.
 *
 * That rewrite is an internal writer: it carries no iocb, so no request flag of a caller reaches
 * it.  It never marks a folio dropbehind, its lookup takes the mark from one that has it (KERNEL
 * 1.4), it is not throttled and does not move i_size.
 *
 * Not modelled: the other internal writers (fallocate, verity), node pages.
 */
#include "models/f2fs_truncate.h"

static void truncate_inode(struct filemap_io *io, int64_t size)
{
	struct inode *inode = io->file->inode;

	truncate_inode_pages(io->fm, &inode->i_data, size);
	f2fs_truncate_blocks(io->fd, inode, size);
	inode->i_size = size;
	inode_clean(io->fw, inode);
}

/* Does page @index hold anything, in the cache or on the device? */
static bool has_data(const struct filemap_io *io, pgoff_t index)
{
	struct inode *inode = io->file->inode;

	return filemap_get_folio(&inode->i_data, index) || f2fs_maps(io->fd, inode, index);
}

void f2fs_truncate(struct task *t, struct filemap_io *io, int64_t size)
{
	bool cuts = size % PAGE_SIZE && size <= io->file->inode->i_size;

	truncate_inode(io, size);
	if (!cuts || !has_data(io, (pgoff_t)size >> PAGE_SHIFT)) {
		io->done(t);
		return;
	}
	io->dontcache = false;
	io->no_iocb = true;
	io->pos = size;
	io->end = (size / PAGE_SIZE + 1) * PAGE_SIZE;
	generic_perform_write(t, io);
}

/*
 * models/inode_list.h - lists of dirty inodes: b_dirty, b_io, b_more_io.  Level 1.
 *
 * Stands for the list_head i_io_list of include/linux/fs.h; an inode is on at most one.
 */
#ifndef MODELS_INODE_LIST_H
#define MODELS_INODE_LIST_H

#include "models/mm_types.h"

/* Append @inode, which is on no list, at the newest end. */
void inode_list_add_last(struct inode_list *list, struct inode *inode);

/* Take @inode off the list it is on. */
void inode_list_remove(struct inode *inode);

/* Assert that @list is whole and, if @ordered, ascends by dirtied_when. */
void inode_list_check(const struct inode_list *list, bool ordered);

#endif

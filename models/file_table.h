/*
 * models/file_table.h - open files by (task, inode).  Level 5.
 *
 * Captures name a task and an inode, not a descriptor: a task has one open file an inode here.
 */
#ifndef MODELS_FILE_TABLE_H
#define MODELS_FILE_TABLE_H

#include "models/readahead.h"

struct file_table;

struct file_table *file_table_new(struct filemap *fm); /* returns new */
void file_table_free(struct file_table *ft);	       /* NULL is fine */

/* The open file of (@task, @inode), made on first use; @fresh = just opened: its readahead state
 * starts anew. */
struct file *file_table_get(struct file_table *ft, int32_t task, struct inode *inode, bool fresh);

#endif

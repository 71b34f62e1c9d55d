/*
 * models/fs_writeback.h - dirty inodes, the flusher, and what a dontcache write kicks.  Level 4.
 *
 * Stands for fs/fs-writeback.c; one bdi_writeback (one device).
 */
#ifndef MODELS_FS_WRITEBACK_H
#define MODELS_FS_WRITEBACK_H

#include "models/f2fs_data.h"

struct fs_writeback;
extern const struct model_ops fs_writeback_model;
struct fs_writeback *fs_writeback_of(const struct sim *sim);

/* @inode has a dirty page: on b_dirty at the newest end unless it is there already (dirtied_when
 * stays then). */
void mark_inode_dirty(struct fs_writeback *fw, struct inode *inode);

/* Nothing of @inode is dirty any more (fsync, truncate): off the list. */
void inode_clean(struct fs_writeback *fw, struct inode *inode);

/* Dirty memory is over the background threshold: run the flusher. */
void wb_start_background(struct fs_writeback *fw);

/* Reclaim meets nothing but dirty pages: write some, whatever the thresholds say. */
void wakeup_flusher_threads(struct fs_writeback *fw);

/* Does generic_write_sync() submit a dontcache write's own range ([fs_writeback] flush_policy =
 * inline_range)? */
bool flush_inline_range(const struct fs_writeback *fw);

#endif

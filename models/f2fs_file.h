/*
 * models/f2fs_file.h - where file ops enter the file system.  Level 8.
 *
 * Stands for fs/f2fs/file.c.  Its init sets sim->submit_op.
 */
#ifndef MODELS_F2FS_FILE_H
#define MODELS_F2FS_FILE_H

#include "models/filemap.h"

extern const struct model_ops f2fs_file_model;

#endif

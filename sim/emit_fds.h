/*
 * sim/emit_fds.h - descriptor numbers for files that the simulation knows by inode.
 *
 * Every task has a table of its own, numbers from 3 on, the lowest free one first, as the kernel
 * gives them.  A file used without having been opened (the capture began later, another thread
 * opened it) gets a number at its first use.
 */
#ifndef SIM_EMIT_FDS_H
#define SIM_EMIT_FDS_H

#include "sim/types.h"

struct emit_fds;

struct emit_fds *emit_fds_new(void); /* returns new */
void emit_fds_free(struct emit_fds *f);

/* A new descriptor of the file; the newest one is what emit_fd_get() tells. */
unsigned int emit_fd_open(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino);

/* The newest descriptor of the file, made at need. */
unsigned int emit_fd_get(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino);

/* The same, free from now on. */
unsigned int emit_fd_close(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino);

#endif

/*
 * tests/machine.h - a simulated machine made from INI text, and ops given by hand.
 */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include "models/f2fs_file.h"
#include "sim/replay.h"

/* A machine with all models of f2sim, configured by @ini over the defaults ([sim] check = event).
 */
struct sim *machine_new(const char *ini);
void machine_free(struct sim *sim);

/* Issue @nr ops one after the other in one task and run to the end; results and done_ns land in
 * @ops. */
void machine_ops(struct sim *sim, struct op *ops, unsigned int nr);

/* A read or write of inode @ino on device 259:0. */
struct op machine_read(uint64_t ino, int64_t pos, int64_t len, uint32_t flags);
struct op machine_write(uint64_t ino, int64_t pos, int64_t len, uint32_t flags);
struct op machine_op(enum op_kind kind, uint64_t ino);

/* Read @nr pages of @ino from page @first on, a page a call. */
void machine_read_pages(struct sim *sim, uint64_t ino, unsigned int first, unsigned int nr);

/* Value of "model.counter". */
uint64_t machine_stat(const struct sim *sim, const char *model, const char *counter);

/* The inode, and the pages of it in the cache. */
struct inode *machine_inode(struct sim *sim, uint64_t ino);
uint64_t machine_resident(struct sim *sim, uint64_t ino);

#define MACHINE_DEV DEVNO(259, 0)

#endif

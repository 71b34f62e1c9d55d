/*
 * models/f2fs_direct.h - O_DIRECT reads and writes (iomap_dio_rw).  Level 5.
 */
#ifndef MODELS_F2FS_DIRECT_H
#define MODELS_F2FS_DIRECT_H

#include "models/f2fs_data.h"

/* One direct transfer in a task's context. */
struct direct_io {
	struct filemap *fm;
	struct f2fs_data *fd;
	struct inode *inode;
	int64_t pos, len; /* bytes */
	bool write;
	int64_t result; /* bytes once done */
	task_fn done;	/* the task goes on here */
	/* private */
	void *saved;
	struct writepages wp;
	uint32_t pending; /* bios */
	struct wait_queue wait;
};

/*
 * Write back and drop what the cache holds of the range, then move it between device and user: one
 * bio an extent.  As filemap_read(): the last thing the task's next function does; @dio stays valid
 * until done.
 */
void f2fs_direct_io(struct task *t, struct direct_io *dio);

#endif

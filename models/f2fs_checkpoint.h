/*
 * models/f2fs_checkpoint.h - a checkpoint: meta blocks, a wait, a flush.  Level 5.
 *
 * Stands for f2fs_write_checkpoint() (fs/f2fs/checkpoint.c).
 */
#ifndef MODELS_F2FS_CHECKPOINT_H
#define MODELS_F2FS_CHECKPOINT_H

#include "models/f2fs_data.h"

/* One checkpoint in a task's context. */
struct checkpoint {
	struct f2fs_data *fd;
	task_fn done; /* the task goes on here, with its private as before */
	/* private to f2fs_checkpoint.c */
	void *saved;
	bool in_flight; /* a bio */
	bool flushed;
	struct wait_queue wait;
};

/*
 * Write a checkpoint in @t's context; @t goes on in cp->done.  Must be the last thing the task's
 * next function does; @cp stays valid until then.
 */
void f2fs_write_checkpoint(struct task *t, struct checkpoint *cp);

#endif

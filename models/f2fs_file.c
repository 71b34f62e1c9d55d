/*
 * models/f2fs_file.c - file ops: open, read, write, fsync, truncate, unlink, fadvise.  Level 8.
 *
 * Stands for fs/f2fs/file.c and for the checks of kiocb_set_rw_flags() (include/linux/fs.h, v6.18):
 * a dontcache op that the file system does not support answers -EOPNOTSUPP before anything happens
 * (KERNEL 1.1).  A write holds the inode's i_rwsem, released before generic_write_sync(): O_SYNC
 * writes then fsync their range, dontcache writes submit theirs by [fs_writeback] flush_policy.
 *
 * A task's open file (with its readahead state) is found by (task, inode); open starts a fresh one.
 *
 * Not modelled: node pages, directories.
 */
#include "models/f2fs_file.h"
#include "models/f2fs_direct.h"
#include "models/f2fs_fsync.h"
#include "models/f2fs_truncate.h"
#include "models/fadvise.h"
#include "models/file_table.h"

#include <errno.h>

#include "sim/trace_events.h"

/* One op in flight. */
struct file_op {
	struct filemap_io io;
	struct writepages wp;
	struct direct_io dio;
	struct fsync fsync;
	struct f2fs_file *ff;
	struct op *op;
	task_fn done;
	void *saved; /* the task's private */
	struct file *file;
	struct file_op *next; /* free list */
};

struct f2fs_file {
	struct model model;
	struct {
		int64_t open_ns;
	} conf;
	struct {
		uint64_t ops_open, ops_close, ops_read, ops_write, ops_fsync, ops_truncate;
		uint64_t ops_unlink, ops_fadvise, ops_not_modelled;
	} stat;
	struct filemap *fm;
	struct f2fs_data *fd;
	struct fs_writeback *fw;
	struct vmscan *vs;
	struct file_table *files;
	struct file_op *pool;
	GPtrArray *all; /* file_op, those in flight included; owned */
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_NSEC, f2fs_file, open_ns, "5us", "0", "1s", "CPU time of open, close, truncate, unlink [E]", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, f2fs_file, ops_open),
	STAT(STAT_COUNT, f2fs_file, ops_close),
	STAT(STAT_COUNT, f2fs_file, ops_read),
	STAT(STAT_COUNT, f2fs_file, ops_write),
	STAT(STAT_COUNT, f2fs_file, ops_fsync),
	STAT(STAT_COUNT, f2fs_file, ops_truncate),
	STAT(STAT_COUNT, f2fs_file, ops_unlink),
	STAT(STAT_COUNT, f2fs_file, ops_fadvise),
	STAT(STAT_COUNT, f2fs_file, ops_not_modelled),
	{ 0 },
};
/* clang-format on */

static void op_done(struct task *t)
{
	struct file_op *fo = t->private;
	struct f2fs_file *ff = fo->ff;

	trace_sys_exit(t->sim, fo->op);
	t->private = fo->saved;
	fo->next = ff->pool;
	ff->pool = fo;
	fo->done(t);
}

static void op_finish(struct task *t, int64_t result, int64_t cost_ns)
{
	struct file_op *fo = t->private;

	fo->op->result = result;
	task_run(t, cost_ns, op_done);
}

static void read_done(struct task *t)
{
	struct file_op *fo = t->private;
	int64_t read = fo->io.pos - fo->op->pos;
	int64_t result = fo->io.error && read <= 0 ? fo->io.error : MAX(read, 0);

	trace_f2fs_data_end(t->sim, false, fo->op, result);
	op_finish(t, result, 0);
}

static void io_setup(struct f2fs_file *ff, struct file_op *fo)
{
	const struct op *op = fo->op;

	fo->io = (struct filemap_io){
		.fm = ff->fm,
		.fd = ff->fd,
		.fw = ff->fw,
		.vs = ff->vs,
		.file = fo->file,
		.pos = op->pos,
		.end = op->pos + op->len,
		.dontcache = op->flags & OP_DONTCACHE,
	};
}

static void fsync_done(struct task *t)
{
	struct file_op *fo = t->private;

	trace_f2fs_sync_file_exit(t->sim, fo->op->dev, fo->op->ino, fo->op->flags & OP_DATASYNC);
	op_finish(t, fo->op->kind == OP_WRITE ? fo->io.pos - fo->op->pos : 0, 0);
}

/* vfs_fsync_range(): [pos, pos + len), len 0 = to the end. */
static void fsync_range(struct task *t, int64_t pos, int64_t len)
{
	struct file_op *fo = t->private;

	trace_f2fs_sync_file_enter(t->sim, fo->op->dev, fo->op->ino, fo->file->inode->i_size);
	fo->fsync = (struct fsync){
		.fd = fo->ff->fd,
		.fw = fo->ff->fw,
		.inode = fo->file->inode,
		.pos = pos,
		.len = len,
		.datasync = fo->op->flags & OP_DATASYNC,
		.done = fsync_done,
	};
	f2fs_sync_file(t, &fo->fsync);
}

static void inline_flush_done(struct task *t)
{
	struct file_op *fo = t->private;

	inode_clean(fo->ff->fw, fo->file->inode);
	op_finish(t, fo->io.pos - fo->op->pos, 0);
}

/* 6.14 to 7.1: the writer submits its own range, once a call (KERNEL 1.5). */
static void flush_own_range(struct task *t)
{
	struct file_op *fo = t->private;

	fo->wp = (struct writepages){
		.fd = fo->ff->fd,
		.inode = fo->file->inode,
		.index = (pgoff_t)fo->op->pos >> PAGE_SHIFT,
		.last = (pgoff_t)(fo->io.pos - 1) >> PAGE_SHIFT,
		.nr_to_write = INT64_MAX,
		.done = inline_flush_done,
	};
	f2fs_writepages(t, &fo->wp);
}

/* inode_lock(): @locked runs once the inode is ours. */
static void inode_lock(struct task *t, task_fn locked)
{
	struct file_op *fo = t->private;
	struct inode *inode = fo->file->inode;

	if (inode->rwsem_owner)
		task_wait(t, &inode->rwsem_wait, locked, "inode lock", inode->i_ino, 0);
	else
		locked(t);
}

/* inode_unlock(): the lock goes straight to the oldest waiter. */
static void inode_unlock(struct inode *inode)
{
	inode->rwsem_owner = inode->rwsem_wait.first;
	if (inode->rwsem_owner)
		wake_up(&inode->rwsem_wait);
}

static void write_done(struct task *t)
{
	struct file_op *fo = t->private;
	int64_t wrote = fo->io.pos - fo->op->pos;

	inode_unlock(fo->file->inode);
	trace_f2fs_data_end(t->sim, true, fo->op, wrote > 0 ? wrote : fo->io.error);
	if (wrote <= 0)
		op_finish(t, fo->io.error, 0);
	else if (fo->op->flags & OP_SYNC)
		fsync_range(t, fo->op->pos, wrote);
	else if (fo->op->flags & OP_DONTCACHE && flush_inline_range(fo->ff->fw))
		flush_own_range(t);
	else
		op_finish(t, wrote, 0);
}

static void write_locked(struct task *t)
{
	struct file_op *fo = t->private;
	struct inode *inode = fo->file->inode;

	inode->rwsem_owner = t;
	if (fo->op->flags & OP_APPEND)
		fo->op->pos = inode->i_size;
	trace_f2fs_data_start(t->sim, true, fo->op, inode->i_size);
	io_setup(fo->ff, fo);
	fo->io.done = write_done;
	generic_perform_write(t, &fo->io);
}

static void direct_done(struct task *t)
{
	struct file_op *fo = t->private;
	bool write = fo->op->kind == OP_WRITE;

	trace_f2fs_direct_io_exit(t->sim, fo->op, fo->dio.result);
	trace_f2fs_data_end(t->sim, write, fo->op, fo->dio.result);
	op_finish(t, fo->dio.result, 0);
}

static void op_direct(struct task *t)
{
	struct file_op *fo = t->private;
	struct f2fs_file *ff = fo->ff;

	trace_f2fs_data_start(t->sim, fo->op->kind == OP_WRITE, fo->op, fo->file->inode->i_size);
	trace_f2fs_direct_io_enter(t->sim, fo->op);
	fo->dio = (struct direct_io){
		.fm = ff->fm,
		.fd = ff->fd,
		.inode = fo->file->inode,
		.pos = fo->op->pos,
		.len = fo->op->len,
		.write = fo->op->kind == OP_WRITE,
		.done = direct_done,
	};
	f2fs_direct_io(t, &fo->dio);
}

/* read and write: the checks of kiocb_set_rw_flags(), then the path. */
static void op_rw(struct task *t)
{
	struct file_op *fo = t->private;
	struct f2fs_file *ff = fo->ff;
	bool write = fo->op->kind == OP_WRITE;

	if (fo->op->flags & OP_DONTCACHE && !f2fs_supports_dontcache(ff->fd, write)) {
		ff->fm->stat.eopnotsupp++;
		op_finish(t, -EOPNOTSUPP, 0);
	} else if (fo->op->len == 0) {
		trace_f2fs_data_start(t->sim, write, fo->op, fo->file->inode->i_size);
		trace_f2fs_data_end(t->sim, write, fo->op, 0);
		op_finish(t, 0, 0);
	} else if (fo->op->flags & OP_DIRECT) {
		op_direct(t);
	} else if (write) {
		inode_lock(t, write_locked);
	} else {
		trace_f2fs_data_start(t->sim, false, fo->op, fo->file->inode->i_size);
		io_setup(ff, fo);
		fo->io.done = read_done;
		filemap_read(t, &fo->io);
	}
}

static void truncate_done(struct task *t)
{
	struct file_op *fo = t->private;

	inode_unlock(fo->file->inode);
	op_finish(t, 0, fo->ff->conf.open_ns);
}

static void truncate_locked(struct task *t)
{
	struct file_op *fo = t->private;

	fo->file->inode->rwsem_owner = t;
	io_setup(fo->ff, fo);
	fo->io.done = truncate_done;
	f2fs_truncate(t, &fo->io, fo->op->kind == OP_TRUNCATE ? fo->op->pos : 0);
}

static void op_meta(struct task *t)
{
	struct file_op *fo = t->private;
	struct f2fs_file *ff = fo->ff;
	const struct op *op = fo->op;

	switch (op->kind) {
	case OP_OPEN:
		ff->stat.ops_open++;
		trace_f2fs_lookup(t->sim, op->dev, op->ino, !(op->flags & OP_CREATE));
		if (op->flags & OP_CREATE)
			trace_f2fs_new_inode(t->sim, op->dev, op->ino);
		file_table_get(ff->files, op->task, fo->file->inode, true);
		break;
	case OP_CLOSE:
		ff->stat.ops_close++;
		break;
	case OP_TRUNCATE:
		ff->stat.ops_truncate++;
		trace_f2fs_truncate(t->sim, op->dev, op->ino, op->pos);
		inode_lock(t, truncate_locked);
		return;
	case OP_UNLINK:
		ff->stat.ops_unlink++;
		trace_f2fs_unlink(t->sim, op->dev, op->ino);
		inode_lock(t, truncate_locked);
		return;
	case OP_FADVISE:
		ff->stat.ops_fadvise++;
		generic_fadvise(ff->fm, fo->file, op->pos, op->len, op->aux);
		break;
	default:
		ff->stat.ops_not_modelled++;
		op_finish(t, -ENOSYS, 0);
		return;
	}
	op_finish(t, 0, ff->conf.open_ns);
}

static void f2fs_submit_op(struct sim *sim, struct task *t, struct op *op, task_fn done)
{
	struct f2fs_file *ff = (struct f2fs_file *)model_get(sim, &f2fs_file_model);
	struct file_op *fo = ff->pool;

	if (fo)
		ff->pool = fo->next;
	else
		g_ptr_array_add(ff->all, fo = g_new(struct file_op, 1));
	fo->ff = ff; /* what it needs of io, wp, dio and fsync each op sets itself */
	fo->op = op;
	fo->done = done;
	fo->saved = t->private;
	fo->file = file_table_get(ff->files, op->task, inode_get(ff->fm, op->dev, op->ino), false);
	t->private = fo;
	trace_sys_enter(sim, op);
	switch (op->kind) {
	case OP_READ:
		ff->stat.ops_read++;
		op_rw(t);
		break;
	case OP_WRITE:
		ff->stat.ops_write++;
		op_rw(t);
		break;
	case OP_FSYNC:
		ff->stat.ops_fsync++;
		fsync_range(t, op->pos, op->len);
		break;
	default:
		op_meta(t);
	}
}

static bool f2fs_file_init(struct model *m, GError **err)
{
	struct f2fs_file *ff = (struct f2fs_file *)m;

	(void)err;
	ff->fm = filemap_of(m->sim);
	ff->fd = f2fs_data_of(m->sim);
	ff->fw = fs_writeback_of(m->sim);
	ff->vs = vmscan_of(m->sim);
	ff->files = file_table_new(ff->fm);
	ff->all = g_ptr_array_new_with_free_func(g_free);
	m->sim->submit_op = f2fs_submit_op;
	return true;
}

static void f2fs_file_fini(struct model *m)
{
	struct f2fs_file *ff = (struct f2fs_file *)m;

	file_table_free(ff->files);
	g_ptr_array_free(ff->all, TRUE);
}

const struct model_ops f2fs_file_model = {
	.name = "f2fs_file",
	.source = "fs/f2fs/file.c v6.1, include/linux/fs.h v6.18",
	.size = sizeof(struct f2fs_file),
	.keys = keys,
	.stats = stats,
	.init = f2fs_file_init,
	.fini = f2fs_file_fini,
};

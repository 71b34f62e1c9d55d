/*
 * traces/ftrace_ops.c - see traces/ftrace_ops.h.
 *
 * One event goes to at most two places: to the file ops (the task's open system call takes it, else
 * it is an f2fs operation of its own) and to the observed ops.  Requests go to blkpair.
 * All ops leave through one hold in order of issue; what stays open in it is finished by the other
 * half, by a loss marker or by the end of the capture.
 *
 * Which ids matter follows from the wanted classes.  Requests always do: their pairs and RWBS are
 * part of the account; their ops are dropped on the way out when nobody wants them.
 *
 * Not modelled: block_bio_queue as the issue of stacked devices; it is only observed.
 */
#include "traces/ftrace_ops.h"

#include <inttypes.h>
#include <string.h>

#include "traces/ftrace_line.h"
#include "traces/ftrace_parts.h"

#define BIT(id) (UINT64_C(1) << (id))

static_assert(FT_NR_IDS <= 64, "interest has a bit for every id");

/* clang-format off */
#define IDS_SIZE (BIT(FT_DATAREAD_START) | BIT(FT_DATAWRITE_START) | BIT(FT_SYNC_FILE_ENTER) | \
		  BIT(FT_IGET) | BIT(FT_TRUNCATE))
#define IDS_FILE (BIT(FT_SYS_ENTER) | BIT(FT_SYS_EXIT) | IDS_SIZE | BIT(FT_DATAREAD_END) | \
		  BIT(FT_DATAWRITE_END) | BIT(FT_FILE_WRITE_ITER) | BIT(FT_DIRECT_IO_ENTER) | \
		  BIT(FT_WRITE_BEGIN) | BIT(FT_SYNC_FILE_EXIT) | BIT(FT_LOOKUP_START) | \
		  BIT(FT_LOOKUP_END) | BIT(FT_NEW_INODE) | BIT(FT_UNLINK_ENTER) | \
		  BIT(FT_UNLINK_EXIT) | BIT(FT_READPAGES) | BIT(FT_CACHE_ADD) | \
		  BIT(FT_GET_PAGES) | BIT(FT_DIRTY_FOLIO) | BIT(FT_MARK_INODE_DIRTY))
#define IDS_OBSERVED (IDS_SIZE | BIT(FT_READPAGES) | BIT(FT_SUBMIT_WRITE) | BIT(FT_MAP_BLOCKS) | \
		      BIT(FT_EXTENT_END) | BIT(FT_CACHE_ADD) | BIT(FT_CACHE_DELETE) | \
		      BIT(FT_DIRTY_FOLIO) | BIT(FT_BIO_QUEUE) | BIT(FT_SHRINK_INACTIVE) | \
		      BIT(FT_BALANCE_DIRTY) | BIT(FT_DIRTY_STATE))
#define IDS_BLOCK (BIT(FT_RQ_ISSUE) | BIT(FT_RQ_REQUEUE) | BIT(FT_RQ_COMPLETE) | \
		   BIT(FT_UFSHCD_COMMAND))
/* Events of F2FS that print its device. */
#define IDS_F2FS_DEV (BIT(FT_FILE_WRITE_ITER) | BIT(FT_WRITE_BEGIN) | BIT(FT_SYNC_FILE_ENTER) | \
		      BIT(FT_LOOKUP_START) | BIT(FT_LOOKUP_END) | BIT(FT_NEW_INODE) | \
		      BIT(FT_IGET) | BIT(FT_READPAGES) | BIT(FT_SUBMIT_WRITE) | \
		      BIT(FT_MAP_BLOCKS) | BIT(FT_EXTENT_END))
/* clang-format on */

#define S_IFMT_BITS 0170000u
#define S_IFDIR_BITS 0040000u

struct op ftrace_op(const struct ftrace_event *e, enum op_kind kind)
{
	return (struct op){
		.time_ns = e->time_ns,
		.done_ns = OP_NO_TIME,
		.task = e->pid,
		.cpu = e->cpu,
		.kind = (uint8_t)kind,
	};
}

struct ftrace_ops *ftrace_ops_new(struct trace *t)
{
	struct ftrace_ops *o = g_new0(struct ftrace_ops, 1);

	o->t = t;
	o->hold = hold_new();
	o->bind = ftrace_bind_new();
	o->pairs = blkpair_new(t, o->hold);
	o->ufs_slots = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	o->sizes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	o->interest = (t->opts.want & OP_CLASS_FILE ? IDS_FILE : 0) |
		      (t->opts.want & OP_CLASS_OBSERVED ? IDS_OBSERVED : 0) | IDS_BLOCK;
	return o;
}

void ftrace_ops_free(struct ftrace_ops *o)
{
	if (!o)
		return;
	hold_free(o->hold);
	ftrace_bind_free(o->bind);
	blkpair_free(o->pairs);
	g_hash_table_destroy(o->ufs_slots);
	g_hash_table_destroy(o->sizes);
	g_free(o);
}

bool ftrace_ops_wants(const struct ftrace_ops *o, enum ftrace_id id)
{
	return o->interest >> id & 1;
}

static void count_rwbs(struct ftrace_ops *o, char action, const struct ftrace_event *e)
{
	unsigned int i = ((unsigned int)action + (unsigned char)e->rwbs[0] * 3u +
			  (unsigned char)e->rwbs[1]) %
			 FTRACE_RWBS_CACHE;
	struct ftrace_rwbs *cached = &o->rwbs[i];

	if (!cached->entry || cached->action != action || strcmp(cached->text, e->rwbs) != 0) {
		cached->action = action;
		g_strlcpy(cached->text, e->rwbs, sizeof(cached->text));
		cached->entry = trace_rwbs_of(o->t, action, e->rwbs);
	}
	cached->entry->count++;
	cached->entry->sectors += e->v[F_LEN] >> SECTOR_SHIFT;
}

static void request_event(struct ftrace_ops *o, const struct ftrace_event *e)
{
	struct blk_event b = {
		.time_ns = e->time_ns,
		.sector = e->v[F_SECTOR],
		.bytes = (uint32_t)e->v[F_LEN],
		.dev = (uint32_t)e->v[F_DEV],
		.task = e->pid,
		.cpu = e->cpu,
		.passthrough = e->passthrough,
		.action = e->id == FT_RQ_ISSUE	    ? 'D'
			  : e->id == FT_RQ_COMPLETE ? 'C'
						    : 'R',
	};

	if (ftrace_has(e, F_RESULT))
		b.error = (int32_t)e->v[F_RESULT];
	if (!e->passthrough && ftrace_has(e, F_SIZE) && e->v[F_SIZE] && e->v[F_SIZE] != e->v[F_LEN])
		trace_warn(o->t,
			   "a request of %" PRIu64 " bytes says it has %" PRIu64
			   " bytes in sectors at sector %" PRIu64,
			   e->v[F_SIZE], e->v[F_LEN], e->v[F_SECTOR]);
	count_rwbs(o, b.action, e);
	blk_rwbs_parse(e->rwbs, &b.rwbs);
	blkpair_event(o->pairs, &b);
}

/* What an event tells about an inode for later: is it a directory, which device is F2FS. */
static void note(struct ftrace_ops *o, const struct ftrace_event *e)
{
	uint32_t dev;

	if (!ftrace_has(e, F_DEV) || !(IDS_F2FS_DEV & BIT(e->id)))
		return;
	dev = (uint32_t)e->v[F_DEV];
	ftrace_bind_note_dev(o->bind, dev);
	if (ftrace_has(e, F_PINO))
		ftrace_bind_note_mode(o->bind, dev, e->v[F_PINO], true);
	if (ftrace_has(e, F_MODE))
		ftrace_bind_note_mode(o->bind, dev, e->v[F_INO],
				      (e->v[F_MODE] & S_IFMT_BITS) == S_IFDIR_BITS);
	else if (e->id == FT_NEW_INODE)
		ftrace_bind_note_mode(o->bind, dev, e->v[F_INO], false);
}

static void file_event(struct ftrace_ops *o, const struct ftrace_event *e)
{
	struct ftrace_task *task = ftrace_bind_task(o->bind, e->pid, e->tgid, e->cpu);

	if (e->id == FT_SYS_ENTER)
		ftrace_call_enter(o, task, e);
	else if (e->id == FT_SYS_EXIT)
		ftrace_call_exit(o, task, e);
	else if (task->call.sys == FT_SYS_NONE || !ftrace_call_event(o, task, e))
		ftrace_f2fs_event(o, task, e);
}

void ftrace_ops_event(struct ftrace_ops *o, const struct ftrace_event *e)
{
	assert(ftrace_ops_wants(o, e->id));
	switch (e->id) {
	case FT_RQ_ISSUE:
	case FT_RQ_COMPLETE:
	case FT_RQ_REQUEUE:
		request_event(o, e);
		return;
	case FT_UFSHCD_COMMAND:
		ftrace_ufs_event(o, e);
		return;
	default:
		break;
	}
	note(o, e);
	if (IDS_FILE & BIT(e->id) && o->t->opts.want & OP_CLASS_FILE)
		file_event(o, e);
	if (IDS_OBSERVED & BIT(e->id) && o->t->opts.want & OP_CLASS_OBSERVED)
		ftrace_obs_event(o, e);
}

static void lose_task(struct ftrace_task *task, void *arg)
{
	struct ftrace_ops *o = arg;

	ftrace_call_abort(o, task);
	ftrace_f2fs_abort(o, task);
	ftrace_fd_forget(task);
	task->wrote_ino = 0;
}

void ftrace_ops_lost(struct ftrace_ops *o, uint32_t cpu)
{
	ftrace_bind_each(o->bind, cpu, lose_task, o);
	ftrace_ufs_lost(o, cpu);
	if (cpu != FTRACE_NO_CPU)
		blkpair_lost(o->pairs, cpu);
}

void ftrace_ops_end(struct ftrace_ops *o)
{
	ftrace_ops_lost(o, FTRACE_NO_CPU);
	blkpair_end(o->pairs);
}

bool ftrace_ops_pop(struct ftrace_ops *o, bool end, struct op *op)
{
	static const struct {
		unsigned int class, drives;
	} drives[] = {
		{OP_CLASS_FILE, TRACE_DRIVES_FILE},
		{OP_CLASS_BLOCK, TRACE_DRIVES_BLOCK},
		{OP_CLASS_OBSERVED, TRACE_DRIVES_OBSERVED},
	};

	unsigned int class;

	do { /* requests are paired, and so counted, in any case */
		if (!hold_pop(o->hold, end, op))
			return false;
		class = op_class((enum op_kind)op->kind);
	} while (!(class & o->t->opts.want));
	if (op->flags & OP_UNBOUND) {
		o->t->info.unbound++;
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(drives); i++)
		if (class == drives[i].class)
			o->t->info.drives |= drives[i].drives;
	return true;
}

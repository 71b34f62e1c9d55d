/*
 * traces/ftrace_f2fs.c - file ops of tasks whose system calls the capture does not show: from the
 * f2fs events that stand at the begin and the end of one.
 *
 * A task has one such op open at a time: read, write, fsync and unlink do not nest in f2fs, but for
 * the fsync that O_SYNC adds behind a write, when the write has ended already.  A begin while one
 * is open means that its end was lost.
 *
 * The device is that of the event, or where it prints none (f2fs_dataread_*, f2fs_datawrite_*) the
 * only F2FS device of the capture.
 *
 * f2fs_file_write_iter comes once, at the end: it makes an op of its own only where
 * f2fs_datawrite_start/_end did not.
 */
#include "traces/ftrace_parts.h"

static void finish(struct ftrace_ops *o, struct ftrace_call *call)
{
	struct op *op = hold_get(o->hold, call->ticket);

	if (op)
		*op = call->op;
	hold_finish(o->hold, call->ticket);
	call->ticket = 0;
}

void ftrace_f2fs_abort(struct ftrace_ops *o, struct ftrace_task *task)
{
	if (!task->f2fs.ticket)
		return;
	o->t->info.unpaired++;
	finish(o, &task->f2fs);
}

static struct op make_op(struct ftrace_ops *o, const struct ftrace_event *e, enum op_kind kind)
{
	struct op op = ftrace_op(e, kind);

	op.dev = ftrace_has(e, F_DEV) ? (uint32_t)e->v[F_DEV] : ftrace_bind_dev(o->bind);
	op.ino = ftrace_has(e, F_INO) ? e->v[F_INO] : 0;
	if (ftrace_has(e, F_POS) && e->v[F_POS] <= INT64_MAX)
		op.pos = (int64_t)e->v[F_POS];
	if (ftrace_has(e, F_LEN) && e->v[F_LEN] <= INT64_MAX)
		op.len = (int64_t)e->v[F_LEN];
	if (!op.ino || op.pos > INT64_MAX - op.len)
		op.flags |= OP_UNBOUND;
	if (op.pos > INT64_MAX - op.len)
		op.pos = 0;
	return op;
}

static void begin(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e,
		  enum op_kind kind)
{
	ftrace_f2fs_abort(o, task);
	task->f2fs.op = make_op(o, e, kind);
	task->f2fs.ticket = hold_push(o->hold, &task->f2fs.op, true);
}

/* End of the task's open op of @kind; false when there is none. */
static bool end(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e,
		enum op_kind kind)
{
	struct ftrace_call *call = &task->f2fs;
	struct op *op = &call->op;

	if (!call->ticket || op->kind != kind || (op->ino && op->ino != e->v[F_INO])) {
		o->t->info.unpaired++;
		return false;
	}
	op->done_ns = e->time_ns;
	op->result = ftrace_has(e, F_RESULT) ? (int64_t)e->v[F_RESULT] : 0;
	op->ino = e->v[F_INO];
	if (kind == OP_UNLINK && op->ino) /* told at the end only */
		op->flags &= ~OP_UNBOUND;
	if (!op->dev && ftrace_has(e, F_DEV))
		op->dev = (uint32_t)e->v[F_DEV];
	if (kind == OP_FSYNC && ftrace_has(e, F_ADVICE) && e->v[F_ADVICE])
		op->flags |= OP_DATASYNC;
	finish(o, call);
	return true;
}

static void write_iter(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e)
{
	if (task->wrote_ino != e->v[F_INO]) {
		struct op op = make_op(o, e, OP_WRITE);

		op.done_ns = e->time_ns;
		op.result = ftrace_has(e, F_RESULT) ? (int64_t)e->v[F_RESULT] : 0;
		hold_push(o->hold, &op, false);
	}
	task->wrote_ino = 0;
}

void ftrace_f2fs_event(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e)
{
	switch (e->id) {
	case FT_DATAREAD_START:
		begin(o, task, e, OP_READ);
		break;
	case FT_DATAREAD_END:
		end(o, task, e, OP_READ);
		break;
	case FT_DATAWRITE_START:
		begin(o, task, e, OP_WRITE);
		break;
	case FT_DATAWRITE_END:
		task->wrote_ino = end(o, task, e, OP_WRITE) ? e->v[F_INO] : 0;
		break;
	case FT_FILE_WRITE_ITER:
		write_iter(o, task, e);
		break;
	case FT_SYNC_FILE_ENTER:
		begin(o, task, e, OP_FSYNC);
		break;
	case FT_SYNC_FILE_EXIT:
		end(o, task, e, OP_FSYNC);
		break;
	case FT_DIRECT_IO_ENTER:
		if (task->f2fs.ticket && task->f2fs.op.ino == e->v[F_INO])
			task->f2fs.op.flags |= ftrace_direct_flags(e);
		break;
	case FT_UNLINK_ENTER:
		begin(o, task, e, OP_UNLINK);
		break;
	case FT_UNLINK_EXIT:
		end(o, task, e, OP_UNLINK);
		break;
	default:
		break;
	}
}

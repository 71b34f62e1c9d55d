/*
 * traces/ftrace_call.c - system calls as file ops.
 *
 * An op enters the hold at the entry of its call and is completed at the exit: by then the events
 * in between have shown the inode (traces/ftrace_bind.h) and, where the call gives none, the
 * offset.  The offset of read() and write() is what an event shows, else what was tracked since
 * open(): 0, plus results, as lseek() moves it.  O_APPEND writes are placed by events only.  What
 * stays unknown is OP_UNBOUND; nothing is guessed.
 *
 * Lengths: read, write and their p-forms print the count asked for; vectored ones do not, there the
 * event with which F2FS begins the transfer tells it, or else the result is the length.  A call
 * whose exit was lost keeps what is known and has done_ns OP_NO_TIME; a vectored one whose length
 * nothing showed is OP_UNBOUND then.
 *
 * Descriptors: open and dup results are entered at the exit, close is taken at the entry, because
 * another thread can get the number before the exit is printed.  O_TRUNC makes a second op,
 * OP_TRUNCATE to 0, unless the open made the file: the kernel then truncates nothing.
 *
 * I1  a call is settled once: by its exit, by the next entry of its task, by a loss marker or by
 *     the end of the capture.
 *
 * Not modelled: io_uring, mmap, sendfile and copy_file_range as causes of ops; descriptors passed
 * on by fork, exec or SCM_RIGHTS (they start unbound); dirfd.
 */
#include "traces/ftrace_parts.h"

/* O_* of asm-generic (x86 among them). ARM swaps the bits of O_DIRECT and O_DIRECTORY: as
 * directories cannot be read or written, either bit of a file that is makes it direct. */
#define MAX_RW_COUNT INT64_C(0x7ffff000) /* no read or write moves more */
#define O_CREAT_BIT 0x40u
#define O_TRUNC_BIT 0x200u
#define O_APPEND_BIT 0x400u
#define O_DSYNC_BIT 0x1000u
#define O_DIRECT_BIT 0x4000u
#define O_DIRECT_ARM_BIT 0x10000u

#define RWF_SYNC_BITS 0x6u
#define RWF_APPEND_BIT 0x10u
#define RWF_ATOMIC_BIT 0x40u
#define RWF_DONTCACHE_BIT 0x80u

#define F_DUPFD_CMD 0u
#define F_DUPFD_CLOEXEC_CMD 1030u

/* How a call behaves: takes a descriptor; uses and moves the file offset; prints no length; has
 * RWF_* flags; returns a new descriptor of a new or of the same file; makes no op. */
enum { FD = 1, MOVES = 2, VECTOR = 4, RWF = 8, OPENS = 16, DUPS = 32, NO_OP = 64 };

static const struct {
	enum op_kind kind;
	unsigned int is;
} traits[FT_SYS_NR] = {
	/* clang-format off */
	[FT_SYS_READ]      = { OP_READ, FD | MOVES },
	[FT_SYS_PREAD64]   = { OP_READ, FD },
	[FT_SYS_READV]     = { OP_READ, FD | MOVES | VECTOR },
	[FT_SYS_PREADV]    = { OP_READ, FD | VECTOR },
	[FT_SYS_PREADV2]   = { OP_READ, FD | VECTOR | RWF },
	[FT_SYS_WRITE]     = { OP_WRITE, FD | MOVES },
	[FT_SYS_PWRITE64]  = { OP_WRITE, FD },
	[FT_SYS_WRITEV]    = { OP_WRITE, FD | MOVES | VECTOR },
	[FT_SYS_PWRITEV]   = { OP_WRITE, FD | VECTOR },
	[FT_SYS_PWRITEV2]  = { OP_WRITE, FD | VECTOR | RWF },
	[FT_SYS_FSYNC]     = { OP_FSYNC, FD },
	[FT_SYS_FDATASYNC] = { OP_FSYNC, FD },
	[FT_SYS_OPEN]      = { OP_OPEN, OPENS },
	[FT_SYS_OPENAT]    = { OP_OPEN, OPENS },
	[FT_SYS_OPENAT2]   = { OP_OPEN, OPENS },
	[FT_SYS_CREAT]     = { OP_OPEN, OPENS },
	[FT_SYS_CLOSE]     = { OP_CLOSE, FD },
	[FT_SYS_FTRUNCATE] = { OP_TRUNCATE, FD },
	[FT_SYS_TRUNCATE]  = { OP_TRUNCATE, 0 },
	[FT_SYS_UNLINK]    = { OP_UNLINK, 0 },
	[FT_SYS_UNLINKAT]  = { OP_UNLINK, 0 },
	[FT_SYS_FADVISE64] = { OP_FADVISE, FD },
	[FT_SYS_LSEEK]     = { OP_NR_KINDS, FD | NO_OP },
	[FT_SYS_DUP]       = { OP_NR_KINDS, FD | DUPS | NO_OP },
	[FT_SYS_DUP2]      = { OP_NR_KINDS, FD | DUPS | NO_OP },
	[FT_SYS_DUP3]      = { OP_NR_KINDS, FD | DUPS | NO_OP },
	[FT_SYS_FCNTL]     = { OP_NR_KINDS, FD | NO_OP },
	[FT_SYS_EXIT_GROUP] = { OP_NR_KINDS, NO_OP },
	/* clang-format on */
};

static bool is_io(const struct ftrace_call *call)
{
	return call->op.kind == OP_READ || call->op.kind == OP_WRITE;
}

static uint32_t rwf_flags(uint64_t rwf)
{
	return (rwf & RWF_DONTCACHE_BIT ? OP_DONTCACHE : 0) | (rwf & RWF_SYNC_BITS ? OP_SYNC : 0) |
	       (rwf & RWF_APPEND_BIT ? OP_APPEND : 0) | (rwf & RWF_ATOMIC_BIT ? OP_ATOMIC : 0);
}

static uint32_t open_op_flags(uint32_t flags)
{
	return (flags & (O_DIRECT_BIT | O_DIRECT_ARM_BIT) ? OP_DIRECT : 0) |
	       (flags & O_DSYNC_BIT ? OP_SYNC : 0) | (flags & O_APPEND_BIT ? OP_APPEND : 0);
}

/* @v as a file offset or length; false when it is none. */
static bool get_bytes(const struct ftrace_event *e, enum ftrace_field field, int64_t *v)
{
	if (!ftrace_has(e, field) || e->v[field] > INT64_MAX)
		return false;
	*v = (int64_t)e->v[field];
	return true;
}

/* Offset, length and flags of a read or write as its entry tells them. */
static void enter_io(struct ftrace_call *call, const struct ftrace_event *e)
{
	unsigned int is = traits[e->sys].is;
	struct op *op = &call->op;

	call->moves = is & MOVES;
	call->len_open = is & VECTOR;
	if (!call->moves) {
		uint64_t high = ftrace_has(e, F_POS_HI) ? e->v[F_POS_HI] << 32 : 0;

		call->pos_known = get_bytes(e, F_POS, &op->pos);
		op->pos |= (int64_t)high;
		call->moves = is & RWF && ftrace_has(e, F_POS) && e->v[F_POS] == UINT64_MAX;
		if (op->pos < 0) {
			op->pos = 0;
			call->pos_known = false;
		}
	}
	if (call->moves && call->file && call->file->pos != FTRACE_POS_UNKNOWN) {
		op->pos = call->file->pos;
		call->pos_known = true;
	}
	get_bytes(e, F_LEN, &op->len);
	op->len = MIN(op->len, MAX_RW_COUNT);
	if (is & RWF && ftrace_has(e, F_FLAGS))
		op->flags |= rwf_flags(e->v[F_FLAGS]);
	if (call->file)
		op->flags |= call->file->op_flags;
	if (op->kind == OP_READ)
		op->flags &= ~(OP_SYNC | OP_APPEND);
	if (op->flags & OP_APPEND) {
		op->pos = 0;
		call->pos_known = false;
	}
}

static void enter_open(struct ftrace_call *call, const struct ftrace_event *e)
{
	if (ftrace_has(e, F_FLAGS) && e->sys != FT_SYS_OPENAT2)
		call->open_flags = (uint32_t)e->v[F_FLAGS];
	if (e->sys == FT_SYS_CREAT)
		call->open_flags = O_CREAT_BIT | O_TRUNC_BIT;
	/* Without the flags O_APPEND is possible: the offset of writes is open. */
	call->pos_known =
		e->sys == FT_SYS_CREAT || (ftrace_has(e, F_FLAGS) && e->sys != FT_SYS_OPENAT2);
	call->op.flags = open_op_flags(call->open_flags & ~O_DIRECT_ARM_BIT);
}

/* Arguments by kind of op. */
static void enter_args(struct ftrace_call *call, const struct ftrace_event *e)
{
	switch (call->op.kind) {
	case OP_READ:
	case OP_WRITE:
		enter_io(call, e);
		break;
	case OP_OPEN:
		enter_open(call, e);
		break;
	case OP_FSYNC:
		call->op.flags = e->sys == FT_SYS_FDATASYNC ? OP_DATASYNC : 0;
		break;
	case OP_FADVISE:
		call->op.aux = ftrace_has(e, F_ADVICE) ? e->v[F_ADVICE] : 0;
		get_bytes(e, F_LEN, &call->op.len);
		call->pos_known = get_bytes(e, F_POS, &call->op.pos);
		break;
	case OP_TRUNCATE:
		call->pos_known = get_bytes(e, F_POS, &call->op.pos);
		break;
	default:
		break;
	}
}

/* Inode, device and OP_UNBOUND as far as known now. */
static void place(struct ftrace_call *call, bool len_known)
{
	struct op *op = &call->op;
	bool needs_pos = is_io(call) || op->kind == OP_TRUNCATE || op->kind == OP_FADVISE;

	if (call->file) {
		op->ino = call->file->ino;
		op->dev = call->file->dev;
	} else if (call->proof == FTRACE_PROOF_SURE) {
		op->ino = call->ino;
		op->dev = call->dev;
	}
	if (op->pos > OP_MAX_BYTES - op->len) { /* EINVAL or EFBIG: no place in a file */
		op->pos = 0;
		call->pos_known = false;
	}
	op->flags &= ~OP_UNBOUND;
	if (!op->ino || (needs_pos && !call->pos_known) || !len_known)
		op->flags |= OP_UNBOUND;
}

void ftrace_call_enter(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e)
{
	struct ftrace_call *call = &task->call;
	unsigned int is = traits[e->sys].is;

	ftrace_call_abort(o, task);
	if (e->sys == FT_SYS_EXIT_GROUP) /* the pid may come back as another process */
		ftrace_fd_forget(task);
	if (e->sys == FT_SYS_NONE || e->sys == FT_SYS_EXIT_GROUP ||
	    (is & FD && !ftrace_has(e, F_FD)))
		return;
	*call = (struct ftrace_call){.sys = e->sys};
	call->op = ftrace_op(e, traits[e->sys].kind);
	if (is & FD && e->v[F_FD] <= INT32_MAX) {
		call->file = ftrace_fd_get(task, (uint32_t)e->v[F_FD]);
		call->file->refs++;
	}
	call->new_fd = ftrace_has(e, F_FD2) ? (uint32_t)e->v[F_FD2] : UINT32_MAX;
	call->cmd = ftrace_has(e, F_ADVICE) ? (uint32_t)e->v[F_ADVICE] : UINT32_MAX;
	if (is & NO_OP)
		return;
	enter_args(call, e);
	place(call, !(is & VECTOR));
	call->ticket = hold_push(o->hold, &call->op, true);
	if (call->open_flags & O_TRUNC_BIT) {
		struct op cut = ftrace_op(e, OP_TRUNCATE);

		cut.flags = OP_UNBOUND;
		call->truncate_ticket = hold_push(o->hold, &cut, true);
	}
	if (e->sys == FT_SYS_CLOSE && call->file) /* free for reuse from now on, whatever comes */
		ftrace_fd_drop(task, (uint32_t)e->v[F_FD]);
}

/* The call's file has become bound: ops of it that are still held are now, too. */
static void bind_waiting(struct ftrace_ops *o, struct ftrace_file *file)
{
	for (guint i = 0; file->waiting && i < file->waiting->len; i++) {
		struct op *op = hold_get(o->hold, g_array_index(file->waiting, uint64_t, i));

		if (!op)
			continue;
		op->ino = file->ino;
		op->dev = file->dev;
		op->flags &= ~OP_UNBOUND;
	}
	if (file->proof > FTRACE_PROOF_WEAK)
		g_clear_pointer(&file->waiting, g_array_unref);
}

/* Length and file offset after a read or write. */
static void exit_io(struct ftrace_call *call, bool exited)
{
	struct op *op = &call->op;

	if (call->len_open)
		op->len = exited ? MAX(op->result, 0) : 0;
	if (!call->moves || !call->file)
		return;
	if (exited && call->pos_known && MAX(op->result, 0) <= INT64_MAX - op->pos)
		call->file->pos = op->pos + MAX(op->result, 0);
	else if (!exited || op->result > 0)
		call->file->pos = FTRACE_POS_UNKNOWN;
}

/* The O_TRUNC half of an open: real only when the file was there before. */
static void exit_truncate(struct ftrace_ops *o, struct ftrace_call *call, bool done)
{
	struct op *cut = hold_get(o->hold, call->truncate_ticket);

	if (!cut)
		return;
	if (!done || call->created) {
		hold_abandon(o->hold, call->truncate_ticket);
		return;
	}
	cut->dev = call->op.dev;
	cut->ino = call->op.ino;
	cut->done_ns = call->op.done_ns;
	cut->flags = call->op.ino ? 0 : OP_UNBOUND;
	hold_finish(o->hold, call->truncate_ticket);
}

static void exit_open(struct ftrace_ops *o, struct ftrace_task *task, bool exited)
{
	struct ftrace_call *call = &task->call;
	bool opened = exited && call->op.result >= 0;

	if (opened && call->created)
		call->op.flags |= OP_CREATE;
	if (call->truncate_ticket)
		exit_truncate(o, call, opened);
	if (!opened)
		return;
	struct ftrace_file *file = ftrace_file_new();
	if (call->op.ino) {
		file->ino = call->op.ino;
		file->dev = call->op.dev;
		file->proof = FTRACE_PROOF_SURE;
	} else {
		ftrace_file_wait(file, call->ticket);
	}
	file->pos = call->pos_known ? 0 : FTRACE_POS_UNKNOWN;
	file->op_flags = open_op_flags(call->open_flags);
	ftrace_fd_set(task, (uint32_t)call->op.result, file);
	ftrace_file_unref(file);
}

/* Calls that only move descriptors or offsets. */
static void exit_no_op(struct ftrace_task *task, int64_t result)
{
	struct ftrace_call *call = &task->call;
	bool dups = traits[call->sys].is & DUPS;

	if (call->sys == FT_SYS_FCNTL)
		dups = call->cmd == F_DUPFD_CMD || call->cmd == F_DUPFD_CLOEXEC_CMD;
	if (result < 0 || !call->file)
		return;
	if (dups)
		ftrace_fd_set(task, (uint32_t)result, call->file);
	else if (call->sys == FT_SYS_LSEEK)
		call->file->pos = result;
}

/* Complete the open call; without @exited its exit was never seen. */
static void settle(struct ftrace_ops *o, struct ftrace_task *task, bool exited)
{
	struct ftrace_call *call = &task->call;

	assert(call->sys != FT_SYS_NONE);
	if (ftrace_call_bind(o->bind, call))
		bind_waiting(o, call->file);
	if (call->ticket) {
		if (is_io(call))
			exit_io(call, exited);
		place(call, exited || !call->len_open);
		if (call->op.kind == OP_OPEN)
			exit_open(o, task, exited);
		struct op *op = hold_get(o->hold, call->ticket);
		if (op)
			*op = call->op;
		hold_finish(o->hold, call->ticket);
		if (call->file && call->file->proof <= FTRACE_PROOF_WEAK &&
		    (call->pos_known || !is_io(call)))
			ftrace_file_wait(call->file, call->ticket);
	}
	ftrace_file_unref(call->file);
	*call = (struct ftrace_call){.sys = FT_SYS_NONE};
}

void ftrace_call_abort(struct ftrace_ops *o, struct ftrace_task *task)
{
	if (task->call.sys == FT_SYS_NONE)
		return;
	o->t->info.unpaired++;
	settle(o, task, false);
}

/* An exit whose entry was lost: what it returned may be a descriptor in new hands. */
static void orphan_exit(struct ftrace_ops *o, struct ftrace_task *task, enum ftrace_sys sys,
			int64_t result)
{
	o->t->info.unpaired++;
	if (traits[sys].is & (OPENS | DUPS) && result >= 0)
		ftrace_fd_drop(task, (uint32_t)result);
}

void ftrace_call_exit(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e)
{
	struct ftrace_call *call = &task->call;
	int64_t result = (int64_t)e->v[F_RESULT];

	/* a 32-bit task's errno */
	if (result > UINT32_MAX - 4096 && result <= UINT32_MAX && e->sys != FT_SYS_LSEEK)
		result -= (int64_t)UINT32_MAX + 1;
	if (call->sys == FT_SYS_NONE || call->sys != e->sys) {
		ftrace_call_abort(o, task);
		if (e->sys != FT_SYS_NONE)
			orphan_exit(o, task, e->sys, result);
		return;
	}
	call->op.done_ns = e->time_ns;
	call->op.result = result;
	if (traits[call->sys].is & NO_OP)
		exit_no_op(task, result);
	settle(o, task, true);
}

/*
 * sim/emit_syscall.c - a file op as the system call that asks for it, as syscalls:sys_enter_* and
 * sys_exit_* print it in a kernel's `trace` file: every value in hex, no 0x but in the result.
 *
 * Reads and writes name their offset (pread64, pwrite64); those with flags are preadv2 and pwritev2
 * with RWF_*.  O_DIRECT, O_SYNC and O_APPEND stand in the open where the op stream has one.  User
 * pointers are 0.
 *
 * Not told by a system call's text: the length of a vectored call that fails before the file system
 * is entered (a refused dontcache); the range of a sync.
 */
#include "sim/emit_ftrace_internal.h"

#include "sim/op.h"

/* uapi/asm-generic/fcntl.h, uapi/linux/fs.h */
#define O_RDWR_BIT 0x2u
#define O_CREAT_BIT 0x40u
#define O_APPEND_BIT 0x400u
#define O_DSYNC_BIT 0x1000u
#define O_DIRECT_BIT 0x4000u
#define RWF_DSYNC_BIT 0x2u
#define RWF_APPEND_BIT 0x10u
#define RWF_ATOMIC_BIT 0x40u
#define RWF_DONTCACHE_BIT 0x80u
#define AT_FDCWD_TEXT "ffffff9c"

/* Arguments of TRACE_SYS_* (trace_events.h). */
enum { INO, POS, LEN, AUX, KIND, FLAGS, RESULT };

struct bit {
	uint32_t op_flag, bit;
};

static const struct bit open_bits[] = {{OP_CREATE, O_CREAT_BIT},
				       {OP_APPEND, O_APPEND_BIT},
				       {OP_SYNC, O_DSYNC_BIT},
				       {OP_DIRECT, O_DIRECT_BIT}};
static const struct bit rwf_bits[] = {{OP_DONTCACHE, RWF_DONTCACHE_BIT},
				      {OP_SYNC, RWF_DSYNC_BIT},
				      {OP_APPEND, RWF_APPEND_BIT},
				      {OP_ATOMIC, RWF_ATOMIC_BIT}};

static uint32_t bits_of(uint64_t flags, const struct bit *bits, unsigned int nr)
{
	uint32_t set = 0;

	for (unsigned int i = 0; i < nr; i++)
		set |= flags & bits[i].op_flag ? bits[i].bit : 0;
	return set;
}

static uint32_t rwf_of(const struct trace_event *e)
{
	uint32_t rwf = bits_of(e->v[FLAGS], rwf_bits, G_N_ELEMENTS(rwf_bits));

	return e->v[KIND] == OP_READ ? rwf & RWF_DONTCACHE_BIT : rwf;
}

static const char *name_of(const struct trace_event *e)
{
	switch (e->v[KIND]) {
	case OP_OPEN:
		return "sys_openat";
	case OP_CLOSE:
		return "sys_close";
	case OP_READ:
		return rwf_of(e) ? "sys_preadv2" : "sys_pread64";
	case OP_WRITE:
		return rwf_of(e) ? "sys_pwritev2" : "sys_pwrite64";
	case OP_FSYNC:
		return e->v[FLAGS] & OP_DATASYNC ? "sys_fdatasync" : "sys_fsync";
	case OP_TRUNCATE:
		return "sys_ftruncate";
	case OP_UNLINK:
		return "sys_unlinkat";
	case OP_FADVISE:
		return "sys_fadvise64";
	default:
		return NULL;
	}
}

static void arg(struct emit_file *f, const char *name, uint64_t v)
{
	emit_text(f, name);
	emit_hex(f, v);
}

static void rw_args(struct emit_file *f, const struct trace_event *e)
{
	if (!rwf_of(e)) {
		arg(f, ", buf: 0, count: ", e->v[LEN]);
		arg(f, ", pos: ", e->v[POS]);
		return;
	}
	arg(f, ", vec: 0, vlen: 1, pos_l: ", e->v[POS]);
	arg(f, ", pos_h: 0, flags: ", rwf_of(e));
}

static void enter_args(struct emit_file *f, struct emit_fds *fds, const struct trace_event *e)
{
	uint64_t kind = e->v[KIND];

	if (kind == OP_OPEN) {
		arg(f, "dfd: " AT_FDCWD_TEXT ", filename: 0, flags: ",
		    O_RDWR_BIT | bits_of(e->v[FLAGS], open_bits, G_N_ELEMENTS(open_bits)));
		emit_text(f, ", mode: 1a4");
		return;
	}
	if (kind == OP_UNLINK) {
		emit_text(f, "dfd: " AT_FDCWD_TEXT ", pathname: 0, flag: 0");
		return;
	}
	arg(f, "fd: ",
	    kind == OP_CLOSE ? emit_fd_close(fds, e->pid, e->dev, e->v[INO])
			     : emit_fd_get(fds, e->pid, e->dev, e->v[INO]));
	if (kind == OP_READ || kind == OP_WRITE)
		rw_args(f, e);
	if (kind == OP_TRUNCATE)
		arg(f, ", length: ", e->v[POS]);
	if (kind == OP_FADVISE) {
		arg(f, ", offset: ", e->v[POS]);
		arg(f, ", len: ", e->v[LEN]);
		arg(f, ", advice: ", e->v[AUX]);
	}
}

bool emit_is_syscall(const struct trace_event *e)
{
	return name_of(e);
}

void emit_syscall(struct emit_file *f, struct emit_fds *fds, const struct trace_event *e)
{
	emit_text(f, name_of(e));
	if (e->id == TRACE_SYS_ENTER) {
		emit_char(f, '(');
		enter_args(f, fds, e);
		emit_char(f, ')');
		return;
	}
	uint64_t result = e->v[RESULT];

	if (e->v[KIND] == OP_OPEN && (int64_t)result >= 0)
		result = emit_fd_open(fds, e->pid, e->dev, e->v[INO]);
	arg(f, " -> 0x", result);
}

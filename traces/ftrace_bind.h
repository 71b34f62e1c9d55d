/*
 * traces/ftrace_bind.h - which inode is behind a file descriptor.
 *
 * A system call names a descriptor, the file system names an inode.  They meet in the events that
 * the same task causes between entry and exit of the call.  Each such event is a proof of some
 * strength; the strongest of a call binds the descriptor, and the binding holds until the
 * descriptor is closed, reused, or events of its CPU are lost.  Descriptors belong to the thread
 * group when the capture tells it, else to the thread; dup() shares the open file.
 *
 * Never bound: inodes 0 to 2 (F2FS meta and node inodes, the roots of other file systems), and
 * directories as far as lookups showed them.
 */
#ifndef TRACES_FTRACE_BIND_H
#define TRACES_FTRACE_BIND_H

#include "traces/ftrace_names.h"

enum ftrace_proof {
	FTRACE_PROOF_NONE,
	FTRACE_PROOF_WEAK, /* an inode of the same call: time stamps, pages elsewhere in a file */
	FTRACE_PROOF_FAIR, /* a page of just the range that the call is about */
	FTRACE_PROOF_SURE  /* the file system's own event for this call */
};

#define FTRACE_POS_UNKNOWN (-1)
#define FTRACE_WAITING_MAX 2048u /* unbound ops remembered for a file: at least HOLD_SORT */

/* An open file description. */
struct ftrace_file {
	unsigned int refs;
	uint32_t dev;
	uint64_t ino; /* 0: not bound */
	enum ftrace_proof proof;
	int64_t pos;	   /* file offset or FTRACE_POS_UNKNOWN */
	uint32_t op_flags; /* OP_DIRECT, OP_SYNC, OP_APPEND as opened */
	GArray *waiting;   /* uint64_t tickets of ops that wait for ino; NULL = none */
};

/* A system call, or an f2fs operation without one, between entry and exit. */
struct ftrace_call {
	enum ftrace_sys sys; /* FT_SYS_NONE: none is open */
	struct op op;
	uint64_t ticket;	  /* of op in the hold; 0: the call makes no op */
	uint64_t truncate_ticket; /* O_TRUNC */
	struct ftrace_file *file; /* owned reference; NULL: no descriptor */
	uint32_t open_flags, new_fd, cmd;
	bool pos_known; /* op.pos is right */
	bool pos_shown; /* by an event inside the call */
	bool len_open;	/* the call prints no length: the file system or the result tells */
	bool moves;	/* starts at the file offset and moves it */
	bool looked_up; /* open: a lookup was seen */
	bool created;
	bool conflict; /* equal proofs for several inodes: none counts */
	uint32_t dev;
	uint64_t ino;
	enum ftrace_proof proof;
};

struct ftrace_task {
	int32_t pid, tgid;
	uint16_t cpu;	 /* where it was seen last */
	GHashTable *fds; /* fd -> struct ftrace_file; borrowed, shared by the group */
	struct ftrace_call call;
	struct ftrace_call f2fs; /* op of a call that the capture does not show */
	uint64_t wrote_ino;	 /* file of the last f2fs_datawrite_end, not yet seen by
				    f2fs_file_write_iter */
};

struct ftrace_bind;

struct ftrace_bind *ftrace_bind_new(void); /* returns new */
void ftrace_bind_free(struct ftrace_bind *b);

/* Task @pid, made at need.  @tgid may be FTRACE_NO_TGID. */
struct ftrace_task *ftrace_bind_task(struct ftrace_bind *b, int32_t pid, int32_t tgid,
				     uint16_t cpu);

/* Call @visit for every task that was seen last on @cpu (FTRACE_NO_CPU: all), in order of pid. */
void ftrace_bind_each(struct ftrace_bind *b, uint32_t cpu,
		      void (*visit)(struct ftrace_task *task, void *arg), void *arg);

/* A new open file, unbound, offset unknown; the caller owns the reference. */
struct ftrace_file *ftrace_file_new(void);
void ftrace_file_unref(struct ftrace_file *file); /* NULL is fine */

/* Remember the op of @ticket, which lacks nothing but a (surer) inode. */
void ftrace_file_wait(struct ftrace_file *file, uint64_t ticket);

/* The open file behind @fd, made at need; borrowed. */
struct ftrace_file *ftrace_fd_get(struct ftrace_task *task, uint32_t fd);
void ftrace_fd_set(struct ftrace_task *task, uint32_t fd, struct ftrace_file *file);
void ftrace_fd_drop(struct ftrace_task *task, uint32_t fd);

/* Forget what every descriptor of @task leads to. */
void ftrace_fd_forget(struct ftrace_task *task);

/* Is/was @ino of @dev seen as a directory? */
void ftrace_bind_note_mode(struct ftrace_bind *b, uint32_t dev, uint64_t ino, bool is_dir);
bool ftrace_bind_is_dir(const struct ftrace_bind *b, uint32_t dev, uint64_t ino);

/* The only F2FS device seen so far, or 0: for events that print none. */
void ftrace_bind_note_dev(struct ftrace_bind *b, uint32_t dev);
uint32_t ftrace_bind_dev(const struct ftrace_bind *b);

/* Take (@dev, @ino) as proof of strength @proof inside @call; @dev 0 = not told. */
void ftrace_call_prove(const struct ftrace_bind *b, struct ftrace_call *call, uint32_t dev,
		       uint64_t ino, enum ftrace_proof proof);

/* Bind the call's file by what was proved.  True when the file has become bound to another inode
 * than before: ops that wait in file->waiting can be completed. */
bool ftrace_call_bind(const struct ftrace_bind *b, struct ftrace_call *call);

#endif

/*
 * traces/ftrace_event.h - what an event says, as numbers: from its text here, from raw fields in
 * traces/tracedat.c.
 *
 * Bodies are read by key, not by column, so that one description serves every kernel that printed
 * the event: "dev = (259,0), ino = 4" and "dev 259:0 ino 4" and the raw dump that trace-cmd prints
 * behind "[FAILED TO PARSE]".
 */
#ifndef TRACES_FTRACE_EVENT_H
#define TRACES_FTRACE_EVENT_H

#include "traces/blkaction.h"
#include "traces/ftrace_names.h"

/* Values of an event; which ones an event has, the table in ftrace_event.c says. */
enum ftrace_field {
	F_DEV, /* DEVNO() */
	F_INO,
	F_PINO,	  /* inode of the directory */
	F_POS,	  /* bytes in the file */
	F_POS_HI, /* pos_h of preadv: high half on 32 bits, repeats the high bits on 64 */
	F_LEN,	  /* bytes */
	F_SIZE,	  /* i_size, bytes */
	F_MODE,	  /* i_mode */
	F_ADDR,	  /* byte address on the device */
	F_RESULT, /* return value, two's complement */
	F_FD,
	F_FD2,	  /* the new descriptor of dup2 */
	F_FLAGS,  /* of the call: O_*, RWF_*, ki_flags; opcode of ufshcd_command */
	F_ADVICE, /* POSIX_FADV_*, whence of lseek, cmd of fcntl, datasync of fsync */
	F_SECTOR,
	F_TAG,
	F_HWQ,
	F_NR
};

enum ftrace_step { FTRACE_STEP_NONE, FTRACE_STEP_SEND, FTRACE_STEP_COMPLETE }; /* ufshcd_command */

struct ftrace_event {
	enum ftrace_id id;
	enum ftrace_sys sys;
	uint16_t cpu;
	int32_t pid;
	int32_t tgid; /* FTRACE_NO_TGID when unknown */
	int64_t time_ns;
	uint32_t has; /* bit per enum ftrace_field: v[] holds it */
	enum ftrace_step step;
	bool passthrough;	 /* block: a command in the parentheses */
	char rwbs[BLK_RWBS_MAX]; /* block */
	uint64_t v[F_NR];
};

static inline bool ftrace_has(const struct ftrace_event *e, enum ftrace_field field)
{
	return e->has >> field & 1;
}

static inline void ftrace_set(struct ftrace_event *e, enum ftrace_field field, uint64_t v)
{
	e->v[field] = v;
	e->has |= 1u << field;
}

struct ftrace_shapes; /* traces/ftrace_shape.h */

/* Read the NUL-terminated @body (@len bytes) of e->id (not FT_OTHER) into has, v, rwbs, step; false
 * when a value that every version of the event prints is missing.  @shapes: what earlier bodies
 * taught. */
bool ftrace_event_parse(struct ftrace_shapes *shapes, struct ftrace_event *e, const char *body,
			size_t len);

#endif

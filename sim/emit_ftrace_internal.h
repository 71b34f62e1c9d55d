/*
 * sim/emit_ftrace_internal.h - what the files of the ftrace writer share.
 */
#ifndef SIM_EMIT_FTRACE_INTERNAL_H
#define SIM_EMIT_FTRACE_INTERNAL_H

#include "sim/emit_fds.h"
#include "sim/emit_file.h"
#include "sim/tracepoint.h"

/*
 * How an event is printed.  In @format '%' stands before
 *   C D t p      the device as "259,0" or "259:0"; name and pid of the task
 *   and, behind the number (in hex) of the argument that it takes,
 *   u d x        unsigned, signed, hex
 *   P K B        pages in bytes; pages a second in KB/s; bytes in sectors
 *   E            pages as the last byte of the page
 *   b            bytes as the 512-byte units of whole pages
 *   S            sector of a request (kind in v[0]): 2^64 - 1 for a flush
 *   R            RWBS of (kind, flags), argument and next; F the same as F2FS writes it
 *   I            a word of `words`, by number
 *   N            v[0] where the argument is true, else 2^32 - 1: the inode of a lookup
 *   A            2^32 - 1 where the argument is 0: a block that is to be allocated
 *   k w          ki_flags of OP_* flags; 1 where the kind is OP_WRITE, else 0
 */
struct ftrace_format {
	const char *name;
	const char *flags; /* column of a task: "....." or "d..1." */
	const char *format;
	const char *const *words;
};

extern const struct ftrace_format emit_ftrace_formats[TRACE_NR_IDS];

/* Is there a system call for @e, TRACE_SYS_ENTER or TRACE_SYS_EXIT? */
bool emit_is_syscall(const struct trace_event *e);

/* Print @e as that. */
void emit_syscall(struct emit_file *f, struct emit_fds *fds, const struct trace_event *e);

#endif

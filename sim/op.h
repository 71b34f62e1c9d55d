/*
 * sim/op.h - struct op, the one contract between readers (traces/) and everything that consumes a
 * capture.
 *
 * A stream of ops comes in three classes:
 *   file ops    what a task asked of the file system (open .. fadvise): they drive a replay
 *   block ops   requests as the block layer issued them to a device (bio_read .. discard): they
 * drive a device observed    what the kernel then did (page-cache insertions, block map, ...): they
 * never drive anything; validate and the tests compare them with the simulation A stream is ordered
 * by time_ns; equal times keep the capture's order.  A reader leaves time stamps as the capture has
 * them; the replayer subtracts the first.
 */
#ifndef SIM_OP_H
#define SIM_OP_H

#include <glib.h>

#include "sim/types.h"

enum op_kind {
	/* file ops: dev, ino, pos, len as the task asked */
	OP_OPEN, /* ino; pos, len unused */
	OP_CLOSE,
	OP_READ,
	OP_WRITE,
	OP_FSYNC,    /* OP_DATASYNC for fdatasync; len 0 = whole file */
	OP_TRUNCATE, /* pos = new size */
	OP_UNLINK,
	OP_FADVISE,   /* aux = POSIX_FADV_* */
	OP_NODE_READ, /* one F2FS node block by nid: ino = nid */
	/* block ops: pos = byte offset on dev, len bytes; done_ns - time_ns is D to C where both
	   were seen */
	OP_BIO_READ,
	OP_BIO_WRITE,
	OP_FLUSH,
	OP_DISCARD,
	/* observed */
	OBS_CACHE_ADD,	  /* mm_filemap_add_to_page_cache: ino, pos, len = PAGE_SIZE << order */
	OBS_CACHE_DELETE, /* mm_filemap_delete_from_page_cache: as OBS_CACHE_ADD */
	OBS_DIRTY, /* writeback_dirty_folio: ino, pos, len = PAGE_SIZE (one event a folio); dev 0
		      when unknown */
	OBS_READAHEAD,	/* f2fs_readpages: ino, pos, len of the batch */
	OBS_WRITE_PAGE, /* f2fs_submit_page_write / _folio_write: ino, pos, len = PAGE_SIZE, aux =
			   new byte address */
	OBS_MAP,  /* file range ino, pos, len lives at byte address aux of dev (f2fs_map_blocks,
		     extents) */
	OBS_SIZE, /* len = i_size in bytes of ino as an event showed it */
	OBS_FLUSH_SEQUENCE, /* a write with a flush in front, Q to its last C: pos, len on dev; the
			       flush and the data are block ops of their own */
	OBS_BIO,	    /* block_bio_queue: pos, len on dev; aux = enum op_kind of a block op */
	OBS_RECLAIM, /* mm_vmscan_lru_shrink_inactive: len = bytes scanned, aux = bytes reclaimed */
	OBS_BALANCE_DIRTY, /* balance_dirty_pages: aux = pause in ms, 0 = none */
	OBS_DIRTY_STATE,   /* global_dirty_state: pos, len = bytes dirty, bytes of thresh; aux =
			      bytes of bg_thresh */
	OP_NR_KINDS
};

/* Classes of kinds, as bits for the want masks. */
#define OP_CLASS_FILE 1u
#define OP_CLASS_BLOCK 2u
#define OP_CLASS_OBSERVED 4u
#define OP_CLASS_ALL 7u

#define OP_DONTCACHE (1u << 0) /* RWF_DONTCACHE */
#define OP_DIRECT (1u << 1)
#define OP_SYNC (1u << 2)     /* O_DSYNC/O_SYNC of a file op, REQ_SYNC of a block op */
#define OP_APPEND (1u << 3)   /* pos is where the file ended */
#define OP_META (1u << 4)     /* REQ_META */
#define OP_FUA (1u << 5)      /* REQ_FUA */
#define OP_PREFLUSH (1u << 6) /* REQ_PREFLUSH */
#define OP_RAHEAD (1u << 7)   /* REQ_RAHEAD */
#define OP_DATASYNC (1u << 8) /* fdatasync */
#define OP_ATOMIC (1u << 9)   /* REQ_ATOMIC */
#define OP_SECURE (1u << 10)  /* secure erase */
#define OP_UNBOUND                                                                                 \
	(1u << 11) /* the inode (or the position) behind the fd stayed unknown: not replayable */
#define OP_NODE (1u << 12)	  /* block op known to carry F2FS node blocks */
#define OP_CREATE (1u << 13)	  /* open: the file is made by this op */
#define OP_CROSS_CPU (1u << 14)	  /* block op whose completion came on another CPU */
#define OP_PASSTHROUGH (1u << 15) /* SCSI/NVMe passthrough: len moves, no medium address */
#define OP_NR_FLAGS 16

#define OP_NO_TIME                                                                                 \
	INT64_MIN /* done_ns not seen; time_ns of a generated op (fio job): issue when the task is \
		     ready */

/*
 * Bounds that op_valid() sets, so that nobody behind it needs to fear an overflow: sums of a few
 * offsets and lengths, rounded up to pages or sectors, and the gap between any two times with 73
 * years of headroom for what a run adds, stay below 2^63.  Files of F2FS end at 2^42 bytes; 2^62 ns
 * after 1970 is the year 2116.
 */
#define OP_MAX_BYTES (INT64_C(1) << 60)
#define OP_MIN_NS (-(INT64_C(1) << 61))
#define OP_MAX_NS (INT64_C(1) << 62)

struct op {
	int64_t time_ns;  /* issue: syscall entry, D of a request, event */
	int64_t done_ns;  /* observed completion (syscall exit, C) or OP_NO_TIME */
	uint64_t ino;	  /* 0 = none */
	int64_t pos;	  /* bytes in the file, or on the device for block ops */
	int64_t len;	  /* bytes */
	int64_t result;	  /* observed return value when done_ns is set, else 0 */
	uint64_t aux;	  /* by kind, see above */
	uint32_t dev;	  /* DEVNO(); 0 = unknown */
	int32_t task;	  /* pid as the capture has it (a thread) */
	uint32_t flags;	  /* OP_* bits */
	uint16_t cpu;	  /* where it was issued */
	uint8_t kind;	  /* enum op_kind */
	uint8_t reserved; /* 0 */
};

/* Class bit of @kind. */
unsigned int op_class(enum op_kind kind);

/* Tracepoint-like name of @kind, as the op text form spells it ("read", "bio_write",
 * "obs_cache_add"). */
const char *op_kind_name(enum op_kind kind);

/* Kind of @name, or OP_NR_KINDS. */
enum op_kind op_kind_from_name(const char *name);

/* Name of flag bit @bit (0 .. OP_NR_FLAGS-1): "dontcache", "fua", ... */
const char *op_flag_name(unsigned int bit);

/* What is wrong with @op: unknown kind or flag, a range or address beyond OP_MAX_BYTES, a time out
 * of bounds, a read or write that moved more than it asked for.  NULL = nothing. */
const char *op_fault(const struct op *op);

/* False with *@err = op_fault(). */
bool op_valid(const struct op *op, GError **err);

/* Total order of a stream: by time, OP_NO_TIME first.  <0, 0, >0. */
int op_cmp_time(const struct op *a, const struct op *b);

/* Edge errors of f2sim: everything a user can be told in one line.  The code picks the exit status.
 */
#define F2SIM_ERROR f2sim_error_quark()
GQuark f2sim_error_quark(void);
enum f2sim_error {
	F2SIM_ERROR_INPUT = 2,	  /* bad input or usage: exit 2 */
	F2SIM_ERROR_SHORTFALL = 1 /* gate missed, lost wakeup, context violation: exit 1 */
};

/*
 * A source of ops for the replayer: a capture (many tasks in one ordered stream) or one generated
 * job. next() false with *err NULL is the end.  The replayer owns neither source nor reader.
 */
struct op_source {
	bool (*next)(struct op_source *src, struct op *op, GError **err);
};

#endif

/*
 * traces/trace.h - readers: bytes of a capture in, struct op out, and an account of everything seen
 * on the way.
 *
 * A reader streams: memory does not grow with the capture.  Nothing is dropped silently: what is
 * not turned into an op is counted in struct trace_info.  A broken record before the end of the
 * capture ends the read with one clear line (file and offset or line, and what was expected); a
 * truncated tail does not.
 */
#ifndef TRACES_TRACE_H
#define TRACES_TRACE_H

#include <glib.h>

#include "sim/op.h"

enum trace_time_unit { TRACE_UNIT_DEFAULT, TRACE_UNIT_NS, TRACE_UNIT_US, TRACE_UNIT_MS };

/* What a capture can drive (info.drives). */
#define TRACE_DRIVES_FILE 1u	 /* file ops with inode, offset and length: replay */
#define TRACE_DRIVES_BLOCK 2u	 /* block requests: replay at the device, calibrate */
#define TRACE_DRIVES_OBSERVED 4u /* observed effects: validate */

struct trace_opts {
	const char *format; /* NULL = by content; a name of trace_formats, or "blkparse:FORMAT" */
	enum trace_time_unit time_unit; /* unit of a format that leaves it open (iolog) */
	unsigned int want;		/* OP_CLASS_* bits to deliver; the rest is only counted */
};

struct trace_rwbs {
	uint64_t count, sectors;
};

/* What a reader saw.  Tables are keyed by string (owned) and printed in sorted order.  Missing =
 * not applicable. */
struct trace_info {
	const char *path;   /* owned, the first of a set */
	const char *format; /* static: blktrace blkparse ftrace tracedat perf iolog ops fiojob */
	char *version;	    /* "7", "v3", ...; NULL = none */
	uint64_t records; /* event lines or records; comments, headers, loss markers not counted */
	GHashTable *events;    /* tracepoint name -> uint64_t * */
	uint64_t actions[128]; /* blktrace action letter (of blkparse: Q M F G S R D C P U T(=UT) I
				* X B A m) -> count; has_actions tells whether it applies */
	bool has_actions;
	GHashTable *rwbs;    /* "D RA" -> struct trace_rwbs * */
	GHashTable *unknown; /* names this version of f2sim has never heard of -> uint64_t * */
	GHashTable *tasks;   /* pid (GINT_TO_POINTER) set of tasks that issued something */
	GHashTable *names;   /* pid (GINT_TO_POINTER) -> its name where the capture tells */
	uint64_t lost;	     /* events that loss markers or overrun counters admit */
	uint64_t broken;     /* lines or records that could not be read and were passed over (the
				tail), and ops out of bounds (op_fault()) */
	uint64_t unpaired; /* issues without completion, completions without issue, entries without
			      exit */
	uint64_t unbound;  /* file ops whose inode or position stayed unknown */
	uint64_t paired, cross_cpu; /* request pairs, and those completed on another CPU */
	uint64_t underflow;	    /* counters printed as 2^64 - n */
	uint64_t skewed; /* records whose time stepped back (delivered in time order where the
			    window allows) */
	bool truncated;	 /* the tail was cut */
	bool has_pairs;	 /* paired/cross_cpu apply */
	int64_t first_ns, last_ns; /* OP_NO_TIME while nothing was seen */
	unsigned int drives;	   /* TRACE_DRIVES_* */
	GPtrArray
		*warnings; /* owned lines for the user, at most 32, then counted in more_warnings */
	uint64_t more_warnings;
};

struct trace;

struct trace_ops {
	const char *name;    /* --format name */
	const char *summary; /* one line for --help */
	/* Does a file that begins with @head (up to 64 KiB, unpacked) look like mine?  0 no .. 100
	 * certain. */
	int (*probe)(const uint8_t *head, size_t n);
	/* Make a reader over @paths (ended by NULL, >= 1; more than one only where .multi; valid
	 * during the call only).  Returns new; NULL with *@err. */
	struct trace *(*open)(const char *const *paths, const struct trace_opts *opts,
			      GError **err);
	/* Next op in time order into *@op; false at the end (*@err NULL) or on a broken record. */
	bool (*next)(struct trace *t, struct op *op, GError **err);
	void (*close)(struct trace *t); /* frees t itself, after trace_fini(t) */
	bool multi;			/* several files are one capture (per-CPU sets) */
	bool takes_suffix;		/* --format NAME:SOMETHING is its to read */
	/* Readers behind this one (merge only, else NULL): their number into *@n. */
	struct trace *const *(*children)(const struct trace *t, unsigned int *n);
};

/* First member of every reader. */
struct trace {
	const struct trace_ops *ops;
	struct trace_opts opts;
	struct trace_info info;
	int32_t recent_tasks[64]; /* trace_seen(): pids that are in info.tasks for sure */
	int64_t last_op_ns;	  /* trace_next(): of the op before, or OP_NO_TIME */
	bool leapt;		  /* trace_next(): a wild time stamp was told */
};

/* For readers: set up and tear down the common part (zeroed before).  Copies @path; @opts may be
 * NULL (all classes); opts->format must outlive the reader. */
void trace_init(struct trace *t, const struct trace_ops *ops, const struct trace_opts *opts,
		const char *path);
void trace_fini(struct trace *t);

/* For readers: counting. */
void trace_count(GHashTable *table, const char *name, uint64_t n);
void trace_count_rwbs(struct trace *t, char action, const char *rwbs, uint64_t sectors);
struct trace_rwbs *trace_rwbs_of(struct trace *t, char action,
				 const char *rwbs); /* entry "D RA" to count in, made at need */
void trace_seen(struct trace *t, int64_t time_ns,
		int32_t task); /* first/last time, task set; task < 0: no task */
void trace_name_task(struct trace *t, int32_t task, const char *name,
		     size_t len); /* up to a NUL or @len; the last name holds */
void trace_warn(struct trace *t, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* For readers: "path: line N: what" / "path: offset N: what" as F2SIM_ERROR_INPUT. */
void trace_error_line(GError **err, const char *path, int64_t line, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
void trace_error_offset(GError **err, const char *path, int64_t offset, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/*
 * Open the captures @paths.  Files that belong together (NAME.blktrace.0, .1, ...; a base name
 * NAME; "a:b") become one reader; otherwise several paths are merged by (time, file, offset) into
 * one stream.  NULL with *@err.
 */
struct trace *trace_open(const char *const *paths, const struct trace_opts *opts, GError **err);
/* Open one capture made of the files @paths, as paths_group() puts them together. */
struct trace *trace_open_group(const char *const *paths, const struct trace_opts *opts,
			       GError **err);
bool trace_next(struct trace *t, struct op *op, GError **err);
const struct trace_info *trace_info(const struct trace *t); /* of a merge: sums, at the end */
/* The captures behind @t: one for a plain reader, one each for a merge. */
unsigned int trace_nr_captures(const struct trace *t);
const struct trace_info *trace_capture_info(const struct trace *t, unsigned int i);
void trace_close(struct trace *t); /* NULL is fine */

/* Table of readers, ended by NULL; probed in this order, highest score wins. */
extern const struct trace_ops *const trace_formats[];

#endif

/*
 * sim/inspect.h - what `f2sim inspect` learns from the ops of one capture, beyond the reader's own
 * account (struct trace_info), and how both are shown.
 *
 * Memory grows with the number of distinct inodes, never with the number of ops.
 */
#ifndef SIM_INSPECT_H
#define SIM_INSPECT_H

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/stat.h"
#include "traces/trace.h"

/* Rows of the D-to-C table: OP_BIO_READ .. OP_DISCARD. */
#define INSPECT_NR_DIRS (OP_DISCARD - OP_BIO_READ + 1)

struct inspect_kind {
	uint64_t count, dontcache;
	uint64_t bytes; /* sum of len; stays at its maximum instead of wrapping */
};

struct inspect {
	struct inspect_kind kinds[OP_NR_KINDS];
	struct hist *d2c[INSPECT_NR_DIRS]; /* D to C, ns; NULL = no pair seen */
	struct hist *sequence;		   /* Q to C of OBS_FLUSH_SEQUENCE */
	GHashTable *inodes;		   /* set of struct inspect_inode, by (dev, ino) */
	struct inspect_inode *recent;	   /* the last one met */
	int64_t added, deleted;		   /* pages of OBS_CACHE_ADD, OBS_CACHE_DELETE */
	int64_t sized;			   /* of added: pages of files whose size was known then */
	int64_t beyond_eof;		   /* of sized: pages wholly behind the end of their file */
};

void inspect_init(struct inspect *in);
void inspect_op(struct inspect *in, const struct op *op);
void inspect_fini(struct inspect *in);

/* Distinct inodes; one whose device stayed unknown in some ops counts once. */
uint64_t inspect_nr_inodes(const struct inspect *in);

/* Is a sum over op.len meaningful?  Not where it repeats a state (a file's size, an extent). */
bool inspect_has_bytes(enum op_kind kind);

/* Names of TRACE_DRIVES_* bits as --json and the table spell them; NULL past the last. */
const char *inspect_drive_name(unsigned int bit);

/* Name of row @dir of the D-to-C table ("read"). */
const char *inspect_dir_name(unsigned int dir);

/* Name of the blktrace action with @letter: its letter, but UT for T. */
void inspect_action_name(char name[3], unsigned int letter);

/* Do tracepoint names apply to this capture? */
bool inspect_has_events(const struct trace_info *info);

/* Keys of a string-keyed table in strcmp() order; borrowed strings, NULL-terminated array to be
 * g_free()d. */
const char **inspect_sorted_keys(GHashTable *table);

/* One element of DESIGN's "captures" array into @b (inspect_json.c). */
void inspect_json(JsonBuilder *b, const struct trace_info *info, const struct inspect *in);

/* The table for people, appended to @text (inspect_print.c). */
void inspect_print(GString *text, const struct trace_info *info, const struct inspect *in);

#endif

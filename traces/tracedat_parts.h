/*
 * traces/tracedat_parts.h - what the mending of a trace.dat is made of: a cursor over the file, and
 * one file a version.  Internal to traces/tracedat_mend.h.
 *
 * I1  nothing is read at or behind the size of the file; ends tells that something should have
 * been.
 */
#ifndef TRACES_TRACEDAT_PARTS_H
#define TRACES_TRACEDAT_PARTS_H

#include <glib.h>

#include "sim/op.h"

#define TRACEDAT_HEAD_BYTES 12u /* magic and version */
#define TRACEDAT_CPUS_MAX 65536u

/* Sections and options of version 7, options of version 6. */
enum { ID_DONE = 0, ID_CPUSTAT = 2, ID_BUFFER = 3, ID_TRACECLOCK = 4, ID_CPUCOUNT = 8 };

struct mend {
	int fd;
	int64_t bytes;	  /* of the file */
	int64_t pos;	  /* of the cursor */
	bool swap;	  /* the file's byte order is not ours */
	bool ends;	  /* the cursor ran off the end: the file is cut */
	bool header_ends; /* it did before the data */
	uint32_t page_bytes;
	uint32_t nr_cpus;
	/* version 6 */
	unsigned int long_bytes; /* of the kernel */
	int64_t table;		 /* where the CPUs' offsets and sizes stand */
	bool instances;
	/* version 7 */
	bool compressed;
	int64_t next_options; /* where the first options tell the position of the next */
	int64_t buffer;	      /* the section of the data, 0 = none */
	char *clock;
	GArray *idle; /* uint32_t: CPUs without events */
};

/* @n bytes at the cursor; false, and zeros, when the file ends before them. */
bool mend_take(struct mend *m, void *to, size_t n);
uint16_t mend_take16(struct mend *m);
uint32_t mend_take32(struct mend *m);
uint64_t mend_take64(struct mend *m);
void mend_skip(struct mend *m, uint64_t n);
void mend_skip_string(struct mend *m);

/* Is the text @want (its NUL included) next? */
bool mend_expect(struct mend *m, const char *want);

/* Write the low @n (4 or 8) bytes of @v at @at of the copy @out. */
bool mend_put(const struct mend *m, int out, int64_t at, uint64_t v, size_t n);

/*
 * Of each version: walk over what stands before the data; false when it is not as described.  Is
 * there less than it tells of?  Put the copy @out right: false with errno, or 0 there when no event
 * is left.
 */
bool v6_look(struct mend *m);
bool v6_is_cut(struct mend *m);
bool v6_fix(struct mend *m, int out);
bool v7_look(struct mend *m);
bool v7_is_cut(struct mend *m);
bool v7_fix(struct mend *m, int out);

#endif

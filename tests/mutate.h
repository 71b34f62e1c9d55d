/*
 * tests/mutate.h - damaged copies of real captures, and what `f2sim inspect` does with them.
 *
 * A capture is unpacked and cut to its first and last 128 KiB at a boundary of its own format, so
 * that copy 0, the undamaged one, still reads as a whole.  Copy N is the same bytes on every
 * machine.
 */
#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H

#include <glib.h>

#include "sim/types.h"

/* Captures to damage, as paths below traces/captures or ../shared/captures; ended by NULL. */
extern const char *const fuzz_captures[];

/* Where @name is, in the tree first; new, NULL when it is in neither place. */
char *fuzz_find(const char *name);

/* The unpacked and cut form of the capture at @path; returns new, NULL with *@err. */
GByteArray *fuzz_base(const char *path, GError **err);

/* Copy @n of @base, 0 = as it is; returns new. */
GByteArray *fuzz_copy(const GByteArray *base, const char *name, uint64_t n);

enum fuzz_outcome {
	FUZZ_OK,      /* exit status 0 and valid JSON */
	FUZZ_REFUSED, /* exit status 2 and one line "f2sim: ..." last on stderr */
	FUZZ_CRASH,   /* a signal, or any other exit status (a sanitizer's, say) */
	FUZZ_HANG,    /* still running after 5 s */
	FUZZ_GARBLED, /* done or refused, but not in the promised form */
	FUZZ_NR,
};

struct fuzz_tally {
	uint64_t nr[FUZZ_NR];
	int64_t peak_bytes; /* largest resident set of a child */
};

/*
 * Have @f2sim inspect copies @first .. @last of the capture @name at @path and add them to @tally.
 * Copies that ended in another way than FUZZ_OK and FUZZ_REFUSED are left in build/fuzz/ and named
 * on stderr.  False with *@err when the capture itself cannot be read.
 */
bool fuzz_run(const char *f2sim, const char *name, const char *path, uint64_t first, uint64_t last,
	      struct fuzz_tally *tally, GError **err);

#endif

/*
 * traces/unpack.h - the bytes of a packed file, through libarchive's filters.
 *
 * Decoding is done where it is asked for until unpack_start(), then in a thread of its own, so that
 * unpacking and parsing use two CPUs.  Either way the same bytes come in the same order, and the
 * end is told behind the last of them.  Memory is bounded: UNPACK_SLOTS blocks at most are decoded
 * ahead.
 */
#ifndef TRACES_UNPACK_H
#define TRACES_UNPACK_H

#include "sim/types.h"

#define UNPACK_HEAD_BYTES ((size_t)64 << 10)
#define UNPACK_ROOM ((size_t)4 << 10)

enum unpack_end {
	UNPACK_MORE, /* not ended */
	UNPACK_END,
	UNPACK_TRUNCATED, /* the packed data stops early; what came before was delivered */
	UNPACK_FAILED
};

struct unpack;

/* Decoder of what comes from @fd (borrowed), of which @head, @n <= UNPACK_HEAD_BYTES, was read
 * already.  Returns new, at its end perhaps. */
struct unpack *unpack_new(int fd, const uint8_t *head, size_t n);
void unpack_free(struct unpack *u); /* NULL is fine; does not wait for more input */

/* Decode in a thread from here on, if there can be one.  Bytes given before are gone. */
void unpack_start(struct unpack *u);
bool unpack_started(const struct unpack *u);

/* The next bytes, valid until the next call, into *@p; their number, or 0 at the end.  Once started
 * they are the caller's to change, and so are UNPACK_ROOM bytes in front of them and one behind. */
size_t unpack_next(struct unpack *u, uint8_t **p);

/* How it ended, if it did; of UNPACK_FAILED *@what (borrowed) tells why. */
enum unpack_end unpack_how(const struct unpack *u, const char **what);

/* Bytes read from the file, but for the head, when the bytes given last were decoded. */
int64_t unpack_file_bytes(const struct unpack *u);

#endif

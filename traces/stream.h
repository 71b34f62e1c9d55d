/*
 * traces/stream.h - bytes of a capture, plain or packed (.gz .xz .lz4 .zst by magic, through
 * libarchive's filters). Constant memory: one window that grows only to the longest line or record
 * asked for, up to STREAM_MAX_LINE (stream_peek: twice that).
 */
#ifndef TRACES_STREAM_H
#define TRACES_STREAM_H

#include <glib.h>

#include "sim/types.h"

#define STREAM_MAX_LINE (1u << 20) /* a longer "line" is an error, not an allocation */

struct stream;

/*
 * Open @path ("-" is standard input).  NULL with *@err naming the file.  The caller closes with
 * stream_close().  A "-" closed before anything was consumed can be opened again: so a probe works
 * on a pipe.
 */
struct stream *stream_open(const char *path, GError **err);
void stream_close(struct stream *s);

/* As stream_open() over an open file descriptor, which it takes (also on failure); @name is for
 * messages. */
struct stream *stream_from_fd(int fd, const char *name, GError **err);

/*
 * Who writes the other end of a pipe and may fail at it.  end() is called once, at the end of the
 * bytes or when none came for timeout_ms: false with *err makes the read fail.  close() comes with
 * stream_close().
 */
struct stream_source {
	int timeout_ms; /* -1 = wait for ever */
	bool (*end)(struct stream_source *src, bool timed_out, GError **err);
	void (*close)(struct stream_source *src);
};

/* As stream_from_fd() for bytes that are never packed; takes @src too.  Reads nothing yet. */
struct stream *stream_from_source(int fd, const char *name, struct stream_source *src);

/* True when the file is packed: its bytes cannot be had by seeking in it. */
bool stream_packed(const struct stream *s);

/* The path as given, for messages; borrowed. */
const char *stream_path(const struct stream *s);

/* Bytes consumed so far (of the unpacked stream) and lines returned so far (the last one's number,
 * from 1). */
int64_t stream_offset(const struct stream *s);
int64_t stream_line(const struct stream *s);

/* Is it a regular file, which can be opened once more? */
bool stream_seekable(const struct stream *s);

/* Bytes of files, packed as they are, that streams of this process read so far, for progress.
 * Streams closed before anything was consumed (probes) do not count. */
int64_t stream_bytes_read(void);

/*
 * Look at the next @want bytes without consuming; *@got < @want only at the end of the stream.  The
 * pointer is valid until the next call.  NULL with *@err on an unpacking or read error.
 */
const uint8_t *stream_peek(struct stream *s, size_t want, size_t *got, GError **err);

/* Consume @n bytes that stream_peek() showed. */
void stream_skip(struct stream *s, size_t n);

/*
 * Next line (the first without a byte order mark, see traces/text_mark.h) without its "\n" (and
 * "\r"), NUL-terminated in place, valid until the next call; *@len without the NUL. NULL at the end
 * (with *@err NULL) or on an error.  The last line needs no newline; stream_cut() then tells so.
 */
char *stream_getline(struct stream *s, size_t *len, GError **err);

/* True after stream_getline() returned a last line that had no newline: the tail may be truncated.
 */
bool stream_cut(const struct stream *s);

/*
 * True once the packed data ended early (a truncated .xz, say): what came before was delivered, the
 * tail counts as truncated.  The caller warns; it is not an error.
 */
bool stream_truncated(const struct stream *s);

#endif

/*
 * traces/once.h - streams over what cannot be read twice: standard input, a pipe, a process
 * substitution.
 *
 * A probe looks at the first bytes and closes the stream; the reader then opens the same path. Such
 * a stream, closed before anything was consumed, waits here for the next stream_open().
 */
#ifndef TRACES_ONCE_H
#define TRACES_ONCE_H

struct stream;

/* Keep @s, which its owner gave up. */
void once_keep(struct stream *s);

/* The stream kept for @path, given back; NULL when there is none. */
struct stream *once_take(const char *path);

#endif

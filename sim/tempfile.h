/*
 * sim/tempfile.h - files written whole or not at all.
 *
 * A file grows under a name of its own beside its place and is renamed by tempfile_commit().  One
 * that is not committed is removed: by tempfile_abort(), and when a signal ends the program.  What
 * was in the place before stays until the rename.
 *
 * Not covered: SIGKILL, which leaves a file NAME.XXXXXX behind.
 */
#ifndef SIM_TEMPFILE_H
#define SIM_TEMPFILE_H

#include <glib.h>
#include <stdbool.h>

struct tempfile;

/*
 * A fresh, empty file for @path, with the permissions a plain open() would give it.  Returns new;
 * NULL with *@err.  Close it with tempfile_commit() or tempfile_abort().
 */
struct tempfile *tempfile_new(const char *path, GError **err);

/* Its descriptor, open for writing until the end; a caller that wants to close gives a dup(). */
int tempfile_fd(const struct tempfile *t);

/* Put the file in its place.  False with *@err and no file.  Frees @t either way. */
bool tempfile_commit(struct tempfile *t, GError **err);

/* Give up: nothing is left behind.  Frees @t; NULL is fine. */
void tempfile_abort(struct tempfile *t);

/* Write @len bytes of @text (-1 = up to its NUL) to @path.  False with *@err and no file. */
bool tempfile_write(const char *path, const char *text, gssize len, GError **err);

/* A descriptor of a fresh file in the folder for temporary files that has no name, or -1 with
 * errno: it goes with the descriptor. */
int tempfile_nameless(void);

/* write() of all @n bytes; false with errno. */
bool tempfile_put(int fd, const void *bytes, size_t n);

/*
 * From now on a signal that ends this process (hangup, interrupt, quit, a broken pipe, termination,
 * the CPU limit) first removes what is not committed.  Signals that are ignored stay so, and
 * children of fork() remove nothing.  For main().
 */
void tempfile_catch_signals(void);

#endif

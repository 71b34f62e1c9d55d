/*
 * sim/emit_file.h - a buffered file that appears whole or not at all.
 *
 * The first error stays until commit; what is put after it is dropped.
 */
#ifndef SIM_EMIT_FILE_H
#define SIM_EMIT_FILE_H

#include <glib.h>

#include "sim/types.h"

struct emit_file;

/* A fresh file for @path.  Returns new; NULL with *@err. */
struct emit_file *emit_file_new(const char *path, GError **err);

/* Append bytes, a string, a number in decimal or in hex without prefix. */
void emit_bytes(struct emit_file *f, const void *bytes, size_t n);
void emit_text(struct emit_file *f, const char *text);
void emit_char(struct emit_file *f, char c);
void emit_u64(struct emit_file *f, uint64_t v);
void emit_i64(struct emit_file *f, int64_t v);
void emit_hex(struct emit_file *f, uint64_t v);

/* @v in decimal, filled up to @width with @pad in front. */
void emit_padded(struct emit_file *f, uint64_t v, unsigned int width, char pad);

/* Write over the first bytes of the file. */
void emit_patch_start(struct emit_file *f, const void *bytes, size_t n);

/* Write all that was put so far.  False with *@err, which stays the answer of commit. */
bool emit_file_flush(struct emit_file *f, GError **err);

/* Put the file in its place; false with *@err and no file.  Frees @f either way. */
bool emit_file_commit(struct emit_file *f, GError **err);

/* Nothing is left behind.  Frees @f; NULL is fine. */
void emit_file_abort(struct emit_file *f);

#endif

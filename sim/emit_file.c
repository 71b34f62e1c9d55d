/*
 * sim/emit_file.c - see sim/emit_file.h.
 */
#include "sim/emit_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sim/op.h"
#include "sim/tempfile.h"

#define BUFFER ((size_t)256 * 1024)

struct emit_file {
	struct tempfile *temp;
	char *path;
	int error; /* errno of the first write that failed */
	size_t n;
	char buffer[BUFFER];
};

struct emit_file *emit_file_new(const char *path, GError **err)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) { /* better said now than after the run */
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", path,
			    g_strerror(EISDIR));
		return NULL;
	}
	struct tempfile *temp = tempfile_new(path, err);

	if (!temp)
		return NULL;
	struct emit_file *f = g_new(struct emit_file, 1);

	f->temp = temp;
	f->path = g_strdup(path);
	f->error = 0;
	f->n = 0;
	return f;
}

static void flush(struct emit_file *f)
{
	if (!f->error && !tempfile_put(tempfile_fd(f->temp), f->buffer, f->n))
		f->error = errno ? errno : EIO;
	f->n = 0;
}

void emit_bytes(struct emit_file *f, const void *bytes, size_t n)
{
	const char *from = bytes;

	while (n) {
		size_t part = MIN(n, BUFFER - f->n);

		memcpy(f->buffer + f->n, from, part);
		f->n += part;
		from += part;
		n -= part;
		if (f->n == BUFFER)
			flush(f);
	}
}

void emit_text(struct emit_file *f, const char *text)
{
	emit_bytes(f, text, strlen(text));
}

void emit_char(struct emit_file *f, char c)
{
	emit_bytes(f, &c, 1);
}

/* The digits of @v, at least @width of them, @pad in front. */
static void digits(struct emit_file *f, uint64_t v, unsigned int base, unsigned int width, char pad)
{
	char text[24], *p = text + sizeof(text);

	do {
		*--p = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	for (size_t n = (size_t)(text + sizeof(text) - p); n < width; n++)
		emit_char(f, pad);
	emit_bytes(f, p, (size_t)(text + sizeof(text) - p));
}

void emit_u64(struct emit_file *f, uint64_t v)
{
	digits(f, v, 10, 0, ' ');
}

void emit_i64(struct emit_file *f, int64_t v)
{
	if (v < 0)
		emit_char(f, '-');
	emit_u64(f, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void emit_hex(struct emit_file *f, uint64_t v)
{
	digits(f, v, 16, 0, ' ');
}

void emit_padded(struct emit_file *f, uint64_t v, unsigned int width, char pad)
{
	digits(f, v, 10, width, pad);
}

void emit_patch_start(struct emit_file *f, const void *bytes, size_t n)
{
	flush(f);
	if (!f->error && lseek(tempfile_fd(f->temp), 0, SEEK_SET) < 0)
		f->error = errno;
	emit_bytes(f, bytes, n);
	flush(f);
	if (!f->error && lseek(tempfile_fd(f->temp), 0, SEEK_END) < 0)
		f->error = errno;
}

static void file_free(struct emit_file *f)
{
	g_free(f->path);
	g_free(f);
}

bool emit_file_flush(struct emit_file *f, GError **err)
{
	flush(f);
	if (f->error)
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", f->path,
			    g_strerror(f->error));
	return !f->error;
}

bool emit_file_commit(struct emit_file *f, GError **err)
{
	bool ok = emit_file_flush(f, err);

	if (ok)
		ok = tempfile_commit(f->temp, err);
	else
		tempfile_abort(f->temp);
	file_free(f);
	return ok;
}

void emit_file_abort(struct emit_file *f)
{
	if (!f)
		return;
	tempfile_abort(f->temp);
	file_free(f);
}

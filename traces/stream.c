/*
 * traces/stream.c - bytes of a capture, plain or packed.
 *
 * One window [start, end) over the unpacked stream.  A plain file is read straight into the window.
 * One whose first bytes are the magic of a packer is decoded by traces/unpack.c: its blocks are
 * copied into the window at first, and are the window once its thread runs.  The thread is started
 * behind THREAD_BYTES consumed: a probe, which consumes nothing, and a small file do without.
 *
 * A packed file that ends early is a truncated capture: the end of the stream, told by
 * stream_truncated().
 *
 * I1  start <= end; buf[end] exists, so that a last line can be terminated in place.
 *     While buf is own, end <= cap.
 * I2  offset counts the bytes before start.
 */
#include "traces/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/input.h"
#include "sim/op.h"
#include "traces/once.h"
#include "traces/packer.h"
#include "traces/text_mark.h"
#include "traces/unpack.h"

#define WINDOW_BYTES ((size_t)256 << 10)
#define SMALL_WINDOW_BYTES ((size_t)8 << 10) /* of each beyond MANY_STREAMS open at once */
#define MANY_STREAMS 64u
#define THREAD_BYTES 262144

struct stream {
	char *path;
	int fd;
	struct stream_source *src; /* NULL for a file */
	struct unpack *unpack;	   /* NULL for a plain stream */
	int64_t head_bytes;	   /* of the file, read before unpack took over */
	uint8_t *block;		   /* decoded, not yet copied; of unpack */
	size_t block_len;
	uint8_t *own; /* cap + 1 bytes */
	uint8_t *buf; /* the window: own, or the block of unpack that was given last */
	size_t window, cap, start, end;
	int64_t offset, line;
	int64_t file_bytes; /* read from fd so far */
	bool eof, cut, truncated;
	bool once; /* cannot be opened again */
};

static int64_t bytes_read;	/* by all streams; what only a probe read is taken back */
static unsigned int nr_streams; /* open */

static bool G_GNUC_PRINTF(3, 4) fail(const struct stream *s, GError **err, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	g_autofree char *what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", s->path, what);
	return false;
}

static void account(struct stream *s, int64_t file_bytes)
{
	bytes_read += file_bytes - s->file_bytes;
	s->file_bytes = file_bytes;
}

/* read() that ignores signals and keeps to the source's timeout (ETIMEDOUT). */
static ssize_t read_fd(struct stream *s, void *to, size_t n)
{
	if (s->src) {
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		int r;
		while ((r = poll(&p, 1, s->src->timeout_ms)) < 0 && errno == EINTR)
			;
		if (r == 0) {
			errno = ETIMEDOUT;
			return -1;
		}
	}
	ssize_t got;
	while ((got = read(s->fd, to, n)) < 0 && errno == EINTR)
		;
	account(s, s->file_bytes + MAX(got, 0));
	return got;
}

/* Bring the bytes not consumed to the begin of our own memory. */
static void move_window(struct stream *s)
{
	if (s->start > 0 || s->buf != s->own)
		memmove(s->own, s->buf + s->start, s->end - s->start);
	s->buf = s->own;
	s->end -= s->start;
	s->start = 0;
}

/* What unpack says of its end; false with *@err when it failed. */
static bool packed_end(struct stream *s, GError **err)
{
	const char *what;
	enum unpack_end how = unpack_how(s->unpack, &what);

	s->eof = how != UNPACK_MORE;
	s->truncated = how == UNPACK_TRUNCATED;
	return how != UNPACK_FAILED || fail(s, err, "%s", what);
}

/* Have a block at hand; false when there is none any more. */
static bool next_block(struct stream *s)
{
	if (s->block_len > 0)
		return true;
	s->block_len = unpack_next(s->unpack, &s->block);
	account(s, s->head_bytes + unpack_file_bytes(s->unpack));
	return s->block_len > 0;
}

/* Move the window onto the next block: only what is left of the last goes in front of it. */
static bool fill_in_place(struct stream *s, GError **err)
{
	size_t left = s->end - s->start;

	move_window(s);
	if (!next_block(s))
		return packed_end(s, err);
	s->buf = s->block - left;
	memcpy(s->buf, s->own, left);
	s->end = left + s->block_len;
	s->block_len = 0;
	return true;
}

static bool fill_packed(struct stream *s, GError **err)
{
	if (!next_block(s))
		return packed_end(s, err);
	size_t n = MIN(s->block_len, s->cap - s->end);
	memcpy(s->buf + s->end, s->block, n);
	s->end += n;
	s->block += n;
	s->block_len -= n;
	return true;
}

static bool fill_plain(struct stream *s, GError **err)
{
	ssize_t n = read_fd(s, s->buf + s->end, s->cap - s->end);
	bool timed_out = n < 0 && errno == ETIMEDOUT;
	if (s->src && (n == 0 || timed_out) && !s->src->end(s->src, timed_out, err))
		return false;
	if (n < 0)
		return fail(s, err, "cannot read: %s", g_strerror(errno));
	s->eof = n == 0;
	s->end += (size_t)n;
	return true;
}

/* Get some bytes more into the window, which makes room first; false on an error.  May add none at
 * the end. */
static bool fill(struct stream *s, GError **err)
{
	if (s->unpack && !s->block_len) { /* else the decoder's memory is in use */
		if (s->offset >= THREAD_BYTES)
			unpack_start(s->unpack);
		if (unpack_started(s->unpack) && s->end - s->start <= UNPACK_ROOM)
			return fill_in_place(s, err);
	}
	move_window(s);
	if (s->end == s->cap) {
		s->cap *= 2;
		s->buf = s->own = g_realloc(s->own, s->cap + 1);
	}
	return s->unpack ? fill_packed(s, err) : fill_plain(s, err);
}

static bool open_packed(struct stream *s, GError **err)
{
	s->head_bytes = s->file_bytes;
	s->unpack = unpack_new(s->fd, s->buf, s->end);
	account(s, s->head_bytes + unpack_file_bytes(s->unpack));
	s->end = 0;
	return packed_end(s, err);
}

/* Read the first bytes and look for a packer's magic. */
static bool begin(struct stream *s, GError **err)
{
	while (s->end < 6 && !s->eof)
		if (!fill_plain(s, err))
			return false;
	return !packer_magic(s->buf, s->end) || open_packed(s, err);
}

static struct stream *stream_new(int fd, const char *name)
{
	struct stream *s = g_new0(struct stream, 1);

	s->path = g_strdup(name);
	s->fd = fd;
	s->window = nr_streams++ < MANY_STREAMS ? WINDOW_BYTES : SMALL_WINDOW_BYTES;
	s->cap = MIN(UNPACK_HEAD_BYTES, s->window); /* all that begin() may read */
	s->buf = s->own = g_malloc(s->window + 1);
	return s;
}

static struct stream *started(struct stream *s, GError **err)
{
	if (!begin(s, err)) {
		stream_close(s);
		return NULL;
	}
	s->cap = s->window;
	return s;
}

struct stream *stream_from_fd(int fd, const char *name, GError **err)
{
	return started(stream_new(fd, name), err);
}

struct stream *stream_from_source(int fd, const char *name, struct stream_source *src)
{
	struct stream *s = stream_new(fd, name);

	s->src = src;
	s->cap = s->window;
	return s;
}

struct stream *stream_open(const char *path, GError **err)
{
	bool standard = strcmp(path, "-") == 0;
	struct stream *s = once_take(path);

	if (s)
		return s;
	int fd = input_open(path);
	if (fd < 0) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
		return NULL;
	}
	s = stream_from_fd(fd, path, err);
	if (s)
		s->once = standard || !stream_seekable(s);
	return s;
}

bool stream_seekable(const struct stream *s)
{
	struct stat st;

	return fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode);
}

void stream_close(struct stream *s)
{
	if (!s)
		return;
	if (s->once && s->offset == 0) {
		once_keep(s);
		return;
	}
	if (s->offset == 0)
		bytes_read -= s->file_bytes;
	unpack_free(s->unpack);
	if (s->src)
		s->src->close(s->src);
	if (s->fd != STDIN_FILENO)
		close(s->fd);
	nr_streams--;
	g_free(s->own);
	g_free(s->path);
	g_free(s);
}

int64_t stream_bytes_read(void)
{
	return bytes_read;
}

const char *stream_path(const struct stream *s)
{
	return s->path;
}

int64_t stream_offset(const struct stream *s)
{
	return s->offset;
}

int64_t stream_line(const struct stream *s)
{
	return s->line;
}

bool stream_packed(const struct stream *s)
{
	return s->unpack;
}

bool stream_cut(const struct stream *s)
{
	return s->cut;
}

bool stream_truncated(const struct stream *s)
{
	return s->truncated;
}

const uint8_t *stream_peek(struct stream *s, size_t want, size_t *got, GError **err)
{
	assert(want <= 2 * (size_t)STREAM_MAX_LINE);
	while (s->end - s->start < want && !s->eof)
		if (!fill(s, err))
			return NULL;
	*got = MIN(want, s->end - s->start);
	return s->buf + s->start;
}

void stream_skip(struct stream *s, size_t n)
{
	assert(n <= s->end - s->start);
	s->start += n;
	s->offset += (int64_t)n;
}

/* Bytes of the next line with its newline; all that is left when there is none. */
static bool find_line(struct stream *s, size_t *len, GError **err)
{
	for (size_t seen = 0;;) {
		size_t have = s->end - s->start;
		const uint8_t *from = s->buf + s->start;
		const uint8_t *nl = memchr(from + seen, '\n', have - seen);
		if (nl || s->eof) {
			*len = nl ? (size_t)(nl - from) + 1 : have;
			if (*len > 0)
				s->cut = !nl;
		}
		if ((nl ? *len - 1 : have) > STREAM_MAX_LINE)
			return fail(s, err, "line %" G_GINT64_FORMAT ": longer than %u bytes",
				    s->line + 1, STREAM_MAX_LINE);
		if (nl || s->eof)
			return true;
		seen = have;
		if (!fill(s, err))
			return false;
	}
}

char *stream_getline(struct stream *s, size_t *len, GError **err)
{
	size_t n = 0;
	if ((s->offset == 0 && !text_mark_skip(s, err)) || !find_line(s, &n, err) || n == 0)
		return NULL;

	char *line = (char *)s->buf + s->start;
	stream_skip(s, n);
	s->line++;
	if (!s->cut)
		n--;
	if (n > 0 && line[n - 1] == '\r')
		n--;
	line[n] = '\0';
	*len = n;
	return line;
}

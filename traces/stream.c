/*
 * traces/stream.c - bytes of a capture, plain or packed.
 *
 * One window [start, end) over the unpacked stream.  A plain file is read straight into the window;
 * libarchive comes in only when the first bytes are the magic of a packer, as a "raw" archive whose
 * decoded blocks are copied into the window.  The packers are named one by one: libarchive's "all
 * filters" include uuencode and external programs, which could rewrite or run what a capture says.
 *
 * A packed file that ends early is a truncated capture: the end of the stream, told by
 * stream_truncated().  libarchive drops the block it was decoding (64 KiB for gzip and xz).  It
 * does not check gzip's CRC.  Bytes behind the packed data are an error, zero padding is not.
 *
 * I1  start <= end <= cap; buf[cap] exists, so that a last line can be terminated in place.
 * I2  offset counts the bytes before start.
 */
#include "traces/stream.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/op.h"
#include "traces/once.h"
#include "traces/packer.h"
#include "traces/text_mark.h"

#define WINDOW_BYTES ((size_t)256 << 10)
#define SMALL_WINDOW_BYTES ((size_t)8 << 10) /* of each beyond MANY_STREAMS open at once */
#define MANY_STREAMS 64u
#define RAW_BYTES ((size_t)64 << 10)

struct stream {
	char *path;
	int fd;
	struct stream_source *src; /* NULL for a file */
	struct archive *a;	   /* NULL for a plain stream */
	uint8_t *raw;		   /* packed bytes on their way to libarchive */
	size_t raw_head;	   /* bytes of raw that the magic test read already */
	size_t raw_len;		   /* bytes of raw that libarchive was given last */
	int64_t raw_bytes;	   /* packed bytes handed to libarchive */
	const uint8_t *block;	   /* decoded, not yet copied; libarchive's */
	size_t block_len;
	uint8_t *buf;
	size_t window, cap, start, end;
	int64_t offset, line;
	int64_t file_bytes; /* read from fd so far */
	bool eof, cut, truncated;
	bool once;	/* cannot be opened again */
	int read_errno; /* why read() failed inside libarchive's callback; 0 = it did not */
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
	s->file_bytes += MAX(got, 0);
	bytes_read += MAX(got, 0);
	return got;
}

static la_ssize_t feed(struct archive *a, void *arg, const void **bytes)
{
	struct stream *s = arg;
	ssize_t n = (ssize_t)s->raw_head;

	s->raw_head = 0;
	if (n == 0)
		n = read_fd(s, s->raw, RAW_BYTES);
	if (n < 0) {
		s->read_errno = errno;
		archive_set_error(a, errno, "%s", g_strerror(errno));
		return -1;
	}
	*bytes = s->raw;
	s->raw_bytes += n;
	if (n > 0)
		s->raw_len = (size_t)n;
	return n;
}

/* The packed data ended well: nothing but padding may follow in the file. */
static bool check_trailer(struct stream *s, GError **err)
{
	int64_t used = archive_filter_bytes(s->a, -1);
	size_t i = s->raw_len - (size_t)MIN((int64_t)s->raw_len, s->raw_bytes - used);
	ssize_t n = (ssize_t)s->raw_len;

	do {
		for (; i < (size_t)n; i++)
			if (s->raw[i])
				return fail(s, err, "garbage after the packed data");
		i = 0;
		n = read_fd(s, s->raw, RAW_BYTES);
	} while (n > 0);
	return n == 0 || fail(s, err, "cannot read: %s", g_strerror(errno));
}

static bool packed_error(struct stream *s, GError **err)
{
	const char *what = archive_error_string(s->a);

	s->eof = true;
	if (!s->read_errno && packer_says_truncated(what)) {
		s->truncated = true;
		return true;
	}
	return fail(s, err, "cannot unpack: %s", what ? what : "unknown error");
}

static bool fill_packed(struct stream *s, GError **err)
{
	if (s->block_len == 0) {
		const void *p = NULL;
		la_int64_t at;
		int r = archive_read_data_block(s->a, &p, &s->block_len, &at);
		if (r == ARCHIVE_EOF) {
			s->block_len = 0;
			s->eof = true;
			return check_trailer(s, err);
		}
		if (r != ARCHIVE_OK) {
			s->block_len = 0;
			return packed_error(s, err);
		}
		s->block = p;
	}
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

/* Get some bytes more into the window; false on an error.  May add none at the end. */
static bool fill(struct stream *s, GError **err)
{
	if (s->start > 0) {
		memmove(s->buf, s->buf + s->start, s->end - s->start);
		s->end -= s->start;
		s->start = 0;
	}
	if (s->end == s->cap) {
		s->cap *= 2;
		s->buf = g_realloc(s->buf, s->cap + 1);
	}
	return s->a ? fill_packed(s, err) : fill_plain(s, err);
}

static bool open_packed(struct stream *s, GError **err)
{
	struct archive_entry *entry;

	s->raw = g_malloc(RAW_BYTES);
	s->raw_head = s->end;
	memcpy(s->raw, s->buf, s->end);
	s->end = 0;
	s->eof = false;
	s->a = archive_read_new();
	archive_read_support_filter_gzip(s->a);
	archive_read_support_filter_bzip2(s->a);
	archive_read_support_filter_xz(s->a);
	archive_read_support_filter_lz4(s->a);
	archive_read_support_filter_zstd(s->a);
	archive_read_support_format_raw(s->a);
	archive_read_support_format_empty(s->a);
	int r = archive_read_open(s->a, s, NULL, feed, NULL);
	if (r == ARCHIVE_OK)
		r = archive_read_next_header(s->a, &entry);
	if (r == ARCHIVE_EOF) {
		s->eof = true;
		return check_trailer(s, err);
	}
	return r == ARCHIVE_OK || packed_error(s, err);
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
	s->cap = MIN(RAW_BYTES, s->window); /* so that what begin() reads fits raw */
	s->buf = g_malloc(s->window + 1);
	return s;
}

struct stream *stream_from_fd(int fd, const char *name, GError **err)
{
	struct stream *s = stream_new(fd, name);

	if (!begin(s, err)) {
		stream_close(s);
		return NULL;
	}
	s->cap = s->window;
	return s;
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
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
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
	if (s->a)
		archive_read_free(s->a);
	if (s->src)
		s->src->close(s->src);
	if (s->fd != STDIN_FILENO)
		close(s->fd);
	nr_streams--;
	g_free(s->raw);
	g_free(s->buf);
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
	return s->a;
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

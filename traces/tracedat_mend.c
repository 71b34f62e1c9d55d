/*
 * traces/tracedat_mend.c - see traces/tracedat_mend.h.
 *
 * A cursor walks over what stands before the data.  Where it finds something that is not as
 * described it gives up, and the file goes to libtracecmd as it is: a file that can be read must
 * never be refused here.
 *
 * Not modelled: several buffers (instances), uncompressed version 7.  They are refused when cut.
 */
#include "traces/tracedat_mend.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/tempfile.h"
#include "traces/tracedat_parts.h"

#define COPY_BYTES ((size_t)1 << 20)

/* The first bytes of both versions; false when they make no sense. */
static bool read_head(struct mend *m)
{
	uint8_t order = 0, long_bytes;

	m->pos = TRACEDAT_HEAD_BYTES;
	mend_take(m, &order, 1);
	mend_take(m, &long_bytes, 1);
	m->swap = (order == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);
	m->page_bytes = mend_take32(m);
	return m->ends || (order <= 1 && m->page_bytes >= 4096 && m->page_bytes <= 1u << 20 &&
			   !(m->page_bytes & (m->page_bytes - 1)));
}

static int copy_of(const struct mend *m)
{
	g_autofree uint8_t *buf = g_malloc(COPY_BYTES);
	int out = tempfile_nameless();
	bool ok = out >= 0;

	for (int64_t at = 0; ok && at < m->bytes;) {
		ssize_t n = pread(m->fd, buf, COPY_BYTES, at);

		ok = n > 0 && tempfile_put(out, buf, (size_t)n);
		at += MAX(n, 0);
	}
	if (ok)
		return out;
	if (out >= 0)
		close(out);
	return -1;
}

enum state { WHOLE, CUT, NOTHING_LEFT, NOT_MENDED };

static enum state look(struct mend *m, unsigned int version)
{
	bool known = read_head(m) && (version == 6 ? v6_look : v7_look)(m);

	if (m->header_ends)
		return NOTHING_LEFT;
	if (!known)
		return WHOLE;
	if (!(version == 6 ? v6_is_cut : v7_is_cut)(m))
		return WHOLE;
	if (version == 7 && !m->buffer)
		return NOTHING_LEFT;
	return m->instances || (version == 7 && !m->compressed) ? NOT_MENDED : CUT;
}

static int mended(struct mend *m, unsigned int version, const char *path, GError **err)
{
	int out = copy_of(m);

	m->ends = false;
	if (out >= 0 && (version == 6 ? v6_fix : v7_fix)(m, out))
		return out;
	if (out >= 0 && errno == 0)
		trace_error_offset(
			err, path, m->bytes,
			"the file ends here, before its first event: cut off or damaged");
	else
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: cannot mend it in a temporary file: %s", path, g_strerror(errno));
	if (out >= 0)
		close(out);
	return -1;
}

int tracedat_mend(int fd, const char *path, struct tracedat_head *head, GError **err)
{
	struct stat st;
	struct mend m = {.fd = fd, .long_bytes = 8};
	int result = fd;

	m.bytes = fstat(fd, &st) == 0 ? st.st_size : 0;
	m.idle = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	switch (look(&m, head->version)) {
	case WHOLE:
		break;
	case CUT:
		result = mended(&m, head->version, path, err);
		head->truncated = true;
		break;
	case NOTHING_LEFT:
		trace_error_offset(
			err, path, m.bytes,
			"the file ends here, before its first event: cut off or damaged");
		result = -1;
		break;
	case NOT_MENDED:
		trace_error_offset(err, path, m.bytes,
				   "the file is cut off here, and with several buffers or "
				   "uncompressed data it cannot be read in part");
		result = -1;
		break;
	}
	if (result != fd)
		close(fd);
	g_array_unref(m.idle);
	g_free(m.clock);
	return result;
}

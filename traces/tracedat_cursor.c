/*
 * traces/tracedat_cursor.c - the cursor of traces/tracedat_parts.h.
 */
#include <string.h>
#include <unistd.h>

#include "traces/tracedat_parts.h"

bool mend_take(struct mend *m, void *to, size_t n)
{
	memset(to, 0, n);
	if (m->ends || m->pos > m->bytes - (int64_t)n) {
		m->ends = true;
		return false;
	}
	bool ok = pread(m->fd, to, n, m->pos) == (ssize_t)n;
	m->ends |= !ok;
	m->pos += (int64_t)n;
	return ok;
}

uint16_t mend_take16(struct mend *m)
{
	uint16_t v;

	mend_take(m, &v, sizeof(v));
	if (m->swap)
		v = GUINT16_SWAP_LE_BE(v);
	return v;
}

uint32_t mend_take32(struct mend *m)
{
	uint32_t v;

	mend_take(m, &v, sizeof(v));
	return m->swap ? GUINT32_SWAP_LE_BE(v) : v;
}

uint64_t mend_take64(struct mend *m)
{
	uint64_t v;

	mend_take(m, &v, sizeof(v));
	return m->swap ? GUINT64_SWAP_LE_BE(v) : v;
}

void mend_skip(struct mend *m, uint64_t n)
{
	if (n > (uint64_t)(m->bytes - MIN(m->pos, m->bytes)))
		m->ends = true;
	else
		m->pos += (int64_t)n;
}

bool mend_expect(struct mend *m, const char *want)
{
	char got[16];
	size_t n = strlen(want) + 1;

	assert(n <= sizeof(got));
	return mend_take(m, got, n) && memcmp(got, want, n) == 0;
}

void mend_skip_string(struct mend *m)
{
	char buf[64];

	while (!m->ends) {
		size_t n = (size_t)CLAMP(m->bytes - m->pos, 1, (int64_t)sizeof(buf));
		const char *end = mend_take(m, buf, n) ? memchr(buf, '\0', n) : NULL;

		if (end) {
			m->pos -= (int64_t)n - (end + 1 - buf);
			return;
		}
	}
}

bool mend_put(const struct mend *m, int out, int64_t at, uint64_t v, size_t n)
{
	uint32_t small = m->swap ? GUINT32_SWAP_LE_BE((uint32_t)v) : (uint32_t)v;
	uint64_t large = m->swap ? GUINT64_SWAP_LE_BE(v) : v;

	return pwrite(out, n == 8 ? (const void *)&large : &small, n, at) == (ssize_t)n;
}

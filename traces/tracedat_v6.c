/*
 * traces/tracedat_v6.c - a cut trace.dat of version 6 (trace-cmd.dat.v6(5)).
 *
 * The header ends in a table of where each CPU's data stand and how many bytes they are.  They are
 * cut down to the pages that are there.  Of the page in which the cut is what the page header
 * promises may be there (a page is rarely full): then it counts, and the copy is filled up with
 * zeros.
 *
 * A table whose data do not follow each other, or are not whole pages, is damaged, not cut.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "traces/tracedat_parts.h"

#define COMMIT_BYTES_MASK ((1u << 27) - 1)
#define COMMIT_LOST_COUNT (1u << 30) /* the number of lost events stands behind the data */

static void skip_formats(struct mend *m)
{
	for (uint32_t n = mend_take32(m); n > 0 && !m->ends; n--)
		mend_skip(m, mend_take64(m));
}

/* ring_buffer's own page header: local_t is a long of the kernel. */
static bool read_page_format(struct mend *m)
{
	char text[1024] = "";

	if (!mend_expect(m, "header_page"))
		return false;
	uint64_t n = mend_take64(m);
	int64_t end = m->pos + (int64_t)MIN(n, INT32_MAX);

	if (!mend_take(m, text, (size_t)MIN(n, sizeof(text) - 1)))
		return false;
	const char *commit = strstr(text, " commit;");

	m->long_bytes = commit && g_str_has_prefix(commit, " commit;\toffset:8;\tsize:4;") ? 4 : 8;
	m->pos = end;
	if (!mend_expect(m, "header_event"))
		return false;
	mend_skip(m, mend_take64(m));
	return true;
}

/* Walk over the header up to the table; false when it is none. */
static bool find_table(struct mend *m)
{
	char kind[10];

	if (!read_page_format(m))
		return false;
	skip_formats(m);
	for (uint32_t n = mend_take32(m); n > 0 && !m->ends; n--) {
		mend_skip_string(m);
		skip_formats(m);
	}
	mend_skip(m, mend_take32(m)); /* kallsyms */
	mend_skip(m, mend_take32(m)); /* printk */
	mend_skip(m, mend_take64(m)); /* cmdlines */
	m->nr_cpus = mend_take32(m);
	mend_take(m, kind, sizeof(kind));
	if (memcmp(kind, "options  ", sizeof(kind)) == 0) {
		for (uint16_t id = mend_take16(m); id != ID_DONE && !m->ends; id = mend_take16(m)) {
			m->instances |= id == ID_BUFFER;
			mend_skip(m, mend_take32(m));
		}
		mend_take(m, kind, sizeof(kind));
	}
	m->table = m->pos;
	mend_skip(m, m->nr_cpus * UINT64_C(16));
	return memcmp(kind, "flyrecord", sizeof(kind)) == 0 && m->nr_cpus <= TRACEDAT_CPUS_MAX;
}

bool v6_look(struct mend *m)
{
	bool known = find_table(m);

	m->header_ends = m->ends;
	return known;
}

/* Is all that the page at @at promises in the file, though not the whole page? */
static bool page_is_there(struct mend *m, int64_t at)
{
	unsigned int head = 8 + m->long_bytes;

	if (m->bytes - at < (int64_t)head)
		return false;
	m->pos = at + 8;
	uint64_t commit = m->long_bytes == 8 ? mend_take64(m) : mend_take32(m);
	uint64_t used = head + (commit & COMMIT_BYTES_MASK);

	used += commit & COMMIT_LOST_COUNT ? m->long_bytes : 0;
	return used <= m->page_bytes && (int64_t)used <= m->bytes - at;
}

/* Bytes, in whole pages, of the CPU's data at @offset that are there of @size. */
static uint64_t left_of(struct mend *m, uint64_t offset, uint64_t size)
{
	if (offset >= (uint64_t)m->bytes)
		return 0;
	uint64_t there = (uint64_t)m->bytes - offset;

	if (size <= there)
		return size;
	uint64_t whole = there / m->page_bytes * m->page_bytes;

	return whole + (page_is_there(m, (int64_t)(offset + whole)) ? m->page_bytes : 0);
}

bool v6_fix(struct mend *m, int out)
{
	int64_t end = m->bytes;
	bool any = false;

	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->pos = m->table + 16 * (int64_t)cpu;
		uint64_t offset = mend_take64(m), size = mend_take64(m),
			 left = left_of(m, offset, size);

		any |= left > 0;
		if (left < size && (!mend_put(m, out, m->table + 16 * (int64_t)cpu + 8, left, 8)))
			return false;
		if (left && left <= (uint64_t)(INT64_MAX - (int64_t)offset))
			end = MAX(end, (int64_t)(offset + left));
	}
	errno = 0;
	return any && ftruncate(out, end) == 0;
}

bool v6_is_cut(struct mend *m)
{
	uint64_t end = 0;
	bool cut = false;

	m->pos = m->table;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		uint64_t offset = mend_take64(m), size = mend_take64(m);

		if (size % m->page_bytes || offset > INT64_MAX || (size && end && offset != end))
			return false; /* no such table was ever written: damage */
		end = size ? offset + size : end;
		cut |= size && (offset > (uint64_t)m->bytes || size > (uint64_t)m->bytes - offset);
	}
	return cut;
}

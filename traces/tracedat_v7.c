/*
 * traces/tracedat_v7.c - a cut trace.dat of version 7 (trace-cmd.dat.v7(5)).
 *
 * The first options stand before the data, the list of the buffers, with each CPU's data, behind
 * them.  A CPU's data begin at a page, with the number of packed chunks: it is cut down to those
 * that are there, and the list is made again at the end of the copy.
 *
 * A CPU without events has no data in the file, and only the lost list told which those are.  The
 * statistics of the CPUs, among the first options, tell it too ("read events: 0").
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sim/tempfile.h"
#include "traces/tracedat_parts.h"

/* An option's text, at most 4 KiB of it; new. */
static char *take_text(struct mend *m, uint32_t n)
{
	char *text = g_malloc0(4096);
	int64_t end = m->pos + n;

	mend_take(m, text, MIN(n, 4095u));
	m->pos = end;
	return text;
}

/* "CPU: 3\n...\nread events: 0\n" */
static void note_idle(struct mend *m, const char *stat)
{
	const char *read_events = strstr(stat, "\nread events: ");

	if (!g_str_has_prefix(stat, "CPU: ") || !read_events)
		return;
	uint32_t cpu = (uint32_t)g_ascii_strtoull(stat + 5, NULL, 10);

	if (g_ascii_strtoull(read_events + strlen("\nread events: "), NULL, 10) == 0)
		g_array_append_val(m->idle, cpu);
}

/* "[local] global counter ..." */
static void note_clock(struct mend *m, const char *clocks)
{
	const char *from = strchr(clocks, '['), *to = from ? strchr(from, ']') : NULL;

	g_free(m->clock);
	m->clock = to ? g_strndup(from + 1, (gsize)(to - from) - 1) : NULL;
}

static void take_option(struct mend *m, uint16_t id, uint32_t n)
{
	int64_t end = m->pos + n;

	if (id == ID_CPUCOUNT) {
		m->nr_cpus = mend_take32(m);
	} else if (id == ID_CPUSTAT || id == ID_TRACECLOCK) {
		g_autofree char *text = take_text(m, n);

		(id == ID_CPUSTAT ? note_idle : note_clock)(m, text);
	}
	m->pos = MIN(end, m->bytes);
	m->ends |= end > m->bytes;
}

/* The first options; false when they are not as expected. */
static bool read_options(struct mend *m)
{
	mend_skip_string(m);
	mend_skip_string(m);
	int64_t sections = m->pos + 8;
	uint64_t at = mend_take64(m);

	if (at > INT64_MAX || (!m->ends && at < (uint64_t)sections))
		return false;
	m->pos = MIN((int64_t)at, m->bytes);
	uint16_t section = mend_take16(m), flags = mend_take16(m);

	if (m->ends || section != 0 || flags != 0)
		return m->ends;
	mend_skip(m, 12);
	for (uint16_t id = mend_take16(m); id != ID_DONE && !m->ends; id = mend_take16(m))
		take_option(m, id, mend_take32(m));
	mend_skip(m, 4);
	m->next_options = m->pos;
	mend_skip(m, 8);
	m->pos = m->ends ? m->pos : sections;
	return m->ends || m->nr_cpus <= TRACEDAT_CPUS_MAX;
}

/* Walk over the sections, which follow each other; false when they do not. */
static bool find_buffer(struct mend *m)
{
	while (m->pos < m->bytes && !m->ends) {
		int64_t at = m->pos;
		uint16_t id = mend_take16(m), flags = mend_take16(m);

		if (id > 64 || flags > 1)
			return m->ends;
		mend_skip(m, 4);
		uint64_t n = mend_take64(m);

		if (id == ID_BUFFER && !m->ends) {
			m->instances |= m->buffer != 0;
			m->buffer = at;
			m->compressed = flags & 1;
		}
		mend_skip(m, n);
	}
	return true;
}

bool v7_look(struct mend *m)
{
	if (!read_options(m))
		return false;
	m->header_ends = m->ends;
	return m->ends || find_buffer(m);
}

/* Bytes of the CPU's data at @at that are there, in whole chunks, whose number in the copy @out is
 * put right. */
static uint64_t left_of(struct mend *m, int out, int64_t at)
{
	m->pos = at;
	m->ends = at > m->bytes;
	uint32_t count = mend_take32(m), there = 0;
	int64_t end = at;

	for (; there < count; there++) {
		uint32_t packed_bytes = mend_take32(m);

		mend_skip(m, 4 + (uint64_t)packed_bytes);
		if (m->ends)
			break;
		end = m->pos;
	}
	if (there && there < count && !mend_put(m, out, at, there, 4))
		return 0;
	return (uint64_t)(end - at);
}

static void append(GByteArray *to, const struct mend *m, uint64_t v, guint n)
{
	for (guint i = 0; i < n; i++) {
		bool little = (G_BYTE_ORDER == G_LITTLE_ENDIAN) != m->swap;
		uint8_t byte = (uint8_t)(v >> 8 * (little ? i : n - 1 - i));

		g_byte_array_append(to, &byte, 1);
	}
}

static bool is_idle(const struct mend *m, uint32_t cpu)
{
	for (guint i = 0; i < m->idle->len; i++)
		if (g_array_index(m->idle, uint32_t, i) == cpu)
			return true;
	return false;
}

/* Append id, position and size of each CPU's data; returns their number, *@end where they end. */
static uint32_t list_cpus(struct mend *m, int out, GByteArray *to, int64_t *end)
{
	uint32_t nr = 0;
	int64_t page = m->page_bytes;

	*end = m->buffer + 16;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (is_idle(m, cpu))
			continue;
		int64_t at = (*end + page - 1) / page * page;
		uint64_t left = left_of(m, out, at);

		if (!left)
			continue;
		append(to, m, cpu, 4);
		append(to, m, (uint64_t)at, 8);
		append(to, m, left, 8);
		*end = at + (int64_t)left;
		nr++;
	}
	return nr;
}

/* The lost options: the list of buffers, and that there are no more. */
static GByteArray *make_options(const struct mend *m, const GByteArray *cpus, uint32_t nr)
{
	const char *clock = m->clock ? m->clock : "local";
	guint option = 8 + 1 + (guint)strlen(clock) + 1 + 4 + 4 + cpus->len;
	GByteArray *to = g_byte_array_new();

	append(to, m, 0, 8); /* section 0, not compressed, no description */
	append(to, m, 6 + option + 6 + 8, 8);
	append(to, m, ID_BUFFER, 2);
	append(to, m, option, 4);
	append(to, m, (uint64_t)m->buffer, 8);
	append(to, m, 0, 1); /* the name of the main buffer */
	g_byte_array_append(to, (const guint8 *)clock, (guint)strlen(clock) + 1);
	append(to, m, m->page_bytes, 4);
	append(to, m, nr, 4);
	g_byte_array_append(to, cpus->data, cpus->len);
	append(to, m, ID_DONE, 2);
	append(to, m, 8, 4);
	append(to, m, 0, 8);
	return to;
}

bool v7_fix(struct mend *m, int out)
{
	g_autoptr(GByteArray) cpus = g_byte_array_new();
	int64_t end;
	uint32_t nr = list_cpus(m, out, cpus, &end);
	g_autoptr(GByteArray) options = make_options(m, cpus, nr);

	errno = 0;
	return nr && ftruncate(out, end) == 0 && lseek(out, end, SEEK_SET) == end &&
	       tempfile_put(out, options->data, options->len) &&
	       mend_put(m, out, m->next_options, (uint64_t)end, 8);
}

bool v7_is_cut(struct mend *m)
{
	bool cut = m->ends;

	m->ends = false;
	m->pos = m->next_options;
	return cut || mend_take64(m) >= (uint64_t)m->bytes;
}

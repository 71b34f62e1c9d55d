/*
 * tests/test_ftrace_shape.c - traces/ftrace_shape.h and ftrace_left.h: what is known from earlier
 * lines changes nothing.  The oracle is the same line read with nothing known.
 */
#include "traces/ftrace_shape.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support.h"
#include "traces/ftrace.h"
#include "traces/ftrace_line.h"
#include "traces/stream.h"

struct reader {
	struct ftrace_names *names;
	struct ftrace_shapes *shapes;
	struct ftrace_left left;
};

static void expect_same_line(const struct ftrace_line *a, const struct ftrace_line *b,
			     const char *text)
{
	cr_assert_eq(a->kind, b->kind, "%s", text);
	if (a->kind > FTRACE_LINE_EXIT)
		return;
	cr_assert_eq(a->comm, b->comm, "%s", text);
	cr_assert_eq(a->comm_len, b->comm_len, "%s", text);
	cr_assert_eq(a->pid, b->pid, "%s", text);
	cr_assert_eq(a->tgid, b->tgid, "%s", text);
	cr_assert_eq(a->cpu, b->cpu, "%s", text);
	cr_assert_eq(a->time_ns, b->time_ns, "%s", text);
	cr_assert_eq(a->name, b->name, "%s", text);
	cr_assert_eq(a->body, b->body, "%s", text);
}

/* Read @text with what @r knows and with nothing. */
static void expect_same(struct reader *r, const char *text)
{
	struct ftrace_event a = {0}, b = {0};
	struct ftrace_line l, alone;

	ftrace_line_split(&r->left, text, strlen(text), &l);
	ftrace_line_split(NULL, text, strlen(text), &alone);
	expect_same_line(&l, &alone, text);
	if (l.kind != FTRACE_LINE_EVENT)
		return;
	a.id = b.id = ftrace_names_get(r->names, l.name, l.name_len, FTRACE_NAME_EVENT)->id;
	if (a.id == FT_OTHER)
		return;
	struct ftrace_shapes *none = ftrace_shapes_new();
	bool read = ftrace_event_parse(r->shapes, &a, l.body, l.body_len);

	cr_assert_eq(read, ftrace_event_parse(none, &b, l.body, l.body_len), "%s", text);
	ftrace_shapes_free(none);
	cr_assert(!read || a.has == b.has, "%s", text);
	for (unsigned int f = 0; read && f < F_NR; f++)
		cr_assert(!(a.has >> f & 1) || a.v[f] == b.v[f], "%s: field %u", text, f);
}

static struct reader reader_new(struct trace *t)
{
	trace_init(t, &trace_ftrace, NULL, "none");
	return (struct reader){.names = ftrace_names_new(&t->info), .shapes = ftrace_shapes_new()};
}

static void reader_free(struct reader *r, struct trace *t)
{
	ftrace_shapes_free(r->shapes);
	ftrace_names_free(r->names);
	trace_fini(t);
}

#define STAMP "              wl-150     [000] .....    19.954531: "

Test(ftrace_shape, texts_that_nearly_fit)
{
	/* the first of each group is learnt; each other breaks one thing it rests on */
	static const char *const lines[] = {
		STAMP "f2fs_write_begin: dev = (259,0), ino = 4, pos = 62160896, len = 4096",
		STAMP "f2fs_write_begin: dev = (8,16), ino = 44, pos = 0, len = 1",
		STAMP "f2fs_write_begin: dev = (259,0), ino = -1, pos = 0x10, len = 4096",
		STAMP
		"f2fs_write_begin: dev = (259,0), ino = 18446744073709551616, pos = 1, len = 1",
		STAMP "f2fs_write_begin: dev = (259,0), ino = 4, pos = 1, len = ",
		STAMP "f2fs_write_begin: dev = (259,0), ino = 4, pos = 1, len = 7 len = 8",
		STAMP "f2fs_write_begin: dev = 259,0), ino = 4, pos = 1, len = 4096",
		STAMP "f2fs_write_begin: dev = (5000,0), ino = 4, pos = 1, len = 4096",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino 4 pfn=0x15269 ofs=8192 order=0",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino fe pfn=0x15269 ofs=8192 order=4",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino 4 pfn=0x15269 ofs=8192 order=21",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino 4 pfn=ofs ofs=8192 order=0",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino 4g pfn=0x1 ofs=8192 order=0",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino-4 pfn=0x1 ofs=8192 order=0",
		STAMP "mm_filemap_add_to_page_cache: dev 259:0 ino44 pfn=0x1 ofs=8192 order=0",
		STAMP "f2fs_dataread_start: entry_name /a, offset 5, bytes 6, cmdline wl, pid 169, "
		      "i_size 7, ino 4",
		STAMP "f2fs_dataread_start: entry_name /b ino 9, offset 5, bytes 6, cmdline wl, "
		      "pid 169, i_size 7, ino 4",
		"              wl-150     [000] d..1.  20.000001: writeback_dirty_folio: bdi "
		"259:0: "
		"ino=4 index=15176",
		"              wl-150     [000] 1d..1.  20.1: writeback_dirty_folio: bdi 259:0: "
		"ino=4 index=15177",
		"              wl-150     [000] 20.000001: writeback_dirty_folio: bdi 259:0: ino=4 "
		"index=99999999999999999999",
		"              wl-150     [000] dNh1.toolong 20.1: writeback_dirty_folio: bdi 1:0: "
		"ino=4 index=1",
		"              wl-150     [000] ..... 99999999999.1: writeback_dirty_folio: bdi "
		"1:0: "
		"ino=4 index=1",
		"              wl-150     [000] ..... 1.0000000019: writeback_dirty_folio: bdi "
		"1:0: "
		"ino=4 index=1",
		"              wl-150     [000] ..... 20: writeback_dirty_folio: bdi 1:0: ino=4 "
		"index=1",
		"              wl-150     [000] wl-9 [001] .... 20.5: writeback_dirty_folio: bdi "
		"1:0: "
		"ino=4 index=1",
	};
	struct trace t = {0};
	struct reader r = reader_new(&t);

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		expect_same(&r, lines[i]);
	reader_free(&r, &t);
}

/* Lines of a capture, each as it is and once more with one byte changed. */
static void expect_same_capture(const char *name)
{
	static const char bytes[] = " 0123456789abcdefx:=-+()[],.ino";
	GError *err = NULL;
	struct trace t = {0};
	struct stream *s = stream_open(test_capture(name), &err);
	struct reader r = reader_new(&t);
	uint32_t random = 1;
	size_t len;
	char *line;

	cr_assert_not_null(s);
	while (stream_line(s) < 40000 && (line = stream_getline(s, &len, &err))) {
		expect_same(&r, line);
		if (!len)
			continue;
		random = random * 1664525u + 1013904223u;
		line[(random >> 8) % len] = bytes[(random >> 3) % (sizeof(bytes) - 1)];
		expect_same(&r, line);
	}
	cr_assert_null(err);
	cr_assert_gt(stream_line(s), 10000);
	reader_free(&r, &t);
	stream_close(s);
}

Test(ftrace_shape, captures)
{
	expect_same_capture("ftrace/seqread.trace.txt.xz");
	expect_same_capture("ftrace/createstat.trace.txt.xz");
	expect_same_capture("ftrace/seqwrite_lost.trace.txt.xz");
}

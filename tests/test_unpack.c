/*
 * tests/test_unpack.c - traces/unpack.h: with a thread and without, the same bytes and the same
 * end; and streams longer than what is decoded ahead.
 */
#include "traces/unpack.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/op.h"
#include "tests/support.h"
#include "traces/stream.h"

#define NR_LINES 1200000

/* "0\n1\n...": 8,488,890 bytes, of which at most 4 MiB are decoded ahead. */
static const char *numbers(void)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < NR_LINES; i++)
		g_string_append_printf(text, "%d\n", i);
	cr_assert_eq(text->len,
		     8488890); /* 10*2 + 90*3 + 900*4 + 9000*5 + 90000*6 + 900000*7 + 200000*8 */
	const char *path = test_file("numbers", text->str, text->len);

	g_string_free(text, TRUE);
	return path;
}

static struct unpack *opened(const char *path, int *fd)
{
	static uint8_t head[UNPACK_HEAD_BYTES];

	*fd = open(path, O_RDONLY);
	cr_assert_geq(*fd, 0);
	ssize_t n = read(*fd, head, 1000);
	cr_assert_gt(n, 0);
	return unpack_new(*fd, head, (size_t)n);
}

/* All bytes of @path; *@end and *@what: how it ended (new). */
static GByteArray *all_bytes(const char *path, bool thread, enum unpack_end *end, char **what)
{
	GByteArray *bytes = g_byte_array_new();
	const char *why;
	uint8_t *p;
	size_t n;
	int fd;
	struct unpack *u = opened(path, &fd);

	if (thread)
		unpack_start(u);
	while ((n = unpack_next(u, &p)) > 0)
		g_byte_array_append(bytes, p, (guint)n);
	*end = unpack_how(u, &why);
	*what = g_strdup(why);
	if (*end == UNPACK_END) /* the head was read by opened() */
		cr_assert_eq(unpack_file_bytes(u), lseek(fd, 0, SEEK_END) - 1000);
	unpack_free(u);
	close(fd);
	return bytes;
}

static void expect_same(const char *path, enum unpack_end expected)
{
	enum unpack_end ends[2];
	g_autofree char *alone = NULL, *threaded = NULL;
	GByteArray *a = all_bytes(path, false, &ends[0], &alone);
	GByteArray *b = all_bytes(path, true, &ends[1], &threaded);

	cr_assert_eq(ends[0], expected, "%s", path);
	cr_assert_eq(ends[1], expected, "%s", path);
	cr_assert_eq(a->len, b->len, "%s: %u and %u bytes", path, a->len, b->len);
	cr_assert(!a->len || memcmp(a->data, b->data, a->len) == 0, "%s", path);
	cr_assert_eq(g_strcmp0(alone, threaded), 0);
	cr_assert_eq(alone != NULL, expected == UNPACK_FAILED);
	g_byte_array_unref(a);
	g_byte_array_unref(b);
}

Test(unpack, a_thread_changes_nothing)
{
	static const char *const packers[] = {"gzip", "xz -1", "lz4 -q", "zstd -q", "bzip2"};
	const char *from = numbers();

	for (size_t i = 0; i < G_N_ELEMENTS(packers); i++) {
		g_autofree char *whole = g_strdup_printf("%s -c \"$1\" > \"$2\"", packers[i]);
		g_autofree char *half =
			g_strdup_printf("%s -c \"$1\" | head -c 80000 > \"$2\"", packers[i]);
		g_autofree char *more = g_strdup_printf("(%s -c \"$1\"; echo much garbage) > "
							"\"$2\"",
							packers[i]);

		expect_same(test_made(from, "whole", whole), UNPACK_END);
		expect_same(test_made(from, "more", more), UNPACK_FAILED);
		if (i != 4) /* bzip2: the last block decides */
			expect_same(test_made(from, "half", half), UNPACK_TRUNCATED);
	}
}

Test(unpack, damage_comes_behind_what_was_good)
{
	const char *path = test_made(numbers(), "n.xz",
				     "xz -1 -c \"$1\" > \"$2\"; printf '\\252\\125\\252\\125' | dd "
				     "of=\"$2\" bs=1 seek=60000 conv=notrunc 2>/dev/null");

	expect_same(path, UNPACK_FAILED);
}

static void expect_numbers(const char *path)
{
	GError *err = NULL;
	size_t len;
	int n = 0;
	struct stream *s = stream_open(path, &err);

	cr_assert_not_null(s);
	for (const char *line; (line = stream_getline(s, &len, &err)); n++)
		if (atoi(line) != n || strlen(line) != len)
			break;
	cr_assert_null(err, "%s", path);
	cr_assert_eq(n, NR_LINES, "%s: line %d", path, n);
	stream_close(s);
}

/* Blocks of 4 MiB (lz4), 900,000 bytes (bzip2), 128 KiB (zstd) and 64 KiB. */
Test(unpack, lines_go_on_over_blocks)
{
	const char *from = numbers();

	expect_numbers(test_made(from, "n.lz4", "lz4 -qc -B7 \"$1\" > \"$2\""));
	expect_numbers(test_made(from, "n.bz2", "bzip2 -c \"$1\" > \"$2\""));
	expect_numbers(test_made(from, "n.zst", "zstd -qc \"$1\" > \"$2\""));
	expect_numbers(test_made(from, "n.gz", "gzip -c \"$1\" > \"$2\""));
}

/* Lines and peeks of a MiB and more, longer than a block and than the room in front of one. */
Test(unpack, long_lines_and_peeks)
{
	GError *err = NULL;
	size_t len, got;
	g_autofree char *xs = g_strnfill(STREAM_MAX_LINE, 'x');
	g_autofree char *ys = g_strnfill(5000, 'y');
	g_autofree char *five = g_strdup_printf("%s\n%s\n%s\n%s\n%s\n", xs, ys, xs, ys, xs);
	const char *from = test_text("long", five);
	struct stream *s = stream_open(test_made(from, "l.gz", "gzip -c \"$1\" > \"$2\""), &err);

	cr_assert_not_null(s);
	for (int i = 0; i < 3; i++) {
		const char *line = stream_getline(s, &len, &err);

		cr_assert_eq(strcmp(line, i == 1 ? ys : xs), 0);
	}
	size_t left = 5000 + 1 + STREAM_MAX_LINE + 1;
	const uint8_t *p = stream_peek(s, 2 * (size_t)STREAM_MAX_LINE, &got, &err);

	cr_assert_eq(got, left);
	cr_assert_eq(memcmp(p, five + strlen(five) - left, left), 0);
	cr_assert_eq(strcmp(stream_getline(s, &len, &err), ys), 0);
	cr_assert_eq(strcmp(stream_getline(s, &len, &err), xs), 0);
	cr_assert_null(stream_getline(s, &len, &err));
	cr_assert_null(err);
	stream_close(s);
}

/* Closed while the thread waits for room, and while it waits for a silent writer. */
Test(unpack, closing_early_does_not_wait, .timeout = 20)
{
	GError *err = NULL;
	size_t len;
	int fds[2], fd;
	char *packed;
	gsize bytes;
	struct unpack *u = opened(test_made(numbers(), "n.zst", "zstd -qc \"$1\" > \"$2\""), &fd);

	unpack_start(u);
	unpack_free(u);
	close(fd);

	const char *path = test_made(numbers(), "n.gz", "gzip -c \"$1\" | head -c 250000 > \"$2\"");
	cr_assert(g_file_get_contents(path, &packed, &bytes, NULL));
	cr_assert_eq(pipe(fds), 0);
	cr_assert_geq(fcntl(fds[1], F_SETPIPE_SZ, 1 << 20), (int)bytes);
	cr_assert_eq(write(fds[1], packed, bytes), (ssize_t)bytes);
	struct stream *s = stream_from_fd(fds[0], "pipe", &err);

	while (stream_offset(s) < 500000) /* the thread runs from 262,144 on */
		cr_assert_not_null(stream_getline(s, &len, &err));
	stream_close(s);
	close(fds[1]);
	g_free(packed);
}

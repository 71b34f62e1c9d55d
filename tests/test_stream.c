/*
 * tests/test_stream.c - traces/stream.h: plain and packed bytes, lines, the ends.
 */
#include "traces/stream.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/op.h"
#include "tests/support.h"

#define NR_LINES 50000

/* "0\n1\n2\n...": 288,890 bytes = 10*2 + 90*3 + 900*4 + 9000*5 + 40000*6. */
static const char *numbers(void)
{
	GString *text = g_string_new(NULL);
	for (int i = 0; i < NR_LINES; i++)
		g_string_append_printf(text, "%d\n", i);
	cr_assert_eq(text->len, 288890);
	const char *path = test_file("numbers", text->str, text->len);
	g_string_free(text, TRUE);
	return path;
}

/* The file that @command makes of the numbers. */
static const char *made(const char *name, const char *command)
{
	return test_made(numbers(), name, command);
}

static int read_numbers(struct stream *s, GError **err)
{
	size_t len;
	int n = 0;

	for (const char *line = stream_getline(s, &len, err); line;
	     line = stream_getline(s, &len, err)) {
		if (len == 0 || atoi(line) != n || strlen(line) != len)
			break;
		n++;
		cr_assert_eq(stream_line(s), n);
	}
	return n;
}

static void expect_numbers(const char *path)
{
	GError *err = NULL;
	struct stream *s = stream_open(path, &err);

	cr_assert(s, "%s", err ? err->message : "");
	cr_assert_eq(read_numbers(s, &err), NR_LINES, "%s", path);
	cr_assert_null(err);
	cr_assert_eq(stream_offset(s), 288890);
	cr_assert_not(stream_truncated(s));
	cr_assert_not(stream_cut(s));
	stream_close(s);
}

Test(stream, plain)
{
	expect_numbers(numbers());
}

Test(stream, packed)
{
	expect_numbers(made("n.gz", "gzip -c \"$1\" > \"$2\""));
	expect_numbers(made("n.xz", "xz -c \"$1\" > \"$2\""));
	expect_numbers(made("n.lz4", "lz4 -qc \"$1\" > \"$2\""));
	expect_numbers(made("n.zst", "zstd -qc \"$1\" > \"$2\""));
	expect_numbers(made("n.bz2", "bzip2 -c \"$1\" > \"$2\""));
}

Test(stream, packed_in_two_members)
{
	expect_numbers(made("n.gz", "head -c 100000 \"$1\" | gzip -c > \"$2\"; "
				    "tail -c +100001 \"$1\" | gzip -c >> \"$2\""));
}

static void expect_truncated(const char *path)
{
	GError *err = NULL;
	struct stream *s = stream_open(path, &err);

	cr_assert(s, "%s", err ? err->message : "");
	int n = read_numbers(s, &err);
	cr_assert_null(err, "%s", path);
	cr_assert_lt(n, NR_LINES);
	cr_assert(stream_truncated(s), "%s", path);
	stream_close(s);
}

Test(stream, truncated_is_an_end_and_told)
{
	expect_truncated(made("n.xz", "xz -c \"$1\" | head -c 2000 > \"$2\""));
	expect_truncated(made("n.gz", "gzip -c \"$1\" | head -c 60000 > \"$2\""));
	expect_truncated(made("n.zst", "zstd -qc \"$1\" | head -c 10000 > \"$2\""));
	expect_truncated(made("n.lz4", "lz4 -qc \"$1\" | head -c 60000 > \"$2\""));
	expect_truncated(made("m.xz", "xz -c \"$1\" | head -c 10 > \"$2\""));
}

static void expect_error(const char *path, const char *what)
{
	GError *err = NULL;
	size_t len;
	struct stream *s = stream_open(path, &err);

	while (s && stream_getline(s, &len, &err))
		;
	cr_assert_not_null(err, "%s", path);
	cr_assert_eq(err->domain, F2SIM_ERROR);
	cr_assert(strstr(err->message, what), "%s", err->message);
	cr_assert(strstr(err->message, path), "%s", err->message);
	g_error_free(err);
	stream_close(s);
}

Test(stream, garbage_after_is_an_error)
{
	expect_error(made("n.gz", "(gzip -c \"$1\"; echo garbage) > \"$2\""), "garbage");
	expect_error(made("n.lz4", "(lz4 -qc \"$1\"; echo garbage) > \"$2\""), "garbage");
	expect_error(made("n.xz", "(xz -c \"$1\"; echo much garbage) > \"$2\""), "cannot unpack");
	expect_error(made("n.zst", "(zstd -qc \"$1\"; echo garbage) > \"$2\""), "cannot unpack");
}

Test(stream, zero_padding_after_is_none)
{
	expect_numbers(made("n.gz", "(gzip -c \"$1\"; head -c 100000 /dev/zero) > \"$2\""));
}

Test(stream, damage_is_an_error)
{
	/* the middle of LZMA2 data: the decoder or the CRC64 notices */
	expect_error(made("n.xz", "xz -c \"$1\" > \"$2\"; printf '\\252\\125\\252\\125' | "
				  "dd of=\"$2\" bs=1 seek=2000 conv=notrunc 2>/dev/null"),
		     "cannot unpack");
}

Test(stream, missing_file_and_folder)
{
	expect_error("/nonexistent/x", "No such file");
	expect_error("/", "directory");
}

Test(stream, empty)
{
	GError *err = NULL;
	size_t len;
	const char *const paths[] = {test_text("e", ""), made("e.gz", ": | gzip -c > \"$2\"")};

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		struct stream *s = stream_open(paths[i], &err);
		cr_assert_not_null(s);
		cr_assert_null(stream_getline(s, &len, &err));
		cr_assert_null(err);
		cr_assert_eq(stream_offset(s), 0);
		cr_assert_not(stream_cut(s));
		stream_close(s);
	}
}

static struct stream *opened(const char *name, const char *text)
{
	GError *err = NULL;
	struct stream *s = stream_open(test_text(name, text), &err);

	cr_assert_not_null(s);
	return s;
}

Test(stream, line_ends)
{
	GError *err = NULL;
	size_t len;
	struct stream *s = opened("ends", "dos\r\n\r\nunix\n\rx\nlast");

	cr_assert_str_eq(stream_getline(s, &len, &err), "dos");
	cr_assert_eq(len, 3);
	cr_assert_str_eq(stream_getline(s, &len, &err), "");
	cr_assert_str_eq(stream_getline(s, &len, &err), "unix");
	cr_assert_str_eq(stream_getline(s, &len, &err), "\rx");
	cr_assert_not(stream_cut(s));
	cr_assert_str_eq(stream_getline(s, &len, &err), "last");
	cr_assert(stream_cut(s));
	cr_assert_null(stream_getline(s, &len, &err));
	cr_assert_null(err);
	cr_assert_eq(stream_line(s), 5);
	cr_assert_eq(stream_offset(s), 19);
	stream_close(s);
}

Test(stream, longest_line)
{
	GError *err = NULL;
	size_t len;
	g_autofree char *text = g_strnfill(STREAM_MAX_LINE, 'x');
	g_autofree char *good = g_strconcat(text, "\n", NULL);
	struct stream *s = opened("long", good);

	cr_assert_not_null(stream_getline(s, &len, &err));
	cr_assert_eq(len, STREAM_MAX_LINE);
	stream_close(s);

	g_autofree char *bad = g_strconcat("first\nx", good, NULL);
	s = opened("longer", bad);
	cr_assert_not_null(stream_getline(s, &len, &err));
	cr_assert_null(stream_getline(s, &len, &err));
	cr_assert(strstr(err->message, "line 2: longer than 1048576"), "%s", err->message);
	g_error_free(err);
	stream_close(s);
}

Test(stream, peek_and_skip)
{
	GError *err = NULL;
	size_t got, len;
	struct stream *s = stream_open(numbers(), &err);

	cr_assert_eq(memcmp(stream_peek(s, 4, &got, &err), "0\n1\n", 4), 0);
	cr_assert_eq(got, 4);
	stream_skip(s, 2);
	cr_assert_eq(stream_offset(s), 2);
	cr_assert_str_eq(stream_getline(s, &len, &err), "1");
	cr_assert_not_null(stream_peek(s, 1 << 20, &got, &err));
	cr_assert_eq(got, 288890 - 4);
	stream_skip(s, got);
	cr_assert_not_null(stream_peek(s, 1, &got, &err));
	cr_assert_eq(got, 0);
	stream_close(s);
}

Test(stream, standard_input_can_be_probed)
{
	GError *err = NULL;
	size_t got;
	int fd = open(made("n.xz", "xz -c \"$1\" > \"$2\""), O_RDONLY);

	cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	struct stream *s = stream_open("-", &err);
	cr_assert_eq(memcmp(stream_peek(s, 4, &got, &err), "0\n1\n", 4), 0);
	stream_close(s);
	expect_numbers("-");
}

static bool told_end(struct stream_source *src, bool timed_out, GError **err)
{
	(void)src;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s", timed_out ? "silent" : "dead");
	return false;
}

static void told_close(struct stream_source *src)
{
	src->timeout_ms = 77;
}

static void expect_source_error(bool writer_stays, const char *what)
{
	GError *err = NULL;
	size_t len;
	int fds[2];
	struct stream_source src = {20, told_end, told_close};

	cr_assert_eq(pipe(fds), 0);
	cr_assert_eq(write(fds[1], "one\ntwo", 7), 7);
	struct stream *s = stream_from_source(fds[0], "pipe", &src);
	if (!writer_stays)
		close(fds[1]);
	cr_assert_str_eq(stream_getline(s, &len, &err), "one");
	cr_assert_null(stream_getline(s, &len, &err));
	cr_assert_str_eq(err->message, what);
	g_error_free(err);
	stream_close(s);
	cr_assert_eq(src.timeout_ms, 77);
}

Test(stream, a_source_judges_the_end)
{
	expect_source_error(true, "silent");
	expect_source_error(false, "dead");
}

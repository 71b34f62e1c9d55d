/*
 * tests/mutate.c - cut and damage captures; see tests/mutate.h.
 *
 * Text is cut at line ends, binary blktrace at record ends, trace.dat version 6 at sub-buffers with
 * its table of per-CPU offsets rewritten.  trace.dat version 7 is packed inside and kept whole.
 */
#include "tests/mutate.h"

#include <string.h>

#include "sim/rng.h"
#include "traces/stream.h"

#define KEEP_BYTES ((size_t)128 * 1024) /* of either end */
#define DAT_MAGIC "\x17\x08\x44tracing"

const char *const fuzz_captures[] = {
	"blktrace/createstat.blktrace.0",
	"blktrace/createstat.blktrace.1",
	"blktrace/seqread.blktrace.0",
	"blktrace/seqread.blktrace.1",
	"blktrace/seqwrite.blktrace.0",
	"blktrace/createstat.blkparse.txt.xz",
	"blktrace/seqread.blkparse.txt.xz",
	"blktrace/seqwrite.blkparse.txt.xz",
	"ftrace/createstat.trace.txt.xz",
	"ftrace/randread.trace.txt.xz",
	"ftrace/seqread.trace.txt.xz",
	"ftrace/seqwrite.trace.txt.xz",
	"ftrace/seqwrite_lost.trace.txt.xz",
	"pressure_ftrace/kswapd.trace.txt.xz",
	"pressure_ftrace/memcg16m.trace.txt.xz",
	"pressure_ftrace/pipe_lost.trace_pipe.txt.xz",
	"dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz",
	"dontcache/trace_ext4_read_normal_64k.trace.txt.xz",
	"dontcache/trace_ext4_write_dontcache_4k_nofsync.trace.txt.xz",
	"dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz",
	"dontcache/trace_ext4_write_normal_64k.trace.txt.xz",
	"ftrace/seqread.dat",
	"ftrace/seqwrite_lost.dat",
	"ftrace/createstat.v6.dat.xz",
	"ftrace/randread.v6.dat.xz",
	"ftrace/seqread.v6.dat.xz",
	"ftrace/seqwrite.v6.dat.xz",
	"ftrace/seqwrite_lost.v6.dat.xz",
	"pressure_ftrace/kswapd.v6.dat.xz",
	"pressure_ftrace/memcg16m.v6.dat.xz",
	NULL,
};

char *fuzz_find(const char *name)
{
	static const char *const roots[] = {"traces/captures", "../shared/captures"};

	for (size_t i = 0; i < G_N_ELEMENTS(roots); i++) {
		g_autofree char *path = g_build_filename(roots[i], name, NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&path);
	}
	return NULL;
}

static GByteArray *unpack(const char *path, GError **err)
{
	struct stream *s = stream_open(path, err);
	GByteArray *bytes = g_byte_array_new();
	const uint8_t *chunk;
	size_t got;

	while (s && (chunk = stream_peek(s, KEEP_BYTES, &got, err)) && got > 0) {
		g_byte_array_append(bytes, chunk, (guint)got);
		stream_skip(s, got);
	}
	bool ok = s && chunk;

	stream_close(s);
	if (ok)
		return bytes;
	g_byte_array_unref(bytes);
	return NULL;
}

/* Take out what lies between @head and @tail. */
static void cut_middle(GByteArray *bytes, size_t head, size_t tail)
{
	if (head < tail && tail <= bytes->len)
		g_byte_array_remove_range(bytes, (guint)head, (guint)(tail - head));
}

static void cut_text(GByteArray *bytes)
{
	const uint8_t *head = memchr(bytes->data + KEEP_BYTES, '\n', bytes->len - KEEP_BYTES);
	const uint8_t *tail = memchr(bytes->data + bytes->len - KEEP_BYTES, '\n', KEEP_BYTES);

	if (head && tail)
		cut_middle(bytes, (size_t)(head - bytes->data) + 1,
			   (size_t)(tail - bytes->data) + 1);
}

/* struct blk_io_trace: 48 bytes, the last two of which say how many follow. */
static void cut_blktrace(GByteArray *bytes)
{
	size_t head = 0, at = 0;

	while (at + 48 <= bytes->len && at + KEEP_BYTES < bytes->len) {
		at += 48u + bytes->data[at + 46] + 256u * bytes->data[at + 47];
		if (at <= KEEP_BYTES)
			head = at;
	}
	cut_middle(bytes, head, at);
}

/* "options  " follows the u32 number of CPUs, "flyrecord" precedes their u64 offsets and sizes. */
static void cut_tracedat(GByteArray *bytes)
{
	const uint8_t *options = memmem(bytes->data, bytes->len, "options  ", 10);
	uint8_t *table = memmem(bytes->data, bytes->len, "flyrecord", 10);
	uint32_t nr_cpus;
	uint64_t entry[2], offset = 0;

	if (!options || !table)
		return;
	memcpy(&nr_cpus, options - sizeof(nr_cpus), sizeof(nr_cpus));
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		uint8_t *at = table + 10 + cpu * sizeof(entry);

		memcpy(entry, at, sizeof(entry));
		entry[0] = cpu > 0 ? offset : entry[0];
		if (entry[1] > KEEP_BYTES) {
			cut_middle(bytes, entry[0] + KEEP_BYTES / 2,
				   entry[0] + entry[1] - KEEP_BYTES / 2);
			entry[1] = KEEP_BYTES;
		}
		offset = entry[0] + entry[1];
		memcpy(at, entry, sizeof(entry));
	}
}

GByteArray *fuzz_base(const char *path, GError **err)
{
	GByteArray *bytes = unpack(path, err), *base;

	if (!bytes || bytes->len <= 2 * KEEP_BYTES)
		return bytes;
	if (!memcmp(bytes->data, DAT_MAGIC, strlen(DAT_MAGIC)))
		cut_tracedat(bytes);
	else if (memchr(bytes->data, 0, 64))
		cut_blktrace(bytes);
	else
		cut_text(bytes);
	/* Give the memory of the whole capture back: a child's peak begins with what it forked
	 * from. */
	base = g_byte_array_sized_new(bytes->len);
	g_byte_array_append(base, bytes->data, bytes->len);
	g_byte_array_unref(bytes);
	return base;
}

/* A place to damage: beginning, end and anywhere are equally likely. */
static size_t place(struct rng *r, size_t len)
{
	size_t window = 4096;

	switch (rng_below(r, 3)) {
	case 0:
		return rng_below(r, MIN(window, len));
	case 1:
		return len - 1 - rng_below(r, MIN(2 * KEEP_BYTES, len));
	default:
		return rng_below(r, len);
	}
}

static void flip_bytes(struct rng *r, GByteArray *b)
{
	for (uint64_t n = 1 + rng_below(r, 16); n > 0; n--)
		b->data[place(r, b->len)] ^= (uint8_t)(1 + rng_below(r, 255));
}

static void truncate_tail(struct rng *r, GByteArray *b)
{
	g_byte_array_set_size(b, (guint)place(r, b->len) + 1);
}

static void fill_run(struct rng *r, GByteArray *b)
{
	static const uint8_t fills[] = {0x00, 0xff, ' ', '9', '\n'};
	size_t at = place(r, b->len), n = 1 + rng_below(r, 512);

	memset(b->data + at, fills[rng_below(r, sizeof(fills))], MIN(n, b->len - at));
}

static void remove_run(struct rng *r, GByteArray *b)
{
	size_t at = place(r, b->len), n = 1 + rng_below(r, 512);

	g_byte_array_remove_range(b, (guint)at, (guint)MIN(n, b->len - at - 1));
}

/* The piece around @at: a line of text, else 64 bytes. */
static void piece(const GByteArray *b, size_t at, size_t *from, size_t *to)
{
	const uint8_t *end = memchr(b->data + at, '\n', b->len - at);
	const uint8_t *begin = at > 0 ? memrchr(b->data, '\n', at) : NULL;

	*from = begin ? (size_t)(begin - b->data) + 1 : 0;
	*to = end ? (size_t)(end - b->data) + 1 : b->len;
	if (*to - *from > 4096) {
		*from = at;
		*to = MIN(at + 64, b->len);
	}
}

/* Swap lines (or 64-byte pieces), as a broken merge would. */
static void shuffle(struct rng *r, GByteArray *b)
{
	for (uint64_t n = 1 + rng_below(r, 8); n > 0; n--) {
		size_t x = place(r, b->len), y = place(r, b->len), a0, a1, b0, b1;

		piece(b, MIN(x, y), &a0, &a1);
		piece(b, MAX(x, y), &b0, &b1);
		if (a1 > b0)
			continue; /* the same line */
		g_autofree uint8_t *old = g_memdup2(b->data + a0, b1 - a0);

		memcpy(b->data + a0, old + (b0 - a0), b1 - b0);
		memcpy(b->data + a0 + (b1 - b0), old + (a1 - a0), b0 - a1);
		memcpy(b->data + b1 - (a1 - a0), old, a1 - a0);
	}
}

GByteArray *fuzz_copy(const GByteArray *base, const char *name, uint64_t n)
{
	static void (*const damages[])(struct rng *, GByteArray *) = {
		flip_bytes, flip_bytes, truncate_tail, shuffle, fill_run, remove_run};
	GByteArray *copy = g_byte_array_new();
	struct rng r;

	g_byte_array_append(copy, base->data, base->len);
	rng_init(&r, n, name);
	for (uint64_t left = n > 0 && base->len > 0 ? 1 + rng_below(&r, 3) : 0; left > 0; left--)
		damages[rng_below(&r, G_N_ELEMENTS(damages))](&r, copy);
	return copy;
}

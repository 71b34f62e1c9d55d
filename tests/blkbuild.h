/*
 * tests/blkbuild.h - make blktrace records by hand, and read captures whole.
 *
 * Layouts from include/uapi/linux/blktrace_api.h (shared/KERNEL.md 7.7).
 */
#ifndef TESTS_BLKBUILD_H
#define TESTS_BLKBUILD_H

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support.h"
#include "traces/trace.h"

/* Actions as the kernel composes them: code | category << 16 (FS 0x100, QUEUE 0x10, ...). */
#define ACT_Q (1u | 0x0110u << 16)
#define ACT_G (4u | 0x0110u << 16)
#define ACT_R (6u | 0x0120u << 16)
#define ACT_D (7u | 0x0140u << 16)
#define ACT_C (8u | 0x0180u << 16)
#define ACT_P (9u | 0x0010u << 16)
#define ACT_U (10u | 0x0010u << 16)
#define ACT_A (15u | 0x0100u << 16)
#define ACT_PROCESS (0u | 0x0400u << 16)
#define ACT_MESSAGE (2u | 0x0400u << 16)
#define TC_READ (0x1u << 16)
#define TC_WRITE (0x2u << 16)

struct rec {
	int version; /* 0 = 7 */
	bool swap;   /* the other byte order */
	uint32_t seq;
	uint64_t time, sector;
	uint32_t bytes, action, pid, dev, cpu;
	uint16_t error, pdu_len;
	const void *pdu;
};

static inline void put(GByteArray *a, uint64_t value, size_t size, bool swap)
{
	uint8_t b[8];

	for (size_t i = 0; i < size; i++) /* little endian, swapped: big */
		b[swap ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
	g_byte_array_append(a, b, (guint)size);
}

static inline void put_record(GByteArray *a, const struct rec *r)
{
	static const uint8_t pad[12];
	uint32_t version = r->version ? (uint32_t)r->version : 7;

	put(a, 0x65617400u | version, 4, r->swap);
	put(a, r->seq, 4, r->swap);
	put(a, r->time, 8, r->swap);
	put(a, r->sector, 8, r->swap);
	put(a, r->bytes, 4, r->swap);
	put(a, version == 8 ? r->pid : r->action, 4, r->swap);
	put(a, version == 8 ? r->action : r->pid, version == 8 ? 8 : 4, r->swap);
	put(a, r->dev ? r->dev : DEVNO(8, 0), 4, r->swap);
	put(a, r->cpu, 4, r->swap);
	put(a, r->error, 2, r->swap);
	put(a, r->pdu_len, 2, r->swap);
	if (version == 8)
		g_byte_array_append(a, pad, sizeof(pad));
	if (r->pdu_len)
		g_byte_array_append(a, r->pdu, r->pdu_len);
}

/* Write records @r to a file named @name. */
static inline const char *put_file(const char *name, const struct rec *r, size_t n)
{
	GByteArray *a = g_byte_array_new();

	for (size_t i = 0; i < n; i++)
		put_record(a, &r[i]);
	const char *path = test_file(name, a->len ? (const void *)a->data : "", a->len);

	g_byte_array_unref(a);
	return path;
}

/* A capture read to its end: trace still open for its account. */
struct whole {
	struct trace *trace;
	const struct trace_info *info;
	GArray *ops; /* struct op */
	GError *err;
};

static inline struct whole read_paths(const char *const *paths, const char *format)
{
	const struct trace_opts opts = {.format = format, .want = OP_CLASS_ALL};
	struct whole w = {.ops = g_array_new(FALSE, FALSE, sizeof(struct op))};
	struct op op;

	w.trace = trace_open(paths, &opts, &w.err);
	while (w.trace && trace_next(w.trace, &op, &w.err)) {
		cr_assert(op_valid(&op, NULL));
		g_array_append_val(w.ops, op);
	}
	w.info = w.trace ? trace_info(w.trace) : NULL;
	return w;
}

static inline struct whole read_file(const char *path, const char *format)
{
	const char *const paths[] = {path, NULL};

	return read_paths(paths, format);
}

/* As read_file(), of a capture that must be good. */
static inline struct whole read_good(const char *path)
{
	struct whole w = read_file(path, NULL);

	cr_assert_null(w.err, "%s", w.err ? w.err->message : "");
	cr_assert_not_null(w.trace);
	return w;
}

static inline const struct op *op_at(const struct whole *w, guint i)
{
	cr_assert_lt(i, w->ops->len);
	return &g_array_index(w->ops, struct op, i);
}

static inline int64_t latency(const struct whole *w, guint i)
{
	return op_at(w, i)->done_ns - op_at(w, i)->time_ns;
}

static inline void whole_free(struct whole *w)
{
	trace_close(w->trace);
	g_array_unref(w->ops);
	g_clear_error(&w->err);
}

#endif

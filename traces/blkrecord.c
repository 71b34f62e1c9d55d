/*
 * traces/blkrecord.c - see traces/blkrecord.h.
 *
 * A record is a header in the byte order of the machine that traced (the magic tells which), then
 * pdu_len bytes, of which a cgroup id takes the first 8 where the action says so.  Version 8 (64
 * bytes, kernel 6.19) widens the action to 64 bits and swaps it with the pid.  An incomplete last
 * record is what an interrupted blktrace leaves: the end of the file, not an error.  Everything
 * else that is no record is: behind it nothing can be trusted, since a record's length is known
 * from itself only.
 *
 * The version and the byte order are looked at in every record, so that captures appended to each
 * other can be read.
 *
 * Not modelled: the integers in PDUs, which are big endian on every machine.
 */
#include "traces/blkrecord.h"

#include <string.h>

#include "traces/trace.h"

#define MAGIC 0x65617400u
#define MAGIC_MASK 0xffffff00u
#define V7_BYTES 48u
#define V8_BYTES 64u
#define CODE_CGROUP 0x100u /* __BLK_TA_CGROUP */
#define CGROUP_BYTES 8u
#define WINDOW_BYTES 16384u /* looked at in one go */

static uint16_t get16(const uint8_t *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	if (swap)
		v = GUINT16_SWAP_LE_BE(v);
	return v;
}

static uint32_t get32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? GUINT32_SWAP_LE_BE(v) : v;
}

static uint64_t get64(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? GUINT64_SWAP_LE_BE(v) : v;
}

/* Version of the record at @p (4 bytes), or -1; *@swap: its byte order is not ours. */
static int version_at(const uint8_t *p, bool *swap)
{
	uint32_t magic = get32(p, false);

	*swap = (magic & MAGIC_MASK) != MAGIC;
	if (*swap)
		magic = GUINT32_SWAP_LE_BE(magic);
	return (magic & MAGIC_MASK) == MAGIC ? (int)(magic & 0xff) : -1;
}

bool blk_file_probe(const uint8_t *head, size_t n)
{
	bool swap;

	return n >= 4 && version_at(head, &swap) >= 0;
}

/* Version 7 layout: action, pid; version 8: pid, action in 64 bits, and what follows 4 further on.
 * Inline, as nearly all records are of one version and in our byte order. */
static inline void decode(struct blk_record *r, const uint8_t *p, bool v8, bool swap)
{
	uint64_t action = v8 ? get64(p + 32, swap) : get32(p + 28, swap);
	const uint8_t *tail = p + (v8 ? 40 : 36);

	r->version = v8 ? 8 : 7;
	r->sequence = get32(p + 4, swap);
	r->time_ns = (int64_t)get64(p + 8, swap);
	r->sector = get64(p + 16, swap);
	r->bytes = get32(p + 24, swap);
	r->pid = get32(p + (v8 ? 28 : 32), swap);
	r->code = action & 0xffff & ~CODE_CGROUP;
	r->tc = (uint32_t)(action >> 16);
	r->dev = get32(tail, swap);
	r->cpu = get32(tail + 4, swap);
	r->error = get16(tail + 8, swap);
	r->pdu_len = get16(tail + 10, swap);
	r->pdu = p + (v8 ? V8_BYTES : V7_BYTES);
	if ((action & CODE_CGROUP) && r->pdu_len >= CGROUP_BYTES) {
		r->pdu += CGROUP_BYTES;
		r->pdu_len -= CGROUP_BYTES;
	}
}

static bool broken(const struct blk_file *f, GError **err, const char *what)
{
	trace_error_offset(err, stream_path(f->stream), stream_offset(f->stream) + (int64_t)f->used,
			   "%s", what);
	return false;
}

static bool check_version(const struct blk_file *f, const uint8_t *p, int version, GError **err)
{
	g_autofree char *what = NULL;

	if (version == 7 || version == 8)
		return true;
	if (version < 0)
		what = g_strdup_printf("no blktrace record, magic 0x%08x, expected 0x65617407 "
				       "(record %" G_GUINT64_FORMAT ")",
				       get32(p, false), f->nr_records);
	else
		what = g_strdup_printf("unsupported blktrace version %d (record %" G_GUINT64_FORMAT
				       "), expected 7 or 8",
				       version, f->nr_records);
	return broken(f, err, what);
}

static bool file_end(struct blk_file *f)
{
	f->cut_bytes = f->have - f->used;
	return true;
}

/* Have @want bytes at hand, or all that are left. */
static bool look(struct blk_file *f, size_t want, GError **err)
{
	if (f->have - f->used >= want)
		return true;
	stream_skip(f->stream, f->used);
	f->used = 0;
	f->window = stream_peek(f->stream, MAX(want, WINDOW_BYTES), &f->have, err);
	return f->window;
}

/* Bytes of the record at hand with its PDU, 0 when its header is cut. */
static size_t record_bytes(const struct blk_file *f, int version, bool swap)
{
	bool v8 = version == 8;
	size_t header = v8 ? V8_BYTES : V7_BYTES;

	if (f->have - f->used < header)
		return 0;
	return header + get16(f->window + f->used + (v8 ? 50 : 46), swap);
}

/* The record of @len bytes at hand is decoded. */
static bool accept(struct blk_file *f, size_t len, GError **err)
{
	if (f->record.time_ns < 0)
		return broken(f, err, "time stamp beyond 2^63 ns");
	f->used += len;
	f->nr_records++;
	f->has = true;
	return true;
}

static bool advance_checked(struct blk_file *f, GError **err)
{
	bool swap;

	if (!look(f, V8_BYTES, err))
		return false;
	if (f->have - f->used < 4)
		return file_end(f);
	int version = version_at(f->window + f->used, &swap);

	if (!check_version(f, f->window + f->used, version, err))
		return false;
	size_t len = record_bytes(f, version, swap);

	if (!look(f, len, err))
		return false;
	if (!len || f->have - f->used < len)
		return file_end(f);
	decode(&f->record, f->window + f->used, version == 8, swap);
	return accept(f, len, err);
}

bool blk_file_advance(struct blk_file *f, GError **err)
{
	const uint8_t *p = f->window + f->used;
	size_t have = f->have - f->used;

	f->has = false;
	if (have < V7_BYTES || get32(p, false) != (MAGIC | 7))
		return advance_checked(f, err);
	size_t len = V7_BYTES + get16(p + 46, false);

	if (have < len)
		return advance_checked(f, err);
	decode(&f->record, p, false, false);
	return accept(f, len, err);
}

bool blk_file_open(struct blk_file *f, const char *path, GError **err)
{
	*f = (struct blk_file){.stream = stream_open(path, err)};
	return f->stream && blk_file_advance(f, err);
}

void blk_file_close(struct blk_file *f)
{
	stream_close(f->stream);
	f->stream = NULL;
}

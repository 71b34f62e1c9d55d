/*
 * traces/ftrace_obs.c - what the kernel did, as observed ops; and UFS commands as block ops.
 *
 * An observed op is the event and nothing more: no pairing, no binding; it leaves at its time.
 * Meta and node inodes (1 and 2 of F2FS) are told as they are: their pages are in the cache as
 * well.
 *
 * A block map with address 0, 2^32-1 or 2^32-2 (F2FS: hole, new, compressed) maps nothing.
 * OBS_SIZE is given only when an inode's size differs from the one shown last; SIZES_MAX inodes are
 * remembered.
 *
 * UFS commands are requests like those of block_rq_*: READ, WRITE, SYNCHRONIZE CACHE and UNMAP in
 * their SCSI forms become ops; queries, NOPs and task management move no data of the medium and are
 * only counted.  UFS reuses tags: a command and its completion meet by (hwq, tag), never by
 * address.
 */
#include "traces/ftrace_line.h"
#include "traces/ftrace_parts.h"

#define SIZES_MAX 65536u
#define BLOCK_NEW 0xffffffffu
#define BLOCK_COMPRESSED 0xfffffffeu

static void push(struct ftrace_ops *o, const struct ftrace_event *e, enum op_kind kind, int64_t len,
		 uint64_t aux)
{
	struct op op = ftrace_op(e, kind);

	if (!ftrace_has(e, F_POS) || len < 0 || e->v[F_POS] > (uint64_t)(INT64_MAX - len))
		return;
	op.dev = ftrace_has(e, F_DEV) ? (uint32_t)e->v[F_DEV] : 0;
	op.ino = e->v[F_INO];
	op.pos = (int64_t)e->v[F_POS];
	op.len = len;
	op.aux = aux;
	hold_push(o->hold, &op, false);
}

static void push_range(struct ftrace_ops *o, const struct ftrace_event *e, enum op_kind kind)
{
	push(o, e, kind, ftrace_has(e, F_LEN) ? (int64_t)e->v[F_LEN] : PAGE_SIZE, 0);
}

static void push_map(struct ftrace_ops *o, const struct ftrace_event *e)
{
	uint64_t block = e->v[F_ADDR] >> PAGE_SHIFT;

	if (block && block != BLOCK_NEW && block != BLOCK_COMPRESSED && e->v[F_LEN])
		push(o, e, OBS_MAP, (int64_t)e->v[F_LEN], e->v[F_ADDR]);
}

/* The i_size that @e shows, when it is news. */
static void push_size(struct ftrace_ops *o, const struct ftrace_event *e)
{
	gint64 key = (gint64)e->v[F_INO];
	int64_t *last = g_hash_table_lookup(o->sizes, &key);
	struct op op;

	if (e->v[F_SIZE] > INT64_MAX)
		return;
	if (last && *last == (int64_t)e->v[F_SIZE])
		return;
	if (!last) {
		if (g_hash_table_size(o->sizes) >= SIZES_MAX)
			g_hash_table_remove_all(o->sizes);
		last = g_new(int64_t, 1);
		g_hash_table_insert(o->sizes, g_memdup2(&key, sizeof(key)), last);
	}
	*last = (int64_t)e->v[F_SIZE];
	op = ftrace_op(e, OBS_SIZE);
	op.dev = ftrace_has(e, F_DEV) ? (uint32_t)e->v[F_DEV] : ftrace_bind_dev(o->bind);
	op.ino = e->v[F_INO];
	op.len = *last;
	hold_push(o->hold, &op, false);
}

/* A bio without data and without a sector to write is a flush. */
static enum op_kind bio_kind(const struct blk_rwbs *rwbs, int64_t len)
{
	switch (rwbs->op) {
	case BLK_READ:
		return OP_BIO_READ;
	case BLK_WRITE:
		return len ? OP_BIO_WRITE : OP_FLUSH;
	case BLK_FLUSH:
		return OP_FLUSH;
	case BLK_DISCARD:
	case BLK_ZEROES:
		return OP_DISCARD;
	default:
		return OP_NR_KINDS;
	}
}

static void push_bio(struct ftrace_ops *o, const struct ftrace_event *e)
{
	struct blk_rwbs rwbs;
	struct op op = ftrace_op(e, OBS_BIO);

	if (e->v[F_SECTOR] > (uint64_t)OP_MAX_BYTES >> SECTOR_SHIFT)
		return;
	blk_rwbs_parse(e->rwbs, &rwbs);
	op.aux = bio_kind(&rwbs, (int64_t)e->v[F_LEN]);
	if (op.aux == OP_NR_KINDS)
		return;
	op.dev = (uint32_t)e->v[F_DEV];
	op.pos = (int64_t)e->v[F_SECTOR] << SECTOR_SHIFT;
	op.len = (int64_t)e->v[F_LEN];
	op.flags = rwbs.flags;
	hold_push(o->hold, &op, false);
}

/* @pages in bytes; a counter that went below 0 counts as none. */
static int64_t bytes_of(uint64_t pages)
{
	return pages < (uint64_t)OP_MAX_BYTES >> (PAGE_SHIFT + 1) ? (int64_t)pages << PAGE_SHIFT
								  : 0;
}

/* Reclaim and dirty throttling: numbers without a file. */
static void push_numbers(struct ftrace_ops *o, const struct ftrace_event *e, enum op_kind kind)
{
	struct op op = ftrace_op(e, kind);

	op.dev = ftrace_has(e, F_DEV) ? (uint32_t)e->v[F_DEV] : 0;
	op.pos = ftrace_has(e, F_POS) ? bytes_of(e->v[F_POS]) : 0;
	op.len = ftrace_has(e, F_LEN) ? bytes_of(e->v[F_LEN]) : 0;
	op.aux = ftrace_has(e, F_ADDR) ? (uint64_t)bytes_of(e->v[F_ADDR]) : 0;
	if (ftrace_has(e, F_RESULT))
		op.aux = (uint64_t)MAX((int64_t)e->v[F_RESULT], 0);
	hold_push(o->hold, &op, false);
}

void ftrace_obs_event(struct ftrace_ops *o, const struct ftrace_event *e)
{
	switch (e->id) {
	case FT_CACHE_ADD:
		push_range(o, e, OBS_CACHE_ADD);
		break;
	case FT_CACHE_DELETE:
		push_range(o, e, OBS_CACHE_DELETE);
		break;
	case FT_DIRTY_FOLIO:
		push(o, e, OBS_DIRTY, PAGE_SIZE, 0);
		break;
	case FT_READPAGES:
		push_range(o, e, OBS_READAHEAD);
		break;
	case FT_SUBMIT_WRITE:
		push(o, e, OBS_WRITE_PAGE, PAGE_SIZE, e->v[F_ADDR]);
		break;
	case FT_MAP_BLOCKS:
	case FT_EXTENT_END:
		push_map(o, e);
		break;
	case FT_BIO_QUEUE:
		push_bio(o, e);
		break;
	case FT_SHRINK_INACTIVE:
		push_numbers(o, e, OBS_RECLAIM);
		break;
	case FT_BALANCE_DIRTY:
		push_numbers(o, e, OBS_BALANCE_DIRTY);
		break;
	case FT_DIRTY_STATE:
		push_numbers(o, e, OBS_DIRTY_STATE);
		break;
	default:
		if (ftrace_has(e, F_SIZE) && ftrace_has(e, F_INO))
			push_size(o, e);
	}
}

struct ufs_slot {
	struct op op;
	uint64_t ticket;
};

/* SCSI opcodes in the 6, 10 and 16-byte forms. */
static enum op_kind ufs_kind(uint64_t opcode)
{
	switch (opcode) {
	case 0x08:
	case 0x28:
	case 0x88:
		return OP_BIO_READ;
	case 0x0a:
	case 0x2a:
	case 0x8a:
		return OP_BIO_WRITE;
	case 0x35:
	case 0x91:
		return OP_FLUSH;
	case 0x42:
		return OP_DISCARD;
	default:
		return OP_NR_KINDS; /* query, NOP, inquiry: no data of the medium */
	}
}

static bool ufs_send(struct ftrace_ops *o, const struct ftrace_event *e, gpointer key)
{
	enum op_kind kind = ufs_kind(e->v[F_FLAGS]);
	struct ufs_slot *slot;

	if (kind == OP_NR_KINDS)
		return g_hash_table_remove(o->ufs_slots, key);
	slot = g_new0(struct ufs_slot, 1);
	slot->op = ftrace_op(e, kind);
	if (kind != OP_FLUSH && e->v[F_POS] < (uint64_t)1 << (62 - PAGE_SHIFT)) {
		slot->op.pos = (int64_t)e->v[F_POS] << PAGE_SHIFT;
		/* size -1: kernels before 2024 for the 16-byte forms */
		slot->op.len = e->v[F_LEN] <= INT32_MAX ? (int64_t)e->v[F_LEN] : 0;
	}
	slot->ticket = hold_push(o->hold, &slot->op, true);
	return g_hash_table_replace(o->ufs_slots, key, slot);
}

static void ufs_complete(struct ftrace_ops *o, const struct ftrace_event *e, struct ufs_slot *slot)
{
	struct trace_info *info = &o->t->info;

	slot->op.done_ns = e->time_ns;
	slot->op.result = slot->op.len;
	info->paired++;
	if (slot->op.cpu != e->cpu) {
		slot->op.flags |= OP_CROSS_CPU;
		info->cross_cpu++;
	}
	struct op *op = hold_get(o->hold, slot->ticket);
	if (op)
		*op = slot->op;
}

void ftrace_ufs_event(struct ftrace_ops *o, const struct ftrace_event *e)
{
	uint64_t hwq = ftrace_has(e, F_HWQ) ? e->v[F_HWQ] : 0;
	gpointer key = (gpointer)(uintptr_t)((hwq & 0xffff) << 16 | (e->v[F_TAG] & 0xffff));
	struct ufs_slot *slot = g_hash_table_lookup(o->ufs_slots, key);

	if (e->step == FTRACE_STEP_NONE)
		return;
	o->t->info.has_pairs = true;
	if (slot && e->step == FTRACE_STEP_COMPLETE) {
		ufs_complete(o, e, slot);
		hold_finish(o->hold, slot->ticket);
		g_hash_table_remove(o->ufs_slots, key);
		return;
	}
	if (slot) { /* the tag is in use again: the completion was lost */
		o->t->info.unpaired++;
		hold_finish(o->hold, slot->ticket);
	}
	if (e->step == FTRACE_STEP_SEND)
		ufs_send(o, e, key);
	else if (ufs_kind(e->v[F_FLAGS]) != OP_NR_KINDS)
		o->t->info.unpaired++;
}

void ftrace_ufs_lost(struct ftrace_ops *o, uint32_t cpu)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, o->ufs_slots);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct ufs_slot *slot = value;

		if (cpu != FTRACE_NO_CPU && slot->op.cpu != cpu)
			continue;
		o->t->info.unpaired++;
		hold_finish(o->hold, slot->ticket);
		g_hash_table_iter_remove(&iter);
	}
}

/*
 * traces/ftrace_proof.c - what the events inside a system call prove about its file.
 *
 * Only the task's own events between entry and exit are looked at:
 *
 *   call           sure                              fair (page in the call's range; else weak)
 *   read           f2fs_dataread_start               mm_filemap_add_to_page_cache
 *                  f2fs_direct_IO_enter              f2fs_readpages
 *                  mm_filemap_get_pages (in range)   mm_filemap_get_pages (elsewhere)
 *   write          f2fs_datawrite_start              mm_filemap_add_to_page_cache
 *                  f2fs_file_write_iter              writeback_dirty_folio
 *                  f2fs_direct_IO_enter              f2fs_write_begin, offset unknown
 *                  f2fs_write_begin (in range)
 *                  f2fs_sync_file_* (O_SYNC)
 *   fsync          f2fs_sync_file_*
 *   open           f2fs_lookup_end, f2fs_new_inode, f2fs_iget, f2fs_truncate
 *   unlink         f2fs_unlink_exit, f2fs_lookup_end
 *   truncate       f2fs_truncate, f2fs_lookup_end
 *   read, write    weak: writeback_mark_inode_dirty (time stamps)
 *
 * Pages outside the range of the call may be readahead of the same file, but also garbage
 * collection, a quota file or a fault on the user's buffer: they prove weakly.  So do all pages
 * while the offset is unknown.
 *
 * Some of these show the offset, too.  It is taken where the call itself names none (read(),
 * write()), and then outweighs the tracked one.
 *
 * Not modelled: symbolic links whose target is cached while the link was not (the open is bound to
 * the link's inode).
 */
#include "traces/ftrace_parts.h"

#define IOCB_DONTCACHE_BIT 0x80u

uint32_t ftrace_direct_flags(const struct ftrace_event *e)
{
	bool dontcache = ftrace_has(e, F_FLAGS) && e->v[F_FLAGS] & IOCB_DONTCACHE_BIT;

	return OP_DIRECT | (dontcache ? OP_DONTCACHE : 0);
}

static uint32_t event_dev(const struct ftrace_event *e)
{
	return ftrace_has(e, F_DEV) ? (uint32_t)e->v[F_DEV] : 0;
}

static void prove(struct ftrace_ops *o, struct ftrace_call *call, const struct ftrace_event *e,
		  enum ftrace_proof proof)
{
	ftrace_call_prove(o->bind, call, event_dev(e), e->v[F_INO], proof);
}

/* Does the page or range of @e overlap what @call is about?  A vectored call tells where it begins
 * only. */
static bool overlaps(const struct ftrace_call *call, const struct ftrace_event *e)
{
	int64_t pos = (int64_t)e->v[F_POS];
	int64_t len = ftrace_has(e, F_LEN) ? (int64_t)e->v[F_LEN] : PAGE_SIZE;
	int64_t start = call->op.pos & ~(PAGE_SIZE - 1);

	if (!call->pos_known || pos < 0)
		return false;
	if (pos < start) /* differences of offsets: the sums may be past 2^63 */
		return len > start - pos;
	return len > 0 && pos - call->op.pos < MAX(call->op.len, 1);
}

/* The file system shows where the call begins: right even where the tracked offset is not. */
static void show_pos(struct ftrace_call *call, const struct ftrace_event *e)
{
	bool open_pos = call->moves || !call->pos_known;

	if (call->pos_shown || !open_pos || e->v[F_POS] > INT64_MAX)
		return;
	call->op.pos = (int64_t)e->v[F_POS];
	call->pos_known = call->pos_shown = true;
}

/* The file system shows the length asked for: of a vectored call nothing else does. */
static void show_len(struct ftrace_call *call, const struct ftrace_event *e)
{
	if (!call->len_open || !ftrace_has(e, F_LEN) || e->v[F_LEN] > OP_MAX_BYTES)
		return;
	call->op.len = (int64_t)e->v[F_LEN];
	call->len_open = false;
}

static void prove_direct(struct ftrace_ops *o, struct ftrace_call *call,
			 const struct ftrace_event *e)
{
	prove(o, call, e, FTRACE_PROOF_SURE);
	show_pos(call, e);
	show_len(call, e);
	call->op.flags |= ftrace_direct_flags(e);
}

/* f2fs_write_begin is also how quota files are written: the range must fit. */
static void prove_write_begin(struct ftrace_ops *o, struct ftrace_call *call,
			      const struct ftrace_event *e)
{
	if (call->pos_known && overlaps(call, e)) {
		prove(o, call, e, FTRACE_PROOF_SURE);
	} else if (!call->pos_known) {
		prove(o, call, e, FTRACE_PROOF_FAIR);
		show_pos(call, e);
	}
}

static bool in_read(struct ftrace_ops *o, struct ftrace_call *call, const struct ftrace_event *e)
{
	switch (e->id) {
	case FT_DATAREAD_START:
		prove(o, call, e, FTRACE_PROOF_SURE);
		show_pos(call, e);
		show_len(call, e);
		return true;
	case FT_DATAREAD_END:
		return true;
	case FT_DIRECT_IO_ENTER:
		prove_direct(o, call, e);
		return true;
	case FT_GET_PAGES:
		prove(o, call, e, overlaps(call, e) ? FTRACE_PROOF_SURE : FTRACE_PROOF_FAIR);
		return true;
	case FT_READPAGES:
	case FT_CACHE_ADD:
		prove(o, call, e, overlaps(call, e) ? FTRACE_PROOF_FAIR : FTRACE_PROOF_WEAK);
		return true;
	case FT_MARK_INODE_DIRTY:
		prove(o, call, e, FTRACE_PROOF_WEAK);
		return true;
	default:
		return false;
	}
}

static bool in_write(struct ftrace_ops *o, struct ftrace_call *call, const struct ftrace_event *e)
{
	switch (e->id) {
	case FT_DATAWRITE_START:
		prove(o, call, e, FTRACE_PROOF_SURE);
		show_pos(call, e);
		show_len(call, e);
		return true;
	case FT_FILE_WRITE_ITER: /* prints the offset before O_APPEND moved it */
		prove(o, call, e, FTRACE_PROOF_SURE);
		if (!(call->op.flags & OP_APPEND))
			show_pos(call, e);
		return true;
	case FT_DATAWRITE_END:
		return true;
	case FT_WRITE_BEGIN:
		prove_write_begin(o, call, e);
		return true;
	case FT_DIRECT_IO_ENTER:
		prove_direct(o, call, e);
		return true;
	case FT_SYNC_FILE_ENTER: /* O_SYNC */
	case FT_SYNC_FILE_EXIT:
		prove(o, call, e, FTRACE_PROOF_SURE);
		return true;
	case FT_DIRTY_FOLIO:
	case FT_CACHE_ADD:
		prove(o, call, e, overlaps(call, e) ? FTRACE_PROOF_FAIR : FTRACE_PROOF_WEAK);
		return true;
	case FT_MARK_INODE_DIRTY:
		prove(o, call, e, FTRACE_PROOF_WEAK);
		return true;
	default:
		return false;
	}
}

static void open_as(struct ftrace_call *call, const struct ftrace_event *e, bool found)
{
	call->ino = found ? e->v[F_INO] : 0;
	call->dev = found ? event_dev(e) : 0;
	call->proof = found ? FTRACE_PROOF_SURE : FTRACE_PROOF_NONE;
}

/*
 * The last component looked up is the file: whatever lies below a name that had to be looked up had
 * to be looked up, too.  f2fs_lookup_end prints err -2 in any case and ino 2^32-1 for none.
 */
static bool in_open(struct ftrace_ops *o, struct ftrace_call *call, const struct ftrace_event *e)
{
	uint64_t ino = e->v[F_INO];
	bool usable = ino > 2 && ino != UINT32_MAX;

	switch (e->id) {
	case FT_LOOKUP_START:
		call->looked_up = true;
		return true;
	case FT_LOOKUP_END:
		call->looked_up = true;
		open_as(call, e, usable && !ftrace_bind_is_dir(o->bind, event_dev(e), ino));
		return true;
	case FT_NEW_INODE:
		if (ftrace_has(e, F_RESULT) && e->v[F_RESULT] != 0)
			return true;
		open_as(call, e, usable);
		call->created = true;
		return true;
	case FT_IGET:
		if (!call->looked_up && !call->created)
			open_as(call, e, usable && !ftrace_bind_is_dir(o->bind, event_dev(e), ino));
		return true;
	case FT_TRUNCATE: /* of O_TRUNC: a name that was cached shows nothing else */
		if (call->truncate_ticket && !call->ino)
			open_as(call, e, usable);
		return true;
	default:
		return false;
	}
}

/* A call on a path other than open: the last name looked up, or better the event of the act. */
static bool on_path(struct ftrace_ops *o, struct ftrace_call *call, const struct ftrace_event *e,
		    enum ftrace_id act)
{
	if (e->id == FT_LOOKUP_END)
		in_open(o, call, e);
	else if (e->id == act)
		open_as(call, e, true);
	return e->id == act || e->id == FT_UNLINK_ENTER;
}

bool ftrace_call_event(struct ftrace_ops *o, struct ftrace_task *task, const struct ftrace_event *e)
{
	struct ftrace_call *call = &task->call;
	bool mine;

	switch (call->op.kind) {
	case OP_READ:
		return in_read(o, call, e);
	case OP_WRITE:
		return in_write(o, call, e);
	case OP_OPEN:
		return in_open(o, call, e);
	case OP_FSYNC:
		mine = e->id == FT_SYNC_FILE_ENTER || e->id == FT_SYNC_FILE_EXIT;
		break;
	case OP_TRUNCATE:
		if (!call->file)
			return on_path(o, call, e, FT_TRUNCATE);
		mine = e->id == FT_TRUNCATE;
		break;
	case OP_UNLINK:
		return on_path(o, call, e, FT_UNLINK_EXIT);
	default:
		return false;
	}
	if (mine)
		prove(o, call, e, FTRACE_PROOF_SURE);
	return mine;
}

/*
 * sim/cmd_prescan.c - first pass over a capture: file sizes before it began, the blocks that it
 * shows.
 *
 * The size of a file before the capture is, in this order: 0 when the capture creates it; the first
 * i_size that an event shows before any write; else the furthest byte that was read or read ahead
 * without having been written before.
 */
#include "sim/cmd_prescan.h"

#include "models/f2fs_file.h"

struct file_seen {
	uint32_t dev;
	uint64_t ino;
	bool created, size_known, written, used; /* used: some op reads or writes it */
	int64_t initial_size, written_end;
	uint64_t added_pages, dirtied_pages;
	struct file_seen *next;
};

struct scan {
	struct prescan *result;
	struct filemap *fm; /* NULL = only count */
	struct f2fs_data *fd;
	GHashTable *files;
	struct file_seen *first, *last; /* in order of appearance */
};

static guint file_hash(gconstpointer p)
{
	const struct file_seen *f = p;

	return (guint)(f->ino * 2654435761u ^ f->dev);
}

static gboolean file_equal(gconstpointer a, gconstpointer b)
{
	const struct file_seen *x = a, *y = b;

	return x->ino == y->ino && x->dev == y->dev;
}

static struct file_seen *file_of(struct scan *s, const struct op *op)
{
	struct file_seen probe = {.dev = op->dev, .ino = op->ino};
	struct file_seen *f = g_hash_table_lookup(s->files, &probe);

	if (f)
		return f;
	f = g_memdup2(&probe, sizeof(probe));
	if (s->last)
		s->last->next = f;
	else
		s->first = f;
	s->last = f;
	g_hash_table_add(s->files, f);
	return f;
}

/* Bytes up to @end were there without having been written by the capture. */
static void existed_to(struct file_seen *f, int64_t end)
{
	if (!f->created && !f->size_known && end > f->written_end)
		f->initial_size = MAX(f->initial_size, end);
}

static void see_file_op(struct scan *s, const struct op *op)
{
	struct file_seen *f;

	if (op->flags & OP_UNBOUND)
		return;
	s->result->file_ops += op->kind != OP_OPEN && op->kind != OP_CLOSE;
	f = file_of(s, op);
	switch (op->kind) {
	case OP_OPEN:
		f->created |= (op->flags & OP_CREATE) && !f->used;
		break;
	case OP_READ:
		f->used = true;
		if (op->done_ns == OP_NO_TIME) /* what it got is not known: all it asked for */
			existed_to(f, op->pos + op->len);
		else if (op->result > 0) /* a broken capture's may be longer than asked */
			existed_to(f, op->pos + MIN(op->result, op->len));
		break;
	case OP_WRITE:
		f->used = f->written = true;
		f->written_end = MAX(f->written_end, op->pos + op->len);
		break;
	default:
		break;
	}
}

static void hint(struct scan *s, const struct op *op)
{
	if (s->fd && op->aux && !(op->pos & (PAGE_SIZE - 1)) && op->len >= PAGE_SIZE)
		f2fs_hint_map(s->fd, inode_get(s->fm, op->dev, op->ino),
			      (pgoff_t)op->pos >> PAGE_SHIFT, (uint64_t)op->len >> PAGE_SHIFT,
			      op->aux >> PAGE_SHIFT);
}

static void see_observed(struct scan *s, const struct op *op)
{
	struct file_seen *f;

	if (!op->ino) /* of a device or of the machine, not of a file */
		return;
	f = file_of(s, op);
	switch (op->kind) {
	case OBS_SIZE:
		if (!f->size_known && !f->written && !f->created) {
			f->size_known = true;
			f->initial_size = op->len;
		}
		break;
	case OBS_CACHE_ADD:
		f->added_pages += (uint64_t)op->len >> PAGE_SHIFT;
		if (!f->written)
			existed_to(f, op->pos + op->len);
		break;
	case OBS_DIRTY:
		f->dirtied_pages += (uint64_t)op->len >> PAGE_SHIFT;
		break;
	case OBS_MAP:
	case OBS_WRITE_PAGE:
		hint(s, op);
		break;
	default:
		break;
	}
}

/* What the pass found about each file goes to the models and the counts. */
static void conclude(struct scan *s)
{
	while (s->first) {
		struct file_seen *f = s->first;

		s->first = f->next;
		if (f->used) {
			s->result->files++;
			s->result->sizes_assumed += !f->created && !f->size_known;
			if (s->fm)
				f2fs_set_initial_size(inode_get(s->fm, f->dev, f->ino),
						      f->initial_size);
		} else {
			s->result->other_added_pages += f->added_pages;
			s->result->other_dirtied_pages += f->dirtied_pages;
		}
		g_free(f);
	}
}

bool prescan_capture(struct trace *trace, struct sim *sim, struct prescan *result, GError **err)
{
	struct scan s = {.result = result};
	GError *error = NULL;
	struct op op;

	*result = (struct prescan){0};
	if (sim) {
		s.fm = filemap_of(sim);
		s.fd = f2fs_data_of(sim);
	}
	s.files = g_hash_table_new(file_hash, file_equal);
	while (trace_next(trace, &op, &error)) {
		unsigned int class = op_class((enum op_kind)op.kind);

		if (class == OP_CLASS_FILE)
			see_file_op(&s, &op);
		else if (class == OP_CLASS_OBSERVED)
			see_observed(&s, &op);
		else
			result->block_ops++;
	}
	conclude(&s);
	g_hash_table_destroy(s.files);
	if (!error)
		return true;
	g_propagate_error(err, error);
	return false;
}

/*
 * sim/inspect.c - the account of one capture's ops.
 *
 * Sizes of files are learnt on the way, from OBS_SIZE events, truncations and creation.  A page
 * added behind the end of its file as known at that moment is "beyond EOF" (readahead that did not
 * look at i_size), unless a write is on its way there: i_size grows only when the write has copied
 * its data. Where writes are not in the capture, the page turning dirty tells.  Pages of files
 * whose size has not been seen yet are not judged.
 *
 * I1  beyond_eof <= sized <= added.
 */
#include "sim/inspect.h"

#include <string.h>

#define SIZE_UNKNOWN (-1)

struct inspect_inode {
	uint64_t ino;
	int64_t size;	     /* i_size in bytes as last seen, or SIZE_UNKNOWN */
	int64_t written_end; /* how far writes went since the last truncation */
	struct {
		int64_t pos, end, beyond; /* bytes, bytes, pages counted as beyond EOF */
	} added;			  /* the last page or folio */
	uint32_t dev;
};

static guint inode_hash(const void *p)
{
	const struct inspect_inode *i = p;
	uint64_t h = (i->ino ^ ((uint64_t)i->dev << 32)) * 0x9e3779b97f4a7c15u;

	return (guint)(h >> 32);
}

static gboolean inode_equal(const void *a, const void *b)
{
	const struct inspect_inode *x = a, *y = b;

	return x->ino == y->ino && x->dev == y->dev;
}

void inspect_init(struct inspect *in)
{
	memset(in, 0, sizeof(*in));
	in->inodes = g_hash_table_new_full(inode_hash, inode_equal, g_free, NULL);
}

static void free_latency(struct hist *h)
{
	if (h)
		hist_fini(h);
	g_free(h);
}

void inspect_fini(struct inspect *in)
{
	for (unsigned int i = 0; i < INSPECT_NR_DIRS; i++)
		free_latency(in->d2c[i]);
	free_latency(in->sequence);
	g_hash_table_unref(in->inodes);
}

static struct inspect_inode *inode_of(struct inspect *in, const struct op *op)
{
	struct inspect_inode key = {.ino = op->ino, .dev = op->dev, .size = SIZE_UNKNOWN};

	if (in->recent && in->recent->ino == op->ino && (in->recent->dev == op->dev || !op->dev))
		return in->recent;
	in->recent = g_hash_table_lookup(in->inodes, &key);
	if (!in->recent) {
		in->recent = g_memdup2(&key, sizeof(key));
		g_hash_table_add(in->inodes, in->recent);
	}
	return in->recent;
}

/* @pages more; a sum that leaves int64_t stays at its maximum. */
static void add_pages(int64_t *sum, int64_t pages)
{
	if (__builtin_add_overflow(*sum, pages, sum))
		*sum = INT64_MAX;
}

static void learn_size(struct inspect_inode *inode, const struct op *op)
{
	int64_t moved = op->done_ns == OP_NO_TIME ? op->len : CLAMP(op->result, 0, op->len);

	if (op->kind == OBS_SIZE) {
		inode->size = op->len;
	} else if (op->kind == OP_TRUNCATE || (op->kind == OP_OPEN && (op->flags & OP_CREATE))) {
		inode->size = op->pos;
		inode->written_end = 0;
	} else if (op->kind == OP_WRITE && moved > 0) {
		inode->written_end = MAX(inode->written_end, op->pos + moved);
	}
}

static void cache_add(struct inspect *in, struct inspect_inode *inode, const struct op *op)
{
	int64_t pages = op->len >> PAGE_SHIFT, end = op->pos + op->len;

	add_pages(&in->added, pages);
	if (!inode || inode->size == SIZE_UNKNOWN)
		return;
	int64_t eof = MAX(inode->size, inode->written_end);
	int64_t eof_page = (eof >> PAGE_SHIFT) + !!(eof & (PAGE_SIZE - 1));

	inode->added.pos = op->pos;
	inode->added.end = end;
	inode->added.beyond = CLAMP((end >> PAGE_SHIFT) - eof_page, 0, pages);
	add_pages(&in->sized, pages);
	add_pages(&in->beyond_eof, inode->added.beyond);
}

/* Whoever dirties the page just added is writing there. */
static void dirty(struct inspect *in, struct inspect_inode *inode, int64_t pos)
{
	if (pos < inode->added.pos || pos >= inode->added.end)
		return;
	in->beyond_eof -= inode->added.beyond;
	inode->added.beyond = 0;
	inode->written_end = MAX(inode->written_end, inode->added.end);
}

static void count_kind(struct inspect_kind *kind, const struct op *op)
{
	kind->count++;
	kind->dontcache += !!(op->flags & OP_DONTCACHE);
	if (inspect_has_bytes((enum op_kind)op->kind) &&
	    __builtin_add_overflow(kind->bytes, (uint64_t)op->len, &kind->bytes))
		kind->bytes = UINT64_MAX;
}

static void add_latency(struct hist **h, const struct op *op)
{
	if (op->time_ns == OP_NO_TIME || op->done_ns < MAX(op->time_ns, 0))
		return;
	if (!*h) {
		*h = g_new(struct hist, 1);
		hist_init(*h);
	}
	hist_add(*h, op->done_ns - op->time_ns);
}

void inspect_op(struct inspect *in, const struct op *op)
{
	struct inspect_inode *inode = NULL;

	count_kind(&in->kinds[op->kind], op);
	if (op_class(op->kind) == OP_CLASS_BLOCK) {
		add_latency(&in->d2c[op->kind - OP_BIO_READ], op);
		return;
	}
	if (op->kind == OBS_FLUSH_SEQUENCE)
		add_latency(&in->sequence, op);
	if (op->ino && op->kind != OP_NODE_READ) {
		inode = inode_of(in, op);
		learn_size(inode, op);
	}
	if (op->kind == OBS_CACHE_ADD)
		cache_add(in, inode, op);
	else if (op->kind == OBS_CACHE_DELETE)
		add_pages(&in->deleted, op->len >> PAGE_SHIFT);
	else if (op->kind == OBS_DIRTY && inode)
		dirty(in, inode, op->pos);
}

uint64_t inspect_nr_inodes(const struct inspect *in)
{
	g_autoptr(GHashTable) placed = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct inspect_inode *inode;
	uint64_t n = 0;
	GHashTableIter it;

	g_hash_table_iter_init(&it, in->inodes);
	while (g_hash_table_iter_next(&it, (void **)&inode, NULL))
		if (inode->dev) {
			g_hash_table_add(placed, &inode->ino);
			n++;
		}
	g_hash_table_iter_init(&it, in->inodes);
	while (g_hash_table_iter_next(&it, (void **)&inode, NULL))
		n += !inode->dev && !g_hash_table_contains(placed, &inode->ino);
	return n;
}

bool inspect_has_bytes(enum op_kind kind)
{
	return kind != OBS_SIZE && kind != OBS_MAP && kind != OBS_BALANCE_DIRTY &&
	       kind != OBS_DIRTY_STATE;
}

const char *inspect_drive_name(unsigned int bit)
{
	static const char *const names[] = {"file", "block", "observed"};

	return bit < G_N_ELEMENTS(names) ? names[bit] : NULL;
}

const char *inspect_dir_name(unsigned int dir)
{
	static const char *const names[] = {"read", "write", "flush", "discard"};

	static_assert(G_N_ELEMENTS(names) == INSPECT_NR_DIRS, "every direction has a name");
	assert(dir < INSPECT_NR_DIRS);
	return names[dir];
}

void inspect_action_name(char name[3], unsigned int letter)
{
	g_snprintf(name, 3, "%s%c", letter == 'T' ? "U" : "", (int)letter);
}

bool inspect_has_events(const struct trace_info *info)
{
	return g_hash_table_size(info->events) || g_hash_table_size(info->unknown);
}

static int cmp_key(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **inspect_sorted_keys(GHashTable *table)
{
	guint n;
	const char **keys = (const char **)g_hash_table_get_keys_as_array(table, &n);

	qsort(keys, n, sizeof(*keys), cmp_key);
	return keys;
}

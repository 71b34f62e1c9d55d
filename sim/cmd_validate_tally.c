/*
 * sim/cmd_validate_tally.c - see sim/cmd_validate_tally.h.
 *
 * Which of a capture's events belong to what is replayed: a page, when a file op that can be
 * replayed named its inode before; a bio or a request, when the events of such a file showed its
 * block (F2FS), or, where no event shows blocks, when it is not metadata (ext4).  A capture without
 * file ops is replayed at the device: all its requests count.  The rest (node, meta and directory
 * pages, other programs) is left out on both sides.
 *
 * I1  a page is resident when it was added after it was last deleted.
 */
#include "sim/cmd_validate_parts.h"

static guint file_hash(gconstpointer p)
{
	const struct tally_file *f = p;

	return (guint)(f->ino * 2654435761u ^ f->dev);
}

static gboolean file_equal(gconstpointer a, gconstpointer b)
{
	const struct tally_file *x = a, *y = b;

	return x->ino == y->ino && x->dev == y->dev;
}

static GHashTable *bits_new(void)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

static struct word *bits_word(GHashTable *bits, int64_t n)
{
	struct word probe = {.key = n >> 6}, *w = g_hash_table_lookup(bits, &probe);

	if (!w) {
		w = g_memdup2(&probe, sizeof(probe));
		g_hash_table_add(bits, w);
	}
	return w;
}

static bool bits_has(GHashTable *bits, int64_t n)
{
	const gint64 key = n >> 6;
	const struct word *w = g_hash_table_lookup(bits, &key);

	return w && w->bits >> (n & 63) & 1;
}

static void bits_put(GHashTable *bits, int64_t n, bool value)
{
	struct word *w = bits_word(bits, n);
	uint64_t bit = UINT64_C(1) << (n & 63);

	w->bits = value ? w->bits | bit : w->bits & ~bit;
}

static void file_free(gpointer p)
{
	struct tally_file *f = p;

	g_hash_table_unref(f->resident);
	g_hash_table_unref(f->ever);
	g_free(f);
}

struct tally *tally_new(void)
{
	struct tally *t = g_new0(struct tally, 1);

	t->files = g_hash_table_new_full(file_hash, file_equal, file_free, NULL);
	t->blocks = bits_new();
	t->tasks = g_hash_table_new(NULL, NULL);
	t->reclaim = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (unsigned int i = 0; i < NR_DIRS; i++)
		hist_init(&t->d2c[i]);
	return t;
}

void tally_free(struct tally *t)
{
	if (!t)
		return;
	g_hash_table_unref(t->files);
	g_hash_table_unref(t->blocks);
	g_hash_table_unref(t->tasks);
	g_hash_table_unref(t->reclaim);
	for (unsigned int i = 0; i < NR_DIRS; i++)
		hist_fini(&t->d2c[i]);
	g_free(t);
}

static struct tally_file *file_of(struct tally *t, uint32_t dev, uint64_t ino)
{
	struct tally_file probe = {.dev = dev, .ino = ino};

	if (t->recent && t->recent->ino == ino && t->recent->dev == dev)
		return t->recent;
	t->recent = g_hash_table_lookup(t->files, &probe);
	if (!t->recent) {
		t->recent = g_memdup2(&probe, sizeof(probe));
		t->recent->resident = bits_new();
		t->recent->ever = bits_new();
		g_hash_table_add(t->files, t->recent);
	}
	return t->recent;
}

void tally_drive(struct tally *t, uint32_t dev, uint64_t ino)
{
	file_of(t, dev, ino)->driven = true;
	t->has_files = true;
}

void tally_task(struct tally *t, int32_t pid)
{
	g_hash_table_add(t->tasks, GINT_TO_POINTER(pid));
}

bool tally_has_files(const struct tally *t)
{
	return t->has_files;
}

static void sum_add(struct sum *sum, int64_t bytes)
{
	sum->count++;
	sum->bytes += (uint64_t)bytes;
}

static void see_file_op(struct tally *t, const struct op *op)
{
	bool failed = op->done_ns != OP_NO_TIME && op->result < 0;

	if (op->flags & OP_UNBOUND || failed || op->kind == OP_OPEN || op->kind == OP_CLOSE)
		return;
	tally_drive(t, op->dev, op->ino);
	tally_task(t, op->task);
	sum_add(&t->kinds[op->kind],
		op->done_ns != OP_NO_TIME && (op->kind == OP_READ || op->kind == OP_WRITE)
			? op->result
			: op->len);
}

static unsigned int order_of(int64_t bytes)
{
	unsigned int order = 0;

	while (order + 1 < NR_ORDERS && bytes >> (PAGE_SHIFT + order + 1))
		order++;
	return order;
}

static void see_folio(struct tally *t, struct tally_file *f, const struct op *op, bool add)
{
	struct folios *folios = add ? &t->added : &t->deleted;
	int64_t first = op->pos >> PAGE_SHIFT, end = (op->pos + op->len) >> PAGE_SHIFT;

	folios->folios[order_of(op->len)]++;
	folios->pages += (uint64_t)(end - first);
	for (int64_t page = first; page < end; page++) {
		bits_put(f->resident, page, add);
		if (!add)
			continue;
		t->added_again += bits_has(f->ever, page);
		bits_put(f->ever, page, true);
	}
}

/* A file's pages live at these addresses of the device. */
static void see_blocks(struct tally *t, const struct op *op)
{
	int64_t first = (int64_t)(op->aux >> PAGE_SHIFT);

	t->has_blocks = true;
	for (int64_t i = 0; i < op->len >> PAGE_SHIFT; i++)
		bits_put(t->blocks, first + i, true);
}

static bool is_ours(struct tally *t, const struct op *op, unsigned int kind)
{
	if (!t->has_files || kind == OP_FLUSH)
		return true;
	if (!t->has_blocks)
		return !(op->flags & OP_META);
	return bits_has(t->blocks, op->pos >> PAGE_SHIFT);
}

static void see_request(struct tally *t, const struct op *op)
{
	unsigned int dir = op->kind - OP_BIO_READ;

	if (!is_ours(t, op, op->kind))
		return;
	sum_add(&t->requests[dir], op->len);
	if (op->done_ns >= MAX(op->time_ns, 0))
		hist_add(&t->d2c[dir], op->done_ns - op->time_ns);
}

static void see_bio(struct tally *t, const struct op *op)
{
	unsigned int dir = (unsigned int)op->aux - OP_BIO_READ;

	if (dir >= NR_DIRS || !is_ours(t, op, (unsigned int)op->aux))
		return;
	sum_add(&t->bios[dir], op->len);
	t->caller_bios[dir] += !!g_hash_table_contains(t->tasks, GINT_TO_POINTER(op->task));
}

static void see_reclaim(struct tally *t, const struct op *op)
{
	struct sum *sum = g_hash_table_lookup(t->reclaim, GINT_TO_POINTER(op->task));

	if (!sum) {
		sum = g_new0(struct sum, 1);
		g_hash_table_insert(t->reclaim, GINT_TO_POINTER(op->task), sum);
	}
	sum->count += (uint64_t)op->len >> PAGE_SHIFT;
	sum->bytes += op->aux >> PAGE_SHIFT;
}

static void see_state(struct tally *t, const struct op *op)
{
	uint64_t dirty = (uint64_t)op->pos >> PAGE_SHIFT;

	t->state.n++;
	t->state.dirty += (double)dirty;
	t->state.dirty_max = MAX(t->state.dirty_max, dirty);
	t->state.thresh += (uint64_t)op->len >> PAGE_SHIFT;
	t->state.background += op->aux >> PAGE_SHIFT;
}

static void see_page_event(struct tally *t, const struct op *op)
{
	struct tally_file *f = file_of(t, op->dev, op->ino);

	if (!f->driven)
		return;
	switch (op->kind) {
	case OBS_CACHE_ADD:
	case OBS_CACHE_DELETE:
		see_folio(t, f, op, op->kind == OBS_CACHE_ADD);
		break;
	case OBS_MAP:
		see_blocks(t, op);
		break;
	case OBS_WRITE_PAGE:
		see_blocks(t, op);
		sum_add(&t->kinds[op->kind], op->len);
		break;
	default:
		sum_add(&t->kinds[op->kind], op->len);
	}
}

void tally_op(struct tally *t, const struct op *op)
{
	switch (op_class((enum op_kind)op->kind)) {
	case OP_CLASS_FILE:
		see_file_op(t, op);
		return;
	case OP_CLASS_BLOCK:
		see_request(t, op);
		return;
	default:
		break;
	}
	if (op->kind == OBS_BIO) {
		see_bio(t, op);
	} else if (op->kind == OBS_RECLAIM) {
		see_reclaim(t, op);
	} else if (op->kind == OBS_DIRTY_STATE) {
		see_state(t, op);
	} else if (op->kind == OBS_BALANCE_DIRTY) {
		sum_add(&t->kinds[op->kind], 0);
		t->pauses += op->aux > 0;
		t->pause_ms += op->aux;
	} else if (op->ino) {
		see_page_event(t, op);
	}
}

static uint64_t count_bits(GHashTable *a, GHashTable *b)
{
	GHashTableIter it;
	void *key;
	uint64_t n = 0;

	g_hash_table_iter_init(&it, a);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		const struct word *w = key, *other = b ? g_hash_table_lookup(b, key) : w;

		n += other ? (uint64_t)__builtin_popcountll(w->bits & other->bits) : 0;
	}
	return n;
}

uint64_t tally_resident(const struct tally *t)
{
	return tally_common(t, t);
}

uint64_t tally_common(const struct tally *t, const struct tally *other)
{
	GHashTableIter it;
	void *key;
	uint64_t n = 0;

	g_hash_table_iter_init(&it, t->files);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		const struct tally_file *f = key, *twin = g_hash_table_lookup(other->files, f);

		if (f->driven && twin)
			n += count_bits(f->resident, twin->resident);
	}
	return n;
}

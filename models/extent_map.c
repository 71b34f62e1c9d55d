/*
 * models/extent_map.c - file page -> block, as extents in a balanced tree.  Level 1.
 *
 * Stands for what F2FS finds through its read extent cache and dnodes (fs/f2fs/extent_cache.c): the
 * simulator needs the answer, not the lookup cost, which f2fs_data charges.  A GTree keyed by first
 * page; the last extent found is kept, since streams ask in order, and the one behind all others,
 * since files grow at their end.
 * I1  extents do not overlap and none continues its neighbour.
 */
#include "models/extent_map.h"

#include <glib.h>

struct extent_map {
	GTree *tree;	     /* struct extent *, key = value */
	struct extent *last; /* found or set last; NULL = none */
	struct extent *tail; /* of the greatest index; NULL = not known, or none */
};

static gint extent_cmp(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct extent *x = a, *y = b;

	(void)data;
	return (x->index > y->index) - (x->index < y->index);
}

struct extent_map *extent_map_new(void)
{
	struct extent_map *em = g_new0(struct extent_map, 1);

	em->tree = g_tree_new_full(extent_cmp, NULL, g_free, NULL);
	return em;
}

void extent_map_free(struct extent_map *em)
{
	if (!em)
		return;
	g_tree_destroy(em->tree);
	g_free(em);
}

static struct extent *extent_tail(struct extent_map *em)
{
	GTreeNode *node = em->tail ? NULL : g_tree_node_last(em->tree);

	if (node)
		em->tail = g_tree_node_key(node);
	return em->tail;
}

/* Is there nothing behind the extent that holds @index or lies before it? */
static bool behind_all(struct extent_map *em, pgoff_t index)
{
	const struct extent *tail = extent_tail(em);

	return !tail || index >= tail->index;
}

/* The first extent after @index, or NULL. */
static struct extent *extent_after(struct extent_map *em, pgoff_t index)
{
	struct extent key = {.index = index};
	GTreeNode *node = behind_all(em, index) ? NULL : g_tree_upper_bound(em->tree, &key);

	return node ? g_tree_node_key(node) : NULL;
}

/* The last extent that starts at or before @index, or NULL. */
static struct extent *extent_floor(struct extent_map *em, pgoff_t index)
{
	struct extent key = {.index = index};
	GTreeNode *node;

	if (behind_all(em, index))
		return extent_tail(em);
	node = g_tree_upper_bound(em->tree, &key);
	node = node ? g_tree_node_previous(node) : g_tree_node_last(em->tree);
	return node ? g_tree_node_key(node) : NULL;
}

static void extent_insert(struct extent_map *em, pgoff_t index, uint64_t len, block_t block)
{
	struct extent *e = g_new(struct extent, 1);

	*e = (struct extent){index, len, block};
	if (behind_all(em, index))
		em->tail = e;
	g_tree_insert(em->tree, e, e);
	em->last = e;
}

static void extent_remove(struct extent_map *em, struct extent *e)
{
	if (em->last == e)
		em->last = NULL;
	if (em->tail == e)
		em->tail = NULL;
	g_tree_remove(em->tree, e);
}

/* Make room: cut or remove whatever overlaps [index, end). */
static void extent_punch(struct extent_map *em, pgoff_t index, pgoff_t end)
{
	struct extent *e = extent_floor(em, index);

	if (e && e->index < index && e->index + e->len > index) {
		struct extent old = *e;

		e->len = index - e->index;
		if (old.index + old.len > end)
			extent_insert(em, end, old.index + old.len - end,
				      old.block + (end - old.index));
	}
	for (e = extent_floor(em, end - 1); e && e->index >= index; e = extent_floor(em, end - 1)) {
		struct extent old = *e;

		extent_remove(em, e);
		if (old.index + old.len > end)
			extent_insert(em, end, old.index + old.len - end,
				      old.block + (end - old.index));
	}
}

void extent_map_set(struct extent_map *em, pgoff_t index, uint64_t len, block_t block)
{
	struct extent *tail = extent_tail(em);

	assert(len && block);
	if (tail && tail->index + tail->len == index && tail->block + tail->len == block) {
		tail->len += len; /* a file that grows */
		em->last = tail;
		return;
	}
	extent_punch(em, index, index + len);

	struct extent *before = index ? extent_floor(em, index - 1) : NULL;
	struct extent *after = extent_after(em, index);

	if (after && after->index == index + len && after->block == block + len) {
		len += after->len;
		extent_remove(em, after);
	}
	if (before && before->index + before->len == index &&
	    before->block + before->len == block) {
		before->len += len;
		em->last = before;
		return;
	}
	extent_insert(em, index, len, block);
}

void extent_map_truncate(struct extent_map *em, pgoff_t index)
{
	extent_punch(em, index, UINT64_MAX);
}

struct extent extent_map_lookup(struct extent_map *em, pgoff_t index)
{
	struct extent *e = em->last;

	if (!e || index < e->index || index >= e->index + e->len)
		e = extent_floor(em, index);
	if (e && index < e->index + e->len) {
		uint64_t skip = index - e->index;

		em->last = e;
		return (struct extent){index, e->len - skip, e->block + skip};
	}
	e = extent_after(em, index);
	return (struct extent){index, (e ? e->index : UINT64_MAX) - index, 0};
}

/*
 * sim/xarray.c - see sim/xarray.h.
 *
 * A tree of nodes with 64 slots each.  A node keeps one bitmap for "slot used" and one a mark; in
 * an inner node a mark's bit says that some entry below bears it, so a marked walk skips clean
 * subtrees 64 at a time.  The leaf of the last access is remembered: sequential access never
 * descends.
 *
 * I1  no node but the root is empty, and the root is there only while nr > 0.
 * I2  bit i of bits[mark] of an inner node = bits[mark] of its child i is not 0.
 * I3  a root above the leaves has an entry beyond its slot 0 (else the tree is lowered).
 */
#include "sim/xarray.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 6u
#define SLOTS (1u << SLOT_BITS)

/* Bitmaps of a node: the marks, then the used slots. */
#define USED XA_NR_MARKS

struct xa_node {
	struct xa_node *parent; /* NULL for the root */
	uint8_t shift;		/* index bits below this level; 0 = leaf */
	uint8_t offset;		/* slot in the parent */
	uint64_t bits[XA_NR_MARKS + 1];
	void *slot[SLOTS];
};

static unsigned int slot_of(const struct xa_node *node, uint64_t index)
{
	return (unsigned int)(index >> node->shift) % SLOTS;
}

static bool has(const struct xa_node *node, unsigned int slot, unsigned int which)
{
	return node->bits[which] >> slot & 1;
}

/* Does the tree reach up to @index? */
static bool covers(const struct xarray *xa, uint64_t index)
{
	unsigned int bits = xa->height * SLOT_BITS;

	return xa->height && (bits >= 64 || !(index >> bits));
}

static struct xa_node *node_new(struct xa_node *parent, unsigned int shift, unsigned int offset)
{
	struct xa_node *node = malloc(sizeof(*node));

	if (!node)
		g_error("out of memory for the page index");
	memset(node, 0, sizeof(*node));
	node->parent = parent;
	node->shift = (uint8_t)shift;
	node->offset = (uint8_t)offset;
	return node;
}

/* Leaf that holds @index, from the cache or from the root; NULL when there is none. */
static struct xa_node *leaf_of(struct xarray *xa, uint64_t index)
{
	struct xa_node *node = xa->root;

	if (xa->last && index - xa->last_base < SLOTS)
		return xa->last;
	if (!covers(xa, index))
		return NULL;
	while (node->shift) {
		unsigned int slot = slot_of(node, index);

		if (!has(node, slot, USED))
			return NULL;
		node = node->slot[slot];
	}
	xa->last = node;
	xa->last_base = index & ~(uint64_t)(SLOTS - 1);
	return node;
}

/* Leaf of an entry that must be there. */
static struct xa_node *leaf_with(struct xarray *xa, uint64_t index)
{
	struct xa_node *leaf = leaf_of(xa, index);

	assert(leaf && has(leaf, slot_of(leaf, index), USED));
	return leaf;
}

/* Set or clear a mark of a leaf's slot, and upwards until a level does not change. */
static void set_mark(struct xarray *xa, struct xa_node *node, unsigned int slot, unsigned int mark)
{
	if (has(node, slot, mark))
		return;
	xa->nr_marked[mark]++;
	for (; node && !has(node, slot, mark); node = node->parent) {
		node->bits[mark] |= UINT64_C(1) << slot;
		slot = node->offset;
	}
}

static void clear_mark(struct xarray *xa, struct xa_node *node, unsigned int slot,
		       unsigned int mark)
{
	if (!has(node, slot, mark))
		return;
	xa->nr_marked[mark]--;
	for (; node; node = node->parent) {
		node->bits[mark] &= ~(UINT64_C(1) << slot);
		if (node->bits[mark])
			break;
		slot = node->offset;
	}
}

void xa_init(struct xarray *xa)
{
	memset(xa, 0, sizeof(*xa));
}

static void node_free(struct xa_node *node)
{
	for (uint64_t used = node->shift ? node->bits[USED] : 0; used; used &= used - 1)
		node_free(node->slot[__builtin_ctzll(used)]);
	free(node);
}

void xa_destroy(struct xarray *xa)
{
	if (xa->root)
		node_free(xa->root);
	xa_init(xa);
}

void *xa_load(struct xarray *xa, uint64_t index)
{
	struct xa_node *leaf = leaf_of(xa, index);

	return leaf ? leaf->slot[index % SLOTS] : NULL;
}

/* Put a new root over the old one (its slot 0, with its bits), or make the first. */
static void grow(struct xarray *xa)
{
	struct xa_node *old = xa->root;

	xa->root = node_new(NULL, xa->height * SLOT_BITS, 0);
	xa->height++;
	if (!old)
		return;
	old->parent = xa->root;
	xa->root->slot[0] = old;
	for (unsigned int which = 0; which <= USED; which++)
		xa->root->bits[which] = old->bits[which] != 0;
}

/* Make the tree reach up to @index.  An empty tree starts at its height: no node is ever empty. */
static void reach(struct xarray *xa, uint64_t index)
{
	if (!xa->root)
		while (xa->height * SLOT_BITS < 64 && index >> xa->height * SLOT_BITS >= SLOTS)
			xa->height++;
	while (!covers(xa, index) || !xa->root)
		grow(xa);
}

void xa_insert(struct xarray *xa, uint64_t index, void *entry)
{
	struct xa_node *node = leaf_of(xa, index);

	assert(entry);
	if (!node) {
		reach(xa, index);
		for (node = xa->root; node->shift; node = node->slot[slot_of(node, index)]) {
			unsigned int slot = slot_of(node, index);

			if (has(node, slot, USED))
				continue;
			node->slot[slot] = node_new(node, node->shift - SLOT_BITS, slot);
			node->bits[USED] |= UINT64_C(1) << slot;
		}
		xa->last = node;
		xa->last_base = index & ~(uint64_t)(SLOTS - 1);
	}
	assert(!has(node, slot_of(node, index), USED));
	node->slot[slot_of(node, index)] = entry;
	node->bits[USED] |= UINT64_C(1) << slot_of(node, index);
	xa->nr++;
}

/* Free @node and what gets empty above it. */
static void prune(struct xarray *xa, struct xa_node *node)
{
	xa->last = NULL;
	while (node && !node->bits[USED]) {
		struct xa_node *parent = node->parent;

		if (parent) {
			parent->slot[node->offset] = NULL;
			parent->bits[USED] &= ~(UINT64_C(1) << node->offset);
		} else {
			xa->root = NULL;
			xa->height = 0;
		}
		free(node);
		node = parent;
	}
	while (xa->height > 1 && xa->root->bits[USED] == 1) {
		struct xa_node *old = xa->root;

		xa->root = old->slot[0];
		xa->root->parent = NULL;
		xa->height--;
		free(old);
	}
}

void *xa_erase(struct xarray *xa, uint64_t index)
{
	struct xa_node *leaf = leaf_of(xa, index);
	unsigned int slot = index % SLOTS;
	void *entry = leaf ? leaf->slot[slot] : NULL;

	if (!entry)
		return NULL;
	for (unsigned int mark = 0; mark < XA_NR_MARKS; mark++)
		clear_mark(xa, leaf, slot, mark);
	leaf->slot[slot] = NULL;
	leaf->bits[USED] &= ~(UINT64_C(1) << slot);
	xa->nr--;
	if (!leaf->bits[USED])
		prune(xa, leaf);
	return entry;
}

bool xa_get_mark(struct xarray *xa, uint64_t index, unsigned int mark)
{
	assert(mark < XA_NR_MARKS);
	return has(leaf_with(xa, index), index % SLOTS, mark);
}

void xa_set_mark(struct xarray *xa, uint64_t index, unsigned int mark)
{
	assert(mark < XA_NR_MARKS);
	set_mark(xa, leaf_with(xa, index), index % SLOTS, mark);
}

void xa_clear_mark(struct xarray *xa, uint64_t index, unsigned int mark)
{
	assert(mark < XA_NR_MARKS);
	clear_mark(xa, leaf_with(xa, index), index % SLOTS, mark);
}

/* Nearest node above @node with slots after it, *@index moved to the first of them; NULL = none. */
static struct xa_node *climb(struct xa_node *node, uint64_t *index)
{
	while (node->parent && node->offset == SLOTS - 1)
		node = node->parent;
	node = node->parent;
	if (node)
		*index = ((*index >> node->shift) + 1) << node->shift;
	return node;
}

static void *find(struct xarray *xa, uint64_t *index, uint64_t max, unsigned int which)
{
	uint64_t at = *index;
	struct xa_node *node = covers(xa, at) ? xa->root : NULL;

	if (xa->last && at - xa->last_base < SLOTS)
		node = xa->last;
	while (node) {
		unsigned int slot = slot_of(node, at);
		uint64_t rest = node->bits[which] >> slot;
		unsigned int skip = rest ? (unsigned int)__builtin_ctzll(rest) : 0;

		if (!rest) {
			node = climb(node, &at);
			continue;
		}
		if (skip)
			at = ((at >> node->shift) + skip) << node->shift;
		if (at > max)
			return NULL;
		if (node->shift) {
			node = node->slot[slot + skip];
			continue;
		}
		xa->last = node;
		xa->last_base = at & ~(uint64_t)(SLOTS - 1);
		*index = at;
		/* cppcheck-suppress nullPointerRedundantCheck ; the bit says the slot is taken */
		return node->slot[slot + skip];
	}
	return NULL;
}

void *xa_find(struct xarray *xa, uint64_t *index, uint64_t max)
{
	return find(xa, index, max, USED);
}

void *xa_find_marked(struct xarray *xa, uint64_t *index, uint64_t max, unsigned int mark)
{
	assert(mark < XA_NR_MARKS);
	return xa->nr_marked[mark] ? find(xa, index, max, mark) : NULL;
}

uint64_t xa_next_miss(struct xarray *xa, uint64_t index, uint64_t max)
{
	assert(max < UINT64_MAX);
	while (index <= max) {
		struct xa_node *leaf = leaf_of(xa, index);
		uint64_t holes = leaf ? ~leaf->bits[USED] >> index % SLOTS : 1;

		if (holes)
			return MIN(index + (uint64_t)__builtin_ctzll(holes), max + 1);
		index = (index / SLOTS + 1) * SLOTS;
	}
	return max + 1;
}

int64_t xa_prev_miss(struct xarray *xa, uint64_t index, uint64_t min)
{
	assert(index <= INT64_MAX);
	while (index >= min) {
		struct xa_node *leaf = leaf_of(xa, index);
		uint64_t holes = leaf ? ~leaf->bits[USED] << (SLOTS - 1 - index % SLOTS) : 1;
		uint64_t down = leaf && holes ? (uint64_t)__builtin_clzll(holes) : 0;

		if (holes)
			return index - min >= down ? (int64_t)(index - down) : -1;
		if (index < SLOTS)
			break;
		index = index / SLOTS * SLOTS - 1;
	}
	return -1;
}

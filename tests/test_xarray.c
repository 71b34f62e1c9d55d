/*
 * tests/test_xarray.c - the page index against a GTree, with random programs.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <malloc.h>

#include "sim/rng.h"
#include "sim/xarray.h"

struct item {
	uint64_t index;
	bool mark[XA_NR_MARKS];
};

static int by_index(const void *a, const void *b, void *unused)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	(void)unused;
	return (x > y) - (x < y);
}

/* First item at or after @index that bears @mark (XA_NR_MARKS = any), walked one by one. */
static struct item *oracle_find(GTree *tree, uint64_t index, uint64_t max, unsigned int mark)
{
	for (GTreeNode *n = g_tree_lower_bound(tree, &index); n; n = g_tree_node_next(n)) {
		struct item *item = g_tree_node_value(n);

		if (item->index > max)
			break;
		if (mark == XA_NR_MARKS || item->mark[mark])
			return item;
	}
	return NULL;
}

static uint64_t oracle_next_miss(GTree *tree, uint64_t index, uint64_t max)
{
	while (index <= max && g_tree_lookup(tree, &index))
		index++;
	return index;
}

static int64_t oracle_prev_miss(GTree *tree, uint64_t index, uint64_t min)
{
	int64_t at = (int64_t)index;

	for (; at >= (int64_t)min; at--)
		if (!g_tree_lookup(tree, &(uint64_t){(uint64_t)at}))
			return at;
	return -1;
}

/* Indices come in clumps: runs near a few far bases, so that misses and shared leaves both occur.
 */
static uint64_t draw(struct rng *r)
{
	static const uint64_t bases[] = {0,
					 60,
					 4090,
					 UINT64_C(1) << 18,
					 (UINT64_C(1) << 30) - 40,
					 (UINT64_C(1) << 40) - 100};

	return bases[rng_below(r, G_N_ELEMENTS(bases))] + rng_below(r, 100);
}

static void change(struct xarray *xa, GTree *tree, struct rng *r)
{
	uint64_t index = draw(r);
	struct item *item = g_tree_lookup(tree, &index);
	unsigned int mark = (unsigned int)rng_below(r, XA_NR_MARKS);

	cr_assert_eq(xa_load(xa, index), item);
	if (!item) {
		item = g_new0(struct item, 1);
		item->index = index;
		g_tree_insert(tree, &item->index, item);
		xa_insert(xa, index, item);
	} else if (rng_below(r, 3) == 0) {
		cr_assert_eq(xa_erase(xa, index), item);
		g_tree_remove(tree, &index);
	} else if (item->mark[mark]) {
		xa_clear_mark(xa, index, mark);
		item->mark[mark] = false;
	} else {
		xa_set_mark(xa, index, mark);
		item->mark[mark] = true;
	}
}

static void compare_walks(struct xarray *xa, GTree *tree, struct rng *r)
{
	uint64_t index = draw(r), max = draw(r), at = index, span = rng_below(r, 150);
	struct item *want = oracle_find(tree, index, max, XA_NR_MARKS);

	cr_assert_eq(xa_find(xa, &at, max), want);
	cr_assert_eq(at, want ? want->index : index);
	for (unsigned int mark = 0; mark < XA_NR_MARKS; mark++) {
		at = index;
		want = oracle_find(tree, index, max, mark);
		cr_assert_eq(xa_find_marked(xa, &at, max, mark), want);
		cr_assert_eq(at, want ? want->index : index);
	}
	max = index + span;
	cr_assert_eq(xa_next_miss(xa, index, max), oracle_next_miss(tree, index, max));
	max = index - MIN(index, span);
	cr_assert_eq(xa_prev_miss(xa, index, max), oracle_prev_miss(tree, index, max));
}

static void compare_counts(const struct xarray *xa, GTree *tree)
{
	uint64_t marked[XA_NR_MARKS] = {0};

	for (GTreeNode *n = g_tree_node_first(tree); n; n = g_tree_node_next(n))
		for (unsigned int mark = 0; mark < XA_NR_MARKS; mark++)
			marked[mark] += ((struct item *)g_tree_node_value(n))->mark[mark];
	cr_assert_eq(xa->nr, (uint64_t)g_tree_nnodes(tree));
	for (unsigned int mark = 0; mark < XA_NR_MARKS; mark++)
		cr_assert_eq(xa->nr_marked[mark], marked[mark]);
}

Test(xarray, random_programs_match_a_tree)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		GTree *tree = g_tree_new_full(by_index, NULL, NULL, g_free);
		struct xarray xa;
		struct rng r;

		rng_init(&r, seed, "xarray");
		xa_init(&xa);
		for (unsigned int n = 0; n < 20000; n++) {
			change(&xa, tree, &r);
			compare_walks(&xa, tree, &r);
			if (n % 500 == 0)
				compare_counts(&xa, tree);
		}
		for (uint64_t at = 0; xa.nr > 0; at = 0) { /* empty it: every node goes */
			cr_assert_not_null(xa_find(&xa, &at, UINT64_MAX));
			xa_erase(&xa, at);
		}
		cr_assert_null(xa.root);
		cr_assert_eq(xa.nr_marked[XA_MARK_0] + xa.nr_marked[XA_MARK_1], 0);
		xa_destroy(&xa);
		g_tree_unref(tree);
	}
}

Test(xarray, whole_index_range)
{
	struct xarray xa;
	uint64_t at = 1;
	int entry;

	xa_init(&xa);
	xa_insert(&xa, UINT64_MAX, &entry);
	cr_assert_eq(xa_load(&xa, UINT64_MAX), &entry);
	cr_assert_eq(xa_find(&xa, &at, UINT64_MAX), &entry);
	cr_assert_eq(at, UINT64_MAX);
	xa_insert(&xa, 0, &entry);
	cr_assert_eq(xa_erase(&xa, UINT64_MAX), &entry);
	cr_assert_eq(xa.height, 1); /* lowered to the leaf that is left */
	xa_destroy(&xa);
}

/* A clear of the last mark below an inner node must reach the root, and only then. */
Test(xarray, marks_propagate)
{
	struct xarray xa;
	uint64_t at = 0;
	int entry;

	xa_init(&xa);
	for (uint64_t i = 0; i < 10000; i++)
		xa_insert(&xa, i, &entry);
	xa_set_mark(&xa, 9999, XA_MARK_0);
	xa_set_mark(&xa, 9998, XA_MARK_0);
	xa_set_mark(&xa, 9998, XA_MARK_0); /* again: counted once */
	cr_assert_eq(xa.nr_marked[XA_MARK_0], 2);
	xa_erase(&xa, 9998);
	cr_assert_not_null(xa_find_marked(&xa, &at, 9999, XA_MARK_0));
	cr_assert_eq(at, 9999);
	at = 0;
	cr_assert_null(xa_find_marked(&xa, &at, 9998, XA_MARK_0));
	xa_clear_mark(&xa, 9999, XA_MARK_0);
	cr_assert_null(xa_find_marked(&xa, &at, 9999, XA_MARK_0));
	xa_destroy(&xa);
}

/* DESIGN.md 8 allows 12 bytes of index a page; malloc's own words count. */
Test(xarray, dense_bytes_an_entry)
{
#ifdef F2SIM_SANITIZE
	cr_skip_test("the sanitizer's malloc does not count");
#else
	enum { N = 1 << 20 };
	struct xarray xa;
	size_t before = mallinfo2().uordblks, bytes;
	int entry;

	xa_init(&xa);
	for (uint64_t i = 0; i < N; i++)
		xa_insert(&xa, i, &entry);
	bytes = mallinfo2().uordblks - before;
	cr_assert(bytes >= 8 * (size_t)N && bytes <= 12 * (size_t)N, "%.2f bytes an entry",
		  (double)bytes / N);
	cr_log_info("%.2f bytes an entry", (double)bytes / N);
	xa_destroy(&xa);
#endif
}

Test(xarray, storing_twice_aborts, .signal = SIGABRT)
{
	struct xarray xa;
	int entry;

	xa_init(&xa);
	xa_insert(&xa, 5, &entry);
	xa_insert(&xa, 5, &entry);
}

Test(xarray, marking_nothing_aborts, .signal = SIGABRT)
{
	struct xarray xa;

	xa_init(&xa);
	xa_set_mark(&xa, 5, XA_MARK_1);
}

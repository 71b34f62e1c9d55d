/*
 * tests/test_vmscan_policy.c - one reclaim of lists made by hand, classic and MGLRU (KERNEL 5.3,
 * 5.4, 5.7).
 */
#include <criterion/criterion.h>

#include "models/vmscan_internal.h"
#include "tests/machine.h"

enum { INO = 5, NR = 8192 }; /* pages of the file, all cached, oldest first */

/* A machine with memory to spare and the file in its cache. */
static struct sim *cached(const char *lru)
{
	g_autofree char *ini = g_strdup_printf("[device]\nmodel = fixed\nread_time = 10us\n"
					       "parallel = 8\n[host]\nnr_cpus = 4\nmemory = 64MiB\n"
					       "[filemap]\nread_ahead = 0\n[vmscan]\nlru = %s\n",
					       lru);
	struct sim *sim = machine_new(ini);
	struct op op = machine_read(INO, 0, (int64_t)NR << 12, 0);

	f2fs_set_initial_size(machine_inode(sim, INO), (int64_t)NR << 12);
	machine_ops(sim, &op, 1);
	cr_assert_eq(machine_resident(sim, INO), NR);
	return sim;
}

static struct folio *page(struct sim *sim, pgoff_t index)
{
	return filemap_get_folio(&machine_inode(sim, INO)->i_data, index);
}

static void dirty(struct sim *sim, pgoff_t first, pgoff_t end)
{
	for (pgoff_t index = first; index < end; index++)
		folio_mark_dirty(filemap_of(sim), page(sim, index));
	mark_inode_dirty(fs_writeback_of(sim), machine_inode(sim, INO));
}

/* Read pages [first, end) again, a call a page. */
static void read_again(struct sim *sim, unsigned int first, unsigned int end)
{
	for (unsigned int i = first; i < end; i++) {
		struct op op = machine_read(INO, (int64_t)i << 12, 4096, 0);

		machine_ops(sim, &op, 1);
	}
}

static uint64_t vm(const struct sim *sim, const char *counter)
{
	return machine_stat(sim, "vmscan", counter);
}

/* @nr wanted, starting at @priority: as kswapd or a direct reclaimer would. */
static struct scan_control reclaim(struct sim *sim, uint64_t nr, int priority)
{
	struct scan_control sc = {.nr_to_reclaim = nr, .priority = priority};
	struct vmscan *vs = vmscan_of(sim);
	int64_t cost_ns = 0;

	while (reclaim_slice(vs, &vs->fm->lruvec, &sc, &cost_ns) == RECLAIM_GOES_ON)
		;
	vs->stat.pgscan_direct += sc.nr_scanned;
	vs->stat.pgsteal_direct += sc.nr_reclaimed;
	return sc;
}

/* Size >> priority a pass, each of what the last one left: 8192 >> 12 = 2, 8190 >> 11 = 3,
 * 8187 >> 10 = 7, 8180 >> 9 = 15, 8165 >> 8 = 31: 27 are less than 32, 58 are enough. */
Test(vmscan_classic, a_share_of_the_list_each_pass)
{
	struct sim *sim = cached("classic");
	struct scan_control sc = reclaim(sim, 32, DEF_PRIORITY);

	cr_assert_eq(sc.nr_scanned, 58);
	cr_assert_eq(sc.nr_reclaimed, 58);
	cr_assert_eq(sc.priority, 7);
	cr_assert_null(page(sim, 57)); /* the oldest went */
	cr_assert_not_null(page(sim, 58));
	machine_free(sim);
}

/* CPU time: 58 looks and 58 freed. */
Test(vmscan_classic, time_by_the_page)
{
	struct sim *sim = cached("classic");
	struct scan_control sc = {0};
	int64_t cost_ns = 0;
	enum reclaim_result result;

	do
		result = direct_reclaim(vmscan_of(sim), &sc, &cost_ns);
	while (result == RECLAIM_GOES_ON);
	cr_assert_eq(result, RECLAIM_FREED);
	cr_assert_eq(cost_ns, 58 * (100 + 700)); /* defaults of scan_page_ns, reclaim_page_ns */
	cr_assert_eq(vm(sim, "allocstall"), 1);
	cr_assert_eq(vm(sim, "pgscan_direct"), 58);
	cr_assert_eq(vm(sim, "pgsteal_direct"), 58);
	machine_free(sim);
}

/* 40 dirty pages are the oldest.  First batch: 32 dirty, activated.  Second: 8 dirty, 24 freed.
 * Third: 32 freed, which makes 56 of the 32 wanted. */
Test(vmscan_classic, dirty_pages_become_active)
{
	struct sim *sim = cached("classic");

	dirty(sim, 0, 40);
	struct scan_control sc = reclaim(sim, 32, 0);

	cr_assert_eq(sc.nr_scanned, 96);
	cr_assert_eq(sc.nr_reclaimed, 56);
	cr_assert_eq(vm(sim, "pgactivate"), 40);
	cr_assert_eq(vm(sim, "nr_vmscan_immediate_reclaim"), 40);
	cr_assert_eq(lruvec_active_pages(&filemap_of(sim)->lruvec), 40);
	cr_assert_eq(page(sim, 39)->flags & (PG_active | PG_reclaim | PG_dirty),
		     PG_active | PG_reclaim | PG_dirty);
	machine_free(sim);
}

/* Such a page is the next to go when its writeback ends: PG_reclaim brings it to the old end. */
Test(vmscan_classic, written_pages_go_first)
{
	struct sim *sim = cached("classic");
	struct filemap *fm = filemap_of(sim);

	dirty(sim, 0, 32);
	reclaim(sim, 32, 0);
	cr_assert_eq(machine_resident(sim, INO), NR - 32); /* pages 32 .. 63 went */
	folio_clear_dirty_for_io(fm, page(sim, 7));
	folio_start_writeback(fm, page(sim, 7));
	folio_end_writeback(fm, page(sim, 7), true);
	cr_assert_eq(fm->lruvec.tail[LRU_INACTIVE_FILE], page(sim, 7));
	cr_assert_eq(page(sim, 7)->flags & (PG_active | PG_reclaim), 0);
	reclaim(sim, 1, 0);
	cr_assert_null(page(sim, 7));
	machine_free(sim);
}

/* Second chance: a page read by two calls is active.  4,096 of each are even, below a GiB the lists
 * should be: nothing is deactivated.  4,064 inactive are low: a batch takes 32 of each list. */
Test(vmscan_classic, active_list_shrinks_when_inactive_is_low)
{
	struct sim *sim = cached("classic");

	read_again(sim, 0, 4096);
	cr_assert_eq(lruvec_active_pages(&filemap_of(sim)->lruvec), 4096);
	reclaim(sim, 32, 0);
	cr_assert_eq(vm(sim, "pgdeactivate"), 0);
	cr_assert_null(page(sim, 4096));
	reclaim(sim, 32, 0);
	cr_assert_eq(vm(sim, "pgdeactivate"), 32);
	cr_assert_eq(vm(sim, "pgrefill"), 32);
	cr_assert_eq(lruvec_active_pages(&filemap_of(sim)->lruvec), 4064);
	cr_assert_eq(lruvec_inactive_pages(&filemap_of(sim)->lruvec), 4064);
	cr_assert_eq(page(sim, 0)->flags & PG_active, 0);
	cr_assert_not_null(page(sim, 4095));
	machine_free(sim);
}

/* Locked pages are counted and go back to the young end. */
Test(vmscan_classic, locked_pages_stay)
{
	struct sim *sim = cached("classic");

	page(sim, 0)->flags |= PG_locked;
	struct scan_control sc = reclaim(sim, 1, 0);

	cr_assert_eq(sc.nr_scanned, 32);
	cr_assert_eq(sc.nr_reclaimed, 31);
	cr_assert_eq(filemap_of(sim)->lruvec.head[LRU_INACTIVE_FILE], page(sim, 0));
	page(sim, 0)->flags &= ~PG_locked;
	machine_free(sim);
}

/* A dropbehind folio that is clean is like any other: freed, and no read makes it active. */
Test(vmscan_classic, dropbehind_pages)
{
	struct sim *sim = cached("classic");
	struct lruvec *lruvec = &filemap_of(sim)->lruvec;

	page(sim, 0)->flags |= PG_dropbehind;
	folio_mark_accessed(lruvec, page(sim, 0));
	folio_mark_accessed(lruvec, page(sim, 0));
	cr_assert_eq(lruvec_active_pages(lruvec), 0);
	cr_assert_eq(reclaim(sim, 1, 0).nr_reclaimed, 32);
	cr_assert_null(page(sim, 0));
	machine_free(sim);
}

/* 8192 >> 12 = 2 pages to look at, but a batch ends at 64 isolated: scanned = stolen = 64. */
Test(vmscan_mglru, a_batch_of_64)
{
	struct sim *sim = cached("mglru");
	struct scan_control sc = reclaim(sim, 32, DEF_PRIORITY);

	cr_assert_eq(sc.nr_scanned, 64);
	cr_assert_eq(sc.nr_reclaimed, 64);
	cr_assert_null(page(sim, 63));
	cr_assert_not_null(page(sim, 64));
	machine_free(sim);
}

/* 100 dirty pages are sorted into the next generation (pgrefill), not scanned. */
Test(vmscan_mglru, dirty_pages_are_sorted)
{
	struct sim *sim = cached("mglru");
	struct lruvec *lruvec = &filemap_of(sim)->lruvec;

	cr_assert_eq(lruvec->min_seq, 0);
	cr_assert_eq(lruvec->max_seq, 3);
	cr_assert_eq(lruvec->nr_pages[0], NR); /* plain file pages: max_seq - 3 */
	dirty(sim, 0, 100);
	struct scan_control sc = reclaim(sim, 32, DEF_PRIORITY);

	cr_assert_eq(sc.batch.looked, 164);
	cr_assert_eq(sc.nr_scanned, 64);
	cr_assert_eq(sc.nr_reclaimed, 64);
	cr_assert_eq(vm(sim, "pgrefill"), 100);
	cr_assert_eq(lruvec->nr_pages[1], 100);
	cr_assert_eq(lruvec->nr_pages[0], NR - 164);
	cr_assert_neq(page(sim, 99)->flags & PG_reclaim, 0);
	machine_free(sim);
}

/* 5,000 dirty pages: a batch looks at 4,096 of them and isolates none; the next priority's looks at
 * 904 more and isolates 64. */
Test(vmscan_mglru, a_batch_looks_at_4096)
{
	struct sim *sim = cached("mglru");

	dirty(sim, 0, 5000);
	struct scan_control sc = reclaim(sim, 32, DEF_PRIORITY);

	cr_assert_eq(sc.priority, 10); /* 12: nothing; 11: 64 */
	cr_assert_eq(sc.batch.looked, 904 + 64);
	cr_assert_eq(sc.nr_scanned, 64);
	cr_assert_eq(vm(sim, "pgrefill"), 5000);
	machine_free(sim);
}

/*
 * All 8,192 pages dirty.  Two batches of 4,096, a priority each, take them to the next generation,
 * and the one they left is closed.  With three generations left a pass only opens another: priority
 * 11 and 10 take all to generation 1, 9 opens 4; 8 and 7 to 2, 6 opens 5; 5 and 4 to 3, 3 opens 6;
 * 2 and 1 to 4, 0 opens 7.
 */
Test(vmscan_mglru, empty_generations_are_closed)
{
	struct sim *sim = cached("mglru");
	struct lruvec *lruvec = &filemap_of(sim)->lruvec;

	dirty(sim, 0, NR);
	cr_assert_eq(reclaim(sim, 32, 11).nr_scanned, 0);
	cr_assert_eq(lruvec->min_seq, 4);
	cr_assert_eq(lruvec->max_seq, 7);
	cr_assert_eq(lruvec->nr_pages[4 % MAX_NR_GENS], NR);
	cr_assert_eq(vm(sim, "pgrefill"), 8 * 4096);
	machine_free(sim);
}

/* Reads through descriptors never make a page active: Active(file) is the two youngest. */
Test(vmscan_mglru, reads_do_not_promote)
{
	struct sim *sim = cached("mglru");

	read_again(sim, 0, 100);
	read_again(sim, 0, 100);
	cr_assert_eq(lruvec_active_pages(&filemap_of(sim)->lruvec), 0);
	cr_assert_neq(page(sim, 0)->flags & PG_referenced, 0);
	machine_free(sim);
}

/*
 * tests/test_pagemap_drop.c - the gates of a drop at the end of writeback (KERNEL.md 2.1, 2.2).
 *
 * A gate is tried on a folio put into the state it asks for, in the context it asks for.
 */
#include <criterion/criterion.h>

#include "models/pagemap_drop.h"
#include "tests/machine.h"

#define MACHINE "[device]\nmodel = fixed\n[f2fs_data]\ndontcache = read_write\n"
#define POLICY(p) MACHINE "[bio]\ncompletion = " p "\n"

/* A clean, uptodate dropbehind folio under writeback, and @more flags. */
static struct folio *written_folio(struct sim *sim, pgoff_t index, uint32_t more)
{
	struct filemap *fm = filemap_of(sim);
	struct folio *folio = filemap_add_folio(fm, &machine_inode(sim, 5)->i_data, index, 0,
						PG_uptodate | PG_dropbehind | more);

	cr_assert(folio);
	folio_start_writeback(fm, folio);
	return folio;
}

static void end_in(struct sim *sim, struct folio *folio, enum cpu_context ctx)
{
	struct context_frame frame;

	context_enter(sim, &frame, ctx, 0, "test");
	folio_end_writeback(filemap_of(sim), folio, ctx == CTX_TASK);
	context_leave(sim, &frame);
}

Test(pagemap_drop, a_task_drops_an_idle_clean_folio)
{
	struct sim *sim = machine_new(MACHINE);

	end_in(sim, written_folio(sim, 0, 0), CTX_TASK);
	cr_assert_eq(machine_resident(sim, 5), 0);
	cr_assert_eq(machine_stat(sim, "filemap", "pages_dropped"), 1);
	cr_assert_eq(machine_inode(sim, 5)->i_data.i_pages.height, 0, "no shadow entry");
	cr_assert_eq(sim->context.nr_violations, 0);
	machine_free(sim);
}

/* A reader holds the lock: tried, not waited for; the flag survives. */
Test(pagemap_drop, a_locked_folio_stays_with_its_flag)
{
	struct sim *sim = machine_new(MACHINE);
	struct folio *folio = written_folio(sim, 0, 0);

	folio->flags = (folio->flags & ~PG_uptodate) | PG_locked;
	end_in(sim, folio, CTX_TASK);
	cr_assert_eq(machine_resident(sim, 5), 1);
	cr_assert(folio->flags & PG_dropbehind);
	cr_assert_eq(machine_stat(sim, "filemap", "drop_skipped_locked"), 1);
	machine_free(sim);
}

/* Dirtied again while it was written: it stays, and leaves after its next writeback. */
Test(pagemap_drop, a_dirty_folio_leaves_after_its_next_writeback)
{
	struct sim *sim = machine_new(MACHINE);
	struct filemap *fm = filemap_of(sim);
	struct folio *folio = written_folio(sim, 0, 0);

	folio_mark_dirty(fm, folio);
	end_in(sim, folio, CTX_TASK);
	cr_assert(folio->flags & PG_dropbehind);
	cr_assert_eq(machine_stat(sim, "filemap", "drop_skipped_busy"), 1);
	folio_clear_dirty_for_io(fm, folio);
	folio_start_writeback(fm, folio);
	end_in(sim, folio, CTX_TASK);
	cr_assert_eq(machine_resident(sim, 5), 0);
	machine_free(sim);
}

/* Mapped is no veto: unmapped first; whoever mapped it finds nothing cached then. */
Test(pagemap_drop, a_mapped_folio_is_unmapped_first)
{
	struct sim *sim = machine_new(MACHINE);
	struct filemap *fm = filemap_of(sim);
	struct address_space *mapping = &machine_inode(sim, 5)->i_data;
	struct folio *folio = written_folio(sim, 3, 0);

	cr_assert_eq(filemap_fault(fm, mapping, 3), folio);
	cr_assert_eq(filemap_fault(fm, mapping, 3), folio); /* mapped by now: no fault */
	cr_assert_eq(machine_stat(sim, "dropbehind", "minor_faults"), 1);
	cr_assert_eq(machine_stat(sim, "dropbehind", "nr_mapped"), 1);
	end_in(sim, folio, CTX_TASK);
	cr_assert_eq(machine_resident(sim, 5), 0);
	cr_assert_eq(machine_stat(sim, "dropbehind", "folios_unmapped"), 1);
	cr_assert_eq(machine_stat(sim, "dropbehind", "nr_mapped"), 0);
	cr_assert_null(filemap_fault(fm, mapping, 3));
	cr_assert_eq(sim->context.nr_violations, 0);
	machine_free(sim);
}

/* release_folio() refuses: unmapped and without its flag, but there; touching it is a minor fault.
 */
Test(pagemap_drop, private_data_keeps_the_page_without_the_flag)
{
	struct sim *sim = machine_new(MACHINE);
	struct filemap *fm = filemap_of(sim);
	struct address_space *mapping = &machine_inode(sim, 5)->i_data;
	struct folio *folio = written_folio(sim, 0, PG_private);

	filemap_fault(fm, mapping, 0);
	end_in(sim, folio, CTX_TASK);
	cr_assert_eq(machine_resident(sim, 5), 1);
	cr_assert_not(folio->flags & (PG_dropbehind | PG_mapped));
	cr_assert_eq(machine_stat(sim, "dropbehind", "release_refused"), 1);
	filemap_fault(fm, mapping, 0);
	cr_assert_eq(machine_stat(sim, "dropbehind", "minor_faults"), 2);
	machine_free(sim);
}

/* fadvise leaves mapped pages alone, truncate takes them out of the page tables. */
Test(pagemap_drop, truncate_unmaps_and_fadvise_does_not)
{
	struct sim *sim = machine_new(MACHINE);
	struct filemap *fm = filemap_of(sim);
	struct address_space *mapping = &machine_inode(sim, 5)->i_data;

	end_in(sim, written_folio(sim, 0, 0), CTX_SOFTIRQ);
	filemap_fault(fm, mapping, 0);
	invalidate_mapping_pages(fm, mapping, 0, 10);
	cr_assert_eq(mapping->nrpages, 1);
	truncate_inode_pages(fm, mapping, 0);
	cr_assert_eq(mapping->nrpages, 0);
	cr_assert_eq(machine_stat(sim, "dropbehind", "nr_mapped"), 0);
	machine_free(sim);
}

/* irq_skip: kept from 6.16 on, so that a read may still drop it; lost before, unless dirty. */
Test(pagemap_drop, the_flag_in_softirq_by_kernel)
{
	struct sim *sim = machine_new(POLICY("irq_skip"));
	struct folio *folio = written_folio(sim, 0, 0);

	end_in(sim, folio, CTX_SOFTIRQ);
	cr_assert(folio->flags & PG_dropbehind);
	cr_assert_eq(machine_stat(sim, "filemap", "drop_skipped_irq"), 1);
	cr_assert(filemap_end_dropbehind_read(filemap_of(sim), folio));
	machine_free(sim);

	sim = machine_new(POLICY("irq_skip") "[dropbehind]\nirq_flag = lost\n");
	folio = written_folio(sim, 0, 0);
	end_in(sim, folio, CTX_SOFTIRQ);
	cr_assert_not(folio->flags & PG_dropbehind);
	folio = written_folio(sim, 1, 0);
	folio_mark_dirty(filemap_of(sim), folio);
	end_in(sim, folio, CTX_SOFTIRQ);
	cr_assert(folio->flags & PG_dropbehind);
	folio_clear_dirty_for_io(filemap_of(sim), folio);
	cr_assert_eq(machine_stat(sim, "dropbehind", "flags_lost"), 1);
	cr_assert_eq(machine_resident(sim, 5), 2);
	machine_free(sim);
}

/* irq_drop of a plain and of a mapped folio: i_lock twice, i_mmap_rwsem once, both gone. */
Test(pagemap_drop, irq_drop_is_seen)
{
	struct sim *sim = machine_new(POLICY("irq_drop"));
	struct folio *plain = written_folio(sim, 0, 0), *mapped = written_folio(sim, 1, 0);

	filemap_fault(filemap_of(sim), &machine_inode(sim, 5)->i_data, 1);
	end_in(sim, plain, CTX_SOFTIRQ);
	end_in(sim, mapped, CTX_SOFTIRQ);
	cr_assert_eq(machine_resident(sim, 5), 0);
	cr_assert_eq(sim->context.nr_violations, 3);
	cr_assert_str_eq(context_report(sim, 0),
			 "softirq: test -> folio_end_writeback -> folio_unmap_invalidate -> "
			 "i_lock, which is not irq safe");
	cr_assert_str_eq(context_report(sim, 1),
			 "softirq: test -> folio_end_writeback -> folio_unmap_invalidate -> "
			 "i_mmap_rwsem, which may sleep");
	cr_assert_eq(machine_stat(sim, "dropbehind", "dropped_in_irq"), 2);
	machine_free(sim);
}

/*
 * One bio of 40 dropbehind pages ends in softirq at one instant: the batch takes 15 of them (or
 * 31), which the worker drops; the other 25 (9) stay, flagged.
 */
Test(pagemap_drop, a_full_batch_drops_nothing_more)
{
	static const struct {
		const char *ini;
		uint64_t batch;
	} cases[] = {{POLICY("folio_batch"), 15},
		     {POLICY("folio_batch") "[dropbehind]\nbatch_folios = 31\n", 31}};

	for (unsigned int i = 0; i < 2; i++) {
		struct sim *sim = machine_new(cases[i].ini);
		struct op ops[] = {machine_write(5, 0, 40 << 12, OP_DONTCACHE),
				   machine_op(OP_FSYNC, 5)};

		machine_ops(sim, ops, 2);
		sim_run_until(sim, sim->now + NSEC_PER_SEC);
		cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), 1);
		cr_assert_eq(machine_stat(sim, "dropbehind", "batched"), cases[i].batch);
		cr_assert_eq(machine_stat(sim, "dropbehind", "batch_full"), 40 - cases[i].batch);
		cr_assert_eq(machine_resident(sim, 5), 40 - cases[i].batch);
		cr_assert_eq(sim->context.nr_violations, 0);
		cr_assert(filemap_get_folio(&machine_inode(sim, 5)->i_data, 39)->flags &
			  PG_dropbehind);
		machine_free(sim);
	}
}

/* A folio that was truncated, or taken by an ordinary access, while it waited in the batch. */
Test(pagemap_drop, a_batch_looks_again)
{
	struct sim *sim = machine_new(POLICY("folio_batch"));
	struct filemap *fm = filemap_of(sim);

	sim_start(sim);
	sim_run_until(sim, NSEC_PER_MSEC); /* the worker sleeps by now */
	end_in(sim, written_folio(sim, 0, 0), CTX_SOFTIRQ);
	end_in(sim, written_folio(sim, 1, 0), CTX_SOFTIRQ);
	end_in(sim, written_folio(sim, 2, 0), CTX_SOFTIRQ);
	filemap_get_folio(&machine_inode(sim, 5)->i_data, 1)->flags &= ~PG_dropbehind;
	truncate_inode_pages(fm, &machine_inode(sim, 5)->i_data, 2 << 12);
	sim_run_until(sim, 2 * NSEC_PER_MSEC);
	cr_assert_eq(machine_stat(sim, "dropbehind", "batched"), 3);
	cr_assert_eq(machine_stat(sim, "filemap", "dropped_after_writeback"), 1);
	cr_assert_eq(machine_resident(sim, 5), 1);
	machine_free(sim);
}

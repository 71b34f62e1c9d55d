/*
 * tests/test_f2fs_ipu.c - when F2FS writes in place (KERNEL.md 1.6), and the bios of it (2.7).
 */
#include <criterion/criterion.h>

#include "models/f2fs_internal.h"
#include "tests/cli.h"
#include "tests/machine.h"
#include "tests/support.h"

#define F2FS "[device]\nmodel = fixed\n[f2fs_data]\nupdate = f2fs\n"

struct rewrite {
	const char *ini;   /* keys of [f2fs_data] */
	int64_t pages;	   /* rewritten, of a file of 20 */
	bool datasync;	   /* and then fdatasync, not fsync */
	uint64_t in_place; /* pages that stay */
	uint64_t bios;
};

static const struct rewrite rewrites[] = {
	{"", 9, false, 0, 1}, /* FSYNC: a fsync of more than 8 pages */
	{"", 8, false, 8, 1}, /* a short one */
	{"", 9, true, 9, 1},  /* fdatasync of any length */
	{"min_fsync_blocks = 9\n", 9, false, 9, 1},
	{"ipu_policy = 0\n", 8, true, 0, 1},
	{"ipu_policy = 1\n", 9, false, 9, 1},
	{"ipu_policy = 4\nutilization = 70\n", 9, false, 0, 1},
	{"ipu_policy = 4\nutilization = 71\n", 9, false, 9, 1},
	{"ipu_policy = 32\n", 9, false, 0, 1}, /* ASYNC: a fsync is not */
	{"ipu_policy = 65\n", 9, false, 9, 9}, /* NOCACHE: a bio a page */
	{"ipu_policy = 0\ncold_inodes = 4; 5\n", 9, false, 9, 1},
	{"ipu_policy = 0\npinned_inodes = 5\n", 9, false, 9, 1},
	{"ipu_policy = 1\nmax_bio = 16KiB\n", 9, false, 9, 3},
	{"ipu_policy = 1\nvec_pages = 1\n", 9, false, 9, 1},
	{"ipu_policy = 1\ndevice_blocks = 516\n", 9, false, 9, 2}, /* 512..515 | 516..520 */
};

static struct sim *machine_with_file(const char *keys)
{
	g_autofree char *ini = g_strconcat(F2FS, keys, NULL);
	struct sim *sim = machine_new(ini);

	f2fs_set_initial_size(machine_inode(sim, 5), 20 << 12);
	return sim;
}

Test(f2fs_ipu, when_a_page_stays)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(rewrites); i++) {
		const struct rewrite *r = &rewrites[i];
		struct sim *sim = machine_with_file(r->ini);
		struct op ops[] = {machine_write(5, 0, r->pages << 12, 0), machine_op(OP_FSYNC, 5)};

		ops[1].flags = r->datasync ? OP_DATASYNC : 0;
		machine_ops(sim, ops, 2);
		cr_assert_eq(machine_stat(sim, "f2fs_data", "ipu_pages"), r->in_place,
			     "case %u: %s", i, r->ini);
		cr_assert_eq(machine_stat(sim, "f2fs_data", "blocks_allocated"),
			     (uint64_t)r->pages - r->in_place, "case %u: %s", i, r->ini);
		cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), r->bios, "case %u: %s",
			     i, r->ini);
		machine_free(sim);
	}
}

/* ASYNC: what the flusher writes (30 s old, next tick) stays. */
Test(f2fs_ipu, async_is_the_flusher)
{
	struct sim *sim = machine_with_file("ipu_policy = 32\n");
	struct op ops[] = {machine_write(5, 0, 9 << 12, 0)};

	machine_ops(sim, ops, 1);
	sim_run_until(sim, 40 * NSEC_PER_SEC);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "ipu_pages"), 9);
	machine_free(sim);
}

/* FI_OPU_WRITE stands above FORCE; new pages have no place to stay in. */
Test(f2fs_ipu, what_never_stays)
{
	struct sim *sim = machine_with_file("ipu_policy = 1\n");
	struct op ops[] = {machine_write(5, 0, 9 << 12, 0), machine_op(OP_FSYNC, 5)};
	struct op fresh[] = {machine_write(6, 0, 9 << 12, 0), machine_op(OP_FSYNC, 6)};

	machine_inode(sim, 5)->fi_flags |= FI_OPU_WRITE;
	machine_ops(sim, ops, 2);
	machine_ops(sim, fresh, 2);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "ipu_pages"), 0);
	machine_free(sim);
}

/* The capture shows where the writes went: in place for page 0 (block 7000), not for page 1. */
Test(f2fs_ipu, the_capture_decides)
{
	struct sim *sim = machine_with_file("ipu_policy = 0\n");
	struct inode *inode = machine_inode(sim, 5);
	struct op ops[] = {machine_write(5, 0, 2 << 12, 0), machine_op(OP_FSYNC, 5)};

	f2fs_hint_map(f2fs_data_of(sim), inode, 0, 2, 7000);
	cr_assert_eq(f2fs_map_for_read(f2fs_data_of(sim), inode, 0).block, 7000);
	f2fs_hint_map(f2fs_data_of(sim), inode, 1, 1, 7100);
	machine_ops(sim, ops, 2);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "ipu_pages"), 1);
	cr_assert_eq(f2fs_mapped_block(inode, 0), 7000);
	cr_assert_eq(f2fs_mapped_block(inode, 1), 7100);
	machine_free(sim);
}

/* Direct writes over existing blocks go in place. */
Test(f2fs_ipu, direct_writes_overwrite)
{
	struct sim *sim = machine_with_file("");
	struct op ops[] = {machine_write(5, 0, 20 << 12, OP_DIRECT)};

	machine_ops(sim, ops, 1);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "blocks_allocated"), 0);
	cr_assert_eq(machine_stat(sim, "bio", "bios_submitted"), 1);
	machine_free(sim);
}

static struct folio *dirty_for_pass(struct sim *sim, struct inode *inode, pgoff_t index)
{
	struct filemap *fm = filemap_of(sim);
	struct folio *folio = filemap_add_folio(fm, &inode->i_data, index, 0, PG_uptodate);

	folio_start_writeback(fm, folio);
	return folio;
}

/*
 * Two passes at a time have an open IPU bio each.  Whoever waits for a page sends the bio with that
 * page, no other; its pass opens another then, for a page that would have continued the first.
 */
Test(f2fs_ipu, a_waiter_sends_the_bio_with_its_page)
{
	struct sim *sim = machine_with_file("ipu_policy = 1\n");
	struct f2fs_data *fd = f2fs_data_of(sim);
	struct inode *inode = machine_inode(sim, 5);
	struct writepages a = {.fd = fd, .inode = inode}, b = {.fd = fd, .inode = inode};
	struct folio *folio[3];

	sim_start(sim);
	for (unsigned int i = 0; i < 3; i++)
		folio[i] = dirty_for_pass(sim, inode, i < 2 ? i : 10);
	f2fs_do_write_data_page(&a, folio[0]);
	f2fs_do_write_data_page(&b, folio[2]);
	cr_assert(a.ipu_bio && b.ipu_bio && a.ipu_bio != b.ipu_bio);
	f2fs_submit_bio_of(fd, folio[0], NULL);
	cr_assert_null(a.ipu_bio);
	cr_assert(b.ipu_bio);
	f2fs_do_write_data_page(&a, folio[1]);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "ipu_bios"), 3);
	f2fs_submit_merged_write(fd, NULL, NULL); /* a checkpoint: all of them */
	cr_assert_null(a.ipu_bio);
	cr_assert_null(b.ipu_bio);
	sim_run_until(sim, NSEC_PER_MSEC);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_writeback"), 0);
	machine_free(sim);
}

Test(f2fs_ipu, keys_are_checked)
{
	static const struct {
		const char *set, *more, *what;
	} cases[] = {
		{"f2fs_data.ipu_policy=2", "f2fs_data.update=f2fs", "f2fs_data.ipu_policy"},
		{"f2fs_data.cold_inodes=5;x", "f2fs_data.update=f2fs", "f2fs_data.cold_inodes"},
		{"f2fs_data.pinned_inodes=-", "f2fs_data.update=f2fs", "f2fs_data.pinned_inodes"},
		{"f2fs_data.device_blocks=512", "filemap.max_folio_order=4",
		 "f2fs_data.device_blocks"},
		{"f2fs_data.update=f2fs", "filemap.max_folio_order=4", "f2fs_data.update"},
		{"bio.completion=softirq", "f2fs_data.update=f2fs", "bio.completion"},
	};
	const char *ops = test_text("one.ops", "# f2sim ops 1\n1000 read task=7 dev=259:0 ino=4 "
					       "pos=0 len=4096\n");

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++)
		cli_refused(cli("replay", ops, "--set", cases[i].set, "--set", cases[i].more),
			    cases[i].what);
}

/*
 * tests/test_f2fs_submit.c - how pages become bios, in place and out of place (KERNEL.md 1.6, 2.6,
 * 2.7), and what each completion policy makes of a mixed pass.
 */
#include <criterion/criterion.h>

#include "models/f2fs_internal.h"
#include "tests/machine.h"

#define US NSEC_PER_USEC

/* No CPU time but the interrupt's 2 us; commands of 100 us, eight at a time. */
#define NO_COST                                                                                    \
	"[device]\nmodel = fixed\nparallel = 8\nvolatile_cache = no\n"                             \
	"[filemap]\nwrite_call_ns = 0\nwrite_page_ns = 0\n"                                        \
	"[dropbehind]\ndrop_page_ns = 0\n"
#define F2FS "[f2fs_data]\ndontcache = read_write\n"
#define NO_F2FS_COST                                                                               \
	"map_ns = 0\nsubmit_page_ns = 0\nsubmit_bio_ns = 0\nend_io_page_ns = 0\nend_read_page_ns " \
	"= 0\n"

static uint64_t stat_of(const struct sim *sim, const char *counter)
{
	return machine_stat(sim, "f2fs_data", counter);
}

/* When page i left the cache, us; -1 = it did not. */
static int64_t left_us[16];

static void note_delete(void *arg, const struct folio *folio)
{
	struct sim *sim = arg;

	left_us[folio->index] = sim->now / US;
}

/*
 * A cold file of 8 pages, which lie in blocks 512 to 519 once they are looked up.  Dirty, in the
 * order of the pass: 0 and 1 ordinary (1 was cached when a dontcache write came over it), 2 to 5
 * dropbehind, 7 ordinary: in place, 512..517 and 519.  8 and 9 dropbehind, 10 ordinary: new, so
 * they go to the log, 520..522.  Three bios: A = 0..5 in place, mixed; B = 7 in place; C = 8..10
 * out of place, mixed.  C is sent, then B (they make one request: 519 lies before 520).
 * Interrupts end A at 102 us, C and B at 104 us.
 */
static struct sim *run_mixed(const char *policy)
{
	g_autofree char *ini =
		g_strconcat(NO_COST F2FS NO_F2FS_COST "update = f2fs\ncold_inodes = 5\n"
						      "[fs_writeback]\nflush_policy = none\n"
						      "[bio]\ncompletion = ",
			    policy, "\n", NULL);
	struct sim *sim = machine_new(ini);
	struct op ops[] = {
		machine_write(5, 0, 2 << 12, 0),
		machine_write(5, 1 << 12, 5 << 12, OP_DONTCACHE),
		machine_write(5, 7 << 12, 1 << 12, 0),
		machine_write(5, 8 << 12, 2 << 12, OP_DONTCACHE),
		machine_write(5, 10 << 12, 1 << 12, 0),
		machine_op(OP_FSYNC, 5),
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(left_us); i++)
		left_us[i] = -1;
	f2fs_set_initial_size(machine_inode(sim, 5), 8 << 12);
	filemap_of(sim)->on_delete = note_delete;
	filemap_of(sim)->observer_arg = sim;
	machine_ops(sim, ops, G_N_ELEMENTS(ops));
	sim_run_until(sim, sim->now + NSEC_PER_MSEC);
	cr_assert_eq(stat_of(sim, "write_bios"), 3);
	cr_assert_eq(stat_of(sim, "ipu_bios"), 2);
	cr_assert_eq(stat_of(sim, "ipu_pages"), 7);
	cr_assert_eq(stat_of(sim, "write_bio_pages"), 10);
	cr_assert_eq(stat_of(sim, "dropbehind_bios"), 2);
	cr_assert_eq(stat_of(sim, "mixed_bios"), 2);
	return sim;
}

struct outcome {
	const char *policy;
	int64_t a_us, c_us; /* when the dropbehind pages of A and C leave; -1 = they stay */
	uint64_t in_irq, in_task, in_wq, skipped, violations;
};

/* A worker starts 20 us after it was queued. */
static const struct outcome outcomes[] = {
	{"irq_skip", -1, -1, 3, 0, 0, 6, 0},
	{"irq_drop", 102, 104, 3, 0, 0, 0, 6},
	{"task_flagged", 122, 122, 1, 2, 0, 0, 0},
	{"task_gt16k", 122, -1, 2, 1, 1, 2, 0}, /* A has 24 KiB, C 12 KiB */
	{"task_flagged_gt16k", 122, 122, 1, 2, 0, 0, 0},
	{"folio_batch", 122, 122, 3, 0, 0, 0, 0}, /* six folios of a batch of 15 */
	{"always_task", 122, 122, 0, 3, 0, 0, 0},
};

Test(f2fs_submit, a_mixed_pass_under_each_policy)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(outcomes); i++) {
		const struct outcome *o = &outcomes[i];
		struct sim *sim = run_mixed(o->policy);

		for (unsigned int page = 0; page < 16; page++) {
			bool in_a = page >= 2 && page <= 5, in_c = page == 8 || page == 9;
			int64_t want = in_a ? o->a_us : in_c ? o->c_us : -1;

			cr_assert_eq(left_us[page], want, "%s: page %u left at %ld us", o->policy,
				     page, (long)left_us[page]);
		}
		cr_assert_eq(machine_stat(sim, "bio", "completed_in_irq"), o->in_irq, "%s",
			     o->policy);
		cr_assert_eq(machine_stat(sim, "bio", "completed_in_task"), o->in_task, "%s",
			     o->policy);
		cr_assert_eq(machine_stat(sim, "bio", "completed_in_wq"), o->in_wq, "%s",
			     o->policy);
		cr_assert_eq(machine_stat(sim, "filemap", "drop_skipped_irq"), o->skipped, "%s",
			     o->policy);
		cr_assert_eq(sim->context.nr_violations, o->violations, "%s", o->policy);
		machine_free(sim);
	}
}

/* 16 KiB may end in interrupt context, 20 KiB may not; the sysfs knob moves the border. */
Test(f2fs_submit, the_threshold_of_gt16k)
{
	static const struct {
		const char *knob;
		int64_t pages;
		uint64_t in_wq;
	} cases[] = {{"", 4, 0}, {"", 5, 1}, {"max_atc_write_bio_size = 8KiB\n", 3, 1}};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *ini = g_strconcat(NO_COST F2FS "[bio]\ncompletion = task_gt16k\n",
						   cases[i].knob, NULL);
		struct sim *sim = machine_new(ini);
		struct op ops[] = {machine_write(5, 0, cases[i].pages << 12, OP_DONTCACHE),
				   machine_op(OP_FSYNC, 5)};

		machine_ops(sim, ops, 2);
		cr_assert_eq(machine_stat(sim, "bio", "completed_in_wq"), cases[i].in_wq);
		cr_assert_eq(machine_resident(sim, 5),
			     cases[i].in_wq ? 0 : (uint64_t)cases[i].pages);
		machine_free(sim);
	}
}

/* Bios of @pages contiguous new pages under @ini. */
static uint64_t bios_of(const char *ini, int64_t pages)
{
	struct sim *sim = machine_new(ini);
	struct op ops[] = {machine_write(5, 0, pages << 12, 0), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, 2);
	uint64_t bios = stat_of(sim, "write_bios");

	cr_assert_eq(stat_of(sim, "write_bio_pages"), (uint64_t)pages);
	machine_free(sim);
	return bios;
}

/* 300 pages: no limit; 16 pages a bio; 256 vectors of one page; of two. 600: 512 + 88. */
Test(f2fs_submit, size_and_vectors_limit_a_bio)
{
	cr_assert_eq(bios_of(NO_COST F2FS, 300), 1);
	cr_assert_eq(bios_of(NO_COST F2FS "max_bio = 64KiB\n", 300), 19);
	cr_assert_eq(bios_of(NO_COST F2FS "vec_pages = 1\n", 256), 1);
	cr_assert_eq(bios_of(NO_COST F2FS "vec_pages = 1\n", 300), 2);
	cr_assert_eq(bios_of(NO_COST F2FS "vec_pages = 2\n", 300), 1);
	cr_assert_eq(bios_of(NO_COST F2FS "vec_pages = 2\n", 600), 2);
}

/* The log begins at block 512; devices of 514 blocks: 512, 513 | 514 to 519.  Reading it too. */
Test(f2fs_submit, a_bio_lies_on_one_device)
{
	struct sim *sim = machine_new(NO_COST F2FS "device_blocks = 514\n");
	struct op write[] = {machine_write(5, 0, 8 << 12, 0), machine_op(OP_FSYNC, 5)};
	struct op read[] = {machine_read(5, 0, 8 << 12, 0)};
	struct op direct[] = {machine_read(5, 0, 8 << 12, OP_DIRECT)};

	machine_ops(sim, write, 2);
	cr_assert_eq(stat_of(sim, "write_bios"), 2);
	invalidate_mapping_pages(filemap_of(sim), &machine_inode(sim, 5)->i_data, 0, 7);
	machine_ops(sim, read, 1);
	cr_assert_eq(stat_of(sim, "read_bios"), 2);
	uint64_t submitted = machine_stat(sim, "bio", "bios_submitted");

	machine_ops(sim, direct, 1);
	cr_assert_eq(machine_stat(sim, "bio", "bios_submitted"), submitted + 2);
	machine_free(sim);
}

/* Two files whose pages follow each other in the log share a bio; pages apart on it do not. */
Test(f2fs_submit, only_neighbours_share_a_bio)
{
	struct sim *sim = machine_new(NO_COST F2FS "update = in_place\n");
	struct op ops[] = {
		machine_write(5, 0, 6 << 12, 0),       machine_op(OP_FSYNC, 5),
		machine_write(5, 0, 1 << 12, 0),       machine_write(5, 2 << 12, 1 << 12, 0),
		machine_write(5, 3 << 12, 1 << 12, 0), machine_op(OP_FSYNC, 5)};

	machine_ops(sim, ops, G_N_ELEMENTS(ops));
	cr_assert_eq(stat_of(sim, "write_bios"), 1 + 2, "0 alone, 2 and 3 together");
	machine_free(sim);
}

static int64_t put(struct f2fs_data *fd, enum page_type type, enum temp_type temp, block_t block,
		   unsigned int op_flags)
{
	struct f2fs_io_info fio = {
		.type = type, .temp = temp, .new_blkaddr = block, .op_flags = op_flags};

	return f2fs_submit_page_write(fd, &fio, NULL);
}

/*
 * One open bio for each type and temperature: two NODE blocks HOT share one, WARM has its own; META
 * likewise, where PREFLUSH and FUA do not part what REQ_SYNC does.  None is ever flagged.
 */
Test(f2fs_submit, node_and_meta_have_bios_of_their_own)
{
	struct sim *sim = machine_new(NO_COST F2FS);
	struct f2fs_data *fd = f2fs_data_of(sim);
	unsigned int meta = REQ_META | REQ_PRIO;

	sim_start(sim);
	put(fd, NODE, TEMP_HOT, 1000, REQ_SYNC);
	put(fd, NODE, TEMP_HOT, 1001, REQ_SYNC);
	put(fd, NODE, TEMP_WARM, 1002, REQ_SYNC);
	cr_assert_eq(stat_of(sim, "node_meta_bios"), 2);
	put(fd, META, TEMP_HOT, 2000, meta);
	put(fd, META, TEMP_HOT, 2001, meta | REQ_PREFLUSH | REQ_FUA);
	cr_assert_eq(stat_of(sim, "node_meta_bios"), 3);
	put(fd, META, TEMP_HOT, 2002, meta | REQ_SYNC);
	cr_assert_eq(stat_of(sim, "node_meta_bios"), 4);
	cr_assert_eq(fd->write_io[NODE][TEMP_HOT].bio->size_bytes, 2 * PAGE_SIZE);
	cr_assert_eq(machine_stat(sim, "bio", "bios_submitted"), 1, "the first of META");
	f2fs_submit_merged_write(fd, NULL, NULL);
	sim_run_until(sim, NSEC_PER_MSEC);
	cr_assert_eq(machine_stat(sim, "bio", "bios_completed"), 4);
	cr_assert_eq(machine_stat(sim, "bio", "completed_in_task"), 0);
	cr_assert_eq(stat_of(sim, "dropbehind_bios"), 0);
	machine_free(sim);
}

/* Background pages and pages of a dontcache kick: same log, other flags, two bios (KERNEL 2.7). */
Test(f2fs_submit, flags_part_bios)
{
	struct sim *sim = machine_new(NO_COST F2FS);
	struct f2fs_data *fd = f2fs_data_of(sim);

	sim_start(sim);
	put(fd, NODE, TEMP_HOT, 1000, REQ_BACKGROUND);
	put(fd, NODE, TEMP_HOT, 1001, 0);
	cr_assert_eq(stat_of(sim, "node_meta_bios"), 2);
	f2fs_submit_merged_write(fd, NULL, NULL);
	sim_run_until(sim, NSEC_PER_MSEC);
	machine_free(sim);
}

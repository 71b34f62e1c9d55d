/*
 * tests/test_cli_keys.c - keys that contradict each other, or the machine: one line that names one
 * of them and where it was given, or a run that ends.  Nothing a user can type reaches an assert.
 */
#include <criterion/criterion.h>
#include <glib.h>

#include "tests/cli.h"
#include "tests/support.h"

/* 24 MiB written and synced, 8 MiB read: more than the small machines below hold. */
#define JOBS                                                                                       \
	"[w]\nrw=write\nbs=64k\nsize=24m\nend_fsync=1\n[r]\nrw=randread\nbs=4k\nsize=8m\n"         \
	"io_size=1m\n"

struct keys {
	const char *set; /* shell words behind --set */
	const char *why; /* in the refusal; NULL = it runs */
};

/* clang-format off */
static const struct keys refused[] = {
	{ "memcg.max=511KiB", "--set: memcg.max: 523264 bytes cannot hold memcg.base" },
	{ "memcg.max=16MiB --set memcg.base=16MiB", "--set: memcg.max: 16777216 bytes" },
	{ "memcg.max=-1", "memcg.max" },
	{ "memcg.max=99999999999999999999", "memcg.max" },
	{ "memcg.group_bytes=1MiB", "memcg.group_bytes" },
	{ "memcg.max=16MiB --set background.inactive_file=8MiB", "--set: background.inactive_file: these pages" },
	{ "vmscan.wmark_low=5GiB", "--set: vmscan.wmark_low: the high watermark" },
	{ "vmscan.wmark_high=1MiB", "--set: vmscan.wmark_high: the low watermark" },
	{ "vmscan.min_free=1048576TiB", "--set: vmscan.min_free: the high watermark" },
	{ "vmscan.min_free=64MiB --set vmscan.wmark_low=1MiB", "--set: vmscan.wmark_low: the min watermark" },
	{ "vmscan.watermark_scale_factor=0", "watermark_scale_factor" },
	{ "vmscan.lru=lru2", "classic" },
	{ "host.memory=64MiB --set background.used=64MiB", "--set: background.used: " },
	{ "host.memory=64MiB --set background.used=20MiB --set background.shmem=44MiB", "--set: background.shmem: " },
	{ "background.dirty_rate=1MB/s", "--set: background.dirty_rate: needs inactive_file" },
	{ "page_writeback.dirty_ratio=101", "dirty_ratio" },
	{ "page_writeback.hz=0", "page_writeback.hz" },
	{ "f2fs_data.max_bio=1", "max_bio" },
	{ "device.drain_sigma=1e9", "drain_sigma" },
	{ "device.gc_bytes=1", "--set: device.gc_bytes: 1 is neither 0" },
	{ "device.gc_dies=17", "device.gc_dies" },
	{ "host.nr_cpus=0", "nr_cpus" },
	{ "host.memory=0", "host.memory" },
	{ "memcg.maxx=1", "max" },
	{ "nothing.max=1", "nothing" },
};

static const struct keys works[] = {
	{ "host.memory=16MiB --set memcg.max=1048576TiB", NULL }, /* the node reclaims from the group */
	{ "host.memory=16MiB --set memcg.max=1MiB --set memcg.group_bytes=0", NULL },
	{ "host.memory=16MiB --set vmscan.lru=mglru --set host.nr_cpus=1", NULL },
	{ "host.memory=16MiB --set host.nr_cpus=64", NULL },
	{ "page_writeback.dirty_ratio=1 --set page_writeback.dirty_background_ratio=100", NULL },
	{ "page_writeback.dirty_bytes=4KiB --set page_writeback.dirty_background_bytes=1GiB", NULL },
	{ "vmscan.watermark_scale_factor=3000 --set host.memory=32MiB", NULL },
	{ "f2fs_data.max_bio=4KiB --set host.memory=32MiB", NULL },
	{ "f2fs_data.max_bio=1GiB", NULL },
	{ "background.used=4000MiB", NULL },
	{ "device.gc_bytes=64KiB --set device.gc_time=10s --set device.gc_dies=16", NULL },
	{ "host.memory=16MiB --set f2fs_data.submit_page_ns=1s", NULL }, /* an hour for a pass is slow, not stuck */
	{ "fs_writeback.flush_policy=none --set host.memory=16MiB", NULL },
};
/* clang-format on */

static const struct ran *run(const char *set)
{
	g_autofree char *command =
		g_strdup_printf("run %s --set %s", test_text("keys.fio", JOBS), set);

	return cli_shell(command);
}

Test(cli_keys, refused, .timeout = 60)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(refused); i++) {
		const struct ran *r = run(refused[i].set);

		cr_assert_eq(r->status, 2, "%s: exit status %d", refused[i].set, r->status);
		cli_refused(r, refused[i].why);
	}
}

Test(cli_keys, works, .timeout = 120)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(works); i++) {
		const struct ran *r = run(works[i].set);

		cr_assert_eq(r->status, 0, "%s: exit status %d, %s", works[i].set, r->status,
			     r->err);
		cr_assert_str_empty(r->err);
	}
}

/* What is refused in a file is named by file and line. */
Test(cli_keys, the_line_is_named)
{
	const char *ini = test_text("k.ini", "[host]\nmemory = 64MiB\n\n[memcg]\nmax = 100KiB\n");
	g_autofree char *command =
		g_strdup_printf("run %s --variant %s", test_text("keys.fio", JOBS), ini);

	cli_refused(cli_shell(command), "k.ini:5: memcg.max: 102400 bytes");
}

/* Memory that nobody can give back: said after a minute of the simulated clock, exit status 1. */
Test(cli_keys, out_of_memory_is_told)
{
	const struct ran *r = run("host.memory=64MiB --set background.used=63MiB");

	cr_assert_eq(r->status, 1, "%s", r->err);
	cr_assert_str_eq(r->err,
			 "f2sim: out of memory: task w/0 found no page to free for a minute\n");
}

/*
 * tests/test_ordering.c - what must move, and where to, when one knob is turned: whole runs of a
 * small machine.  Why stands beside each direction.
 */
#include <criterion/criterion.h>

#include "tests/knob.h"

/* clang-format off */
#define VALUES(...) (const char *const[]){__VA_ARGS__, NULL}

/* Requests of 512 KiB, 32 of them in flight, 10 us each and their bytes at one rate. */
#define MACHINE(rate) \
	"[sim]\nsample_interval = 5ms\n" \
	"[host]\nnr_cpus = 6\nmemory = 256MiB\n" \
	"[device]\nmodel = fixed\nread_time = 10us\nwrite_time = 10us\nrate = " rate "\n" \
	"[blk_mq]\nnr_requests = 32\n" \
	"[f2fs_data]\ndontcache = read_write\nmax_bio = 1MiB\n" \
	"[bio]\ncompletion = task_flagged\n"
#define WRITE(rate) MACHINE(rate) "[workload]\nrw = write\nend_fsync = 1\n"
#define DONTCACHE(rate) WRITE(rate) "force = dontcache\n"
#define READ(rate) MACHINE(rate) "[workload]\nrw = read\nbs = 128k\n"
/* clang-format on */

/* 128 MiB at 100 MiB/s, thresholds 25 to 100 MiB: the writer ends sooner by what it may leave
 * dirty, and its fsync takes as much longer. */
Test(ordering, dirty_ratio_up)
{
	static const struct follows follows[] = {
		{"final page_writeback.nr_dirty_threshold", RISES},
		{"mean page_writeback.nr_dirty", RISES},
		{"max page_writeback.nr_dirty", RISES},
		{"throughput write", RISES}, /* fewer and shorter pauses */
		{"final page_writeback.dirty_pauses", FALLS},
		{"final page_writeback.dirty_pause_ns", FALLS},
		{"latency write", FALLS},
		{"latency sync", RISES}, /* more is left to write */
		{"final f2fs_data.write_bio_pages", STAYS},
		{NULL, 0},
	};

	knob_turns(WRITE("100MiB/s") "bs = 64k\nsize = 128m\n"
				     "[page_writeback]\ndirty_background_ratio = 5\n",
		   "page_writeback.dirty_ratio", VALUES("10", "20", "30", "40"), follows);
}

/* A dontcache writer leaves too little dirty for the ratio to matter: the same run, to the ns. */
Test(ordering, dirty_ratio_up_dontcache)
{
	static const struct follows follows[] = {
		{"mean page_writeback.nr_dirty", STAYS},
		{"throughput write", STAYS},
		{"latency sync", STAYS},
		{"final page_writeback.dirty_pauses", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("100MiB/s") "bs = 64k\nsize = 128m\n"
					 "[page_writeback]\ndirty_background_ratio = 5\n",
		   "page_writeback.dirty_ratio", VALUES("10", "20", "40"), follows);
}

Test(ordering, device_slower)
{
	static const struct follows follows[] = {
		{"throughput write", FALLS}, /* the writer ends at the device's rate */
		{"final page_writeback.dirty_pause_ns", RISES},
		{"max page_writeback.nr_dirty", RISES},	     /* the flusher falls behind sooner */
		{"mean page_writeback.nr_writeback", RISES}, /* a request stays longer in flight */
		{"final blk_mq.write_ticks", RISES},
		{"latency sync", RISES},
		{"final blk_mq.sectors_written", STAYS},
		{NULL, 0},
	};

	knob_turns(WRITE("400MiB/s") "bs = 64k\nsize = 128m\n", "device.rate",
		   VALUES("400MiB/s", "200MiB/s", "100MiB/s", "50MiB/s"), follows);
}

/* The writer submits itself and waits for a tag: no pause, no page more in the cache. */
Test(ordering, device_slower_dontcache)
{
	static const struct follows follows[] = {
		{"throughput write", FALLS},
		{"latency write", RISES},
		{"mean page_writeback.nr_writeback", RISES},
		{"page_life", RISES}, /* from the copy to the drop */
		{"latency sync", RISES},
		{"final page_writeback.dirty_pauses", IS_ZERO},
		{"final f2fs_data.write_bios", STAYS}, /* one a call */
		{"final vmscan.pgsteal_kswapd", IS_ZERO},
		{"final filemap.nr_file_pages", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("400MiB/s") "bs = 64k\nsize = 128m\n", "device.rate",
		   VALUES("400MiB/s", "200MiB/s", "100MiB/s", "50MiB/s"), follows);
}

/* 256 MiB through less and less memory. */
Test(ordering, memory_smaller)
{
	static const struct follows follows[] = {
		{"final vmscan.pgsteal_kswapd", RISES}, /* what does not stay is stolen */
		{"final vmscan.pgscan_kswapd", RISES},
		{"cpu kswapd0", RISES},
		{"final filemap.nr_file_pages", FALLS},
		{"final page_writeback.nr_dirty_threshold", FALLS}, /* 20 % of less */
		{"mean page_writeback.nr_dirty", FALLS},
		{"throughput write", FALLS}, /* less left dirty at the end */
		{"latency sync", FALLS},
		{NULL, 0},
	};

	knob_turns(WRITE("100MiB/s") "bs = 64k\nsize = 256m\n", "host.memory",
		   VALUES("256MiB", "128MiB", "64MiB", "32MiB"), follows);
}

Test(ordering, memory_smaller_dontcache)
{
	static const struct follows follows[] = {
		{"throughput write", STAYS}, /* a dontcache writer needs no memory */
		{"final vmscan.kswapd_wakes", IS_ZERO},
		{"final vmscan.pgscan_kswapd", IS_ZERO},
		{"final vmscan.allocstall", IS_ZERO},
		{"final filemap.nr_file_pages", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("100MiB/s") "bs = 64k\nsize = 256m\n", "host.memory",
		   VALUES("256MiB", "128MiB", "64MiB", "32MiB"), follows);
}

/* One reader: kswapd wakes at a higher mark and steals more at a time. */
Test(ordering, watermark_scale_factor_up)
{
	static const struct follows follows[] = {
		{"final vmscan.wmark_min", STAYS},
		{"final vmscan.wmark_low", RISES},
		{"final vmscan.wmark_high", RISES},
		{"final vmscan.kswapd_wakes", FALLS}, /* high - low is what a wake frees */
		{"final vmscan.pgsteal_kswapd", RISES},
		{"final filemap.nr_file_pages", FALLS}, /* more is kept free */
		{"mean page_alloc.nr_free_pages", RISES},
		{"final filemap.pages_added", STAYS},
		{NULL, 0},
	};

	knob_turns(READ("4000MiB/s") "size = 512m\n", "vmscan.watermark_scale_factor",
		   VALUES("10", "100", "200", "500", "1000"), follows);
}

/* Four readers in bursts of 8 MiB outrun kswapd; the room from low to min is what they may take
 * before they must reclaim themselves. */
Test(ordering, watermark_scale_factor_up_under_pressure)
{
	static const struct follows follows[] = {
		{"final vmscan.allocstall", FALLS},
		{"final vmscan.pgsteal_direct", FALLS},
		{"final vmscan.pgsteal_kswapd", RISES},
		{"final filemap.nr_file_pages", FALLS},
		{NULL, 0},
	};

	knob_turns(READ("8000MiB/s") "size = 128m\nnumjobs = 4\nthinktime = "
				     "20000\nthinktime_blocks = 64\n",
		   "vmscan.watermark_scale_factor", VALUES("10", "100", "200"), follows);
}

/* 1 MiB calls cut into 1 to 256 bios: each costs the writer its submission; the plug merges them
 * again, so the device sees the same. */
Test(ordering, max_bio_down_dontcache)
{
	static const struct follows follows[] = {
		{"final f2fs_data.write_bios", RISES},
		{"final blk_mq.merges_write", RISES},
		{"throughput write", FALLS},
		{"latency write", RISES},
		{"cpu_context task", RISES},
		{"final f2fs_data.write_bio_pages", STAYS},
		{"final blk_mq.sectors_written", STAYS},
		{"final filemap.nr_file_pages", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("2000MiB/s") "bs = 1m\nsize = 128m\n", "f2fs_data.max_bio",
		   VALUES("1MiB", "256KiB", "64KiB", "16KiB", "4KiB"), follows);
}

/* Here it is the flusher who pays: the writer runs on its own CPU until it is throttled. */
Test(ordering, max_bio_down)
{
	static const struct follows follows[] = {
		{"final f2fs_data.write_bios", RISES},
		{"final blk_mq.merges_write", RISES},
		{"cpu kworker/flush", RISES},
		{"final page_writeback.dirty_pause_ns", NEVER_FALLS},
		{"throughput write", NEVER_RISES},
		{"final f2fs_data.write_bio_pages", STAYS},
		{NULL, 0},
	};

	knob_turns(WRITE("2000MiB/s") "bs = 1m\nsize = 256m\n", "f2fs_data.max_bio",
		   VALUES("1MiB", "64KiB", "16KiB", "8KiB", "4KiB"), follows);
}

/* The worker starts later: pages stay under writeback as much longer, whoever syncs waits for
 * them, and more bios are there when it starts. */
Test(ordering, completion_worker_later)
{
	static const struct follows follows[] = {
		{"mean page_writeback.nr_writeback", RISES},
		{"page_life", RISES},
		{"latency sync", RISES},
		{"final bio.worker_batches", NEVER_RISES},
		{"final f2fs_data.write_bios", STAYS},
		{"final bio.completed_in_irq", STAYS}, /* the flushes */
		{"final filemap.nr_file_pages", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("2000MiB/s") "bs = 16k\nsize = 32m\nfsync = 32\n",
		   "bio.completion_wakeup_ns", VALUES("20us", "100us", "400us", "2ms", "8ms"),
		   follows);
	knob_turns(DONTCACHE("2000MiB/s") "bs = 16k\nsize = 32m\nfsync = 32\n",
		   "bio.completion_delay", VALUES("0", "1ms", "4ms", "10ms"), follows);
}

/* A worker that needs longer for a page than the writer becomes the bottleneck: what waits for it
 * is under writeback, which counts as dirty, so that the writer is throttled in the end. */
Test(ordering, completion_worker_slower)
{
	static const struct follows follows[] = {
		{"mean page_writeback.nr_writeback", RISES},
		{"page_life", RISES},
		{"latency sync", RISES},
		{"final page_writeback.dirty_pauses", RISES},
		{"throughput write", FALLS},
		{"final filemap.nr_file_pages", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(DONTCACHE("2000MiB/s") "bs = 16k\nsize = 256m\n", "f2fs_data.end_io_page_ns",
		   VALUES("10us", "20us", "40us"), follows);
}

/* Bios without a dropbehind page never see the worker. */
Test(ordering, completion_worker_slower_is_nothing_to_a_normal_writer)
{
	static const struct follows follows[] = {
		{"throughput write", STAYS},
		{"mean page_writeback.nr_writeback", STAYS},
		{"latency sync", STAYS},
		{"final bio.completed_in_task", IS_ZERO},
		{NULL, 0},
	};

	knob_turns(WRITE("200MiB/s") "bs = 16k\nsize = 64m\n", "bio.completion_wakeup_ns",
		   VALUES("20us", "400us", "8ms"), follows);
}

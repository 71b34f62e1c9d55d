/*
 * models/background.c - the rest of the machine: memory that others hold, their dirty pages, their
 * fsyncs.  Level 8.
 *
 * Stands for what runs on a phone beside the benchmark; no kernel file.  Everything is off by
 * default and comes from the host profile (MODELING 1.1, 1.4).
 *
 * Memory: `used` (anonymous and kernel pages) and `shmem` can never be reclaimed; `active_file` are
 * pages of running programs, referenced again faster than any scan comes back to them, so they are
 * counted and never scanned; `inactive_file` are clean pages of NR_FILES files that lie in the LRU
 * from the start, the oldest of all, so reclaim takes them first.
 *
 * Writing: one task rewrites those files in turn at dirty_rate, a chunk each CHUNK_NS; nobody syncs
 * them, so a file's pages wait for the periodic flush.  The run begins in the steady state: the
 * pages written within the last dirty_expire_centisecs are dirty, each file since its last turn.
 * Syncing: another task rewrites a page of a file of its own and calls fsync, which for a new file
 * ends in a checkpoint; a Poisson process whose gaps depend on the seed and the number of the fsync
 * alone.
 *
 * The gauges have the spelling of /proc/meminfo and are pages.
 * Not modelled: anonymous reclaim, programs that start or end, reads.
 * I1  taken + free + live folios = pages of the machine (models/page_alloc.c).
 */
#include "models/background.h"
#include "models/f2fs_checkpoint.h"

#include <math.h>

#include "sim/rng.h"

#define NR_FILES 32u
#define FIRST_INO (UINT64_C(1) << 40) /* far from any workload's */
#define SYNC_INO (FIRST_INO + NR_FILES)
#define WRITE_PID 900
#define SYNC_PID 901
#define CHUNK_NS (250 * NSEC_PER_MSEC)

struct background {
	struct model model;
	struct {
		int64_t used, shmem, active_file, inactive_file; /* bytes */
		int64_t dirty_rate;				 /* bytes a second */
		uint64_t checkpoints_per_1000s;
	} conf;
	struct {
		uint64_t Cached, MemAvailable, Active_file, Inactive_file; /* gauges, pages */
		uint64_t nr_own_pages; /* gauge: of its files in the cache */
		uint64_t bytes_written, fsyncs;
	} stat;
	struct filemap *fm;
	struct fs_writeback *fw;
	struct vmscan *vs;
	struct task writer, syncer;
	struct op write_op, sync_op;
	struct checkpoint checkpoint;
	int64_t pos;	   /* of the writer, in the files laid end to end */
	int64_t file_size; /* bytes of each of the files, whole pages */
	uint64_t sync_key;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_BYTES, background, used, "0", "0", NULL, "memory held for good by others: anonymous and kernel pages [E]", NULL),
	CONF(CONF_BYTES, background, shmem, "0", "0", NULL, "part of Cached that is no file: shmem, tmpfs [E]", NULL),
	CONF(CONF_BYTES, background, active_file, "0", "0", NULL, "file pages of running programs, never reclaimed [E]", NULL),
	CONF(CONF_BYTES, background, inactive_file, "0", "0", NULL, "clean old file pages in the LRU at the start [E]", NULL),
	CONF(CONF_RATE, background, dirty_rate, "0", "0/s", "1GiB/s", "bytes others write and never sync [E]", NULL),
	CONF(CONF_U64, background, checkpoints_per_1000s, "0", "0", "1000000", "fsyncs of others that need a checkpoint, in 1000 s: a Poisson process [E]", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, background, Cached), STAT(STAT_GAUGE, background, MemAvailable),
	STAT(STAT_GAUGE, background, Active_file), STAT(STAT_GAUGE, background, Inactive_file),
	STAT(STAT_GAUGE, background, nr_own_pages),
	STAT(STAT_COUNT, background, bytes_written), STAT(STAT_COUNT, background, fsyncs),
	{ 0 },
};
/* clang-format on */

static struct background *background_of(const struct sim *sim)
{
	return (struct background *)model_get(sim, &background_model);
}

static uint64_t pages(int64_t bytes)
{
	return (uint64_t)bytes >> PAGE_SHIFT;
}

static bool check_conf(const struct background *bg, GError **err)
{
	uint64_t held = pages(bg->conf.used) + pages(bg->conf.shmem) + pages(bg->conf.active_file) +
			pages(bg->conf.inactive_file);

	if (held >= nr_managed_pages(bg->fm->pa)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "background: used, shmem, active_file and inactive_file leave nothing "
			    "of host.memory free");
		return false;
	}
	if (bg->conf.dirty_rate && !bg->file_size) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "background: dirty_rate needs inactive_file of at least %u pages",
			    NR_FILES);
		return false;
	}
	return true;
}

static bool background_init(struct model *m, GError **err)
{
	struct background *bg = (struct background *)m;

	bg->fm = filemap_of(m->sim);
	bg->fw = fs_writeback_of(m->sim);
	bg->vs = vmscan_of(m->sim);
	bg->file_size = (int64_t)(pages(bg->conf.inactive_file) / NR_FILES) << PAGE_SHIFT;
	bg->sync_key = rng_key(m->sim->conf.seed, "background");
	if (!check_conf(bg, err))
		return false;
	if (bg->conf.dirty_rate)
		task_init(&bg->writer, m->sim, "background", WRITE_PID, true);
	if (bg->conf.checkpoints_per_1000s)
		task_init(&bg->syncer, m->sim, "background_sync", SYNC_PID, true);
	return true;
}

static struct inode *file_at(struct background *bg, int64_t pos)
{
	return inode_get(bg->fm, 0, FIRST_INO + (uint64_t)(pos / bg->file_size));
}

/* The clean pages that are there when the run begins. */
static void fill_files(struct background *bg)
{
	for (unsigned int i = 0; i < NR_FILES && bg->file_size; i++) {
		struct inode *inode = inode_get(bg->fm, 0, FIRST_INO + i);

		f2fs_set_initial_size(inode, bg->file_size);
		for (pgoff_t index = 0; index < pages(bg->file_size); index++)
			filemap_add_folio(bg->fm, &inode->i_data, index, 0, PG_uptodate);
	}
}

/* The writer ran before the run began: what the periodic flush has not reached yet is dirty. */
static void dirty_files(struct background *bg)
{
	int64_t expire_ns = dirty_expire_interval_ns(bg->fm->pw);
	int64_t all = bg->file_size * NR_FILES;
	int64_t left = (int64_t)((__int128)bg->conf.dirty_rate * expire_ns / NSEC_PER_SEC);

	bg->pos = MIN(left, all) / PAGE_SIZE * PAGE_SIZE;
	for (int64_t pos = 0; pos < bg->pos; pos += PAGE_SIZE) {
		struct inode *inode = file_at(bg, pos);
		pgoff_t index = pages(pos % bg->file_size);

		folio_mark_dirty(bg->fm, filemap_get_folio(&inode->i_data, index));
		if (inode->on_list)
			continue;
		mark_inode_dirty(bg->fw, inode);
		inode->dirtied_when =
			-(int64_t)((__int128)(bg->pos - pos) * NSEC_PER_SEC / bg->conf.dirty_rate);
	}
	bg->pos %= all;
}

static void writer_sleeps(struct task *t);

static void writer_wakes(struct task *t)
{
	struct background *bg = background_of(t->sim);
	int64_t chunk = (int64_t)((__int128)bg->conf.dirty_rate * CHUNK_NS / NSEC_PER_SEC);
	int64_t in_file = bg->pos % bg->file_size;

	chunk = CLAMP(chunk, PAGE_SIZE, bg->file_size - in_file);
	bg->write_op = (struct op){
		.time_ns = t->sim->now,
		.done_ns = OP_NO_TIME,
		.ino = file_at(bg, bg->pos)->i_ino,
		.pos = in_file,
		.len = chunk,
		.task = WRITE_PID,
		.kind = OP_WRITE,
	};
	bg->stat.bytes_written += (uint64_t)chunk;
	bg->pos = (bg->pos + chunk) % (bg->file_size * NR_FILES);
	t->sim->submit_op(t->sim, t, &bg->write_op, writer_sleeps);
}

static void writer_sleeps(struct task *t)
{
	struct background *bg = background_of(t->sim);
	int64_t took = (int64_t)((__int128)bg->write_op.len * NSEC_PER_SEC / bg->conf.dirty_rate);

	task_sleep(t, bg->write_op.time_ns + took, writer_wakes);
}

static void syncer_sleeps(struct task *t);

static void syncer_checkpoint(struct task *t)
{
	struct background *bg = background_of(t->sim);

	bg->checkpoint = (struct checkpoint){
		.fd = f2fs_data_of(t->sim),
		.done = syncer_sleeps,
	};
	f2fs_write_checkpoint(t, &bg->checkpoint);
}

static void syncer_wakes(struct task *t)
{
	struct background *bg = background_of(t->sim);

	bg->sync_op.kind = OP_FSYNC;
	bg->sync_op.pos = bg->sync_op.len = 0;
	bg->stat.fsyncs++;
	t->sim->submit_op(t->sim, t, &bg->sync_op, syncer_checkpoint);
}

static void syncer_writes(struct task *t)
{
	struct background *bg = background_of(t->sim);

	bg->sync_op = (struct op){
		.time_ns = t->sim->now,
		.done_ns = OP_NO_TIME,
		.ino = SYNC_INO,
		.len = PAGE_SIZE,
		.task = SYNC_PID,
		.kind = OP_WRITE,
	};
	t->sim->submit_op(t->sim, t, &bg->sync_op, syncer_wakes);
}

/* The gap to the next fsync is exponential. */
static void syncer_sleeps(struct task *t)
{
	struct background *bg = background_of(t->sim);
	uint64_t bits = rng_hash(bg->sync_key, bg->stat.fsyncs);
	double u = (double)((bits >> 11) + 1) / (double)(UINT64_C(1) << 53); /* (0, 1] */
	double mean_us = 1e9 / (double)bg->conf.checkpoints_per_1000s;

	task_sleep(t, t->sim->now + llround(-log(u) * mean_us) * NSEC_PER_USEC, syncer_writes);
}

static void background_start(struct model *m)
{
	struct background *bg = (struct background *)m;

	page_alloc_take(bg->fm->pa,
			pages(bg->conf.used) + pages(bg->conf.shmem) + pages(bg->conf.active_file));
	account_file_pages(bg->fm->pw, (int64_t)pages(bg->conf.active_file));
	bg->fm->pages_of_others = pages(bg->conf.active_file);
	fill_files(bg);
	if (bg->conf.dirty_rate) {
		dirty_files(bg);
		task_start(&bg->writer, writer_wakes);
	}
	if (bg->conf.checkpoints_per_1000s)
		task_start(&bg->syncer, syncer_sleeps);
}

/* si_mem_available(): free and file memory less what the watermarks keep (KERNEL 5.1). */
static uint64_t mem_available(const struct background *bg, uint64_t file)
{
	uint64_t low = vmscan_derived_low_wmark(bg->vs), free = nr_free_pages(bg->fm->pa);
	uint64_t keep = MIN(file / 2, low);

	return (free > low ? free - low : 0) + file - keep;
}

static uint64_t own_pages(const struct background *bg)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < NR_FILES && bg->file_size; i++)
		nr += inode_get(bg->fm, 0, FIRST_INO + i)->i_data.nrpages;
	if (bg->conf.checkpoints_per_1000s)
		nr += inode_get(bg->fm, 0, SYNC_INO)->i_data.nrpages;
	return nr;
}

static void background_sample(struct model *m)
{
	struct background *bg = (struct background *)m;
	uint64_t base = pages(bg->conf.active_file), file = bg->fm->stat.nr_file_pages + base;

	bg->stat.Cached = file + pages(bg->conf.shmem);
	bg->stat.Active_file = vmscan_active_file(bg->vs) + base;
	bg->stat.Inactive_file = file - bg->stat.Active_file;
	bg->stat.MemAvailable = mem_available(bg, file);
	bg->stat.nr_own_pages = own_pages(bg);
}

const struct model_ops background_model = {
	.name = "background",
	.source = "the host's other programs (MODELING 1.1)",
	.size = sizeof(struct background),
	.keys = keys,
	.stats = stats,
	.init = background_init,
	.start = background_start,
	.sample = background_sample,
};

/*
 * models/memcontrol.c - one memory cgroup.  Level 1.
 *
 * Stands for mm/memcontrol.c (v6.1; KERNEL 5.8): the counter of a cgroup v2 group, its stock (a
 * charge takes 64 pages from the counter when they fit, else what it needs) and its events.  The
 * pages of the workload's files are charged when they enter the cache, and with them the kernel
 * memory they bring: nodes of the index, which stay when their pages leave (they hold the shadow
 * entries of evicted pages), and node pages.  Whoever adds a page asks first whether it fits and
 * reclaims if it does not (models/vmscan.c).
 *
 * The dirty domain sees the pages as they were at the last flush of the statistics (from 6.8 on
 * mem_cgroup_wb_stats() does not flush them itself, a worker does every 2 s), and headroom as it is.
 *
 * DEVIATION: one stock instead of one a CPU; readahead charges its window in one go, so that usage
 * may pass memory.max until the next charge reclaims what is over.
 * Not modelled: hierarchy, memory.high, memory.low, swap, OOM killer, kernel memory that a truncate
 * gives back, pages of the background tasks outside (they are charged too).
 * I1  usage = file pages + kernel pages + stock.
 * I2  dirty <= file pages, writeback <= file pages (that file pages = pages on the group's lists is
 * checked by models/pagemap.c).
 * I3  file pages charged - uncharged = file pages.
 */
#include "models/memcontrol.h"

#include "sim/rng.h"

#define GROUP_SHIFT 6 /* pages of a node of the index: XA_CHUNK_SHIFT */

struct mem_cgroup {
	struct model model;
	struct {
		int64_t max, base, group_bytes, flush_time;
	} conf;
	struct {
		uint64_t memory_current, usage;		   /* gauges, bytes and pages */
		uint64_t file, file_dirty, file_writeback; /* gauges, pages */
		uint64_t kernel_bytes;			   /* gauge */
		uint64_t pages_charged, pages_uncharged, events_max;
		uint64_t pgscan_direct, pgsteal_direct;
	} stat;
	uint64_t max;	       /* pages; UINT64_MAX = none */
	uint64_t usage, stock; /* pages */
	uint64_t nr_kernel;    /* pages charged for kernel memory */
	ktime_t next_flush;    /* of the statistics that the dirty domain sees */
	struct memcg_wb_stats flushed;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_BYTES, mem_cgroup, max, "0", "0", NULL, "memory.max of the group the workload runs in, memory.swap.max 0; 0 = no group (KERNEL 5.8)", NULL),
	CONF(CONF_BYTES, mem_cgroup, base, "0", "0", NULL, "charged besides the files' pages: inodes, dentries, directory and inode pages [M] memory.stat", NULL),
	CONF(CONF_BYTES, mem_cgroup, group_bytes, "833", "0", "64KiB", "charged for 64 pages of a file once cached: an index node 576, its part of a node page 257 [A]", NULL),
	CONF(CONF_NSEC, mem_cgroup, flush_time, "0", "0", "3600s", "statistics behind the dirty limits are so old at most; 0 = exact (up to 6.7), 2s after (FLUSH_TIME)", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, mem_cgroup, memory_current),
	STAT(STAT_GAUGE, mem_cgroup, usage),
	STAT(STAT_GAUGE, mem_cgroup, file),
	STAT(STAT_GAUGE, mem_cgroup, file_dirty),
	STAT(STAT_GAUGE, mem_cgroup, file_writeback),
	STAT(STAT_GAUGE, mem_cgroup, kernel_bytes),
	STAT(STAT_COUNT, mem_cgroup, pages_charged),
	STAT(STAT_COUNT, mem_cgroup, pages_uncharged),
	STAT(STAT_COUNT, mem_cgroup, events_max),
	STAT(STAT_COUNT, mem_cgroup, pgscan_direct),
	STAT(STAT_COUNT, mem_cgroup, pgsteal_direct),
	{ 0 },
};
/* clang-format on */

struct mem_cgroup *memcg_of(const struct sim *sim)
{
	return (struct mem_cgroup *)model_get(sim, &memcg_model);
}

bool mem_cgroup_enabled(const struct mem_cgroup *memcg)
{
	return memcg->max != UINT64_MAX;
}

uint64_t mem_cgroup_excess(const struct mem_cgroup *memcg, uint64_t nr)
{
	uint64_t need = memcg->usage + (nr > memcg->stock ? nr - memcg->stock : 0);

	return need > memcg->max ? need - memcg->max : 0;
}

bool mem_cgroup_margin(const struct mem_cgroup *memcg, uint64_t nr)
{
	return mem_cgroup_excess(memcg, nr) == 0;
}

/* flush_memcg_stats_dwork(): called before anything changes, so that what is taken in is what was
 * there when the worker ran. */
static void flush_if_due(struct mem_cgroup *memcg)
{
	ktime_t now = memcg->model.sim->now, period = memcg->conf.flush_time;

	if (!period || now < memcg->next_flush)
		return;
	mem_cgroup_stats(memcg, &memcg->flushed);
	memcg->next_flush += (now - memcg->next_flush) / period * period + period;
}

/* try_charge_memcg() after its reclaim: from the stock, else a batch when it fits, else @nr. */
static void charge(struct mem_cgroup *memcg, uint64_t nr)
{
	uint64_t batch = MAX(nr, MEMCG_CHARGE_BATCH);

	if (nr <= memcg->stock) {
		memcg->stock -= nr;
		return;
	}
	if (memcg->usage > memcg->max || memcg->max - memcg->usage < batch)
		batch = nr;
	memcg->usage += batch;
	memcg->stock += batch - nr;
}

static void charge_kernel(struct mem_cgroup *memcg, int64_t bytes)
{
	uint64_t pages;

	memcg->stat.kernel_bytes += (uint64_t)bytes;
	pages = (memcg->stat.kernel_bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	if (pages > memcg->nr_kernel)
		charge(memcg, pages - memcg->nr_kernel);
	memcg->nr_kernel = pages;
}

void mem_cgroup_charge(struct mem_cgroup *memcg, struct folio *folio)
{
	struct address_space *mapping = folio->mapping;
	uint64_t nr = folio_nr_pages(folio), groups = (folio_next_index(folio) - 1) >> GROUP_SHIFT;

	if (!mem_cgroup_enabled(memcg))
		return;
	flush_if_due(memcg);
	folio->memcg_id = MEMCG_ID;
	charge(memcg, nr);
	memcg->stat.file += nr;
	memcg->stat.pages_charged += nr;
	if (groups >= mapping->memcg_groups) {
		uint64_t begun = MIN(groups + 1 - mapping->memcg_groups,
				     (nr >> GROUP_SHIFT) + 1); /* a hole brings no nodes */

		mapping->memcg_groups = groups + 1;
		charge_kernel(memcg, (int64_t)begun * memcg->conf.group_bytes);
	}
}

void mem_cgroup_uncharge(struct mem_cgroup *memcg, struct folio *folio)
{
	uint64_t nr = folio_nr_pages(folio);

	if (!folio->memcg_id)
		return;
	flush_if_due(memcg);
	folio->memcg_id = 0;
	assert(memcg->usage >= nr && memcg->stat.file >= nr);
	memcg->usage -= nr;
	memcg->stat.file -= nr;
	memcg->stat.pages_uncharged += nr;
}

void mem_cgroup_mod_dirty(struct mem_cgroup *memcg, int64_t nr)
{
	flush_if_due(memcg);
	memcg->stat.file_dirty += (uint64_t)nr;
}

void mem_cgroup_mod_writeback(struct mem_cgroup *memcg, int64_t nr)
{
	flush_if_due(memcg);
	memcg->stat.file_writeback += (uint64_t)nr;
}

void mem_cgroup_wb_stats(struct mem_cgroup *memcg, struct memcg_wb_stats *st)
{
	flush_if_due(memcg);
	*st = memcg->flushed;
	if (!memcg->conf.flush_time)
		mem_cgroup_stats(memcg, st);
	st->headroom = memcg->max > memcg->usage ? memcg->max - memcg->usage : 0;
}

void mem_cgroup_stats(const struct mem_cgroup *memcg, struct memcg_wb_stats *st)
{
	*st = (struct memcg_wb_stats){.file = memcg->stat.file,
				      .dirty = memcg->stat.file_dirty,
				      .writeback = memcg->stat.file_writeback};
}

void mem_cgroup_over_max(struct mem_cgroup *memcg)
{
	memcg->stat.events_max++;
	memcg->usage -= memcg->stock; /* drain_all_stock() */
	memcg->stock = 0;
}

void mem_cgroup_reclaimed(struct mem_cgroup *memcg, uint64_t scanned, uint64_t stolen)
{
	memcg->stat.pgscan_direct += scanned;
	memcg->stat.pgsteal_direct += stolen;
}

uint64_t mem_cgroup_pgsteal(const struct mem_cgroup *memcg)
{
	return memcg->stat.pgsteal_direct;
}

static bool memcg_init(struct model *m, GError **err)
{
	struct mem_cgroup *memcg = (struct mem_cgroup *)m;
	int64_t least = memcg->conf.base + (int64_t)MEMCG_CHARGE_BATCH * 2 * PAGE_SIZE;

	memcg->max = memcg->conf.max ? (uint64_t)memcg->conf.max >> PAGE_SHIFT : UINT64_MAX;
	if (memcg->conf.max && memcg->conf.max < least) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "memcg.max must be at least memcg.base and 512 KiB");
		return false;
	}
	if (mem_cgroup_enabled(memcg))
		charge_kernel(memcg, memcg->conf.base);
	if (memcg->conf.flush_time) /* the worker's phase is not the workload's */
		memcg->next_flush = (ktime_t)(rng_hash(rng_key(m->sim->conf.seed, "memcg"), 0) %
					      (uint64_t)memcg->conf.flush_time);
	return true;
}

static void memcg_check(const struct model *m)
{
	const struct mem_cgroup *memcg = (const struct mem_cgroup *)m;
	assert(memcg->usage == memcg->stat.file + memcg->nr_kernel + memcg->stock); /* I1 */
	assert(memcg->stat.file_dirty <= memcg->stat.file);			    /* I2 */
	assert(memcg->stat.file_writeback <= memcg->stat.file);
	assert(memcg->stat.pages_charged - memcg->stat.pages_uncharged ==
	       memcg->stat.file); /* I3 */
	assert(memcg->stat.pgsteal_direct <= memcg->stat.pgscan_direct);
}

static void memcg_sample(struct model *m)
{
	struct mem_cgroup *memcg = (struct mem_cgroup *)m;

	memcg->stat.usage = memcg->usage;
	memcg->stat.memory_current = memcg->usage << PAGE_SHIFT;
}

const struct model_ops memcg_model = {
	.name = "memcg",
	.source = "mm/memcontrol.c v6.1",
	.size = sizeof(struct mem_cgroup),
	.keys = keys,
	.stats = stats,
	.init = memcg_init,
	.check = memcg_check,
	.sample = memcg_sample,
};

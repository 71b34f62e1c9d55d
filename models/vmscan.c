/*
 * models/vmscan.c - kswapd and direct reclaim.  Level 5.
 *
 * Stands for mm/vmscan.c and the watermarks of mm/page_alloc.c (v6.1), classic LRU, file pages, one
 * zone (KERNEL 5.1 to 5.6).  An allocation that leaves less than the low mark free wakes kswapd,
 * which scans in batches of 32 from the old end of the inactive list until the high mark is met; at
 * or below the min mark the allocating task reclaims itself. A clean page is freed; a dirty page or
 * one under writeback gets PG_reclaim and goes to the active list, from where the end of its
 * writeback brings it to the old end of the inactive list; a batch of nothing but dirty pages wakes
 * the flusher; kswapd that keeps meeting pages under writeback sleeps HZ / 10.  CPU time is charged
 * by the page scanned and the page freed, so the CPU share of kswapd over time follows.
 *
 * Not modelled yet: MGLRU, memcg, anonymous pages and swap, refaults, shrinkers, boosts,
 * compaction. I1  pgsteal <= pgscan, for kswapd and direct alike.
 */
#include "models/vmscan.h"
#include "models/vmscan_memcg.h"

#include "sim/trace_events.h"

#define SWAP_CLUSTER_MAX 32u
#define DEF_PRIORITY 12

struct vmscan {
	struct model model;
	struct {
		uint64_t watermark_scale_factor;
		int64_t min_free, wmark_low, wmark_high, scan_page_ns, reclaim_page_ns;
	} conf;
	struct {
		uint64_t pgscan_kswapd, pgsteal_kswapd, pgscan_direct, pgsteal_direct;
		uint64_t allocstall, kswapd_wakes, kswapd_throttled, pgactivate, pgdeactivate;
		uint64_t nr_vmscan_immediate_reclaim;
		uint64_t nr_inactive_file, nr_active_file; /* gauges */
		uint64_t wmark_min, wmark_low, wmark_high; /* gauges, pages */
	} stat;
	struct filemap *fm;
	struct fs_writeback *fw;
	struct task kswapd;
	struct wait_queue kswapd_wait;
	int priority;
	uint64_t scanned, reclaimed; /* of the current pass of kswapd */
	uint64_t left;		     /* pages it has still to look at */
};

/* What a batch met. */
struct reclaim_stat {
	uint64_t scanned, reclaimed, dirty, writeback, immediate;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, vmscan, watermark_scale_factor, "10", "1", "3000", "distance of the watermarks, 1/10000 of memory (vm.rst)", NULL),
	CONF(CONF_BYTES, vmscan, min_free, "0", "0", NULL, "min watermark (min_free_kbytes); 0 = 4 * sqrt(memory in kB) kB (KERNEL 5.1)", NULL),
	CONF(CONF_BYTES, vmscan, wmark_low, "0", "0", NULL, "free memory below which kswapd wakes (extra_free_kbytes, CMA and the like); 0 = derived from min (KERNEL 5.1)", NULL),
	CONF(CONF_BYTES, vmscan, wmark_high, "0", "0", NULL, "free memory at which kswapd sleeps; 0 = as far above low as the derived marks are", NULL),
	CONF(CONF_NSEC, vmscan, scan_page_ns, "100ns", "0", "1s", "CPU time to look at a page [E]", NULL),
	CONF(CONF_NSEC, vmscan, reclaim_page_ns, "700ns", "0", "1s", "CPU time to free a page; with the look 0.8 us [A] MODELING 1.1", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, vmscan, pgscan_kswapd), STAT(STAT_COUNT, vmscan, pgsteal_kswapd),
	STAT(STAT_COUNT, vmscan, pgscan_direct), STAT(STAT_COUNT, vmscan, pgsteal_direct),
	STAT(STAT_COUNT, vmscan, allocstall), STAT(STAT_COUNT, vmscan, kswapd_wakes),
	STAT(STAT_COUNT, vmscan, kswapd_throttled), STAT(STAT_COUNT, vmscan, pgactivate),
	STAT(STAT_COUNT, vmscan, pgdeactivate), STAT(STAT_COUNT, vmscan, nr_vmscan_immediate_reclaim),
	STAT(STAT_GAUGE, vmscan, nr_inactive_file), STAT(STAT_GAUGE, vmscan, nr_active_file),
	STAT(STAT_GAUGE, vmscan, wmark_min), STAT(STAT_GAUGE, vmscan, wmark_low),
	STAT(STAT_GAUGE, vmscan, wmark_high),
	{ 0 },
};
/* clang-format on */

static void kswapd_wakes(struct task *t);

struct vmscan *vmscan_of(const struct sim *sim)
{
	return (struct vmscan *)model_get(sim, &vmscan_model);
}

static uint64_t isqrt(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= n)
			root |= bit;
	return root;
}

/* init_per_zone_wmark_min() and setup_per_zone_wmarks() with one zone; the host may set each mark.
 */
static void set_watermarks(struct vmscan *vs)
{
	uint64_t managed = nr_managed_pages(vs->fm->pa), step;
	uint64_t min_kb = CLAMP(isqrt(16 * managed * 4), 128, 262144);

	vs->stat.wmark_min =
		vs->conf.min_free ? (uint64_t)vs->conf.min_free >> PAGE_SHIFT : min_kb / 4;
	step = MAX(vs->stat.wmark_min / 4, managed * vs->conf.watermark_scale_factor / 10000);
	vs->stat.wmark_low = vs->conf.wmark_low ? (uint64_t)vs->conf.wmark_low >> PAGE_SHIFT
						: vs->stat.wmark_min + step;
	vs->stat.wmark_high = vs->conf.wmark_high ? (uint64_t)vs->conf.wmark_high >> PAGE_SHIFT
						  : vs->stat.wmark_low + step;
	/* calculate_totalreserve_pages(), one zone: by the derived marks.  What a host adds to them
	 * by hand is still dirtyable: the Dirty column of the dropbehind phone tells
	 * (MODELING 1.4). */
	page_alloc_set_reserve(vs->fm->pa, vs->stat.wmark_min + 2 * step);
}

/* min <= low <= high < memory, or one line that says which is not. */
static bool watermarks_valid(const struct vmscan *vs, GError **err)
{
	const uint64_t mark[] = {vs->stat.wmark_min, vs->stat.wmark_low, vs->stat.wmark_high,
				 nr_managed_pages(vs->fm->pa) - 1};
	static const char *const name[] = {"vmscan: the min watermark", "vmscan: the low watermark",
					   "vmscan: the high watermark", "host.memory"};

	for (unsigned int i = 0; i + 1 < G_N_ELEMENTS(mark); i++) {
		if (mark[i] <= mark[i + 1])
			continue;
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s (%" G_GUINT64_FORMAT " pages) is not below %s", name[i], mark[i],
			    i == 2 ? name[3] : strchr(name[i + 1], ' ') + 1);
		return false;
	}
	return true;
}

static bool vmscan_init(struct model *m, GError **err)
{
	struct vmscan *vs = (struct vmscan *)m;

	vs->fm = filemap_of(m->sim);
	vs->fw = fs_writeback_of(m->sim);
	set_watermarks(vs);
	if (!watermarks_valid(vs, err))
		return false;
	wait_queue_init(&vs->kswapd_wait);
	task_init(&vs->kswapd, m->sim, "kswapd0", 3, true);
	page_alloc_set_low(vs->fm->pa, vs->stat.wmark_low, &vs->kswapd_wait);
	return true;
}

static void vmscan_start(struct model *m)
{
	task_start(&((struct vmscan *)m)->kswapd, kswapd_wakes);
}

static void vmscan_check(const struct model *m)
{
	const struct vmscan *vs = (const struct vmscan *)m;

	assert(vs->stat.pgsteal_kswapd <= vs->stat.pgscan_kswapd); /* I1 */
	assert(vs->stat.pgsteal_direct <= vs->stat.pgscan_direct);
}

static void vmscan_sample(struct model *m)
{
	struct vmscan *vs = (struct vmscan *)m;

	vs->stat.nr_inactive_file = vs->fm->lruvec.nr_pages[LRU_INACTIVE_FILE];
	vs->stat.nr_active_file = vs->fm->lruvec.nr_pages[LRU_ACTIVE_FILE];
}

/* inactive_is_low() for file lists of this size (KERNEL 5.3). */
static bool inactive_is_low(const struct lruvec *lruvec)
{
	uint64_t inactive = lruvec->nr_pages[LRU_INACTIVE_FILE];
	uint64_t active = lruvec->nr_pages[LRU_ACTIVE_FILE];
	uint64_t gb = (inactive + active) >> (30 - PAGE_SHIFT);

	return inactive * (gb ? isqrt(10 * gb) : 1) < active;
}

/* shrink_active_list(): a cluster from the old end becomes inactive. */
static void shrink_active_list(struct vmscan *vs)
{
	struct lruvec *lruvec = &vs->fm->lruvec;

	for (uint64_t nr = 0; nr < SWAP_CLUSTER_MAX && lruvec->tail[LRU_ACTIVE_FILE];) {
		struct folio *folio = lruvec->tail[LRU_ACTIVE_FILE];

		nr += folio_nr_pages(folio);
		vs->stat.pgdeactivate += folio_nr_pages(folio);
		lru_move_folio(lruvec, folio, false, false);
	}
}

static void activate(struct vmscan *vs, struct folio *folio)
{
	vs->stat.pgactivate += folio_nr_pages(folio);
	lru_move_folio(&vs->fm->lruvec, folio, true, false);
}

/* shrink_folio_list() for one folio of the old end of the inactive list (KERNEL 5.4). */
static void shrink_folio(struct vmscan *vs, struct folio *folio, struct reclaim_stat *rs)
{
	uint64_t nr = folio_nr_pages(folio);

	rs->scanned += nr;
	if (folio->flags & PG_locked) {
		lru_move_folio(&vs->fm->lruvec, folio, false, false);
	} else if (folio->flags & PG_writeback) {
		rs->writeback += nr;
		rs->immediate += folio->flags & PG_reclaim ? nr : 0;
		folio->flags |= PG_reclaim;
		activate(vs, folio);
	} else if (folio->flags & PG_dirty) {
		rs->dirty += nr;
		vs->stat.nr_vmscan_immediate_reclaim += nr;
		folio->flags |= PG_reclaim;
		activate(vs, folio);
	} else {
		rs->reclaimed += nr;
		vs->fm->stat.pages_reclaimed += nr;
		filemap_remove_folio(vs->fm, folio);
	}
}

static void trace_shrink(const struct vmscan *vs, const struct reclaim_stat *rs, int priority)
{
	const struct trace_shrink shrink = {
		.nr_scanned = rs->scanned,
		.nr_reclaimed = rs->reclaimed,
		.nr_dirty = rs->dirty,
		.nr_writeback = rs->writeback,
		.nr_immediate = rs->immediate,
		.nr_activate_file = rs->dirty + rs->writeback,
		.priority = priority,
	};

	trace_mm_vmscan_lru_isolate(vs->model.sim, 0, SWAP_CLUSTER_MAX, rs->scanned, 0, rs->scanned,
				    false);
	trace_mm_vmscan_lru_shrink_inactive(vs->model.sim, &shrink);
}

/* One cluster; returns its CPU time. */
static int64_t shrink_inactive_list(struct vmscan *vs, struct reclaim_stat *rs, int priority)
{
	struct lruvec *lruvec = &vs->fm->lruvec;

	*rs = (struct reclaim_stat){0};
	if (inactive_is_low(lruvec))
		shrink_active_list(vs);
	while (rs->scanned < SWAP_CLUSTER_MAX && lruvec->tail[LRU_INACTIVE_FILE])
		shrink_folio(vs, lruvec->tail[LRU_INACTIVE_FILE], rs);
	trace_shrink(vs, rs, priority);
	if (rs->scanned && rs->dirty == rs->scanned)
		wakeup_flusher_threads(vs->fw);
	return (int64_t)rs->scanned * vs->conf.scan_page_ns +
	       (int64_t)rs->reclaimed * vs->conf.reclaim_page_ns;
}

uint64_t vmscan_low_wmark(const struct vmscan *vs)
{
	return vs->stat.wmark_low;
}

uint64_t vmscan_active_file(const struct vmscan *vs)
{
	return vs->fm->lruvec.nr_pages[LRU_ACTIVE_FILE];
}

bool must_reclaim(const struct vmscan *vs)
{
	return nr_free_pages(vs->fm->pa) <= vs->stat.wmark_min ||
	       !mem_cgroup_margin(vs->fm->memcg, 1);
}

/* The task's memory cgroup is full: it reclaims from the group's own lists. */
static bool limit_reclaim(struct vmscan *vs, int64_t *cost_ns)
{
	struct memcg_scan ms;

	mem_cgroup_reclaim(vs->fm, 1, &ms);
	if (ms.all_dirty)
		wakeup_flusher_threads(vs->fw);
	*cost_ns += (int64_t)ms.scanned * vs->conf.scan_page_ns +
		    (int64_t)ms.reclaimed * vs->conf.reclaim_page_ns;
	return ms.reclaimed > 0;
}

bool direct_reclaim(struct vmscan *vs, int64_t *cost_ns)
{
	uint64_t reclaimed = 0, looked = 0;
	uint64_t all = vs->fm->lruvec.nr_pages[LRU_INACTIVE_FILE] +
		       vs->fm->lruvec.nr_pages[LRU_ACTIVE_FILE];
	struct reclaim_stat rs;

	if (!mem_cgroup_margin(vs->fm->memcg, 1))
		return limit_reclaim(vs, cost_ns);
	vs->stat.allocstall++;
	trace_mm_vmscan_reclaim_begin(vs->model.sim, false, 0);
	do {
		*cost_ns += shrink_inactive_list(vs, &rs, DEF_PRIORITY);
		vs->stat.pgscan_direct += rs.scanned;
		vs->stat.pgsteal_direct += rs.reclaimed;
		reclaimed += rs.reclaimed;
		looked += rs.scanned;
	} while (reclaimed < SWAP_CLUSTER_MAX && rs.scanned && looked < all);
	trace_mm_vmscan_reclaim_end(vs->model.sim, false, reclaimed);
	return reclaimed > 0;
}

static bool balanced(const struct vmscan *vs)
{
	return nr_free_pages(vs->fm->pa) >= vs->stat.wmark_high;
}

static void kswapd_sleeps(struct task *t)
{
	struct vmscan *vs = t->private;

	trace_mm_vmscan_kswapd_sleep(t->sim);
	task_wait(t, &vs->kswapd_wait, kswapd_wakes, "memory to run low", 0, 0);
}

static void balance_step(struct task *t);

/* balance_pgdat(): begin a pass over the node at the current priority. */
static void begin_pass(struct vmscan *vs)
{
	vs->left =
		MAX(vs->fm->lruvec.nr_pages[LRU_INACTIVE_FILE] >> vs->priority, SWAP_CLUSTER_MAX);
	vs->scanned = 0;
	vs->reclaimed = 0;
}

/* The cluster's CPU time has passed; the pass goes on, ends, or kswapd must wait for writeback. */
static void balance_step(struct task *t)
{
	struct vmscan *vs = t->private;
	struct reclaim_stat rs;
	uint64_t target = MAX(vs->stat.wmark_high, SWAP_CLUSTER_MAX);
	int64_t cost_ns;

	if (balanced(vs) || vs->priority < 1) {
		kswapd_sleeps(t);
		return;
	}
	cost_ns = shrink_inactive_list(vs, &rs, vs->priority);
	vs->stat.pgscan_kswapd += rs.scanned;
	vs->stat.pgsteal_kswapd += rs.reclaimed;
	vs->scanned += rs.scanned;
	vs->reclaimed += rs.reclaimed;
	vs->left -= MIN(vs->left, MAX(rs.scanned, 1));
	if (!vs->left) {
		if (vs->scanned < target || !vs->reclaimed)
			vs->priority--;
		begin_pass(vs);
	}
	if (rs.immediate) { /* reclaim_throttle(VMSCAN_THROTTLE_WRITEBACK) */
		vs->stat.kswapd_throttled++;
		task_sleep(t, t->sim->now + RECLAIM_THROTTLE_NS, balance_step);
	} else {
		vs->fm->reclaim_until = t->sim->now + cost_ns;
		task_run(t, cost_ns, balance_step);
	}
}

static void kswapd_wakes(struct task *t)
{
	struct vmscan *vs = container_of(t, struct vmscan, kswapd);

	t->private = vs;
	if (nr_free_pages(vs->fm->pa) >= vs->stat.wmark_low) {
		kswapd_sleeps(t);
		return;
	}
	vs->stat.kswapd_wakes++;
	trace_mm_vmscan_kswapd_wake(t->sim, 0);
	vs->priority = DEF_PRIORITY;
	begin_pass(vs);
	balance_step(t);
}

const struct model_ops vmscan_model = {
	.name = "vmscan",
	.source = "mm/vmscan.c, mm/page_alloc.c v6.1, classic LRU",
	.size = sizeof(struct vmscan),
	.keys = keys,
	.stats = stats,
	.init = vmscan_init,
	.start = vmscan_start,
	.check = vmscan_check,
	.sample = vmscan_sample,
};

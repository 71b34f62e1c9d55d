/*
 * models/vmscan.c - kswapd and direct reclaim.  Level 5.
 *
 * Stands for mm/vmscan.c and the watermarks of mm/page_alloc.c (v6.1; MGLRU v6.12), file pages, one
 * zone (KERNEL 5.1, 5.2, 5.6).  kswapd (vmscan_kswapd.c) keeps memory free; at or below the min
 * mark the allocating task reclaims itself.  Both make passes over the lruvec, each at a priority
 * that says how much of it to look at, and then ask the shrinkers.  What a pass does with the lists
 * is a policy: vmscan_classic.c or vmscan_mglru.c.  A batch of nothing but dirty pages wakes the
 * flusher.  CPU time is charged by the page looked at and the page freed, so the CPU share of
 * kswapd follows.
 *
 * A task whose memory cgroup is full reclaims from the group's own lists.
 *
 * Not modelled: anonymous pages and swap, refaults, boosts, compaction.
 * I1  pgsteal <= pgscan, for kswapd and direct alike.
 * I2  pages reclaimed = pgsteal of kswapd, of direct reclaim and of the memory cgroup.
 */
#include "models/vmscan_internal.h"

#include "sim/trace_events.h"

static const struct lru_ops *const policies[] = {&lru_classic, &lru_mglru};
static const char *const policy_names[] = {"classic", "mglru", NULL};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, vmscan, watermark_scale_factor, "10", "1", "3000", "distance of the watermarks, 1/10000 of memory (vm.rst)", NULL),
	CONF(CONF_BYTES, vmscan, min_free, "0", "0", NULL, "min watermark (min_free_kbytes); 0 = 4 * sqrt(memory in kB) kB (KERNEL 5.1)", NULL),
	CONF(CONF_BYTES, vmscan, wmark_low, "0", "0", NULL, "free memory below which kswapd wakes (extra_free_kbytes, CMA and the like); 0 = derived from min (KERNEL 5.1)", NULL),
	CONF(CONF_BYTES, vmscan, wmark_high, "0", "0", NULL, "free memory at which kswapd sleeps; 0 = as far above low as the derived marks are", NULL),
	CONF(CONF_NSEC, vmscan, scan_page_ns, "100ns", "0", "1s", "CPU time to look at a page [E]", NULL),
	CONF(CONF_NSEC, vmscan, reclaim_page_ns, "700ns", "0", "1s", "CPU time to free a page; with the look 0.8 us [A] MODELING 1.1", NULL),
	CONF(CONF_ENUM, vmscan, lru, "classic", NULL, NULL, "two lists, or generations where only isolated pages count as scanned (KERNEL 0.4, 5.7)", policy_names),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, vmscan, pgscan_kswapd), STAT(STAT_COUNT, vmscan, pgsteal_kswapd),
	STAT(STAT_COUNT, vmscan, pgscan_direct), STAT(STAT_COUNT, vmscan, pgsteal_direct),
	STAT(STAT_COUNT, vmscan, allocstall), STAT(STAT_COUNT, vmscan, kswapd_wakes),
	STAT(STAT_COUNT, vmscan, kswapd_sleeps),
	STAT(STAT_COUNT, vmscan, kswapd_low_wmark_hit_quickly),
	STAT(STAT_COUNT, vmscan, kswapd_high_wmark_hit_quickly),
	STAT(STAT_COUNT, vmscan, kswapd_throttled), STAT(STAT_COUNT, vmscan, pgactivate),
	STAT(STAT_COUNT, vmscan, pgdeactivate), STAT(STAT_COUNT, vmscan, pgrefill),
	STAT(STAT_COUNT, vmscan, nr_vmscan_immediate_reclaim),
	STAT(STAT_GAUGE, vmscan, nr_inactive_file), STAT(STAT_GAUGE, vmscan, nr_active_file),
	STAT(STAT_GAUGE, vmscan, wmark_min), STAT(STAT_GAUGE, vmscan, wmark_low),
	STAT(STAT_GAUGE, vmscan, wmark_high),
	{ 0 },
};
/* clang-format on */

struct vmscan *vmscan_of(const struct sim *sim)
{
	return (struct vmscan *)model_get(sim, &vmscan_model);
}

uint64_t int_sqrt(uint64_t n)
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
	uint64_t min_kb = CLAMP(int_sqrt(16 * managed * 4), 128, 262144);

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
	vs->wmark_step = step;
	page_alloc_set_reserve(vs->fm->pa, vs->stat.wmark_min + 2 * step);
}

/* The key of the highest mark up to mark @last that was set by hand. */
static const char *mark_key(const struct vmscan *vs, unsigned int last)
{
	if (last >= 2 && vs->conf.wmark_high)
		return "wmark_high";
	if (last >= 1 && vs->conf.wmark_low)
		return "wmark_low";
	return vs->conf.min_free ? "min_free" : "watermark_scale_factor";
}

/* min <= low <= high < memory, or one line that says which is not. */
static bool watermarks_valid(const struct vmscan *vs, GError **err)
{
	const uint64_t mark[] = {vs->stat.wmark_min, vs->stat.wmark_low, vs->stat.wmark_high,
				 nr_managed_pages(vs->fm->pa) - 1};
	static const char *const name[] = {"the min watermark", "the low watermark",
					   "the high watermark", "host.memory"};

	for (unsigned int i = 0; i + 1 < G_N_ELEMENTS(mark); i++) {
		if (mark[i] <= mark[i + 1])
			continue;
		config_error(vs->model.sim->config, "vmscan", mark_key(vs, i + 1), err,
			     "%s, %" G_GUINT64_FORMAT " pages, is not below %s", name[i], mark[i],
			     name[i + 1]);
		return false;
	}
	return true;
}

static bool vmscan_init(struct model *m, GError **err)
{
	struct vmscan *vs = (struct vmscan *)m;

	vs->fm = filemap_of(m->sim);
	vs->fw = fs_writeback_of(m->sim);
	vs->lru = policies[vs->conf.lru];
	vs->shrinkers = shrinkers_of(m->sim);
	lruvec_init(&vs->fm->lruvec, vs->lru->gen_enabled);
	lruvec_init(&vs->fm->memcg_lruvec, vs->lru->gen_enabled);
	set_watermarks(vs);
	if (!watermarks_valid(vs, err))
		return false;
	kswapd_init(vs);
	return true;
}

static void vmscan_start(struct model *m)
{
	kswapd_start((struct vmscan *)m);
}

static void vmscan_check(const struct model *m)
{
	const struct vmscan *vs = (const struct vmscan *)m;

	assert(vs->stat.pgsteal_kswapd <= vs->stat.pgscan_kswapd); /* I1 */
	assert(vs->stat.pgsteal_direct <= vs->stat.pgscan_direct);
	assert(vs->fm->stat.pages_reclaimed == vs->stat.pgsteal_kswapd + vs->stat.pgsteal_direct +
						       mem_cgroup_pgsteal(vs->fm->memcg)); /* I2 */
}

static void vmscan_sample(struct model *m)
{
	struct vmscan *vs = (struct vmscan *)m;

	vs->stat.nr_inactive_file = lruvec_inactive_pages(node_lruvec(vs));
	vs->stat.nr_active_file = lruvec_active_pages(node_lruvec(vs));
}

void reclaim_folio(struct vmscan *vs, struct folio *folio, struct scan_control *sc)
{
	uint64_t nr = folio_nr_pages(folio);

	sc->batch.reclaimed += nr;
	vs->fm->stat.pages_reclaimed += nr;
	filemap_remove_folio(vs->fm, folio);
}

static void trace_shrink_inactive(const struct vmscan *vs, const struct scan_control *sc)
{
	const struct reclaim_stat *batch = &sc->batch;
	const struct trace_shrink shrink = {
		.nr_scanned = batch->scanned,
		.nr_reclaimed = batch->reclaimed,
		.nr_dirty = batch->dirty,
		.nr_writeback = batch->writeback,
		.nr_immediate = batch->immediate,
		.nr_activate_file = batch->dirty + batch->writeback,
		.priority = sc->priority,
	};

	trace_mm_vmscan_lru_shrink_inactive(vs->model.sim, &shrink);
}

int64_t shrink_batch(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc, bool *more)
{
	struct reclaim_stat *batch = &sc->batch;

	*batch = (struct reclaim_stat){0};
	if (!sc->nr_to_scan[0] && !sc->nr_to_scan[1]) {
		*more = false;
		return 0;
	}
	vs->lru->shrink(vs, lruvec, sc);
	if (batch->scanned)
		trace_shrink_inactive(vs, sc);
	if (batch->dirty && batch->dirty == batch->taken)
		wakeup_flusher_threads(vs->fw);
	sc->nr_scanned += batch->scanned;
	sc->nr_reclaimed += batch->reclaimed;
	sc->nr_stolen += batch->reclaimed;
	*more = (sc->nr_to_scan[0] || sc->nr_to_scan[1]) &&
		sc->nr_reclaimed - sc->pass_start < sc->nr_to_reclaim;
	return (int64_t)batch->looked * vs->conf.scan_page_ns +
	       (int64_t)batch->reclaimed * vs->conf.reclaim_page_ns;
}

/* The end of shrink_node() for a direct reclaimer.  True: reclaim_throttle(CONGESTED), unless most
 * of what could be reclaimed is not waiting for writeback (skip_throttle_noprogress()). */
static bool pass_congested(struct vmscan *vs, struct scan_control *sc)
{
	uint64_t pending = nr_dirty_pages(vs->fm->pw) + nr_writeback_pages(vs->fm->pw);

	sc->congested |= sc->pass_busy && sc->pass_busy == sc->pass_congested;
	sc->pass_busy = sc->pass_congested = 0;
	return sc->congested && 2 * pending > vs->fm->stat.nr_file_pages;
}

enum reclaim_result reclaim_slice(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc,
				  int64_t *cost_ns)
{
	int64_t used_ns = 0;
	bool throttle = false;

	while (sc->priority >= 0 && (sc->in_pass || sc->nr_reclaimed < sc->nr_to_reclaim) &&
	       used_ns < RECLAIM_SLICE_NS && !throttle) {
		if (!sc->in_pass)
			vs->lru->begin(vs, lruvec, sc);
		used_ns += shrink_batch(vs, lruvec, sc, &sc->in_pass);
		sc->pass_busy += sc->batch.dirty + sc->batch.writeback;
		sc->pass_congested += sc->batch.congested;
		if (sc->in_pass)
			continue;
		if (!sc->memcg) /* shrinkers are of the root group only */
			sc->nr_reclaimed += shrink_slab(vs->shrinkers, sc->priority, &used_ns);
		sc->priority--;
		throttle = pass_congested(vs, sc);
	}
	*cost_ns += used_ns;
	if (sc->in_pass || (sc->priority >= 0 && sc->nr_reclaimed < sc->nr_to_reclaim))
		return throttle ? RECLAIM_CONGESTED : RECLAIM_GOES_ON;
	return sc->nr_reclaimed ? RECLAIM_FREED : RECLAIM_NOTHING;
}

uint64_t vmscan_derived_low_wmark(const struct vmscan *vs)
{
	return vs->stat.wmark_min + vs->wmark_step;
}

uint64_t vmscan_active_file(const struct vmscan *vs)
{
	return lruvec_active_pages(node_lruvec(vs));
}

bool must_reclaim(const struct vmscan *vs)
{
	return nr_free_pages(vs->fm->pa) <= vs->stat.wmark_min ||
	       !mem_cgroup_margin(vs->fm->memcg, 1);
}

static void begin_reclaim(struct vmscan *vs, struct scan_control *sc)
{
	*sc = (struct scan_control){.priority = DEF_PRIORITY, .nr_to_reclaim = SWAP_CLUSTER_MAX};
	sc->memcg = !mem_cgroup_margin(vs->fm->memcg, 1);
	if (sc->memcg) {
		mem_cgroup_over_max(vs->fm->memcg);
		sc->nr_to_reclaim = MAX(mem_cgroup_excess(vs->fm->memcg, 1), SWAP_CLUSTER_MAX);
	} else {
		vs->stat.allocstall++;
	}
	trace_mm_vmscan_reclaim_begin(vs->model.sim, sc->memcg, 0);
}

enum reclaim_result direct_reclaim(struct vmscan *vs, struct scan_control *sc, int64_t *cost_ns)
{
	uint64_t scanned, stolen;
	enum reclaim_result result;

	if (!sc->nr_to_reclaim)
		begin_reclaim(vs, sc);
	scanned = sc->nr_scanned;
	stolen = sc->nr_stolen;
	result =
		reclaim_slice(vs, sc->memcg ? &vs->fm->memcg_lruvec : node_lruvec(vs), sc, cost_ns);
	scanned = sc->nr_scanned - scanned;
	stolen = sc->nr_stolen - stolen;
	if (sc->memcg) {
		mem_cgroup_reclaimed(vs->fm->memcg, scanned, stolen);
	} else {
		vs->stat.pgscan_direct += scanned;
		vs->stat.pgsteal_direct += stolen;
	}
	if (result == RECLAIM_GOES_ON || result == RECLAIM_CONGESTED)
		return result;
	trace_mm_vmscan_reclaim_end(vs->model.sim, sc->memcg, sc->nr_reclaimed);
	if (result == RECLAIM_FREED && !sc->memcg)
		kswapd_reclaim_works(vs);
	sc->nr_to_reclaim = 0;
	return result;
}

const struct model_ops vmscan_model = {
	.name = "vmscan",
	.source = "mm/vmscan.c, mm/page_alloc.c v6.1, MGLRU v6.12",
	.size = sizeof(struct vmscan),
	.keys = keys,
	.stats = stats,
	.init = vmscan_init,
	.start = vmscan_start,
	.check = vmscan_check,
	.sample = vmscan_sample,
};

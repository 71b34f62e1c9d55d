/*
 * models/vmscan_internal.h - what the files of vmscan share: the model, and the LRU policies behind
 * one table of ops.  Level 5.
 */
#ifndef MODELS_VMSCAN_INTERNAL_H
#define MODELS_VMSCAN_INTERNAL_H

#include "models/shrinker.h"
#include "models/vmscan.h"

#define SWAP_CLUSTER_MAX 32u

struct lru_ops;

struct vmscan {
	struct model model;
	struct {
		uint64_t watermark_scale_factor;
		int64_t min_free, wmark_low, wmark_high, scan_page_ns, reclaim_page_ns;
		int lru;
	} conf;
	struct {
		uint64_t pgscan_kswapd, pgsteal_kswapd, pgscan_direct, pgsteal_direct;
		uint64_t allocstall, kswapd_wakes, kswapd_sleeps, kswapd_throttled;
		uint64_t kswapd_low_wmark_hit_quickly, kswapd_high_wmark_hit_quickly;
		uint64_t pgactivate, pgdeactivate, pgrefill;
		uint64_t nr_vmscan_immediate_reclaim;
		uint64_t nr_inactive_file, nr_active_file; /* gauges */
		uint64_t wmark_min, wmark_low, wmark_high; /* gauges, pages */
	} stat;
	struct filemap *fm;
	struct fs_writeback *fw;
	const struct lru_ops *lru;
	struct shrinkers *shrinkers;
	uint64_t wmark_step; /* derived distance of the marks, pages */
	/* models/vmscan_kswapd.c */
	struct task kswapd;
	struct wait_queue kswapd_wait, hopeless_wait;
	struct event nap_ev;
	uint64_t nap_generation;
	unsigned int kswapd_failures; /* runs in a row that freed nothing */
	bool kswapd_progress;	      /* this run has freed something */
	struct scan_control sc;	      /* of kswapd's current pass */
};

/* One LRU policy. */
struct lru_ops {
	const char *name; /* of [vmscan] lru */
	bool gen_enabled;
	/* Begin a pass over @lruvec at sc->priority: how many pages to look at (sc->nr_to_scan). */
	void (*begin)(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc);
	/* One batch of the pass: fills sc->batch, takes what it looked at from nr_to_scan. */
	void (*shrink)(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc);
};

extern const struct lru_ops lru_classic, lru_mglru;

/* Free @folio, which is clean and idle. */
void reclaim_folio(struct vmscan *vs, struct folio *folio, struct scan_control *sc);

/* kswapd: set up with the marks known; start; direct reclaim has freed something. */
void kswapd_init(struct vmscan *vs);
void kswapd_start(struct vmscan *vs);
void kswapd_reclaim_works(struct vmscan *vs);

/* A slice of shrink_lruvec() at falling priorities until sc->nr_to_reclaim pages are free or
 * priority 0 found no more (do_try_to_free_pages()). */
enum reclaim_result reclaim_slice(struct vmscan *vs, struct lruvec *lruvec, struct scan_control *sc,
				  int64_t *cost_ns);

/* floor of the square root */
uint64_t int_sqrt(uint64_t n);

#endif

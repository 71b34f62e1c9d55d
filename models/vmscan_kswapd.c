/*
 * models/vmscan_kswapd.c - the life of kswapd.  Level 5.
 *
 * Stands for kswapd(), kswapd_try_to_sleep() and balance_pgdat() of mm/vmscan.c v6.1, one zone
 * (KERNEL 5.2).  An allocation that leaves less than the low mark free wakes it.  It makes passes
 * over the lists and the shrinkers at falling priorities until the high mark is met, then naps for
 * HZ / 10: woken early or with free memory below the high mark again it goes on, else it sleeps
 * until woken.  Batches that keep meeting pages under writeback make it sleep HZ / 10.  16 runs
 * that freed nothing make the node hopeless: kswapd stays away until direct reclaim frees
 * something.
 *
 * Not modelled: orders, boosts, compaction, the early end of a throttle.
 * I1  kswapd sleeps only with the high mark met, or with the node hopeless.
 */
#include "models/vmscan_internal.h"

#include "sim/trace_events.h"

#define NAP_NS (100 * NSEC_PER_MSEC) /* HZ / 10 */
#define MAX_KSWAPD_FAILURES 16u	     /* MAX_RECLAIM_RETRIES */

static void balance_pgdat(struct task *t);
static void try_to_sleep(struct task *t);

static bool balanced(const struct vmscan *vs)
{
	return nr_free_pages(vs->fm->pa) >= vs->stat.wmark_high;
}

static bool hopeless(const struct vmscan *vs)
{
	return vs->kswapd_failures >= MAX_KSWAPD_FAILURES;
}

void kswapd_reclaim_works(struct vmscan *vs)
{
	bool was_hopeless = hopeless(vs);

	vs->kswapd_failures = 0;
	if (was_hopeless)
		wake_up(&vs->hopeless_wait);
}

/* kswapd_shrink_node(): begin a pass over the node at the current priority. */
static void begin_pass(struct vmscan *vs)
{
	vs->sc.nr_to_reclaim = MAX(vs->stat.wmark_high, SWAP_CLUSTER_MAX);
	vs->sc.nr_scanned = 0;
	vs->sc.nr_reclaimed = 0;
	vs->sc.in_pass = true;
	vs->lru->begin(vs, node_lruvec(vs), &vs->sc);
}

/*
 * May kswapd stop here?  Between passes; MGLRU also within one, once free memory is a batch over
 * the high mark (should_abort_scan()).
 */
static bool pass_may_end(const struct vmscan *vs)
{
	return !vs->sc.in_pass ||
	       (vs->lru->gen_enabled && nr_free_pages(vs->fm->pa) >= vs->stat.wmark_high + 64);
}

/* The lists are done: the shrinkers, then more of both next time unless this pass did enough.
 * Returns CPU time. */
static int64_t end_pass(struct vmscan *vs)
{
	struct scan_control *sc = &vs->sc;
	int64_t cost_ns = 0;

	sc->nr_reclaimed += shrink_slab(vs->shrinkers, sc->priority, &cost_ns);
	if (MAX(sc->nr_scanned, sc->nr_reclaimed) < sc->nr_to_reclaim || !sc->nr_reclaimed)
		sc->priority--;
	vs->kswapd_progress |= sc->nr_reclaimed > 0;
	sc->in_pass = false;
	return cost_ns;
}

/* balance_pgdat() is over: was it of use? */
static void end_balance(struct task *t)
{
	struct vmscan *vs = t->private;

	vs->kswapd_progress |= vs->sc.in_pass && vs->sc.nr_reclaimed;
	if (vs->kswapd_progress)
		vs->kswapd_failures = 0;
	else if (vs->sc.priority < 1)
		vs->kswapd_failures++;
	try_to_sleep(t);
}

/* A batch at a time: the CPU time of the last one has passed. */
static void balance_step(struct task *t)
{
	struct vmscan *vs = t->private;
	struct scan_control *sc = &vs->sc;
	bool more;
	int64_t cost_ns;

	if (pass_may_end(vs) && (balanced(vs) || sc->priority < 1)) {
		end_balance(t);
		return;
	}
	if (!sc->in_pass)
		begin_pass(vs);
	cost_ns = shrink_batch(vs, node_lruvec(vs), sc, &more);
	vs->stat.pgscan_kswapd += sc->batch.scanned;
	vs->stat.pgsteal_kswapd += sc->batch.reclaimed;
	if (!more)
		cost_ns += end_pass(vs);
	if (sc->batch.immediate) { /* reclaim_throttle(VMSCAN_THROTTLE_WRITEBACK) */
		vs->stat.kswapd_throttled++;
		task_sleep(t, t->sim->now + RECLAIM_THROTTLE_NS, balance_step);
	} else {
		vs->fm->reclaim_until = t->sim->now + cost_ns;
		task_run(t, cost_ns, balance_step);
	}
}

static void balance_pgdat(struct task *t)
{
	struct vmscan *vs = t->private;

	vs->stat.kswapd_wakes++;
	trace_mm_vmscan_kswapd_wake(t->sim, 0);
	vs->sc = (struct scan_control){.priority = DEF_PRIORITY, .kswapd = true};
	vs->kswapd_progress = false;
	balance_step(t);
}

static void sleep_long(struct task *t)
{
	struct vmscan *vs = t->private;

	vs->stat.kswapd_sleeps++;
	trace_mm_vmscan_kswapd_sleep(t->sim);
	if (hopeless(vs))
		task_wait(t, &vs->hopeless_wait, balance_pgdat, "reclaim to work again", 0, 0);
	else
		task_wait(t, &vs->kswapd_wait, balance_pgdat, "memory to run low", 0, 0);
}

static void nap_timeout(struct event *ev)
{
	struct vmscan *vs = container_of(ev, struct vmscan, nap_ev);

	wake_task(&vs->kswapd, vs->nap_generation);
}

/* The nap is over, by its time or by an allocation. */
static void nap_over(struct task *t)
{
	struct vmscan *vs = t->private;

	if (event_cancel(&t->sim->queue, &vs->nap_ev)) {
		vs->stat.kswapd_low_wmark_hit_quickly++;
		balance_pgdat(t);
	} else if (balanced(vs)) {
		sleep_long(t);
	} else {
		vs->stat.kswapd_high_wmark_hit_quickly++;
		balance_pgdat(t);
	}
}

/* kswapd_try_to_sleep() */
static void try_to_sleep(struct task *t)
{
	struct vmscan *vs = t->private;

	if (hopeless(vs)) {
		sleep_long(t);
	} else if (balanced(vs)) {
		task_wait(t, &vs->kswapd_wait, nap_over, "memory to run low", 0, 0);
		vs->nap_generation = t->generation;
		sim_at(t->sim, &vs->nap_ev, t->sim->now + NAP_NS);
	} else {
		vs->stat.kswapd_high_wmark_hit_quickly++;
		balance_pgdat(t);
	}
}

/* The machine has been up for a while: no nap. */
static void kswapd(struct task *t)
{
	struct vmscan *vs = container_of(t, struct vmscan, kswapd);

	t->private = vs;
	if (nr_free_pages(vs->fm->pa) >= vs->stat.wmark_low)
		sleep_long(t);
	else
		balance_pgdat(t);
}

void kswapd_init(struct vmscan *vs)
{
	struct sim *sim = vs->model.sim;

	wait_queue_init(&vs->kswapd_wait);
	wait_queue_init(&vs->hopeless_wait);
	event_init(&vs->nap_ev, nap_timeout);
	vs->nap_ev.daemon = true;
	task_init(&vs->kswapd, sim, "kswapd0", 3, true);
	page_alloc_set_low(vs->fm->pa, vs->stat.wmark_low, &vs->kswapd_wait);
}

void kswapd_start(struct vmscan *vs)
{
	task_start(&vs->kswapd, kswapd);
}

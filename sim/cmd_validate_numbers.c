/*
 * sim/cmd_validate_numbers.c - the metrics of a tally, see sim/cmd_validate_tally.h.
 *
 * What never occurred has no metric, so that a capture without an event does not claim a 0.
 * Latencies are D to C.  pgscan and pgsteal are told apart by the name of the task that reclaimed,
 * which only a capture gives; nr_dirtied counts folios, so it holds only while all are pages.
 */
#include <string.h>

#include "sim/cmd_validate_parts.h"

static void add_sum(GArray *m, const struct sum *sum, const char *what, bool bytes)
{
	if (!sum->count)
		return;
	metrics_add(m, (double)sum->count, "count", "sum", "%s.count", what);
	if (bytes)
		metrics_add(m, (double)sum->bytes, "bytes", "sum", "%s.bytes", what);
}

static void add_folios(GArray *m, const struct folios *f, const char *what)
{
	unsigned int last = 0;
	uint64_t nr = 0;

	for (unsigned int i = 0; i < NR_ORDERS; i++) {
		nr += f->folios[i];
		last = f->folios[i] ? i : last;
	}
	if (!nr)
		return;
	metrics_add(m, (double)f->pages, "pages", "sum", "%s.pages", what);
	metrics_add(m, (double)nr, "folios", "sum", "%s.folios", what);
	for (unsigned int i = 0; last && i <= last; i++)
		if (f->folios[i])
			metrics_add(m, (double)f->folios[i], "folios", "sum", "%s.order%u", what,
				    i);
}

static void add_inputs(const struct tally *t, GArray *m)
{
	static const enum op_kind moving[] = {OP_READ, OP_WRITE};
	guint first = m->len;

	for (unsigned int i = 0; i < G_N_ELEMENTS(moving); i++) {
		g_autofree char *name = g_strdup_printf("op.%s", op_kind_name(moving[i]));

		add_sum(m, &t->kinds[moving[i]], name, true);
	}
	add_sum(m, &t->kinds[OP_FSYNC], "op.fsync", false);
	while (first < m->len)
		g_array_index(m, struct metric, first++).input = true;
}

static void add_latency(GArray *m, const struct hist *h, const char *dir)
{
	static const struct {
		const char *name;
		uint32_t ppm;
	} p[] = {{"p50", 500000}, {"p95", 950000}, {"p99", 990000}};

	for (unsigned int i = 0; h->count && i < G_N_ELEMENTS(p); i++)
		metrics_add(m, (double)hist_percentile(h, p[i].ppm), "ns", p[i].name, "d2c.%s.%s",
			    dir, p[i].name);
}

static void add_block(const struct tally *t, GArray *m)
{
	static const char *const dirs[NR_DIRS] = {"read", "write", "flush", "discard"};

	for (unsigned int i = 0; i < NR_DIRS; i++) {
		bool bytes = i + OP_BIO_READ != OP_FLUSH;
		g_autofree char *bio = g_strdup_printf("bio.%s", dirs[i]);
		g_autofree char *rq = g_strdup_printf("rq.%s", dirs[i]);

		add_sum(m, &t->bios[i], bio, bytes);
		if (t->bios[i].count && t->has_files && bytes)
			metrics_add(m, (double)t->caller_bios[i], "count", "sum",
				    "bio.%s.by_caller", dirs[i]);
		add_sum(m, &t->requests[i], rq, bytes);
		add_latency(m, &t->d2c[i], dirs[i]);
	}
}

static bool is_kswapd(const struct trace_info *info, int32_t pid)
{
	const char *name = info ? g_hash_table_lookup(info->names, GINT_TO_POINTER(pid)) : NULL;

	return name && g_str_has_prefix(name, "kswapd");
}

static void add_reclaim(const struct tally *t, const struct trace_info *info, GArray *m)
{
	static const char *const who[] = {"direct", "kswapd"};
	struct sum sums[2] = {{0}};
	GHashTableIter it;
	void *pid, *value;

	g_hash_table_iter_init(&it, t->reclaim);
	while (g_hash_table_iter_next(&it, &pid, &value)) {
		struct sum *sum = &sums[is_kswapd(info, GPOINTER_TO_INT(pid))];

		sum->count += ((struct sum *)value)->count;
		sum->bytes += ((struct sum *)value)->bytes;
	}
	for (unsigned int i = 0; g_hash_table_size(t->reclaim) && i < 2; i++) {
		metrics_add(m, (double)sums[i].count, "pages", "sum", "pgscan_%s", who[i]);
		metrics_add(m, (double)sums[i].bytes, "pages", "sum", "pgsteal_%s", who[i]);
	}
}

static void add_writeback(const struct tally *t, GArray *m)
{
	const struct sum *throttled = &t->kinds[OBS_BALANCE_DIRTY];

	if (t->kinds[OBS_DIRTY].count && !t->added.folios[1] &&
	    t->added.pages == t->added.folios[0])
		metrics_add(m, (double)t->kinds[OBS_DIRTY].count, "pages", "sum", "nr_dirtied");
	if (t->kinds[OBS_WRITE_PAGE].count)
		metrics_add(m, (double)t->kinds[OBS_WRITE_PAGE].count, "pages", "sum",
			    "nr_writeback_started");
	add_sum(m, throttled, "balance_dirty_pages", false);
	if (throttled->count) {
		metrics_add(m, (double)t->pauses, "count", "sum", "balance_dirty_pages.pauses");
		metrics_add(m, (double)t->pause_ms, "ms", "sum", "balance_dirty_pages.pause");
	}
	if (!t->state.n)
		return;
	double n = (double)t->state.n;

	metrics_add(m, (double)t->state.thresh / n, "pages", "mean", "nr_dirty_threshold");
	metrics_add(m, (double)t->state.background / n, "pages", "mean",
		    "nr_dirty_background_threshold");
	metrics_add(m, (double)t->state.dirty_max, "pages", "max", "nr_dirty");
}

/* Events that are counted only. */
static void add_events(const struct trace_info *info, GArray *m)
{
	static const struct {
		const char *event, *metric;
	} events[] = {
		{"mm_vmscan_kswapd_wake", "kswapd.wakes"},
		{"mm_vmscan_kswapd_sleep", "kswapd.sleeps"},
		{"mm_vmscan_direct_reclaim_begin", "allocstall"},
		{"mm_vmscan_memcg_reclaim_begin", "memcg.reclaims"},
	};

	for (unsigned int i = 0; info && i < G_N_ELEMENTS(events); i++) {
		const uint64_t *n = g_hash_table_lookup(info->events, events[i].event);

		if (n)
			metrics_add(m, (double)*n, "count", "sum", "%s", events[i].metric);
	}
}

void tally_metrics(const struct tally *t, const struct trace_info *info, GArray *m)
{
	add_inputs(t, m);
	add_folios(m, &t->added, "cache_add");
	if (t->added.pages)
		metrics_add(m, (double)t->added_again, "pages", "sum", "cache_add.again");
	add_folios(m, &t->deleted, "cache_delete");
	if (t->kinds[OBS_READAHEAD].count) {
		metrics_add(m, (double)t->kinds[OBS_READAHEAD].count, "count", "sum",
			    "readahead.batches");
		metrics_add(m, (double)(t->kinds[OBS_READAHEAD].bytes >> PAGE_SHIFT), "pages",
			    "sum", "readahead.pages");
	}
	add_block(t, m);
	add_writeback(t, m);
	add_reclaim(t, info, m);
	add_events(info, m);
}

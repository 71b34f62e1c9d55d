/*
 * sim/cmd_validate_sim.c - see sim/cmd_validate_sim.h.
 *
 * Where a value comes from, in this order: the simulation's own tally of pages and of its
 * tracepoints; latencies of the
 * block layer; jobs ("job.write.seconds"); a counter under another name (aliases[]); MODEL.COUNTER
 * or a column of series.csv as it is; the first model in table order with a counter of that name.
 */
#include "sim/cmd_validate_sim.h"

#include <string.h>

#include "models/blk_mq.h"
#include "models/pagemap.h"
#include "sim/tracepoint.h"

/* clang-format off */
static const struct {
	const char *metric, *counter;
	double scale;
} aliases[] = {
	{ "op.read.count",     "f2fs_file.ops_read",            1 },
	{ "op.write.count",    "f2fs_file.ops_write",           1 },
	{ "op.fsync.count",    "f2fs_file.ops_fsync",           1 },
	{ "readahead.batches", "filemap.readahead_batches",     1 },
	{ "readahead.pages",   "filemap.readahead_pages",       1 },
	{ "bio.read.count",    "f2fs_data.read_bios",           1 },
	{ "bio.read.bytes",    "f2fs_data.read_bio_pages",      PAGE_SIZE },
	{ "bio.write.count",   "f2fs_data.write_bios",          1 },
	{ "bio.write.bytes",   "f2fs_data.write_bio_pages",     PAGE_SIZE },
	{ "rq.read.count",     "blk_mq.reads_completed",        1 },
	{ "rq.read.bytes",     "blk_mq.sectors_read",           (double)(1 << SECTOR_SHIFT) },
	{ "rq.write.count",    "blk_mq.writes_completed",       1 },
	{ "rq.write.bytes",    "blk_mq.sectors_written",        (double)(1 << SECTOR_SHIFT) },
	{ "rq.flush.count",    "blk_mq.flushes",                1 },
	{ "rq.discard.count",  "blk_mq.discards",               1 },
	{ "rq.discard.bytes",  "blk_mq.sectors_discarded",      (double)(1 << SECTOR_SHIFT) },
	{ "kswapd.wakes",      "vmscan.kswapd_wakes",           1 },
	{ "kswapd.sleeps",     "vmscan.kswapd_sleeps",          1 },
	{ "balance_dirty_pages.pauses", "page_writeback.dirty_pauses",   1 },
	{ "balance_dirty_pages.pause",  "page_writeback.dirty_pause_ns", 1e-6 },
	{ "kswapd.cpu_ns",     "task.kswapd0.cpu_ns",           1 },
};
/* clang-format on */

static void watch(struct tally *tally, const struct folio *folio, enum op_kind kind)
{
	const struct inode *inode = folio->mapping->host;
	struct op op = {
		.time_ns = 0,
		.done_ns = OP_NO_TIME,
		.kind = (uint8_t)kind,
		.dev = inode->i_dev,
		.ino = inode->i_ino,
		.pos = (int64_t)(folio->index << PAGE_SHIFT),
		.len = (int64_t)(folio_nr_pages(folio) << PAGE_SHIFT),
	};

	tally_drive(tally, op.dev, op.ino);
	tally_op(tally, &op);
}

static void watch_add(void *tally, const struct folio *folio)
{
	watch(tally, folio, OBS_CACHE_ADD);
}

static void watch_delete(void *tally, const struct folio *folio)
{
	watch(tally, folio, OBS_CACHE_DELETE);
}

struct watch {
	struct trace_sink sink; /* must be first */
	struct tally *tally;
};

/* Tracepoints whose numbers a capture's events give too: arguments by sim/trace_events.h. */
static void watch_event(struct trace_sink *sink, const struct trace_event *e)
{
	struct tally *tally = ((struct watch *)sink)->tally;
	struct op op = {.time_ns = e->time_ns, .done_ns = OP_NO_TIME, .task = e->pid};

	switch (e->id) {
	case TRACE_SYS_ENTER:
		tally_task(tally, e->pid);
		return;
	case TRACE_BLOCK_BIO_QUEUE:
		op.kind = OBS_BIO;
		op.aux = e->v[0] == OP_BIO_WRITE && !e->v[3] ? OP_FLUSH : e->v[0];
		op.flags = (uint32_t)e->v[1];
		op.pos = (int64_t)e->v[2] << SECTOR_SHIFT;
		op.len = (int64_t)e->v[3];
		break;
	case TRACE_GLOBAL_DIRTY_STATE:
		op.kind = OBS_DIRTY_STATE;
		op.pos = (int64_t)e->v[0] << PAGE_SHIFT;
		op.aux = e->v[2] << PAGE_SHIFT;
		op.len = (int64_t)e->v[3] << PAGE_SHIFT;
		break;
	case TRACE_BALANCE_DIRTY_PAGES:
		op.kind = OBS_BALANCE_DIRTY;
		op.aux = (uint64_t)MAX((int64_t)e->v[10], 0);
		break;
	default:
		return;
	}
	tally_op(tally, &op);
}

struct watch *validate_watch(struct sim *sim, struct tally *tally, bool events)
{
	struct filemap *fm = filemap_of(sim);
	struct watch *w = g_new0(struct watch, 1);

	w->sink.event = watch_event;
	w->tally = tally;
	fm->on_add = watch_add;
	fm->on_delete = watch_delete;
	fm->observer_arg = tally;
	if (events)
		trace_add_sink(sim, &w->sink);
	return w;
}

void validate_unwatch(struct watch *w, struct sim *sim)
{
	trace_stop(sim);
	g_free(w);
}

static bool latency(const struct sim *sim, const char *name, double *value)
{
	static const struct {
		const char *prefix;
		enum req_op op;
	} dirs[] = {
		{"d2c.read.", REQ_OP_READ},
		{"d2c.write.", REQ_OP_WRITE},
		{"d2c.flush.", REQ_OP_FLUSH},
		{"d2c.discard.", REQ_OP_DISCARD},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(dirs); i++) {
		size_t n = strlen(dirs[i].prefix);
		uint64_t percent;

		if (strncmp(name, dirs[i].prefix, n) != 0 || name[n] != 'p' ||
		    !g_ascii_string_to_unsigned(name + n + 1, 10, 0, 100, &percent, NULL))
			continue;
		const struct hist *h = blk_mq_latency(sim, dirs[i].op);

		if (!h->count)
			return false;
		*value = (double)hist_percentile(h, (uint32_t)percent * 10000);
		return true;
	}
	return false;
}

/* "job.write.seconds": of all jobs together. */
static bool job_value(const struct report *r, const char *name, double *value)
{
	g_auto(GStrv) part = g_strsplit(name, ".", 3);
	ktime_t first = INT64_MAX, last = 0;
	uint64_t bytes = 0;

	if (g_strv_length(part) != 3 || strcmp(part[0], "job") != 0)
		return false;
	for (unsigned int i = 0; i < r->nr_jobs * JOB_NR_DIRS; i++) {
		enum job_dir dir = i % JOB_NR_DIRS;
		const struct job_stat *job = &r->jobs[i / JOB_NR_DIRS];

		if (strcmp(part[1], job_dir_name(dir)) != 0 || !job->dir[dir].ios)
			continue;
		first = MIN(first, job->dir[dir].first_ns);
		last = MAX(last, job->dir[dir].last_ns);
		bytes += job->dir[dir].bytes;
	}
	if (last <= first)
		return false;
	if (!strcmp(part[2], "bytes"))
		*value = (double)bytes;
	else if (!strcmp(part[2], "seconds"))
		*value = (double)(last - first) / 1e9;
	else if (!strcmp(part[2], "mib_per_s"))
		*value = (double)bytes / 1048576 / ((double)(last - first) / 1e9);
	else
		return false;
	return true;
}

/* @model NULL: of any model. */
static bool counter(const struct sim *sim, const char *model, const char *name, double *value,
		    const char **found)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		if (model && strcmp(m->ops->name, model) != 0)
			continue;
		for (const struct stat_desc *d = m->ops->stats; d && d->kind != STAT_END; d++) {
			if (strcmp(d->name, name) != 0)
				continue;
			*value = (double)stat_value(m, d);
			*found = m->ops->name;
			return true;
		}
	}
	return false;
}

static bool of_series(const struct sim *sim, const char *column, const char *stat, double *value)
{
	double mean;
	uint64_t max;

	if (!series_summary(sim->series, column, &mean, &max))
		return false;
	*value = g_str_equal(stat, "mean") ? mean : (double)max;
	return true;
}

/* vmstat's pgscan_direct and pgsteal_direct count what tasks reclaim for the machine and for their
 * own group. */
static bool direct_reclaim(const struct sim *sim, const char *name, double *value)
{
	double group = 0;
	const char *found;

	if (strcmp(name, "pgscan_direct") != 0 && strcmp(name, "pgsteal_direct") != 0)
		return false;
	counter(sim, "memcg", name, &group, &found);
	if (!counter(sim, "vmscan", name, value, &found))
		return false;
	*value += group;
	return true;
}

/* A counter ("model.counter" or only its name) at the end, or its mean or maximum over the run. */
static bool named(const struct sim *sim, const char *name, const char *stat, double *value)
{
	const char *dot = strchr(name, '.'), *found;
	g_autofree char *model = dot ? g_strndup(name, (gsize)(dot - name)) : NULL;

	if (!counter(sim, model, dot ? dot + 1 : name, value, &found))
		return of_series(sim, name, stat, value); /* task.kswapd0.cpu_ns only grows */
	if (!g_str_equal(stat, "mean") && !g_str_equal(stat, "max"))
		return true;
	g_autofree char *column = g_strconcat(found, ".", dot ? dot + 1 : name, NULL);

	return of_series(sim, column, stat, value);
}

bool validate_simulated(const struct report *r, const GArray *tallied, const char *name,
			const char *stat, double *value)
{
	const struct metric *m = metrics_find(tallied, name);

	if (m || g_str_has_prefix(name, "cache_")) { /* not in the tally: it never happened */
		*value = m ? m->value : 0;
		return true;
	}
	if (g_str_equal(name, "op.read.bytes"))
		name = "job.read.bytes";
	else if (g_str_equal(name, "op.write.bytes"))
		name = "job.write.bytes";
	if (latency(r->sim, name, value) || job_value(r, name, value) ||
	    direct_reclaim(r->sim, name, value))
		return true;
	for (unsigned int i = 0; i < G_N_ELEMENTS(aliases); i++)
		if (g_str_equal(aliases[i].metric, name) &&
		    named(r->sim, aliases[i].counter, stat, value)) {
			*value *= aliases[i].scale;
			return true;
		}
	return named(r->sim, name, stat, value);
}

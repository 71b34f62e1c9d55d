/*
 * traces/merge.c - several captures as one stream, by (time, reader, order in the reader).
 *
 * Every source keeps its own account (trace_capture_info()); the merge's own account holds the sums
 * once the stream has ended.  Time stamps are compared as they stand: whether the captures share a
 * clock is for the user to know.
 *
 * One op of each source is at hand; the earliest leaves.  There are few sources, so they are looked
 * through each time.  The first error of any source ends the merge: what the others still hold is
 * not delivered, since it would look like a complete capture.
 *
 * I1  ops leave in order of time as far as each source delivers in order of time.
 */
#include "traces/merge.h"

struct source {
	struct op op;
	bool has_op;
	bool ended;
};

struct merge {
	struct trace trace;
	GPtrArray *readers;
	struct source *sources; /* one a reader */
	bool summed;
};

static void sum_counts(void *key, void *value, void *user)
{
	trace_count(user, key, *(const uint64_t *)value);
}

static void sum_rwbs(void *key, void *value, void *user)
{
	const struct trace_rwbs *from = value;
	struct trace_rwbs *to = g_hash_table_lookup(user, key);

	if (!to) {
		to = g_new0(struct trace_rwbs, 1);
		g_hash_table_insert(user, g_strdup(key), to);
	}
	to->count += from->count;
	to->sectors += from->sectors;
}

static void sum_tasks(void *key, void *value, void *user)
{
	(void)value;
	g_hash_table_add(user, key);
}

static void sum_numbers(struct trace_info *to, const struct trace_info *from)
{
	to->records += from->records;
	to->lost += from->lost;
	to->broken += from->broken;
	to->unpaired += from->unpaired;
	to->unbound += from->unbound;
	to->paired += from->paired;
	to->cross_cpu += from->cross_cpu;
	to->underflow += from->underflow;
	to->skewed += from->skewed;
	to->more_warnings += from->more_warnings;
	to->truncated |= from->truncated;
	to->has_pairs |= from->has_pairs;
	to->has_actions |= from->has_actions;
	to->drives |= from->drives;
	for (size_t i = 0; i < G_N_ELEMENTS(to->actions); i++)
		to->actions[i] += from->actions[i];
}

static void sum_info(struct trace *t, const struct trace_info *from)
{
	struct trace_info *to = &t->info;

	sum_numbers(to, from);
	g_hash_table_foreach(from->events, sum_counts, to->events);
	g_hash_table_foreach(from->unknown, sum_counts, to->unknown);
	g_hash_table_foreach(from->rwbs, sum_rwbs, to->rwbs);
	g_hash_table_foreach(from->tasks, sum_tasks, to->tasks);
	if (from->first_ns != OP_NO_TIME) {
		trace_seen(t, from->first_ns, -1);
		trace_seen(t, from->last_ns, -1);
	}
	for (guint i = 0; i < from->warnings->len; i++)
		trace_warn(t, "%s: %s", from->path,
			   (const char *)g_ptr_array_index(from->warnings, i));
}

static void sum_all(struct merge *m)
{
	for (guint i = 0; i < m->readers->len && !m->summed; i++)
		sum_info(&m->trace, trace_info(g_ptr_array_index(m->readers, i)));
	m->summed = true;
}

/* Have an op of every source at hand that has not ended. */
static bool fill(struct merge *m, GError **err)
{
	for (guint i = 0; i < m->readers->len; i++) {
		struct source *s = &m->sources[i];
		GError *failed = NULL;

		if (s->has_op || s->ended)
			continue;
		s->has_op = trace_next(g_ptr_array_index(m->readers, i), &s->op, &failed);
		s->ended = !s->has_op;
		if (failed) {
			g_propagate_error(err, failed);
			return false;
		}
	}
	return true;
}

static bool merge_next(struct trace *t, struct op *op, GError **err)
{
	struct merge *m = container_of(t, struct merge, trace);
	struct source *first = NULL;

	if (!fill(m, err))
		return false;
	for (guint i = 0; i < m->readers->len; i++) {
		struct source *s = &m->sources[i];

		if (s->has_op && (!first || op_cmp_time(&s->op, &first->op) < 0))
			first = s;
	}
	if (!first) {
		sum_all(m);
		return false;
	}
	*op = first->op;
	first->has_op = false;
	return true;
}

static void merge_close(struct trace *t)
{
	struct merge *m = container_of(t, struct merge, trace);

	g_ptr_array_unref(m->readers);
	g_free(m->sources);
	trace_fini(t);
	g_free(m);
}

static struct trace *const *merge_children(const struct trace *t, unsigned int *n)
{
	const struct merge *m =
		(const struct merge *)((const char *)t - offsetof(struct merge, trace));

	*n = m->readers->len;
	return (struct trace *const *)m->readers->pdata;
}

static const struct trace_ops merge_ops = {
	.name = "merge",
	.summary = "several captures",
	.next = merge_next,
	.close = merge_close,
	.children = merge_children,
};

struct trace *merge_new(GPtrArray *readers, const struct trace_opts *opts)
{
	struct merge *m = g_new0(struct merge, 1);

	assert(readers->len);
	trace_init(&m->trace, &merge_ops, opts, trace_info(g_ptr_array_index(readers, 0))->path);
	m->readers = readers;
	m->sources = g_new0(struct source, readers->len);
	return &m->trace;
}

/*
 * sim/cmd_emit_iolog.c - see sim/cmd_emit_iolog.h.
 *
 * An op enters at its issue and leaves, in the order of issue, when its result is known; until then
 * it waits in a hold as an op that a reader has seen half of.
 */
#include "sim/cmd_emit_iolog.h"

#include <errno.h>

#include "traces/hold.h"
#include "traces/writer.h"

struct iolog_sink {
	struct trace_sink sink; /* must be first */
	struct writer *writer;
	struct hold *hold;
	GHashTable *open; /* pid -> ticket of its op */
	GError *error;
};

static void drain(struct iolog_sink *s, bool end)
{
	struct op op;

	while (!s->error && hold_pop(s->hold, end, &op))
		writer_op(s->writer, &op, &s->error);
}

static void iolog_event(struct trace_sink *sink, const struct trace_event *e)
{
	struct iolog_sink *s = (struct iolog_sink *)sink;
	gpointer pid = GINT_TO_POINTER(e->pid);
	struct op op = {
		.time_ns = e->time_ns,
		.done_ns = OP_NO_TIME,
		.task = e->pid,
		.dev = e->dev,
		.cpu = (uint16_t)e->cpu,
		.ino = e->v[0],
		.pos = (int64_t)e->v[1],
		.len = (int64_t)e->v[2],
		.aux = e->v[3],
		.kind = (uint8_t)e->v[4],
		.flags = (uint32_t)e->v[5],
	};

	if (e->id == TRACE_SYS_ENTER) {
		uint64_t *ticket = g_new(uint64_t, 1);

		*ticket = hold_push(s->hold, &op, true);
		g_hash_table_replace(s->open, pid, ticket);
	} else if (e->id == TRACE_SYS_EXIT && g_hash_table_contains(s->open, pid)) {
		uint64_t ticket = *(uint64_t *)g_hash_table_lookup(s->open, pid);
		struct op *held = hold_get(s->hold, ticket);

		if (held) {
			held->pos = op.pos; /* an append knows it now */
			held->done_ns = e->time_ns;
			held->result = (int64_t)e->v[6];
		}
		hold_finish(s->hold, ticket);
		g_hash_table_remove(s->open, pid);
		drain(s, false);
	}
}

static struct trace_sink *iolog_open(const char *dir, unsigned int nr_cpus, GError **err)
{
	g_autofree char *path = g_build_filename(dir, "ops.iolog", NULL);
	struct writer *writer = writer_new("iolog", path, err);

	(void)nr_cpus;
	if (!writer)
		return NULL;
	struct iolog_sink *s = g_new0(struct iolog_sink, 1);

	s->sink.event = iolog_event;
	s->writer = writer;
	s->hold = hold_new();
	s->open = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return &s->sink;
}

static void iolog_abort(struct trace_sink *sink)
{
	struct iolog_sink *s = (struct iolog_sink *)sink;

	writer_abort(s->writer);
	hold_free(s->hold);
	g_hash_table_destroy(s->open);
	g_clear_error(&s->error);
	g_free(s);
}

static bool iolog_finish(struct trace_sink *sink, GError **err)
{
	struct iolog_sink *s = (struct iolog_sink *)sink;

	drain(s, true);
	if (!s->error && fflush(s->writer->f) != 0)
		g_set_error(&s->error, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", s->writer->path,
			    g_strerror(errno));
	if (!s->error)
		return true;
	g_propagate_error(err, g_steal_pointer(&s->error));
	return false;
}

static bool iolog_commit(struct trace_sink *sink, GError **err)
{
	struct iolog_sink *s = (struct iolog_sink *)sink;
	bool ok = writer_commit(g_steal_pointer(&s->writer), NULL, err);

	iolog_abort(sink);
	return ok;
}

const struct emit_ops emit_iolog = {
	.name = "iolog",
	.summary = "ops.iolog, what was asked of the files, version 3 (fio --read_iolog)",
	.open = iolog_open,
	.finish = iolog_finish,
	.commit = iolog_commit,
	.abort = iolog_abort,
};

/*
 * sim/tracepoint.c - see sim/tracepoint.h.
 *
 * The next function that runs fills `stretch`; what it chose to do gives its events their times.
 * Then they go to a heap, from which everything up to the clock leaves: whatever is emitted later
 * is later, or equal and behind it.  So the heap holds what lies ahead of the clock, one stretch a
 * CPU at most.  A stretch of more than STRETCH_MAX events (the truncation of a huge file) is pinned
 * as far as it has come, which bounds the memory.
 *
 * I3  stretch is empty between two next functions.
 */
#include "sim/tracepoint.h"

#include <string.h>

#define CHUNK 256u	   /* events allocated at a time */
#define STRETCH_MAX 16384u /* events */
#define INO_FIRST_FILE 3u  /* of F2FS below it: node, meta, and root is this one */
#define DISK_DEFAULT DEVNO(259, 0)

static bool is_file(enum trace_id id)
{
	return id <= TRACE_WRITEBACK_SINGLE_INODE;
}

/* Happens when the clock says so, not somewhere in a stretch. */
static bool is_pinned(enum trace_id id)
{
	return id == TRACE_SYS_ENTER || id == TRACE_SYS_EXIT || id >= TRACE_BLOCK_BIO_QUEUE;
}

static bool is_before(const struct trace_event *a, const struct trace_event *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->seq < b->seq;
}

static void heap_push(GPtrArray *heap, struct trace_event *e)
{
	guint i = heap->len;

	g_ptr_array_add(heap, e);
	for (; i > 0 && is_before(e, heap->pdata[(i - 1) / 2]); i = (i - 1) / 2)
		heap->pdata[i] = heap->pdata[(i - 1) / 2];
	heap->pdata[i] = e;
}

static struct trace_event *heap_pop(GPtrArray *heap)
{
	struct trace_event *top = heap->pdata[0], *last = heap->pdata[heap->len - 1];
	guint i = 0, n = heap->len - 1;

	g_ptr_array_set_size(heap, (gint)n);
	if (!n)
		return top;
	for (guint child = 1; child < n; child = 2 * i + 1) {
		if (child + 1 < n && is_before(heap->pdata[child + 1], heap->pdata[child]))
			child++;
		if (is_before(last, heap->pdata[child]))
			break;
		heap->pdata[i] = heap->pdata[child];
		i = child;
	}
	heap->pdata[i] = last;
	return top;
}

static struct trace_event *event_get(struct tracepoints *tp)
{
	if (!tp->free) {
		struct trace_event *chunk = g_new(struct trace_event, CHUNK);

		g_ptr_array_add(tp->chunks, chunk);
		for (unsigned int i = 0; i < CHUNK; i++) {
			chunk[i].next = tp->free;
			tp->free = &chunk[i];
		}
	}
	struct trace_event *e = tp->free;

	tp->free = e->next;
	return e;
}

/* Everything up to @time leaves. */
static void release(struct tracepoints *tp, ktime_t time)
{
	while (tp->heap->len) {
		struct trace_event *e = tp->heap->pdata[0];

		if (e->time_ns > time)
			return;
		heap_pop(tp->heap);
		for (guint i = 0; i < tp->sinks->len; i++) {
			struct trace_sink *sink = tp->sinks->pdata[i];

			sink->event(sink, e);
		}
		e->next = tp->free;
		tp->free = e;
	}
}

void trace_add_sink(struct sim *sim, struct trace_sink *sink)
{
	if (!sim->trace) {
		sim->trace = g_new0(struct tracepoints, 1);
		sim->trace->sinks = g_ptr_array_new();
		sim->trace->stretch = g_ptr_array_new();
		sim->trace->heap = g_ptr_array_new();
		sim->trace->chunks = g_ptr_array_new_with_free_func(g_free);
	}
	g_ptr_array_add(sim->trace->sinks, sink);
}

void trace_stop(struct sim *sim)
{
	struct tracepoints *tp = sim->trace;

	if (!tp)
		return;
	assert(!tp->stretch->len); /* I3 */
	release(tp, KTIME_MAX);
	g_ptr_array_unref(tp->sinks);
	g_ptr_array_unref(tp->stretch);
	g_ptr_array_unref(tp->heap);
	g_ptr_array_unref(tp->chunks);
	g_clear_pointer(&sim->trace, g_free);
}

void trace_name_disk(struct sim *sim, uint32_t dev)
{
	if (trace_enabled(sim) && !sim->trace->disk)
		sim->trace->disk = dev;
}

static uint32_t disk(struct tracepoints *tp)
{
	if (!tp->disk)
		tp->disk = DISK_DEFAULT;
	return tp->disk;
}

/* The stretch's first @nr events stand at the clock. */
static void pin(struct tracepoints *tp, unsigned int nr, ktime_t now)
{
	for (; tp->pinned < nr; tp->pinned++)
		((struct trace_event *)tp->stretch->pdata[tp->pinned])->time_ns = now;
}

static void stretch_release(struct tracepoints *tp, ktime_t now)
{
	for (guint i = 0; i < tp->stretch->len; i++)
		heap_push(tp->heap, tp->stretch->pdata[i]);
	g_ptr_array_set_size(tp->stretch, 0);
	tp->pinned = 0;
	release(tp, now);
}

/* @t goes on for t->run_ns, or has left the CPU: when were the events of its stretch? */
static void stretch_end(struct tracepoints *tp, const struct task *t)
{
	GPtrArray *stretch = tp->stretch;
	ktime_t now = t->sim->now, start = MAX(now, t->sim->cpus[t->cpu].irq_until);

	if (t->state != TASK_RUNNING)
		pin(tp, stretch->len, now);
	guint nr = stretch->len - tp->pinned;
	for (guint i = 0; i < nr; i++) {
		struct trace_event *e = stretch->pdata[tp->pinned + i];

		e->time_ns = start + (ktime_t)((__int128)t->run_ns * (i + 1) / (nr + 1));
	}
	stretch_release(tp, now);
}

void trace_stretch(struct task *t)
{
	struct tracepoints *tp = t->sim->trace;

	tp->current = t;
	t->next(t);
	tp->current = NULL;
	if (tp->stretch->len)
		stretch_end(tp, t);
}

static void set_task(struct trace_event *e, const struct task *t)
{
	e->pid = t ? t->pid : 0;
	e->comm = t ? t->name : "<idle>";
}

/* An event of this instant, on no list yet. */
static struct trace_event *make(struct sim *sim, enum trace_id id, uint32_t dev, const uint64_t *v,
				unsigned int nr)
{
	struct tracepoints *tp = sim->trace;
	struct trace_event *e = event_get(tp);
	const struct task *current = tp->current;

	assert(nr <= TRACE_ARGS_MAX);
	e->id = id;
	e->seq = tp->seq++;
	e->time_ns = sim->now;
	e->dev = dev ? dev : disk(tp);
	for (unsigned int i = 0; i < nr; i++)
		e->v[i] = v[i];
	if (is_file(id) && !dev)
		e->v[0] += INO_FIRST_FILE;
	e->context = current ? CTX_TASK : tp->irq_ctx;
	e->cpu = current ? current->cpu : tp->irq_cpu;
	set_task(e, current ? current : sim->cpus[e->cpu].current);
	return e;
}

/* @e joins the stretch of the task that runs, or goes its way. */
static void place(struct sim *sim, struct trace_event *e)
{
	struct tracepoints *tp = sim->trace;

	if (!tp->current) {
		heap_push(tp->heap, e);
		release(tp, sim->now);
		return;
	}
	g_ptr_array_add(tp->stretch, e);
	if (is_pinned(e->id))
		pin(tp, tp->stretch->len, sim->now);
	if (tp->stretch->len < STRETCH_MAX || tp->reserved)
		return;
	pin(tp, tp->stretch->len, sim->now);
	stretch_release(tp, sim->now);
}

void trace_emit_op(struct sim *sim, enum trace_id id, const struct op *op, int64_t value)
{
	const uint64_t v[] = {op->ino,	(uint64_t)op->pos, (uint64_t)op->len, op->aux,
			      op->kind, op->flags,	   (uint64_t)value};

	if (id == TRACE_SYS_ENTER)
		trace_name_disk(sim, op->dev);
	trace_emit(sim, id, op->dev, v, G_N_ELEMENTS(v));
}

void trace_reserve(struct sim *sim, enum trace_id id)
{
	assert(sim->trace->current && !sim->trace->reserved);
	sim->trace->reserved = make(sim, id, 0, NULL, 0);
	place(sim, sim->trace->reserved);
}

void trace_fill(struct sim *sim, const uint64_t *v, unsigned int nr)
{
	struct trace_event *e = sim->trace->reserved;

	assert(e && nr <= TRACE_ARGS_MAX);
	memcpy(e->v, v, nr * sizeof(*v));
	sim->trace->reserved = NULL;
}

void trace_emit(struct sim *sim, enum trace_id id, uint32_t dev, const uint64_t *v, unsigned int nr)
{
	place(sim, make(sim, id, dev, v, nr));
}

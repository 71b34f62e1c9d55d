/*
 * sim/replay_slots.c - generated jobs and block ops: a stream of ops and the slots that issue them.
 *
 * Closed loop (jobs, asap): iodepth slots, each pulls an op, issues it, and pulls the next when it
 * is done. Open loop (block ops at their time stamps): one slot at a time holds the next op and
 * sleeps until its time; when it issues, an idle slot (or a new one, up to MAX_SLOTS) takes its
 * place, so a slow device never delays the arrivals.
 */
#include "sim/replay_internal.h"

#define MAX_SLOTS 4096u

struct slot {
	struct task task;
	struct slot_stream *stream;
	struct issue cur;
	char *name;
	struct slot *next;
};

struct slot_stream {
	struct replay *r;
	struct op_source *source;
	struct replay_job job;
	struct job_stat *stat;
	bool block, open_loop, ended;
	int64_t bytes_issued;
	struct slot *slots; /* all, newest first */
	unsigned int nr_slots;
	struct wait_queue idle; /* open loop: slots without an op */
	bool feeding;		/* some slot holds the next op */
};

static void slot_next(struct task *t);

static void slot_new(struct slot_stream *s)
{
	struct slot *slot = g_new0(struct slot, 1);

	slot->stream = s;
	slot->name = g_strdup_printf("%s/%u", s->job.name, s->nr_slots);
	slot->next = s->slots;
	s->slots = slot;
	s->nr_slots++;
	task_init(&slot->task, s->r->sim, slot->name, (int32_t)s->nr_slots, false);
	task_start(&slot->task, slot_next);
}

void slots_add(struct replay *r, struct op_source *source, const struct replay_job *job, bool block,
	       bool open_loop)
{
	struct slot_stream *s = g_new0(struct slot_stream, 1);

	s->r = r;
	s->source = source;
	s->job = *job;
	s->stat = replay_new_stat(r, job->name);
	s->block = block;
	s->open_loop = open_loop;
	wait_queue_init(&s->idle);
	g_ptr_array_add(r->streams, s);
	for (uint64_t i = 0; i < (open_loop ? 1 : job->iodepth); i++)
		slot_new(s);
}

void slots_free(struct replay *r)
{
	for (unsigned int i = 0; i < r->streams->len; i++) {
		struct slot_stream *s = r->streams->pdata[i];

		while (s->slots) {
			struct slot *slot = s->slots;

			s->slots = slot->next;
			g_free(slot->name);
			g_free(slot);
		}
		g_free(s);
	}
}

static void slot_done(struct task *t)
{
	struct slot *slot = container_of(t, struct slot, task);
	struct slot_stream *s = slot->stream;
	ktime_t now = s->r->sim->now;

	replay_account(s->stat, &slot->cur, now);
	if (s->job.thinktime_ns)
		task_sleep(t, now + s->job.thinktime_ns, slot_next);
	else
		slot_next(t);
}

/* Open loop: somebody else takes the next op now. */
static void feed_on(struct slot_stream *s)
{
	s->feeding = false;
	if (!wake_up(&s->idle) && s->nr_slots < MAX_SLOTS)
		slot_new(s);
}

static void slot_issue(struct task *t)
{
	struct slot *slot = container_of(t, struct slot, task);
	struct slot_stream *s = slot->stream;
	struct sim *sim = s->r->sim;

	slot->cur.issued_ns = sim->now;
	if (s->open_loop)
		feed_on(s);
	if (s->block)
		sim->submit_block_op(sim, t, &slot->cur.op, slot_done);
	else
		sim->submit_op(sim, t, &slot->cur.op, slot_done);
}

/* When the slot's op may be issued. */
static ktime_t slot_due(const struct slot_stream *s, const struct op *op)
{
	if (s->open_loop)
		return replay_due(s->r, op->time_ns);
	if (!s->job.rate_bytes)
		return s->job.startdelay_ns;
	return s->job.startdelay_ns +
	       (ktime_t)((__int128)s->bytes_issued * NSEC_PER_SEC / s->job.rate_bytes);
}

static bool is_over(const struct slot_stream *s, ktime_t due)
{
	return s->job.runtime_ns && due >= s->job.startdelay_ns + s->job.runtime_ns;
}

static void slot_next(struct task *t)
{
	struct slot *slot = container_of(t, struct slot, task);
	struct slot_stream *s = slot->stream;
	ktime_t now = s->r->sim->now;

	if (s->open_loop && s->feeding && !s->ended) {
		task_wait(t, &s->idle, slot_next, "the next block op", 0, 0);
		return;
	}
	if (s->ended || is_over(s, now) || !replay_pull(s->r, s->source, s->stat, &slot->cur.op)) {
		s->ended = true;
		wake_up_all(&s->idle);
		task_exit(t);
		return;
	}
	ktime_t due = MAX(slot_due(s, &slot->cur.op), now);

	if (is_over(s, due)) { /* paced past the end of the run: fio stops without it */
		s->ended = true;
		task_exit(t);
		return;
	}
	s->feeding = true;
	s->bytes_issued += slot->cur.op.len;
	task_sleep(t, due, slot_issue);
}

/*
 * sim/replay_slots.c - generated jobs and block ops: a stream of ops and the slots that issue them.
 *
 * Closed loop (jobs, asap): iodepth slots, each pulls an op, issues it, and pulls the next when it
 * is done. Open loop (block ops at their time stamps): one slot at a time holds the next op and
 * sleeps until its time; when it issues, an idle slot (or a new one, up to MAX_SLOTS) takes its
 * place, so a slow device never delays the arrivals.
 *
 * Jobs form groups: a job with stonewall begins a new one, and a group starts when the one before
 * has ended.
 */
#include "sim/replay_internal.h"

#define MAX_SLOTS 4096u
#define MAX_PULLS (1u << 20) /* in one instant, by a job that ends by time */

struct slot {
	struct task task;
	struct slot_stream *stream;
	struct issue cur;
	int64_t blocks; /* transfers since it last thought */
	char *name;
	struct slot *next;
};

/* What a paced direction has issued. */
struct paced {
	int64_t bytes, ios;
};

struct slot_stream {
	struct replay *r;
	struct op_source *source;
	struct replay_job job;
	struct job_stat *stat;
	bool block, open_loop;
	bool started, stopped, ended;
	unsigned int group;
	ktime_t start_ns;      /* valid once started */
	struct paced paced[2]; /* reads and discards, writes */
	ktime_t pulled_ns;     /* the instant of the last pull, and the number of pulls in it */
	unsigned int pulled;
	struct slot *slots; /* all, newest first */
	unsigned int nr_slots;
	struct wait_queue idle; /* open loop: slots without an op */
	bool feeding;		/* open loop: some slot holds the next op */
};

static void slot_next(struct task *t);

static unsigned int *group_live(const struct slot_stream *s)
{
	return &g_array_index(s->r->group_live, unsigned int, s->group);
}

static void slot_new(struct slot_stream *s)
{
	struct slot *slot = g_new0(struct slot, 1);

	slot->stream = s;
	slot->name = g_strdup_printf("%s/%u", s->stat->name, s->nr_slots);
	slot->next = s->slots;
	s->slots = slot;
	s->nr_slots++;
	++*group_live(s);
	task_init(&slot->task, s->r->sim, slot->name, ++s->r->last_pid, false);
	task_start(&slot->task, slot_next);
}

void slots_add(struct replay *r, struct op_source *source, const struct replay_job *job, bool block,
	       bool open_loop)
{
	struct slot_stream *s = g_new0(struct slot_stream, 1);
	struct slot_stream *last = r->streams->len ? r->streams->pdata[r->streams->len - 1] : NULL;

	s->r = r;
	s->source = source;
	s->job = *job;
	s->stat = replay_new_stat(r, job->name);
	s->job.name = s->stat->name;
	s->block = block;
	s->open_loop = open_loop;
	s->group = last ? last->group + job->stonewall : 0;
	g_array_set_size(r->group_live, s->group + 1);
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

static void slot_exit(struct task *t)
{
	struct slot_stream *s = container_of(t, struct slot, task)->stream;

	s->ended = true;
	wake_up_all(&s->idle);
	assert(s->group == s->r->group && *group_live(s) > 0);
	if (--*group_live(s) == 0) { /* the next group starts */
		s->r->group++;
		wake_up_all(&s->r->group_wait);
	}
	task_exit(t);
}

static bool is_transfer(const struct op *op)
{
	return op->kind == OP_READ || op->kind == OP_WRITE || op->kind == OP_DISCARD;
}

static void slot_done(struct task *t)
{
	struct slot *slot = container_of(t, struct slot, task);
	struct slot_stream *s = slot->stream;
	ktime_t now = s->r->sim->now;

	if (slot->cur.issued_ns - s->start_ns >= s->job.ramp_ns)
		replay_account(s->stat, &slot->cur, now);
	slot->blocks += is_transfer(&slot->cur.op);
	if (s->job.thinktime_ns && slot->blocks >= s->job.thinktime_blocks) {
		slot->blocks = 0;
		task_sleep(t, replay_saturate((__int128)now + s->job.thinktime_ns), slot_next);
	} else {
		slot_next(t);
	}
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
	if (s->block && slot->cur.op.task > 0)
		t->pid = slot->cur.op.task; /* for the tracepoints: whose request this was */
	replay_submit(s->r, t, &slot->cur.op, slot_done);
}

/* When a paced direction may issue its next op, from the job's start. */
static ktime_t paced_due(const struct replay_job *job, const struct paced *p)
{
	ktime_t due = 0;

	if (job->rate_bytes)
		due = replay_saturate((__int128)p->bytes * NSEC_PER_SEC / job->rate_bytes);
	if (job->rate_iops)
		due = MAX(due, replay_saturate((__int128)p->ios * NSEC_PER_SEC / job->rate_iops));
	return due;
}

static bool is_paced(const struct slot_stream *s, const struct op *op)
{
	return !s->open_loop && is_transfer(op) && (s->job.rate_bytes || s->job.rate_iops);
}

/* When the slot's op may be issued; counts it as issued. */
static ktime_t slot_due(struct slot_stream *s, const struct op *op)
{
	struct paced *p = &s->paced[op->kind == OP_WRITE];
	ktime_t due;

	if (s->open_loop)
		return replay_due(s->r, op->time_ns);
	if (!is_transfer(op))
		return 0;
	due = replay_saturate((__int128)s->start_ns + paced_due(&s->job, p));
	p->bytes += op->len;
	p->ios++;
	return due;
}

static ktime_t end_of(const struct slot_stream *s)
{
	return replay_saturate((__int128)s->start_ns + s->job.ramp_ns + s->job.runtime_ns);
}

static bool is_over(const struct slot_stream *s, ktime_t time)
{
	return s->job.runtime_ns && time >= end_of(s);
}

/* The runtime is over: only what the source still gives after stop() runs. */
static void stop_source(struct slot_stream *s)
{
	if (s->stopped)
		return;
	s->stopped = true;
	if (s->job.stop)
		s->job.stop(s->source);
	else
		s->ended = true;
}

/* Wait for the stream's group and its start delay; true when it runs. */
static bool slot_started(struct task *t, struct slot_stream *s)
{
	ktime_t now = s->r->sim->now;

	if (s->group > s->r->group) {
		task_wait(t, &s->r->group_wait, slot_next, "the jobs before its stonewall",
			  s->group, 0);
		return false;
	}
	if (!s->started) {
		s->started = true;
		s->start_ns = replay_saturate((__int128)now + s->job.startdelay_ns);
	}
	if (now >= s->start_ns)
		return true;
	task_sleep(t, s->start_ns, slot_next);
	return false;
}

/* Ops that take no time (refused ones) never bring the end of a job's runtime nearer. */
static bool stands_still(struct slot_stream *s, ktime_t now)
{
	if (s->pulled_ns != now)
		s->pulled = 0;
	s->pulled_ns = now;
	if (!s->job.runtime_ns || s->stopped || ++s->pulled < MAX_PULLS)
		return false;
	if (!s->r->error)
		g_set_error(&s->r->error, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: %u ops took no time at all: its runtime will never be over",
			    s->stat->name, s->pulled);
	return true;
}

static void slot_next(struct task *t)
{
	struct slot *slot = container_of(t, struct slot, task);
	struct slot_stream *s = slot->stream;
	ktime_t now = s->r->sim->now, due;

	if (!slot_started(t, s))
		return;
	if (s->open_loop && s->feeding && !s->ended) {
		task_wait(t, &s->idle, slot_next, "the next block op", 0, 0);
		return;
	}
	if (is_over(s, now))
		stop_source(s);
	if (s->ended || stands_still(s, now) ||
	    !replay_pull(s->r, s->source, s->stat, &slot->cur.op)) {
		slot_exit(t);
		return;
	}
	due = slot_due(s, &slot->cur.op);
	slot->cur.due_ns = is_paced(s, &slot->cur.op) ? due : OP_NO_TIME;
	due = MAX(due, now);
	if (!s->stopped && is_over(s, due)) { /* paced past the end: not issued */
		stop_source(s);
		task_sleep(t, end_of(s), slot_next);
		return;
	}
	s->feeding = true;
	task_sleep(t, due, slot_issue);
}

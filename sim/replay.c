/*
 * sim/replay.c - replay of a capture's file ops, task by task; and what all replays share.
 *
 * One simulated task per pid.  Ops are pulled from the capture in its order and queued for their
 * task; a task pulls until its own queue holds one.
 */
#include "sim/replay_internal.h"

#include <errno.h>

#define MAX_SKIPPED (1u << 20)
#define LAST_KERNEL_PID 999 /* the models' own tasks have smaller numbers than a job's */

struct replay_task {
	struct task task;
	struct replay *r;
	GQueue queue; /* struct op *, in order */
	struct issue cur;
	bool started;	      /* has issued before */
	int64_t last_seen_ns; /* capture time of its last completion (or issue, if not seen) */
	ktime_t last_done_ns; /* simulated time of its last completion */
	char *name;
	struct replay_task *next;
};

static void replay_next(struct task *t);

struct job_stat *replay_new_stat(struct replay *r, const char *name)
{
	struct job_stat *stat = g_new0(struct job_stat, 1);

	stat->name = g_strdup(name);
	for (unsigned int i = 0; i < JOB_NR_DIRS; i++)
		hist_init(&stat->dir[i].clat);
	g_ptr_array_add(r->stats, stat);
	return stat;
}

struct replay *replay_new(struct sim *sim, const struct replay_conf *conf)
{
	struct replay *r = g_new0(struct replay, 1);

	assert(conf->time_scale_ppm > 0);
	r->sim = sim;
	r->conf = *conf;
	r->first_ns = OP_NO_TIME;
	r->last_pid = LAST_KERNEL_PID;
	r->stats = g_ptr_array_new();
	r->streams = g_ptr_array_new();
	r->group_live = g_array_new(FALSE, TRUE, sizeof(unsigned int));
	r->tasks = g_hash_table_new(NULL, NULL);
	wait_queue_init(&r->room);
	wait_queue_init(&r->group_wait);
	return r;
}

void replay_free(struct replay *r)
{
	while (r->first_task) {
		struct replay_task *rt = r->first_task;

		r->first_task = rt->next;
		g_queue_clear_full(&rt->queue, g_free);
		g_free(rt->name);
		g_free(rt);
	}
	slots_free(r);
	for (unsigned int i = 0; i < r->stats->len; i++) {
		struct job_stat *stat = r->stats->pdata[i];

		for (unsigned int dir = 0; dir < JOB_NR_DIRS; dir++)
			hist_fini(&stat->dir[dir].clat);
		g_free(stat->name);
		g_free(stat);
	}
	g_ptr_array_free(r->stats, TRUE);
	g_ptr_array_free(r->streams, TRUE);
	g_array_free(r->group_live, TRUE);
	g_hash_table_destroy(r->tasks);
	g_clear_error(&r->error);
	g_free(r->flat);
	g_free(r);
}

bool replay_drives(bool block_level, const struct op *op)
{
	unsigned int class = op_class((enum op_kind)op->kind);

	if (block_level)
		return class == OP_CLASS_BLOCK;
	return class == OP_CLASS_FILE || (op->kind == OP_DISCARD && !op->dev);
}

static bool is_wanted(const struct replay *r, const struct op *op, struct job_stat *stat)
{
	if (!replay_drives(r->conf.block_level, op))
		return false;
	if (op->flags & OP_UNBOUND) {
		stat->skipped_unbound++;
		return false;
	}
	/* a call that failed in the capture did nothing there and does nothing here */
	if (op->done_ns != OP_NO_TIME && op->result < 0 && op->result != -EOPNOTSUPP) {
		stat->skipped_failed++;
		return false;
	}
	return true;
}

/* A generated source has neither time stamps nor an end: the clock stands while it is read. */
static bool goes_nowhere(struct replay *r, const struct op *op, const struct job_stat *stat,
			 unsigned int *skipped)
{
	if (op->time_ns != OP_NO_TIME || ++*skipped < MAX_SKIPPED)
		return false;
	g_set_error(&r->error, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: %u ops in a row that cannot be replayed, the last a %s", stat->name,
		    *skipped, op_kind_name((enum op_kind)op->kind));
	return true;
}

static bool is_too_late(struct replay *r, const struct job_stat *stat)
{
	if (r->sim->now < REPLAY_MAX_NS)
		return false;
	g_set_error(&r->error, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: its ops go on for more than 73 years of simulated time", stat->name);
	return true;
}

bool replay_pull(struct replay *r, struct op_source *source, struct job_stat *stat, struct op *op)
{
	unsigned int skipped = 0;

	if (r->error || is_too_late(r, stat))
		return false;
	while (source->next(source, op, &r->error)) {
		if (!is_wanted(r, op, stat)) {
			if (goes_nowhere(r, op, stat, &skipped))
				return false;
			continue;
		}
		if (r->first_ns == OP_NO_TIME)
			r->first_ns = op->time_ns;
		if (op->kind == OP_READ || op->kind == OP_WRITE)
			op->flags = (op->flags | r->conf.set_flags) & ~r->conf.clear_flags;
		return true;
	}
	return false;
}

ktime_t replay_saturate(__int128 ns)
{
	return ns < REPLAY_MAX_NS ? (ktime_t)ns : REPLAY_MAX_NS;
}

/* The time from @from to @to of the capture's clock on ours; 0 where one is not known. */
static ktime_t scaled_gap(const struct replay *r, int64_t from, int64_t to)
{
	if (from == OP_NO_TIME || to == OP_NO_TIME || to <= from)
		return 0;
	/* a gap is below 2^64 and the scale below 2^63 */
	return replay_saturate(((__int128)to - from) * (int64_t)r->conf.time_scale_ppm / 1000000);
}

ktime_t replay_due(const struct replay *r, int64_t time_ns)
{
	return scaled_gap(r, r->first_ns, time_ns);
}

static enum job_dir dir_of(enum op_kind kind)
{
	switch (kind) {
	case OP_READ:
	case OP_BIO_READ:
	case OP_NODE_READ:
		return JOB_READ;
	case OP_WRITE:
	case OP_BIO_WRITE:
		return JOB_WRITE;
	case OP_DISCARD:
		return JOB_TRIM;
	case OP_FSYNC:
	case OP_FLUSH:
		return JOB_SYNC;
	default:
		return JOB_NR_DIRS;
	}
}

/* A call issued after its due time is late; it lags by all that passed since then. */
static void account_pace(struct job_stat *stat, enum job_dir dir, const struct issue *is,
			 ktime_t now)
{
	if (is->due_ns == OP_NO_TIME)
		return;
	stat->dir[dir].paced++;
	if (is->issued_ns <= is->due_ns)
		return;
	stat->dir[dir].late++;
	stat->dir[dir].lag_max_ns = MAX(stat->dir[dir].lag_max_ns, now - is->due_ns);
}

void replay_account(struct job_stat *stat, const struct issue *is, ktime_t now)
{
	enum job_dir dir = dir_of((enum op_kind)is->op.kind);
	int64_t result = is->op.result;

	if (dir == JOB_NR_DIRS) /* open, close, ...: not I/O */
		return;
	if (!stat->dir[dir].ios)
		stat->dir[dir].first_ns = is->issued_ns;
	stat->dir[dir].ios++;
	stat->dir[dir].last_ns = now;
	if (result < 0) {
		stat->dir[dir].errors++;
		stat->dir[dir].eopnotsupp += result == -EOPNOTSUPP;
		return;
	}
	hist_add(&stat->dir[dir].clat, now - is->issued_ns);
	account_pace(stat, dir, is, now);
	if (dir == JOB_SYNC)
		return;
	stat->dir[dir].bytes += (uint64_t)result;
	stat->dir[dir].short_ios += result < is->op.len;
}

/* The task of @pid, made and started at its first op. */
static struct replay_task *task_of(struct replay *r, int32_t pid)
{
	struct replay_task *rt = g_hash_table_lookup(r->tasks, GINT_TO_POINTER(pid));

	if (rt)
		return rt;
	rt = g_new0(struct replay_task, 1);
	rt->r = r;
	rt->name = g_strdup_printf("task-%d", pid);
	g_queue_init(&rt->queue);
	if (r->last_task)
		r->last_task->next = rt;
	else
		r->first_task = rt;
	r->last_task = rt;
	g_hash_table_insert(r->tasks, GINT_TO_POINTER(pid), rt);
	task_init(&rt->task, r->sim, rt->name, pid, false);
	task_start(&rt->task, replay_next);
	return rt;
}

/* Read one more op of the capture into its task's queue; false at the end. */
static bool pull_one(struct replay *r)
{
	struct op op;

	if (r->source_ended)
		return false;
	if (!replay_pull(r, r->source, r->capture_stat, &op)) {
		r->source_ended = true;
		wake_up_all(&r->room);
		return false;
	}
	g_queue_push_tail(&task_of(r, op.task)->queue, g_memdup2(&op, sizeof(op)));
	r->nr_ahead++;
	return true;
}

static ktime_t issue_time(const struct replay_task *rt, const struct op *op)
{
	const struct replay *r = rt->r;

	if (r->conf.mode == REPLAY_ASAP)
		return r->sim->now;
	if (r->conf.mode == REPLAY_TIMED || !rt->started)
		return replay_due(r, op->time_ns);
	return replay_saturate((__int128)rt->last_done_ns +
			       scaled_gap(r, rt->last_seen_ns, op->time_ns));
}

void replay_submit(struct replay *r, struct task *t, struct op *op, task_fn done)
{
	if (op_class((enum op_kind)op->kind) == OP_CLASS_BLOCK)
		r->sim->submit_block_op(r->sim, t, op, done);
	else
		r->sim->submit_op(r->sim, t, op, done);
}

static void replay_done(struct task *t)
{
	struct replay_task *rt = container_of(t, struct replay_task, task);

	replay_account(rt->r->capture_stat, &rt->cur, rt->r->sim->now);
	rt->last_done_ns = rt->r->sim->now;
	replay_next(t);
}

static void replay_issue(struct task *t)
{
	struct replay_task *rt = container_of(t, struct replay_task, task);
	const struct op *op = &rt->cur.op;

	rt->started = true;
	rt->last_seen_ns = op->done_ns != OP_NO_TIME ? op->done_ns : op->time_ns;
	rt->cur.issued_ns = rt->r->sim->now;
	rt->cur.due_ns = OP_NO_TIME;
	replay_submit(rt->r, t, &rt->cur.op, replay_done);
}

static void replay_next(struct task *t)
{
	struct replay_task *rt = container_of(t, struct replay_task, task);
	struct replay *r = rt->r;

	while (g_queue_is_empty(&rt->queue)) {
		if (!r->source_ended && r->nr_ahead >= REPLAY_AHEAD) {
			r->window_stalls++;
			task_wait(t, &r->room, replay_next, "room in the replay window", 0, 0);
			return;
		}
		if (!pull_one(r) && g_queue_is_empty(&rt->queue)) {
			task_exit(t);
			return;
		}
	}
	struct op *op = g_queue_pop_head(&rt->queue);

	rt->cur.op = *op;
	g_free(op);
	r->nr_ahead--;
	wake_up(&r->room);
	task_sleep(t, MAX(issue_time(rt, &rt->cur.op), r->sim->now), replay_issue);
}

bool replay_add_capture(struct replay *r, struct op_source *source, const char *name, GError **err)
{
	if (r->conf.block_level) {
		struct replay_job job = {.name = name, .iodepth = MAX(r->conf.iodepth, 1)};

		slots_add(r, source, &job, true, r->conf.mode != REPLAY_ASAP);
		return true;
	}
	r->source = source;
	r->capture_stat = replay_new_stat(r, name);
	while (r->nr_ahead < REPLAY_AHEAD / 2 && pull_one(r))
		;
	return !replay_failed(r, err);
}

void replay_add_job(struct replay *r, struct op_source *source, const struct replay_job *job)
{
	slots_add(r, source, job, false, false);
}

bool replay_failed(struct replay *r, GError **err)
{
	if (!r->error)
		return false;
	g_propagate_error(err, g_error_copy(r->error));
	return true;
}

struct job_stat *replay_stats(struct replay *r, unsigned int *nr)
{
	g_free(r->flat);
	r->flat = g_new(struct job_stat, r->stats->len);
	for (unsigned int i = 0; i < r->stats->len; i++)
		r->flat[i] = *(struct job_stat *)r->stats->pdata[i];
	*nr = r->stats->len;
	return r->flat;
}

uint64_t replay_window_stalls(const struct replay *r)
{
	return r->window_stalls;
}

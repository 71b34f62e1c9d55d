/*
 * models/fs_writeback.c - dirty inodes and the flusher.  Level 4.
 *
 * Stands for fs/fs-writeback.c v6.17 with one bdi_writeback: b_dirty ordered by the time an inode
 * became dirty, b_io with those a pass writes now, b_more_io with those whose slice ended.  The
 * kworker wakes every dirty_writeback_centisecs while something is dirty, and when a writer passes
 * the background threshold.  On each wakeup it does the periodic work if it is due (inodes dirty
 * for dirty_expire_centisecs), then the background work while dirty memory is over its threshold
 * (KERNEL 4.7).  An inode is written a slice at a time, half a second of the device's bandwidth; a
 * pass goes back to look at its reasons every 100 ms.
 *
 * Not modelled: queued work items (sync), cgroup writeback, inode metadata, lazytime.
 * I1  an inode with dirty pages is on exactly one list, unless the flusher holds it.
 * I2  b_dirty is ordered by dirtied_when.
 */
#include "models/fs_writeback.h"
#include "models/fs_writeback_internal.h"
#include "models/inode_list.h"

#define PASS_NS (100 * NSEC_PER_MSEC) /* HZ / 10 */

enum { FLUSH_NONE, FLUSH_INLINE_RANGE };

struct fs_writeback {
	struct model model;
	struct {
		int flush_policy;
	} conf;
	struct {
		uint64_t nr_dirty_inodes; /* gauge */
		uint64_t works_vmscan, works_periodic, works_background, inodes_written,
			pages_written;
	} stat;
	struct filemap *fm;
	struct page_writeback *pw;
	struct f2fs_data *fd;
	struct inode_list b_dirty, b_io, b_more_io;
	struct task flusher;
	struct wait_queue wait;
	struct event timer; /* the next periodic wakeup */
	bool start_background, start_all, periodic_due;
	struct writeback_work work; /* the one that runs */
	struct writepages wp;	    /* of the inode it writes */
};

/* clang-format off */
static const char *const policies[] = { "none", "inline_range", NULL };

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, fs_writeback, flush_policy, "inline_range", NULL, NULL, "what a dontcache write does after its copy: nothing, or submit its own range (6.14 to 7.1, KERNEL 1.5)", policies),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, fs_writeback, nr_dirty_inodes),
	STAT(STAT_COUNT, fs_writeback, works_vmscan),
	STAT(STAT_COUNT, fs_writeback, works_periodic),
	STAT(STAT_COUNT, fs_writeback, works_background),
	STAT(STAT_COUNT, fs_writeback, inodes_written),
	STAT(STAT_COUNT, fs_writeback, pages_written),
	{ 0 },
};
/* clang-format on */

static void flusher_wakes(struct task *t);

struct fs_writeback *fs_writeback_of(const struct sim *sim)
{
	return (struct fs_writeback *)model_get(sim, &fs_writeback_model);
}

static void timer_fires(struct event *ev)
{
	struct fs_writeback *fw = container_of(ev, struct fs_writeback, timer);

	fw->periodic_due = true;
	wake_up(&fw->wait);
}

static bool fs_writeback_init(struct model *m, GError **err)
{
	struct fs_writeback *fw = (struct fs_writeback *)m;

	(void)err;
	fw->fm = filemap_of(m->sim);
	fw->pw = page_writeback_of(m->sim);
	fw->fd = f2fs_data_of(m->sim);
	wait_queue_init(&fw->wait);
	event_init(&fw->timer, timer_fires);
	fw->timer.daemon = true;
	task_init(&fw->flusher, m->sim, "kworker/flush", 2, true);
	return true;
}

static void fs_writeback_start(struct model *m)
{
	task_start(&((struct fs_writeback *)m)->flusher, flusher_wakes);
}

static void fs_writeback_check(const struct model *m)
{
	const struct fs_writeback *fw = (const struct fs_writeback *)m;

	inode_list_check(&fw->b_dirty, true);
	inode_list_check(&fw->b_io, false);
	inode_list_check(&fw->b_more_io, false);
	assert(fw->stat.nr_dirty_inodes == fw->b_dirty.nr + fw->b_io.nr + fw->b_more_io.nr);
	for (const struct inode *inode = fw->fm->inodes; inode; inode = inode->next)
		assert(inode->on_list || inode->under_flush ||
		       !inode->i_data.i_pages.nr_marked[XA_MARK_0]); /* I1 */
}

static void list_add_last(struct fs_writeback *fw, struct inode_list *list, struct inode *inode)
{
	inode_list_add_last(list, inode);
	fw->stat.nr_dirty_inodes++;
}

static void list_remove(struct fs_writeback *fw, struct inode *inode)
{
	inode_list_remove(inode);
	fw->stat.nr_dirty_inodes--;
}

static void list_move_last(struct fs_writeback *fw, struct inode_list *list, struct inode *inode)
{
	list_remove(fw, inode);
	list_add_last(fw, list, inode);
}

static void arm_timer(struct fs_writeback *fw)
{
	int64_t interval_ns = dirty_writeback_interval_ns(fw->pw);

	if (interval_ns && fw->stat.nr_dirty_inodes && !event_pending(&fw->timer))
		sim_after(fw->model.sim, &fw->timer, interval_ns);
}

void mark_inode_dirty(struct fs_writeback *fw, struct inode *inode)
{
	if (inode->on_list || inode->under_flush)
		return;
	inode->dirtied_when = fw->model.sim->now;
	list_add_last(fw, &fw->b_dirty, inode);
	arm_timer(fw);
}

void inode_clean(struct fs_writeback *fw, struct inode *inode)
{
	if (inode->on_list && !inode->i_data.i_pages.nr_marked[XA_MARK_0])
		list_remove(fw, inode);
}

void wb_start_background(struct fs_writeback *fw)
{
	if (fw->start_background)
		return;
	trace_writeback_wake_background(fw->model.sim);
	fw->start_background = true;
	wake_up(&fw->wait);
}

void wakeup_flusher_threads(struct fs_writeback *fw)
{
	fw->start_all = true;
	wake_up(&fw->wait);
}

bool flush_inline_range(const struct fs_writeback *fw)
{
	return fw->conf.flush_policy == FLUSH_INLINE_RANGE;
}

static void work_step(struct task *t);

/* redirty_tail(): the newest end of b_dirty, which must stay ordered. */
static void redirty_tail(struct fs_writeback *fw, struct inode *inode)
{
	if (fw->b_dirty.last && inode->dirtied_when < fw->b_dirty.last->dirtied_when)
		inode->dirtied_when = fw->model.sim->now;
	list_add_last(fw, &fw->b_dirty, inode);
}

/* queue_io(): what was left over comes first, then the inodes old enough. */
static void queue_io(struct fs_writeback *fw)
{
	uint64_t before = fw->b_io.nr;

	while (fw->b_more_io.first)
		list_move_last(fw, &fw->b_io, fw->b_more_io.first);
	while (fw->b_dirty.first && fw->b_dirty.first->dirtied_when <= fw->work.older_than)
		list_move_last(fw, &fw->b_io, fw->b_dirty.first);
	trace_queue_io(fw->model.sim, fw->work.older_than, fw->b_io.nr - before, fw->work.reason,
		       dirty_hz(fw->pw));
}

/* requeue_inode(): where the inode goes after its slice. */
static void inode_written(struct task *t)
{
	struct fs_writeback *fw = t->private;
	struct inode *inode = fw->wp.inode;

	trace_visit(t->sim, &fw->wp, false, dirty_hz(fw->pw));
	inode->under_flush = false;
	fw->stat.inodes_written++;
	fw->stat.pages_written += fw->wp.wrote;
	fw->work.progress += fw->wp.wrote + !inode->i_data.i_pages.nr_marked[XA_MARK_0];
	fw->work.nr_pages -= (int64_t)fw->wp.wrote;
	if (inode->i_data.i_pages.nr_marked[XA_MARK_0]) {
		if (!fw->wp.skipped && fw->wp.nr_to_write <= 0 &&
		    inode->dirtied_when <= fw->work.older_than)
			list_add_last(fw, &fw->b_more_io, inode);
		else
			redirty_tail(fw, inode);
	}
	work_step(t);
}

static void write_inode(struct task *t, struct inode *inode)
{
	struct fs_writeback *fw = t->private;

	list_remove(fw, inode);
	inode->under_flush = true;
	fw->wp = (struct writepages){
		.fd = fw->fd,
		.inode = inode,
		.last = UINT64_MAX,
		.background = true,
		.nr_to_write = writeback_chunk_pages(fw->pw, fw->work.nr_pages),
		.done = inode_written,
	};
	trace_visit(t->sim, &fw->wp, true, dirty_hz(fw->pw));
	f2fs_writepages(t, &fw->wp);
}

/* How old an inode must be; background and periodic work look anew on every pass. */
static void set_age(struct fs_writeback *fw)
{
	struct writeback_work *work = &fw->work;
	ktime_t now = fw->model.sim->now;

	if (work->for_kupdate)
		work->older_than = now - dirty_expire_interval_ns(fw->pw);
	else if (work->for_background)
		work->older_than = now;
}

/* The loop of wb_writeback(): begin another pass over b_io?  False = the work is over. */
static bool begin_pass(struct fs_writeback *fw)
{
	struct writeback_work *work = &fw->work;

	if (work->pass_start && !work->progress && work->queued)
		return false;
	if (work->nr_pages <= 0 || (work->for_background && !over_bground_thresh(fw->pw)))
		return false; /* what is left on b_io and b_more_io waits for the next work */
	set_age(fw);
	if (!fw->b_io.first) {
		queue_io(fw);
		work->queued = true;
	}
	work->progress = 0;
	work->pass_start = MAX(fw->model.sim->now, 1);
	return fw->b_io.first;
}

/* writeback_sb_inodes(): the next inode of the pass, which ends when one took it past PASS_NS. */
static void work_step(struct task *t)
{
	struct fs_writeback *fw = t->private;
	struct writeback_work *work = &fw->work;
	bool over = !work->pass_start || !fw->b_io.first ||
		    (work->progress &&
		     (work->nr_pages <= 0 || fw->model.sim->now - work->pass_start > PASS_NS));

	if (over && work->pass_start)
		trace_work(t->sim, work, false);
	if (over && !begin_pass(fw)) {
		flusher_wakes(t);
		return;
	}
	if (over)
		trace_work(t->sim, work, true);
	write_inode(t, fw->b_io.first);
}

static void work_begin(struct task *t, struct writeback_work work)
{
	struct fs_writeback *fw = t->private;

	fw->work = work;
	work_step(t);
}

/* Bound of a work item: what is dirty at its start (KERNEL 4.7).  Stands in for the kernel's count
 * of inodes in use with that of the dirty ones. */
static int64_t get_nr_dirty_pages(const struct fs_writeback *fw)
{
	return (int64_t)(nr_dirty_pages(fw->pw) + fw->stat.nr_dirty_inodes);
}

/* wb_check_start_all(): what is dirty now, once. */
static void write_all(struct task *t)
{
	struct fs_writeback *fw = t->private;

	fw->start_all = false;
	fw->stat.works_vmscan++;
	work_begin(t, (struct writeback_work){.reason = TRACE_WB_VMSCAN,
					      .nr_pages = get_nr_dirty_pages(fw),
					      .older_than = t->sim->now});
}

/* wb_check_old_data_flush() */
static void write_old(struct task *t)
{
	struct fs_writeback *fw = t->private;

	fw->periodic_due = false;
	fw->stat.works_periodic++;
	fw->start_background = true; /* looked at on every wakeup */
	work_begin(t, (struct writeback_work){.reason = TRACE_WB_PERIODIC,
					      .for_kupdate = true,
					      .nr_pages = get_nr_dirty_pages(fw)});
}

/* wb_check_background_flush() */
static void write_background(struct task *t)
{
	struct fs_writeback *fw = t->private;

	fw->start_background = false;
	fw->stat.works_background++;
	work_begin(t, (struct writeback_work){.reason = TRACE_WB_BACKGROUND,
					      .for_background = true,
					      .nr_pages = INT64_MAX});
}

/* wb_workfn(): periodic work if it is due, background work if there is reason, then sleep. */
static void flusher_wakes(struct task *t)
{
	struct fs_writeback *fw = container_of(t, struct fs_writeback, flusher);

	t->private = fw;
	wb_set_in_progress(fw->pw, true);
	if (fw->start_all) {
		write_all(t);
		return;
	}
	if (fw->periodic_due) {
		write_old(t);
		return;
	}
	if (fw->start_background && over_bground_thresh(fw->pw)) {
		write_background(t);
		return;
	}
	fw->start_background = false;
	wb_set_in_progress(fw->pw, false);
	arm_timer(fw);
	task_wait(t, &fw->wait, flusher_wakes, "work for the flusher", 0, 0);
}

const struct model_ops fs_writeback_model = {
	.name = "fs_writeback",
	.source = "fs/fs-writeback.c v6.17",
	.size = sizeof(struct fs_writeback),
	.keys = keys,
	.stats = stats,
	.init = fs_writeback_init,
	.start = fs_writeback_start,
	.check = fs_writeback_check,
};

/*
 * models/fs_writeback.c - dirty inodes and the flusher.  Level 4.
 *
 * Stands for fs/fs-writeback.c v6.1: b_dirty ordered by the time an inode became dirty, one flusher
 * kworker that wakes every dirty_writeback_centisecs while something is dirty and when a writer
 * passes the background threshold.  The periodic pass writes inodes dirty for
 * dirty_expire_centisecs, whole; the background pass writes slices of writeback_chunk, oldest inode
 * first and round robin, until dirty memory is under the threshold.
 *
 * Not modelled yet: b_io/b_more_io as separate lists, bandwidth-sized slices, queued work items,
 * cgroup writeback. I1  an inode is on b_dirty exactly once, and is there while it has dirty pages
 * unless the flusher holds it. I2  b_dirty is ordered by dirtied_when.
 */
#include "models/fs_writeback.h"

enum { FLUSH_NONE, FLUSH_INLINE_RANGE };

struct fs_writeback {
	struct model model;
	struct {
		int flush_policy;
		int64_t writeback_chunk;
	} conf;
	struct {
		uint64_t nr_dirty_inodes; /* gauge */
		uint64_t wakeups_periodic, wakeups_background, inodes_written, pages_written;
	} stat;
	struct filemap *fm;
	struct page_writeback *pw;
	struct f2fs_data *fd;
	struct inode *oldest, *newest; /* b_dirty */
	struct task flusher;
	struct wait_queue wait;
	struct event timer; /* the next periodic wakeup */
	bool start_background, periodic_due;
	ktime_t expired_before; /* of the running periodic pass: dirtied_when at most this */
	struct writepages wp;	/* of the running pass */
};

/* clang-format off */
static const char *const policies[] = { "none", "inline_range", NULL };

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, fs_writeback, flush_policy, "inline_range", NULL, NULL, "what a dontcache write does after its copy: nothing, or submit its own range (6.14 to 7.1, KERNEL 1.5)", policies),
	CONF(CONF_BYTES, fs_writeback, writeback_chunk, "4MiB", "4KiB", "1GiB", "slice of an inode in a background pass (MIN_WRITEBACK_PAGES, KERNEL 4.1)", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, fs_writeback, nr_dirty_inodes),
	STAT(STAT_COUNT, fs_writeback, wakeups_periodic),
	STAT(STAT_COUNT, fs_writeback, wakeups_background),
	STAT(STAT_COUNT, fs_writeback, inodes_written),
	STAT(STAT_COUNT, fs_writeback, pages_written),
	{ 0 },
};
/* clang-format on */

static void flusher_loop(struct task *t);

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
	fw->expired_before = -1;
	wait_queue_init(&fw->wait);
	event_init(&fw->timer, timer_fires);
	fw->timer.daemon = true;
	task_init(&fw->flusher, m->sim, "kworker/flush", 2, true);
	return true;
}

static void fs_writeback_start(struct model *m)
{
	task_start(&((struct fs_writeback *)m)->flusher, flusher_loop);
}

static void fs_writeback_check(const struct model *m)
{
	const struct fs_writeback *fw = (const struct fs_writeback *)m;
	uint64_t nr = 0;
	ktime_t last = 0;

	for (const struct inode *inode = fw->oldest; inode; inode = inode->dirty_next) {
		assert(inode->on_dirty_list && inode->dirtied_when >= last); /* I2 */
		last = inode->dirtied_when;
		nr++;
	}
	assert(nr == fw->stat.nr_dirty_inodes);
	for (const struct inode *inode = fw->fm->inodes; inode; inode = inode->next)
		assert(inode->on_dirty_list || inode->under_flush ||
		       !inode->i_data.i_pages.nr_marked[XA_MARK_0]); /* I1 */
}

static void list_add_newest(struct fs_writeback *fw, struct inode *inode)
{
	inode->on_dirty_list = true;
	inode->dirty_next = NULL;
	inode->dirty_prev = fw->newest;
	if (fw->newest)
		fw->newest->dirty_next = inode;
	else
		fw->oldest = inode;
	fw->newest = inode;
	fw->stat.nr_dirty_inodes++;
}

static void list_remove(struct fs_writeback *fw, struct inode *inode)
{
	if (inode->dirty_prev)
		inode->dirty_prev->dirty_next = inode->dirty_next;
	else
		fw->oldest = inode->dirty_next;
	if (inode->dirty_next)
		inode->dirty_next->dirty_prev = inode->dirty_prev;
	else
		fw->newest = inode->dirty_prev;
	inode->on_dirty_list = false;
	fw->stat.nr_dirty_inodes--;
}

static void arm_timer(struct fs_writeback *fw)
{
	int64_t interval_ns = dirty_writeback_interval_ns(fw->pw);

	if (interval_ns && fw->oldest && !event_pending(&fw->timer))
		sim_after(fw->model.sim, &fw->timer, interval_ns);
}

void mark_inode_dirty(struct fs_writeback *fw, struct inode *inode)
{
	if (inode->on_dirty_list || inode->under_flush)
		return;
	inode->dirtied_when = fw->model.sim->now;
	list_add_newest(fw, inode);
	arm_timer(fw);
}

void inode_clean(struct fs_writeback *fw, struct inode *inode)
{
	if (inode->on_dirty_list && !inode->i_data.i_pages.nr_marked[XA_MARK_0])
		list_remove(fw, inode);
}

void wb_start_background(struct fs_writeback *fw)
{
	if (fw->start_background)
		return;
	fw->start_background = true;
	wake_up(&fw->wait);
}

bool flush_inline_range(const struct fs_writeback *fw)
{
	return fw->conf.flush_policy == FLUSH_INLINE_RANGE;
}

/* The pass over one inode is over: back on the list as the newest, if something is still dirty. */
static void inode_written(struct task *t)
{
	struct fs_writeback *fw = t->private;
	struct inode *inode = fw->wp.inode;

	inode->under_flush = false;
	fw->stat.inodes_written++;
	fw->stat.pages_written += fw->wp.wrote;
	if (inode->i_data.i_pages.nr_marked[XA_MARK_0]) {
		inode->dirtied_when = fw->model.sim->now;
		list_add_newest(fw, inode);
	}
	flusher_loop(t);
}

static void write_inode(struct task *t, struct inode *inode, int64_t nr_to_write)
{
	struct fs_writeback *fw = t->private;

	list_remove(fw, inode);
	inode->under_flush = true;
	fw->wp = (struct writepages){
		.fd = fw->fd,
		.inode = inode,
		.last = UINT64_MAX,
		.background = true,
		.nr_to_write = nr_to_write,
		.done = inode_written,
	};
	f2fs_writepages(t, &fw->wp);
}

/* wb_do_writeback(): one inode of the periodic pass, else one slice of the background pass, else
 * sleep. */
static void flusher_loop(struct task *t)
{
	struct fs_writeback *fw = container_of(t, struct fs_writeback, flusher);

	t->private = fw;
	if (fw->periodic_due) {
		fw->periodic_due = false;
		fw->stat.wakeups_periodic++;
		fw->expired_before = fw->model.sim->now - dirty_expire_interval_ns(fw->pw);
	}
	if (fw->oldest && fw->oldest->dirtied_when <= fw->expired_before) {
		write_inode(t, fw->oldest, INT64_MAX);
		return;
	}
	if (fw->start_background && fw->oldest && over_bground_thresh(fw->pw)) {
		fw->stat.wakeups_background++;
		write_inode(t, fw->oldest, fw->conf.writeback_chunk >> PAGE_SHIFT);
		return;
	}
	fw->start_background = false;
	arm_timer(fw);
	task_wait(t, &fw->wait, flusher_loop, "work for the flusher", 0, 0);
}

const struct model_ops fs_writeback_model = {
	.name = "fs_writeback",
	.source = "fs/fs-writeback.c v6.1",
	.size = sizeof(struct fs_writeback),
	.keys = keys,
	.stats = stats,
	.init = fs_writeback_init,
	.start = fs_writeback_start,
	.check = fs_writeback_check,
};

/*
 * models/pagemap_drop.c - the gates of a drop.  Level 2.
 *
 * Stands for folio_end_dropbehind(), filemap_end_dropbehind() of mm/filemap.c and
 * folio_unmap_invalidate() of mm/truncate.c (v6.18), for the older rule about the flag, and for the
 * folio batch of the RFC of February 2026 (KERNEL 2.1 to 2.4).
 *
 * A dropbehind folio leaves when: the context is a task's, its lock is free (tried, never waited
 * for), it is clean and not under writeback.  A mapped one is unmapped first; private data that
 * release_folio() refuses to give up keeps the page, without its flag.  There is no reference-count
 * test and no shadow entry.  Locks are taken in this order: i_mmap_rwsem (mapped only), i_lock,
 * i_pages.xa_lock.
 *
 * In interrupt context [bio] completion decides: nothing happens (irq_flag: the flag stays, from
 * 6.16 on, or is lost, 6.14 and 6.15), the drop happens all the same (the context checker sees
 * i_lock), or the folio joins a per-CPU batch for a worker; a full batch takes nothing.
 *
 * DEVIATION: a batch names its folios by mapping and index instead of holding references.
 * Not modelled: who maps pages (no op does; filemap_fault() is for callers that know).
 * I1  folios wait in a batch only while its worker is queued or running.
 * I2  nr_mapped = pages of the folios with PG_mapped.
 */
#include "models/pagemap_drop.h"

#include <string.h>

#include "models/bio.h"

#define BATCH_MAX 31

enum { IRQ_FLAG_KEPT, IRQ_FLAG_LOST };

struct drop_batch {
	struct dropbehind *owner;
	struct {
		struct address_space *mapping;
		pgoff_t index;
	} folios[BATCH_MAX], taken[BATCH_MAX]; /* waiting; in the worker's hands */
	unsigned int nr, nr_taken;
	struct event wakeup;
	struct wait_queue wq;
	struct task worker;
	char name[24]; /* folio_batch/N */
};

struct dropbehind {
	struct model model;
	struct {
		int irq_flag;
		uint64_t batch_folios;
		int64_t wakeup_ns, drop_page_ns;
	} conf;
	struct {
		uint64_t nr_mapped; /* gauge */
		uint64_t folios_unmapped, minor_faults, release_refused;
		uint64_t flags_lost, dropped_in_irq, batched, batch_full;
	} stat;
	struct filemap *fm;
	enum irq_drop irq_drop;
	struct drop_batch *batches; /* one a CPU; NULL unless irq_drop needs them */
};

/* clang-format off */
static const char *const irq_flags[] = { "kept", "lost", NULL };

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, dropbehind, irq_flag, "kept", NULL, NULL, "PG_dropbehind of a folio whose drop was skipped in interrupt context: kept (6.16 and later) or lost (6.14, 6.15) [S] KERNEL 2.2", irq_flags),
	CONF(CONF_U64, dropbehind, batch_folios, "15", "1", "31", "folio_batch: folios a CPU's batch holds, 15 or 31 in the RFC [S] KERNEL 2.4", NULL),
	CONF(CONF_NSEC, dropbehind, wakeup_ns, "20us", "0", "1s", "folio_batch: from queueing the worker until it runs on an idle CPU [E] KERNEL 2.4", NULL),
	CONF(CONF_NSEC, dropbehind, drop_page_ns, "300ns", "0", "1s", "CPU time to drop a page, after a read or at the end of writeback (there beside end_io_page_ns) [E] KERNEL 11.1", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_GAUGE, dropbehind, nr_mapped),
	STAT(STAT_COUNT, dropbehind, folios_unmapped),
	STAT(STAT_COUNT, dropbehind, minor_faults),
	STAT(STAT_COUNT, dropbehind, release_refused),
	STAT(STAT_COUNT, dropbehind, flags_lost),
	STAT(STAT_COUNT, dropbehind, dropped_in_irq),
	STAT(STAT_COUNT, dropbehind, batched),
	STAT(STAT_COUNT, dropbehind, batch_full),
	{ 0 },
};
/* clang-format on */

static const struct lock_class i_mmap_rwsem = {"i_mmap_rwsem", LOCK_SLEEP};
static const struct lock_class i_lock = {"i_lock", LOCK_SPIN};
static const struct lock_class xa_lock = {"i_pages.xa_lock", LOCK_SPIN_IRQ};

void folio_unmap(struct filemap *fm, struct folio *folio)
{
	struct sim *sim = fm->model.sim;
	struct dropbehind *d = fm->drop;

	assert(folio->flags & PG_mapped);
	if (context_watched(sim)) {
		context_take(sim, &i_mmap_rwsem);
		context_release(sim, &i_mmap_rwsem);
	}
	folio->flags &= ~PG_mapped;
	d->stat.nr_mapped -= folio_nr_pages(folio);
	d->stat.folios_unmapped++;
}

struct folio *filemap_fault(struct filemap *fm, struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);
	struct dropbehind *d = fm->drop;

	if (!folio || folio->flags & PG_mapped)
		return folio;
	folio->flags |= PG_mapped;
	d->stat.nr_mapped += folio_nr_pages(folio);
	d->stat.minor_faults++;
	return folio;
}

/* The locks of a removal, told to the checker. */
static void removal_locks(struct sim *sim)
{
	context_take(sim, &i_lock);
	context_take(sim, &xa_lock);
	context_release(sim, &xa_lock);
	context_release(sim, &i_lock);
}

/* True when @folio left the cache. */
static bool folio_unmap_invalidate(struct filemap *fm, struct folio *folio)
{
	struct sim *sim = fm->model.sim;
	bool watched = context_watched(sim);
	struct context_frame frame;

	if (watched)
		context_call(sim, &frame, "folio_unmap_invalidate");
	if (folio->flags & PG_mapped)
		folio_unmap(fm, folio);
	bool released = !(folio->flags & PG_private);

	if (!released) {
		fm->drop->stat.release_refused++;
	} else {
		if (watched)
			removal_locks(sim);
		fm->stat.pages_dropped += folio_nr_pages(folio);
		filemap_remove_folio(fm, folio);
	}
	if (watched)
		context_leave(sim, &frame);
	return released;
}

bool filemap_end_dropbehind(struct filemap *fm, struct folio *folio)
{
	if (folio->flags & PG_locked) {
		fm->stat.drop_skipped_locked++;
		return false;
	}
	if (folio->flags & (PG_dirty | PG_writeback)) {
		fm->stat.drop_skipped_busy++;
		return false;
	}
	folio->flags &= ~PG_dropbehind;
	return folio_unmap_invalidate(fm, folio);
}

/* 6.14 and 6.15 took the flag before they looked at the context. */
static void lose_flag(struct dropbehind *d, struct folio *folio)
{
	if (d->conf.irq_flag != IRQ_FLAG_LOST || folio->flags & PG_dirty)
		return;
	folio->flags &= ~PG_dropbehind;
	d->stat.flags_lost++;
}

static void batch_add(struct dropbehind *d, const struct folio *folio)
{
	struct sim *sim = d->model.sim;
	struct drop_batch *b = &d->batches[context_cpu(sim)];

	if (b->nr == d->conf.batch_folios) {
		d->stat.batch_full++;
		return;
	}
	b->folios[b->nr].mapping = folio->mapping;
	b->folios[b->nr++].index = folio->index;
	d->stat.batched++;
	if (b->worker.state == TASK_WAITING && !event_pending(&b->wakeup))
		sim_after(sim, &b->wakeup, d->conf.wakeup_ns);
}

/* In interrupt context. */
static void end_in_irq(struct filemap *fm, struct folio *folio)
{
	struct dropbehind *d = fm->drop;
	uint64_t nr = folio_nr_pages(folio);

	if (d->irq_drop == IRQ_DROP_NOW && filemap_end_dropbehind(fm, folio)) {
		fm->stat.dropped_after_writeback += nr;
		d->stat.dropped_in_irq += nr;
	} else if (d->irq_drop == IRQ_DROP_BATCH) {
		batch_add(d, folio);
	} else if (d->irq_drop == IRQ_DROP_SKIP) {
		fm->stat.drop_skipped_irq++;
		lose_flag(d, folio);
	}
}

void folio_end_dropbehind(struct filemap *fm, struct folio *folio, bool in_task)
{
	struct sim *sim = fm->model.sim;
	uint64_t nr = folio_nr_pages(folio);
	struct context_frame frame;

	assert(in_task == context_in_task(sim));
	if (in_task) {
		if (filemap_end_dropbehind(fm, folio))
			fm->stat.dropped_after_writeback += nr;
		else if (folio->flags & PG_dropbehind)
			lose_flag(fm->drop, folio);
		return;
	}
	context_call(sim, &frame, "folio_end_writeback");
	end_in_irq(fm, folio);
	context_leave(sim, &frame);
}

int64_t drop_page_cost_ns(const struct filemap *fm)
{
	return fm->drop->conf.drop_page_ns;
}

static void batch_loop(struct task *t);

/* The time for the taken folios has passed: drop what still may go. */
static void batch_drop(struct task *t)
{
	struct drop_batch *b = container_of(t, struct drop_batch, worker);
	struct filemap *fm = b->owner->fm;

	for (unsigned int i = 0; i < b->nr_taken; i++) {
		struct folio *folio = filemap_get_folio(b->taken[i].mapping, b->taken[i].index);

		if (folio && folio->flags & PG_dropbehind)
			folio_end_dropbehind(fm, folio, true);
	}
	b->nr_taken = 0;
	batch_loop(t);
}

static void batch_loop(struct task *t)
{
	struct drop_batch *b = container_of(t, struct drop_batch, worker);

	if (!b->nr) {
		task_wait(t, &b->wq, batch_loop, "folios to drop", 0, 0);
		return;
	}
	memcpy(b->taken, b->folios, sizeof(b->taken));
	b->nr_taken = b->nr;
	b->nr = 0;
	task_run(t, (int64_t)b->nr_taken * b->owner->conf.drop_page_ns, batch_drop);
}

static void batch_wakeup(struct event *ev)
{
	struct drop_batch *b = container_of(ev, struct drop_batch, wakeup);

	wake_up(&b->wq);
}

static bool dropbehind_init(struct model *m, GError **err)
{
	struct dropbehind *d = (struct dropbehind *)m;
	unsigned int nr_cpus = m->sim->nr_cpus;

	(void)err;
	d->fm = filemap_of(m->sim);
	d->fm->drop = d;
	d->irq_drop = bio_irq_drop(m->sim);
	if (d->irq_drop != IRQ_DROP_BATCH)
		return true;
	d->batches = g_new0(struct drop_batch, nr_cpus);
	for (unsigned int i = 0; i < nr_cpus; i++) {
		struct drop_batch *b = &d->batches[i];

		b->owner = d;
		event_init(&b->wakeup, batch_wakeup);
		wait_queue_init(&b->wq);
		g_snprintf(b->name, sizeof(b->name), "folio_batch/%u", i);
		task_init(&b->worker, m->sim, b->name, 10 + (int32_t)(nr_cpus + i), true);
		b->worker.cpu = i;
	}
	return true;
}

static void dropbehind_start(struct model *m)
{
	struct dropbehind *d = (struct dropbehind *)m;

	for (unsigned int i = 0; d->batches && i < m->sim->nr_cpus; i++)
		task_start(&d->batches[i].worker, batch_loop);
}

static void dropbehind_check(const struct model *m)
{
	const struct dropbehind *d = (const struct dropbehind *)m;
	uint64_t mapped = 0;

	for (unsigned int i = 0; d->batches && i < m->sim->nr_cpus; i++) {
		const struct drop_batch *b = &d->batches[i];

		assert(!b->nr || event_pending(&b->wakeup) ||
		       b->worker.state != TASK_WAITING); /* I1 */
	}
	for (struct inode *inode = d->stat.nr_mapped ? d->fm->inodes : NULL; inode;
	     inode = inode->next) {
		uint64_t index = 0;

		for (struct folio *folio = xa_find(&inode->i_data.i_pages, &index, UINT64_MAX);
		     folio; folio = xa_find(&inode->i_data.i_pages, &index, UINT64_MAX)) {
			mapped += folio->flags & PG_mapped ? folio_nr_pages(folio) : 0;
			index = folio_next_index(folio);
		}
	}
	assert(mapped == d->stat.nr_mapped); /* I2 */
}

static void dropbehind_fini(struct model *m)
{
	g_free(((struct dropbehind *)m)->batches);
}

const struct model_ops dropbehind_model = {
	.name = "dropbehind",
	.source = "mm/filemap.c, mm/truncate.c v6.18",
	.size = sizeof(struct dropbehind),
	.keys = keys,
	.stats = stats,
	.init = dropbehind_init,
	.start = dropbehind_start,
	.check = dropbehind_check,
	.fini = dropbehind_fini,
};

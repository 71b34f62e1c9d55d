/*
 * models/bio.h - struct bio: one contiguous transfer between page cache and device, and how it
 * completes.  Level 0.
 *
 * Stands for block/bio.c and include/linux/blk_types.h.  A bio carries its folios as an intrusive
 * list (folio->bio_next) so a bio of any size allocates nothing per page.  The block layer may
 * split it into several requests and merge it into one; end_io runs once, after the last part.
 */
#ifndef MODELS_BIO_H
#define MODELS_BIO_H

#include "sim/sim.h"

struct folio;
struct bio;

enum req_op { REQ_OP_READ, REQ_OP_WRITE, REQ_OP_FLUSH, REQ_OP_DISCARD };

/* include/linux/blk_types.h: the flags that models here act on. */
#define REQ_SYNC (1u << 0)
#define REQ_META (1u << 1)
#define REQ_PRIO (1u << 2)
#define REQ_FUA (1u << 3)
#define REQ_PREFLUSH (1u << 4)
#define REQ_RAHEAD (1u << 5)
#define REQ_BACKGROUND (1u << 6)

/* bi_flags */
#define BIO_COMPLETE_IN_TASK                                                                       \
	(1u << 0) /* end_io wants task context (7.3); set when a dropbehind folio joins */

struct bio {
	enum req_op op;
	unsigned int opf;		   /* REQ_* */
	unsigned int bi_flags;		   /* BIO_* */
	sector_t sector;		   /* first 512-byte unit on the device */
	int64_t size_bytes;		   /* 0 for a pure flush */
	struct folio *folios, *last_folio; /* through folio->bio_next; NULL for raw block ops */
	uint32_t nr_folios;
	uint16_t nr_vecs, vec_left; /* bio_vecs used; pages the last one still takes */
	bool mixed;		    /* holds normal and dropbehind folios */
	uint32_t remaining;	    /* parts not yet completed; owned by blk_mq */
	int64_t end_cost_ns;  /* CPU time of end_io, charged to the context it runs in; set by the
				 submitter */
	int64_t drop_cost_ns; /* more of it where end_io drops the dropbehind folios */
	/* Called once, in interrupt context (in_task false) or in the completion worker (in_task
	 * true). */
	void (*end_io)(struct bio *bio, bool in_task);
	void *private;	  /* of the submitter */
	void *opener;	  /* who keeps it open to add more; of the submitter */
	unsigned int cpu; /* where it was submitted; the interrupt comes back there */
	ktime_t submit_ns;
	ktime_t due_ns;	  /* when end_io is to run in interrupt context; owned by bio.c */
	struct bio *next; /* in whatever list holds it: plug, request, completion list, free list */
};

/* [bio] model: pool, completion context. */
extern const struct model_ops bio_model;

/* A zeroed bio from the pool; bio_put() gives it back (end_io usually does). */
struct bio *bio_alloc(struct sim *sim);
void bio_put(struct sim *sim, struct bio *bio);

/* @bio enters the block layer: stamp and count it (block layer only). */
void bio_account_submit(struct sim *sim, struct bio *bio);

/*
 * The last part of @bio is done, in interrupt context on @cpu (block layer only), whose hardirq
 * time is charged already.  By [bio] completion the end_io runs in interrupt context, charged as
 * CTX_SOFTIRQ, in the per-CPU completion worker ("bio_complete": FIFO, steals the whole list, wakes
 * after completion_delay), or as a work item of the file system's own workqueue.
 */
void bio_endio(struct sim *sim, struct bio *bio, unsigned int cpu);

/* What becomes of dropbehind folios whose end_io runs in interrupt context ([bio] completion). */
enum irq_drop {
	IRQ_DROP_SKIP,	/* nothing: a later chance, or reclaim */
	IRQ_DROP_NOW,	/* dropped there, which takes i_lock: unsafe (KERNEL 2.3) */
	IRQ_DROP_BATCH, /* gathered in a per-CPU folio batch for a worker */
};
enum irq_drop bio_irq_drop(const struct sim *sim);

#endif

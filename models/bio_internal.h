/*
 * models/bio_internal.h - what bio.c and bio_work.c share.  Level 0.
 */
#ifndef MODELS_BIO_INTERNAL_H
#define MODELS_BIO_INTERNAL_H

#include "models/bio.h"

struct bio_list {
	struct bio *head, *tail;
};

/* What one CPU has to complete. */
struct bio_cpu {
	struct bio_model *owner;
	unsigned int nr;
	struct bio_list irq;   /* end_io in interrupt context, by due_ns */
	struct event irq_ev;   /* at the head's due_ns */
	struct bio_list task;  /* for the worker */
	struct bio_list batch; /* stolen by the worker */
	struct event wakeup;   /* the worker gets queued */
	struct wait_queue wq;  /* of the worker */
	struct task worker;
	char name[24]; /* bio_complete/N */
};

/* A thread of the file system's workqueue. */
struct bio_wq_worker {
	struct bio_model *owner;
	struct bio *bio; /* at work on it */
	struct event wakeup;
	struct wait_queue wq;
	struct task worker;
	char name[24]; /* f2fs_wq/N */
};

/* The per-sb workqueue (post_read_wq): unbound, one work item a bio, a thread a CPU. */
struct bio_wq {
	struct bio_list list; /* items nobody has taken */
	struct bio_wq_worker *workers;
	unsigned int nr; /* 0 = the policy has no use for it */
};

/* Where end_io of a bio runs. */
enum end_where { END_IRQ, END_CPU_WORKER, END_SB_WORKQUEUE };

struct bio_model {
	struct model model;
	struct {
		int completion; /* index into policies */
		int64_t completion_delay, completion_wakeup_ns, max_atc_write_bio_size;
	} conf;
	struct {
		uint64_t bios_submitted, bios_completed, completed_in_irq, completed_in_task;
		uint64_t nr_in_flight, worker_batches, completed_in_wq;
	} stat;
	struct bio_cpu *cpus;
	struct bio_wq sb_wq;
	struct bio *free;
	uint64_t nr_live; /* handed out by bio_alloc() */
	GPtrArray *chunks;
};

static inline void bio_list_append(struct bio_list *list, struct bio *bio)
{
	bio->next = NULL;
	if (list->head)
		list->tail->next = bio;
	else
		list->head = bio;
	list->tail = bio;
}

static inline struct bio *bio_list_pop(struct bio_list *list)
{
	struct bio *bio = list->head;

	list->head = bio->next;
	bio->next = NULL;
	return bio;
}

/* bi_end_io in @ctx on @cpu, called by @function; the last thing done with @bio. */
void bio_call_end_io(struct bio_model *m, struct bio *bio, enum cpu_context ctx, unsigned int cpu,
		     const char *function);

/* Hand @bio to the worker of a CPU, or, from interrupt context on @cpu, to the file system's
 * workqueue. */
void bio_end_on_cpu_worker(struct bio_cpu *c, struct bio *bio);
void bio_end_on_workqueue(struct bio_model *m, struct bio *bio, unsigned int cpu);

/* Workers: set up (init), started (start); bios they hold, asserting I3 (check). */
void bio_workers_init(struct bio_model *m, bool workqueue);
void bio_workers_start(struct bio_model *m);
uint64_t bio_workers_check(const struct bio_model *m);

#endif

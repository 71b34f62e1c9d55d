/*
 * sim/context.h - in which context a model runs, and which locks it may take there (DESIGN 2).
 *
 * A model that is called from an interrupt puts frames on its machine's chain, one a kernel
 * function, each on the C stack of the function it stands for; an empty chain is task context.  A
 * named lock is taken with context_take(): a lock that sleeps, or one that others hold with
 * interrupts enabled, is a violation in softirq and hardirq; so is one taken inside a lock that
 * excludes it (sleeping under any spinlock, a spinlock that is not irq safe under one that is).
 *
 * [sim] context = detect counts violations and keeps the first few chains; fail ends the run.
 *
 * Cost: two stores a frame.  Locks that were taken correctly in task context are watched only under
 * [sim] check = event (context_watched()), so nothing is done per page on the normal path.
 */
#ifndef SIM_CONTEXT_H
#define SIM_CONTEXT_H

#include <glib.h>

#include "sim/cpu.h"

enum context_mode { CONTEXT_DETECT, CONTEXT_FAIL };

enum lock_kind {
	LOCK_TRY,      /* tried, never waited for: allowed everywhere */
	LOCK_SPIN_IRQ, /* every holder has interrupts off: allowed everywhere */
	LOCK_SPIN,     /* held elsewhere with interrupts on: task context only */
	LOCK_SLEEP,    /* the taker may sleep: task context only */
};

struct lock_class {
	const char *name;
	enum lock_kind kind;
};

/* One function of the chain. */
struct context_frame {
	const char *function;
	enum cpu_context ctx;
	unsigned int cpu;
	const struct context_frame *caller; /* NULL = the first */
};

#define CONTEXT_REPORTS 4u /* different chains that are kept */

/* Of one machine; member of struct sim. */
struct context {
	const struct context_frame *top;
	int mode;			/* enum context_mode */
	unsigned int held, held_irq;	/* spinlocks held now; of them irq safe */
	uint64_t nr_violations;		/* all */
	char *reports[CONTEXT_REPORTS]; /* the first different chains, owned; NULL = no more */
};

/* @function begins in @ctx on @cpu (an interrupt, a worker); context_leave() with the same frame
 * ends it. */
void context_enter(struct sim *sim, struct context_frame *frame, enum cpu_context ctx,
		   unsigned int cpu, const char *function);

/* @function is called in the context its caller has. */
void context_call(struct sim *sim, struct context_frame *frame, const char *function);
void context_leave(struct sim *sim, const struct context_frame *frame);

/* The CPU of the chain; 0 without one. */
unsigned int context_cpu(const struct sim *sim);

/* in_task(): may what runs now sleep? */
bool context_in_task(const struct sim *sim);

/* Are the locks of what runs now to be told to the checker? */
bool context_watched(const struct sim *sim);

/* The lock is taken, given back.  A violation is counted (and under fail ends the run); the caller
 * goes on as the unsafe kernel would. */
void context_take(struct sim *sim, const struct lock_class *lock);
void context_release(struct sim *sim, const struct lock_class *lock);

/* "softirq: a -> b -> i_lock", the i-th different violation; NULL = no such. */
const char *context_report(const struct sim *sim, unsigned int i);

void context_fini(struct sim *sim);

#endif

/*
 * sim/cpu.h - CPUs and tasks.
 *
 * A task is a struct and a next function: it runs for n ns on a CPU (task_run), sleeps until a time
 * (task_sleep) or on a wait queue (task_wait), and its next function is called when that is over.
 * Exactly one of these (or task_exit) must be called before a next function returns.  A CPU runs
 * one task at a time, its run queue is FIFO; a task that has run for sched_slice_ns while others
 * wait goes to the end at its next task_run.  Interrupt work (cpu_irq) runs at once on top of the
 * task: the task's end moves back by its length. A waking task goes to its last CPU if idle, else
 * to the lowest idle CPU it may use, else to the shortest queue (ties: lowest number).
 *
 * Wakeups carry a generation: a wait that ended any other way can never be woken by a stale wakeup.
 *
 * Accounting is exact at any time after cpus_settle(): on every CPU the sum of ctx_ns is at most
 * now, and the cpu_ns of all tasks add up to the ctx_ns[CTX_TASK] of all CPUs.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include <glib.h>

#include "sim/event.h"

struct sim;
struct task;

enum cpu_context { CTX_TASK, CTX_SOFTIRQ, CTX_HARDIRQ, CTX_NR };

typedef void (*task_fn)(struct task *t);

enum task_state { TASK_NEW, TASK_QUEUED, TASK_RUNNING, TASK_SLEEPING, TASK_WAITING, TASK_EXITED };

struct wait_queue {
	struct task *first, *last; /* FIFO */
};

struct task {
	struct sim *sim;
	const char *name; /* borrowed */
	int32_t pid;
	bool daemon; /* kernel thread: may be blocked at the end of a run */
	enum task_state state;
	unsigned int cpu;	      /* last or current */
	task_fn next;		      /* continues the task */
	struct event ev;	      /* end of run or sleep */
	ktime_t run_ns;		      /* length of the pending run */
	ktime_t charged_ns;	      /* part of run_ns that is in cpu_ns already */
	ktime_t slice_ns;	      /* run since it last got the CPU */
	ktime_t cpu_ns;		      /* CPU time used in all */
	uint8_t act;		      /* what the running next function chose (cpu.c) */
	uint64_t generation;	      /* of the current or last wait */
	ktime_t wait_since;	      /* start of the current or last wait */
	struct wait_queue *wq;	      /* while TASK_WAITING */
	const char *why;	      /* reason of the wait, for the lost-wakeup report; borrowed */
	uint64_t why_arg[2];	      /* printed with it (ino, index, ...) */
	struct task *q_next, *q_prev; /* in a run queue or wait queue */
	void *private; /* of whoever serves the task right now (the file system during an op) */
	struct task *all_next; /* list of all tasks, in order of task_init */
};

struct cpu {
	unsigned int nr;
	struct task *current;	     /* TASK_RUNNING, or NULL = idle */
	struct wait_queue run_queue; /* TASK_QUEUED, FIFO */
	unsigned int nr_queued;
	ktime_t irq_until;	/* interrupt work occupies the CPU up to here */
	GArray *irqs;		/* interrupt work not yet in ctx_ns, back to back up to irq_until */
	ktime_t ctx_ns[CTX_NR]; /* time used by context, up to the last cpus_settle() */
};

/* Make @t known to @sim; TASK_NEW until task_start() lets @next be called (now, in its own event).
 */
void task_init(struct task *t, struct sim *sim, const char *name, int32_t pid, bool daemon);
void task_start(struct task *t, task_fn next);

/* From inside a next function of @t: */
void task_run(struct task *t, ktime_t ns, task_fn next);      /* use the CPU for ns >= 0 */
void task_sleep(struct task *t, ktime_t until, task_fn next); /* off the CPU; past = now */
void task_wait(struct task *t, struct wait_queue *wq, task_fn next, const char *why, uint64_t arg0,
	       uint64_t arg1);
void task_exit(struct task *t); /* the owner frees it after the report */

void wait_queue_init(struct wait_queue *wq);
static inline bool wait_queue_empty(const struct wait_queue *wq)
{
	return !wq->first;
}
unsigned int wake_up(struct wait_queue *wq); /* the oldest waiter; number woken */
unsigned int wake_up_all(struct wait_queue *wq);

/* Wake @t if it is still in wait @generation (a timeout, a completion by task); true when it was.
 */
bool wake_task(struct task *t, uint64_t generation);

/*
 * @ns of interrupt work on @cpu in @ctx (CTX_SOFTIRQ or CTX_HARDIRQ), after any still running
 * there.  Returns when it is done; the caller schedules what happens then.
 */
ktime_t cpu_irq(struct sim *sim, unsigned int cpu, enum cpu_context ctx, ktime_t ns);

/* Set up and tear down @nr CPUs of @sim. */
void cpus_init(struct sim *sim, unsigned int nr);
void cpus_fini(struct sim *sim);

/* Bring ctx_ns and cpu_ns up to now, parts of a running task and of pending interrupts included. */
void cpus_settle(struct sim *sim);

/* Time used in @ctx by all CPUs, as of the last cpus_settle(). */
ktime_t cpus_context_ns(const struct sim *sim, enum cpu_context ctx);
const char *cpu_context_name(enum cpu_context ctx); /* "task", "softirq", "hardirq" */

/* Assert the accounting and the queues; settles first. */
void cpus_check(struct sim *sim);

#endif

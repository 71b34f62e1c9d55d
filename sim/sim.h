/*
 * sim/sim.h - one simulated machine: clock, event queue, CPUs, models, and the run loop.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <glib.h>

#include "sim/context.h"
#include "sim/cpu.h"
#include "sim/model.h"
#include "sim/op.h"

/* Simulated time in which only daemons acted while a foreground task was blocked: it is lost. */
#define LOST_WAKEUP_GRACE (60 * NSEC_PER_SEC)

enum sim_check { CHECK_OFF, CHECK_END, CHECK_EVENT };

struct sim {
	ktime_t now;		   /* ns since the start of the run */
	struct tracepoints *trace; /* sim/tracepoint.h; NULL = off */
	struct event_queue queue;
	struct cpu *cpus;
	unsigned int nr_cpus;
	struct task *tasks, *tasks_last; /* all, in order of task_init */
	unsigned int nr_foreground;	 /* tasks that are neither daemon nor exited */
	struct model **models;		 /* in table order */
	unsigned int nr_models, nr_inited;
	GPtrArray *choices;    /* struct model_choice, in table order of their sections */
	struct config *config; /* owned */
	struct {	       /* [sim] and [host] */
		uint64_t seed;
		int check;		 /* enum sim_check */
		int64_t sample_interval; /* ns */
		uint64_t max_events;	 /* 0 = no limit; a run over it ends with "no progress" */
	} conf;
	struct {
		uint64_t nr_cpus;
		int64_t memory;	     /* bytes the page cache and free memory share */
		int64_t sched_slice; /* ns */
	} host;
	struct context context; /* whose mode is [sim] context */
	uint64_t nr_events;	/* dispatched */
	uint64_t next_check;	/* CHECK_EVENT: nr_events of the next sim_check() */
	ktime_t horizon;	/* the clock must not go beyond in this run */
	struct event sample;	/* daemon, every sample_interval */
	struct series *series;	/* sampled values (sim/report) */
	GString *failure;	/* why the run must end with exit 1; NULL = fine */
	/*
	 * A file op enters the file system: set by the model that answers (f2fs_file) in init,
	 * called by the replayer in @t's context.  @done is @t's next function once the op is
	 * finished; op->result holds bytes or -errno then.  @op stays valid until then.
	 */
	void (*submit_op)(struct sim *sim, struct task *t, struct op *op, task_fn done);
	/* A block op enters the block layer (blk_mq); as submit_op. */
	void (*submit_block_op)(struct sim *sim, struct task *t, struct op *op, task_fn done);
	struct model *model_slots[MODEL_SLOTS]; /* for model_get(): by table address, or NULL */
};

/* The engine's own sections; the owner of their keys is struct sim.  Ends with { 0 }. */
struct conf_section {
	const char *name;
	const struct conf_key *keys;
};
extern const struct conf_section sim_sections[];

/*
 * Build a machine from @config (taken) with the models of @table (NULL-terminated).  Returns new;
 * NULL with *@err (and @config freed).  The caller calls config_check_unknown(sim->config) once its
 * own sections are applied too.
 */
struct sim *sim_new(struct config *config, const struct model_ops *const *table, GError **err);
void sim_free(struct sim *sim);

/* Call every model's start and take the first sample. */
void sim_start(struct sim *sim);

/*
 * Run until every foreground task has exited (or sim_fail()).  False with *@err
 * (F2SIM_ERROR_SHORTFALL) when the queue holds only daemon events for LOST_WAKEUP_GRACE while a
 * foreground task is blocked: a lost wakeup, naming task, reason and arguments; when max_events
 * is passed; or as soon as sim_fail() was called.  Ends with a last sample and, on success, a
 * sim_check().
 */
bool sim_run(struct sim *sim, GError **err);

/*
 * After sim_run(): let what is in flight finish (I/O, completion work); what is merely dirty stays.
 * Then check, and that nothing is in flight any more (check_idle of the models).
 */
void sim_drain(struct sim *sim);

/* Run until @until (daemon events included), whatever tasks do. */
void sim_run_until(struct sim *sim, ktime_t until);

/*
 * Call every model's check, unless conf.check is off.  Under CHECK_EVENT it runs between events,
 * after 1, 2, 3, .. 64 and then ever 1/64th more of them: a check is O(n), a run must stay usable.
 */
void sim_check(struct sim *sim);

/*
 * Move the clock to @time without the queue, when nothing else can happen before (for cpu.c: a
 * task that goes on alone).  False when it must wait its turn as an event.
 */
bool sim_advance(struct sim *sim, ktime_t time);

static inline void sim_at(struct sim *sim, struct event *ev, ktime_t time)
{
	assert(time >= sim->now);
	event_add(&sim->queue, ev, time);
}

static inline void sim_after(struct sim *sim, struct event *ev, ktime_t ns)
{
	sim_at(sim, ev, sim->now + ns);
}

/* The run must end, with exit status 1 for this reason (first one wins). */
void sim_fail(struct sim *sim, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif

/*
 * sim/context.c - see sim/context.h.
 *
 * I1  frames leave in the reverse order of their entering; held_irq <= held.
 * I2  a violation is reported once per different chain, CONTEXT_REPORTS of them; all are counted.
 */
#include "sim/context.h"

#include <string.h>

#include "sim/sim.h"

void context_enter(struct sim *sim, struct context_frame *frame, enum cpu_context ctx,
		   unsigned int cpu, const char *function)
{
	*frame = (struct context_frame){function, ctx, cpu, sim->context.top};
	sim->context.top = frame;
}

static enum cpu_context now_in(const struct sim *sim)
{
	return sim->context.top ? sim->context.top->ctx : CTX_TASK;
}

unsigned int context_cpu(const struct sim *sim)
{
	return sim->context.top ? sim->context.top->cpu : 0;
}

void context_call(struct sim *sim, struct context_frame *frame, const char *function)
{
	context_enter(sim, frame, now_in(sim), context_cpu(sim), function);
}

void context_leave(struct sim *sim, const struct context_frame *frame)
{
	assert(sim->context.top == frame); /* I1 */
	sim->context.top = frame->caller;
}

bool context_in_task(const struct sim *sim)
{
	return now_in(sim) == CTX_TASK;
}

bool context_watched(const struct sim *sim)
{
	return now_in(sim) != CTX_TASK || sim->conf.check == CHECK_EVENT;
}

/* Callers first. */
static void append_chain(GString *text, const struct context_frame *frame)
{
	if (!frame)
		return;
	append_chain(text, frame->caller);
	g_string_append_printf(text, "%s -> ", frame->function);
}

/* What is wrong with taking @lock now; NULL = nothing. */
static const char *wrong_with(const struct sim *sim, const struct lock_class *lock)
{
	bool unsafe = lock->kind == LOCK_SPIN || lock->kind == LOCK_SLEEP;

	if (unsafe && now_in(sim) != CTX_TASK)
		return lock->kind == LOCK_SLEEP ? "may sleep" : "is not irq safe";
	if (lock->kind == LOCK_SLEEP && sim->context.held)
		return "may sleep under a spinlock";
	if (lock->kind == LOCK_SPIN && sim->context.held_irq)
		return "is not irq safe, under a lock that is";
	return NULL;
}

static void violate(struct sim *sim, const struct lock_class *lock, const char *what)
{
	struct context *c = &sim->context;
	g_autoptr(GString) text = g_string_new(NULL);
	unsigned int i = 0;

	c->nr_violations++;
	if (c->mode == CONTEXT_DETECT && c->reports[CONTEXT_REPORTS - 1])
		return;
	g_string_append_printf(text, "%s: ", cpu_context_name(now_in(sim)));
	append_chain(text, c->top);
	g_string_append_printf(text, "%s, which %s", lock->name, what);
	while (i < CONTEXT_REPORTS && c->reports[i] && strcmp(c->reports[i], text->str))
		i++;
	if (i < CONTEXT_REPORTS && !c->reports[i])
		c->reports[i] = g_strdup(text->str);
	if (c->mode == CONTEXT_FAIL)
		sim_fail(sim,
			 "context violation at %" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT " s in %s",
			 sim->now / NSEC_PER_SEC, sim->now % NSEC_PER_SEC, text->str);
}

void context_take(struct sim *sim, const struct lock_class *lock)
{
	const char *what = wrong_with(sim, lock);

	if (what)
		violate(sim, lock, what);
	sim->context.held += lock->kind == LOCK_SPIN || lock->kind == LOCK_SPIN_IRQ;
	sim->context.held_irq += lock->kind == LOCK_SPIN_IRQ;
}

void context_release(struct sim *sim, const struct lock_class *lock)
{
	struct context *c = &sim->context;
	unsigned int spin = lock->kind == LOCK_SPIN || lock->kind == LOCK_SPIN_IRQ;

	assert(c->held >= spin && (lock->kind != LOCK_SPIN_IRQ || c->held_irq));
	c->held -= spin;
	c->held_irq -= lock->kind == LOCK_SPIN_IRQ;
}

const char *context_report(const struct sim *sim, unsigned int i)
{
	return i < CONTEXT_REPORTS ? sim->context.reports[i] : NULL;
}

void context_fini(struct sim *sim)
{
	for (unsigned int i = 0; i < CONTEXT_REPORTS; i++)
		g_free(sim->context.reports[i]);
}

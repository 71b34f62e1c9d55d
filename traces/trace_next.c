/*
 * traces/trace_next.c - the one way of ops out of every reader, and what none of them may carry.
 *
 * I1  no op leaves trace_next() that was not asked for, or that op_valid() refuses: such a one is
 *     counted as broken and told, because behind here nobody guards sums against overflow.
 */
#include "traces/trace.h"

#define GAP_MAX_NS (INT64_C(10) * 86400 * NSEC_PER_SEC)

/* Is @op within bounds?  Binary records and event fields may hold anything. */
static bool check_op(struct trace *t, const struct op *op)
{
	const char *fault = op_fault(op);

	if (!fault)
		return true;
	t->info.broken++;
	trace_warn(t,
		   "op left out: %s (task %d, time %" G_GINT64_FORMAT
		   " ns, offset %" G_GINT64_FORMAT ", length %" G_GINT64_FORMAT
		   ", result %" G_GINT64_FORMAT ")",
		   fault, op->task, op->time_ns, op->pos, op->len, op->result);
	return false;
}

/* Warn once of a time stamp far from the one before.  A merge leaves that to its captures: each may
 * have a clock of its own. */
static void check_gap(struct trace *t, int64_t time_ns)
{
	int64_t before = t->last_op_ns;

	if (time_ns == OP_NO_TIME || t->ops->children)
		return;
	t->last_op_ns = time_ns;
	if (before == OP_NO_TIME || t->leapt ||
	    (time_ns <= before + GAP_MAX_NS && time_ns >= before - GAP_MAX_NS))
		return;
	t->leapt = true;
	trace_warn(t,
		   "the time leaps from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
		   " s between two ops: a wild time stamp?",
		   before / NSEC_PER_SEC, time_ns / NSEC_PER_SEC);
}

bool trace_next(struct trace *t, struct op *op, GError **err)
{
	while (t->ops->next(t, op, err)) {
		if (!check_op(t, op))
			continue;
		check_gap(t, op->time_ns);
		if (t->opts.want & op_class(op->kind))
			return true;
	}
	return false;
}

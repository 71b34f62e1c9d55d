/*
 * models/blk_op.c - a block op of a capture becomes one bio and, never merged, one request.
 * Level 1.
 *
 * The op of a capture is a request as the kernel sent it to the device; merging it again would be
 * wrong, splitting it happens only where the configured limit is lower than the captured one. Sizes
 * are rounded up to whole sectors; one without size that is no flush moves one sector.
 */
#include "models/blk_internal.h"

struct block_op {
	struct block_op *next; /* while free */
	struct sim *sim;
	struct op *op;
	struct wait_queue wq;
};

static const struct {
	uint32_t op_flag;
	unsigned int opf;
} flags[] = {{OP_SYNC, REQ_SYNC},
	     {OP_META, REQ_META},
	     {OP_FUA, REQ_FUA},
	     {OP_RAHEAD, REQ_RAHEAD},
	     {OP_PREFLUSH, REQ_PREFLUSH}};

uint32_t blk_op_flags(unsigned int opf)
{
	uint32_t op_flags = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(flags); i++)
		op_flags |= opf & flags[i].opf ? flags[i].op_flag : 0;
	return op_flags;
}

static enum req_op req_op_of(const struct op *op)
{
	switch (op->kind) {
	case OP_BIO_READ:
		return REQ_OP_READ;
	case OP_BIO_WRITE:
		return REQ_OP_WRITE;
	case OP_FLUSH:
		return REQ_OP_FLUSH;
	default:
		assert(op->kind == OP_DISCARD);
		return REQ_OP_DISCARD;
	}
}

static int64_t size_of_op(const struct op *op)
{
	const int64_t sector = 1 << SECTOR_SHIFT;

	if (op->kind == OP_FLUSH || (op->len == 0 && (op->flags & OP_PREFLUSH)))
		return 0;
	return MAX(sector, (op->len + sector - 1) / sector * sector);
}

static void block_op_end_io(struct bio *bio, bool in_task)
{
	struct block_op *b = bio->private;

	struct blk_mq *q = blk_mq_of(b->sim);

	(void)in_task;
	b->op->result = b->op->len;
	wake_up(&b->wq);
	bio_put(b->sim, bio);
	b->next = q->free_ops;
	q->free_ops = b;
}

static struct block_op *block_op_get(struct sim *sim, struct op *op)
{
	struct blk_mq *q = blk_mq_of(sim);
	struct block_op *b = q->free_ops;

	if (b) {
		q->free_ops = b->next;
	} else {
		b = g_new(struct block_op, 1);
		g_ptr_array_add(q->chunks, b);
	}
	*b = (struct block_op){.sim = sim, .op = op};
	return b;
}

void blk_submit_op(struct sim *sim, struct task *t, struct op *op, task_fn done)
{
	struct block_op *b = block_op_get(sim, op);
	struct bio *bio = bio_alloc(sim);

	bio->op = req_op_of(op);
	bio->opf = REQ_NOMERGE;
	for (unsigned int i = 0; i < G_N_ELEMENTS(flags); i++)
		if (op->flags & flags[i].op_flag)
			bio->opf |= flags[i].opf;
	bio->sector = (uint64_t)op->pos >> SECTOR_SHIFT;
	bio->size_bytes = size_of_op(op);
	bio->cpu = t->cpu;
	bio->end_io = block_op_end_io;
	bio->private = b;
	trace_name_disk(sim, op->dev);
	submit_bio(sim, bio, NULL);
	task_wait(t, &b->wq, done, op_kind_name(op->kind), (uint64_t)op->pos, (uint64_t)op->len);
}

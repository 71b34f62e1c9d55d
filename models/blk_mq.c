/*
 * models/blk_mq.c - from bio to device and back (block/blk-core.c, block/blk-mq.c v6.1, scheduler
 * "none").  Level 1.
 *
 * submit_bio() cuts a bio at max_sectors_kb, merges pieces (blk_merge.c), and makes requests of the
 * rest.  They gather in the plug, then stand in one queue, FIFO, until the device has a free slot.
 * nr_requests tags bound what a submitter may have made: with more requests than tags, the youngest
 * wait for a tag, and blk_mq_tags_wait() tells their submitters to sleep.  The device's completion
 * is an interrupt on the CPU that submitted, irq_ns long; the bios whose last part this was end
 * after it.  Slot and tag are free when it begins.  Flush and FUA: blk_flush.c.
 *
 * Not modelled: several hardware queues (one set of tags, one order), requeueing, timeouts,
 * polling, I/O priorities, segment and alignment limits, steering of completions.
 * DEVIATION: a plug is sent in the order in which it was filled; some kernels reverse it.
 *
 * I1  nr_in_flight = plugged + queued + at the device + ending without it.
 * I2  at_device.nr <= slots, and the queue is empty unless the device is full.
 * I3  sizes and sectors: a request is not empty unless it is a flush, nor larger than
 *     max_sectors_kb unless a discard.
 */
#include "models/blk_internal.h"

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, blk_mq, nr_requests, "1023", "1", "65536",
	     "tags [M] /sys/block/*/queue/nr_requests of the captures' disk"),
	CONF(CONF_U64, blk_mq, max_sectors_kb, "512", "4", "65536",
	     "largest request [M] /sys/block/*/queue/max_sectors_kb of the captures' disk"),
	CONF(CONF_BOOL, blk_mq, nomerges, "no", NULL, NULL,
	     "merge nothing [S] /sys/block/*/queue/nomerges = 2"),
	CONF(CONF_U64, blk_mq, max_plug_requests, "32", "1", "1024",
	     "requests that a plug gathers [S] BLK_MAX_REQUEST_COUNT"),
	CONF(CONF_BYTES, blk_mq, plug_flush_size, "128KiB", "4KiB", NULL,
	     "a request this large sends the plug on its way [S] BLK_PLUG_FLUSH_SIZE"),
	CONF(CONF_NSEC, blk_mq, irq_ns, "2us", "0", "1ms",
	     "hardirq time of a completion [E]"),
	{ 0 }
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, blk_mq, reads_completed), STAT(STAT_COUNT, blk_mq, merges_read),
	STAT(STAT_COUNT, blk_mq, sectors_read), STAT(STAT_NSEC, blk_mq, read_ticks),
	STAT(STAT_COUNT, blk_mq, writes_completed), STAT(STAT_COUNT, blk_mq, merges_write),
	STAT(STAT_COUNT, blk_mq, sectors_written), STAT(STAT_NSEC, blk_mq, write_ticks),
	STAT(STAT_GAUGE, blk_mq, nr_in_flight), STAT(STAT_COUNT, blk_mq, discards),
	STAT(STAT_COUNT, blk_mq, sectors_discarded), STAT(STAT_COUNT, blk_mq, flushes),
	STAT(STAT_COUNT, blk_mq, splits), STAT(STAT_COUNT, blk_mq, tag_waits),
	{ 0 }
};
static_assert(G_N_ELEMENTS(stats) - 1 == sizeof(((struct blk_mq *)0)->stat) / sizeof(uint64_t),
	      "every counter is listed");
/* clang-format on */

static void request_complete(struct request *rq);

/* A request of a flush sequence carries only what the device is to do, and nothing joins it. */
static unsigned int rq_opf(const struct blk_mq *q, const struct bio *bio)
{
	unsigned int opf = bio->opf & ~REQ_PREFLUSH;

	if (!(bio->opf & (REQ_PREFLUSH | REQ_FUA)))
		return opf;
	return (q->dev_ops->fua(q->dev) ? opf : opf & ~REQ_FUA) | REQ_NOMERGE;
}

/* A request of its own for @bytes of @bio at @sector. */
static struct request *rq_make(struct blk_mq *q, struct bio *bio, sector_t sector, int64_t bytes)
{
	struct request *rq = rq_get(q);

	rq->op = bio->op;
	rq->opf = rq_opf(q, bio);
	rq->sector = sector;
	rq->size_bytes = bytes;
	rq->cpu = bio->cpu;
	rq_add_part(q, rq, bio, false);
	return rq;
}

/* @rq counts from here on. */
static void rq_start(struct blk_mq *q)
{
	if (q->stat.nr_in_flight++ >= q->conf.nr_requests)
		q->stat.tag_waits++;
}

static void blk_dispatch(struct blk_mq *q)
{
	while (q->queue.first && q->at_device.nr < q->slots) {
		struct request *rq = q->queue.first;

		rq_list_remove(&q->queue, rq);
		rq_list_append(&q->at_device, rq);
		rq->id = q->next_id++;
		rq->issue_ns = q->model.sim->now;
		rq->complete = request_complete;
		blk_trace_rq(q, TRACE_BLOCK_RQ_ISSUE, rq);
		q->dev_ops->submit(q->dev, rq);
	}
}

void blk_insert(struct blk_mq *q, struct request *rq)
{
	assert(rq->size_bytes > 0);
	if (q->at_device.nr == q->slots) /* otherwise it is issued directly */
		blk_trace_rq(q, TRACE_BLOCK_RQ_INSERT, rq);
	rq_list_append(&q->queue, rq);
	blk_dispatch(q);
}

void blk_insert_head(struct blk_mq *q, struct request *rq)
{
	rq_start(q);
	rq_list_prepend(&q->queue, rq);
	blk_dispatch(q);
}

void blk_submit_data(struct blk_mq *q, struct bio *bio, struct blk_plug *plug)
{
	int64_t bytes;

	bio->remaining = 1; /* held until every piece is in */
	for (int64_t done = 0; done < bio->size_bytes; done += bytes) {
		sector_t sector = bio->sector + ((uint64_t)done >> SECTOR_SHIFT);

		bytes = bio_piece_bytes(q, bio, done);
		q->stat.splits += done > 0;
		if (done + bytes < bio->size_bytes)
			blk_trace_split(q, bio, sector, sector + ((uint64_t)bytes >> SECTOR_SHIFT));
		if (blk_attempt_merge(q, plug, bio, sector, bytes))
			continue;
		struct request *rq = rq_make(q, bio, sector, bytes);

		if (!(bio->opf & REQ_PREFLUSH) || done) /* that one was made for the flush */
			blk_trace_rq(q, TRACE_BLOCK_GETRQ, rq);
		rq_start(q);
		if (plug)
			blk_plug_add(q, plug, rq);
		else
			blk_insert(q, rq);
	}
	bio->remaining--;
	assert(bio->remaining > 0);
}

/* The data parts of @bio are done: what is left of its sequence? */
static void bio_data_done(struct blk_mq *q, struct bio *bio, unsigned int cpu)
{
	if (bio->op == REQ_OP_WRITE && (bio->opf & REQ_FUA) && !q->dev_ops->fua(q->dev)) {
		bio->bi_flags |= BIO_DATA_WRITTEN;
		blk_flush_add(q, bio);
	} else {
		blk_trace_sequence_end(q, bio);
		bio_endio(q->model.sim, bio, cpu);
	}
}

static void account_completion(struct blk_mq *q, const struct request *rq)
{
	uint64_t sectors = (uint64_t)rq->size_bytes >> SECTOR_SHIFT;
	uint64_t ns = (uint64_t)(q->model.sim->now - rq->queued_ns);

	hist_add(&q->latency[rq->op], q->model.sim->now - rq->issue_ns);
	switch (rq->op) {
	case REQ_OP_READ:
		q->stat.reads_completed++;
		q->stat.sectors_read += sectors;
		q->stat.read_ticks += ns;
		break;
	case REQ_OP_WRITE:
		q->stat.writes_completed++;
		q->stat.sectors_written += sectors;
		q->stat.write_ticks += ns;
		break;
	case REQ_OP_FLUSH:
		q->stat.flushes++;
		break;
	case REQ_OP_DISCARD:
		q->stat.discards++;
		q->stat.sectors_discarded += sectors;
		break;
	}
}

/* End the bios of which @rq carried the last part; the request is gone before any end_io runs. */
static void end_parts(struct blk_mq *q, struct request *rq)
{
	struct bio *ended = NULL, *last = NULL;
	unsigned int cpu = rq->cpu;

	for (const struct rq_part *part = rq->parts; part; part = part->next) {
		assert(part->bio->remaining > 0);
		if (--part->bio->remaining > 0)
			continue;
		part->bio->next = NULL;
		if (last)
			last->next = part->bio;
		else
			ended = part->bio;
		last = part->bio;
	}
	rq_put(q, rq);
	while (ended) {
		struct bio *bio = ended;

		ended = bio->next;
		bio->next = NULL;
		bio_data_done(q, bio, cpu);
	}
}

static void free_tag(struct blk_mq *q)
{
	assert(q->stat.nr_in_flight > 0);
	q->stat.nr_in_flight--;
	if (q->stat.nr_in_flight <= q->conf.nr_requests)
		wake_up_all(&q->tags_wait);
}

/*
 * blk_mq_complete_request(): the device is done; in an event of the device.  What the interrupt
 * does is charged now; the bios' end_io queues behind it on that CPU, so no event is needed
 * between.
 */
static void request_complete(struct request *rq)
{
	struct blk_mq *q = blk_mq_of(rq->dev->sim);
	bool flush = rq->op == REQ_OP_FLUSH;
	unsigned int cpu = rq->cpu;

	trace_irq_enter(q->model.sim, cpu, CTX_HARDIRQ);
	blk_trace_rq(q, TRACE_BLOCK_RQ_COMPLETE, rq);
	account_completion(q, rq);
	rq_list_remove(&q->at_device, rq);
	cpu_irq(q->model.sim, cpu, CTX_HARDIRQ, q->conf.irq_ns);
	free_tag(q);
	blk_dispatch(q);
	end_parts(q, rq);
	if (flush)
		blk_flush_done(q, cpu);
	trace_irq_exit(q->model.sim);
}

static void end_event(struct event *ev)
{
	struct request *rq = container_of(ev, struct request, ev);
	struct blk_mq *q = blk_mq_of(rq->dev->sim);

	q->nr_ending--;
	free_tag(q);
	end_parts(q, rq);
}

/* @bio has nothing for the device to do: it ends in an event of its own. */
static void end_later(struct blk_mq *q, struct bio *bio)
{
	struct request *rq = rq_make(q, bio, bio->sector, 0);

	rq_start(q);
	q->nr_ending++;
	rq->ev.fn = end_event;
	sim_at(q->model.sim, &rq->ev, q->model.sim->now);
}

void submit_bio(struct sim *sim, struct bio *bio, struct blk_plug *plug)
{
	struct blk_mq *q = blk_mq_of(sim);
	bool flush = bio->op == REQ_OP_FLUSH || (bio->opf & REQ_PREFLUSH);

	assert(bio->size_bytes > 0 || flush);
	assert(bio->size_bytes % (1 << SECTOR_SHIFT) == 0 && bio->remaining == 0);
	bio_account_submit(sim, bio);
	if (!q->dev_ops->volatile_cache(q->dev)) {
		bio->opf &= ~(REQ_PREFLUSH | REQ_FUA);
		flush = false;
	}
	if (flush || bio->size_bytes)
		blk_trace_bio(q, TRACE_BLOCK_BIO_QUEUE, bio, bio->sector, bio->size_bytes);
	if (flush)
		blk_trace_bio(q, TRACE_BLOCK_GETRQ, bio, bio->sector, bio->size_bytes);
	if (flush)
		blk_flush_add(q, bio);
	else if (bio->size_bytes)
		blk_submit_data(q, bio, plug);
	else
		end_later(q, bio);
}

struct wait_queue *blk_mq_tags_wait(struct sim *sim)
{
	struct blk_mq *q = blk_mq_of(sim);

	return q->stat.nr_in_flight > q->conf.nr_requests ? &q->tags_wait : NULL;
}

const struct hist *blk_mq_latency(const struct sim *sim, enum req_op op)
{
	return &blk_mq_of(sim)->latency[op];
}

static bool blk_mq_init(struct model *m, GError **err)
{
	struct blk_mq *q = container_of(m, struct blk_mq, model);

	if (!config_multiple(m->sim->config, "blk_mq", "max_sectors_kb",
			     (int64_t)q->conf.max_sectors_kb, PAGE_SIZE / 1024,
			     "a request holds whole pages", err))
		return false;
	q->chunks = g_ptr_array_new_with_free_func(g_free);
	q->next_id = 1;
	wait_queue_init(&q->tags_wait);
	for (unsigned int op = 0; op < BLK_NR_OPS; op++)
		hist_init_in(&q->latency[op], q->latency_buckets[op]);
	m->sim->submit_block_op = blk_submit_op;
	return true;
}

/* The device's own init is over by now. */
static void blk_mq_start(struct model *m)
{
	struct blk_mq *q = container_of(m, struct blk_mq, model);

	q->dev = model_chosen(m->sim, "device");
	assert(q->dev);
	q->dev_ops = dev_ops_of(q->dev);
	q->slots = q->dev_ops->slots(q->dev);
	assert(q->slots > 0);
}

static void check_request(const struct blk_mq *q, const struct request *rq)
{
	int64_t max = (int64_t)q->conf.max_sectors_kb * 1024;

	assert(rq->op == REQ_OP_FLUSH ? !rq->size_bytes : rq->size_bytes > 0);
	assert(rq->op == REQ_OP_DISCARD || rq->size_bytes <= max);
	for (const struct rq_part *part = rq->parts; part; part = part->next)
		assert(part->bio->remaining > 0);
}

static void blk_mq_check(const struct model *m)
{
	const struct blk_mq *q = container_of(m, const struct blk_mq, model);

	assert(q->stat.nr_in_flight ==
	       q->nr_plugged + q->queue.nr + q->at_device.nr + q->nr_ending); /* I1 */
	assert(q->at_device.nr <= q->slots);
	assert(!q->queue.nr || q->at_device.nr == q->slots); /* I2 */
	for (const struct request *rq = q->queue.first; rq; rq = rq->next)
		check_request(q, rq);
	for (const struct request *rq = q->at_device.first; rq; rq = rq->next)
		check_request(q, rq);
	blk_flush_check(q);
}

static void blk_mq_check_idle(const struct model *m)
{
	const struct blk_mq *q = container_of(m, const struct blk_mq, model);

	assert(!q->stat.nr_in_flight);
	assert(!q->flush.running);
	assert(wait_queue_empty(&q->tags_wait));
}

static void blk_mq_fini(struct model *m)
{
	rq_pool_fini(container_of(m, struct blk_mq, model));
}

const struct model_ops blk_mq = {.name = "blk_mq",
				 .source = "block/blk-mq.c v6.1",
				 .size = sizeof(struct blk_mq),
				 .keys = keys,
				 .stats = stats,
				 .init = blk_mq_init,
				 .start = blk_mq_start,
				 .check = blk_mq_check,
				 .check_idle = blk_mq_check_idle,
				 .fini = blk_mq_fini};

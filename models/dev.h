/*
 * models/dev.h - what a device answers for.  Level 0.
 *
 * The block layer hands over at most slots() requests at a time; the device computes when each is
 * done and calls blk_mq_complete_request() (through rq->complete) once, in a later event.  All
 * devices share [device]; the key `model` chooses.
 */
#ifndef MODELS_DEV_H
#define MODELS_DEV_H

#include "models/bio.h"

/* One command at the device: part of a bio, or several merged bios. */
struct request {
	struct event ev; /* for the device's use; initialized by blk_mq; fn set by the device */
	enum req_op op;
	unsigned int opf; /* REQ_* */
	sector_t sector;
	int64_t size_bytes;
	uint64_t id;	   /* 1, 2, ... in order of dispatch: key of counter-based random draws */
	struct model *dev; /* the device that holds it */
	void *dev_io;	   /* the device's own state of it; NULL outside */
	ktime_t queued_ns, issue_ns; /* request made, handed to the device */
	void (*complete)(
		struct request *rq); /* set by blk_mq, called by the device at completion time */
	struct rq_part *parts, *last_part; /* the bios that complete with it; owned by blk_mq */
	struct request *next, *prev;	   /* in the queue that holds it */
	unsigned int cpu;		   /* the interrupt goes here */
};

struct dev_ops {
	struct model_ops model; /* must be first */
	/* Take @rq (event context).  Never more than slots() at a time. */
	void (*submit)(struct model *m, struct request *rq);
	/* Commands the device holds at most. */
	unsigned int (*slots)(const struct model *m);
	/* Has it a volatile write cache (does a flush mean anything)? */
	bool (*volatile_cache)(const struct model *m);
	/* Does it take REQ_FUA?  Otherwise the block layer sends a flush after the write. */
	bool (*fua)(const struct model *m);
};

/* ns to move @bytes at @rate bytes/s, rounded to the nearest. */
static inline ktime_t dev_transfer_ns(int64_t bytes, int64_t rate)
{
	if (bytes <= INT64_MAX / NSEC_PER_SEC / 2 && rate <= INT64_MAX / 2)
		return (bytes * NSEC_PER_SEC + rate / 2) / rate;
	return (ktime_t)(((__int128)bytes * NSEC_PER_SEC + rate / 2) / rate);
}

/* Operations of a model that is a device. */
static inline const struct dev_ops *dev_ops_of(const struct model *m)
{
	return container_of(m->ops, struct dev_ops, model);
}

#endif

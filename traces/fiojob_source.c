/*
 * traces/fiojob_source.c - the ops of one clone of a fio job, see traces/fiojob.h (fio's io_u.c,
 * backend.c).
 *
 * Sequential: each direction keeps a position of its own.  Where one comes to the end of the
 * region, or every block was drawn, while there is more to do, fio closes and opens the file and
 * begins anew; with time_based it just begins anew (seen with write_iolog of fio 3.33). Random: fio
 * marks used blocks in a map; here a keyed permutation of the block numbers (a Feistel network,
 * walked until the result is in range) gives every block once without memory, and another one each
 * round.  With norandommap blocks are drawn freely. A tail of the region shorter than bs is not
 * touched.
 *
 * Syncs come before the I/O that follows the Nth write, as in fio: the last write of a job has
 * none, but for end_fsync or fsync_on_close.
 */
#include "sim/rng.h"
#include "traces/fiojob.h"

#define ROUNDS 4

enum stage { OPEN, RUN, REOPEN, FINAL_SYNC, CLOSE, DONE };

struct fio_source {
	struct op_source src; /* must be first */
	const struct fio_job *job;
	unsigned int clone;
	enum stage stage;
	struct rng rng;
	uint64_t key;	   /* of the permutations */
	int64_t nr_blocks; /* of the region */
	int64_t per_loop;  /* I/Os of a loop; time_based: of all loops there are */
	int64_t left;	   /* of this loop */
	int64_t loops;	   /* still to come */
	int64_t next[2];   /* sequential position in blocks: reads (and trims), writes */
	uint64_t round;	   /* number of the permutation */
	int64_t drawn;	   /* blocks of it so far */
	int64_t writes;	   /* since the file was opened */
	bool after_write;
	bool stopped;
};

static bool is_random(const struct fio_job *job)
{
	return job->rw == FIO_RANDREAD || job->rw == FIO_RANDWRITE || job->rw == FIO_RANDTRIM ||
	       job->rw == FIO_RANDRW;
}

/* Block @i of permutation number @round over the region. */
static int64_t permute(const struct fio_source *s, uint64_t round, uint64_t i)
{
	uint64_t n = (uint64_t)s->nr_blocks, key = rng_hash(s->key, round);
	unsigned int half = 1;

	while (half < 32 && (n - 1) >> 2 * half)
		half++;
	uint64_t mask = ((uint64_t)1 << half) - 1;
	do {
		uint64_t left = i >> half, right = i & mask;
		for (unsigned int r = 0; r < ROUNDS; r++) {
			uint64_t mixed = left ^ (rng_hash(key + r, right) & mask);
			left = right;
			right = mixed;
		}
		i = left << half | right;
	} while (i >= n);
	return (int64_t)i;
}

static int64_t next_block(struct fio_source *s, bool write)
{
	if (!is_random(s->job))
		return s->next[write]++;
	if (s->job->norandommap)
		return (int64_t)rng_below(&s->rng, (uint64_t)s->nr_blocks);
	return permute(s, s->round, (uint64_t)s->drawn++);
}

/* Is there no block left for a read or a write? */
static bool exhausted(const struct fio_source *s, bool write)
{
	if (!is_random(s->job))
		return s->next[write] == s->nr_blocks;
	return s->drawn == s->nr_blocks;
}

static void begin_anew(struct fio_source *s)
{
	s->next[0] = s->next[1] = 0;
	s->round += s->drawn > 0;
	s->drawn = 0;
}

static enum op_kind direction(struct fio_source *s)
{
	switch ((enum fio_rw)s->job->rw) {
	case FIO_READ:
	case FIO_RANDREAD:
		return OP_READ;
	case FIO_WRITE:
	case FIO_RANDWRITE:
		return OP_WRITE;
	case FIO_TRIM:
	case FIO_RANDTRIM:
		return OP_DISCARD;
	case FIO_RW:
	case FIO_RANDRW:
		break;
	}
	return (int64_t)rng_below(&s->rng, 100) < s->job->rwmixread ? OP_READ : OP_WRITE;
}

static void give_io(struct fio_source *s, struct op *op)
{
	const struct fio_job *job = s->job;
	enum op_kind kind = direction(s);
	bool write = kind == OP_WRITE;

	if (exhausted(s, write)) {
		if (!job->time_based) {
			op->kind = OP_CLOSE;
			s->stage = REOPEN;
			return;
		}
		if (is_random(job))
			begin_anew(s);
		s->next[write] = 0;
	}
	int64_t block = next_block(s, write);
	op->kind = (uint8_t)kind;
	op->pos = job->offset_bytes + job->offset_increment * s->clone + block * job->bs_bytes;
	op->len = job->bs_bytes;
	op->flags = (job->uncached ? OP_DONTCACHE : 0) | (job->direct ? OP_DIRECT : 0) |
		    (job->sync && write ? OP_SYNC : 0);
	s->after_write = write;
	s->writes += write;
	if (!job->time_based)
		s->left--;
}

/* The sync that is due before the next I/O, if one is. */
static bool give_sync(struct fio_source *s, struct op *op)
{
	const struct fio_job *job = s->job;
	bool full = job->fsync && s->writes % job->fsync == 0;
	bool data = job->fdatasync && s->writes % job->fdatasync == 0;

	if (!s->after_write || (!full && !data))
		return false;
	s->after_write = false;
	op->kind = OP_FSYNC;
	op->flags = full ? 0 : OP_DATASYNC;
	return true;
}

static void begin_loop(struct fio_source *s, struct op *op)
{
	const struct fio_job *job = s->job;
	bool first = s->loops == job->loops;
	bool only_writes = job->rw == FIO_WRITE || job->rw == FIO_RANDWRITE;

	op->kind = OP_OPEN;
	op->flags = first && only_writes && (!job->filename || s->clone == 0) ? OP_CREATE : 0;
	s->loops--;
	s->left = s->per_loop;
	begin_anew(s);
	s->after_write = false;
	s->stage = RUN;
}

static bool give_run(struct fio_source *s, struct op *op)
{
	if (s->stopped || s->left == 0) {
		s->stage = s->writes && (s->job->end_fsync || s->job->fsync_on_close) ? FINAL_SYNC
										      : CLOSE;
		return false;
	}
	if (!give_sync(s, op))
		give_io(s, op);
	return true;
}

static bool fio_next(struct op_source *src, struct op *op, GError **err)
{
	struct fio_source *s = container_of(src, struct fio_source, src);

	(void)err; /* a job that was checked cannot fail */
	*op = (struct op){.time_ns = OP_NO_TIME, .done_ns = OP_NO_TIME};
	op->ino = s->job->ino + (s->job->filename ? 0 : s->clone);
	op->task = s->job->task + (int32_t)s->clone;
	for (;;)
		switch (s->stage) {
		case OPEN:
			begin_loop(s, op);
			return true;
		case RUN:
			if (give_run(s, op))
				return true;
			break;
		case REOPEN:
			op->kind = OP_OPEN;
			begin_anew(s);
			s->stage = RUN;
			return true;
		case FINAL_SYNC:
			op->kind = OP_FSYNC;
			s->stage = CLOSE;
			return true;
		case CLOSE:
			op->kind = OP_CLOSE;
			s->writes = 0;
			s->stage = s->loops > 0 && !s->stopped ? OPEN : DONE;
			return true;
		case DONE:
			return false;
		}
}

struct op_source *fio_source_new(const struct fio_job *job, unsigned int clone, uint64_t seed)
{
	struct fio_source *s = g_new0(struct fio_source, 1);
	g_autofree char *name = g_strdup_printf("fio.%s.%u", job->name ? job->name : "", clone);

	if (job->randseed)
		seed = (uint64_t)job->randseed;
	s->src.next = fio_next;
	s->job = job;
	s->clone = clone;
	s->loops = job->loops;
	s->nr_blocks = job->size_bytes / job->bs_bytes;
	s->per_loop =
		job->io_size_bytes ? (job->io_size_bytes - 1) / job->bs_bytes + 1 : s->nr_blocks;
	rng_init(&s->rng, seed, name);
	s->key = rng_key(seed, name);
	return &s->src;
}

void fio_source_free(struct op_source *src)
{
	g_free(container_of(src, struct fio_source, src));
}

void fio_source_stop(struct op_source *src)
{
	container_of(src, struct fio_source, src)->stopped = true;
}

/*
 * sim/emit_blktrace.c - --emit blktrace: OUT/DISK.blktrace.CPU, one file a CPU, for blkparse, btt
 * and f2sim's own reader.
 *
 * Records of version 7, host byte order, as kernel/trace/blktrace.c makes them of the block events
 * (KERNEL 7.7): action and categories, the sequence number of the CPU, numbers in a PDU big endian.
 * Before the first record of a task stands a notify record with its name, before everything one
 * with the wall clock, which is 0 here: a simulation has none.
 *
 * A flush sequence ends, as the kernel's does, with a completion of no bytes (models/blk_flush.c).
 *
 * Not written: remap, requeue, messages, cgroup ids; and as in a kernel without scheduler, which
 * sends a plug's requests straight to the driver, no unplug behind a plug.
 * I1  the records of a file are ordered by time, and numbered 1, 2, .. without the notify records.
 */
#include "sim/emit.h"

#include <string.h>

#include "sim/emit_file.h"

#define MAGIC 0x65617407u
#define COMM_LEN 16
#define SECTOR_MASK ((1u << SECTOR_SHIFT) - 1)

/* include/uapi/linux/blktrace_api.h */
enum {
	TC_READ = 1,
	TC_WRITE = 2,
	TC_FLUSH = 4,
	TC_SYNC = 8,
	TC_QUEUE = 0x10,
	TC_ISSUE = 0x40,
	TC_COMPLETE = 0x80,
	TC_FS = 0x100,
	TC_NOTIFY = 0x400,
	TC_AHEAD = 0x800,
	TC_META = 0x1000,
	TC_DISCARD = 0x2000,
	TC_FUA = 0x8000
};

enum {
	TA_QUEUE = 1,
	TA_BACKMERGE,
	TA_FRONTMERGE,
	TA_GETRQ,
	TA_ISSUE = 7,
	TA_COMPLETE,
	TA_PLUG,
	TA_INSERT = 12,
	TA_SPLIT
};

enum { TN_PROCESS, TN_TIMESTAMP };

struct record {
	uint32_t magic, sequence;
	uint64_t time;
	uint64_t sector;
	uint32_t bytes, action, pid, device, cpu;
	uint16_t error, pdu_len;
};
static_assert(sizeof(struct record) == 48, "struct blk_io_trace");

struct blktrace_sink {
	struct trace_sink sink; /* must be first */
	char *dir;
	unsigned int nr_cpus;
	uint32_t disk; /* 0 = no event yet: no files either */
	struct emit_file **files;
	uint32_t *sequence;
	GHashTable *named; /* pids whose name was noted */
	GError *error;	   /* of the first file that could not be made */
};

/* What an event becomes; action 0 = nothing. */
static const struct {
	uint32_t action, categories;
} actions[TRACE_NR_IDS] = {
	/* clang-format off */
	[TRACE_BLOCK_BIO_QUEUE]      = { TA_QUEUE, TC_QUEUE },
	[TRACE_BLOCK_GETRQ]          = { TA_GETRQ, TC_QUEUE },
	[TRACE_BLOCK_BIO_BACKMERGE]  = { TA_BACKMERGE, TC_QUEUE },
	[TRACE_BLOCK_BIO_FRONTMERGE] = { TA_FRONTMERGE, TC_QUEUE },
	[TRACE_BLOCK_SPLIT]          = { TA_SPLIT, 0 },
	[TRACE_BLOCK_PLUG]           = { TA_PLUG, TC_QUEUE },
	[TRACE_BLOCK_RQ_INSERT]      = { TA_INSERT, TC_QUEUE | TC_FS },
	[TRACE_BLOCK_RQ_ISSUE]       = { TA_ISSUE, TC_ISSUE | TC_FS },
	[TRACE_BLOCK_RQ_COMPLETE]    = { TA_COMPLETE, TC_COMPLETE | TC_FS },
	/* clang-format on */
};

/* The kernel's name of a disk with this number. */
static const char *disk_name(uint32_t dev)
{
	static const struct {
		uint32_t major;
		const char *name;
	} names[] = {{7, "loop0"}, {8, "sda"}, {253, "vda"}, {254, "vda"}, {259, "nvme0n1"}};

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++)
		if (names[i].major == DEV_MAJOR(dev))
			return names[i].name;
	return "disk";
}

static bool make_files(struct blktrace_sink *s)
{
	for (unsigned int cpu = 0; cpu < s->nr_cpus; cpu++) {
		g_autofree char *name = g_strdup_printf("%s.blktrace.%u", disk_name(s->disk), cpu);
		g_autofree char *path = g_build_filename(s->dir, name, NULL);

		s->files[cpu] = emit_file_new(path, &s->error);
		if (!s->files[cpu])
			return false;
	}
	return true;
}

static void put(struct blktrace_sink *s, unsigned int cpu, struct record *r, const void *pdu,
		size_t pdu_len)
{
	r->magic = MAGIC;
	r->device = s->disk;
	r->cpu = cpu;
	r->pdu_len = (uint16_t)pdu_len;
	emit_bytes(s->files[cpu], r, sizeof(*r));
	emit_bytes(s->files[cpu], pdu, pdu_len);
}

static void note_time(struct blktrace_sink *s, const struct trace_event *e)
{
	const uint32_t wall_clock[2] = {0, 0};
	struct record r = {.time = (uint64_t)e->time_ns,
			   .action = TN_TIMESTAMP | (uint32_t)TC_NOTIFY << 16};

	put(s, e->cpu, &r, wall_clock, sizeof(wall_clock));
}

static void note_task(struct blktrace_sink *s, const struct trace_event *e)
{
	struct record r = {.time = (uint64_t)e->time_ns,
			   .pid = (uint32_t)e->pid,
			   .action = TN_PROCESS | (uint32_t)TC_NOTIFY << 16};
	char comm[COMM_LEN] = "";

	if (!e->pid || !g_hash_table_add(s->named, GINT_TO_POINTER(e->pid)))
		return;
	g_strlcpy(comm, e->comm, sizeof(comm));
	put(s, e->cpu, &r, comm, sizeof(comm));
}

/* Categories of (kind, flags): what is no write is a read. */
static uint32_t direction(uint64_t kind, uint64_t flags)
{
	uint32_t tc = kind == OP_BIO_WRITE || kind == OP_DISCARD ? TC_WRITE : TC_READ;

	tc |= kind == OP_DISCARD ? TC_DISCARD : 0;
	tc |= kind == OP_FLUSH || flags & OP_PREFLUSH ? TC_FLUSH : 0;
	tc |= flags & OP_SYNC ? TC_SYNC : 0;
	tc |= flags & OP_META ? TC_META : 0;
	tc |= flags & OP_RAHEAD ? TC_AHEAD : 0;
	return tc | (flags & OP_FUA ? TC_FUA : 0);
}

/* Arguments by event: trace_events.h. */
static void put_event(struct blktrace_sink *s, const struct trace_event *e)
{
	struct record r = {.sequence = ++s->sequence[e->cpu],
			   .time = (uint64_t)e->time_ns,
			   .pid = (uint32_t)e->pid};
	bool about_bio = e->id != TRACE_BLOCK_PLUG;
	uint32_t tc = actions[e->id].categories;
	uint64_t number = 0;
	size_t pdu_len = 0;

	tc |= about_bio ? direction(e->v[0], e->v[1]) : TC_READ;
	r.action = actions[e->id].action | tc << 16;
	if (about_bio) {
		r.sector = e->v[2];
		if (e->id !=
		    TRACE_BLOCK_SPLIT) /* bi_size has 32 bits; only a discard can be larger */
			r.bytes = (uint32_t)MIN(e->v[3], UINT32_MAX - SECTOR_MASK);
	}
	if (e->id == TRACE_BLOCK_SPLIT) {
		number = GUINT64_TO_BE(e->v[3]);
		pdu_len = sizeof(number);
	}
	put(s, e->cpu, &r, &number, pdu_len);
}

static void blktrace_event(struct trace_sink *sink, const struct trace_event *e)
{
	struct blktrace_sink *s = (struct blktrace_sink *)sink;

	if (!actions[e->id].action || s->error)
		return;
	if (!s->disk) {
		s->disk = e->dev;
		if (!make_files(s))
			return;
		note_time(s, e);
	}
	note_task(s, e);
	put_event(s, e);
}

static struct trace_sink *blktrace_open(const char *dir, unsigned int nr_cpus, GError **err)
{
	struct blktrace_sink *s = g_new0(struct blktrace_sink, 1);

	(void)err;
	s->sink.event = blktrace_event;
	s->dir = g_strdup(dir);
	s->nr_cpus = nr_cpus;
	s->files = g_new0(struct emit_file *, nr_cpus);
	s->sequence = g_new0(uint32_t, nr_cpus);
	s->named = g_hash_table_new(NULL, NULL);
	return &s->sink;
}

static void blktrace_abort(struct trace_sink *sink)
{
	struct blktrace_sink *s = (struct blktrace_sink *)sink;

	for (unsigned int cpu = 0; cpu < s->nr_cpus; cpu++)
		emit_file_abort(s->files[cpu]);
	g_clear_error(&s->error);
	g_hash_table_destroy(s->named);
	g_free(s->sequence);
	g_free(s->files);
	g_free(s->dir);
	g_free(s);
}

static bool blktrace_finish(struct trace_sink *sink, GError **err)
{
	struct blktrace_sink *s = (struct blktrace_sink *)sink;
	bool ok = !s->error;

	if (ok && !s->disk) { /* an idle disk has empty files */
		s->disk = DEVNO(259, 0);
		ok = make_files(s);
	}
	if (!ok)
		g_propagate_error(err, g_steal_pointer(&s->error));
	for (unsigned int cpu = 0; ok && cpu < s->nr_cpus; cpu++)
		ok = emit_file_flush(s->files[cpu], err);
	return ok;
}

static bool blktrace_commit(struct trace_sink *sink, GError **err)
{
	struct blktrace_sink *s = (struct blktrace_sink *)sink;
	bool ok = true;

	for (unsigned int cpu = 0; ok && cpu < s->nr_cpus; cpu++)
		ok = emit_file_commit(g_steal_pointer(&s->files[cpu]), err);
	blktrace_abort(sink);
	return ok;
}

const struct emit_ops emit_blktrace = {
	.name = "blktrace",
	.summary = "DISK.blktrace.CPU, binary, version 7",
	.open = blktrace_open,
	.finish = blktrace_finish,
	.commit = blktrace_commit,
	.abort = blktrace_abort,
};

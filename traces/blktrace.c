/*
 * traces/blktrace.c - binary blktrace captures: one file a CPU, or a merged dump.
 *
 * Records of all files are taken by (time, file, offset) and counted as blkparse counts its lines;
 * requests come out of blkpair through a hold, which also sorts what a merged dump has out of
 * order.  Notify records (process names, time stamps, messages) are records without being events;
 * messages are counted as "m".  Sequence numbers count per file, device and CPU; those missing
 * between the first and the last are lost events.  (A kernel that runs out of buffers does not
 * count on: those losses show nowhere in the file.)
 *
 * The files are merged by comparing only the current one with the earliest of the others, which
 * stays the earliest as long as they do not move.  What an action's bits mean is worked out once
 * for each combination and kept in a small cache.
 *
 * Not modelled: cgroup ids and the PDUs of events.
 */
#include "traces/blkaction.h"
#include "traces/blkpair.h"
#include "traces/blkrecord.h"
#include "traces/hold.h"
#include "traces/trace.h"

extern const struct trace_ops trace_blktrace;

#define RWBS_CACHE 256u
#define SEQUENCES_MAX 4096u /* of more streams gaps are not watched */

enum notify { NOTIFY_PROCESS, NOTIFY_TIMESTAMP, NOTIFY_MESSAGE };

/* Sequence numbers of one file, device and CPU. */
struct sequence {
	uint32_t file, dev, cpu;
	uint32_t first, last;
	uint64_t count;
};

/* What (code, categories, bytes or none) means, worked out once. */
struct rwbs_entry {
	bool valid;
	uint64_t key;
	struct trace_rwbs *count;
	struct blk_rwbs rwbs;
};

struct blktrace {
	struct trace trace;
	struct blk_file *files;
	uint32_t nr_files;
	struct blk_file *current; /* the file read last */
	struct blk_file *rival;	  /* first of the others, NULL = none */
	guint *last_sequence;	  /* of each file, index in sequences */
	struct hold *hold;
	struct blkpair *pair;
	GArray *sequences; /* struct sequence */
	int64_t last_ns;
	bool ended;
	bool stirred; /* an op may have become free to leave since the last look */
	struct rwbs_entry cache[RWBS_CACHE];
};

static int blktrace_probe(const uint8_t *head, size_t n)
{
	return blk_file_probe(head, n) ? 100 : 0;
}

/* Is @a's record to be taken before @b's?  Files stand in their order. */
static bool comes_first(const struct blk_file *a, const struct blk_file *b)
{
	if (a->record.time_ns != b->record.time_ns)
		return a->record.time_ns < b->record.time_ns;
	return a < b;
}

static void pick(struct blktrace *b)
{
	b->current = b->rival = NULL;
	for (uint32_t i = 0; i < b->nr_files; i++) {
		struct blk_file *f = &b->files[i];

		if (!f->has)
			continue;
		if (!b->current || comes_first(f, b->current)) {
			b->rival = b->current;
			b->current = f;
		} else if (!b->rival || comes_first(f, b->rival)) {
			b->rival = f;
		}
	}
}

/* The file whose record is next, or NULL.  The others have not moved since the last pick(), so only
 * the rival needs a look. */
static struct blk_file *next_file(struct blktrace *b)
{
	if (!b->current || !b->current->has || (b->rival && comes_first(b->rival, b->current)))
		pick(b);
	return b->current;
}

static const struct rwbs_entry *rwbs_lookup(struct blktrace *b, const struct blk_record *r,
					    char letter)
{
	uint64_t key = (uint64_t)r->tc << 32 | r->code << 1 | (r->bytes != 0);
	struct rwbs_entry *e = &b->cache[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
	char text[BLK_RWBS_MAX];

	if (e->valid && e->key == key)
		return e;
	blk_rwbs_print(r->tc, r->bytes != 0, text);
	e->valid = true;
	e->key = key;
	e->count = trace_rwbs_of(&b->trace, letter, text);
	blk_rwbs_parse(text, &e->rwbs);
	return e;
}

static bool is_of(const struct sequence *s, uint32_t file, const struct blk_record *r)
{
	return s->cpu == r->cpu && s->file == file && s->dev == r->dev;
}

/* The sequence that is not the file's last one, made when new; NULL when there are too many. */
static struct sequence *other_sequence(struct blktrace *b, uint32_t file,
				       const struct blk_record *r)
{
	const struct sequence fresh = {file, r->dev, r->cpu, r->sequence, r->sequence, 0};
	guint i = 0;

	while (i < b->sequences->len &&
	       !is_of(&g_array_index(b->sequences, struct sequence, i), file, r))
		i++;
	if (i >= SEQUENCES_MAX)
		return NULL;
	if (i == b->sequences->len)
		g_array_append_val(b->sequences, fresh);
	b->last_sequence[file] = i;
	return &g_array_index(b->sequences, struct sequence, i);
}

static struct sequence *sequence_of(struct blktrace *b, uint32_t file, const struct blk_record *r)
{
	guint last = b->last_sequence[file];
	struct sequence *s = &g_array_index(b->sequences, struct sequence, last);

	return last < b->sequences->len && is_of(s, file, r) ? s : other_sequence(b, file, r);
}

static void count_sequence(struct blktrace *b, uint32_t file, const struct blk_record *r)
{
	struct sequence *s = sequence_of(b, file, r);

	if (!s)
		return;
	s->first = MIN(s->first, r->sequence);
	s->last = MAX(s->last, r->sequence);
	s->count++;
}

static void take_notify(struct blktrace *b, const struct blk_record *r)
{
	struct trace *t = &b->trace;

	switch (r->code) {
	case NOTIFY_PROCESS:
		trace_name_task(t, (int32_t)r->pid, (const char *)r->pdu, r->pdu_len);
		break;
	case NOTIFY_TIMESTAMP:
		break;
	case NOTIFY_MESSAGE:
		t->info.actions['m']++;
		trace_count_rwbs(t, 'm', "N", 0);
		break;
	default: {
		g_autofree char *name = g_strdup_printf("notify %u", r->code);

		trace_count(t->info.unknown, name, 1);
	}
	}
}

static void pass_on(struct blktrace *b, const struct blk_record *r, char letter,
		    const struct rwbs_entry *entry)
{
	const struct blk_event e = {
		.time_ns = r->time_ns,
		.sector = r->sector,
		.bytes = r->bytes,
		.dev = r->dev,
		.task = (int32_t)r->pid,
		.error = (int16_t)r->error,
		.cpu = (uint16_t)r->cpu,
		.action = letter,
		.passthrough = r->tc & BLK_TC_PC,
		.rwbs = entry->rwbs,
	};

	blkpair_event(b->pair, &e);
	b->stirred = true;
}

static void take_event(struct blktrace *b, uint32_t file, const struct blk_record *r)
{
	struct trace *t = &b->trace;
	char letter = blk_action_letter(r->code);

	count_sequence(b, file, r);
	if (!letter) {
		g_autofree char *name = g_strdup_printf("action %u", r->code);

		trace_count(t->info.unknown, name, 1);
		return;
	}
	const struct rwbs_entry *entry = rwbs_lookup(b, r, letter);

	entry->count->count++;
	if (letter != 'X') /* its line tells where, not how much */
		entry->count->sectors += r->bytes >> SECTOR_SHIFT;
	t->info.actions[(unsigned char)letter]++;
	t->info.skewed += r->time_ns < b->last_ns;
	b->last_ns = r->time_ns;
	trace_seen(t, r->time_ns, letter == 'C' ? -1 : (int32_t)r->pid);
	if (letter == 'Q' || letter == 'D' || letter == 'C' || letter == 'R')
		pass_on(b, r, letter, entry);
}

static void file_ended(struct blktrace *b, const struct blk_file *f)
{
	struct trace_info *info = &b->trace.info;

	if (!f->cut_bytes && !stream_truncated(f->stream))
		return;
	info->truncated = true;
	info->broken += f->cut_bytes != 0;
	/* warnings are told with the path of the set's first file */
	bool first = f == b->files;
	g_autofree char *name = g_path_get_basename(stream_path(f->stream));

	trace_warn(&b->trace, "%s%scut short, %zu bytes of an incomplete record at the end",
		   first ? "" : name, first ? "" : ": ", f->cut_bytes);
}

/* Take one record; false at the end or with *@err. */
static bool take_record(struct blktrace *b, GError **err)
{
	struct blk_file *f = next_file(b);

	if (!f)
		return false;
	b->trace.info.records++;
	if (f->record.tc & BLK_TC_NOTIFY)
		take_notify(b, &f->record);
	else
		take_event(b, (uint32_t)(f - b->files), &f->record);
	if (!blk_file_advance(f, err))
		return false;
	if (!f->has)
		file_ended(b, f);
	return true;
}

static void finish(struct blktrace *b)
{
	struct trace_info *info = &b->trace.info;

	b->ended = b->stirred = true;
	blkpair_end(b->pair);
	for (guint i = 0; i < b->sequences->len; i++) {
		const struct sequence *s = &g_array_index(b->sequences, struct sequence, i);
		uint64_t span = (uint64_t)s->last - s->first + 1;

		info->lost += span > s->count ? span - s->count : 0;
	}
	if (info->lost)
		trace_warn(&b->trace,
			   "%" G_GUINT64_FORMAT " events lost (sequence numbers missing)",
			   info->lost);
}

static bool blktrace_next(struct trace *t, struct op *op, GError **err)
{
	struct blktrace *b = container_of(t, struct blktrace, trace);
	GError *failed = NULL;

	while (!b->stirred || !hold_pop(b->hold, b->ended, op)) {
		b->stirred = false;
		if (b->ended)
			return false;
		if (take_record(b, &failed))
			continue;
		if (failed) {
			g_propagate_error(err, failed);
			return false;
		}
		finish(b);
	}
	return true;
}

static void blktrace_close(struct trace *t)
{
	struct blktrace *b = container_of(t, struct blktrace, trace);

	for (uint32_t i = 0; i < b->nr_files; i++)
		blk_file_close(&b->files[i]);
	g_free(b->files);
	g_free(b->last_sequence);
	g_array_unref(b->sequences);
	blkpair_free(b->pair);
	hold_free(b->hold);
	trace_fini(t);
	g_free(b);
}

/* Open all files and read their first records; false with *@err. */
static bool open_files(struct blktrace *b, const char *const *paths, GError **err)
{
	for (uint32_t i = 0; paths[i]; i++) {
		struct blk_file *f = &b->files[i];

		b->nr_files++;
		if (!blk_file_open(f, paths[i], err))
			return false;
		if (!f->has)
			file_ended(b, f);
		else if (!b->trace.info.version)
			b->trace.info.version = g_strdup_printf("%u", f->record.version);
	}
	if (b->trace.info.version)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: not one record, expected a blktrace capture", paths[0]);
	return false;
}

static struct trace *blktrace_open(const char *const *paths, const struct trace_opts *opts,
				   GError **err)
{
	struct blktrace *b = g_new0(struct blktrace, 1);

	trace_init(&b->trace, &trace_blktrace, opts, paths[0]);
	b->trace.info.has_actions = true;
	b->files = g_new0(struct blk_file, g_strv_length((char **)paths));
	b->last_sequence = g_new0(guint, g_strv_length((char **)paths));
	b->sequences = g_array_new(FALSE, FALSE, sizeof(struct sequence));
	b->hold = hold_new();
	b->pair = blkpair_new(&b->trace, b->hold);
	if (open_files(b, paths, err))
		return &b->trace;
	blktrace_close(&b->trace);
	return NULL;
}

const struct trace_ops trace_blktrace = {
	.name = "blktrace",
	.summary = "binary blktrace, versions 7 and 8, per-CPU files or a merged dump",
	.probe = blktrace_probe,
	.open = blktrace_open,
	.next = blktrace_next,
	.close = blktrace_close,
	.multi = true,
};

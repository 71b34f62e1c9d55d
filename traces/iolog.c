/*
 * traces/iolog.c - reader of fio's iolog, versions 2 and 3 (fio's HOWTO "Trace file format",
 *iolog.c).
 *
 *	v2	FILE ACTION [OFFSET LENGTH]		v3	TIME FILE ACTION [OFFSET LENGTH]
 *
 * v3 stamps each line with us since the log began (--time-unit says otherwise).  v2 has no times
 *but for "wait": nothing is issued before that many ms since the start.  Files are numbered 1.. by
 * first appearance and become inodes; one task issues everything, as one fio job does.
 *
 *	read write		OP_READ OP_WRITE
 *	sync datasync		OP_FSYNC (OP_DATASYNC) of the whole file
 *	sync_file_range		OP_FSYNC, OP_DATASYNC, of the range
 *	trim			OP_DISCARD with dev 0
 *	open close		OP_OPEN OP_CLOSE
 *	add			only numbers the file
 *
 * Strict where fio is not: its scanf pattern takes a negative offset for 2^64 - n, cuts lengths to
 * 32 bits, shifts columns at a blank in a name and splits long lines (CASES 9).  Each is an error
 * with its line here.  "wait" in v3 is ignored with a warning, as fio does.
 */
#include "traces/iolog.h"

#include <string.h>

#include "traces/field.h"
#include "traces/line_reader.h"

#define TASK 1

/* What a device could plausibly need: above 1000 times this, the unit of the times is in doubt. */
#define SERVICE_NS 100000      /* DEVICES.md: a flash read, with room */
#define SERVICE_NS_PER_BYTE 1  /* 1 GB/s */
#define GAP_TIMES_SERVICE 1000 /* ns read as us (SPDK #3909) */

struct iolog {
	struct line_reader r; /* must be first */
	unsigned int version;
	int64_t unit_ns;   /* of a v3 time, of a v2 wait */
	int64_t time_ns;   /* v2: what the waits came to */
	GHashTable *files; /* name -> inode as a pointer */
	uint64_t waits_ignored;
	uint64_t nr_data; /* reads and writes, and their */
	int64_t bytes, first_ns, last_ns;
};

enum form { WITH_RANGE, WHOLE_FILE, NOTHING, WAIT };

static const struct {
	const char *name;
	enum op_kind kind;
	uint32_t flags;
	enum form form;
	bool range; /* OFFSET LENGTH follow */
} actions[] = {
	/* clang-format off */
	{ "read",            OP_READ,      0,           WITH_RANGE, true },
	{ "write",           OP_WRITE,     0,           WITH_RANGE, true },
	{ "trim",            OP_DISCARD,   0,           WITH_RANGE, true },
	{ "sync",            OP_FSYNC,     0,           WHOLE_FILE, true },
	{ "datasync",        OP_FSYNC,     OP_DATASYNC, WHOLE_FILE, true },
	{ "sync_file_range", OP_FSYNC,     OP_DATASYNC, WITH_RANGE, true },
	{ "wait",            OP_NR_KINDS,  0,           WAIT,       true },
	{ "open",            OP_OPEN,      0,           WHOLE_FILE, false },
	{ "close",           OP_CLOSE,     0,           WHOLE_FILE, false },
	{ "add",             OP_NR_KINDS,  0,           NOTHING,    false },
	/* clang-format on */
};

static int iolog_probe(const uint8_t *head, size_t n)
{
	static const char start[] = "fio version ";

	return n >= sizeof(start) - 1 && memcmp(head, start, sizeof(start) - 1) == 0 ? 100 : 0;
}

static uint64_t file_ino(struct iolog *l, const char *name)
{
	gpointer ino = g_hash_table_lookup(l->files, name);

	if (!ino) {
		ino = GUINT_TO_POINTER(g_hash_table_size(l->files) + 1);
		g_hash_table_insert(l->files, g_strdup(name), ino);
	}
	return GPOINTER_TO_UINT(ino);
}

static bool to_ns(const struct iolog *l, const char *col, int64_t *ns, GError **why)
{
	int64_t t;

	if (!field_i64(col, 0, OP_MAX_NS / l->unit_ns, &t))
		return input_fail(why, "bad time \"%s\"", col);
	*ns = t * l->unit_ns;
	return true;
}

static bool parse_range(char *const *cols, struct op *op, GError **why)
{
	if (!field_i64(cols[0], 0, INT64_MAX, &op->pos))
		return input_fail(why, "bad offset \"%s\", expected 0 .. 2^60", cols[0]);
	if (!field_i64(cols[1], 0, UINT32_MAX, &op->len))
		return input_fail(why, "bad length \"%s\", fio's own ends at 2^32 - 1", cols[1]);
	return op_valid(op, why);
}

static bool parse_wait(struct iolog *l, const char *col, GError **why)
{
	int64_t until;

	if (l->version == 3) {
		l->waits_ignored++;
		return true;
	}
	if (!to_ns(l, col, &until, why))
		return false;
	l->time_ns = MAX(l->time_ns, until);
	return true;
}

static void account_data(struct iolog *l, const struct op *op)
{
	if (op->kind != OP_READ && op->kind != OP_WRITE)
		return;
	if (l->nr_data++ == 0)
		l->first_ns = op->time_ns;
	l->last_ns = op->time_ns;
	l->bytes += MIN(op->len, INT64_MAX - l->bytes);
}

/* @cols: FILE ACTION [OFFSET LENGTH], @n of them. */
static bool parse_action(struct iolog *l, struct op *op, char *const *cols, size_t n, GError **why)
{
	size_t a = 0;

	while (a < G_N_ELEMENTS(actions) && strcmp(cols[1], actions[a].name) != 0)
		a++;
	if (a == G_N_ELEMENTS(actions))
		return input_fail(why, "unknown action \"%s\"", cols[1]);
	if (n != (actions[a].range ? 4 : 2))
		return input_fail(why, "%s: expected %s", cols[1],
				  actions[a].range ? "OFFSET LENGTH after it" : "nothing after it");

	l->r.trace.info.records++;
	if (actions[a].form == WAIT)
		return parse_wait(l, cols[2], why);
	op->ino = file_ino(l, cols[0]);
	if (actions[a].form == NOTHING)
		return true;
	op->kind = (uint8_t)actions[a].kind;
	op->flags = actions[a].flags;
	if (actions[a].range && !parse_range(cols + 2, op, why))
		return false;
	if (actions[a].form == WHOLE_FILE)
		op->pos = op->len = 0;
	account_data(l, op);
	line_reader_push(&l->r, op);
	return true;
}

static bool parse_line(struct line_reader *r, char *line, GError **why)
{
	struct iolog *l = container_of(r, struct iolog, r);
	struct op op = {.task = TASK, .time_ns = l->time_ns, .done_ns = OP_NO_TIME};
	char *cols[5];
	size_t first = l->version == 3;

	if (strlen(line) > IOLOG_LINE_MAX)
		return input_fail(why, "longer than fio's %u bytes", IOLOG_LINE_MAX);
	if (iolog_probe((const uint8_t *)line, strlen(line)))
		return input_fail(why, "a second header: fio appends to a log that is there");
	size_t n = field_split(line, cols, G_N_ELEMENTS(cols));
	if (n != first + 2 && n != first + 4)
		return input_fail(why,
				  "%zu columns, expected %sFILE ACTION [OFFSET LENGTH] (a file "
				  "name cannot hold blanks)",
				  n, first ? "TIME " : "");
	if (first && !to_ns(l, cols[0], &op.time_ns, why))
		return false;
	return parse_action(l, &op, cols + first, n - first, why);
}

static void at_end(struct line_reader *r)
{
	struct iolog *l = container_of(r, struct iolog, r);

	if (l->waits_ignored)
		trace_warn(&r->trace,
			   "%" G_GUINT64_FORMAT " \"wait\" lines ignored: version 3 has none",
			   l->waits_ignored);
	if (l->nr_data < 2)
		return;
	int64_t gap_ns = (l->last_ns - l->first_ns) / (int64_t)(l->nr_data - 1);
	int64_t service_ns = SERVICE_NS + l->bytes / (int64_t)l->nr_data * SERVICE_NS_PER_BYTE;
	if (gap_ns / GAP_TIMES_SERVICE > service_ns)
		trace_warn(&r->trace,
			   "the mean gap between I/Os is %" G_GINT64_FORMAT
			   " ms, over %d times what one takes: are the times in %s? (--time-unit)",
			   gap_ns / NSEC_PER_MSEC, GAP_TIMES_SERVICE,
			   l->unit_ns > NSEC_PER_USEC ? "us" : "ns");
}

static void iolog_close(struct trace *t)
{
	struct iolog *l = container_of(t, struct iolog, r.trace);

	line_reader_fini(&l->r);
	g_hash_table_unref(l->files);
	g_free(l);
}

static bool is_version1(const char *line)
{
	return line[0] && strspn(line, "0123456789,") == strlen(line) && strchr(line, ',');
}

static bool parse_header(struct iolog *l, const char *path, GError **err)
{
	GError *why = NULL;
	const char *line = line_reader_header(&l->r, &why);

	if (why) {
		g_propagate_error(err, why);
		return false;
	}
	if (g_strcmp0(line, IOLOG_HEADER_V2) == 0)
		l->version = 2;
	else if (g_strcmp0(line, IOLOG_HEADER_V3) == 0)
		l->version = 3;
	else if (line && is_version1(line))
		trace_error_line(err, path, 1, "iolog version 1 is not supported, only 2 and 3");
	else if (line && iolog_probe((const uint8_t *)line, strlen(line)))
		trace_error_line(err, path, 1, "\"%.40s\" is not supported, only versions 2 and 3",
				 line);
	else
		trace_error_line(err, path, 1, "expected \"" IOLOG_HEADER_V3 "\"");
	return l->version != 0;
}

static int64_t unit_ns(const struct trace_opts *opts, unsigned int version)
{
	switch (opts ? opts->time_unit : TRACE_UNIT_DEFAULT) {
	case TRACE_UNIT_NS:
		return 1;
	case TRACE_UNIT_US:
		return NSEC_PER_USEC;
	case TRACE_UNIT_MS:
		return NSEC_PER_MSEC;
	default:
		return version == 3 ? NSEC_PER_USEC : NSEC_PER_MSEC;
	}
}

static struct trace *iolog_open(const char *const *paths, const struct trace_opts *opts,
				GError **err)
{
	struct iolog *l = g_new0(struct iolog, 1);

	if (!line_reader_init(&l->r, &trace_iolog, paths[0], opts, parse_line, err)) {
		g_free(l);
		return NULL;
	}
	l->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (!parse_header(l, paths[0], err)) {
		iolog_close(&l->r.trace);
		return NULL;
	}
	l->unit_ns = unit_ns(opts, l->version);
	l->r.at_end = at_end;
	l->r.trace.info.version = g_strdup_printf("v%u", l->version);
	return &l->r.trace;
}

const struct trace_ops trace_iolog = {
	.name = "iolog",
	.summary = "fio iolog, versions 2 and 3",
	.probe = iolog_probe,
	.open = iolog_open,
	.next = line_reader_next,
	.close = iolog_close,
};

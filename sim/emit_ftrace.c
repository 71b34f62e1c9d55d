/*
 * sim/emit_ftrace.c - --emit ftrace: OUT/trace.ftrace, text as a kernel's `trace` file has it.
 *
 * Header, then a line an event (KERNEL 7): task, CPU, the five flag columns, seconds with six
 * digits, rounded as the kernel rounds them.  Bodies come from emit_ftrace_table.c, system calls
 * from emit_syscall.c.  The numbers of the header are filled in at the end.
 *
 * An interrupt shows the task that it met, or <idle>.  The flag columns tell the context; need-
 * resched and the delay column are always off.
 */
#include "sim/emit.h"
#include "sim/emit_ftrace_internal.h"

#include <string.h>

#define HEADER_WIDTH 96 /* of the line that is filled in at the end */
#define COMM_MAX 15	/* TASK_COMM_LEN - 1 */

#define IOCB_DONTCACHE_BIT 0x80u
#define IOCB_DIRECT_BIT 0x20000u

struct ftrace_sink {
	struct trace_sink sink; /* must be first */
	struct emit_file *file;
	struct emit_fds *fds;
	uint64_t nr_events;
	unsigned int nr_cpus;
};

static const char columns[] = "#\n"
			      "#                                _-----=> irqs-off/BH-disabled\n"
			      "#                               / _----=> need-resched\n"
			      "#                              | / _---=> hardirq/softirq\n"
			      "#                              || / _--=> preempt-depth\n"
			      "#                              ||| / _-=> migrate-disable\n"
			      "#                              |||| /     delay\n"
			      "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
			      "#              | |         |   |||||     |         |\n";

/* The first three lines, always as long: blanks at the end of the third make up for digits. */
static char *header(uint64_t nr_events, unsigned int nr_cpus)
{
	g_autofree char *entries =
		g_strdup_printf("# entries-in-buffer/entries-written: %" G_GUINT64_FORMAT
				"/%" G_GUINT64_FORMAT "   #P:%u",
				nr_events, nr_events, nr_cpus);

	return g_strdup_printf("# tracer: nop\n#\n%-*s\n", HEADER_WIDTH, entries);
}

static void emit_device(struct emit_file *f, uint32_t dev, char between)
{
	emit_u64(f, DEV_MAJOR(dev));
	emit_char(f, between);
	emit_u64(f, DEV_MINOR(dev));
}

static void emit_comm(struct emit_file *f, const char *comm)
{
	emit_bytes(f, comm, strnlen(comm, COMM_MAX));
}

/* blk_fill_rwbs() */
static void emit_rwbs(struct emit_file *f, uint64_t kind, uint64_t flags)
{
	static const char ops[] = {'R', 'W', 'F', 'D'};

	assert(kind >= OP_BIO_READ && kind <= OP_DISCARD);
	if (flags & OP_PREFLUSH)
		emit_char(f, 'F');
	emit_char(f, ops[kind - OP_BIO_READ]);
	if (flags & OP_FUA)
		emit_char(f, 'F');
	if (flags & OP_RAHEAD)
		emit_char(f, 'A');
	if (flags & OP_SYNC)
		emit_char(f, 'S');
	if (flags & OP_META)
		emit_char(f, 'M');
}

/* One conversion that takes argument @i. */
static void emit_arg(struct emit_file *f, const struct ftrace_format *format,
		     const struct trace_event *e, unsigned int i, char conv)
{
	uint64_t v = e->v[i];

	switch (conv) {
	case 'u':
		emit_u64(f, v);
		break;
	case 'd':
		emit_i64(f, (int64_t)v);
		break;
	case 'x':
		emit_hex(f, v);
		break;
	case 'P':
		emit_u64(f, v << PAGE_SHIFT);
		break;
	case 'E':
		emit_u64(f, ((v + 1) << PAGE_SHIFT) - 1);
		break;
	case 'S':
		emit_u64(f, e->v[0] == OP_FLUSH ? UINT64_MAX : v);
		break;
	case 'K':
		emit_u64(f, v << (PAGE_SHIFT - 10));
		break;
	case 'B':
		emit_u64(f, v >> SECTOR_SHIFT);
		break;
	case 'b':
		emit_u64(f, (v + PAGE_SIZE - 1) / PAGE_SIZE * SECTORS_PER_PAGE);
		break;
	case 'R':
		emit_rwbs(f, v, e->v[i + 1]);
		break;
	case 'F':
		emit_text(f, v == OP_BIO_WRITE ? "WRITE(" : "READ(");
		emit_text(f, e->v[i + 1] & OP_SYNC ? "S)" : ")");
		break;
	case 'I':
		emit_text(f, format->words[v]);
		break;
	case 'w':
		emit_char(f, v == OP_WRITE ? '1' : '0');
		break;
	case 'N':
		emit_u64(f, v ? e->v[0] : UINT32_MAX);
		break;
	case 'A':
		emit_hex(f, v ? v : UINT32_MAX);
		break;
	case 'k':
		emit_hex(f, IOCB_DIRECT_BIT | (v & OP_DONTCACHE ? IOCB_DONTCACHE_BIT : 0));
		break;
	default:
		g_assert_not_reached();
	}
}

static void emit_body(struct emit_file *f, const struct ftrace_format *format,
		      const struct trace_event *e)
{
	const char *p = format->format;

	for (const char *mark = strchr(p, '%'); mark; mark = strchr(p, '%')) {
		emit_bytes(f, p, (size_t)(mark - p));
		p = mark + 2;
		switch (mark[1]) {
		case 'C':
			emit_device(f, e->dev, ',');
			break;
		case 'D':
			emit_device(f, e->dev, ':');
			break;
		case 't':
			emit_comm(f, e->comm);
			break;
		case 'p':
			emit_i64(f, e->pid);
			break;
		default:
			emit_arg(f, format, e, (unsigned int)g_ascii_xdigit_value(mark[1]), *p++);
		}
	}
	emit_text(f, p);
}

/* "              wl-169     [000] ...1.    44.890818: " */
static void emit_prefix(struct emit_file *f, const struct trace_event *e, const char *flags)
{
	static const char *const irq_flags[CTX_NR] = {
		[CTX_SOFTIRQ] = "..s1.", [CTX_HARDIRQ] = "d.h1."};
	uint64_t us = ((uint64_t)e->time_ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC;
	size_t comm_len = strnlen(e->comm, COMM_MAX);
	g_autofree char *pid = g_strdup_printf("-%-7d [", e->pid);

	for (size_t n = comm_len; n < COMM_MAX + 1; n++)
		emit_char(f, ' ');
	emit_bytes(f, e->comm, comm_len);
	emit_text(f, pid);
	emit_padded(f, e->cpu, 3, '0');
	emit_text(f, "] ");
	emit_text(f, e->context == CTX_TASK ? flags : irq_flags[e->context]);
	emit_char(f, ' ');
	emit_padded(f, us / 1000000, 5, ' ');
	emit_char(f, '.');
	emit_padded(f, us % 1000000, 6, '0');
	emit_text(f, ": ");
}

static void ftrace_event(struct trace_sink *sink, const struct trace_event *e)
{
	struct ftrace_sink *s = (struct ftrace_sink *)sink;
	const struct ftrace_format *format = &emit_ftrace_formats[e->id];

	if (!format->name && !emit_is_syscall(e))
		return;
	emit_prefix(s->file, e, format->name ? format->flags : "...1.");
	if (!format->name) {
		emit_syscall(s->file, s->fds, e);
	} else {
		emit_text(s->file, format->name);
		emit_text(s->file, ": ");
		emit_body(s->file, format, e);
	}
	emit_char(s->file, '\n');
	s->nr_events++;
}

static struct trace_sink *ftrace_open(const char *dir, unsigned int nr_cpus, GError **err)
{
	g_autofree char *path = g_build_filename(dir, "trace.ftrace", NULL);
	struct emit_file *file = emit_file_new(path, err);
	g_autofree char *head = header(0, nr_cpus);

	if (!file)
		return NULL;
	struct ftrace_sink *s = g_new0(struct ftrace_sink, 1);

	s->sink.event = ftrace_event;
	s->file = file;
	s->fds = emit_fds_new();
	s->nr_cpus = nr_cpus;
	emit_text(file, head);
	emit_text(file, columns);
	return &s->sink;
}

static void ftrace_free(struct ftrace_sink *s)
{
	emit_fds_free(s->fds);
	g_free(s);
}

static bool ftrace_finish(struct trace_sink *sink, GError **err)
{
	struct ftrace_sink *s = (struct ftrace_sink *)sink;
	g_autofree char *head = header(s->nr_events, s->nr_cpus);

	emit_patch_start(s->file, head, strlen(head));
	return emit_file_flush(s->file, err);
}

static bool ftrace_commit(struct trace_sink *sink, GError **err)
{
	struct ftrace_sink *s = (struct ftrace_sink *)sink;
	bool ok = emit_file_commit(s->file, err);

	ftrace_free(s);
	return ok;
}

static void ftrace_abort(struct trace_sink *sink)
{
	struct ftrace_sink *s = (struct ftrace_sink *)sink;

	emit_file_abort(s->file);
	ftrace_free(s);
}

const struct emit_ops emit_ftrace = {
	.name = "ftrace",
	.summary = "trace.ftrace, text as a kernel's trace file has it",
	.open = ftrace_open,
	.finish = ftrace_finish,
	.commit = ftrace_commit,
	.abort = ftrace_abort,
};

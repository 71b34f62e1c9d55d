/*
 * traces/tracedat_child.c - see traces/tracedat_child.h.
 *
 * Events are compiled once (traces/tracedat_body.h); tep_print_event() remains for those whose
 * format needs more.  Records come merged over the CPUs and over all buffer instances of the file,
 * by time.
 *
 * Loss: a page can say how many events were lost before it, or only that some were.  For the latter
 * the overrun counters that trace-cmd saved per CPU fill in the number; what they count beyond that
 * is told at the end.  The saved counters are reached by a function libtracecmd exports but does
 * not declare: where a version lacks it, loss is told without a number.
 */
#include "traces/tracedat_child.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "traces/tracedat_body.h"
#include "traces/tracedat_formats.h"

#define BUFFER_BYTES ((size_t)384 << 10) /* less at a time: the parent begins earlier */
#define LINE_BYTES ((size_t)192 << 10)	 /* a body holds strings of up to 64 KiB each */
#define NR_EVENT_IDS 65536u		 /* common_type has 16 bits */
#define NR_COMMS 4096u

const char *tracecmd_get_cpustats(struct tracecmd_input *handle) __attribute__((weak));

struct known_event {
	struct tep_event *event;
	size_t name_len;
	struct body *body; /* NULL: by libtraceevent */
	bool wanted;	   /* else the name will do */
};

struct cpu {
	unsigned long long last_offset; /* of a record in the file */
	const struct tracecmd_input *handle;
	uint64_t lost; /* counted by the kernel, not yet told */
};

struct child {
	int out_fd;
	bool (*wants_body)(const char *event, void *arg);
	void *arg;
	char *buf;
	struct out o;
	struct known_event *events; /* by id */
	struct trace_seq seq;
	struct {
		int pid;
		const char *comm;
		size_t len;
	} comms[NR_COMMS];
	GArray *cpus; /* struct cpu */
};

/* Not _exit(): a sanitizer would look for leaks first, and find all that is the parent's. */
static _Noreturn void leave(int status)
{
	syscall(SYS_exit_group, status);
	abort();
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	fflush(stderr);
	leave(TRACEDAT_EXIT_DAMAGED);
}

static void flush(struct child *c)
{
	for (const char *p = c->buf; p < c->o.p;) {
		ssize_t n = write(c->out_fd, p, (size_t)(c->o.p - p));
		if (n < 0 && errno != EINTR)
			leave(0); /* nobody reads any more */
		if (n > 0)
			p += n;
	}
	c->o.p = c->buf;
}

static void put_decimal(struct out *o, uint64_t v, int width)
{
	char digits[24], *s = digits + sizeof(digits);

	do {
		*--s = (char)('0' + v % 10);
		width--;
	} while ((v /= 10) || width > 0);
	out_bytes(o, s, (size_t)(digits + sizeof(digits) - s));
}

static void put_text(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

static struct cpu *cpu_of(struct child *c, int cpu)
{
	if (cpu < 0 || cpu > 65535)
		die("a CPU number out of range");
	if ((guint)cpu >= c->cpus->len)
		g_array_set_size(c->cpus, (guint)cpu + 1);
	return &g_array_index(c->cpus, struct cpu, cpu);
}

static void put_lost(struct child *c, int cpu, uint64_t n)
{
	put_text(&c->o, "CPU:");
	put_decimal(&c->o, (uint64_t)cpu, 1);
	if (n) {
		put_text(&c->o, " [LOST ");
		put_decimal(&c->o, n, 1);
		put_text(&c->o, " EVENTS]\n");
	} else {
		put_text(&c->o, " [EVENTS DROPPED]\n");
	}
}

/* @missed as libtracecmd has it: a number, or < 0 for "some". */
static void tell_missed(struct child *c, int nr, long long missed)
{
	struct cpu *cpu = cpu_of(c, nr);
	uint64_t n = missed > 0 ? (uint64_t)missed : cpu->lost;

	cpu->lost -= MIN(cpu->lost, n);
	put_lost(c, nr, n);
}

static void put_comm(struct child *c, struct tep_handle *tep, int pid)
{
	size_t i = (unsigned int)pid % NR_COMMS;

	if (!c->comms[i].comm || c->comms[i].pid != pid) {
		c->comms[i].pid = pid;
		c->comms[i].comm = tep_data_comm_from_pid(tep, pid);
		c->comms[i].len = strlen(c->comms[i].comm);
	}
	out_bytes(&c->o, c->comms[i].comm, c->comms[i].len);
	*c->o.p++ = '-';
	put_decimal(&c->o, (uint64_t)MAX(pid, 0), 1);
}

static const struct known_event *event_of(struct child *c, struct tep_handle *tep,
					  struct tep_record *record)
{
	int id = tep_data_type(tep, record);
	struct known_event *k;

	if (id < 0 || (unsigned int)id >= NR_EVENT_IDS)
		die("an event id out of range");
	k = &c->events[id];
	if (!k->event) {
		k->event = tracedat_format(tep, id);
		if (!k->event)
			return NULL;
		k->name_len = strlen(k->event->name);
		k->wanted = c->wants_body(k->event->name, c->arg);
		k->body = body_new(k->event);
	}
	return k;
}

/* The body, kept on one line whatever strings are in it. */
static void put_body(struct child *c, struct tep_handle *tep, const struct known_event *k,
		     struct tep_record *record)
{
	char *from = c->o.p;

	if (!k->body || !body_put(k->body, record->data, record->size, &c->o)) {
		trace_seq_reset(&c->seq);
		tep_print_event(tep, &c->seq, record, "%s", TEP_PRINT_INFO);
		trace_seq_terminate(&c->seq);
		put_text(&c->o, c->seq.buffer);
	}
	for (char *nl = from; (nl = memchr(nl, '\n', (size_t)(c->o.p - nl)));)
		*nl = ' ';
	for (char *nul = from; (nul = memchr(nul, '\0', (size_t)(c->o.p - nul)));)
		*nul = ' ';
}

/* Records of a CPU follow each other in the file: one that does not is a loop. */
static void check_progress(struct child *c, const struct tracecmd_input *handle, int nr,
			   const struct tep_record *record)
{
	struct cpu *cpu = cpu_of(c, nr);

	if (cpu->handle == handle && record->offset <= cpu->last_offset)
		die("the records of a CPU go round in circles");
	cpu->handle = handle;
	cpu->last_offset = record->offset;
}

static int put_record(struct tracecmd_input *handle, struct tep_record *record, int nr, void *arg)
{
	struct child *c = arg;
	struct tep_handle *tep = tracecmd_get_tep(handle);
	const struct known_event *k = event_of(c, tep, record);

	check_progress(c, handle, nr, record);
	if ((size_t)(c->o.end - c->o.p) < LINE_BYTES)
		flush(c);
	if (record->missed_events)
		tell_missed(c, record->cpu, record->missed_events);
	put_comm(c, tep, tep_data_pid(tep, record));
	put_text(&c->o, " [");
	put_decimal(&c->o, (uint64_t)record->cpu, 3);
	put_text(&c->o, "] ");
	put_decimal(&c->o, record->ts / (uint64_t)NSEC_PER_SEC, 1);
	*c->o.p++ = '.';
	put_decimal(&c->o, record->ts % (uint64_t)NSEC_PER_SEC, 9);
	put_text(&c->o, ": ");
	if (k)
		out_bytes(&c->o, k->event->name, k->name_len);
	else
		put_text(&c->o, "unknown_event");
	put_text(&c->o, ": ");
	if (k && k->wanted)
		put_body(c, tep, k, record);
	*c->o.p++ = '\n';
	return 0;
}

/* Sum up what "CPU: n ... overrun: n ... dropped events: n" says. */
static void read_cpustats(struct child *c, const char *stats)
{
	static const char *const counters[] = {"overrun: ", "commit overrun: ", "dropped events: "};
	g_auto(GStrv) lines = g_strsplit(stats, "\n", -1);
	int nr = -1;

	for (char **line = lines; *line; line++) {
		if (g_str_has_prefix(*line, "CPU: "))
			nr = (int)g_ascii_strtoull(*line + 5, NULL, 10);
		for (size_t i = 0; nr >= 0 && i < G_N_ELEMENTS(counters); i++)
			if (g_str_has_prefix(*line, counters[i]))
				cpu_of(c, nr)->lost +=
					g_ascii_strtoull(*line + strlen(counters[i]), NULL, 10);
	}
}

/* The file's main buffer and its instances; ended by NULL. */
static struct tracecmd_input **all_buffers(struct tracecmd_input *handle, int *n)
{
	int instances = MAX(tracecmd_buffer_instances(handle), 0);
	struct tracecmd_input **handles = g_new0(struct tracecmd_input *, (gsize)instances + 2);

	*n = 0;
	handles[(*n)++] = handle;
	for (int i = 0; i < instances; i++) {
		struct tracecmd_input *one = tracecmd_buffer_instance_handle(handle, i);
		if (one)
			handles[(*n)++] = one;
	}
	return handles;
}

void tracedat_child(int in_fd, int out_fd, bool (*wants_body)(const char *event, void *arg),
		    void *arg)
{
	struct child *c = g_new0(struct child, 1);
	struct tracecmd_input *handle = tracecmd_open_fd(in_fd, TRACECMD_FL_LOAD_NO_PLUGINS);
	const char *stats;
	int n;

	if (!handle)
		leave(TRACEDAT_EXIT_OPEN); /* the last words are libtracecmd's */
	c->out_fd = out_fd;
	c->wants_body = wants_body;
	c->arg = arg;
	c->buf = g_malloc(BUFFER_BYTES);
	c->o = (struct out){c->buf, c->buf + BUFFER_BYTES};
	c->events = g_new0(struct known_event, NR_EVENT_IDS);
	c->cpus = g_array_new(FALSE, TRUE, sizeof(struct cpu));
	trace_seq_init(&c->seq);
	stats = tracecmd_get_cpustats ? tracecmd_get_cpustats(handle) : NULL;
	if (stats)
		read_cpustats(c, stats);
	struct tracecmd_input **handles = all_buffers(handle, &n);
	if (tracecmd_iterate_events_multi(handles, n, put_record, c) != 0)
		die("libtracecmd gave up");
	for (guint i = 0; i < c->cpus->len; i++) {
		uint64_t lost = g_array_index(c->cpus, struct cpu, i).lost;
		if ((size_t)(c->o.end - c->o.p) < LINE_BYTES)
			flush(c);
		if (lost)
			put_lost(c, (int)i, lost);
	}
	flush(c);
	leave(0);
}

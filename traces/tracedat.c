/*
 * traces/tracedat.c - reader of trace.dat: the parent of traces/tracedat_child.h.
 *
 * libtracecmd needs a file it can seek in, so a packed one is unpacked into an unlinked temporary
 * file first.  The child gets limits on memory and output, dies with us, and is killed when it is
 * silent for too long.  Its lines go to the ftrace text reader: what an event means is told once.
 *
 * The data of each CPU stands in the file as a whole: of a file that is cut off the last CPUs miss
 * the most, or all (traces/tracedat_mend.h).
 */
#include "traces/tracedat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/input.h"
#include "sim/tempfile.h"
#include "traces/ftrace.h"
#include "traces/ftrace_ops.h"
#include "traces/tracedat_child.h"
#include "traces/tracedat_mend.h"

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_BYTES (sizeof(MAGIC) - 1)
#define SILENCE_MS 4000		  /* of the child, and as much again per */
#define SILENCE_BYTES (256 << 20) /* of a file that it may have to unpack before its first word */
#define PIPE_BYTES (1 << 20)
#define LOG_BYTES 65536 /* a pipe's worth of the child's standard error */
#define MEMORY_BYTES ((rlim_t)4 << 30)

struct tracedat {
	struct stream_source src; /* must be first */
	char *path;
	pid_t pid; /* 0 once reaped */
	int log_fd;
};

static bool fail(const char *path, const char *what, GError **err)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s: %s", path, what,
		    g_strerror(errno));
	return false;
}

static bool has_magic(const uint8_t *head, size_t n)
{
	return n > MAGIC_BYTES && memcmp(head, MAGIC, MAGIC_BYTES) == 0;
}

static int tracedat_probe(const uint8_t *head, size_t n)
{
	return has_magic(head, n) ? 100 : 0;
}

/* "6\0" or "7\0" behind the magic. */
static bool read_version(struct stream *s, unsigned int *version, GError **err)
{
	size_t n;
	const uint8_t *head = stream_peek(s, MAGIC_BYTES + 8, &n, err);

	if (!head)
		return false;
	if (!has_magic(head, n)) {
		trace_error_offset(err, stream_path(s), 0, "not a trace.dat");
		return false;
	}
	g_autofree char *text = g_strndup((const char *)head + MAGIC_BYTES, n - MAGIC_BYTES);
	*version = strcmp(text, "6") == 0 ? 6 : strcmp(text, "7") == 0 ? 7 : 0;
	if (!*version)
		trace_error_offset(err, stream_path(s), (int64_t)MAGIC_BYTES,
				   "trace.dat version \"%s\" is not supported, only 6 and 7", text);
	return *version != 0;
}

/* All of @s in a file one can seek in; -1 with *@err. */
static int unpacked(struct stream *s, GError **err)
{
	int fd = tempfile_nameless();
	size_t n = 1;
	bool ok = fd >= 0 || fail(g_get_tmp_dir(), "cannot unpack into it", err);

	while (ok && n > 0) {
		const uint8_t *p = stream_peek(s, 65536, &n, err);
		ok = p && (tempfile_put(fd, p, n) ||
			   fail(stream_path(s), "cannot unpack into a temporary file", err));
		if (ok)
			stream_skip(s, n);
	}
	if (!ok && fd >= 0)
		close(fd);
	return ok ? fd : -1;
}

/* A seekable file of what @path holds, mended where it is cut; -1 with *@err. */
static int open_seekable(const char *path, struct tracedat_head *head, GError **err)
{
	struct stream *s = stream_open(path, err);
	int fd = -1;

	head->truncated = false;
	if (s && read_version(s, &head->version, err)) {
		if (stream_packed(s) || !stream_seekable(s) || strcmp(path, "-") == 0)
			fd = unpacked(s, err);
		else if ((fd = input_open(path)) < 0)
			fail(path, "cannot open", err);
		head->truncated = stream_truncated(s);
	}
	stream_close(s);
	if (fd >= 0)
		fd = tracedat_mend(fd, path, head, err);
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static void limit(__rlimit_resource_t resource, rlim_t value)
{
	struct rlimit r;

	if (getrlimit(resource, &r) == 0 && (r.rlim_max == RLIM_INFINITY || r.rlim_max > value)) {
		r.rlim_cur = r.rlim_max = value;
		setrlimit(resource, &r);
	}
}

/* In the child: nothing that libtracecmd does may reach the terminal or outlive us. */
static void confine(int log_fd, off_t file_bytes)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	dup2(log_fd, STDOUT_FILENO);
	dup2(log_fd, STDERR_FILENO);
	limit(RLIMIT_CORE, 0);
#ifndef F2SIM_SANITIZE /* the sanitizers reserve terabytes */
	limit(RLIMIT_AS, MEMORY_BYTES + 4 * (rlim_t)file_bytes);
#else
	(void)file_bytes;
#endif
}

/* Last line of what the child wrote to standard error; NULL when it was silent. */
static char *last_words(int log_fd)
{
	g_autofree char *text = g_malloc0(LOG_BYTES + 1);
	ssize_t n = read(log_fd, text, LOG_BYTES);

	if (n <= 0)
		return NULL;
	g_strchomp(text);
	const char *line = strrchr(text, '\n');
	g_autofree char *last = g_strstrip(g_strdup(line ? line + 1 : text));
	return g_strescape(last, NULL);
}

/* The child is gone: was it well? */
static bool judge(struct tracedat *d, int status, GError **err)
{
	g_autofree char *words = NULL;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFSIGNALED(status)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: damaged trace.dat: libtracecmd died of signal %d (%s)", d->path,
			    WTERMSIG(status), g_strsignal(WTERMSIG(status)));
		return false;
	}
	words = last_words(d->log_fd);
	bool opened = WEXITSTATUS(status) != TRACEDAT_EXIT_OPEN;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: damaged trace.dat: %s%s%s", d->path,
		    opened ? "libtracecmd failed" : "libtracecmd cannot open it",
		    words && *words ? ": " : "", words ? words : "");
	return false;
}

static int reap(struct tracedat *d)
{
	int status = 0;

	while (waitpid(d->pid, &status, 0) < 0 && errno == EINTR)
		;
	d->pid = 0;
	return status;
}

static bool child_end(struct stream_source *src, bool timed_out, GError **err)
{
	struct tracedat *d = container_of(src, struct tracedat, src);

	if (!d->pid)
		return true;
	if (!timed_out)
		return judge(d, reap(d), err);
	kill(d->pid, SIGKILL);
	reap(d);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: damaged trace.dat: libtracecmd gave nothing for %d s", d->path,
		    src->timeout_ms / 1000);
	return false;
}

static void child_close(struct stream_source *src)
{
	struct tracedat *d = container_of(src, struct tracedat, src);

	if (d->pid) {
		kill(d->pid, SIGKILL);
		reap(d);
	}
	close(d->log_fd);
	g_free(d->path);
	g_free(d);
}

static off_t file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? st.st_size : 0;
}

static struct stream *start_child(const char *path, int fd,
				  bool (*wants_body)(const char *event, void *arg), void *arg,
				  GError **err)
{
	off_t bytes = file_size(fd);
	int fds[4] = {-1, -1, -1, -1}; /* lines: read, write; log: read, write */
	/* a log that is full drops what comes: it must neither block the child nor grow */
	bool ok = pipe2(fds, O_CLOEXEC) == 0 && pipe2(fds + 2, O_CLOEXEC | O_NONBLOCK) == 0;
	pid_t pid = ok ? fork() : -1;

	if (pid == 0) {
		confine(fds[3], bytes);
		tracedat_child(fd, fds[1], wants_body, arg);
	}
	if (pid < 0) {
		fail(path, "cannot start a process to read it", err);
		for (int i = 0; i < 4; i++)
			if (fds[i] >= 0)
				close(fds[i]);
		return NULL;
	}
	close(fds[1]);
	close(fds[3]);
	fcntl(fds[0], F_SETPIPE_SZ, PIPE_BYTES);
	struct tracedat *d = g_new0(struct tracedat, 1);
	d->src.timeout_ms = SILENCE_MS + (int)MIN(bytes / SILENCE_BYTES, 100) * SILENCE_MS;
	d->src.end = child_end;
	d->src.close = child_close;
	d->path = g_strdup(path);
	d->pid = pid;
	d->log_fd = fds[2];
	return stream_from_source(fds[0], path, &d->src);
}

struct stream *tracedat_stream(const char *path, bool (*wants_body)(const char *event, void *arg),
			       void *arg, struct tracedat_head *head, GError **err)
{
	int fd = open_seekable(path, head, err);
	struct stream *s = fd < 0 ? NULL : start_child(path, fd, wants_body, arg, err);

	if (fd >= 0)
		close(fd);
	return s;
}

/* What the text reader will ask of an event's body, found with tables of its own: the child needs
 * them before the reader is there. */
struct interest {
	struct trace trace;
	struct ftrace_names *names;
	struct ftrace_ops *ops;
};

static bool wants_body(const char *event, void *arg)
{
	/* not made into ops, but searched for counters that went below 0 */
	static const char *const counters[] = {"global_dirty_state", "balance_dirty_pages",
					       "bdi_dirty_ratelimit"};
	struct interest *in = arg;

	for (size_t i = 0; i < G_N_ELEMENTS(counters); i++)
		if (strcmp(event, counters[i]) == 0)
			return true;
	return ftrace_ops_wants(
		in->ops, ftrace_names_get(in->names, event, strlen(event), FTRACE_NAME_EVENT)->id);
}

static struct trace *tracedat_open(const char *const *paths, const struct trace_opts *opts,
				   GError **err)
{
	struct interest in = {0};
	struct tracedat_head head;

	trace_init(&in.trace, &trace_tracedat, opts, paths[0]);
	in.names = ftrace_names_new(&in.trace.info);
	in.ops = ftrace_ops_new(&in.trace);
	struct stream *s = tracedat_stream(paths[0], wants_body, &in, &head, err);
	ftrace_ops_free(in.ops);
	ftrace_names_free(in.names);
	trace_fini(&in.trace);
	struct trace *t = s ? ftrace_open_stream(s, &trace_tracedat, opts, paths[0], err) : NULL;
	if (!t)
		return NULL;
	t->info.version = g_strdup_printf("%u", head.version);
	t->info.truncated = head.truncated;
	return t;
}

static bool tracedat_next(struct trace *t, struct op *op, GError **err)
{
	return trace_ftrace.next(t, op, err);
}

static void tracedat_close(struct trace *t)
{
	trace_ftrace.close(t);
}

const struct trace_ops trace_tracedat = {
	.name = "tracedat",
	.summary = "trace-cmd's trace.dat, versions 6 and 7",
	.probe = tracedat_probe,
	.open = tracedat_open,
	.next = tracedat_next,
	.close = tracedat_close,
};

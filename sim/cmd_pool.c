/*
 * sim/cmd_pool.c - see sim/cmd_pool.h.
 *
 * A child writes "+" and its answer, or "-", its error code and the message, into a pipe of its own
 * and leaves by _exit(): buffers of stdio it got from the parent are not its to write.  The parent
 * sleeps in poll() until a pipe has something.  Children die with the parent.  The wall clock is
 * read for the time left only.
 */
#include "sim/cmd_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/op.h"
#include "sim/tempfile.h"

struct child {
	pid_t pid; /* 0 = the slot is free */
	int fd;
	unsigned int job;
	GString *said;
};

struct pool {
	GArray *results;
	struct child *children;
	struct pollfd *polled;
	unsigned int n, nr_slots, started, done;
	pool_job job;
	void *arg;
	int64_t start_us;
	bool terminal;
};

static void clear_result(void *p)
{
	struct pool_result *result = p;

	g_free(result->answer);
	g_free(result->failure);
}

static G_GNUC_NORETURN void work(struct pool *pool, unsigned int i, int fd, pid_t parent)
{
	g_autoptr(GString) said = g_string_new("+");
	g_autoptr(GError) err = NULL;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	if (!pool->job(pool->arg, i, said, &err)) {
		bool ours = err->domain == F2SIM_ERROR && err->code == F2SIM_ERROR_SHORTFALL;

		g_string_printf(said, "%c%s", ours ? '-' : '!', err->message);
	}
	_exit(tempfile_put(fd, said->str, said->len) ? 0 : 1);
}

static bool start_child(struct pool *pool, struct child *c, GError **err)
{
	pid_t parent = getpid();
	int fds[2];

	fflush(NULL);
	if (pipe(fds) != 0)
		goto fail;
	c->pid = fork();
	if (c->pid == 0) {
		close(fds[0]);
		work(pool, pool->started, fds[1], parent);
	}
	close(fds[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(fds[0]);
		goto fail;
	}
	c->fd = fds[0];
	c->job = pool->started++;
	c->said = g_string_new(NULL);
	return true;
fail:
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "cannot start a worker: %s",
		    g_strerror(errno));
	return false;
}

static void show_progress(const struct pool *pool)
{
	int64_t spent_us = g_get_monotonic_time() - pool->start_us;
	int64_t left_s = pool->done ? spent_us * (pool->n - pool->done) / pool->done / 1000000 : 0;

	if (!pool->terminal)
		return;
	if (pool->done == pool->n)
		fprintf(stderr, "\r\033[K");
	else if (pool->done)
		fprintf(stderr, "\r%u of %u runs  ETA %d:%02d\033[K", pool->done, pool->n,
			(int)(left_s / 60), (int)(left_s % 60));
	else
		fprintf(stderr, "\r%u runs\033[K", pool->n);
}

/* All was said: take the child's word, or how it died.  False with *@err for bad input. */
static bool end_child(struct pool *pool, struct child *c, GError **err)
{
	struct pool_result *result = &g_array_index(pool->results, struct pool_result, c->job);
	g_autoptr(GString) said = g_steal_pointer(&c->said);
	int status = 0;

	close(c->fd);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	pool->done++;
	if (WIFSIGNALED(status))
		result->failure =
			g_strdup_printf("the run was ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) || !said->len)
		result->failure = g_strdup("the run ended without an answer");
	else if (*said->str == '+')
		result->answer = g_strdup(said->str + 1);
	else if (*said->str == '-')
		result->failure = g_strdup(said->str + 1);
	else
		g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, said->str + 1);
	show_progress(pool);
	return !said->len || *said->str != '!';
}

static bool hear_child(struct pool *pool, struct child *c, GError **err)
{
	char bytes[4096];
	ssize_t n = read(c->fd, bytes, sizeof(bytes));

	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return end_child(pool, c, err);
	g_string_append_len(c->said, bytes, n);
	return true;
}

/* Start what there is room for, then wait for a word. */
static bool step(struct pool *pool, GError **err)
{
	for (unsigned int i = 0; i < pool->nr_slots; i++) {
		struct child *c = &pool->children[i];

		if (!c->pid && pool->started < pool->n && !start_child(pool, c, err))
			return false;
		pool->polled[i] = (struct pollfd){.fd = c->pid ? c->fd : -1, .events = POLLIN};
	}
	if (poll(pool->polled, pool->nr_slots, -1) < 0)
		return true; /* a signal */
	for (unsigned int i = 0; i < pool->nr_slots; i++)
		if (pool->polled[i].revents && !hear_child(pool, &pool->children[i], err))
			return false;
	return true;
}

static void stop_children(struct pool *pool)
{
	for (unsigned int i = 0; i < pool->nr_slots; i++) {
		struct child *c = &pool->children[i];

		if (!c->pid)
			continue;
		kill(c->pid, SIGTERM);
		close(c->fd);
		waitpid(c->pid, NULL, 0);
		g_string_free(c->said, TRUE);
	}
}

GArray *pool_run(unsigned int n, unsigned int jobs, pool_job job, void *arg, GError **err)
{
	struct pool pool = {
		.n = n,
		.nr_slots = MAX(1, MIN(n, jobs)),
		.job = job,
		.arg = arg,
		.start_us = g_get_monotonic_time(),
		.terminal = isatty(STDERR_FILENO),
	};
	bool ok = true;

	pool.results = g_array_sized_new(FALSE, TRUE, sizeof(struct pool_result), n);
	g_array_set_clear_func(pool.results, clear_result);
	g_array_set_size(pool.results, n);
	pool.children = g_new0(struct child, pool.nr_slots);
	pool.polled = g_new0(struct pollfd, pool.nr_slots);
	show_progress(&pool);
	while (ok && pool.done < n)
		ok = step(&pool, err);
	stop_children(&pool);
	g_free(pool.children);
	g_free(pool.polled);
	if (ok)
		return pool.results;
	g_array_unref(pool.results);
	return NULL;
}

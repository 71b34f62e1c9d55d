/*
 * sim/tempfile.c - see sim/tempfile.h.
 *
 * The names that must go when a signal comes stand in a table of fixed size, because all a signal
 * handler may do is read memory and unlink().  Such signals are blocked while a name is made and
 * entered: between the two nobody would know of the file.
 *
 * I1  a file of ours that is not in its place stands in pending[].
 */
#include "sim/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/op.h"

#define PENDING_MAX 64u /* a command writes one file at a time */

struct tempfile {
	char *path, *name; /* its place, and what it is called until it gets there */
	int fd;
	unsigned int slot; /* of pending[] */
};

static _Atomic(const char *) pending[PENDING_MAX];
static pid_t owner; /* the process that catches signals */

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};

/* Remove what is pending, then die of the signal after all: it is back at its default action. */
static void remove_pending(int signal_nr)
{
	if (getpid() == owner)
		for (unsigned int i = 0; i < PENDING_MAX; i++) {
			const char *name = atomic_load(&pending[i]);

			if (name)
				unlink(name);
		}
	raise(signal_nr);
}

void tempfile_catch_signals(void)
{
	owner = getpid();
	for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++) {
		struct sigaction old, catch = {.sa_handler = remove_pending};

		catch.sa_flags = (int)SA_RESETHAND;
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(deadly[i], &catch, NULL);
	}
}

static void block_deadly(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++)
		sigaddset(&set, deadly[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* Make the file and enter its name; false with errno. */
static bool create(struct tempfile *t, mode_t mode)
{
	sigset_t before;
	int failed;

	block_deadly(&before);
	t->fd = g_mkstemp_full(t->name, O_WRONLY | O_CLOEXEC, (int)mode);
	failed = errno;
	if (t->fd >= 0)
		atomic_store(&pending[t->slot], t->name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = failed;
	return t->fd >= 0;
}

static unsigned int free_slot(void)
{
	unsigned int i = 0;

	while (i < PENDING_MAX && atomic_load(&pending[i]))
		i++;
	assert(i < PENDING_MAX);
	return i;
}

static void tempfile_free(struct tempfile *t)
{
	if (t->fd >= 0)
		close(t->fd);
	g_free(t->path);
	g_free(t->name);
	g_free(t);
}

static bool fail(const char *path, const char *what, GError **err)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s: %s", path, what,
		    g_strerror(errno));
	return false;
}

struct tempfile *tempfile_new(const char *path, GError **err)
{
	struct tempfile *t = g_new0(struct tempfile, 1);
	mode_t mask = umask(0);

	umask(mask);
	t->path = g_strdup(path);
	t->name = g_strconcat(path, ".XXXXXX", NULL);
	t->slot = free_slot();
	if (create(t, 0666 & ~mask))
		return t;
	fail(path, "cannot create", err);
	tempfile_free(t);
	return NULL;
}

int tempfile_fd(const struct tempfile *t)
{
	return t->fd;
}

static void forget(struct tempfile *t)
{
	atomic_store(&pending[t->slot], NULL);
	tempfile_free(t);
}

bool tempfile_commit(struct tempfile *t, GError **err)
{
	/* what is replaced must not be lost for something that is still in memory */
	bool replaces = access(t->path, F_OK) == 0;
	bool ok = !replaces || fsync(t->fd) == 0;

	ok = close(t->fd) == 0 && ok;
	t->fd = -1;
	if (!ok)
		fail(t->path, "cannot write", err);
	else if (g_rename(t->name, t->path) != 0)
		ok = fail(t->path, "cannot rename into place", err);
	if (!ok)
		g_unlink(t->name);
	forget(t);
	return ok;
}

void tempfile_abort(struct tempfile *t)
{
	if (!t)
		return;
	g_unlink(t->name);
	forget(t);
}

bool tempfile_put(int fd, const void *bytes, size_t n)
{
	for (const char *p = bytes; n > 0;) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return false;
		p += MAX(done, 0);
		n -= (size_t)MAX(done, 0);
	}
	return true;
}

bool tempfile_write(const char *path, const char *text, gssize len, GError **err)
{
	struct tempfile *t = tempfile_new(path, err);

	if (!t)
		return false;
	if (tempfile_put(t->fd, text, len < 0 ? strlen(text) : (size_t)len))
		return tempfile_commit(t, err);
	fail(path, "cannot write", err);
	tempfile_abort(t);
	return false;
}

int tempfile_nameless(void)
{
	const char *folder = g_get_tmp_dir();
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) { /* not every file system has O_TMPFILE */
		g_autofree char *name = g_build_filename(folder, "f2sim-XXXXXX", NULL);

		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	}
	return fd;
}

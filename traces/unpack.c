/*
 * traces/unpack.c - see traces/unpack.h.
 *
 * libarchive reads the file as a "raw" archive.  The packers are named one by one: its "all
 * filters" include uuencode and external programs, which could rewrite or run what a capture says.
 *
 * The thread copies what it decodes into a ring of slots.  It waits for input with poll(), on the
 * file and on an event that says stop: a pipe whose writer is silent must not hold up the end of
 * the program.  It takes no lock but its own and malloc()'s, which fork() knows about; so a process
 * may be forked while it runs (traces/tracedat.c).
 *
 * libarchive drops the block it was decoding when the data end early (64 KiB for gzip and xz), so
 * the very last lines are lost with it.  It does not check gzip's CRC either.  Bytes behind the
 * packed data are an error, zero padding is not.
 *
 * I1  once started, everything of struct decoder is the thread's until done is seen under the lock.
 */
#include "traces/unpack.h"

#include <archive.h>
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "traces/packer.h"

#define UNPACK_SLOTS 32u
#define SLOT_BYTES ((size_t)128 << 10)

struct decoder {
	struct archive *a;
	int fd, wake_fd;    /* wake_fd: -1 without a thread */
	size_t raw_head;    /* bytes of raw that came as the head */
	size_t raw_len;	    /* bytes of raw that libarchive was given last */
	int64_t raw_bytes;  /* packed bytes handed to libarchive */
	int64_t file_bytes; /* read from fd */
	int read_errno;	    /* why read() failed; 0 = it did not */
	enum unpack_end end;
	char *what; /* of UNPACK_FAILED */
	uint8_t raw[UNPACK_HEAD_BYTES];
};

struct slot {
	size_t n;
	int64_t file_bytes;
	uint8_t room[UNPACK_ROOM];
	uint8_t bytes[SLOT_BYTES + 1];
};

struct unpack {
	struct decoder d;
	int64_t file_bytes; /* of the bytes given last */
	bool started, held; /* held: the oldest slot is what was given last */
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t more, room;
	unsigned int head, count; /* of slots */
	bool stop, done;
	struct slot *slots;
};

/* Bytes of the file into d->raw; -1 with d->read_errno. */
static ssize_t read_raw(struct decoder *d)
{
	struct pollfd p[] = {{.fd = d->fd, .events = POLLIN}, {.fd = d->wake_fd, .events = POLLIN}};
	ssize_t n = -1;

	errno = 0;
	while (d->wake_fd >= 0 && poll(p, G_N_ELEMENTS(p), -1) < 0 && errno == EINTR)
		;
	if (d->wake_fd >= 0 && p[1].revents)
		errno = ECANCELED;
	else
		while ((n = read(d->fd, d->raw, sizeof(d->raw))) < 0 && errno == EINTR)
			;
	d->read_errno = n < 0 ? errno : 0;
	d->file_bytes += MAX(n, 0);
	return n;
}

static la_ssize_t feed(struct archive *a, void *arg, const void **bytes)
{
	struct decoder *d = arg;
	ssize_t n = (ssize_t)d->raw_head;

	d->raw_head = 0;
	if (n == 0)
		n = read_raw(d);
	if (n < 0) {
		char text[128];

		archive_set_error(a, d->read_errno, "%s",
				  strerror_r(d->read_errno, text, sizeof(text)));
		return -1;
	}
	*bytes = d->raw;
	d->raw_bytes += n;
	if (n > 0)
		d->raw_len = (size_t)n;
	return n;
}

/* Takes @what. */
static void failed(struct decoder *d, char *what)
{
	d->end = UNPACK_FAILED;
	d->what = what;
}

/* The packed data ended well: nothing but padding may follow in the file. */
static void check_trailer(struct decoder *d)
{
	int64_t used = archive_filter_bytes(d->a, -1);
	size_t i = d->raw_len - (size_t)MIN((int64_t)d->raw_len, d->raw_bytes - used);
	ssize_t n = (ssize_t)d->raw_len;

	d->end = UNPACK_END;
	do {
		for (; i < (size_t)n; i++)
			if (d->raw[i]) {
				failed(d, g_strdup("garbage after the packed data"));
				return;
			}
		i = 0;
		n = read_raw(d);
	} while (n > 0);
	if (n < 0) {
		char text[128];

		failed(d, g_strdup_printf("cannot read: %s",
					  strerror_r(d->read_errno, text, sizeof(text))));
	}
}

static void packed_error(struct decoder *d)
{
	const char *what = archive_error_string(d->a);

	if (!d->read_errno && packer_says_truncated(what))
		d->end = UNPACK_TRUNCATED;
	else
		failed(d, g_strdup_printf("cannot unpack: %s", what ? what : "unknown error"));
}

/* Decode the next block; 0 with d->end at the end. */
static size_t decode(struct decoder *d, uint8_t **p)
{
	const void *block = NULL;
	la_int64_t at;
	size_t n = 0;
	int r = ARCHIVE_OK;

	while (!d->end && n == 0) {
		r = archive_read_data_block(d->a, &block, &n, &at);
		if (r == ARCHIVE_OK)
			continue;
		n = 0;
		if (r == ARCHIVE_EOF)
			check_trailer(d);
		else
			packed_error(d);
	}
	*p = (uint8_t *)(uintptr_t)block;
	return n;
}

static void open_archive(struct decoder *d)
{
	struct archive_entry *entry;

	d->a = archive_read_new();
	archive_read_support_filter_gzip(d->a);
	archive_read_support_filter_bzip2(d->a);
	archive_read_support_filter_xz(d->a);
	archive_read_support_filter_lz4(d->a);
	archive_read_support_filter_zstd(d->a);
	archive_read_support_format_raw(d->a);
	archive_read_support_format_empty(d->a);
	int r = archive_read_open(d->a, d, NULL, feed, NULL);
	if (r == ARCHIVE_OK)
		r = archive_read_next_header(d->a, &entry);
	if (r == ARCHIVE_EOF)
		check_trailer(d);
	else if (r != ARCHIVE_OK)
		packed_error(d);
}

struct unpack *unpack_new(int fd, const uint8_t *head, size_t n)
{
	struct unpack *u = g_new0(struct unpack, 1);

	assert(n <= sizeof(u->d.raw));
	u->d.fd = fd;
	u->d.wake_fd = -1;
	memcpy(u->d.raw, head, n);
	u->d.raw_head = n;
	open_archive(&u->d);
	return u;
}

/* A slot to fill; NULL: nobody reads on. */
static struct slot *free_slot(struct unpack *u)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&u->lock);
	while (u->count == UNPACK_SLOTS && !u->stop)
		pthread_cond_wait(&u->room, &u->lock);
	if (!u->stop)
		slot = &u->slots[(u->head + u->count) % UNPACK_SLOTS];
	pthread_mutex_unlock(&u->lock);
	return slot;
}

static void publish(struct unpack *u, unsigned int slots, bool done)
{
	pthread_mutex_lock(&u->lock);
	u->count += slots;
	u->done = done;
	pthread_cond_signal(&u->more);
	pthread_mutex_unlock(&u->lock);
}

/* Hand on @n bytes; false when nobody reads on. */
static bool hand_on(struct unpack *u, const uint8_t *p, size_t n)
{
	while (n > 0) {
		struct slot *slot = free_slot(u);
		size_t part = MIN(n, SLOT_BYTES);

		if (!slot)
			return false;
		slot->n = part;
		slot->file_bytes = u->d.file_bytes;
		memcpy(slot->bytes, p, part);
		publish(u, 1, false);
		p += part;
		n -= part;
	}
	return true;
}

static void *run(void *arg)
{
	struct unpack *u = arg;
	uint8_t *p;
	size_t n;

	while ((n = decode(&u->d, &p)) > 0)
		if (!hand_on(u, p, n))
			return NULL;
	publish(u, 0, true);
	return NULL;
}

void unpack_start(struct unpack *u)
{
	sigset_t all, old;

	if (u->started || u->d.end)
		return;
	u->d.wake_fd = eventfd(0, EFD_CLOEXEC);
	u->slots = g_new(struct slot, UNPACK_SLOTS);
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->more, NULL);
	pthread_cond_init(&u->room, NULL);
	sigfillset(&all); /* signals are for the program's own thread */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	u->started = u->d.wake_fd >= 0 && pthread_create(&u->thread, NULL, run, u) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

bool unpack_started(const struct unpack *u)
{
	return u->started;
}

/* The oldest slot, waited for; NULL at the end.  The one held is given back. */
static struct slot *next_slot(struct unpack *u)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&u->lock);
	if (u->held) {
		u->head = (u->head + 1) % UNPACK_SLOTS;
		u->count--;
		pthread_cond_signal(&u->room);
	}
	while (!u->count && !u->done)
		pthread_cond_wait(&u->more, &u->lock);
	u->held = u->count > 0;
	if (u->held)
		slot = &u->slots[u->head];
	pthread_mutex_unlock(&u->lock);
	return slot;
}

size_t unpack_next(struct unpack *u, uint8_t **p)
{
	struct slot *slot = u->started ? next_slot(u) : NULL;
	size_t n = 0;

	if (slot) {
		u->file_bytes = slot->file_bytes;
		*p = slot->bytes;
		return slot->n;
	}
	if (!u->started)
		n = decode(&u->d, p);
	u->file_bytes = u->d.file_bytes; /* the thread is done, if there is one */
	return n;
}

enum unpack_end unpack_how(const struct unpack *u, const char **what)
{
	*what = u->d.what;
	return u->d.end;
}

int64_t unpack_file_bytes(const struct unpack *u)
{
	return u->file_bytes;
}

static void stop(struct unpack *u)
{
	pthread_mutex_lock(&u->lock);
	u->stop = true;
	pthread_cond_signal(&u->room);
	pthread_mutex_unlock(&u->lock);
	eventfd_write(u->d.wake_fd, 1);
	pthread_join(u->thread, NULL);
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	if (u->started)
		stop(u);
	if (u->d.wake_fd >= 0)
		close(u->d.wake_fd);
	if (u->slots) {
		pthread_cond_destroy(&u->room);
		pthread_cond_destroy(&u->more);
		pthread_mutex_destroy(&u->lock);
	}
	archive_read_free(u->d.a);
	g_free(u->slots);
	g_free(u->d.what);
	g_free(u);
}

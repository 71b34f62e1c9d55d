/*
 * sim/progress.c - see sim/progress.h.  The wall clock is read here only: it reaches no result.
 */
#include "sim/progress.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "traces/stream.h"

#define TICKS_PER_LOOK 4096u
#define REDRAW_US (G_USEC_PER_SEC / 10)
#define BAR 30

struct progress {
	uint64_t ops;
	int64_t total_bytes; /* 0 = unknown */
	int64_t start_bytes; /* stream_bytes_read() then */
	int64_t start_us, drawn_us;
};

static int64_t file_bytes(const char *path)
{
	GStatBuf st;

	return g_stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : 0;
}

struct progress *progress_new(const GPtrArray *groups)
{
	struct progress *p;

	if (!isatty(STDERR_FILENO))
		return NULL;
	p = g_new0(struct progress, 1);
	for (guint i = 0; i < groups->len; i++)
		for (char **path = g_ptr_array_index(groups, i); *path; path++)
			p->total_bytes += file_bytes(*path);
	p->start_bytes = stream_bytes_read();
	p->start_us = p->drawn_us = g_get_monotonic_time();
	return p;
}

static void draw(const struct progress *p, int64_t now_us)
{
	static const char full[] = "##############################";
	int64_t done = MIN(stream_bytes_read() - p->start_bytes, p->total_bytes);

	static_assert(sizeof(full) == BAR + 1, "as wide as the bar");
	if (done <= 0) {
		fprintf(stderr, "\r%" G_GUINT64_FORMAT " ops\033[K", p->ops);
		return;
	}
	int64_t left_us =
		(int64_t)((__int128)(now_us - p->start_us) * (p->total_bytes - done) / done);
	int width = (int)((__int128)done * BAR / p->total_bytes);

	fprintf(stderr, "\r[%-*.*s] %3d%%  %" G_GUINT64_FORMAT " ops  ETA %d:%02d\033[K", BAR,
		width, full, (int)((__int128)done * 100 / p->total_bytes), p->ops,
		(int)(left_us / G_USEC_PER_SEC / 60), (int)(left_us / G_USEC_PER_SEC % 60));
}

void progress_tick(struct progress *p)
{
	int64_t now_us;

	if (!p || ++p->ops % TICKS_PER_LOOK)
		return;
	now_us = g_get_monotonic_time();
	if (now_us - p->drawn_us < REDRAW_US)
		return;
	p->drawn_us = now_us;
	draw(p, now_us);
}

void progress_free(struct progress *p)
{
	if (p && p->drawn_us != p->start_us)
		fputs("\r\033[K", stderr);
	g_free(p);
}

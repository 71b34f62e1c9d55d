/*
 * traces/trace.c - what all readers share: the way from paths to a reader, and the door that
 * every op leaves by.
 *
 * trace_open() sorts the paths into captures (paths.c), finds the format of each, opens a reader
 * for each and, where there are several, a merge over them (merge.c).  A capture is recognized by
 * its first 64 KiB, never by its name; of equal scores the first in trace_formats wins.  A format
 * that was asked for is taken at its word: its reader then complains about the first record.  A
 * file may be empty only inside a per-CPU set.  Files that belong together but whose format keeps
 * one file a capture are merged like unrelated ones.
 *
 * Readers count what they do not want as well: opts.want is applied last, in trace_next().
 *
 * I1  every error of a reader names the file, and the line or the offset.
 */
#include "sim/config.h"
#include "traces/trace.h"

#include <string.h>

#include "traces/fiojob.h"
#include "traces/iolog.h"
#include "traces/merge.h"
#include "traces/optext.h"
#include "traces/paths.h"
#include "traces/stream.h"
#include "traces/tracedat.h"

#define PROBE_BYTES 65536u

/* One line a reader, defined in its own file. */
extern const struct trace_ops trace_blktrace;
extern const struct trace_ops trace_blkparse;
extern const struct trace_ops trace_ftrace;
extern const struct trace_ops trace_perf;

const struct trace_ops *const trace_formats[] = {
	&trace_blktrace, &trace_blkparse, &trace_ftrace,   &trace_perf, &trace_fiojob,
	&trace_iolog,	 &trace_optext,	  &trace_tracedat, NULL,
};

static const struct trace_ops *best_format(const uint8_t *head, size_t n)
{
	const struct trace_ops *best = NULL;
	int best_score = 0;

	for (unsigned int i = 0; trace_formats[i]; i++) {
		int score = trace_formats[i]->probe(head, n);

		if (score > best_score) {
			best = trace_formats[i];
			best_score = score;
		}
	}
	return best;
}

static void unrecognized(const char *path, const uint8_t *head, size_t n, GError **err)
{
	g_autofree char *start = g_strndup((const char *)head, MIN(n, 24));
	g_autofree char *shown = g_strescape(start, NULL);

	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: not in a format f2sim knows (begins with \"%s\"); --format NAME overrides",
		    path, shown);
}

/* Look at @path; *@ops NULL with true when it is empty. */
static bool probe_file(const char *path, const struct trace_ops **ops, GError **err)
{
	struct stream *s = stream_open(path, err);
	size_t n = 0;

	*ops = NULL;
	if (!s)
		return false;
	const uint8_t *head = stream_peek(s, PROBE_BYTES, &n, err);
	int mark = head ? text_mark_bytes((const char *)head, n, path, err) : 0;

	if (mark < 0)
		head = NULL;
	if (head && n) {
		*ops = best_format(head + mark, MIN(n, PROBE_BYTES) - (size_t)mark);
		if (!*ops)
			unrecognized(path, head, n, err);
	}
	stream_close(s);
	return head && (!n || *ops);
}

static const struct trace_ops *probe_files(const char *const *paths, GError **err)
{
	const struct trace_ops *ops = NULL;

	for (unsigned int i = 0; paths[i] && !ops; i++)
		if (!probe_file(paths[i], &ops, err))
			return NULL;
	if (!ops)
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: empty, no capture in it",
			    paths[0]);
	return ops;
}

/* "blkparse:FORMAT STRING" is the one name with something behind it. */
static const struct trace_ops *check_suffix(const struct trace_ops *ops, const char *format,
					    GError **err)
{
	if (ops->takes_suffix || !strchr(format, ':'))
		return ops;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "--format %s: %s takes nothing behind it",
		    format, ops->name);
	return NULL;
}

static const struct trace_ops *format_by_name(const char *format, GError **err)
{
	g_autoptr(GString) known = g_string_new(NULL);
	size_t len = strcspn(format, ":");

	for (unsigned int i = 0; trace_formats[i]; i++) {
		const char *name = trace_formats[i]->name;

		if (strlen(name) == len && !strncmp(name, format, len))
			return check_suffix(trace_formats[i], format, err);
		g_string_append_printf(known, " %s", name);
	}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "--format %s: unknown, expected one of%s",
		    format, known->str);
	return NULL;
}

/* Open the files of one capture and add the reader, or readers, to @readers. */
static bool open_group(const char *const *paths, const struct trace_opts *opts, GPtrArray *readers,
		       GError **err)
{
	const struct trace_ops *ops =
		opts->format ? format_by_name(opts->format, err) : probe_files(paths, err);

	if (!ops)
		return false;
	for (unsigned int i = 0; paths[i]; i++) {
		const char *const one[] = {paths[i], NULL};
		struct trace *t = ops->open(ops->multi ? paths : one, opts, err);

		if (!t)
			return false;
		g_ptr_array_add(readers, t);
		if (ops->multi)
			break;
	}
	return true;
}

/* The only reader in @readers, or a merge of them; takes the array. */
static struct trace *one_trace(GPtrArray *readers, const struct trace_opts *opts)
{
	if (readers->len > 1)
		return merge_new(readers, opts);
	struct trace *only = g_ptr_array_steal_index(readers, 0);

	g_ptr_array_unref(readers);
	return only;
}

static struct trace *open_groups(char **const *groups, unsigned int n,
				 const struct trace_opts *opts, GError **err)
{
	static const struct trace_opts defaults = {.want = OP_CLASS_ALL};
	GPtrArray *readers = g_ptr_array_new_with_free_func((GDestroyNotify)trace_close);

	for (unsigned int i = 0; i < n; i++)
		if (!open_group((const char *const *)groups[i], opts ? opts : &defaults, readers,
				err)) {
			g_ptr_array_unref(readers);
			return NULL;
		}
	return one_trace(readers, opts);
}

struct trace *trace_open(const char *const *paths, const struct trace_opts *opts, GError **err)
{
	g_autoptr(GPtrArray) groups = paths_group(paths, err);

	return groups ? open_groups((char **const *)groups->pdata, groups->len, opts, err) : NULL;
}

struct trace *trace_open_group(const char *const *paths, const struct trace_opts *opts,
			       GError **err)
{
	char **group = (char **)(uintptr_t)paths;

	return open_groups(&group, 1, opts, err);
}

const struct trace_info *trace_info(const struct trace *t)
{
	return &t->info;
}

unsigned int trace_nr_captures(const struct trace *t)
{
	unsigned int n = 1;

	if (t->ops->children)
		t->ops->children(t, &n);
	return n;
}

const struct trace_info *trace_capture_info(const struct trace *t, unsigned int i)
{
	unsigned int n;

	assert(i < trace_nr_captures(t));
	return t->ops->children ? &t->ops->children(t, &n)[i]->info : &t->info;
}

void trace_close(struct trace *t)
{
	if (t)
		t->ops->close(t);
}

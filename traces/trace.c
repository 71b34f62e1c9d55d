/*
 * traces/trace.c - what all readers share: the account, the error lines, the way from paths to a
 * reader.
 *
 * trace_open() sorts the paths into captures (paths.c), finds the format of each, opens a reader
 * for each and, where there are several, a merge over them (merge.c).  A capture is recognized by
 * its first 64 KiB, never by its name; of equal scores the first in trace_formats wins.  A format
 * that was asked for is taken at its word: its reader then complains about the first record.  A
 * file may be empty only inside a per-CPU set.  Files that belong together but whose format keeps
 * one file a capture are merged like unrelated ones.
 *
 * The tables of an account are there from the start, so that readers need not ask; an empty one
 * means "not applicable".  Readers count what they do not want as well: opts.want is applied last,
 * in trace_next().
 *
 * I1  every error of a reader names the file, and the line or the offset.
 * I2  no op leaves trace_next() that was not asked for, or that op_valid() refuses: such a one is
 *     counted as broken and told, because behind here nobody guards sums against overflow.
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
#define WARNINGS_MAX 32u
#define GAP_MAX_NS (INT64_C(10) * 86400 * NSEC_PER_SEC)

/* One line a reader, defined in its own file. */
extern const struct trace_ops trace_blktrace;
extern const struct trace_ops trace_blkparse;
extern const struct trace_ops trace_ftrace;
extern const struct trace_ops trace_perf;

const struct trace_ops *const trace_formats[] = {
	&trace_blktrace, &trace_blkparse, &trace_ftrace,   &trace_perf, &trace_fiojob,
	&trace_iolog,	 &trace_optext,	  &trace_tracedat, NULL,
};

static GHashTable *table_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void trace_init(struct trace *t, const struct trace_ops *ops, const struct trace_opts *opts,
		const char *path)
{
	t->ops = ops;
	t->opts = opts ? *opts : (struct trace_opts){.want = OP_CLASS_ALL};
	t->info.path = g_strdup(path);
	t->info.format = ops->name;
	t->info.events = table_new();
	t->info.rwbs = table_new();
	t->info.unknown = table_new();
	t->info.tasks = g_hash_table_new(NULL, NULL);
	t->info.names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	t->info.warnings = g_ptr_array_new_with_free_func(g_free);
	t->info.first_ns = t->info.last_ns = t->last_op_ns = OP_NO_TIME;
	for (size_t i = 0; i < G_N_ELEMENTS(t->recent_tasks); i++)
		t->recent_tasks[i] = -1;
}

void trace_fini(struct trace *t)
{
	g_free((char *)t->info.path);
	g_free(t->info.version);
	g_hash_table_unref(t->info.events);
	g_hash_table_unref(t->info.rwbs);
	g_hash_table_unref(t->info.unknown);
	g_hash_table_unref(t->info.tasks);
	g_hash_table_unref(t->info.names);
	g_ptr_array_unref(t->info.warnings);
}

void trace_count(GHashTable *table, const char *name, uint64_t n)
{
	uint64_t *count = g_hash_table_lookup(table, name);

	if (!count) {
		count = g_new0(uint64_t, 1);
		g_hash_table_insert(table, g_strdup(name), count);
	}
	*count += n;
}

struct trace_rwbs *trace_rwbs_of(struct trace *t, char action, const char *rwbs)
{
	const char letter[] = {action, ' ', '\0'};
	char key[40];

	g_strlcpy(key, action == 'T' ? "UT " : letter, sizeof(key));
	g_strlcat(key, rwbs, sizeof(key));
	struct trace_rwbs *entry = g_hash_table_lookup(t->info.rwbs, key);

	if (!entry) {
		entry = g_new0(struct trace_rwbs, 1);
		g_hash_table_insert(t->info.rwbs, g_strdup(key), entry);
	}
	return entry;
}

void trace_count_rwbs(struct trace *t, char action, const char *rwbs, uint64_t sectors)
{
	struct trace_rwbs *entry = trace_rwbs_of(t, action, rwbs);

	entry->count++;
	entry->sectors += sectors;
}

void trace_seen(struct trace *t, int64_t time_ns, int32_t task)
{
	struct trace_info *info = &t->info;

	if (info->first_ns == OP_NO_TIME || time_ns < info->first_ns)
		info->first_ns = time_ns;
	info->last_ns = MAX(info->last_ns, time_ns);
	if (task < 0)
		return;
	int32_t *recent = &t->recent_tasks[(size_t)task % G_N_ELEMENTS(t->recent_tasks)];

	if (*recent != task)
		g_hash_table_add(info->tasks, GINT_TO_POINTER(task));
	*recent = task;
}

void trace_name_task(struct trace *t, int32_t task, const char *name, size_t len)
{
	const char *known = g_hash_table_lookup(t->info.names, GINT_TO_POINTER(task));

	len = strnlen(name, len);
	if (!known || strlen(known) != len || memcmp(known, name, len))
		g_hash_table_insert(t->info.names, GINT_TO_POINTER(task), g_strndup(name, len));
}

void trace_warn(struct trace *t, const char *format, ...)
{
	va_list args;

	if (t->info.warnings->len >= WARNINGS_MAX) {
		t->info.more_warnings++;
		return;
	}
	va_start(args, format);
	g_ptr_array_add(t->info.warnings, g_strdup_vprintf(format, args));
	va_end(args);
}

void trace_error_line(GError **err, const char *path, int64_t line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: line %" G_GINT64_FORMAT ": %s", path,
		    line, what);
}

void trace_error_offset(GError **err, const char *path, int64_t offset, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: offset %" G_GINT64_FORMAT ": %s",
		    path, offset, what);
}

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

/* Is @op within bounds?  Binary records and event fields may hold anything. */
static bool check_op(struct trace *t, const struct op *op)
{
	const char *fault = op_fault(op);

	if (!fault)
		return true;
	t->info.broken++;
	trace_warn(t,
		   "op left out: %s (task %d, time %" G_GINT64_FORMAT
		   " ns, offset %" G_GINT64_FORMAT ", length %" G_GINT64_FORMAT
		   ", result %" G_GINT64_FORMAT ")",
		   fault, op->task, op->time_ns, op->pos, op->len, op->result);
	return false;
}

/* Warn once of a time stamp far from the one before.  A merge leaves that to its captures: each may
 * have a clock of its own. */
static void check_gap(struct trace *t, int64_t time_ns)
{
	int64_t before = t->last_op_ns;

	if (time_ns == OP_NO_TIME || t->ops->children)
		return;
	t->last_op_ns = time_ns;
	if (before == OP_NO_TIME || t->leapt ||
	    (time_ns <= before + GAP_MAX_NS && time_ns >= before - GAP_MAX_NS))
		return;
	t->leapt = true;
	trace_warn(t,
		   "the time leaps from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
		   " s between two ops: a wild time stamp?",
		   before / NSEC_PER_SEC, time_ns / NSEC_PER_SEC);
}

bool trace_next(struct trace *t, struct op *op, GError **err)
{
	while (t->ops->next(t, op, err)) {
		if (!check_op(t, op))
			continue;
		check_gap(t, op->time_ns);
		if (t->opts.want & op_class(op->kind))
			return true;
	}
	return false;
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

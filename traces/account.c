/*
 * traces/account.c - the account of a reader (struct trace_info) and its error lines, for trace.h.
 *
 * The tables of an account are there from the start, so that readers need not ask; an empty one
 * means "not applicable".
 *
 * I1  every error of a reader names the file, and the line or the offset.
 */
#include "traces/trace.h"

#include <string.h>

#define WARNINGS_MAX 32u

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

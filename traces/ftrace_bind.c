/*
 * traces/ftrace_bind.c - see traces/ftrace_bind.h.
 *
 * Proofs are collected in the call and judged at its exit.  Inside a call a stronger proof replaces
 * a weaker one; of equal ones the first sure proof stands, and two fair or two weak ones for
 * different inodes cancel out, unless one of them is what the file is bound to already.  Against
 * the binding that a file has, a sure proof always wins (the descriptor must have changed hands
 * unseen), a lesser one only when it is stronger.
 *
 * Tasks, groups and directories are kept for the length of the capture: they grow with the pids
 * met, not with the events.  Directories are bounded by DIRS_MAX.
 *
 * Not modelled: what fork and exec do to descriptors; a child starts with none known.
 *
 * I1  a task's fds table is that of group tgid, or of group pid while tgid is unknown: the same
 *     table for a main thread either way.
 * I2  every table entry and every call.file owns one reference of its file.
 */
#include "traces/ftrace_bind.h"

#include "traces/ftrace_line.h"

#define INO_FIRST 3u	     /* below: node, meta, root, or none */
#define INO_NONE 0xffffffffu /* a lookup that found nothing */
#define DIRS_MAX 65536u	     /* directories remembered; then all are forgotten */
#define RECENT 64u	     /* a power of two */

struct ftrace_bind {
	GHashTable *tasks;  /* pid -> struct ftrace_task, owned */
	GHashTable *groups; /* tgid or pid -> GHashTable of fds, owned */
	GHashTable *dirs;   /* set of ino, over all devices */
	uint32_t dev;
	bool many_devs;
	struct ftrace_task *recent[RECENT]; /* by pid */
};

static void task_free(gpointer p)
{
	struct ftrace_task *task = p;

	ftrace_file_unref(task->call.file);
	ftrace_file_unref(task->f2fs.file);
	g_free(task);
}

struct ftrace_bind *ftrace_bind_new(void)
{
	struct ftrace_bind *b = g_new0(struct ftrace_bind, 1);

	b->tasks = g_hash_table_new_full(NULL, NULL, NULL, task_free);
	b->groups = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_destroy);
	b->dirs = g_hash_table_new(NULL, NULL);
	return b;
}

void ftrace_bind_free(struct ftrace_bind *b)
{
	if (!b)
		return;
	g_hash_table_destroy(b->tasks);
	g_hash_table_destroy(b->groups);
	g_hash_table_destroy(b->dirs);
	g_free(b);
}

struct ftrace_file *ftrace_file_new(void)
{
	struct ftrace_file *file = g_new0(struct ftrace_file, 1);

	file->refs = 1;
	file->pos = FTRACE_POS_UNKNOWN;
	return file;
}

void ftrace_file_unref(struct ftrace_file *file)
{
	if (!file || --file->refs > 0)
		return;
	if (file->waiting)
		g_array_unref(file->waiting);
	g_free(file);
}

void ftrace_file_wait(struct ftrace_file *file, uint64_t ticket)
{
	if (!file->waiting)
		file->waiting = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	if (file->waiting->len >= FTRACE_WAITING_MAX)
		g_array_remove_range(file->waiting, 0, FTRACE_WAITING_MAX / 2);
	g_array_append_val(file->waiting, ticket);
}

static void file_unref(gpointer p)
{
	ftrace_file_unref(p);
}

static GHashTable *group(struct ftrace_bind *b, int32_t id)
{
	GHashTable *fds = g_hash_table_lookup(b->groups, GINT_TO_POINTER(id));

	if (!fds) {
		fds = g_hash_table_new_full(NULL, NULL, NULL, file_unref);
		g_hash_table_insert(b->groups, GINT_TO_POINTER(id), fds);
	}
	return fds;
}

static struct ftrace_task *find_task(struct ftrace_bind *b, int32_t pid)
{
	struct ftrace_task **recent = &b->recent[(uint32_t)pid & (RECENT - 1)];
	struct ftrace_task *task = *recent;

	if (task && task->pid == pid)
		return task;
	task = g_hash_table_lookup(b->tasks, GINT_TO_POINTER(pid));
	if (!task) {
		task = g_new0(struct ftrace_task, 1);
		task->pid = pid;
		task->tgid = FTRACE_NO_TGID;
		task->fds = group(b, pid);
		g_hash_table_insert(b->tasks, GINT_TO_POINTER(pid), task);
	}
	*recent = task;
	return task;
}

struct ftrace_task *ftrace_bind_task(struct ftrace_bind *b, int32_t pid, int32_t tgid, uint16_t cpu)
{
	struct ftrace_task *task = find_task(b, pid);

	task->cpu = cpu;
	if (tgid != FTRACE_NO_TGID && tgid != task->tgid) {
		task->tgid = tgid;
		task->fds = group(b, tgid);
	}
	return task;
}

static gint cmp_pid(gconstpointer a, gconstpointer b)
{
	const struct ftrace_task *const *x = a, *const *y = b;

	return ((*x)->pid > (*y)->pid) - ((*x)->pid < (*y)->pid);
}

void ftrace_bind_each(struct ftrace_bind *b, uint32_t cpu,
		      void (*visit)(struct ftrace_task *task, void *arg), void *arg)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, b->tasks);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		if (cpu == FTRACE_NO_CPU || ((struct ftrace_task *)value)->cpu == cpu)
			g_ptr_array_add(found, value);
	g_ptr_array_sort(found, cmp_pid);
	for (guint i = 0; i < found->len; i++)
		visit(g_ptr_array_index(found, i), arg);
}

struct ftrace_file *ftrace_fd_get(struct ftrace_task *task, uint32_t fd)
{
	struct ftrace_file *file = g_hash_table_lookup(task->fds, GUINT_TO_POINTER(fd));

	if (!file) {
		file = ftrace_file_new();
		g_hash_table_insert(task->fds, GUINT_TO_POINTER(fd), file);
	}
	return file;
}

void ftrace_fd_set(struct ftrace_task *task, uint32_t fd, struct ftrace_file *file)
{
	file->refs++;
	g_hash_table_insert(task->fds, GUINT_TO_POINTER(fd), file);
}

void ftrace_fd_drop(struct ftrace_task *task, uint32_t fd)
{
	g_hash_table_remove(task->fds, GUINT_TO_POINTER(fd));
}

void ftrace_fd_forget(struct ftrace_task *task)
{
	g_hash_table_remove_all(task->fds);
}

void ftrace_bind_note_mode(struct ftrace_bind *b, uint32_t dev, uint64_t ino, bool is_dir)
{
	gpointer key = (gpointer)(uintptr_t)(ino ^ (uint64_t)dev << 32);

	if (!is_dir) {
		g_hash_table_remove(b->dirs, key);
		return;
	}
	if (g_hash_table_size(b->dirs) >= DIRS_MAX)
		g_hash_table_remove_all(b->dirs);
	g_hash_table_add(b->dirs, key);
}

bool ftrace_bind_is_dir(const struct ftrace_bind *b, uint32_t dev, uint64_t ino)
{
	return g_hash_table_contains(b->dirs, (gpointer)(uintptr_t)(ino ^ (uint64_t)dev << 32));
}

void ftrace_bind_note_dev(struct ftrace_bind *b, uint32_t dev)
{
	b->many_devs |= b->dev && b->dev != dev;
	b->dev = dev;
}

uint32_t ftrace_bind_dev(const struct ftrace_bind *b)
{
	return b->many_devs ? 0 : b->dev;
}

static bool can_bind(const struct ftrace_bind *b, uint32_t dev, uint64_t ino)
{
	return ino >= INO_FIRST && ino != INO_NONE && !ftrace_bind_is_dir(b, dev, ino);
}

void ftrace_call_prove(const struct ftrace_bind *b, struct ftrace_call *call, uint32_t dev,
		       uint64_t ino, enum ftrace_proof proof)
{
	if (!can_bind(b, dev, ino) || (proof == FTRACE_PROOF_WEAK && !dev))
		return;
	/* What the file is already known to be outweighs an equal proof for another. */
	bool own = call->file && call->file->ino == ino;

	if (own)
		proof = MAX(proof, call->file->proof);
	if (call->proof && call->ino == ino) {
		call->proof = MAX(call->proof, proof);
		call->dev = call->dev ? call->dev : dev;
	} else if (proof > call->proof ||
		   (own && call->proof < FTRACE_PROOF_SURE && proof == call->proof)) {
		call->ino = ino;
		call->dev = dev;
		call->proof = proof;
		call->conflict = false;
	} else if (proof == call->proof && proof < FTRACE_PROOF_SURE) {
		call->conflict = !call->file || call->file->ino != call->ino;
	}
}

bool ftrace_call_bind(const struct ftrace_bind *b, struct ftrace_call *call)
{
	struct ftrace_file *file = call->file;

	if (!call->proof || call->conflict)
		return false;
	if (!call->dev)
		call->dev = ftrace_bind_dev(b);
	if (!file)
		return false;
	if (file->ino == call->ino) {
		file->proof = MAX(file->proof, call->proof);
		file->dev = file->dev ? file->dev : call->dev;
		return false;
	}
	if (file->proof >= call->proof && call->proof < FTRACE_PROOF_SURE)
		return false;
	file->ino = call->ino;
	file->dev = call->dev;
	file->proof = call->proof;
	return true;
}

/*
 * sim/emit_fds.c - see sim/emit_fds.h.
 *
 * I1  a number is in `used` of its task exactly while one entry of `files` holds it.
 */
#include "sim/emit_fds.h"

#include <glib.h>

#define FD_FIRST 3u

/* The descriptors of one file in one task, oldest first. */
struct open_file {
	int32_t pid;
	uint32_t dev;
	uint64_t ino;
	GArray *fds; /* unsigned int */
};

struct task_fds {
	GByteArray *used;    /* by fd - FD_FIRST */
	unsigned int lowest; /* none below is free */
};

struct emit_fds {
	GHashTable *files; /* struct open_file, owned */
	GHashTable *tasks; /* pid -> struct task_fds, owned */
};

static guint file_hash(gconstpointer p)
{
	const struct open_file *file = p;

	return (guint)((file->ino * 31 + file->dev) * 31 + (uint32_t)file->pid);
}

static gboolean file_equal(gconstpointer a, gconstpointer b)
{
	const struct open_file *x = a, *y = b;

	return x->ino == y->ino && x->dev == y->dev && x->pid == y->pid;
}

static void file_free(gpointer p)
{
	struct open_file *file = p;

	g_array_unref(file->fds);
	g_free(file);
}

static void task_free(gpointer p)
{
	struct task_fds *task = p;

	g_byte_array_unref(task->used);
	g_free(task);
}

struct emit_fds *emit_fds_new(void)
{
	struct emit_fds *f = g_new(struct emit_fds, 1);

	f->files = g_hash_table_new_full(file_hash, file_equal, file_free, NULL);
	f->tasks = g_hash_table_new_full(NULL, NULL, NULL, task_free);
	return f;
}

void emit_fds_free(struct emit_fds *f)
{
	g_hash_table_destroy(f->files);
	g_hash_table_destroy(f->tasks);
	g_free(f);
}

static struct task_fds *task_get(struct emit_fds *f, int32_t pid)
{
	struct task_fds *task = g_hash_table_lookup(f->tasks, GINT_TO_POINTER(pid));

	if (task)
		return task;
	task = g_new0(struct task_fds, 1);
	task->used = g_byte_array_new();
	g_hash_table_insert(f->tasks, GINT_TO_POINTER(pid), task);
	return task;
}

static unsigned int take_lowest(struct task_fds *task)
{
	static const guint8 free_byte;
	unsigned int i = task->lowest;

	while (i < task->used->len && task->used->data[i])
		i++;
	if (i == task->used->len)
		g_byte_array_append(task->used, &free_byte, 1);
	task->used->data[i] = 1;
	task->lowest = i + 1;
	return FD_FIRST + i;
}

static struct open_file *file_get(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino)
{
	struct open_file probe = {.pid = pid, .dev = dev, .ino = ino};
	struct open_file *file = g_hash_table_lookup(f->files, &probe);

	if (file)
		return file;
	file = g_memdup2(&probe, sizeof(probe));
	file->fds = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	g_hash_table_add(f->files, file);
	return file;
}

unsigned int emit_fd_open(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino)
{
	unsigned int fd = take_lowest(task_get(f, pid));

	g_array_append_val(file_get(f, pid, dev, ino)->fds, fd);
	return fd;
}

unsigned int emit_fd_get(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino)
{
	const GArray *fds = file_get(f, pid, dev, ino)->fds;

	return fds->len ? g_array_index(fds, unsigned int, fds->len - 1)
			: emit_fd_open(f, pid, dev, ino);
}

unsigned int emit_fd_close(struct emit_fds *f, int32_t pid, uint32_t dev, uint64_t ino)
{
	unsigned int fd = emit_fd_get(f, pid, dev, ino);
	struct open_file *file = file_get(f, pid, dev, ino);
	struct task_fds *task = task_get(f, pid);

	g_array_set_size(file->fds, file->fds->len - 1);
	if (!file->fds->len)
		g_hash_table_remove(f->files, file);
	task->used->data[fd - FD_FIRST] = 0;
	task->lowest = MIN(task->lowest, fd - FD_FIRST);
	return fd;
}

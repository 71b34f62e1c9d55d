/*
 * models/file_table.c - open files by (task, inode).  Level 5.
 *
 * Stands for what struct file carries from call to call, the readahead state and FMODE_RANDOM
 * (fs/file_table.c), and for what task_struct carries of dirty throttling.
 */
#include "models/file_table.h"

struct open_file {
	struct file file;
	int32_t task;
};

struct file_table {
	struct filemap *fm;
	struct open_file *recent; /* the last asked for; may be NULL */
	GHashTable *files;	  /* struct open_file; never iterated */
	GHashTable *tasks;	  /* pid -> struct dirty_task; never iterated */
};

static guint open_file_hash(gconstpointer p)
{
	const struct open_file *of = p;

	return (guint)(of->file.inode->i_ino * 31 + (uint64_t)of->task);
}

static gboolean open_file_equal(gconstpointer a, gconstpointer b)
{
	const struct open_file *x = a, *y = b;

	return x->task == y->task && x->file.inode == y->file.inode;
}

struct file_table *file_table_new(struct filemap *fm)
{
	struct file_table *ft = g_new0(struct file_table, 1);

	ft->fm = fm;
	ft->files = g_hash_table_new_full(open_file_hash, open_file_equal, g_free, NULL);
	ft->tasks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return ft;
}

void file_table_free(struct file_table *ft)
{
	if (!ft)
		return;
	g_hash_table_destroy(ft->files);
	g_hash_table_destroy(ft->tasks);
	g_free(ft);
}

static struct dirty_task *dirty_task_get(struct file_table *ft, int32_t task)
{
	struct dirty_task *dt = g_hash_table_lookup(ft->tasks, GINT_TO_POINTER(task));

	if (dt)
		return dt;
	dt = g_new(struct dirty_task, 1);
	dirty_task_init(dt);
	g_hash_table_insert(ft->tasks, GINT_TO_POINTER(task), dt);
	return dt;
}

static struct open_file *open_file_find(struct file_table *ft, int32_t task, struct inode *inode)
{
	struct open_file probe = {.file.inode = inode, .task = task};

	return g_hash_table_lookup(ft->files, &probe);
}

struct file *file_table_get(struct file_table *ft, int32_t task, struct inode *inode, bool fresh)
{
	struct open_file *of = ft->recent;

	if (!of || of->task != task || of->file.inode != inode)
		of = open_file_find(ft, task, inode);
	if (!of) {
		of = g_new0(struct open_file, 1);
		of->file.inode = inode;
		of->task = task;
		of->file.dirty = dirty_task_get(ft, task);
		g_hash_table_add(ft->files, of);
		fresh = true;
	}
	ft->recent = of;
	if (fresh) {
		file_ra_state_init(&of->file.ra, ft->fm);
		of->file.random = false;
	}
	return &of->file;
}

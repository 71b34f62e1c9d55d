/*
 * models/file_table.c - open files by (task, inode).  Level 5.
 *
 * Stands for what struct file carries from call to call: the readahead state and FMODE_RANDOM
 * (fs/file_table.c).
 */
#include "models/file_table.h"

struct open_file {
	struct file file;
	int32_t task;
};

struct file_table {
	struct filemap *fm;
	GHashTable *files; /* struct open_file; never iterated */
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
	struct file_table *ft = g_new(struct file_table, 1);

	ft->fm = fm;
	ft->files = g_hash_table_new_full(open_file_hash, open_file_equal, g_free, NULL);
	return ft;
}

void file_table_free(struct file_table *ft)
{
	if (!ft)
		return;
	g_hash_table_destroy(ft->files);
	g_free(ft);
}

struct file *file_table_get(struct file_table *ft, int32_t task, struct inode *inode, bool fresh)
{
	struct open_file probe = {.file.inode = inode, .task = task};
	struct open_file *of = g_hash_table_lookup(ft->files, &probe);

	if (!of) {
		of = g_new0(struct open_file, 1);
		of->file.inode = inode;
		of->task = task;
		g_hash_table_add(ft->files, of);
		fresh = true;
	}
	if (fresh) {
		file_ra_state_init(&of->file.ra, ft->fm);
		of->file.random = false;
	}
	return &of->file;
}

/*
 * tests/emitted.c - see tests/emitted.h.
 */
#include "tests/emitted.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli.h"

static GPtrArray *folders;

static void remove_folders(void)
{
	for (guint i = 0; i < folders->len; i++) {
		char *argv[] = {"rm", "-r", folders->pdata[i], NULL};

		g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
			     NULL);
	}
	g_ptr_array_unref(folders);
}

const char *emitted(const char *args)
{
	char *folder = g_dir_make_tmp("f2sim-emit-XXXXXX", NULL);
	g_autofree char *command = g_strdup_printf(
		"%s --out %s --emit ftrace --emit blktrace --emit iolog", args, folder);
	const struct ran *r = cli_shell(command);

	cr_assert_eq(r->status, 0, "exit status %d, stderr: %s", r->status, r->err);
	if (!folders) {
		folders = g_ptr_array_new_with_free_func(g_free);
		atexit(remove_folders);
	}
	g_ptr_array_add(folders, folder);
	return folder;
}

struct run emitted_ops(const char *folder, const char *name, unsigned int want)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return run_path(path, want);
}

void drop_idle_ops(GArray *ops, unsigned int want)
{
	guint kept = 0;

	for (guint i = 0; i < ops->len; i++) {
		const struct op *op = &g_array_index(ops, struct op, i);

		if (op_class((enum op_kind)op->kind) & want && !(op->flags & OP_UNBOUND))
			g_array_index(ops, struct op, kept++) = *op;
	}
	g_array_set_size(ops, kept);
}

/* aux holds the order while sorting. */
static gint by_task(gconstpointer a, gconstpointer b)
{
	const struct op *x = a, *y = b;

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->aux < y->aux ? -1 : x->aux > y->aux;
}

void sort_by_task(GArray *ops)
{
	g_autofree uint64_t *aux = g_new(uint64_t, ops->len + 1);

	for (guint i = 0; i < ops->len; i++) {
		struct op *op = &g_array_index(ops, struct op, i);

		aux[i] = op->aux;
		op->aux = i; /* the order, while sorting */
	}
	g_array_sort(ops, by_task);
	for (guint i = 0; i < ops->len; i++) {
		struct op *op = &g_array_index(ops, struct op, i);

		op->aux = aux[op->aux];
	}
}

void check_same_ops(const GArray *want, const GArray *got)
{
	cr_assert_eq(want->len, got->len, "%u ops, expected %u", got->len, want->len);
	for (guint i = 0; i < want->len; i++) {
		const struct op *a = &g_array_index(want, struct op, i);
		const struct op *b = &g_array_index(got, struct op, i);

		cr_assert(a->kind == b->kind && a->task == b->task && a->dev == b->dev &&
				  a->ino == b->ino && a->pos == b->pos && a->len == b->len &&
				  a->aux == b->aux &&
				  !((a->flags ^ b->flags) & ~(uint32_t)OP_CROSS_CPU),
			  "op %u: %s task %d dev %x ino %lu pos %ld len %ld flags %x, expected "
			  "%s task %d dev %x ino %lu pos %ld len %ld flags %x",
			  i, op_kind_name((enum op_kind)b->kind), b->task, b->dev,
			  (unsigned long)b->ino, (long)b->pos, (long)b->len, b->flags,
			  op_kind_name((enum op_kind)a->kind), a->task, a->dev,
			  (unsigned long)a->ino, (long)a->pos, (long)a->len, a->flags);
	}
}

char *script_in(const char *folder, const char *script)
{
	char *argv[] = {"sh", "-c", (char *)script, "sh", (char *)folder, NULL};
	g_autofree char *err = NULL;
	char *out = NULL;
	int status;

	cr_assert(g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
			       &status, NULL));
	cr_assert_eq(status, 0, "%s: %s", script, err);
	cr_assert_str_empty(err, "%s", script);
	return out;
}

/*
 * tests/ftrace_support.c - see tests/ftrace_support.h.
 */
#include "tests/ftrace_support.h"

#include <criterion/criterion.h>
#include <string.h>

static struct run run_paths(const char *const *paths, const struct trace_opts *opts, GError **err)
{
	struct run r = {.t = trace_open(paths, opts, err)};
	int64_t last_ns = OP_NO_TIME;
	struct op op;

	r.ops = g_array_new(FALSE, FALSE, sizeof(struct op));
	if (!r.t)
		return r;
	r.info = trace_info(r.t);
	while (trace_next(r.t, &op, err)) {
		cr_assert(op_valid(&op, NULL));
		cr_assert_geq(op.time_ns, last_ns, "ops come in order of time");
		last_ns = r.info->skewed ? OP_NO_TIME : op.time_ns;
		g_array_append_val(r.ops, op);
	}
	return r;
}

static struct run run_all(const char *path, const struct trace_opts *opts, GError **err)
{
	const char *const paths[] = {path, NULL};

	return run_paths(paths, opts, err);
}

struct run run_path(const char *path, unsigned int want)
{
	const struct trace_opts opts = {.want = want};
	g_autoptr(GError) err = NULL;
	struct run r = run_all(path, &opts, &err);

	cr_assert_null(err, "%s", err ? err->message : "");
	return r;
}

struct run run_cpus(const char *base, unsigned int want)
{
	const struct trace_opts opts = {.want = want};
	g_autofree char *first = g_strconcat(base, ".blktrace.0", NULL);
	g_autofree char *second = g_strconcat(base, ".blktrace.1", NULL);
	const char *const paths[] = {first, second, NULL};
	g_autoptr(GError) err = NULL;
	struct run r = run_paths(paths, &opts, &err);

	cr_assert_null(err, "%s", err ? err->message : "");
	return r;
}

struct run run_want(const char *name, const char *text, unsigned int want)
{
	return run_path(test_text(name, text), want);
}

struct run run_text(const char *text)
{
	return run_want("text.txt", text, OP_CLASS_ALL);
}

void run_free(struct run *r)
{
	trace_close(r->t);
	g_array_unref(r->ops);
}

char *run_fails(const char *text)
{
	const struct trace_opts opts = {.want = OP_CLASS_ALL, .format = "ftrace"};
	g_autoptr(GError) err = NULL;
	struct run r = run_all(test_text("bad.txt", text), &opts, &err);

	cr_assert_not_null(err, "must fail");
	cr_assert_eq(err->code, F2SIM_ERROR_INPUT);
	run_free(&r);
	return g_strdup(err->message);
}

const struct op *op_at(const struct run *r, unsigned int i)
{
	cr_assert_lt(i, r->ops->len, "op %u of %u", i, r->ops->len);
	return &g_array_index(r->ops, struct op, i);
}

unsigned int count_kind(const struct run *r, enum op_kind kind)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->ops->len; i++)
		n += op_at(r, i)->kind == kind;
	return n;
}

const struct op *nth_of_kind(const struct run *r, enum op_kind kind, unsigned int i)
{
	for (unsigned int at = 0; at < r->ops->len; at++)
		if (op_at(r, at)->kind == kind && i-- == 0)
			return op_at(r, at);
	cr_assert_fail("no such %s", op_kind_name(kind));
	return NULL;
}

uint64_t count_of(GHashTable *table, const char *name)
{
	const uint64_t *n = g_hash_table_lookup(table, name);

	return n ? *n : 0;
}

struct run run_bodies(const char *bodies)
{
	g_auto(GStrv) body = g_strsplit(bodies, "\n", -1);
	g_autoptr(GString) text = g_string_new("# tracer: nop\n");

	for (unsigned int i = 0; body[i] && *body[i]; i++)
		g_string_append_printf(text, "a-7 [000] ..... 1.%06u: %s\n", i, body[i]);
	return run_want("bind.txt", text->str, OP_CLASS_FILE);
}

void check_op(const struct op *op, enum op_kind kind, uint64_t ino, int64_t pos, int64_t len,
	      uint32_t flags)
{
	cr_assert_eq(op->kind, kind, "%s", op_kind_name((enum op_kind)op->kind));
	cr_assert_eq(op->ino, ino, "ino %lu", (unsigned long)op->ino);
	cr_assert_eq(op->pos, pos, "pos %ld", (long)op->pos);
	cr_assert_eq(op->len, len, "len %ld", (long)op->len);
	cr_assert_eq(op->flags, flags, "flags 0x%x", op->flags);
}

unsigned int count_warnings(const struct run *r, const char *text)
{
	unsigned int n = 0;

	for (guint i = 0; i < r->info->warnings->len; i++)
		n += strstr(g_ptr_array_index(r->info->warnings, i), text) != NULL;
	return n;
}

/*
 * tests/ftrace_support.c - see tests/ftrace_support.h.
 */
#include "tests/ftrace_support.h"

#include <criterion/criterion.h>

static struct run run_all(const char *path, const struct trace_opts *opts, GError **err)
{
	const char *const paths[] = {path, NULL};
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

struct run run_path(const char *path, unsigned int want)
{
	const struct trace_opts opts = {.want = want};
	g_autoptr(GError) err = NULL;
	struct run r = run_all(path, &opts, &err);

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

/*
 * sim/cmd_emit.c - see sim/cmd_emit.h.
 */
#include "sim/cmd_emit.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cmd_emit_iolog.h"

static const struct emit_ops *const formats[] = {&emit_ftrace, &emit_blktrace, &emit_iolog, NULL};

/* One format of this run. */
struct emit {
	const struct emit_ops *ops;
	struct trace_sink *sink;
};

struct emits {
	struct sim *sim;
	char *out;
	bool made_out; /* the folder is ours */
	GArray *open;  /* struct emit */
};

void emits_describe(GString *text)
{
	g_string_append(text, "Formats of --emit, files in the folder of --out:\n");
	for (unsigned int i = 0; formats[i]; i++)
		g_string_append_printf(text, "  %-9s %s\n", formats[i]->name, formats[i]->summary);
}

static const struct emit_ops *find_format(const char *name)
{
	for (unsigned int i = 0; formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static bool refuse(GError **err, const char *name, const char *what)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "--emit %s: %s", name, what);
	return false;
}

bool emits_check(char *const *names, const char *out, GError **err)
{
	for (char *const *name = names; name && *name; name++) {
		if (!strcmp(*name, "timeline"))
			return refuse(err, *name, "this version writes no timeline");
		if (!find_format(*name))
			return refuse(err, *name, "expected ftrace, blktrace or iolog");
		if (!out)
			return refuse(err, *name, "its files need a folder: --out DIR");
	}
	return true;
}

static bool is_open(const struct emits *e, const struct emit_ops *ops)
{
	for (guint i = 0; i < e->open->len; i++)
		if (g_array_index(e->open, struct emit, i).ops == ops)
			return true;
	return false;
}

static bool open_one(struct emits *e, const struct emit_ops *ops, GError **err)
{
	struct emit one = {.ops = ops};

	if (is_open(e, ops)) /* named twice */
		return true;
	one.sink = ops->open(e->out, e->sim->nr_cpus, err);
	if (!one.sink)
		return false;
	g_array_append_val(e->open, one);
	trace_add_sink(e->sim, one.sink);
	return true;
}

struct emits *emits_open(char *const *names, const char *out, struct sim *sim, GError **err)
{
	struct emits *e = g_new0(struct emits, 1);
	bool ok = true;

	e->sim = sim;
	e->out = g_strdup(out);
	e->open = g_array_new(FALSE, FALSE, sizeof(struct emit));
	if (names && *names && !g_file_test(out, G_FILE_TEST_EXISTS)) {
		e->made_out = true;
		ok = g_mkdir_with_parents(out, 0777) == 0;
		if (!ok)
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", out,
				    g_strerror(errno));
	}
	for (char *const *name = names; ok && name && *name; name++)
		ok = open_one(e, find_format(*name), err);
	if (ok)
		return e;
	emits_abort(e);
	return NULL;
}

static void emits_free(struct emits *e)
{
	g_array_unref(e->open);
	g_free(e->out);
	g_free(e);
}

/* What is left of @e->open from @from on. */
static void abort_from(struct emits *e, guint from)
{
	for (guint i = from; i < e->open->len; i++) {
		struct emit *one = &g_array_index(e->open, struct emit, i);

		one->ops->abort(one->sink);
	}
	if (e->made_out)
		rmdir(e->out); /* fails while it holds something, which is right */
	emits_free(e);
}

bool emits_commit(struct emits *e, GError **err)
{
	trace_stop(e->sim);
	for (guint i = 0; i < e->open->len; i++) {
		struct emit *one = &g_array_index(e->open, struct emit, i);

		if (one->ops->finish(one->sink, err))
			continue;
		abort_from(e, 0);
		return false;
	}
	for (guint i = 0; i < e->open->len; i++) {
		struct emit *one = &g_array_index(e->open, struct emit, i);

		if (one->ops->commit(one->sink, err))
			continue;
		abort_from(e, i + 1);
		return false;
	}
	emits_free(e);
	return true;
}

void emits_abort(struct emits *e)
{
	if (!e)
		return;
	trace_stop(e->sim);
	abort_from(e, 0);
}

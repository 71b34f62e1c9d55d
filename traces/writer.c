/*
 * traces/writer.c - see traces/writer.h.  op text, whose lines traces/optext.h makes, is written
 * here.
 */
#include "traces/writer.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/tempfile.h"
#include "traces/optext.h"

static void optext_begin(struct writer *w)
{
	fputs(OPTEXT_HEADER "\n", w->f);
}

static bool optext_op(struct writer *w, const struct op *op)
{
	optext_write(w->f, op);
	return true;
}

const struct writer_ops optext_writer = {
	.name = "ops",
	.begin = optext_begin,
	.op = optext_op,
};

const struct writer_ops *const writer_formats[] = {
	&iolog_writer,
	&optext_writer,
	&csv_writer,
	NULL,
};

static bool fail(const char *path, GError **err)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: cannot write: %s", path,
		    g_strerror(errno));
	return false;
}

static const struct writer_ops *find_format(const char *name, GError **err)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (size_t i = 0; writer_formats[i]; i++) {
		if (strcmp(writer_formats[i]->name, name) == 0)
			return writer_formats[i];
		g_string_append_printf(known, " %s", writer_formats[i]->name);
	}
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "cannot write \"%s\", only%s", name,
		    known->str);
	return NULL;
}

/* A device or a pipe is written through: a rename would put a file in its place. */
static bool is_special(const char *path)
{
	GStatBuf st;

	return g_stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Where to write for @path; *@temp is NULL unless it is a regular file.  NULL with *@err. */
static FILE *open_out(const char *path, struct tempfile **temp, GError **err)
{
	FILE *f;

	*temp = NULL;
	if (strcmp(path, "-") == 0) {
		f = fdopen(dup(STDOUT_FILENO), "w");
	} else if (is_special(path)) {
		f = fopen(path, "we");
	} else {
		*temp = tempfile_new(path, err);
		if (!*temp)
			return NULL;
		f = fdopen(dup(tempfile_fd(*temp)), "w");
	}
	if (f)
		return f;
	fail(path, err);
	tempfile_abort(*temp);
	return NULL;
}

struct writer *writer_new(const char *name, const char *path, GError **err)
{
	const struct writer_ops *ops = find_format(name, err);
	struct tempfile *temp;
	FILE *f = ops ? open_out(path, &temp, err) : NULL;

	if (!f)
		return NULL;
	struct writer *w = g_new0(struct writer, 1);
	w->ops = ops;
	w->f = f;
	w->path = g_strdup(path);
	w->temp = temp;
	if (ops->begin)
		ops->begin(w);
	return w;
}

bool writer_op(struct writer *w, const struct op *op, GError **err)
{
	if (!op_valid(op, err)) {
		g_prefix_error(err, "%s: ", w->path);
		return false;
	}
	if (w->ops->op(w, op))
		w->written++;
	else
		w->unexpressed++;
	return true;
}

/* Close the file and put it in its place; on failure, or when not @complete, remove it. */
static bool finish(struct writer *w, bool complete, GError **err)
{
	if (w->ops->end)
		w->ops->end(w, complete);
	bool ok = !ferror(w->f);
	ok = fclose(w->f) == 0 && ok;
	if (complete && !ok)
		fail(w->path, err);
	if (!complete || !ok)
		tempfile_abort(w->temp);
	else if (w->temp)
		ok = tempfile_commit(w->temp, err);
	g_free(w->path);
	g_free(w);
	return ok;
}

bool writer_commit(struct writer *w, uint64_t *unexpressed, GError **err)
{
	if (unexpressed)
		*unexpressed = w->unexpressed;
	return finish(w, true, err);
}

void writer_abort(struct writer *w)
{
	if (w)
		finish(w, false, NULL);
}

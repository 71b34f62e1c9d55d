/*
 * traces/writer.c - see traces/writer.h.  op text, whose lines traces/optext.h makes, is written
 * here.
 */
#include "traces/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool fail(const char *path, const char *what, int code, GError **err)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s: %s", path, what,
		    g_strerror(code));
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

/* A fresh file beside @path with the permissions a plain open() would give it; NULL with *@err. */
static FILE *open_beside(const char *path, char **tmp, GError **err)
{
	*tmp = NULL;
	if (strcmp(path, "-") == 0)
		return fdopen(dup(STDOUT_FILENO), "w");
	if (is_special(path)) {
		FILE *f = fopen(path, "we");

		if (!f)
			fail(path, "cannot write", errno, err);
		return f;
	}
	mode_t mask = umask(0);
	umask(mask);
	*tmp = g_strconcat(path, ".XXXXXX", NULL);
	int fd = g_mkstemp_full(*tmp, O_WRONLY | O_CLOEXEC, 0666 & ~mask);
	if (fd < 0) {
		fail(path, "cannot create", errno, err);
		g_clear_pointer(tmp, g_free);
		return NULL;
	}
	return fdopen(fd, "w");
}

struct writer *writer_new(const char *name, const char *path, GError **err)
{
	const struct writer_ops *ops = find_format(name, err);
	char *tmp;
	FILE *f = ops ? open_beside(path, &tmp, err) : NULL;

	if (!f)
		return NULL;
	struct writer *w = g_new0(struct writer, 1);
	w->ops = ops;
	w->f = f;
	w->path = g_strdup(path);
	w->tmp = tmp;
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

/* Close the file; on failure, or when not @complete, remove it. */
static bool finish(struct writer *w, bool complete, GError **err)
{
	if (w->ops->end)
		w->ops->end(w, complete);
	bool ok = !ferror(w->f);
	ok = fclose(w->f) == 0 && ok;
	if (complete && !ok)
		fail(w->path, "cannot write", errno, err);
	else if (complete && w->tmp && g_rename(w->tmp, w->path) != 0)
		ok = fail(w->path, "cannot rename into place", errno, err);
	if (w->tmp && !(complete && ok))
		g_unlink(w->tmp);
	g_free(w->path);
	g_free(w->tmp);
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

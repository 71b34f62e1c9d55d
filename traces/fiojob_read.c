/*
 * traces/fiojob_read.c - fio job files (fio's init.c), and one as a capture, see traces/fiojob.h.
 *
 * [global] sets what the jobs below it start from; each other section is a job.  ';' and '#' begin
 * a comment anywhere, as in fio.  Not supported, and refused: include, ${ENVIRONMENT} and
 * $keywords.
 */
#include <string.h>

#include "traces/field.h"
#include "traces/fiojob.h"
#include "traces/stream.h"

struct reader {
	struct fio_job *global, *job; /* job: NULL in [global] and before any section */
	GPtrArray *jobs;
	bool in_section;
};

/* @line without comment and outer blanks, in place. */
static char *bare(char *line)
{
	line[strcspn(line, ";#")] = '\0';
	return g_strstrip(line);
}

static bool take_section(struct reader *r, const struct stream *s, char *line, GError **err)
{
	char *end = strchr(line, ']');

	if (!end || end[1] || end == line + 1)
		return input_fail(err, "expected \"[name]\", got \"%s\"", line);
	*end = '\0';
	r->in_section = true;
	r->job = NULL;
	if (strcmp(line + 1, "global") == 0)
		return true;
	r->job = fio_job_copy(r->global);
	g_free(r->job->name);
	r->job->name = g_strdup(line + 1);
	r->job->where = g_strdup_printf("%s: line %" G_GINT64_FORMAT, stream_path(s),
					(gint64)stream_line(s));
	g_ptr_array_add(r->jobs, r->job);
	return true;
}

static bool take_option(struct reader *r, char *line, GError **err)
{
	char *value = strchr(line, '=');

	if (!r->in_section)
		return input_fail(err, "expected \"[global]\" or \"[job]\" first, got \"%s\"",
				  line);
	if (value)
		*value++ = '\0';
	g_strchomp(line);
	if (value && strchr(value, '$'))
		return input_fail(err, "%s: $ is not supported", line);
	return fio_job_set(r->job ? r->job : r->global, line, value ? g_strchug(value) : NULL, err);
}

static bool take_line(struct reader *r, const struct stream *s, char *line, GError **err)
{
	line = bare(line);
	if (!*line)
		return true;
	return *line == '[' ? take_section(r, s, line, err) : take_option(r, line, err);
}

static bool read_lines(struct reader *r, struct stream *s, GError **err)
{
	GError *why = NULL;
	size_t len;
	char *line;

	while ((line = stream_getline(s, &len, &why)))
		if (!take_line(r, s, line, &why)) {
			trace_error_line(err, stream_path(s), stream_line(s), "%s", why->message);
			g_error_free(why);
			return false;
		}
	if (why)
		g_propagate_error(err, why);
	return !why;
}

static bool check_jobs(GPtrArray *jobs, GError **err)
{
	for (guint i = 0; i < jobs->len; i++)
		if (!fio_job_check(g_ptr_array_index(jobs, i), err))
			return false;
	return true;
}

GPtrArray *fio_jobs_read(const char *path, GError **err)
{
	struct stream *s = stream_open(path, err);
	struct reader r = {0};
	GError *why = NULL;

	if (!s)
		return NULL;
	r.global = fio_job_new();
	r.jobs = g_ptr_array_new_with_free_func((GDestroyNotify)fio_job_free);
	if (read_lines(&r, s, &why) && check_jobs(r.jobs, &why) && !r.jobs->len)
		input_fail(&why, "%s: no job section", path);
	fio_job_free(r.global);
	stream_close(s);
	if (why) {
		g_propagate_error(err, why);
		g_ptr_array_unref(r.jobs);
		return NULL;
	}
	fio_jobs_number(r.jobs);
	return r.jobs;
}

struct fiojob {
	struct trace trace; /* must be first */
	GPtrArray *jobs;
	GPtrArray *sources; /* of all clones */
	guint turn;
};

/* A section first, and nothing but fio's options in what is seen of the file. */
static int fiojob_probe(const uint8_t *head, size_t n)
{
	g_autofree char *text = g_strndup((const char *)head, n);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	unsigned int sections = 0, found = 0;

	for (char **p = lines; *p && (p[1] || n < 65536); p++) {
		char *line = bare(*p);
		if (*line == '[')
			sections++;
		if (!*line || *line == '[')
			continue;
		line[strcspn(line, "=")] = '\0';
		if (!sections || !fio_job_has(g_strchomp(line)))
			return 0;
		found++;
	}
	return found ? 70 : 0;
}

static void fiojob_close(struct trace *t)
{
	struct fiojob *f = container_of(t, struct fiojob, trace);

	trace_fini(t);
	g_ptr_array_unref(f->sources);
	g_ptr_array_unref(f->jobs);
	g_free(f);
}

static void add_clones(struct fiojob *f, struct fio_job *job)
{
	if (job->time_based)
		trace_warn(&f->trace, "%s: time_based: one round of it is read", job->name);
	job->time_based = false;
	for (guint i = 0; i < job->ignored->len; i++)
		trace_warn(&f->trace, "%s: option %s is ignored", job->name,
			   (const char *)g_ptr_array_index(job->ignored, i));
	for (unsigned int clone = 0; clone < job->numjobs; clone++)
		g_ptr_array_add(f->sources, fio_source_new(job, clone, 1));
}

static struct trace *fiojob_open(const char *const *paths, const struct trace_opts *opts,
				 GError **err)
{
	GPtrArray *jobs = fio_jobs_read(paths[0], err);
	struct fiojob *f;

	if (!jobs)
		return NULL;
	f = g_new0(struct fiojob, 1);
	trace_init(&f->trace, &trace_fiojob, opts, paths[0]);
	f->trace.info.drives = TRACE_DRIVES_FILE;
	f->jobs = jobs;
	f->sources = g_ptr_array_new_with_free_func((GDestroyNotify)fio_source_free);
	for (guint i = 0; i < jobs->len; i++)
		add_clones(f, g_ptr_array_index(jobs, i));
	return &f->trace;
}

static bool fiojob_next(struct trace *t, struct op *op, GError **err)
{
	struct fiojob *f = container_of(t, struct fiojob, trace);

	while (f->sources->len) {
		struct op_source *src = g_ptr_array_index(f->sources, f->turn % f->sources->len);
		if (!src->next(src, op, err)) {
			g_ptr_array_remove_index(f->sources, f->turn % f->sources->len);
			continue;
		}
		f->turn++;
		t->info.records++;
		g_hash_table_add(t->info.tasks, GINT_TO_POINTER(op->task));
		return true;
	}
	return false;
}

const struct trace_ops trace_fiojob = {
	.name = "fiojob",
	.summary = "fio job file",
	.probe = fiojob_probe,
	.open = fiojob_open,
	.next = fiojob_next,
	.close = fiojob_close,
};

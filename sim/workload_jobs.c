/*
 * sim/workload_jobs.c - see sim/workload_jobs.h.
 *
 * Clones of a job are named as fio numbers them: job.0, job.1, ..  What fio does with one thread
 * and a queue (libaio, io_uring) is done here by as many tasks as the queue is deep; a note says
 * so.
 */
#include "sim/workload_jobs.h"

#include <string.h>

#include "models/f2fs_file.h"
#include "traces/fiojob.h"

void workload_note(GPtrArray *notes, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_ptr_array_add(notes, g_strdup_vprintf(format, ap));
	va_end(ap);
}

static bool is_own(const struct conf_key *own, const char *name)
{
	while (own->type != CONF_END && strcmp(own->name, name))
		own++;
	return own->type != CONF_END;
}

GPtrArray *workload_section_job(struct config *config, const struct conf_key *own, GError **err)
{
	g_autofree const char **names = config_keys(config, "workload");
	GPtrArray *jobs = g_ptr_array_new_with_free_func((GDestroyNotify)fio_job_free);
	struct fio_job *job = fio_job_new();
	GError *error = NULL;

	g_ptr_array_add(jobs, job);
	config_allow_section(config, "workload");
	for (unsigned int i = 0; names[i]; i++) {
		const char *value = config_get(config, "workload", names[i]);

		if (is_own(own, names[i]) || fio_job_set(job, names[i], value, &error))
			continue;
		config_error(config, "workload", names[i], err, "%s", error->message);
		g_clear_error(&error);
		g_ptr_array_unref(jobs);
		return NULL;
	}
	if (!job->name)
		job->name = g_strdup("workload");
	/* its first key stands for the section */
	job->where = g_strdup(names[0] ? config_where(config, "workload", names[0]) : NULL);
	fio_jobs_number(jobs);
	return jobs;
}

/* fio lays out what a job will read before it starts. */
static void lay_out(const struct fio_job *job, unsigned int clone, struct sim *sim)
{
	uint64_t ino = job->filename ? job->ino : job->ino + clone;
	struct inode *inode = inode_get(filemap_of(sim), 0, ino);
	int64_t end = job->offset_bytes + job->offset_increment * clone + job->size_bytes;

	if (job->rw != FIO_WRITE && job->rw != FIO_RANDWRITE)
		f2fs_set_initial_size(inode, MAX(inode->initial_size, end));
}

static struct op_source *add_clone(const struct fio_job *job, unsigned int clone, struct replay *r,
				   struct sim *sim)
{
	struct op_source *source = fio_source_new(job, clone, sim->conf.seed);
	g_autofree char *name =
		job->numjobs > 1 ? g_strdup_printf("%s.%u", job->name, clone) : g_strdup(job->name);
	struct replay_job pacing = {
		.name = name,
		.iodepth = (uint64_t)fio_job_depth(job),
		.rate_bytes = job->rate,
		.rate_iops = job->rate_iops,
		.thinktime_ns = job->thinktime,
		.thinktime_blocks = job->thinktime_blocks,
		.ramp_ns = job->ramp_time,
		.runtime_ns = job->runtime,
		.startdelay_ns = job->startdelay,
		.stonewall = job->stonewall && !clone,
		.stop = fio_source_stop,
	};

	lay_out(job, clone, sim);
	replay_add_job(r, source, &pacing);
	return source;
}

/* A section without a key has no line that could be named. */
static bool check_job(const struct fio_job *job, GError **err)
{
	if (job->where)
		return fio_job_check(job, err);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "nothing to simulate: [workload] is empty, expected a capture, a jobfile, or "
		    "rw, size and other options of a fio job");
	return false;
}

static void note_job(const struct fio_job *job, GPtrArray *notes)
{
	int64_t depth = fio_job_depth(job);

	for (unsigned int i = 0; i < job->ignored->len; i++)
		workload_note(notes, "fio option %s of job %s changes nothing here",
			      (const char *)job->ignored->pdata[i], job->name);
	if (depth < job->iodepth)
		workload_note(notes,
			      "job %s: iodepth=%" G_GINT64_FORMAT
			      " has no effect with %s, as in fio: "
			      "one I/O is in flight",
			      job->name, job->iodepth, fio_job_engine(job));
	if (job->engine == FIO_ENGINE_MMAP)
		workload_note(notes, "job %s: ioengine=mmap is modelled as read and write calls",
			      job->name);
	if (depth > 1)
		workload_note(notes,
			      "job %s: its %" G_GINT64_FORMAT " I/Os in flight are tasks of their "
			      "own, which may use several CPUs where fio's one thread cannot",
			      job->name, depth);
}

struct replay *workload_start_jobs(const GPtrArray *jobs, const struct replay_conf *conf,
				   struct sim *sim, GPtrArray *sources, GPtrArray *notes,
				   GError **err)
{
	struct replay *r;

	for (unsigned int i = 0; i < jobs->len; i++)
		if (!check_job(jobs->pdata[i], err))
			return NULL;
	r = replay_new(sim, conf);
	for (unsigned int i = 0; i < jobs->len; i++) {
		const struct fio_job *job = jobs->pdata[i];

		for (unsigned int clone = 0; clone < (unsigned int)job->numjobs; clone++)
			g_ptr_array_add(sources, add_clone(job, clone, r, sim));
		note_job(job, notes);
	}
	return r;
}

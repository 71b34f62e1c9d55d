/*
 * traces/fiojob.c - the options of a fio job, see traces/fiojob.h.
 *
 * One table says name, type, bounds and place of every option; fio's aliases are lines of their
 * own.  Not modelled, and therefore refused: several block sizes or rates by direction (commas),
 * sizes in percent, size and block ranges, several files a job, skewed random distributions,
 * verify, zones, trimwrite, engines that do no file I/O of their own process.
 */
#include "traces/fiojob.h"

#include <string.h>

#include "traces/field.h"
#include "traces/fiojob_value.h"

#define MAX_IN_FLIGHT (INT64_C(1) << 20) /* of all clones: each is a task */

enum type {
	BYTES,
	INT,
	REST, /* what is left of 100 percent */
	ONE,  /* nothing to set, but only 1 is possible */
	SECONDS,
	USECONDS,
	BOOL,
	NOT_BOOL,
	STRING,
	RW,
	ENGINE,
	IGNORED
};

static const struct option {
	const char *name;
	enum type type;
	size_t offset;
	int64_t min, max;
} options[] = {
/* clang-format off */
#define AT(field) offsetof(struct fio_job, field)
	{ "name",             STRING,   AT(name),             0, 0 },
	{ "filename",         STRING,   AT(filename),         0, 0 },
	{ "rw",               RW,       AT(rw),               0, 0 },
	{ "readwrite",        RW,       AT(rw),               0, 0 },
	{ "rwmixread",        INT,      AT(rwmixread),        0, 100 },
	{ "rwmixwrite",       REST,     AT(rwmixread),        0, 100 },
	{ "bs",               BYTES,    AT(bs_bytes),         512, INT64_C(1) << 31 },
	{ "blocksize",        BYTES,    AT(bs_bytes),         512, INT64_C(1) << 31 },
	{ "size",             BYTES,    AT(size_bytes),       1, INT64_MAX / 2 },
	{ "filesize",         BYTES,    AT(size_bytes),       1, INT64_MAX / 2 },
	{ "nrfiles",          ONE,      0,                    1, INT32_MAX },
	{ "openfiles",        ONE,      0,                    1, INT32_MAX },
	{ "ioengine",         ENGINE,   AT(engine),           0, 0 },
	{ "io_size",          BYTES,    AT(io_size_bytes),    0, INT64_MAX / 2 },
	{ "io_limit",         BYTES,    AT(io_size_bytes),    0, INT64_MAX / 2 },
	{ "offset",           BYTES,    AT(offset_bytes),     0, INT64_MAX / 4 },
	{ "offset_increment", BYTES,    AT(offset_increment), 0, INT64_MAX / 65536 / 8 },
	{ "numjobs",          INT,      AT(numjobs),          1, 65536 },
	{ "iodepth",          INT,      AT(iodepth),          1, 65536 },
	{ "loops",            INT,      AT(loops),            1, INT32_MAX },
	{ "rate",             BYTES,    AT(rate),             0, INT64_MAX },
	{ "rate_iops",        INT,      AT(rate_iops),        0, INT32_MAX },
	{ "thinktime",        USECONDS, AT(thinktime),        0, FIO_TIME_MAX_NS },
	{ "thinktime_blocks", INT,      AT(thinktime_blocks), 1, INT32_MAX },
	{ "runtime",          SECONDS,  AT(runtime),          0, FIO_TIME_MAX_NS },
	{ "timeout",          SECONDS,  AT(runtime),          0, FIO_TIME_MAX_NS },
	{ "startdelay",       SECONDS,  AT(startdelay),       0, FIO_TIME_MAX_NS },
	{ "ramp_time",        SECONDS,  AT(ramp_time),        0, FIO_TIME_MAX_NS },
	{ "time_based",       BOOL,     AT(time_based),       0, 0 },
	{ "fsync",            INT,      AT(fsync),            0, INT32_MAX },
	{ "fdatasync",        INT,      AT(fdatasync),        0, INT32_MAX },
	{ "end_fsync",        BOOL,     AT(end_fsync),        0, 0 },
	{ "fsync_on_close",   BOOL,     AT(fsync_on_close),   0, 0 },
	{ "uncached",         BOOL,     AT(uncached),         0, 0 },
	{ "direct",           BOOL,     AT(direct),           0, 0 },
	{ "buffered",         NOT_BOOL, AT(direct),           0, 0 },
	{ "sync",             BOOL,     AT(sync),             0, 0 },
	{ "norandommap",      BOOL,     AT(norandommap),      0, 0 },
	{ "stonewall",        BOOL,     AT(stonewall),        0, 0 },
	{ "wait_for_previous", BOOL,    AT(stonewall),        0, 0 },
	{ "randseed",         INT,      AT(randseed),         0, INT64_MAX },
	{ "kb_base",          INT,      AT(kb_base),          1000, 1024 },
#undef AT
	{ "directory", IGNORED, 0, 0, 0 },
	{ "group_reporting", IGNORED, 0, 0, 0 },   { "new_group", IGNORED, 0, 0, 0 },
	{ "description", IGNORED, 0, 0, 0 },       { "filename_format", IGNORED, 0, 0, 0 },
	{ "thread", IGNORED, 0, 0, 0 },            { "randrepeat", IGNORED, 0, 0, 0 },
	{ "allrandrepeat", IGNORED, 0, 0, 0 },     { "invalidate", IGNORED, 0, 0, 0 },
	{ "fallocate", IGNORED, 0, 0, 0 },         { "create_on_open", IGNORED, 0, 0, 0 },
	{ "create_serialize", IGNORED, 0, 0, 0 },  { "create_fsync", IGNORED, 0, 0, 0 },
	{ "unlink", IGNORED, 0, 0, 0 },            { "fadvise_hint", IGNORED, 0, 0, 0 },
	{ "refill_buffers", IGNORED, 0, 0, 0 },    { "scramble_buffers", IGNORED, 0, 0, 0 },
	{ "zero_buffers", IGNORED, 0, 0, 0 },      { "buffer_compress_percentage", IGNORED, 0, 0, 0 },
	{ "mem", IGNORED, 0, 0, 0 },               { "iomem_align", IGNORED, 0, 0, 0 },
	{ "norandommap_soft", IGNORED, 0, 0, 0 },  { "disable_lat", IGNORED, 0, 0, 0 },
	{ "disable_clat", IGNORED, 0, 0, 0 },      { "disable_slat", IGNORED, 0, 0, 0 },
	{ "disable_bw_measurement", IGNORED, 0, 0, 0 }, { "gtod_reduce", IGNORED, 0, 0, 0 },
	{ "percentile_list", IGNORED, 0, 0, 0 },   { "clat_percentiles", IGNORED, 0, 0, 0 },
	{ "lat_percentiles", IGNORED, 0, 0, 0 },   { "write_bw_log", IGNORED, 0, 0, 0 },
	{ "write_lat_log", IGNORED, 0, 0, 0 },     { "write_iops_log", IGNORED, 0, 0, 0 },
	{ "log_avg_msec", IGNORED, 0, 0, 0 },      { "cpus_allowed", IGNORED, 0, 0, 0 },
	{ "cpus_allowed_policy", IGNORED, 0, 0, 0 }, { "eta", IGNORED, 0, 0, 0 },
	{ "eta_newline", IGNORED, 0, 0, 0 },       { "disk_util", IGNORED, 0, 0, 0 },
	{ "slat_percentiles", IGNORED, 0, 0, 0 },  { "write_hist_log", IGNORED, 0, 0, 0 },
	{ "log_hist_msec", IGNORED, 0, 0, 0 },     { "log_max_value", IGNORED, 0, 0, 0 },
	{ "log_unix_epoch", IGNORED, 0, 0, 0 },    { "per_job_logs", IGNORED, 0, 0, 0 },
	{ "bwavgtime", IGNORED, 0, 0, 0 },         { "iopsavgtime", IGNORED, 0, 0, 0 },
	{ "buffer_pattern", IGNORED, 0, 0, 0 },    { "dedupe_percentage", IGNORED, 0, 0, 0 },
	/* clang-format on */
};

static const char *const rw_names[] = {
	[FIO_READ] = "read",
	[FIO_WRITE] = "write",
	[FIO_TRIM] = "trim",
	[FIO_RANDREAD] = "randread",
	[FIO_RANDWRITE] = "randwrite",
	[FIO_RANDTRIM] = "randtrim",
	[FIO_RW] = "rw",
	[FIO_RANDRW] = "randrw",
};

static const struct engine {
	const char *name;
	enum fio_engine engine;
} engines[] = {
	{"sync", FIO_ENGINE_SYNC},     {"psync", FIO_ENGINE_SYNC},
	{"vsync", FIO_ENGINE_SYNC},    {"pvsync", FIO_ENGINE_SYNC},
	{"pvsync2", FIO_ENGINE_SYNC},  {"mmap", FIO_ENGINE_MMAP},
	{"libaio", FIO_ENGINE_LIBAIO}, {"io_uring", FIO_ENGINE_IO_URING},
};

struct fio_job *fio_job_new(void)
{
	struct fio_job *job = g_new0(struct fio_job, 1);

	job->rwmixread = 50;
	job->bs_bytes = 4096;
	job->numjobs = job->iodepth = job->loops = job->thinktime_blocks = 1;
	job->kb_base = 1024;
	job->ino = 1;
	job->task = 1;
	job->ignored = g_ptr_array_new_with_free_func(g_free);
	return job;
}

struct fio_job *fio_job_copy(const struct fio_job *job)
{
	struct fio_job *copy = g_memdup2(job, sizeof(*job));

	copy->name = g_strdup(job->name);
	copy->filename = g_strdup(job->filename);
	copy->where = g_strdup(job->where);
	copy->ignored = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < job->ignored->len; i++)
		g_ptr_array_add(copy->ignored, g_strdup(g_ptr_array_index(job->ignored, i)));
	return copy;
}

void fio_job_free(struct fio_job *job)
{
	if (!job)
		return;
	g_free(job->name);
	g_free(job->filename);
	g_free(job->where);
	g_ptr_array_unref(job->ignored);
	g_free(job);
}

static const struct option *find_option(const char *key)
{
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (strcmp(options[i].name, key) == 0)
			return &options[i];
	return NULL;
}

bool fio_job_has(const char *key)
{
	return find_option(key);
}

static bool is_time(const struct option *o)
{
	return o->type == SECONDS || o->type == USECONDS;
}

/* What fio would take and we do not gets its reason. */
static bool not_a_number(const struct option *o, const char *value, GError **err)
{
	const char *what = o->type == BYTES ? "number of bytes" : is_time(o) ? "time" : "number";

	if (o->type == BYTES && g_str_has_suffix(value, "%"))
		return input_fail(err,
				  "%s: %s: a share needs the size of the file or device, which is "
				  "not known here: give bytes",
				  o->name, value);
	if (o->type == BYTES && strchr(value, ','))
		return input_fail(err,
				  "%s: \"%s\" is not a number of bytes: one value for each "
				  "direction is not supported, use one job for each",
				  o->name, value);
	return input_fail(err, "%s: \"%s\" is not a %s", o->name, value, what);
}

static bool out_of_bounds(const struct option *o, const char *value, GError **err)
{
	if (is_time(o))
		return input_fail(err, "%s: %s is more than 10^17 ns (three years)", o->name,
				  value);
	return input_fail(err, "%s: %s is not within %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT,
			  o->name, value, o->min, o->max);
}

static bool set_number(struct fio_job *job, const struct option *o, const char *value, GError **err)
{
	int64_t unit_ns = o->type == SECONDS ? NSEC_PER_SEC : NSEC_PER_USEC, v;

	if (!(is_time(o) ? fio_time(value, unit_ns, &v) : fio_bytes(value, job->kb_base, &v)))
		return not_a_number(o, value, err);
	if (v < o->min || v > o->max)
		return out_of_bounds(o, value, err);
	if (o->type == ONE)
		return v == 1 ||
		       input_fail(err, "%s: %s: only one file a job is supported", o->name, value);
	*(int64_t *)(void *)((char *)job + o->offset) = o->type == REST ? 100 - v : v;
	return true;
}

static bool set_bool(struct fio_job *job, const struct option *o, const char *value, GError **err)
{
	bool *field = (bool *)((char *)job + o->offset);

	if (!value || strcmp(value, "1") == 0)
		*field = o->type == BOOL;
	else if (strcmp(value, "0") == 0)
		*field = o->type == NOT_BOOL;
	else
		return input_fail(err, "%s: \"%s\" is neither 0 nor 1", o->name, value);
	return true;
}

static bool set_rw(struct fio_job *job, const char *value, GError **err)
{
	if (strcmp(value, "readwrite") == 0)
		value = "rw";
	for (size_t i = 0; i < G_N_ELEMENTS(rw_names); i++)
		if (strcmp(value, rw_names[i]) == 0) {
			job->rw = (int64_t)i;
			return true;
		}
	return input_fail(err, "rw: \"%s\" is not read, write, trim, rw, or one of them with rand",
			  value);
}

static bool set_engine(struct fio_job *job, const char *value, GError **err)
{
	for (size_t i = 0; i < G_N_ELEMENTS(engines); i++)
		if (strcmp(value, engines[i].name) == 0) {
			job->engine = engines[i].engine;
			return true;
		}
	return input_fail(err,
			  "ioengine: \"%s\" is not modelled (sync, psync, vsync, pvsync, pvsync2, "
			  "mmap, libaio and io_uring are)",
			  value);
}

bool fio_job_set(struct fio_job *job, const char *key, const char *value, GError **err)
{
	const struct option *o = find_option(key);

	if (!o)
		return input_fail(err, "unknown option \"%s\"", key);
	if (o->type == BOOL || o->type == NOT_BOOL)
		return set_bool(job, o, value, err);
	if (o->type == IGNORED) {
		if (!g_ptr_array_find_with_equal_func(job->ignored, key, g_str_equal, NULL))
			g_ptr_array_add(job->ignored, g_strdup(key));
		return true;
	}
	if (!value || !*value)
		return input_fail(err, "%s: needs a value", key);
	if (o->type == RW)
		return set_rw(job, value, err);
	if (o->type == ENGINE)
		return set_engine(job, value, err);
	if (o->type != STRING)
		return set_number(job, o, value, err);
	char **field = (char **)(void *)((char *)job + o->offset);
	g_free(*field);
	*field = g_strdup(value);
	return true;
}

int64_t fio_job_depth(const struct fio_job *job)
{
	bool queues = job->engine == FIO_ENGINE_IO_URING ||
		      (job->engine == FIO_ENGINE_LIBAIO && job->direct);

	return queues ? job->iodepth : 1;
}

const char *fio_job_engine(const struct fio_job *job)
{
	static const char *const names[] = {
		[FIO_ENGINE_SYNC] = "a synchronous ioengine (psync is the default)",
		[FIO_ENGINE_MMAP] = "ioengine=mmap",
		[FIO_ENGINE_LIBAIO] = "ioengine=libaio without direct=1",
		[FIO_ENGINE_IO_URING] = "ioengine=io_uring",
	};

	return names[job->engine];
}

/* Why the options do not fit together; NULL = they do. */
static const char *misfit(const struct fio_job *job)
{
	if (job->kb_base != 1000 && job->kb_base != 1024)
		return "kb_base is 1000 or 1024";
	if (!job->size_bytes)
		return "size is not set";
	if (job->bs_bytes > job->size_bytes)
		return "bs is above size";
	if (job->numjobs > MAX_IN_FLIGHT / fio_job_depth(job))
		return "numjobs times iodepth is above 1048576";
	if (job->time_based && !job->runtime)
		return "time_based needs a runtime";
	if (job->filename && strchr(job->filename, ':'))
		return "filename: only one file a job";
	if (job->offset_bytes % 512 || job->bs_bytes % 512)
		return "offset and bs must be multiples of 512";
	return NULL;
}

bool fio_job_check(const struct fio_job *job, GError **err)
{
	const char *why = misfit(job);

	return !why || input_fail(err, "%s%s%s: %s", job->where ? job->where : "",
				  job->where ? ": " : "", job->name ? job->name : "job", why);
}

void fio_jobs_number(GPtrArray *jobs)
{
	g_autoptr(GHashTable) files = g_hash_table_new(g_str_hash, g_str_equal);
	uint64_t ino = 1;
	int32_t task = 1;

	for (guint i = 0; i < jobs->len; i++) {
		struct fio_job *job = g_ptr_array_index(jobs, i);
		const struct fio_job *first =
			job->filename ? g_hash_table_lookup(files, job->filename) : NULL;

		job->task = task;
		task += (int32_t)job->numjobs;
		job->ino = first ? first->ino : ino;
		if (!job->filename)
			ino += (uint64_t)job->numjobs;
		else if (!first) {
			ino++;
			g_hash_table_insert(files, job->filename, job);
		}
	}
}

/*
 * sim/cmd_calibrate_fio.c - fio's JSON results as classes of closed loops, see sim/cmd_calibrate.h.
 *
 * Of each job: bs, iodepth and numjobs of its options (or of the global ones), and of each
 * direction that did something total_ios and clat_ns.percentile.  clat holds the host's part too:
 * the simulated jobs that are compared with it do as well.
 *
 * Not used: slat, lat, bandwidth (depth / clat says the same), options that change during a run.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/cmd_calibrate.h"
#include "sim/config.h"
#include "sim/input.h"
#include "traces/fiojob_value.h"

/* Where the object begins: after a byte order mark, blanks, and what fio said ("fio: ...") when its
 * results went to the same place. */
static const char *object_text(const char *text, size_t len)
{
	const char *end = text + len;

	text += MAX(text_mark_bytes(text, len, "", NULL), 0);
	text += strspn(text, " \t\r\n");
	while (g_str_has_prefix(text, "fio: ") && memchr(text, '\n', (size_t)(end - text))) {
		text += strcspn(text, "\n");
		text += strspn(text, " \t\r\n");
	}
	return text;
}

bool calib_is_json(const char *path)
{
	g_autofree char *text = NULL;
	size_t len;

	if (!g_str_has_suffix(path, ".json"))
		return false;
	text = input_text(path, &len, NULL);
	return text && *object_text(text, len) == '{';
}

static JsonObject *object_of(JsonObject *o, const char *name)
{
	JsonNode *node = o ? json_object_get_member(o, name) : NULL;

	return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static int64_t integer_of(JsonObject *o, const char *name)
{
	JsonNode *node = o ? json_object_get_member(o, name) : NULL;

	return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : 0;
}

#define DEPTH_MAX 4096

/* Option @name of the job, else of all jobs, else @other. */
static const char *option(JsonObject *job, JsonObject *global, const char *name, const char *other)
{
	JsonObject *const from[] = {object_of(job, "job options"), global};

	for (unsigned int i = 0; i < G_N_ELEMENTS(from); i++) {
		JsonNode *node = from[i] ? json_object_get_member(from[i], name) : NULL;

		if (node && json_node_get_value_type(node) == G_TYPE_STRING)
			return json_node_get_string(node);
	}
	return other;
}

static bool G_GNUC_PRINTF(3, 4) refuse(const struct calib *c, GError **err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_autofree char *what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", c->paths[0], what);
	return false;
}

static const char *job_name(JsonObject *job)
{
	JsonNode *node = json_object_get_member(job, "jobname");

	return node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node)
								       : "(no jobname)";
}

/* Percents as names, latencies from 0 to an hour as values. */
static bool check_percentiles(const struct calib *c, JsonObject *percentiles, const char *of,
			      GError **err)
{
	g_autoptr(GList) names = json_object_get_members(percentiles);
	bool ok = true;

	for (GList *l = names; ok && l; l = l->next) {
		JsonNode *node = json_object_get_member(percentiles, l->data);
		GType type = json_node_get_value_type(node);
		char *end;
		double at = g_ascii_strtod(l->data, &end);
		int64_t ns = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_int(node)
									   : -1;

		if (*end || !(at >= 0 && at <= 100))
			ok = refuse(c, err, "%s: \"%s\": expected a percent", of, (char *)l->data);
		else if (ns < 0 || ns > 3600 * NSEC_PER_SEC)
			ok = refuse(c, err, "%s: %s: expected ns, 0 to an hour", of,
				    (char *)l->data);
	}
	return ok;
}

/* The percentile of clat at or above @ppm, in ns; 0 = none. */
static int64_t clat_at(JsonObject *percentiles, uint32_t ppm)
{
	GList *names = percentiles ? json_object_get_members(percentiles) : NULL;
	double nearest = 101, want = ppm / 1e4;
	int64_t ns = 0;

	for (GList *l = names; l; l = l->next) {
		double at = g_ascii_strtod(l->data, NULL);

		if (at < want - 1e-6 || at >= nearest)
			continue;
		nearest = at;
		ns = integer_of(percentiles, l->data);
	}
	g_list_free(names);
	return ns;
}

/* Block size and depth of the loop that @job is. */
static bool read_shape(const struct calib *c, JsonObject *job, JsonObject *global, int64_t *bytes,
		       unsigned int *depth, GError **err)
{
	static const char *const mixed[] = {"bsrange", "bssplit"};
	const char *bs = option(job, global, "bs", "4k");
	const char *iodepth = option(job, global, "iodepth", "1");
	const char *numjobs = option(job, global, "numjobs", "1");
	uint64_t deep, jobs;

	for (unsigned int i = 0; i < G_N_ELEMENTS(mixed); i++)
		if (option(job, global, mixed[i], NULL))
			return refuse(c, err, "job %s: expected a job with one bs, got %s",
				      job_name(job), mixed[i]);
	if (!fio_bytes(bs, 1024, bytes) || *bytes <= 0 || *bytes > INT32_MAX)
		return refuse(c, err, "job %s: expected a job with one bs, got bs=%s",
			      job_name(job), bs);
	if (!conf_parse_u64(iodepth, &deep, NULL) || !conf_parse_u64(numjobs, &jobs, NULL) ||
	    deep < 1 || jobs < 1 || deep > DEPTH_MAX || jobs > DEPTH_MAX / deep)
		return refuse(c, err,
			      "job %s: expected iodepth times numjobs up to %d, got iodepth=%s and "
			      "numjobs=%s",
			      job_name(job), DEPTH_MAX, iodepth, numjobs);
	*depth = (unsigned int)(deep * jobs);
	return true;
}

static bool read_quantiles(const struct calib *c, JsonObject *percentiles, const char *of,
			   struct calib_class *k, GError **err)
{
	for (unsigned int q = 0; q < Q_NR; q++) {
		k->observed[q] = clat_at(percentiles, calib_ppm[q]);
		if (q && k->observed[q] && k->observed[q] < k->observed[q - 1])
			return refuse(c, err, "%s: %s is below %s", of, calib_quantile_names[q],
				      calib_quantile_names[q - 1]);
	}
	return true;
}

static bool add_direction(struct calib *c, JsonObject *job, JsonObject *global, const char *name,
			  enum op_kind kind, GError **err)
{
	JsonObject *dir = object_of(job, name), *clat = object_of(dir, "clat_ns");
	JsonObject *percentiles = object_of(clat, "percentile");
	g_autofree char *of = g_strdup_printf("job %s: %s.clat_ns.percentile", job_name(job), name);
	int64_t bytes, n = integer_of(dir, "total_ios");
	unsigned int depth = 1;

	if (n <= 0 || !percentiles)
		return true;
	if (!read_shape(c, job, global, &bytes, &depth, err) ||
	    !check_percentiles(c, percentiles, of, err))
		return false;
	if (n > INT64_MAX / bytes)
		return refuse(c, err, "job %s: %s.total_ios: %" G_GINT64_FORMAT " is too many",
			      job_name(job), name, n);
	struct calib_class *k = calib_class(c, kind, false, bytes, depth);

	k->n += (uint64_t)n;
	k->bytes += (uint64_t)(n * bytes);
	c->largest = MAX(c->largest, bytes);
	return read_quantiles(c, percentiles, of, k, err);
}

/* What a newcomer would think went into the fit. */
static void warn_unused(const struct calib *c, JsonObject *job)
{
	if (integer_of(object_of(job, "trim"), "total_ios") > 0)
		cmd_warn("%s: job %s: trims are not used", c->paths[0], job_name(job));
	if (integer_of(object_of(job, "sync"), "total_ios") > 0)
		cmd_warn("%s: job %s: latencies of fsync are not used", c->paths[0], job_name(job));
}

static bool add_jobs(struct calib *c, JsonObject *root, GError **err)
{
	JsonNode *node = json_object_get_member(root, "jobs");
	JsonArray *jobs = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

	for (guint i = 0; jobs && i < json_array_get_length(jobs); i++) {
		JsonNode *node_of = json_array_get_element(jobs, i);
		JsonObject *global = object_of(root, "global options"), *job;

		if (!JSON_NODE_HOLDS_OBJECT(node_of))
			continue;
		job = json_node_get_object(node_of);
		if (!add_direction(c, job, global, "read", OP_BIO_READ, err) ||
		    !add_direction(c, job, global, "write", OP_BIO_WRITE, err))
			return false;
		warn_unused(c, job);
	}
	if (c->classes->len)
		return true;
	return refuse(
		c, err,
		"no job that reads or writes with clat_ns.percentile: nothing to calibrate on");
}

bool calib_read_fio(struct calib *c, GError **err)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) bad = NULL;
	size_t len;
	g_autofree char *text = input_text(c->paths[0], &len, err);
	const char *object;
	JsonNode *root;

	if (!text)
		return false;
	object = object_text(text, len);
	if (!json_parser_load_from_data(parser, object, (gssize)(text + len - object), &bad))
		return refuse(c, err, "%s", bad->message);
	root = json_parser_get_root(parser);
	c->closed = true;
	return add_jobs(c, json_node_get_object(root), err);
}

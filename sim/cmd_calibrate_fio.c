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

bool calib_is_json(const char *path)
{
	g_autofree char *text = NULL;
	size_t len;

	if (!g_str_has_suffix(path, ".json"))
		return false;
	text = input_text(path, &len, NULL);
	return text && len && text[strspn(text, " \t\r\n")] == '{';
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

static bool add_direction(struct calib *c, JsonObject *job, JsonObject *global, const char *name,
			  enum op_kind kind, GError **err)
{
	JsonObject *dir = object_of(job, name), *clat = object_of(dir, "clat_ns");
	JsonObject *percentiles = object_of(clat, "percentile");
	const char *bs = option(job, global, "bs", "4k");
	int64_t bytes, n = integer_of(dir, "total_ios");
	uint64_t depth, jobs;

	if (n <= 0 || !percentiles)
		return true;
	if (!fio_bytes(bs, 1024, &bytes) || bytes <= 0 ||
	    !conf_parse_u64(option(job, global, "iodepth", "1"), &depth, NULL) ||
	    !conf_parse_u64(option(job, global, "numjobs", "1"), &jobs, NULL) || depth < 1 ||
	    jobs < 1 || depth > DEPTH_MAX || jobs > DEPTH_MAX / depth) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: expected a job with one bs, and iodepth times numjobs up to %d, "
			    "got bs=%s",
			    c->paths[0], DEPTH_MAX, bs);
		return false;
	}
	struct calib_class *k = calib_class(c, kind, false, bytes, (unsigned int)(depth * jobs));

	k->n += (uint64_t)n;
	k->bytes += (uint64_t)(n * bytes);
	c->largest = MAX(c->largest, bytes);
	for (unsigned int q = 0; q < Q_NR; q++)
		k->observed[q] = clat_at(percentiles, calib_ppm[q]);
	return true;
}

static bool add_jobs(struct calib *c, JsonObject *root, GError **err)
{
	JsonNode *node = json_object_get_member(root, "jobs");
	JsonArray *jobs = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

	for (guint i = 0; jobs && i < json_array_get_length(jobs); i++) {
		JsonNode *job = json_array_get_element(jobs, i);
		JsonObject *global = object_of(root, "global options");

		if (!JSON_NODE_HOLDS_OBJECT(job))
			continue;
		if (!add_direction(c, json_node_get_object(job), global, "read", OP_BIO_READ,
				   err) ||
		    !add_direction(c, json_node_get_object(job), global, "write", OP_BIO_WRITE,
				   err))
			return false;
	}
	if (c->classes->len)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: no job with clat_ns.percentile: nothing to calibrate on", c->paths[0]);
	return false;
}

bool calib_read_fio(struct calib *c, GError **err)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) bad = NULL;
	size_t len;
	g_autofree char *text = input_text(c->paths[0], &len, err);
	JsonNode *root;

	if (!text)
		return false;
	if (!json_parser_load_from_data(parser, text, (gssize)len, &bad)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", c->paths[0],
			    bad->message);
		return false;
	}
	root = json_parser_get_root(parser);
	c->closed = true;
	return add_jobs(c, json_node_get_object(root), err);
}

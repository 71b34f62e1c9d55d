/*
 * sim/cmd_calibrate_read.c - latencies of a capture by class, see sim/cmd_calibrate.h.
 *
 * Block captures tell D to C.  An iolog tells only when ops were issued: the gap to the next op of
 * the log is taken as a latency, which holds for one request at a time without think time, and
 * makes the grade E.
 *
 * Memory grows with the number of classes and requests in flight, never with the capture.
 */
#include "sim/cmd_calibrate.h"
#include "sim/input.h"
#include "traces/paths.h"

const uint32_t calib_ppm[Q_NR] = {50000, 500000, 950000, 990000};
const char *const calib_quantile_names[Q_NR] = {"p5", "p50", "p95", "p99"};

void calib_init(struct calib *c)
{
	c->classes = g_array_new(FALSE, TRUE, sizeof(struct calib_class));
	c->reads.in_flight = g_array_new(FALSE, FALSE, sizeof(int64_t));
	c->writes.in_flight = g_array_new(FALSE, FALSE, sizeof(int64_t));
	c->grade = "M";
}

void calib_fini(struct calib *c)
{
	for (guint i = 0; i < c->classes->len; i++) {
		hist_fini(&g_array_index(c->classes, struct calib_class, i).hist);
		hist_fini(&g_array_index(c->classes, struct calib_class, i).run);
	}
	g_array_unref(c->classes);
	g_array_unref(c->reads.in_flight);
	g_array_unref(c->writes.in_flight);
}

static int64_t size_class(int64_t bytes)
{
	int64_t size = 512;

	while (size < bytes)
		size <<= 1;
	return bytes ? size : 0;
}

struct calib_class *calib_class(struct calib *c, enum op_kind kind, bool fua, int64_t bytes,
				unsigned int depth)
{
	struct calib_class new = {.kind = (uint8_t)kind,
				  .fua = fua,
				  .size = kind == OP_FLUSH ? 0 : size_class(bytes),
				  .depth = depth};

	for (guint i = 0; i < c->classes->len; i++) {
		struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->kind == kind && k->fua == fua && k->size == new.size && k->depth == depth)
			return k;
	}
	hist_init(&new.hist);
	hist_init(&new.run);
	g_array_append_val(c->classes, new);
	return &g_array_index(c->classes, struct calib_class, c->classes->len - 1);
}

static void load_add(struct calib_load *load, const struct op *op)
{
	GArray *flying = load->in_flight;
	guint kept = 0;

	for (guint i = 0; i < flying->len; i++)
		if (g_array_index(flying, int64_t, i) > op->time_ns)
			g_array_index(flying, int64_t, kept++) = g_array_index(flying, int64_t, i);
	g_array_set_size(flying, kept);
	g_array_append_val(flying, op->done_ns);
	load->depth_max = MAX(load->depth_max, flying->len);
	load->n++;
	load->bytes += (uint64_t)op->len;
	load->latency_ns += op->done_ns - op->time_ns;
	if (op->done_ns > load->busy_end) {
		load->busy_ns += op->done_ns - MAX(op->time_ns, load->busy_end);
		load->busy_end = op->done_ns;
	}
}

static void add(struct calib *c, enum op_kind kind, const struct op *op)
{
	struct calib_class *k = calib_class(c, kind, op->flags & OP_FUA, op->len, 0);

	k->n++;
	k->bytes += (uint64_t)op->len;
	hist_add(&k->hist, op->done_ns - op->time_ns);
	c->largest = MAX(c->largest, kind == OP_DISCARD ? 0 : op->len);
	if (kind == OP_BIO_READ)
		load_add(&c->reads, op);
	else if (kind == OP_BIO_WRITE)
		load_add(&c->writes, op);
}

/* The op of an iolog, done when the next one begins. */
static void add_gap(struct calib *c, struct op *last, const struct op *next)
{
	enum op_kind kind = last->kind == OP_READ    ? OP_BIO_READ
			    : last->kind == OP_WRITE ? OP_BIO_WRITE
			    : last->kind == OP_FSYNC ? OP_FLUSH
						     : OP_NR_KINDS;

	if (kind == OP_NR_KINDS || next->time_ns <= last->time_ns)
		return;
	last->done_ns = next->time_ns;
	add(c, kind, last);
}

static bool read_ops(struct calib *c, struct trace *t, GError **err)
{
	bool iolog = g_str_equal(trace_info(t)->format, "iolog"), first = true;
	GError *error = NULL;
	struct op op, last = {0};

	while (trace_next(t, &op, &error)) {
		if (op_class((enum op_kind)op.kind) == OP_CLASS_BLOCK && op.done_ns >= op.time_ns &&
		    !(op.flags & OP_PASSTHROUGH))
			add(c, (enum op_kind)op.kind, &op);
		if (iolog && !first)
			add_gap(c, &last, &op);
		last = op;
		first = false;
	}
	if (error)
		g_propagate_error(err, error);
	else if (iolog)
		c->grade = "E";
	return !error;
}

static void reduce(struct calib *c)
{
	for (guint i = 0; i < c->classes->len; i++) {
		struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		for (unsigned int q = 0; q < Q_NR; q++)
			k->observed[q] = hist_percentile(&k->hist, calib_ppm[q]);
	}
}

/* Captures are read again by every simulation. */
static bool spool(const struct calib *c, GError **err)
{
	g_autoptr(GPtrArray) groups = paths_group((const char *const *)c->paths, err);
	bool ok = groups != NULL;

	for (guint g = 0; ok && g < groups->len; g++) {
		char *const *files = groups->pdata[g];

		for (unsigned int i = 0; ok && files[i]; i++)
			ok = input_spool(files[i], INT64_MAX, err);
	}
	return ok;
}

bool calib_read_capture(struct calib *c, GError **err)
{
	struct trace_opts opts;
	bool ok;

	if (!capture_options_apply(&c->capture, OP_CLASS_FILE | OP_CLASS_BLOCK, &opts, err))
		return false;
	if (!spool(c, err))
		return false;
	struct trace *t = trace_open((const char *const *)c->paths, &opts, err);

	if (!t)
		return false;
	ok = read_ops(c, t, err);
	if (ok && c->classes->len) {
		cmd_warn_trace(t);
	} else if (ok) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: no request with issue and completion: nothing to calibrate on",
			    c->paths[0]);
		ok = false;
	}
	trace_close(t);
	c->closed = g_str_equal(c->grade, "E");
	for (guint i = 0; c->closed && i < c->classes->len; i++)
		g_array_index(c->classes, struct calib_class, i).depth = 1;
	reduce(c);
	return ok;
}

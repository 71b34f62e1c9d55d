/*
 * sim/cmd_calibrate_flash.c - the parameters of a flash device (models/dev_flash.h) from latencies,
 * see sim/cmd_calibrate.h.
 *
 * Start values come from quantiles: of the largest class of reads, a lognormal that begins at
 * cmd_read: its sigma from (p95 - p50) / (p50 - p5) = exp(1.645 sigma), its median read_time from
 * the width.  Then the model itself is asked: ROUNDS times the observed load is simulated, and each
 * parameter takes a step towards the quantile it carries; the best round wins.
 *
 *   cmd_read   median of the smallest reads       die_bus         how it grows with size
 *   read_time  width of the largest class         flush, FUA, discard: their medians
 *   cmd_write  median of the smallest writes      write_per_page  how it grows with size
 *   drain_rate bytes written while busy           write_buffer    median under a full queue
 *
 * What a capture cannot tell apart is not fitted: link and die_bus (one grows with size), dies,
 * stripe unit; drain_rate only where writes were SATURATED deep, else it is a lower bound.
 */
#include <math.h>

#include "sim/cmd_calibrate.h"

#define ROUNDS 14
#define MIN_CLASS 4 /* requests from which a class says something */
#define Z95 1.6448536
#define SATURATED 4 /* writes in flight on average, from which the drain is what bounds them */
#define RATE_MAX 100e9
#define SIGMA_MAX 1.5

struct flash {
	double cmd_read, read_time, read_sigma, cmd_write, write_per_page; /* ns */
	double flush_time, fua_time, discard_time;			   /* ns */
	double link_read, die_bus, drain_rate;				   /* bytes/s */
	double write_buffer;						   /* bytes */
	bool saturated;
};

/* The class of @kind with the smallest or the largest requests that has enough of them. */
static const struct calib_class *edge(const struct calib *c, enum op_kind kind, bool large)
{
	const struct calib_class *most = calib_main_class(c, kind), *found = NULL;

	for (guint i = 0; most && i < c->classes->len; i++) {
		const struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->kind != kind || k->fua ||
		    k->n < MAX(MIN(most->n, MIN_CLASS), most->n / 1000))
			continue;
		if (!found || (large ? k->size > found->size : k->size < found->size) ||
		    (k->size == found->size && k->depth < found->depth))
			found = k;
	}
	return found;
}

static double mean_bytes(const struct calib_class *k)
{
	return (double)k->bytes / (double)k->n;
}

static double busy_rate(const struct calib_load *l)
{
	return l->busy_ns ? (double)l->bytes * 1e9 / (double)l->busy_ns : 0;
}

static void start_reads(struct flash *f, const struct calib *c)
{
	const struct calib_class *k = calib_main_class(c, OP_BIO_READ);
	double p5, p50, p95;

	f->link_read = MAX(2 * busy_rate(&c->reads), 2e9);
	f->die_bus = f->link_read;
	if (!k)
		return;
	p5 = (double)k->observed[Q_P5];
	p50 = (double)k->observed[Q_P50];
	p95 = (double)k->observed[Q_P95];
	f->read_time = p50 / 2;
	if (p95 > p50) {
		f->read_sigma = p95 - p50 > p50 - p5
					? MIN(log((p95 - p50) / MAX(p50 - p5, 1)) / Z95, SIGMA_MAX)
					: 0;
		f->read_sigma = MAX(f->read_sigma, 0.05);
		f->read_time = (p95 - p50) / (exp(Z95 * f->read_sigma) - 1);
		if (f->read_time > p50) { /* cannot begin before 0 */
			f->read_time = p50;
			f->read_sigma = log(p95 / p50) / Z95;
		}
	}
	f->cmd_read = p50 - f->read_time;
}

static void start(struct flash *f, const struct calib *c)
{
	const struct calib_class *write = edge(c, OP_BIO_WRITE, false);
	const struct calib_load *w = &c->writes;

	*f = (struct flash){.cmd_write = 10e3, .write_buffer = 1 << 20, .discard_time = 20e3};
	start_reads(f, c);
	f->saturated = w->busy_ns && w->latency_ns / w->busy_ns >= SATURATED;
	f->drain_rate = f->saturated ? busy_rate(w) : MAX(4 * busy_rate(w), 1e9);
	if (write && !f->saturated)
		f->cmd_write = (double)write->observed[Q_P50];
}

static double error_p50(const struct calib_class *k)
{
	return (double)(k->observed[Q_P50] - k->simulated[Q_P50]);
}

/* @rate times @by, a factor two at most. */
static double scaled(double rate, double by)
{
	return CLAMP(rate * CLAMP(by, 0.5, 2), 1e6, RATE_MAX);
}

/* (p95 - p50) / (p50 - p5) of @quantiles, what sigma shows in. */
static double skew(const int64_t *quantiles)
{
	double up = (double)(quantiles[Q_P95] - quantiles[Q_P50]);

	return MAX(up, 1) / MAX((double)(quantiles[Q_P50] - quantiles[Q_P5]), 1);
}

static void step_width(struct flash *f, const struct calib_class *k)
{
	double seen = (double)(k->observed[Q_P95] - k->observed[Q_P50]);
	double got = (double)(k->simulated[Q_P95] - k->simulated[Q_P50]), by;

	if (seen <= 0 || got <= 0 || f->read_sigma == 0)
		return;
	by = CLAMP(sqrt(seen / got), 0.7, 1.4);
	f->cmd_read -= f->read_time * (by - 1); /* the median stays */
	f->read_time *= by;
	f->read_sigma += log(skew(k->observed) / skew(k->simulated)) / Z95 / 4;
	f->read_sigma = CLAMP(f->read_sigma, 0.02, SIGMA_MAX);
}

static void step_reads(struct flash *f, const struct calib *c)
{
	const struct calib_class *small = edge(c, OP_BIO_READ, false);
	const struct calib_class *large = edge(c, OP_BIO_READ, true);

	if (!small || !small->nr_simulated)
		return;
	step_width(f, calib_main_class(c, OP_BIO_READ));
	f->cmd_read += error_p50(small);
	if (f->cmd_read < 0) {
		f->cmd_read = 0;
		f->read_time *= CLAMP((double)small->observed[Q_P50] /
					      (double)MAX(small->simulated[Q_P50], 1),
				      0.7, 1.4);
	}
	if (large->size <= small->size)
		return;
	double seen = (double)(large->observed[Q_P50] - small->observed[Q_P50]);
	double got = (double)(large->simulated[Q_P50] - small->simulated[Q_P50]);
	double by = seen > 0 && got > 0 ? got / seen : seen > 0 ? 0.5 : 2;

	if (f->die_bus >= RATE_MAX && by > 1)
		f->link_read = scaled(f->link_read, by);
	f->die_bus = scaled(f->die_bus, by);
}

static void step_queue(struct flash *f, const struct calib *c)
{
	const struct calib_class *k = calib_main_class(c, OP_BIO_WRITE);

	if (!k || !k->nr_simulated || k->simulated[Q_P95] <= 0 || k->observed[Q_P95] <= 0)
		return;
	double by = sqrt((double)k->simulated[Q_P95] / (double)k->observed[Q_P95]);

	f->drain_rate = CLAMP(f->drain_rate * CLAMP(by, 0.8, 1.25), 1e6, RATE_MAX);
	f->write_buffer -= error_p50(k) * f->drain_rate / 1e9 / 2;
	f->write_buffer = CLAMP(f->write_buffer, 4096, 1 << 30);
}

static void step_writes(struct flash *f, const struct calib *c)
{
	const struct calib_class *small = edge(c, OP_BIO_WRITE, false);
	const struct calib_class *large = edge(c, OP_BIO_WRITE, true);

	if (f->saturated)
		step_queue(f, c);
	if (!small || !small->nr_simulated || (f->saturated && small == large))
		return;
	f->cmd_write = CLAMP(f->cmd_write + error_p50(small), 0, 99e6);
	if (f->saturated || large->size <= small->size)
		return;
	double more = error_p50(large) - error_p50(small);

	f->write_per_page += more * 4096 / (mean_bytes(large) - mean_bytes(small));
	f->write_per_page = CLAMP(f->write_per_page, 0, 1e6);
}

/* Operations with a median of their own. */
static void step_others(struct flash *f, const struct calib *c)
{
	const struct calib_class *flush = calib_main_class(c, OP_FLUSH);
	const struct calib_class *discard = calib_main_class(c, OP_DISCARD), *fua = NULL;

	for (guint i = 0; i < c->classes->len; i++) {
		const struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->fua && k->n && (!fua || k->n > fua->n))
			fua = k;
	}
	if (flush && flush->nr_simulated)
		f->flush_time = CLAMP(f->flush_time + error_p50(flush), 0, 1e9);
	else if (flush && c->closed)
		f->flush_time = (double)flush->observed[Q_P50];
	if (discard && discard->nr_simulated)
		f->discard_time = CLAMP(f->discard_time + error_p50(discard), 0, 1e9);
	if (fua && fua->nr_simulated)
		f->fua_time = CLAMP(f->fua_time + error_p50(fua), 0, 1e9);
}

/* Distance of the simulated quantiles from the observed ones: the share they are wrong by, the
 * median counting most. */
static double score(const struct calib *c)
{
	static const double weight[Q_NR] = {0.25, 1, 0.5, 0.5};
	double sum = 0;

	for (guint i = 0; i < c->classes->len; i++) {
		const struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		for (unsigned int q = 0; k->n && k->nr_simulated && q < Q_NR; q++)
			sum += sqrt((double)k->n) * weight[q] *
			       fabs(log((double)MAX(k->simulated[q], 1) /
					(double)MAX(k->observed[q], 1)));
	}
	return sum;
}

static char *ns(double value)
{
	return g_strdup_printf("%.0fns", MAX(value, 0));
}

static char *rate(double value)
{
	return g_strdup_printf("%.0fMB/s", MAX(value / 1e6, 1));
}

static void read_keys(GArray *keys, const struct flash *f, const struct calib *c)
{
	const struct calib_class *k = calib_main_class(c, OP_BIO_READ);
	char sigma[G_ASCII_DTOSTR_BUF_SIZE];

	if (!k)
		return;
	g_ascii_formatd(sigma, sizeof(sigma), "%.3f", CLAMP(f->read_sigma, 0, 2));
	calib_key_add(keys, "cmd_read", ns(f->cmd_read), "[%s] median of the smallest reads",
		      c->grade);
	calib_key_add(keys, "read_time", ns(f->read_time),
		      "[%s] width of %" G_GUINT64_FORMAT " reads", c->grade, k->n);
	calib_key_add(keys, "read_sigma", g_strdup(sigma), "[%s] their p5, p50, p95", c->grade);
	calib_key_add(keys, "die_bus", rate(f->die_bus), "[%s] reads by size",
		      edge(c, OP_BIO_READ, true)->size > edge(c, OP_BIO_READ, false)->size
			      ? c->grade
			      : "E");
	calib_key_add(keys, "link_read", rate(f->link_read),
		      "[E] twice what was read while busy, or more");
}

static void write_keys(GArray *keys, const struct flash *f, const struct calib *c)
{
	const struct calib_class *k = calib_main_class(c, OP_BIO_WRITE);

	if (!k)
		return;
	calib_key_add(keys, "cmd_write", ns(f->cmd_write), "[%s] median of the smallest writes",
		      f->saturated ? "E" : c->grade);
	calib_key_add(keys, "write_per_page", ns(f->write_per_page), "[%s] writes by size",
		      f->saturated ? "E" : c->grade);
	calib_key_add(keys, "link_write", g_strdup("20000MB/s"),
		      "[E] not told apart from write_per_page");
	if (f->saturated)
		calib_key_add(keys, "drain_rate", rate(f->drain_rate),
			      "[%s] written under a full queue", c->grade);
	else
		calib_key_add(keys, "drain_rate", rate(f->drain_rate),
			      "[E] a lower bound: the queue was never full");
	calib_key_add(keys, "write_buffer",
		      g_strdup_printf("%.0f", floor(f->write_buffer / 4096) * 4096),
		      f->saturated ? "[E] median under a full queue" : "[E] not seen");
}

static GArray *keys_of(const struct flash *f, const struct calib *c)
{
	GArray *keys = calib_keys_new();

	read_keys(keys, f, c);
	write_keys(keys, f, c);
	if (calib_main_class(c, OP_FLUSH))
		calib_key_add(keys, "flush_time", ns(f->flush_time),
			      "[%s] median of %" G_GUINT64_FORMAT, c->grade,
			      calib_main_class(c, OP_FLUSH)->n);
	for (guint i = 0; i < c->classes->len; i++)
		if (g_array_index(c->classes, struct calib_class, i).fua) {
			calib_key_add(keys, "fua_time", ns(f->fua_time), "[%s] median", c->grade);
			break;
		}
	if (calib_main_class(c, OP_DISCARD))
		calib_key_add(keys, "discard_time", ns(f->discard_time), "[%s] median", c->grade);
	return keys;
}

GArray *calib_fit_flash(struct calib *c, GError **err)
{
	struct flash f, best;
	double lowest = INFINITY;
	GArray *keys;

	start(&f, c);
	best = f;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		keys = keys_of(&f, c);
		bool ok = calib_simulate(c, keys, err);

		g_array_unref(keys);
		if (!ok)
			return NULL;
		if (score(c) < lowest) {
			lowest = score(c);
			best = f;
		}
		step_reads(&f, c);
		step_writes(&f, c);
		step_others(&f, c);
	}
	keys = keys_of(&best, c);
	if (calib_simulate(c, keys, err))
		return keys;
	g_array_unref(keys);
	return NULL;
}

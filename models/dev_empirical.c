/*
 * models/dev_empirical.c - a device known only by its latencies: each command draws one from the
 * measured distribution of its op.
 *
 * A distribution is a list of "PERCENTILE:TIME" points, such as "0:40us 50:54.3us 99:92.6us
 * 100:103us", both ascending, from 0 to 100; between points it is a straight line.  The draw is a
 * function of the request's id.  A command takes the server of `parallel` that is free first, then
 * `read_rate` or `write_rate` caps the bytes of its direction (0 = no cap): it ends no sooner than
 * its bytes have passed.  `f2sim calibrate` writes such sections.
 *
 * Not modelled: dependence of latency on size, on what runs beside, on the write buffer: the
 * points hold for the load they were measured under.
 *
 * I1  nr_held <= slots; 0 when nothing is in flight.
 */
#include "models/dev_empirical.h"

#include "models/dev_servers.h"
#include "sim/rng.h"
#include "sim/sim.h"

#define NR_OPS (REQ_OP_DISCARD + 1)
#define PPM 1000000 /* of a percentile: 100 % = 1e6 */

struct point {
	int64_t ppm, ns;
};

struct dev_empirical {
	struct model model;
	struct {
		uint64_t slots, parallel;
		char *read, *write, *flush, *discard;
		int64_t read_rate, write_rate;
		bool volatile_cache;
	} conf;
	struct {
		uint64_t nr_held;
	} stat;
	GArray *points[NR_OPS]; /* struct point, from 0 to PPM */
	uint64_t key;
	struct dev_servers servers; /* conf.parallel of them */
	ktime_t rate_end[2];	    /* read, write */
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, dev_empirical, slots, "32", "1", "1000000", "commands the device holds"),
	CONF(CONF_U64, dev_empirical, parallel, "8", "1", "4096", "commands it works on at a time"),
	CONF(CONF_STR, dev_empirical, read, "0:40us 50:54.3us 99:92.6us 100:102.5us", NULL, NULL,
	     "latency of reads by percentile [M] takeoverjp 4K reads, DEVICES.md 3.1"),
	CONF(CONF_STR, dev_empirical, write, "0:8us 50:12us 100:98us", NULL, NULL,
	     "latency of writes by percentile [M] OxDeadmeat 4K writes, DEVICES.md 3.1"),
	CONF(CONF_STR, dev_empirical, flush, "0:1ms 50:2.88ms 90:5ms 100:6.1ms", NULL, NULL,
	     "latency of flushes by percentile [M] keks, DEVICES.md 3.1"),
	CONF(CONF_STR, dev_empirical, discard, "0:20us 100:100us", NULL, NULL,
	     "latency of discards by percentile [E]"),
	CONF(CONF_RATE, dev_empirical, read_rate, "0/s", NULL, NULL, "cap on bytes read; 0 = none [E]"),
	CONF(CONF_RATE, dev_empirical, write_rate, "0/s", NULL, NULL,
	     "cap on bytes written; 0 = none [E]"),
	CONF(CONF_BOOL, dev_empirical, volatile_cache, "yes", NULL, NULL,
	     "whether flushes reach the device"),
	{ 0 }
};

static const struct stat_desc stats[] = { STAT(STAT_GAUGE, dev_empirical, nr_held), { 0 } };
/* clang-format on */

static struct dev_empirical *empirical_of(struct model *m)
{
	return container_of(m, struct dev_empirical, model);
}

/* "99.9:1.2ms" */
static bool parse_point(const char *text, struct point *p)
{
	g_auto(GStrv) part = g_strsplit(text, ":", 2);
	char *end;
	double percent;

	if (!part[0] || !part[1])
		return false;
	percent = g_ascii_strtod(part[0], &end);
	if (end == part[0] || *end || !(percent >= 0 && percent <= 100))
		return false;
	p->ppm = (int64_t)(percent * PPM / 100 + 0.5);
	return conf_parse_nsec(part[1], &p->ns, NULL) && p->ns >= 0;
}

/* Append @text to the list; false when it does not continue it upwards. */
static bool add_point(GArray *points, const char *text)
{
	const struct point *last =
		points->len ? &g_array_index(points, struct point, points->len - 1) : NULL;
	struct point p;

	if (!parse_point(text, &p) || (last ? p.ppm <= last->ppm || p.ns < last->ns : p.ppm != 0))
		return false;
	g_array_append_val(points, p);
	return true;
}

static GArray *parse_points(struct dev_empirical *d, const char *key, const char *text,
			    GError **err)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t", -1);
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct point));

	for (char **w = words; *w; w++) {
		if (!**w || add_point(points, *w))
			continue;
		config_error(d->model.sim->config, "device", key, err,
			     "\"%s\": expected PERCENTILE:TIME, both ascending, from 0", *w);
		return NULL;
	}
	if (points->len < 2 || g_array_index(points, struct point, points->len - 1).ppm != PPM) {
		config_error(d->model.sim->config, "device", key, err,
			     "expected points from 0 to 100 percent");
		return NULL;
	}
	return g_steal_pointer(&points);
}

static void empirical_fini(struct model *m)
{
	struct dev_empirical *d = empirical_of(m);

	for (unsigned int op = 0; op < NR_OPS; op++)
		g_clear_pointer(&d->points[op], g_array_unref);
	dev_servers_fini(&d->servers);
}

static bool empirical_init(struct model *m, GError **err)
{
	struct dev_empirical *d = empirical_of(m);
	const struct {
		const char *key, *text;
	} lists[NR_OPS] = {[REQ_OP_READ] = {"read", d->conf.read},
			   [REQ_OP_WRITE] = {"write", d->conf.write},
			   [REQ_OP_FLUSH] = {"flush", d->conf.flush},
			   [REQ_OP_DISCARD] = {"discard", d->conf.discard}};

	d->key = rng_key(m->sim->conf.seed, "dev_empirical");
	dev_servers_init(&d->servers, d->conf.parallel);
	for (unsigned int op = 0; op < NR_OPS; op++) {
		d->points[op] = parse_points(d, lists[op].key, lists[op].text, err);
		if (!d->points[op]) {
			empirical_fini(m); /* nobody else does after a failed init */
			return false;
		}
	}
	return true;
}

static void empirical_check(const struct model *m)
{
	const struct dev_empirical *d = container_of(m, const struct dev_empirical, model);

	assert(d->stat.nr_held <= d->conf.slots); /* I1 */
}

static void empirical_check_idle(const struct model *m)
{
	assert(!container_of(m, const struct dev_empirical, model)->stat.nr_held);
}

static void empirical_done(struct event *ev)
{
	struct request *rq = container_of(ev, struct request, ev);

	empirical_of(rq->dev)->stat.nr_held--;
	rq->complete(rq);
}

/* The distribution at @bits: 32 of them choose the place, in units of 2^-32. */
static ktime_t draw(const GArray *points, uint64_t bits)
{
	int64_t at = (int64_t)((bits >> 32) * PPM >> 16); /* ppm, 16 more bits */
	guint i = 1;

	while (at > g_array_index(points, struct point, i).ppm << 16)
		i++;
	const struct point *a = &g_array_index(points, struct point, i - 1);
	const struct point *b = &g_array_index(points, struct point, i);
	__int128 rise = (__int128)(b->ns - a->ns) * (at - (a->ppm << 16));

	return a->ns + (ktime_t)(rise / ((b->ppm - a->ppm) << 16));
}

/* When the bytes of @rq have passed the cap of its direction. */
static ktime_t pass_cap(struct dev_empirical *d, const struct request *rq)
{
	bool write = rq->op != REQ_OP_READ;
	int64_t rate = write ? d->conf.write_rate : d->conf.read_rate;

	if (!rate || rq->op == REQ_OP_FLUSH || rq->op == REQ_OP_DISCARD)
		return 0;
	d->rate_end[write] =
		MAX(d->model.sim->now, d->rate_end[write]) + dev_transfer_ns(rq->size_bytes, rate);
	return d->rate_end[write];
}

static void empirical_submit(struct model *m, struct request *rq)
{
	struct dev_empirical *d = empirical_of(m);
	ktime_t ns = draw(d->points[rq->op], rng_hash(d->key, rq->id));
	ktime_t end = dev_servers_take(&d->servers, m->sim->now, ns);
	ktime_t passed = pass_cap(d, rq);

	assert(d->stat.nr_held < d->conf.slots);
	d->stat.nr_held++;
	rq->ev.fn = empirical_done;
	sim_at(m->sim, &rq->ev, MAX(end, passed));
}

static unsigned int empirical_slots(const struct model *m)
{
	return (unsigned int)container_of(m, const struct dev_empirical, model)->conf.slots;
}

static bool empirical_volatile_cache(const struct model *m)
{
	return container_of(m, const struct dev_empirical, model)->conf.volatile_cache;
}

static bool empirical_fua(const struct model *m)
{
	(void)m;
	return true;
}

const struct dev_ops dev_empirical = {
	.model = {.name = "dev_empirical",
		  .section = "device",
		  .choice = "empirical",
		  .source = "measured D-to-C latencies",
		  .size = sizeof(struct dev_empirical),
		  .keys = keys,
		  .stats = stats,
		  .init = empirical_init,
		  .check = empirical_check,
		  .check_idle = empirical_check_idle,
		  .fini = empirical_fini},
	.submit = empirical_submit,
	.slots = empirical_slots,
	.volatile_cache = empirical_volatile_cache,
	.fua = empirical_fua,
};

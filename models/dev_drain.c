/*
 * models/dev_drain.c - see models/dev_drain.h (DEVICES.md 5.4, MODELING.md 1.4).
 *
 * The rate of window w (w = time / window_ns) is rate * X(w), X lognormal with mean 1, drawn by
 * rng_hash(key, w): a property of the window, whoever asks and in whatever order.  A backlog is
 * integrated window by window, forward to find the end and backward to find when the buffer had
 * room.  With sigma 0 both are one division.
 *
 * DEVIATION: going backward over the moment the fast space ran out, the rate of now is used for
 * both sides; it misplaces the room of one buffer load once per cliff.
 *
 * I1  0 <= wb_left <= wb_bytes.
 */
#include "models/dev_drain.h"

#include <glib.h>
#include <math.h>

#include "models/dev.h"

static int64_t transferred(ktime_t ns, int64_t rate)
{
	return (int64_t)((__int128)ns * rate / NSEC_PER_SEC);
}

void drain_init(struct drain *d, const struct drain_conf *conf, uint64_t seed)
{
	double median = exp(-conf->sigma * conf->sigma / 2); /* of a lognormal with mean 1 */

	assert(conf->rate > 0 && conf->tlc_rate > 0 && conf->window_ns > 0);
	*d = (struct drain){.conf = *conf, .key = rng_key(seed, "dev_drain")};
	d->conf.rate = MAX(1, llround((double)conf->rate * median));
	d->conf.tlc_rate = MAX(1, llround((double)conf->tlc_rate * median));
	d->wb_left = conf->wb_bytes;
	if (conf->sigma > 0)
		lognormal_init(&d->spread, conf->sigma);
}

static int64_t window_rate(const struct drain *d, int64_t rate, int64_t window)
{
	uint64_t bits = rng_hash(d->key, (uint64_t)window);

	return MAX(1, lognormal_scale(&d->spread, bits, rate));
}

/* When @bytes are drained that the server begins with at @start. */
static ktime_t drain_forward(const struct drain *d, int64_t rate, ktime_t start, int64_t bytes)
{
	if (d->conf.sigma <= 0)
		return start + dev_transfer_ns(bytes, rate);
	for (int64_t w = start / d->conf.window_ns;; w++) {
		int64_t now_rate = window_rate(d, rate, w);
		ktime_t left = (w + 1) * d->conf.window_ns - start;
		int64_t can = transferred(left, now_rate);

		if (bytes <= can)
			return start + dev_transfer_ns(bytes, now_rate);
		bytes -= can;
		start += left;
	}
}

/* When the server must have begun to be done with @bytes at @end. */
static ktime_t drain_backward(const struct drain *d, int64_t rate, ktime_t end, int64_t bytes)
{
	if (d->conf.sigma <= 0)
		return end - dev_transfer_ns(bytes, rate);
	for (int64_t w = (end - 1) / d->conf.window_ns; end > 0; w--) {
		int64_t now_rate = window_rate(d, rate, w);
		ktime_t left = end - w * d->conf.window_ns;
		int64_t can = transferred(left, now_rate);

		if (bytes <= can)
			return end - dev_transfer_ns(bytes, now_rate);
		bytes -= can;
		end -= left;
	}
	return 0;
}

/* Fast space comes back while the drain had nothing to do. */
static void refill(struct drain *d, ktime_t start)
{
	int64_t gained = transferred(MAX(0, start - d->end), d->conf.refill_rate);

	d->wb_left = MIN(d->conf.wb_bytes, d->wb_left + gained);
}

ktime_t drain_add(struct drain *d, ktime_t start, int64_t bytes)
{
	int64_t fast = bytes;

	assert(bytes >= 0 && start >= 0);
	if (d->conf.wb_bytes > 0) {
		refill(d, start);
		fast = MIN(bytes, d->wb_left);
		d->wb_left -= fast;
	}
	d->end = drain_forward(d, d->conf.rate, MAX(d->end, start), fast);
	if (fast < bytes)
		d->end = drain_forward(d, d->conf.tlc_rate, d->end, bytes - fast);
	assert(d->wb_left >= 0 && d->wb_left <= d->conf.wb_bytes); /* I1 */
	return d->end;
}

static int64_t current_rate(const struct drain *d)
{
	return d->conf.wb_bytes > 0 && d->wb_left == 0 ? d->conf.tlc_rate : d->conf.rate;
}

ktime_t drain_backlog_below(const struct drain *d, int64_t bytes)
{
	return drain_backward(d, current_rate(d), d->end, bytes);
}

ktime_t drain_ahead(const struct drain *d, ktime_t now, int64_t bytes)
{
	ktime_t then = drain_forward(d, current_rate(d), now, bytes);

	return MIN(d->end, then);
}

void drain_delay(struct drain *d, ktime_t now, ktime_t ns)
{
	assert(ns >= 0);
	if (d->end > now)
		d->end += ns;
}

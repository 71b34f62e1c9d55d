/*
 * sim/cmd_calibrate_fit.c - the device sections that need no steps: empirical and fixed, and the
 * keys of all; see sim/cmd_calibrate.h.
 *
 * empirical takes the observed distribution of each operation as it is.  Its latencies hold the
 * waiting in the device already, so it works on more commands at a time than were ever seen there:
 * none waits again.
 */
#include "sim/cmd_calibrate.h"

#include <stdarg.h>
#include <string.h>

static void key_clear(gpointer p)
{
	struct calib_key *k = p;

	g_free(k->value);
	g_free(k->why);
}

GArray *calib_keys_new(void)
{
	GArray *keys = g_array_new(FALSE, FALSE, sizeof(struct calib_key));

	g_array_set_clear_func(keys, key_clear);
	return keys;
}

void calib_key_add(GArray *keys, const char *name, char *value, const char *why, ...)
{
	struct calib_key *k;
	va_list args;

	g_array_set_size(keys, keys->len + 1);
	k = &g_array_index(keys, struct calib_key, keys->len - 1);
	k->name = name;
	k->value = value;
	va_start(args, why);
	k->why = g_strdup_vprintf(why, args);
	va_end(args);
}

const struct calib_class *calib_main_class(const struct calib *c, enum op_kind kind)
{
	const struct calib_class *most = NULL;

	for (guint i = 0; i < c->classes->len; i++) {
		const struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->kind == kind && !k->fua && k->n && (!most || k->n > most->n))
			most = k;
	}
	return most;
}

static unsigned int depth_max(const struct calib *c)
{
	unsigned int depth = MAX(c->reads.depth_max, c->writes.depth_max);

	for (guint i = 0; i < c->classes->len; i++)
		depth = MAX(depth, g_array_index(c->classes, struct calib_class, i).depth);
	return CLAMP(depth, 1, 4096);
}

static void add_point(GString *text, double percent, int64_t ns)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(number, sizeof(number), "%g", percent);
	g_string_append_printf(text, "%s%s:%" G_GINT64_FORMAT "ns", text->len ? " " : "", number,
			       ns);
}

/* "PERCENT:TIME ..." of all requests of @kind; NULL: there were none. */
static char *points(const struct calib *c, enum op_kind kind, uint64_t *n)
{
	static const double percents[] = {0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 100};
	const struct calib_class *most = calib_main_class(c, kind);
	GString *text = g_string_new(NULL);
	struct hist all;

	hist_init(&all);
	*n = 0;
	for (guint i = 0; i < c->classes->len; i++) {
		const struct calib_class *k = &g_array_index(c->classes, struct calib_class, i);

		if (k->kind != kind)
			continue;
		*n += k->n;
		hist_merge(&all, &k->hist);
	}
	for (unsigned int i = 0; all.count && i < G_N_ELEMENTS(percents); i++)
		add_point(text, percents[i],
			  hist_percentile(&all, (uint32_t)(percents[i] * 10000 + 0.5)));
	if (!all.count && most) { /* quantiles only */
		add_point(text, 0, most->observed[Q_P5]);
		for (unsigned int q = 0; q < Q_NR; q++)
			add_point(text, calib_ppm[q] / 1e4, most->observed[q]);
		add_point(text, 100, most->observed[Q_P99]);
	}
	hist_fini(&all);
	return g_string_free(text, text->len == 0);
}

static GArray *fit_empirical(const struct calib *c)
{
	static const struct {
		const char *key;
		enum op_kind kind;
	} ops[] = {{"read", OP_BIO_READ},
		   {"write", OP_BIO_WRITE},
		   {"flush", OP_FLUSH},
		   {"discard", OP_DISCARD}};
	GArray *keys = calib_keys_new();
	unsigned int parallel = MIN(4 * depth_max(c), 4096);

	calib_key_add(keys, "slots", g_strdup_printf("%u", MAX(parallel, 32)),
		      "[E] as parallel, 32 at least");
	calib_key_add(keys, "parallel", g_strdup_printf("%u", parallel),
		      "[E] four times what was in flight: latencies hold their waiting already");
	for (unsigned int i = 0; i < G_N_ELEMENTS(ops); i++) {
		uint64_t n;
		char *text = points(c, ops[i].kind, &n);

		if (text)
			calib_key_add(keys, ops[i].key, text, "[%s] %" G_GUINT64_FORMAT " requests",
				      c->grade, n);
	}
	return keys;
}

static GArray *fit_fixed(const struct calib *c)
{
	static const struct {
		const char *key;
		enum op_kind kind;
	} ops[] = {{"read_time", OP_BIO_READ},
		   {"write_time", OP_BIO_WRITE},
		   {"flush_time", OP_FLUSH},
		   {"discard_time", OP_DISCARD}};
	GArray *keys = calib_keys_new();
	unsigned int depth = depth_max(c);

	calib_key_add(keys, "slots", g_strdup_printf("%u", MAX(depth, 32)),
		      "[E] what was in flight, and 32 at least");
	calib_key_add(keys, "parallel", g_strdup_printf("%u", depth), "[%s] in flight at a time",
		      c->grade);
	for (unsigned int i = 0; i < G_N_ELEMENTS(ops); i++) {
		const struct calib_class *k = calib_main_class(c, ops[i].kind);

		if (k)
			calib_key_add(keys, ops[i].key,
				      g_strdup_printf("%" G_GINT64_FORMAT "ns", k->observed[Q_P50]),
				      "[%s] median of %" G_GUINT64_FORMAT " requests", c->grade,
				      k->n);
	}
	return keys;
}

GArray *calib_fit(struct calib *c, GError **err)
{
	GArray *keys;

	if (g_str_equal(c->model, "nvme") || g_str_equal(c->model, "ufs"))
		return calib_fit_flash(c, err);
	keys = g_str_equal(c->model, "fixed") ? fit_fixed(c) : fit_empirical(c);
	if (calib_simulate(c, keys, err))
		return keys;
	g_array_unref(keys);
	return NULL;
}

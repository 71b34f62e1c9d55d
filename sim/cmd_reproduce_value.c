/*
 * sim/cmd_reproduce_value.c - see sim/cmd_reproduce_value.h.
 */
#include "sim/cmd_reproduce_value.h"

#include <math.h>
#include <string.h>

#include "sim/cmd_reproduce_function.h"
#include "traces/field.h"

#define PAGE_BYTES 4096.0
#define MAX_PARTS 10000u

static void clear_term(void *p)
{
	g_free(((struct term *)p)->column);
}

/* clang-format off */
static const struct {
	enum dimension dimension;
	const char *unit;
	double factor;
} units[] = {
	{ BYTES_PER_S, "bytes/s", 1 },    { BYTES_PER_S, "KiB/s", 1.0 / 1024 },
	{ BYTES_PER_S, "kB/s", 1e-3 },    { BYTES_PER_S, "MiB/s", 1.0 / 1048576 },
	{ BYTES_PER_S, "MB/s", 1e-6 },    { BYTES_PER_S, "GiB/s", 1.0 / 1073741824 },
	{ BYTES_PER_S, "GB/s", 1e-9 },
	{ BYTES, "bytes", 1 },            { BYTES, "MiB", 1.0 / 1048576 },
	{ BYTES, "MB", 1e-6 },
	{ FRACTION, "fraction", 1 },      { FRACTION, "%", 100 },
	{ TIME_NS, "ns", 1 },             { TIME_NS, "us", 1e-3 },
	{ TIME_NS, "ms", 1e-6 },          { TIME_NS, "s", 1e-9 },
	{ LEVEL, "pages", 1 },            { LEVEL, "count", 1 },
	{ LEVEL, "bytes", PAGE_BYTES },   { LEVEL, "KiB", PAGE_BYTES / 1024 },
	{ LEVEL, "MiB", PAGE_BYTES / 1048576 }, { LEVEL, "MB", PAGE_BYTES * 1e-6 },
	{ LEVEL_PER_S, "pages/s", 1 },    { LEVEL_PER_S, "MiB/s", PAGE_BYTES / 1048576 },
	{ LEVEL_PER_S, "MB/s", PAGE_BYTES * 1e-6 },
};
/* clang-format on */

double value_scale(const struct value_def *def, const char *unit)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(units); i++)
		if (units[i].dimension == def->function->dimension &&
		    g_str_equal(units[i].unit, unit))
			return units[i].factor;
	return NAN;
}

/* One "8*model.counter". */
static bool parse_term(GArray *sum, const char *word, double sign, GError **err)
{
	const char *star = strchr(word, '*');
	g_autofree char *factor = star ? g_strndup(word, (gsize)(star - word)) : g_strdup("1");
	char *end;
	struct term t = {.column = g_strdup(star ? star + 1 : word)};

	t.io_pages = g_str_equal(factor, "io_pages");
	t.factor = sign * (t.io_pages ? 1 : g_ascii_strtod(factor, &end));
	g_array_append_val(sum, t); /* frees the column from now on */
	if (!t.io_pages && (!*factor || *end || !isfinite(t.factor)))
		return input_fail(err, "%s: expected a number or io_pages before the *", word);
	if (!strchr(t.column, '.'))
		return input_fail(err, "%s: expected a column of series.csv, model.counter", word);
	return true;
}

/* Words up to a "|" or the end; *@word moves behind them. */
static GArray *parse_sum(char ***word, GError **err)
{
	GArray *sum = g_array_new(FALSE, FALSE, sizeof(struct term));
	double sign = 1;
	bool ok = true, wanted = true; /* a column, no sign */

	g_array_set_clear_func(sum, clear_term);
	for (; ok && **word && !g_str_equal(**word, "|"); ++*word) {
		if (wanted)
			ok = parse_term(sum, **word, sign, err);
		else if (!g_str_equal(**word, "+") && !g_str_equal(**word, "-"))
			ok = input_fail(err, "%s: expected + or - between two columns", **word);
		sign = g_str_equal(**word, "-") ? -1 : 1;
		wanted = !wanted;
	}
	if (ok && wanted)
		ok = input_fail(err, "expected a column of series.csv, model.counter");
	if (ok)
		return sum;
	g_array_unref(sum);
	return NULL;
}

static bool parse_dir(struct value_def *def, char ***word, GError **err)
{
	for (unsigned int dir = 0; **word && dir < JOB_NR_DIRS; dir++)
		if (g_str_equal(**word, job_dir_name((enum job_dir)dir))) {
			def->dir = (enum job_dir)dir;
			++*word;
			return true;
		}
	return input_fail(err, "expected %s read, write, sync or trim", def->function->name);
}

static bool parse_parts(struct value_def *def, char ***word, GError **err)
{
	char *end = NULL;
	uint64_t n = **word ? g_ascii_strtoull(**word, &end, 10) : 0;

	if (n < 1 || n > MAX_PARTS || *end)
		return input_fail(err, "expected %s and a number of parts, 1 to %u",
				  def->function->name, MAX_PARTS);
	def->parts = (unsigned int)n;
	++*word;
	return true;
}

static bool parse_arguments(struct value_def *def, char **word, GError **err)
{
	for (const char *a = def->function->arguments; *a; a++) {
		bool ok;

		if (*a == 'l' && (!*word || !g_str_equal(*word++, "|")))
			return input_fail(err, "expected %s SUM | SUM", def->function->name);
		if (*a == 'd')
			ok = parse_dir(def, &word, err);
		else if (*a == 'n')
			ok = parse_parts(def, &word, err);
		else if (*a == 's')
			ok = (def->sum = parse_sum(&word, err)) != NULL;
		else
			ok = (def->limit = parse_sum(&word, err)) != NULL;
		if (!ok)
			return false;
	}
	return !*word || input_fail(err, "%s: nothing is expected here", *word);
}

struct value_def *value_parse(const char *text, GError **err)
{
	g_autofree char *tidy = g_strdup(text);
	g_auto(GStrv) words = g_strsplit_set(g_strstrip(tidy), " \t", -1);
	g_autofree char **word = g_new0(char *, g_strv_length(words) + 1);
	struct value_def *def = g_new0(struct value_def, 1);

	for (unsigned int i = 0, n = 0; words[i]; i++)
		if (*words[i])
			word[n++] = words[i];
	def->function = function_find(word[0]);
	if (!def->function)
		input_fail(
			err,
			"%s: expected throughput, bytes, late, lag_max, mean, max, final, growth, "
			"share, share_max, share_busy, share_until or rate_spread",
			word[0] ? word[0] : "nothing");
	else if (parse_arguments(def, word + 1, err))
		return def;
	value_free(def);
	return NULL;
}

void value_free(struct value_def *def)
{
	if (!def)
		return;
	if (def->sum)
		g_array_unref(def->sum);
	if (def->limit)
		g_array_unref(def->limit);
	g_free(def);
}

static bool find_columns(GArray *sum, const struct series *s, char **missing)
{
	for (unsigned int i = 0; sum && i < sum->len; i++) {
		struct term *t = &g_array_index(sum, struct term, i);

		t->at = series_column(s, t->column);
		if (t->at < 0) {
			*missing = g_strdup_printf("%s is not modelled", t->column);
			return false;
		}
	}
	return true;
}

/* From the first issue to the last completion of reads and writes; a final fsync is after it. */
static void find_window(struct window *w, const struct report *r)
{
	w->from = KTIME_MAX;
	w->to = 0;
	for (unsigned int i = 0; i < r->nr_jobs; i++)
		for (unsigned int dir = 0; dir < JOB_NR_DIRS; dir++) {
			if (!r->jobs[i].dir[dir].ios || dir == JOB_SYNC)
				continue;
			w->from = MIN(w->from, r->jobs[i].dir[dir].first_ns);
			w->to = MAX(w->to, r->jobs[i].dir[dir].last_ns);
		}
}

double value_of(const struct value_def *def, const struct report *report, int64_t io_bytes,
		char **missing)
{
	struct window w = {.series = report->sim->series,
			   .io_pages = (double)io_bytes / PAGE_BYTES};
	double value;

	*missing = NULL;
	if (!find_columns(def->sum, w.series, missing) ||
	    !find_columns(def->limit, w.series, missing))
		return NAN;
	find_window(&w, report);
	value = def->function->job ? def->function->job(def, report)
				   : def->function->series(def, &w);
	if (!isfinite(value)) {
		*missing = g_strdup("the run shows nothing of it");
		value = NAN;
	}
	return value;
}

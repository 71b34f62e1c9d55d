/*
 * sim/cmd_reproduce_table.c - see sim/cmd_reproduce_table.h.
 */
#include "sim/cmd_reproduce_table.h"

#include <math.h>
#include <string.h>

#include "sim/config.h"
#include "sim/input.h"
#include "sim/op.h"

#define HEAD "experiment,metric,io_bytes,variant,unit,stat,value"

#define SIZE_MIN_BYTES 512 /* of a call, as fio's bs is bounded */
#define SIZE_MAX_BYTES (INT64_C(1) << 31)

enum { EXPERIMENT, METRIC, IO_BYTES, VARIANT, UNIT, STAT, VALUE, NR_FIELDS };

static void row_free(void *p)
{
	struct table_row *r = p;

	g_free(r->experiment);
	g_free(r->metric);
	g_free(r->variant);
	g_free(r->unit);
	g_free(r->stat);
	g_free(r->text);
	g_free(r);
}

void table_free(struct table *t)
{
	if (!t)
		return;
	g_ptr_array_unref(t->rows);
	g_free(t->path);
	g_free(t);
}

static bool G_GNUC_PRINTF(4, 5)
	refuse(const struct table *t, unsigned int line, GError **err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_autofree char *what = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s:%u: %s", t->path, line, what);
	return false;
}

/* Is @stat a letter of @letters and a number? */
static bool is_repeat(const char *stat, unsigned int *index)
{
	char *end;
	uint64_t n;

	if (!strchr("rst", *stat) || !g_ascii_isdigit(stat[1]))
		return false;
	n = g_ascii_strtoull(stat + 1, &end, 10);
	*index = (unsigned int)MIN(n, UINT32_MAX);
	return !*end && n < UINT32_MAX;
}

static bool parse_stat(struct table_row *r)
{
	static const struct {
		const char *name;
		enum table_stat kind;
	} stats[] = {
		{"mean", TABLE_VALUE},		{"median", TABLE_VALUE}, {"single", TABLE_VALUE},
		{"paired_median", TABLE_VALUE}, {"about", TABLE_VALUE},	 {"exact", TABLE_VALUE},
		{"derived", TABLE_VALUE},	{"low", TABLE_LOW},	 {"high", TABLE_HIGH},
		{"list", TABLE_LIST},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(stats); i++)
		if (g_str_equal(stats[i].name, r->stat)) {
			r->kind = stats[i].kind;
			return true;
		}
	r->kind = TABLE_REPEAT;
	return is_repeat(r->stat, &r->index);
}

static bool parse_size(const char *text, int64_t *bytes)
{
	char *end;

	*bytes = -1;
	if (!*text)
		return true;
	*bytes = g_ascii_strtoll(text, &end, 10);
	return g_ascii_isdigit(*text) && !*end && *bytes >= SIZE_MIN_BYTES &&
	       *bytes <= SIZE_MAX_BYTES;
}

static bool parse_value(struct table_row *r)
{
	char *end;

	if (r->kind == TABLE_LIST)
		return *r->text;
	r->value = g_ascii_strtod(r->text, &end);
	return *r->text && !*end && isfinite(r->value) && r->value >= 0;
}

/* The fields of @line into @r; what does not parse is refused. */
static bool parse_fields(const struct table *t, struct table_row *r, char **field, GError **err)
{
	r->experiment = g_strdup(field[EXPERIMENT]);
	r->metric = g_strdup(field[METRIC]);
	r->variant = g_strdup(field[VARIANT]);
	r->unit = g_strdup(field[UNIT]);
	r->stat = g_strdup(field[STAT]);
	r->text = g_strdup(field[VALUE]);
	if (!*r->experiment || !*r->metric || !*r->variant)
		return refuse(t, r->line, err, "experiment, metric and variant must be given");
	if (!parse_size(field[IO_BYTES], &r->io_bytes))
		return refuse(t, r->line, err,
			      "io_bytes %s: expected %d to %" G_GINT64_FORMAT " bytes, or nothing",
			      field[IO_BYTES], SIZE_MIN_BYTES, SIZE_MAX_BYTES);
	if (!parse_stat(r))
		return refuse(
			t, r->line, err,
			"stat %s: expected mean, median, single, paired_median, about, exact, "
			"derived, low, high, list, or r, s or t and a number",
			r->stat);
	if (!parse_value(r))
		return refuse(t, r->line, err, "value %s: expected a number, 0 or more", r->text);
	return true;
}

static bool parse_row(struct table *t, const char *line, unsigned int nr, GError **err)
{
	g_auto(GStrv) field = g_strsplit(line, ",", -1);
	struct table_row *r;

	if (g_strv_length(field) != NR_FIELDS)
		return refuse(t, nr, err, "%u fields, expected the 7 of " HEAD,
			      g_strv_length(field));
	for (unsigned int i = 0; i < NR_FIELDS; i++)
		g_strstrip(field[i]);
	r = g_new0(struct table_row, 1);
	r->line = nr;
	g_ptr_array_add(t->rows, r);
	return parse_fields(t, r, field, err);
}

static bool same_row(const struct table_row *a, const struct table_row *b)
{
	bool both = a->kind == TABLE_VALUE && b->kind == TABLE_VALUE;

	return a->io_bytes == b->io_bytes && (both || g_str_equal(a->stat, b->stat)) &&
	       g_str_equal(a->metric, b->metric) && g_str_equal(a->variant, b->variant) &&
	       g_str_equal(a->experiment, b->experiment);
}

static bool refuse_twice(const struct table *t, GError **err)
{
	for (unsigned int i = 0; i < t->rows->len; i++)
		for (unsigned int j = 0; j < i; j++) {
			const struct table_row *a = t->rows->pdata[j], *b = t->rows->pdata[i];

			if (same_row(a, b))
				return refuse(t, b->line, err,
					      "%s of %s is given before, in line %u", b->stat,
					      b->metric, a->line);
		}
	return true;
}

static bool parse_text(struct table *t, char *text, GError **err)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool head = false;

	for (unsigned int i = 0; lines[i]; i++) {
		const char *line = g_strstrip(lines[i]);

		if (!*line || *line == '#')
			continue;
		if (!head && !g_str_equal(line, HEAD))
			return refuse(t, i + 1, err, "expected the columns " HEAD);
		if (head && !parse_row(t, line, i + 1, err))
			return false;
		head = true;
	}
	if (t->rows->len)
		return refuse_twice(t, err);
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "%s: holds no figures, expected lines of %s", t->path, HEAD);
	return false;
}

struct table *table_read(const char *path, GError **err)
{
	size_t len;
	g_autofree char *text = input_text(path, &len, err);
	int mark = text ? text_mark_bytes(text, len, path, err) : -1;
	struct table *t;

	if (mark < 0)
		return NULL;
	t = g_new0(struct table, 1);
	t->path = g_strdup(path);
	t->rows = g_ptr_array_new_with_free_func(row_free);
	if (parse_text(t, text + mark, err))
		return t;
	table_free(t);
	return NULL;
}

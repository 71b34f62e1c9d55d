/*
 * sim/cmd_reproduce_parse.c - see sim/cmd_reproduce_parse.h.
 */
#include "sim/cmd_reproduce_parse.h"

#include <math.h>
#include <string.h>

char **repro_split(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ";", -1);
	GPtrArray *kept = g_ptr_array_new();

	for (unsigned int i = 0; parts[i]; i++)
		if (*g_strstrip(parts[i]))
			g_ptr_array_add(kept, g_strdup(parts[i]));
	g_ptr_array_add(kept, NULL);
	return (char **)g_ptr_array_free(kept, FALSE);
}

/* The words of @text; returns new. */
static char **words(const char *text)
{
	g_autofree char *tidy = g_strdup(text);

	g_strdelimit(tidy, "\t,", ' ');
	g_auto(GStrv) parts = g_strsplit(tidy, " ", -1);
	GPtrArray *kept = g_ptr_array_new();

	for (unsigned int i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(kept, g_strdup(parts[i]));
	g_ptr_array_add(kept, NULL);
	return (char **)g_ptr_array_free(kept, FALSE);
}

static bool parse_number(const char *text, const char *tail, double *value)
{
	char *end;

	*value = g_ascii_strtod(text, &end);
	return end != text && g_str_equal(end, tail) && isfinite(*value);
}

static void clear_gate(void *p)
{
	g_free(((struct repro_gate *)p)->variant);
}

static bool parse_gates(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	g_auto(GStrv) parts = words(m->conf.gate);

	m->gates = g_array_new(FALSE, FALSE, sizeof(struct repro_gate));
	g_array_set_clear_func(m->gates, clear_gate);
	for (unsigned int i = 0; parts[i]; i++) {
		const char *colon = strrchr(parts[i], ':');
		struct repro_gate gate = {0};

		if (!parse_number(colon ? colon + 1 : parts[i], "%", &gate.percent) ||
		    gate.percent < 0) {
			config_error(s->config, m->section, "gate", err,
				     "%s: expected 12%% or VARIANT:12%%", parts[i]);
			return false;
		}
		gate.variant = colon ? g_strndup(parts[i], (gsize)(colon - parts[i])) : NULL;
		g_array_append_val(m->gates, gate);
	}
	return true;
}

static bool parse_index(const char *text, unsigned int *index)
{
	double value;

	if (!parse_number(text, "", &value) || value < 0 || value > 1e6)
		return false;
	*index = (unsigned int)value;
	return true;
}

static bool parse_published_words(struct repro_published *p, char **word, unsigned int n)
{
	p->low = p->high = NAN;
	if (n == 1 && g_str_equal(word[0], "cell")) {
		p->how = PUBLISHED_CELL;
		return true;
	}
	if (n == 2 && (g_str_equal(word[0], "low") || g_str_equal(word[0], "high"))) {
		p->how = PUBLISHED_BOUND;
		return parse_number(word[1], "", *word[0] == 'l' ? &p->low : &p->high);
	}
	if (n != 4 || strlen(word[1]) != 1)
		return false;
	p->how = g_str_equal(word[0], "mean") ? PUBLISHED_MEAN : PUBLISHED_SPREAD;
	p->letter = *word[1];
	return (p->how == PUBLISHED_MEAN || g_str_equal(word[0], "spread")) &&
	       parse_index(word[2], &p->first) && parse_index(word[3], &p->last);
}

static bool parse_published(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	g_auto(GStrv) word = words(m->conf.published);

	if (parse_published_words(&m->published, word, g_strv_length(word)))
		return true;
	config_error(
		s->config, m->section, "published", err,
		"%s: expected cell, mean LETTER FIRST LAST, spread LETTER FIRST LAST, low N or "
		"high N",
		m->conf.published);
	return false;
}

static bool parse_sizes(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	g_auto(GStrv) word = words(m->conf.io_bytes);

	m->sizes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (unsigned int i = 0; word[i]; i++) {
		double value;
		int64_t bytes;

		if (!parse_number(word[i], "", &value) || value < 1 || value > 1e12) {
			config_error(s->config, m->section, "io_bytes", err, "%s: expected bytes",
				     word[i]);
			return false;
		}
		bytes = (int64_t)value;
		g_array_append_val(m->sizes, bytes);
	}
	return true;
}

static bool parse_name(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	const char *slash = strchr(m->name, '/'), *at = strrchr(m->name, '@');

	if (!slash || slash == m->name || !slash[1]) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: [%s]: expected [metric EXPERIMENT/METRIC]",
			    config_where(s->config, m->section, ""), m->section);
		return false;
	}
	m->experiment = g_strndup(m->name, (gsize)(slash - m->name));
	m->metric = at ? g_strndup(slash + 1, (gsize)(at - slash - 1)) : g_strdup(slash + 1);
	m->variant = at ? g_strdup(at + 1) : NULL;
	return true;
}

bool repro_parse_metric(const struct repro_series *s, struct repro_metric *m, GError **err)
{
	g_autoptr(GError) bad = NULL;

	if (!parse_name(s, m, err) || !parse_gates(s, m, err) || !parse_published(s, m, err) ||
	    !parse_sizes(s, m, err))
		return false;
	if (m->conf.role == ROLE_INPUT)
		return true;
	m->value = value_parse(m->conf.value, &bad);
	if (!m->value)
		config_error(s->config, m->section, "value", err, "%s", bad->message);
	return m->value;
}

bool repro_parse_calibrated(const struct repro_series *s, struct repro_calibrated *c,
			    const char *section, const char *key, GError **err)
{
	g_auto(GStrv) parts = g_strsplit(config_get(s->config, section, key), ";", 2);

	c->key = g_strdup(key);
	c->where = g_strdup(config_where(s->config, section, key));
	c->value = g_strdup(parts[0] ? g_strstrip(parts[0]) : "");
	c->cells = words(parts[0] && parts[1] ? parts[1] : "");
	if (strchr(key, '.') && *c->value && c->cells[0])
		return true;
	config_error(s->config, section, key, err,
		     "expected section.key = value ; the cells that set it");
	return false;
}

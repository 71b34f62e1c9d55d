/*
 * sim/cmd_plot_data.c - see sim/cmd_plot_data.h.
 *
 * gnuplot draws empty axes of a file it makes nothing of and calls that success, so the rows are
 * checked here.
 */
#include "sim/cmd_plot_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cmd.h"

struct csv {
	FILE *f;
	char *line; /* without its end */
	size_t cap;
	unsigned int row; /* of the file, from 1 */
	bool text;	  /* line holds no NUL */
};

static bool next_line(struct csv *c)
{
	ssize_t n = getline(&c->line, &c->cap, c->f);

	if (n < 0)
		return false;
	c->text = strlen(c->line) == (size_t)n;
	c->line[strcspn(c->line, "\r\n")] = '\0';
	c->row++;
	return true;
}

static unsigned int count_fields(const char *line)
{
	unsigned int n = 1;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

/* Is @line @n numbers? */
static bool is_row(const char *line, unsigned int n)
{
	for (; n > 0; n--) {
		size_t len = strspn(line, "0123456789.+-eE");

		if (!len || line[len] != (n > 1 ? ',' : '\0'))
			return false;
		line += len + 1;
	}
	return true;
}

/* The header; what is wrong with it, or NULL. */
static const char *check_header(struct csv *c)
{
	if (!next_line(c))
		return "empty, expected a line of column names";
	if (!c->text || strcspn(c->line, ",") != strlen("time_s") ||
	    !g_str_has_prefix(c->line, "time_s"))
		return "expected column names, time_s first";
	return NULL;
}

static const char *check_rows(struct csv *c, unsigned int n)
{
	const char *wrong = "no rows below the column names";

	while (next_line(c)) {
		if (!c->text || !is_row(c->line, n))
			return "expected a number for each column";
		wrong = NULL;
	}
	return wrong;
}

char *plot_columns(const char *path, GError **err)
{
	struct csv c = {.f = fopen(path, "re")};
	const char *wrong = c.f ? check_header(&c) : g_strerror(errno);
	g_autofree char *columns = wrong ? NULL : g_strdup(c.line);

	if (!wrong)
		wrong = check_rows(&c, count_fields(columns));
	free(c.line);
	if (c.f)
		fclose(c.f);
	if (!wrong)
		return g_strdelimit(g_strdelimit(g_steal_pointer(&columns), " \t", '_'), ",", ' ');

	g_autofree char *shown = cmd_printable(path);

	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: line %u: %s", shown, MAX(c.row, 1),
		    wrong);
	return NULL;
}

/* The words between the quotes of the line `counters = "..."`; NULL when there is none. */
static char **counters_of(const char *script)
{
	static const char key[] = "\ncounters = \"";
	g_autofree char *text = NULL;

	if (!g_file_get_contents(script, &text, NULL, NULL))
		return NULL; /* gnuplot will complain */
	char *from = strstr(text, key);

	if (!from)
		return NULL;
	from += sizeof(key) - 1;
	from[strcspn(from, "\"\n")] = '\0';
	return g_strsplit(from, " ", -1);
}

bool plot_finds_counters(const char *script, const char *columns)
{
	g_auto(GStrv) there = g_strsplit(columns, " ", -1);
	g_auto(GStrv) counters = counters_of(script);
	bool found = !counters;

	for (char **c = counters; !found && *c; c++)
		found = **c && g_strv_contains((const char *const *)there, *c);
	return found;
}

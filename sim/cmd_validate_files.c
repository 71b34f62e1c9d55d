/*
 * sim/cmd_validate_files.c - see sim/cmd_validate_files.h.
 *
 * vmstat and memory.stat are lines "name value".  Of counters that only grow the difference counts,
 * of what is a level the value at the end.  pgpgin and pgpgout are KiB of the whole system.
 */
#include "sim/cmd_validate_files.h"

#include <string.h>

#define CLK_TCK 100 /* ticks a second of /proc/PID/stat */

static const struct {
	const char *name, *unit, *metric;
	bool level;
} counters[] = {
	/* clang-format off */
	{ "pgscan_kswapd",  "pages", "pgscan_kswapd",  false },
	{ "pgsteal_kswapd", "pages", "pgsteal_kswapd", false },
	{ "pgscan_direct",  "pages", "pgscan_direct",  false },
	{ "pgsteal_direct", "pages", "pgsteal_direct", false },
	{ "pgactivate",     "pages", "pgactivate",     false },
	{ "pgdeactivate",   "pages", "pgdeactivate",   false },
	{ "file",           "bytes", "memory.stat.file",          true },
	{ "file_dirty",     "bytes", "memory.stat.file_dirty",    true },
	{ "inactive_file",  "bytes", "memory.stat.inactive_file", true },
	{ "active_file",    "bytes", "memory.stat.active_file",   true },
	/* clang-format on */
};

static char *read_beside(const char *path, const char *base, const char *suffix)
{
	static const char *const folders[] = {".", "meta"};
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *name = g_strconcat(base, suffix, NULL);

	for (unsigned int i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *file = g_build_filename(folder, folders[i], name, NULL);
		char *text;

		if (g_file_get_contents(file, &text, NULL, NULL))
			return text;
	}
	return NULL;
}

/* Value of the line of @name in @text; false when there is none. */
static bool value_of(const char *text, const char *name, double *value)
{
	size_t n = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, n) && line[n] == ' ') {
			*value = g_ascii_strtod(line + n + 1, NULL);
			return true;
		}
	}
	return false;
}

static void add_new(GArray *metrics, const char *name, const char *unit, double value)
{
	if (!metrics_find(metrics, name))
		metrics_add(metrics, value, unit, "sum", "%s", name);
}

static void read_counters(const char *before, const char *after, GArray *metrics)
{
	for (unsigned int i = 0; after && i < G_N_ELEMENTS(counters); i++) {
		double from = 0, to;

		if (!value_of(after, counters[i].name, &to))
			continue;
		if (!counters[i].level && before)
			value_of(before, counters[i].name, &from);
		add_new(metrics, counters[i].metric, counters[i].unit, to - from);
	}
}

/* utime and stime of /proc/PID/stat, in ticks; the name in parentheses may hold blanks. */
static bool cpu_ticks(const char *text, double *ticks)
{
	const char *p = text ? strrchr(text, ')') : NULL;
	double sum = 0;

	for (unsigned int field = 2; p && field < 15; field++) {
		p = strchr(p + 1, ' ');
		if (p && field >= 13)
			sum += g_ascii_strtod(p, NULL);
	}
	*ticks = sum;
	return p != NULL;
}

static void read_cpu(const char *path, const char *base, GArray *metrics)
{
	g_autofree char *before = read_beside(path, base, ".stat.before");
	g_autofree char *after = read_beside(path, base, ".stat.after");
	double from, to;

	if (cpu_ticks(before, &from) && cpu_ticks(after, &to))
		add_new(metrics, "kswapd.cpu_ns", "ns", (to - from) * (1e9 / CLK_TCK));
}

void validate_read_files(const char *path, const char *base, GArray *metrics)
{
	static const char *const names[] = {".vmstat", ".memory.stat"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *first = g_strconcat(names[i], ".before", NULL);
		g_autofree char *last = g_strconcat(names[i], ".after", NULL);
		g_autofree char *before = read_beside(path, base, first);
		g_autofree char *after = read_beside(path, base, last);
		g_autofree char *only = after ? NULL : read_beside(path, base, names[i]);

		if (before || !after)
			read_counters(before, after ? after : only, metrics);
	}
	read_cpu(path, base, metrics);
}

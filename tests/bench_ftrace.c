/*
 * tests/bench_ftrace.c - speed of the ftrace text reader against `trace-cmd report`.
 *
 *   bench_ftrace TEXT [DAT]     medians of 5: MB/s, lines/s; ratio to `trace-cmd report DAT` when
 *                               DAT holds the same events, and to `wc -l TEXT`
 */
#include <stdio.h>
#include <stdlib.h>

#include "traces/trace.h"

#define RUNS 5

static double seconds_since(gint64 start_us)
{
	return (double)(g_get_monotonic_time() - start_us) / 1e6;
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *s)
{
	qsort(s, RUNS, sizeof(*s), cmp_double);
	return s[RUNS / 2];
}

static double run_reader(const char *path, unsigned int want, uint64_t *records, uint64_t *ops)
{
	const char *const paths[] = {path, NULL};
	const struct trace_opts opts = {.want = want};
	g_autoptr(GError) err = NULL;
	gint64 start = g_get_monotonic_time();
	struct trace *t = trace_open(paths, &opts, &err);
	struct op op;

	*ops = 0;
	while (t && trace_next(t, &op, &err))
		++*ops;
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		exit(2);
	}
	*records = trace_info(t)->records;
	trace_close(t);
	return seconds_since(start);
}

static double run_command(const char *command)
{
	gint64 start = g_get_monotonic_time();

	return system(command) == 0 ? seconds_since(start) : 0;
}

static double median_command(const char *format, const char *path)
{
	g_autofree char *quoted = g_shell_quote(path);
	g_autofree char *command = g_strdup_printf("%s %s >/dev/null 2>&1", format, quoted);
	double s[RUNS];

	for (int i = 0; i < RUNS; i++)
		s[i] = run_command(command);
	return median(s);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned int want;
	} masks[] = {{"all", OP_CLASS_ALL}, {"file", OP_CLASS_FILE}, {"none", 0}};
	double report = argc > 2 ? median_command("trace-cmd report", argv[2]) : 0;
	g_autofree char *text = NULL;
	uint64_t records, ops;
	gsize bytes;

	if (argc < 2 || !g_file_get_contents(argv[1], &text, &bytes, NULL)) {
		fprintf(stderr, "usage: bench_ftrace TEXT [DAT]\n");
		return 2;
	}
	double wc = median_command("wc -l", argv[1]);
	for (size_t m = 0; m < G_N_ELEMENTS(masks); m++) {
		double s[RUNS];

		for (int i = 0; i < RUNS; i++)
			s[i] = run_reader(argv[1], masks[m].want, &records, &ops);
		double t = median(s);
		printf("want=%-5s %.3f s  %.0f MB/s  %.2f M events/s  %" G_GUINT64_FORMAT
		       " ops  %.1fx trace-cmd report  %.2fx wc -l\n",
		       masks[m].name, t, (double)bytes / 1e6 / t, (double)records / 1e6 / t, ops,
		       report / t, t / wc);
	}
	return 0;
}

/*
 * tests/fuzz_captures.c - fuzz_captures F2SIM COPIES PEAK_MIB CAPTURE: have F2SIM inspect that many
 * damaged copies of one capture and print one line of counts.
 *
 * PEAK_MIB bounds a child's resident memory, 0 = not looked at (a sanitizer's own is in it).  The
 * exit status is 1 when a copy crashed, hung, was answered in a garbled way or used too much.
 * Without arguments: the captures that are here, one a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/mutate.h"

static int list(void)
{
	for (size_t i = 0; fuzz_captures[i]; i++) {
		g_autofree char *path = fuzz_find(fuzz_captures[i]);

		if (path)
			puts(fuzz_captures[i]);
		else
			fprintf(stderr, "%s: not here, skipped\n", fuzz_captures[i]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct fuzz_tally t = {0};
	GError *err = NULL;

	if (argc == 1)
		return list();
	if (argc != 5) {
		fprintf(stderr, "usage: %s F2SIM COPIES PEAK_MIB CAPTURE\n", argv[0]);
		return 2;
	}
	g_autofree char *path = fuzz_find(argv[4]);

	if (!path || !fuzz_run(argv[1], argv[4], path, 1, strtoull(argv[2], NULL, 10), &t, &err)) {
		fprintf(stderr, "%s: %s\n", argv[4], err ? err->message : "not here");
		return 2;
	}
	int64_t limit_mib = strtoll(argv[3], NULL, 10), peak_mib = t.peak_bytes >> 20;

	printf("%-62s %5s copies %5" PRIu64 " read %5" PRIu64 " refused %3" PRIu64
	       " crashes %3" PRIu64 " hangs %3" PRIu64 " garbled, peak %" PRId64 " MiB\n",
	       argv[4], argv[2], t.nr[FUZZ_OK], t.nr[FUZZ_REFUSED], t.nr[FUZZ_CRASH],
	       t.nr[FUZZ_HANG], t.nr[FUZZ_GARBLED], peak_mib);
	return t.nr[FUZZ_CRASH] || t.nr[FUZZ_HANG] || t.nr[FUZZ_GARBLED] ||
	       (limit_mib > 0 && peak_mib >= limit_mib);
}

/*
 * tests/bench_readers.c - `f2sim inspect` against the tools people use, as ratios in one run.
 *
 * Every file is unpacked into a temporary folder first and so in the page cache; the two sides take
 * turns, the medians of five are compared (DESIGN.md section 8).  The binary blktrace is a real
 * capture repeated with its times and sequence numbers moved on, 2 million records: of a tenth of
 * that, a third of our time would be the start of a process.  A
 * comparison whose capture or tool is not here is named and left out.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/mutate.h"

#define ROUNDS 5
#define REPEATS 250

static char *f2sim, *dir;

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Run a shell command to its end, output thrown away; its wall time, -1 when it failed. */
static int64_t time_of(const char *command)
{
	int64_t begin = now_ns();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status == 0 ? now_ns() - begin : -1;
}

static int cmp_ns(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Medians of @nr commands taking turns; false when one of them fails. */
static bool medians(const char *const *commands, size_t nr, int64_t *median_ns)
{
	int64_t ns[4][ROUNDS];

	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < nr; i++) {
			ns[i][round] = time_of(commands[i]);
			if (ns[i][round] < 0) {
				printf("  left out, this failed: %s\n", commands[i]);
				return false;
			}
		}
	for (size_t i = 0; i < nr; i++) {
		qsort(ns[i], ROUNDS, sizeof(ns[i][0]), cmp_ns);
		median_ns[i] = ns[i][ROUNDS / 2];
	}
	return true;
}

static int64_t size_of(const char *path)
{
	GStatBuf st;

	return g_stat(path, &st) == 0 ? st.st_size : 0;
}

static char *in_dir(const char *name)
{
	return g_build_filename(dir, name, NULL);
}

/* The capture @name, unpacked into the folder as @as; new, NULL (and said) when it is not here. */
static char *unpacked(const char *name, const char *as)
{
	g_autofree char *path = fuzz_find(name), *to = in_dir(as);
	g_autofree char *command = NULL;

	if (path)
		command = g_strdup_printf(g_str_has_suffix(path, ".xz") ? "xz -dc '%s' > '%s'"
									: "cat '%s' > '%s'",
					  path, to);
	if (command && time_of(command) >= 0)
		return g_steal_pointer(&to);
	printf("  left out: capture %s is not here\n", name);
	return NULL;
}

/* Add the records of @bytes again, @round spans and sequences later (struct blk_io_trace). */
static void repeat_records(GByteArray *out, const GByteArray *bytes, uint32_t round,
			   uint64_t span_ns)
{
	guint begin = out->len;
	uint32_t records = 0, sequence;
	uint64_t time_ns;

	g_byte_array_append(out, bytes->data, bytes->len);
	for (guint at = begin; at + 48 <= out->len; records++)
		at += 48u + out->data[at + 46] + 256u * out->data[at + 47];
	for (guint at = begin; at + 48 <= out->len;) {
		memcpy(&sequence, out->data + at + 4, sizeof(sequence));
		memcpy(&time_ns, out->data + at + 8, sizeof(time_ns));
		sequence += round * records;
		time_ns += round * span_ns;
		memcpy(out->data + at + 4, &sequence, sizeof(sequence));
		memcpy(out->data + at + 8, &time_ns, sizeof(time_ns));
		at += 48u + out->data[at + 46] + 256u * out->data[at + 47];
	}
}

/* Write NAME.blktrace.0 and .1, each REPEATS times its capture; total bytes, 0 = not here. */
static int64_t long_blktrace(const char *name)
{
	const uint64_t span_ns = 60u * (uint64_t)NSEC_PER_SEC; /* more than the capture's own */
	int64_t total = 0;

	for (int cpu = 0; cpu < 2; cpu++) {
		g_autofree char *from = g_strdup_printf("blktrace/%s.blktrace.%d", name, cpu);
		g_autofree char *as = g_strdup_printf("%s.blktrace.%d", name, cpu);
		g_autofree char *path = fuzz_find(from), *to = in_dir(as);
		char *text;
		gsize len;

		if (!path || !g_file_get_contents(path, &text, &len, NULL))
			return 0;
		GByteArray *bytes = g_byte_array_new_take((guint8 *)text, len);
		GByteArray *out = g_byte_array_new();

		for (uint32_t round = 0; round < REPEATS; round++)
			repeat_records(out, bytes, round, span_ns);
		total += out->len;
		g_file_set_contents(to, (char *)out->data, (gssize)out->len, NULL);
		g_byte_array_unref(bytes);
		g_byte_array_unref(out);
	}
	return total;
}

static void print_ratio(const char *what, double ratio, double target, bool at_most)
{
	bool met = at_most ? ratio <= target : ratio >= target;

	printf("  %-44s %7.2fx  target %s %.1fx  %s\n", what, ratio,
	       at_most ? "at most" : "at least", target, met ? "met" : "NOT MET");
}

/* @ours against @theirs on @bytes of input; @wc counts the same lines, or NULL. */
static void compare(const char *what, const char *ours, const char *theirs, const char *wc,
		    int64_t bytes, double target)
{
	const char *const commands[] = {ours, theirs, wc};
	int64_t ns[3];

	if (!medians(commands, wc ? 3 : 2, ns))
		return;
	print_ratio(what, (double)ns[1] / (double)ns[0], target, false);
	printf("  %-44s %7.0f MB/s, %.0f ms against %.0f ms", "",
	       (double)bytes * 1e3 / (double)ns[0], (double)ns[0] / 1e6, (double)ns[1] / 1e6);
	if (wc)
		printf("; %.1f times as long as wc -l", (double)ns[0] / (double)ns[2]);
	printf("\n");
}

static void bench_blktrace(void)
{
	int64_t bytes = long_blktrace("createstat");

	if (!bytes) {
		printf("  left out: capture blktrace/createstat.blktrace.0 is not here\n");
		return;
	}
	g_autofree char *ours = g_strdup_printf("%s inspect --json %s/createstat", f2sim, dir);
	g_autofree char *theirs = g_strdup_printf("blkparse -D %s -i createstat -o /dev/null", dir);

	compare("binary blktrace / blkparse -o /dev/null", ours, theirs, NULL, bytes, 20);
}

/* Text and trace.dat of the same events, both against trace-cmd report. */
static void bench_ftrace(const char *text, const char *dat)
{
	g_autofree char *txt = unpacked(text, "bench.txt"), *bin = unpacked(dat, "bench.dat");

	if (!txt || !bin)
		return;
	g_autofree char *ours_txt = g_strdup_printf("%s inspect --json %s", f2sim, txt);
	g_autofree char *ours_bin = g_strdup_printf("%s inspect --json %s", f2sim, bin);
	g_autofree char *theirs = g_strdup_printf("trace-cmd report -i %s > /dev/null", bin);
	g_autofree char *wc = g_strdup_printf("wc -l %s", txt);

	printf("  %s, %s\n", text, dat);
	compare("ftrace text / trace-cmd report", ours_txt, theirs, wc, size_of(txt), 10);
	compare("trace.dat / trace-cmd report", ours_bin, theirs, NULL, size_of(bin), 4);
}

/* Packed input against the longer of unpacking alone and reading the unpacked file. */
static void bench_packed(const char *text)
{
	static const char *const packers[] = {"gzip", "xz", "zstd", "lz4"};
	g_autofree char *plain = unpacked(text, "plain.txt");

	for (size_t i = 0; plain && i < G_N_ELEMENTS(packers); i++) {
		g_autofree char *packed = g_strdup_printf("%s/packed.%s", dir, packers[i]);
		g_autofree char *pack =
			g_strdup_printf("%s -1 -c %s > %s", packers[i], plain, packed);
		g_autofree char *ours = g_strdup_printf("%s inspect --json %s", f2sim, packed);
		g_autofree char *unpack =
			g_strdup_printf("%s -dc < %s > /dev/null", packers[i], packed);
		g_autofree char *parse = g_strdup_printf("%s inspect --json %s", f2sim, plain);
		g_autofree char *what =
			g_strdup_printf("%s / longer of unpacking, reading", packers[i]);
		const char *const commands[] = {ours, unpack, parse};
		int64_t ns[3];

		if (time_of(pack) < 0 || !medians(commands, 3, ns))
			continue;
		print_ratio(what, (double)ns[0] / (double)MAX(ns[1], ns[2]), 1.3, true);
	}
}

int main(int argc, char **argv)
{
	g_autofree char *self = g_path_get_dirname(argv[0]), *clean = NULL;

	setvbuf(stdout, NULL, _IOLBF, 0);
	f2sim = argc > 1 ? g_strdup(argv[1]) : g_build_filename(self, "..", "f2sim", NULL);
	dir = g_dir_make_tmp("f2sim-bench-XXXXXX", NULL);
	if (!dir)
		return 1;
	printf("readers (medians of %d)\n", ROUNDS);
	bench_blktrace();
	bench_ftrace("ftrace/seqread.trace.txt.xz", "ftrace/seqread.dat");
	bench_ftrace("ftrace/seqwrite.trace.txt.xz", "ftrace/seqwrite.v6.dat.xz");
	bench_packed("ftrace/seqwrite.trace.txt.xz");
	clean = g_strdup_printf("rm -rf '%s'", dir);
	time_of(clean);
	g_free(dir);
	g_free(f2sim);
	return 0;
}

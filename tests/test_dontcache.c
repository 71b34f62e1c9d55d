/*
 * tests/test_dontcache.c - RWF_DONTCACHE on kernel 6.18 with large folios: the 2 GiB runs of
 * captures/dontcache/results_ext4.csv.  What was observed is read from that file.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

#define FILE_BYTES 2147483648.0

static const char *const block_sizes[] = {"4096", "8192", "16384", "65536", "262144", "1048576"};

/* Columns of results_ext4.csv. */
enum { COL_OP = 2, COL_MODE, COL_BS, COL_CACHED_AFTER = 17, COL_PGPGIN = 29 };

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median of column @col over the runs of (@op, @mode, @bs). */
static double observed(const char *op, const char *mode, const char *bs, int col)
{
	g_autofree char *text = NULL;
	double values[8] = {0};
	unsigned int nr = 0;

	cr_assert(
		g_file_get_contents(test_capture("dontcache/results_ext4.csv"), &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (unsigned int i = 1; lines[i] && *lines[i]; i++) {
		g_auto(GStrv) cell = g_strsplit(lines[i], ",", -1);

		if (strcmp(cell[COL_OP], op) || strcmp(cell[COL_MODE], mode) ||
		    strcmp(cell[COL_BS], bs))
			continue;
		cr_assert_lt(nr, G_N_ELEMENTS(values));
		values[nr++] = g_ascii_strtod(cell[col], NULL);
	}
	cr_assert_eq(nr, 3, "%s %s %s: %u runs", op, mode, bs, nr);
	qsort(values, nr, sizeof(values[0]), compare_doubles);
	return values[nr / 2];
}

/* "workload.bs=N"; the caller frees it. */
static char *set_bs(const char *bs)
{
	return g_strconcat("workload.bs=", bs, NULL);
}

static gint64 counter(JsonObject *results, const char *model, const char *name)
{
	JsonObject *stats = json_object_get_object_member(results, "stats");

	return json_object_get_int_member(json_object_get_object_member(stats, model), name);
}

/* Device bytes over file bytes within 1 % of what the kernel read, at every size; d_pgpgin counts
 * KiB twice (captures/README.md). */
Test(dontcache, reads_cost_the_device_what_the_kernel_read)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(block_sizes); i++) {
		const char *bs = block_sizes[i];
		g_autofree char *set = set_bs(bs);
		JsonObject *results = cli_json(cli("run", "configs/validate/dontcache_read.ini",
						   "--json", "--set", set, NULL));
		double want = observed("read", "dontcache", bs, COL_PGPGIN) * 512 / FILE_BYTES;
		double got = (double)counter(results, "blk_mq", "sectors_read") * 512 / FILE_BYTES;

		cr_log_info("bs %s: device bytes / file %.4f, observed %.4f\n", bs, got, want);
		cr_assert_float_eq(got, want, want * 0.01, "bs %s: %.4f, observed %.4f", bs, got,
				   want);
		cr_assert_eq(observed("read", "dontcache", bs, COL_CACHED_AFTER), 0);
		cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 0);
	}
}

/* Without the flag each byte is read once and stays, large folios or not. */
Test(dontcache, normal_reads_read_once)
{
	JsonObject *results = cli_json(cli("run", "configs/validate/dontcache_read.ini", "--json",
					   "--set", "workload.uncached=0", NULL));

	cr_assert_eq(counter(results, "blk_mq", "sectors_read"), 4194304);
	cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 524288);
	cr_assert_lt(counter(results, "filemap", "folios_added"), 524288 / 16);
}

/* Single pages cannot be read in part by calls of whole pages: no byte is read twice. */
Test(dontcache, without_large_folios_nothing_is_read_twice)
{
	JsonObject *results = cli_json(cli("run", "configs/validate/dontcache_read.ini", "--json",
					   "--set", "filemap.max_folio_order=0", NULL));

	cr_assert_eq(counter(results, "blk_mq", "sectors_read"), 4194304);
	cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 0);
}

/* Largest value of the column that ends in @name. */
static double column_max(const char *path, const char *name)
{
	g_autofree char *text = NULL;
	double max = 0;
	guint col = 0;

	cr_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_auto(GStrv) head = g_strsplit(lines[0], ",", -1);

	while (head[col] && strcmp(head[col], name))
		col++;
	cr_assert(head[col], "no column %s", name);
	for (unsigned int i = 1; lines[i] && *lines[i]; i++) {
		g_auto(GStrv) cell = g_strsplit(lines[i], ",", -1);

		max = MAX(max, g_ascii_strtod(cell[col], NULL));
	}
	return max;
}

/* A bio a call, folios as large as the call allows, at most a call's pages dirty, nothing left. */
Test(dontcache, writes_submit_their_own_range)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(block_sizes); i++) {
		const char *bs = block_sizes[i];
		gint64 calls = 2147483648 / g_ascii_strtoll(bs, NULL, 10);
		g_autofree char *set = set_bs(bs);
		g_autofree char *dir = g_strconcat(test_text(bs, ""), ".out", NULL);
		g_autofree char *series = g_build_filename(dir, "series.csv", NULL);
		JsonObject *results = cli_json(cli("run", "configs/validate/dontcache_write.ini",
						   "--json", "--set", set, "--out", dir, NULL));

		cr_assert_eq(counter(results, "f2fs_data", "write_bios"), calls);
		cr_assert_eq(counter(results, "filemap", "folios_added"), calls);
		cr_assert_eq(counter(results, "filemap", "nr_file_pages"), 0);
		cr_assert_eq(observed("write", "dontcache", bs, COL_CACHED_AFTER), 0);
		cr_assert_leq(column_max(series, "page_writeback.nr_dirty"), 300);
		cr_assert_gt(column_max(series, "page_writeback.nr_dirty"), 0);
	}
}

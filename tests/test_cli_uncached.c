/*
 * tests/test_cli_uncached.c - the uncached read series and the read rows of the dropbehind phone,
 * on shorter runs of the shipped scenarios; the variants of the series.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

#define FOLDER "configs/series/uncached_read/"
#define READING_PHONE "run", FOLDER "phone-read.ini", "--json", "--set", "workload.bs=32k"
/* 12,288 MiB less these and 558 of file pages leave 256 MiB free, 65,536 pages; kswapd0 wakes at
 * the low mark, 6,692 of them (KERNEL 5.1). */
#define NEARLY_FULL "--set", "background.used=11474MiB"
#define BACKGROUND_PAGES 46848 /* its 183 MiB of Inactive(file) */

static gint64 counter(JsonObject *results, const char *model, const char *name)
{
	JsonObject *stats = json_object_get_object_member(results, "stats");
	JsonObject *of = json_object_get_object_member(stats, model);

	/* what stayed 0 is not printed */
	return json_object_has_member(of, name) ? json_object_get_int_member(of, name) : 0;
}

static gint64 kswapd_ns(JsonObject *results)
{
	JsonArray *tasks = json_object_get_array_member(
		json_object_get_object_member(results, "cpu"), "tasks");

	for (unsigned int i = 0; i < json_array_get_length(tasks); i++) {
		JsonObject *task = json_array_get_object_element(tasks, i);

		if (!strcmp(json_object_get_string_member(task, "name"), "kswapd0"))
			return json_object_get_int_member(task, "cpu_ns");
	}
	cr_assert_fail("no kswapd0");
	return 0;
}

static JsonObject *reads(JsonObject *results)
{
	JsonArray *jobs = json_object_get_array_member(results, "jobs");

	return json_object_get_object_member(json_array_get_object_element(jobs, 0), "read");
}

static double read_mib_s(JsonObject *results)
{
	return (double)json_object_get_int_member(reads(results), "bw_bytes") / 1048576;
}

/* Each page of the file that does not stay has cost kswapd0 a look and a free, 100 ns + 1.47 us. */
Test(uncached, a_full_phone_reads_on_by_kswapd)
{
	JsonObject *r = cli_json(cli(READING_PHONE, NEARLY_FULL, "--set", "workload.size=1g"));
	gint64 stolen = counter(r, "vmscan", "pgsteal_kswapd");

	cr_assert_eq(counter(r, "filemap", "nr_file_pages"), 262144 + BACKGROUND_PAGES - stolen);
	cr_assert_gt(stolen, 262144 - 65536);
	cr_assert_eq(counter(r, "vmscan", "pgscan_direct"), 0);
	cr_assert_eq(kswapd_ns(r), stolen * 1570);
	cr_assert_gt(counter(r, "filemap", "contended_pages"), 0);
}

/* 200 MiB go into 256 less the low mark: kswapd0 has nothing to do yet, and nobody waits for it. */
Test(uncached, kswapd_sleeps_until_memory_is_full)
{
	JsonObject *r = cli_json(cli(READING_PHONE, NEARLY_FULL, "--set", "workload.size=200m"));

	cr_assert_eq(kswapd_ns(r), 0);
	cr_assert_eq(counter(r, "vmscan", "kswapd_wakes"), 0);
	cr_assert_eq(counter(r, "filemap", "contended_pages"), 0);
	cr_assert_eq(counter(r, "filemap", "nr_file_pages"), 51200 + BACKGROUND_PAGES);
}

/* Four times as much as is free passes through without kswapd0. */
Test(uncached, dontcache_leaves_memory_as_it_was)
{
	JsonObject *r = cli_json(cli(READING_PHONE, NEARLY_FULL, "--set", "workload.size=1g",
				     "--variant", FOLDER "dontcache.ini"));

	cr_assert_eq(kswapd_ns(r), 0);
	cr_assert_eq(counter(r, "filemap", "dropped_after_read"), 262144);
	cr_assert_eq(counter(r, "filemap", "nr_file_pages"), BACKGROUND_PAGES);
	cr_assert_eq(counter(r, "blk_mq", "sectors_read"), 262144 * 8, "nothing is read twice");
}

/* 8-page calls in a 512-page window: 32 64 128 256 pages, then 512 at a time (KERNEL 3.2):
 * 480 + 511 * 512 + 32. */
Test(uncached, windows_of_the_reading_phone)
{
	JsonObject *r = cli_json(cli(READING_PHONE, "--set", "workload.size=1g"));

	cr_assert_eq(counter(r, "filemap", "readahead_batches"), 4 + 511 + 1);
	cr_assert_eq(counter(r, "filemap", "readahead_pages"), 262144);
	cr_assert_eq(counter(r, "filemap", "read_misses"), 1);
}

/* Reads have it, writes are refused whole (CASES 45). */
Test(uncached, read_only_refuses_writes)
{
	JsonObject *r = cli_json(cli(READING_PHONE, "--variant", FOLDER "read-only.ini",
				     "--variant", FOLDER "dontcache.ini", "--set",
				     "workload.size=1m", "--set", "workload.rw=write"));

	cr_assert_eq(counter(r, "filemap", "eopnotsupp"), 32);
	cr_assert_eq(counter(r, "filemap", "nr_file_pages"), BACKGROUND_PAGES);
	r = cli_json(cli(READING_PHONE, "--variant", FOLDER "read-only.ini", "--variant",
			 FOLDER "dontcache.ini", "--set", "workload.size=1m"));
	cr_assert_eq(counter(r, "filemap", "eopnotsupp"), 0);
	cr_assert_eq(counter(r, "filemap", "dropped_after_read"), 256);
}

/* Without the flag of the file system reads are refused as well, before anything is read. */
Test(uncached, no_flag_refuses_reads)
{
	JsonObject *r = cli_json(cli(READING_PHONE, "--variant", FOLDER "no-flag.ini", "--variant",
				     FOLDER "dontcache.ini", "--set", "workload.size=1m"));

	cr_assert_eq(counter(r, "filemap", "eopnotsupp"), 32);
	cr_assert_eq(json_object_get_int_member(reads(r), "eopnotsupp"), 32);
	cr_assert_eq(counter(r, "blk_mq", "sectors_read"), 0);
	cr_assert_eq(counter(r, "filemap", "nr_file_pages"), BACKGROUND_PAGES);
}

/* Every page of 1 MiB is dropped in softirq, under i_lock; in the phone's own way none is. */
Test(uncached, drop_in_softirq_is_reported)
{
	static const struct {
		const char *variant;
		gint64 violations;
	} rows[] = {{FOLDER "softirq-drop.ini", 256}, {FOLDER "dontcache.ini", 0}};

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		JsonObject *r =
			cli_json(cli(READING_PHONE, "--variant", rows[i].variant, "--variant",
				     FOLDER "dontcache.ini", "--set", "workload.size=1m", "--set",
				     "workload.rw=write", "--set", "workload.end_fsync=1"));
		JsonObject *seen = json_object_get_object_member(r, "context_violations");
		JsonArray *first = json_object_get_array_member(seen, "first");

		cr_assert_eq(json_object_get_int_member(seen, "count"), rows[i].violations);
		if (rows[i].violations)
			cr_assert_not_null(
				strstr(json_array_get_string_element(first, 0), "-> i_lock"));
		cr_assert_eq(counter(r, "filemap", "nr_file_pages"), BACKGROUND_PAGES);
	}
}

/* Published read rows of the dropbehind phone, MiB/s: reference/dropbehind.csv.  NAN: not there. */
static const struct {
	const char *set;
	double normal, dontcache;
} rows[] = {
	{"workload.bs=4k", 1825.50, 1695.10},  {"workload.bs=8k", NAN, NAN},
	{"workload.bs=16k", 1941.60, 1872.55}, {"workload.bs=32k", NAN, NAN},
	{"workload.bs=64k", 1951.35, 1886.54}, {"workload.bs=128k", 1960.03, 1915.82},
	{"workload.bs=256k", NAN, NAN},	       {"workload.bs=512k", 1973.31, 1911.24},
	{"workload.bs=1m", 2230.91, 2007.82},
};

static double phone_reads(const char *set, const char *uncached)
{
	return read_mib_s(
		cli_json(cli("run", "configs/series/dropbehind/phone-read.ini", "--json", "--set",
			     "workload.size=512m", "--set", set, "--set", uncached)));
}

/* Within 4 % at the published sizes, in order at all: larger calls are faster, dontcache slower. */
Test(uncached, read_rows_of_the_dropbehind_phone)
{
	double last_normal = 0, last_dontcache = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		double normal = phone_reads(rows[i].set, "workload.uncached=0");
		double dontcache = phone_reads(rows[i].set, "workload.uncached=1");

		cr_assert_gt(normal, last_normal, "%s", rows[i].set);
		cr_assert_gt(dontcache, last_dontcache, "%s", rows[i].set);
		cr_assert_lt(dontcache, normal, "%s", rows[i].set);
		if (!isnan(rows[i].normal)) {
			cr_assert_float_eq(normal / rows[i].normal, 1, 0.04, "%s: %.1f",
					   rows[i].set, normal);
			cr_assert_float_eq(dontcache / rows[i].dontcache, 1, 0.04, "%s: %.1f",
					   rows[i].set, dontcache);
		}
		last_normal = normal;
		last_dontcache = dontcache;
	}
}

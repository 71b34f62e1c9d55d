/*
 * tests/test_cli_sizes.c - call sizes that nobody published (8, 32 and 256 KiB) fall in line with
 * those that somebody did, on the phone of the dropbehind series; and what a dontcache call costs
 * is the sum of its parts.  Runs are cut to a few GiB: rates are compared with each other only.
 */
#include <criterion/criterion.h>

#include "tests/cli.h"
#include "tests/support.h"

enum { S4K, S8K, S16K, S32K, S64K, S128K, S256K, S512K, NR_SIZES };
static const char *const sizes[] = {"4k", "8k", "16k", "32k", "64k", "128k", "256k", "512k"};

static const char *const variants[] = {"normal", "dontcache"};

/* A plain run of a dontcache writer of 1 GiB. */
static JsonObject *run(const char *bs)
{
	g_autofree char *set = g_strconcat("workload.bs=", bs, NULL);

	return cli_json(cli("run", "--json", "configs/series/dropbehind/phone-write.ini",
			    "--variant", "configs/series/dropbehind/dontcache.ini", "--set", set,
			    "--set", "workload.size=1g", "--set", "sim.check=end"));
}

static JsonObject *member(JsonObject *o, const char *a, const char *b)
{
	return json_object_get_object_member(json_object_get_object_member(o, a), b);
}

static double bytes_per_second(JsonObject *results)
{
	JsonObject *job =
		json_array_get_object_element(json_object_get_array_member(results, "jobs"), 0);

	return (double)json_object_get_int_member(json_object_get_object_member(job, "write"),
						  "bw_bytes");
}

/* `reproduce` with a table that asks for @metric at every size, cut to @gib; the table's figures
 * are nobody's, and so every cell may be outside its gate. */
static JsonArray *reproduce(const char *metric, unsigned int gib)
{
	static JsonParser *parser;
	g_autoptr(GString) table =
		g_string_new("experiment,metric,io_bytes,variant,unit,stat,value\n");
	GError *err = NULL;

	g_string_append_printf(table, "dropbehind-phone,run_bytes,,both,bytes,exact,%lu\n",
			       (unsigned long)gib << 30);
	for (unsigned int i = 0; i < 2 * NR_SIZES; i++)
		g_string_append_printf(table, "dropbehind-phone,%s,%u,%s,MiB/s,mean,1\n", metric,
				       4096u << i / 2, variants[i % 2]);
	g_autofree char *reference =
		g_strconcat("--reference=", test_text("sizes.csv", table->str), NULL);
	const struct ran *r = cli("reproduce", "dropbehind", reference, "--seeds=1", "--jobs=1",
				  "--set=sim.check=end", "--json");

	cr_assert_leq(r->status, 1, "%s", r->err);
	g_clear_object(&parser);
	parser = json_parser_new();
	cr_assert(json_parser_load_from_data(parser, r->out, -1, &err), "%s", r->err);
	return json_object_get_array_member(json_node_get_object(json_parser_get_root(parser)),
					    "cells");
}

static double simulated(JsonArray *cells, gint64 io_bytes, const char *variant)
{
	for (guint i = 0; i < json_array_get_length(cells); i++) {
		JsonObject *cell = json_array_get_object_element(cells, i);

		if (json_object_get_null_member(cell, "io_bytes") ||
		    json_object_get_int_member(cell, "io_bytes") != io_bytes ||
		    g_strcmp0(json_object_get_string_member(cell, "variant"), variant))
			continue;
		return json_object_get_double_member(cell, "simulated");
	}
	cr_assert(false, "no cell %ld %s", (long)io_bytes, variant);
	return 0;
}

/*
 * The rate at a size no table has lies between those of its neighbours.  On the plateau, where the
 * device decides and rates are equal, how a run's end meets a jiffy shows: 1 % is left for it.
 */
static void expect_in_line(JsonArray *cells, const char *variant)
{
	static const unsigned int unpublished[] = {S8K, S32K, S256K};
	double rate[NR_SIZES];

	for (unsigned int i = 0; i < NR_SIZES; i++) {
		rate[i] = simulated(cells, (gint64)4096 << i, variant);
		cr_log_info("%s %s: %.1f MiB/s", variant, sizes[i], rate[i]);
	}
	for (unsigned int k = 0; k < G_N_ELEMENTS(unpublished); k++) {
		unsigned int i = unpublished[k];

		cr_expect(rate[i] >= 0.99 * MIN(rate[i - 1], rate[i + 1]) &&
				  rate[i] <= 1.01 * MAX(rate[i - 1], rate[i + 1]),
			  "%s, %s: %.1f between %.1f and %.1f", variant, sizes[i], rate[i],
			  rate[i - 1], rate[i + 1]);
	}
	/* and strictly so where it is the cost of a call that counts */
	cr_expect(rate[S4K] < rate[S8K] && rate[S8K] < rate[S16K]);
}

Test(cli_sizes, writes_fall_in_line)
{
	JsonArray *cells = reproduce("write_throughput", 4);

	expect_in_line(cells, "normal");
	expect_in_line(cells, "dontcache");
}

Test(cli_sizes, reads_fall_in_line)
{
	JsonArray *cells = reproduce("read_throughput", 1);

	expect_in_line(cells, "normal");
	expect_in_line(cells, "dontcache");
}

/* ns of a key in the configuration the results echo. */
static double configured_ns(JsonObject *results, const char *section, const char *key)
{
	const char *text = json_object_get_string_member(
		json_object_get_object_member(member(results, "config", section), key), "value");
	char *unit;
	double value = g_ascii_strtod(text, &unit);

	return value * (g_str_equal(unit, "us") ? 1000 : 1);
}

static gint64 counter(JsonObject *results, const char *model, const char *name)
{
	return json_object_get_int_member(member(results, "stats", model), name);
}

/*
 * A dontcache call of n pages: call + n * copy + one bio + n * submission; beyond that only
 * interrupts on its CPU and waits for tags.  One bio a call, but for calls that met a fsync.
 */
Test(cli_sizes, a_call_is_the_sum_of_its_parts)
{
	for (unsigned int i = 0; i < NR_SIZES; i++) {
		JsonObject *r = run(sizes[i]);
		double pages = (double)(1u << i), call = (double)(4096u << i);
		double parts = configured_ns(r, "filemap", "write_call_ns") +
			       configured_ns(r, "f2fs_data", "submit_bio_ns") +
			       pages * (configured_ns(r, "filemap", "write_page_ns") +
					configured_ns(r, "f2fs_data", "submit_page_ns"));
		double ns = call * 1e9 / bytes_per_second(r);
		gint64 calls = (gint64)(1073741824 / call);
		gint64 bios = counter(r, "f2fs_data", "write_bios");
		gint64 skipped = counter(r, "f2fs_data", "writepages_skipped") +
				 counter(r, "f2fs_data", "writepages_stopped");
		bool waited = counter(r, "blk_mq", "tag_waits") > 0;

		cr_log_info("%s: %.0f ns, parts %.0f", sizes[i], ns, parts);
		cr_expect(ns >= 0.995 * parts && ns <= (waited ? 1.25 : 1.02) * parts,
			  "%s: %.0f ns a call, parts %.0f", sizes[i], ns, parts);
		cr_expect(bios >= calls - skipped && bios <= calls + skipped + 2,
			  "%s: %ld bios of %ld calls, %ld skipped", sizes[i], bios, calls, skipped);
	}
}

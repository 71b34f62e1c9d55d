/*
 * tests/test_cli_mixed.c - bios of normal and dropbehind pages, in place and out of place, under
 * every completion policy: `f2sim compare` of configs/series/dropbehind/mixed-*.ini as shipped.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli.h"

#define VARIANT(name) "--variant", "configs/variants/completion-" name ".ini"

/* In the order of the command below. */
enum { IRQ_SKIP, IRQ_DROP, TASK_FLAGGED, TASK_GT16K, TASK_FLAGGED_GT16K, FOLIO_BATCH, ALWAYS_TASK };

static const char *const names[] = {"completion-irq_skip",	     "completion-irq_drop",
				    "completion-task_flagged",	     "completion-task_gt16k",
				    "completion-task_flagged_gt16k", "completion-folio_batch",
				    "completion-always_task"};

static JsonArray *compare(const char *scenario)
{
	JsonObject *results = cli_json(
		cli("compare", "--json", scenario, "--set=sim.check=end", VARIANT("irq_skip"),
		    VARIANT("irq_drop"), VARIANT("task_flagged"), VARIANT("task_gt16k"),
		    VARIANT("task_flagged_gt16k"), VARIANT("folio_batch"), VARIANT("always_task")));
	JsonArray *variants = json_object_get_array_member(results, "variants");

	cr_assert_eq(json_array_get_length(variants), G_N_ELEMENTS(names));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		cr_assert_str_eq(json_object_get_string_member(
					 json_array_get_object_element(variants, i), "name"),
				 names[i]);
	return variants;
}

static gint64 value(JsonArray *variants, guint i, const char *metric)
{
	JsonObject *metrics = json_object_get_object_member(
		json_array_get_object_element(variants, i), "metrics");

	cr_assert(json_object_has_member(metrics, metric), "%s", metric);
	return (gint64)json_object_get_double_member(metrics, metric);
}

#define PAGES 16384 /* of the file, each written once */

/* The bios are made by the writer: they are the same whatever completes them. */
static void expect_same_bios(JsonArray *v)
{
	static const char *const same[] = {"write bios", "write bios in place",
					   "write bios flagged", "write bios mixed",
					   "device written MiB"};

	for (guint k = 0; k < G_N_ELEMENTS(same); k++)
		for (guint i = 1; i < G_N_ELEMENTS(names); i++)
			cr_expect_eq(value(v, i, same[k]), value(v, 0, same[k]), "%s: %s", names[i],
				     same[k]);
	cr_assert_gt(value(v, 0, "write bios mixed"), 100);
	cr_assert_gt(value(v, 0, "write bios flagged"), value(v, 0, "write bios mixed"));
	cr_assert_gt(value(v, 0, "write bios"), value(v, 0, "write bios flagged"));
	cr_assert_eq(value(v, 0, "device written MiB"), PAGES / 256);
}

/* How many dropbehind pages left, left in softirq (each a violation), were skipped there, found the
 * batch full. */
static void expect_drops(JsonArray *v, guint i, gint64 left, gint64 in_irq, gint64 skipped,
			 gint64 full)
{
	gint64 stayed = value(v, IRQ_SKIP, "cached pages at the end");

	cr_expect_eq(value(v, i, "pages dropped when written"), left, "%s", names[i]);
	cr_expect_eq(value(v, i, "pages dropped in interrupt"), in_irq, "%s", names[i]);
	cr_expect_eq(value(v, i, "context violations"), in_irq, "%s", names[i]);
	cr_expect_eq(value(v, i, "drops skipped in interrupt"), skipped, "%s", names[i]);
	cr_expect_eq(value(v, i, "drops skipped, batch full"), full, "%s", names[i]);
	cr_expect_eq(value(v, i, "cached pages at the end"), stayed - left, "%s", names[i]);
}

static void expect_completion(JsonArray *v)
{
	gint64 all = value(v, IRQ_DROP, "pages dropped when written"), small, full;

	/* Half of the file was cached and so is not dropbehind, and that is what stays. */
	cr_assert(all > PAGES * 4 / 10 && all < PAGES * 6 / 10);
	small = value(v, TASK_GT16K, "drops skipped in interrupt");
	cr_assert(small > 0 && small < all / 2); /* a quarter is written in calls of 16 KiB */
	full = value(v, FOLIO_BATCH, "drops skipped, batch full");
	cr_assert(full > 0 && full < all); /* bios of 64 pages, batches of 15 */
	expect_drops(v, IRQ_SKIP, 0, 0, all, 0);
	expect_drops(v, IRQ_DROP, all, all, 0, 0);
	expect_drops(v, TASK_FLAGGED, all, 0, 0, 0);
	expect_drops(v, TASK_GT16K, all - small, 0, small, 0);
	expect_drops(v, TASK_FLAGGED_GT16K, all, 0, 0, 0);
	expect_drops(v, FOLIO_BATCH, all - full, 0, 0, full);
	expect_drops(v, ALWAYS_TASK, all, 0, 0, 0);
	/* where bios end: flagged ones in the worker, the others in softirq */
	cr_expect_eq(value(v, IRQ_SKIP, "bios ended in a task"), 0);
	cr_expect_eq(value(v, TASK_FLAGGED, "bios ended in a task"),
		     value(v, TASK_FLAGGED, "write bios flagged"));
	cr_expect_eq(value(v, ALWAYS_TASK, "bios ended in interrupt"), 0);
	cr_expect_gt(value(v, TASK_FLAGGED_GT16K, "bios ended in a task"),
		     value(v, TASK_FLAGGED, "bios ended in a task"));
}

Test(cli_mixed, out_of_place)
{
	JsonArray *v = compare("configs/series/dropbehind/mixed-opu.ini");

	cr_assert_eq(value(v, 0, "write bios in place"), 0);
	expect_same_bios(v);
	expect_completion(v);
}

Test(cli_mixed, in_place)
{
	JsonArray *v = compare("configs/series/dropbehind/mixed-ipu.ini");

	cr_assert_eq(value(v, 0, "write bios in place"), value(v, 0, "write bios"));
	expect_same_bios(v);
	expect_completion(v);
}

/* The table that people read: a row for each, but none that is 0 in every column. */
Test(cli_mixed, the_table_leaves_out_what_is_zero)
{
	const struct ran *r = cli("compare", "configs/series/dropbehind/mixed-opu.ini",
				  VARIANT("irq_drop"), VARIANT("task_flagged"));

	cr_assert_eq(r->status, 0);
	cr_assert(strstr(r->out, "\ncontext violations "));
	cr_assert(strstr(r->out, "\nwrite bios mixed "));
	cr_assert_null(strstr(r->out, "batch full"));
	cr_assert_null(strstr(r->out, "write bios in place"));
}

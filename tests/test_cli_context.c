/*
 * tests/test_cli_context.c - context violations as a user sees them, and the variants of
 * completion.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

/* 32 pages written with dontcache, then fsync: 32 folios whose writeback ends. */
#define OPS                                                                                        \
	"# f2sim ops 1\n"                                                                          \
	"1000 write task=8 dev=259:0 ino=9 pos=0 len=131072 flags=dontcache\n"                     \
	"2000 fsync task=8 dev=259:0 ino=9 pos=0 len=0\n"

#define CHAIN                                                                                      \
	"softirq: blk_mq_complete_request -> bio_endio -> f2fs_write_end_io -> "                   \
	"folio_end_writeback -> folio_unmap_invalidate -> i_lock, which is not irq safe"

static const struct ran *replay_with(const char *completion, const char *context)
{
	g_autofree char *set = g_strconcat("bio.completion=", completion, NULL);

	return cli("replay", "--json", test_text("dontcache.ops", OPS), "--set",
		   "device.model=fixed", "--set", "f2fs_data.dontcache=read_write", "--set", set,
		   "--set", context);
}

static JsonObject *violations(JsonObject *results)
{
	return json_object_get_object_member(results, "context_violations");
}

Test(cli_context, detect_counts_and_goes_on)
{
	const struct ran *r = replay_with("irq_drop", "sim.context=detect");
	JsonObject *seen = violations(cli_json(r));
	JsonArray *first = json_object_get_array_member(seen, "first");

	cr_assert_eq(json_object_get_int_member(seen, "count"), 32);
	cr_assert_eq(json_array_get_length(first), 1);
	cr_assert_str_eq(json_array_get_string_element(first, 0), CHAIN);
	cr_assert(strstr(r->err, "f2sim: warning: context violation in " CHAIN "\n"), "%s", r->err);
	cr_assert(strstr(r->err, "32 context violations in all"));
}

Test(cli_context, fail_ends_with_status_1)
{
	const struct ran *r = replay_with("irq_drop", "sim.context=fail");

	cr_assert_eq(r->status, 1);
	cr_assert_str_eq(r->out, "");
	cr_assert(g_str_has_prefix(r->err, "f2sim: context violation at 0."), "%s", r->err);
	cr_assert(g_str_has_suffix(r->err, CHAIN "\n"), "%s", r->err);
}

Test(cli_context, safe_policies_have_none)
{
	static const char *const safe[] = {"irq_skip",	  "task_flagged",	"task_gt16k",
					   "folio_batch", "task_flagged_gt16k", "always_task"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(safe); i++) {
		const struct ran *r = replay_with(safe[i], "sim.context=fail");

		cr_assert_eq(json_object_get_int_member(violations(cli_json(r)), "count"), 0);
	}
}

Test(cli_context, an_unknown_mode_is_refused)
{
	cli_refused(replay_with("irq_drop", "sim.context=ignore"), "sim.context");
}

/* The files of configs/variants/ each set the completion they are named for. */
Test(cli_context, variants_are_what_they_say)
{
	static const char *const names[] = {"irq_skip",	  "irq_drop",		"task_flagged",
					    "task_gt16k", "task_flagged_gt16k", "folio_batch",
					    "always_task"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *file =
			g_strconcat("configs/variants/completion-", names[i], ".ini", NULL);
		JsonObject *results = cli_json(
			cli("replay", "--json", test_text("dontcache.ops", OPS), "--variant",
			    "configs/kernels/6.12-phone.ini", "--variant", file));
		JsonObject *key = json_object_get_object_member(
			json_object_get_object_member(
				json_object_get_object_member(results, "config"), "bio"),
			"completion");

		cr_assert_str_eq(json_object_get_string_member(key, "value"), names[i]);
	}
}

/*
 * The blktrace captures of shared/captures: binary against their text, against the counts in
 * README.md and ACTION_COUNTS.txt, and against the installed blkparse.
 */
#include "tests/blkbuild.h"

static const struct {
	const char *name;
	uint64_t records, events;
} captures[] = {{"seqwrite", 1342, 1336}, {"seqread", 5157, 5149}, {"createstat", 8263, 8254}};

static struct whole read_set(const char *name)
{
	g_autofree char *first = g_strdup_printf("blktrace/%s.blktrace.0", name);
	const char *path = test_capture(first);
	g_autofree char *base = g_strndup(path, strlen(path) - strlen(".blktrace.0"));

	return read_good(base);
}

static struct whole read_text(const char *name)
{
	g_autofree char *packed = g_strdup_printf("blktrace/%s.blkparse.txt.xz", name);

	return read_good(test_capture(packed));
}

static uint64_t sum_actions(const struct trace_info *info)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(info->actions); i++)
		sum += info->actions[i];
	return sum;
}

/* The rwbs table as sorted lines "D RA 1024 262144". */
static char *rwbs_lines(const struct trace_info *info)
{
	GHashTableIter iter;
	void *key, *value;
	GList *lines = NULL;
	GString *all = g_string_new(NULL);

	g_hash_table_iter_init(&iter, info->rwbs);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct trace_rwbs *r = value;

		lines = g_list_prepend(
			lines, g_strdup_printf("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
					       (const char *)key, r->count, r->sectors));
	}
	lines = g_list_sort(lines, (GCompareFunc)strcmp);
	for (GList *l = lines; l; l = l->next)
		g_string_append_printf(all, "%s\n", (const char *)l->data);
	g_list_free_full(lines, g_free);
	return g_string_free(all, FALSE);
}

/* The section of ACTION_COUNTS.txt for @name. */
static char *expected_lines(const char *name)
{
	g_autofree char *all = NULL;
	g_autofree char *head = g_strdup_printf("## %s ", name);

	cr_assert(
		g_file_get_contents(test_capture("blktrace/ACTION_COUNTS.txt"), &all, NULL, NULL));
	char *start = strchr(strstr(all, head), '\n') + 1;
	char *end = strstr(start, "##");

	return end ? g_strndup(start, (size_t)(end - start)) : g_strdup(start);
}

Test(blkcapture, counts_are_those_of_blkparse)
{
	for (size_t i = 0; i < G_N_ELEMENTS(captures); i++) {
		struct whole w = read_set(captures[i].name);
		g_autofree char *got = rwbs_lines(w.info);
		g_autofree char *want = expected_lines(captures[i].name);

		cr_assert_eq(w.info->records, captures[i].records);
		cr_assert_eq(sum_actions(w.info), captures[i].events);
		cr_assert_str_eq(got, want);
		cr_assert_eq(w.info->lost, 0);
		cr_assert_eq(w.info->unpaired, 0);
		whole_free(&w);
	}
}

/* Every op but for the origin of time and the clock's offset. */
static void assert_same_ops(const struct whole *a, const struct whole *b)
{
	int64_t shift_ns = op_at(a, 0)->time_ns - op_at(b, 0)->time_ns;

	cr_assert_eq(a->ops->len, b->ops->len);
	for (guint i = 0; i < a->ops->len; i++) {
		struct op op = *op_at(b, i);

		op.time_ns += shift_ns;
		op.done_ns += shift_ns;
		cr_assert_arr_eq(&op, op_at(a, i), sizeof(op), "op %u", i);
	}
}

static void assert_same(const struct whole *binary, const struct whole *text)
{
	g_autofree char *a = rwbs_lines(binary->info);
	g_autofree char *b = rwbs_lines(text->info);

	cr_assert_str_eq(a, b);
	cr_assert_arr_eq(binary->info->actions, text->info->actions, sizeof(binary->info->actions));
	assert_same_ops(binary, text);
}

Test(blkcapture, text_equals_binary)
{
	for (size_t i = 0; i < G_N_ELEMENTS(captures); i++) {
		struct whole binary = read_set(captures[i].name);
		struct whole text = read_text(captures[i].name);

		cr_assert_eq(text.info->records, captures[i].events);
		assert_same(&binary, &text);
		whole_free(&binary);
		whole_free(&text);
	}
}

/* Run blkparse on capture @name with @args; its output in a file, whose path is returned. */
static const char *run_blkparse(const char *name, const char *arg, const char *value)
{
	g_autofree char *program = g_find_program_in_path("blkparse");
	g_autofree char *first = g_strdup_printf("blktrace/%s.blktrace.0", name);
	g_autofree char *folder = g_path_get_dirname(test_capture(first));
	char *argv[] = {program,      "-D",	   folder,	  "-i",
			(char *)name, (char *)arg, (char *)value, NULL};
	g_autofree char *out = NULL;
	GError *err = NULL;

	if (!program)
		cr_skip_test("blkparse is not installed");
	cr_assert(g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL,
			       NULL, &err),
		  "%s", err ? err->message : "");
	return test_text("blkparse.out", out);
}

Test(blkcapture, the_installed_blkparse_agrees)
{
	for (size_t i = 0; i < G_N_ELEMENTS(captures); i++) {
		const char *out = run_blkparse(captures[i].name, NULL, NULL);
		struct whole binary = read_set(captures[i].name), text = read_good(out);

		assert_same(&binary, &text);
		whole_free(&binary);
		whole_free(&text);
	}
}

Test(blkcapture, elapsed_times_change_nothing)
{
	const char *out = run_blkparse("seqread", "-t", NULL);
	struct whole binary = read_set("seqread"), text = read_good(out);

	assert_same(&binary, &text);
	whole_free(&binary);
	whole_free(&text);
}

Test(blkcapture, a_format_of_ones_own_changes_nothing)
{
	static const char format[] = "%M/%m %c %s [%-16C] %5T.%9t %p %2a=%3d @%S+%n !%e\\n";
	g_autofree char *name = g_strconcat("blkparse:", format, NULL);
	struct whole binary = read_set("createstat");
	struct whole text = read_file(run_blkparse("createstat", "-f", format), name);

	cr_assert_null(text.err, "%s", text.err ? text.err->message : "");
	cr_assert_eq(text.info->records, 8254);
	assert_same_ops(&binary, &text);
	whole_free(&binary);
	whole_free(&text);
}

/* blkparse -d: one file for all CPUs, not sorted. */
Test(blkcapture, a_merged_dump_equals_the_set)
{
	const char *dump = test_text("dump", "");

	run_blkparse("seqread", "-d", dump);
	struct whole set = read_set("seqread"), merged = read_good(dump);

	assert_same(&set, &merged);
	cr_assert_eq(merged.info->lost, 0);
	whole_free(&set);
	whole_free(&merged);
}

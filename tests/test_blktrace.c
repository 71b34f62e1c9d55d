#include <malloc.h>

#include "tests/blkbuild.h"

/* CASES 1: .0 has Q, D at 10 and 20 us, .1 the C at 120 us, .2 is empty. */
static const struct rec cpu0[] = {
	{.seq = 1, .time = 10000, .sector = 8, .bytes = 4096, .action = ACT_Q | TC_READ, .pid = 5},
	{.seq = 2, .time = 20000, .sector = 8, .bytes = 4096, .action = ACT_D | TC_READ, .pid = 5},
};
static const struct rec cpu1[] = {
	{.seq = 1, .time = 120000, .sector = 8, .bytes = 4096, .action = ACT_C | TC_READ, .cpu = 1},
};

static void assert_case_1(struct whole w)
{
	cr_assert_null(w.err, "%s", w.err ? w.err->message : "");
	cr_assert_eq(w.ops->len, 1);
	cr_assert_eq(op_at(&w, 0)->kind, OP_BIO_READ);
	cr_assert_eq(op_at(&w, 0)->pos, 4096);
	cr_assert_eq(op_at(&w, 0)->len, 4096);
	cr_assert_eq(op_at(&w, 0)->dev, DEVNO(8, 0));
	cr_assert_eq(op_at(&w, 0)->flags, OP_CROSS_CPU);
	cr_assert_eq(op_at(&w, 0)->result, 4096);
	cr_assert_eq(latency(&w, 0), 100000);
	cr_assert_eq(w.info->cross_cpu, 1);
	cr_assert_eq(w.info->unpaired, 0);
	cr_assert_eq(w.info->records, 3);
	whole_free(&w);
}

Test(blktrace, a_set_is_found_by_base_name_by_files_or_joined)
{
	const char *f0 = put_file("t.blktrace.0", cpu0, 2);
	const char *f1 = put_file("t.blktrace.1", cpu1, 1);
	const char *f2 = put_file("t.blktrace.2", NULL, 0);
	g_autofree char *base = g_strndup(f0, strlen(f0) - strlen(".blktrace.0"));
	g_autofree char *with_infix = g_strndup(f0, strlen(f0) - strlen(".0"));
	g_autofree char *joined = g_strjoin(":", f0, f1, f2, NULL);
	const char *const listed[] = {f1, f2, f0, NULL};
	const char *const twice[] = {f1, base, f1, NULL};

	assert_case_1(read_file(base, NULL));
	assert_case_1(read_file(with_infix, NULL));
	assert_case_1(read_file(joined, NULL));
	assert_case_1(read_paths(listed, NULL));
	assert_case_1(read_paths(twice, NULL));
}

Test(blktrace, only_the_completions)
{
	struct whole w = read_good(put_file("t.blktrace.1", cpu1, 1));

	cr_assert_eq(w.ops->len, 0);
	cr_assert_eq(w.info->unpaired, 1);
	cr_assert_eq(w.info->paired, 0);
	cr_assert_str_eq(g_ptr_array_index(w.info->warnings, 0), "1 completion without issue");
	whole_free(&w);
}

/* CASES 2: issues on CPUs 0 and 2, every completion in file .1, sequences repeat. */
Test(blktrace, completions_all_on_one_cpu)
{
	static const struct rec on0[] = {
		{.seq = 0,
		 .time = 0,
		 .action = ACT_PROCESS,
		 .pid = 5,
		 .pdu_len = 16,
		 .pdu = "dd\0garbage.1234"},
		{.seq = 1, .time = 100, .sector = 8, .bytes = 512, .action = ACT_D | TC_READ},
		{.seq = 2, .time = 300, .sector = 24, .bytes = 512, .action = ACT_D | TC_READ},
	};
	static const struct rec on1[] = {
		{.seq = 1,
		 .time = 400,
		 .sector = 16,
		 .bytes = 512,
		 .action = ACT_C | TC_READ,
		 .cpu = 1},
		{.seq = 2,
		 .time = 500,
		 .sector = 8,
		 .bytes = 512,
		 .action = ACT_C | TC_READ,
		 .cpu = 1},
		{.seq = 3,
		 .time = 600,
		 .sector = 99,
		 .bytes = 512,
		 .action = ACT_C | TC_READ,
		 .cpu = 1},
	};
	static const struct rec on2[] = {
		{.seq = 1,
		 .time = 200,
		 .sector = 16,
		 .bytes = 512,
		 .action = ACT_D | TC_READ,
		 .cpu = 2},
	};
	const char *const paths[] = {put_file("m.blktrace.0", on0, 3),
				     put_file("m.blktrace.1", on1, 3),
				     put_file("m.blktrace.2", on2, 1), NULL};
	struct whole w = read_paths(paths, NULL);

	cr_assert_null(w.err);
	cr_assert_eq(w.ops->len, 3);
	cr_assert_eq(latency(&w, 0), 400);
	cr_assert_eq(latency(&w, 1), 200);
	cr_assert_eq(op_at(&w, 2)->done_ns, OP_NO_TIME);
	cr_assert_eq(w.info->paired, 2);
	cr_assert_eq(w.info->cross_cpu, 2);
	cr_assert_eq(w.info->unpaired, 2); /* one C, one D */
	cr_assert_eq(w.info->lost, 0);
	whole_free(&w);
}

/* CASES 11: the same events in both versions and both byte orders. */
Test(blktrace, versions_and_byte_orders_agree)
{
	struct whole first = read_good(put_file("v7", cpu0, 2));

	for (int i = 1; i < 4; i++) {
		struct rec r[2];

		memcpy(r, cpu0, sizeof(r));
		for (int k = 0; k < 2; k++) {
			r[k].version = i & 1 ? 8 : 7;
			r[k].swap = i & 2;
		}
		struct whole w = read_good(put_file("other", r, 2));

		cr_assert_eq(w.ops->len, 1);
		cr_assert_arr_eq(op_at(&w, 0), op_at(&first, 0), sizeof(struct op));
		cr_assert_str_eq(w.info->version, i & 1 ? "8" : "7");
		cr_assert_eq(w.info->actions['Q'], 1);
		whole_free(&w);
	}
	whole_free(&first);
}

static void assert_broken(const struct rec *r, size_t n, const char *why)
{
	struct whole w = read_file(put_file("broken", r, n), NULL);

	cr_assert_not_null(w.err);
	cr_assert_not_null(strstr(w.err->message, why), "%s", w.err->message);
	whole_free(&w);
}

Test(blktrace, other_versions_are_refused)
{
	struct rec r[] = {cpu0[0], cpu0[1]};

	r[0].version = 9;
	assert_broken(r, 2, "offset 0: unsupported blktrace version 9 (record 0)");
	r[0].version = 7;
	r[1].version = 6;
	assert_broken(r, 2, "offset 48: unsupported blktrace version 6 (record 1)");
}

Test(blktrace, garbage_between_records_is_an_error_with_its_offset)
{
	GByteArray *a = g_byte_array_new();

	put_record(a, &cpu0[0]);
	put(a, 0x12345678, 4, false);
	put_record(a, &cpu0[1]);
	struct whole w = read_file(test_file("g", a->data, a->len), NULL);

	cr_assert_not_null(
		strstr(w.err->message, "offset 48: no blktrace record, magic 0x12345678"));
	whole_free(&w);
	g_byte_array_unref(a);
}

Test(blktrace, a_cut_tail_is_counted)
{
	GByteArray *a = g_byte_array_new();
	struct rec last = cpu0[1];

	last.pdu_len = 8;
	last.pdu = "12345678";
	put_record(a, &cpu0[0]);
	put_record(a, &last);
	for (guint cut = 1; cut < 56; cut += 9) { /* inside the PDU, then inside the header */
		struct whole w = read_good(test_file("cut", a->data, a->len - cut));

		cr_assert(w.info->truncated);
		cr_assert_eq(w.info->broken, 1);
		cr_assert_eq(w.info->records, 1);
		cr_assert(g_str_has_prefix(g_ptr_array_index(w.info->warnings, 0), "cut short, "));
		whole_free(&w);
	}
	g_byte_array_unref(a);
}

/* CASES 13: a merged dump with two steps back, and a name with garbage behind its NUL. */
Test(blktrace, an_unsorted_dump_is_sorted_and_counted)
{
	static const struct rec dump[] = {
		{.action = ACT_PROCESS, .pid = 5, .pdu_len = 16, .pdu = "blktst\0erminal-"},
		{.seq = 1, .time = 9000, .sector = 8, .bytes = 512, .action = ACT_D | TC_READ},
		{.seq = 1,
		 .time = 5000,
		 .sector = 16,
		 .bytes = 512,
		 .action = ACT_D | TC_READ,
		 .cpu = 1},
		{.seq = 2, .time = 20000, .sector = 8, .bytes = 512, .action = ACT_C | TC_READ},
		{.seq = 2,
		 .time = 7000,
		 .sector = 16,
		 .bytes = 512,
		 .action = ACT_C | TC_READ,
		 .cpu = 1},
	};
	struct whole w = read_good(put_file("dump", dump, G_N_ELEMENTS(dump)));

	cr_assert_eq(w.ops->len, 2);
	cr_assert_eq(op_at(&w, 0)->time_ns, 5000);
	cr_assert_eq(latency(&w, 0), 2000);
	cr_assert_eq(op_at(&w, 1)->time_ns, 9000);
	cr_assert_eq(w.info->skewed, 2);
	cr_assert_eq(w.info->lost, 0);
	cr_assert_str_eq(g_hash_table_lookup(w.info->names, GINT_TO_POINTER(5)), "blktst");
	whole_free(&w);
}

/* CASES 20: A Q G P D U C for three 4 KiB reads; plugs carry no bytes and are no reads. */
Test(blktrace, three_reads_are_three_reads)
{
	static const uint32_t actions[] = {ACT_A, ACT_Q, ACT_G, ACT_P, ACT_D, ACT_U, ACT_C};
	struct rec r[21] = {{.seq = 0}};

	for (unsigned int i = 0; i < 21; i++) {
		uint32_t action = actions[i % 7];
		bool plug = action == ACT_P || action == ACT_U;

		r[i] = (struct rec){.seq = i + 1,
				    .time = i * 1000,
				    .sector = plug ? 0 : 8 * (i / 7),
				    .bytes = plug ? 0 : 4096,
				    .action = action | TC_READ,
				    .pdu_len = action == ACT_A	 ? 16
					       : action == ACT_U ? 8
								 : 0,
				    .pdu = "0123456789abcdef"};
	}
	struct whole w = read_good(put_file("reads", r, 21));

	cr_assert_eq(w.ops->len, 3);
	for (guint i = 0; i < 3; i++) {
		cr_assert_eq(op_at(&w, i)->kind, OP_BIO_READ);
		cr_assert_eq(latency(&w, i), 2000);
	}
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(w.info->rwbs, "P N"))->count, 3);
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(w.info->rwbs, "A R"))->sectors, 24);
	cr_assert_eq(w.info->actions['U'], 3);
	whole_free(&w);
}

/* A message behind a cgroup id (bit 0x100), and an event with the id as its PDU. */
Test(blktrace, cgroup_ids_are_no_part_of_the_action)
{
	static const struct rec r[] = {
		{.seq = 1,
		 .time = 1,
		 .sector = 8,
		 .bytes = 512,
		 .action = ACT_D | TC_WRITE | 0x100,
		 .pdu_len = 8,
		 .pdu = "\1\0\0\0\0\0\0\0"},
		{.time = 2,
		 .action = ACT_MESSAGE | 0x100,
		 .pdu_len = 12,
		 .pdu = "\1\0\0\0\0\0\0\0text"},
		{.seq = 2, .time = 3, .sector = 8, .bytes = 512, .action = ACT_C | TC_WRITE},
	};
	struct whole w = read_good(put_file("cg", r, 3));

	cr_assert_eq(w.ops->len, 1);
	cr_assert_eq(op_at(&w, 0)->kind, OP_BIO_WRITE);
	cr_assert_eq(w.info->actions['m'], 1);
	cr_assert_eq(g_hash_table_size(w.info->unknown), 0);
	whole_free(&w);
}

/* Sequence 1, 2, 6 on one CPU: three events are missing. */
Test(blktrace, missing_sequence_numbers_are_lost_events)
{
	struct rec r[] = {cpu0[0], cpu0[1], cpu0[1]};

	r[2].seq = 6;
	r[2].time = 30000;
	struct whole w = read_good(put_file("gap", r, 3));

	cr_assert_eq(w.info->lost, 3);
	whole_free(&w);
}

Test(blktrace, unknown_actions_are_counted_by_name)
{
	struct rec r[] = {cpu0[0], cpu0[1]};

	r[1].action = 18; /* zone plug */
	struct whole w = read_good(put_file("unknown", r, 2));

	cr_assert_eq(*(uint64_t *)g_hash_table_lookup(w.info->unknown, "action 18"), 1);
	cr_assert_eq(w.info->records, 2);
	whole_free(&w);
}

static const char *many_pairs(const char *name, unsigned int n)
{
	GByteArray *a = g_byte_array_new();

	for (unsigned int i = 0; i < n; i++) {
		struct rec r = i & 1 ? cpu1[0] : cpu0[1];

		r.cpu = 0;
		r.seq = i + 1;
		r.time = 1000 * (i + 1);
		r.sector = 8 * (i / 2);
		put_record(a, &r);
	}
	const char *path = test_file(name, a->data, a->len);

	g_byte_array_unref(a);
	return path;
}

static size_t read_through(const char *path, uint64_t *n)
{
	const char *const paths[] = {path, NULL};
	struct trace *t = trace_open(paths, NULL, NULL);
	size_t most = 0;
	struct op op;

	for (*n = 0; trace_next(t, &op, NULL); ++*n)
		if (*n % 1000 == 0)
			most = MAX(most, mallinfo2().uordblks + mallinfo2().hblkhd);
	trace_close(t);
	return most;
}

/* CASES 10, small: ten times the records, the same memory. */
Test(blktrace, memory_does_not_grow_with_the_capture)
{
	const char *small = many_pairs("small", 10000), *large = many_pairs("large", 100000);
	uint64_t n;
	size_t small_bytes = read_through(small, &n);

	cr_assert_eq(n, 5000);
	size_t large_bytes = read_through(large, &n);

	cr_assert_eq(n, 50000);
	cr_assert_lt(large_bytes, small_bytes + (64 << 10));
}

/*
 * tests/test_fiojob.c - traces/fiojob.h: job files, and the order of ops.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/fio_job.h"
#include "tests/support.h"

static void expect_unfit(const char *text, const char *what)
{
	GError *err = NULL;

	cr_assert_null(fio_jobs_read(test_text("bad.fio", text), &err));
	cr_assert(strstr(err->message, what), "%s", err->message);
	cr_assert(strstr(err->message, "bad.fio: "), "%s", err->message);
	g_error_free(err);
}

Test(fiojob, files_that_are_refused)
{
	expect_unfit("[a]\nrw=read\n", "bad.fio: line 1: a: size is not set");
	expect_unfit("[g]\nsize=4k\n[a]\nsize=4k\nbs=8k\n", "bad.fio: line 3: a: bs is above size");
	expect_unfit("[a]\nsize=4k\nnumjobs=65536\niodepth=17\nioengine=io_uring\n",
		     "numjobs times iodepth is above 1048576");
	expect_unfit("[a]\nsize=1m\ntime_based\n", "time_based needs a runtime");
	expect_unfit("[a]\nsize=1m\nfilename=x:y\n", "only one file");
	expect_unfit("[global]\nsize=1m\n", "no job section");
	expect_unfit("size=1m\n", "line 1: expected \"[global]\"");
	expect_unfit("[a]\n\nsize=1m\nsiez=1m\n", "line 4: unknown option \"siez\"");
	expect_unfit("[a\nsize=1m\n", "line 1: expected \"[name]\"");
	expect_unfit("[a]\nsize=${SIZE}\n", "line 2: size: $");
}

Test(fiojob, file)
{
	GError *err = NULL;
	GPtrArray *jobs = fio_jobs_read(test_text("two.fio", "; a comment\n"
							     "[global]\r\n"
							     "ioengine=psync\n"
							     "group_reporting\n"
							     "bs=64k   # trailing\n"
							     "size = 128m\n"
							     "\n"
							     "[writers]\n"
							     "rw=write\n"
							     "numjobs=3\n"
							     "uncached=1\n"
							     "rate=10m\n"
							     "[global]\n"
							     "bs=4k\n"
							     "[reader]\n"
							     "readwrite=randread\n"
							     "filename=data\n"
							     "stonewall\n"
							     "buffered=0\n"
							     "[again]\n"
							     "rw=read\n"
							     "filename=data\n"),
					&err);

	cr_assert(jobs, "%s", err ? err->message : "");
	cr_assert_eq(jobs->len, 3);
	const struct fio_job *w = jobs->pdata[0], *r = jobs->pdata[1], *a = jobs->pdata[2];
	cr_assert_str_eq(w->name, "writers");
	cr_assert_eq(w->rw, FIO_WRITE);
	cr_assert(w->bs_bytes == 65536 && w->size_bytes == 134217728);
	cr_assert_eq(w->rate, 10485760);
	cr_assert(w->uncached && !w->stonewall);
	cr_assert_eq(w->engine, FIO_ENGINE_SYNC);
	cr_assert_eq(w->ignored->len, 1);
	cr_assert_str_eq(w->ignored->pdata[0], "group_reporting");
	cr_assert_eq(r->rw, FIO_RANDREAD);
	cr_assert_eq(r->bs_bytes, 4096);
	cr_assert(r->stonewall && r->direct);
	/* three clones with files of their own, then the shared one */
	cr_assert_eq(w->ino, 1);
	cr_assert(r->ino == 4 && a->ino == 4);
	cr_assert_eq(w->task, 1);
	cr_assert(r->task == 4 && a->task == 5);
	g_ptr_array_unref(jobs);
}

/* "O W0 W1 S C": kinds by letter, reads and writes with their block. */
static char *sequence(const struct fio_job *job, unsigned int clone, int max)
{
	struct op_source *src = fio_source_new(job, clone, 1);
	GString *s = g_string_new(NULL);
	GError *err = NULL;
	struct op op;

	while (max-- > 0 && src->next(src, &op, &err)) {
		char letter = op.kind == OP_OPEN       ? 'O'
			      : op.kind == OP_CLOSE    ? 'C'
			      : op.kind == OP_READ     ? 'R'
			      : op.kind == OP_WRITE    ? 'W'
			      : op.kind == OP_DISCARD  ? 'T'
			      : op.flags & OP_DATASYNC ? 'D'
						       : 'S';
		g_string_append_printf(s, "%s%c", s->len ? " " : "", letter);
		if (op.len)
			g_string_append_printf(s, "%d", (int)(op.pos / job->bs_bytes));
		cr_assert_eq(op.time_ns, OP_NO_TIME);
		cr_assert_eq(op.done_ns, OP_NO_TIME);
		cr_assert_eq(op.task, job->task + (int)clone);
	}
	cr_assert_null(err);
	fio_source_free(src);
	return g_string_free(s, FALSE);
}

static void expect_sequence(struct fio_job *job, const char *expected)
{
	g_autofree char *got = sequence(job, 0, 100);

	cr_assert_str_eq(got, expected);
	fio_job_free(job);
}

/* As write_iolog of fio 3.33 shows it. */
Test(fiojob, sequential_order)
{
	expect_sequence(JOB("rw", "write", "size", "16k"), "O W0 W1 W2 W3 C");
	expect_sequence(JOB("rw", "write", "size", "15k"), "O W0 W1 W2 C");
	expect_sequence(JOB("rw", "read", "size", "12k", "io_size", "20k"),
			"O R0 R1 R2 C O R0 R1 C");
	expect_sequence(JOB("rw", "read", "size", "12k", "io_size", "5k"), "O R0 R1 C");
	expect_sequence(JOB("rw", "read", "size", "8k", "loops", "2"), "O R0 R1 C O R0 R1 C");
	expect_sequence(JOB("rw", "write", "size", "15k", "io_size", "30k"),
			"O W0 W1 W2 C O W0 W1 W2 C O W0 W1 C");
	expect_sequence(JOB("rw", "trim", "size", "8k", "offset", "8k"), "O T2 T3 C");
}

/* As write_iolog of fio 3.33 shows it, which counts "total=0,4,0,3" for the first. */
Test(fiojob, syncs)
{
	expect_sequence(JOB("rw", "write", "size", "16k", "fsync", "1"), "O W0 S W1 S W2 S W3 C");
	expect_sequence(JOB("rw", "write", "size", "16k", "fdatasync", "2", "end_fsync", "1"),
			"O W0 W1 D W2 W3 S C");
	expect_sequence(JOB("rw", "write", "size", "8k", "fsync_on_close", "1", "loops", "2"),
			"O W0 W1 S C O W0 W1 S C");
	expect_sequence(JOB("rw", "read", "size", "8k", "fsync", "1", "end_fsync", "1"),
			"O R0 R1 C");
}

Test(fiojob, time_based_ends_when_told)
{
	struct fio_job *job = JOB("rw", "write", "size", "8k", "time_based", NULL, "runtime", "1",
				  "end_fsync", "1");
	struct op_source *src = fio_source_new(job, 0, 1);
	GError *err = NULL;
	struct op op;

	for (int i = 0; i < 1000; i++)
		cr_assert(src->next(src, &op, &err));
	cr_assert_eq(op.kind, OP_WRITE);
	fio_source_stop(src);
	cr_assert(src->next(src, &op, &err));
	cr_assert_eq(op.kind, OP_FSYNC);
	cr_assert(src->next(src, &op, &err));
	cr_assert_eq(op.kind, OP_CLOSE);
	cr_assert_not(src->next(src, &op, &err));
	fio_source_free(src);
	fio_job_free(job);
}

Test(fiojob, flags_and_files)
{
	struct fio_job *job = JOB("rw", "write", "size", "1m", "bs", "64k", "uncached", "1",
				  "direct", "1", "numjobs", "3", "offset_increment", "1m");
	GError *err = NULL;
	struct op op;

	for (unsigned int clone = 0; clone < 3; clone++) {
		struct op_source *src = fio_source_new(job, clone, 1);
		cr_assert(src->next(src, &op, &err));
		cr_assert_eq(op.kind, OP_OPEN);
		cr_assert_eq(op.flags, OP_CREATE);
		cr_assert(src->next(src, &op, &err));
		cr_assert_eq(op.flags, OP_DONTCACHE | OP_DIRECT);
		cr_assert_eq(op.ino, 1 + clone);
		cr_assert_eq(op.task, 1 + (int)clone);
		cr_assert_eq(op.pos, clone * 1048576);
		cr_assert_eq(op.len, 65536);
		fio_source_free(src);
	}
	fio_job_free(job);
	job = JOB("rw", "write", "size", "1m", "filename", "f", "numjobs", "2");
	struct op_source *src = fio_source_new(job, 1, 1);
	cr_assert(src->next(src, &op, &err));
	cr_assert_eq(op.ino, 1);
	cr_assert_eq(op.flags, 0); /* clone 0 made it */
	fio_source_free(src);
	fio_job_free(job);
}

/* Each block once a round, whatever the number of blocks, and not in order. */
Test(fiojob, random_covers_each_block_once)
{
	static const int sizes[] = {1, 2, 3, 5, 64, 1000, 4097};

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		int n = sizes[i], in_order = 0;
		struct fio_job *job = JOB("rw", "randread", "size", "1m");
		job->size_bytes = 4096 * n;
		job->io_size_bytes = 2 * job->size_bytes;
		g_autofree uint8_t *seen = g_malloc0((gsize)n);
		struct op_source *src = fio_source_new(job, 0, 7);
		struct op op;
		int64_t last = -1;

		cr_assert(src->next(src, &op, NULL));
		for (int k = 0; k < 2 * n; k++) {
			cr_assert(src->next(src, &op, NULL));
			if (k == n) { /* the second round */
				cr_assert_eq(op.kind, OP_CLOSE);
				cr_assert(src->next(src, &op, NULL));
				cr_assert_eq(op.kind, OP_OPEN);
				cr_assert(src->next(src, &op, NULL));
			}
			cr_assert_eq(op.kind, OP_READ);
			cr_assert_eq(op.pos % 4096, 0);
			int64_t block = op.pos / 4096;
			cr_assert(block >= 0 && block < n);
			cr_assert_eq(seen[block]++, k / n, "%d blocks, block %d", n, (int)block);
			in_order += block == last + 1;
			last = block;
		}
		cr_assert(src->next(src, &op, NULL));
		cr_assert_eq(op.kind, OP_CLOSE);
		/* about 1 in n by chance: 2 expected, 8 sigma are below 20 */
		cr_assert(n < 64 || in_order < 20, "%d blocks: %d in order", n, in_order);
		fio_source_free(src);
		fio_job_free(job);
	}
}

Test(fiojob, same_seed_same_order)
{
	struct fio_job *job = JOB("rw", "randrw", "size", "4m", "norandommap", "1");
	g_autofree char *a = sequence(job, 0, 2000);
	g_autofree char *b = sequence(job, 0, 2000);
	g_autofree char *c = sequence(job, 1, 2000);

	cr_assert_str_eq(a, b);
	cr_assert_str_neq(a, c);
	fio_job_free(job);
}

Test(fiojob, mix)
{
	struct fio_job *job = JOB("rw", "rw", "size", "400m", "rwmixread", "70");
	struct op_source *src = fio_source_new(job, 0, 1);
	int64_t next[2] = {0, 0};
	int reads = 0;
	struct op op;

	cr_assert(src->next(src, &op, NULL));
	for (int i = 0; i < 10000; i++) {
		cr_assert(src->next(src, &op, NULL));
		bool write = op.kind == OP_WRITE;
		cr_assert_eq(op.pos, next[write], "each direction has its own position");
		next[write] += 4096;
		reads += !write;
	}
	cr_assert(reads > 6700 && reads < 7300, "%d", reads); /* 7000, sigma 46 */
	fio_source_free(src);
	fio_job_free(job);
}

Test(fiojob, as_a_capture)
{
	GError *err = NULL;
	const char *const paths[] = {
		test_text("j.fio", "[global]\nsize=8k\n[a]\nrw=write\nnumjobs=2\n"), NULL};
	struct trace *t = trace_open(paths, &(struct trace_opts){.want = OP_CLASS_ALL}, &err);
	static const int tasks[] = {1, 2, 1, 2, 1, 2, 1, 2};
	struct op op;

	cr_assert(t, "%s", err ? err->message : "");
	for (size_t i = 0; i < G_N_ELEMENTS(tasks); i++) {
		cr_assert(trace_next(t, &op, &err));
		cr_assert_eq(op.task, tasks[i]);
	}
	cr_assert_not(trace_next(t, &op, &err));
	cr_assert_null(err);
	cr_assert_str_eq(trace_info(t)->format, "fiojob");
	cr_assert_eq(trace_info(t)->records, 8);
	cr_assert_eq(g_hash_table_size(trace_info(t)->events), 0); /* it has no tracepoints */
	trace_close(t);
}

Test(fiojob, a_scenario_is_no_job_file)
{
	static const char *const texts[] = {"[host]\nmemory=1g\n[workload]\nrw=read\n",
					    "size=1m\n[a]\n", "", "; nothing\n", "[a]\n"};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		cr_assert_eq(trace_fiojob.probe((const uint8_t *)texts[i], strlen(texts[i])), 0);
}

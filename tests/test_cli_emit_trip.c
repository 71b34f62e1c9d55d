/*
 * tests/test_cli_emit_trip.c - what --emit wrote, read back: the ops that went in.
 *
 * Files' ops: those of the capture or job that a replay does.  Requests: those of a capture of the
 * block layer replayed at the device; else ftrace text against blktrace, two writers and two
 * readers that share no code but the tracepoints.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "tests/emitted.h"

#define INO_FIRST_FILE 3u /* F2FS keeps three inodes for itself */
#define PID_FIRST_JOB 1000

/* @want against the calls that trace.ftrace of @folder shows. */
static void check_file_ops(GArray *want, const char *folder)
{
	struct run got = emitted_ops(folder, "trace.ftrace", OP_CLASS_FILE);

	cr_assert_eq(got.info->broken, 0);
	cr_assert_eq(got.info->unbound, 0);
	cr_assert_eq(g_hash_table_size(got.info->unknown), 0);
	drop_idle_ops(want, OP_CLASS_FILE);
	drop_idle_ops(got.ops, OP_CLASS_FILE);
	sort_by_task(want);
	sort_by_task(got.ops);
	check_same_ops(want, got.ops);
	run_free(&got);
}

static struct run emitted_requests(const char *folder)
{
	g_autofree char *base = g_build_filename(folder, "nvme0n1", NULL);

	return run_cpus(base, OP_CLASS_BLOCK);
}

/* Requests of both formats, one by one, with their times: text has microseconds. */
static void check_requests(const char *folder)
{
	struct run text = emitted_ops(folder, "trace.ftrace", OP_CLASS_BLOCK);
	struct run binary = emitted_requests(folder);

	drop_idle_ops(text.ops, OP_CLASS_BLOCK);
	drop_idle_ops(binary.ops, OP_CLASS_BLOCK);
	cr_assert_eq(text.info->unpaired, 0);
	cr_assert_eq(binary.info->unpaired, 0);
	check_same_ops(text.ops, binary.ops);
	for (guint i = 0; i < text.ops->len; i++) {
		const struct op *t = op_at(&text, i), *b = op_at(&binary, i);

		cr_assert_leq(ABS(t->done_ns - t->time_ns - b->done_ns + b->time_ns), 1000,
			      "request %u took %ld ns, in text %ld", i,
			      (long)(b->done_ns - b->time_ns), (long)(t->done_ns - t->time_ns));
	}
	run_free(&text);
	run_free(&binary);
}

/* Captures of file systems: name, options, and whether requests reach the device. */
struct trip {
	const char *capture, *options;
	guint nr_ops; /* captures/README.md: calls of the workload and of what stands around it */
	bool requests;
};

static const struct trip trips[] = {
	/* clang-format off */
	{ "ftrace/seqwrite.trace.txt.xz",  "", 2051, true },
	{ "ftrace/seqread.trace.txt.xz",   "", 2051, true },
	{ "ftrace/randread.trace.txt.xz",  "", 5122, true },
	{ "ftrace/createstat.trace.txt.xz", "", 6000, false },
	{ "ftrace/seqread.trace.txt.xz",   "--set memcg.max=16MiB --mode asap", 2051, true },
	{ "ftrace/seqwrite.trace.txt.xz",  "--set host.memory=64MiB --mode asap", 2051, true },
	{ "pressure_ftrace/memcg16m.trace.txt.xz", "--set memcg.max=16MiB", 1026, true },
	{ "dontcache/trace_ext4_write_normal_64k.trace.txt.xz",    "--variant configs/kernels/6.18.ini", 257, true },
	{ "dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz", "--variant configs/kernels/6.18.ini", 257, true },
	{ "dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz",  "--variant configs/kernels/6.18.ini", 256, true },
	{ "dontcache/trace_ext4_read_normal_64k.trace.txt.xz",     "--variant configs/kernels/6.18.ini", 256, true },
	/* clang-format on */
};

static void check_trip(const struct trip *trip)
{
	const char *capture = test_capture(trip->capture);
	struct run want = run_path(capture, OP_CLASS_FILE);
	g_autofree char *args = g_strdup_printf("replay %s %s", capture, trip->options);
	const char *folder = emitted(args);

	check_file_ops(want.ops, folder);
	cr_assert_eq(want.ops->len, trip->nr_ops, "%u ops of %s", want.ops->len, capture);
	if (trip->requests)
		check_requests(folder);
	run_free(&want);
}

#define TRIP(name, i)                                                                              \
	Test(cli_emit_trip, name)                                                                  \
	{                                                                                          \
		check_trip(&trips[i]);                                                             \
	}

TRIP(seqwrite, 0)
TRIP(seqread, 1)
TRIP(randread, 2)
TRIP(createstat, 3)
TRIP(seqread_in_a_memory_cgroup, 4)
TRIP(seqwrite_in_little_memory, 5)
TRIP(memcg16m, 6)
TRIP(write_normal, 7)
TRIP(write_dontcache, 8)
TRIP(read_dontcache, 9)
TRIP(read_normal, 10)

/* A capture of the block layer, @name.blktrace.0 and .1: its requests, from both formats. */
static void check_block_trip(const char *name, guint nr_ops)
{
	g_autofree char *first = g_strconcat(name, ".blktrace.0", NULL);
	g_autofree char *base = g_strdup(test_capture(first));

	base[strlen(base) - strlen(".blktrace.0")] = '\0';
	g_autofree char *args = g_strdup_printf("replay %s", base);
	struct run want = run_cpus(base, OP_CLASS_BLOCK);
	const char *folder = emitted(args);
	struct run got = emitted_requests(folder);

	drop_idle_ops(want.ops, OP_CLASS_BLOCK);
	drop_idle_ops(got.ops, OP_CLASS_BLOCK);
	cr_assert_eq(want.ops->len, nr_ops, "%u requests in %s", want.ops->len, name);
	sort_by_task(want.ops);
	sort_by_task(got.ops);
	check_same_ops(want.ops, got.ops);
	check_requests(folder);
	run_free(&want);
	run_free(&got);
}

/* D of ACTION_COUNTS.txt. */
Test(cli_emit_trip, block_seqread)
{
	check_block_trip("blktrace/seqread", 1024 + 3 + 1 + 1 + 1 + 1);
}

Test(cli_emit_trip, block_seqwrite)
{
	check_block_trip("blktrace/seqwrite", 2 + 2 + 1 + 260 + 4);
}

Test(cli_emit_trip, block_createstat)
{
	check_block_trip("blktrace/createstat", 2016 + 10 + 1 + 1 + 26 + 5);
}

/* A job's ops are numbered from inode 1 and task 1; a run's files lie behind F2FS's own. */
static void check_job(const char *text, const char *options)
{
	const char *job = test_text("job.fio", text);
	struct run want = run_path(job, OP_CLASS_FILE);
	g_autofree char *args = g_strdup_printf("run %s %s", job, options);
	const char *folder = emitted(args);

	cr_assert_gt(want.ops->len, 100);
	for (guint i = 0; i < want.ops->len; i++) {
		struct op *op = &g_array_index(want.ops, struct op, i);

		op->ino += INO_FIRST_FILE;
		op->dev = DEVNO(259, 0);
		op->task += PID_FIRST_JOB - 1;
	}
	check_file_ops(want.ops, folder);
	check_requests(folder);
	run_free(&want);
}

#define MIXED                                                                                      \
	"[global]\nbs=16k\nsize=32m\n"                                                             \
	"[writer]\nrw=write\nend_fsync=1\n"                                                        \
	"[reader]\nrw=randread\nnumjobs=2\n"                                                       \
	"[logger]\nrw=write\nbs=4k\nsize=1m\nfsync=16\n"

Test(cli_emit_trip, jobs_mixed)
{
	check_job(MIXED, "");
}

Test(cli_emit_trip, jobs_in_a_memory_cgroup)
{
	check_job(MIXED, "--set memcg.max=16MiB");
}

Test(cli_emit_trip, jobs_with_kswapd)
{
	check_job(MIXED, "--set host.memory=48MiB --set vmscan.lru=mglru");
}

Test(cli_emit_trip, jobs_dontcache_on_ufs)
{
	check_job("[global]\nbs=64k\nsize=16m\nuncached=1\n[w]\nrw=write\nend_fsync=1\n[r]\nrw="
		  "read\n",
		  "--variant configs/kernels/6.12-phone.ini --variant configs/devices/ufs4.ini");
}

Test(cli_emit_trip, jobs_direct)
{
	check_job("[global]\nbs=8k\nsize=4m\ndirect=1\n[w]\nrw=randwrite\n[r]\nrw=read\n", "");
}

/* What was emitted can be replayed, and that run emits the same ops again. */
Test(cli_emit_trip, a_second_generation)
{
	const char *capture = test_capture("ftrace/seqread.trace.txt.xz");
	g_autofree char *args = g_strdup_printf("replay %s", capture);
	const char *first = emitted(args);
	struct run want = emitted_ops(first, "trace.ftrace", OP_CLASS_FILE);
	g_autofree char *again = g_strdup_printf("replay %s/trace.ftrace", first);

	check_file_ops(want.ops, emitted(again));
	cr_assert_eq(want.ops->len, 2051);
	run_free(&want);
}

/* iolog has neither pid nor result: kinds and ranges in order, by task in the other. */
Test(cli_emit_trip, iolog)
{
	const char *capture = test_capture("ftrace/randread.trace.txt.xz");
	g_autofree char *args = g_strdup_printf("replay %s", capture);
	const char *folder = emitted(args);
	struct run text = emitted_ops(folder, "trace.ftrace", OP_CLASS_FILE);
	struct run log = emitted_ops(folder, "ops.iolog", OP_CLASS_FILE);
	guint reads = 0;

	cr_assert_eq(count_kind(&log, OP_READ), count_kind(&text, OP_READ));
	for (guint i = 0; i < log.ops->len; i++) {
		if (op_at(&log, i)->kind != OP_READ)
			continue;
		const struct op *want = nth_of_kind(&text, OP_READ, reads++);

		cr_assert_eq(op_at(&log, i)->pos, want->pos);
		cr_assert_eq(op_at(&log, i)->len, want->len);
	}
	cr_assert_eq(reads, 5120);
	run_free(&text);
	run_free(&log);
}

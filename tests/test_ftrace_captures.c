/*
 * tests/test_ftrace_captures.c - every ftrace text in captures/: counts against an independent awk
 * and captures/README.md, ops against what the workloads did.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ftrace_support.h"

/* Count event names as text: what follows the first time stamp. */
static const char awk_counts[] =
	"xz -dc \"$1\" | awk '/^#/ || /^CPU:/ { next }"
	" match($0, /[0-9]+\\.[0-9]+: /) {"
	"  s = substr($0, RSTART + RLENGTH);"
	"  if (match(s, /^sys_[a-z0-9_]+\\(/)) n = \"sys_enter_\" substr(s, 5, RLENGTH - 5);"
	"  else if (match(s, /^sys_[a-z0-9_]+ -> /)) n = \"sys_exit_\" substr(s, 5, RLENGTH - 8);"
	"  else n = substr(s, 1, index(s, \":\") - 1);"
	"  c[n]++ } END { for (n in c) print n, c[n] }'";

static char *run_shell(const char *script, const char *arg)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)script,
			(char *)"sh", (char *)arg,  NULL};
	g_autoptr(GError) err = NULL;
	char *out = NULL;
	int status;

	g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &err);
	cr_assert_null(err, "%s", err ? err->message : "");
	cr_assert_eq(status, 0);
	return out;
}

static void check_counts(const struct run *r, const char *path)
{
	g_autofree char *out = run_shell(awk_counts, path);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(out), "\n", -1);
	uint64_t sum = 0;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) word = g_strsplit(*line, " ", 2);
		uint64_t n = strtoull(word[1], NULL, 10);

		cr_assert_eq(count_of(r->info->events, word[0]), n, "%s of %s", word[0], path);
		sum += n;
	}
	cr_assert_eq(g_hash_table_size(r->info->events), g_strv_length(lines));
	cr_assert_eq(r->info->records, sum);
}

/* One capture: README's number of events, loss, ops without a known inode or offset. */
struct capture {
	const char *name;
	uint64_t records, lost, unbound;
	unsigned int drives;
};

#define FILE_BLOCK_OBSERVED (TRACE_DRIVES_FILE | TRACE_DRIVES_BLOCK | TRACE_DRIVES_OBSERVED)

/*
 * unbound: the calls of sh and trace-cmd at both ends, whose files no event shows.  pipe_lost: the
 * console writes of sh and cat; each of wl's own writes is bound.
 */
static const struct capture captures[] = {
	/* clang-format off */
	{ "ftrace/seqwrite.trace.txt.xz",      446144, 0,      48, FILE_BLOCK_OBSERVED },
	{ "ftrace/seqread.trace.txt.xz",        49286, 0,      46, FILE_BLOCK_OBSERVED },
	{ "ftrace/randread.trace.txt.xz",       63639, 0,      48, FILE_BLOCK_OBSERVED },
	{ "ftrace/createstat.trace.txt.xz",     99681, 0,      51, FILE_BLOCK_OBSERVED },
	{ "ftrace/seqwrite_lost.trace.txt.xz",  21551, 424711, 48, TRACE_DRIVES_BLOCK | TRACE_DRIVES_OBSERVED },
	{ "pressure_ftrace/memcg16m.trace.txt.xz",      239805, 0, 41, FILE_BLOCK_OBSERVED },
	{ "pressure_ftrace/kswapd.trace.txt.xz",          7619, 0,  0, TRACE_DRIVES_BLOCK | TRACE_DRIVES_OBSERVED },
	{ "pressure_ftrace/pipe_lost.trace_pipe.txt.xz", 74249, 15153, 31954, FILE_BLOCK_OBSERVED },
	{ "dontcache/trace_ext4_write_dontcache_4k_nofsync.trace.txt.xz", 55863, 0, 0, FILE_BLOCK_OBSERVED },
	{ "dontcache/trace_ext4_write_normal_64k.trace.txt.xz",    1377, 0, 0, FILE_BLOCK_OBSERVED },
	{ "dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz", 3711, 0, 0, FILE_BLOCK_OBSERVED },
	{ "dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz",  6048, 0, 0, FILE_BLOCK_OBSERVED },
	{ "dontcache/trace_ext4_read_normal_64k.trace.txt.xz",      974, 0, 0, FILE_BLOCK_OBSERVED },
	/* clang-format on */
};

Test(ftrace_captures, counts)
{
	for (size_t i = 0; i < G_N_ELEMENTS(captures); i++) {
		const struct capture *c = &captures[i];
		const char *path = test_capture(c->name);
		struct run r = run_path(path, OP_CLASS_ALL);

		cr_assert_str_eq(r.info->format, "ftrace");
		cr_assert_eq(r.info->records, c->records, "%s", c->name);
		cr_assert_eq(r.info->lost, c->lost, "%s", c->name);
		cr_assert_eq(r.info->unbound, c->unbound, "%s: %lu unbound", c->name,
			     (unsigned long)r.info->unbound);
		cr_assert_eq(r.info->drives, c->drives, "%s", c->name);
		cr_assert_eq(g_hash_table_size(r.info->unknown), 0, "%s", c->name);
		cr_assert_eq(r.info->broken, 0, "%s", c->name);
		cr_assert_eq(r.info->skewed, 0, "%s", c->name);
		check_counts(&r, path);
		run_free(&r);
	}
}

/* Ops of @kind on @ino that went well: number, and all of @len bytes, one behind the other when
 * @step. */
struct series {
	enum op_kind kind;
	uint64_t ino;
	int64_t len, step;
	unsigned int n;
	uint32_t dev, flags;
};

static void check_series(const struct run *r, const struct series *s)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->ops->len; i++) {
		const struct op *op = op_at(r, i);

		if (op->kind != s->kind || op->ino != s->ino || op->result <= 0)
			continue;
		cr_assert_eq(op->len, s->len);
		cr_assert_eq(op->result, s->len);
		cr_assert_eq(op->dev, s->dev);
		cr_assert_eq(op->flags, s->flags);
		cr_assert_gt(op->done_ns, op->time_ns);
		if (s->step)
			cr_assert_eq(op->pos, (int64_t)n * s->step, "op %u at %ld", n,
				     (long)op->pos);
		n++;
	}
	cr_assert_eq(n, s->n, "%u %s", n, op_kind_name(s->kind));
}

static unsigned int count_ino(const struct run *r, enum op_kind kind, uint64_t ino)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->ops->len; i++)
		n += op_at(r, i)->kind == kind && op_at(r, i)->ino == ino;
	return n;
}

#define F2FS_DEV DEVNO(259, 0)
#define LOOP_DEV DEVNO(7, 0)

/* 128 MiB in 64 KiB calls. */
Test(ftrace_captures, seqread)
{
	struct run r = run_path(test_capture("ftrace/seqread.trace.txt.xz"), OP_CLASS_ALL);
	const struct series s = {OP_READ, 4, 65536, 65536, 2048, F2FS_DEV, 0};

	check_series(&r, &s);
	cr_assert_eq(count_ino(&r, OP_READ, 4), 2049); /* and the one at the end of the file */
	cr_assert_eq(count_ino(&r, OBS_CACHE_ADD, 4), 32768);
	cr_assert_eq(count_ino(&r, OBS_READAHEAD, 4), 1024);
	cr_assert_eq(count_ino(&r, OP_OPEN, 4), 1);
	cr_assert_eq(count_ino(&r, OP_CLOSE, 4), 1);
	cr_assert_eq(r.info->paired, 1027); /* as the blktrace of the same workload */
	run_free(&r);
}

Test(ftrace_captures, seqwrite)
{
	struct run r = run_path(test_capture("ftrace/seqwrite.trace.txt.xz"), OP_CLASS_ALL);
	const struct series s = {OP_WRITE, 4, 65536, 65536, 2048, F2FS_DEV, 0};

	check_series(&r, &s);
	cr_assert_eq(count_ino(&r, OP_FSYNC, 4), 1);
	cr_assert_eq(nth_of_kind(&r, OP_FSYNC, 0)->result, 0);
	cr_assert_eq(count_ino(&r, OBS_WRITE_PAGE, 4), 32768);
	cr_assert_eq(count_ino(&r, OBS_DIRTY, 4), 32768);
	cr_assert_eq(count_ino(&r, OBS_SIZE, 4), 2049); /* 0, 64 KiB, .. and at fsync */
	for (unsigned int i = 0; i < count_kind(&r, OP_OPEN); i++) {
		const struct op *op = nth_of_kind(&r, OP_OPEN, i);

		cr_assert_eq(op->flags, op->ino == 4 ? OP_CREATE : OP_UNBOUND);
	}
	run_free(&r);
}

Test(ftrace_captures, randread)
{
	struct run r = run_path(test_capture("ftrace/randread.trace.txt.xz"), OP_CLASS_ALL);
	const struct series s = {OP_READ, 4, 4096, 0, 5120, F2FS_DEV, 0};

	check_series(&r, &s);
	run_free(&r);
}

/* 2,000 files of 100 bytes, each made, written and closed. */
Test(ftrace_captures, createstat)
{
	struct run r = run_path(test_capture("ftrace/createstat.trace.txt.xz"), OP_CLASS_FILE);
	unsigned int made = 0, written = 0, closed = 0;

	for (unsigned int i = 0; i < r.ops->len; i++) {
		const struct op *op = op_at(&r, i);

		made += op->kind == OP_OPEN && op->flags == OP_CREATE;
		written += op->kind == OP_WRITE && op->ino && !op->pos && op->len == 100;
		closed += op->kind == OP_CLOSE && op->ino;
	}
	cr_assert_eq(made, 2000);
	cr_assert_eq(written, 2000);
	cr_assert_eq(closed, 2000);
	run_free(&r);
}

/* 64 MiB under a limit of 16 MiB: 12,425 pages leave the cache. */
Test(ftrace_captures, memcg16m)
{
	struct run r =
		run_path(test_capture("pressure_ftrace/memcg16m.trace.txt.xz"), OP_CLASS_ALL);
	const struct series s = {OP_WRITE, 11, 65536, 65536, 1024, F2FS_DEV, 0};

	check_series(&r, &s);
	cr_assert_eq(count_kind(&r, OBS_CACHE_DELETE), 12425);
	run_free(&r);
}

/* Every write of wl that was seen at all is placed, by events only where the tracked offset was
 * lost. */
Test(ftrace_captures, pipe_lost)
{
	struct run r = run_path(test_capture("pressure_ftrace/pipe_lost.trace_pipe.txt.xz"),
				OP_CLASS_FILE);
	unsigned int placed = 0, last = 0;

	for (unsigned int i = 0; i < r.ops->len; i++) {
		const struct op *op = op_at(&r, i);

		if (op->ino != 29)
			continue;
		cr_assert_eq(op->task, 174);
		cr_assert_eq(op->len, 65536);
		cr_assert_eq(op->pos % 65536, 0);
		cr_assert(op->pos > (int64_t)last || placed == 0);
		last = (unsigned int)op->pos;
		placed++;
	}
	cr_assert_eq(placed, 158); /* of 159; the last is the report to the console */
	run_free(&r);
}

Test(ftrace_captures, dontcache)
{
	static const struct {
		const char *name;
		struct series s;
	} runs[] = {
		{"dontcache/trace_ext4_write_dontcache_4k_nofsync.trace.txt.xz",
		 {OP_WRITE, 14, 4096, 4096, 4096, LOOP_DEV, OP_DONTCACHE}},
		{"dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz",
		 {OP_WRITE, 12, 65536, 65536, 256, LOOP_DEV, OP_DONTCACHE}},
		{"dontcache/trace_ext4_write_normal_64k.trace.txt.xz",
		 {OP_WRITE, 13, 65536, 65536, 256, LOOP_DEV, 0}},
		{"dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz",
		 {OP_READ, 12, 65536, 65536, 256, LOOP_DEV, OP_DONTCACHE}},
		{"dontcache/trace_ext4_read_normal_64k.trace.txt.xz",
		 {OP_READ, 13, 65536, 65536, 256, LOOP_DEV, 0}},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(runs); i++) {
		struct run r = run_path(test_capture(runs[i].name), OP_CLASS_ALL);

		check_series(&r, &runs[i].s);
		run_free(&r);
	}
}

/* trace-cmd's text of the same ring buffer gives the same ops. */
Test(ftrace_captures, trace_cmd_report)
{
	static const char *const names[][2] = {
		{"ftrace/seqread.trace.txt.xz", "ftrace/seqread.dat"},
		{"ftrace/createstat.trace.txt.xz", "ftrace/createstat.v6.dat.xz"},
		{"ftrace/seqwrite_lost.trace.txt.xz", "ftrace/seqwrite_lost.dat"},
	};
	g_autofree char *tool = g_find_program_in_path("trace-cmd");

	if (!tool)
		cr_skip_test("trace-cmd is not installed");
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *dat = test_file("x.dat", "", 0);
		g_autofree char *copy = g_strdup_printf(
			"case \"$1\" in *.xz) xz -dc \"$1\" >%s;; *) cp -f \"$1\" %s;; esac;"
			"trace-cmd report %s",
			dat, dat, dat);
		g_autofree char *report = run_shell(copy, test_capture(names[i][1]));
		struct run a = run_path(test_capture(names[i][0]), OP_CLASS_ALL);
		struct run b = run_text(report);

		cr_assert_eq(a.info->records, b.info->records);
		cr_assert_eq(a.ops->len, b.ops->len);
		for (unsigned int n = 0; n < a.ops->len; n++)
			cr_assert(!memcmp(op_at(&a, n), op_at(&b, n), sizeof(struct op)),
				  "%s: op %u", names[i][1], n);
		run_free(&a);
		run_free(&b);
	}
}

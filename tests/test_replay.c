/*
 * tests/test_replay.c - real captures replayed: the page cache must do what the kernel did, page
 * for page.
 */
#include <criterion/criterion.h>

#include "models/models.h"
#include "sim/cmd_prescan.h"
#include "tests/machine.h"
#include "tests/support.h"
#include "traces/trace.h"

/* A run of pages that entered the cache: one folio, or one readahead batch. */
struct run {
	uint64_t ino, index, nr;
};

/* What happened to one inode, as the capture shows it and as the simulation does. */
struct seen {
	uint64_t ino;
	GArray *adds, *deletes, *batches, *dirtied, *written; /* struct run, in order */
};

static void seen_init(struct seen *s, uint64_t ino)
{
	s->ino = ino;
	s->adds = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->deletes = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->batches = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->dirtied = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->written = g_array_new(FALSE, FALSE, sizeof(struct run));
}

static void see(struct seen *s, GArray *where, uint64_t ino, uint64_t index, uint64_t nr)
{
	struct run run = {ino, index, nr};

	if (ino == s->ino)
		g_array_append_val(where, run);
}

static void on_add(void *arg, const struct folio *folio)
{
	struct seen *s = arg;

	see(s, s->adds, folio->mapping->host->i_ino, folio->index, folio_nr_pages(folio));
}

static void on_delete(void *arg, const struct folio *folio)
{
	struct seen *s = arg;

	see(s, s->deletes, folio->mapping->host->i_ino, folio->index, folio_nr_pages(folio));
}

static void on_readahead(void *arg, const struct inode *inode, pgoff_t index, uint64_t nr)
{
	struct seen *s = arg;

	see(s, s->batches, inode->i_ino, index, nr);
}

static struct trace *open_capture(const char *path, unsigned int want)
{
	const char *paths[] = {path, NULL};
	struct trace_opts opts = {.want = want};
	GError *err = NULL;
	struct trace *t = trace_open(paths, &opts, &err);

	cr_assert(t, "%s", err ? err->message : "");
	return t;
}

/* What the capture shows of @ino. */
static void observe(const char *path, struct seen *s)
{
	struct trace *t = open_capture(path, OP_CLASS_OBSERVED);
	GError *err = NULL;
	struct op op;

	while (trace_next(t, &op, &err)) {
		uint64_t index = (uint64_t)op.pos >> PAGE_SHIFT,
			 nr = (uint64_t)op.len >> PAGE_SHIFT;

		if (op.kind == OBS_CACHE_ADD)
			see(s, s->adds, op.ino, index, nr);
		else if (op.kind == OBS_CACHE_DELETE)
			see(s, s->deletes, op.ino, index, nr);
		else if (op.kind == OBS_READAHEAD)
			see(s, s->batches, op.ino, index, nr);
		else if (op.kind == OBS_DIRTY)
			see(s, s->dirtied, op.ino, index, nr);
		else if (op.kind == OBS_WRITE_PAGE)
			see(s, s->written, op.ino, index, nr);
	}
	cr_assert_null(err);
	trace_close(t);
}

struct capture_source {
	struct op_source source; /* must be first */
	struct trace *trace;
};

static bool source_next(struct op_source *src, struct op *op, GError **err)
{
	return trace_next(((struct capture_source *)src)->trace, op, err);
}

static struct replay *running; /* its tasks outlive the machine */

static void finish(struct sim *sim)
{
	machine_free(sim);
	replay_free(running);
}

/* Replay the capture's file ops on a machine of @ini; the caller finishes it. */
static struct sim *replay(const char *path, const char *ini, struct seen *s)
{
	struct sim *sim = machine_new(ini);
	struct trace *t = open_capture(path, OP_CLASS_ALL);
	struct capture_source source = {{source_next}, NULL};
	struct replay_conf conf = {.mode = REPLAY_THINK, .time_scale_ppm = 1000000};
	struct prescan seen;
	GError *err = NULL;

	cr_assert(prescan_capture(t, sim, &seen, &err));
	trace_close(t);
	struct filemap *fm = filemap_of(sim);

	fm->on_add = on_add;
	fm->on_delete = on_delete;
	fm->on_readahead = on_readahead;
	fm->observer_arg = s;
	source.trace = open_capture(path, OP_CLASS_FILE);
	struct replay *r = replay_new(sim, &conf);

	cr_assert(replay_add_capture(r, &source.source, "capture", &err));
	sim_start(sim);
	cr_assert(sim_run(sim, &err), "%s", err ? err->message : "");
	sim_drain(sim);
	cr_assert(!replay_failed(r, NULL));
	cr_assert_null(sim->failure);
	trace_close(source.trace);
	running = r;
	return sim;
}

static guint run_hash(gconstpointer p)
{
	const struct run *r = p;

	return (guint)(r->index * 2654435761u + r->nr);
}

static gboolean run_equal(gconstpointer a, gconstpointer b)
{
	const struct run *x = a, *y = b;

	return x->index == y->index && x->nr == y->nr;
}

/* How many runs of @sim are also in @real, in percent of @real (multiset). */
static double percent_equal(const GArray *real, const GArray *sim)
{
	g_autoptr(GHashTable) left = g_hash_table_new(run_hash, run_equal);
	unsigned int hits = 0;

	for (unsigned int i = 0; i < real->len; i++) {
		struct run *run = &g_array_index(real, struct run, i);
		gintptr n = (gintptr)g_hash_table_lookup(left, run);

		g_hash_table_insert(left, run, (gpointer)(n + 1));
	}
	for (unsigned int i = 0; i < sim->len; i++) {
		struct run *run = &g_array_index(sim, struct run, i);
		gintptr n = (gintptr)g_hash_table_lookup(left, run);

		if (n > 0) {
			g_hash_table_insert(left, run, (gpointer)(n - 1));
			hits++;
		}
	}
	return real->len ? 100.0 * hits / real->len : 100;
}

#define KERNEL_6_1 "[device]\nmodel = fixed\n[host]\nmemory = 3GiB\n"
#define KERNEL_6_18                                                                                \
	"[device]\nmodel = fixed\n[filemap]\nondemand_readahead = false\nmax_folio_order = 9\n"    \
	"read_ahead = 2560KiB\n[f2fs_data]\ndontcache = read_write\nupdate = in_place\n"           \
	"[bio]\ncompletion = task_flagged\n"

static void assert_same_in_order(const GArray *real, const GArray *sim)
{
	cr_assert_eq(real->len, sim->len, "%u observed, %u simulated", real->len, sim->len);
	for (unsigned int i = 0; i < real->len; i++) {
		struct run *r = &g_array_index(real, struct run, i);
		struct run *s = &g_array_index(sim, struct run, i);

		cr_assert(run_equal(r, s), "%u: observed %lu+%lu, simulated %lu+%lu", i, r->index,
			  r->nr, s->index, s->nr);
	}
}

static uint64_t pages_of(const GArray *runs)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < runs->len; i++)
		nr += g_array_index(runs, struct run, i).nr;
	return nr;
}

static unsigned int nr_of_order(const GArray *folios, unsigned int order)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < folios->len; i++)
		nr += g_array_index(folios, struct run, i).nr == (uint64_t)1 << order;
	return nr;
}

static struct seen real, simulated;

static void replay_and_observe(const char *name, const char *ini, uint64_t ino)
{
	const char *path = test_capture(name);

	seen_init(&real, ino);
	seen_init(&simulated, ino);
	observe(path, &real);
	finish(replay(path, ini, &simulated));
}

/* 32,768 pages of ino 4, 1,024 batches of 32 (captures/README.md). */
Test(replay, sequential_read)
{
	replay_and_observe("ftrace/seqread.trace.txt.xz", KERNEL_6_1, 4);
	cr_assert_eq(real.adds->len, 32768);
	assert_same_in_order(real.adds, simulated.adds);
	cr_assert_eq(real.batches->len, 1024);
	assert_same_in_order(real.batches, simulated.batches);
}

/* 5,120 preads of 4 KiB bring 4,867 pages of ino 4. */
Test(replay, random_read)
{
	replay_and_observe("ftrace/randread.trace.txt.xz", KERNEL_6_1, 4);
	cr_assert_eq(real.adds->len, 4867);
	assert_same_in_order(real.adds, simulated.adds);
	cr_assert_geq(percent_equal(real.batches, simulated.batches), 95.0);
}

/* Kernel 6.18, ext4, large folios: every window and order. */
Test(replay, ext4_normal_read)
{
	replay_and_observe("dontcache/trace_ext4_read_normal_64k.trace.txt.xz", KERNEL_6_18, 0xd);
	cr_assert_eq(real.adds->len, 133);
	assert_same_in_order(real.adds, simulated.adds);
	/* the windows (captures/README.md) */
	static const uint64_t windows[] = {64, 128, 256, 512, 576, 640};

	for (unsigned int i = 0; i < G_N_ELEMENTS(windows); i++)
		cr_assert_eq(g_array_index(simulated.batches, struct run, i).nr, windows[i]);
}

/* dontcache reads of 6.18: 5,984 pages added for 4,096, all dropped; partly read large folios are
 * read again. */
Test(replay, ext4_dontcache_read)
{
	replay_and_observe("dontcache/trace_ext4_read_dontcache_64k.trace.txt.xz", KERNEL_6_18,
			   0xc);
	assert_same_in_order(real.adds, simulated.adds);
	assert_same_in_order(real.deletes, simulated.deletes);
	cr_assert_eq(pages_of(simulated.adds), 5984);
	/* folios that hold more than a call of 16 pages leave with the first call that ends in them
	 * (captures/README.md) */
	cr_assert_eq(nr_of_order(simulated.deletes, 6), 17);
	cr_assert_eq(nr_of_order(simulated.deletes, 7), 1);
	cr_assert_eq(nr_of_order(simulated.deletes, 8), 4);
}

/* 64 KiB writes make folios of order 4; nothing is dropped without RWF_DONTCACHE. */
Test(replay, ext4_normal_write)
{
	replay_and_observe("dontcache/trace_ext4_write_normal_64k.trace.txt.xz", KERNEL_6_18, 0xd);
	cr_assert_eq(real.adds->len, 256);
	assert_same_in_order(real.adds, simulated.adds);
	cr_assert_eq(simulated.deletes->len, 0);
}

/* With it: 256 folios of order 4 added, 256 deleted; at 4 KiB 4,096 of order 0. */
Test(replay, ext4_dontcache_write)
{
	replay_and_observe("dontcache/trace_ext4_write_dontcache_64k.trace.txt.xz", KERNEL_6_18,
			   0xc);
	cr_assert_eq(real.adds->len, 256);
	assert_same_in_order(real.adds, simulated.adds);
	assert_same_in_order(real.deletes, simulated.deletes);
}

Test(replay, ext4_dontcache_write_4k)
{
	replay_and_observe("dontcache/trace_ext4_write_dontcache_4k_nofsync.trace.txt.xz",
			   KERNEL_6_18, 0xe);
	cr_assert_eq(real.adds->len, 4096);
	assert_same_in_order(real.adds, simulated.adds);
	cr_assert_eq(simulated.deletes->len, 4096);
}

/* 32,768 pages of ino 4 dirtied and written, in a bio of 2 MiB and one of 126 MiB
 * (captures/README.md). */
Test(replay, sequential_write)
{
	const char *path = test_capture("ftrace/seqwrite.trace.txt.xz");
	struct sim *sim;

	seen_init(&real, 4);
	seen_init(&simulated, 4);
	observe(path, &real);
	sim = replay(path, KERNEL_6_1, &simulated);
	cr_assert_eq(real.dirtied->len, 32768);
	cr_assert_eq(real.written->len, 32768);
	assert_same_in_order(real.adds, simulated.adds);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_dirtied"), 32768);
	cr_assert_eq(machine_stat(sim, "page_writeback", "nr_written"), 32768);
	cr_assert_eq(machine_stat(sim, "f2fs_data", "write_bios"), 2);
	cr_assert_eq(machine_resident(sim, 4), 32768);
	finish(sim);
}

/* Node and meta pages are not modelled: 99 of the capture's dirtied pages are theirs. */
Test(replay, what_is_not_modelled_is_counted)
{
	struct trace *t = open_capture(test_capture("ftrace/seqwrite.trace.txt.xz"), OP_CLASS_ALL);
	struct prescan seen;

	cr_assert(prescan_capture(t, NULL, &seen, NULL));
	cr_assert_eq(seen.other_dirtied_pages, 99);
	cr_assert_eq(seen.files, 1);
	trace_close(t);
}

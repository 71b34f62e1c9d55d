/*
 * tests/test_conservation.c - planted faults: a page leaked, a counter skipped, a list cut, a bio
 * lost, in the middle of a whole run, each of which the checks at the run's end must catch.
 *
 * A fault is planted when page PLANT_AT enters the cache.  The run is a child process; what it must
 * die of is the assertion named.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/bio_internal.h"
#include "models/blk_internal.h"
#include "models/f2fs_internal.h"
#include "models/page_writeback_internal.h"
#include "models/vmscan_internal.h"
#include "sim/simulate.h"
#include "tests/machine.h"
#include "tests/support.h"

#define PLANT_AT 1000u /* of 4,096 pages, a fsync after every 512 */

#define MACHINE                                                                                    \
	"[host]\nmemory = 64MiB\n[device]\nmodel = fixed\nwrite_time = 10us\n"                     \
	"[f2fs_data]\ndontcache = read_write\n[bio]\ncompletion = task_flagged\n"                  \
	"[workload]\nrw = write\nbs = 64k\nsize = 16m\nfsync = 32\n"
#define CHECKED "[sim]\ncheck = end\n" MACHINE
#define CGROUP CHECKED "[memcg]\nmax = 32MiB\n"
#define MGLRU CHECKED "[vmscan]\nlru = mglru\n"
#define DONTCACHE CHECKED "force = dontcache\n"

struct fault {
	const char *name, *ini;
	void (*plant)(struct filemap *fm, struct folio *folio);
	const char *caught_by; /* part of the assertion; NULL = by none */
};

static const struct fault *planted;
static unsigned int pages_seen;

static void on_add(void *arg, const struct folio *folio)
{
	if (++pages_seen == PLANT_AT)
		planted->plant(arg, (struct folio *)folio);
}

/* In the child: exit status 0 when nothing was caught. */
static void run_with(const struct fault *fault)
{
	GError *err = NULL;
	struct config *config = config_load(test_text("fault.ini", fault->ini), NULL, NULL, &err);
	struct simulation *s = config ? simulation_new(config, &err) : NULL;

	if (!s)
		_exit(2);
	struct filemap *fm = filemap_of(simulation_report(s)->sim);

	planted = fault;
	fm->on_add = on_add;
	fm->observer_arg = fm;
	if (!simulation_run(s, false, &err))
		_exit(3);
	_exit(pages_seen < PLANT_AT ? 4 : 0);
}

/* What the child said, and how it ended. */
static char *ended(const struct fault *fault, int *status)
{
	g_autoptr(GString) said = g_string_new(NULL);
	char text[512];
	int fds[2];
	pid_t pid;

	test_text("folder", ""); /* made here, so that it is not the child's to remove */
	cr_assert_eq(pipe(fds), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (!pid) {
		signal(SIGABRT, SIG_DFL); /* not the test runner's */
		dup2(fds[1], STDERR_FILENO);
		run_with(fault);
	}
	close(fds[1]);
	for (ssize_t n = read(fds[0], text, sizeof(text)); n > 0;
	     n = read(fds[0], text, sizeof(text)))
		g_string_append_len(said, text, n);
	close(fds[0]);
	cr_assert_eq(waitpid(pid, status, 0), pid);
	return g_strdup(said->str);
}

static void no_fault(struct filemap *fm, struct folio *folio)
{
	(void)fm;
	(void)folio;
}

/* Pages */
static void leak_page(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	folio_alloc(fm->pa, 0);
}

static void free_page_twice(struct filemap *fm, struct folio *folio)
{
	static struct folio again; /* the allocator keeps it */

	(void)folio;
	folio_free(fm->pa, &again);
}

static void lose_page_from_index(struct filemap *fm, struct folio *folio)
{
	(void)fm;
	xa_erase(&folio->mapping->i_pages, folio->index);
}

static void lose_page_from_list(struct filemap *fm, struct folio *folio)
{
	lru_del_folio(folio_lruvec(fm, folio), folio);
}

static void list_page_as_active(struct filemap *fm, struct folio *folio)
{
	(void)fm;
	folio->flags |= PG_active;
}

static void cut_list(struct filemap *fm, struct folio *folio)
{
	(void)fm;
	folio->lru_next->lru_prev = NULL;
}

static void miscount_list(struct filemap *fm, struct folio *folio)
{
	fm->lruvec.nr_pages[folio->flags >> FOLIO_LRU_SHIFT]++;
}

static void open_generation_too_many(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->lruvec.max_seq += MAX_NR_GENS;
}

/* Counters */
static void skip_nr_file_pages(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->stat.nr_file_pages--;
}

static void skip_pages_added(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->stat.pages_added--;
}

static void skip_account_file_pages(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	account_file_pages(fm->pw, -1);
}

static void skip_account_dirtied(struct filemap *fm, struct folio *folio)
{
	folio->flags |= PG_dirty;
	(void)fm;
}

static void dirty_without_a_counter(struct filemap *fm, struct folio *folio)
{
	folio_account_dirtied(fm->pw, 1);
	(void)folio;
}

static void skip_account_cleaned(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->pw->stat.nr_cleaned--;
}

static void writeback_without_a_page(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	account_start_writeback(fm->pw, 1);
}

static void skip_nr_written(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->pw->stat.nr_written--;
}

static void skip_pgsteal(struct filemap *fm, struct folio *folio)
{
	struct vmscan *vs = (struct vmscan *)model_get(fm->model.sim, &vmscan_model);

	(void)folio;
	vs->stat.pgscan_kswapd++;
	vs->stat.pgsteal_kswapd++;
}

/* The memory cgroup */
static void cgroup_charge_skipped(struct filemap *fm, struct folio *folio)
{
	mem_cgroup_uncharge(fm->memcg, folio);
	folio->memcg_id = MEMCG_ID;
}

static void cgroup_of_page_lost(struct filemap *fm, struct folio *folio)
{
	(void)fm;
	folio->memcg_id = 0;
}

static void cgroup_dirty_skipped(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	mem_cgroup_mod_dirty(fm->memcg, 1);
}

static void cgroup_writeback_skipped(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	mem_cgroup_mod_writeback(fm->memcg, 1);
}

/* Bios, requests, locks that are held when all is over */
static void leak_bio(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	bio_alloc(fm->model.sim);
}

static void nothing_ends(struct bio *bio, bool in_task)
{
	(void)bio;
	(void)in_task;
}

static void lose_bio_in_flight(struct filemap *fm, struct folio *folio)
{
	struct bio *bio = bio_alloc(fm->model.sim);

	(void)folio;
	bio->end_io = nothing_ends;
	bio_account_submit(fm->model.sim, bio);
}

static void lose_request(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	blk_mq_of(fm->model.sim)->stat.nr_in_flight++;
}

static void lose_page_of_bio(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	f2fs_data_of(fm->model.sim)->pages_in_bios++;
}

static void hold_cp_rwsem(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	f2fs_data_of(fm->model.sim)->checkpoints_running++;
}

/* CPU time of a task that no CPU has spent */
static void invent_cpu_time(struct filemap *fm, struct folio *folio)
{
	(void)folio;
	fm->model.sim->tasks->cpu_ns++;
}

static const struct fault faults[] = {
	{"page leaked", CHECKED, leak_page, "nr_live_pages(fm->pa) == pages"},
	{"page leaked, dontcache", DONTCACHE, leak_page, "nr_live_pages(fm->pa) == pages"},
	{"page freed twice", CHECKED, free_page_twice, "nr_live_pages(fm->pa) == pages"},
	{"page lost from the index", CHECKED, lose_page_from_index, "sim/xarray.c"},
	{"page lost from its list", CHECKED, lose_page_from_list, "lruvec_check(&fm->lruvec)"},
	{"page lost from the cgroup's list", CGROUP, lose_page_from_list,
	 "lruvec_check(&fm->memcg_lruvec)"},
	{"page active on the inactive list", CHECKED, list_page_as_active, "PG_active"},
	{"list cut", CHECKED, cut_list, "lru_prev == younger"},
	{"generation miscounted", MGLRU, miscount_list, "nr_pages[lru] == nr"},
	{"generations too many", MGLRU, open_generation_too_many, "MAX_NR_GENS"},
	{"nr_file_pages", CHECKED, skip_nr_file_pages, "fm->stat.nr_file_pages == pages"},
	{"pages_added", CHECKED, skip_pages_added, "fm->stat.pages_added =="},
	{"NR_FILE_PAGES", CHECKED, skip_account_file_pages, "nr_file_pages(fm->pw) =="},
	{"PG_dirty without its mark", CHECKED, skip_account_dirtied, "pw->stat.nr_dirty >= nr"},
	{"nr_dirty", CHECKED, dirty_without_a_counter, "nr_dirty_pages(fm->pw)"},
	{"nr_cleaned", CHECKED, skip_account_cleaned, "pw->stat.nr_cleaned"},
	{"nr_writeback", CHECKED, writeback_without_a_page, "nr_writeback_pages(fm->pw)"},
	{"nr_written", CHECKED, skip_nr_written, "pw->stat.nr_written"},
	{"pgsteal", CHECKED, skip_pgsteal, "fm->stat.pages_reclaimed =="},
	{"charge of the cgroup", CGROUP, cgroup_charge_skipped, "memcg.file == tally.pages[1]"},
	{"cgroup of a page", CGROUP, cgroup_of_page_lost, "tally.pages[1]"},
	{"file_dirty of the cgroup", CGROUP, cgroup_dirty_skipped, "memcg.dirty == tally.dirty[1]"},
	{"file_writeback of the cgroup", CGROUP, cgroup_writeback_skipped,
	 "memcg.writeback == tally.writeback[1]"},
	{"bio leaked", CHECKED, leak_bio, "!m->nr_live"},
	{"bio in flight for ever", CHECKED, lose_bio_in_flight, "!m->stat.nr_in_flight"},
	{"request lost", CHECKED, lose_request, "q->stat.nr_in_flight =="},
	{"page of a bio lost", CHECKED, lose_page_of_bio, "fd->pages_in_bios =="},
	{"lock held for ever", CHECKED, hold_cp_rwsem, "!fd->checkpoints_running"},
	{"CPU time from nowhere", CHECKED, invent_cpu_time, "tasks_ns =="},
};

Test(conservation, planted_faults_are_caught)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(faults); i++) {
		const struct fault *fault = &faults[i];
		int status;
		g_autofree char *said = ended(fault, &status);

		cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s: status %#x: %s",
			  fault->name, (unsigned int)status, said);
		cr_expect(strstr(said, "Assertion") && strstr(said, fault->caught_by),
			  "%s: not caught by %s but: %s", fault->name, fault->caught_by, said);
	}
}

/* Without a fault the same runs end well, and what is off is not checked. */
Test(conservation, sound_runs_pass)
{
	static const struct fault sound[] = {
		{"normal", CHECKED, no_fault, NULL},
		{"cgroup", CGROUP, no_fault, NULL},
		{"mglru", MGLRU, no_fault, NULL},
		{"dontcache", DONTCACHE, no_fault, NULL},
		{"unchecked", "[sim]\ncheck = off\n" MACHINE, leak_page, NULL},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(sound); i++) {
		int status;
		g_autofree char *said = ended(&sound[i], &status);

		cr_expect_eq(status, 0, "%s: status %#x: %s", sound[i].name, (unsigned int)status,
			     said);
	}
}

/* Nobody has to ask for it: every run of a debug or sanitizer build is checked. */
Test(conservation, runs_are_checked_by_default)
{
#ifndef F2SIM_RELEASE
	static const struct fault fault = {"by default", MACHINE, leak_page, NULL};
	int status;
	g_autofree char *said = ended(&fault, &status);

	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s", said);
#else
	cr_skip("a release build checks only when asked");
#endif
}

/*
 * tests/test_ftrace_line.c - traces/ftrace_line.c: every header form of shared/FORMATS.md 3.1, one
 * line each, and the odd names of CASES 21 to 23.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "traces/ftrace_line.h"

static struct ftrace_line split(const char *text)
{
	struct ftrace_line l;

	ftrace_line_split(NULL, text, strlen(text), &l);
	return l;
}

/* One line that must split into exactly this. */
struct want {
	const char *text, *comm;
	int32_t pid, tgid;
	uint32_t cpu;
	int64_t time_ns;
	enum ftrace_line_kind kind;
	const char *name, *body;
};

static void check(const struct want *w)
{
	struct ftrace_line l = split(w->text);

	cr_assert_eq(l.kind, w->kind, "kind %d of: %s", l.kind, w->text);
	cr_assert_eq(l.comm_len, strlen(w->comm), "comm \"%.*s\" of: %s", (int)l.comm_len, l.comm,
		     w->text);
	cr_assert(!memcmp(l.comm, w->comm, l.comm_len), "comm of: %s", w->text);
	cr_assert_eq(l.pid, w->pid, "pid %d of: %s", l.pid, w->text);
	cr_assert_eq(l.tgid, w->tgid, "tgid %d of: %s", l.tgid, w->text);
	cr_assert_eq(l.cpu, w->cpu, "cpu %u of: %s", l.cpu, w->text);
	cr_assert_eq(l.time_ns, w->time_ns, "time %ld of: %s", (long)l.time_ns, w->text);
	cr_assert_eq(l.name_len, strlen(w->name), "name \"%.*s\" of: %s", (int)l.name_len, l.name,
		     w->text);
	cr_assert(!memcmp(l.name, w->name, l.name_len), "name of: %s", w->text);
	cr_assert_str_eq(l.body, w->body);
	cr_assert_eq(l.body_len, strlen(w->body));
}

static void check_all(const struct want *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(&w[i]);
}

#define EV FTRACE_LINE_EVENT
#define NOTG FTRACE_NO_TGID

Test(ftrace_line, forms)
{
	/* clang-format off */
	static const struct want lines[] = {
		{ "              wl-169     [000] .....    44.878336: writeback_dirty_folio: bdi 259:0: ino=2",
		  "wl", 169, NOTG, 0, 44878336000, EV, "writeback_dirty_folio", "bdi 259:0: ino=2" },
		/* four flags, the form before 5.17 */
		{ "          <idle>-0     [001] d.h2   100.000001: block_rq_complete: 8,0 R () 8 + 8 [0]",
		  "<idle>", 0, NOTG, 1, 100000001000, EV, "block_rq_complete", "8,0 R () 8 + 8 [0]" },
		/* no flags: trace-cmd report, with padding behind the event's name */
		{ "              sh-132   [001]    44.866359: sys_enter_close:      fd: 0x0000000b",
		  "sh", 132, NOTG, 1, 44866359000, EV, "sys_enter_close", "fd: 0x0000000b" },
		/* leading tab, D in the first column */
		{ "\tfoo-7 [000] DNh1. 1.000000: x: y", "foo", 7, NOTG, 0, 1000000000, EV, "x", "y" },
		/* perf script: a blank, not a dash; "subsys:" dropped */
		{ "kworker/0:1H  1234 [002]  5124.123456:        block:block_rq_issue: 259,0 W 4096 () 8 + 8",
		  "kworker/0:1H", 1234, NOTG, 2, 5124123456000, EV, "block_rq_issue", "259,0 W 4096 () 8 + 8" },
		/* perf script -F tid with pid/tid */
		{ "fio  100/101 [000] 1.5: f2fs:f2fs_iget: dev = (8,0)", "fio", 101, 100, 0, 1500000000, EV,
		  "f2fs_iget", "dev = (8,0)" },
		/* perf record without -a: no CPU; a sampled event has its period in front */
		{ "    bench_ftrace 10898  2938.501702:     250000 cpu-clock:      7eff handle+0xa (/lib)",
		  "bench_ftrace", 10898, NOTG, 0, 2938501702000, EV, "cpu-clock", "7eff handle+0xa (/lib)" },
		/* the syscall forms of the trace file */
		{ "wl-1 [000] ...1. 0.000001: sys_read(fd: 3, buf: 40, count: 10)", "wl", 1, NOTG, 0, 1000,
		  FTRACE_LINE_ENTER, "sys_read", "fd: 3, buf: 40, count: 10)" },
		{ "wl-1 [000] ...1. 0.000001: sys_read -> 0x10", "wl", 1, NOTG, 0, 1000, FTRACE_LINE_EXIT,
		  "sys_read", "0x10" },
		/* function tracer, stack dumps */
		{ "sh-1 [000] d.... 1.000000: vfs_write <-ksys_write", "sh", 1, NOTG, 0, 1000000000, EV,
		  "function", "vfs_write <-ksys_write" },
		{ "sh-1 [000] d.... 1.000000: <stack trace>", "sh", 1, NOTG, 0, 1000000000, EV,
		  "kernel_stack", "<stack trace>" },
		/* an empty body, and a marker whose body holds colons */
		{ "sh-1 [000] ..... 1.000000: block_plug:", "sh", 1, NOTG, 0, 1000000000, EV, "block_plug", "" },
		{ "sh-1 [000] ..... 1.000000: tracing_mark_write: B|1|a: b", "sh", 1, NOTG, 0, 1000000000, EV,
		  "tracing_mark_write", "B|1|a: b" },
	};
	/* clang-format on */
	check_all(lines, G_N_ELEMENTS(lines));
}

/* CASE 21: the first '[' is not the CPU's. */
Test(ftrace_line, comm_holds_anything)
{
	static const char *const comms[] = {
		"highpool[392]", "IntentService[C", "AsyncTask #2",    "binder:31963_1",
		"kworker/u4:0",	 "irq/123-ufs",	    "f2fs_ckpt-259:0", "(sd-pam)",
		"a.b:c/d#e",	 "<...>",	    "x [3] 1.5: y",    "MediaStoreImpor",
		"123-4",	 "12345",	    "foo (12)",	       "[003]",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(comms); i++) {
		g_autofree char *text = g_strdup_printf(
			"%16s-4711  [003] d..1.  7.000001: ufshcd_command: send: tag: 1", comms[i]);
		struct want w = {text, comms[i],	 4711,		NOTG, 3, 7000001000,
				 EV,   "ufshcd_command", "send: tag: 1"};

		check(&w);
	}
}

/* CASE 22: a known tgid, an unknown one, no column: the same event. */
Test(ftrace_line, tgid)
{
	/* clang-format off */
	static const struct want lines[] = {
		{ "foo-33    (   33) [001] d..1. 1.000000: e: b", "foo", 33, 33, 1, 1000000000, EV, "e", "b" },
		{ "foo-34    (27176) [001] ...1 1.000000: e: b", "foo", 34, 27176, 1, 1000000000, EV, "e", "b" },
		{ "foo-33    (-----) [001] d..1. 1.000000: e: b", "foo", 33, NOTG, 1, 1000000000, EV, "e", "b" },
		{ "foo-33            [001] d..1. 1.000000: e: b", "foo", 33, NOTG, 1, 1000000000, EV, "e", "b" },
		{ "foo (7)-33 (-----) [001] d..1. 1.000000: e: b", "foo (7)", 33, NOTG, 1, 1000000000, EV, "e", "b" },
	};
	/* clang-format on */
	check_all(lines, G_N_ELEMENTS(lines));
}

Test(ftrace_line, cpus)
{
	static const struct {
		const char *cpu;
		uint32_t n;
	} cpus[] = {{"[003]", 3}, {"[10]", 10}, {"[010]", 10}, {"[1023]", 1023}, {"[7]", 7}};

	for (size_t i = 0; i < G_N_ELEMENTS(cpus); i++) {
		g_autofree char *text = g_strdup_printf("a-1 %s ..... 1.000000: e: b", cpus[i].cpu);

		cr_assert_eq(split(text).cpu, cpus[i].n, "%s", text);
	}
}

/* 3956435.102281 s is past what a double holds to the ns (FORMATS 3.1). */
Test(ftrace_line, time_stamps)
{
	static const struct {
		const char *stamp;
		int64_t ns;
	} stamps[] = {
		{"44.856075", 44856075000},
		{"44.856075123", 44856075123},
		{"44.856", 44856000000},
		{"3956435.102281", 3956435102281000},
		{"3956435.102281007", 3956435102281007},
		{"10000000.000000001", 10000000000000001},
		{"0.000000", 0},
		{"1.0000000019", 1000000001},
		{"123456789012345", 123456789012345}, /* x86-tsc, counter: as counted */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(stamps); i++) {
		g_autofree char *text =
			g_strdup_printf("a-1 [000] ..... %s: e: b", stamps[i].stamp);
		struct ftrace_line l = split(text);

		cr_assert_eq(l.kind, EV, "%s", text);
		cr_assert_eq(l.time_ns, stamps[i].ns, "%ld of %s", (long)l.time_ns, text);
	}
}

Test(ftrace_line, loss)
{
	static const struct {
		const char *text;
		uint32_t cpu;
		uint64_t lost;
	} marks[] = {
		{"CPU:3 [LOST 1027 EVENTS]", 3, 1027},	   {"CPU:0 [1234 EVENTS DROPPED]", 0, 1234},
		{"CPU:1 [EVENTS DROPPED]", 1, 0},	   {"CPU:12 [LOST EVENTS]", 12, 0},
		{"##### CPU 2 buffer started ####", 2, 0}, {"  CPU:3 [LOST 17 EVENTS]", 3, 17},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		struct ftrace_line l = split(marks[i].text);

		cr_assert_eq(l.kind, FTRACE_LINE_LOST, "%s", marks[i].text);
		cr_assert_eq(l.cpu, marks[i].cpu, "%s", marks[i].text);
		cr_assert_eq(l.lost, marks[i].lost, "%s", marks[i].text);
	}
}

Test(ftrace_line, headers_and_stacks_are_no_events)
{
	static const char *const texts[] = {
		"",
		"   ",
		"# tracer: nop",
		"# entries-in-buffer/entries-written: 105/205   #P:8",
		"cpus=8",
		"version = 6",
		"CPU 3 is empty",
		" => do_syscall_64",
		"\tffffffff811c8a50 f2fs_file_write_iter+0x1f0 ([kernel.kallsyms])",
		"            7f12 [unknown] (/usr/lib/libc.so.6)",
		"\t              20 [unknown] ([unknown])",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		cr_assert_eq(split(texts[i]).kind, FTRACE_LINE_HEADER, "%s", texts[i]);
}

Test(ftrace_line, broken)
{
	static const char *const texts[] = {
		"what is this",
		"a-1 [000] ..... 44.8560",		/* cut before the ':' */
		"a-1 [000] ..... 44.856075: ",		/* no event */
		"a-1 [000] ..... 44.856075: f2fs_iget", /* name without ':' */
		"a-1 [000] ..... 44.8x6075: e: b",
		"a-1 [000] ..... .5: e: b",
		"a-1 [00x] ..... 44.856075: e: b",
		"a-x [000] ..... 44.856075: e: b",
		"[000] ..... 44.856075: e: b",
		"a-1 000 ..... 44.856075: e: b",
		"a-99999999999 [000] ..... 44.856075: e: b",
		"a-1 [000] ..... 99999999999999999999.0: e: b",
		"CPU:3 [LOST 12",
		"  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]",
		"fio version 3 iolog",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		cr_assert_eq(split(texts[i]).kind, FTRACE_LINE_BROKEN, "%s", texts[i]);
}

/* A body that quotes a line of ftrace does not win over the line's own header. */
Test(ftrace_line, quoted_line_in_the_body)
{
	struct ftrace_line l = split(
		"a-1 [002] ..... 1.000000: tracing_mark_write: b-2 [003] ..... 2.000000: e: x");

	cr_assert_eq(l.pid, 1);
	cr_assert_eq(l.cpu, 2);
	cr_assert_eq(l.time_ns, 1000000000);
}

/* Every cut of a good line is either broken or the same line with less body: never another one. */
Test(ftrace_line, cut_anywhere)
{
	static const char text[] = "kworker/u4:0-9 (   12) [001] d..1. 35.445310: "
				   "block:block_rq_issue: 8,0 W 0 () 8 + 8";

	for (size_t n = 0; n < strlen(text); n++) {
		g_autofree char *cut = g_strndup(text, n);
		struct ftrace_line l = split(cut);

		if (l.kind != EV)
			continue;
		cr_assert_eq(l.pid, 9);
		cr_assert_eq(l.tgid, 12);
		cr_assert_eq(l.cpu, 1);
		cr_assert_eq(l.time_ns, 35445310000);
	}
}

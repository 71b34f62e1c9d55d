/*
 * tests/mutate_run.c - `f2sim inspect --json` on damaged copies, each in a process of its own; see
 * tests/mutate.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mutate.h"

#define HANG_SECONDS 5

/* The folder of one fuzz_run(): the copy and what the child wrote. */
struct scratch {
	char *dir, *copy, *out, *err;
};

static void scratch_init(struct scratch *s)
{
	s->dir = g_dir_make_tmp("f2sim-fuzz-XXXXXX", NULL);
	g_assert(s->dir);
	s->copy = g_build_filename(s->dir, "copy", NULL);
	s->out = g_build_filename(s->dir, "out", NULL);
	s->err = g_build_filename(s->dir, "err", NULL);
}

static void scratch_fini(struct scratch *s)
{
	char *const files[] = {s->copy, s->out, s->err};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_unlink(files[i]);
		g_free(files[i]);
	}
	g_rmdir(s->dir);
	g_free(s->dir);
}

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(fd, to);
	close(fd);
}

/* Run the child to its end: its wait status, and its peak into *@peak_bytes. */
static int inspect(const char *f2sim, const struct scratch *s, int64_t *peak_bytes)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	g_assert(pid >= 0);
	if (pid == 0) {
		redirect(s->out, STDOUT_FILENO);
		redirect(s->err, STDERR_FILENO);
		alarm(HANG_SECONDS); /* outlives exec: SIGALRM ends what hangs */
		execl(f2sim, f2sim, "inspect", "--json", s->copy, (char *)NULL);
		_exit(127);
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		g_assert(errno == EINTR);
	*peak_bytes = (int64_t)usage.ru_maxrss * 1024;
	return status;
}

static bool is_json(const char *path)
{
	g_autoptr(JsonParser) parser = json_parser_new();

	return json_parser_load_from_file(parser, path, NULL) && json_parser_get_root(parser);
}

/* Is the last line on stderr the one that says why? */
static bool says_why(const char *path)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	g_strchomp(text);
	const char *last = strrchr(text, '\n');

	return g_str_has_prefix(last ? last + 1 : text, "f2sim: ");
}

static enum fuzz_outcome judge(int status, const struct scratch *s)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM ? FUZZ_HANG : FUZZ_CRASH;
	if (WEXITSTATUS(status) == 0)
		return is_json(s->out) ? FUZZ_OK : FUZZ_GARBLED;
	if (WEXITSTATUS(status) == 2)
		return says_why(s->err) ? FUZZ_REFUSED : FUZZ_GARBLED;
	return FUZZ_CRASH;
}

/* Keep a copy that found something, and say where. */
static void keep(const struct scratch *s, const char *name, uint64_t n, const char *what)
{
	g_autofree char *base = g_path_get_basename(name);
	g_autofree char *kept = g_strdup_printf("build/fuzz/%s.%" PRIu64, base, n);
	g_autofree char *text = NULL, *said = NULL;
	gsize len;

	g_mkdir_with_parents("build/fuzz", 0777);
	if (g_file_get_contents(s->copy, &text, &len, NULL))
		g_file_set_contents(kept, text, (gssize)len, NULL);
	if (!g_file_get_contents(s->err, &said, NULL, NULL))
		said = g_strdup("");
	fprintf(stderr, "%s: %s\n%s", kept, what, said);
}

bool fuzz_run(const char *f2sim, const char *name, const char *path, uint64_t first, uint64_t last,
	      struct fuzz_tally *tally, GError **err)
{
	static const char *const what[FUZZ_NR] = {
		[FUZZ_CRASH] = "crash", [FUZZ_HANG] = "hang", [FUZZ_GARBLED] = "garbled output"};
	GByteArray *base = fuzz_base(path, err);
	struct scratch s;

	if (!base)
		return false;
	scratch_init(&s);
	for (uint64_t n = first; n <= last; n++) {
		g_autoptr(GByteArray) copy = fuzz_copy(base, name, n);
		int64_t peak_bytes;

		if (!g_file_set_contents(s.copy, (char *)copy->data, (gssize)copy->len, err))
			break;
		enum fuzz_outcome outcome = judge(inspect(f2sim, &s, &peak_bytes), &s);

		tally->nr[outcome]++;
		tally->peak_bytes = MAX(tally->peak_bytes, peak_bytes);
		if (what[outcome])
			keep(&s, name, n, what[outcome]);
	}
	scratch_fini(&s);
	g_byte_array_unref(base);
	return !*err;
}

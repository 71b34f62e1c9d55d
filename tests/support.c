/*
 * tests/support.c - see tests/support.h.
 */
#include "tests/support.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static char *folder;
static GPtrArray *paths; /* handed out; they live as long as the test's process */

static void free_paths(void)
{
	g_ptr_array_unref(paths);
}

static const char *keep(char *path)
{
	if (!paths) {
		paths = g_ptr_array_new_with_free_func(g_free);
		atexit(free_paths);
	}
	g_ptr_array_add(paths, path);
	return path;
}

static void remove_folder(void)
{
	GDir *dir = g_dir_open(folder, 0, NULL);

	for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir)) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		g_unlink(path);
	}
	g_dir_close(dir);
	g_rmdir(folder);
	g_free(folder);
}

const char *test_file(const char *name, const void *bytes, size_t n)
{
	if (!folder) {
		folder = g_dir_make_tmp("f2sim-test-XXXXXX", NULL);
		cr_assert_not_null(folder);
		atexit(remove_folder);
	}
	const char *path = keep(g_build_filename(folder, name, NULL));

	cr_assert(g_file_set_contents(path, bytes, (gssize)n, NULL));
	return path;
}

const char *test_text(const char *name, const char *text)
{
	return test_file(name, text, strlen(text));
}

const char *test_capture(const char *name)
{
	static const char *const roots[] = {"traces/captures", "../shared/captures"};

	for (size_t i = 0; i < G_N_ELEMENTS(roots); i++) {
		char *path = g_build_filename(roots[i], name, NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return keep(path);
		g_free(path);
	}
	cr_skip_test("capture %s is not here", name);
	return NULL;
}

const char *test_made(const char *from, const char *name, const char *command)
{
	const char *to = test_file(name, "", 0);
	const char *argv[] = {"sh", "-c", command, "sh", from, to, NULL};
	int status;

	cr_assert(g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
			       NULL, &status, NULL));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		cr_skip_test("no packer for: %s", command);
	cr_assert_eq(status, 0, "%s", command);
	return to;
}

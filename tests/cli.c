/*
 * tests/cli.c - see tests/cli.h.
 */
#include "tests/cli.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>

static struct ran last;
static JsonParser *parser;

static const char *binary(void)
{
	static char *path;

	if (!path && g_getenv("F2SIM"))
		path = g_strdup(g_getenv("F2SIM"));
	if (!path) {
		g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
		g_autofree char *folder = g_path_get_dirname(self);

		path = g_build_filename(folder, "..", "f2sim", NULL);
	}
	cr_assert(g_file_test(path, G_FILE_TEST_IS_EXECUTABLE), "%s is not built", path);
	return path;
}

static const struct ran *spawn(char **argv)
{
	GError *err = NULL;
	int status;

	g_clear_pointer(&last.out, g_free);
	g_clear_pointer(&last.err, g_free);
	cr_assert(g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &last.out, &last.err,
			       &status, &err),
		  "%s", err ? err->message : "");
	last.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return &last;
}

const struct ran *cli_run(const char *first, ...)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	va_list ap;

	g_ptr_array_add(argv, (char *)binary());
	va_start(ap, first);
	for (const char *arg = first; arg; arg = va_arg(ap, const char *))
		g_ptr_array_add(argv, (char *)arg);
	va_end(ap);
	g_ptr_array_add(argv, NULL);
	return spawn((char **)argv->pdata);
}

const struct ran *cli_shell(const char *command)
{
	g_autofree char *script = g_strconcat("\"$0\" ", command, NULL);
	char *argv[] = {"/bin/sh", "-c", script, (char *)binary(), NULL};

	return spawn(argv);
}

void cli_refused(const struct ran *r, const char *what)
{
	cr_assert_eq(r->status, 2, "exit status %d, stderr: %s", r->status, r->err);
	cr_assert_str_empty(r->out);
	cr_assert(g_str_has_prefix(r->err, "f2sim: "), "stderr: %s", r->err);
	cr_assert_eq(strchr(r->err, '\n'), r->err + strlen(r->err) - 1, "one line: %s", r->err);
	cr_assert_not_null(strstr(r->err, what), "\"%s\" in: %s", what, r->err);
}

JsonObject *cli_json(const struct ran *r)
{
	GError *err = NULL;

	cr_assert_eq(r->status, 0, "exit status %d, stderr: %s", r->status, r->err);
	g_clear_object(&parser);
	parser = json_parser_new();
	cr_assert(json_parser_load_from_data(parser, r->out, -1, &err), "%s: %s",
		  err ? err->message : "", r->out);
	return json_node_get_object(json_parser_get_root(parser));
}

JsonObject *cli_capture(const struct ran *r, unsigned int i)
{
	JsonArray *captures = json_object_get_array_member(cli_json(r), "captures");

	cr_assert_lt(i, json_array_get_length(captures));
	return json_array_get_object_element(captures, i);
}

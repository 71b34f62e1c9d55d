/*
 * tests/cli.h - run the built f2sim as a user does, for the suites of the command line.
 *
 * The binary is $F2SIM, or the f2sim beside the folder of the test binary.
 */
#ifndef TESTS_CLI_H
#define TESTS_CLI_H

#include <glib.h>
#include <json-glib/json-glib.h>

struct ran {
	int status; /* exit status; 128 + signal when it died */
	char *out, *err;
};

/* Run f2sim with the strings given.  What it printed stays until the next call. */
#define cli(...) cli_run(__VA_ARGS__, (char *)NULL)
const struct ran *cli_run(const char *first, ...) G_GNUC_NULL_TERMINATED;

/* The same with the arguments and redirections that @command, a shell's, puts behind f2sim. */
const struct ran *cli_shell(const char *command);

/* Assert exit status 2, nothing on stdout, one "f2sim: " line on stderr that contains @what. */
void cli_refused(const struct ran *r, const char *what);

/* Assert exit status 0 and parse stdout; borrowed until the next call. */
JsonObject *cli_json(const struct ran *r);

/* Capture @i of `inspect --json`. */
JsonObject *cli_capture(const struct ran *r, unsigned int i);

#endif

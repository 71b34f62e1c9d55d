/*
 * tests/test_fuzz.c - damaged captures: no crash, no hang, bounded memory, a clear answer.
 *
 * A few copies of each capture; `make fuzz` tries a thousand.
 */
#include "tests/mutate.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>
#include <unistd.h>

#define PEAK_LIMIT_BYTES ((int64_t)200 * 1024 * 1024)

struct fuzz_case {
	char name[96];
};

/* The program that was built with this suite. */
static char *f2sim_path(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	cr_assert_gt(n, 0);
	self[n] = '\0';
	g_autofree char *dir = g_path_get_dirname(self);

	return g_build_filename(dir, "..", "f2sim", NULL);
}

/* trace.dat costs a parse of every event format a copy. */
static uint64_t copies_of(const char *name)
{
	return strstr(name, ".dat") ? 5 : 20;
}

ParameterizedTestParameters(fuzz, damaged_copies)
{
	static struct fuzz_case cases[64];
	size_t nr = 0;

	for (; fuzz_captures[nr]; nr++)
		g_strlcpy(cases[nr].name, fuzz_captures[nr], sizeof(cases[nr].name));
	return cr_make_param_array(struct fuzz_case, cases, nr);
}

ParameterizedTest(struct fuzz_case *c, fuzz, damaged_copies)
{
	g_autofree char *path = fuzz_find(c->name), *f2sim = f2sim_path();
	struct fuzz_tally tally = {0};
	GError *err = NULL;

	if (!path)
		cr_skip_test("capture %s is not here", c->name);
	cr_assert(fuzz_run(f2sim, c->name, path, 0, copies_of(c->name), &tally, &err));
	cr_expect_eq(tally.nr[FUZZ_CRASH], 0, "%s: crash", c->name);
	cr_expect_eq(tally.nr[FUZZ_HANG], 0, "%s: hang", c->name);
	cr_expect_eq(tally.nr[FUZZ_GARBLED], 0, "%s: garbled output", c->name);
	cr_expect_gt(tally.nr[FUZZ_OK], 0, "%s: not even the undamaged copy reads", c->name);
#ifndef F2SIM_SANITIZE
	cr_expect_lt(tally.peak_bytes, PEAK_LIMIT_BYTES, "%s: too much memory", c->name);
#endif
}

/* The same number gives the same bytes, another one others. */
Test(fuzz, copies_are_reproducible)
{
	GByteArray *base = g_byte_array_new();

	for (unsigned int i = 0; i < 3000; i++)
		g_byte_array_append(base, (const guint8 *)"a line\n", 7);
	for (uint64_t n = 1; n <= 200; n++) {
		GByteArray *a = fuzz_copy(base, "x", n), *b = fuzz_copy(base, "x", n);

		cr_assert_eq(a->len, b->len);
		cr_assert_eq(memcmp(a->data, b->data, a->len), 0);
		cr_assert(a->len <= base->len);
	}
}

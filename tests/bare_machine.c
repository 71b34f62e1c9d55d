/*
 * tests/bare_machine.c - see tests/bare_machine.h.
 */
#include "tests/bare_machine.h"

#include <criterion/criterion.h>

static const struct model_ops *const no_models[] = {NULL};

struct sim *bare_machine(const char *nr_cpus, const char *check)
{
	struct config *c = config_load(NULL, NULL, NULL, NULL);
	struct sim *sim;

	config_set(c, "host", "nr_cpus", nr_cpus);
	config_set(c, "sim", "check", check);
	sim = sim_new(c, no_models, NULL);
	cr_assert_not_null(sim);
	sim_start(sim);
	return sim;
}

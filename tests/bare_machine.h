/*
 * tests/bare_machine.h - a started machine of CPUs and tasks only, without a single model.
 */
#ifndef TESTS_BARE_MACHINE_H
#define TESTS_BARE_MACHINE_H

#include "sim/sim.h"

/* @nr_cpus and @check (off, end, event) as a scenario would write them.  Free with sim_free(). */
struct sim *bare_machine(const char *nr_cpus, const char *check);

#endif

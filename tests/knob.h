/*
 * tests/knob.h - one scenario run whole with a knob at several positions, and what must follow.
 *
 * A run is what `f2sim run` does: configuration, fio job, machine, replay, drain; invariants are
 * checked between events.
 */
#ifndef TESTS_KNOB_H
#define TESTS_KNOB_H

enum follows_how { RISES, FALLS, STAYS, NEVER_FALLS, NEVER_RISES, IS_ZERO };

/*
 * What is looked at:
 *   throughput read|write    bytes a second of the job, first issue to last completion
 *   latency read|write|sync  mean of issue to completion, ns
 *   mean|max|final M.C       counter C of model M over the run, or at its end (series.h)
 *   cpu TASK                 CPU time of the kernel thread, ns;  cpu_context CONTEXT: of all CPUs
 *   page_life                mean time from entering to leaving of pages that left the cache, ns
 */
struct follows {
	const char *what;
	enum follows_how how;
};

/*
 * Run @scenario (INI text) once for each of @values (NULL-terminated) of @key ("section.key") and
 * assert how each of @follows (ends with { NULL }) goes from one to the next.
 */
void knob_turns(const char *scenario, const char *key, const char *const *values,
		const struct follows *follows);

/* One run of @scenario, and one value of it. */
double knob_value(const char *scenario, const char *what);

#endif

/*
 * tests/fio_job.c - see tests/fio_job.h.
 */
#include "tests/fio_job.h"

#include <criterion/criterion.h>

struct fio_job *fio_job_of(const char *const *pairs)
{
	struct fio_job *job = fio_job_new();
	GError *err = NULL;

	for (; *pairs; pairs += 2)
		cr_assert(fio_job_set(job, pairs[0], pairs[1], &err), "%s",
			  err ? err->message : "");
	cr_assert(fio_job_check(job, &err), "%s", err ? err->message : "");
	return job;
}

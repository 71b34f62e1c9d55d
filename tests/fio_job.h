/*
 * tests/fio_job.h - fio jobs made from pairs of option and value.
 */
#ifndef TESTS_FIO_JOB_H
#define TESTS_FIO_JOB_H

#include "traces/fiojob.h"

/* JOB("rw", "read", "size", "1m"): set, and checked. */
#define JOB(...) fio_job_of((const char *const[]){__VA_ARGS__, NULL})
struct fio_job *fio_job_of(const char *const *pairs);

#endif

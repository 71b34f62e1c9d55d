/*
 * tests/mini_series.h - a series small enough to be checked by hand: 4 MiB of sequential reads of
 * one file in calls of 64 KiB on a fixed device; dontcache leaves nothing.
 */
#ifndef TESTS_MINI_SERIES_H
#define TESTS_MINI_SERIES_H

/* Write series.ini, reference.csv, reader.ini and dontcache.ini; returns the folder (borrowed). */
const char *mini_series(void);

/* The same with @from replaced by @to in @file ("series.ini"); @from must be there. */
const char *mini_series_but(const char *file, const char *from, const char *to);

/* The text of one of the files as mini_series() writes it. */
const char *mini_text(const char *file);

#endif

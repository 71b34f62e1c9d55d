/*
 * tests/test_config_value.c - single values: times, sizes and numbers as a user writes them.
 */
#include <criterion/criterion.h>
#include <glib.h>
#include <inttypes.h>

#include "sim/config.h"

Test(config_value, nsec_are_exact)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {
		{"35.76us", 35760},
		{"0", 0},
		{"1s", 1000000000},
		{"0.000000001s", 1},
		{"9223372036.854775807s", INT64_MAX},
		{"8.000000001s",
		 INT64_C(8000000001)}, /* a float's or a double's ms would lose it */
		{"0.3ns", 0},
		{"0.5ns", 1},
		{"1.0004999999us", 1000},
		{"12 ms", 12000000},
	};
	static const char *const bad[] = {"",	     "5",
					  "us",	     "1.us",
					  ".5us",    "1e3us",
					  "-1us",    "1uss",
					  "1 000us", "9223372036.854775808s",
					  "1..2s",   "12345678901234567890ns"};
	int64_t ns;

	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		cr_assert(conf_parse_nsec(good[i].text, &ns, NULL), "%s", good[i].text);
		cr_assert_eq(ns, good[i].ns, "%s: %" PRId64, good[i].text, ns);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		cr_assert_not(conf_parse_nsec(bad[i], &ns, NULL), "%s", bad[i]);
}

Test(config_value, bytes_in_both_families)
{
	static const struct {
		const char *text;
		int64_t bytes;
	} good[] = {{"4096", 4096},
		    {"4K", 4096},
		    {"4KiB", 4096},
		    {"4kB", 4000},
		    {"1.5MiB", 1572864},
		    {"2MB", 2000000},
		    {"1G", 1073741824},
		    {"1GB", 1000000000},
		    {"1T", INT64_C(1) << 40},
		    {"0", 0},
		    {"1TB", INT64_C(1000000000000)}};
	static const char *const bad[] = {"4k", "4Kib", "KiB", "0x10", "-1", "8388608TiB"};
	int64_t bytes;

	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		cr_assert(conf_parse_bytes(good[i].text, &bytes, NULL), "%s", good[i].text);
		cr_assert_eq(bytes, good[i].bytes, "%s", good[i].text);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		cr_assert_not(conf_parse_bytes(bad[i], &bytes, NULL), "%s", bad[i]);
}

Test(config_value, u64_whole_range)
{
	uint64_t value;

	cr_assert(conf_parse_u64("18446744073709551615", &value, NULL));
	cr_assert_eq(value, UINT64_MAX);
	cr_assert_not(conf_parse_u64("18446744073709551616", &value, NULL));
	cr_assert_not(conf_parse_u64("1 ", &value, NULL));
}

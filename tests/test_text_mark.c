/*
 * tests/test_text_mark.c - traces/text_mark.h through the program, for every text format.
 */
#include <criterion/criterion.h>

#include "tests/cli.h"
#include "tests/support.h"

/* Text as Windows programs save it: each text format with a byte order mark, and as UTF-16. */
Test(text_mark, byte_order_marks)
{
	static const struct {
		const char *format, *text;
	} texts[] = {
		{"ops", "# f2sim ops 1\r\n1 read ino=4\r\n"},
		{"iolog", "fio version 3 iolog\r\n0 /f add\r\n"},
		{"blkparse", "  8,0    3        1     0.000000000   697  G   W 223490 + 8 [j]\r\n"},
		{"ftrace", "# tracer: nop\r\n a-7 [000] .... 1.000000: sys_sync()\r\n"},
		{"fiojob", "[a]\r\nrw=read\r\nsize=4k\r\n"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *marked = g_strconcat("\xef\xbb\xbf", texts[i].text, NULL);
		glong n;
		g_autofree gunichar2 *wide = g_utf8_to_utf16(marked, -1, NULL, &n, NULL);
		JsonObject *c =
			cli_capture(cli("inspect", "--json", test_text("marked", marked)), 0);

		cr_assert_str_eq(json_object_get_string_member(c, "format"), texts[i].format);
		cr_assert_geq(json_object_get_int_member(c, "records"), 1);
		for (int mark = 0; mark < 2; mark++) /* with and without the mark */
			cli_refused(cli("inspect",
					test_file("wide", wide + mark, (size_t)(n - mark) * 2)),
				    "wide: UTF-16 text, expected UTF-8");
		cli_refused(cli("inspect", "--format", texts[i].format,
				test_file("wide", wide, (size_t)n * 2)),
			    "wide: UTF-16 text, expected UTF-8");
	}
	cr_assert_eq(cli("run", test_text("m.fio", "\xef\xbb\xbf[a]\nrw=write\nsize=4k\n"))->status,
		     0);
}

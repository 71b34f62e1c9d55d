/*
 * tests/test_cli_odd.c - input that is damaged or makes no sense is refused, not worked with.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tests/cli.h"
#include "tests/support.h"

#define COLUMNS "time_s,page_writeback.nr_dirty"

/* `f2sim plot` of a run whose series.csv is @text, with a gnuplot that only notes that it ran. */
static const struct ran *plot(const char *text)
{
	const char *series = test_text("series.csv", text);
	const char *gnuplot = test_text("gnuplot", "#!/bin/sh\nout=${2#*out=\\'}\n"
						   "echo drawn > \"${out%%\\'*}\"\n");
	g_autofree char *folder = g_path_get_dirname(series);
	g_autofree char *path = g_strdup_printf("%s:/usr/bin:/bin", folder);
	g_autofree char *data = g_get_current_dir();

	cr_assert_eq(g_chmod(gnuplot, 0700), 0);
	g_setenv("PATH", path, TRUE);
	g_setenv("F2SIM_DATA", data, TRUE); /* plots/ of the tree */
	return cli("plot", folder, NULL);
}

Test(cli_odd, a_damaged_series_is_not_drawn)
{
	static const char *const damaged[][2] = {
		{"", "series.csv: line 1: empty"},
		{"\n", "series.csv: line 1: expected column names, time_s first"},
		{"hello\nworld\n", "series.csv: line 1: expected column names, time_s first"},
		{"foo,time_s\n1,2\n", "series.csv: line 1: expected column names, time_s first"},
		{"time_seconds,x\n1,2\n",
		 "series.csv: line 1: expected column names, time_s first"},
		{COLUMNS "\n", "series.csv: line 1: no rows below the column names"},
		{COLUMNS "\n0,1\n1\n", "series.csv: line 3: expected a number for each column"},
		{COLUMNS "\n0,1,2\n", "series.csv: line 2: expected a number for each column"},
		{COLUMNS "\n0,x\n", "series.csv: line 2: expected a number for each column"},
		{COLUMNS "\n0,1\n\n", "series.csv: line 3: expected a number for each column"},
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(damaged); i++)
		cli_refused(plot(damaged[i][0]), damaged[i][1]);
}

/* What a run has is drawn; when that is nothing, it is no success. */
Test(cli_odd, a_figure_without_columns_is_left_out)
{
	const struct ran *r = plot(COLUMNS "\n0.000000000,1\n1.000000000,2\n");

	cr_assert_eq(r->status, 0, "%s", r->err);
	cr_assert_not_null(strstr(r->out, "/cache.svg\n"));
	cr_assert_null(strstr(r->out, "/cpu.svg"));
	cr_assert_not_null(strstr(r->err, "figure cpu left out: series.csv has none of its "
					  "columns\n"));
	r = plot("time_s,foo\n0,1\n");
	cr_assert_eq(r->status, 2);
	cr_assert_str_empty(r->out);
	cr_assert_not_null(strstr(r->err, "f2sim: no figure drawn: "));
	g_autofree char *folder = g_path_get_dirname(test_text("gnuplot", ""));
	g_autofree char *svg = g_build_filename(folder, "cache.svg", NULL);
	g_autofree char *png = g_build_filename(folder, "cache.png", NULL);

	cr_assert_eq(g_unlink(svg) | g_unlink(png), 0);
}

Test(cli_odd, convert_does_not_pack)
{
	const char *ops = test_text("a.ops", "# f2sim ops 1\n1 read ino=1 dev=8:0 len=4096\n");
	static const char *const names[] = {"rt.csv.gz", "rt.ops.xz", "rt.gz", "rt.csv.zst",
					    "rt.iolog.lz4"};

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++) {
		cli_refused(cli("convert", ops, names[i], NULL), "under the name of a packed file");
		cli_refused(cli("convert", "--to", "csv", ops, names[i], NULL),
			    "under the name of a packed file");
		cr_assert_not(g_file_test(names[i], G_FILE_TEST_EXISTS));
	}
}

/* Pages, stripes and requests are whole pages. */
Test(cli_odd, sizes_that_cut_a_page_are_refused)
{
	static const char *const sets[][2] = {
		{"f2fs_data.max_bio=6000", "f2fs_data.max_bio: 6000 is no multiple of 4096"},
		{"filemap.read_ahead=5KiB", "filemap.read_ahead: 5120 is no multiple of 4096"},
		{"filemap.io_pages_bytes=100",
		 "filemap.io_pages_bytes: 100 is no multiple of 4096"},
		{"blk_mq.max_sectors_kb=510", "blk_mq.max_sectors_kb: 510 is no multiple of 4"},
		{"device.stripe_unit=5000", "device.stripe_unit: 5000 is no multiple of 4096"},
	};
	const char *job = test_text("odd.ini", "[workload]\nrw = write\nsize = 64k\n");

	for (unsigned int i = 0; i < G_N_ELEMENTS(sets); i++)
		cli_refused(cli("run", job, "--set", sets[i][0], NULL), sets[i][1]);
	cli_json(cli("run", "--json", job, "--set", "f2fs_data.max_bio=8KiB", "--set",
		     "filemap.read_ahead=0", "--set", "blk_mq.max_sectors_kb=508", "--set",
		     "device.stripe_unit=12KiB", NULL));
}

Test(cli_odd, a_job_has_no_block_level)
{
	const char *job = test_text("odd.ini", "[workload]\nrw = write\nsize = 64k\n");

	cli_refused(cli("run", job, "--set", "workload.level=block", NULL),
		    "workload.level: block is for captures; a fio job asks for files");
	cli_json(cli("run", "--json", job, "--set", "workload.level=file", NULL));
}

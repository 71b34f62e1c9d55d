/*
 * tests/mini_series.c - see tests/mini_series.h.
 */
#include "tests/mini_series.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "tests/support.h"

/* clang-format off */
static const char *const files[][2] = {
	{ "series.ini",
	  "[series]\n"
	  "title = a reader by hand\n"
	  "allowance = 1\n"
	  "[calibrated mini]\n"
	  "filemap.read_call_ns = 1us ; read/65536/dontcache\n"
	  "[variant normal]\n"
	  "[variant dontcache]\n"
	  "overlay = dontcache.ini\n"
	  "[run reader]\n"
	  "experiment = mini\n"
	  "scenario = reader.ini\n"
	  "set = workload.bs={io_bytes}; workload.size={file_bytes}\n"
	  "[metric mini/file_bytes]\n"
	  "role = input\n"
	  "[metric mini/read]\n"
	  "run = reader\n"
	  "value = bytes read\n"
	  "gate = 1%\n"
	  "[metric mini/resident]\n"
	  "run = reader\n"
	  "value = final filemap.nr_file_pages\n"
	  "[metric mini/added]\n"
	  "run = reader\n"
	  "value = growth filemap.pages_added\n"
	  "gate = 0%\n"
	  "[median read]\n"
	  "cells = read/*\n"
	  "percent = 0.5\n" },
	{ "reference.csv",
	  "# by hand\n"
	  "experiment,metric,io_bytes,variant,unit,stat,value\n"
	  "mini,read,65536,normal,MiB,r1,3.9\n"
	  "mini,read,65536,normal,MiB,mean,4\n"
	  "mini,read,65536,dontcache,MiB,mean,4\n"
	  "mini,resident,65536,normal,pages,exact,1024\n"
	  "mini,resident,65536,dontcache,pages,exact,0\n"
	  "mini,added,,both,pages,low,1000\n"
	  "mini,added,,both,pages,high,1100\n"
	  "mini,file_bytes,,both,bytes,exact,4194304\n" },
	{ "reader.ini",
	  "[f2fs_data]\n"
	  "dontcache = read_write\n"
	  "[device]\n"
	  "model = fixed\n"
	  "[workload]\n"
	  "rw = read\n"
	  "size = 1m\n" },
	{ "dontcache.ini",
	  "[workload]\n"
	  "force = dontcache\n" },
};
/* clang-format on */

const char *mini_text(const char *file)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(files); i++)
		if (g_str_equal(files[i][0], file))
			return files[i][1];
	cr_assert_fail("no file %s", file);
	return NULL;
}

const char *mini_series_but(const char *file, const char *from, const char *to)
{
	static char *folder;

	for (unsigned int i = 0; i < G_N_ELEMENTS(files); i++) {
		g_auto(GStrv) parts = g_strsplit(files[i][1], from, 2);
		bool here = file && g_str_equal(files[i][0], file);
		g_autofree char *text = here ? g_strjoinv(to, parts) : g_strdup(files[i][1]);

		cr_assert(!here || parts[1], "%s is not in %s", from, file);
		const char *path = test_text(files[i][0], text);

		g_free(folder);
		folder = g_path_get_dirname(path);
	}
	return folder;
}

const char *mini_series(void)
{
	return mini_series_but(NULL, "\n", "\n");
}

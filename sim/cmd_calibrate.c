/*
 * sim/cmd_calibrate.c - a [device] section from the latencies of a real device.
 *
 * Captures of the block layer, iologs, or one file of fio's JSON results are read
 * (cmd_calibrate_read.c, _fio.c), a model's parameters are fitted (_fit.c, _flash.c) by simulating
 * the same load (_sim.c), and the section is printed with what it leaves unexplained (_print.c).
 */
#include "sim/cmd_calibrate.h"

#include <stdio.h>
#include <string.h>

#include "sim/input.h"
#include "sim/tempfile.h"

static const char *const models_known[] = {"nvme", "ufs", "empirical", "fixed"};

struct options {
	struct calib c;
	char *model, *out; /* owned */
	char **variants, **sets;
	gboolean json;
};

static bool choose_model(struct options *o, GError **err)
{
	o->c.model = "nvme";
	for (unsigned int i = 0; o->model && i < G_N_ELEMENTS(models_known); i++)
		if (g_str_equal(o->model, models_known[i])) {
			o->c.model = models_known[i];
			return true;
		}
	if (!o->model)
		return true;
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
		    "--model: expected nvme, ufs, empirical or fixed, got \"%s\"", o->model);
	return false;
}

static bool read_input(struct calib *c, GError **err)
{
	for (unsigned int i = 0; c->paths[i]; i++) {
		if (strchr(c->paths[i], ';')) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: a capture's path may not contain ';'", c->paths[i]);
			return false;
		}
		if (i && calib_is_json(c->paths[i])) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: fio's results are calibrated on one file at a time",
				    c->paths[i]);
			return false;
		}
	}
	return calib_is_json(c->paths[0]) ? calib_read_fio(c, err) : calib_read_capture(c, err);
}

static bool show(const struct options *o, const GArray *keys, GError **err)
{
	g_autofree char *text = calib_text(&o->c, keys);

	if (o->out && !tempfile_write(o->out, text, -1, err))
		return false;
	if (o->json)
		cmd_print_json(calib_json(&o->c, keys));
	else if (!o->out)
		fputs(text, stdout);
	return true;
}

static int calibrate(struct options *o, GError **err)
{
	GArray *keys = NULL;
	bool ok;

	calib_init(&o->c);
	o->c.variants = o->variants;
	o->c.sets = o->sets;
	ok = choose_model(o, err) && (!o->out || input_check_out(o->c.paths, o->out, err)) &&
	     read_input(&o->c, err);
	if (ok && g_str_equal(o->c.grade, "E"))
		cmd_warn("%s: an iolog holds no completions: gaps between ops are taken as "
			 "latencies, right for one request at a time without pauses",
			 o->c.paths[0]);
	keys = ok ? calib_fit(&o->c, err) : NULL;
	ok = keys && show(o, keys, err);
	if (keys)
		g_array_unref(keys);
	calib_fini(&o->c);
	return ok ? 0 : -1;
}

static int run(int argc, char **argv, GError **err)
{
	struct options o = {0};
	const GOptionEntry options[] = {
		{"model", 0, 0, G_OPTION_ARG_FILENAME, &o.model,
		 "Device model to fit (default nvme)", "nvme|ufs|empirical|fixed"},
		{"out", 0, 0, G_OPTION_ARG_FILENAME, &o.out, "Write the section to FILE", "FILE"},
		{"variant", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.variants,
		 "Lay FILE over the machine that is simulated (repeatable)", "FILE"},
		{"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.sets, "Set one key of that machine",
		 "SECTION.KEY=VALUE"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "Print results as JSON", NULL},
		CAPTURE_OPTION_ENTRIES(&o.c.capture),
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;
	int status = cmd_parse(&cmd_calibrate, argc, argv, options, &args, err) ? 0 : -1;

	if (status == 0 && args) {
		o.c.paths = args;
		status = calibrate(&o, err);
	}
	g_free(o.model);
	g_free(o.out);
	g_strfreev(o.variants);
	g_strfreev(o.sets);
	capture_options_clear(&o.c.capture);
	return status;
}

static void describe(GString *text)
{
	g_string_append(
		text, "CAPTURE holds block requests with their completions (blktrace, blkparse, "
		      "ftrace, trace.dat), or is an iolog\n(gaps between ops stand for latencies), "
		      "or the file fio --output-format=json wrote (NAME.json).  The section\nnames "
		      "the grade of each value; its comments compare observed and simulated "
		      "latencies.\n\n");
	capture_options_describe(text);
}

const struct command cmd_calibrate = {
	.name = "calibrate",
	.args = "CAPTURE...",
	.summary = "Fit a [device] section to observed latencies",
	.min_args = 1,
	.max_args = UINT_MAX,
	.describe = describe,
	.run = run,
};

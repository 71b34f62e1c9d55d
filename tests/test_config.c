/*
 * tests/test_config.c - scenario files: layers, types, bounds, and what each error says.
 */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "sim/config.h"
#include "sim/op.h"
#include "sim/rng.h"
#include "tests/support.h"

static const char *const policies[] = {"none", "inline_range", "flusher_kick", NULL};

struct owner {
	struct {
		uint64_t dirty_ratio;
		bool kick;
		int64_t read_ns, memory, link_rate;
		double sigma;
		char *path;
		int policy;
	} conf;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64,   owner, dirty_ratio, "20", "1", "100", "vm.rst"),
	CONF(CONF_BOOL,  owner, kick, "0", NULL, NULL, "7.2"),
	CONF(CONF_NSEC,  owner, read_ns, "54.3us [M] DEVICES 3", "1us", "1s", "read latency"),
	CONF(CONF_BYTES, owner, memory, "4GiB", NULL, NULL, "host"),
	CONF(CONF_RATE,  owner, link_rate, "3360MB/s", NULL, NULL, "nvmevirt [S] ssd_config.h"),
	CONF(CONF_REAL,  owner, sigma, "0.229", "0", "2.5", "DEVICES 3"),
	CONF(CONF_STR,   owner, path, "", NULL, NULL, "none"),
	CONF(CONF_ENUM,  owner, policy, "none", NULL, NULL, "KERNEL 0.3", policies),
	{ 0 }
};
/* clang-format on */

static struct config *load_text(const char *text)
{
	GError *err = NULL;
	struct config *c = config_load(test_text("a.ini", text), NULL, NULL, &err);

	cr_assert_not_null(c, "%s", err ? err->message : "");
	return c;
}

/* The error ends with @want (what stands before is the folder of the test's file). */
static void assert_error(GError *err, const char *want)
{
	cr_assert_not_null(err);
	cr_assert(err->domain == F2SIM_ERROR && err->code == F2SIM_ERROR_INPUT);
	cr_assert(g_str_has_suffix(err->message, want), "'%s' for '%s'", err->message, want);
	g_error_free(err);
}

static void assert_load_refused(const char *text, const char *want)
{
	GError *err = NULL;

	cr_assert_null(config_load(test_text("a.ini", text), NULL, NULL, &err));
	assert_error(err, want);
}

static void assert_apply_refused(const char *text, const char *want)
{
	struct config *c = load_text(text);
	struct owner o;
	GError *err = NULL;

	cr_assert_not(config_apply(c, "m", keys, &o, &err));
	assert_error(err, want);
	config_free(c);
}

static void assert_unknown(const char *text, const char *want)
{
	struct config *c = load_text(text);
	struct owner o;
	GError *err = NULL;

	cr_assert(config_apply(c, "page_writeback", keys, &o, NULL));
	config_allow_section(c, "workload");
	cr_assert_not(config_check_unknown(c, &err));
	assert_error(err, want);
	config_free(c);
}

Test(config, defaults_fill_every_type)
{
	struct config *c = config_load(NULL, NULL, NULL, NULL);
	struct owner o;

	conf_table_check(keys);
	cr_assert(config_apply(c, "m", keys, &o, NULL));
	cr_assert_eq(o.conf.dirty_ratio, 20);
	cr_assert_eq(o.conf.kick, false);
	cr_assert_eq(o.conf.read_ns, 54300);
	cr_assert_eq(o.conf.memory, INT64_C(4294967296));
	cr_assert_eq(o.conf.link_rate, INT64_C(3360000000));
	cr_assert_eq(o.conf.sigma, 0.229);
	cr_assert_str_eq(o.conf.path, "");
	cr_assert_eq(o.conf.policy, 0);
	cr_assert_eq(conf_default_grade(&keys[2]), 'M');
	cr_assert_eq(conf_default_grade(&keys[4]), 'S');
	cr_assert_eq(conf_default_grade(&keys[0]), 0);
	config_free(c);
}

Test(config, values_with_grade_and_place)
{
	struct config *c = load_text("# a comment\n"
				     "\n"
				     "[m]\n"
				     "dirty_ratio = 40\n"
				     "link_rate = 1200MiB/s [S] nvmevirt ssd_config.h\r\n"
				     "policy=flusher_kick\n"
				     "kick = Yes\n"
				     "path = a [b] c\n");
	struct owner o;

	cr_assert(config_apply(c, "m", keys, &o, NULL));
	cr_assert_eq(o.conf.dirty_ratio, 40);
	cr_assert_eq(o.conf.link_rate, INT64_C(1258291200));
	cr_assert_eq(o.conf.policy, 2);
	cr_assert(o.conf.kick);
	cr_assert_str_eq(o.conf.path, "a [b] c");
	cr_assert_str_eq(config_get(c, "m", "link_rate"), "1200MiB/s");
	cr_assert_eq(config_grade(c, "m", "link_rate"), 'S');
	cr_assert_eq(config_grade(c, "m", "dirty_ratio"), 0);
	cr_assert(g_str_has_suffix(config_where(c, "m", "link_rate"), "a.ini:5"));
	cr_assert(config_check_unknown(c, NULL));
	config_free(c);
}

Test(config, later_layers_win_key_by_key)
{
	const char *base =
		test_text("base.ini", "[m]\ndirty_ratio = 10\nkick = 1\nmemory = 1GiB\n");
	const char *over = test_text("over.ini", "include = third.ini\n[m]\nkick = 0\n");
	const char *sets[] = {"m.memory=2GiB [E] guess", NULL};
	const char *overlays[] = {over, NULL};
	struct config *c;
	struct owner o;

	test_text("third.ini", "[m]\ndirty_ratio = 11\nkick = 1\n");
	c = config_load(base, overlays, sets, NULL);
	cr_assert(c && config_apply(c, "m", keys, &o, NULL));
	cr_assert_eq(o.conf.dirty_ratio, 11); /* the include of the overlay */
	cr_assert_not(o.conf.kick);	      /* the overlay after its include */
	cr_assert_eq(o.conf.memory, INT64_C(2147483648));
	cr_assert_str_eq(config_where(c, "m", "memory"), "--set");
	cr_assert_eq(config_grade(c, "m", "memory"), 'E');
	cr_assert(g_str_has_suffix(config_where(c, "m", "dirty_ratio"), "third.ini:2"));
	config_set(c, "m", "kick", "on");
	cr_assert_str_eq(config_get(c, "m", "kick"), "on");
	config_free(c);
}

Test(config, keys_come_in_file_order)
{
	struct config *c = load_text("[m]\nz = 1\na = 2\n[n]\nb = 3\n[m]\nk = 4\n");
	const char **names = config_keys(c, "m");
	const char **sections = config_sections(c);

	cr_assert_str_eq(names[0], "z");
	cr_assert_str_eq(names[1], "a");
	cr_assert_str_eq(names[2], "k");
	cr_assert_null(names[3]);
	cr_assert_str_eq(sections[0], "m");
	cr_assert_str_eq(sections[1], "n");
	cr_assert_null(sections[2]);
	g_free(names);
	g_free(sections);
	config_free(c);
}

Test(config, includes_several_and_twice)
{
	struct config *c;

	test_text("x.ini", "[m]\na = 1\n");
	test_text("y.ini", "include = x.ini\n[m]\na = 2\n");
	c = load_text(
		"include = y.ini ; x.ini\n# the second reading of x.ini comes last\n[m]\nb = 7\n");
	cr_assert_str_eq(config_get(c, "m", "a"), "1");
	cr_assert(g_str_has_suffix(config_where(c, "m", "b"), "a.ini:4"));
	config_free(c);
}

Test(config, malformed_files_name_the_line)
{
	GError *err = NULL;

	assert_load_refused("[m]\na = 1\na = 2\n", "a.ini:2");
	assert_load_refused("[m]\nnonsense\n", "a.ini:2: expected key = value, found: nonsense");
	assert_load_refused("\na = 1\n",
			    "a.ini:2: expected include = PATH or a [section] before this key: a");
	assert_load_refused("[m\n", "a.ini:1: expected [section], found: [m");
	assert_load_refused("[m]\n= 3\n", "a.ini:2: expected key = value, found: = 3");
	assert_load_refused("[m]\na = \xff\n", "a.ini: not UTF-8 text");
	assert_load_refused("include = a.ini\n", "a.ini: includes itself");
	assert_load_refused("\ninclude = missing.ini\n", "No such file or directory");
	cr_assert_null(config_load("/nonexistent/a.ini", NULL, NULL, &err));
	assert_error(err, "No such file or directory");
}

Test(config, include_after_a_section_is_a_key)
{
	assert_unknown("[page_writeback]\ninclude = b.ini\n",
		       "a.ini:2: page_writeback.include: unknown key");
}

Test(config, cycles_over_two_files_are_refused)
{
	GError *err = NULL;

	test_text("p.ini", "include = q.ini\n");
	cr_assert_null(config_load(test_text("q.ini", "include = p.ini\n"), NULL, NULL, &err));
	assert_error(err, "q.ini: includes itself");
}

Test(config, bad_sets_are_refused)
{
	static const char *const bad[] = {"m.key", "m=1", ".key=1", "m.=1", "key=a.b", ""};

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		const char *sets[] = {bad[i], NULL};
		GError *err = NULL;

		cr_assert_null(config_load(NULL, NULL, sets, &err), "'%s'", bad[i]);
		assert_error(err, "': expected section.key=value");
	}
}

Test(config, unknown_names_are_refused_with_the_nearest)
{
	assert_unknown(
		"[workload]\nbs = 4k\n[page_writeback]\ndirty_ration = 3\n",
		"a.ini:4: page_writeback.dirty_ration: unknown key (did you mean dirty_ratio?)");
	assert_unknown("[page_writebak]\n",
		       "a.ini:1: page_writebak: unknown section (did you mean page_writeback?)");
	assert_unknown("[page_writeback]\nqqqqqq = 3\n",
		       "a.ini:2: page_writeback.qqqqqq: unknown key");
}

Test(config, bad_values_say_where_and_what)
{
	assert_apply_refused("[m]\ndirty_ratio = 120\n",
			     "a.ini:2: m.dirty_ratio: 120 is above 100");
	assert_apply_refused("[m]\ndirty_ratio = 0\n", "a.ini:2: m.dirty_ratio: 0 is below 1");
	assert_apply_refused("[m]\ndirty_ratio = -3\n",
			     "m.dirty_ratio: '-3': expected a whole number >= 0");
	assert_apply_refused("[m]\nread_ns = 50\n", "'50': expected a number with ns, us, ms or s");
	assert_apply_refused("[m]\nread_ns = 999ns\n", "999ns is below 1us");
	assert_apply_refused("[m]\nlink_rate = 5MB\n",
			     "'5MB': expected bytes per second, such as 3360MB/s or 512KiB/s");
	assert_apply_refused("[m]\nkick = maybe\n",
			     "'maybe': expected 0/1, false/true, no/yes or off/on");
	assert_apply_refused("[m]\npolicy = kick\n",
			     "'kick': expected none | inline_range | flusher_kick");
	assert_apply_refused("[m]\nsigma = 1e999\n", "'1e999': expected a number");
	assert_apply_refused("[m]\nsigma = nan\n", "'nan': expected a number");
}

static const struct conf_key must[] = {
	CONF(CONF_U64, owner, dirty_ratio, NULL, NULL, NULL, "how many"), {0}};

Test(config, a_byte_order_mark_is_passed_over)
{
	GError *err = NULL;
	struct config *c = config_load(test_text("bom.ini", "\xef\xbb\xbf[host]\nnr_cpus = 3\n"),
				       NULL, NULL, &err);

	cr_assert(c, "%s", err ? err->message : "");
	cr_assert_str_eq(config_get(c, "host", "nr_cpus"), "3");
	config_free(c);
	cr_assert_null(config_load(test_file("utf16.ini", "\xff\xfe[\0h\0", 6), NULL, NULL, &err));
	cr_assert(strstr(err->message, "utf16.ini: UTF-16 text"), "%s", err->message);
	g_error_free(err);
}

Test(config, a_key_without_default_must_be_given)
{
	struct config *c = config_load(NULL, NULL, NULL, NULL);
	struct owner o;
	GError *err = NULL;

	cr_assert_not(config_apply(c, "m", must, &o, &err));
	assert_error(err, "m.dirty_ratio: must be given: how many");
	config_free(c);
}

static void assert_format(struct owner *o, const char *key, const char *want)
{
	const struct conf_key *k = keys;

	while (strcmp(k->name, key))
		k++;
	g_autofree char *text = conf_format(k, o);

	cr_assert_str_eq(text, want);
}

Test(config, format_reads_back)
{
	struct owner o = {.conf = {.dirty_ratio = 20,
				   .read_ns = 35760,
				   .memory = 1536,
				   .policy = 1,
				   .link_rate = 3360000000,
				   .sigma = 0.1,
				   .path = (char *)"x"}};

	assert_format(&o, "dirty_ratio", "20");
	assert_format(&o, "kick", "0");
	assert_format(&o, "read_ns", "35.76us");
	assert_format(&o, "memory", "1536");
	assert_format(&o, "link_rate", "3360MB/s");
	assert_format(&o, "sigma", "0.1");
	assert_format(&o, "path", "x");
	assert_format(&o, "policy", "inline_range");
	o.conf.read_ns = 0;
	o.conf.memory = INT64_C(3) << 30;
	o.conf.sigma = 1.0 / 3;
	assert_format(&o, "read_ns", "0ns");
	assert_format(&o, "memory", "3GiB");
	assert_format(&o, "sigma", "0.3333333333333333");
	o.conf.read_ns = INT64_MAX;
	assert_format(&o, "read_ns", "9223372036.854775807s");
}

static const struct conf_key beyond[] = {
	CONF(CONF_U64, owner, dirty_ratio, "120", "1", "100", "wrong"), {0}};

Test(config, a_table_with_a_bad_default_aborts, .signal = SIGTRAP)
{
	conf_table_check(beyond);
}

/* A good file with bytes changed at random: it loads or is refused with a reason, nothing else. */
Test(config, mangled_files_are_refused_or_read)
{
	static const char good[] = "# head\ninclude = other.ini\n[m]\ndirty_ratio = 40\n"
				   "read_ns = 3.5us [M] here\n\n[n]\npolicy = none\n";
	static const char bytes[] = "[]=#\n\r ;.0 a\t\xc3\"\\";
	const char *path = test_text("mangled.ini", "");
	unsigned int refused = 0;
	struct rng r;

	rng_init(&r, 1, "mangle");
	test_text("other.ini", "[o]\nx = 1\n");
	for (unsigned int n = 0; n < 300; n++) { /* each is an fsync */
		g_autofree char *text = g_strdup(good);
		g_autoptr(GError) err = NULL;
		struct config *c;
		struct owner o;

		for (uint64_t i = rng_below(&r, 4); i < 4; i++)
			text[rng_below(&r, strlen(good))] = bytes[rng_below(&r, sizeof(bytes) - 1)];
		cr_assert(g_file_set_contents(path, text, -1, NULL));
		c = config_load(path, NULL, NULL, &err);
		cr_assert_neq(!c, !err);
		if (c && !config_apply(c, "m", keys, &o, &err))
			cr_assert_not_null(err);
		refused += err != NULL;
		cr_assert(!err || (err->domain == F2SIM_ERROR && err->code == F2SIM_ERROR_INPUT));
		config_free(c);
	}
	cr_assert(refused > 30 && refused < 285, "%u", refused); /* both happen */
}

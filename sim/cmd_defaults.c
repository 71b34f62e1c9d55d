/*
 * sim/cmd_defaults.c - `f2sim defaults`: every key there is, from the same tables that parse them.
 *
 * The text is a scenario that says nothing: fed back unchanged it changes nothing.  So keys that
 * only a model of another choice knows ([device] model = ...), and keys without a default, stand in
 * it as comments.
 */
#include "sim/cmd.h"

#include <stdio.h>
#include <string.h>

#include "models/models.h"
#include "sim/sim.h"
#include "sim/simulate.h"

/* One key with what it takes to describe it. */
struct entry {
	const char *section, *source; /* source: the kernel file its model stands for, or NULL */
	const char *choice;	      /* NULL, or the value of the section's model key it needs */
	bool chosen;		      /* choice is NULL or the section's default */
	struct conf_key key;	      /* shallow copy */
};

static void add_table(GArray *entries, struct entry like, const struct conf_key *keys)
{
	for (; keys && keys->type != CONF_END; keys++) {
		like.key = *keys;
		g_array_append_val(entries, like);
	}
}

/* The models of @section that exclude each other; NULL-terminated array to be g_free()d. */
static const char **choices_of(const char *section)
{
	GPtrArray *names = g_ptr_array_new();

	for (unsigned int i = 0; models[i]; i++)
		if (models[i]->choice && !strcmp(model_section(models[i]), section))
			g_ptr_array_add(names, (char *)(uintptr_t)models[i]->choice);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

/* The key that chooses, and the choice it makes by default. */
static const char *add_choice(GArray *entries, const char *section, GPtrArray *keep)
{
	const char **names = choices_of(section);
	struct entry e = {.section = section, .chosen = true};

	g_ptr_array_add(keep, (void *)names);
	e.key = (struct conf_key){.name = "model",
				  .type = CONF_ENUM,
				  .def = names[0],
				  .help = "which model of this section runs",
				  .choices = names};
	if (names[0])
		g_array_append_val(entries, e);
	return names[0];
}

static bool listed(const GArray *entries, const char *section)
{
	for (guint i = 0; i < entries->len; i++)
		if (!strcmp(g_array_index(entries, struct entry, i).section, section))
			return true;
	return false;
}

static void add_model(GArray *entries, const struct model_ops *ops, const char *chosen)
{
	const struct entry like = {.section = model_section(ops),
				   .source = ops->source,
				   .choice = ops->choice,
				   .chosen = !ops->choice || !strcmp(ops->choice, chosen)};

	add_table(entries, like, ops->keys);
}

/* All models of @section, which may share it. */
static void add_models(GArray *entries, const char *section, GPtrArray *keep)
{
	const char *chosen = add_choice(entries, section, keep);

	for (unsigned int i = 0; models[i]; i++)
		if (!strcmp(model_section(models[i]), section))
			add_model(entries, models[i], chosen);
}

/* Every key, section by section; @keep owns the lists of choices they point to. */
static GArray *all_entries(GPtrArray *keep)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct entry));

	for (const struct conf_section *s = sim_sections; s->name; s++) {
		add_table(entries, (struct entry){.section = s->name, .chosen = true}, s->keys);
		add_models(entries, s->name, keep);
	}
	for (unsigned int i = 0; models[i]; i++)
		if (!listed(entries, model_section(models[i])))
			add_models(entries, model_section(models[i]), keep);
	add_table(entries, (struct entry){.section = "workload", .chosen = true}, workload_keys);
	return entries;
}

static const char *type_name(enum conf_type type)
{
	static const char *const names[] = {
		[CONF_U64] = "number", [CONF_BOOL] = "boolean", [CONF_NSEC] = "time",
		[CONF_BYTES] = "size", [CONF_RATE] = "rate",	[CONF_REAL] = "real",
		[CONF_STR] = "text",   [CONF_ENUM] = "choice",
	};

	assert(type > CONF_END && type < G_N_ELEMENTS(names));
	return names[type];
}

/* Units a value may end in; NULL where it has none. */
static const char *unit_names(enum conf_type type)
{
	switch (type) {
	case CONF_NSEC:
		return "ns us ms s";
	case CONF_BYTES:
		return "B KiB MiB GiB TiB kB MB GB TB";
	case CONF_RATE:
		return "B/s KiB/s MiB/s GiB/s kB/s MB/s GB/s";
	default:
		return NULL;
	}
}

static void print_bounds(const struct conf_key *key)
{
	const char *max = conf_max(key);

	printf("# %s", type_name(key->type));
	if (unit_names(key->type))
		printf(" in %s", unit_names(key->type));
	for (unsigned int i = 0; key->choices && key->choices[i]; i++)
		printf("%s%s", i ? " | " : ": ", key->choices[i]);
	if (key->min && max)
		printf(", %s to %s", key->min, max);
	else if (key->min)
		printf(", at least %s", key->min);
	else if (max)
		printf(", at most %s", max);
	putchar('\n');
}

static void print_text(const GArray *entries)
{
	const char *section = "", *source = NULL;

	printf("# Options of one fio job may stand in [workload], too: rw, bs, size, ...\n\n");
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *e = &g_array_index(entries, struct entry, i);

		if (strcmp(section, e->section)) {
			printf("%s[%s]\n", i ? "\n" : "", e->section);
			source = NULL;
		}
		section = e->section;
		if (e->source && e->source != source)
			printf("# %s%s%s%s\n", e->source, e->choice ? " (model = " : "",
			       e->choice ? e->choice : "", e->choice ? ")" : "");
		source = e->source;
		printf("# %s\n", e->key.help);
		print_bounds(&e->key);
		printf("%s%s =%s%s\n", e->key.def && e->chosen ? "" : "#", e->key.name,
		       e->key.def && *e->key.def ? " " : "", e->key.def ? e->key.def : "");
	}
}

static void set_text(JsonObject *o, const char *name, const char *text)
{
	if (text)
		json_object_set_string_member(o, name, text);
}

static JsonObject *entry_json(const struct entry *e)
{
	const char grade[] = {conf_default_grade(&e->key), '\0'};
	JsonObject *o = json_object_new();

	set_text(o, "section", e->section);
	set_text(o, "key", e->key.name);
	set_text(o, "type", type_name(e->key.type));
	set_text(o, "unit", unit_names(e->key.type));
	set_text(o, "default", e->key.def);
	set_text(o, "min", e->key.min);
	set_text(o, "max", conf_max(&e->key));
	set_text(o, "grade", *grade ? grade : NULL);
	set_text(o, "help", e->key.help);
	set_text(o, "source", e->source);
	set_text(o, "model", e->choice);
	if (e->key.choices) {
		JsonArray *choices = json_array_new();

		for (unsigned int i = 0; e->key.choices[i]; i++)
			json_array_add_string_element(choices, e->key.choices[i]);
		json_object_set_array_member(o, "choices", choices);
	}
	return o;
}

static void print_json(const GArray *entries)
{
	JsonObject *root = json_object_new();
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);
	JsonArray *keys = json_array_new();

	for (guint i = 0; i < entries->len; i++)
		json_array_add_object_element(keys,
					      entry_json(&g_array_index(entries, struct entry, i)));
	json_object_set_array_member(root, "keys", keys);
	json_node_take_object(node, root);
	cmd_print_json(node);
}

static int run(int argc, char **argv, GError **err)
{
	gboolean json = FALSE;
	const GOptionEntry options[] = {
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON instead of a scenario", NULL},
		G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) args = NULL;

	if (!cmd_parse(&cmd_defaults, argc, argv, options, &args, err))
		return -1;
	if (!args)
		return 0;
	GPtrArray *keep = g_ptr_array_new_with_free_func(g_free);
	GArray *entries = all_entries(keep);

	(json ? print_json : print_text)(entries);
	g_array_unref(entries);
	g_ptr_array_unref(keep);
	return 0;
}

const struct command cmd_defaults = {
	.name = "defaults",
	.args = NULL,
	.summary = "Print every key with default, bounds, unit and source, as a scenario",
	.run = run,
};

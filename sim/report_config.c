/*
 * sim/report_config.c - the configuration as results.json echoes it, and the limits it sets.
 *
 * First every key of every table, defaults included, in table order; then what the scenario holds
 * beside them ([workload], [calibrated]) as it was written.  A limit is a parameter that is an
 * estimate (grade E), or a time, rate or real number of a model that says no source for itself.
 */
#include "sim/report_config.h"

struct echo {
	const struct config *config;
	JsonObject *sections;
	GPtrArray *limits; /* owned lines */
};

static JsonObject *section_object(struct echo *e, const char *section)
{
	if (!json_object_has_member(e->sections, section))
		json_object_set_object_member(e->sections, section, json_object_new());
	return json_object_get_object_member(e->sections, section);
}

static void echo_value(struct echo *e, const char *section, const char *key, const char *value,
		       char grade)
{
	const char *where = config_where(e->config, section, key);
	JsonObject *o = json_object_new();

	json_object_set_string_member(o, "value", value);
	json_object_set_string_member(o, "where", where ? where : "default");
	if (grade)
		json_object_set_string_member(o, "grade", (char[]){grade, '\0'});
	else
		json_object_set_null_member(o, "grade");
	json_object_set_object_member(section_object(e, section), key, o);
	if (grade == 'E')
		g_ptr_array_add(e->limits, g_strdup_printf("%s.%s = %s is an estimate (grade E)",
							   section, key, value));
}

static void echo_table(struct echo *e, const char *section, const struct conf_key *keys,
		       const void *owner, bool grades)
{
	for (; keys && keys->type != CONF_END; keys++) {
		g_autofree char *value = conf_format(keys, owner);
		bool measure = keys->type == CONF_NSEC || keys->type == CONF_RATE ||
			       keys->type == CONF_REAL;
		bool given = config_where(e->config, section, keys->name) != NULL;
		char grade = given ? config_grade(e->config, section, keys->name)
				   : conf_default_grade(keys);

		echo_value(e, section, keys->name, value, grade);
		if (grades && measure && !grade)
			g_ptr_array_add(e->limits, g_strdup_printf("%s.%s = %s has no grade",
								   section, keys->name, value));
	}
}

static void echo_rest(struct echo *e)
{
	g_autofree const char **sections = config_sections(e->config);

	for (const char **section = sections; *section; section++) {
		g_autofree const char **keys = config_keys(e->config, *section);

		for (const char **key = keys; *key; key++)
			if (!json_object_has_member(section_object(e, *section), *key))
				echo_value(e, *section, *key, config_get(e->config, *section, *key),
					   config_grade(e->config, *section, *key));
	}
}

JsonNode *report_config_json(const struct sim *sim, GPtrArray *limits)
{
	struct echo e = {sim->config, json_object_new(), limits};
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);

	for (const struct conf_section *s = sim_sections; s->name; s++)
		echo_table(&e, s->name, s->keys, sim, false);
	for (unsigned int i = 0; i < sim->choices->len; i++) {
		const struct model_choice *choice = sim->choices->pdata[i];

		echo_table(&e, choice->section, choice->key, choice, false);
	}
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model *m = sim->models[i];

		echo_table(&e, model_section(m->ops), m->ops->keys, m, true);
	}
	echo_rest(&e);
	json_node_take_object(node, e.sections);
	return node;
}

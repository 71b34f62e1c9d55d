/*
 * sim/model.c - the life of the models of a run: checked tables, choice, keys, init to fini.
 *
 * Every model is allocated and has its keys before the first init runs, so an init may look at any
 * peer's configuration.
 */
#include "sim/model.h"

#include <string.h>

#include "sim/sim.h"

static void ops_check(const struct model_ops *const *table, const struct model_ops *ops)
{
	assert(ops->name && ops->source);
	assert(ops->size >= sizeof(struct model));
	conf_table_check(ops->keys);
	for (const struct conf_key *k = ops->keys; k && k->type != CONF_END; k++)
		assert(k->off >= sizeof(struct model) && k->off < ops->size);
	for (const struct stat_desc *d = ops->stats; d && d->kind != STAT_END; d++)
		assert(d->off >= sizeof(struct model) && d->off + sizeof(uint64_t) <= ops->size);
	for (; *table != ops; table++)
		assert(strcmp((*table)->name, ops->name));
}

static struct model_choice *choice_find(const struct sim *sim, const char *section)
{
	for (unsigned int i = 0; i < sim->choices->len; i++) {
		struct model_choice *choice = sim->choices->pdata[i];

		if (!strcmp(choice->section, section))
			return choice;
	}
	return NULL;
}

static void choice_free(void *p)
{
	struct model_choice *choice = p;

	g_free(choice->names);
	g_free(choice);
}

/* Gather the models of @section that can be chosen, and read the key that chooses. */
static bool choice_make(struct sim *sim, const struct model_ops *const *table, const char *section,
			GError **err)
{
	struct model_choice *choice = g_new0(struct model_choice, 1);
	GPtrArray *names = g_ptr_array_new();

	for (; *table; table++)
		if ((*table)->choice && !strcmp(model_section(*table), section))
			g_ptr_array_add(names, (char *)(*table)->choice);
	g_ptr_array_add(names, NULL);
	choice->section = section;
	choice->names = (const char **)g_ptr_array_free(names, FALSE);
	choice->key[0] = (struct conf_key){.name = "model",
					   .type = CONF_ENUM,
					   .off = offsetof(struct model_choice, chosen),
					   .def = choice->names[0],
					   .help = "which model of this section runs",
					   .choices = choice->names};
	g_ptr_array_add(sim->choices, choice);
	return config_apply(sim->config, section, choice->key, choice, err);
}

static bool choices_make(struct sim *sim, const struct model_ops *const *table, GError **err)
{
	for (const struct model_ops *const *ops = table; *ops; ops++) {
		if (!(*ops)->choice || choice_find(sim, model_section(*ops)))
			continue;
		if (!choice_make(sim, table, model_section(*ops), err))
			return false;
	}
	return true;
}

static bool takes_part(const struct sim *sim, const struct model_ops *ops)
{
	const struct model_choice *choice;

	if (!ops->choice)
		return true;
	choice = choice_find(sim, model_section(ops));
	return !strcmp(choice->names[choice->chosen], ops->choice);
}

static unsigned int slot_of(const struct model_ops *ops)
{
	return (unsigned int)((uintptr_t)ops / 32 % MODEL_SLOTS);
}

static bool model_add(struct sim *sim, const struct model_ops *ops, GError **err)
{
	static const struct conf_key none[] = {{0}};
	struct model *m = g_malloc0(ops->size);

	m->ops = ops;
	m->sim = sim;
	sim->models = g_renew(struct model *, sim->models, sim->nr_models + 1);
	sim->models[sim->nr_models++] = m;
	if (!sim->model_slots[slot_of(ops)])
		sim->model_slots[slot_of(ops)] = m;
	return config_apply(sim->config, model_section(ops), ops->keys ? ops->keys : none, m, err);
}

bool models_build(struct sim *sim, const struct model_ops *const *table, GError **err)
{
	sim->choices = g_ptr_array_new_with_free_func(choice_free);
	for (const struct model_ops *const *ops = table; *ops; ops++)
		ops_check(table, *ops);
	if (!choices_make(sim, table, err))
		return false;
	for (; *table; table++)
		if (takes_part(sim, *table) && !model_add(sim, *table, err))
			return false;
	for (; sim->nr_inited < sim->nr_models; sim->nr_inited++) {
		struct model *m = sim->models[sim->nr_inited];

		if (m->ops->init && !m->ops->init(m, err))
			return false;
	}
	return true;
}

void models_start(struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_models; i++)
		if (sim->models[i]->ops->start)
			sim->models[i]->ops->start(sim->models[i]);
}

void models_check(const struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_models; i++)
		if (sim->models[i]->ops->check)
			sim->models[i]->ops->check(sim->models[i]);
}

void models_check_idle(const struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_models; i++)
		if (sim->models[i]->ops->check_idle)
			sim->models[i]->ops->check_idle(sim->models[i]);
}

void models_sample(struct sim *sim)
{
	for (unsigned int i = 0; i < sim->nr_models; i++)
		if (sim->models[i]->ops->sample)
			sim->models[i]->ops->sample(sim->models[i]);
}

void models_free(struct sim *sim)
{
	while (sim->nr_models > 0) {
		struct model *m = sim->models[--sim->nr_models];

		if (m->ops->fini && sim->nr_models < sim->nr_inited)
			m->ops->fini(m);
		if (sim->model_slots[slot_of(m->ops)] == m)
			sim->model_slots[slot_of(m->ops)] = NULL;
		g_free(m);
	}
	g_free(sim->models);
	sim->models = NULL;
	if (sim->choices)
		g_ptr_array_unref(sim->choices);
	sim->choices = NULL;
}

struct model *model_get(const struct sim *sim, const struct model_ops *ops)
{
	struct model *m = sim->model_slots[slot_of(ops)];

	if (m && m->ops == ops)
		return m;
	for (unsigned int i = 0; i < sim->nr_models; i++)
		if (sim->models[i]->ops == ops)
			return sim->models[i];
	assert(false && "the model takes part in this run");
	return NULL;
}

struct model *model_chosen(const struct sim *sim, const char *section)
{
	for (unsigned int i = 0; i < sim->nr_models; i++) {
		const struct model_ops *ops = sim->models[i]->ops;

		if (ops->choice && !strcmp(model_section(ops), section))
			return sim->models[i];
	}
	return NULL;
}

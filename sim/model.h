/*
 * sim/model.h - what a model is: one file, one ops table, one line in models/models.c.
 *
 * The tables drive parsing, `f2sim defaults`, --help, and the echo in results.json.  Table order is
 * the order of init, start and report; fini runs in reverse.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <glib.h>

#include "sim/config.h"
#include "sim/stat.h"

struct sim;
struct model;
struct json;

struct model_ops {
	const char *name;    /* prefix of its statistics; unique */
	const char *section; /* config section; NULL = name.  Devices share [device] */
	const char
		*choice; /* NULL = always part of a run; else only when [section] model = choice */
	const char *source;	       /* "mm/filemap.c v6.1", what it stands for */
	size_t size;		       /* sizeof(struct NAME), whose first member is struct model */
	const struct conf_key *keys;   /* ends with { 0 }; may be NULL */
	const struct stat_desc *stats; /* ends with { 0 }; may be NULL */
	bool (*init)(struct model *m,
		     GError **err);	      /* keys against each other, find peers; optional */
	void (*start)(struct model *m);	      /* clock reads 0: first events; optional */
	void (*check)(const struct model *m); /* assert all invariants, O(n); optional */
	void (*check_idle)(const struct model *m); /* assert that nothing is in flight; optional */
	void (*fini)(struct model *m);		   /* optional */
	void (*sample)(
		struct model *m); /* bring gauges up to date before they are read; optional */
};

/*
 * The models that share a section by choice, as its key "model" (default: first in the table).
 * Keys of a model that was not chosen are unknown.
 */
struct model_choice {
	const char *section;
	const char **names;	/* NULL-terminated, table order; owned */
	struct conf_key key[2]; /* "model"; owner is this struct */
	int chosen;		/* index into names */
};

/* Models that model_get() finds at once; a second one with the same slot is searched for. */
#define MODEL_SLOTS 64u

/* First member of every struct NAME. */
struct model {
	const struct model_ops *ops;
	struct sim *sim; /* borrowed; outlives the model */
};

/* The running model of @ops, asserted to be there (peers are found by table address, not by
 * string). */
struct model *model_get(const struct sim *sim, const struct model_ops *ops);

/* The running model of the section, for choices ([device]); NULL when none. */
struct model *model_chosen(const struct sim *sim, const char *section);

/*
 * For sim.c.  Build the models of @table that [section] model chooses, apply their keys, then call
 * every init in table order.  False with *@err; models_free() cleans up either way.
 */
bool models_build(struct sim *sim, const struct model_ops *const *table, GError **err);
void models_start(struct sim *sim);
void models_check(const struct sim *sim);
void models_check_idle(const struct sim *sim);
void models_sample(struct sim *sim);
void models_free(struct sim *sim);

/* Section of the keys of @ops. */
static inline const char *model_section(const struct model_ops *ops)
{
	return ops->section ? ops->section : ops->name;
}

#endif

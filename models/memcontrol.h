/*
 * models/memcontrol.h - one memory cgroup: what it holds and whether it is full.  Level 1.
 *
 * Stands for mm/memcontrol.c (v6.1) of a cgroup v2 group with memory.swap.max 0.
 */
#ifndef MODELS_MEMCONTROL_H
#define MODELS_MEMCONTROL_H

#include "models/mm_types.h"
#include "sim/sim.h"

#define MEMCG_CHARGE_BATCH 64u
#define MEMCG_ID 1u /* of a folio charged to the group; 0 = to nobody */

struct mem_cgroup;
extern const struct model_ops memcg_model;
struct mem_cgroup *memcg_of(const struct sim *sim);

/* What the dirty domain of the group is made of (mem_cgroup_wb_stats()); pages. */
struct memcg_wb_stats {
	uint64_t file, headroom, dirty, writeback;
};

/* Is there a limit at all? */
bool mem_cgroup_enabled(const struct mem_cgroup *memcg);

/* Can @nr pages be charged without going over memory.max? */
bool mem_cgroup_margin(const struct mem_cgroup *memcg, uint64_t nr);

/* Pages that must be freed before @nr fit; 0 = they do. */
uint64_t mem_cgroup_excess(const struct mem_cgroup *memcg, uint64_t nr);

/* Charge @folio, about to enter its mapping, or take it out again; lists and counters follow.
 * Without a limit nothing happens and the folio stays on the lists of the node. */
void mem_cgroup_charge(struct mem_cgroup *memcg, struct folio *folio);
void mem_cgroup_uncharge(struct mem_cgroup *memcg, struct folio *folio);

/* @nr pages (negative: fewer) of the group became dirty, came under writeback. */
void mem_cgroup_mod_dirty(struct mem_cgroup *memcg, int64_t nr);
void mem_cgroup_mod_writeback(struct mem_cgroup *memcg, int64_t nr);

/* What the dirty domain sees: file, dirty and writeback pages of the last flush of the statistics
 * ([memcg] flush_time), headroom of now. */
void mem_cgroup_wb_stats(struct mem_cgroup *memcg, struct memcg_wb_stats *st);

/* The pages of now; headroom 0. */
void mem_cgroup_stats(const struct mem_cgroup *memcg, struct memcg_wb_stats *st);

/* A charge met memory.max: event "max", the stock goes back to the counter. */
void mem_cgroup_over_max(struct mem_cgroup *memcg);

/* Pages that limit reclaim looked at and freed (memory.stat). */
void mem_cgroup_reclaimed(struct mem_cgroup *memcg, uint64_t scanned, uint64_t stolen);
uint64_t mem_cgroup_pgsteal(const struct mem_cgroup *memcg);

#endif

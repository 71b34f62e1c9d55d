/*
 * sim/inspect_json.c - one capture as DESIGN section 4 spells it.  A missing key means "not
 * applicable"; keys stand in a fixed order, tables in the order of their names.
 */
#include "sim/inspect.h"
#include "sim/json_member.h"

#include <string.h>

/* Names in a capture are whatever bytes it holds; JSON is UTF-8. */
static void set_name(JsonBuilder *b, const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);

	json_builder_set_member_name(b, valid);
}

static void set_count(JsonBuilder *b, const char *name, uint64_t value)
{
	json_member_int(b, name, (int64_t)MIN(value, (uint64_t)INT64_MAX));
}

static void set_text(JsonBuilder *b, const char *name, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	json_builder_set_member_name(b, name);
	json_builder_add_string_value(b, valid);
}

static void add_counts(JsonBuilder *b, const char *name, GHashTable *table)
{
	g_autofree const char **keys = inspect_sorted_keys(table);

	json_member_begin(b, name);
	for (unsigned int i = 0; keys[i]; i++) {
		set_name(b, keys[i]);
		json_builder_add_int_value(
			b, (int64_t) * (const uint64_t *)g_hash_table_lookup(table, keys[i]));
	}
	json_builder_end_object(b);
}

static void add_actions(JsonBuilder *b, const struct trace_info *info)
{
	char name[3];

	json_member_begin(b, "actions");
	for (unsigned int i = 0; i < G_N_ELEMENTS(info->actions); i++)
		if (info->actions[i]) {
			inspect_action_name(name, i);
			set_count(b, name, info->actions[i]);
		}
	json_builder_end_object(b);
}

static void add_rwbs(JsonBuilder *b, const struct trace_info *info)
{
	g_autofree const char **keys = inspect_sorted_keys(info->rwbs);

	json_member_begin(b, "rwbs");
	for (unsigned int i = 0; keys[i]; i++) {
		const struct trace_rwbs *entry = g_hash_table_lookup(info->rwbs, keys[i]);

		set_name(b, keys[i]);
		json_builder_begin_object(b);
		set_count(b, "count", entry->count);
		set_count(b, "sectors", entry->sectors);
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

static void add_account(JsonBuilder *b, const struct trace_info *info)
{
	set_count(b, "lost", info->lost);
	add_counts(b, "unknown", info->unknown);
	set_count(b, "broken", info->broken);
	set_count(b, "unpaired", info->unpaired);
	set_count(b, "unbound", info->unbound);
	set_count(b, "underflow", info->underflow);
	set_count(b, "skewed", info->skewed);
	json_builder_set_member_name(b, "truncated");
	json_builder_add_boolean_value(b, info->truncated);
	if (info->has_pairs) {
		set_count(b, "pairs", info->paired);
		set_count(b, "cross_cpu", info->cross_cpu);
	}
	set_count(b, "tasks", g_hash_table_size(info->tasks));
	if (info->first_ns != OP_NO_TIME) {
		json_member_int(b, "first_ns", info->first_ns);
		json_member_int(b, "last_ns", info->last_ns);
	}
}

static void add_drives(JsonBuilder *b, unsigned int drives)
{
	json_builder_set_member_name(b, "drives");
	json_builder_begin_array(b);
	for (unsigned int bit = 0; inspect_drive_name(bit); bit++)
		if (drives & 1u << bit)
			json_builder_add_string_value(b, inspect_drive_name(bit));
	json_builder_end_array(b);
}

static void add_ops(JsonBuilder *b, const struct inspect *in)
{
	json_member_begin(b, "ops");
	for (unsigned int i = 0; i < OP_NR_KINDS; i++) {
		const struct inspect_kind *kind = &in->kinds[i];

		if (!kind->count)
			continue;
		json_member_begin(b, op_kind_name((enum op_kind)i));
		set_count(b, "count", kind->count);
		if (inspect_has_bytes((enum op_kind)i))
			set_count(b, "bytes", kind->bytes);
		if (op_class((enum op_kind)i) == OP_CLASS_FILE)
			set_count(b, "dontcache", kind->dontcache);
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

static void add_hist(JsonBuilder *b, const char *name, const struct hist *h)
{
	if (!h)
		return;
	json_member_begin(b, name);
	set_count(b, "count", h->count);
	json_member_int(b, "mean", hist_mean(h));
	json_member_int(b, "p50", hist_percentile(h, 500000));
	json_member_int(b, "p99", hist_percentile(h, 990000));
	json_member_int(b, "max", h->max);
	json_builder_end_object(b);
}

static void add_latencies(JsonBuilder *b, const struct inspect *in)
{
	json_member_begin(b, "d2c_ns");
	for (unsigned int i = 0; i < INSPECT_NR_DIRS; i++)
		add_hist(b, inspect_dir_name(i), in->d2c[i]);
	json_builder_end_object(b);
	json_member_begin(b, "q2c_ns");
	add_hist(b, "flush_sequence", in->sequence);
	json_builder_end_object(b);
}

static void add_cache(JsonBuilder *b, const struct inspect *in)
{
	json_member_begin(b, "page_cache");
	json_member_int(b, "added_pages", in->added);
	json_member_int(b, "deleted_pages", in->deleted);
	json_member_int(b, "resident_pages", in->added - in->deleted);
	if (in->sized) {
		json_member_int(b, "sized_pages", in->sized);
		json_member_int(b, "beyond_eof_pages", in->beyond_eof);
	}
	json_builder_end_object(b);
}

static void add_warnings(JsonBuilder *b, const struct trace_info *info)
{
	json_builder_set_member_name(b, "warnings");
	json_builder_begin_array(b);
	for (guint i = 0; i < info->warnings->len; i++) {
		g_autofree char *valid =
			g_utf8_make_valid(g_ptr_array_index(info->warnings, i), -1);

		json_builder_add_string_value(b, valid);
	}
	json_builder_end_array(b);
	if (info->more_warnings)
		set_count(b, "more_warnings", info->more_warnings);
}

void inspect_json(JsonBuilder *b, const struct trace_info *info, const struct inspect *in)
{
	json_builder_begin_object(b);
	set_text(b, "path", info->path);
	set_text(b, "format", info->format);
	if (info->version)
		set_text(b, "version", info->version);
	set_count(b, "records", info->records);
	if (inspect_has_events(info))
		add_counts(b, "events", info->events);
	if (info->has_actions) {
		add_actions(b, info);
		add_rwbs(b, info);
	}
	add_account(b, info);
	add_drives(b, info->drives);
	add_ops(b, in);
	set_count(b, "inodes", inspect_nr_inodes(in));
	add_latencies(b, in);
	if (in->added || in->deleted)
		add_cache(b, in);
	add_warnings(b, info);
	json_builder_end_object(b);
}

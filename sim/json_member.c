/*
 * sim/json_member.c - a named member of the JSON object that is being built.
 */
#include "sim/json_member.h"

void json_member_string(JsonBuilder *b, const char *name, const char *value)
{
	json_builder_set_member_name(b, name);
	if (value)
		json_builder_add_string_value(b, value);
	else
		json_builder_add_null_value(b);
}

void json_member_int(JsonBuilder *b, const char *name, int64_t value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, value);
}

void json_member_double(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

void json_member_null(JsonBuilder *b, const char *name)
{
	json_member_string(b, name, NULL);
}

void json_member_begin(JsonBuilder *b, const char *name)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
}

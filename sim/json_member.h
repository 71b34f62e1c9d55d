/*
 * sim/json_member.h - a named member of the JSON object that is being built.
 */
#ifndef SIM_JSON_MEMBER_H
#define SIM_JSON_MEMBER_H

#include <json-glib/json-glib.h>
#include <stdint.h>

/* NULL is null. */
void json_member_string(JsonBuilder *b, const char *name, const char *value);
void json_member_int(JsonBuilder *b, const char *name, int64_t value);
void json_member_double(JsonBuilder *b, const char *name, double value);
void json_member_null(JsonBuilder *b, const char *name);

/* Begin an object as the member; ended with json_builder_end_object(). */
void json_member_begin(JsonBuilder *b, const char *name);

#endif

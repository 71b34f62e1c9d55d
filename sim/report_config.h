/*
 * sim/report_config.h - private to the report files; sim/report.h is the face.
 */
#ifndef SIM_REPORT_CONFIG_H
#define SIM_REPORT_CONFIG_H

#include "sim/report.h"

/*
 * {section: {key: {value, where, grade}}} of a run; returns new.  Lines about parameters a number
 * should not be trusted beyond are appended to @limits (owned strings).
 */
JsonNode *report_config_json(const struct sim *sim, GPtrArray *limits);

#endif

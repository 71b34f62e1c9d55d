/*
 * models/models.h - the table of all models: the only registration there is.  Level 9.
 */
#ifndef MODELS_MODELS_H
#define MODELS_MODELS_H

#include "sim/model.h"

extern const struct model_ops
	*const models[]; /* NULL-terminated; order of init, start and report */

#endif

/*
 * models/background.h - the rest of the machine: memory that others hold, their dirty pages, their
 * fsyncs.  Level 8.
 */
#ifndef MODELS_BACKGROUND_H
#define MODELS_BACKGROUND_H

#include "models/filemap.h"

extern const struct model_ops background_model;

#endif

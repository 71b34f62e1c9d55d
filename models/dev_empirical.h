/*
 * models/dev_empirical.h - [device] model = empirical: a device known by its measured latencies.
 * Level 2.
 */
#ifndef MODELS_DEV_EMPIRICAL_H
#define MODELS_DEV_EMPIRICAL_H

#include "models/dev.h"

extern const struct dev_ops dev_empirical;

#endif

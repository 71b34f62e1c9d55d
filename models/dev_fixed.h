/*
 * models/dev_fixed.h - [device] model = fixed: a device of fixed times, for tests and for questions
 * without a device.  Level 2.
 */
#ifndef MODELS_DEV_FIXED_H
#define MODELS_DEV_FIXED_H

#include "models/dev.h"

extern const struct dev_ops dev_fixed;

#endif

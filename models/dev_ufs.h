/*
 * models/dev_ufs.h - [device] model = ufs: a UFS device.  Level 2.
 */
#ifndef MODELS_DEV_UFS_H
#define MODELS_DEV_UFS_H

#include "models/dev.h"

extern const struct dev_ops dev_ufs;

#endif

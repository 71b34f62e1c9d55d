/*
 * models/dev_nvme.h - [device] model = nvme: an NVMe drive.  Level 2.
 */
#ifndef MODELS_DEV_NVME_H
#define MODELS_DEV_NVME_H

#include "models/dev.h"

extern const struct dev_ops dev_nvme;

#endif

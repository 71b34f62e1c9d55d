/*
 * models/models.c - see models/models.h.  One line a model, in the order of init, start and report.
 */
#include "models/models.h"

#include "models/bio.h"
#include "models/blk_mq.h"
#include "models/dev_empirical.h"
#include "models/dev_fixed.h"
#include "models/dev_nvme.h"
#include "models/dev_ufs.h"

/* clang-format off */
const struct model_ops *const models[] = {
	&bio_model,
	&blk_mq,
	&dev_nvme.model,
	&dev_ufs.model,
	&dev_fixed.model,
	&dev_empirical.model,
	NULL
};
/* clang-format on */

/*
 * models/models.c - see models/models.h.  One line a model, in the order of init, start and report.
 * Level 99: sees them all.
 */
#include "models/models.h"

#include "models/background.h"
#include "models/bio.h"
#include "models/blk_mq.h"
#include "models/dev_empirical.h"
#include "models/dev_fixed.h"
#include "models/dev_nvme.h"
#include "models/dev_ufs.h"
#include "models/f2fs_data.h"
#include "models/f2fs_file.h"
#include "models/fs_writeback.h"
#include "models/memcontrol.h"
#include "models/page_alloc.h"
#include "models/page_writeback.h"
#include "models/pagemap.h"
#include "models/pagemap_drop.h"
#include "models/shrinker.h"
#include "models/vmscan.h"

/* clang-format off */
const struct model_ops *const models[] = {
	&bio_model,
	&blk_mq,
	&dev_nvme.model,
	&dev_ufs.model,
	&dev_fixed.model,
	&dev_empirical.model,
	&page_alloc_model,
	&page_writeback_model,
	&memcg_model,
	&filemap_model,
	&dropbehind_model,
	&f2fs_data_model,
	&fs_writeback_model,
	&shrinker_model,
	&vmscan_model,
	&f2fs_file_model,
	&background_model,
	NULL
};
/* clang-format on */

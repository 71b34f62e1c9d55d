/*
 * models/dev_ufs.c - a UFS device: models/dev_flash.c with one shared queue (DEVICES.md 3.4-3.6).
 *
 * Holds `slots` commands (UTP transfer requests, 32), shared by reads and writes; the M-PHY link is
 * full duplex.  What UFS adds: idle exit (clock gating, hibern8), and reads whose mapping entry is
 * not in the device's RAM cost one more array read on the same die (l2p_miss_prob).  Defaults are
 * those of UFS 4 (DEVICES.md 3.6); configs/devices/ has measured sets.
 *
 * Not modelled: multi-circular queues (more slots do the same), HPB, task management.
 */
#include "models/dev_ufs.h"

#include "models/dev_flash.h"
#include "sim/sim.h"

#define UFS_SOURCE "[A] UFS 4 set, DEVICES.md 3.6"
#define UFS_FLUSH_SOURCE "[E] DEVICES.md 3.6"
#define UFS_CMD_READ "12us"
#define UFS_CMD_WRITE "15us"
#define UFS_WRITE_PER_PAGE "1300ns"
#define UFS_LINK_READ "4200MB/s"
#define UFS_LINK_WRITE "2800MB/s"
#define UFS_DIES "16"
#define UFS_READ_TIME "45us"
#define UFS_READ_SIGMA "0.25"
#define UFS_DIE_BUS "380MB/s"
#define UFS_WRITE_BUFFER "4MiB"
#define UFS_DRAIN_RATE "1220MB/s"
#define UFS_FLUSH_TIME "200us"
#define UFS_FUA_TIME "200us"

struct dev_ufs {
	struct dev_flash flash; /* must be first */
	struct {
		uint64_t slots;
	} conf;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, dev_ufs, slots, "32", "1", "4096",
	     "commands the device holds, reads and writes together [D] UFSHCI nutrs"),
	DEV_FLASH_ROW(CONF_REAL, l2p_miss_prob, "0", "0", "1",
		      "share of read commands that must first read their mapping [E] DEVICES.md 3.4"),
	DEV_FLASH_KEYS(UFS),
	{ 0 }
};

static const struct stat_desc stats[] = { DEV_FLASH_STATS, { 0 } };
/* clang-format on */

static bool ufs_init(struct model *m, GError **err)
{
	struct dev_ufs *d = container_of(m, struct dev_ufs, flash.model);

	return dev_flash_init(&d->flash, d->conf.slots, err);
}

const struct dev_ops dev_ufs = {
	.model = {.name = "dev_ufs",
		  .section = "device",
		  .choice = "ufs",
		  .source = "DEVICES.md 5 (UFSHCI 4.0, SimpleSSD UFS HIL)",
		  .size = sizeof(struct dev_ufs),
		  .keys = keys,
		  .stats = stats,
		  .init = ufs_init,
		  .check = dev_flash_check,
		  .check_idle = dev_flash_check_idle,
		  .fini = dev_flash_fini},
	.submit = dev_flash_submit,
	.slots = dev_flash_slots,
	.volatile_cache = dev_flash_volatile_cache,
	.fua = dev_flash_fua,
};

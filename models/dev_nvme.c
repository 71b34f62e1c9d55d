/*
 * models/dev_nvme.c - an NVMe drive: models/dev_flash.c with many queues and PCIe (DEVICES.md
 * 3.1-3.3).
 *
 * Holds queues * queue_depth commands.  Defaults are those of the consumer drive of DEVICES.md 3.1;
 * configs/devices/ has measured sets.
 *
 * Not modelled: arbitration between queues (commands are taken in the order of submission),
 * interrupt coalescing, host memory buffer.
 */
#include "models/dev_nvme.h"

#include "models/dev_flash.h"
#include "sim/sim.h"

#define NVME_SOURCE "[S] nvmevirt ssd_config.h"
#define NVME_FLUSH_SOURCE "[E] DEVICES.md 3.1"
#define NVME_CMD_READ "21500ns"
#define NVME_CMD_WRITE "4us"
#define NVME_WRITE_PER_PAGE "460ns"
#define NVME_LINK_READ "3360MB/s"
#define NVME_LINK_WRITE "3360MB/s"
#define NVME_DIES "16"
#define NVME_READ_TIME "35760ns"
#define NVME_READ_SIGMA "0"
#define NVME_DIE_BUS "800MB/s"
#define NVME_WRITE_BUFFER "1MiB"
#define NVME_DRAIN_RATE "2320MB/s"
#define NVME_FLUSH_TIME "1ms"
#define NVME_FUA_TIME "380us"

struct dev_nvme {
	struct dev_flash flash; /* must be first */
	struct {
		uint64_t queues, queue_depth;
	} conf;
};

/* clang-format off */
static const struct conf_key keys[] = {
	CONF(CONF_U64, dev_nvme, queues, "2", "1", "128",
	     "submission queues; one a CPU is usual [E]"),
	CONF(CONF_U64, dev_nvme, queue_depth, "1023", "1", "65535",
	     "commands a queue holds [S] drivers/nvme/host/pci.c io_queue_depth 1024, one unused"),
	DEV_FLASH_KEYS(NVME),
	{ 0 }
};

static const struct stat_desc stats[] = { DEV_FLASH_STATS, { 0 } };
/* clang-format on */

static bool nvme_init(struct model *m, GError **err)
{
	struct dev_nvme *d = container_of(m, struct dev_nvme, flash.model);

	return dev_flash_init(&d->flash, d->conf.queues * d->conf.queue_depth, err);
}

const struct dev_ops dev_nvme = {
	.model = {.name = "dev_nvme",
		  .section = "device",
		  .choice = "nvme",
		  .source = "DEVICES.md 5 (nvmevirt conv_ftl.c, FEMU pe_suspend)",
		  .size = sizeof(struct dev_nvme),
		  .keys = keys,
		  .stats = stats,
		  .init = nvme_init,
		  .check = dev_flash_check,
		  .check_idle = dev_flash_check_idle,
		  .fini = dev_flash_fini},
	.submit = dev_flash_submit,
	.slots = dev_flash_slots,
	.volatile_cache = dev_flash_volatile_cache,
	.fua = dev_flash_fua,
};

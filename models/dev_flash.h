/*
 * models/dev_flash.h - what NVMe and UFS flash devices share: controller, dies, link, write buffer
 * (DEVICES.md 5).  Level 1.
 *
 * dev_nvme.c and dev_ufs.c bring their defaults and the number of commands they hold; everything
 * else is here.  Both share section [device] and, but for a few keys, one table: DEV_FLASH_KEYS(P)
 * takes the defaults that differ from macros P_LINK_READ, P_DIES, ...
 */
#ifndef MODELS_DEV_FLASH_H
#define MODELS_DEV_FLASH_H

#include "models/dev.h"
#include "models/dev_drain.h"

struct dev_flash {
	struct model model;
	struct {
		/* controller */
		int64_t idle_threshold, idle_exit; /* ns: asleep after, time to wake up */
		int64_t cmd_serial;		   /* ns of the one firmware server per command */
		int64_t cmd_read, cmd_write;	   /* ns; not serial */
		double cmd_read_sigma;
		int64_t write_per_page; /* ns per 4096 bytes */
		int64_t discard_time;
		/* link, bytes/s each way */
		int64_t link_read, link_write;
		/* flash */
		uint64_t dies;
		int64_t stripe_unit;
		int64_t read_time; /* ns, median */
		double read_sigma;
		int64_t die_bus; /* bytes/s each die */
		double exceptional_prob;
		int64_t exceptional_time;
		double l2p_miss_prob; /* 0 unless UFS */
		bool read_priority;
		int64_t suspend_time;
		/* write buffer and drain */
		int64_t write_buffer; /* bytes */
		struct drain_conf drain;
		int64_t flush_time, fua_time;
		bool volatile_cache, plp;
		/* garbage collection */
		int64_t gc_bytes; /* 0 = off */
		uint64_t gc_dies;
		int64_t gc_time;
	} conf;
	struct {
		uint64_t nr_held, idle_exits, exceptional_reads, l2p_misses, read_suspends;
		uint64_t buffer_waits, buffer_wait_ns, gc_runs;
	} stat;

	unsigned int max_held; /* slots, set by the owner */
	/* Random bits by request id, one stream a purpose. */
	uint64_t key_cmd, key_read, key_exceptional, key_l2p;
	uint64_t exceptional_below, l2p_below; /* a draw of 32 bits below this is a hit */
	struct lognormal cmd_spread, read_spread;
	ktime_t awake_ns, idle_since; /* ready after idle exit; last completion */
	ktime_t serial_end;	      /* firmware server busy until */
	ktime_t link_read_end, link_write_end;
	struct die *dies; /* conf.dies of them */
	struct drain drain;
	int64_t gc_account; /* bytes drained towards the next collection */
	GQueue gc_due;	    /* struct gc, by time */
	unsigned int gc_next_die;
	struct flash_read *free_reads; /* pool */
	GPtrArray *all_reads;
};

/* Shared functions of struct dev_ops and struct model_ops; @slots = commands held at most. */
bool dev_flash_init(struct dev_flash *d, uint64_t slots, GError **err);
void dev_flash_check(const struct model *m);
void dev_flash_check_idle(const struct model *m);
void dev_flash_fini(struct model *m);
void dev_flash_submit(struct model *m, struct request *rq);
unsigned int dev_flash_slots(const struct model *m);
bool dev_flash_volatile_cache(const struct model *m);
bool dev_flash_fua(const struct model *m);

/* clang-format off */
#define DEV_FLASH_ROW(kind, f, ...) CONF(kind, dev_flash, f, __VA_ARGS__)
#define DEV_FLASH_DRAIN(kind, key, f, ...)                                                          \
	{ .name = key, .type = kind, .off = offsetof(struct dev_flash, conf.drain.f), .def = __VA_ARGS__ }

#define DEV_FLASH_KEYS(P)                                                                          \
	DEV_FLASH_ROW(CONF_NSEC, idle_threshold, "0", "0", NULL,                                   \
		      "idle time after which the next command pays idle_exit [S] published simulators have none"),   \
	DEV_FLASH_ROW(CONF_NSEC, idle_exit, "0", "0", "1s",                                        \
		      "time to leave the idle state; 0 = off [S] published simulators have none"),                   \
	DEV_FLASH_ROW(CONF_NSEC, cmd_serial, "0", "0", "1ms",                                      \
		      "time of the single firmware server per command; caps IOPS; 0 = off [S] nvmevirt has none"),\
	DEV_FLASH_ROW(CONF_NSEC, cmd_read, P##_CMD_READ, "0", "100ms",                             \
		      "command time of a read, not serial, median " P##_SOURCE),              \
	DEV_FLASH_ROW(CONF_REAL, cmd_read_sigma, "0", "0", "2",                                    \
		      "lognormal sigma of cmd_read [S] published simulators have none"),                               \
	DEV_FLASH_ROW(CONF_NSEC, cmd_write, P##_CMD_WRITE, "0", "100ms",                           \
		      "command time of a write acknowledged from the buffer " P##_SOURCE),    \
	DEV_FLASH_ROW(CONF_NSEC, write_per_page, P##_WRITE_PER_PAGE, "0", "1ms",                   \
		      "part of a write's latency per 4096 bytes " P##_SOURCE),                \
	DEV_FLASH_ROW(CONF_NSEC, discard_time, "20us", "0", "1s",                                  \
		      "a discard beyond cmd_write [E] DEVICES.md 5.5"),                              \
	DEV_FLASH_ROW(CONF_RATE, link_read, P##_LINK_READ, "1MB/s", NULL,                          \
		      "host link, device to host " P##_SOURCE),                               \
	DEV_FLASH_ROW(CONF_RATE, link_write, P##_LINK_WRITE, "1MB/s", NULL,                        \
		      "host link, host to device " P##_SOURCE),                               \
	DEV_FLASH_ROW(CONF_U64, dies, P##_DIES, "1", "4096",                                       \
		      "units that read independently " P##_SOURCE),                           \
	DEV_FLASH_ROW(CONF_BYTES, stripe_unit, "32KiB", "4KiB", "1MiB",                            \
		      "bytes on one die before the next one's turn [S] nvmevirt ssd_config.h"),             \
	DEV_FLASH_ROW(CONF_NSEC, read_time, P##_READ_TIME, "0", "100ms",                           \
		      "flash array read, median " P##_SOURCE),                                \
	DEV_FLASH_ROW(CONF_REAL, read_sigma, P##_READ_SIGMA, "0", "2",                             \
		      "lognormal sigma of read_time " P##_SOURCE),                            \
	DEV_FLASH_ROW(CONF_RATE, die_bus, P##_DIE_BUS, "1MB/s", NULL,                              \
		      "bus of one die " P##_SOURCE),                                          \
	DEV_FLASH_ROW(CONF_REAL, exceptional_prob, "0", "0", "1",                                  \
		      "share of die reads that collide with an erase or GC [S] published simulators have none"),     \
	DEV_FLASH_ROW(CONF_NSEC, exceptional_time, "2ms", "0", "1s",                               \
		      "what such a read takes more [E] DEVICES.md 5.3"),                             \
	DEV_FLASH_ROW(CONF_BOOL, read_priority, "yes", NULL, NULL,                                 \
		      "reads suspend programs instead of waiting for them [S] MQSim, FEMU"),      \
	DEV_FLASH_ROW(CONF_NSEC, suspend_time, "30us", "0", "10ms",                                \
		      "what suspending a program costs the read [S] FEMU pe_suspend"),                \
	DEV_FLASH_ROW(CONF_BYTES, write_buffer, P##_WRITE_BUFFER, "4KiB", NULL,                    \
		      "bytes acknowledged before they are on flash " P##_SOURCE),             \
	DEV_FLASH_DRAIN(CONF_RATE, "drain_rate", rate, P##_DRAIN_RATE, "1MB/s", NULL,                            \
			"buffer to flash " P##_SOURCE),                                       \
	DEV_FLASH_DRAIN(CONF_RATE, "tlc_rate", tlc_rate, "500MB/s", "1MB/s", NULL,                             \
			"buffer to flash once wb_bytes are used up [E] DEVICES.md 3.5"),             \
	DEV_FLASH_DRAIN(CONF_BYTES, "wb_bytes", wb_bytes, "0", "0", NULL,                                      \
			"SLC (WriteBooster) space written at rate; 0 = no cliff [S] nvmevirt has none"),\
	DEV_FLASH_DRAIN(CONF_RATE, "wb_refill_rate", refill_rate, "100MB/s", "0/s", NULL,                              \
			"SLC space that comes back while idle [E] DEVICES.md 5.4"),              \
	DEV_FLASH_DRAIN(CONF_REAL, "drain_sigma", sigma, "0", "0", "2",                                           \
			"lognormal sigma of the drain rate per window; 0 = off [S] published simulators have none"),\
	DEV_FLASH_DRAIN(CONF_NSEC, "drain_window", window_ns, "100ms", "1us", NULL,                                \
			"length of such a window [E] MODELING.md 1.4"),                          \
	DEV_FLASH_ROW(CONF_NSEC, flush_time, P##_FLUSH_TIME, "0", "1s",                            \
		      "a flush beyond draining what is buffered " P##_FLUSH_SOURCE),                \
	DEV_FLASH_ROW(CONF_NSEC, fua_time, P##_FUA_TIME, "0", "1s",                                \
		      "a FUA write beyond draining its data " P##_FLUSH_SOURCE),                    \
	DEV_FLASH_ROW(CONF_BOOL, volatile_cache, "yes", NULL, NULL,                                \
		      "reports a volatile write cache, so flush and FUA reach it [E] DEVICES.md 5.5"),\
	DEV_FLASH_ROW(CONF_BOOL, plp, "no", NULL, NULL,                                            \
		      "power-loss protection: flush and FUA wait for no drain [E] DEVICES.md 3.2"),  \
	DEV_FLASH_ROW(CONF_BYTES, gc_bytes, "0", "0", NULL,                                        \
		      "collect garbage every so many bytes drained; 0 = off [E] DEVICES.md 5.6"),    \
	DEV_FLASH_ROW(CONF_U64, gc_dies, "1", "1", "4096",                                         \
		      "dies a collection occupies [E] DEVICES.md 5.6"),                              \
	DEV_FLASH_ROW(CONF_NSEC, gc_time, "3500us", "0", "10s",                                    \
		      "for how long: an erase [S] SimpleSSD sample.cfg")

#define DEV_FLASH_STATS                                                                            \
	STAT(STAT_GAUGE, dev_flash, nr_held), STAT(STAT_COUNT, dev_flash, idle_exits),             \
	STAT(STAT_COUNT, dev_flash, exceptional_reads), STAT(STAT_COUNT, dev_flash, l2p_misses),   \
	STAT(STAT_COUNT, dev_flash, read_suspends), STAT(STAT_COUNT, dev_flash, buffer_waits),     \
	STAT(STAT_NSEC, dev_flash, buffer_wait_ns), STAT(STAT_COUNT, dev_flash, gc_runs)
/* clang-format on */

#endif

/*
 * sim/types.h - the few types and constants that every layer shares.
 * Time is a signed 64-bit count of ns; sizes carry their unit in the name.
 */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t ktime_t;   /* ns on the simulated (or the capture's) clock */
typedef uint64_t pgoff_t;  /* index of a page in a file */
typedef uint64_t sector_t; /* 512-byte units on a block device */

#define PAGE_SHIFT 12
#define PAGE_SIZE ((int64_t)1 << PAGE_SHIFT)
#define SECTOR_SHIFT 9
#define SECTORS_PER_PAGE (1u << (PAGE_SHIFT - SECTOR_SHIFT))

#define NSEC_PER_USEC ((ktime_t)1000)
#define NSEC_PER_MSEC ((ktime_t)1000000)
#define NSEC_PER_SEC ((ktime_t)1000000000)
#define KTIME_MAX INT64_MAX

/* Device numbers as blktrace and the kernel print them: 12 bits major, 20 bits minor. */
#define DEVNO(major, minor) (((uint32_t)(major) << 20) | (uint32_t)(minor))
#define DEV_MAJOR(dev) ((uint32_t)(dev) >> 20)
#define DEV_MINOR(dev) ((uint32_t)(dev)&0xfffffu)

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#endif

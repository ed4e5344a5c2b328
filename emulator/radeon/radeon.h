/* SPDX-License-Identifier: MIT */
/*
 * Inside the radeon kernel interface: the UAPI of radeon_drm.h over the front door's buffers and
 * queue, with the command processor and the DMA engine of Cayman and its family (chip/chip.h).
 */
#ifndef ATOLL_RADEON_H
#define ATOLL_RADEON_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <atoll/device.h>

#include "frontdoor/device.h"
#include "options.h"

struct chip;
struct gfx;
struct sanitizer;

/* A client's context that caused faults: how often, and what the last one was. */
struct guilt {
   uint64_t client; /* 0: free */
   uint32_t context, count;
   uint64_t last; /* reset */
   char text[ATOLL_GUILT_TEXT];
};
#define RADEON_GUILT 64u /* those that were guilty last are remembered */

/* The GPU of a device: device->gpu. */
struct radeon {
   const struct chip *chip;      /* what it is */
   bool has_vm;                  /* the chip's, but for replays: captures have virtual addresses;
                                    see radeon_has_vm() */
   struct gfx *gfx;              /* NULL at the end of the process */
   struct sanitizer *sanitizer;  /* looks at what its programs execute; NULL: nothing does */
   bool trace;                   /* print every packet */
   bool strict;                  /* refuse what the kernel's command checker refuses */
   bool device_clock;            /* timestamps count device cycles */
   struct options_budget budget; /* of a submission */
   _Atomic uint64_t resets;
   pthread_mutex_t guilt_lock;
   struct guilt guilt[RADEON_GUILT];
   time_t said; /* the second of the last line about a submission that was cut */
};

static inline struct radeon *
radeon_of(const struct atoll_device *device)
{
   return device->gpu;
}

/* Has the client virtual addresses? */
static inline bool
radeon_has_vm(const struct atoll_client *client)
{
   return radeon_of(client->device)->has_vm || client->own_addresses;
}

/* atoll_device_get(), for a process that serves others. */
struct atoll_device *radeon_device(const struct device_setup *setup);

/* Time since the device was made, in ticks of CHIP_CLOCK_KHZ. */
uint64_t radeon_ticks(const struct atoll_device *device);

/* Each returns 0 or a negative errno; `arg` is a copy of the client's struct, `nr` counts from
 * DRM_COMMAND_BASE. */
int radeon_gem_ioctl(struct atoll_client *client, unsigned nr, void *arg);
int radeon_info_ioctl(struct atoll_client *client, void *arg);
int radeon_submit_ioctl(struct atoll_client *client, void *arg);

/* guilt.c */
/* The answer to ATOLL_INFO_GUILT, to the client's memory at `address`. */
int radeon_guilt_ioctl(struct atoll_client *client, uint64_t address);
int radeon_finding_ioctl(struct atoll_client *client, uint64_t address);
/* The job was a fault's cause; `text` says what, or is NULL. */
void radeon_blame(struct radeon *radeon, const struct job *job, const char *text);

#endif

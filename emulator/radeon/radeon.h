/* SPDX-License-Identifier: MIT */
/*
 * Inside the radeon kernel interface: the UAPI of radeon_drm.h over the front door's buffers and
 * queue, and Cayman's command processor and DMA engine behind it.
 */
#ifndef ATOLL_RADEON_H
#define ATOLL_RADEON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "frontdoor/device.h"

struct gfx;

/* The GPU of a device: device->gpu. */
struct radeon {
   struct gfx *gfx;   /* NULL at the end of the process */
   bool trace;        /* print every packet */
   bool strict;       /* refuse what the kernel's command checker refuses */
   bool device_clock; /* timestamps count device cycles */
   uint64_t budget;   /* cycles a submission may take */
   _Atomic uint64_t resets;
};

static inline struct radeon *
radeon_of(const struct atoll_device *device)
{
   return device->gpu;
}

/* Time since the device was made, in ticks of CHIP_CLOCK_KHZ. */
uint64_t radeon_ticks(const struct atoll_device *device);

/* Each returns 0 or a negative errno; `arg` is a copy of the client's struct, `nr` counts from
 * DRM_COMMAND_BASE. */
int radeon_gem_ioctl(struct atoll_client *client, unsigned nr, void *arg);
int radeon_info_ioctl(struct atoll_client *client, void *arg);
int radeon_submit_ioctl(struct atoll_client *client, void *arg);

#endif

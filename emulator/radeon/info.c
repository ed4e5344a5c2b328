/* SPDX-License-Identifier: MIT */
/* INFO: what the device says about itself (radeon/chip.h, chip/chip.h), and how it is. */
#include "radeon/radeon.h"

#include <errno.h>

#include <drm.h>
#include <radeon_drm.h>

#include "chip/chip.h"
#include "frontdoor/device.h"
#include "frontdoor/user.h"
#include "memory/arena.h"
#include "radeon/chip.h"

static int
give(struct atoll_client *client, const struct drm_radeon_info *args, const void *answer,
     size_t bytes)
{
   return user_write(client, args->value, answer, bytes) ? 0 : -EFAULT;
}

int
radeon_info_ioctl(struct atoll_client *client, void *arg)
{
   const struct drm_radeon_info *args = arg;
   struct atoll_device *device = client->device;
   const struct chip *chip = radeon_of(device)->chip;
   uint64_t wide = 0;
   uint32_t answer;

   switch (args->request) {
   case RADEON_INFO_DEVICE_ID:
      answer = chip->pci_id;
      break;
   case RADEON_INFO_ACCEL_WORKING:
   case RADEON_INFO_ACCEL_WORKING2:
   case RADEON_INFO_VA_UNMAP_WORKING:
      answer = 1;
      break;
   case RADEON_INFO_TILING_CONFIG:
      answer = chip->tiling;
      break;
   case RADEON_INFO_CLOCK_CRYSTAL_FREQ:
      answer = CHIP_CLOCK_KHZ;
      break;
   case RADEON_INFO_NUM_BACKENDS:
      answer = chip->backends;
      break;
   case RADEON_INFO_NUM_TILE_PIPES:
      answer = chip->pipes;
      break;
   case RADEON_INFO_BACKEND_MAP:
      answer = chip->backend_map;
      break;
   /* Whether there is virtual memory, drivers learn from these two. */
   case RADEON_INFO_VA_START:
      if (!radeon_has_vm(client))
         return -EINVAL;
      answer = CHIP_VA_START;
      break;
   case RADEON_INFO_IB_VM_MAX_SIZE:
      if (!radeon_has_vm(client))
         return -EINVAL;
      answer = CHIP_IB_DWORDS;
      break;
   case RADEON_INFO_MAX_PIPES:
      answer = chip->quad_pipes;
      break;
   case RADEON_INFO_MAX_SE:
      answer = 1;
      break;
   case RADEON_INFO_RING_WORKING:
      if (!user_read(client, &(struct user_range){ &answer, args->value, sizeof(answer) }, 1))
         return -EFAULT;
      answer = answer == RADEON_CS_RING_GFX || answer == RADEON_CS_RING_COMPUTE ||
               answer == RADEON_CS_RING_DMA;
      break;
   case RADEON_INFO_MAX_SCLK:
      answer = chip->khz;
      break;
   case RADEON_INFO_ACTIVE_CU_COUNT:
      answer = chip->simds;
      break;
   case RADEON_INFO_VCE_FW_VERSION:
   case RADEON_INFO_VCE_FB_VERSION:
   case RADEON_INFO_FASTFB_WORKING:
      answer = 0;
      break;
   case RADEON_INFO_GPU_RESET_COUNTER:
      answer = (uint32_t)atomic_load(&radeon_of(device)->resets);
      break;
   case RADEON_INFO_TIMESTAMP:
      wide = radeon_ticks(device);
      return give(client, args, &wide, sizeof(wide));
   case RADEON_INFO_VRAM_USAGE:
      wide = arena_used(device->arena);
      return give(client, args, &wide, sizeof(wide));
   case RADEON_INFO_NUM_BYTES_MOVED:
   case RADEON_INFO_GTT_USAGE:
      return give(client, args, &wide, sizeof(wide));
   case ATOLL_INFO_VA_SIZE:
      client->own_addresses = true;
      wide = vm_size(client->vm);
      return args->value ? give(client, args, &wide, sizeof(wide)) : 0;
   case ATOLL_INFO_CLIENT:
      return give(client, args, &client->id, sizeof(client->id));
   case ATOLL_INFO_GUILT:
      return radeon_guilt_ioctl(client, args->value);
   case ATOLL_INFO_FINDING:
      return radeon_finding_ioctl(client, args->value);
   case ATOLL_INFO_BUDGET:
   case ATOLL_INFO_PATIENCE: {
      const struct options_budget *budget = &radeon_of(device)->budget;
      wide =
         (uint64_t)(args->request == ATOLL_INFO_PATIENCE && budget->patient_ns ? budget->patient_ns
                    : budget->host_ns                                          ? budget->host_ns
                                                                               : budget->wall_ns);
      return give(client, args, &wide, sizeof(wide));
   }
   case ATOLL_INFO_COMPILE:
      answer = device->limits.compile;
      break;
   case ATOLL_INFO_MAGIC:
      answer = ATOLL_INFO_VERSION;
      break;
   case ATOLL_INFO_ISA:
      answer = device->isa;
      break;
   default:
      return -EINVAL;
   }
   return give(client, args, &answer, sizeof(answer));
}

/* SPDX-License-Identifier: MIT */
/*
 * What the device says about itself: an HD 6970 with one shader engine (two would make drivers
 * program each engine's scratch ring apart).
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include "frontdoor/user.h"
#include "memory/arena.h"

static int
give(struct atoll_client *client, const struct drm_radeon_info *args, const void *answer,
     size_t bytes)
{
   return user_write(client, args->value, answer, bytes) ? 0 : -EFAULT;
}

int
info_ioctl(struct atoll_client *client, void *arg)
{
   const struct drm_radeon_info *args = arg;
   struct atoll_device *device = client->device;
   uint64_t wide = 0;
   uint32_t answer;

   switch (args->request) {
   case RADEON_INFO_DEVICE_ID:
      answer = DEVICE_PCI_ID;
      break;
   case RADEON_INFO_ACCEL_WORKING:
   case RADEON_INFO_ACCEL_WORKING2:
   case RADEON_INFO_VA_UNMAP_WORKING:
      answer = 1;
      break;
   case RADEON_INFO_TILING_CONFIG:
      answer = DEVICE_TILING;
      break;
   case RADEON_INFO_CLOCK_CRYSTAL_FREQ:
      answer = DEVICE_CLOCK_KHZ;
      break;
   case RADEON_INFO_NUM_BACKENDS:
   case RADEON_INFO_NUM_TILE_PIPES:
      answer = DEVICE_BACKENDS;
      break;
   case RADEON_INFO_BACKEND_MAP:
      answer = 0x76543210;
      break;
   case RADEON_INFO_VA_START:
      answer = DEVICE_VA_START;
      break;
   case RADEON_INFO_IB_VM_MAX_SIZE:
      answer = DEVICE_IB_DWORDS;
      break;
   case RADEON_INFO_MAX_PIPES:
      answer = 4;
      break;
   case RADEON_INFO_MAX_SE:
      answer = 1;
      break;
   case RADEON_INFO_RING_WORKING:
      if (!user_read(client, &(struct user_piece){ &answer, args->value, sizeof answer }, 1))
         return -EFAULT;
      answer = answer == RADEON_CS_RING_GFX || answer == RADEON_CS_RING_COMPUTE ||
               answer == RADEON_CS_RING_DMA;
      break;
   case RADEON_INFO_MAX_SCLK:
      answer = 880000; /* kHz */
      break;
   case RADEON_INFO_ACTIVE_CU_COUNT:
      answer = 24;
      break;
   case RADEON_INFO_VCE_FW_VERSION:
   case RADEON_INFO_VCE_FB_VERSION:
   case RADEON_INFO_FASTFB_WORKING:
      answer = 0;
      break;
   case RADEON_INFO_GPU_RESET_COUNTER:
      answer = (uint32_t)atomic_load(&device->resets);
      break;
   case RADEON_INFO_TIMESTAMP:
      wide = device_ticks(device);
      return give(client, args, &wide, sizeof wide);
   case RADEON_INFO_VRAM_USAGE:
      wide = arena_used(device->arena);
      return give(client, args, &wide, sizeof wide);
   case RADEON_INFO_NUM_BYTES_MOVED:
   case RADEON_INFO_GTT_USAGE:
      return give(client, args, &wide, sizeof wide);
   case ATOLL_INFO_MAGIC:
      answer = ATOLL_INFO_VERSION;
      break;
   default:
      return -EINVAL;
   }
   return give(client, args, &answer, sizeof answer);
}

/* As much as fits, and how much there is. */
static bool
give_string(struct atoll_client *client, const char *text, __kernel_size_t *length, char *buffer)
{
   const size_t all = strlen(text), fits = all < *length ? all : *length;

   *length = all;
   return !buffer || user_write(client, (uintptr_t)buffer, text, fits);
}

int
version_ioctl(struct atoll_client *client, void *arg)
{
   struct drm_version *args = arg;

   args->version_major = 2;
   args->version_minor = 50;
   args->version_patchlevel = 0;
   return give_string(client, "radeon", &args->name_len, args->name) &&
                give_string(client, "20080528", &args->date_len, args->date) &&
                give_string(client, "Atoll's Cayman", &args->desc_len, args->desc)
             ? 0
             : -EFAULT;
}

int
cap_ioctl(void *arg)
{
   struct drm_get_cap *args = arg;

   switch (args->capability) {
   case DRM_CAP_PRIME:
      args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   case DRM_CAP_TIMESTAMP_MONOTONIC:
      args->value = 1;
      return 0;
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE:
   case DRM_CAP_DUMB_BUFFER:
      args->value = 0;
      return 0;
   default:
      return -EINVAL;
   }
}

/* SPDX-License-Identifier: MIT */
/* Buffer objects as radeon_drm.h has them: its GEM ioctls. */
#include "radeon/radeon.h"

#include <errno.h>

#include <drm.h>
#include <radeon_drm.h>

#include "frontdoor/device.h"
#include "memory/arena.h"
#include "radeon/chip.h"

static int
create(struct atoll_client *client, struct drm_radeon_gem_create *args)
{
   return gem_create(client, args->size, args->initial_domain, &args->handle);
}

static int
userptr(struct atoll_client *client, struct drm_radeon_gem_userptr *args)
{
   const uint32_t known = RADEON_GEM_USERPTR_READONLY | RADEON_GEM_USERPTR_ANONONLY |
                          RADEON_GEM_USERPTR_VALIDATE | RADEON_GEM_USERPTR_REGISTER;

   if ((args->addr | args->size) % ARENA_PAGE || args->flags & ~known)
      return -EINVAL;
   if (args->flags & RADEON_GEM_USERPTR_READONLY)
      return -EACCES;
   /* The usual probe (nothing at nothing) learns that private memory will not do: drivers that
    * offer any malloc'ed pointer to applications then keep from it. */
   if (!args->size)
      return -EOPNOTSUPP;
   return gem_create_user(client, args->addr, args->size, RADEON_GEM_DOMAIN_GTT, &args->handle);
}

static int
set_va(struct atoll_client *client, struct drm_radeon_gem_va *args)
{
   const uint32_t forbidden = RADEON_VM_PAGE_VALID | RADEON_VM_PAGE_SYSTEM;
   const uint32_t operation = args->operation;
   uint64_t va = args->offset;
   bool exists = false;
   int result;

   args->operation = RADEON_VA_RESULT_ERROR;
   if (!radeon_has_vm(client))
      return -ENOTTY;
   if (args->vm_id || args->offset < CHIP_VA_START || args->flags & forbidden)
      return -EINVAL;
   switch (operation) {
   case RADEON_VA_MAP:
      result = gem_map(client, args->handle, &va, &exists);
      args->offset = va;
      break;
   case RADEON_VA_UNMAP:
      result = gem_unmap(client, args->handle);
      break;
   default:
      return -EINVAL;
   }
   if (!result)
      args->operation = exists ? RADEON_VA_RESULT_VA_EXIST : RADEON_VA_RESULT_OK;
   return result;
}

/* The ioctls that only look at one buffer. */
static int
query(struct atoll_client *client, unsigned nr, void *arg)
{
   /* Each of these structs starts with the handle. */
   struct bo *bo = gem_lookup(client, *(uint32_t *)arg);
   struct drm_radeon_gem_set_tiling *tiling = arg;
   struct drm_radeon_gem_mmap *map = arg;
   struct drm_radeon_gem_op *op = arg;
   int result = 0;

   if (!bo)
      return -ENOENT;
   switch (nr) {
   case DRM_RADEON_GEM_MMAP:
      map->addr_ptr = (uint64_t)map->handle << GEM_MMAP_SHIFT;
      break;
   case DRM_RADEON_GEM_SET_DOMAIN:
   case DRM_RADEON_GEM_WAIT_IDLE:
      queue_wait(client->device, atomic_load(&bo->last_seq));
      break;
   case DRM_RADEON_GEM_BUSY:
      ((struct drm_radeon_gem_busy *)arg)->domain = bo->domain;
      result = queue_done(client->device, atomic_load(&bo->last_seq)) ? 0 : -EBUSY;
      break;
   case DRM_RADEON_GEM_SET_TILING:
      pthread_mutex_lock(&client->device->lock);
      bo->tiling = tiling->tiling_flags;
      bo->pitch = tiling->pitch;
      pthread_mutex_unlock(&client->device->lock);
      break;
   case DRM_RADEON_GEM_GET_TILING:
      pthread_mutex_lock(&client->device->lock);
      tiling->tiling_flags = bo->tiling;
      tiling->pitch = bo->pitch;
      pthread_mutex_unlock(&client->device->lock);
      break;
   case DRM_RADEON_GEM_OP:
      if (op->op == RADEON_GEM_OP_GET_INITIAL_DOMAIN)
         op->value = bo->domain;
      else if (op->op != RADEON_GEM_OP_SET_INITIAL_DOMAIN)
         result = -EINVAL;
      break;
   default:
      result = -EINVAL;
   }
   gem_unref(client->device, bo);
   return result;
}

/* Of so much memory less where the process may not reserve the addresses of all, or where
 * ATOLL_LIMITS says so: in proportion. */
static uint64_t
offered(const struct atoll_client *client, uint64_t bytes)
{
   const uint64_t all = client->device->driver->memory / ARENA_PAGE;
   const struct options_limits *limits = &client->device->limits;
   uint64_t pages = bytes / ARENA_PAGE, most = all;

   if (limits->memory / ARENA_PAGE < most)
      most = limits->memory / ARENA_PAGE;
   if (limits->client / ARENA_PAGE < most)
      most = limits->client / ARENA_PAGE;
   return pages * most / all * ARENA_PAGE / (VM_SIZE / vm_size(client->vm));
}

int
radeon_gem_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   struct drm_radeon_gem_info *info = arg;

   switch (nr) {
   case DRM_RADEON_GEM_INFO:
      info->gart_size = offered(client, CHIP_GART_BYTES);
      info->vram_size = info->vram_visible = offered(client, CHIP_VRAM_BYTES);
      return 0;
   case DRM_RADEON_GEM_CREATE:
      return create(client, arg);
   case DRM_RADEON_GEM_USERPTR:
      return userptr(client, arg);
   case DRM_RADEON_GEM_VA:
      return set_va(client, arg);
   case DRM_RADEON_GEM_MMAP:
   case DRM_RADEON_GEM_SET_DOMAIN:
   case DRM_RADEON_GEM_WAIT_IDLE:
   case DRM_RADEON_GEM_BUSY:
   case DRM_RADEON_GEM_SET_TILING:
   case DRM_RADEON_GEM_GET_TILING:
   case DRM_RADEON_GEM_OP:
      return query(client, nr, arg);
   default:
      return -EINVAL;
   }
}

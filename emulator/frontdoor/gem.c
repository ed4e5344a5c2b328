/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: the GEM ioctls of radeon_drm.h.
 *
 * Closing or unmapping a buffer must not take memory from under a submission.  One that is not
 * known to be finished with makes the buffer a zombie: its mapping goes when the last submission
 * that may use it has executed and none of the client's is executing, by whoever notices first:
 * the CP thread after a submission, or a client that needs the addresses again.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include "frontdoor/capture.h"
#include "memory/arena.h"

#define MAX_HANDLES (1u << 20)

static struct handle *
find(struct atoll_client *client, uint32_t handle)
{
   if (!handle || handle > client->num_handles || !client->handles[handle - 1].bo)
      return NULL;
   return &client->handles[handle - 1];
}

struct bo *
gem_lookup(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   struct bo *bo;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   bo = h ? bo_ref(h->bo) : NULL;
   pthread_mutex_unlock(&client->lock);
   return bo;
}

void
gem_unref(struct atoll_device *device, struct bo *bo)
{
   pthread_mutex_lock(&device->lock);
   if (atomic_load(&bo->references) == 1)
      share_forget(device, bo);
   bo_unref(bo);
   pthread_mutex_unlock(&device->lock);
}

uint64_t
gem_address(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   uint64_t va;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   va = h ? h->va : 0;
   pthread_mutex_unlock(&client->lock);
   return va;
}

uint32_t
gem_handle(struct atoll_client *client, struct bo *bo)
{
   uint32_t n;

   /* Only a shared buffer can have a handle already. */
   for (n = 0; n < client->num_handles && (bo->flink || bo->backing == BO_FILE); n++) {
      if (client->handles[n].bo == bo) {
         client->handles[n].count++;
         return n + 1;
      }
   }
   for (n = client->free_handle; n < client->num_handles; n++)
      if (!client->handles[n].bo)
         break;
   if (n == client->num_handles) {
      uint32_t grown = n ? n * 2 : 64;
      struct handle *handles =
         n < MAX_HANDLES ? realloc(client->handles, grown * sizeof *handles) : NULL;

      if (!handles)
         return 0;
      memset(handles + n, 0, (grown - n) * sizeof *handles);
      client->handles = handles;
      client->num_handles = grown;
   }
   client->handles[n] = (struct handle){ .bo = bo_ref(bo), .count = 1 };
   client->free_handle = n + 1;
   return n + 1;
}

/* The handle of a buffer that no other handle can name yet. */
static uint32_t
new_handle(struct atoll_client *client, struct bo *bo)
{
   uint32_t handle;

   pthread_mutex_lock(&client->lock);
   handle = gem_handle(client, bo);
   pthread_mutex_unlock(&client->lock);
   gem_unref(client->device, bo);
   return handle;
}

/* Buffers that gem_place() places begin at multiples of this, which suits every surface, and have
 * a hole of as much after them. */
#define PLACE_UNIT UINT64_C(65536)

static uint64_t
room_for(const struct bo *bo)
{
   return (bo->size + PLACE_UNIT - 1) / PLACE_UNIT * PLACE_UNIT + PLACE_UNIT;
}

/* Call with client->zombie_lock held, or with no other thread left. */
static void
unmap(struct atoll_client *client, uint64_t va, const struct bo *bo, bool placed)
{
   vm_unmap(client->vm, va, bo->size);
   if (placed)
      ranges_give(&client->places, va, room_for(bo));
   if (client->device->capture)
      capture_unmap(client->device->capture, client, va, bo->size);
}

void
gem_reap(struct atoll_client *client, uint64_t seq)
{
   struct zombie *done = NULL;

   pthread_mutex_lock(&client->zombie_lock);
   for (struct zombie **z = &client->zombies; *z;) {
      struct zombie *zombie = *z;

      if (zombie->seq > seq) {
         z = &zombie->next;
         continue;
      }
      *z = zombie->next;
      zombie->next = done;
      done = zombie;
      if (zombie->va)
         unmap(client, zombie->va, zombie->bo, zombie->placed);
   }
   pthread_mutex_unlock(&client->zombie_lock);
   while (done) {
      struct zombie *next = done->next;

      gem_unref(client->device, done->bo);
      free(done);
      done = next;
   }
}

/* Lets go of a buffer and its mapping at `va` as soon as that is possible. */
static void
retire(struct atoll_client *client, struct bo *bo, uint64_t va, bool placed)
{
   struct zombie *zombie = malloc(sizeof *zombie);

   if (!zombie) {
      /* Now, then, and the slow way. */
      queue_wait(client->device, atomic_load(&client->last_seq));
      pthread_mutex_lock(&client->running);
      pthread_mutex_lock(&client->zombie_lock);
      if (va)
         unmap(client, va, bo, placed);
      pthread_mutex_unlock(&client->zombie_lock);
      pthread_mutex_unlock(&client->running);
      gem_unref(client->device, bo);
      return;
   }
   *zombie = (struct zombie){
      .bo = bo,
      .va = va,
      .seq = atomic_load(&client->last_seq),
      .placed = placed,
   };
   pthread_mutex_lock(&client->zombie_lock);
   zombie->next = client->zombies;
   client->zombies = zombie;
   pthread_mutex_unlock(&client->zombie_lock);
   if (!pthread_mutex_trylock(&client->running)) {
      gem_reap(client, atomic_load(&client->device->completed));
      pthread_mutex_unlock(&client->running);
   }
}

int
gem_close(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   struct bo *bo;
   uint64_t va;
   bool placed;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   if (!h) {
      pthread_mutex_unlock(&client->lock);
      return -EINVAL;
   }
   bo = h->bo;
   va = h->va;
   placed = h->placed;
   if (--h->count) {
      pthread_mutex_unlock(&client->lock);
      return 0;
   }
   *h = (struct handle){ 0 };
   if (handle - 1 < client->free_handle)
      client->free_handle = handle - 1;
   /* Inside the lock: a new mapping at these addresses must find the zombie. */
   retire(client, bo, va, placed);
   pthread_mutex_unlock(&client->lock);
   return 0;
}

void
gem_release_all(struct atoll_client *client)
{
   gem_reap(client, UINT64_MAX);
   for (uint32_t n = 0; n < client->num_handles; n++) {
      struct handle *h = &client->handles[n];

      if (!h->bo)
         continue;
      if (h->va)
         unmap(client, h->va, h->bo, h->placed);
      gem_unref(client->device, h->bo);
      h->bo = NULL;
   }
}

/* Waits until what this client has closed is gone. */
static void
wait_and_reap(struct atoll_client *client)
{
   queue_wait(client->device, atomic_load(&client->last_seq));
   pthread_mutex_lock(&client->running);
   gem_reap(client, atomic_load(&client->device->completed));
   pthread_mutex_unlock(&client->running);
}

static bool
is_room(struct atoll_client *client, uint64_t size)
{
   return arena_used(client->device->arena) + size <= DEVICE_VRAM_BYTES + DEVICE_GART_BYTES;
}

static int
gem_create(struct atoll_client *client, struct drm_radeon_gem_create *args)
{
   uint64_t size = (args->size + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1);
   struct bo *bo;

   if (!args->size)
      return -EINVAL;
   if (size < args->size || size > VM_SIZE)
      return -ENOMEM;
   if (!is_room(client, size)) {
      wait_and_reap(client);
      if (!is_room(client, size))
         return -ENOMEM;
   }
   bo = bo_create(client->device->arena, size);
   if (!bo)
      return -errno;
   bo->domain = args->initial_domain;
   args->handle = new_handle(client, bo);
   return args->handle ? 0 : -ENOMEM;
}

static int
gem_userptr(struct atoll_client *client, struct drm_radeon_gem_userptr *args)
{
   const uint32_t known = RADEON_GEM_USERPTR_READONLY | RADEON_GEM_USERPTR_ANONONLY |
                          RADEON_GEM_USERPTR_VALIDATE | RADEON_GEM_USERPTR_REGISTER;
   struct bo *bo;

   if ((args->addr | args->size) % ARENA_PAGE || args->flags & ~known)
      return -EINVAL;
   if (args->flags & RADEON_GEM_USERPTR_READONLY)
      return -EACCES;
   /* The usual probe (nothing at nothing) learns that private memory will not do: drivers that
    * offer any malloc'ed pointer to applications then keep from it. */
   if (!args->size)
      return -EOPNOTSUPP;
   if (args->size > VM_SIZE)
      return -ENOMEM;
   bo = bo_create_user(client->device->arena, (void *)(uintptr_t)args->addr, args->size);
   if (!bo)
      return -errno;
   bo->domain = RADEON_GEM_DOMAIN_GTT;
   args->handle = new_handle(client, bo);
   return args->handle ? 0 : -ENOMEM;
}

static int
va_map(struct atoll_client *client, struct handle *h, uint64_t va)
{
   struct atoll_device *device = client->device;
   int result;

   pthread_mutex_lock(&device->lock);
   result = vm_map(client->vm, va, h->bo);
   pthread_mutex_unlock(&device->lock);
   if (result == -EINVAL) {
      /* Perhaps a buffer lies there that is closed but not gone, or went just now. */
      wait_and_reap(client);
      pthread_mutex_lock(&device->lock);
      result = vm_map(client->vm, va, h->bo);
      pthread_mutex_unlock(&device->lock);
   }
   if (!result) {
      h->va = va;
      if (device->capture)
         capture_map(device->capture, client, va, h->bo->size);
   }
   return result;
}

/* Takes addresses for `bo`; false when there are none. */
static bool
take_place(struct atoll_client *client, const struct bo *bo, uint64_t *va)
{
   bool ok;

   pthread_mutex_lock(&client->zombie_lock);
   ok = client->places.free ||
        ranges_init(&client->places, DEVICE_VA_START, VM_SIZE - DEVICE_VA_START);
   ok = ok && ranges_take(&client->places, room_for(bo), va);
   pthread_mutex_unlock(&client->zombie_lock);
   return ok;
}

int
gem_place(struct atoll_client *client, uint32_t handle, uint64_t *va)
{
   struct handle *h;
   int result = 0;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   if (!h) {
      result = -ENOENT;
   } else if (!h->va) {
      bool found = take_place(client, h->bo, va);

      if (!found) {
         /* Closed buffers may still hold their places. */
         wait_and_reap(client);
         found = take_place(client, h->bo, va);
      }
      result = found ? va_map(client, h, *va) : -ENOMEM;
      h->placed = found && !result;
      if (found && result) {
         pthread_mutex_lock(&client->zombie_lock);
         ranges_give(&client->places, *va, room_for(h->bo));
         pthread_mutex_unlock(&client->zombie_lock);
      }
   }
   if (!result)
      *va = h->va;
   pthread_mutex_unlock(&client->lock);
   return result;
}

static int
gem_va(struct atoll_client *client, struct drm_radeon_gem_va *args)
{
   const uint32_t forbidden = RADEON_VM_PAGE_VALID | RADEON_VM_PAGE_SYSTEM;
   uint32_t operation = args->operation;
   struct handle *h;
   int result = 0;

   args->operation = RADEON_VA_RESULT_ERROR;
   if (args->vm_id || args->offset < DEVICE_VA_START || args->flags & forbidden)
      return -EINVAL;
   pthread_mutex_lock(&client->lock);
   h = find(client, args->handle);
   if (!h) {
      result = -ENOENT;
   } else if (operation == RADEON_VA_MAP) {
      if (h->va) {
         args->operation = RADEON_VA_RESULT_VA_EXIST;
         args->offset = h->va;
      } else {
         result = va_map(client, h, args->offset);
         if (!result)
            args->operation = RADEON_VA_RESULT_OK;
      }
   } else if (operation == RADEON_VA_UNMAP) {
      if (h->va) {
         retire(client, bo_ref(h->bo), h->va, h->placed);
         h->va = 0;
         h->placed = false;
      }
      args->operation = RADEON_VA_RESULT_OK;
   } else {
      result = -EINVAL;
   }
   pthread_mutex_unlock(&client->lock);
   return result;
}

/* The ioctls that only look at one buffer. */
static int
gem_query(struct atoll_client *client, unsigned nr, void *arg)
{
   /* Each of these structs starts with the handle. */
   struct bo *bo = gem_lookup(client, *(uint32_t *)arg);
   struct drm_radeon_gem_set_tiling *tiling = arg;
   struct drm_radeon_gem_mmap *map = arg;
   struct drm_radeon_gem_op *op = arg;
   int result = 0;

   if (!bo)
      return -ENOENT;
   switch (nr - DRM_COMMAND_BASE) {
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

int
gem_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   struct drm_radeon_gem_info *info = arg;

   switch (nr - DRM_COMMAND_BASE) {
   case DRM_RADEON_GEM_INFO:
      info->gart_size = DEVICE_GART_BYTES;
      info->vram_size = info->vram_visible = DEVICE_VRAM_BYTES;
      return 0;
   case DRM_RADEON_GEM_CREATE:
      return gem_create(client, arg);
   case DRM_RADEON_GEM_USERPTR:
      return gem_userptr(client, arg);
   case DRM_RADEON_GEM_VA:
      return gem_va(client, arg);
   case DRM_RADEON_GEM_MMAP:
   case DRM_RADEON_GEM_SET_DOMAIN:
   case DRM_RADEON_GEM_WAIT_IDLE:
   case DRM_RADEON_GEM_BUSY:
   case DRM_RADEON_GEM_SET_TILING:
   case DRM_RADEON_GEM_GET_TILING:
   case DRM_RADEON_GEM_OP:
      return gem_query(client, nr, arg);
   default:
      return -EINVAL;
   }
}

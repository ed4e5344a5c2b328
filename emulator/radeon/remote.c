/* SPDX-License-Identifier: MIT */
/*
 * The radeon interface's ioctls as a client of a device in another process knows them: what memory
 * they name, what they change that has to be made again for another device, and what of their
 * answers must outlive one.
 */
#include "radeon/remote.h"

#include <errno.h>
#include <string.h>

#include <drm.h>
#include <radeon_drm.h>

#include <atoll/device.h>

#include "frontdoor/device.h"
#include "frontdoor/remote_internal.h"
#include "frontdoor/user.h"

#define MAX_CHUNKS USER_RANGES

static bool
read_client(const struct remote_call *call, void *to, uint64_t address, size_t bytes)
{
   return user_read(call->rc->client, &(struct user_range){ to, address, bytes }, 1);
}

/* The chunks' addresses, heads and contents.  What is wrong with them the device says, as far as
 * they can be read. */
static int
gather_submission(struct remote_call *call, const struct drm_radeon_cs *cs)
{
   uint64_t pointers[MAX_CHUNKS];
   struct drm_radeon_cs_chunk chunk;

   call->drops = true;
   if (!cs->num_chunks || cs->num_chunks > MAX_CHUNKS || !cs->chunks)
      return 0;
   if (!read_client(call, pointers, cs->chunks, cs->num_chunks * sizeof(pointers[0])))
      return -EFAULT;
   remote_add(call, cs->chunks, cs->num_chunks * sizeof(pointers[0]), WIRE_IN);
   for (uint32_t i = 0; i < cs->num_chunks; i++) {
      if (!read_client(call, &chunk, pointers[i], sizeof(chunk)))
         return -EFAULT;
      remote_add(call, pointers[i], sizeof(chunk), WIRE_IN);
      if (chunk.length_dw && chunk.chunk_data &&
          !remote_add(call, chunk.chunk_data, (uint64_t)chunk.length_dw * 4, WIRE_IN))
         return -EINVAL;
   }
   return 0;
}

static int
gather(struct remote_call *call, unsigned nr, const void *arg)
{
   const struct drm_radeon_info *info = arg;

   switch (nr) {
   case DRM_RADEON_CS:
      return gather_submission(call, arg);
   case DRM_RADEON_INFO:
      if (info->request == RADEON_INFO_RING_WORKING)
         remote_add(call, info->value, sizeof(uint32_t), WIRE_IN | WIRE_OUT);
      else if (info->request == ATOLL_INFO_GUILT)
         remote_add(call, info->value, sizeof(struct atoll_guilt), WIRE_IN | WIRE_OUT);
      else if (info->value)
         remote_add(call, info->value, sizeof(uint64_t), WIRE_OUT);
      return 0;
   default:
      return 0;
   }
}

/* Counts go on from device to device. */
static void
complete_guilt(struct remote_client *rc, struct atoll_guilt *guilt)
{
   struct remote_guilt *g = remote_guilt_of(rc, guilt->context, guilt->count != 0);

   guilt->text[sizeof(guilt->text) - 1] = 0;
   if (!g)
      return;
   if (guilt->count != g->now)
      g->ended = false;
   g->now = guilt->count;
   guilt->count += g->before;
   if (g->ended) {
      memset(guilt->text, 0, sizeof(guilt->text));
      strcpy(guilt->text, "the device's process ended");
   }
}

static void
complete_info(struct remote_call *call, uint32_t request)
{
   struct remote_client *rc = call->rc;
   union {
      uint32_t word;
      uint64_t wide;
      struct atoll_guilt guilt;
   } value;
   uint32_t bytes;
   uint8_t *at = remote_answer(call, 0, &bytes);

   if (bytes > sizeof(value))
      return;
   memcpy(&value, at, bytes);
   if (request == RADEON_INFO_GPU_RESET_COUNTER && bytes == sizeof(value.word)) {
      rc->resets_now = value.word;
      value.word += rc->resets_before;
   } else if (request == ATOLL_INFO_CLIENT && bytes == sizeof(value.wide)) {
      value.wide = rc->client->id;
   } else if (request == ATOLL_INFO_GUILT && bytes == sizeof(value.guilt)) {
      complete_guilt(rc, &value.guilt);
   }
   memcpy(at, &value, bytes);
}

static void
answered(struct remote_call *call, unsigned nr, const void *arg)
{
   struct remote_client *rc = call->rc;
   const struct drm_radeon_gem_create *create = arg;
   const struct drm_radeon_gem_set_tiling *tiling = arg;
   const struct drm_radeon_gem_va *va = arg;
   struct remote_buffer *b;

   switch (nr) {
   case DRM_RADEON_INFO:
      if (call->head.num_ranges)
         complete_info(call, ((const struct drm_radeon_info *)arg)->request);
      break;
   case DRM_RADEON_GEM_CREATE:
      b = remote_buffer(rc, create->handle, true);
      if (b) {
         b->size = create->size;
         b->domain = create->initial_domain;
      }
      break;
   case DRM_RADEON_GEM_VA:
      b = remote_buffer(rc, va->handle, false);
      /* The device has put the result where the operation was: an unmap has none. */
      if (b && va->operation != RADEON_VA_RESULT_ERROR)
         b->va = ((const struct drm_radeon_gem_va *)call->arg)->operation == RADEON_VA_UNMAP
                    ? 0
                    : va->offset;
      break;
   case DRM_RADEON_GEM_SET_TILING:
      b = remote_buffer(rc, tiling->handle, false);
      if (b) {
         b->tiling = tiling->tiling_flags;
         b->pitch = tiling->pitch;
      }
      break;
   default:
      break;
   }
}

static int
create(struct remote_client *rc, const struct remote_buffer *buffer, uint32_t *handle,
       int (*ioctl)(struct remote_client *rc, unsigned long request, void *arg))
{
   struct drm_radeon_gem_create args = { .size = buffer->size,
                                         .alignment = 4096,
                                         .initial_domain = buffer->domain };
   const int result = ioctl(rc, DRM_IOCTL_RADEON_GEM_CREATE, &args);

   *handle = args.handle;
   return result;
}

static int
restore(struct remote_client *rc, const struct remote_buffer *buffer, uint32_t handle,
        int (*ioctl)(struct remote_client *rc, unsigned long request, void *arg))
{
   struct drm_radeon_gem_va va = { .handle = handle,
                                   .operation = RADEON_VA_MAP,
                                   .flags = RADEON_VM_PAGE_READABLE | RADEON_VM_PAGE_WRITEABLE |
                                            RADEON_VM_PAGE_SNOOPED,
                                   .offset = buffer->va };
   struct drm_radeon_gem_set_tiling tiling = { .handle = handle,
                                               .tiling_flags = buffer->tiling,
                                               .pitch = buffer->pitch };
   struct drm_radeon_info own_addresses = { .request = ATOLL_INFO_VA_SIZE };
   int result = 0;

   if (buffer->tiling || buffer->pitch)
      result = ioctl(rc, DRM_IOCTL_RADEON_GEM_SET_TILING, &tiling);
   /* As the client must have done on a chip without virtual memory. */
   if (!result && buffer->va)
      result = ioctl(rc, DRM_IOCTL_RADEON_INFO, &own_addresses);
   if (!result && buffer->va)
      result = ioctl(rc, DRM_IOCTL_RADEON_GEM_VA, &va);
   return result;
}

const struct remote_driver radeon_remote = {
   .gather = gather,
   .answered = answered,
   .create = create,
   .restore = restore,
};

/* SPDX-License-Identifier: MIT */
/*
 * Resources in memory that is not the driver's, with the device of this process: whole pages of the
 * program's own (AMD_pinned_memory), and memory objects (EXT_memory_object).
 *
 * A memory object is a file that is sealed against shrinking: what a device has exported, or a
 * memfd of the program's. A resource lies in it as it does in a BO of its own (layout.c), from an
 * offset on that is a multiple of 256 bytes: a process that asks its driver for the same resource
 * at the same offset finds the same texels.
 */
#include "context.h"

#include <stdio.h>

#include "frontend/winsys_handle.h"
#include "util/u_memory.h"

#include "backend.h"

#define OFFSET_ALIGN 256
#define UUID_BYTES   16

struct memory_object {
   struct pipe_memory_object base;
   struct atoll_bo *bo;
};

static struct pipe_resource *
resource_from_user_memory(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                          void *memory)
{
   if (templ->target != PIPE_BUFFER || !atoll_reconnect_screen(atoll_screen(pscreen), false))
      return NULL;
   struct atoll_bo *bo = atoll_bo_from_pages(atoll_screen(pscreen)->ws, memory, templ->width0);
   struct atoll_resource *res = bo ? atoll_resource_in(pscreen, templ, bo, 0) : NULL;
   atoll_bo_unref(bo);
   if (!res)
      return NULL;
   res->base.is_user_ptr = true;
   return &res->base.b;
}

static struct pipe_memory_object *
memobj_create_from_handle(struct pipe_screen *pscreen, struct winsys_handle *handle, bool dedicated)
{
   struct atoll_bo *bo =
      handle->type == WINSYS_HANDLE_TYPE_FD && atoll_reconnect_screen(atoll_screen(pscreen), false)
         ? atoll_bo_import_fd(atoll_screen(pscreen)->ws, (int)handle->handle)
         : NULL;
   struct memory_object *object = bo ? CALLOC_STRUCT(memory_object) : NULL;
   if (!object) {
      atoll_bo_unref(bo);
      return NULL;
   }
   object->base.dedicated = dedicated;
   object->bo = bo;
   return &object->base;
}

static void
memobj_destroy(struct pipe_screen *pscreen, struct pipe_memory_object *base)
{
   struct memory_object *object = (struct memory_object *)base;
   atoll_bo_unref(object->bo);
   FREE(object);
}

static struct pipe_resource *
resource_from_memobj(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                     struct pipe_memory_object *base, uint64_t offset)
{
   struct memory_object *object = (struct memory_object *)base;
   if (!object || offset % OFFSET_ALIGN)
      return NULL;
   struct atoll_resource *res = atoll_resource_in(pscreen, templ, object->bo, offset);
   if (!res)
      return NULL;
   res->base.is_shared = true;
   return &res->base.b;
}

/* Processes with equal UUIDs may share memory objects: the UUIDs say how resources are laid out. */
static void
get_driver_uuid(struct pipe_screen *screen, char *uuid)
{
   memset(uuid, 0, UUID_BYTES);
   snprintf(uuid, UUID_BYTES, "atoll-linear-1");
}

static void
get_device_uuid(struct pipe_screen *pscreen, char *uuid)
{
   const struct atoll_winsys_info *info = atoll_winsys_info(atoll_screen(pscreen)->ws);
   memset(uuid, 0, UUID_BYTES);
   snprintf(uuid, UUID_BYTES, "atoll-%04x-%u", info->device_id & 0xFFFF, info->isa & 0xFF);
}

void
atoll_init_screen_memory(struct atoll_screen *screen)
{
   struct pipe_screen *s = &screen->base;
   s->get_driver_uuid = get_driver_uuid;
   s->get_device_uuid = get_device_uuid;
   s->resource_from_user_memory = resource_from_user_memory;
   s->memobj_create_from_handle = memobj_create_from_handle;
   s->memobj_destroy = memobj_destroy;
   s->resource_from_memobj = resource_from_memobj;
}

/* SPDX-License-Identifier: MIT */
/*
 * Buffers and textures: storage and sharing with other processes.
 */
#include "context.h"

#include "drm-uapi/drm_fourcc.h"
#include "frontend/sw_winsys.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"

#include "format.h"
#include "no_memory.h"

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *b)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res = atoll_resource(b);

   atoll_put_in_order(screen, res);
   threaded_resource_deinit(b);
   if (b->target == PIPE_BUFFER)
      util_idalloc_mt_free(&screen->buffer_ids, res->base.buffer_id_unique);
   atoll_destroy_display_target(screen, res);
   atoll_bo_unref(res->bo);
   atoll_bo_unref(res->mips);
   FREE_CL(res);
}

static struct atoll_resource *
new_resource(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct atoll_resource *res = CALLOC_STRUCT_CL(atoll_resource);
   if (!res) {
      atoll_no_memory(NULL);
      return NULL;
   }
   res->base.b = *templ;
   res->base.b.next = NULL;
   res->base.b.screen = pscreen;
   pipe_reference_init(&res->base.b.reference, 1);
   threaded_resource_init(&res->base.b, false);
   if (templ->target == PIPE_BUFFER)
      res->base.buffer_id_unique = util_idalloc_mt_alloc(&atoll_screen(pscreen)->buffer_ids);
   return res;
}

/* Gallium's boxes have signed offsets and sizes of 32 bits: a larger buffer is no resource. */
static bool
has_box(const struct pipe_resource *templ)
{
   return templ->target != PIPE_BUFFER || templ->width0 <= INT32_MAX;
}

static struct pipe_resource *
create(struct pipe_screen *pscreen, const struct pipe_resource *templ, const void *front_private)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res =
      has_box(templ) && atoll_reconnect_screen(screen, false) ? new_resource(pscreen, templ) : NULL;
   if (!res)
      return NULL;

   bool ok;
   if (templ->target == PIPE_BUFFER) {
      res->bo =
         atoll_bo_create(screen->ws, MAX2(templ->width0, 1), 256,
                         templ->flags & PIPE_RESOURCE_FLAG_SPARSE ? ATOLL_BO_NO_SUBALLOC : 0);
      ok = res->bo != NULL;
   } else if (screen->sws &&
              templ->bind & (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED) &&
              templ->last_level == 0 && templ->array_size == 1 && templ->depth0 == 1) {
      ok = atoll_create_display_target(screen, res, front_private);
   } else {
      uint64_t size = atoll_layout(res, 0);
      ok = size < UINT64_C(1) << 32;
      if (ok)
         res->bo = atoll_bo_create(screen->ws, size, 256, screen->sws ? 0 : ATOLL_BO_NO_SUBALLOC);
      ok = res->bo != NULL;
   }
   if (!ok) {
      resource_destroy(pscreen, &res->base.b);
      return NULL;
   }
   return &res->base.b;
}

static struct pipe_resource *
resource_create(struct pipe_screen *screen, const struct pipe_resource *templ)
{
   return create(screen, templ, NULL);
}

static struct pipe_resource *
resource_create_front(struct pipe_screen *screen, const struct pipe_resource *templ,
                      const void *front_private)
{
   return create(screen, templ, front_private);
}

/* No less than what any texture of the template's size takes; GL asks about each image that a
 * program gives. */
static uint64_t
most_bytes(const struct pipe_resource *templ)
{
   const uint64_t layers =
      util_next_power_of_two64(MAX2((uint64_t)templ->depth0 * templ->array_size, 1));
   const uint64_t samples = MAX2(templ->nr_samples, 1);

   /* Pitches and rows have alignments, levels after the first have powers of two. */
   return 4 * util_next_power_of_two64(MAX2(templ->width0, 256)) *
          util_next_power_of_two64(MAX2(templ->height0, 8)) * layers * samples * 16;
}

static bool
can_create_resource(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   const uint64_t limit = UINT64_C(1) << 28;
   if (templ->target == PIPE_BUFFER)
      return has_box(templ);
   if (most_bytes(templ) <= limit)
      return true;
   struct atoll_resource res = { .base.b = *templ };
   return atoll_layout(&res, 0) <= limit;
}

struct atoll_resource *
atoll_resource_in(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                  struct atoll_bo *bo, uint64_t offset)
{
   struct atoll_resource *res = has_box(templ) ? new_resource(pscreen, templ) : NULL;
   if (!res)
      return NULL;
   uint64_t size = templ->target == PIPE_BUFFER ? MAX2(templ->width0, 1) : atoll_layout(res, 0);
   res->bo = atoll_bo_part(bo, offset, size);
   if (!res->bo) {
      resource_destroy(pscreen, &res->base.b);
      return NULL;
   }
   return res;
}

/* ---- Sharing ---- */

static struct pipe_resource *
resource_from_handle(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                     struct winsys_handle *handle, unsigned usage)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   unsigned bytes = util_format_get_blocksize(templ->format);

   if (screen->sws || templ->target == PIPE_BUFFER || templ->last_level || handle->offset % 256)
      return NULL;
   if (!atoll_reconnect_screen(screen, false))
      return NULL;
   if (handle->modifier != DRM_FORMAT_MOD_LINEAR && handle->modifier != DRM_FORMAT_MOD_INVALID)
      return NULL;
   if (!handle->stride || handle->stride % (8 * bytes))
      return NULL;
   struct atoll_resource *res = new_resource(pscreen, templ);
   if (!res)
      return NULL;
   uint64_t size = atoll_layout(res, handle->stride / bytes);
   res->level[0].offset = handle->offset;
   switch (handle->type) {
   case WINSYS_HANDLE_TYPE_FD:
      res->bo = atoll_bo_import_fd(screen->ws, handle->handle);
      break;
   case WINSYS_HANDLE_TYPE_SHARED:
      res->bo = atoll_bo_import_name(screen->ws, handle->handle);
      break;
   case WINSYS_HANDLE_TYPE_KMS:
      res->bo = atoll_bo_import_kms(screen->ws, handle->handle);
      break;
   default:
      break;
   }
   if (!res->bo || handle->offset + size > align64(res->bo->size, 4096)) {
      resource_destroy(pscreen, &res->base.b);
      return NULL;
   }
   res->base.is_shared = true;
   return &res->base.b;
}

static bool
resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pipe, struct pipe_resource *b,
                    struct winsys_handle *handle, unsigned usage)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res = atoll_resource(b);

   if (screen->sws) {
      /* Shared memory is refused: a client has the X server write into it, and expects the same
       * memory from texture_map(), which is not so for a front buffer or a texture in use. */
      if (handle->type == WINSYS_HANDLE_TYPE_SHMID)
         return false;
      return res->dt && screen->sws->displaytarget_get_handle &&
             screen->sws->displaytarget_get_handle(screen->sws, res->dt, handle);
   }
   handle->stride = res->level[0].pitch * res->block_bytes;
   handle->offset =
      res->level[0].offset + (handle->layer ? handle->layer * res->level[0].slice_bytes : 0);
   handle->modifier = DRM_FORMAT_MOD_LINEAR;
   res->base.is_shared = true;
   switch (handle->type) {
   case WINSYS_HANDLE_TYPE_FD: {
      int fd;
      if (!atoll_bo_export_fd(res->bo, &fd))
         return false;
      handle->handle = fd;
      return true;
   }
   case WINSYS_HANDLE_TYPE_SHARED:
      return atoll_bo_export_name(res->bo, &handle->handle);
   case WINSYS_HANDLE_TYPE_KMS:
      return atoll_bo_export_kms(res->bo, &handle->handle);
   default:
      return false;
   }
}

static bool
resource_get_param(struct pipe_screen *pscreen, struct pipe_context *pipe, struct pipe_resource *b,
                   unsigned plane, unsigned layer, unsigned level, enum pipe_resource_param param,
                   unsigned usage, uint64_t *value)
{
   struct atoll_resource *res = atoll_resource(b);
   struct winsys_handle handle = { .layer = layer };

   if (level > b->last_level)
      return false;
   switch (param) {
   case PIPE_RESOURCE_PARAM_NPLANES:
      *value = 1;
      return true;
   case PIPE_RESOURCE_PARAM_STRIDE:
      *value = (uint64_t)res->level[level].pitch * res->block_bytes;
      return true;
   case PIPE_RESOURCE_PARAM_OFFSET:
      *value = res->level[level].offset + layer * res->level[level].slice_bytes;
      return true;
   case PIPE_RESOURCE_PARAM_LAYER_STRIDE:
      *value = res->level[level].slice_bytes;
      return true;
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = DRM_FORMAT_MOD_LINEAR;
      return true;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_SHARED:
      handle.type = WINSYS_HANDLE_TYPE_SHARED;
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS:
      handle.type = WINSYS_HANDLE_TYPE_KMS;
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD:
      handle.type = WINSYS_HANDLE_TYPE_FD;
      break;
   default:
      return false;
   }
   if (!resource_get_handle(pscreen, pipe, b, &handle, usage))
      return false;
   *value = handle.handle;
   return true;
}

static struct pipe_resource *
resource_create_with_modifiers(struct pipe_screen *screen, const struct pipe_resource *templ,
                               const uint64_t *modifiers, int count)
{
   for (int i = 0; i < count; i++)
      if (modifiers[i] == DRM_FORMAT_MOD_LINEAR || modifiers[i] == DRM_FORMAT_MOD_INVALID)
         return create(screen, templ, NULL);
   return NULL;
}

static void
query_dmabuf_modifiers(struct pipe_screen *screen, enum pipe_format format, int max,
                       uint64_t *modifiers, unsigned *external_only, int *count)
{
   *count = 1;
   if (max > 0) {
      modifiers[0] = DRM_FORMAT_MOD_LINEAR;
      if (external_only)
         external_only[0] = 0;
   }
}

static bool
is_dmabuf_modifier_supported(struct pipe_screen *screen, uint64_t modifier, enum pipe_format format,
                             bool *external_only)
{
   if (external_only)
      *external_only = false;
   return modifier == DRM_FORMAT_MOD_LINEAR;
}

/* Within what the user allows of samples. */
static bool
is_format_supported(struct pipe_screen *s, enum pipe_format format, enum pipe_texture_target target,
                    unsigned samples, unsigned storage_samples, unsigned bind)
{
   return samples <= atoll_screen(s)->max_samples &&
          atoll_is_format_supported(s, format, target, samples, storage_samples, bind);
}

void
atoll_init_screen_resources(struct atoll_screen *screen)
{
   struct pipe_screen *s = &screen->base;
   s->resource_create = resource_create;
   s->resource_create_front = resource_create_front;
   s->can_create_resource = can_create_resource;
   s->resource_destroy = resource_destroy;
   s->resource_from_handle = resource_from_handle;
   s->resource_get_handle = resource_get_handle;
   s->is_format_supported = is_format_supported;
   if (!screen->sws) {
      s->resource_get_param = resource_get_param;
      s->resource_create_with_modifiers = resource_create_with_modifiers;
      s->query_dmabuf_modifiers = query_dmabuf_modifiers;
      s->is_dmabuf_modifier_supported = is_dmabuf_modifier_supported;
   }
}

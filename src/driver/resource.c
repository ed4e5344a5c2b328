/* SPDX-License-Identifier: MIT */
/*
 * Buffers and textures: storage, sharing with other processes, and display targets.
 *
 * A display target's memory belongs to the window system's side. Where it can be had page-aligned
 * (shared memory) it becomes a BO and the device draws into it; else the window system is given
 * the BO's own memory; else the picture is copied when it is presented.
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

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *b)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res = atoll_resource(b);

   threaded_resource_deinit(b);
   if (b->target == PIPE_BUFFER)
      util_idalloc_mt_free(&screen->buffer_ids, res->base.buffer_id_unique);
   if (res->dt) {
      /* The device may still write to its memory. */
      if (res->dt_direct && res->bo)
         atoll_bo_wait(res->bo, false);
      if (res->dt_map)
         screen->sws->displaytarget_unmap(screen->sws, res->dt);
      screen->sws->displaytarget_destroy(screen->sws, res->dt);
   }
   atoll_bo_unref(res->bo);
   atoll_bo_unref(res->mips);
   FREE_CL(res);
}

static struct atoll_resource *
new_resource(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct atoll_resource *res = CALLOC_STRUCT_CL(atoll_resource);
   if (!res)
      return NULL;
   res->base.b = *templ;
   res->base.b.next = NULL;
   res->base.b.screen = pscreen;
   pipe_reference_init(&res->base.b.reference, 1);
   threaded_resource_init(&res->base.b, false);
   if (templ->target == PIPE_BUFFER)
      res->base.buffer_id_unique = util_idalloc_mt_alloc(&atoll_screen(pscreen)->buffer_ids);
   return res;
}

/* Presents from the BO itself, or from the display target's memory as a BO. */
static bool
create_display_target(struct atoll_screen *screen, struct atoll_resource *res,
                      const void *front_private)
{
   struct sw_winsys *sws = screen->sws;
   const struct pipe_resource *b = &res->base.b;
   unsigned bytes = util_format_get_blocksize(b->format);
   unsigned alignment = MAX2(64 * bytes, 256);

   if (!sws->displaytarget_create)
      return false;
   res->dt = sws->displaytarget_create(sws, b->bind, b->format, b->width0, b->height0, alignment,
                                       front_private, &res->dt_stride);
   if (!res->dt)
      return false;
   /* A front buffer is not kept mapped: unmapping it draws to its window, which may be gone. */
   if (!front_private && res->dt_stride % alignment == 0) {
      uint64_t size = atoll_layout(res, res->dt_stride / bytes);
      res->dt_map = sws->displaytarget_map(sws, res->dt, PIPE_MAP_WRITE);
      if (res->dt_map)
         res->bo = atoll_bo_from_memory(screen->ws, res->dt_map, align64(size, 4096));
      if (res->bo) {
         res->dt_direct = true;
         return true;
      }
   }
   uint64_t size = atoll_layout(res, 0);
   res->bo = atoll_bo_create(screen->ws, size, 4096, ATOLL_BO_NO_SUBALLOC);
   res->dt_front = front_private != NULL;
   return res->bo != NULL;
}

static struct pipe_resource *
create(struct pipe_screen *pscreen, const struct pipe_resource *templ, const void *front_private)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res = new_resource(pscreen, templ);
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
      ok = create_display_target(screen, res, front_private);
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

   /* Pitches and rows have alignments, levels behind the first have powers of two. */
   return 4 * util_next_power_of_two64(MAX2(templ->width0, 256)) *
          util_next_power_of_two64(MAX2(templ->height0, 8)) * layers * samples * 16;
}

static bool
can_create_resource(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   const uint64_t limit = UINT64_C(1) << 28;
   if (templ->target == PIPE_BUFFER || most_bytes(templ) <= limit)
      return true;
   struct atoll_resource res = { .base.b = *templ };
   return atoll_layout(&res, 0) <= limit;
}

struct atoll_resource *
atoll_resource_in(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                  struct atoll_bo *bo, uint64_t offset)
{
   struct atoll_resource *res = new_resource(pscreen, templ);
   if (!res)
      return NULL;
   uint64_t size = templ->target == PIPE_BUFFER ? MAX2(templ->width0, 1) : atoll_layout(res, 0);
   res->bo = atoll_bo_piece(bo, offset, size);
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
      /* Who asks for shared memory has the X server write into it, and takes what texture_map()
       * gives for the same memory: a front buffer's is another, and so is that of a texture in
       * use. */
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

/* ---- Presentation ---- */

void
atoll_present_copy(struct atoll_screen *screen, struct atoll_resource *res)
{
   const struct pipe_resource *b = &res->base.b;
   const char *src = atoll_bo_map(res->bo);
   char *dst = res->dt_map ? res->dt_map
                           : screen->sws->displaytarget_map(screen->sws, res->dt, PIPE_MAP_WRITE);
   if (!src || !dst)
      return;
   size_t row = (size_t)b->width0 * res->block_bytes;
   uint32_t pitch = res->level[0].pitch * res->block_bytes;
   for (unsigned y = 0; y < b->height0; y++)
      memcpy(dst + (size_t)y * res->dt_stride, src + (size_t)y * pitch, row);
   if (!res->dt_map)
      screen->sws->displaytarget_unmap(screen->sws, res->dt);
}

void
atoll_fetch_front(struct atoll_screen *screen, struct atoll_resource *res)
{
   const struct pipe_resource *b = &res->base.b;
   if (!res->dt_front || res->bo->last_write > res->dt_shown)
      return;
   char *dst = atoll_bo_map(res->bo);
   const char *src = screen->sws->displaytarget_map(screen->sws, res->dt, PIPE_MAP_READ);
   if (dst && src) {
      size_t row = (size_t)b->width0 * res->block_bytes;
      uint32_t pitch = res->level[0].pitch * res->block_bytes;
      for (unsigned y = 0; y < b->height0; y++)
         memcpy(dst + (size_t)y * pitch, src + (size_t)y * res->dt_stride, row);
   }
   if (src)
      screen->sws->displaytarget_unmap(screen->sws, res->dt);
}

static void
flush_frontbuffer(struct pipe_screen *pscreen, struct pipe_context *pipe, struct pipe_resource *b,
                  unsigned level, unsigned layer, void *drawable, unsigned num_boxes,
                  struct pipe_box *boxes)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_resource *res = atoll_resource(b);

   if (!res->dt)
      return;
   if (pipe) {
      struct atoll_context *ctx = atoll_context(threaded_context_unwrap_sync(pipe));
      if (atoll_cs_usage(&ctx->cs, res->bo))
         atoll_flush_and_wait(ctx);
   }
   atoll_bo_wait(res->bo, true);
   if (!res->dt_direct)
      atoll_present_copy(screen, res);
   res->dt_shown = res->bo->last_write;
   screen->sws->displaytarget_display(screen->sws, res->dt, drawable, num_boxes, boxes);
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
   s->flush_frontbuffer = flush_frontbuffer;
   s->is_format_supported = is_format_supported;
   if (!screen->sws) {
      s->resource_get_param = resource_get_param;
      s->resource_create_with_modifiers = resource_create_with_modifiers;
      s->query_dmabuf_modifiers = query_dmabuf_modifiers;
      s->is_dmabuf_modifier_supported = is_dmabuf_modifier_supported;
   }
}

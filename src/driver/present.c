/* SPDX-License-Identifier: MIT */
/*
 * Display targets: their storage, and how what they hold gets to a window.
 *
 * A display target's memory belongs to the window system's side. Where it can be had page-aligned
 * (shared memory) it becomes a BO and the device draws into it; else the window system is given
 * the BO's own memory; else the picture is copied when it is presented.
 *
 * While the presented picture is still being copied, the device can draw the next one to a second
 * storage: the two alternate. After a frame was presented its back buffer still holds it (Mesa says
 * so to programs that ask for the buffer's age). So they alternate only where the last two frames
 * began with a clear of the whole; if then a frame begins with anything else, the contents are
 * copied first.
 */
#include "context.h"

#include "frontend/sw_winsys.h"
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_threaded_context.h"

#include "atoll_public.h"

/* ---- Storage ---- */

static unsigned
row_alignment(const struct atoll_resource *res)
{
   return MAX2(64 * util_format_get_blocksize(res->base.b.format), 256);
}

/* Shared memory with rows as the device wants them, as a BO. Without one *d still has what the
 * window system gave, to be destroyed. */
static bool
create_shared(struct atoll_screen *screen, struct atoll_resource *res, const void *front_private,
              struct atoll_display *d, unsigned *stride)
{
   struct sw_winsys *sws = screen->sws;
   const struct pipe_resource *b = &res->base.b;
   const unsigned alignment = row_alignment(res);

   d->dt = sws->displaytarget_create(sws, b->bind, b->format, b->width0, b->height0, alignment,
                                     front_private, stride);
   /* A front buffer is not kept mapped: unmapping it draws to its window, which may be gone. */
   if (!d->dt || front_private || *stride % alignment)
      return false;
   uint64_t size = atoll_layout(res, *stride / util_format_get_blocksize(b->format));
   d->map = sws->displaytarget_map(sws, d->dt, PIPE_MAP_WRITE);
   if (d->map)
      d->bo = atoll_bo_from_memory(screen->ws, d->map, align64(size, 4096));
   return d->bo != NULL;
}

static void
destroy_display(struct atoll_screen *screen, struct atoll_display *d)
{
   if (d->map)
      screen->sws->displaytarget_unmap(screen->sws, d->dt);
   if (d->dt)
      screen->sws->displaytarget_destroy(screen->sws, d->dt);
   memset(d, 0, sizeof(*d));
}

bool
atoll_create_display_target(struct atoll_screen *screen, struct atoll_resource *res,
                            const void *front_private)
{
   struct atoll_display d = { 0 };

   if (!screen->sws->displaytarget_create)
      return false;
   res->dt_direct = create_shared(screen, res, front_private, &d, &res->dt_stride);
   res->dt = d.dt;
   res->dt_map = d.map;
   res->bo = d.bo;
   if (!res->dt || res->dt_direct)
      return res->dt_direct;
   res->bo = atoll_bo_create(screen->ws, atoll_layout(res, 0), 4096, ATOLL_BO_NO_SUBALLOC);
   res->dt_front = front_private != NULL;
   return res->bo != NULL;
}

void
atoll_destroy_display_target(struct atoll_screen *screen, struct atoll_resource *res)
{
   if (!res->dt)
      return;
   /* The device may still write to its memory. */
   if (res->dt_direct && res->bo)
      atoll_bo_wait(res->bo, false);
   destroy_display(screen, &(struct atoll_display){ .dt = res->dt, .map = res->dt_map });
   atoll_bo_unref(res->dt_other.bo);
   destroy_display(screen, &res->dt_other);
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

/* ---- Two storages that alternate ---- */

/* The device had finished the picture when it was presented, and the other side only reads. */
static void
bring_contents(struct atoll_resource *res)
{
   if (res->dt_stale)
      memcpy(res->dt_map, res->dt_other.map, (size_t)res->dt_stride * res->base.b.height0);
   res->dt_stale = false;
}

void
atoll_touch_display(struct atoll_resource *res, bool clears)
{
   if (!res->dt)
      return;
   if (res->dt_first == ATOLL_FIRST_NOTHING)
      res->dt_first = clears ? ATOLL_FIRST_CLEAR : ATOLL_FIRST_OTHER;
   if (clears)
      res->dt_stale = false;
   bring_contents(res);
}

void
atoll_look_at_targets(struct atoll_context *ctx, unsigned cleared)
{
   const struct pipe_framebuffer_state *fb = &ctx->fb;

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      struct atoll_resource *res = fb->cbufs[i] ? atoll_resource(fb->cbufs[i]->texture) : NULL;

      if (!res || !res->dt)
         continue;
      atoll_touch_display(res, (cleared & PIPE_CLEAR_COLOR0 << i) &&
                                  fb->width == res->base.b.width0 &&
                                  fb->height == res->base.b.height0);
      ctx->dirty |= ATOM_BIT(ATOM_FRAMEBUFFER);
   }
   ctx->presents_seen = p_atomic_read(&ctx->screen->presents);
}

/* Whether there is a second storage like the first. */
static bool
has_other(struct atoll_screen *screen, struct atoll_resource *res)
{
   struct atoll_display *d = &res->dt_other;
   unsigned stride = 0;

   if (d->dt)
      return true;
   if (create_shared(screen, res, NULL, d, &stride) && stride == res->dt_stride)
      return true;
   atoll_bo_unref(d->bo);
   destroy_display(screen, d);
   res->dt_fixed = true;
   return false;
}

/* Begins to present a picture that is complete, and goes on in the other storage. False: nothing
 * was done. */
static bool
present_alternating(struct atoll_screen *screen, struct atoll_resource *res, void *drawable)
{
   const struct atoll_presenter *presenter = screen->presenter;

   res->dt_clears = res->dt_first == ATOLL_FIRST_CLEAR ? MIN2(res->dt_clears + 1, 2) : 0;
   res->dt_first = ATOLL_FIRST_NOTHING;
   p_atomic_inc(&screen->presents);
   if (!presenter || !res->dt_direct || res->dt_fixed || res->dt_clears < 2 ||
       !has_other(screen, res) || !presenter->start(screen->sws, res->dt, drawable))
      return false;

   const struct atoll_display shown = { .dt = res->dt, .map = res->dt_map, .bo = res->bo };
   simple_mtx_lock(&screen->storage_lock);
   res->dt = res->dt_other.dt;
   res->dt_map = res->dt_other.map;
   res->bo = res->dt_other.bo;
   simple_mtx_unlock(&screen->storage_lock);
   res->dt_other = shown;
   res->dt_stale = true;
   presenter->wait(screen->sws, res->dt);
   return true;
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
   atoll_winsys_end_frame(screen->ws);
   atoll_bo_wait(res->bo, true);
   if (!res->dt_direct)
      atoll_present_copy(screen, res);
   res->dt_shown = res->bo->last_write;
   if (!pipe || num_boxes || !present_alternating(screen, res, drawable)) {
      bring_contents(res);
      screen->sws->displaytarget_display(screen->sws, res->dt, drawable, num_boxes, boxes);
   }
}

void
atoll_init_screen_present(struct atoll_screen *screen)
{
   screen->base.flush_frontbuffer = flush_frontbuffer;
}

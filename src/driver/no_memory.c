/* SPDX-License-Identifier: MIT */
/*
 * When the host has no memory left.
 *
 * Most of Gallium's functions that create an object cannot say why they did not, and GL has no
 * error for many of them: drawing would go wrong in silence.  So it is said once on standard error,
 * as a message of KHR_debug in each context, and as a reset of the context for programs that ask.
 *
 * Mesa's front end and its blitter use sampler views and surfaces without a look at whether they
 * were created.  They get spare ones of the context's: a texture that reads zero, and a surface of
 * one pixel to which nothing is written.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "context.h"

#include "util/u_debug.h"
#include "util/u_inlines.h"

#include "no_memory.h"

void
atoll_no_memory(struct atoll_context *ctx)
{
   static atomic_flag said = ATOMIC_FLAG_INIT;

   if (!atomic_flag_test_and_set(&said))
      fprintf(stderr, "atoll: out of memory: what is drawn from now on may lack parts\n");
   if (!ctx || __atomic_exchange_n(&ctx->no_memory, true, __ATOMIC_RELAXED))
      return;
   util_debug_message(&ctx->base.debug, ERROR, "out of memory: what is drawn may lack parts");
}

bool
atoll_init_spares(struct atoll_context *ctx)
{
   const struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D,
      .format = PIPE_FORMAT_R8G8B8A8_UNORM,
      .width0 = 1,
      .height0 = 1,
      .depth0 = 1,
      .array_size = 1,
      .bind = PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET,
   };
   struct pipe_screen *screen = ctx->base.screen;
   struct pipe_resource *texture = screen->resource_create(screen, &templ);
   struct pipe_sampler_view *view = &ctx->spare_view.base;
   struct pipe_surface *surface = &ctx->spare_surface.base;

   if (!texture)
      return false;
   /* Its words are all zero, which is no format: reads give zero. */
   pipe_reference_init(&view->reference, 1);
   view->context = &ctx->base;
   view->format = templ.format;
   view->target = templ.target;
   view->texture = texture;
   pipe_reference_init(&surface->reference, 1);
   surface->context = &ctx->base;
   surface->format = templ.format;
   surface->width = surface->height = 1;
   pipe_resource_reference(&surface->texture, texture);
   return true;
}

void
atoll_finish_spares(struct atoll_context *ctx)
{
   pipe_resource_reference(&ctx->spare_view.base.texture, NULL);
   pipe_resource_reference(&ctx->spare_surface.base.texture, NULL);
}

struct pipe_sampler_view *
atoll_spare_view(struct atoll_context *ctx)
{
   atoll_no_memory(ctx);
   p_atomic_inc(&ctx->spare_view.base.reference.count);
   return &ctx->spare_view.base;
}

struct pipe_surface *
atoll_spare_surface(struct atoll_context *ctx)
{
   atoll_no_memory(ctx);
   p_atomic_inc(&ctx->spare_surface.base.reference.count);
   return &ctx->spare_surface.base;
}

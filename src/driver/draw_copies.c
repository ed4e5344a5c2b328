/* SPDX-License-Identifier: MIT */
/*
 * Buffers that a program writes between draws: uniform blocks, vertices and indices.
 *
 * The device reads them when a draw runs. A buffer that is in use cannot be written at once: the
 * device copies the new bytes into it between the draws, and what could run together runs one after
 * the other. So a buffer that this happened to often is copied at each draw that reads it, and the
 * draw reads the copy. Then nothing uses the buffer itself, and it is written at once.
 *
 * A copy is right until the buffer is written: a map ends, or this stream has the device write it.
 * That is looked at before each draw. What another context writes need not be: draws of this one
 * that read the buffer have been submitted before, and a new stream has copies of its own.
 */
#include "context.h"

#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_upload_mgr.h"

#include <string.h>

/* So often a write has to find the buffer in use. */
#define WRITES_BETWEEN_DRAWS 4
/* More is not copied at each draw, */
#define COPY_BYTES 16384
/* nor what is not written any more. */
#define COPIES_OF_A_WRITE 64

/* Whether what the processor finds in the buffer now is what the device would find. */
static bool
is_current(const struct atoll_context *ctx, struct atoll_bo *bo)
{
   return !(atoll_cs_usage(&ctx->cs, bo) & ATOLL_USAGE_WRITE) && !atoll_bo_busy(bo, true);
}

bool
atoll_writes_at_once(struct atoll_context *ctx, struct atoll_resource *res)
{
   const struct pipe_resource *b = &res->base.b;

   if (!p_atomic_read(&res->is_drawn_from) || res->base.is_shared || res->base.is_user_ptr ||
       p_atomic_read(&res->stays_mapped) || b->flags & PIPE_RESOURCE_FLAG_SPARSE ||
       atoll_cs_usage(&ctx->cs, res->bo) & ATOLL_USAGE_WRITE)
      return false;
   if (!p_atomic_read(&res->is_copied)) {
      if (!atoll_cs_usage(&ctx->cs, res->bo) ||
          p_atomic_inc_return(&res->writes_in_use) < WRITES_BETWEEN_DRAWS)
         return false;
      /* Only this once: draws from here on do not use it. */
      p_atomic_set(&res->is_copied, true);
      atoll_flush_and_wait(ctx);
      atoll_bo_wait(res->bo, false);
   }
   return !atoll_cs_usage(&ctx->cs, res->bo) && !atoll_bo_busy(res->bo, false);
}

bool
atoll_copy_at_once(struct atoll_context *ctx, struct atoll_resource *dst, uint64_t dst_offset,
                   struct atoll_resource *src, uint64_t src_offset, uint64_t size)
{
   char *to;
   const char *from;

   if (size > COPY_BYTES || !is_current(ctx, src->bo) || !atoll_writes_at_once(ctx, dst))
      return false;
   to = atoll_bo_map(dst->bo);
   from = atoll_bo_map(src->bo);
   if (!to || !from)
      return false;
   memmove(to + dst_offset, from + src_offset, size);
   atoll_was_written(dst);
   return true;
}

void
atoll_was_written(struct atoll_resource *res)
{
   p_atomic_inc(&res->writes);
   p_atomic_set(&res->copies, 0);
}

struct pipe_resource *
atoll_copy_for_draw(struct atoll_context *ctx, struct pipe_resource *buffer, unsigned *offset,
                    uint64_t size, unsigned excess)
{
   struct atoll_resource *res = atoll_resource(buffer);
   struct pipe_resource *copy = NULL;
   const char *map;
   char *to = NULL;
   unsigned at = 0;

   if (!p_atomic_read(&res->is_copied)) {
      if (!p_atomic_read(&res->is_drawn_from))
         p_atomic_set(&res->is_drawn_from, true);
      return NULL;
   }
   if (*offset >= buffer->width0)
      return NULL;
   size = MIN2(size, buffer->width0 - *offset);
   if (size > COPY_BYTES || p_atomic_read(&res->stays_mapped) || !is_current(ctx, res->bo) ||
       p_atomic_inc_return(&res->copies) > COPIES_OF_A_WRITE)
      return NULL;
   map = atoll_bo_map(res->bo);
   if (!map)
      return NULL;
   u_upload_alloc(ctx->upload, 0, (unsigned)size + excess, 256, &at, &copy, (void **)&to);
   if (!to)
      return NULL;
   memcpy(to, map + *offset, size);
   memset(to + size, 0, excess);
   *offset = at;
   return copy;
}

/* Whether a buffer that had been written so often when it was copied may hold something else. */
static bool
is_old(const struct atoll_context *ctx, struct pipe_resource *buffer, uint32_t writes)
{
   struct atoll_resource *res = atoll_resource(buffer);

   return writes != p_atomic_read(&res->writes) ||
          atoll_cs_usage(&ctx->cs, res->bo) & ATOLL_USAGE_WRITE;
}

void
atoll_look_at_copies(struct atoll_context *ctx, unsigned stages)
{
   u_foreach_bit(stage, stages)
   {
      u_foreach_bit(index, ctx->copied[stage])
      {
         struct pipe_resource *buffer = ctx->constants[stage].cb[index].buffer;

         if (!buffer || is_old(ctx, buffer, ctx->copy_writes[stage][index]))
            atoll_dirty(ctx, ATOM_CONST + stage);
      }
   }
   if (!(stages >> ATOLL_VS & 1))
      return;
   u_foreach_bit(index, ctx->copied_vertices)
   {
      struct pipe_resource *buffer = ctx->vbs[index].buffer.resource;

      if (!buffer || is_old(ctx, buffer, ctx->copy_vertices_writes[index]))
         atoll_dirty(ctx, ATOM_VERTEX_BUFFERS);
   }
}

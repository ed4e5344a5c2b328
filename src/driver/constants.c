/* SPDX-License-Identifier: MIT */
/*
 * Uniform blocks that a program writes between draws.
 *
 * The device reads constants when a draw runs. A buffer that is in use cannot be written at once:
 * the device copies the new bytes into it between the draws, and what could run together runs one
 * after the other. So a buffer that this happened to often is copied at each draw that reads it,
 * and the draw reads the copy. Then nothing uses the buffer itself, and it is written at once.
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
/* More is not copied at each draw. */
#define COPY_BYTES 16384

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

   if (!p_atomic_read(&res->is_constants) || res->base.is_shared || res->base.is_user_ptr ||
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
   p_atomic_inc(&dst->writes);
   return true;
}

struct pipe_resource *
atoll_copy_constants(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                     unsigned *offset)
{
   const struct pipe_constant_buffer *cb = &ctx->constants[stage].cb[index];
   struct atoll_resource *res = atoll_resource(cb->buffer);
   struct pipe_resource *buffer = NULL;
   const char *map;
   unsigned size;

   if (!p_atomic_read(&res->is_copied) || p_atomic_read(&res->stays_mapped) ||
       cb->buffer_size > COPY_BYTES || cb->buffer_offset >= cb->buffer->width0 ||
       !is_current(ctx, res->bo))
      return NULL;
   map = atoll_bo_map(res->bo);
   if (!map)
      return NULL;
   ctx->copy_writes[stage][index] = p_atomic_read(&res->writes);
   size = MIN2(cb->buffer_size, cb->buffer->width0 - cb->buffer_offset);
   u_upload_data(ctx->upload, 0, size, 256, map + cb->buffer_offset, offset, &buffer);
   if (buffer)
      ctx->copied[stage] |= 1u << index;
   return buffer;
}

void
atoll_look_at_copies(struct atoll_context *ctx, unsigned stages)
{
   u_foreach_bit(stage, stages)
   {
      u_foreach_bit(index, ctx->copied[stage])
      {
         const struct atoll_resource *res = atoll_resource(ctx->constants[stage].cb[index].buffer);

         if (!res || ctx->copy_writes[stage][index] != p_atomic_read(&res->writes) ||
             atoll_cs_usage(&ctx->cs, res->bo) & ATOLL_USAGE_WRITE)
            atoll_dirty(ctx, ATOM_CONST + stage);
      }
   }
}

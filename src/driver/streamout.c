/* SPDX-License-Identifier: MIT */
/*
 * Streamout (transform feedback). VGT counts how far each buffer is filled; the count is saved in
 * memory when streamout pauses, a stream ends or the targets change, and loaded again to go on.
 */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_range.h"

#include "no_memory.h"

static struct pipe_stream_output_target *
create_target(struct pipe_context *pipe, struct pipe_resource *buffer, unsigned offset,
              unsigned size)
{
   struct atoll_so_target *t = CALLOC_STRUCT(atoll_so_target);
   if (!t) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }
   t->filled = atoll_bo_create(atoll_context(pipe)->ws, 16, 256, 0);
   void *map = t->filled ? atoll_bo_map(t->filled) : NULL;
   if (!map) {
      atoll_no_memory(atoll_context(pipe));
      atoll_bo_unref(t->filled);
      FREE(t);
      return NULL;
   }
   memset(map, 0, 16);
   pipe_reference_init(&t->base.reference, 1);
   t->base.context = pipe;
   pipe_resource_reference(&t->base.buffer, buffer);
   t->base.buffer_offset = offset;
   t->base.buffer_size = size;
   struct atoll_resource *res = atoll_resource(buffer);
   util_range_add(buffer, &res->base.valid_buffer_range, offset, offset + size);
   return &t->base;
}

static void
destroy_target(struct pipe_context *pipe, struct pipe_stream_output_target *target)
{
   struct atoll_so_target *t = (struct atoll_so_target *)target;
   pipe_resource_reference(&t->base.buffer, NULL);
   atoll_bo_unref(t->filled);
   FREE(t);
}

/* The counters in memory and in VGT are brought up to date. */
static void
emit_vgt_flush(struct atoll_cs *cs)
{
   emit_config_reg(cs, R_CP_STRMOUT_CNTL, 0);
   emit_event(cs, EVENT_SO_VGTSTREAMOUT_FLUSH, EVENT_INDEX_PLAIN);
   atoll_emit(cs, pm4_header(PM4_WAIT_REG_MEM, 6, false));
   atoll_emit(cs, WAIT_EQUAL);
   atoll_emit(cs, R_CP_STRMOUT_CNTL >> 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, REG_FIELD(CP_STRMOUT_CNTL, OFFSET_UPDATE_DONE, 1));
   atoll_emit(cs, REG_FIELD(CP_STRMOUT_CNTL, OFFSET_UPDATE_DONE, 1));
   atoll_emit(cs, 4); /* poll interval */
}

void
atoll_streamout_begin(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_shader *last = atoll_last_vertex_shader(ctx);

   emit_vgt_flush(cs);
   for (unsigned i = 0; i < ctx->num_so_targets; i++) {
      struct atoll_so_target *t = ctx->so_targets[i];
      if (!t)
         continue;
      struct atoll_resource *res = atoll_resource(t->base.buffer);
      t->stride_dw = last->so.stride[i];
      emit_context_seq(cs, REG_AT(VGT_STRMOUT_BUFFER_SIZE_0, i), 3);
      atoll_emit(cs, (t->base.buffer_offset + t->base.buffer_size) >> 2);
      atoll_emit(cs, t->stride_dw);
      atoll_emit(cs, (uint32_t)(res->bo->va >> 8));
      atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_WRITE);

      bool append = (ctx->so_append >> i & 1) && t->filled_valid;
      atoll_emit(cs, pm4_header(PM4_STRMOUT_BUFFER_UPDATE, 5, false));
      atoll_emit(cs, STRMOUT_SELECT_BUFFER(i) |
                        STRMOUT_OFFSET_SOURCE(append ? STRMOUT_OFFSET_FROM_MEM
                                                     : STRMOUT_OFFSET_FROM_PACKET));
      atoll_emit(cs, 0);
      atoll_emit(cs, 0);
      atoll_emit(cs, append ? (uint32_t)t->filled->va : t->base.buffer_offset >> 2);
      atoll_emit(cs, append ? (uint32_t)(t->filled->va >> 32) : 0);
      atoll_cs_add_bo(cs, t->filled, ATOLL_USAGE_READ);
   }
   ctx->so_begun = true;
}

void
atoll_streamout_end(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;

   emit_vgt_flush(cs);
   for (unsigned i = 0; i < ctx->num_so_targets; i++) {
      struct atoll_so_target *t = ctx->so_targets[i];
      if (!t)
         continue;
      atoll_emit(cs, pm4_header(PM4_STRMOUT_BUFFER_UPDATE, 5, false));
      atoll_emit(cs, STRMOUT_SELECT_BUFFER(i) | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_NONE) |
                        STRMOUT_STORE_FILLED_SIZE);
      atoll_emit(cs, (uint32_t)t->filled->va);
      atoll_emit(cs, (uint32_t)(t->filled->va >> 32));
      atoll_emit(cs, 0);
      atoll_emit(cs, 0);
      atoll_cs_add_bo(cs, t->filled, ATOLL_USAGE_WRITE);
      /* Counting may go on without a target: nothing may be written then. */
      emit_context_reg(cs, REG_AT(VGT_STRMOUT_BUFFER_SIZE_0, i), 0);
      t->filled_valid = true;
   }
   ctx->so_begun = false;
   ctx->so_append = ~0u;
   ctx->flush |= FLUSH_STREAMOUT;
}

static void
set_targets(struct pipe_context *pipe, unsigned count, struct pipe_stream_output_target **targets,
            const unsigned *offsets, enum mesa_prim output_prim)
{
   struct atoll_context *ctx = atoll_context(pipe);

   if (ctx->so_begun) {
      atoll_need_space(ctx, 128);
      if (ctx->so_begun)
         atoll_streamout_end(ctx);
   }
   assert(count <= ATOLL_SO_BUFFERS);
   ctx->so_append = 0;
   for (unsigned i = 0; i < ATOLL_SO_BUFFERS; i++) {
      pipe_so_target_reference((struct pipe_stream_output_target **)&ctx->so_targets[i],
                               i < count ? targets[i] : NULL);
      if (i < count && offsets[i] == ~0u)
         ctx->so_append |= 1u << i;
   }
   ctx->num_so_targets = count;
   atoll_dirty(ctx, ATOM_STREAMOUT);
}

void
atoll_init_streamout(struct atoll_context *ctx)
{
   ctx->base.create_stream_output_target = create_target;
   ctx->base.stream_output_target_destroy = destroy_target;
   ctx->base.set_stream_output_targets = set_targets;
}

/* SPDX-License-Identifier: MIT */
/*
 * Atomic counters: in GL's buffers, and while a draw or dispatch runs that counts, in global data
 * (GDS), where all its stages and waves find them.  Those of buffer n lie from byte
 * n * ATOLL_NIR_COUNTER_BYTES on; CP copies what the programs may touch there, and what they may
 * change back.
 *
 * While counters are in global data, another write to their memory would be lost and another read
 * would find old values.  So where programs reach that memory in another way, too (as another
 * buffer of counters, a storage buffer, an image or by transform feedback), variants are used that
 * count in memory.
 *
 * Gallium binds these buffers for all stages at once.  The threaded context does not know that
 * call; it becomes two of set_shader_buffers(), for slots of the pixel and the compute shader
 * after those of storage buffers, and so the buffers are tracked, and replaced, like these.
 */
#include "emit.h"

#include "util/u_math.h"

static void
set_hw_atomic_buffers(struct pipe_context *pipe, unsigned start, unsigned count,
                      const struct pipe_shader_buffer *buffers)
{
   if (start >= ATOLL_NIR_COUNTER_BUFFERS)
      return;
   count = MIN2(count, ATOLL_NIR_COUNTER_BUFFERS - start);
   const unsigned slot = ATOLL_FIRST_COUNTERS + start, writable = BITFIELD_MASK(count);
   pipe->set_shader_buffers(pipe, PIPE_SHADER_FRAGMENT, slot, count, buffers, writable);
   pipe->set_shader_buffers(pipe, PIPE_SHADER_COMPUTE, slot, count, buffers, writable);
}

void
atoll_init_counters(struct pipe_context *pipe)
{
   pipe->set_hw_atomic_buffers = set_hw_atomic_buffers;
}

/* ---- Counters in memory ---- */

/* Addresses from `va` on; none if `bytes` is 0. */
struct range {
   uint64_t va, bytes;
};

static bool
overlap(struct range a, struct range b)
{
   return a.bytes && b.bytes && a.va < b.va + b.bytes && b.va < a.va + a.bytes;
}

static struct range
range_of(struct pipe_resource *buffer, unsigned offset, unsigned bytes)
{
   if (!buffer || buffer->target != PIPE_BUFFER)
      return (struct range){ 0, 0 };
   return (struct range){ atoll_resource(buffer)->bo->va + offset, bytes };
}

/* Whether a stage's storage buffers or images reach it. */
static bool
stage_reaches(const struct atoll_context *ctx, unsigned stage, struct range counters)
{
   const struct atoll_nir_uavs *uavs = &ctx->shaders[stage]->uavs;
   const struct atoll_memory *m = &ctx->memory[stage];

   for (unsigned n = 0; n < MIN2(uavs->count, ATOLL_NIR_UAVS); n++) {
      const unsigned index = uavs->uav[n].index;
      struct range r = { 0, 0 };
      if (uavs->uav[n].kind == ATOLL_NIR_BUFFER && index < ATOLL_MAX_BUFFERS)
         r = range_of(m->buffers[index].buffer, m->buffers[index].buffer_offset,
                      m->buffers[index].buffer_size);
      else if (uavs->uav[n].kind == ATOLL_NIR_IMAGE && index < ATOLL_MAX_IMAGES)
         r = range_of(m->images[index].resource, m->images[index].u.buf.offset,
                      m->images[index].u.buf.size);
      if (overlap(counters, r))
         return true;
   }
   return false;
}

bool
atoll_counters_in_memory(const struct atoll_context *ctx, bool compute)
{
   const unsigned first = compute ? ATOLL_CS : 0, last = compute ? ATOLL_CS : ATOLL_PS;
   const struct pipe_shader_buffer *buffers =
      &ctx->memory[compute ? ATOLL_CS : ATOLL_PS].buffers[ATOLL_FIRST_COUNTERS];
   struct range counters[ATOLL_NIR_COUNTER_BUFFERS] = { { 0, 0 } };
   unsigned used = 0;

   for (unsigned stage = first; stage <= last; stage++) {
      if (!ctx->shaders[stage])
         continue;
      const struct atoll_nir_counters *c = &ctx->shaders[stage]->counters;
      used |= c->used;
      u_foreach_bit(n, c->used)
      {
         const struct range r = range_of(buffers[n].buffer, buffers[n].buffer_offset, c->bytes[n]);
         if (r.bytes > counters[n].bytes)
            counters[n] = r;
      }
   }
   u_foreach_bit(n, used)
   {
      for (unsigned m = 0; m < n; m++)
         if (overlap(counters[n], counters[m]))
            return true;
      for (unsigned stage = first; stage <= last; stage++)
         if (ctx->shaders[stage] && stage_reaches(ctx, stage, counters[n]))
            return true;
      for (unsigned i = 0; !compute && i < ctx->num_so_targets; i++) {
         const struct atoll_so_target *t = ctx->so_targets[i];
         if (t && overlap(counters[n],
                          range_of(t->base.buffer, t->base.buffer_offset, t->base.buffer_size)))
            return true;
      }
   }
   return false;
}

/* ---- Counters in global data ---- */

/* What the programs do, all together. */
static struct atoll_nir_counters
counters_of(const struct atoll_context *ctx, bool compute)
{
   struct atoll_nir_counters all = { 0 };
   for (unsigned stage = compute ? ATOLL_CS : 0; stage <= (compute ? ATOLL_CS : ATOLL_PS);
        stage++) {
      if (!ctx->variants[stage])
         continue;
      const struct atoll_nir_counters *c = &ctx->variants[stage]->p.counters;
      all.used |= c->used;
      all.changed |= c->changed;
      u_foreach_bit(n, c->used) all.bytes[n] = MAX2(all.bytes[n], c->bytes[n]);
   }
   return all;
}

/* How much of `bytes` a buffer has, in whole counters. */
static unsigned
there(const struct pipe_shader_buffer *buffer, unsigned bytes)
{
   const struct pipe_resource *b = buffer->buffer;
   if (!b || buffer->buffer_offset >= b->width0)
      return 0;
   return MIN3(bytes, buffer->buffer_size, b->width0 - buffer->buffer_offset) & ~3u;
}

static void
emit_copy(struct atoll_cs *cs, uint64_t from, uint32_t from_where, uint64_t to, uint32_t to_where,
          uint32_t command)
{
   atoll_emit(cs, pm4_header(PM4_CP_DMA, 5, false));
   atoll_emit(cs, (uint32_t)from);
   atoll_emit(cs, CP_DMA_SYNC | CP_DMA_SRC_SEL(from_where) | CP_DMA_DST_SEL(to_where) |
                     ((uint32_t)(from >> 32) & 0xFF));
   atoll_emit(cs, (uint32_t)to);
   atoll_emit(cs, (uint32_t)(to >> 32) & 0xFF);
   atoll_emit(cs, command);
}

bool
atoll_load_counters(struct atoll_context *ctx, bool compute)
{
   const struct atoll_memory *m = &ctx->memory[compute ? ATOLL_CS : ATOLL_PS];
   const struct atoll_nir_counters counters = counters_of(ctx, compute);
   struct atoll_cs *cs = &ctx->cs;

   if (!counters.used)
      return false;
   /* Earlier draws may still count. */
   emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   u_foreach_bit(n, counters.used)
   {
      const struct pipe_shader_buffer *buffer = &m->buffers[ATOLL_FIRST_COUNTERS + n];
      const unsigned bytes = counters.bytes[n], have = there(buffer, bytes);
      const uint32_t gds = n * ATOLL_NIR_COUNTER_BYTES;
      if (have) {
         struct atoll_bo *bo = atoll_resource(buffer->buffer)->bo;
         emit_copy(cs, bo->va + buffer->buffer_offset, CP_DMA_SRC_ADDRESS, gds, CP_DMA_DST_GDS,
                   CP_DMA_DAS | have);
         atoll_cs_add_bo(cs, bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      }
      /* Counters that are in no buffer begin with 0, not with what somebody left. */
      if (have < bytes)
         emit_copy(cs, 0, CP_DMA_SRC_DATA, gds + have, CP_DMA_DST_GDS, CP_DMA_DAS | (bytes - have));
   }
   return true;
}

void
atoll_store_counters(struct atoll_context *ctx, bool compute)
{
   const struct atoll_memory *m = &ctx->memory[compute ? ATOLL_CS : ATOLL_PS];
   const struct atoll_nir_counters counters = counters_of(ctx, compute);
   struct atoll_cs *cs = &ctx->cs;

   if (!counters.changed)
      return;
   if (!compute) {
      emit_event(cs, EVENT_VS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
      emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   }
   u_foreach_bit(n, counters.changed)
   {
      const struct pipe_shader_buffer *buffer = &m->buffers[ATOLL_FIRST_COUNTERS + n];
      const unsigned have = there(buffer, counters.bytes[n]);
      if (have)
         emit_copy(cs, n * ATOLL_NIR_COUNTER_BYTES, CP_DMA_SRC_GDS,
                   atoll_resource(buffer->buffer)->bo->va + buffer->buffer_offset,
                   CP_DMA_DST_ADDRESS, CP_DMA_SAS | have);
   }
   ctx->flush |= FLUSH_READS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Queries: occlusion, timestamps, primitives, the work of each stage, and conditional rendering on
 * them.
 *
 * A query is a list of pairs of samples that the device writes: one pair for each stream that the
 * query is active in. Bit 63 of a sample says that it has been written.
 */
#include "context.h"

#include "util/os_time.h"
#include "util/u_memory.h"

#include "no_memory.h"

#define CHUNK_BYTES 4096
#define AVAILABLE   (UINT64_C(1) << 63)

/* Counters of SAMPLE_PIPELINESTAT, 8 bytes each, in the device's order. */
enum {
   STAT_PS,
   STAT_C_PRIMS,
   STAT_C_CALLS,
   STAT_VS,
   STAT_GS_CALLS,
   STAT_GS_PRIMS,
   STAT_IA_PRIMS,
   STAT_IA_VERTS,
   STAT_HS,
   STAT_DS,
   STAT_CS,
   STAT_COUNT
};

struct chunk {
   struct chunk *next;
   struct atoll_bo *bo;
   unsigned used; /* bytes */
};

struct atoll_query {
   struct threaded_query base;
   struct list_head active; /* in atoll_context.active_queries */
   unsigned type;
   unsigned index; /* vertex stream, or statistic */
   unsigned pair_bytes;
   struct chunk *chunks; /* newest first */
   bool running;
   uint64_t fence_seq; /* GPU_FINISHED */
};

static bool
is_occlusion(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_COUNTER || type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

static void
free_chunks(struct atoll_query *q)
{
   while (q->chunks) {
      struct chunk *c = q->chunks;
      q->chunks = c->next;
      atoll_bo_unref(c->bo);
      FREE(c);
   }
}

/* Makes sure that there is room for one more pair. */
static bool
reserve_pair(struct atoll_context *ctx, struct atoll_query *q)
{
   if (q->chunks && q->chunks->used + q->pair_bytes <= CHUNK_BYTES)
      return true;
   struct chunk *c = CALLOC_STRUCT(chunk);
   if (!c) {
      atoll_no_memory(ctx);
      return false;
   }
   c->bo = atoll_bo_create(ctx->ws, CHUNK_BYTES, 256, 0);
   void *map = c->bo ? atoll_bo_map(c->bo) : NULL;
   if (!map) {
      atoll_no_memory(ctx);
      atoll_bo_unref(c->bo);
      FREE(c);
      return false;
   }
   memset(map, 0, CHUNK_BYTES);
   c->next = q->chunks;
   q->chunks = c;
   return true;
}

static struct pipe_query *
create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct atoll_query *q = CALLOC_STRUCT(atoll_query);
   if (!q) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }
   atoll_resolve_query(&type, &index);
   q->type = type;
   q->index = index;
   list_inithead(&q->active);
   switch (type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      q->pair_bytes = 16 * atoll_winsys_info(atoll_screen(pipe->screen)->ws)->num_backends;
      break;
   case PIPE_QUERY_TIMESTAMP:
   case PIPE_QUERY_TIME_ELAPSED:
      q->pair_bytes = 16;
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
   case PIPE_QUERY_PRIMITIVES_EMITTED:
   case PIPE_QUERY_SO_STATISTICS:
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      q->pair_bytes = 32;
      break;
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      q->pair_bytes = 4 * 32;
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
   case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
      q->pair_bytes = 2 * STAT_COUNT * 8;
      break;
   case PIPE_QUERY_TIMESTAMP_DISJOINT:
   case PIPE_QUERY_GPU_FINISHED:
      break;
   default:
      FREE(q);
      return NULL;
   }
   if (q->pair_bytes > CHUNK_BYTES) {
      FREE(q);
      return NULL;
   }
   return (struct pipe_query *)q;
}

static void
destroy_query(struct pipe_context *pipe, struct pipe_query *query)
{
   struct atoll_query *q = (struct atoll_query *)query;
   if (atoll_context(pipe)->cond_query == q)
      atoll_context(pipe)->cond_query = NULL;
   list_del(&q->active);
   free_chunks(q);
   FREE(q);
}

/* ---- Samples ---- */

static void
emit_timestamp(struct atoll_cs *cs, uint64_t va)
{
   atoll_emit(cs, pm4_header(PM4_EVENT_WRITE_EOP, 5, false));
   atoll_emit(cs, pm4_event(EVENT_BOTTOM_OF_PIPE_TS, EVENT_INDEX_TS));
   atoll_emit(cs, (uint32_t)va);
   atoll_emit(cs, ((uint32_t)(va >> 32) & 0xFF) | EOP_DATA_SEL(EOP_DATA_TIMESTAMP));
   atoll_emit(cs, 0);
   atoll_emit(cs, 0);
}

static void
emit_sample_event(struct atoll_cs *cs, enum cayman_event event, enum cayman_event_index index,
                  uint64_t va)
{
   atoll_emit(cs, pm4_header(PM4_EVENT_WRITE, 3, false));
   atoll_emit(cs, pm4_event(event, index));
   atoll_emit(cs, (uint32_t)va);
   atoll_emit(cs, (uint32_t)(va >> 32) & 0xFF);
}

/* Primitives that would have fitted without limits, and those that were written. */
static void
emit_streamout_stats(struct atoll_cs *cs, unsigned stream, uint64_t va)
{
   static const uint8_t event[4] = { EVENT_SAMPLE_STREAMOUTSTATS, EVENT_SAMPLE_STREAMOUTSTATS1,
                                     EVENT_SAMPLE_STREAMOUTSTATS2, EVENT_SAMPLE_STREAMOUTSTATS3 };
   emit_sample_event(cs, event[stream & 3], EVENT_INDEX_SAMPLE_STREAMOUTSTATS, va);
}

static void
emit_sample(struct atoll_context *ctx, const struct atoll_query *q, bool end)
{
   struct atoll_cs *cs = &ctx->cs;
   uint64_t va = q->chunks->bo->va + q->chunks->used;

   switch (q->type) {
   case PIPE_QUERY_TIMESTAMP:
   case PIPE_QUERY_TIME_ELAPSED:
      emit_timestamp(cs, va + (end ? 8 : 0));
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
   case PIPE_QUERY_PRIMITIVES_EMITTED:
   case PIPE_QUERY_SO_STATISTICS:
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      emit_streamout_stats(cs, q->index, va + (end ? 16 : 0));
      break;
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      for (unsigned s = 0; s < 4; s++)
         emit_streamout_stats(cs, s, va + 32 * s + (end ? 16 : 0));
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
   case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
      emit_sample_event(cs, EVENT_SAMPLE_PIPELINESTAT, EVENT_INDEX_SAMPLE_PIPELINESTAT,
                        va + (end ? STAT_COUNT * 8 : 0));
      break;
   default:
      emit_sample_event(cs, EVENT_ZPASS_DONE, EVENT_INDEX_ZPASS_DONE, va + (end ? 8 : 0));
      break;
   }
   atoll_cs_add_bo(cs, q->chunks->bo, ATOLL_USAGE_WRITE);
}

static void
start(struct atoll_context *ctx, struct atoll_query *q)
{
   q->running = reserve_pair(ctx, q);
   if (q->running)
      emit_sample(ctx, q, false);
}

static void
stop(struct atoll_context *ctx, struct atoll_query *q)
{
   if (!q->running)
      return;
   emit_sample(ctx, q, true);
   q->chunks->used += q->pair_bytes;
   q->running = false;
}

static void
count_active(struct atoll_context *ctx, const struct atoll_query *q, int delta)
{
   if (is_occlusion(q->type)) {
      ctx->num_occlusion += delta;
      atoll_dirty(ctx, ATOM_DB_MISC);
   } else if (q->type == PIPE_QUERY_PRIMITIVES_GENERATED) {
      ctx->num_prims_generated += delta;
      atoll_dirty(ctx, ATOM_STREAMOUT);
   }
}

void
atoll_suspend_queries(struct atoll_context *ctx)
{
   ctx->queries_suspended = true;
   list_for_each_entry(struct atoll_query, q, &ctx->active_queries, active) stop(ctx, q);
}

void
atoll_resume_queries(struct atoll_context *ctx)
{
   ctx->queries_suspended = false;
   list_for_each_entry(struct atoll_query, q, &ctx->active_queries, active) start(ctx, q);
}

static bool
begin_query(struct pipe_context *pipe, struct pipe_query *query)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_query *q = (struct atoll_query *)query;

   if (!q->pair_bytes || q->type == PIPE_QUERY_TIMESTAMP)
      return true;
   free_chunks(q);
   atoll_need_space(ctx, 64);
   start(ctx, q);
   list_addtail(&q->active, &ctx->active_queries);
   count_active(ctx, q, 1);
   return true;
}

static bool
end_query(struct pipe_context *pipe, struct pipe_query *query)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_query *q = (struct atoll_query *)query;

   if (q->type == PIPE_QUERY_GPU_FINISHED) {
      q->fence_seq = atoll_flush(ctx);
      return true;
   }
   if (!q->pair_bytes)
      return true;
   if (q->type == PIPE_QUERY_TIMESTAMP) {
      free_chunks(q);
      atoll_need_space(ctx, 64);
      q->running = reserve_pair(ctx, q);
   } else if (!list_is_empty(&q->active)) {
      list_delinit(&q->active);
      count_active(ctx, q, -1);
   }
   stop(ctx, q);
   return true;
}

static void
set_active_query_state(struct pipe_context *pipe, bool enable)
{
   struct atoll_context *ctx = atoll_context(pipe);
   if (ctx->queries_disabled == !enable)
      return;
   ctx->queries_disabled = !enable;
   atoll_dirty(ctx, ATOM_DB_MISC);
   atoll_dirty(ctx, ATOM_STREAMOUT);
}

/* ---- Results ---- */

static uint64_t
sample_difference(const uint64_t *begin, const uint64_t *end)
{
   if (!(*begin & AVAILABLE) || !(*end & AVAILABLE))
      return 0;
   return (*end & ~AVAILABLE) - (*begin & ~AVAILABLE);
}

static uint64_t
to_nanoseconds(struct pipe_screen *screen, uint64_t ticks)
{
   uint64_t khz = atoll_winsys_info(atoll_screen(screen)->ws)->crystal_khz;
   return ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
}

static uint64_t
statistic(unsigned which, const uint64_t *pair)
{
   static const uint8_t slot[] = {
      [PIPE_STAT_QUERY_IA_VERTICES] = STAT_IA_VERTS,
      [PIPE_STAT_QUERY_IA_PRIMITIVES] = STAT_IA_PRIMS,
      [PIPE_STAT_QUERY_VS_INVOCATIONS] = STAT_VS,
      [PIPE_STAT_QUERY_GS_INVOCATIONS] = STAT_GS_CALLS,
      [PIPE_STAT_QUERY_GS_PRIMITIVES] = STAT_GS_PRIMS,
      [PIPE_STAT_QUERY_C_INVOCATIONS] = STAT_C_CALLS,
      [PIPE_STAT_QUERY_C_PRIMITIVES] = STAT_C_PRIMS,
      [PIPE_STAT_QUERY_PS_INVOCATIONS] = STAT_PS,
      [PIPE_STAT_QUERY_HS_INVOCATIONS] = STAT_HS,
      [PIPE_STAT_QUERY_DS_INVOCATIONS] = STAT_DS,
      [PIPE_STAT_QUERY_CS_INVOCATIONS] = STAT_CS,
   };
   if (which >= ARRAY_SIZE(slot))
      return 0;
   return pair[STAT_COUNT + slot[which]] - pair[slot[which]];
}

static bool
overflowed(const uint64_t *pair)
{
   return sample_difference(&pair[0], &pair[2]) != sample_difference(&pair[1], &pair[3]);
}

static void
add_pair(struct pipe_screen *screen, const struct atoll_query *q, const uint64_t *pair,
         union pipe_query_result *result)
{
   switch (q->type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE: {
      uint64_t sum = 0;
      for (unsigned i = 0; i < q->pair_bytes / 16; i++)
         sum += sample_difference(&pair[2 * i], &pair[2 * i + 1]);
      if (q->type == PIPE_QUERY_OCCLUSION_COUNTER)
         result->u64 += sum;
      else
         result->b = result->b || sum;
      break;
   }
   case PIPE_QUERY_TIMESTAMP:
      result->u64 = to_nanoseconds(screen, pair[1]);
      break;
   case PIPE_QUERY_TIME_ELAPSED:
      result->u64 += to_nanoseconds(screen, pair[1] - pair[0]);
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      result->u64 += sample_difference(&pair[0], &pair[2]);
      break;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
      result->u64 += sample_difference(&pair[1], &pair[3]);
      break;
   case PIPE_QUERY_SO_STATISTICS:
      result->so_statistics.primitives_storage_needed += sample_difference(&pair[0], &pair[2]);
      result->so_statistics.num_primitives_written += sample_difference(&pair[1], &pair[3]);
      break;
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      result->b = result->b || overflowed(pair);
      break;
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      for (unsigned s = 0; s < 4; s++)
         result->b = result->b || overflowed(pair + 4 * s);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS_SINGLE:
      result->u64 += statistic(q->index, pair);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS: {
      uint64_t *out = (uint64_t *)&result->pipeline_statistics;
      for (unsigned i = 0; i <= PIPE_STAT_QUERY_CS_INVOCATIONS; i++)
         out[i] += statistic(i, pair);
      break;
   }
   default:
      break;
   }
}

static bool
get_query_result(struct pipe_context *pipe, struct pipe_query *query, bool wait,
                 union pipe_query_result *result)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_query *q = (struct atoll_query *)query;

   memset(result, 0, sizeof(*result));
   if (q->type == PIPE_QUERY_TIMESTAMP_DISJOINT) {
      result->timestamp_disjoint.frequency = UINT64_C(1000000000);
      return true;
   }
   if (q->type == PIPE_QUERY_GPU_FINISHED) {
      result->b = atoll_seq_wait(ctx->ws, q->fence_seq, wait ? UINT64_MAX : 0);
      return result->b;
   }
   for (struct chunk *c = q->chunks; c; c = c->next) {
      /* After u_threaded_context has flushed, this may not be the context's thread. */
      if (!q->base.flushed && atoll_cs_usage(&ctx->cs, c->bo)) {
         if (wait)
            atoll_flush_and_wait(ctx);
         else
            atoll_flush(ctx);
      }
      if (!wait && atoll_bo_busy(c->bo, true))
         return false;
      atoll_bo_wait(c->bo, true);
   }
   for (struct chunk *c = q->chunks; c; c = c->next) {
      const char *map = c->bo->map;
      for (unsigned at = 0; at < c->used; at += q->pair_bytes)
         add_pair(pipe->screen, q, (const uint64_t *)(map + at), result);
   }
   return true;
}

static bool
is_boolean(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE || type == PIPE_QUERY_GPU_FINISHED ||
          type == PIPE_QUERY_SO_OVERFLOW_PREDICATE || type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE;
}

/* The CPU reads the samples and adds a write of the result to the stream's end. */
static void
get_query_result_resource(struct pipe_context *pipe, struct pipe_query *query,
                          enum pipe_query_flags flags, enum pipe_query_value_type type, int index,
                          struct pipe_resource *resource, unsigned offset)
{
   const struct atoll_query *q = (struct atoll_query *)query;
   union pipe_query_result result;
   bool ready = get_query_result(pipe, query, flags & PIPE_QUERY_WAIT, &result);
   uint64_t value = ready;

   if (index >= 0) {
      if (!ready)
         return;
      if (is_boolean(q->type))
         value = result.b;
      else if (q->type == PIPE_QUERY_PIPELINE_STATISTICS &&
               index < (int)ARRAY_SIZE(result.pipeline_statistics.counters))
         value = result.pipeline_statistics.counters[index];
      else
         value = result.u64;
   }
   uint32_t narrow = type == PIPE_QUERY_TYPE_I32   ? (uint32_t)MIN2(value, INT32_MAX)
                     : type == PIPE_QUERY_TYPE_U32 ? (uint32_t)MIN2(value, UINT32_MAX)
                                                   : 0;
   bool wide = type == PIPE_QUERY_TYPE_I64 || type == PIPE_QUERY_TYPE_U64;
   pipe->buffer_subdata(pipe, resource, PIPE_MAP_WRITE, offset, wide ? 8 : 4,
                        wide ? (const void *)&value : (const void *)&narrow);
}

/* ---- Conditional rendering ---- */

static void
render_condition(struct pipe_context *pipe, struct pipe_query *query, bool condition,
                 enum pipe_render_cond_flag mode)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->cond_query = (struct atoll_query *)query;
   ctx->cond_cond = condition;
   ctx->cond_mode = mode;
   if (query) {
      atoll_need_space(ctx, 1024);
      atoll_emit_predication(ctx);
   }
}

static bool
is_overflow(unsigned type)
{
   return type == PIPE_QUERY_SO_OVERFLOW_PREDICATE || type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE;
}

void
atoll_emit_predication(struct atoll_context *ctx)
{
   const struct atoll_query *q = ctx->cond_query;
   struct atoll_cs *cs = &ctx->cs;
   if (!q || !(is_occlusion(q->type) || is_overflow(q->type)))
      return;
   bool overflow = is_overflow(q->type);
   unsigned step = overflow ? 32 : q->pair_bytes;
   uint32_t op = PREDICATION_OP(overflow ? PREDICATION_PRIMCOUNT : PREDICATION_ZPASS);
   /* Something was visible, or everything fitted. */
   if (ctx->cond_cond == overflow)
      op |= PREDICATION_DRAW_VISIBLE;
   if (ctx->cond_mode == PIPE_RENDER_COND_NO_WAIT ||
       ctx->cond_mode == PIPE_RENDER_COND_BY_REGION_NO_WAIT)
      op |= PREDICATION_HINT_NOWAIT;
   unsigned emitted = 0;
   for (const struct chunk *c = q->chunks; c; c = c->next) {
      for (unsigned at = 0; at < c->used && emitted < 256; at += step, emitted++) {
         uint64_t va = c->bo->va + at;
         atoll_emit(cs, pm4_header(PM4_SET_PREDICATION, 2, false));
         atoll_emit(cs, (uint32_t)va);
         atoll_emit(cs, op | ((uint32_t)(va >> 32) & 0xFF));
         op |= PREDICATION_CONTINUE;
      }
      atoll_cs_add_bo(cs, c->bo, ATOLL_USAGE_READ);
   }
}

bool
atoll_predicated(const struct atoll_context *ctx)
{
   const struct atoll_query *q = ctx->cond_query;
   return q && (is_occlusion(q->type) || is_overflow(q->type)) && q->chunks &&
          !ctx->cond_forced_off;
}

static uint64_t
get_timestamp(struct pipe_screen *screen)
{
   return to_nanoseconds(screen, atoll_winsys_timestamp(atoll_screen(screen)->ws));
}

void
atoll_init_query(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->create_query = create_query;
   pipe->destroy_query = destroy_query;
   pipe->begin_query = begin_query;
   pipe->end_query = end_query;
   pipe->get_query_result = get_query_result;
   pipe->get_query_result_resource = get_query_result_resource;
   pipe->set_active_query_state = set_active_query_state;
   pipe->render_condition = render_condition;
}

void
atoll_init_screen_queries(struct atoll_screen *screen)
{
   screen->base.get_timestamp = get_timestamp;
}

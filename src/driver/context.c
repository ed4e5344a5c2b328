/* SPDX-License-Identifier: MIT */
/*
 * The context's life, and the life of its streams: a stream begins with all state dirty, ends when
 * it is full, flushed, or when the CPU needs what it produces, and carries queries and streamout
 * over to the next one.
 */
#include "context.h"

#include <stdio.h>

#include "util/u_atomic.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"
#include "util/u_upload_mgr.h"

#include <atoll/device.h>

#include "no_memory.h"
#include "notes.h"

/* What ends a stream: queries and streamout that are suspended. */
#define CS_TAIL_DW 256
/* No device counts as far as this. */
#define RESETS_OF_FORKED UINT32_MAX
/* Buffers that one stream may use, so that memory is not held for long. */
#define CS_MAX_BO_BYTES (UINT64_C(512) << 20)

static void
begin_stream(struct atoll_context *ctx)
{
   ctx->dirty = ATOM_ALL;
   ctx->draw_state_known = false;
   ctx->last_index_type = ~0u;
   memset(ctx->drv_va, 0, sizeof(ctx->drv_va));
   memset(ctx->textures_emitted, 0, sizeof(ctx->textures_emitted));
   atoll_emit_start(ctx);
   atoll_emit_predication(ctx);
   if (ctx->queries_suspended)
      atoll_resume_queries(ctx);
   ctx->stream_start = ctx->cs.cdw;
   ctx->small_draws = 0;
}

static void
print_stream(const struct atoll_cs *cs)
{
   fprintf(stderr, "; stream, %u dwords\n", cs->cdw);
   for (unsigned i = 0; i < cs->cdw;) {
      uint32_t header = cs->buf[i];
      if (pm4_type(header) != 3) {
         fprintf(stderr, "%5u  %08x\n", i, header);
         i++;
         continue;
      }
      unsigned payload = MIN2(pm4_payload(header), cs->cdw - i - 1);
      fprintf(stderr, "%5u  %08x %s%s", i, header, pm4_opcode_name(pm4_op(header)),
              pm4_predicated(header) ? " predicated" : "");
      for (unsigned d = 0; d < payload; d++)
         fprintf(stderr, " %08x", cs->buf[i + 1 + d]);
      fputc('\n', stderr);
      i += 1 + payload;
   }
}

/* Tells whoever listens of a reset that this context's work was the cause of: once, from any
 * thread. */
static void
say_reset(struct atoll_context *ctx)
{
   struct atoll_guilt guilt;
   if (!ctx->base.debug.debug_message || !atoll_winsys_guilt(ctx->ws, ctx->cs.context, &guilt) ||
       __atomic_exchange_n(&ctx->guilt_said, guilt.count, __ATOMIC_RELAXED) == guilt.count)
      return;
   util_debug_message(&ctx->base.debug, ERROR, "the device was reset: %s",
                      guilt.text[0] ? guilt.text : "a fault, see ATOLL_DEBUG=device");
}

/* The same of what the sanitizer for shaders has found since. */
static void
say_findings(struct atoll_context *ctx)
{
   struct atoll_finding finding;
   uint32_t number = __atomic_load_n(&ctx->findings_said, __ATOMIC_RELAXED);
   if (!ctx->screen->sanitized || !ctx->base.debug.debug_message)
      return;
   while (!atoll_winsys_finding(ctx->ws, number, &finding))
      if (__atomic_compare_exchange_n(&ctx->findings_said, &number, number + 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
         util_debug_message(&ctx->base.debug, ERROR, "sanitizer: %s", finding.text);
         number++;
      }
}

uint64_t
atoll_flush(struct atoll_context *ctx)
{
   say_reset(ctx);
   say_findings(ctx);
   if (ctx->cs.cdw <= ctx->stream_start && list_is_empty(&ctx->active_queries)) {
      /* It counts on every flush, also of batches that emit nothing. */
      if (ctx->tc)
         tc_driver_internal_flush_notify(ctx->tc);
      return ctx->last_seq;
   }
   if (ctx->so_begun)
      atoll_streamout_end(ctx);
   atoll_suspend_queries(ctx);
   if (ctx->flush & (FLUSH_TARGETS | FLUSH_STREAMOUT))
      atoll_emit_flush(ctx);
   if (ctx->screen->debug & ATOLL_DEBUG_CS)
      print_stream(&ctx->cs);
   ctx->last_seq = atoll_cs_submit(&ctx->cs);
   if (ctx->cs.no_memory) {
      ctx->cs.no_memory = false;
      atoll_no_memory(ctx);
   }
   if (ctx->cs.refused)
      util_debug_message(&ctx->base.debug, ERROR,
                         "The device refused a command stream, and nothing of it was done: %s",
                         strerror(ctx->cs.refused));
   if (ctx->screen->debug & ATOLL_DEBUG_SYNC)
      atoll_seq_wait(ctx->ws, ctx->last_seq, UINT64_MAX);
   if (ctx->tc)
      tc_driver_internal_flush_notify(ctx->tc);
   begin_stream(ctx);
   return ctx->last_seq;
}

void
atoll_flush_and_wait(struct atoll_context *ctx)
{
   ctx->cs.waits = true;
   const uint64_t seq = atoll_flush(ctx);
   ctx->cs.waits = false;
   atoll_seq_wait(ctx->ws, seq, UINT64_MAX);
   say_reset(ctx);
   say_findings(ctx);
}

void
atoll_need_space(struct atoll_context *ctx, unsigned dw)
{
   if (ctx->cs.cdw + dw + CS_TAIL_DW > ctx->cs.max_dw || ctx->cs.bo_bytes > CS_MAX_BO_BYTES)
      atoll_flush(ctx);
}

static void
flush(struct pipe_context *pipe, struct pipe_fence_handle **out, unsigned flags)
{
   struct atoll_context *ctx = atoll_context(pipe);
   /* glFinish: whoever gets the fence waits for it at once, on whatever thread. */
   ctx->cs.waits = out && flags & PIPE_FLUSH_HINT_FINISH;
   uint64_t seq = atoll_flush(ctx);
   ctx->cs.waits = false;
   if (flags & PIPE_FLUSH_END_OF_FRAME)
      atoll_winsys_end_frame(ctx->ws);

   if (!out)
      return;
   if (flags & TC_FLUSH_ASYNC) {
      /* The fence was made on the application's thread and waits for its number. */
      atoll_fence_set(*out, ctx->ws, seq);
      return;
   }
   struct pipe_fence_handle *fence = atoll_fence_create();
   if (fence) {
      atoll_fence_set(fence, ctx->ws, seq);
   } else {
      atoll_no_memory(ctx);
      atoll_seq_wait(ctx->ws, seq, UINT64_MAX);
      fence = &ctx->screen->done;
      p_atomic_inc(&fence->reference.count);
   }
   ctx->screen->base.fence_reference(&ctx->screen->base, out, NULL);
   *out = fence;
}

static struct pipe_fence_handle *
create_fence(struct pipe_context *pipe, struct tc_unflushed_batch_token *token)
{
   struct pipe_fence_handle *fence = atoll_fence_create();
   if (fence)
      tc_unflushed_batch_token_reference(&fence->token, token);
   return fence;
}

static void
fence_server_sync(struct pipe_context *pipe, struct pipe_fence_handle *fence)
{
   /* All contexts of a screen feed one ring, in the order of their submissions. */
}

static enum pipe_reset_status
get_device_reset_status(struct pipe_context *pipe)
{
   struct atoll_context *ctx = atoll_context(pipe);
   if (__atomic_exchange_n(&ctx->ended_feedback, false, __ATOMIC_RELAXED))
      return PIPE_GUILTY_CONTEXT_RESET;
   if (__atomic_exchange_n(&ctx->no_memory, false, __ATOMIC_RELAXED))
      return PIPE_UNKNOWN_CONTEXT_RESET;
   /* In a forked child the parent's context is lost, which is told once, as another reset is. */
   uint32_t resets =
      atoll_winsys_lost(ctx->ws) ? RESETS_OF_FORKED : atoll_winsys_reset_count(ctx->ws);
   if (resets == ctx->resets_seen)
      return PIPE_NO_RESET;
   ctx->resets_seen = resets;

   struct atoll_guilt guilt;
   if (!atoll_winsys_guilt(ctx->ws, ctx->cs.context, &guilt))
      return PIPE_UNKNOWN_CONTEXT_RESET;
   say_reset(ctx);
   if (guilt.count == ctx->guilt_seen)
      return PIPE_INNOCENT_CONTEXT_RESET;
   ctx->guilt_seen = guilt.count;
   return PIPE_GUILTY_CONTEXT_RESET;
}

static void
set_debug_callback(struct pipe_context *pipe, const struct util_debug_callback *callback)
{
   if (callback)
      pipe->debug = *callback;
   else
      memset(&pipe->debug, 0, sizeof(pipe->debug));
}

static void
get_sample_position(struct pipe_context *pipe, unsigned count, unsigned index, float out[2])
{
   atoll_sample_position(NULL, count, index, out);
}

static void
destroy(struct pipe_context *pipe)
{
   struct atoll_context *ctx = atoll_context(pipe);

   atoll_free_passthroughs(ctx);
   if (ctx->resolve_blend)
      pipe->delete_blend_state(pipe, ctx->resolve_blend);
   if (ctx->clear_shader)
      pipe->delete_fs_state(pipe, ctx->clear_shader);
   if (ctx->blitter)
      util_blitter_destroy(ctx->blitter);
   util_unreference_framebuffer_state(&ctx->fb);
   for (unsigned i = 0; i < ATOLL_MAX_VBS; i++)
      pipe_vertex_buffer_unreference(&ctx->vbs[i]);
   for (unsigned s = 0; s < ATOLL_STAGES; s++) {
      for (unsigned i = 0; i < ATOLL_MAX_CONST; i++)
         pipe_resource_reference(&ctx->constants[s].cb[i].buffer, NULL);
      for (unsigned i = 0; i < ATOLL_MAX_SAMPLERS; i++)
         pipe_sampler_view_reference((struct pipe_sampler_view **)&ctx->textures[s].views[i], NULL);
   }
   atoll_finish_uavs(ctx);
   atoll_finish_spares(ctx);
   for (unsigned i = 0; i < ATOLL_SO_BUFFERS; i++)
      pipe_so_target_reference((struct pipe_stream_output_target **)&ctx->so_targets[i], NULL);
   if (ctx->base.const_uploader && ctx->base.const_uploader != ctx->base.stream_uploader)
      u_upload_destroy(ctx->base.const_uploader);
   if (ctx->base.stream_uploader)
      u_upload_destroy(ctx->base.stream_uploader);
   if (ctx->upload)
      u_upload_destroy(ctx->upload);
   /* The rest of the stream was never flushed, so nobody can ask for its results. */
   atoll_cs_finish(&ctx->cs);
   p_atomic_dec(&ctx->screen->num_contexts);
   slab_destroy_child(&ctx->transfer_pool);
   slab_destroy_child(&ctx->transfer_pool_unsync);
   FREE(ctx);
}

struct pipe_context *
atoll_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   struct atoll_context *ctx =
      atoll_reconnect_screen(screen, true) ? CALLOC_STRUCT(atoll_context) : NULL;
   if (!ctx) {
      atoll_no_memory(NULL);
      return NULL;
   }

   p_atomic_inc(&screen->num_contexts);
   ctx->screen = screen;
   ctx->ws = screen->ws;
   struct pipe_context *pipe = &ctx->base;
   pipe->screen = pscreen;
   pipe->priv = priv;
   pipe->destroy = destroy;
   pipe->flush = flush;
   pipe->fence_server_sync = fence_server_sync;
   pipe->get_device_reset_status = get_device_reset_status;
   pipe->set_debug_callback = set_debug_callback;
   pipe->emit_string_marker = atoll_emit_marker;
   pipe->get_sample_position = get_sample_position;
   list_inithead(&ctx->active_queries);
   slab_create_child(&ctx->transfer_pool, &screen->transfer_pool);
   slab_create_child(&ctx->transfer_pool_unsync, &screen->transfer_pool);
   ctx->sample_mask = ~0u;
   ctx->samples = 1;
   ctx->view = -1;
   ctx->resets_seen = atoll_winsys_reset_count(ctx->ws);

   atoll_init_state(ctx);
   atoll_init_views(ctx);
   atoll_init_shaders(ctx);
   atoll_init_transfer(ctx);
   atoll_init_blit(ctx);
   atoll_init_query(ctx);
   atoll_init_streamout(ctx);
   atoll_init_tess(ctx);
   atoll_init_draw(ctx);
   atoll_init_compute(ctx);
   atoll_init_uavs(ctx);
   if (screen->backend->limits->counters)
      atoll_init_counters(pipe);

   pipe->stream_uploader = u_upload_create(pipe, 256 * 1024, 0, PIPE_USAGE_STREAM, 0);
   pipe->const_uploader =
      u_upload_create(pipe, 128 * 1024, PIPE_BIND_CONSTANT_BUFFER, PIPE_USAGE_STREAM, 0);
   ctx->upload = u_upload_create(pipe, 128 * 1024, 0, PIPE_USAGE_STREAM, 0);
   if (!atoll_cs_init(&ctx->cs, ctx->ws, ATOLL_RING_GFX) || !pipe->stream_uploader ||
       !pipe->const_uploader || !ctx->upload || !atoll_init_spares(ctx)) {
      atoll_no_memory(NULL);
      destroy(pipe);
      return NULL;
   }
   ctx->cs.context = atoll_winsys_new_context(ctx->ws);
   ctx->cs.patient = !(flags & PIPE_CONTEXT_LOSE_CONTEXT_ON_RESET);
   begin_stream(ctx);
   ctx->blitter = util_blitter_create(pipe);
   if (!ctx->blitter) {
      destroy(pipe);
      return NULL;
   }
   atoll_init_blitter(ctx);

   if (!(flags & PIPE_CONTEXT_PREFER_THREADED) || !screen->threaded)
      return pipe;
   pipe = threaded_context_create(pipe, &screen->transfer_pool, atoll_replace_buffer,
                                  &(struct threaded_context_options){
                                     .create_fence = create_fence,
                                     .is_resource_busy = atoll_is_resource_busy,
                                     .driver_calls_flush_notify = true,
                                     .unsynchronized_get_device_reset_status = true,
                                  },
                                  &ctx->tc);
   if (pipe && screen->backend->limits->counters) {
      atoll_init_counters(pipe);
      /* It looks at as many slots as there are storage buffers, to know what a batch uses and what
       * is bound where storage is replaced; counters lie in those after them. */
      if (ctx->tc)
         ctx->tc->max_shader_buffers = ATOLL_FIRST_COUNTERS + ATOLL_NIR_COUNTER_BUFFERS;
   }
   return pipe;
}

/* SPDX-License-Identifier: MIT */
/*
 * Fences: the sequence number of a submission, or the promise of one while the driver's thread has
 * not made it yet (u_threaded_context's asynchronous flush).
 */
#include "context.h"

#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"

struct pipe_fence_handle *
atoll_fence_create(void)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);
   if (fence) {
      pipe_reference_init(&fence->reference, 1);
      util_queue_fence_init(&fence->ready);
      util_queue_fence_reset(&fence->ready);
   }
   return fence;
}

void
atoll_fence_set(struct pipe_fence_handle *fence, struct atoll_winsys *ws, uint64_t seq)
{
   fence->ws = ws;
   fence->seq = seq;
   util_queue_fence_signal(&fence->ready);
}

static void
fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **dst,
                struct pipe_fence_handle *src)
{
   struct pipe_fence_handle *old = *dst;
   if (pipe_reference(old ? &old->reference : NULL, src ? &src->reference : NULL)) {
      tc_unflushed_batch_token_reference(&old->token, NULL);
      util_queue_fence_destroy(&old->ready);
      FREE(old);
   }
   *dst = src;
}

static bool
fence_finish(struct pipe_screen *pscreen, struct pipe_context *pipe,
             struct pipe_fence_handle *fence, uint64_t timeout)
{
   int64_t deadline = os_time_get_absolute_timeout(timeout);

   if (!util_queue_fence_is_signalled(&fence->ready)) {
      if (fence->token && pipe)
         threaded_context_flush(pipe, fence->token, timeout == 0);
      if (!timeout)
         return false;
      if (timeout == OS_TIMEOUT_INFINITE)
         util_queue_fence_wait(&fence->ready);
      else if (!util_queue_fence_wait_timeout(&fence->ready, deadline))
         return false;
   }
   if (timeout != 0 && timeout != OS_TIMEOUT_INFINITE) {
      int64_t now = os_time_get_nano();
      timeout = now < deadline ? (uint64_t)(deadline - now) : 0;
   }
   return atoll_seq_wait(fence->ws, fence->seq, timeout);
}

void
atoll_init_screen_fences(struct atoll_screen *screen)
{
   screen->base.fence_reference = fence_reference;
   screen->base.fence_finish = fence_finish;
   pipe_reference_init(&screen->done.reference, 1);
   util_queue_fence_init(&screen->done.ready);
   screen->done.ws = screen->ws;
}

/* SPDX-License-Identifier: MIT */
/*
 * A submission that its driver has read and checked: into the queue, and into the capture where
 * there is one.
 */
#include "frontdoor/device.h"

#include <stdlib.h>

#include "frontdoor/capture.h"

static void
raise_seq(struct bo *bo, uint64_t seq)
{
   uint64_t old = atomic_load(&bo->last_seq);

   while (old < seq && !atomic_compare_exchange_weak(&bo->last_seq, &old, seq))
      ;
}

/* Captures `job` if its frame is wanted, and runs it alone then. */
static uint64_t
submit_captured(struct atoll_client *client, struct job *job, const struct submit_buffer *buffers,
                uint32_t num_buffers)
{
   struct atoll_device *device = client->device;
   struct capture_buffer *named = calloc(num_buffers ? num_buffers : 1, sizeof(*named));
   uint64_t seq;
   bool wanted;

   pthread_mutex_lock(&device->capture_lock);
   job->begins_frame |= device->frame_ended;
   device->frame_ended = job->ends_frame;
   wanted = capture_frame(device->capture, job->begins_frame);
   if (wanted) {
      for (uint32_t i = 0; named && i < num_buffers; i++)
         named[i] = (struct capture_buffer){
            .va = gem_address(client, buffers[i].handle),
            .touched = buffers[i].bo->touched || buffers[i].bo->backing != BO_ARENA,
         };
      /* Those before the first that is captured. */
      queue_wait(device, queue_newest(device));
      capture_before(device->capture, client,
                     &(struct capture_submission){ .ring = job->ring,
                                                   .words = job->words,
                                                   .num_words = job->num_words,
                                                   .buffers = named,
                                                   .num_buffers = named ? num_buffers : 0,
                                                   .begins_frame = job->begins_frame });
   }
   seq = queue_submit(device, job);
   if (wanted) {
      queue_wait(device, seq);
      capture_after(device->capture, client);
   }
   pthread_mutex_unlock(&device->capture_lock);
   free(named);
   return seq;
}

/* Whether other processes may have any of these.  Each has a device, and nothing of one process
 * orders its work with another's: to them a buffer is as the submission leaves it once the call has
 * returned, as if the kernel's fence on the buffer had been waited for. */
static bool
is_shared(struct atoll_device *device, const struct submit_buffer *buffers, uint32_t num_buffers)
{
   bool shared = false;

   pthread_mutex_lock(&device->lock);
   for (uint32_t i = 0; i < num_buffers && !shared; i++)
      shared = buffers[i].bo->backing == BO_FILE && !buffers[i].bo->inside;
   pthread_mutex_unlock(&device->lock);
   return shared;
}

void
submit_job(struct atoll_client *client, struct job *job, const struct submit_buffer *buffers,
           uint32_t num_buffers)
{
   struct atoll_device *device = client->device;
   const uint64_t seq = device->capture ? submit_captured(client, job, buffers, num_buffers)
                                        : queue_submit(device, job);

   for (uint32_t i = 0; i < num_buffers; i++)
      raise_seq(buffers[i].bo, seq);
   if (device->synchronous || is_shared(device, buffers, num_buffers))
      queue_wait(device, seq);
}

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

/* Captures `job`, and runs it alone. */
static uint64_t
submit_captured(struct atoll_client *client, struct job *job, const struct submit_buffer *buffers,
                uint32_t num_buffers)
{
   struct atoll_device *device = client->device;
   uint64_t *vas = calloc(num_buffers ? num_buffers : 1, sizeof(*vas)), seq;

   pthread_mutex_lock(&device->capture_lock);
   for (uint32_t i = 0; vas && i < num_buffers; i++)
      vas[i] = gem_address(client, buffers[i].handle);
   capture_before(device->capture, client, job->ring, job->words, job->num_words, vas,
                  vas ? num_buffers : 0);
   seq = queue_submit(device, job);
   queue_wait(device, seq);
   capture_after(device->capture, client);
   pthread_mutex_unlock(&device->capture_lock);
   free(vas);
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
      shared = buffers[i].bo->backing == BO_FILE;
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

/* SPDX-License-Identifier: MIT */
/*
 * The queue between clients and the thread that executes.  Submissions of all clients and
 * rings execute one after another, in the order of their sequence numbers.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "floats.h"

/* A client that is this far ahead waits. */
#define MAX_QUEUED 64

static void
execute(struct atoll_device *device, struct job *job)
{
   struct atoll_client *client = job->client;

   pthread_mutex_lock(&client->running);
   device->driver->execute(device, job);
   gem_reap(client, job->seq);
   /* Done before the client is let go of: who closes it waits for both. */
   pthread_mutex_lock(&device->lock);
   atomic_store_explicit(&device->completed, job->seq, memory_order_release);
   pthread_cond_broadcast(&device->done);
   pthread_mutex_unlock(&device->lock);
   pthread_mutex_unlock(&client->running);
}

static void *
run(void *data)
{
   struct atoll_device *device = data;

   floats_enter();
   pthread_mutex_lock(&device->lock);
   for (;;) {
      struct job *job = device->first;

      if (job) {
         device->first = job->next;
         if (!device->first)
            device->last = &device->first;
         device->queued--;
         pthread_mutex_unlock(&device->lock);
         execute(device, job);
         free(job);
         pthread_mutex_lock(&device->lock);
      } else if (device->stop) {
         break;
      } else {
         pthread_cond_wait(&device->work, &device->lock);
      }
   }
   pthread_mutex_unlock(&device->lock);
   return NULL;
}

int
queue_start(struct atoll_device *device)
{
   sigset_t all, old;
   int error;

   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   error = pthread_create(&device->thread, NULL, run, device);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   if (!error)
      pthread_setname_np(device->thread, "atoll-cp");
   return error;
}

/* Finishes what is queued. */
void
queue_stop(struct atoll_device *device)
{
   pthread_mutex_lock(&device->lock);
   device->stop = true;
   pthread_cond_broadcast(&device->work);
   pthread_mutex_unlock(&device->lock);
   pthread_join(device->thread, NULL);
}

uint64_t
queue_submit(struct atoll_device *device, struct job *job)
{
   uint64_t seq;

   job->next = NULL;
   pthread_mutex_lock(&device->lock);
   while (device->queued >= MAX_QUEUED && !device->stop)
      pthread_cond_wait(&device->done, &device->lock);
   seq = ++device->submitted;
   job->seq = seq;
   if (device->stop) {
      /* The process is ending; nobody will look at the result. */
      atomic_store_explicit(&device->completed, seq, memory_order_release);
      free(job);
   } else {
      atomic_store(&job->client->last_seq, seq);
      *device->last = job;
      device->last = &job->next;
      device->queued++;
      pthread_cond_signal(&device->work);
   }
   pthread_mutex_unlock(&device->lock);
   return seq;
}

void
queue_wait(struct atoll_device *device, uint64_t seq)
{
   if (queue_done(device, seq))
      return;
   pthread_mutex_lock(&device->lock);
   while (!queue_done(device, seq))
      pthread_cond_wait(&device->done, &device->lock);
   pthread_mutex_unlock(&device->lock);
}

/* SPDX-License-Identifier: MIT */
/*
 * The queue between clients and the thread that executes.  Submissions of all clients and rings
 * execute one after another, in the order of their sequence numbers: on the queue's own thread, or
 * on a thread that waits for one while none executes.  Otherwise a wait right away, as for a map of
 * a busy buffer, would pay for two switches between threads, each of which costs more than a small
 * draw.
 *
 * The client's thread keeps its signals, so that a program can be interrupted: a handler that
 * calls exit() there ends the process with the submission half done.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "floats.h"
#include "frontdoor/syncobj.h"
#include "frontdoor/wire.h"

/* A client that is this far ahead waits. */
#define MAX_QUEUED 64

static void
execute(struct atoll_device *device, struct job *job)
{
   struct atoll_client *client = job->client;

   pthread_mutex_lock(&client->running);
   if (client->status)
      atomic_store(&client->status->executing, STATUS_EXECUTING | job->context);
   if (!atomic_load(&client->gone))
      device->driver->execute(device, job);
   if (client->status)
      atomic_store(&client->status->executing, 0);
   gem_reap(client, job->seq);
   /* Done before the client is let go of: closing it waits for both. */
   pthread_mutex_lock(&device->lock);
   atomic_store_explicit(&device->completed, job->seq, memory_order_release);
   sync_files_signal(device, job->seq);
   pthread_cond_broadcast(&device->done);
   pthread_mutex_unlock(&device->lock);
   pthread_mutex_unlock(&client->running);
}

/* Whether there is something to execute and nobody does.  Call with device->lock held. */
static bool
is_stalled(const struct atoll_device *device)
{
   return device->first && !device->executing;
}

/* Executes the first submission of a stalled queue.  Call with device->lock held. */
static void
execute_first(struct atoll_device *device)
{
   struct job *job = device->first;

   device->first = job->next;
   if (!device->first)
      device->last = &device->first;
   device->queued--;
   device->executing = true;
   device->executor = pthread_self();
   device->current = job->client;
   pthread_mutex_unlock(&device->lock);
   execute(device, job);
   free(job);
   pthread_mutex_lock(&device->lock);
   device->executing = false;
   device->current = NULL;
}

static void *
run(void *data)
{
   struct atoll_device *device = data;

   floats_enter();
   pthread_mutex_lock(&device->lock);
   for (;;)
      if (is_stalled(device))
         execute_first(device);
      else if (device->stop && !device->executing)
         break;
      else
         pthread_cond_wait(&device->work, &device->lock);
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

/* Seconds for which no thread holds device->lock but one that calls exit() in a signal handler. */
#define LOCK_SECONDS 3

bool
queue_stop(struct atoll_device *device)
{
   struct timespec until;
   bool inside;

   clock_gettime(CLOCK_REALTIME, &until);
   until.tv_sec += LOCK_SECONDS;
   if (pthread_mutex_timedlock(&device->lock, &until))
      return false;
   device->stop = true;
   inside = device->executing && pthread_equal(device->executor, pthread_self());
   if (inside)
      atomic_store_explicit(&device->completed, device->submitted, memory_order_release);
   pthread_cond_broadcast(&device->work);
   pthread_cond_broadcast(&device->done);
   pthread_mutex_unlock(&device->lock);
   if (!inside)
      pthread_join(device->thread, NULL);
   return !inside;
}

uint64_t
queue_submit(struct atoll_device *device, struct job *job)
{
   uint64_t seq;

   job->next = NULL;
   pthread_mutex_lock(&device->lock);
   while (device->queued >= MAX_QUEUED && !device->stop) {
      /* The jobs that are queued may have woken no thread yet. */
      pthread_cond_signal(&device->work);
      pthread_cond_wait(&device->done, &device->lock);
   }
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
      /* The thread that waits for it executes it. */
      if (!device->synchronous && !job->waits)
         pthread_cond_signal(&device->work);
   }
   pthread_mutex_unlock(&device->lock);
   return seq;
}

uint64_t
queue_newest(struct atoll_device *device)
{
   uint64_t seq;

   pthread_mutex_lock(&device->lock);
   seq = device->submitted;
   pthread_mutex_unlock(&device->lock);
   return seq;
}

#define AGAIN_NS 5000000

void
queue_abandon(struct atoll_client *client)
{
   struct atoll_device *device = client->device;
   const struct timespec pause = { .tv_nsec = AGAIN_NS };

   atomic_store(&client->gone, true);
   /* It may be about to begin, which undoes what it is told now. */
   while (!queue_done(device, atomic_load(&client->last_seq))) {
      pthread_mutex_lock(&device->lock);
      if (device->current == client)
         device->driver->abandon(device);
      else
         pthread_cond_signal(&device->work);
      pthread_mutex_unlock(&device->lock);
      nanosleep(&pause, NULL);
   }
}

void
queue_wait(struct atoll_device *device, uint64_t seq)
{
   struct floats floats;
   int cancel;

   if (queue_done(device, seq))
      return;
   floats = floats_enter();
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   pthread_mutex_lock(&device->lock);
   while (!queue_done(device, seq))
      if (is_stalled(device))
         execute_first(device);
      else
         pthread_cond_wait(&device->done, &device->lock);
   /* The rest is the queue's thread's, and so is the end. */
   if (is_stalled(device) || (device->stop && !device->executing))
      pthread_cond_signal(&device->work);
   pthread_mutex_unlock(&device->lock);
   pthread_setcancelstate(cancel, NULL);
   floats_leave(floats);
}

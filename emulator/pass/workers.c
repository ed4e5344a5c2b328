/* SPDX-License-Identifier: MIT */
/*
 * Worker threads; see workers.h.  Workers sleep on a condition variable; between the two phases of
 * a pass they spin for a moment first.
 */
#include "pass/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#define SPINS 4000 /* pauses before a worker goes to sleep: some 40 us */

struct workers;

struct thread {
   struct workers *workers;
   pthread_t handle;
   unsigned index;
};

struct workers {
   unsigned count;
   struct thread *threads; /* [count], [0] unused */
   unsigned started;

   workers_fn *fn;
   void *data;
   uint32_t items;
   _Alignas(128) _Atomic uint32_t next; /* of the items; apart from what is only read */
   _Alignas(128) _Atomic uint32_t job;  /* changes when there is work */
   _Atomic uint32_t running;            /* threads that have not finished the job */
   _Atomic bool quit;

   pthread_mutex_t lock;
   pthread_cond_t wake;
   unsigned sleeping;
};

static void
work(struct workers *w, unsigned index)
{
   for (;;) {
      const uint32_t item = atomic_fetch_add_explicit(&w->next, 1, memory_order_relaxed);

      if (item >= w->items)
         return;
      w->fn(w->data, index, item);
   }
}

static void *
thread_main(void *arg)
{
   struct thread *t = arg;
   struct workers *w = t->workers;
   uint32_t seen = 0;

   /* The device's arithmetic assumes the default environment: nearest, no traps, denormals. */
   _mm_setcsr(0x1f80);
   for (;;) {
      for (unsigned i = 0; i < SPINS; i++) {
         if (atomic_load_explicit(&w->job, memory_order_acquire) != seen)
            break;
         _mm_pause();
      }
      if (atomic_load_explicit(&w->job, memory_order_acquire) == seen) {
         pthread_mutex_lock(&w->lock);
         w->sleeping++;
         while (atomic_load_explicit(&w->job, memory_order_acquire) == seen)
            pthread_cond_wait(&w->wake, &w->lock);
         w->sleeping--;
         pthread_mutex_unlock(&w->lock);
      }
      seen = atomic_load_explicit(&w->job, memory_order_acquire);
      if (atomic_load(&w->quit))
         return NULL;
      work(w, t->index);
      atomic_fetch_sub_explicit(&w->running, 1, memory_order_acq_rel);
   }
}

struct workers *
workers_create(unsigned count)
{
   struct workers *w = aligned_alloc(_Alignof(struct workers), sizeof *w);
   sigset_t all, old;

   if (!w)
      return NULL;
   memset(w, 0, sizeof *w);
   w->count = count ? count : 1;
   w->threads = calloc(w->count, sizeof *w->threads);
   if (!w->threads) {
      free(w);
      return NULL;
   }
   pthread_mutex_init(&w->lock, NULL);
   pthread_cond_init(&w->wake, NULL);

   /* The host program's signals are not for us. */
   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   for (unsigned i = 1; i < w->count; i++) {
      w->threads[i] = (struct thread){ w, 0, i };
      if (pthread_create(&w->threads[i].handle, NULL, thread_main, &w->threads[i]))
         break;
      w->started = i;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return w;
}

static void
kick(struct workers *w)
{
   pthread_mutex_lock(&w->lock);
   atomic_fetch_add_explicit(&w->job, 1, memory_order_release);
   if (w->sleeping)
      pthread_cond_broadcast(&w->wake);
   pthread_mutex_unlock(&w->lock);
}

void
workers_destroy(struct workers *w)
{
   if (!w)
      return;
   atomic_store(&w->quit, true);
   kick(w);
   for (unsigned i = 1; i <= w->started; i++)
      pthread_join(w->threads[i].handle, NULL);
   pthread_cond_destroy(&w->wake);
   pthread_mutex_destroy(&w->lock);
   free(w->threads);
   free(w);
}

void
workers_run(struct workers *w, workers_fn *fn, void *data, uint32_t items, bool alone)
{
   if (alone || items <= 1 || !w->started) {
      for (uint32_t i = 0; i < items; i++)
         fn(data, 0, i);
      return;
   }
   w->fn = fn;
   w->data = data;
   w->items = items;
   atomic_store_explicit(&w->next, 0, memory_order_relaxed);
   atomic_store_explicit(&w->running, w->started, memory_order_relaxed);
   kick(w);
   work(w, 0);
   while (atomic_load_explicit(&w->running, memory_order_acquire))
      _mm_pause();
}

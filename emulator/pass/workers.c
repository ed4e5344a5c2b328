/* SPDX-License-Identifier: MIT */
/*
 * Worker threads; see workers.h.
 *
 * Nobody waits for a thread that holds no work.
 * 1. A thread counts for a job from when it takes an item to when it has finished it: what the
 *    system has not scheduled yet takes none, and the job ends without it.
 * 2. A thread that comes late finds no item left, or items of the next job, and those are as good.
 *    An item is therefore taken by counting down `left`, never below zero.  Only a thread that took
 *    an item reads what the job is, and until the item is done that does not change.
 * 3. A thread that finds no item left spins for a moment, since the phases of a pass follow
 *    closely, and then sleeps in the kernel (futex).  If it came too late for a phase, it may be
 *    there for the next.
 * 4. A caller that was not running for long during two jobs shortly after each other competes with
 *    other programs.  For a while then, reserves work beside the others; they never spin.  With
 *    them the threads compete among themselves: only jobs without them count.
 */
#include "pass/workers.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "floats.h"
#include "pass/times.h"

/* Before a thread goes to sleep.  A pause takes 10 to 50 ns by the processor, so time decides; the
 * number of pauses is for a clock that stands still.  What spins longer takes a busy machine's
 * processor from the thread that it waits for. */
enum {
   SPIN_NS = 20000,
   SPINS = 4000,       /* pauses, at most */
   SPINS_OF_LOOK = 32, /* between two looks at the clock */
};

/* A job is lost if it leaves its caller off the processor for that long, and for that part of the
 * job's time.  Two of them so far apart at most, and reserves work for a while. */
enum {
   LOST_NS = 1500000,
   LOST_PART = 8,
   APART_NS = 20000000,
   COMPETE_NS = 200000000,
};

struct thread {
   struct workers *workers;
   pthread_t handle;
   unsigned index;
};

struct workers {
   unsigned count, reserve;
   struct thread *threads;         /* [count + reserve], [0] unused */
   unsigned started;               /* the last one that runs; reserves when they are needed first */
   unsigned first;                 /* the last one that was started with all this */
   int64_t lost_at, compete_until; /* by the clock */
   bool competes;                  /* the job has reserves */
   void (*begin)(void);            /* for the first thread, or NULL */
   struct times *times;            /* NULL: nobody asks */

   /* The job, while it has items that are not finished. */
   workers_fn *fn;
   void *data;
   uint32_t items;
   _Alignas(128) _Atomic uint32_t left;       /* items that nobody took */
   _Alignas(128) _Atomic uint32_t unfinished; /* items; a futex for the caller */
   _Atomic bool caller_sleeps;
   _Alignas(128) _Atomic uint32_t job; /* changes when there is work; a futex for the workers */
   _Atomic uint32_t sleeping;          /* workers */
   _Atomic uint32_t reserve_job;       /* the same for reserves */
   _Atomic bool quit;
};

/* Sleeps unless *word has another value already; may return early. */
static void
sleep_while(_Atomic uint32_t *word, uint32_t value)
{
   syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void
wake(_Atomic uint32_t *word, uint32_t threads)
{
   syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads < INT_MAX ? threads : INT_MAX, NULL, NULL,
           0);
}

/* Waits a moment for *word to change. */
static bool
spin_while(_Atomic uint32_t *word, uint32_t value)
{
   int64_t start = 0;

   for (unsigned i = 0; i < SPINS; i++) {
      if (atomic_load_explicit(word, memory_order_acquire) != value)
         return false;
      _mm_pause();
      if (i % SPINS_OF_LOOK)
         continue;
      if (!i)
         start = times_now();
      else if (times_now() - start >= SPIN_NS)
         break;
   }
   return true;
}

/* How many items of the job are left; one of them is then the caller's.  0: none. */
static uint32_t
take(struct workers *w)
{
   uint32_t left = atomic_load_explicit(&w->left, memory_order_relaxed);

   while (left && !atomic_compare_exchange_weak_explicit(
                     &w->left, &left, left - 1, memory_order_acquire, memory_order_relaxed))
      ;
   return left;
}

static void
run_item(const struct workers *w, workers_fn *fn, void *data, unsigned index, uint32_t item)
{
   if (!w->times) {
      fn(data, index, item);
      return;
   }
   const int64_t start = times_spent();

   fn(data, index, item);
   times_item(w->times, index, times_spent() - start);
}

/* Takes items until none is left. */
static void
work(struct workers *w, unsigned index)
{
   for (uint32_t left; (left = take(w)) != 0;) {
      run_item(w, w->fn, w->data, index, w->items - left);
      /* Both sides write before they read: one of them sees the other. */
      if (atomic_fetch_sub(&w->unfinished, 1) == 1 && atomic_load(&w->caller_sleeps))
         wake(&w->unfinished, 1);
   }
}

static void *
thread_main(void *arg)
{
   struct thread *t = arg;
   struct workers *w = t->workers;

   floats_enter();
   if (t->index == 1 && w->begin)
      w->begin();
   for (;;) {
      const uint32_t seen = atomic_load_explicit(&w->job, memory_order_acquire);

      if (atomic_load(&w->quit))
         return NULL;
      work(w, t->index);
      if (!spin_while(&w->job, seen))
         continue;
      atomic_fetch_add(&w->sleeping, 1);
      sleep_while(&w->job, seen);
      atomic_fetch_sub(&w->sleeping, 1);
   }
}

static void *
reserve_main(void *arg)
{
   struct thread *t = arg;
   struct workers *w = t->workers;

   floats_enter();
   for (;;) {
      const uint32_t seen = atomic_load_explicit(&w->reserve_job, memory_order_acquire);

      if (atomic_load(&w->quit))
         return NULL;
      work(w, t->index);
      sleep_while(&w->reserve_job, seen);
   }
}

/* Starts threads up to number `end`, as far as there are any to be had. */
static void
start(struct workers *w, unsigned end)
{
   sigset_t all, old;

   /* The host program's signals are not for us. */
   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   for (unsigned i = w->started + 1; i < end; i++) {
      w->threads[i] = (struct thread){ w, 0, i };
      if (pthread_create(&w->threads[i].handle, NULL, i < w->count ? thread_main : reserve_main,
                         &w->threads[i]))
         break;
      w->started = i;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct workers *
workers_create(unsigned count, unsigned reserve, void (*begin)(void), struct times *times)
{
   struct workers *w = aligned_alloc(_Alignof(struct workers), sizeof(*w));

   if (!w)
      return NULL;
   memset(w, 0, sizeof(*w));
   w->count = count ? count : 1;
   w->reserve = reserve;
   w->begin = begin;
   w->times = times;
   w->threads = calloc(w->count + reserve, sizeof(*w->threads));
   if (!w->threads) {
      free(w);
      return NULL;
   }
   start(w, w->count);
   w->first = w->started;
   return w;
}

unsigned
workers_clocks(const struct workers *w, clockid_t *clock, unsigned most)
{
   unsigned n = 0;

   for (unsigned i = 1; i <= w->first && n < most; i++)
      n += !pthread_getcpuclockid(w->threads[i].handle, &clock[n]);
   return n;
}

/* Up to `threads` of those that sleep look for work; those that do not see it themselves. */
static void
kick(struct workers *w, uint32_t threads)
{
   atomic_fetch_add(&w->job, 1);
   if (atomic_load(&w->sleeping))
      wake(&w->job, threads);
}

static void
kick_reserve(struct workers *w)
{
   atomic_fetch_add(&w->reserve_job, 1);
   wake(&w->reserve_job, w->reserve);
}

void
workers_destroy(struct workers *w)
{
   if (!w)
      return;
   atomic_store(&w->quit, true);
   kick(w, UINT32_MAX);
   kick_reserve(w);
   for (unsigned i = 1; i <= w->started; i++)
      pthread_join(w->threads[i].handle, NULL);
   free(w->threads);
   free(w);
}

/* Until all items are finished. */
static void
wait_for_rest(struct workers *w)
{
   uint32_t rest;

   while ((rest = atomic_load_explicit(&w->unfinished, memory_order_acquire)) != 0) {
      if (!spin_while(&w->unfinished, rest))
         continue;
      atomic_store(&w->caller_sleeps, true);
      rest = atomic_load(&w->unfinished);
      if (rest)
         sleep_while(&w->unfinished, rest);
      atomic_store(&w->caller_sleeps, false);
   }
}

static void
run_together(struct workers *w, workers_fn *fn, void *data, uint32_t items)
{
   w->fn = fn;
   w->data = data;
   w->items = items;
   atomic_store_explicit(&w->unfinished, items, memory_order_relaxed);
   atomic_store_explicit(&w->left, items, memory_order_release);
   kick(w, items - 1);
   if (w->competes) {
      start(w, w->count + w->reserve);
      kick_reserve(w);
   }
   work(w, 0);
   if (w->times)
      times_job_wait(w->times);
   wait_for_rest(w);
}

/* The same where there are reserves, which the next job may need if this one is lost. */
static void
run_beside_others(struct workers *w, workers_fn *fn, void *data, uint32_t items)
{
   const int64_t began = times_now(), ran = times_spent();

   w->competes = began < w->compete_until && w->started + 1 >= w->count;
   run_together(w, fn, data, items);
   if (w->competes)
      return;

   const int64_t end = times_now(), took = end - began, lost = took - (times_spent() - ran);

   if (lost <= LOST_NS || lost <= took / LOST_PART)
      return;
   if (w->lost_at && began - w->lost_at < APART_NS)
      w->compete_until = end + COMPETE_NS;
   w->lost_at = end;
}

void
workers_run(struct workers *w, workers_fn *fn, void *data, uint32_t items, bool alone)
{
   const bool together = !alone && items > 1;

   if (w->times)
      times_job(w->times, together, items);
   if (together && w->started && w->reserve)
      run_beside_others(w, fn, data, items);
   else if (together && w->started)
      run_together(w, fn, data, items);
   else
      for (uint32_t i = 0; i < items; i++)
         run_item(w, fn, data, 0, i);
   if (w->times)
      times_job_end(w->times);
}

/* SPDX-License-Identifier: MIT */
/* The thread that ends submissions; see watchdog.h. */
#include "pass/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "pass/times.h"
#include "pass/workers.h"

/* Between two looks: a part of the least limit, within bounds. */
enum {
   LOOKS = 40,
   LOOK_MIN_NS = 2000000,
   LOOK_MAX_NS = 100000000,
   AGAIN_NS = 1000000, /* until what was told to end has ended */
   LATE = 4,           /* looks that one may have been late; the rest somebody had us stopped */
};

#define MAX_THREADS 80u /* with clocks that are looked at */

struct watchdog {
   struct worker *worker;
   unsigned threads;
   const struct workers *workers;
   pthread_mutex_t lock;
   pthread_cond_t change;
   pthread_t thread;
   bool started, quit;
   bool parked; /* the thread sleeps until a submission begins */

   /* The submission. */
   uint64_t serial; /* odd while there is one */
   pthread_t executor;
   int64_t began, host_limit, wall_limit;
   _Atomic int why; /* enum watchdog_why */

   /* What the thread knows of it. */
   uint64_t seen; /* serial */
   int64_t looked, host_base, wall;
   unsigned num_clocks;
   clockid_t clock[MAX_THREADS];
   int64_t start[MAX_THREADS];
};

static int64_t
read_clock(clockid_t clock)
{
   struct timespec t;

   return clock_gettime(clock, &t) ? 0 : t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t
look_ns(const struct watchdog *w)
{
   int64_t least = INT64_MAX;

   if (w->host_limit)
      least = w->host_limit;
   if (w->wall_limit && w->wall_limit < least)
      least = w->wall_limit;
   least /= LOOKS;
   return least < LOOK_MIN_NS ? LOOK_MIN_NS : least > LOOK_MAX_NS ? LOOK_MAX_NS : least;
}

/* The submission is a new one: what it has used before anybody looked counts as both times. */
static void
first_look(struct watchdog *w, int64_t now)
{
   const int64_t most = LATE * look_ns(w);
   int64_t used = now - w->began;

   used = used < 0 ? 0 : used > most ? most : used;
   w->seen = w->serial;
   w->host_base = w->wall = used;
   w->looked = now;
   w->num_clocks = workers_clocks(w->workers, w->clock, MAX_THREADS - 1);
   if (!pthread_getcpuclockid(w->executor, &w->clock[w->num_clocks]))
      w->num_clocks++;
   for (unsigned i = 0; i < w->num_clocks; i++)
      w->start[i] = read_clock(w->clock[i]);
}

/* What the thread that worked most has had of its processor since the first look. */
static int64_t
busiest(const struct watchdog *w)
{
   int64_t most = 0;

   for (unsigned i = 0; i < w->num_clocks; i++) {
      const int64_t ran = read_clock(w->clock[i]) - w->start[i];

      most = ran > most ? ran : most;
   }
   return most;
}

/* Looks at the submission under way. */
static enum watchdog_why
look(struct watchdog *w)
{
   const int64_t now = times_now(), most = LATE * look_ns(w);

   if (w->seen != w->serial) {
      first_look(w, now);
   } else {
      w->wall += now - w->looked > most ? most : now - w->looked;
      w->looked = now;
   }
   if (w->host_limit && w->host_base + busiest(w) >= w->host_limit)
      return WATCHDOG_HOST;
   return w->wall_limit && w->wall >= w->wall_limit ? WATCHDOG_WALL : WATCHDOG_NOTHING;
}

static void
sleep_for(struct watchdog *w, int64_t ns)
{
   struct timespec until;

   clock_gettime(CLOCK_MONOTONIC, &until);
   ns += until.tv_nsec;
   until.tv_sec += ns / 1000000000;
   until.tv_nsec = ns % 1000000000;
   pthread_cond_timedwait(&w->change, &w->lock, &until);
}

static void *
run(void *data)
{
   struct watchdog *w = data;
   uint64_t idle = 0; /* the serial when there was nothing last */

   pthread_mutex_lock(&w->lock);
   while (!w->quit) {
      if (!(w->serial & 1)) {
         /* None since the last look: until there is one. */
         w->parked = idle == w->serial;
         idle = w->serial;
         if (w->parked)
            pthread_cond_wait(&w->change, &w->lock);
         else
            sleep_for(w, LOOK_MAX_NS);
         w->parked = false;
         continue;
      }
      if (!atomic_load(&w->why))
         atomic_store(&w->why, look(w));
      if (!atomic_load(&w->why)) {
         sleep_for(w, look_ns(w));
         continue;
      }
      for (unsigned i = 0; i < w->threads; i++)
         core_expire(&w->worker[i].watch);
      sleep_for(w, AGAIN_NS);
   }
   pthread_mutex_unlock(&w->lock);
   return NULL;
}

struct watchdog *
watchdog_create(struct worker *worker, unsigned threads, const struct workers *workers)
{
   struct watchdog *w = calloc(1, sizeof(*w));
   pthread_condattr_t attr;

   if (!w)
      return NULL;
   w->worker = worker;
   w->threads = threads;
   w->workers = workers;
   pthread_mutex_init(&w->lock, NULL);
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&w->change, &attr);
   pthread_condattr_destroy(&attr);
   return w;
}

void
watchdog_destroy(struct watchdog *w)
{
   if (!w)
      return;
   pthread_mutex_lock(&w->lock);
   w->quit = true;
   pthread_cond_signal(&w->change);
   pthread_mutex_unlock(&w->lock);
   if (w->started)
      pthread_join(w->thread, NULL);
   pthread_cond_destroy(&w->change);
   pthread_mutex_destroy(&w->lock);
   free(w);
}

/* The thread, with the first submission.  Without one nothing is ended. */
static void
start(struct watchdog *w)
{
   sigset_t all, old;

   sigfillset(&all);
   pthread_sigmask(SIG_BLOCK, &all, &old);
   w->started = !pthread_create(&w->thread, NULL, run, w);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   if (w->started)
      pthread_setname_np(w->thread, "atoll-watchdog");
}

void
watchdog_begin(struct watchdog *w, int64_t host_ns, int64_t wall_ns)
{
   pthread_mutex_lock(&w->lock);
   w->serial++;
   w->executor = pthread_self();
   w->began = times_now();
   w->host_limit = host_ns;
   w->wall_limit = wall_ns;
   atomic_store_explicit(&w->why, WATCHDOG_NOTHING, memory_order_relaxed);
   if (!w->started && (host_ns || wall_ns))
      start(w);
   else if (w->parked)
      pthread_cond_signal(&w->change);
   pthread_mutex_unlock(&w->lock);
}

void
watchdog_end(struct watchdog *w)
{
   pthread_mutex_lock(&w->lock);
   w->serial++;
   for (unsigned i = 0; atomic_load(&w->why) && i < w->threads; i++)
      atomic_store(&w->worker[i].watch.expired, false);
   pthread_mutex_unlock(&w->lock);
}

enum watchdog_why
watchdog_said(const struct watchdog *w)
{
   return (enum watchdog_why)atomic_load(&((struct watchdog *)w)->why);
}

/* SPDX-License-Identifier: MIT */
/*
 * Where the device's time goes; see times.h.
 */
#include "pass/times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAPERS 7u /* 1, 2, 4, ... 64 threads */

struct phase {
   uint64_t alone_jobs, jobs, items;
   int64_t alone, wall, wait, work, longest, paper[PAPERS];
};

/* A thread's share of the job at hand. */
struct share {
   _Alignas(128) int64_t work;
   int64_t longest;
};

struct times {
   char *file;
   unsigned threads;
   int64_t start, processor; /* when the device began */
   uint64_t submissions;
   int64_t submission, device;
   int64_t processor_before, commands; /* the executing thread's processor time */
   enum times_phase at;
   struct phase phase[TIMES_PHASES];

   /* The job at hand. */
   bool together;
   int64_t job, wait, job_processor;
   struct share share[]; /* [threads] */
};

static int64_t
read_clock(clockid_t clock)
{
   struct timespec now;

   clock_gettime(clock, &now);
   return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
times_now(void)
{
   return read_clock(CLOCK_MONOTONIC);
}

int64_t
times_spent(void)
{
   return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

struct times *
times_open(const char *file, unsigned threads)
{
   const size_t bytes = sizeof(struct times) + threads * sizeof(struct share);
   struct times *t;

   if (!file || !*file)
      return NULL;
   t = aligned_alloc(_Alignof(struct times), bytes);
   if (!t)
      return NULL;
   memset(t, 0, bytes);
   t->file = strdup(file);
   if (!t->file) {
      free(t);
      return NULL;
   }
   t->threads = threads;
   t->start = times_now();
   t->processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
   return t;
}

void
times_begin(struct times *t)
{
   if (!t)
      return;
   t->submission = times_now();
   t->processor_before = times_spent();
}

void
times_end(struct times *t)
{
   if (!t)
      return;
   t->submissions++;
   t->device += times_now() - t->submission;
   t->commands += times_spent() - t->processor_before;
}

void
times_phase(struct times *t, enum times_phase phase)
{
   if (t)
      t->at = phase;
}

void
times_job(struct times *t, bool together, uint32_t items)
{
   struct phase *p = &t->phase[t->at];

   if (together) {
      p->jobs++;
      p->items += items;
   } else {
      p->alone_jobs++;
   }
   for (unsigned i = 0; i < t->threads; i++)
      t->share[i].work = t->share[i].longest = 0;
   t->together = together;
   t->wait = 0;
   t->job = times_now();
   t->job_processor = times_spent();
}

void
times_item(struct times *t, unsigned worker, int64_t ns)
{
   struct share *s = &t->share[worker];

   s->work += ns;
   if (s->longest < ns)
      s->longest = ns;
}

void
times_job_wait(struct times *t)
{
   t->wait = times_now();
}

void
times_job_end(struct times *t)
{
   struct phase *p = &t->phase[t->at];
   const int64_t now = times_now();
   const int64_t spent = times_spent() - t->job_processor;
   int64_t work = 0, longest = 0;

   t->commands -= spent;
   if (!t->together) {
      p->alone += spent;
      return;
   }
   p->wall += now - t->job;
   if (t->wait)
      p->wait += now - t->wait;
   for (unsigned i = 0; i < t->threads; i++) {
      work += t->share[i].work;
      if (longest < t->share[i].longest)
         longest = t->share[i].longest;
   }
   p->work += work;
   p->longest += longest;
   for (unsigned n = 0; n < PAPERS; n++)
      p->paper[n] += work >> n > longest ? work >> n : longest;
}

static void
write_seconds(FILE *f, const char *name, int64_t ns)
{
   fprintf(f, ", \"%s\": %.6f", name, (double)ns / 1e9);
}

static void
write_phase(FILE *f, const char *name, const struct phase *p)
{
   fprintf(f, ", \"%s\": {\"alone_jobs\": %llu, \"jobs\": %llu, \"items\": %llu", name,
           (unsigned long long)p->alone_jobs, (unsigned long long)p->jobs,
           (unsigned long long)p->items);
   write_seconds(f, "alone", p->alone);
   write_seconds(f, "wall", p->wall);
   write_seconds(f, "wait", p->wait);
   write_seconds(f, "work", p->work);
   write_seconds(f, "longest", p->longest);
   for (unsigned n = 0; n < PAPERS; n++)
      fprintf(f, "%s\"%u\": %.6f", n ? ", " : ", \"paper\": {", 1u << n, (double)p->paper[n] / 1e9);
   fputs("}}", f);
}

static void
write_line(FILE *f, const struct times *t)
{
   static const char *const names[TIMES_PHASES] = {
      [TIMES_FRONT] = "front",
      [TIMES_TILES] = "tiles",
      [TIMES_COMPUTE] = "compute",
   };
   fprintf(f, "{\"threads\": %u, \"submissions\": %llu", t->threads,
           (unsigned long long)t->submissions);
   write_seconds(f, "wall", times_now() - t->start);
   write_seconds(f, "processor", read_clock(CLOCK_PROCESS_CPUTIME_ID) - t->processor);
   write_seconds(f, "device", t->device);
   write_seconds(f, "commands", t->commands);
   for (unsigned n = 0; n < TIMES_PHASES; n++)
      write_phase(f, names[n], &t->phase[n]);
   fputs("}\n", f);
}

void
times_close(struct times *t)
{
   if (!t)
      return;
   FILE *f = fopen(t->file, "ae");

   if (f)
      write_line(f, t);
   if (!f || fclose(f))
      fprintf(stderr, "atoll: ATOLL_TIMES: cannot write %s: %s\n", t->file, strerror(errno));
   free(t->file);
   free(t);
}

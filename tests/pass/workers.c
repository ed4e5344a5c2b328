/* SPDX-License-Identifier: MIT */
/*
 * Worker threads: every item of a job once, by a worker that there is, and all of them done when
 * workers_run() returns; for one job right after the other, and for threads that had gone to
 * sleep.
 */
#include "pass/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pass/times.h"

#define THREADS 4u
#define ITEMS   64u

struct job {
   /* How often an item was run; not atomic: the caller reads it when the job is done. */
   unsigned times[ITEMS];
   unsigned worker[ITEMS];
   uint32_t salt; /* of this job: a thread that is late must not bring an older one's */
   uint32_t mixed[ITEMS];
};

static void
run_item(void *data, unsigned worker, uint32_t item)
{
   struct job *job = data;

   job->times[item]++;
   job->worker[item] = worker;
   job->mixed[item] = job->salt ^ item * 0x9e3779b9u;
}

static void
check(struct workers *w, uint32_t items, uint32_t salt, bool alone)
{
   struct job job = { .salt = salt };

   workers_run(w, run_item, &job, items, alone);
   for (uint32_t i = 0; i < ITEMS; i++) {
      assert_int_equal(job.times[i], i < items);
      assert_in_range(job.worker[i], 0, alone ? 0 : THREADS - 1);
      assert_int_equal(job.mixed[i], i < items ? salt ^ i * 0x9e3779b9u : 0);
   }
}

/* The job lies on the stack of each call: what a late thread writes would be seen in the next. */
static void
one_after_the_other(void **state)
{
   struct workers *w = workers_create(THREADS, 0, NULL, NULL);

   assert_non_null(w);
   for (uint32_t n = 0; n < 20000; n++)
      check(w, n % (ITEMS + 1), n, n % 7 == 3);
   workers_destroy(w);
}

static void
after_sleep(void **state)
{
   struct workers *w = workers_create(THREADS, 0, NULL, NULL);

   assert_non_null(w);
   for (uint32_t n = 0; n < 200; n++) {
      usleep(500);
      check(w, ITEMS - n % 3, n, false);
   }
   workers_destroy(w);
}

/* Where no thread is beside the caller, and where none ever worked. */
static void
few(void **state)
{
   for (unsigned threads = 0; threads < 4; threads++) {
      struct workers *w = workers_create(threads, 0, NULL, NULL);
      struct job job = { .salt = threads };

      assert_non_null(w);
      workers_run(w, run_item, &job, 2 * (threads & 1), false);
      for (uint32_t i = 0; i < ITEMS; i++)
         assert_int_equal(job.times[i], i < 2 * (threads & 1));
      workers_destroy(w);
   }
}

/* What ATOLL_TIMES says of known jobs: one alone, one of 64 items, and one of a single item. */
static void
times_file(void **state)
{
   char path[] = "/tmp/atoll-times-XXXXXX", line[4096];
   const int fd = mkstemp(path);
   struct job job = { .salt = 1 };
   struct times *times;
   struct workers *w;

   assert_true(fd >= 0);
   close(fd);
   assert_null(times_open(NULL, THREADS));
   assert_null(times_open("", THREADS));
   times = times_open(path, THREADS);
   assert_non_null(times);
   w = workers_create(THREADS, 0, NULL, times);
   assert_non_null(w);
   times_begin(times);
   times_phase(times, TIMES_FRONT);
   workers_run(w, run_item, &job, 3, true);
   times_phase(times, TIMES_TILES);
   workers_run(w, run_item, &job, ITEMS, false);
   workers_run(w, run_item, &job, 1, false);
   times_end(times);
   workers_destroy(w);
   times_close(times);

   FILE *f = fopen(path, "r");
   assert_non_null(f);
   assert_non_null(fgets(line, sizeof(line), f));
   assert_non_null(strstr(line, "{\"threads\": 4, \"submissions\": 1, "));
   assert_non_null(strstr(line, "\"front\": {\"alone_jobs\": 1, \"jobs\": 0, \"items\": 0, "));
   assert_non_null(strstr(line, "\"tiles\": {\"alone_jobs\": 1, \"jobs\": 1, \"items\": 64, "));
   assert_non_null(strstr(line, "\"compute\": {\"alone_jobs\": 0, \"jobs\": 0, \"items\": 0, "));
   assert_null(fgets(line, sizeof(line), f));
   fclose(f);
   unlink(path);
}

static void
run_slowly(void *data, unsigned worker, uint32_t item)
{
   run_item(data, worker, item);
   usleep(1000);
}

/* The last worker that took an item of a job; each item takes a while. */
static unsigned
last_worker(struct workers *w)
{
   struct job job = { .salt = 0 };
   unsigned last = 0;

   workers_run(w, run_slowly, &job, ITEMS, false);
   for (uint32_t i = 0; i < ITEMS; i++) {
      assert_int_equal(job.times[i], 1);
      last = job.worker[i] > last ? job.worker[i] : last;
   }
   return last;
}

/* A caller that did not run for long, twice, competes, and reserves work until that is long ago. */
static void
reserves(void **state)
{
   struct workers *w = workers_create(2, 2, NULL, NULL);

   assert_non_null(w);
   for (unsigned n = 0; n < 2; n++) {
      unsigned tries = 0;

      assert_in_range(last_worker(w), 0, 1);
      assert_in_range(last_worker(w), 0, 1);
      /* Two such jobs may lie apart on a machine that is busy indeed. */
      while (last_worker(w) < 2)
         assert_in_range(++tries, 1, 99);
      usleep(400000);
   }
   workers_destroy(w);
   w = workers_create(2, 0, NULL, NULL);
   assert_non_null(w);
   for (unsigned n = 0; n < 3; n++)
      assert_in_range(last_worker(w), 0, 1);
   workers_destroy(w);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_after_the_other), cmocka_unit_test(after_sleep), cmocka_unit_test(few),
      cmocka_unit_test(times_file),          cmocka_unit_test(reserves),
   };

   return cmocka_run_group_tests_name("pass/workers", tests, NULL, NULL);
}

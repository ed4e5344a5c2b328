/* SPDX-License-Identifier: MIT */
/*
 * The watchdog: what it ends, by which time, and what it leaves alone; and what ATOLL_BUDGET may
 * say.
 */
#include "pass/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "options.h"
#include "pass/times.h"
#include "pass/workers.h"

#define THREADS 2u
#define MS      INT64_C(1000000)
#define FAR     (INT64_C(1000) * 1000 * MS)

static struct worker worker[THREADS];

static bool
expired(unsigned n)
{
   return core_expired(&worker[n].watch);
}

/* Work that ends when it is told to, or after ten seconds. */
static void
spin(void *data, unsigned index, uint32_t item)
{
   const int64_t start = times_now();

   (void)data, (void)item;
   while (!expired(index) && times_now() - start < 10000 * MS) {
      /* Takes its processor. */
   }
}

/* The same, of machine code: it looks at its limit alone. */
static void
loop(void *data, unsigned index, uint32_t item)
{
   const int64_t start = times_now();
   uint64_t limit = UINT64_MAX, count = 0;

   (void)data, (void)item;
   core_loop_begin(&worker[index].watch, &limit);
   while (count++ < __atomic_load_n(&limit, __ATOMIC_RELAXED))
      if (times_now() - start > 10000 * MS)
         break;
   core_loop_end(&worker[index].watch, &limit);
   assert_int_equal(limit, 0);
}

static void
ends(void **state)
{
   struct workers *workers = workers_create(THREADS, 0, NULL, NULL);
   struct watchdog *w = watchdog_create(worker, THREADS, workers);
   static workers_fn *const what[] = { spin, loop };

   for (unsigned n = 0; n < 4; n++) {
      const int64_t start = times_now();

      /* By host time, and by the wall clock. */
      watchdog_begin(w, n & 2 ? FAR : 50 * MS, n & 2 ? 50 * MS : FAR);
      workers_run(workers, what[n & 1], NULL, THREADS, false);
      assert_int_equal(watchdog_said(w), n & 2 ? WATCHDOG_WALL : WATCHDOG_HOST);
      assert_true(times_now() - start >= 40 * MS);
      assert_true(times_now() - start < 9000 * MS);
      watchdog_end(w);
      for (unsigned i = 0; i < THREADS; i++)
         assert_false(expired(i));
   }
   watchdog_destroy(w);
   workers_destroy(workers);
}

/* Those that are short, one after the other; and one that sleeps has no host time. */
static void
leaves_alone(void **state)
{
   struct workers *workers = workers_create(THREADS, 0, NULL, NULL);
   struct watchdog *w = watchdog_create(worker, THREADS, workers);

   for (unsigned n = 0; n < 300; n++) {
      watchdog_begin(w, 1000 * MS, 1000 * MS);
      nanosleep(&(struct timespec){ .tv_nsec = 5 * MS }, NULL);
      assert_int_equal(watchdog_said(w), WATCHDOG_NOTHING);
      watchdog_end(w);
   }
   watchdog_begin(w, 300 * MS, FAR);
   nanosleep(&(struct timespec){ .tv_nsec = 800 * MS }, NULL);
   assert_int_equal(watchdog_said(w), WATCHDOG_NOTHING);
   watchdog_end(w);
   watchdog_begin(w, 0, 0);
   nanosleep(&(struct timespec){ .tv_nsec = 50 * MS }, NULL);
   assert_int_equal(watchdog_said(w), WATCHDOG_NOTHING);
   watchdog_end(w);
   watchdog_destroy(w);
   workers_destroy(workers);
}

static void
settings(void **state)
{
   static const struct {
      const char *text;
      bool ok;
      uint64_t cycles;
      int64_t host_ms, wall_ms;
      bool set;
   } rows[] = {
      { "", true, 0, 30000, 45000, false },      { "1", true, 0, 1000, 1500, true },
      { "0.5", true, 0, 500, 750, true },        { "2s", true, 0, 2000, 3000, true },
      { ".25s", true, 0, 250, 375, true },       { "none", true, 0, 0, 0, true },
      { "1c", true, 1, 0, 120000, true },        { "300000c", true, 300000, 0, 120000, true },
      { "0", false, 0, 30000, 45000, false },    { "0c", false, 0, 30000, 45000, false },
      { "-1", false, 0, 30000, 45000, false },   { "1x", false, 0, 30000, 45000, false },
      { "soon", false, 0, 30000, 45000, false }, { "1e99", false, 0, 30000, 45000, false },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      struct options_budget b;

      setenv("ATOLL_BUDGET", rows[n].text, 1);
      assert_int_equal(options_budget(&b), rows[n].ok);
      assert_int_equal(b.cycles, rows[n].cycles);
      assert_int_equal(b.host_ns, rows[n].host_ms * MS);
      assert_int_equal(b.wall_ns, rows[n].wall_ms * MS);
      assert_int_equal(b.set, rows[n].set);
      assert_int_equal(b.patient_ns, rows[n].set ? 0 : 120000 * MS);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends),
      cmocka_unit_test(leaves_alone),
      cmocka_unit_test(settings),
   };

   return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}

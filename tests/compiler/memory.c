/* SPDX-License-Identifier: MIT */
/* Memory of a compilation: what takes too long or too much ends it, with a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "compiler/memory.h"
#include "compiler/shader.h"

static double
processor_time(void)
{
   struct timespec t;

   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Endless work ends after the time that flags give, whether it allocates or looks itself. */
static void
time_is_over(void **state)
{
   for (unsigned looks = 0; looks < 2; looks++) {
      static struct compile_memory m;
      char error[100] = "";
      const double start = processor_time();

      memset(&m, 0, sizeof(m));
      compile_begin(&m, SHADER_COMPILE_SECONDS(1) | SHADER_COMPILE_NO_OPT, error, sizeof(error));
      if (!setjmp(m.failed)) {
         for (;;)
            if (looks)
               compile_look(&m);
            else
               compile_alloc(&m, 0);
      }
      assert_true(processor_time() - start >= 1 && processor_time() - start < 2);
      assert_string_equal(error, "its compilation takes longer than 1 s (ATOLL_LIMITS, compile=1)");
      compile_free(&m);
   }
}

static void
no_limit(void **state)
{
   static struct compile_memory m;
   char error[100] = "";

   compile_begin(&m, SHADER_COMPILE_NO_OPT, error, sizeof(error));
   if (setjmp(m.failed))
      fail_msg("%s", error);
   for (const double start = processor_time(); processor_time() - start < 1.2;)
      compile_look(&m);
   compile_free(&m);
}

static void
too_much(void **state)
{
   static struct compile_memory m;
   char error[100] = "";

   compile_begin(&m, 0, error, sizeof(error));
   if (!setjmp(m.failed)) {
      compile_alloc(&m, (size_t)1 << 31);
      fail_msg("2 GiB at once");
   }
   assert_string_equal(error, "out of memory");
   compile_free(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_is_over),
      cmocka_unit_test(no_limit),
      cmocka_unit_test(too_much),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

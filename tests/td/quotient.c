/* SPDX-License-Identifier: MIT */
/*
 * port/quotient.h against division, for every numerator that formats and filters have, in all
 * builds; and every way from sRGB against the table.
 */
#include "harness.h"

typedef uint32_t count_fn(double divisor, int32_t first, int32_t last, float scale);
count_fn count_wrong_quotients_sse2, count_wrong_quotients_avx2, count_wrong_quotients_avx512;
typedef uint32_t count_bytes_fn(void);
count_bytes_fn count_wrong_bytes_sse2, count_wrong_bytes_avx2, count_wrong_bytes_avx512;
count_bytes_fn count_wrong_linears_sse2, count_wrong_linears_avx2, count_wrong_linears_avx512;

static struct test_build builds[3];
static unsigned num_builds;

static int
setup(void **state)
{
   num_builds = test_builds(builds);
   return 0;
}

static void
check(double divisor, int32_t first, int32_t last, float scale)
{
   for (unsigned b = 0; b < num_builds; b++) {
      count_fn *count = !strcmp(builds[b].name, "sse2")   ? count_wrong_quotients_sse2
                        : !strcmp(builds[b].name, "avx2") ? count_wrong_quotients_avx2
                                                          : count_wrong_quotients_avx512;
      uint32_t wrong = count(divisor, first, last, scale);
      if (wrong)
         fail_msg("%s: %u quotients of %d to %d times %g by %.0f are wrong", builds[b].name, wrong,
                  first, last, (double)scale, divisor);
   }
}

/* Unsigned channels of 1 to 24 bits, signed ones of 2 to 16. */
static void
normalised_channels(void **state)
{
   for (unsigned bits = 1; bits <= 24; bits++)
      check((double)((1u << bits) - 1), 0, (1 << bits) - 1, 1);
   for (unsigned bits = 2; bits <= 16; bits++)
      check((double)((1u << (bits - 1)) - 1), -(1 << (bits - 1)), (1 << (bits - 1)) - 1, 1);
}

/* Each of the four in a word. */
static void
bytes_of_words(void **state)
{
   for (unsigned b = 0; b < num_builds; b++) {
      count_bytes_fn *count = !strcmp(builds[b].name, "sse2")   ? count_wrong_bytes_sse2
                              : !strcmp(builds[b].name, "avx2") ? count_wrong_bytes_avx2
                                                                : count_wrong_bytes_avx512;
      uint32_t wrong = count();
      if (wrong)
         fail_msg("%s: %u quotients of bytes are wrong", builds[b].name, wrong);
   }
}

static void
srgb(void **state)
{
   for (unsigned b = 0; b < num_builds; b++) {
      count_bytes_fn *count = !strcmp(builds[b].name, "sse2")   ? count_wrong_linears_sse2
                              : !strcmp(builds[b].name, "avx2") ? count_wrong_linears_avx2
                                                                : count_wrong_linears_avx512;
      uint32_t wrong = count();
      if (wrong)
         fail_msg("%s: %u values of sRGB are wrong", builds[b].name, wrong);
   }
}

/* Sums of four texels of 8 bits, and those between two levels as floats: every significand. */
static void
sums_of_bytes(void **state)
{
   check(255.0 * 65536, 0, 255 * 65536, 1);
   check(255.0 * 65536 * 256, 0, 1 << 24, 1);
   check(255.0 * 65536 * 256, 1 << 23, 1 << 24, 256);
}

/* BC4's and BC5's. */
static void
ramps(void **state)
{
   check(7 * 255.0, 0, 7 * 255, 1);
   check(5 * 255.0, 0, 5 * 255, 1);
   check(7 * 127.0, -7 * 127, 7 * 127, 1);
   check(5 * 127.0, -5 * 127, 5 * 127, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(normalised_channels),
      cmocka_unit_test(bytes_of_words),
      cmocka_unit_test(sums_of_bytes),
      cmocka_unit_test(ramps),
      cmocka_unit_test(srgb),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}

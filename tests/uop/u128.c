/* SPDX-License-Identifier: MIT */
/*
 * Integers of 128 bits in two words: values worked out by hand at the edges of a word, and rules
 * that hold for all values, on random ones.  What is computed of them, the fused multiply-add of
 * doubles, is judged in tests/sq/groups.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "uop/u128.h"

#define ONES UINT64_MAX

static void
same(struct u128 v, uint64_t hi, uint64_t lo)
{
   assert_int_equal(v.hi, hi);
   assert_int_equal(v.lo, lo);
}

static struct u128
make(uint64_t hi, uint64_t lo)
{
   return (struct u128){ hi, lo };
}

static void
by_hand(void **state)
{
   /* (2^64 - 1)^2 = 2^128 - 2^65 + 1. */
   same(u128_multiply(ONES, ONES), ONES - 1, 1);
   /* (2^32 + 1)(2^32 + 3) = 2^64 + 4 * 2^32 + 3. */
   same(u128_multiply(0x100000001, 0x100000003), 1, 0x400000003);
   same(u128_multiply(UINT64_C(1) << 63, 2), 1, 0);
   same(u128_multiply(0, ONES), 0, 0);

   same(u128_add(make(0, ONES), make(0, 1)), 1, 0);
   same(u128_add(make(ONES, ONES), make(0, 1)), 0, 0);
   same(u128_sub(make(1, 0), make(0, 1)), 0, ONES);

   same(u128_left(make(0, 3), 63), 1, UINT64_C(1) << 63);
   same(u128_left(make(0, 3), 64), 3, 0);
   same(u128_left(make(5, 3), 0), 5, 3);
   same(u128_left(make(5, 3), 127), UINT64_C(1) << 63, 0);
   same(u128_left(make(5, 3), 128), 0, 0);
   same(u128_right(make(3, 0), 1), 1, UINT64_C(1) << 63);
   same(u128_right(make(3, 7), 64), 0, 3);
   same(u128_right(make(3, 7), 0), 3, 7);
   same(u128_right(make(UINT64_C(1) << 63, 0), 127), 0, 1);
   same(u128_right(make(ONES, ONES), 128), 0, 0);

   same(u128_low(make(6, 9), 3), 0, 1);
   same(u128_low(make(6, 9), 66), 2, 9);
   same(u128_low(make(6, 9), 0), 0, 0);
   same(u128_low(make(6, 9), 128), 6, 9);

   same(u128_right_jam(make(1, 0), 64), 0, 1);
   same(u128_right_jam(make(2, 1), 64), 0, 3); /* 2, and the lost 1 */
   same(u128_right_jam(make(0, 8), 3), 0, 1);  /* nothing is lost */
   same(u128_right_jam(make(0, 8), 4), 0, 1);  /* all is, of it */
   same(u128_right_jam(make(4, 0), 1000), 0, 1);
   same(u128_right_jam(make(0, 0), 1000), 0, 0);

   assert_int_equal(u128_clz(make(0, 0)), 128);
   assert_int_equal(u128_clz(make(0, 1)), 127);
   assert_int_equal(u128_clz(make(1, 0)), 63);
   assert_int_equal(u128_clz(make(ONES, 0)), 0);
   assert_int_equal(u128_compare(make(1, 0), make(0, ONES)), 1);
   assert_int_equal(u128_compare(make(1, 2), make(1, 3)), -1);
   assert_int_equal(u128_compare(make(1, 2), make(1, 2)), 0);
}

static uint64_t
rnd(void)
{
   static uint64_t seed = 1;
   uint64_t high = seed = seed * 6364136223846793005u + 1442695040888963407u;
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (high & ~(uint64_t)UINT32_MAX) | seed >> 32;
}

static void
rules(void **state)
{
   for (unsigned n = 0; n < 100000; n++) {
      uint64_t a = rnd() >> (n % 64), b = rnd() >> (n / 64 % 64), c = rnd();
      struct u128 v = make(rnd(), rnd());
      unsigned by = n % 129;

      /* (a + 1) b = a b + b, and the low word is C's own product. */
      if (a != ONES)
         assert_int_equal(
            u128_compare(u128_multiply(a + 1, b), u128_add(u128_multiply(a, b), u128_from(b))), 0);
      assert_int_equal(u128_multiply(a, b).lo, a * b);
      assert_int_equal(u128_compare(u128_multiply(a, b), u128_multiply(b, a)), 0);
      /* A shift is a product; what it keeps and what it loses are the value. */
      assert_int_equal(
         u128_compare(u128_left(u128_from(c), n % 64), u128_multiply(c, UINT64_C(1) << n % 64)), 0);
      assert_int_equal(u128_compare(u128_add(u128_left(u128_right(v, by), by), u128_low(v, by)), v),
                       0);
      assert_int_equal(u128_compare(u128_sub(u128_add(v, u128_from(c)), u128_from(c)), v), 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(rules),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

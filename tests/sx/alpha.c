/* SPDX-License-Identifier: MIT */
/*
 * The alpha test of every pair of some values, among them NaNs, infinities, zeros of both signs and
 * denormals; and alpha to mask: how many samples are kept, and which.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "port/state.h"
#include "sx/sx.h"

#define LANES 64

#define DECLARE(simd)                                                                          \
   uint64_t test_alpha_##simd(const struct sx_state *s, const uint32_t *alpha);                \
   uint64_t test_mask_##simd(const struct sx_state *s, const uint32_t *alpha, unsigned sample, \
                             unsigned samples);
DECLARE(sse2)
DECLARE(avx2)
DECLARE(avx512)

static const struct {
   uint64_t (*alpha)(const struct sx_state *s, const uint32_t *alpha);
   uint64_t (*mask)(const struct sx_state *s, const uint32_t *alpha, unsigned sample,
                    unsigned samples);
} builds[] = {
   { test_alpha_sse2, test_mask_sse2 },
   { test_alpha_avx2, test_mask_avx2 },
   { test_alpha_avx512, test_mask_avx512 },
};

static bool
can_run(unsigned build)
{
   __builtin_cpu_init();
   return build == 0 ||
          (build == 1
              ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
              : __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"));
}

static float
as_float(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, sizeof(f));
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

/* With a NaN nothing holds but "not equal" and "always". */
static bool
holds(unsigned test, float a, float b)
{
   switch (test) {
   case TEST_NEVER:
      return false;
   case TEST_LESS:
      return isless(a, b);
   case TEST_EQUAL:
      return a == b;
   case TEST_LESS_EQUAL:
      return islessequal(a, b);
   case TEST_GREATER:
      return isgreater(a, b);
   case TEST_NOT_EQUAL:
      return !(a == b);
   case TEST_GREATER_EQUAL:
      return isgreaterequal(a, b);
   default:
      return true;
   }
}

static const uint32_t values[] = {
   0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff, 0x3f000001, 0x7f800000,
   0xff800000, 0x7fc00000, 0xffc12345, 0x7f7fffff, 0x00800000, 0x3b808081, 0x3f7fffff, 0x40000000,
};
#define VALUES (sizeof(values) / sizeof(*values))

static void
every_test(void **state)
{
   uint32_t alpha[LANES] __attribute__((aligned(64)));

   for (unsigned b = 0; b < 3; b++) {
      for (unsigned test = TEST_NEVER; can_run(b) && test <= TEST_ALWAYS; test++) {
         for (unsigned r = 0; r < VALUES; r++) {
            const struct sx_state s = { .alpha_test = true,
                                        .alpha_func = (uint8_t)test,
                                        .alpha_ref = as_float(values[r]) };
            uint64_t want = 0;

            for (unsigned l = 0; l < LANES; l++) {
               alpha[l] = values[l * 5 % VALUES];
               want |= (uint64_t)holds(test, as_float(alpha[l]), s.alpha_ref) << l;
            }
            assert_int_equal(builds[b].alpha(&s, alpha), want);
         }
      }
   }
}

/* An alpha that is exported as 16 bits has ten bits of mantissa: what is below does not count. */
static void
sixteen_bits(void **state)
{
   uint32_t alpha[LANES] __attribute__((aligned(64)));

   for (unsigned b = 0; b < 3 && can_run(b); b++) {
      const struct sx_state s = {
         .alpha_test = true, .alpha_func = TEST_EQUAL, .alpha_16bpc = true, .alpha_ref = 0.5f
      };
      uint64_t want = 0;

      for (unsigned l = 0; l < LANES; l++) {
         alpha[l] = 0x3f000000u + 1023 * l;
         want |= (uint64_t)(1023 * l < 8192) << l;
      }
      assert_int_equal(builds[b].alpha(&s, alpha), want);
   }
}

/* Lanes that keep each sample: of alphas n / 64 with offsets in eighths of a sample, whole numbers
 * tell it: sample k is kept where n * samples / 8 + eighths >= 8 * (k + 1). */
static void
kept_samples(void **state)
{
   uint32_t alpha[LANES] __attribute__((aligned(64)));

   for (unsigned l = 0; l < LANES; l++)
      alpha[l] = as_bits((float)((int)l + 1) / 64);
   for (unsigned b = 0; b < 3 && can_run(b); b++) {
      for (unsigned samples = 1; samples <= 8; samples *= 2) {
         for (unsigned offsets = 0; offsets < 512; offsets++) {
            struct sx_state s = { .alpha_to_mask = true, .alpha_to_mask_round = offsets & 1 };

            for (unsigned p = 0; p < 4; p++)
               s.alpha_to_mask_offset[p] = offsets >> (1 + 2 * p) & 3;
            for (unsigned k = 0; k < samples; k++) {
               uint64_t want = 0;

               for (unsigned l = 0; l < LANES; l++) {
                  const unsigned eighths = 2 * s.alpha_to_mask_offset[l & 3] + (offsets & 1);
                  want |= (uint64_t)((l + 1) * samples + 8 * eighths >= 64 * (k + 1)) << l;
               }
               assert_int_equal(builds[b].mask(&s, alpha, k, samples), want);
            }
         }
      }
   }
}

/* No sample of a NaN or of less than nothing; all of one and more, and of infinity. */
static void
odd_alphas(void **state)
{
   static const float odd[] = { NAN, -1, -INFINITY, 0, 1, 1.5f, INFINITY, 1e30f };
   const struct sx_state s = { .alpha_to_mask = true, .alpha_to_mask_offset = { 2, 2, 2, 2 } };
   uint32_t alpha[LANES] __attribute__((aligned(64)));

   for (unsigned l = 0; l < LANES; l++)
      alpha[l] = as_bits(odd[l % 8]);
   for (unsigned b = 0; b < 3 && can_run(b); b++)
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(builds[b].mask(&s, alpha, k, 8), UINT64_C(0xf0f0f0f0f0f0f0f0));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_test),
      cmocka_unit_test(sixteen_bits),
      cmocka_unit_test(kept_samples),
      cmocka_unit_test(odd_alphas),
   };

   return cmocka_run_group_tests_name("sx/alpha", tests, NULL, NULL);
}

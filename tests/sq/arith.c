/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic primitives: equal bits in every kernel build and floating-point mode, and the
 * bits they had when their errors were measured (sq-errors).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "arith_kernel.h"
#include "reference.h"

static const struct arith_case *builds[3];
static const char *const names[3] = { "sse2", "avx2", "avx512" };
static unsigned num_builds;

static void
find_builds(void)
{
   __builtin_cpu_init();
   builds[num_builds++] = arith_cases_sse2;
   if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      builds[num_builds++] = arith_cases_avx2;
   if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      builds[num_builds++] = arith_cases_avx512;
}

/* Every 4093rd of the 2^32 inputs, and the special ones. */
static uint64_t
hash_of(const struct arith_case *c, unsigned mode)
{
   wave_lane in, out;
   uint64_t hash = 0xcbf29ce484222325ull, at = 0;
   unsigned special = 0;
   while (at < 1ull << 32) {
      for (unsigned lane = 0; lane < 64; lane++) {
         if (special < reference_num_operands) {
            in[lane] = reference_operands[special++];
         } else {
            in[lane] = (uint32_t)at;
            at += 4093;
         }
      }
      c->run(in, out, mode);
      for (unsigned lane = 0; lane < 64; lane++)
         hash = (hash ^ out[lane]) * 0x100000001b3ull;
   }
   return hash;
}

static void
test_equal(void **state)
{
   /* Four roundings, denormals flushed or kept. */
   for (unsigned n = 0; n < 8; n++) {
      unsigned mode = 0x1f80 | (n & 3) << 13 | (n & 4 ? 0 : 0x8040);
      for (unsigned c = 0; c < ARITH_MAX && builds[0][c].name; c++) {
         uint64_t first = hash_of(&builds[0][c], mode);
         for (unsigned b = 1; b < num_builds; b++)
            if (hash_of(&builds[b][c], mode) != first)
               fail_msg("%s: %s differs from sse2 in mode %04x", builds[0][c].name, names[b], mode);
      }
   }
}

/* Round to nearest, denormals flushed: the mode of stock programs. */
static const struct {
   const char *name;
   uint64_t hash;
} known[] = {
   { "add", 0x1481669f4381d165ull },         { "mul", 0xa8823128000255aaull },
   { "mul_legacy", 0x8b320ad3870255aaull },  { "fma", 0xa330d5212dc8141dull },
   { "max_dx9", 0x7e1c49a4d4d6e6e4ull },     { "min_dx9", 0x684e7f47a038e533ull },
   { "max_dx10", 0xc592c60b17dae7c5ull },    { "min_dx10", 0x0f85664baad64bf6ull },
   { "trunc", 0x7b21eb091414f91eull },       { "floor", 0xa50b1b88af0447d4ull },
   { "ceil", 0xac4b862e83145c04ull },        { "rndne", 0x7b078ef5661ed8eeull },
   { "fract", 0x116d8a3e54c6b799ull },       { "to_int", 0xe80858b1c0ae85d7ull },
   { "to_uint", 0xc357c438677cdfdaull },     { "from_int", 0x10b43476942b8d72ull },
   { "from_uint", 0x62c65913b75ad122ull },   { "to_half", 0x15d4d3d16adcf24bull },
   { "to_half_rtz", 0x7b2370255d4a9adbull }, { "from_half", 0x7ac4225340b5c925ull },
   { "rcp", 0x984ea701d89f16faull },         { "rsq", 0xf49c4cffe8f98449ull },
   { "sqrt", 0x1df4b34bd71a23cdull },        { "exp2", 0xe0ef7e538f9b8531ull },
   { "log2", 0x17539dd6e25be92aull },        { "sin", 0x9a5d8b47352f6c75ull },
   { "cos", 0x3a28e81696124304ull },
};

static void
test_known(void **state)
{
   unsigned found = 0;
   for (unsigned c = 0; c < ARITH_MAX && builds[0][c].name; c++) {
      uint64_t hash = hash_of(&builds[num_builds - 1][c], 0x9fc0);
      for (unsigned k = 0; k < sizeof(known) / sizeof(*known); k++) {
         if (strcmp(known[k].name, builds[0][c].name))
            continue;
         found++;
         if (known[k].hash != hash)
            fail_msg("%s: hash %016llx, not %016llx", known[k].name, (unsigned long long)hash,
                     (unsigned long long)known[k].hash);
      }
   }
   assert_int_equal(found, sizeof(known) / sizeof(*known));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_known),
   };
   find_builds();
   return cmocka_run_group_tests(tests, NULL, NULL);
}

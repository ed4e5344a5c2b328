/* SPDX-License-Identifier: MIT */
/*
 * Every lane-wise operation against the scalar reference, in every kernel build, without and with
 * divergence; equal bits in all builds for all operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "reference.h"
#include "run_wave.h"

static struct asm_program a;
static struct run_wave r;

static const struct cayman_alu_info *
info_of(unsigned op)
{
   return cayman_alu_info(op);
}

/* Operations of one slot with a result that depends on its operands alone. */
static bool
testable(unsigned op)
{
   const struct cayman_alu_info *info = info_of(op);
   uint32_t dummy;
   double value, ulp;
   return info->name &&
          (reference_op(op, 0, 0, 0, &dummy) || reference_approximate(op, 0, &value, &ulp) ||
           op == CAYMAN_ALU_RECIPSQRT_CLAMPED || op == CAYMAN_ALU_RECIPSQRT_FF);
}

/* R4.x = op(R1.x, R2.x, R3.x); `diverged`: under a PUSH that drops lane 63. */
static void
build(unsigned op, bool diverged)
{
   asm_init(&a);
   if (diverged) {
      struct cayman_alu p =
         asm_op2(CAYMAN_ALU_PRED_SETNE_INT, 0, 0, asm_gpr(5, 0), asm_sel(CAYMAN_SRC_0, 0));
      p.write_mask = false;
      p.update_exec_mask = true;
      asm_one(&a, p);
      asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   }
   asm_one(&a, asm_op3(op, 4, 0, asm_gpr(1, 0),
                       info_of(op)->num_src > 1 ? asm_gpr(2, 0) : asm_gpr(1, 0),
                       info_of(op)->num_src > 2 ? asm_gpr(3, 0) : asm_gpr(0, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   if (diverged)
      asm_branch(&a, CAYMAN_CF_POP, a.num_cfs + 1, 1);
   assert_true(asm_finish(&a));
}

static double
ulp_of(double v)
{
   int e;
   frexp(v, &e);
   return ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

static void
check_lane(const struct kernels *k, unsigned op, uint32_t x, uint32_t y, uint32_t z, uint32_t got)
{
   uint32_t want;
   double value, ulp;
   if (reference_op(op, x, y, z, &want)) {
      if (got != want)
         fail_msg("%s %s(%08x, %08x, %08x) = %08x, not %08x", k->name, info_of(op)->name, x, y, z,
                  got, want);
   } else if (reference_approximate(op, x, &value, &ulp)) {
      float f;
      memcpy(&f, &got, 4);
      float nearest = (float)value;
      bool special = isnan(value) || isinf(nearest) || fabs(value) < 1.1754943508222875e-38;
      bool ok;
      if (isnan(value))
         ok = got == 0x7fc00000u;
      else if (isinf(nearest))
         ok = f == nearest || (fabs(value) < 3.5e38 && f >= 3.4e38f);
      else if (special)
         ok = f == 0.0f || fabs(f) <= 1.2e-38f;
      else if (op == CAYMAN_ALU_SIN || op == CAYMAN_ALU_COS)
         ok = fabs((double)f - value) <= 2.5e-7;
      else
         ok = fabs((double)f - value) <= ulp * ulp_of(value);
      if (!ok)
         fail_msg("%s %s(%08x) = %08x %.9g, not %.17g", k->name, info_of(op)->name, x, got, f,
                  value);
   }
}

static void
test_ops(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), tested = 0;
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      if (!testable(op))
         continue;
      tested++;
      for (unsigned diverged = 0; diverged < 2; diverged++) {
         build(op, diverged);
         uint64_t hash[6] = { 0 };
         for (unsigned k = 0; k < num_builds * 2; k++) {
            run_wave_init(&r, SQ_STAGE_VS);
            r.kernels = builds[k / 2];
            r.source.interpret = k & 1;
            uint64_t seed = op;
            for (unsigned round = 0; round < 60; round++) {
               for (unsigned lane = 0; lane < 64; lane++) {
                  r.gpr[5][0][lane] = lane != 63;
                  r.gpr[4][0][lane] = 0xdeadbeef;
                  for (unsigned n = 0; n < 3; n++) {
                     uint32_t v = reference_random(&seed);
                     if (round < 40)
                        v = reference_operands[(v >> 4) % reference_num_operands];
                     r.gpr[1 + n][0][lane] = v;
                  }
               }
               bool ok = round ? run_wave_again(&r) : run_wave(&r, a.words, a.num_words);
               if (!ok)
                  fail_msg("%s: %s", info_of(op)->name, r.wave.fault);
               for (unsigned lane = 0; lane < 64; lane++) {
                  uint32_t got = r.gpr[4][0][lane];
                  hash[k] = (hash[k] ^ got) * 0x100000001b3ull;
                  if (diverged && lane == 63) {
                     assert_int_equal(got, 0xdeadbeef);
                     continue;
                  }
                  check_lane(builds[k / 2], op, r.gpr[1][0][lane], r.gpr[2][0][lane],
                             r.gpr[3][0][lane], got);
               }
            }
            run_wave_free(&r);
            if (k && hash[k] != hash[0])
               fail_msg("%s: %s and %s differ", info_of(op)->name, builds[0]->name,
                        builds[k / 2]->name);
         }
      }
   }
   printf("%u operations\n", tested);
   assert_true(tested > 120);
}

/* OMOD, CLAMP, ABS, NEG on one addition. */
static void
test_modifiers(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   for (unsigned m = 0; m < 128; m++) {
      asm_init(&a);
      struct cayman_alu s = asm_op2(CAYMAN_ALU_ADD, 4, 0, asm_gpr(1, 0), asm_gpr(2, 0));
      s.src[0].neg = m & 1;
      s.src[0].abs = m >> 1 & 1;
      s.src[1].neg = m >> 2 & 1;
      s.src[1].abs = m >> 3 & 1;
      s.omod = m >> 4 & 3;
      s.clamp = m >> 6 & 1;
      asm_one(&a, s);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      assert_true(asm_finish(&a));
      for (unsigned k = 0; k < num_builds * 2; k++) {
         run_wave_init(&r, SQ_STAGE_VS);
         r.kernels = builds[k / 2];
         r.source.interpret = k & 1;
         uint64_t seed = m;
         for (unsigned lane = 0; lane < 64; lane++) {
            for (unsigned n = 1; n < 3; n++)
               r.gpr[n][0][lane] =
                  reference_operands[(reference_random(&seed) >> 4) % reference_num_operands];
         }
         assert_true(run_wave(&r, a.words, a.num_words));
         for (unsigned lane = 0; lane < 64; lane++) {
            uint32_t x = r.gpr[1][0][lane], y = r.gpr[2][0][lane], want;
            x = (m & 2 ? x & 0x7fffffffu : x) ^ (m & 1 ? 0x80000000u : 0);
            y = (m & 8 ? y & 0x7fffffffu : y) ^ (m & 4 ? 0x80000000u : 0);
            reference_op(CAYMAN_ALU_ADD, x, y, 0, &want);
            static const uint32_t scale[4] = { 0x3f800000, 0x40000000, 0x40800000, 0x3f000000 };
            reference_op(CAYMAN_ALU_MUL_IEEE, want, scale[s.omod], 0, &want);
            if (s.clamp) {
               float f;
               memcpy(&f, &want, 4);
               f = f > 0 ? (f < 1 ? f : 1) : 0; /* DX10_CLAMP: NaN gives 0 */
               memcpy(&want, &f, 4);
            }
            if (r.gpr[4][0][lane] != want)
               fail_msg("%s modifiers %02x on %08x %08x: %08x, not %08x", builds[k / 2]->name, m,
                        r.gpr[1][0][lane], r.gpr[2][0][lane], r.gpr[4][0][lane], want);
         }
         run_wave_free(&r);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ops),
      cmocka_unit_test(test_modifiers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

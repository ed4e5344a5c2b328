/* SPDX-License-Identifier: MIT */
/*
 * Several samples a pixel against the scalar reference, in all builds that this CPU runs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"

/* Samples reach half a pixel further than centres. */
static void
widen(struct scene_draw *d)
{
   for (uint32_t k = 0; k < d->batch.num_prims; k++) {
      struct sc_prim *p = &d->prims[k];

      p->min_x -= p->min_x > 0;
      p->min_y -= p->min_y > 0;
      p->max_x += p->max_x < SCENE_SIZE - 1;
      p->max_y += p->max_y < SCENE_SIZE - 1;
   }
}

static void
test_samples(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 40; seed++) {
      struct regs *regs = &s->draws[0].regs;
      const float color[4] = { 0.3f, 0.6f, 0.1f, 1.0f };
      uint32_t r = seed;

      check_start(s, seed % 3 ? STUB_INPUT : seed % 2 ? STUB_CONSTANT : STUB_KILL);
      if (seed % 4 == 0)
         scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
      check_triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      if (seed & 1)
         check_set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
      if (seed % 8 == 4) /* the rectangle's depths replace whole blocks */
         check_set_depth(regs, 1 + seed % 3, COMPARE_ALWAYS, true);
      if (seed & 2)
         check_set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE, BLEND_ONE,
                         0);
      check_set_samples(regs, 1 + seed % 2, seed % 5 != 0, &r);
      if (seed % 7 == 0)
         scene_set(regs, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0x00010002);
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check_scene(s, seed, "samples");
   }
}

/* Programs that run for some or all samples of a pixel: one that gives the same for all draws the
 * same, and has run more often. */
static void
test_sample_shading(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 25; seed++) {
      const unsigned log2 = 1 + seed % 2;
      uint64_t runs[2];

      for (unsigned iterates = 0; iterates < 2; iterates++) {
         struct regs *regs = &s->draws[0].regs;
         uint32_t r = seed;

         check_start(s, STUB_CONSTANT);
         check_triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
         widen(&s->draws[0]);
         if (seed & 1)
            check_set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
         if (seed & 2)
            check_set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE,
                            BLEND_ONE, 0);
         check_set_samples(regs, log2, true, &r);
         scene_set(regs, R_PA_SC_MODE_CNTL_1,
                   REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterates));
         /* More than there are is all of them. */
         scene_set(regs, R_DB_EQAA, REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, 1 + seed / 3 % 3));
         scene_set(regs, R_DB_COUNT_CONTROL, 0);
         check_scene(s, seed, "sample shading");
         runs[iterates] = s->worker.counters.ps_invocations; /* of the last build */
      }
      if (runs[1] <= runs[0])
         fail_msg("seed %u: %llu invocations for samples, %llu for pixels", seed,
                  (unsigned long long)runs[1], (unsigned long long)runs[0]);
   }
}

/* What a program sees of the coverage is from before early tests, or after them if asked for. */
static void
test_coverage(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 30; seed++) {
      struct regs *regs = &s->draws[0].regs;
      const float color[4] = { 0.3f, 0.6f, 0.1f, 0.5f };
      uint32_t r = seed;

      check_start(s, STUB_COVERAGE);
      if (seed % 4 == 0)
         scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
      check_triangles(&s->draws[0], 80, seed % 5 ? 12 : 60, &r);
      widen(&s->draws[0]);
      check_set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, seed & 2);
      check_set_samples(regs, 1 + seed % 2, true, &r);
      scene_set(regs, R_SPI_PS_IN_CONTROL_1,
                REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ALL_BITS, 1) |
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, 1));
      scene_set(regs, R_DB_SHADER_CONTROL,
                REG_FIELD(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, seed & 1) |
                   REG_FIELD(DB_SHADER_CONTROL, PRE_SHADER_DEPTH_COVERAGE_ENABLE, seed / 4 & 1));
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check_scene(s, seed, "coverage");
   }
}

/* Programs that read what the draw writes: each primitive sees what the ones before it left, in
 * the sample that is its own, and depth and stencil are tested after it has run. */
static void
test_target(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 30; seed++) {
      struct scene_draw *d = &s->draws[0];
      const unsigned log2 = seed % 3;
      const float color[4] = { 0.3f, 0.6f, 0.1f, 1.0f };
      uint32_t r = seed;

      check_start(s, STUB_TARGET);
      d->program.samples = 1u << log2;
      scene_rect(d, 3, 1, SCENE_SIZE, SCENE_SIZE - 5, 0.5f, color);
      for (unsigned n = 0; n < 200; n++) {
         const int32_t x = (int32_t)(60 + scene_random(&r) % 9),
                       y = (int32_t)(60 + scene_random(&r) % 9);
         const float some[4] = { check_unit(&r), check_unit(&r), check_unit(&r), check_unit(&r) };

         scene_rect(d, x, y, x + 1 + (int32_t)(scene_random(&r) % 9),
                    y + 1 + (int32_t)(scene_random(&r) % 9), check_unit(&r), some);
      }
      check_triangles(d, 100, seed & 1 ? 8 : 40, &r);
      widen(d);
      if (seed & 4)
         check_set_depth(&d->regs, DB_Z_24, COMPARE_LEQUAL, true);
      if (log2)
         check_set_samples(&d->regs, log2, true, &r);
      scene_set(&d->regs, R_PA_SC_MODE_CNTL_1, REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, 1));
      scene_set(&d->regs, R_DB_EQAA, REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, log2));
      scene_set(&d->regs, R_SPI_PS_IN_CONTROL_1,
                REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA, 1) |
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR, 1));
      scene_set(&d->regs, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_LATE_Z));
      if (seed & 2)
         d->regs.context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
            REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_ALWAYS) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS, STENCIL_INCR_WRAP) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZFAIL, STENCIL_INVERT);
      scene_set(&d->regs, R_DB_STENCILREFMASK, 0xffff00);
      scene_set(&d->regs, R_DB_COUNT_CONTROL, 0);
      check_scene(s, seed, "target");
   }
}

/* Alpha to mask: rounded, dithered, and by offsets of any kind. */
static void
test_alpha_to_mask(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 25; seed++) {
      struct regs *regs = &s->draws[0].regs;
      const float half[4] = { 0.3f, 0.6f, 0.1f, 0.5f };
      uint32_t r = seed, offsets = seed % 3 == 0 ? 0xaa : seed % 3 == 1 ? 0x87 : scene_random(&r);

      check_start(s, STUB_INPUT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE / 2, 0.5f, half);
      check_triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      check_set_samples(regs, 1 + seed % 2, true, &r);
      scene_set(regs, R_DB_ALPHA_TO_MASK,
                REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, 1) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET0, offsets & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET1, offsets >> 2 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET2, offsets >> 4 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET3, offsets >> 6 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, OFFSET_ROUND, seed % 3 == 1));
      check_scene(s, seed, "alpha to mask");
   }
}

/* More samples rasterised than stored: the program sees which, and one is tested and written. */
static void
test_overrasterization(void **state)
{
   static const enum stub_kind kinds[] = { STUB_COVERAGE, STUB_INPUT, STUB_CONSTANT, STUB_DEPTH };
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 40; seed++) {
      struct regs *regs = &s->draws[0].regs;
      const enum stub_kind kind = kinds[seed % 4];
      uint32_t r = seed;

      check_start(s, kind);
      check_triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      if (seed & 2)
         check_set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
      if (kind == STUB_DEPTH)
         scene_set(regs, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1));
      if (seed & 4)
         check_set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE, BLEND_ONE,
                         0);
      check_set_coverage(regs, 1 + seed % 3, true, &r);
      scene_set(regs, R_DB_EQAA, REG_FIELD(DB_EQAA, OVERRASTERIZATION_AMOUNT, 1 + seed % 3));
      if (kind == STUB_COVERAGE)
         scene_set(regs, R_SPI_PS_IN_CONTROL_1,
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                      REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ALL_BITS, 1) |
                      REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, 1));
      if (seed % 7 == 0)
         scene_set(regs, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0x00010002);
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check_scene(s, seed, "overrasterization");
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_samples, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_sample_shading, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_coverage, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_target, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_alpha_to_mask, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_overrasterization, check_setup, check_teardown),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}

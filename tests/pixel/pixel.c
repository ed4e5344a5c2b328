/* SPDX-License-Identifier: MIT */
/*
 * The pixel blocks against a scalar reference, in all builds that this CPU runs: one sample a
 * pixel, and what copies, resolves and clears.  samples.c has several.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"

static void
test_store(void **state)
{
   struct scene *s = *state;
   static const unsigned sizes[] = { 2, 5, 12, 60, 300 };

   for (uint32_t seed = 1; seed < 6; seed++) {
      uint32_t r = seed;

      check_start(s, STUB_INPUT);
      check_triangles(&s->draws[0], seed == 5 ? 20 : 300, sizes[seed - 1], &r);
      check_scene(s, seed, "store");
   }
}

/* Edges far longer than a tile, up to such as its values no longer fit in 32 bits for. */
static void
test_far(void **state)
{
   static const unsigned sizes[] = { 1000, 8000, 32768, 65536 };
   struct scene *s = *state;

   for (uint32_t seed = 1; seed <= 24; seed++) {
      uint32_t random = seed;

      check_start(s, seed & 1 ? STUB_INPUT : STUB_CONSTANT);
      check_set_depth(&s->draws[0].regs, DB_Z_24, COMPARE_LEQUAL, true);
      check_triangles(&s->draws[0], 40, sizes[seed % 4], &random);
      check_scene(s, seed, "far vertices");
   }
}

static void
test_constant(void **state)
{
   struct scene *s = *state;
   const float black[4] = { 0 };

   for (uint32_t seed = 1; seed < 5; seed++) {
      uint32_t r = seed;

      check_start(s, STUB_CONSTANT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, black);
      scene_rect(&s->draws[0], 3, 5, 130, 71, 0.5f, black);
      check_triangles(&s->draws[0], 50, 40, &r);
      if (seed > 1)
         check_set_depth(&s->draws[0].regs, seed - 1, COMPARE_LESS, true);
      check_scene(s, seed, "constant");
   }
}

/* What overwrites depth and stencil goes by whole rectangles; what compares does not. */
static void
test_fill(void **state)
{
   struct scene *s = *state;
   const float color[4] = { 0 };

   for (uint32_t seed = 1; seed < 40; seed++) {
      struct regs *regs = &s->draws[0].regs;
      uint32_t r = seed;

      check_start(s, STUB_CONSTANT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, check_unit(&r), color);
      scene_rect(&s->draws[0], 9, 5, 150, 171, check_unit(&r) * 2 - 0.5f, color);
      if (seed % 5 == 0)
         s->draws[0].prims[1].z[1] = 0.001f;
      s->draws[0].prims[1].front_facing = seed & 4;
      check_set_depth(regs, 1 + seed % 3, seed % 7 ? COMPARE_ALWAYS : COMPARE_GREATER, seed % 11);
      if (seed & 1) {
         regs->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
            REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_ALWAYS) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS, 1 + seed / 2 % 3) |
            REG_FIELD(DB_DEPTH_CONTROL, BACKFACE_ENABLE, 1) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC_BF, COMPARE_ALWAYS) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS_BF, STENCIL_REPLACE);
         scene_set(regs, R_DB_STENCILREFMASK, seed % 3 ? 0xffff25 : 0xf0ff25);
         scene_set(regs, R_DB_STENCILREFMASK_BF, 0xffff73);
      }
      if (seed & 2)
         scene_set(regs, R_CB_TARGET_MASK, 0);
      check_scene(s, seed, "fill");
   }
}

/* The same pixels many times in a wave. */
static void
test_overlap(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 20; seed++) {
      struct scene_draw *d = &s->draws[0];
      uint32_t r = seed;

      check_start(s, seed % 3 ? STUB_INPUT : STUB_CONSTANT);
      for (unsigned n = 0; n < 200; n++) {
         const int32_t x = (int32_t)(60 + scene_random(&r) % 9),
                       y = (int32_t)(60 + scene_random(&r) % 9);
         const float color[4] = { check_unit(&r), check_unit(&r), check_unit(&r), check_unit(&r) };

         scene_rect(d, x, y, x + 1 + (int32_t)(scene_random(&r) % 4),
                    y + 1 + (int32_t)(scene_random(&r) % 4), check_unit(&r), color);
      }
      check_set_blend(&d->regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE,
                      seed & 1 ? BLEND_ONE : BLEND_ONE_MINUS_SRC_ALPHA, 0);
      if (seed & 2)
         check_set_depth(&d->regs, DB_Z_24, COMPARE_GEQUAL, true);
      if (seed & 4) /* late tests see the overlap too */
         scene_set(&d->regs, R_SX_ALPHA_TEST_CONTROL,
                   COMPARE_GREATER | REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_TEST_ENABLE, 1));
      scene_set(&d->regs, R_SX_ALPHA_REF, 0x3e99999a);
      check_scene(s, seed, "overlap");
   }
}

static void
test_depth(void **state)
{
   struct scene *s = *state;
   uint32_t seed = 1;

   for (unsigned format = DB_Z_16; format <= DB_Z_32_FLOAT; format++) {
      for (unsigned func = 0; func < 8; func++) {
         for (unsigned write = 0; write < 2; write++) {
            uint32_t r = ++seed;

            check_start(s, STUB_INPUT);
            check_triangles(&s->draws[0], 60, seed & 1 ? 30 : 90, &r);
            check_set_depth(&s->draws[0].regs, format, func, write);
            check_scene(s, seed, "depth");
         }
      }
   }
}

static void
test_stencil(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 60; seed++) {
      struct regs *regs = &s->draws[0].regs;
      uint32_t r = seed, control;

      check_start(s, STUB_INPUT);
      check_triangles(&s->draws[0], 60, 40, &r);
      control = REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
                REG_FIELD(DB_DEPTH_CONTROL, BACKFACE_ENABLE, seed & 1);
      control |= (scene_random(&r) << 8 & 0xffffff00u) | (scene_random(&r) << 24);
      scene_set(regs, R_DB_DEPTH_CONTROL, control & ~6u);
      scene_set(regs, R_DB_STENCILREFMASK, scene_random(&r) | 0x808000u);
      scene_set(regs, R_DB_STENCILREFMASK_BF, scene_random(&r));
      if (seed & 2) {
         regs->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] &= ~0x70u;
         check_set_depth(regs, 1 + seed % 3, scene_random(&r) & 7, seed & 4);
      }
      check_scene(s, seed, "stencil");
   }
}

/* Programs that kill or export depth test late. */
static void
test_late(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 40; seed++) {
      struct regs *regs = &s->draws[0].regs;
      uint32_t r = seed;

      check_start(s, seed & 1 ? STUB_KILL : STUB_DEPTH);
      check_triangles(&s->draws[0], 100, seed % 3 ? 12 : 60, &r);
      check_set_depth(regs, 1 + seed % 3, scene_random(&r) & 7, true);
      regs->context[(R_DB_SHADER_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
         seed & 1 ? REG_FIELD(DB_SHADER_CONTROL, KILL_ENABLE, 1)
                  : REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1);
      if (seed & 2)
         check_set_blend(regs, BLEND_ONE, BLEND_ONE, 0, BLEND_ONE, BLEND_ONE, 0);
      if (seed & 4) {
         regs->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
            REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_ALWAYS) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS, STENCIL_INCR) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZFAIL, STENCIL_DECR_WRAP);
         scene_set(regs, R_DB_STENCILREFMASK, 0xffff00);
      }
      check_scene(s, seed, "late");
   }
}

static void
test_blend(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 120; seed++) {
      struct regs *regs = &s->draws[0].regs;
      uint32_t r = seed;
      unsigned f[4];

      check_start(s, seed % 4 ? STUB_INPUT : STUB_CONSTANT);
      check_triangles(&s->draws[0], 80, 20, &r);
      for (unsigned k = 0; k < 4; k++)
         do
            f[k] = scene_random(&r) % 21;
         while (f[k] == BLEND_BOTH_SRC_ALPHA || f[k] == BLEND_BOTH_INV_SRC_ALPHA);
      check_set_blend(regs, f[0], f[1], scene_random(&r) % 5, f[2], f[3], scene_random(&r) % 5);
      for (unsigned k = 0; k < 4; k++) {
         float c = check_unit(&r) * 1.2f;
         uint32_t u;

         memcpy(&u, &c, 4);
         scene_set(regs, R_CB_BLEND_RED + 4 * k, u);
      }
      if (seed % 5 == 0)
         scene_set(regs, R_CB_TARGET_MASK, scene_random(&r) & 15);
      check_scene(s, seed, "blend");
   }
}

static const struct {
   uint8_t format, type;
} formats[] = {
   { FMT_8_8_8_8, NUMBER_UNORM },
   { FMT_8_8_8_8, NUMBER_SNORM },
   { FMT_8_8_8_8, NUMBER_SRGB },
   { FMT_8_8_8_8, NUMBER_UINT },
   { FMT_8_8_8_8, NUMBER_SINT },
   { FMT_8, NUMBER_UNORM },
   { FMT_8_8, NUMBER_UNORM },
   { FMT_5_6_5, NUMBER_UNORM },
   { FMT_1_5_5_5, NUMBER_UNORM },
   { FMT_4_4_4_4, NUMBER_UNORM },
   { FMT_2_10_10_10, NUMBER_UNORM },
   { FMT_16, NUMBER_UNORM },
   { FMT_16_16, NUMBER_SNORM },
   { FMT_16_16_16_16, NUMBER_UNORM },
   { FMT_16_16_16_16, NUMBER_SINT },
   { FMT_16_FLOAT, NUMBER_FLOAT },
   { FMT_16_16_16_16_FLOAT, NUMBER_FLOAT },
   { FMT_32_FLOAT, NUMBER_FLOAT },
   { FMT_32_32, NUMBER_UINT },
   { FMT_32_32_FLOAT, NUMBER_FLOAT },
   { FMT_32_32_32_FLOAT, NUMBER_FLOAT },
   { FMT_32_32_32, NUMBER_UINT },
   { FMT_32_32_32_32_FLOAT, NUMBER_FLOAT },
   { FMT_32_32_32_32, NUMBER_SINT },
};

/* Those that have a loop of their own, and one that has not. */
static void
test_blends_of_halves(void **state)
{
   static const uint8_t kinds[][2] = {
      { BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA },
      { BLEND_ONE, BLEND_ONE },
      { BLEND_DST_COLOR, BLEND_ZERO },
      { BLEND_DST_COLOR, BLEND_SRC_COLOR },
      { BLEND_ONE_MINUS_DST_ALPHA, BLEND_CONST_COLOR },
   };
   struct scene *s = *state;

   for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
      for (uint32_t seed = 1; seed < 5; seed++) {
         struct regs *regs = &s->draws[0].regs;
         uint32_t r = seed;

         check_start(s, STUB_INPUT);
         check_triangles(&s->draws[0], 30, seed & 1 ? 30 : 100, &r);
         scene_set(regs, R_CB_COLOR0_INFO,
                   REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_16_16_16_16_FLOAT) |
                      REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_FLOAT));
         check_set_blend(regs, kinds[i][0], kinds[i][1], 0, kinds[i][0], kinds[i][1], 0);
         if (seed & 2)
            scene_set(regs, R_CB_TARGET_MASK, 5 + i);
         check_scene(s, seed, "halves");
      }
   }
}

static void
test_formats(void **state)
{
   struct scene *s = *state;
   uint32_t seed = 1;

   for (unsigned i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
      for (unsigned swap = 0; swap < 4; swap++) {
         for (unsigned variant = 0; variant < 6; variant++) {
            struct regs *regs = &s->draws[0].regs;
            const bool integer = formats[i].type == NUMBER_UINT || formats[i].type == NUMBER_SINT;
            uint32_t r = ++seed;
            char what[64];

            check_start(s, variant == 1 ? STUB_CONSTANT : STUB_INPUT);
            check_triangles(&s->draws[0], 30, 30, &r);
            scene_set(regs, R_CB_COLOR0_INFO,
                      REG_FIELD(CB_COLOR0_INFO, FORMAT, formats[i].format) |
                         REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, formats[i].type) |
                         REG_FIELD(CB_COLOR0_INFO, COMP_SWAP, swap));
            if (variant == 2)
               check_set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_DST_COLOR,
                               BLEND_DST_ALPHA, 0);
            if (variant >= 4) {
               const unsigned func = variant == 4 ? COMB_MAX_DST_SRC : COMB_MIN_DST_SRC;

               check_set_blend(regs, BLEND_ONE, BLEND_ONE, func, BLEND_ONE, BLEND_ONE, func);
            }
            if (variant == 3 || (variant >= 4 && seed & 16))
               scene_set(regs, R_CB_TARGET_MASK, seed & 15);
            if (variant == 3 && !integer)
               scene_set(regs, R_CB_COLOR_CONTROL,
                         REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
                            REG_FIELD(CB_COLOR_CONTROL, ROP3, (seed & 15) * 17));
            snprintf(what, sizeof(what), "format %x type %u swap %u variant %u", formats[i].format,
                     formats[i].type, swap, variant);
            check_scene(s, seed, what);
         }
      }
   }
}

/* Several draws of one pass, and the count of samples. */
static void
test_draws(void **state)
{
   struct scene *s = *state;

   for (uint32_t seed = 1; seed < 10; seed++) {
      uint32_t r = seed;

      check_start(s, STUB_INPUT);
      s->num_draws = 3;
      for (unsigned i = 1; i < 3; i++) {
         s->draws[i].batch.num_prims = 0;
         s->draws[i].program = s->draws[0].program;
         s->draws[i].program.kind = i == 1 ? STUB_CONSTANT : STUB_KILL;
         s->draws[i].regs = s->draws[0].regs;
      }
      for (unsigned i = 0; i < 3; i++) {
         check_triangles(&s->draws[i], 40, 50, &r);
         check_set_depth(&s->draws[i].regs, DB_Z_24, COMPARE_LESS, true);
         scene_set(&s->draws[i].regs, R_DB_COUNT_CONTROL,
                   seed & 1 ? REG_FIELD(DB_COUNT_CONTROL, PERFECT_ZPASS_COUNTS, 1)
                            : REG_FIELD(DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE, 1));
      }
      check_scene(s, seed, "draws");
   }
}

/* Runs one draw in every build; the colour target must hold what `expect` says. */
static void
check_colors(struct scene *s, uint32_t (*expect)(const uint8_t *before, unsigned pixel),
             void (*prepare)(uint8_t *memory), unsigned out)
{
   uint8_t *before = malloc(SCENE_BYTES);

   scene_finish(s);
   for (unsigned build = 0; build < SCENE_BUILDS; build++) {
      if (!scene_can_run(build))
         continue;
      check_noise(s, 3);
      memset(s->memory + 0x100000, 0x0f, 0x100); /* every other block is cleared */
      if (prepare)
         prepare(s->memory);
      memcpy(before, s->memory, SCENE_BYTES);
      scene_run(s, build);
      for (unsigned p = 0; p < SCENE_SIZE * SCENE_SIZE; p++) {
         uint32_t got;

         memcpy(&got, s->memory + out + p * 4, 4);
         if (got != expect(before, p))
            fail_msg("build %u, pixel %u: %08x, expected %08x", build, p, got, expect(before, p));
      }
   }
   free(before);
}

static uint32_t
expect_copy(const uint8_t *before, unsigned pixel)
{
   uint32_t z;

   memcpy(&z, before + SCENE_DEPTH + pixel * 4, 4);
   return (z & 0xffffff) | (uint32_t)before[SCENE_STENCIL + pixel] << 24;
}

static void
test_depth_copy(void **state)
{
   struct scene *s = *state;
   struct regs *regs = &s->draws[0].regs;
   const float color[4] = { 0 };

   check_start(s, STUB_CONSTANT);
   scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
   scene_set(regs, R_CB_COLOR0_INFO, REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_24));
   scene_set(regs, R_DB_RENDER_CONTROL,
             REG_FIELD(DB_RENDER_CONTROL, DEPTH_COPY_ENABLE, 1) |
                REG_FIELD(DB_RENDER_CONTROL, STENCIL_COPY_ENABLE, 1));
   check_colors(s, expect_copy, NULL, SCENE_COLOR);
}

static uint32_t
average(const uint8_t *samples, unsigned count)
{
   uint32_t v = 0;

   for (unsigned c = 0; c < 4; c++) {
      float sum = 0;

      for (unsigned i = 0; i < count; i++)
         sum += (float)samples[4 * i + c] / 255.0f;
      v |= (uint32_t)lrintf(sum / (float)count * 255.0f) << 8 * c;
   }
   return v;
}

static uint32_t
expect_resolve_2(const uint8_t *before, unsigned pixel)
{
   return average(before + pixel * 8, 2);
}

static uint32_t
expect_resolve_4(const uint8_t *before, unsigned pixel)
{
   return average(before + pixel * 16, 4);
}

/* Every row of a block but the last two pixels' rows: samples that are alike, of all values. */
static void
make_alike(uint8_t *memory)
{
   for (unsigned p = 0; p < SCENE_SIZE * SCENE_SIZE; p++) {
      const uint32_t word = p * 0x01050301u;

      for (unsigned i = 0; i < 4 && p / SCENE_SIZE % 8 < 6; i++)
         memcpy(memory + p * 16 + i * 4, &word, 4);
   }
}

static void
resolve(struct scene *s, unsigned log2_samples)
{
   struct regs *regs = &s->draws[0].regs;
   const float color[4] = { 0 };
   uint32_t r = 1;

   check_start(s, STUB_CONSTANT);
   scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
   for (uint32_t reg = R_CB_COLOR0_BASE; reg <= R_CB_COLOR0_INFO; reg += 4)
      scene_set(regs, reg + 0x3c, regs->context[(reg - CAYMAN_CONTEXT_BASE) / 4]);
   scene_set(regs, R_CB_COLOR0_BASE + 0x3c, SCENE_DEPTH >> 8);
   scene_set(regs, R_DB_Z_INFO, 0);
   scene_set(regs, R_DB_STENCIL_INFO, 0);
   check_set_samples(regs, log2_samples, true, &r);
   scene_set(regs, R_DB_Z_INFO, 0);
   scene_set(regs, R_CB_COLOR_CONTROL, REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_RESOLVE));
   check_colors(s, log2_samples == 1 ? expect_resolve_2 : expect_resolve_4,
                log2_samples == 1 ? NULL : make_alike, SCENE_DEPTH);
}

static void
test_resolve(void **state)
{
   resolve(*state, 1);
   resolve(*state, 2);
}

static uint32_t
expect_fast_clear(const uint8_t *before, unsigned pixel)
{
   const unsigned block = pixel / SCENE_SIZE / 8 * (SCENE_SIZE / 8) + pixel % SCENE_SIZE / 8;
   const uint8_t mask = block & 1 ? 0xf0 : 0x0f;
   uint32_t v;

   memcpy(&v, before + pixel * 4, 4);
   return before[0x100000 + block / 2] & mask ? v : 0x12345678;
}

static void
test_fast_clear(void **state)
{
   struct scene *s = *state;
   struct regs *regs = &s->draws[0].regs;
   const float color[4] = { 0 };

   check_start(s, STUB_CONSTANT);
   scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
   scene_set(regs, R_CB_COLOR0_INFO,
             REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
                REG_FIELD(CB_COLOR0_INFO, FAST_CLEAR, 1));
   scene_set(regs, R_CB_COLOR0_CMASK, 0x100000 >> 8);
   scene_set(regs, R_CB_COLOR0_CMASK_SLICE, 2);
   scene_set(regs, R_CB_COLOR0_CLEAR_WORD0, 0x12345678);
   scene_set(regs, R_CB_COLOR_CONTROL,
             REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_ELIMINATE_FAST_CLEAR));
   scene_set(regs, R_DB_Z_INFO, 0);
   scene_set(regs, R_DB_STENCIL_INFO, 0);
   check_colors(s, expect_fast_clear, NULL, SCENE_COLOR);
}

/* Fills outside what is mapped or bound do not happen. */
static void
test_cut_target(void **state)
{
   struct scene *s = *state;
   struct regs *regs = &s->draws[0].regs;

   check_start(s, STUB_CONSTANT);
   scene_set(regs, R_CB_COLOR0_BASE, (SCENE_BYTES - SCENE_SIZE * 4 * 10) >> 8);
   scene_finish(s);
   assert_int_equal(s->draws[0].state.sc.rect[0].y1, 10);
   scene_set(regs, R_CB_COLOR0_BASE, SCENE_BYTES >> 8);
   scene_finish(s);
   assert_int_equal(s->draws[0].state.cb.bound, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_store, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_far, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_constant, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_fill, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_overlap, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_depth, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_stencil, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_late, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_blend, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_formats, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_draws, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_depth_copy, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_blends_of_halves, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_resolve, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_fast_clear, check_setup, check_teardown),
      cmocka_unit_test_setup_teardown(test_cut_target, check_setup, check_teardown),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}

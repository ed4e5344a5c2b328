/* SPDX-License-Identifier: MIT */
/*
 * The pixel blocks against a scalar reference, in all builds that this CPU runs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene.h"

static void
noise(struct scene *s, uint32_t seed)
{
   for (uint32_t i = 0; i < SCENE_BYTES; i += 4) {
      uint32_t v = scene_random(&seed) ^ scene_random(&seed) << 16;
      /* Old colours in any float format must be numbers. */
      v &= 0xbbffbbffu;
      memcpy(s->memory + i, &v, 4);
   }
}

/* Runs the reference and all builds from equal memory; all must end equal. */
static void
check(struct scene *s, uint32_t seed, const char *what)
{
   uint8_t *expected = malloc(SCENE_BYTES);
   uint64_t passed;

   scene_finish(s);
   noise(s, seed);
   scene_reference(s);
   memcpy(expected, s->memory, SCENE_BYTES);
   passed = s->worker.counters.samples_passed;
   for (unsigned build = 0; build < SCENE_BUILDS; build++) {
      if (!scene_can_run(build))
         continue;
      noise(s, seed);
      scene_run(s, build);
      if (memcmp(expected, s->memory, SCENE_BYTES)) {
         uint32_t i = 0;

         while (expected[i] == s->memory[i])
            i++;
         const unsigned cpp = i >= SCENE_STENCIL ? 1
                              : i >= SCENE_DEPTH ? s->draws[0].state.db.z.cpp
                                                 : s->draws[0].state.cb.target[0].surface.cpp;
         const uint32_t pixel = (i - (i >= SCENE_STENCIL ? SCENE_STENCIL
                                      : i >= SCENE_DEPTH ? SCENE_DEPTH
                                                         : 0)) /
                                (cpp ? cpp : 4);
         fail_msg("%s, seed %u, build %u: byte %x (pixel %u,%u) is %02x, expected %02x", what, seed,
                  build, i, pixel % SCENE_SIZE, pixel / SCENE_SIZE, s->memory[i], expected[i]);
      }
      if (passed != s->worker.counters.samples_passed)
         fail_msg("%s, seed %u, build %u: %llu samples passed, expected %llu", what, seed, build,
                  (unsigned long long)s->worker.counters.samples_passed,
                  (unsigned long long)passed);
   }
   free(expected);
}

static float
unit(uint32_t *seed)
{
   return (float)(scene_random(seed) & 0xffff) / 65535.0f;
}

/* Triangles of about `size` pixels, anywhere. */
static void
triangles(struct scene_draw *d, unsigned count, unsigned size, uint32_t *seed)
{
   for (unsigned n = 0; n < count; n++) {
      const int32_t cx = (int32_t)(scene_random(seed) % (SCENE_SIZE * 256));
      const int32_t cy = (int32_t)(scene_random(seed) % (SCENE_SIZE * 256));
      int32_t xy[3][2];
      float z[3], color[3][4];

      for (unsigned v = 0; v < 3; v++) {
         xy[v][0] = cx + (int32_t)(scene_random(seed) % (size * 256)) - (int32_t)(size * 128);
         xy[v][1] = cy + (int32_t)(scene_random(seed) % (size * 256)) - (int32_t)(size * 128);
         z[v] = unit(seed) * 1.2f - 0.1f;
         for (unsigned k = 0; k < 4; k++)
            color[v][k] = unit(seed) * 1.5f - 0.25f;
      }
      struct sc_prim *p = scene_triangle(d, xy, z, color);
      if (p)
         p->front_facing = scene_random(seed) & 1;
   }
}

static void
start(struct scene *s, enum stub_kind kind)
{
   struct scene_draw *d = &s->draws[0];

   s->num_draws = 1;
   d->batch.num_prims = 0;
   d->program.kind = kind;
   for (unsigned k = 0; k < 4; k++)
      d->program.color[k] = 0.2f + 0.2f * (float)k;
   scene_registers(&d->regs);
}

static void
set_blend(struct regs *r, unsigned src, unsigned dst, unsigned func, unsigned asrc, unsigned adst,
          unsigned afunc)
{
   scene_set(r, R_CB_BLEND0_CONTROL,
             REG_FIELD(CB_BLEND0_CONTROL, COLOR_SRCBLEND, src) |
                REG_FIELD(CB_BLEND0_CONTROL, COLOR_DESTBLEND, dst) |
                REG_FIELD(CB_BLEND0_CONTROL, COLOR_COMB_FCN, func) |
                REG_FIELD(CB_BLEND0_CONTROL, ALPHA_SRCBLEND, asrc) |
                REG_FIELD(CB_BLEND0_CONTROL, ALPHA_DESTBLEND, adst) |
                REG_FIELD(CB_BLEND0_CONTROL, ALPHA_COMB_FCN, afunc) |
                REG_FIELD(CB_BLEND0_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
                REG_FIELD(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE, 1));
}

static void
set_depth(struct regs *r, unsigned format, unsigned func, bool write)
{
   scene_set(r, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, format));
   r->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
      REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
      REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, write) | REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, func);
}

static void
test_store(void **state)
{
   struct scene *s = *state;
   static const unsigned sizes[] = { 2, 5, 12, 60, 300 };

   for (uint32_t seed = 1; seed < 6; seed++) {
      uint32_t r = seed;

      start(s, STUB_INPUT);
      triangles(&s->draws[0], seed == 5 ? 20 : 300, sizes[seed - 1], &r);
      check(s, seed, "store");
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

      start(s, seed & 1 ? STUB_INPUT : STUB_CONSTANT);
      set_depth(&s->draws[0].regs, DB_Z_24, COMPARE_LEQUAL, true);
      triangles(&s->draws[0], 40, sizes[seed % 4], &random);
      check(s, seed, "far vertices");
   }
}

static void
test_constant(void **state)
{
   struct scene *s = *state;
   const float black[4] = { 0 };

   for (uint32_t seed = 1; seed < 5; seed++) {
      uint32_t r = seed;

      start(s, STUB_CONSTANT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, black);
      scene_rect(&s->draws[0], 3, 5, 130, 71, 0.5f, black);
      triangles(&s->draws[0], 50, 40, &r);
      if (seed > 1)
         set_depth(&s->draws[0].regs, seed - 1, COMPARE_LESS, true);
      check(s, seed, "constant");
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

      start(s, STUB_CONSTANT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, unit(&r), color);
      scene_rect(&s->draws[0], 9, 5, 150, 171, unit(&r) * 2 - 0.5f, color);
      if (seed % 5 == 0)
         s->draws[0].prims[1].z[1] = 0.001f;
      s->draws[0].prims[1].front_facing = seed & 4;
      set_depth(regs, 1 + seed % 3, seed % 7 ? COMPARE_ALWAYS : COMPARE_GREATER, seed % 11);
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
      check(s, seed, "fill");
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

      start(s, seed % 3 ? STUB_INPUT : STUB_CONSTANT);
      for (unsigned n = 0; n < 200; n++) {
         const int32_t x = (int32_t)(60 + scene_random(&r) % 9),
                       y = (int32_t)(60 + scene_random(&r) % 9);
         const float color[4] = { unit(&r), unit(&r), unit(&r), unit(&r) };

         scene_rect(d, x, y, x + 1 + (int32_t)(scene_random(&r) % 4),
                    y + 1 + (int32_t)(scene_random(&r) % 4), unit(&r), color);
      }
      set_blend(&d->regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE,
                seed & 1 ? BLEND_ONE : BLEND_ONE_MINUS_SRC_ALPHA, 0);
      if (seed & 2)
         set_depth(&d->regs, DB_Z_24, COMPARE_GEQUAL, true);
      if (seed & 4) /* late tests see the overlap too */
         scene_set(&d->regs, R_SX_ALPHA_TEST_CONTROL,
                   COMPARE_GREATER | REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_TEST_ENABLE, 1));
      scene_set(&d->regs, R_SX_ALPHA_REF, 0x3e99999a);
      check(s, seed, "overlap");
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

            start(s, STUB_INPUT);
            triangles(&s->draws[0], 60, seed & 1 ? 30 : 90, &r);
            set_depth(&s->draws[0].regs, format, func, write);
            check(s, seed, "depth");
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

      start(s, STUB_INPUT);
      triangles(&s->draws[0], 60, 40, &r);
      control = REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
                REG_FIELD(DB_DEPTH_CONTROL, BACKFACE_ENABLE, seed & 1);
      control |= (scene_random(&r) << 8 & 0xffffff00u) | (scene_random(&r) << 24);
      scene_set(regs, R_DB_DEPTH_CONTROL, control & ~6u);
      scene_set(regs, R_DB_STENCILREFMASK, scene_random(&r) | 0x808000u);
      scene_set(regs, R_DB_STENCILREFMASK_BF, scene_random(&r));
      if (seed & 2) {
         regs->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] &= ~0x70u;
         set_depth(regs, 1 + seed % 3, scene_random(&r) & 7, seed & 4);
      }
      check(s, seed, "stencil");
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

      start(s, seed & 1 ? STUB_KILL : STUB_DEPTH);
      triangles(&s->draws[0], 100, seed % 3 ? 12 : 60, &r);
      set_depth(regs, 1 + seed % 3, scene_random(&r) & 7, true);
      regs->context[(R_DB_SHADER_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
         seed & 1 ? REG_FIELD(DB_SHADER_CONTROL, KILL_ENABLE, 1)
                  : REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1);
      if (seed & 2)
         set_blend(regs, BLEND_ONE, BLEND_ONE, 0, BLEND_ONE, BLEND_ONE, 0);
      if (seed & 4) {
         regs->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
            REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_ALWAYS) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS, STENCIL_INCR) |
            REG_FIELD(DB_DEPTH_CONTROL, STENCILZFAIL, STENCIL_DECR_WRAP);
         scene_set(regs, R_DB_STENCILREFMASK, 0xffff00);
      }
      check(s, seed, "late");
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

      start(s, seed % 4 ? STUB_INPUT : STUB_CONSTANT);
      triangles(&s->draws[0], 80, 20, &r);
      for (unsigned k = 0; k < 4; k++)
         do
            f[k] = scene_random(&r) % 21;
         while (f[k] == BLEND_BOTH_SRC_ALPHA || f[k] == BLEND_BOTH_INV_SRC_ALPHA);
      set_blend(regs, f[0], f[1], scene_random(&r) % 5, f[2], f[3], scene_random(&r) % 5);
      for (unsigned k = 0; k < 4; k++) {
         float c = unit(&r) * 1.2f;
         uint32_t u;

         memcpy(&u, &c, 4);
         scene_set(regs, R_CB_BLEND_RED + 4 * k, u);
      }
      if (seed % 5 == 0)
         scene_set(regs, R_CB_TARGET_MASK, scene_random(&r) & 15);
      check(s, seed, "blend");
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

         start(s, STUB_INPUT);
         triangles(&s->draws[0], 30, seed & 1 ? 30 : 100, &r);
         scene_set(regs, R_CB_COLOR0_INFO,
                   REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_16_16_16_16_FLOAT) |
                      REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_FLOAT));
         set_blend(regs, kinds[i][0], kinds[i][1], 0, kinds[i][0], kinds[i][1], 0);
         if (seed & 2)
            scene_set(regs, R_CB_TARGET_MASK, 5 + i);
         check(s, seed, "halves");
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

            start(s, variant == 1 ? STUB_CONSTANT : STUB_INPUT);
            triangles(&s->draws[0], 30, 30, &r);
            scene_set(regs, R_CB_COLOR0_INFO,
                      REG_FIELD(CB_COLOR0_INFO, FORMAT, formats[i].format) |
                         REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, formats[i].type) |
                         REG_FIELD(CB_COLOR0_INFO, COMP_SWAP, swap));
            if (variant == 2)
               set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_DST_COLOR,
                         BLEND_DST_ALPHA, 0);
            if (variant >= 4) {
               const unsigned func = variant == 4 ? COMB_MAX_DST_SRC : COMB_MIN_DST_SRC;

               set_blend(regs, BLEND_ONE, BLEND_ONE, func, BLEND_ONE, BLEND_ONE, func);
            }
            if (variant == 3 || (variant >= 4 && seed & 16))
               scene_set(regs, R_CB_TARGET_MASK, seed & 15);
            if (variant == 3 && !integer)
               scene_set(regs, R_CB_COLOR_CONTROL,
                         REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
                            REG_FIELD(CB_COLOR_CONTROL, ROP3, (seed & 15) * 17));
            snprintf(what, sizeof(what), "format %x type %u swap %u variant %u", formats[i].format,
                     formats[i].type, swap, variant);
            check(s, seed, what);
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

      start(s, STUB_INPUT);
      s->num_draws = 3;
      for (unsigned i = 1; i < 3; i++) {
         s->draws[i].batch.num_prims = 0;
         s->draws[i].program = s->draws[0].program;
         s->draws[i].program.kind = i == 1 ? STUB_CONSTANT : STUB_KILL;
         s->draws[i].regs = s->draws[0].regs;
      }
      for (unsigned i = 0; i < 3; i++) {
         triangles(&s->draws[i], 40, 50, &r);
         set_depth(&s->draws[i].regs, DB_Z_24, COMPARE_LESS, true);
         scene_set(&s->draws[i].regs, R_DB_COUNT_CONTROL,
                   seed & 1 ? REG_FIELD(DB_COUNT_CONTROL, PERFECT_ZPASS_COUNTS, 1)
                            : REG_FIELD(DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE, 1));
      }
      check(s, seed, "draws");
   }
}

/* Samples that are rasterised. */
static void
set_coverage(struct regs *r, unsigned log2, bool apart, uint32_t *seed)
{
   scene_set(r, R_PA_SC_AA_CONFIG, REG_FIELD(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, log2));
   scene_set(r, R_PA_SC_MODE_CNTL_0, REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, apart));
   /* Two words for each pixel of a quad; for some, all four alike. */
   const bool alike = scene_random(seed) & 4;
   uint32_t words[2] = { 0, 0 };
   for (unsigned i = 0; i < 8; i++) {
      if (i < 2 || !alike)
         words[i % 2] = scene_random(seed) ^ scene_random(seed) << 16;
      const uint32_t word = words[i % 2];

      scene_set(r, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + i / 2 * 16 + i % 2 * 4, word);
   }
   scene_set(r, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffffffff);
   scene_set(r, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0xffffffff);
}

/* And stored. */
static void
set_samples(struct regs *r, unsigned log2, bool apart, uint32_t *seed)
{
   scene_set(r, R_CB_COLOR0_ATTRIB,
             REG_FIELD(CB_COLOR0_ATTRIB, NUM_SAMPLES, log2) |
                REG_FIELD(CB_COLOR0_ATTRIB, NUM_FRAGMENTS, log2));
   r->context[(R_DB_Z_INFO - CAYMAN_CONTEXT_BASE) / 4] |= REG_FIELD(DB_Z_INFO, NUM_SAMPLES, log2);
   set_coverage(r, log2, apart, seed);
}

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

      start(s, seed % 3 ? STUB_INPUT : seed % 2 ? STUB_CONSTANT : STUB_KILL);
      if (seed % 4 == 0)
         scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
      triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      if (seed & 1)
         set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
      if (seed % 8 == 4) /* the rectangle's depths replace whole blocks */
         set_depth(regs, 1 + seed % 3, COMPARE_ALWAYS, true);
      if (seed & 2)
         set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE, BLEND_ONE, 0);
      set_samples(regs, 1 + seed % 2, seed % 5 != 0, &r);
      if (seed % 7 == 0)
         scene_set(regs, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0x00010002);
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check(s, seed, "samples");
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

         start(s, STUB_CONSTANT);
         triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
         widen(&s->draws[0]);
         if (seed & 1)
            set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
         if (seed & 2)
            set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE, BLEND_ONE, 0);
         set_samples(regs, log2, true, &r);
         scene_set(regs, R_PA_SC_MODE_CNTL_1,
                   REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterates));
         /* More than there are is all of them. */
         scene_set(regs, R_DB_EQAA, REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, 1 + seed / 3 % 3));
         scene_set(regs, R_DB_COUNT_CONTROL, 0);
         check(s, seed, "sample shading");
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

      start(s, STUB_COVERAGE);
      if (seed % 4 == 0)
         scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
      triangles(&s->draws[0], 80, seed % 5 ? 12 : 60, &r);
      widen(&s->draws[0]);
      set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, seed & 2);
      set_samples(regs, 1 + seed % 2, true, &r);
      scene_set(regs, R_SPI_PS_IN_CONTROL_1,
                REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ALL_BITS, 1) |
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, 1));
      scene_set(regs, R_DB_SHADER_CONTROL,
                REG_FIELD(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, seed & 1) |
                   REG_FIELD(DB_SHADER_CONTROL, PRE_SHADER_DEPTH_COVERAGE_ENABLE, seed / 4 & 1));
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check(s, seed, "coverage");
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

      start(s, STUB_TARGET);
      d->program.samples = 1u << log2;
      scene_rect(d, 3, 1, SCENE_SIZE, SCENE_SIZE - 5, 0.5f, color);
      for (unsigned n = 0; n < 200; n++) {
         const int32_t x = (int32_t)(60 + scene_random(&r) % 9),
                       y = (int32_t)(60 + scene_random(&r) % 9);
         const float some[4] = { unit(&r), unit(&r), unit(&r), unit(&r) };

         scene_rect(d, x, y, x + 1 + (int32_t)(scene_random(&r) % 9),
                    y + 1 + (int32_t)(scene_random(&r) % 9), unit(&r), some);
      }
      triangles(d, 100, seed & 1 ? 8 : 40, &r);
      widen(d);
      if (seed & 4)
         set_depth(&d->regs, DB_Z_24, COMPARE_LEQUAL, true);
      if (log2)
         set_samples(&d->regs, log2, true, &r);
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
      check(s, seed, "target");
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

      start(s, STUB_INPUT);
      scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE / 2, 0.5f, half);
      triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      set_samples(regs, 1 + seed % 2, true, &r);
      scene_set(regs, R_DB_ALPHA_TO_MASK,
                REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, 1) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET0, offsets & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET1, offsets >> 2 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET2, offsets >> 4 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET3, offsets >> 6 & 3) |
                   REG_FIELD(DB_ALPHA_TO_MASK, OFFSET_ROUND, seed % 3 == 1));
      check(s, seed, "alpha to mask");
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

      start(s, kind);
      triangles(&s->draws[0], 50, seed % 5 ? 30 : 100, &r);
      widen(&s->draws[0]);
      if (seed & 2)
         set_depth(regs, 1 + seed % 3, COMPARE_LEQUAL, true);
      if (kind == STUB_DEPTH)
         scene_set(regs, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1));
      if (seed & 4)
         set_blend(regs, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, 0, BLEND_ONE, BLEND_ONE, 0);
      set_coverage(regs, 1 + seed % 3, true, &r);
      scene_set(regs, R_DB_EQAA, REG_FIELD(DB_EQAA, OVERRASTERIZATION_AMOUNT, 1 + seed % 3));
      if (kind == STUB_COVERAGE)
         scene_set(regs, R_SPI_PS_IN_CONTROL_1,
                   REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                      REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ALL_BITS, 1) |
                      REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, 1));
      if (seed % 7 == 0)
         scene_set(regs, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0x00010002);
      scene_set(regs, R_DB_COUNT_CONTROL, 0);
      check(s, seed, "overrasterization");
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
      noise(s, 3);
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

   start(s, STUB_CONSTANT);
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

   start(s, STUB_CONSTANT);
   scene_rect(&s->draws[0], 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
   for (uint32_t reg = R_CB_COLOR0_BASE; reg <= R_CB_COLOR0_INFO; reg += 4)
      scene_set(regs, reg + 0x3c, regs->context[(reg - CAYMAN_CONTEXT_BASE) / 4]);
   scene_set(regs, R_CB_COLOR0_BASE + 0x3c, SCENE_DEPTH >> 8);
   scene_set(regs, R_DB_Z_INFO, 0);
   scene_set(regs, R_DB_STENCIL_INFO, 0);
   set_samples(regs, log2_samples, true, &r);
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

   start(s, STUB_CONSTANT);
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

   start(s, STUB_CONSTANT);
   scene_set(regs, R_CB_COLOR0_BASE, (SCENE_BYTES - SCENE_SIZE * 4 * 10) >> 8);
   scene_finish(s);
   assert_int_equal(s->draws[0].state.sc.rect[0].y1, 10);
   scene_set(regs, R_CB_COLOR0_BASE, SCENE_BYTES >> 8);
   scene_finish(s);
   assert_int_equal(s->draws[0].state.cb.bound, 0);
}

static int
setup(void **state)
{
   *state = scene_create();
   return 0;
}

static int
teardown(void **state)
{
   scene_destroy(*state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_store, setup, teardown),
      cmocka_unit_test_setup_teardown(test_far, setup, teardown),
      cmocka_unit_test_setup_teardown(test_constant, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fill, setup, teardown),
      cmocka_unit_test_setup_teardown(test_overlap, setup, teardown),
      cmocka_unit_test_setup_teardown(test_depth, setup, teardown),
      cmocka_unit_test_setup_teardown(test_stencil, setup, teardown),
      cmocka_unit_test_setup_teardown(test_late, setup, teardown),
      cmocka_unit_test_setup_teardown(test_blend, setup, teardown),
      cmocka_unit_test_setup_teardown(test_formats, setup, teardown),
      cmocka_unit_test_setup_teardown(test_draws, setup, teardown),
      cmocka_unit_test_setup_teardown(test_samples, setup, teardown),
      cmocka_unit_test_setup_teardown(test_sample_shading, setup, teardown),
      cmocka_unit_test_setup_teardown(test_coverage, setup, teardown),
      cmocka_unit_test_setup_teardown(test_target, setup, teardown),
      cmocka_unit_test_setup_teardown(test_alpha_to_mask, setup, teardown),
      cmocka_unit_test_setup_teardown(test_overrasterization, setup, teardown),
      cmocka_unit_test_setup_teardown(test_depth_copy, setup, teardown),
      cmocka_unit_test_setup_teardown(test_blends_of_halves, setup, teardown),
      cmocka_unit_test_setup_teardown(test_resolve, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fast_clear, setup, teardown),
      cmocka_unit_test_setup_teardown(test_cut_target, setup, teardown),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Times the pixel blocks without programs: nanoseconds per 64 pixels or per triangle.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "scene.h"

static double
now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Best of several runs, divided by `units`. */
static double
measure(struct scene *s, unsigned build, double units)
{
   double best = 1e30;

   scene_finish(s);
   for (unsigned i = 0; i < 60; i++) {
      const double begin = now();

      scene_run(s, build);
      const double t = now() - begin;
      best = t < best ? t : best;
   }
   return best / units;
}

static struct scene_draw *
begin(struct scene *s, enum stub_kind kind)
{
   struct scene_draw *d = &s->draws[0];

   s->num_draws = 1;
   d->batch.num_prims = 0;
   d->program.kind = kind;
   scene_registers(&d->regs);
   return d;
}

static void
depth(struct scene_draw *d, unsigned func)
{
   scene_set(&d->regs, R_DB_DEPTH_CONTROL,
             REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
                REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) |
                REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, func));
}

static void
float_depth(struct scene_draw *d, unsigned func)
{
   depth(d, func);
   scene_set(&d->regs, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, DB_Z_32_FLOAT));
}

static void
blend(struct scene_draw *d)
{
   scene_set(&d->regs, R_CB_BLEND0_CONTROL,
             REG_FIELD(CB_BLEND0_CONTROL, COLOR_SRCBLEND, BLEND_SRC_ALPHA) |
                REG_FIELD(CB_BLEND0_CONTROL, COLOR_DESTBLEND, BLEND_ONE_MINUS_SRC_ALPHA) |
                REG_FIELD(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE, 1));
}

static void
four_samples(struct scene_draw *d)
{
   scene_set(&d->regs, R_CB_COLOR0_ATTRIB,
             REG_FIELD(CB_COLOR0_ATTRIB, NUM_SAMPLES, 2) |
                REG_FIELD(CB_COLOR0_ATTRIB, NUM_FRAGMENTS, 2));
   d->regs.context[(R_DB_Z_INFO - CAYMAN_CONTEXT_BASE) / 4] |= REG_FIELD(DB_Z_INFO, NUM_SAMPLES, 2);
   scene_set(&d->regs, R_PA_SC_AA_CONFIG, REG_FIELD(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, 2));
   scene_set(&d->regs, R_PA_SC_MODE_CNTL_0, REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, 1));
   for (unsigned i = 0; i < 4; i++)
      scene_set(&d->regs, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + i * 16, 0x622ae666);
   scene_set(&d->regs, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffffffff);
   scene_set(&d->regs, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0xffffffff);
}

static void
screen(struct scene_draw *d)
{
   const float color[4] = { 0.1f, 0.4f, 0.6f, 0.5f };

   for (unsigned i = 0; i < 20; i++)
      scene_rect(d, 0, 0, SCENE_SIZE, SCENE_SIZE, 0.5f, color);
}

/* Two triangles over everything, so that edges cross blocks. */
static void
big_triangles(struct scene_draw *d)
{
   const float color[3][4] = { { 0.1f, 0.4f, 0.6f, 0.5f } };
   const float z[3] = { 0.1f, 0.5f, 0.9f };
   const int32_t s = SCENE_SIZE * 256;
   const int32_t a[3][2] = { { 0, 0 }, { s, 0 }, { 0, s } },
                 b[3][2] = { { s, 0 }, { s, s }, { 0, s } };

   for (unsigned i = 0; i < 10; i++) {
      scene_triangle(d, a, z, color);
      scene_triangle(d, b, z, color);
   }
}

static unsigned
small_triangles(struct scene_draw *d, unsigned size)
{
   const float color[3][4] = { { 0.1f, 0.4f, 0.6f, 0.5f } };
   const float z[3] = { 0.1f, 0.5f, 0.9f };
   uint32_t seed = 1;

   while (d->batch.num_prims < SCENE_PRIMS) {
      const int32_t x = (int32_t)(scene_random(&seed) % ((SCENE_SIZE - size) * 256));
      const int32_t y = (int32_t)(scene_random(&seed) % ((SCENE_SIZE - size) * 256));
      const int32_t w = (int32_t)size * 256;
      const int32_t xy[3][2] = { { x, y }, { x + w, y + w / 4 }, { x + w / 4, y + w } };

      scene_triangle(d, xy, z, color);
   }
   return d->batch.num_prims;
}

int
main(void)
{
   static const char *const names[SCENE_BUILDS] = { "sse2", "avx2", "avx512" };
   const double waves = 20.0 * SCENE_SIZE * SCENE_SIZE / 64, tri_waves = waves / 2;
   struct scene *s = scene_create();
   struct scene_draw *d;

   printf("%-44s", "ns per 64 pixels");
   for (unsigned b = 0; b < SCENE_BUILDS; b++)
      printf("%9s", names[b]);
   printf("\n");
#define ROW(name, units, ...)                             \
   printf("%-44s", name);                                 \
   for (unsigned b = SCENE_SSE2; b < SCENE_BUILDS; b++) { \
      if (!scene_can_run(b))                              \
         continue;                                        \
      __VA_ARGS__;                                        \
      printf("%9.1f", measure(s, b, units));              \
   }                                                      \
   printf("\n")

   ROW("clear (rectangle)", waves, d = begin(s, STUB_CONSTANT); screen(d));
   ROW("constant, two triangles", tri_waves, d = begin(s, STUB_CONSTANT); big_triangles(d));
   ROW("depth only, always", waves, d = begin(s, STUB_CONSTANT); screen(d);
       depth(d, COMPARE_ALWAYS); scene_set(&d->regs, R_CB_TARGET_MASK, 0));
   ROW("depth only, two triangles, lequal", tri_waves, d = begin(s, STUB_CONSTANT);
       big_triangles(d); depth(d, COMPARE_LEQUAL); scene_set(&d->regs, R_CB_TARGET_MASK, 0));
   ROW("the same, depth of floats", tri_waves, d = begin(s, STUB_CONSTANT); big_triangles(d);
       float_depth(d, COMPARE_LEQUAL); scene_set(&d->regs, R_CB_TARGET_MASK, 0));
   ROW("constant + depth", waves, d = begin(s, STUB_CONSTANT); screen(d); depth(d, COMPARE_ALWAYS));
   ROW("constant + blend", waves, d = begin(s, STUB_CONSTANT); screen(d); blend(d));
   ROW("launch (linear pair) + store", waves, d = begin(s, STUB_NOTHING); screen(d));
   ROW("launch (linear pair) + blend", waves, d = begin(s, STUB_NOTHING); screen(d); blend(d));
   ROW("launch (persp pair) + store", waves, d = begin(s, STUB_NOTHING); screen(d);
       scene_set(&d->regs, R_SPI_BARYC_CNTL, REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTER_ENA, 1)));
   ROW("4 samples: depth, two triangles, lequal", tri_waves, d = begin(s, STUB_CONSTANT);
       big_triangles(d); depth(d, COMPARE_LEQUAL); four_samples(d);
       scene_set(&d->regs, R_CB_TARGET_MASK, 0));
   ROW("4 samples: launch (linear pair) + store", tri_waves, d = begin(s, STUB_NOTHING);
       big_triangles(d); four_samples(d));
   ROW("4 samples: launch (linear pair) + blend", tri_waves, d = begin(s, STUB_NOTHING);
       big_triangles(d); four_samples(d); blend(d));
   static const struct {
      const char *name;
      unsigned format, number;
   } formats[] = {
      { "launch (linear pair) + store 32F", FMT_32_FLOAT, NUMBER_FLOAT },
      { "launch (linear pair) + store 16F x 4", FMT_16_16_16_16_FLOAT, NUMBER_FLOAT },
      { "launch (linear pair) + store 32F x 4", FMT_32_32_32_32_FLOAT, NUMBER_FLOAT },
      { "launch (linear pair) + store 5_6_5", FMT_5_6_5, NUMBER_UNORM },
   };
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      ROW(formats[i].name, waves, d = begin(s, STUB_NOTHING); screen(d);
          scene_set(&d->regs, R_CB_COLOR0_INFO,
                    REG_FIELD(CB_COLOR0_INFO, FORMAT, formats[i].format) |
                       REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, formats[i].number) |
                       REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED)));
   }
   printf("ns per triangle\n");
   for (unsigned size = 2; size <= 16; size += size / 2) {
      char name[64];
      unsigned n = SCENE_PRIMS;

      snprintf(name, sizeof(name), "%u px wide: constant", size);
      ROW(name, n, d = begin(s, STUB_CONSTANT); n = small_triangles(d, size));
      snprintf(name, sizeof(name), "%u px wide: depth + launch + store", size);
      ROW(name, n, d = begin(s, STUB_NOTHING); n = small_triangles(d, size);
          depth(d, COMPARE_ALWAYS));
      snprintf(name, sizeof(name), "%u px wide: depth, lequal", size);
      ROW(name, n, d = begin(s, STUB_CONSTANT); n = small_triangles(d, size);
          depth(d, COMPARE_LEQUAL); scene_set(&d->regs, R_CB_TARGET_MASK, 0));
      snprintf(name, sizeof(name), "%u px wide: depth of floats, lequal", size);
      ROW(name, n, d = begin(s, STUB_CONSTANT); n = small_triangles(d, size);
          float_depth(d, COMPARE_LEQUAL); scene_set(&d->regs, R_CB_TARGET_MASK, 0));
   }
   scene_destroy(s);
   return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * See check.h.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"

void
check_noise(struct scene *s, uint32_t seed)
{
   for (uint32_t i = 0; i < SCENE_BYTES; i += 4) {
      uint32_t v = scene_random(&seed) ^ scene_random(&seed) << 16;
      /* Old colours in any float format must be numbers. */
      v &= 0xbbffbbffu;
      memcpy(s->memory + i, &v, 4);
   }
}

void
check_scene(struct scene *s, uint32_t seed, const char *what)
{
   uint8_t *expected = malloc(SCENE_BYTES);
   uint64_t passed;

   scene_finish(s);
   check_noise(s, seed);
   scene_reference(s);
   memcpy(expected, s->memory, SCENE_BYTES);
   passed = s->worker.counters.samples_passed;
   for (unsigned build = 0; build < SCENE_BUILDS; build++) {
      if (!scene_can_run(build))
         continue;
      check_noise(s, seed);
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

float
check_unit(uint32_t *seed)
{
   return (float)(scene_random(seed) & 0xffff) / 65535.0f;
}

void
check_triangles(struct scene_draw *d, unsigned count, unsigned size, uint32_t *seed)
{
   for (unsigned n = 0; n < count; n++) {
      const int32_t cx = (int32_t)(scene_random(seed) % (SCENE_SIZE * 256));
      const int32_t cy = (int32_t)(scene_random(seed) % (SCENE_SIZE * 256));
      int32_t xy[3][2];
      float z[3], color[3][4];

      for (unsigned v = 0; v < 3; v++) {
         xy[v][0] = cx + (int32_t)(scene_random(seed) % (size * 256)) - (int32_t)(size * 128);
         xy[v][1] = cy + (int32_t)(scene_random(seed) % (size * 256)) - (int32_t)(size * 128);
         z[v] = check_unit(seed) * 1.2f - 0.1f;
         for (unsigned k = 0; k < 4; k++)
            color[v][k] = check_unit(seed) * 1.5f - 0.25f;
      }
      struct sc_prim *p = scene_triangle(d, xy, z, color);
      if (!p)
         continue;
      p->front_facing = scene_random(seed) & 1;
      if (scene_random(seed) & 1)
         p->z[3] = check_unit(seed) * 0.2f - 0.1f;
   }
}

void
check_start(struct scene *s, enum stub_kind kind)
{
   struct scene_draw *d = &s->draws[0];

   s->num_draws = 1;
   d->batch.num_prims = 0;
   d->program.kind = kind;
   for (unsigned k = 0; k < 4; k++)
      d->program.color[k] = 0.2f + 0.2f * (float)k;
   scene_registers(&d->regs);
}

void
check_set_blend(struct regs *r, unsigned src, unsigned dst, unsigned func, unsigned asrc,
                unsigned adst, unsigned afunc)
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

void
check_set_depth(struct regs *r, unsigned format, unsigned func, bool write)
{
   scene_set(r, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, format));
   r->context[(R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4] |=
      REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
      REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, write) | REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, func);
}

void
check_set_coverage(struct regs *r, unsigned log2, bool apart, uint32_t *seed)
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

void
check_set_samples(struct regs *r, unsigned log2, bool apart, uint32_t *seed)
{
   scene_set(r, R_CB_COLOR0_ATTRIB,
             REG_FIELD(CB_COLOR0_ATTRIB, NUM_SAMPLES, log2) |
                REG_FIELD(CB_COLOR0_ATTRIB, NUM_FRAGMENTS, log2));
   r->context[(R_DB_Z_INFO - CAYMAN_CONTEXT_BASE) / 4] |= REG_FIELD(DB_Z_INFO, NUM_SAMPLES, log2);
   check_set_coverage(r, log2, apart, seed);
}

int
check_setup(void **state)
{
   *state = scene_create();
   return 0;
}

int
check_teardown(void **state)
{
   scene_destroy(*state);
   return 0;
}

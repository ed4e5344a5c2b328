/* SPDX-License-Identifier: MIT */
/*
 * Stands in for SQ: one build per instruction set, like the kernels it is linked with.
 */
#include "scene.h"

void K(sq_run)(const struct sq_program *program, struct sq_wave *wave);

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, sizeof f);
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, sizeof u);
   return u;
}

void
K(sq_run)(const struct sq_program *program, struct sq_wave *wave)
{
   const struct stub_program *p = (const struct stub_program *)program;
   struct sq_exports *e = wave->exports;

   for (unsigned l = 0; l < WAVE_LANES && p->kind != STUB_NOTHING; l++) {
      const struct spi_coef(*coef)[4] = wave->coef[wave->one_primitive ? 0 : l / 4];
      float c[4];

      for (unsigned n = 0; n < 4; n++) {
         c[n] = p->color[n];
         if (p->kind != STUB_CONSTANT) {
            float i = as_float(wave->gpr[0][0][l]), j = as_float(wave->gpr[0][1][l]);

            c[n] = coef[0][n].p0 + i * coef[0][n].p10 + j * coef[0][n].p20;
         }
         if (p->kind == STUB_COVERAGE && n == 3)
            c[n] = (float)__builtin_popcount(wave->gpr[1][2][l]) * 0.125f;
         e->mrt[0][n][l] = e->mrt[1][n][l] = as_bits(c[n]);
      }
      if (p->kind == STUB_KILL && !(c[3] >= 0.5f))
         wave->valid &= ~(UINT64_C(1) << l);
      e->z[0][l] = as_bits(c[0] < 0 ? -c[0] : c[0]);
   }
   e->mrt_written = 3;
   e->component_mask[0] = e->component_mask[1] = 15;
   e->z_written = p->kind == STUB_DEPTH;
   e->component_mask[8] = p->kind == STUB_DEPTH;
   e->lanes = wave->active & wave->valid;
   wave->cycles = 1;
}

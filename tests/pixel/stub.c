/* SPDX-License-Identifier: MIT */
/*
 * An engine that stands in for SQ, with the same entry registers.
 */
#include "scene.h"

#include "sq/sq.h"

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, sizeof(f));
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, sizeof(u));
   return u;
}

static void
run(struct core_wave *wave)
{
   const struct stub_program *p = (const struct stub_program *)wave->bind->program;
   struct core_outputs *e = wave->outputs;

   for (unsigned l = 0; l < WAVE_LANES && p->kind != STUB_NOTHING; l++) {
      if (!(wave->active >> l & 1))
         continue;

      const struct spi_coef(*coef)[4] = wave->coef[wave->one_primitive ? 0 : l / 4];
      float c[4];

      for (unsigned n = 0; n < 4; n++) {
         c[n] = p->color[n];
         if (p->kind != STUB_CONSTANT) {
            float i = as_float(wave->rows[0][l]), j = as_float(wave->rows[1][l]);

            c[n] = coef[0][n].p0 + i * coef[0][n].p10 + j * coef[0][n].p20;
         }
         if (p->kind == STUB_COVERAGE && n == 3)
            c[n] = (float)__builtin_popcount(wave->rows[6][l]) * 0.125f;
      }
      if (p->kind == STUB_TARGET)
         scene_mix(p, wave->rows[4][l], wave->rows[5][l], wave->rows[7][l], c);
      for (unsigned n = 0; n < 4; n++)
         e->mrt[0][n][l] = e->mrt[1][n][l] = as_bits(c[n]);
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

const struct core_engine stub_engine = {
   .name = "stub", .place = "", .entry = sq_entry, .run = run
};

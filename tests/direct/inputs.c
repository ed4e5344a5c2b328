/* SPDX-License-Identifier: MIT */
/*
 * Random numbers, and the inputs that programs run on, special values among them; see case.h.
 */
#include "case.h"

#include <string.h>

uint32_t
rng_next(struct rng *r)
{
   r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
   uint64_t v = r->state ^ r->state >> 29;
   return (uint32_t)((v * 0xbf58476d1ce4e5b9ull) >> 32);
}

unsigned
rng_pick(struct rng *r, unsigned n)
{
   return (unsigned)((uint64_t)rng_next(r) * n >> 32);
}

uint32_t
rng_bits(struct rng *r)
{
   static const uint32_t special[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x7f800000,
      0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x00000001, 0x807fffff, 0x00800000,
      0x7f7fffff, 0xff7fffff, 1,          ~0u,        31,         32,         0x7fffffff,
      0x4f000000, 0xcf000000, 0x4f800000, 0x40490fdb, 0xc0490fdb, 0x3ff00000, 0xbff00000,
      0x7ff00000, 0x7ff80000, 0x00100000, 0x000fffff, 0x41e00000, 0x47800000, 0x33000000,
      0x38800000, 0x00ff00ff, 0xdeadbeef,
   };
   uint32_t v = rng_next(r);
   switch (rng_pick(r, 8)) {
   case 0:
   case 1:
      return special[rng_pick(r, sizeof(special) / sizeof(*special))];
   case 2:
      return v & 63;
   case 3: { /* a small number with a fraction */
      float f = (float)((int32_t)v >> 16) / 64.0f;
      memcpy(&v, &f, 4);
      return v;
   }
   case 4: /* of middling exponent */
      return (v & 0x807fffff) | (100 + rng_pick(r, 56)) << 23;
   case 5: /* the high half of a double of middling exponent */
      return (v & 0x800fffff) | (0x3ff - 40 + rng_pick(r, 80)) << 20;
   default:
      return v;
   }
}

void
make_inputs(struct inputs *in, struct rng *r)
{
   for (unsigned i = 0; i < NUM_CONSTS * 4; i++)
      in->constant[i / 4][i % 4] = rng_bits(r);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      for (unsigned i = 0; i < NUM_ATTRS * 4; i++)
         in->attr[i / 4][i % 4][lane] = rng_bits(r);
      in->ids[0][lane] = lane * 3;
      in->ids[1][lane] = lane / 7;
      in->ids[2][lane] = lane / 3;
      for (unsigned i = 0; i < 12; i++) {
         float f = (float)rng_pick(r, 1025) / 1024.0f;
         memcpy(&in->bary[i / 2][i % 2][lane], &f, 4);
      }
      for (unsigned c = 0; c < 4; c++) {
         float f = (float)rng_pick(r, 4096) / 4.0f + 0.25f;
         memcpy(&in->position[c][lane], &f, 4);
         in->face[c][lane] = rng_bits(r);
      }
      in->sample[lane] = rng_pick(r, 8);
   }
   for (unsigned i = 0; i < 64 * 4; i++) {
      for (unsigned k = 0; k < 3; k++) {
         uint32_t v = rng_bits(r);
         memcpy(&in->coef[i / 4][i % 4][k], &v, 4);
      }
   }
   for (unsigned i = 0; i < GS_VERTICES * NUM_ATTRS * 4; i++)
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         in->vertex[i / 4 / NUM_ATTRS][i / 4 % NUM_ATTRS][i % 4][lane] = rng_bits(r);
   for (unsigned i = 0; i < PATCH_POINTS * NUM_ATTRS * 4; i++)
      in->point[i / 4 / NUM_ATTRS][i / 4 % NUM_ATTRS][i % 4] = rng_bits(r);
   for (unsigned i = 0; i < 32 * 4; i++)
      in->patch[i / 4][i % 4] = rng_bits(r);
   for (unsigned n = 0; n < NUM_UAVS; n++)
      for (unsigned i = 0; i < UAV_DWORDS; i++)
         in->uav[n][i] = rng_bits(r);
}

void
fit_inputs(struct inputs *in)
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      const uint32_t one = 0x3f800000;
      in->face[0][l] = (in->face[0][l] & 0x80000000) | one;
      for (unsigned axis = 0; axis < 2; axis++) {
         float f;
         memcpy(&f, &in->position[axis][l], 4);
         f = (float)(uint32_t)f + 0.5f;
         memcpy(&in->position[axis][l], &f, 4);
      }
   }
   /* Within a quad all differences are the same, and exact. */
   for (unsigned l = 0; l < WAVE_LANES; l += 4) {
      for (unsigned i = 0; i < 12; i++) {
         uint32_t *v = &in->bary[i / 2][i % 2][l];
         float first, right, below;
         memcpy(&first, &v[0], 4);
         memcpy(&right, &v[1], 4);
         memcpy(&below, &v[2], 4);
         const float last = right + below - first;
         memcpy(&v[3], &last, 4);
      }
   }
}

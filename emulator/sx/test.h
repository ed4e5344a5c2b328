/* SPDX-License-Identifier: MIT */
/*
 * SX's alpha test and alpha to mask (kernels only).
 */
#ifndef ATOLL_SX_TEST_H
#define ATOLL_SX_TEST_H

#include <string.h>

#include "arith.h"
#include "lanes.h"
#include "port/state.h"
#include "sx/sx.h"

/* One comparison of floats as DB and SX do it; only NOT_EQUAL and ALWAYS hold with a NaN. */
V_INLINE vm
compare_float(unsigned func, vf a, vf b)
{
   switch (func) {
   case TEST_NEVER:
      return vm_none();
   case TEST_LESS:
      return vf_lt(a, b);
   case TEST_EQUAL:
      return vf_eq(a, b);
   case TEST_LESS_EQUAL:
      return vf_le(a, b);
   case TEST_GREATER:
      return vf_gt(a, b);
   case TEST_NOT_EQUAL:
      return vf_ne(a, b);
   case TEST_GREATER_EQUAL:
      return vf_ge(a, b);
   default:
      return vm_all();
   }
}

/* The same for integers below 2^31. */
V_INLINE vm
compare_int(unsigned func, vi a, vi b)
{
   switch (func) {
   case TEST_NEVER:
      return vm_none();
   case TEST_LESS:
      return vi_lt(a, b);
   case TEST_EQUAL:
      return vi_eq(a, b);
   case TEST_LESS_EQUAL:
      return vi_le(a, b);
   case TEST_GREATER:
      return vi_gt(a, b);
   case TEST_NOT_EQUAL:
      return vi_ne(a, b);
   case TEST_GREATER_EQUAL:
      return vi_ge(a, b);
   default:
      return vm_all();
   }
}

/* Lanes with an alpha that passes.  Exported in 16 bits, an alpha has lost its low mantissa
 * bits, and the driver has cut them off the reference too. */
static inline uint64_t
sx_alpha_test(const struct sx_state *s, const uint32_t *alpha)
{
   vf ref = vf_splat(s->alpha_ref);
   vi kept = vi_splat(s->alpha_16bpc ? ~0x1fff : -1);
   uint64_t pass = 0;

   for (unsigned n = 0; n < VECTORS; n++) {
      vf value = (vf)(vi_load(alpha + n * VW) & kept);

      pass |= vm_to_lanes(compare_float(s->alpha_func, value, ref), n);
   }
   return pass;
}

/* Alpha to mask: lanes that keep sample `sample` of `samples`.
 *
 * A pixel keeps alpha times `samples` samples, plus an offset: quarters of a sample, given for each
 * pixel of a quad, and an eighth if alpha_to_mask_round says so.  With two quarters in each pixel
 * alpha is rounded; with four different ones and the eighth it is dithered about its value. */
static inline uint64_t
sx_alpha_mask(const struct sx_state *s, const uint32_t *alpha, unsigned sample, unsigned samples)
{
   uint64_t keep = 0;

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      unsigned eighths = s->alpha_to_mask_offset[l & 3] * 2u + s->alpha_to_mask_round;
      float a, threshold = ((float)(sample + 1) - (float)eighths * 0.125f) / (float)samples;

      memcpy(&a, &alpha[l], sizeof(a));
      if (a >= threshold)
         keep |= UINT64_C(1) << l;
   }
   return keep;
}

#endif

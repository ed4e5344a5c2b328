/* SPDX-License-Identifier: MIT */
/*
 * See arith_kernel.h.
 */
#include "arith_kernel.h"

#include "arith.h"
#include "kernel.h"

/* Second and third operands made of the first: any bits, often near in size. */
V_INLINE vu
second(vu a)
{
   return (a ^ vu_splat(0x80012345u)) + vu_shl(a, 9);
}
V_INLINE vu
third(vu a)
{
   return vu_shl(a, 13) ^ (a + vu_splat(0x00654321u));
}

#define CASES(C)                                       \
   C(add, (vu)vf_canon(fa + fb))                       \
   C(mul, (vu)vf_canon(fa *fb))                        \
   C(mul_legacy, (vu)vf_canon(vf_mul_legacy(fa, fb)))  \
   C(fma, (vu)vf_canon(vf_fma(fa, fb, fc)))            \
   C(max_dx9, (vu)vf_canon(vf_max_dx9(fa, fb)))        \
   C(min_dx9, (vu)vf_canon(vf_min_dx9(fa, fb)))        \
   C(max_dx10, (vu)vf_canon(vf_max_dx10(fa, fb)))      \
   C(min_dx10, (vu)vf_canon(vf_min_dx10(fa, fb)))      \
   C(trunc, (vu)vf_canon(vf_trunc(fa)))                \
   C(floor, (vu)vf_canon(vf_floor(fa)))                \
   C(ceil, (vu)vf_canon(vf_ceil(fa)))                  \
   C(rndne, (vu)vf_canon(vf_rndne(fa)))                \
   C(fract, (vu)vf_canon(vf_fract(fa)))                \
   C(to_int, (vu)vi_from_vf(fa))                       \
   C(to_uint, vu_from_vf(fa))                          \
   C(from_int, (vu)vf_from_vi((vi)a))                  \
   C(from_uint, (vu)vf_from_vu(a))                     \
   C(to_half, vu_half_from_vf(fa))                     \
   C(to_half_rtz, vu_half_from_vf_rtz(fa))             \
   C(from_half, (vu)vf_from_half(a &vu_splat(0xffff))) \
   C(rcp, (vu)vf_canon(vf_rcp(fa)))                    \
   C(rsq, (vu)vf_canon(vf_rsq(fa)))                    \
   C(sqrt, (vu)vf_canon(vf_sqrt(fa)))                  \
   C(exp2, (vu)vf_canon(vf_exp2(fa)))                  \
   C(log2, (vu)vf_canon(vf_log2(fa)))                  \
   C(sin, (vu)vf_canon(vf_sin_turns(fa)))              \
   C(cos, (vu)vf_canon(vf_cos_turns(fa)))

#define C(name, value)                                                      \
   static void run_##name(const wave_lane in, wave_lane out, unsigned mode) \
   {                                                                        \
      unsigned old = fp_enter(mode);                                        \
      for (unsigned i = 0; i < VECTORS; i++) {                              \
         vu a = vu_load(in + i * VW), b = second(a), c = third(a);          \
         vf fa = (vf)a, fb = (vf)b, fc = (vf)c;                             \
         (void)fa, (void)fb, (void)fc;                                      \
         vu_store(out + i * VW, (value));                                   \
      }                                                                     \
      fp_leave(old);                                                        \
   }
CASES(C)
#undef C

const struct arith_case K(arith_cases)[ARITH_MAX] = {
#define C(name, value) { #name, run_##name },
   CASES(C)
#undef C
};

/* SPDX-License-Identifier: MIT */
/*
 * Quotients by the few numbers that formats divide by, without dividing.  For kernels only.
 */
#ifndef ATOLL_TD_QUOTIENT_H
#define ATOLL_TD_QUOTIENT_H

#include "arith.h"
#include "kernel.h"

/* 1 / d, nearest float and what that leaves. */
struct reciprocal {
   float high, low;
};
#define RECIPROCAL(d)                                                     \
   {                                                                      \
      (float)(1.0 / (d)), (float)(1.0 / (d) - (double)(float)(1.0 / (d))) \
   }

/* n / d, correctly rounded, for floats n of integers and the d used here (2^k - 1 for k up to 24,
 * 255 times a power of two, the steps of ramps: tests/td/quotient.c tries all).  With another
 * rounding mode it takes the division. */
V_INLINE vf
quotient(vf n, float d, struct reciprocal r, bool nearest)
{
#if VW > 4
   if (nearest)
      return vf_fma(n, vf_splat(r.high), n * vf_splat(r.low));
#endif
   return n / vf_splat(d);
}

#define DIVIDE(n, d, nearest) quotient(n, d, (struct reciprocal)RECIPROCAL((double)(d)), nearest)

/* Byte `c` of each lane / 255, correctly rounded.  That byte n three times in a row, over 2^24, is
 * less than n / 255 by more than half and less than a whole unit in its last place, unless n is 0:
 * the next float is the quotient.  With another rounding mode it takes the division. */
V_INLINE vf
byte_quotient(vu v, unsigned c, bool nearest)
{
#if VW == 16
   if (nearest) {
      /* The fourth time makes it more than a float holds, and the conversion rounds upwards. */
      const __m512i four = _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0);
      const __m512i n = _mm512_shuffle_epi8(
         (__m512i)v, _mm512_add_epi32(four, _mm512_set1_epi32((int)(c * 0x01010101u))));
      return (vf)_mm512_cvt_roundepu32_ps(n, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC) *
             vf_splat(0x1p-32f);
   }
#elif VW == 8
   if (nearest) {
      const __m256i three =
         _mm256_setr_epi32((int)0x80000000u, (int)0x80040404u, (int)0x80080808u, (int)0x800c0c0cu,
                           (int)0x80000000u, (int)0x80040404u, (int)0x80080808u, (int)0x800c0c0cu);
      const __m256i n = _mm256_shuffle_epi8(
         (__m256i)v, _mm256_add_epi32(three, _mm256_set1_epi32((int)(c * 0x010101u))));
      const vi bits = (vi)vf_from_vi((vi)n) + vi_splat(1 - (24 << 23));
      return (vf)vi_max(bits, vi_splat(0));
   }
#endif
   const vu n = c == 3 ? vu_shr(v, 24) : vu_shr(v, 8 * c) & vu_splat(255);
   return DIVIDE(vf_from_vi((vi)n), 255.0f, nearest);
}

V_INLINE bool
rounds_to_nearest(void)
{
   /* Sums between two neighbours of 1 say what the control register would, which is slow to read:
    * above the middle it is the upper one but in the modes towards zero and down, below it the
    * lower one but in the mode up. */
   float one = 1.0f, above = 0x1.8p-24f, below = 0x1p-25f;
   __asm__("" : "+x"(one), "+x"(above), "+x"(below));
   return one + above > 1.0f && one + below == 1.0f;
}

#endif

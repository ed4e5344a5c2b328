/* SPDX-License-Identifier: MIT */
/*
 * Quotients by the few numbers that formats divide by, without dividing.  For kernels only.
 */
#ifndef ATOLL_PORT_QUOTIENT_H
#define ATOLL_PORT_QUOTIENT_H

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

/* Byte `c` of each lane / 255, correctly rounded, in the mode that rounds to nearest: three times
 * the byte, which lies in the lower or the upper half, times a float that is a little more than
 * 1 / 765.  It is so little that no product rounds otherwise than the quotient. */
V_INLINE vf
byte_quotient_nearest(vu v, unsigned c)
{
   const vf scale = vf_splat(c < 2 ? 0x1.56ac02p-10f : 0x1.56ac02p-26f);
   const vu weights = vu_splat(3u << 8 * c);
#if VW == 16
   const vi n = (vi)_mm512_maddubs_epi16((__m512i)v, (__m512i)weights);
#elif VW == 8
   const vi n = (vi)_mm256_maddubs_epi16((__m256i)v, (__m256i)weights);
   /* As the last bits of 2^23, the product of which is exact: less for the units that convert. */
   if (c < 2)
      return vf_fma((vf)((vu)n | vu_splat(0x4b000000)), scale, vf_splat(-0x1.56ac02p13f));
#else
   const vu halves = c & 1 ? (vu)_mm_srli_epi16((__m128i)v, 8) : v & vu_splat(0x00ff00ffu);
   const vi n = (vi)_mm_mullo_epi16((__m128i)halves, (__m128i)vu_splat(c < 2 ? 3 : 3u << 16));
   (void)weights;
#endif
   return vf_from_vi(n) * scale;
}

/* The same in any mode. */
V_INLINE vf
byte_quotient(vu v, unsigned c, bool nearest)
{
   if (nearest)
      return byte_quotient_nearest(v, c);
   const vu n = c == 3 ? vu_shr(v, 24) : vu_shr(v, 8 * c) & vu_splat(255);
   return vf_from_vi((vi)n) / vf_splat(255.0f);
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

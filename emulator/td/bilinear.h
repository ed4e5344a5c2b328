/* SPDX-License-Identifier: MIT */
/*
 * Sums of bilinear filters of 8-bit channels (special.c, series.c): a weight is a count of 1 / 256.
 * Rows are blended in bytes, with sums that 16 bits hold, columns in 16 bits, with sums that 32
 * hold.  For kernels only.
 */
#ifndef ATOLL_TD_BILINEAR_H
#define ATOLL_TD_BILINEAR_H

#include "arith.h"
#include "halves.h"
#include "kernel.h"
#include "port/quotient.h"

/* The largest sum of four texels. */
#define SUM_MAX (255.0f * 65536.0f)

/* Weights of left texels in the lower half, of right texels, which are given, in the upper half. */
V_INLINE vu
column_weights(vu wx)
{
   return (vu_splat(256) - wx) | vu_shl(wx, 16);
}

/* Weights of upper rows in even bytes, of lower rows, which are given, in odd ones.  Of weight 0
 * becomes 1, which 256 - w fits a byte beside: then both rows have to be the upper one. */
V_INLINE vu
row_weights(vu wy)
{
   const vu w = (vu)vi_max((vi)wy, vi_splat(1));

   return add16(mul_low16(w | vu_shl(w, 16), vu_splat(0x00ff00ffu)), vu_splat(0x01000100u));
}

/* Two channels' halves of a dword each, less 32768. */
struct halves {
   vu rb, ga;
};

/* Blends two rows by row_weights(). */
V_INLINE struct halves
blend_rows(vu upper, vu lower, vu weights)
{
   struct halves h;

#if VW > 4
   /* An upper and a lower byte side by side.  Signed ones, beside unsigned weights. */
   const vu bias = vu_splat(0x80808080u);

   h.rb = even_bytes(upper, lower) ^ bias;
   h.ga = odd_bytes(upper, lower) ^ bias;
#if VW == 16
   h.rb = (vu)_mm512_maddubs_epi16((__m512i)weights, (__m512i)h.rb);
   h.ga = (vu)_mm512_maddubs_epi16((__m512i)weights, (__m512i)h.ga);
#else
   h.rb = (vu)_mm256_maddubs_epi16((__m256i)weights, (__m256i)h.rb);
   h.ga = (vu)_mm256_maddubs_epi16((__m256i)weights, (__m256i)h.ga);
#endif
#else
   const vu mask = vu_splat(0x00ff00ffu), bias = vu_splat(0x80008000u);
   const vu w0 = weights & mask, w1 = shr16(weights, 8);

   h.rb = add16(mul_low16(upper & mask, w0), mul_low16(lower & mask, w1)) ^ bias;
   h.ga = add16(mul_low16(shr16(upper, 8), w0), mul_low16(shr16(lower, 8), w1)) ^ bias;
#endif
   return h;
}

/* Sums of each channel, times 65536, less 32768 * 256, by column_weights(). */
V_INLINE void
sum_columns(struct halves left, struct halves right, vu weights, vu sum[4])
{
   sum[0] = mul_add16(blend16(left.rb, vu_shl(right.rb, 16)), weights);
   sum[1] = mul_add16(blend16(left.ga, vu_shl(right.ga, 16)), weights);
   sum[2] = mul_add16(blend16(vu_shr(left.rb, 16), right.rb), weights);
   sum[3] = mul_add16(blend16(vu_shr(left.ga, 16), right.ga), weights);
}

/* Of four texels: the left and the right one of both rows. */
V_INLINE void
sum_texels(const vu left[2], const vu right[2], vu wx, vu wy, vu sum[4])
{
   sum_columns(blend_rows(left[0], left[1], wy), blend_rows(right[0], right[1], wy), wx, sum);
}

/* A sum_columns()'s quotient. */
V_INLINE vf
sum_quotient(vu sum, bool nearest)
{
   return DIVIDE(vf_from_vi((vi)(sum + vu_splat(32768u * 256u))), SUM_MAX, nearest);
}

/* The same of two levels, of which the upper one has f / 256. */
V_INLINE vf
levels_quotient(vu sum, vu upper, vu f, bool nearest)
{
#if VW > 4
   /* Both terms are exact and rounded once, as the integer would be. */
   if (nearest) {
      const vf base = vf_from_vi((vi)(sum + vu_splat(32768u * 256u)));

      return DIVIDE(
         vf_fma(vf_from_vi((vi)(upper - sum)), vf_from_vi((vi)f) * vf_splat(0x1p-8f), base),
         SUM_MAX, true);
   }
#endif
   const vu bias = vu_splat(32768u * 256u);

   return DIVIDE(vf_from_vu((sum + bias) * (vu_splat(256) - f) + (upper + bias) * f),
                 SUM_MAX * 256.0f, nearest);
}

#endif

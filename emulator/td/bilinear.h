/* SPDX-License-Identifier: MIT */
/*
 * Sums of bilinear filters of 8-bit channels (special.c, series.c).  Rows are blended in 16-bit
 * integers, which hold 255 * 256, columns in 32-bit ones.  For kernels only.
 */
#ifndef ATOLL_TD_BILINEAR_H
#define ATOLL_TD_BILINEAR_H

#include "arith.h"
#include "halves.h"
#include "kernel.h"

/* Weights of right texels, in both halves. */
V_INLINE vu
right_weights(vu wx)
{
   return wx | vu_shl(wx, 16);
}

/* Weights of upper rows in the lower half, of lower rows, which are given, in the upper half. */
V_INLINE vu
row_weights(vu wy)
{
   return (vu_splat(256) - wy) | vu_shl(wy, 16);
}

/* Sums of four texels of each channel, times 65536: the left and the right one of both rows, by
 * right_weights() and row_weights(). */
V_INLINE void
sum_texels(const vu left[2], const vu right[2], vu wx1, vu wy, vu sum[4])
{
   const vu mask = vu_splat(0x00ff00ffu), bias = vu_splat(0x80008000u);
   const vu wx0 = vu_splat(0x01000100u) - wx1;
   vu rb[2], ga[2];

   for (unsigned r = 0; r < 2; r++) {
      const vu a = left[r], b = right[r];
      rb[r] = add16(mul_low16(a & mask, wx0), mul_low16(b & mask, wx1)) ^ bias;
      ga[r] =
         add16(mul_low16(vu_shr(a, 8) & mask, wx0), mul_low16(vu_shr(b, 8) & mask, wx1)) ^ bias;
   }
   /* The bias makes the halves signed for the multiplication: 32768 * 256 comes off again. */
   const vu back = vu_splat(32768u * 256u);
   sum[0] = mul_add16(blend16(rb[0], vu_shl(rb[1], 16)), wy) + back;
   sum[1] = mul_add16(blend16(ga[0], vu_shl(ga[1], 16)), wy) + back;
   sum[2] = mul_add16(blend16(vu_shr(rb[0], 16), rb[1]), wy) + back;
   sum[3] = mul_add16(blend16(vu_shr(ga[0], 16), ga[1]), wy) + back;
}

#endif

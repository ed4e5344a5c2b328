/* SPDX-License-Identifier: MIT */
/*
 * How samplers read channels that are not filtered as integers (special_float.c).  For kernels
 * only.
 *
 * A kind is how the channels are read.  Those whose values are finite need no care with texels of
 * weight zero: their product is a zero, and adding it changes no sum.
 */
#ifndef ATOLL_TD_KINDS_H
#define ATOLL_TD_KINDS_H

#include "td/quotient.h"
#include "td/tex.h"

enum kind {
   BYTES, /* 8-bit unsigned normalised, divided when they are summed: of volumes alone */
   UNORM, /* up to 24 bits a channel */
   SNORM, /* up to 16; -1 has two forms */
   SRGB,  /* 8_8_8_8 */
   SHAREDEXP,
   HALF,  /* 16-bit floats */
   SMALL, /* 11- and 10-bit floats */
   WORDS, /* dwords as they are */
   INTS,
};

V_INLINE bool
is_finite(enum kind kind)
{
   return kind <= SHAREDEXP;
}

V_INLINE bool
is_positive(enum kind kind)
{
   return is_finite(kind) && kind != SNORM;
}

#if VW == 16
/* td_srgb_to_linear[index] per lane from eight pieces of 32. */
V_INLINE vf
linear_by_pieces(vu index)
{
   const __m512i i = (__m512i)index;
   __m512 piece[8];

#pragma GCC unroll 8
   for (unsigned k = 0; k < 8; k++)
      piece[k] = _mm512_permutex2var_ps(_mm512_loadu_ps(td_srgb_to_linear + 32 * k), i,
                                        _mm512_loadu_ps(td_srgb_to_linear + 32 * k + 16));
#pragma GCC unroll 3
   for (unsigned step = 4, bit = 128; step; step /= 2, bit /= 2) {
      __mmask16 upper = _mm512_test_epi32_mask(i, _mm512_set1_epi32((int)bit));
#pragma GCC unroll 4
      for (unsigned k = 0; k < step; k++)
         piece[k] = _mm512_mask_blend_ps(upper, piece[k], piece[k + step]);
   }
   return (vf)piece[0];
}
#endif

/* td_srgb_to_linear[index] per lane, indices below 256. */
V_INLINE vf
linear_of(vu index)
{
#if VW == 16
   /* Elsewhere the pieces are faster than a gather. */
   if (__builtin_cpu_is("intel"))
      return (vf)_mm512_i32gather_ps((__m512i)index, td_srgb_to_linear, 4);
   return linear_by_pieces(index);
#elif VW == 8
   return (vf)_mm256_i32gather_ps(td_srgb_to_linear, (__m256i)index, 4);
#else
   vf r;
   for (unsigned i = 0; i < VW; i++)
      r[i] = td_srgb_to_linear[index[i]];
   return r;
#endif
}

/* 1 / (2^bits - 1) */
#define NORM(bits) [bits] = RECIPROCAL((double)((1u << bits) - 1))
static const struct reciprocal norms[25] = {
   NORM(1),  NORM(2),  NORM(3),  NORM(4),  NORM(5),  NORM(6),  NORM(7),  NORM(8),
   NORM(9),  NORM(10), NORM(11), NORM(12), NORM(13), NORM(14), NORM(15), NORM(16),
   NORM(17), NORM(18), NORM(19), NORM(20), NORM(21), NORM(22), NORM(23), NORM(24),
};
#undef NORM

V_INLINE vf
norm(vf n, unsigned bits)
{
   return quotient(n, (float)((1u << bits) - 1), norms[bits], true);
}

/* A half float whose NaNs keep their bits. */
V_INLINE vf
half_quick(vu x)
{
#if VW == 16
   return (vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)x));
#elif VW == 8
   __m256i low = (__m256i)(x & vu_splat(0xffff));
   __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
   return (vf)_mm256_cvtph_ps(_mm256_castsi256_si128(packed));
#else
   return vf_from_half(x);
#endif
}

/* Channel `c` of texels of up to four dwords, in the mode that rounds to nearest where it divides.
 * Elements of more than four bytes have channels of equal size; a texel of fewer than four may
 * have something above it.  `quick`: a NaN is any NaN. */
V_INLINE vf
decode(const struct td_decode *d, enum kind kind, unsigned dwords, const vu texel[4], unsigned c,
       bool quick)
{
   unsigned bits = d->channel[c].bits, pos = d->channel[c].pos;
   vu x;

   if (bits == 0)
      return (vf)vu_splat(c == 3 ? td_one(d) : 0);
   if (kind == WORDS)
      return (vf)texel[c < dwords ? c : 0];
   if (dwords == 2) {
      x = texel[c >> 1];
      bits = 16, pos = c & 1 ? 16 : 0;
   } else {
      x = texel[0];
   }
   if (kind == SNORM) {
      vi s = vi_sar((vi)vu_shl(x, 32 - bits - pos), 32 - bits);
      vf v = norm(vf_from_vi(s), bits > 1 ? bits - 1 : 1);
      return vf_max_second(v, vf_splat(-1.0f));
   }
   x = vu_shr(x, pos);
   if (kind == HALF && quick)
      return half_quick(x);
   x = x & vu_splat(~0u >> (32 - bits));
   switch (kind) {
   case BYTES:
      return vf_from_vi((vi)x);
   case SRGB:
      if (d->srgb >> c & 1)
         return linear_of(x);
      return norm(vf_from_vi((vi)x), 8);
   case UNORM:
      return norm(vf_from_vi((vi)x), bits);
   case SHAREDEXP: {
      vf scale = (vf)vu_shl(vu_shr(texel[0], 27) + vu_splat(127 - 24), 23);
      return vf_from_vi((vi)x) * scale;
   }
   case HALF:
      return vf_from_half(x);
   case SMALL:
      return td_from_small_float(x, bits);
   default:
      if (d->comp[c] == SQ_FORMAT_COMP_SIGNED)
         x = (vu)vi_sar((vi)vu_shl(x, 32 - bits), 32 - bits);
      return (vf)x;
   }
}

#endif

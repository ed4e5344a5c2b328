/* SPDX-License-Identifier: MIT */
/*
 * How samplers read channels that are not filtered as integers (special_float.c).  For kernels
 * only.
 *
 * A kind is how the channels are read.  Those with finite values need no care with texels of
 * weight zero: their product is a zero, and adding it changes no sum.
 */
#ifndef ATOLL_TD_KINDS_H
#define ATOLL_TD_KINDS_H

#include "port/quotient.h"
#include "td/tex.h"

enum kind {
   BYTES, /* 8-bit unsigned normalised, which filters sum as integers */
   UNORM, /* up to 24 bits a channel */
   SNORM, /* up to 16; -1 has two forms */
   SRGB,  /* 8_8_8_8 */
   SHAREDEXP,
   HALF,  /* 16-bit floats */
   SMALL, /* 11- and 10-bit floats */
   WORDS, /* dwords as they are */
   INTS,
   KINDS,
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
/* td_srgb_to_linear[index] per lane from eight parts of 32. */
V_INLINE vf
linear_by_parts(vu index)
{
   const __m512i i = (__m512i)index;
   __m512 part[8];

#pragma GCC unroll 8
   for (unsigned k = 0; k < 8; k++)
      part[k] = _mm512_permutex2var_ps(_mm512_loadu_ps(td_srgb_to_linear + 32 * k), i,
                                       _mm512_loadu_ps(td_srgb_to_linear + 32 * k + 16));
#pragma GCC unroll 3
   for (unsigned step = 4, bit = 128; step; step /= 2, bit /= 2) {
      __mmask16 upper = _mm512_test_epi32_mask(i, _mm512_set1_epi32((int)bit));
#pragma GCC unroll 4
      for (unsigned k = 0; k < step; k++)
         part[k] = _mm512_mask_blend_ps(upper, part[k], part[k + step]);
   }
   return (vf)part[0];
}

/* Of bytes 0 to `count` - 1 of each lane of four vectors, to four vectors each: 64 bytes at once,
 * by permutes of them.  Which vector's and which lane's a byte is follows from how unpacking joins
 * the bytes of floats. */
__attribute__((target("avx512vbmi"), noinline, unused)) static void
linear_by_bytes(const vu texel[4], unsigned count, uint32_t *const out[])
{
   __m512i table[4][4];

#pragma GCC unroll 4
   for (unsigned k = 0; k < 4; k++)
#pragma GCC unroll 4
      for (unsigned j = 0; j < 4; j++)
         table[k][j] = _mm512_loadu_si512(&td_srgb_bytes[k][64 * j]);
   for (unsigned c = 0; c < count; c++) {
      const __m512i of = _mm512_set1_epi32((int)(0x0c080400u + 0x01010101u * c));
      __m512i i = _mm512_shuffle_epi8((__m512i)texel[0], of), byte[4];

      i = _mm512_mask_shuffle_epi8(i, 0x00f000f000f000f0u, (__m512i)texel[1], of);
      i = _mm512_mask_shuffle_epi8(i, 0x0f000f000f000f00u, (__m512i)texel[2], of);
      i = _mm512_mask_shuffle_epi8(i, 0xf000f000f000f000u, (__m512i)texel[3], of);

      const __mmask64 upper = _mm512_movepi8_mask(i);

#pragma GCC unroll 4
      for (unsigned k = 0; k < 4; k++)
         byte[k] =
            _mm512_mask_blend_epi8(upper, _mm512_permutex2var_epi8(table[k][0], i, table[k][1]),
                                   _mm512_permutex2var_epi8(table[k][2], i, table[k][3]));

      const __m512i a = _mm512_unpacklo_epi8(byte[0], byte[1]);
      const __m512i b = _mm512_unpackhi_epi8(byte[0], byte[1]);
      const __m512i d = _mm512_unpacklo_epi8(byte[2], byte[3]);
      const __m512i e = _mm512_unpackhi_epi8(byte[2], byte[3]);

      _mm512_store_si512(out[c], _mm512_unpacklo_epi16(a, d));
      _mm512_store_si512(out[c] + 16, _mm512_unpackhi_epi16(a, d));
      _mm512_store_si512(out[c] + 32, _mm512_unpacklo_epi16(b, e));
      _mm512_store_si512(out[c] + 48, _mm512_unpackhi_epi16(b, e));
   }
}

/* Whether that is faster than a gather: of the processors that have both, AMD's. */
V_INLINE bool
linear_is_by_bytes(void)
{
   return !__builtin_cpu_is("intel") && __builtin_cpu_supports("avx512vbmi");
}
#endif

#if VW == 8
/* Four of td_srgb_to_linear, by loads. */
V_INLINE __m128
linear_of_four(__m128i index)
{
   uint64_t low, high;
   __m128 v;

#ifdef __x86_64__
   low = (uint64_t)_mm_cvtsi128_si64(index);
   high = (uint64_t)_mm_extract_epi64(index, 1);
#else
   low = (uint32_t)_mm_extract_epi32(index, 0) | (uint64_t)_mm_extract_epi32(index, 1) << 32;
   high = (uint32_t)_mm_extract_epi32(index, 2) | (uint64_t)_mm_extract_epi32(index, 3) << 32;
#endif
   v = _mm_load_ss(&td_srgb_to_linear[(uint32_t)low]);
   v = _mm_insert_ps(v, _mm_load_ss(&td_srgb_to_linear[low >> 32]), 0x10);
   v = _mm_insert_ps(v, _mm_load_ss(&td_srgb_to_linear[(uint32_t)high]), 0x20);
   return _mm_insert_ps(v, _mm_load_ss(&td_srgb_to_linear[high >> 32]), 0x30);
}

V_INLINE vf
linear_by_loads(vu index)
{
   const __m256i i = (__m256i)index;

   return (vf)_mm256_set_m128(linear_of_four(_mm256_extracti128_si256(i, 1)),
                              linear_of_four(_mm256_castsi256_si128(i)));
}

/* Element `slot` from memory, of which compilers make two instructions. */
#define insert_linear(v, byte, slot) \
   __asm__("vinsertps %2, %1, %0, %0" : "+x"(v) : "m"(td_srgb_to_linear[byte]), "i"((slot) << 4))

/* The same of bytes in memory, `step` bytes apart. */
V_INLINE vf
linear_of_bytes(const uint8_t *p, unsigned step)
{
   __m128 half[2];

#pragma GCC unroll 2
   for (unsigned h = 0; h < 2; h++, p += 4 * step) {
      half[h] = _mm_load_ss(&td_srgb_to_linear[p[0]]);
      insert_linear(half[h], p[step], 1);
      insert_linear(half[h], p[2 * step], 2);
      insert_linear(half[h], p[3 * step], 3);
   }
   return (vf)_mm256_set_m128(half[1], half[0]);
}

/* Whether loads are faster than a gather, which takes twice as long on AMD's processors. */
V_INLINE bool
linear_is_by_loads(void)
{
   return !__builtin_cpu_is("intel");
}
#endif

/* td_srgb_to_linear[index] per lane, indices below 256. */
V_INLINE vf
linear_of(vu index)
{
#if VW == 16
   /* Elsewhere the parts are faster than a gather. */
   if (__builtin_cpu_is("intel"))
      return (vf)_mm512_i32gather_ps((__m512i)index, td_srgb_to_linear, 4);
   return linear_by_parts(index);
#elif VW == 8
   if (linear_is_by_loads())
      return linear_by_loads(index);
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

/* A half float; a NaN keeps its bits. */
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

   if (kind == BYTES)
      return byte_quotient_nearest(texel[0], c);
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
      if (d->sign[c] == CHANNEL_SIGNED)
         x = (vu)vi_sar((vi)vu_shl(x, 32 - bits), 32 - bits);
      return (vf)x;
   }
}

/* The first channels, at most `count`, of a wave's texels of one dword, which are `step` apart, if
 * there is a way to find them together: how many these are. */
V_INLINE unsigned
decode_together(enum kind kind, const vu *texel, unsigned step, unsigned count,
                uint32_t *const out[])
{
#if VW == 16
   if (kind == SRGB && linear_is_by_bytes()) {
      const vu first[4] = { texel[0], texel[step], texel[2 * step], texel[3 * step] };

      linear_by_bytes(first, count < 3 ? count : 3, out);
      return count < 3 ? count : 3;
   }
#endif
   (void)kind, (void)texel, (void)step, (void)count, (void)out;
   return 0;
}

/* Texels of 3 and 6 bytes take the general path. */
static inline bool
has_loops(unsigned bytes)
{
   return bytes <= 16 && (!(bytes & (bytes - 1)) || bytes == 12);
}

/* False: none of the kinds. */
static inline bool
kind_of(const struct td_decode *d, enum kind *kind)
{
   unsigned present = 0, words = 0, halves = 0, is_signed = 0, most = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      if (!bits)
         continue;
      present++;
      words += bits == 32 && d->channel[c].pos == 32 * c;
      halves += bits == 16 && d->channel[c].pos == 16 * c;
      is_signed += d->sign[c] == CHANNEL_SIGNED;
      if (d->sign[c] != CHANNEL_SIGNED && d->sign[c] != CHANNEL_UNSIGNED)
         return false;
      most = bits > most ? bits : most;
   }
   bool whole = words == present;
   if (!whole && d->bytes > 4 && halves != present)
      return false;
   switch (d->cls) {
   case CLASS_FLOAT:
      *kind = whole ? WORDS : halves == present ? HALF : SMALL;
      return whole || halves == present || most < 16;
   case CLASS_SHARED_EXPONENT:
      *kind = SHAREDEXP;
      return true;
   case CLASS_PLAIN:
      break;
   default:
      return false;
   }
   if (d->conversion == CONVERT_INT) {
      *kind = whole ? WORDS : INTS;
      return true;
   }
   if (d->conversion != CONVERT_NORM || most > 24)
      return false;
   if (d->srgb) {
      *kind = SRGB;
      return d->bytes == 4 && !is_signed && most == 8;
   }
   *kind = is_signed ? SNORM : UNORM;
   return !is_signed || (is_signed == present && most <= 16 && !d->no_zero);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Texels of whole dwords wherever they lie.  Of those of four and eight bytes, left and right
 * pixels often read neighbours: such two are one load.  Offsets are signed bytes from an address
 * in the texture.  For kernels only.
 */
#ifndef ATOLL_TD_NEAR_H
#define ATOLL_TD_NEAR_H

#include "arith.h"
#include "kernel.h"

/* As shuffle_ps, in all quads. */
#if VW == 16
#define quad_shuffle(a, b, imm) ((vf)_mm512_shuffle_ps((__m512)(a), (__m512)(b), imm))
#elif VW == 8
#define quad_shuffle(a, b, imm) ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), imm))
#else
#define quad_shuffle(a, b, imm) ((vf)_mm_shuffle_ps((__m128)(a), (__m128)(b), imm))
#endif

/* Whether gathers of pairs are faster than loads: of the processors with AVX-512, Intel's. */
V_INLINE bool
gathers_are_quick(void)
{
#if VW == 16
   return __builtin_cpu_is("intel");
#else
   return false;
#endif
}

/* Texels of four or eight bytes at four offsets, or at two, of which the neighbour follows. */
V_INLINE __m128i
load_four(const uint8_t *base, const uint32_t *offset, bool pairs)
{
   uint32_t v[4];

   if (pairs)
      return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(base + (int32_t)offset[0])),
                                _mm_loadl_epi64((const __m128i *)(base + (int32_t)offset[2])));
   for (unsigned i = 0; i < 4; i++)
      memcpy(&v[i], base + (int32_t)offset[i], 4);
   return _mm_setr_epi32((int)v[0], (int)v[1], (int)v[2], (int)v[3]);
}

V_INLINE __m128i
load_two(const uint8_t *base, const uint32_t *offset, bool pairs)
{
   if (pairs)
      return _mm_loadu_si128((const __m128i *)(base + (int32_t)offset[0]));
   return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(base + (int32_t)offset[0])),
                             _mm_loadl_epi64((const __m128i *)(base + (int32_t)offset[1])));
}

V_INLINE void
load_quads(const uint8_t *base, const uint32_t *offset, unsigned bytes, bool pairs, vu out[2])
{
   float part[2][VW / 4][4] __attribute__((aligned(16)));
   const float *low[VW / 4], *high[VW / 4];

   for (unsigned q = 0; q < VW / 4; q++) {
      low[q] = part[0][q];
      high[q] = part[1][q];
      if (bytes == 4) {
         _mm_store_si128((__m128i *)(void *)part[0][q], load_four(base, offset + 4 * q, pairs));
         continue;
      }
      const __m128 a = _mm_castsi128_ps(load_two(base, offset + 4 * q, pairs));
      const __m128 b = _mm_castsi128_ps(load_two(base, offset + 4 * q + 2, pairs));

      _mm_store_ps(part[0][q], _mm_shuffle_ps(a, b, 0x88));
      _mm_store_ps(part[1][q], _mm_shuffle_ps(a, b, 0xdd));
   }
   out[0] = (vu)vf_load_quads(low);
   if (bytes == 8)
      out[1] = (vu)vf_load_quads(high);
}

#if VW == 16
/* Eight bytes at each lane's offset, as two dwords. */
V_INLINE void
gather_pairs(const uint8_t *base, vu at, vu out[2])
{
   const __m512i even =
      _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
   const __m256i low = _mm512_castsi512_si256((__m512i)at);
   const __m256i high = _mm512_extracti64x4_epi64((__m512i)at, 1);
   const __m512i a = _mm512_i32gather_epi64(low, base, 1),
                 b = _mm512_i32gather_epi64(high, base, 1);

   out[0] = (vu)_mm512_permutex2var_epi32(a, even, b);
   out[1] = (vu)_mm512_permutex2var_epi32(a, _mm512_or_si512(even, _mm512_set1_epi32(1)), b);
}
#endif

/* A vector's texels of four bytes, or of eight as two dwords, at offsets `at` from `base`. */
V_INLINE void
load_near(const uint8_t *base, vu at, unsigned bytes, vu out[2])
{
#if VW == 16
   if (bytes == 4)
      out[0] = (vu)_mm512_i32gather_epi32((__m512i)at, base, 1);
   else
      gather_pairs(base, at, out);
#else
   const vu step = ((vu)vi_lane_index() & vu_splat(1)) * vu_splat(bytes);
   const vu left = (vu)vf_quad_permute((vf)at, 0xa0);
   uint32_t offset[VW] __attribute__((aligned(VW * 4)));

   vu_store(offset, at);
   /* From memory: lane by lane out of a register takes longer. */
   __asm__("" : "+m"(offset));
   if (vm_any(vu_ne(at, left + step)))
      load_quads(base, offset, bytes, false, out);
   else
      load_quads(base, offset, bytes, true, out);
#endif
}

V_INLINE vf
join_quads(const __m128 q[VW / 4])
{
#if VW == 16
   __m512 v = _mm512_insertf32x4(_mm512_castps128_ps512(q[0]), q[1], 1);
   return (vf)_mm512_insertf32x4(_mm512_insertf32x4(v, q[2], 2), q[3], 3);
#elif VW == 8
   return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(q[0]), q[1], 1);
#else
   return (vf)q[0];
#endif
}

/* What lies at offsets of the first or the last two lanes of each quad: two texels of each. */
V_INLINE vf
load_halves(const uint8_t *row, const int32_t *offset)
{
   __m128 q[VW / 4];

   for (unsigned k = 0; k < VW / 4; k++) {
      const int32_t *of = offset + 4 * k;
      const __m128i left = _mm_loadl_epi64((const __m128i *)(const void *)(row + of[0]));

      q[k] = _mm_loadh_pi(_mm_castsi128_ps(left), (const __m64 *)(const void *)(row + of[1]));
   }
   return join_quads(q);
}

/* Of four bytes each, at offsets, and what follows there: a lane's two are one load. */
V_INLINE void
load_neighbours(const uint8_t *base, const int32_t *offset, vu out[2])
{
   const vf a = load_halves(base, offset), b = load_halves(base, offset + 2);

   out[0] = (vu)quad_shuffle(a, b, 0x88);
   out[1] = (vu)quad_shuffle(a, b, 0xdd);
}

/* Of four bytes each, at `at`, and what follows there: a lane's two are one load. */
V_INLINE void
load_followed(const uint8_t *base, vu at, vu out[2])
{
   int32_t offset[VW] __attribute__((aligned(VW * 4)));

#if VW == 16
   if (gathers_are_quick()) {
      gather_pairs(base, at, out);
      return;
   }
#endif
   vu_store(offset, at);
   __asm__("" : "+m"(offset));
   load_neighbours(base, offset, out);
}

/* A texel of 8, 12 or 16 bytes.  What follows it may not be there. */
V_INLINE __m128
load_long(const uint8_t *p, unsigned bytes)
{
   const __m128i *first = (const __m128i *)(const void *)p;

   if (bytes == 16)
      return _mm_loadu_ps((const float *)(const void *)p);
   if (bytes == 8)
      return _mm_castsi128_ps(_mm_loadl_epi64(first));
#if VW == 16
   return _mm_maskz_loadu_ps(7, p);
#elif VW == 8
   return _mm_maskload_ps((const float *)(const void *)p, _mm_setr_epi32(-1, -1, -1, 0));
#else
   uint32_t last;

   memcpy(&last, p + 8, 4);
   return _mm_castsi128_ps(
      _mm_unpacklo_epi64(_mm_loadl_epi64(first), _mm_cvtsi32_si128((int)last)));
#endif
}

/* VW of them, as dwords; what a texel does not have is 0. */
V_INLINE void
load_longs(const uint8_t *const at[VW], unsigned bytes, vu out[4])
{
   vf v[4];

   for (unsigned i = 0; i < 4; i++) {
      __m128 q[VW / 4];

      for (unsigned k = 0; k < VW / 4; k++)
         q[k] = load_long(at[4 * k + i], bytes);
      v[i] = join_quads(q);
   }
   vf_transpose_quads(v);
   for (unsigned i = 0; i < 4; i++)
      out[i] = (vu)v[i];
}

/* VW texels of 8, 12 or 16 bytes at offsets, as dwords. */
V_INLINE void
load_elements(const uint8_t *base, const uint32_t *at, unsigned dwords, vu out[4])
{
   const uint8_t *p[VW];

   for (unsigned i = 0; i < VW; i++)
      p[i] = base + (int32_t)at[i];
   load_longs(p, 4 * dwords, out);
}

#endif

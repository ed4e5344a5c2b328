/* SPDX-License-Identifier: MIT */
/*
 * Vectors of doubles, for kernels only (simd.h): half as many a vector; half 0 of a vector of
 * 32-bit lanes are the lower ones.
 */
#ifndef ATOLL_SIMD_DOUBLE_H
#define ATOLL_SIMD_DOUBLE_H

#include "simd.h"

typedef double vd __attribute__((vector_size(VW * 4)));
typedef uint64_t vul __attribute__((vector_size(VW * 4)));

V_INLINE vd
vd_splat(double x)
{
#if VW == 16
   return (vd)_mm512_set1_pd(x);
#elif VW == 8
   return (vd)_mm256_set1_pd(x);
#else
   return (vd)_mm_set1_pd(x);
#endif
}
V_INLINE vul
vul_splat(uint64_t x)
{
#if VW == 16
   return (vul)_mm512_set1_epi64((long long)x);
#elif VW == 8
   return (vul)_mm256_set1_epi64x((long long)x);
#else
   return (vul)_mm_set1_epi64x((long long)x);
#endif
}
V_INLINE vd
vd_from_vi(vi a, unsigned half)
{
#if VW == 16
   const __m512i v = (__m512i)a;
   return (vd)_mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64(v, 1)
                                      : _mm512_castsi512_si256(v));
#elif VW == 8
   const __m256i v = (__m256i)a;
   return (vd)_mm256_cvtepi32_pd(half ? _mm256_extracti128_si256(v, 1) : _mm256_castsi256_si128(v));
#else
   const __m128i v = (__m128i)a;
   return (vd)_mm_cvtepi32_pd(half ? _mm_unpackhi_epi64(v, v) : v);
#endif
}
V_INLINE vd
vd_from_vf(vf a, unsigned half)
{
#if VW == 16
   const __m512d v = (__m512d)a;
   return (vd)_mm512_cvtps_pd(
      (__m256)(half ? _mm512_extractf64x4_pd(v, 1) : _mm512_castpd512_pd256(v)));
#elif VW == 8
   const __m256 v = (__m256)a;
   return (vd)_mm256_cvtps_pd(half ? _mm256_extractf128_ps(v, 1) : _mm256_castps256_ps128(v));
#else
   const __m128 v = (__m128)a;
   return (vd)_mm_cvtps_pd(half ? _mm_movehl_ps(v, v) : v);
#endif
}
V_INLINE vf
vf_from_vd(vd lo, vd hi)
{
#if VW == 16
   return (vf)_mm512_insertf64x4(
      _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)lo))),
      (__m256d)_mm512_cvtpd_ps((__m512d)hi), 1);
#elif VW == 8
   return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)lo)),
                                   _mm256_cvtpd_ps((__m256d)hi), 1);
#else
   return (vf)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)lo), _mm_cvtpd_ps((__m128d)hi));
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Doubles in two rows of dwords, as 64-bit operations of shaders have them.  The two halves of a
 * vector's lanes are in an order of their own: those that lie together in 128 bits of both rows.
 * Operations of one lane do not see it, and vu_low() and vu_high() put the lanes back.
 */
V_INLINE vul
vul_from_dwords(vu low, vu high, unsigned half)
{
#if VW == 16
   const __m512i a = (__m512i)low, b = (__m512i)high;
   return (vul)(half ? _mm512_unpackhi_epi32(a, b) : _mm512_unpacklo_epi32(a, b));
#elif VW == 8
   const __m256i a = (__m256i)low, b = (__m256i)high;
   return (vul)(half ? _mm256_unpackhi_epi32(a, b) : _mm256_unpacklo_epi32(a, b));
#else
   const __m128i a = (__m128i)low, b = (__m128i)high;
   return (vul)(half ? _mm_unpackhi_epi32(a, b) : _mm_unpacklo_epi32(a, b));
#endif
}
/* The low dwords of all lanes. */
V_INLINE vu
vu_low(vul a, vul b)
{
#if VW == 16
   return (vu)_mm512_shuffle_ps((__m512)a, (__m512)b, 0x88);
#elif VW == 8
   return (vu)_mm256_shuffle_ps((__m256)a, (__m256)b, 0x88);
#else
   return (vu)_mm_shuffle_ps((__m128)a, (__m128)b, 0x88);
#endif
}
V_INLINE vu
vu_high(vul a, vul b)
{
#if VW == 16
   return (vu)_mm512_shuffle_ps((__m512)a, (__m512)b, 0xdd);
#elif VW == 8
   return (vu)_mm256_shuffle_ps((__m256)a, (__m256)b, 0xdd);
#else
   return (vu)_mm_shuffle_ps((__m128)a, (__m128)b, 0xdd);
#endif
}
/* m ? a : b, bit by bit: `m` is 0 or ~0 in each lane, as comparisons with C's operators are. */
V_INLINE vul
vul_select(vul m, vul a, vul b)
{
   return (m & a) | (~m & b);
}
V_INLINE vd
vd_sqrt(vd a)
{
#if VW == 16
   return (vd)_mm512_sqrt_pd((__m512d)a);
#elif VW == 8
   return (vd)_mm256_sqrt_pd((__m256d)a);
#else
   return (vd)_mm_sqrt_pd((__m128d)a);
#endif
}
/* The float of each lane, rounded by the current mode, in the low dword; the high one is 0. */
V_INLINE vul
vul_narrow(vd a)
{
#if VW == 16
   return (vul)_mm512_cvtepu32_epi64((__m256i)_mm512_cvtpd_ps((__m512d)a));
#elif VW == 8
   return (vul)_mm256_cvtepu32_epi64((__m128i)_mm256_cvtpd_ps((__m256d)a));
#else
   return (vul)_mm_unpacklo_epi32((__m128i)_mm_cvtpd_ps((__m128d)a), _mm_setzero_si128());
#endif
}
/* The double of the float that is the high dword of each lane. */
V_INLINE vd
vd_widen_high(vul a)
{
#if VW == 16
   return (vd)_mm512_cvtps_pd((__m256)_mm512_cvtepi64_epi32((__m512i)(a >> 32)));
#elif VW == 8
   const __m256i order = _mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7);
   const __m256 v = (__m256)_mm256_permutevar8x32_epi32((__m256i)a, order);
   return (vd)_mm256_cvtps_pd(_mm256_castps256_ps128(v));
#else
   return (vd)_mm_cvtps_pd((__m128)_mm_shuffle_epi32((__m128i)a, 0x0d));
#endif
}
#if VW > 4
V_INLINE vd
vd_floor(vd a)
{
#if VW == 16
   return (vd)_mm512_roundscale_pd((__m512d)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
   return (vd)_mm256_floor_pd((__m256d)a);
#endif
}
/* a * b + c rounded once. */
V_INLINE vd
vd_fma(vd a, vd b, vd c)
{
#if VW == 16
   return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
   return (vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#endif
}
#endif

#endif

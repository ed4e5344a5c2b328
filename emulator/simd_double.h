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

#endif

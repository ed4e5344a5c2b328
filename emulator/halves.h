/* SPDX-License-Identifier: MIT */
/*
 * Vectors of 16-bit halves, for kernels only (simd.h).
 */
#ifndef ATOLL_HALVES_H
#define ATOLL_HALVES_H

#include "simd.h"

V_INLINE vu
mul_high16(vu a, vu b) /* high halves of the unsigned products */
{
#if VW == 16
   return (vu)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
mul_low16(vu a, vu b) /* low halves of the products */
{
#if VW == 16
   return (vu)_mm512_mullo_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_mullo_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_mullo_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
mul_add16(vu a, vu b) /* sum of both signed products of halves */
{
#if VW == 16
   return (vu)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_madd_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
add16(vu a, vu b)
{
#if VW == 16
   return (vu)_mm512_add_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_add_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_add_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
shl16(vu a, int by)
{
#if VW == 16
   return (vu)_mm512_slli_epi16((__m512i)a, (unsigned)by);
#elif VW == 8
   return (vu)_mm256_slli_epi16((__m256i)a, by);
#else
   return (vu)_mm_slli_epi16((__m128i)a, by);
#endif
}

V_INLINE vu
shr16(vu a, int by)
{
#if VW == 16
   return (vu)_mm512_srli_epi16((__m512i)a, (unsigned)by);
#elif VW == 8
   return (vu)_mm256_srli_epi16((__m256i)a, by);
#else
   return (vu)_mm_srli_epi16((__m128i)a, by);
#endif
}

V_INLINE vu
even_bytes(vu even, vu odd) /* even bytes of one, even bytes of the other as odd ones */
{
#if VW == 16
   return (vu)_mm512_ternarylogic_epi32(_mm512_set1_epi32(0x00ff00ff), (__m512i)even,
                                        (__m512i)shl16(odd, 8), 0xca);
#else
   return (even & vu_splat(0x00ff00ffu)) | shl16(odd, 8);
#endif
}

V_INLINE vu
odd_bytes(vu even, vu odd) /* odd bytes of one as even ones, odd bytes of the other */
{
#if VW == 16
   return (vu)_mm512_ternarylogic_epi32(_mm512_set1_epi32(0x00ff00ff), (__m512i)shr16(even, 8),
                                        (__m512i)odd, 0xca);
#else
   return shr16(even, 8) | (odd & vu_splat(0xff00ff00u));
#endif
}

V_INLINE vu
blend16(vu low, vu high) /* low halves of one, high halves of the other */
{
#if VW == 16
   return (vu)_mm512_ternarylogic_epi32(_mm512_set1_epi32(0xffff), (__m512i)low, (__m512i)high,
                                        0xca);
#elif VW == 8
   return (vu)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xaa);
#else
   return (low & vu_splat(0xffff)) | (high & vu_splat(0xffff0000u));
#endif
}

#endif

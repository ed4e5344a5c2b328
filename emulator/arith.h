/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic that gives the same bits on every host and in every kernel build: the only way shader
 * values are computed.
 *
 *  - Add, multiply, divide and square root are the machine's (IEEE 754, correctly rounded).
 *  - A NaN result becomes 7FC00000 (vf_canon), a double one 7FF8000000000000.
 *  - Rounding and denormal modes are the CPU's own, set for a wave by fp_enter(); with FTZ and DAZ
 *    off and rounding to nearest (fp_enter(FP_DEFAULT)) the rest of the device runs.
 *  - Transcendentals use those operations in a fixed order, never the host's libm.
 */
#ifndef ATOLL_ARITH_H
#define ATOLL_ARITH_H

#include "fp.h"
#include "simd.h"

/* ---------------------------------------------------------------------------------------------
 * Floating-point state
 */
/** Sets the mode that is in memory, and has been for long: on Zen 5 a wave of Valhall with AVX-512,
 *  which sets it twice, took 30 ns more of 95 where it had just been stored. */
V_INLINE void
fp_set(const unsigned *mode)
{
   __asm__ volatile("ldmxcsr %0" : : "m"(*mode));
}
V_INLINE void
fp_set_default(void)
{
   static const unsigned mode = FP_DEFAULT;

   fp_set(&mode);
}

/** Sets the mode; returns what to give to fp_leave(). */
V_INLINE unsigned
fp_enter(unsigned mode)
{
   unsigned old = _mm_getcsr();
   _mm_setcsr(mode);
   return old;
}
V_INLINE void
fp_leave(unsigned old)
{
   _mm_setcsr(old);
}

/* ---------------------------------------------------------------------------------------------
 * NaN, flush, modifiers
 */
V_INLINE vf
vf_canon(vf a)
{
   return vf_select(vf_isnan(a), (vf)vu_splat(F32_NAN), a);
}

/* The same with the NaN kept in a register over a loop: compilers make a constant anew each time.
 * */
V_INLINE vf
vf_opaque_nan(void)
{
   vf nan = (vf)vu_splat(F32_NAN);
   __asm__("" : "+x"(nan));
   return nan;
}
V_INLINE vf
vf_canon_to(vf a, vf nan)
{
   return vf_select(vf_isnan(a), nan, a);
}

/* 1.0 that the compiler cannot see, so that x * 1 stays a multiplication. */
V_INLINE vf
vf_opaque_one(void)
{
   vf one = vf_splat(1.0f);
   __asm__("" : "+x"(one));
   return one;
}
/* A denormal becomes a zero of its sign if the mode says so. */
V_INLINE vf
vf_flush(vf a)
{
   return a * vf_opaque_one();
}

/* To [0, 1]; -0 gives +0, a NaN 0. */
V_INLINE vf
vf_saturate(vf a)
{
   return vf_clamp(a, 0.0f, 1.0f);
}

/* ---------------------------------------------------------------------------------------------
 * Products and sums
 */

/* 0 * anything = +0. */
V_INLINE vf
vf_mul_legacy(vf a, vf b)
{
   vf zero = vf_splat(0.0f);
#if VW == 16
   __mmask16 m = _mm512_cmp_ps_mask((__m512)a, (__m512)zero, _CMP_NEQ_UQ);
   m = _mm512_mask_cmp_ps_mask(m, (__m512)b, (__m512)zero, _CMP_NEQ_UQ);
   return (vf)_mm512_maskz_mul_ps(m, (__m512)a, (__m512)b);
#else
   return vf_keep(vm_and(vf_ne(a, zero), vf_ne(b, zero)), a * b);
#endif
}

#if VW == 4
/* The sum of doubles rounded to odd in the last bit: rounding it again to float is then exact.
 * Directed modes need no such care: rounding twice the same way is rounding once. */
V_INLINE __m128d
add_round_odd(__m128d p, __m128d c, bool nearest)
{
   __m128d s = _mm_add_pd(p, c);
   if (!nearest)
      return s;
   __m128d bb = _mm_sub_pd(s, p);
   __m128d err = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, bb)), _mm_sub_pd(c, bb));
   double ds[2], de[2];
   _mm_storeu_pd(ds, s);
   _mm_storeu_pd(de, err);
   for (unsigned i = 0; i < 2; i++) {
      uint64_t bits;
      memcpy(&bits, &ds[i], 8);
      if ((de[i] > 0 || de[i] < 0) && !(bits & 1) && (bits & F64_EXPONENT) != F64_EXPONENT) {
         bits += (de[i] > 0) == (ds[i] > 0) ? 1 : (uint64_t)-1;
         memcpy(&ds[i], &bits, 8);
      }
   }
   return _mm_loadu_pd(ds);
}

/* Whether rounding one of these doubles to float may not be rounding what they were rounded from:
 * in the middle between two floats, and where floats have fewer bits. */
V_INLINE bool
may_round_twice(__m128d lo, __m128d hi)
{
   __m128i low = (__m128i)_mm_shuffle_ps((__m128)lo, (__m128)hi, 0x88);
   __m128i high = (__m128i)_mm_shuffle_ps((__m128)lo, (__m128)hi, 0xdd);
   __m128i middle =
      _mm_cmpeq_epi32(_mm_and_si128(low, _mm_set1_epi32(0x1fffffff)), _mm_set1_epi32(0x10000000));
   high = _mm_and_si128(high, _mm_set1_epi32(F32_MAGNITUDE));
   __m128i small = _mm_cmplt_epi32(high, _mm_set1_epi32(0x38100000)); /* 2^-126 */
   __m128i zero = _mm_cmpeq_epi32(_mm_or_si128(low, high), _mm_setzero_si128());
   return _mm_movemask_epi8(_mm_or_si128(middle, _mm_andnot_si128(zero, small))) != 0;
}
#endif

/* a * b + c rounded once. */
V_INLINE vf
vf_fma(vf a, vf b, vf c)
{
#if VW == 16
   return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif VW == 8
   return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
   __m128 ah = _mm_movehl_ps((__m128)a, (__m128)a), bh = _mm_movehl_ps((__m128)b, (__m128)b);
   __m128d ch = _mm_cvtps_pd(_mm_movehl_ps((__m128)c, (__m128)c)), cl = _mm_cvtps_pd((__m128)c);
   __m128d pl = _mm_mul_pd(_mm_cvtps_pd((__m128)a), _mm_cvtps_pd((__m128)b));
   __m128d ph = _mm_mul_pd(_mm_cvtps_pd(ah), _mm_cvtps_pd(bh));
   __m128d lo = _mm_add_pd(pl, cl), hi = _mm_add_pd(ph, ch);
   if (__builtin_expect(may_round_twice(lo, hi), 0)) {
      bool nearest = (_mm_getcsr() & 0x6000) == 0;
      lo = add_round_odd(pl, cl, nearest);
      hi = add_round_odd(ph, ch, nearest);
   }
   return (vf)_mm_movelh_ps(_mm_cvtpd_ps(lo), _mm_cvtpd_ps(hi));
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Minima and maxima.  Operands are flushed as in a comparison; min(+-0) = -0, max(+-0) = +0.
 */

/* With a NaN the second operand (DX9). */
V_INLINE vf
vf_max_dx9(vf a, vf b)
{
   a = vf_flush(a), b = vf_flush(b);
   return vf_select(vf_eq(a, b), (vf)((vu)a & (vu)b), vf_max_second(a, b));
}
V_INLINE vf
vf_min_dx9(vf a, vf b)
{
   a = vf_flush(a), b = vf_flush(b);
   return vf_select(vf_eq(a, b), (vf)((vu)a | (vu)b), vf_min_second(a, b));
}
/* With one NaN the other operand. */
V_INLINE vf
vf_max_dx10(vf a, vf b)
{
   vf r = vf_max_dx9(a, b);
   return vf_select(vf_isnan(b), vf_flush(a), r);
}
V_INLINE vf
vf_min_dx10(vf a, vf b)
{
   vf r = vf_min_dx9(a, b);
   return vf_select(vf_isnan(b), vf_flush(a), r);
}

/* ---------------------------------------------------------------------------------------------
 * Rounding to integral values, independent of the mode; the sign of zero is kept
 */
#if VW == 4
V_INLINE vf
vf_integral_finish(vf a, vf t)
{
   vu sign = (vu)a & vu_splat(F32_SIGN);
   /* From 2^23 up, and for inf and NaN, the value itself. */
   vm small = vf_lt(vf_abs(a), vf_splat(8388608.0f));
   return vf_select(small, (vf)((vu)vf_abs(t) | sign), a);
}
#endif

V_INLINE vf
vf_trunc(vf a)
{
#if VW == 16
   return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#elif VW == 8
   return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
   return vf_integral_finish(a, vf_from_vi(vi_trunc_raw(a)));
#endif
}
V_INLINE vf
vf_floor(vf a)
{
#if VW == 16
   return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif VW == 8
   return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
   vf t = vf_from_vi(vi_trunc_raw(a));
   return vf_integral_finish(a, t - vf_keep(vf_gt(t, a), vf_splat(1.0f)));
#endif
}
V_INLINE vf
vf_ceil(vf a)
{
#if VW == 16
   return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif VW == 8
   return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#else
   vf t = vf_from_vi(vi_trunc_raw(a));
   return vf_integral_finish(a, t + vf_keep(vf_lt(t, a), vf_splat(1.0f)));
#endif
}
V_INLINE vf
vf_rndne(vf a)
{
#if VW == 16
   return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif VW == 8
   return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
   vf x = vf_abs(a);
   vi i = vi_trunc_raw(x);
   vf t = vf_from_vi(i), f = x - t;
   vm odd = vu_test((vu)i, vu_splat(1));
   vm up = vm_or(vf_gt(f, vf_splat(0.5f)), vm_and(vf_eq(f, vf_splat(0.5f)), odd));
   return vf_integral_finish(a, t + vf_keep(up, vf_splat(1.0f)));
#endif
}
/* In [0, 1): x - floor(x), where that would round up to 1 the number before it. */
V_INLINE vf
vf_fract(vf a)
{
   vf r = a - vf_floor(a);
   vf last = (vf)vu_splat(F32_BELOW_ONE);
   return vf_select(vf_gt(r, last), last, r);
}

/* ---------------------------------------------------------------------------------------------
 * Integers and floats
 */

/* Truncates; saturates; NaN gives 0. */
V_INLINE vi
vi_from_vf(vf a)
{
   vi r = vi_trunc_raw(a);
   r = vi_select(vf_ge(a, vf_splat(2147483648.0f)), vi_splat(INT32_MAX), r);
   return vi_select(vf_isnan(a), vi_splat(0), r);
}
/* Truncates; negative and NaN give 0; saturates. */
V_INLINE vu
vu_from_vf(vf a)
{
   vf big = vf_splat(2147483648.0f);
   vm high = vf_ge(a, big);
   vu r = (vu)vi_trunc_raw(vf_select(high, a - big, a));
   r ^= vu_keep(high, vu_splat(1u << 31));
   r = vu_select(vf_ge(a, vf_splat(4294967296.0f)), vu_splat(~0u), r);
   return vu_keep(vf_gt(a, vf_splat(0.0f)), r);
}
V_INLINE vf
vf_from_vu(vu a)
{
#if VW == 16
   return (vf)_mm512_cvtepu32_ps((__m512i)a);
#else
   return vf_from_vi((vi)vu_shr(a, 16)) * vf_splat(65536.0f) +
          vf_from_vi((vi)(a & vu_splat(0xffff)));
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Half floats, in bits 15:0.  Denormal halves are kept in either direction.
 */
V_INLINE vf
vf_from_half(vu h)
{
#if VW == 16
   return vf_canon((vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)h)));
#elif VW == 8
   __m256i low = (__m256i)(h & vu_splat(0xffff));
   __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
   return vf_canon((vf)_mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
#else
   vu sign = vu_shl(h & vu_splat(F16_SIGN), 16);
   vu mag = h & vu_splat(F16_MAGNITUDE);
   vu normal = vu_shl(mag, 13) + vu_splat(112u << 23);
   vu special = vu_shl(mag, 13) | vu_splat(F32_INFINITY);
   vu denormal = (vu)(vf_from_vi((vi)mag) * vf_splat(0x1p-24f));
   vu r = vu_select(vu_lt(mag, vu_splat(0x400)), denormal, normal);
   r = vu_select(vu_ge(mag, vu_splat(F16_INFINITY)), special, r);
   return vf_canon((vf)(r | sign));
#endif
}

V_INLINE vu
vu_half_from_bits(vu x, bool nearest)
{
#if VW > 4
   /* The modes of rounding and of denormals do not matter to the instruction. */
#if VW == 16
   const vu r = (vu)_mm512_cvtepu16_epi32(
      nearest ? _mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
              : _mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
#else
   const vu r =
      (vu)_mm256_cvtepu16_epi32(nearest ? _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT)
                                        : _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_ZERO));
#endif
   return vu_select(vf_isnan((vf)x), vu_splat(F16_NAN), r);
#else
   vu sign = vu_shr(x, 16) & vu_splat(F16_SIGN);
   vu a = x & vu_splat(F32_MAGNITUDE);

   vu n = a - vu_splat(112u << 23);
   if (nearest)
      n += vu_splat(0xfff) + (vu_shr(n, 13) & vu_splat(1));
   n = vu_shr(n, 13);

   /* Below 2^-14: the mantissa shifted to units of 2^-24. */
   vu e = vu_min(vu_max(vu_shr(a, 23), vu_splat(101)), vu_splat(112));
   vu shift = vu_splat(126) - e;
   vu m = (a & vu_splat(F32_FRACTION)) | vu_splat(0x800000);
   vu d = vu_shrv(m, shift);
   if (nearest) {
      vu half = vu_shlv(vu_splat(1), shift - vu_splat(1));
      d = vu_shrv(m + half - vu_splat(1) + (d & vu_splat(1)), shift);
   }
   d = vu_keep(vu_ge(vu_shr(a, 23), vu_splat(101)), d);

   vu r = vu_select(vu_lt(a, vu_splat(F32_HALF_FIRST)), d, n);
   r = vu_select(vu_ge(a, vu_splat(F32_HALF_END)), vu_splat(nearest ? F16_INFINITY : F16_MAX), r);
   r = vu_select(vu_eq(a, vu_splat(F32_INFINITY)), vu_splat(F16_INFINITY), r);
   r |= sign;
   return vu_select(vu_gt(a, vu_splat(F32_INFINITY)), vu_splat(F16_NAN), r);
#endif
}
/* To nearest even, or towards zero. */
V_INLINE vu
vu_half_from_vf(vf a)
{
   return vu_half_from_bits((vu)a, true);
}
V_INLINE vu
vu_half_from_vf_rtz(vf a)
{
   return vu_half_from_bits((vu)a, false);
}

/* ---------------------------------------------------------------------------------------------
 * Transcendentals
 */
V_INLINE vf
vf_rcp(vf a)
{
   return vf_splat(1.0f) / a;
}
V_INLINE vf
vf_rsq(vf a)
{
   return vf_splat(1.0f) / vf_sqrt(a);
}

/* Polynomials by their coefficients, that of the highest power first.  Machine code has the same
 * (uop/native_series.c). */
#define EXP2_TERMS(T)                                                                             \
   T(0x1.44138ap-13f), T(0x1.5f089p-10f), T(0x1.3b2a54p-7f), T(0x1.c6af6cp-5f), T(0x1.ebfbep-3f), \
      T(0x1.62e43p-1f), T(1.0f)
#define LOG2_TERMS(T) T(0x1.ba1434p-2f), T(0x1.274736p-1f), T(0x1.ec70e6p-1f), T(0x1.715476p+1f)
/* Of sin(2 pi t) / t in t * t; 2 pi in two parts, of which the last term is the lower one. */
#define SIN_TERMS(T)                                                                               \
   T(-0x1.cc9b6p+3f), T(0x1.501408p+5f), T(-0x1.32d12ep+6f), T(0x1.466bcp+6f), T(-0x1.4abbcep+5f), \
      T(-0x1.777a5cp-23f)
#define SIN_FIRST 0x1.921fb6p+2f

#define TERM(c) c
static const float exp2_terms[] = { EXP2_TERMS(TERM) };
static const float log2_terms[] = { LOG2_TERMS(TERM) };
static const float sin_terms[] = { SIN_TERMS(TERM) };
#undef TERM

V_INLINE vf
vf_polynomial(vf x, const float *term, unsigned count)
{
   vf p = vf_splat(term[0]);

#pragma GCC unroll 8
   for (unsigned n = 1; n < count; n++)
      p = p * x + vf_splat(term[n]);
   return p;
}
#define VF_POLYNOMIAL(x, terms) vf_polynomial(x, terms, sizeof(terms) / sizeof(*(terms)))

/* 2^x */
V_INLINE vf
vf_exp2(vf a)
{
   vf x = vf_clamp(a, -160.0f, 160.0f);
   vf n = vf_rndne(x), f = x - n;
   vf p = VF_POLYNOMIAL(f, exp2_terms);
   /* Two steps of scale: the last one overflows, rounds and flushes as the mode says. */
   vi k = vi_trunc_raw(n), k0 = vi_sar(k, 1), k1 = k - k0;
   vf s0 = (vf)vu_shl((vu)(k0 + vi_splat(127)), 23), s1 = (vf)vu_shl((vu)(k1 + vi_splat(127)), 23);
   p = p * s0 * s1;
   return vf_select(vf_isnan(a), a, p);
}

/* log2 x: -inf at zeros, NaN below. */
V_INLINE vf
vf_log2(vf a)
{
   vm tiny = vf_lt(vf_abs(a), vf_splat(0x1p-126f));
   vf x = vf_select(tiny, a * vf_splat(0x1p24f), a);
   vu u = (vu)x + vu_splat(F32_ONE - F32_SQRT_HALF);
   vi e = (vi)vu_shr(u, 23) - vi_splat(127);
   e -= (vi)vu_keep(tiny, vu_splat(24));
   vf m = (vf)((u & vu_splat(F32_FRACTION)) + vu_splat(F32_SQRT_HALF));
   vf f = m - vf_splat(1.0f);
   vf s = f / (m + vf_splat(1.0f)), w = s * s;
   vf r = vf_from_vi(e) + s * VF_POLYNOMIAL(w, log2_terms);
   r = vf_select(vf_eq(a, (vf)vu_splat(F32_INFINITY)), a, r);
   r = vf_select(vf_lt(a, vf_splat(0.0f)), (vf)vu_splat(F32_NAN), r);
   r = vf_select(vf_eq(x, vf_splat(0.0f)), (vf)vu_splat(F32_MINUS_INF), r);
   return vf_select(vf_isnan(a), a, r);
}

/* sin(2 pi t) for |t| <= 1/4. */
V_INLINE vf
vf_sin_quarter(vf t)
{
   return t * vf_splat(SIN_FIRST) + t * VF_POLYNOMIAL(t * t, sin_terms);
}
/* Of revolutions: sin and cos of 2 pi x; beyond 256 of them 0 and 1. */
V_INLINE vf
vf_sin_turns(vf a)
{
   vf r = a - vf_rndne(a), h = vf_abs(r);
   vf t = vf_select(vf_gt(h, vf_splat(0.25f)), vf_splat(0.5f) - h, h);
   t = (vf)((vu)t | ((vu)r & vu_splat(F32_SIGN)));
   vf s = vf_sin_quarter(t);
   s = vf_select(vf_gt(vf_abs(a), vf_splat(256.0f)), vf_splat(0.0f), s);
   return vf_select(vf_isnan(a), a, s);
}
V_INLINE vf
vf_cos_turns(vf a)
{
   vf h = vf_abs(a - vf_rndne(a));
   vf s = vf_sin_quarter(vf_splat(0.25f) - h);
   s = vf_select(vf_gt(vf_abs(a), vf_splat(256.0f)), vf_splat(1.0f), s);
   return vf_select(vf_isnan(a), a, s);
}

#endif

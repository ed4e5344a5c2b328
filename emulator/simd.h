/* SPDX-License-Identifier: MIT */
/*
 * Vectors of the build's native width, for kernels only (kernel.h): 4 lanes with SSE2, 8 with AVX2,
 * 16 with AVX-512.  Never wider than native: compilers scalarise what the machine does not have.
 *
 *   vf, vi, vu   VW lanes of float, int32_t, uint32_t.  (vu)x of a vf takes the bits, as in C for
 *                vectors of one size; conversions of values have names.
 *   vm           a mask of lanes: a predicate register with AVX-512, 0 / ~0 lanes otherwise.
 *
 * + - * / and the bit operators are the compiler's own on these types.  Comparisons, selection,
 * minima and conversions are the functions below, because their results at NaN, -0 and out of range
 * must be the same bits in every build.  Lane n of a wave is lane n % VW of vector n / VW.
 */
#ifndef ATOLL_SIMD_H
#define ATOLL_SIMD_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <atoll/float_bits.h>

#if defined(ATOLL_SIMD_AVX512)
#define VW 16
#elif defined(ATOLL_SIMD_AVX2)
#define VW 8
#else
#define VW 4
#endif

/* Vectors of a 64-lane wave. */
#define VECTORS (64 / VW)

typedef float vf __attribute__((vector_size(VW * 4)));
typedef int32_t vi __attribute__((vector_size(VW * 4)));
typedef uint32_t vu __attribute__((vector_size(VW * 4)));
typedef float vf_unaligned __attribute__((vector_size(VW * 4), aligned(4)));
typedef uint32_t vu_unaligned __attribute__((vector_size(VW * 4), aligned(4)));
typedef float vf4 __attribute__((vector_size(16)));

#if VW == 16
typedef __mmask16 vm;
#else
typedef vi vm;
#endif

#define V_INLINE static inline __attribute__((always_inline, unused))

/* ---------------------------------------------------------------------------------------------
 * Loads, stores, splats.  Plain forms need natural alignment (a wave_lane has it).
 */
V_INLINE vf
vf_load(const void *p)
{
   return *(const vf *)p;
}
V_INLINE vi
vi_load(const void *p)
{
   return *(const vi *)p;
}
V_INLINE vu
vu_load(const void *p)
{
   return *(const vu *)p;
}
V_INLINE vf
vf_loadu(const void *p)
{
   return (vf) * (const vf_unaligned *)p;
}
V_INLINE vu
vu_loadu(const void *p)
{
   return (vu) * (const vu_unaligned *)p;
}
V_INLINE void
vf_store(void *p, vf v)
{
   *(vf *)p = v;
}
V_INLINE void
vi_store(void *p, vi v)
{
   *(vi *)p = v;
}
V_INLINE void
vu_store(void *p, vu v)
{
   *(vu *)p = v;
}
V_INLINE void
vu_storeu(void *p, vu v)
{
   *(vu_unaligned *)p = (vu_unaligned)v;
}

V_INLINE vu
vu_splat(uint32_t x)
{
#if VW == 16
   return (vu)_mm512_set1_epi32((int)x);
#elif VW == 8
   return (vu)_mm256_set1_epi32((int)x);
#else
   return (vu)_mm_set1_epi32((int)x);
#endif
}
V_INLINE vi
vi_splat(int32_t x)
{
   return (vi)vu_splat((uint32_t)x);
}
V_INLINE vf
vf_splat(float x)
{
#if VW == 16
   return (vf)_mm512_set1_ps(x);
#elif VW == 8
   return (vf)_mm256_set1_ps(x);
#else
   return (vf)_mm_set1_ps(x);
#endif
}

/* 0, 1, 2, ... */
V_INLINE vi
vi_lane_index(void)
{
#if VW == 16
   return (vi){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
#elif VW == 8
   return (vi){ 0, 1, 2, 3, 4, 5, 6, 7 };
#else
   return (vi){ 0, 1, 2, 3 };
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Masks
 */
#if VW == 16
V_INLINE vm
vm_and(vm a, vm b)
{
   return (vm)(a & b);
}
V_INLINE vm
vm_or(vm a, vm b)
{
   return (vm)(a | b);
}
V_INLINE vm
vm_xor(vm a, vm b)
{
   return (vm)(a ^ b);
}
V_INLINE vm
vm_not(vm a)
{
   return (vm)~a;
}
V_INLINE vm
vm_andnot(vm a, vm b)
{
   return (vm)(a & ~b);
} /* a and not b */
V_INLINE vm
vm_none(void)
{
   return 0;
}
V_INLINE vm
vm_all(void)
{
   return 0xffff;
}
V_INLINE uint32_t
vm_bits(vm m)
{
   return m;
}
V_INLINE vm
vm_from_bits(uint32_t bits)
{
   return (vm)bits;
}
V_INLINE bool
vm_any(vm m)
{
   return m != 0;
}
V_INLINE vu
vu_from_mask(vm m)
{
   return (vu)_mm512_movm_epi32(m);
} /* 0 or ~0 */
#else
V_INLINE vm
vm_and(vm a, vm b)
{
   return a & b;
}
V_INLINE vm
vm_or(vm a, vm b)
{
   return a | b;
}
V_INLINE vm
vm_xor(vm a, vm b)
{
   return a ^ b;
}
V_INLINE vm
vm_not(vm a)
{
   return ~a;
}
V_INLINE vm
vm_andnot(vm a, vm b)
{
   return a & ~b;
}
V_INLINE vm
vm_none(void)
{
   return (vm)vu_splat(0);
}
V_INLINE vm
vm_all(void)
{
   return (vm)vu_splat(~0u);
}
#if VW == 8
V_INLINE uint32_t
vm_bits(vm m)
{
   return (uint32_t)_mm256_movemask_ps((__m256)m);
}
V_INLINE vm
vm_from_bits(uint32_t bits)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   return (vm)_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit);
}
#else
V_INLINE uint32_t
vm_bits(vm m)
{
   return (uint32_t)_mm_movemask_ps((__m128)m);
}
V_INLINE vm
vm_from_bits(uint32_t bits)
{
   const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
   return (vm)_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), bit), bit);
}
#endif
V_INLINE bool
vm_any(vm m)
{
   return vm_bits(m) != 0;
}
V_INLINE vu
vu_from_mask(vm m)
{
   return (vu)m;
}
#endif

/* The part of a wave's 64 lanes that belongs to vector `n`. */
V_INLINE vm
vm_lanes(uint64_t lanes, unsigned n)
{
#if VW == 16
   return (vm)(lanes >> (n * VW));
#else
   return vm_from_bits((uint32_t)(lanes >> (n * VW)) & ((1u << VW) - 1));
#endif
}
/* Its inverse: or the results of all vectors together. */
V_INLINE uint64_t
vm_to_lanes(vm m, unsigned n)
{
   return (uint64_t)vm_bits(m) << (n * VW);
}

/* ---------------------------------------------------------------------------------------------
 * Selection and masked stores
 */
V_INLINE vu
vu_select(vm m, vu a, vu b) /* m ? a : b */
{
#if VW == 16
   return (vu)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
#elif VW == 8
   return (vu)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
#else
   return (a & (vu)m) | (b & ~(vu)m);
#endif
}
V_INLINE vi
vi_select(vm m, vi a, vi b)
{
   return (vi)vu_select(m, (vu)a, (vu)b);
}
V_INLINE vf
vf_select(vm m, vf a, vf b)
{
   return (vf)vu_select(m, (vu)a, (vu)b);
}

/* a where m, else 0. */
V_INLINE vu
vu_keep(vm m, vu a)
{
#if VW == 16
   return (vu)_mm512_maskz_mov_epi32(m, (__m512i)a);
#else
   return a & (vu)m;
#endif
}
V_INLINE vf
vf_keep(vm m, vf a)
{
   return (vf)vu_keep(m, (vu)a);
}

/* Writes the lanes of m; may read and rewrite the others. */
V_INLINE void
vu_store_masked(void *p, vm m, vu v)
{
#if VW == 16
   _mm512_mask_store_epi32(p, m, (__m512i)v);
#else
   vu_store(p, vu_select(m, v, vu_load(p)));
#endif
}
V_INLINE void
vf_store_masked(void *p, vm m, vf v)
{
   vu_store_masked(p, m, (vu)v);
}

/* ---------------------------------------------------------------------------------------------
 * Comparisons.  Float ones are false with a NaN, ne true.
 */
#if VW == 16
#define V_CMP_F(name, imm)                                  \
   V_INLINE vm vf_##name(vf a, vf b)                        \
   {                                                        \
      return _mm512_cmp_ps_mask((__m512)a, (__m512)b, imm); \
   }
V_CMP_F(eq, _CMP_EQ_OQ)
V_CMP_F(ne, _CMP_NEQ_UQ)
V_CMP_F(lt, _CMP_LT_OQ)
V_CMP_F(le, _CMP_LE_OQ)
V_CMP_F(unordered, _CMP_UNORD_Q)
V_INLINE vm
vi_eq(vi a, vi b)
{
   return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
V_INLINE vm
vi_gt(vi a, vi b)
{
   return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
}
V_INLINE vm
vu_gt(vu a, vu b)
{
   return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
}
#elif VW == 8
#define V_CMP_F(name, imm)                                 \
   V_INLINE vm vf_##name(vf a, vf b)                       \
   {                                                       \
      return (vm)_mm256_cmp_ps((__m256)a, (__m256)b, imm); \
   }
V_CMP_F(eq, _CMP_EQ_OQ)
V_CMP_F(ne, _CMP_NEQ_UQ)
V_CMP_F(lt, _CMP_LT_OQ)
V_CMP_F(le, _CMP_LE_OQ)
V_CMP_F(unordered, _CMP_UNORD_Q)
V_INLINE vm
vi_eq(vi a, vi b)
{
   return (vm)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b);
}
V_INLINE vm
vi_gt(vi a, vi b)
{
   return (vm)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b);
}
V_INLINE vm
vu_gt(vu a, vu b)
{
   vu bias = vu_splat(0x80000000u);
   return vi_gt((vi)(a ^ bias), (vi)(b ^ bias));
}
#else
#define V_CMP_F(name, fn)                  \
   V_INLINE vm vf_##name(vf a, vf b)       \
   {                                       \
      return (vm)fn((__m128)a, (__m128)b); \
   }
V_CMP_F(eq, _mm_cmpeq_ps)
V_CMP_F(ne, _mm_cmpneq_ps)
V_CMP_F(lt, _mm_cmplt_ps)
V_CMP_F(le, _mm_cmple_ps)
V_CMP_F(unordered, _mm_cmpunord_ps)
V_INLINE vm
vi_eq(vi a, vi b)
{
   return (vm)_mm_cmpeq_epi32((__m128i)a, (__m128i)b);
}
V_INLINE vm
vi_gt(vi a, vi b)
{
   return (vm)_mm_cmpgt_epi32((__m128i)a, (__m128i)b);
}
V_INLINE vm
vu_gt(vu a, vu b)
{
   vu bias = vu_splat(0x80000000u);
   return vi_gt((vi)(a ^ bias), (vi)(b ^ bias));
}
#endif
#undef V_CMP_F
V_INLINE vm
vf_gt(vf a, vf b)
{
   return vf_lt(b, a);
}
V_INLINE vm
vf_ge(vf a, vf b)
{
   return vf_le(b, a);
}
V_INLINE vm
vf_isnan(vf a)
{
   return vf_unordered(a, a);
}
V_INLINE vm
vi_lt(vi a, vi b)
{
   return vi_gt(b, a);
}
V_INLINE vm
vi_ge(vi a, vi b)
{
   return vm_not(vi_gt(b, a));
}
V_INLINE vm
vi_le(vi a, vi b)
{
   return vm_not(vi_gt(a, b));
}
V_INLINE vm
vi_ne(vi a, vi b)
{
   return vm_not(vi_eq(a, b));
}
V_INLINE vm
vu_eq(vu a, vu b)
{
   return vi_eq((vi)a, (vi)b);
}
V_INLINE vm
vu_ne(vu a, vu b)
{
   return vi_ne((vi)a, (vi)b);
}
V_INLINE vm
vu_lt(vu a, vu b)
{
   return vu_gt(b, a);
}
V_INLINE vm
vu_ge(vu a, vu b)
{
   return vm_not(vu_gt(b, a));
}
V_INLINE vm
vu_le(vu a, vu b)
{
   return vm_not(vu_gt(a, b));
}
V_INLINE vm
vu_test(vu a, vu bits)
{
   return vu_ne(a & bits, vu_splat(0));
}

/* ---------------------------------------------------------------------------------------------
 * Integers
 */
V_INLINE vi
vi_max(vi a, vi b)
{
#if VW == 16
   return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
   return vi_select(vi_gt(a, b), a, b);
#endif
}
V_INLINE vi
vi_min(vi a, vi b)
{
#if VW == 16
   return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
   return vi_select(vi_gt(a, b), b, a);
#endif
}
V_INLINE vu
vu_max(vu a, vu b)
{
#if VW == 16
   return (vu)_mm512_max_epu32((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_max_epu32((__m256i)a, (__m256i)b);
#else
   return vu_select(vu_gt(a, b), a, b);
#endif
}
V_INLINE vu
vu_min(vu a, vu b)
{
#if VW == 16
   return (vu)_mm512_min_epu32((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_min_epu32((__m256i)a, (__m256i)b);
#else
   return vu_select(vu_gt(a, b), b, a);
#endif
}
V_INLINE vi
vi_clamp(vi x, int32_t lo, int32_t hi)
{
   return vi_min(vi_max(x, vi_splat(lo)), vi_splat(hi));
}

/* Shifts by one count for all lanes, 0-31.  SSE2 cannot shift lanes one by one, and the compiler
 * does not see that a count known only at run time is the same for all. */
V_INLINE vu
vu_shl(vu a, unsigned n)
{
#if VW == 4
   if (!__builtin_constant_p(n))
      return (vu)_mm_sll_epi32((__m128i)a, _mm_cvtsi32_si128((int)n));
#endif
   return a << vu_splat(n);
}
V_INLINE vu
vu_shr(vu a, unsigned n)
{
#if VW == 4
   if (!__builtin_constant_p(n))
      return (vu)_mm_srl_epi32((__m128i)a, _mm_cvtsi32_si128((int)n));
#endif
   return a >> vu_splat(n);
}
V_INLINE vi
vi_sar(vi a, unsigned n)
{
#if VW == 4
   if (!__builtin_constant_p(n))
      return (vi)_mm_sra_epi32((__m128i)a, _mm_cvtsi32_si128((int)n));
#endif
   return a >> vi_splat((int32_t)n);
}

/* Shifts by a count per lane, which must be 0-31 (mask it first). */
V_INLINE vu
vu_shlv(vu a, vu n)
{
#if VW == 16
   return (vu)_mm512_sllv_epi32((__m512i)a, (__m512i)n);
#elif VW == 8
   return (vu)_mm256_sllv_epi32((__m256i)a, (__m256i)n);
#else
   vu r;
   for (unsigned i = 0; i < VW; i++)
      r[i] = a[i] << (n[i] & 31);
   return r;
#endif
}
V_INLINE vu
vu_shrv(vu a, vu n)
{
#if VW == 16
   return (vu)_mm512_srlv_epi32((__m512i)a, (__m512i)n);
#elif VW == 8
   return (vu)_mm256_srlv_epi32((__m256i)a, (__m256i)n);
#else
   vu r;
   for (unsigned i = 0; i < VW; i++)
      r[i] = a[i] >> (n[i] & 31);
   return r;
#endif
}
V_INLINE vi
vi_sarv(vi a, vu n)
{
#if VW == 16
   return (vi)_mm512_srav_epi32((__m512i)a, (__m512i)n);
#elif VW == 8
   return (vi)_mm256_srav_epi32((__m256i)a, (__m256i)n);
#else
   vi r;
   for (unsigned i = 0; i < VW; i++)
      r[i] = a[i] >> (n[i] & 31);
   return r;
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Conversions and elementary float functions that the hardware has
 */

/* Truncates; out of range and NaN give 0x80000000.  Saturating forms are in arith.h. */
V_INLINE vi
vi_trunc_raw(vf a)
{
#if VW == 16
   return (vi)_mm512_cvttps_epi32((__m512)a);
#elif VW == 8
   return (vi)_mm256_cvttps_epi32((__m256)a);
#else
   return (vi)_mm_cvttps_epi32((__m128)a);
#endif
}
/* Rounds by the current mode (nearest even outside shaders); out of range as above. */
V_INLINE vi
vi_round_raw(vf a)
{
#if VW == 16
   return (vi)_mm512_cvtps_epi32((__m512)a);
#elif VW == 8
   return (vi)_mm256_cvtps_epi32((__m256)a);
#else
   return (vi)_mm_cvtps_epi32((__m128)a);
#endif
}
V_INLINE vf
vf_from_vi(vi a)
{
#if VW == 16
   return (vf)_mm512_cvtepi32_ps((__m512i)a);
#elif VW == 8
   return (vf)_mm256_cvtepi32_ps((__m256i)a);
#else
   return (vf)_mm_cvtepi32_ps((__m128i)a);
#endif
}
/* Correctly rounded. */
V_INLINE vf
vf_sqrt(vf a)
{
#if VW == 16
   return (vf)_mm512_sqrt_ps((__m512)a);
#elif VW == 8
   return (vf)_mm256_sqrt_ps((__m256)a);
#else
   return (vf)_mm_sqrt_ps((__m128)a);
#endif
}
/* a < b ? a : b and a > b ? a : b: with a NaN or equal zeros the second operand. */
V_INLINE vf
vf_min_second(vf a, vf b)
{
#if VW == 16
   return (vf)_mm512_min_ps((__m512)a, (__m512)b);
#elif VW == 8
   return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#else
   return (vf)_mm_min_ps((__m128)a, (__m128)b);
#endif
}
V_INLINE vf
vf_max_second(vf a, vf b)
{
#if VW == 16
   return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif VW == 8
   return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#else
   return (vf)_mm_max_ps((__m128)a, (__m128)b);
#endif
}
/* x limited to [lo, hi]; a NaN gives lo. */
V_INLINE vf
vf_clamp(vf x, float lo, float hi)
{
   return vf_min_second(vf_max_second(x, vf_splat(lo)), vf_splat(hi));
}
V_INLINE vf
vf_abs(vf a)
{
   return (vf)((vu)a & vu_splat(F32_MAGNITUDE));
}
V_INLINE vf
vf_neg(vf a)
{
   return (vf)((vu)a ^ vu_splat(F32_SIGN));
}

/* ---------------------------------------------------------------------------------------------
 * Whole components: 64 lanes, naturally aligned.  Compilers make string instructions of memcpy() of
 * this size, which start slowly.
 */
V_INLINE void
lanes_copy(void *dst, const void *src)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((char *)dst + i * (VW * 4), vu_load((const char *)src + i * (VW * 4)));
}
V_INLINE void
lanes_clear(void *dst)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((char *)dst + i * (VW * 4), vu_splat(0));
}

/* ---------------------------------------------------------------------------------------------
 * Gathers.  `offset` is in bytes from base; every lane of the mask must be readable.
 */
V_INLINE vu
vu_gather(const void *base, vu offset, vm m)
{
   vu r = vu_splat(0);
   uint32_t bits = vm_bits(m);
   while (bits) {
      unsigned i = (unsigned)__builtin_ctz(bits);
      uint32_t x;
      memcpy(&x, (const char *)base + offset[i], 4);
      r[i] = x;
      bits &= bits - 1;
   }
   return r;
}

/* ---------------------------------------------------------------------------------------------
 * Quads: four consecutive lanes.
 */

/* Each quad's lane n in all four lanes of it. */
#if VW == 16
#define vf_quad_lane(v, n) ((vf)_mm512_permute_ps((__m512)(v), (n)*0x55))
#elif VW == 8
#define vf_quad_lane(v, n) ((vf)_mm256_permute_ps((__m256)(v), (n)*0x55))
#else
#define vf_quad_lane(v, n) ((vf)_mm_shuffle_ps((__m128)(v), (__m128)(v), (n)*0x55))
#endif
/* Any permutation within quads; imm as for shuffle_ps with equal operands. */
#if VW == 16
#define vf_quad_permute(v, imm) ((vf)_mm512_permute_ps((__m512)(v), imm))
#elif VW == 8
#define vf_quad_permute(v, imm) ((vf)_mm256_permute_ps((__m256)(v), imm))
#else
#define vf_quad_permute(v, imm) ((vf)_mm_shuffle_ps((__m128)(v), (__m128)(v), imm))
#endif

/* A vector with the 16 bytes at p[q] in quad q. */
V_INLINE vf
vf_load_quads(const float *const p[VW / 4])
{
#if VW == 16
   __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p[0]));
   v = _mm512_insertf32x4(v, _mm_loadu_ps(p[1]), 1);
   v = _mm512_insertf32x4(v, _mm_loadu_ps(p[2]), 2);
   return (vf)_mm512_insertf32x4(v, _mm_loadu_ps(p[3]), 3);
#elif VW == 8
   return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[0])), _mm_loadu_ps(p[1]),
                                   1);
#else
   return (vf)_mm_loadu_ps(p[0]);
#endif
}

/* Its inverse. */
V_INLINE void
vf_store_quads(void *const p[VW / 4], vf v)
{
#if VW == 16
   _mm_storeu_ps(p[0], _mm512_castps512_ps128((__m512)v));
   _mm_storeu_ps(p[1], _mm512_extractf32x4_ps((__m512)v, 1));
   _mm_storeu_ps(p[2], _mm512_extractf32x4_ps((__m512)v, 2));
   _mm_storeu_ps(p[3], _mm512_extractf32x4_ps((__m512)v, 3));
#elif VW == 8
   _mm_storeu_ps(p[0], _mm256_castps256_ps128((__m256)v));
   _mm_storeu_ps(p[1], _mm256_extractf128_ps((__m256)v, 1));
#else
   _mm_storeu_ps(p[0], (__m128)v);
#endif
}

/* The same 16 bytes in every quad. */
V_INLINE vf
vf_splat_quad(const float *p)
{
#if VW == 16
   return (vf)_mm512_broadcast_f32x4(_mm_loadu_ps(p));
#elif VW == 8
   return (vf)_mm256_broadcast_ps((const __m128 *)p);
#else
   return (vf)_mm_loadu_ps(p);
#endif
}

/* Any lane of the quad set: the whole quad set. */
V_INLINE uint64_t
lanes_whole_quads(uint64_t lanes)
{
   lanes |= (lanes >> 1) & 0x7777777777777777ull;
   lanes |= (lanes >> 2) & 0x3333333333333333ull;
   lanes &= 0x1111111111111111ull;
   return lanes * 15;
}

/* ---------------------------------------------------------------------------------------------
 * 4x4 transposes within each quad: in[i] lane j of a quad becomes out[j] lane i of that quad.
 * Turns four lane-minor components into per-lane xyzw (and back).
 */
V_INLINE void
vf_transpose_quads(vf v[4])
{
#if VW == 16
   __m512 a = _mm512_unpacklo_ps((__m512)v[0], (__m512)v[1]);
   __m512 b = _mm512_unpackhi_ps((__m512)v[0], (__m512)v[1]);
   __m512 c = _mm512_unpacklo_ps((__m512)v[2], (__m512)v[3]);
   __m512 d = _mm512_unpackhi_ps((__m512)v[2], (__m512)v[3]);
   v[0] = (vf)_mm512_shuffle_ps(a, c, 0x44);
   v[1] = (vf)_mm512_shuffle_ps(a, c, 0xee);
   v[2] = (vf)_mm512_shuffle_ps(b, d, 0x44);
   v[3] = (vf)_mm512_shuffle_ps(b, d, 0xee);
#elif VW == 8
   __m256 a = _mm256_unpacklo_ps((__m256)v[0], (__m256)v[1]);
   __m256 b = _mm256_unpackhi_ps((__m256)v[0], (__m256)v[1]);
   __m256 c = _mm256_unpacklo_ps((__m256)v[2], (__m256)v[3]);
   __m256 d = _mm256_unpackhi_ps((__m256)v[2], (__m256)v[3]);
   v[0] = (vf)_mm256_shuffle_ps(a, c, 0x44);
   v[1] = (vf)_mm256_shuffle_ps(a, c, 0xee);
   v[2] = (vf)_mm256_shuffle_ps(b, d, 0x44);
   v[3] = (vf)_mm256_shuffle_ps(b, d, 0xee);
#else
   __m128 a = _mm_unpacklo_ps((__m128)v[0], (__m128)v[1]);
   __m128 b = _mm_unpackhi_ps((__m128)v[0], (__m128)v[1]);
   __m128 c = _mm_unpacklo_ps((__m128)v[2], (__m128)v[3]);
   __m128 d = _mm_unpackhi_ps((__m128)v[2], (__m128)v[3]);
   v[0] = (vf)_mm_shuffle_ps(a, c, 0x44);
   v[1] = (vf)_mm_shuffle_ps(a, c, 0xee);
   v[2] = (vf)_mm_shuffle_ps(b, d, 0x44);
   v[3] = (vf)_mm_shuffle_ps(b, d, 0xee);
#endif
}

/* Four lanes of lane-minor components to four xyzw and back: p[i] are 16-byte rows. */
V_INLINE void
transpose_4x4(float *const out[4], const float *const in[4])
{
   __m128 a = _mm_loadu_ps(in[0]), b = _mm_loadu_ps(in[1]);
   __m128 c = _mm_loadu_ps(in[2]), d = _mm_loadu_ps(in[3]);
   _MM_TRANSPOSE4_PS(a, b, c, d);
   _mm_storeu_ps(out[0], a);
   _mm_storeu_ps(out[1], b);
   _mm_storeu_ps(out[2], c);
   _mm_storeu_ps(out[3], d);
}

/* Four words of each lane, `stride` bytes from lane to lane. */
V_INLINE void
vf_store_rows(void *first, size_t stride, vf a, vf b, vf c, vf d)
{
   vf v[4] = { a, b, c, d };

   vf_transpose_quads(v);
   for (unsigned i = 0; i < 4; i++) {
      void *to[VW / 4];

      for (unsigned q = 0; q < VW / 4; q++)
         to[q] = (uint8_t *)first + (4 * q + i) * stride;
      vf_store_quads(to, v[i]);
   }
}

#endif

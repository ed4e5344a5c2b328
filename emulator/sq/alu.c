/* SPDX-License-Identifier: MIT */
/*
 * Lane-wise ALU operations, in their general form: any operand kind, any modifier, any mask.
 * HD 6900 ISA guide 8.2; where it is silent or contradicts itself the comment says what holds here.
 */
#include "sq/uop.h"

/* Of a computed float, with the NaN that each form of an operation holds ready. */
#define canon(r) ((vu)vf_canon_to(r, nan))

V_INLINE vu
bool_f32(vm m)
{
   return vu_keep(m, vu_splat(0x3f800000u));
}
V_INLINE vu
bool_b32(vm m)
{
   return vu_from_mask(m);
}

/* ------------------------------------------------------------------------------------------------
 * Integer helpers
 */
V_INLINE vu
mulhi_u(vu a, vu b)
{
#if VW == 16
   __m512i even = _mm512_srli_epi64(_mm512_mul_epu32((__m512i)a, (__m512i)b), 32);
   __m512i odd =
      _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), _mm512_srli_epi64((__m512i)b, 32));
   return (vu)_mm512_mask_blend_epi32(0xaaaa, even, odd);
#elif VW == 8
   __m256i even = _mm256_srli_epi64(_mm256_mul_epu32((__m256i)a, (__m256i)b), 32);
   __m256i odd =
      _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), _mm256_srli_epi64((__m256i)b, 32));
   return (vu)_mm256_blend_epi32(even, odd, 0xaa);
#else
   __m128i even = _mm_srli_epi64(_mm_mul_epu32((__m128i)a, (__m128i)b), 32);
   __m128i odd = _mm_mul_epu32(_mm_srli_epi64((__m128i)a, 32), _mm_srli_epi64((__m128i)b, 32));
   __m128i high = _mm_set_epi32(-1, 0, -1, 0);
   return (vu)_mm_or_si128(even, _mm_and_si128(odd, high));
#endif
}
V_INLINE vu
mulhi_i(vu a, vu b)
{
   vu r = mulhi_u(a, b);
   r -= (vu)vi_sar((vi)a, 31) & b;
   r -= (vu)vi_sar((vi)b, 31) & a;
   return r;
}
V_INLINE vu
sext24(vu a)
{
   return (vu)vi_sar((vi)vu_shl(a, 8), 8);
}
V_INLINE vu
zext24(vu a)
{
   return a & vu_splat(0xffffff);
}
/* Bits 47:32 of a product of 24-bit numbers. */
V_INLINE vu
mulhi24_u(vu a, vu b)
{
   return mulhi_u(zext24(a), zext24(b));
}
V_INLINE vu
mulhi24_i(vu a, vu b)
{
   return mulhi_i(sext24(a), sext24(b));
}
V_INLINE vu
popcount(vu a)
{
   a = a - (vu_shr(a, 1) & vu_splat(0x55555555));
   a = (a & vu_splat(0x33333333)) + (vu_shr(a, 2) & vu_splat(0x33333333));
   a = (a + vu_shr(a, 4)) & vu_splat(0x0f0f0f0f);
   return vu_shr(a * vu_splat(0x01010101), 24);
}
V_INLINE vu
bit_reverse(vu a)
{
   a = (vu_shr(a, 1) & vu_splat(0x55555555)) | vu_shl(a & vu_splat(0x55555555), 1);
   a = (vu_shr(a, 2) & vu_splat(0x33333333)) | vu_shl(a & vu_splat(0x33333333), 2);
   a = (vu_shr(a, 4) & vu_splat(0x0f0f0f0f)) | vu_shl(a & vu_splat(0x0f0f0f0f), 4);
   a = (vu_shr(a, 8) & vu_splat(0x00ff00ff)) | vu_shl(a & vu_splat(0x00ff00ff), 8);
   return vu_shr(a, 16) | vu_shl(a, 16);
}
/* Bits from the highest set one downwards all set; its population count is 32 - leading zeros. */
V_INLINE vu
smear(vu a)
{
   a |= vu_shr(a, 1);
   a |= vu_shr(a, 2);
   a |= vu_shr(a, 4);
   a |= vu_shr(a, 8);
   return a | vu_shr(a, 16);
}
V_INLINE vu
find_high_u(vu a)
{
   vu n = vu_splat(32) - popcount(smear(a));
   return vu_select(vu_eq(a, vu_splat(0)), vu_splat(~0u), n);
}
V_INLINE vu
find_high_i(vu a)
{
   return find_high_u(a ^ (vu)vi_sar((vi)a, 31));
}
V_INLINE vu
find_low(vu a)
{
   vu n = popcount((a & (vu_splat(0) - a)) - vu_splat(1));
   return vu_select(vu_eq(a, vu_splat(0)), vu_splat(~0u), n);
}
V_INLINE vu
bfm(vu a, vu b)
{
   vu one = vu_splat(1), five = vu_splat(31);
   return vu_shlv(vu_shlv(one, a & five) - one, b & five);
}
V_INLINE vu
bfe_u(vu x, vu offset, vu width)
{
   offset &= vu_splat(31), width &= vu_splat(31);
   vu mask = vu_shlv(vu_splat(1), width) - vu_splat(1);
   vu r = vu_shrv(x, offset);
   vm whole = vu_ge(offset + width, vu_splat(32));
   r = vu_select(whole, r, r & mask);
   return vu_keep(vu_ne(width, vu_splat(0)), r);
}
V_INLINE vu
bfe_i(vu x, vu offset, vu width)
{
   offset &= vu_splat(31), width &= vu_splat(31);
   vm whole = vu_ge(offset + width, vu_splat(32));
   vu left = (vu_splat(32) - offset - width) & vu_splat(31);
   vu part = (vu)vi_sarv((vi)vu_shlv(x, left), (vu_splat(32) - width) & vu_splat(31));
   vu r = vu_select(whole, (vu)vi_sarv((vi)x, offset), part);
   return vu_keep(vu_ne(width, vu_splat(0)), r);
}
V_INLINE vu
align_bits(vu hi, vu lo, vu n)
{
   n &= vu_splat(31);
   vu low = vu_shrv(lo, n), high = vu_shlv(hi, (vu_splat(32) - n) & vu_splat(31));
   return vu_select(vu_eq(n, vu_splat(0)), lo, low | high);
}
V_INLINE vu
sad(vu a, vu b)
{
   vu r = vu_splat(0);
   for (unsigned s = 0; s < 32; s += 8) {
      vu p = vu_shr(a, s) & vu_splat(255), q = vu_shr(b, s) & vu_splat(255);
      r += vu_max(p, q) - vu_min(p, q);
   }
   return r;
}
V_INLINE vu
lerp_bytes(vu a, vu b, vu c)
{
   vu r = vu_splat(0);
   for (unsigned s = 0; s < 32; s += 8) {
      vu p = vu_shr(a, s) & vu_splat(255), q = vu_shr(b, s) & vu_splat(255);
      r |= vu_shl(vu_shr(p + q + (vu_shr(c, s) & vu_splat(1)), 1), s);
   }
   return r;
}

/* ------------------------------------------------------------------------------------------------
 * Float helpers
 */

/* Saturating floor(x + rounding); unlike FLT_TO_INT a NaN goes to the limit of its sign. */
V_INLINE vu
floor_to_int(vf a, vf f)
{
   vi r = vi_trunc_raw(f);
   r = vi_select(vf_ge(f, vf_splat(2147483648.0f)), vi_splat(INT32_MAX), r);
   vi limit = vi_splat(INT32_MAX) ^ vi_sar((vi)(vu)a, 31);
   r = vi_select(vf_isnan(a), limit, r);
   return (vu)r;
}
/* floor(x + 1/2), the sum not rounded: ties go up. */
V_INLINE vf
round_half_up(vf a)
{
   vf f = vf_floor(a);
   return f + vf_keep(vf_ge(a - f, vf_splat(0.5f)), vf_splat(1.0f));
}
V_INLINE vu
clamp_inf(vf r)
{
   vm inf = vu_eq((vu)r & vu_splat(0x7fffffffu), vu_splat(0x7f800000u));
   return vu_select(inf, (vu)r - vu_splat(1), (vu)vf_canon(r));
}
V_INLINE vu
zero_inf(vf r)
{
   vm inf = vu_eq((vu)r & vu_splat(0x7fffffffu), vu_splat(0x7f800000u));
   return vu_select(inf, (vu)r & vu_splat(0x80000000u), (vu)vf_canon(r));
}
V_INLINE vu
mul_lit(vf a, vf b, vf c)
{
   vf lowest = (vf)vu_splat(0xff7fffffu);
   vm skip = vm_or(vm_not(vf_gt(b, lowest)), vm_not(vf_gt(c, vf_splat(0.0f))));
   return vu_select(skip, (vu)lowest, (vu)vf_canon(vf_mul_legacy(a, b)));
}
V_INLINE vf
offset_to_float(vu a)
{
   return vf_from_vi(vi_sar((vi)vu_shl(a, 28), 28)) * vf_splat(0.0625f);
}
V_INLINE vu
lanes_below(unsigned i, bool high)
{
   /* Popcount operand of MBCNT: the lanes below each one, of lanes 0-31 or 32-63. */
   vu n = (vu)vi_lane_index() + vu_splat(i * VW);
   vu five = n & vu_splat(31);
   vu mask = vu_shlv(vu_splat(1), five) - vu_splat(1);
   vm upper = vu_ge(n, vu_splat(32));
   return high ? vu_keep(upper, mask) : vu_select(upper, vu_splat(~0u), mask);
}

/* ------------------------------------------------------------------------------------------------
 * The operations.  L(name, operands, float result, value): a, b, c are the operands' bits, fa, fb,
 * fc the same as floats, i the vector's number.
 */
#define LANEWISE(L)                                                                     \
   L(ADD, 2, true, canon(fa + fb))                                                      \
   L(MUL, 2, true, canon(vf_mul_legacy(fa, fb)))                                        \
   L(MUL_IEEE, 2, true, canon(fa *fb))                                                  \
   L(MAX, 2, true, canon(vf_max_dx9(fa, fb)))                                           \
   L(MIN, 2, true, canon(vf_min_dx9(fa, fb)))                                           \
   L(MAX_DX10, 2, true, canon(vf_max_dx10(fa, fb)))                                     \
   L(MIN_DX10, 2, true, canon(vf_min_dx10(fa, fb)))                                     \
   L(SETE, 2, true, bool_f32(vf_eq(fa, fb)))                                            \
   L(SETGT, 2, true, bool_f32(vf_gt(fa, fb)))                                           \
   L(SETGE, 2, true, bool_f32(vf_ge(fa, fb)))                                           \
   L(SETNE, 2, true, bool_f32(vf_ne(fa, fb)))                                           \
   L(SETE_DX10, 2, false, bool_b32(vf_eq(fa, fb)))                                      \
   L(SETGT_DX10, 2, false, bool_b32(vf_gt(fa, fb)))                                     \
   L(SETGE_DX10, 2, false, bool_b32(vf_ge(fa, fb)))                                     \
   L(SETNE_DX10, 2, false, bool_b32(vf_ne(fa, fb)))                                     \
   L(FRACT, 1, true, canon(vf_fract(fa)))                                               \
   L(TRUNC, 1, true, canon(vf_flush(vf_trunc(fa))))                                     \
   L(CEIL, 1, true, canon(vf_flush(vf_ceil(fa))))                                       \
   L(RNDNE, 1, true, canon(vf_flush(vf_rndne(fa))))                                     \
   L(FLOOR, 1, true, canon(vf_flush(vf_floor(fa))))                                     \
   L(ASHR_INT, 2, false, (vu)vi_sarv((vi)a, b &vu_splat(31)))                           \
   L(LSHR_INT, 2, false, vu_shrv(a, b &vu_splat(31)))                                   \
   L(LSHL_INT, 2, false, vu_shlv(a, b &vu_splat(31)))                                   \
   L(MOV, 1, true, a)                                                                   \
   L(AND_INT, 2, false, a &b)                                                           \
   L(OR_INT, 2, false, a | b)                                                           \
   L(XOR_INT, 2, false, a ^ b)                                                          \
   L(NOT_INT, 1, false, ~a)                                                             \
   L(ADD_INT, 2, false, a + b)                                                          \
   L(SUB_INT, 2, false, a - b)                                                          \
   L(MAX_INT, 2, false, (vu)vi_max((vi)a, (vi)b))                                       \
   L(MIN_INT, 2, false, (vu)vi_min((vi)a, (vi)b))                                       \
   L(MAX_UINT, 2, false, vu_max(a, b))                                                  \
   L(MIN_UINT, 2, false, vu_min(a, b))                                                  \
   L(SETE_INT, 2, false, bool_b32(vu_eq(a, b)))                                         \
   L(SETGT_INT, 2, false, bool_b32(vi_gt((vi)a, (vi)b)))                                \
   L(SETGE_INT, 2, false, bool_b32(vi_ge((vi)a, (vi)b)))                                \
   L(SETNE_INT, 2, false, bool_b32(vu_ne(a, b)))                                        \
   L(SETGT_UINT, 2, false, bool_b32(vu_gt(a, b)))                                       \
   L(SETGE_UINT, 2, false, bool_b32(vu_ge(a, b)))                                       \
   L(FLT_TO_INT, 1, false, (vu)vi_from_vf(fa))                                          \
   L(BFREV_INT, 1, false, bit_reverse(a))                                               \
   L(ADDC_UINT, 2, false, vu_keep(vu_lt(a + b, a), vu_splat(1)))                        \
   L(SUBB_UINT, 2, false, vu_keep(vu_gt(b, a), vu_splat(1)))                            \
   L(MUL_INT24, 2, false, sext24(a) * sext24(b))                                        \
   L(MULHI_INT24, 2, false, mulhi24_i(a, b))                                            \
   L(EXP_IEEE, 1, true, canon(vf_exp2(fa)))                                             \
   L(LOG_CLAMPED, 1, true, clamp_inf(vf_log2(fa)))                                      \
   L(LOG_IEEE, 1, true, canon(vf_log2(fa)))                                             \
   L(RECIP_CLAMPED, 1, true, clamp_inf(vf_rcp(fa)))                                     \
   L(RECIP_FF, 1, true, zero_inf(vf_rcp(fa)))                                           \
   L(RECIP_IEEE, 1, true, canon(vf_rcp(fa)))                                            \
   L(RECIPSQRT_CLAMPED, 1, true, clamp_inf(vf_rsq(fa)))                                 \
   L(RECIPSQRT_FF, 1, true, zero_inf(vf_rsq(fa)))                                       \
   L(RECIPSQRT_IEEE, 1, true, canon(vf_rsq(fa)))                                        \
   L(SQRT_IEEE, 1, true, canon(vf_sqrt(fa)))                                            \
   L(SIN, 1, true, canon(vf_sin_turns(fa)))                                             \
   L(COS, 1, true, canon(vf_cos_turns(fa)))                                             \
   L(MULLO_INT, 2, false, a *b)                                                         \
   L(MULLO_UINT, 2, false, a *b)                                                        \
   L(MULHI_INT, 2, false, mulhi_i(a, b))                                                \
   L(MULHI_UINT, 2, false, mulhi_u(a, b))                                               \
   L(FLT_TO_UINT, 1, false, vu_from_vf(fa))                                             \
   L(INT_TO_FLT, 1, true, (vu)vf_from_vi((vi)a))                                        \
   L(UINT_TO_FLT, 1, true, (vu)vf_from_vu(a))                                           \
   L(BFM_INT, 2, false, bfm(a, b))                                                      \
   L(FLT32_TO_FLT16_RTZ, 1, false, vu_half_from_vf_rtz(fa))                             \
   L(FLT32_TO_FLT16, 1, false, vu_half_from_vf(fa))                                     \
   L(FLT16_TO_FLT32, 1, true, (vu)vf_from_half(a &vu_splat(0xffff)))                    \
   L(UBYTE0_FLT, 1, true, (vu)vf_from_vi((vi)(a & vu_splat(255))))                      \
   L(UBYTE1_FLT, 1, true, (vu)vf_from_vi((vi)(vu_shr(a, 8) & vu_splat(255))))           \
   L(UBYTE2_FLT, 1, true, (vu)vf_from_vi((vi)(vu_shr(a, 16) & vu_splat(255))))          \
   L(UBYTE3_FLT, 1, true, (vu)vf_from_vi((vi)vu_shr(a, 24)))                            \
   L(BCNT_INT, 1, false, popcount(a))                                                   \
   L(FFBH_UINT, 1, false, find_high_u(a))                                               \
   L(FFBL_INT, 1, false, find_low(a))                                                   \
   L(FFBH_INT, 1, false, find_high_i(a))                                                \
   L(FLT_TO_INT_RPI, 1, false, floor_to_int(fa, round_half_up(fa)))                     \
   L(FLT_TO_INT_FLOOR, 1, false, floor_to_int(fa, vf_floor(fa)))                        \
   L(MULHI_UINT24, 2, false, mulhi24_u(a, b))                                           \
   L(MUL_UINT24, 2, false, zext24(a) * zext24(b))                                       \
   L(MBCNT_32HI_INT, 1, false, popcount(a &lanes_below(i, true)))                       \
   L(OFFSET_TO_FLT, 1, true, (vu)offset_to_float(a))                                    \
   /* Operand 2 of the next ones is the neighbour's result, put there by the lifter. */ \
   L(BCNT_ACCUM_PREV_INT, 3, false, popcount(a) + c)                                    \
   L(MBCNT_32LO_ACCUM_PREV_INT, 3, false, popcount(a &lanes_below(i, false)) + c)       \
   L(SAD_ACCUM_PREV_UINT, 3, false, sad(a, b) + c)                                      \
   L(MUL_PREV, 3, true, canon(vf_mul_legacy(fb, fc)))                                   \
   L(MUL_IEEE_PREV, 3, true, canon(fb *fc))                                             \
   L(ADD_PREV, 3, true, canon(fa + fc))                                                 \
   L(MULADD_PREV, 3, true, canon(vf_mul_legacy(fa, fb) + fc))                           \
   L(MULADD_IEEE_PREV, 3, true, canon(fa *fb + fc))                                     \
   L(BFE_UINT, 3, false, bfe_u(a, b, c))                                                \
   L(BFE_INT, 3, false, bfe_i(a, b, c))                                                 \
   L(BFI_INT, 3, false, (b & a) | (c & ~a))                                             \
   L(FMA, 3, true, canon(vf_fma(fa, fb, fc)))                                           \
   L(MULADD_INT24, 3, false, sext24(a) * sext24(b) + c)                                 \
   L(LERP_UINT, 3, false, lerp_bytes(a, b, c))                                          \
   L(BIT_ALIGN_INT, 3, false, align_bits(a, b, c))                                      \
   L(BYTE_ALIGN_INT, 3, false, align_bits(a, b, vu_shl(c &vu_splat(3), 3)))             \
   L(SAD_ACCUM_UINT, 3, false, sad(a, b) + c)                                           \
   L(SAD_ACCUM_HI_UINT, 3, false, vu_shl(sad(a, b), 16) + c)                            \
   L(MULADD_UINT24, 3, false, zext24(a) * zext24(b) + c)                                \
   L(MULADD, 3, true, canon(vf_mul_legacy(fa, fb) + fc))                                \
   L(MULADD_M2, 3, true, canon((vf_mul_legacy(fa, fb) + fc) * vf_splat(2.0f)))          \
   L(MULADD_M4, 3, true, canon((vf_mul_legacy(fa, fb) + fc) * vf_splat(4.0f)))          \
   L(MULADD_D2, 3, true, canon((vf_mul_legacy(fa, fb) + fc) * vf_splat(0.5f)))          \
   L(MULADD_IEEE, 3, true, canon(fa *fb + fc))                                          \
   L(CNDE, 3, true, vu_select(vf_eq(fa, vf_splat(0.0f)), b, c))                         \
   L(CNDGT, 3, true, vu_select(vf_gt(fa, vf_splat(0.0f)), b, c))                        \
   L(CNDGE, 3, true, vu_select(vf_ge(fa, vf_splat(0.0f)), b, c))                        \
   L(CNDE_INT, 3, true, vu_select(vu_eq(a, vu_splat(0)), b, c))                         \
   L(CNDGT_INT, 3, true, vu_select(vi_gt((vi)a, vi_splat(0)), b, c))                    \
   L(CNDGE_INT, 3, true, vu_select(vi_ge((vi)a, vi_splat(0)), b, c))                    \
   L(MUL_LIT, 3, true, mul_lit(fa, fb, fc))

/* One body, from which every form is made: `kinds` has a bit for each operand that is equal in all
 * lanes; level 0 has no modifiers, 1 those of operands, 2 those of the result, too. */
#define L(name, operands, is_float, value)                                                \
   V_INLINE void body_##name(const struct exec *x, const struct uop *u, unsigned kinds,   \
                             unsigned level, bool masked)                                 \
   {                                                                                      \
      const uint8_t *p[3];                                                                \
      vu same[3], keep[3], flip[3];                                                       \
      uint64_t lanes = x->lanes;                                                          \
      vf nan = vf_opaque_nan();                                                           \
      (void)nan;                                                                          \
      uint8_t *to = x->file + u->dst;                                                     \
      for (unsigned n = 0; n < (operands); n++) {                                         \
         p[n] = x->file + u->src[n];                                                      \
         same[n] = keep[n] = flip[n] = vu_splat(0);                                       \
         if (kinds >> n & 1)                                                              \
            same[n] = vu_splat(*(const uint32_t *)((const uint8_t *)x->uni + u->src[n])); \
         if (level) {                                                                     \
            keep[n] = vu_splat(u->keep[n]);                                               \
            flip[n] = vu_splat(u->flip[n]);                                               \
            same[n] = (same[n] & keep[n]) ^ flip[n];                                      \
         }                                                                                \
      }                                                                                   \
      for (unsigned i = 0; i < VECTORS; i++) {                                            \
         vu o[3] = { same[0], same[0], same[0] };                                         \
         for (unsigned n = 0; n < (operands); n++) {                                      \
            o[n] = same[n];                                                               \
            if (!(kinds >> n & 1)) {                                                      \
               o[n] = vu_load(p[n] + i * (VW * 4));                                       \
               if (level)                                                                 \
                  o[n] = (o[n] & keep[n]) ^ flip[n];                                      \
            }                                                                             \
         }                                                                                \
         vu a = o[0], b = o[1], c = o[2];                                                 \
         vf fa = (vf)a, fb = (vf)b, fc = (vf)c;                                           \
         (void)fa, (void)fb, (void)fc, (void)b, (void)c;                                  \
         vu r = (value);                                                                  \
         if (is_float && level == 2)                                                      \
            r = uop_post(x, u, r);                                                        \
         if (masked)                                                                      \
            vu_store_masked(to + i * (VW * 4), vm_lanes(lanes, i), r);                    \
         else                                                                             \
            vu_store(to + i * (VW * 4), r);                                               \
      }                                                                                   \
   }                                                                                      \
   static void alu_##name(struct exec *x, const struct uop *u)                            \
   {                                                                                      \
      uint64_t lanes = uop_lanes(x, u);                                                   \
      vf nan = vf_opaque_nan();                                                           \
      (void)nan;                                                                          \
      for (unsigned i = 0; i < VECTORS; i++) {                                            \
         vu a = uop_src(x, u, 0, i);                                                      \
         vu b = (operands) > 1 ? uop_src(x, u, 1, i) : a;                                 \
         vu c = (operands) > 2 ? uop_src(x, u, 2, i) : a;                                 \
         vf fa = (vf)a, fb = (vf)b, fc = (vf)c;                                           \
         (void)fa, (void)fb, (void)fc, (void)b, (void)c;                                  \
         vu r = (value);                                                                  \
         if (is_float)                                                                    \
            r = uop_post(x, u, r);                                                        \
         uop_store(x, u->dst, i, lanes, r);                                               \
      }                                                                                   \
   }
LANEWISE(L)
#undef L

/* ------------------------------------------------------------------------------------------------
 * Predicates and kills.  P(name, kill, passes, value): a lane that passes executes or is killed;
 * `value` goes to the destination.
 */
enum pred_value { PRED_BOOL, PRED_SRC0, PRED_DIFFERENCE, PRED_INCREMENT, PRED_MAX, PRED_INVERSE };

/* What a lane that does not pass writes. */
V_INLINE vf
pred_value(enum pred_value kind, vf a, vf b)
{
   vf one = vf_splat(1.0f);
   switch (kind) {
   case PRED_SRC0:
      return a;
   case PRED_DIFFERENCE:
      return a - b;
   case PRED_INCREMENT:
      return a + one;
   case PRED_MAX:
      return (vf)vu_splat(0x7f7fffffu);
   case PRED_INVERSE:
      return vf_select(vf_eq(a, vf_splat(0.0f)), one, a);
   default:
      return one;
   }
}

V_INLINE void
pred_finish(struct exec *x, const struct uop *u, uint64_t lanes, uint64_t pass, bool kill)
{
   pass &= lanes;
   if (kill) {
      if (x->program->stage == SQ_STAGE_PS)
         x->valid &= ~pass;
      return;
   }
   if (u->update_pred)
      x->pred_next = (x->pred & ~lanes) | pass;
   if (u->update_exec) {
      x->fail |= lanes & ~pass;
      x->fail_op = u->exec_op;
      x->fail_pending = true;
   }
}

#define P(name, kill, passes, value_kind)                                       \
   static void alu_##name(struct exec *x, const struct uop *u)                  \
   {                                                                            \
      uint64_t lanes = uop_lanes(x, u), pass = 0;                               \
      vf one = vf_splat(1.0f), zero = vf_splat(0.0f);                           \
      for (unsigned i = 0; i < VECTORS; i++) {                                  \
         vu a = uop_src(x, u, 0, i), b = uop_src(x, u, 1, i);                   \
         vf fa = (vf)a, fb = (vf)b;                                             \
         (void)fa, (void)fb, (void)b, (void)one, (void)zero;                    \
         vm m = (passes);                                                       \
         vf other = pred_value(value_kind, fa, fb);                             \
         vf r = (kill) ? vf_keep(m, one) : vf_select(m, zero, vf_canon(other)); \
         pass |= vm_to_lanes(m, i);                                             \
         uop_store(x, u->dst, i, lanes, uop_post(x, u, (vu)r));                 \
      }                                                                         \
      pred_finish(x, u, lanes, pass, kill);                                     \
   }

#define PREDICATES(P)                                                                             \
   P(PRED_SETE, false, vf_eq(fa, fb), PRED_BOOL)                                                  \
   P(PRED_SETGT, false, vf_gt(fa, fb), PRED_BOOL)                                                 \
   P(PRED_SETGE, false, vf_ge(fa, fb), PRED_BOOL)                                                 \
   P(PRED_SETNE, false, vf_ne(fa, fb), PRED_BOOL)                                                 \
   P(PRED_SETE_INT, false, vu_eq(a, b), PRED_BOOL)                                                \
   P(PRED_SETGT_INT, false, vi_gt((vi)a, (vi)b), PRED_BOOL)                                       \
   P(PRED_SETGE_INT, false, vi_ge((vi)a, (vi)b), PRED_BOOL)                                       \
   P(PRED_SETNE_INT, false, vu_ne(a, b), PRED_BOOL)                                               \
   P(PRED_SETGT_UINT, false, vu_gt(a, b), PRED_BOOL)                                              \
   P(PRED_SETGE_UINT, false, vu_ge(a, b), PRED_BOOL)                                              \
   P(PRED_SET_INV, false, vf_eq(fa, one), PRED_INVERSE)                                           \
   P(PRED_SET_POP, false, vf_le(fa, fb), PRED_DIFFERENCE)                                         \
   P(PRED_SET_CLR, false, vm_none(), PRED_MAX)                                                    \
   P(PRED_SET_RESTORE, false, vf_eq(fa, zero), PRED_SRC0)                                         \
   P(PRED_SETE_PUSH, false, vm_and(vf_eq(fb, zero), vf_eq(fa, zero)), PRED_INCREMENT)             \
   P(PRED_SETGT_PUSH, false, vm_and(vf_gt(fb, zero), vf_eq(fa, zero)), PRED_INCREMENT)            \
   P(PRED_SETGE_PUSH, false, vm_and(vf_ge(fb, zero), vf_eq(fa, zero)), PRED_INCREMENT)            \
   P(PRED_SETNE_PUSH, false, vm_and(vf_ne(fb, zero), vf_eq(fa, zero)), PRED_INCREMENT)            \
   P(PRED_SETE_PUSH_INT, false, vm_and(vu_eq(b, (vu)zero), vf_eq(fa, zero)), PRED_INCREMENT)      \
   P(PRED_SETGT_PUSH_INT, false, vm_and(vi_gt((vi)b, (vi)zero), vf_eq(fa, zero)), PRED_INCREMENT) \
   P(PRED_SETGE_PUSH_INT, false, vm_and(vi_ge((vi)b, (vi)zero), vf_eq(fa, zero)), PRED_INCREMENT) \
   P(PRED_SETNE_PUSH_INT, false, vm_and(vu_ne(b, (vu)zero), vf_eq(fa, zero)), PRED_INCREMENT)     \
   P(PRED_SETLT_PUSH_INT, false, vm_and(vi_lt((vi)b, (vi)zero), vf_eq(fa, zero)), PRED_INCREMENT) \
   P(PRED_SETLE_PUSH_INT, false, vm_and(vi_le((vi)b, (vi)zero), vf_eq(fa, zero)), PRED_INCREMENT) \
   P(KILLE, true, vf_eq(fa, fb), PRED_BOOL)                                                       \
   P(KILLGT, true, vf_gt(fa, fb), PRED_BOOL)                                                      \
   P(KILLGE, true, vf_ge(fa, fb), PRED_BOOL)                                                      \
   P(KILLNE, true, vf_ne(fa, fb), PRED_BOOL)                                                      \
   P(KILLE_INT, true, vu_eq(a, b), PRED_BOOL)                                                     \
   P(KILLGT_INT, true, vi_gt((vi)a, (vi)b), PRED_BOOL)                                            \
   P(KILLGE_INT, true, vi_ge((vi)a, (vi)b), PRED_BOOL)                                            \
   P(KILLNE_INT, true, vu_ne(a, b), PRED_BOOL)                                                    \
   P(KILLGT_UINT, true, vu_gt(a, b), PRED_BOOL)                                                   \
   P(KILLGE_UINT, true, vu_ge(a, b), PRED_BOOL)

PREDICATES(P)
#undef P

static uop_fn *const table[CAYMAN_ALU_OP_COUNT] = {
#define L(name, operands, is_float, value) [CAYMAN_ALU_##name] = alu_##name,
   LANEWISE(L)
#undef L
#define P(name, kill, passes, value_kind) [CAYMAN_ALU_##name] = alu_##name,
      PREDICATES(P)
#undef P
};

uop_fn *
K(sq_alu_fn)(unsigned op)
{
   return op < CAYMAN_ALU_OP_COUNT ? table[op] : NULL;
}

/* ------------------------------------------------------------------------------------------------
 * Specialised forms
 */
#define FORM(name, kinds, level, masked)                                                \
   static void alu_##name##_##kinds##level##masked(struct exec *x, const struct uop *u) \
   {                                                                                    \
      body_##name(x, u, kinds, level, masked);                                          \
   }
#define FORMS_1(name, level, masked) FORM(name, 0, level, masked) FORM(name, 1, level, masked)
#define FORMS_2(name, level, masked) \
   FORMS_1(name, level, masked) FORM(name, 2, level, masked) FORM(name, 3, level, masked)
#define FORMS_3(name, level, masked) \
   FORMS_2(name, level, masked)      \
   FORM(name, 4, level, masked)      \
   FORM(name, 5, level, masked) FORM(name, 6, level, masked) FORM(name, 7, level, masked)

#define NAME(name, kinds, level, masked) [kinds] = alu_##name##_##kinds##level##masked,
#define NAMES_1(name, level, masked)     NAME(name, 0, level, masked) NAME(name, 1, level, masked)
#define NAMES_2(name, level, masked) \
   NAMES_1(name, level, masked) NAME(name, 2, level, masked) NAME(name, 3, level, masked)
#define NAMES_3(name, level, masked) \
   NAMES_2(name, level, masked)      \
   NAME(name, 4, level, masked)      \
   NAME(name, 5, level, masked) NAME(name, 6, level, masked) NAME(name, 7, level, masked)

/* What programs do most; the rest stays general.  S(name, operands, may have modifiers). */
#define SPECIAL(S)                                                                               \
   S(MOV, 1, 1)                                                                                  \
   S(FLOOR, 1, 1)                                                                                \
   S(FRACT, 1, 1) S(NOT_INT, 1, 0) S(FLT_TO_INT, 1, 0) S(INT_TO_FLT, 1, 0) S(ADD, 2, 1)          \
      S(MUL, 2, 1) S(MUL_IEEE, 2, 1) S(MAX_DX10, 2, 1) S(MIN_DX10, 2, 1) S(SETE_DX10, 2, 1)      \
         S(SETGT_DX10, 2, 1) S(SETGE_DX10, 2, 1) S(SETNE_DX10, 2, 1) S(AND_INT, 2, 0)            \
            S(OR_INT, 2, 0) S(XOR_INT, 2, 0) S(ADD_INT, 2, 0) S(SUB_INT, 2, 0) S(SETE_INT, 2, 0) \
               S(SETNE_INT, 2, 0) S(SETGT_INT, 2, 0) S(SETGE_INT, 2, 0) S(LSHL_INT, 2, 0)        \
                  S(LSHR_INT, 2, 0) S(MULADD, 3, 1) S(MULADD_IEEE, 3, 1) S(CNDE, 3, 0)           \
                     S(CNDGE, 3, 1) S(CNDE_INT, 3, 0)

/* Unmasked without modifiers; unmasked with; masked with or without those of operands. */
#define MODIFIED_0(macro, operands, name)
#define MODIFIED_1(macro, operands, name) \
   macro##_##operands(name, 1, 0) macro##_##operands(name, 2, 0)
#define S(name, operands, modified)                          \
   FORMS_##operands(name, 0, 0) FORMS_##operands(name, 1, 1) \
      MODIFIED_##modified(FORMS, operands, name)
SPECIAL(S)
#undef S

struct forms {
   uop_fn *plain[8], *on_source[8], *on_result[8], *masked[8];
};

#define RESULT_0(operands, name)
#define RESULT_1(operands, name) \
   .on_source = { NAMES_##operands(name, 1, 0) }, .on_result = { NAMES_##operands(name, 2, 0) },
#define S(name, operands, modified)                                                       \
   static const struct forms forms_##name = { .plain = { NAMES_##operands(name, 0, 0) },  \
                                              .masked = { NAMES_##operands(name, 1, 1) }, \
                                              RESULT_##modified(operands, name) };
SPECIAL(S)
#undef S

static const struct forms *const forms[CAYMAN_ALU_OP_COUNT] = {
#define S(name, operands, modified) [CAYMAN_ALU_##name] = &forms_##name,
   SPECIAL(S)
#undef S
};

uop_fn *
K(sq_single_fn)(const struct uop *u, bool masked)
{
   if (u->op >= CAYMAN_ALU_OP_COUNT || !forms[u->op] || u->pred_sel || u->uni > 7)
      return NULL;
   const struct forms *f = forms[u->op];
   bool result = u->omod || u->clamp;
   if (masked)
      return result ? NULL : f->masked[u->uni];
   return result ? f->on_result[u->uni] : u->mods ? f->on_source[u->uni] : f->plain[u->uni];
}

/* SPDX-License-Identifier: MIT */
/*
 * Lane-wise micro-operations: the values that the table's rows name, a general handler of each (any
 * operand kind, any modifier, any mask), and specialised ones of those that programs do most.
 * HD 6900 ISA guide 8.2; where it is silent or contradicts itself the comment says what holds here.
 */
#include "uop/bound.h"

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
 * ATTILA's
 */

/* Beyond it sines are 0 and cosines 1: a float has no fraction bits left. */
#define LAST_ANGLE 4194304.0f

/* Sine or cosine of radians.  1 / (2 pi) is in two parts, so that the fraction of a revolution is
 * right to 2^-25 up to the last angle.  The fraction is at most a half: the first product alone may
 * be nearer to another integer, and more than a half has a fraction bit less. */
V_INLINE vf
turns(vf a, bool cosine)
{
   const vf high = vf_splat(0x1.45f306p-3f), low = vf_splat(0x1.b9391p-28f);
   vf n = vf_rndne(a * high);
   n = n + vf_rndne(vf_fma(a, low, vf_fma(a, high, vf_neg(n))));
   vf t = vf_fma(a, low, vf_fma(a, high, vf_neg(n)));
   vf r = cosine ? vf_cos_turns(t) : vf_sin_turns(t);
   vf size = vf_abs(a);
   r = vf_select(vf_gt(size, vf_splat(LAST_ANGLE)), vf_splat(cosine ? 1.0f : 0.0f), r);
   vm none = vm_or(vf_isnan(a), vu_eq((vu)size, vu_splat(0x7f800000u)));
   return vf_select(none, (vf)vu_splat(0x7fc00000u), r);
}

/* The magnitude as a normal number: denormals are scaled by 2^24. */
V_INLINE vf
normal(vf a, vm *scaled)
{
   vf size = vf_abs(a);
   *scaled = vf_gt(vf_splat(0x1p-126f), size);
   return vf_select(*scaled, size * vf_splat(0x1p24f), size);
}

/* floor(log2 |a|) */
V_INLINE vf
exponent(vf a)
{
   vm scaled;
   vf size = normal(a, &scaled);
   vi e = (vi)vu_shr((vu)size, 23) - vi_splat(127);
   vf r = vf_from_vi(e - (vi)vu_keep(scaled, vu_splat(24)));
   r = vf_select(vf_eq(size, (vf)vu_splat(0x7f800000u)), size, r);
   r = vf_select(vf_eq(size, vf_splat(0.0f)), (vf)vu_splat(0xff800000u), r);
   return vf_canon(vf_select(vf_isnan(a), a, r));
}

/* |a| / 2^floor(log2 |a|), which 0 and infinity have not. */
V_INLINE vf
mantissa(vf a)
{
   vm scaled;
   vf size = normal(a, &scaled);
   vf r = (vf)(((vu)size & vu_splat(0x7fffffu)) | vu_splat(0x3f800000u));
   vm has = vm_and(vf_gt(size, vf_splat(0.0f)), vf_gt((vf)vu_splat(0x7f800000u), size));
   return vf_select(has, r, (vf)vu_splat(0x7fc00000u));
}

/* One body, from which every form is made: `kinds` has a bit for each operand that is equal in all
 * lanes; level 0 has no modifiers, 1 those of operands, 2 those of the result, too. */
#define BODY(name, result, operands, value)                                                   \
   V_INLINE void body_##name(const struct exec *x, const struct bound_uop *u, unsigned kinds, \
                             unsigned level, bool masked)                                     \
   {                                                                                          \
      const uint8_t *p[3];                                                                    \
      vu same[3], keep[3], flip[3];                                                           \
      uint64_t lanes = x->lanes;                                                              \
      vf nan = vf_opaque_nan();                                                               \
      (void)nan;                                                                              \
      uint8_t *to = x->file + u->dst;                                                         \
      for (unsigned n = 0; n < (operands); n++) {                                             \
         p[n] = x->file + u->src[n];                                                          \
         same[n] = keep[n] = flip[n] = vu_splat(0);                                           \
         if (kinds >> n & 1)                                                                  \
            same[n] = vu_splat(*(const uint32_t *)((const uint8_t *)x->uni + u->src[n]));     \
         if (level) {                                                                         \
            keep[n] = vu_splat(u->keep[n]);                                                   \
            flip[n] = vu_splat(u->flip[n]);                                                   \
            same[n] = (same[n] & keep[n]) ^ flip[n];                                          \
         }                                                                                    \
      }                                                                                       \
      for (unsigned i = 0; i < VECTORS; i++) {                                                \
         vu o[3] = { same[0], same[0], same[0] };                                             \
         for (unsigned n = 0; n < (operands); n++) {                                          \
            o[n] = same[n];                                                                   \
            if (!(kinds >> n & 1)) {                                                          \
               o[n] = vu_load(p[n] + i * (VW * 4));                                           \
               if (level)                                                                     \
                  o[n] = (o[n] & keep[n]) ^ flip[n];                                          \
            }                                                                                 \
         }                                                                                    \
         vu a = o[0], b = o[1], c = o[2];                                                     \
         vf fa = (vf)a, fb = (vf)b, fc = (vf)c;                                               \
         (void)fa, (void)fb, (void)fc, (void)b, (void)c;                                      \
         vu r = (vu)(value);                                                                  \
         if (IS_FLOAT_##result && level == 2)                                                 \
            r = uop_post(x, u, r);                                                            \
         if (masked)                                                                          \
            vu_store_masked(to + i * (VW * 4), vm_lanes(lanes, i), r);                        \
         else                                                                                 \
            vu_store(to + i * (VW * 4), r);                                                   \
      }                                                                                       \
   }
#define GENERAL(name, result, operands, value)                         \
   void K(uop_lane_##name)(struct exec * x, const struct bound_uop *u) \
   {                                                                   \
      uint64_t lanes = uop_lanes(x, u);                                \
      vf nan = vf_opaque_nan();                                        \
      (void)nan;                                                       \
      for (unsigned i = 0; i < VECTORS; i++) {                         \
         vu a = uop_src(x, u, 0, i);                                   \
         vu b = (operands) > 1 ? uop_src(x, u, 1, i) : a;              \
         vu c = (operands) > 2 ? uop_src(x, u, 2, i) : a;              \
         vf fa = (vf)a, fb = (vf)b, fc = (vf)c;                        \
         (void)fa, (void)fb, (void)fc, (void)b, (void)c;               \
         vu r = (vu)(value);                                           \
         if (IS_FLOAT_##result)                                        \
            r = uop_post(x, u, r);                                     \
         uop_store(x, u->dst, i, lanes, r);                            \
      }                                                                \
   }

/* ------------------------------------------------------------------------------------------------
 * Specialised forms
 */
#define FORM(name, kinds, level, masked)                                                       \
   static void lane_##name##_##kinds##level##masked(struct exec *x, const struct bound_uop *u) \
   {                                                                                           \
      body_##name(x, u, kinds, level, masked);                                                 \
   }
#define FORMS_1(name, level, masked) FORM(name, 0, level, masked) FORM(name, 1, level, masked)
#define FORMS_2(name, level, masked) \
   FORMS_1(name, level, masked) FORM(name, 2, level, masked) FORM(name, 3, level, masked)
#define FORMS_3(name, level, masked) \
   FORMS_2(name, level, masked)      \
   FORM(name, 4, level, masked)      \
   FORM(name, 5, level, masked) FORM(name, 6, level, masked) FORM(name, 7, level, masked)

#define NAME(name, kinds, level, masked) [kinds] = lane_##name##_##kinds##level##masked,
#define NAMES_1(name, level, masked)     NAME(name, 0, level, masked) NAME(name, 1, level, masked)
#define NAMES_2(name, level, masked) \
   NAMES_1(name, level, masked) NAME(name, 2, level, masked) NAME(name, 3, level, masked)
#define NAMES_3(name, level, masked) \
   NAMES_2(name, level, masked)      \
   NAME(name, 4, level, masked)      \
   NAME(name, 5, level, masked) NAME(name, 6, level, masked) NAME(name, 7, level, masked)

/* By the table's column: unmasked without modifiers, and masked with or without those of operands;
 * unmasked with those of operands, and of the result. */
#define MAKE_NONE(name, result, operands, value)
#define MAKE_PLAIN(name, result, operands, value) \
   BODY(name, result, operands, value)            \
   FORMS_##operands(name, 0, 0) FORMS_##operands(name, 1, 1)
#define MAKE_MODS(name, result, operands, value) \
   MAKE_PLAIN(name, result, operands, value)     \
   FORMS_##operands(name, 1, 0) FORMS_##operands(name, 2, 0)
#define MAKE_FUSED MAKE_MODS

#define LIST_NONE(name, operands)
#define LIST_PLAIN(name, operands)                             \
   [UOP_##name] = { .plain = { NAMES_##operands(name, 0, 0) }, \
                    .masked = { NAMES_##operands(name, 1, 1) } },
#define LIST_MODS(name, operands)                                  \
   [UOP_##name] = { .plain = { NAMES_##operands(name, 0, 0) },     \
                    .on_source = { NAMES_##operands(name, 1, 0) }, \
                    .on_result = { NAMES_##operands(name, 2, 0) }, \
                    .masked = { NAMES_##operands(name, 1, 1) } },
#define LIST_FUSED LIST_MODS

/* ------------------------------------------------------------------------------------------------
 * The rows
 */
#define IS_FLOAT_F true
#define IS_FLOAT_B false
#define LANE(name, result, operands, kinds, forms, cost, native, value) \
   GENERAL(name, result, operands, value) MAKE_##forms(name, result, operands, value)
#define QUAD LANE
#include "uop/uops.def"

const struct uop_forms *
K(uop_lane_forms)(unsigned op)
{
   static const struct uop_forms forms[UOP_COUNT] = {
#define LANE(name, result, operands, kinds, forms, cost, native, value) LIST_##forms(name, operands)
#define QUAD                                                            LANE
#include "uop/uops.def"
   };
   return op < UOP_COUNT && forms[op].plain[0] ? &forms[op] : NULL;
}

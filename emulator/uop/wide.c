/* SPDX-License-Identifier: MIT */
/*
 * Lane-wise micro-operations with an immediate, computed a vector at a time: Valhall's exponents,
 * mantissas, clamps and faces of cubes.  Bit operations, and float comparisons, multiplications and
 * divisions that round once.  A NaN result is canonical.
 */
#include "isa/valhall/valhall.h"
#include "uop/scalar.h"
#include "uop/bound.h"

#define NAN_BITS  0x7fc00000u
#define INFINITE  0x7f800000u
#define ONE       0x3f800000u
#define MAGNITUDE 0x7fffffffu
#define SIGN      0x80000000u
#define MANTISSA  0x007fffffu

V_INLINE vm
is_nan(vu a)
{
   return vu_gt(a & vu_splat(MAGNITUDE), vu_splat(INFINITE));
}

V_INLINE vm
is_zero(vu a)
{
   return vu_eq(a & vu_splat(MAGNITUDE), vu_splat(0));
}

/* Finite and not zero. */
V_INLINE vm
is_ordinary(vu a)
{
   return vu_lt((a & vu_splat(MAGNITUDE)) - vu_splat(1), vu_splat(INFINITE - 1));
}

/* Mantissa (without its first bit) and exponent of an ordinary value: m in [1, 2). */
V_INLINE vi
normalise(vu a, vu *mantissa)
{
   const vu m = a & vu_splat(MANTISSA);
   const vi e = (vi)(vu_shr(a, 23) & vu_splat(255));
   const vm denormal = vi_eq(e, vi_splat(0));
   /* Its highest bit goes to where the implicit one of a normal number is. */
   const vi top = (vi)vu_shr((vu)vf_from_vi((vi)m), 23) - vi_splat(127);
   const vi shift = vi_splat(23) - top;

   *mantissa = vu_select(denormal, vu_shlv(m, (vu)shift & vu_splat(31)) & vu_splat(MANTISSA), m);
   return vi_select(denormal, vi_splat(-126) - shift, e - vi_splat(127));
}

/* The exponent that FREXPE gives, and the mantissa's: m in [0.5, 1); for logarithms in [0.75, 1.5);
 * for square roots in [0.25, 1), of four. */
V_INLINE vi
frexp_parts(vu a, unsigned flags, vu *m, vi *exponent)
{
   const vi e = normalise(a, m);

   if (flags & FREXP_LOG) {
      const vi high = (vi)vu_from_mask(vu_ge(*m, vu_splat(0x400000))); /* from 1.5 on */
      *exponent = e - high;
      return high;
   }
   if (flags & FREXP_SQRT) {
      const vi r = vi_sar(e + vi_splat(2), 1);
      *exponent = r;
      return e - r - r;
   }
   *exponent = e + vi_splat(1);
   return vi_splat(-1);
}

V_INLINE vu
frexp_mantissa(vu a, unsigned flags)
{
   vu m;
   vi e;
   const vu scale = (vu)frexp_parts(a, flags, &m, &e);
   const vu r = (a & vu_splat(SIGN)) | vu_shl(scale + vu_splat(127), 23) | m;

   return vu_select(is_ordinary(a), r, vu_select(is_nan(a), vu_splat(NAN_BITS), a));
}

V_INLINE vu
frexp_exponent(vu a, unsigned flags)
{
   vu m;
   vi e;

   frexp_parts(a, flags, &m, &e);
   return vu_keep(is_ordinary(a), (vu)e);
}

/* The mantissa for logarithms.  What follows makes log2(0) = -inf and log2(inf) = inf of it. */
V_INLINE vu
log_mantissa(vu a)
{
   return vu_keep(vm_not(is_zero(a)), frexp_mantissa(a, FREXP_LOG));
}

/* log2(m) / (m - 1) of x's mantissa m. */
V_INLINE vu
logd(vu x, vf m, vf log2_m)
{
   const vf one = vf_splat(1.0f);
   const vu slope = (vu)vf_canon(log2_m / (m - one));
   vu r = vu_select(vm_or(vf_gt(one, m), vf_gt(m, one)), slope, vu_splat(0x3fb8aa3b));

   r = vu_select(vm_or(vi_lt((vi)x, vi_splat(0)), is_nan(x)), vu_splat(NAN_BITS), r);
   return vu_select(vm_or(is_zero(x), vu_eq(x, vu_splat(INFINITE))), vu_splat(INFINITE), r);
}

/* a * 2^n, rounded once.  A denormal result stays one; an operand is what the mode makes of it. */
V_INLINE vu
ldexp_rounded(vf a, vi n, unsigned mode)
{
   const vu x = (vu)vf_flush(a), sign = x & vu_splat(SIGN);
   const vm negative = vu_ne(sign, vu_splat(0));
   vu m;
   const vi e = normalise(x, &m) + vi_splat(127) + vi_clamp(n, -400, 400);
   const vu whole = vu_shl((vu)e, 23) | m;
   /* Below the least normal number: bits are dropped. */
   const vu shift = (vu)vi_clamp(vi_splat(1) - e, 1, 26);
   const vu bits = m | vu_splat(MANTISSA + 1), kept = vu_shrv(bits, shift);
   const vu rest = bits - vu_shlv(kept, shift), half = vu_shlv(vu_splat(1), shift - vu_splat(1));
   const vm inexact = vu_ne(rest, vu_splat(0));
   vm up = vm_none(), finite = vm_none(); /* overflow goes to the largest finite number */

   switch (mode) {
   case VALHALL_ROUND_MODE_RTE:
      up = vm_or(vu_gt(rest, half), vm_and(vu_eq(rest, half), vu_test(kept, vu_splat(1))));
      break;
   case VALHALL_ROUND_MODE_RTP:
      up = vm_andnot(inexact, negative);
      finite = negative;
      break;
   case VALHALL_ROUND_MODE_RTN:
      up = vm_and(inexact, negative);
      finite = vm_not(negative);
      break;
   default:
      finite = vm_all();
      break;
   }
   const vu small = kept + vu_keep(up, vu_splat(1));
   const vu large = vu_splat(INFINITE) - vu_keep(finite, vu_splat(1));
   vu r = vu_select(vi_gt(e, vi_splat(0)), whole, small);
   r = sign | vu_select(vi_gt(e, vi_splat(254)), large, r);
   return vu_select(is_ordinary(x), r, vu_select(is_nan(x), vu_splat(NAN_BITS), x));
}

/* 2^x of a fixed-point number with 24 fraction bits; `fraction` is 2 to the power of its fraction.
 * x, the same as a float, tells numbers beyond the range. */
V_INLINE vu
exponential(vf fraction, vi fixed, vu x)
{
   vu r = (vu)vf_flush((vf)ldexp_rounded(fraction, vi_sar(fixed, 24), VALHALL_ROUND_MODE_RTE));

   r = vu_keep(vm_not(vf_gt(vf_splat(-150.0f), (vf)x)), r);
   r = vu_select(vf_ge((vf)x, vf_splat(128.0f)), vu_splat(INFINITE), r);
   return vu_select(is_nan(x), vu_splat(NAN_BITS), r);
}

/* As two bits: from 0 up, and from -1 to 1.  A NaN is the lower end, -0 becomes +0 at 0. */
V_INLINE vu
clamp(vu a, unsigned mode)
{
   if (mode & VALHALL_CLAMP_CLAMP_M1_1) {
      const vm below = vm_or(is_nan(a), vf_gt(vf_splat(-1.0f), (vf)a));
      const vm above = vf_gt((vf)a, vf_splat(1.0f));
      a = vu_select(below, vu_splat(ONE | SIGN), vu_select(above, vu_splat(ONE), a));
   }
   if (mode & VALHALL_CLAMP_CLAMP_0_INF)
      a = vu_keep(vm_not(vm_or(is_nan(a), vi_lt((vi)a, vi_splat(0)))), a);
   return a;
}

/* A zero of the same sign for what is less than the least normal number, which is a power of two:
 * of floats, or of the bits of halves. */
V_INLINE vu
flush_denormal(vu a, uint32_t least)
{
   const vu sign = vu_splat(least == LEAST_HALF_BITS ? 0x8000u : SIGN);
   return vu_select(vu_lt(a & ~sign, vu_splat(least)), a & sign, a);
}

/* totalOrder of IEEE 754: -NaN, -inf ... -0, +0 ... inf, NaN. */
V_INLINE vu
total_order(vu a, vu b)
{
   const vi x = (vi)(a ^ ((vu)vi_sar((vi)a, 31) & vu_splat(MAGNITUDE)));
   const vi y = (vi)(b ^ ((vu)vi_sar((vi)b, 31) & vu_splat(MAGNITUDE)));
   return vu_from_mask(vi_le(x, y));
}

/* Faces +x, -x, +y, -y, +z, -z; of equal magnitudes z wins, then y.  In bits 29 to 31. */
V_INLINE vu
cube_face(vu x, vu y, vu z)
{
   const vf ax = vf_abs((vf)x), ay = vf_abs((vf)y), az = vf_abs((vf)z);
   vu face = vu_select(vf_ge(ay, ax), vu_splat(2) + vu_shr(y, 31), vu_shr(x, 31));

   face = vu_select(vm_and(vf_ge(az, ax), vf_ge(az, ay)), vu_splat(4) + vu_shr(z, 31), face);
   return vu_shl(face, 29);
}

V_INLINE vu
cube_s(vu z, vu x, vu face)
{
   vu r = vu_select(vu_eq(face, vu_splat(5)), x ^ vu_splat(SIGN), x);

   r = vu_select(vu_eq(face, vu_splat(1)), z, r);
   r = vu_select(vu_eq(face, vu_splat(0)), z ^ vu_splat(SIGN), r);
   return vu_select(is_nan(r), vu_splat(NAN_BITS), r);
}

V_INLINE vu
cube_t(vu y, vu z, vu face)
{
   vu r = y ^ vu_splat(SIGN);

   r = vu_select(vu_eq(face, vu_splat(2)), z, r);
   r = vu_select(vu_eq(face, vu_splat(3)), z ^ vu_splat(SIGN), r);
   return vu_select(is_nan(r), vu_splat(NAN_BITS), r);
}

/* ------------------------------------------------------------------------------------------------
 * Handlers
 */
#define WIDE(name, result, operands, kinds, params, cost, value)       \
   void K(uop_wide_##name)(struct exec * x, const struct bound_uop *u) \
   {                                                                   \
      const uint64_t lanes = uop_lanes(x, u);                          \
      const unsigned imm = u->p.immediate.bits;                        \
      for (unsigned i = 0; i < VECTORS; i++) {                         \
         const vu a = uop_src(x, u, 0, i);                             \
         const vu b = (operands) > 1 ? uop_src(x, u, 1, i) : a;        \
         const vu c = (operands) > 2 ? uop_src(x, u, 2, i) : a;        \
         (void)b, (void)c, (void)imm;                                  \
         uop_store(x, u->dst, i, lanes, (value));                      \
      }                                                                \
   }
#include "uop/uops.def"

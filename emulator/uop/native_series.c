/* SPDX-License-Identifier: MIT */
/*
 * Machine code for functions that are computed by a polynomial: 2^x, log2 x, sine and cosine of
 * revolutions.  The steps are those of emulator/arith.h, in the same order of roundings.
 *
 * A NaN needs no care where an instruction gives its second operand if one is a NaN: it goes
 * through to the result.  Which one it is does not matter (native_op.c).
 */
#include "uop/native_emit.h"

#if VW > 4

/* p = (term * x + term) * x + ... */
static void
polynomial(struct native *n, unsigned p, unsigned x, unsigned first, unsigned count)
{
   three(n, X86_MULPS, p, x, native_constant(first));
   for (unsigned k = 1; k < count; k++) {
      if (k > 1)
         three(n, X86_MULPS, p, p, native_in(x));
      three(n, X86_ADDPS, p, p, native_constant(first + k));
   }
}

/* The number that is 2^k for the integer k in the slot. */
static void
power_of_two(struct native *n, unsigned k)
{
   three(n, X86_PADDD, k, k, native_constant(NATIVE_INT_127));
   shift_by(n, X86_SHIFT_LEFT, k, k, 23);
}

unsigned
K(native_exp2)(struct native *n, const struct bound_uop *u)
{
   const struct native_value a = operand(n, u, 0, false);
   const unsigned r = float_result(n), x = K(native_take)(n), k = K(native_take)(n);

   two(n, X86_MOVAPS_LOAD, x, native_constant(NATIVE_MINUS_160));
   three(n, X86_MAXPS, x, x, a);
   two(n, X86_MOVAPS_LOAD, k, native_constant(NATIVE_160));
   three(n, X86_MINPS, x, k, native_in(x));
   rounded(n, k, native_in(x), 8);
   three(n, X86_SUBPS, x, x, native_in(k));
   polynomial(n, r, x, NATIVE_EXP2, NATIVE_EXP2_COUNT);
   /* Of a NaN the integer is 0x80000000: both scales are 1. */
   two(n, X86_CVTTPS2DQ, k, native_in(k));
   shift_by(n, X86_SHIFT_ARITHMETIC, x, k, 1);
   three(n, X86_PSUBD, k, k, native_in(x));
   power_of_two(n, x);
   power_of_two(n, k);
   three(n, X86_MULPS, r, r, native_in(x));
   three(n, X86_MULPS, r, r, native_in(k));
   return r;
}

unsigned
K(native_log2)(struct native *n, const struct bound_uop *u)
{
   struct native_value a = operand(n, u, 0, false);
   const unsigned from = K(native_load)(n, &a), e = K(native_take)(n), s = K(native_take)(n);
   const unsigned t = K(native_take)(n);
   struct mask m = new_mask(n, 0);

   /* What is smaller than normal numbers are is scaled by 2^24. */
   three(n, X86_ANDPS, t, from, native_constant(NATIVE_MAGNITUDE));
   compare(n, m, X86_LT_OQ, t, native_constant(NATIVE_SMALLEST));
   three(n, X86_MULPS, t, from, native_constant(NATIVE_2P24));
   two(n, X86_MOVAPS_LOAD, e, a);
   merge(n, m, e, native_in(t));
   keep(n, m, t, native_constant(NATIVE_INT_24));
   /* The exponent, and s in [sqrt(1/2), sqrt(2)). */
   three(n, X86_PADDD, e, e, native_constant(NATIVE_ONE_ABOVE_SQRT));
   three(n, X86_ANDPS, s, e, native_constant(NATIVE_FRACTION));
   three(n, X86_PADDD, s, s, native_constant(NATIVE_SQRT_HALF));
   shift_by(n, X86_SHIFT_RIGHT, e, e, 23);
   three(n, X86_PSUBD, e, e, native_constant(NATIVE_INT_127));
   three(n, X86_PSUBD, e, e, native_in(t));
   two(n, X86_CVTDQ2PS, e, native_in(e));
   /* s = (s - 1) / (s + 1) */
   three(n, X86_SUBPS, t, s, native_constant(NATIVE_ONE));
   three(n, X86_ADDPS, s, s, native_constant(NATIVE_ONE));
   three(n, X86_DIVPS, s, t, native_in(s));
   three(n, X86_MULPS, t, s, native_in(s));
   const unsigned r = float_result(n);
   polynomial(n, r, t, NATIVE_LOG2, NATIVE_LOG2_COUNT);
   three(n, X86_MULPS, r, r, native_in(s));
   three(n, X86_ADDPS, r, r, native_in(e));
   /* Infinity and NaN stay. */
   compare(n, m, X86_NLT_UQ, from, native_constant(NATIVE_INFINITY));
   merge(n, m, r, a);
   compare(n, m, X86_LT_OQ, from, native_constant(NATIVE_ZERO));
   merge(n, m, r, native_constant(NATIVE_NAN));
   compare(n, m, X86_EQ_OQ, from, native_constant(NATIVE_ZERO));
   merge(n, m, r, native_constant(NATIVE_MINUS_INFINITY));
   return r;
}

unsigned
K(native_sine)(struct native *n, const struct bound_uop *u, bool cosine)
{
   struct native_value a = operand(n, u, 0, false);
   const unsigned from = K(native_load)(n, &a), r = float_result(n), t = K(native_take)(n);
   const unsigned q = K(native_take)(n);

   rounded(n, t, a, 8);
   three(n, X86_SUBPS, t, from, native_in(t));
   three(n, X86_ANDPS, r, t, native_constant(NATIVE_MAGNITUDE));
   two(n, X86_MOVAPS_LOAD, q, native_constant(cosine ? NATIVE_QUARTER : NATIVE_HALF));
   three(n, X86_SUBPS, q, q, native_in(r));
   if (!cosine) {
      /* Of h and 1/2 - h that which is at most 1/4 is the smaller one in every mode of rounding. */
      three(n, X86_MINPS, q, r, native_in(q));
      three(n, X86_ANDPS, t, t, native_constant(NATIVE_SIGN));
      three(n, X86_ORPS, q, q, native_in(t));
   }
   three(n, X86_MULPS, t, q, native_in(q));
   polynomial(n, r, t, NATIVE_SIN, NATIVE_SIN_COUNT);
   three(n, X86_MULPS, r, r, native_in(q));
   three(n, X86_MULPS, q, q, native_constant(NATIVE_SIN_FIRST));
   three(n, X86_ADDPS, r, q, native_in(r));
   three(n, X86_ANDPS, t, from, native_constant(NATIVE_MAGNITUDE));
   K(native_release)(n, q);

   const struct mask far = new_mask(n, 0);

   compare(n, far, GT_OQ, t, native_constant(NATIVE_256));
   merge(n, far, r, native_constant(cosine ? NATIVE_ONE : NATIVE_ZERO));
   return r;
}

#endif

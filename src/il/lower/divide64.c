/* SPDX-License-Identifier: MIT */
/*
 * Division of 64-bit integers: 2^64 / b from the float reciprocal of b, two Newton steps in
 * integers, then quotient and remainder put right twice.  Exact for all operands; a division by
 * zero gives ~0, quotient and remainder, signed or not.
 */
#include "formula.h"

/* The upper 64 bits of the product. */
static struct wide
multiply_high(struct formula *f, struct wide a, struct wide b)
{
   const struct il_src zero = BITS(f, 0);
   struct wide low = WIDE(OP2(f, U_MUL_HIGH, a.lo, b.lo), zero);
   struct wide cross[2];
   cross[0] = WIDE(OP2(f, U_MUL, a.lo, b.hi), OP2(f, U_MUL_HIGH, a.lo, b.hi));
   cross[1] = WIDE(OP2(f, U_MUL, a.hi, b.lo), OP2(f, U_MUL_HIGH, a.hi, b.lo));
   /* Neither sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
   struct wide sum = formula_sum64(f, cross[0], low);
   struct wide second = formula_sum64(f, cross[1], (struct wide){ sum.lo, zero });
   struct wide high = WIDE(OP2(f, U_MUL, a.hi, b.hi), OP2(f, U_MUL_HIGH, a.hi, b.hi));
   high = formula_sum64(f, high, (struct wide){ sum.hi, zero });
   return formula_sum64(f, high, (struct wide){ second.hi, zero });
}

/* A little less than 2^64 / b */
static struct wide
reciprocal(struct formula *f, struct wide b)
{
   struct il_src x =
      MAD_IEEE(f, OP1(f, UTOF, b.hi), formula_float(f, 4294967296.0f), OP1(f, UTOF, b.lo));
   struct il_src r = MUL_IEEE(f, RECIPROCAL(f, x), BITS(f, 0x5f7ffffc));
   struct il_src high = OP1(f, ROUND_ZERO, MUL_IEEE(f, r, BITS(f, 0x2f800000)));
   struct il_src low = MAD_IEEE(f, high, formula_float(f, -4294967296.0f), r);
   return WIDE(OP1(f, FTOU, low), OP1(f, FTOU, high));
}

static struct wide
unsigned_divide(struct formula *f, struct wide a, struct wide b, bool remainder)
{
   const struct wide one = WIDE(BITS(f, 1), BITS(f, 0));
   struct wide r = reciprocal(f, b), minus = formula_negate64(f, &b);

   for (int step = 0; step < 2; step++)
      r = formula_sum64(f, r, multiply_high(f, r, formula_product64(f, minus, r)));
   struct wide q = multiply_high(f, a, r);
   struct wide m = formula_difference64(f, a, formula_product64(f, q, b));
   for (int step = 0; step < 2; step++) {
      struct il_src less = formula_is_less64(f, m, b, false);
      if (!remainder)
         q = formula_choose64(f, less, q, formula_sum64(f, q, one));
      if (step == 0 || remainder)
         m = formula_choose64(f, less, m, formula_difference64(f, m, b));
   }
   return remainder ? m : q;
}

/* a, or -a where the sign is set. */
static struct wide
negate_if(struct formula *f, struct il_src sign, struct wide a)
{
   const struct wide flipped = WIDE(OP2(f, I_XOR, a.lo, sign), OP2(f, I_XOR, a.hi, sign));
   return formula_difference64(f, flipped, (struct wide){ sign, sign });
}

static struct wide
divide(struct formula *f, struct wide a, struct wide b, bool remainder)
{
   const struct wide ones = WIDE(BITS(f, 0xffffffff), BITS(f, 0xffffffff));
   struct il_src some = OP2(f, I_OR, b.lo, b.hi);
   struct wide r;

   if (il_op_info(f->inst->op)->type == IL_TYPE_INT64) {
      struct il_src sign_a = OP2(f, I_SHR, a.hi, BITS(f, 31));
      struct il_src sign_b = OP2(f, I_SHR, b.hi, BITS(f, 31));
      const struct wide dividend = negate_if(f, sign_a, a), divisor = negate_if(f, sign_b, b);
      r = unsigned_divide(f, dividend, divisor, remainder);
      r = negate_if(f, remainder ? sign_a : OP2(f, I_XOR, sign_a, sign_b), r);
   } else {
      r = unsigned_divide(f, a, b, remainder);
   }
   return formula_choose64(f, some, r, ones);
}

struct wide
formula_divide64(struct formula *f, const struct wide *v)
{
   return divide(f, v[0], v[1], false);
}

struct wide
formula_remainder64(struct formula *f, const struct wide *v)
{
   return divide(f, v[0], v[1], true);
}

/* SPDX-License-Identifier: MIT */
/*
 * Doubles: division, conversions to and from integers, and what else takes a double apart.
 *
 * The mantissas are divided by way of the reciprocal, with the remainder, which a fused operation
 * finds exactly, divided once more and added: the quotient is correctly rounded.  The exponent is
 * put on last.  Where either operand is zero, infinite or NaN the product with the reciprocal is
 * the result.
 */
#include "formula.h"

#define SIGN     0x80000000u
#define EXPONENT 0x7ff00000u

static struct wide
operation(struct formula *f, unsigned op, unsigned count, struct wide a, struct wide b,
          struct wide c)
{
   return formula_double(f, op, 0, count, (const struct wide[]){ a, b, c });
}

struct wide
formula_divide_double(struct formula *f, const struct wide *v)
{
   const struct wide a = v[0], b = v[1];
   struct il_src exponent[2];
   struct wide m = formula_frexp(f, a, &exponent[0]), d = formula_frexp(f, b, &exponent[1]);
   /* The mantissa of infinity is NaN. */
   struct il_src top = OP2(f, AND, b.hi, BITS(f, EXPONENT));
   struct wide divisor = formula_choose64(f, OP2(f, I_NE, top, BITS(f, EXPONENT)), d, b);
   struct wide r = formula_double(f, IL_OP_D_RCP, IL_ZEROOP_INFINITY, 1, &divisor);
   struct wide q = operation(f, IL_OP_D_MUL, 2, m, r, r);
   struct wide minus = { q.lo, OP2(f, I_XOR, q.hi, BITS(f, SIGN)) };

   q = operation(f, IL_OP_D_MULADD, 3, operation(f, IL_OP_D_MULADD, 3, minus, d, m), r, q);
   struct il_src scale = SUBTRACT(f, exponent[0], exponent[1]);
   q = operation(f, IL_OP_D_LDEXP, 2, q, (struct wide){ scale, scale }, q);

   struct wide special = operation(f, IL_OP_D_MUL, 2, a, r, r);
   struct il_src half = BITS(f, 0x3fe00000); /* high dword of 0.5 to below 1 */
   struct il_src odd = OP2(f, I_OR, OP2(f, I_XOR, m.hi, half), OP2(f, I_XOR, d.hi, half));
   return formula_choose64(f, OP2(f, AND, odd, BITS(f, EXPONENT)), special, q);
}

/* As the document has it: zero takes the first (7.10). */
struct wide
formula_move_if_double(struct formula *f, const struct wide *v)
{
   return formula_choose64(f, v[0].lo, v[2], v[1]);
}

struct wide
formula_frexp_mantissa64(struct formula *f, const struct wide *v)
{
   struct il_src exponent;
   return formula_frexp(f, v[0], &exponent);
}

struct il_src
formula_frexp_exponent64(struct formula *f, const struct wide *v)
{
   struct il_src exponent;
   formula_frexp(f, v[0], &exponent);
   return exponent;
}

/* --- integers --------------------------------------------------------------------------------- */

/* Towards zero, by shifting the mantissa; out of range the nearest integer, of NaN 0. */
struct il_src
formula_to_integer(struct formula *f, const struct wide *v)
{
   const struct il_src lo = v->lo, hi = v->hi, zero = BITS(f, 0);
   struct il_src e = formula_extract(f, hi, 20, 11);
   struct il_src mag = OP2(f, AND, hi, BITS(f, 0x7fffffff));
   struct il_src bits = OP3(f, BIT_ALIGN, OP2(f, I_OR, hi, BITS(f, 0x00100000)), lo, BITS(f, 21));
   struct il_src r = OP2(f, U_SHR, bits, SUBTRACT(f, BITS(f, 1054), e));
   struct il_src sign = OP2(f, I_SHR, hi, BITS(f, 31));
   struct il_src number = OP2(f, I_GE, BITS(f, EXPONENT - 1), mag);
   struct il_src infinite =
      OP2(f, AND, OP2(f, I_EQ, mag, BITS(f, EXPONENT)), OP2(f, I_EQ, lo, zero));

   r = CHOOSE(f, OP2(f, I_LT, e, BITS(f, 1023)), zero, r);
   if (f->inst->op == IL_OP_DTOI) {
      struct il_src over = CHOOSE(f, sign, BITS(f, SIGN), BITS(f, 0x7fffffff));
      r = SUBTRACT(f, OP2(f, I_XOR, r, sign), sign);
      r = CHOOSE(f, OP2(f, I_LT, BITS(f, 1053), e), over, r);
   } else {
      r = CHOOSE(f, OP2(f, I_LT, BITS(f, 1054), e), BITS(f, 0xffffffff), r);
      r = CHOOSE(f, sign, zero, r);
   }
   return CHOOSE(f, OP2(f, I_OR, number, infinite), r, zero);
}

static struct wide
from_float(struct formula *f, struct il_src x)
{
   const struct wide v = { x, x };
   return formula_double(f, IL_OP_F_2_D, 0, 1, &v);
}

/* Both halves are exact as floats, and so is their sum as a double. */
void
formula_from_integer(struct formula *f)
{
   formula_scalars(f);

   const struct il_src x = formula_component(f, 0, 0), sixteen = BITS(f, 16);
   struct il_src high = f->inst->op == IL_OP_ITOD ? OP1(f, ITOF, OP2(f, I_SHR, x, sixteen))
                                                  : OP1(f, UTOF, OP2(f, U_SHR, x, sixteen));
   struct il_src low = OP1(f, UTOF, OP2(f, AND, x, BITS(f, 0xffff)));
   struct wide part = from_float(f, MUL_IEEE(f, high, formula_float(f, 65536.0f)));
   struct wide sum = from_float(f, low);
   formula_wide_result(f, operation(f, IL_OP_D_ADD, 2, part, sum, sum));
}

struct il_src
formula_class64(struct formula *f, const struct wide *v)
{
   const struct il_src hi = v[0].hi, lo = v[0].lo, zero = BITS(f, 0);
   struct il_src mag = OP2(f, AND, hi, BITS(f, 0x7fffffff));
   struct il_src some = OP2(f, I_OR, mag, lo);
   struct il_src large =
      OP2(f, I_ADD, OP2(f, U_GE, mag, BITS(f, 0x00100000)), OP2(f, U_GE, mag, BITS(f, EXPONENT)));
   struct il_src below = OP2(f, I_ADD, OP2(f, I_NE, some, zero), large);
   /* Any bit of the low dword makes NaN of infinity. */
   struct il_src above = OP2(f, I_OR, mag, OP2(f, AND, OP2(f, I_NE, lo, zero), BITS(f, 1)));
   struct il_src sign = OP2(f, U_SHR, hi, BITS(f, 31)), rank = OP1(f, I_NEGATE, below);
   struct il_src nan = OP2(f, U_LT, BITS(f, EXPONENT), above),
                 quiet = formula_extract(f, hi, 19, 1);
   return formula_class_bit(f, sign, rank, nan, quiet, v[1].lo);
}

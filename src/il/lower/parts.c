/* SPDX-License-Identifier: MIT */
/*
 * The parts of floats by operations on integers, so that no rounding mode matters.
 *
 * LDEXP, FREXP_* and CLASS are only named by Appendix B.  They mean what they mean to Southern
 * Islands, and CLASS numbers the classes as it does: 0 and 1 NaN (signalling, quiet), 2 -inf,
 * 3 negative, 4 negative denormal, 5 -0, 6 +0, 7 denormal, 8 positive, 9 +inf.  Denormals are zero
 * to all but CLASS; the exponent of zero, infinity and NaN is 0, their mantissa the value itself.
 */
#include "formula.h"

#define SIGN     0x80000000u
#define INFINITE 0x7f800000u

static struct il_src
exponent_field(struct formula *f, struct il_src x)
{
   return formula_extract(f, x, 23, 8);
}

/* ~0 for what has neither the highest nor the lowest exponent. */
static struct il_src
is_number(struct formula *f, struct il_src exponent)
{
   return OP2(f, U_LT, OP2(f, I_ADD, exponent, BITS(f, UINT32_MAX)), BITS(f, 254));
}

/* Zero or denormal: a zero of the same sign.  Infinity and NaN: the same, NaN in its one form. */
static struct il_src
no_number(struct formula *f, struct il_src x)
{
   return MUL_IEEE(f, x, formula_float(f, 1));
}

struct il_src
formula_ldexp(struct formula *f, const struct il_src *s)
{
   const struct il_src x = s[0];
   struct il_src e = exponent_field(f, x);
   struct il_src n = OP2(f, I_MAX, OP2(f, I_MIN, s[1], BITS(f, 600)), BITS(f, (uint32_t)-600));
   struct il_src sum = OP2(f, I_ADD, e, n);
   struct il_src sign = OP2(f, AND, x, BITS(f, SIGN));
   struct il_src scaled = formula_insert(f, 8, 23, sum, x);

   scaled = CHOOSE(f, OP2(f, I_LT, BITS(f, 0), sum), scaled, sign);
   scaled =
      CHOOSE(f, OP2(f, I_LT, BITS(f, 254), sum), OP2(f, I_OR, sign, BITS(f, INFINITE)), scaled);
   return CHOOSE(f, is_number(f, e), scaled, no_number(f, x));
}

struct il_src
formula_frexp_exponent(struct formula *f, const struct il_src *s)
{
   struct il_src e = exponent_field(f, s[0]);
   return OP2(f, AND, OP2(f, I_ADD, e, BITS(f, (uint32_t)-126)), is_number(f, e));
}

struct il_src
formula_frexp_mantissa(struct formula *f, const struct il_src *s)
{
   struct il_src half = formula_insert(f, 8, 23, BITS(f, 126), s[0]); /* 126: of 0.5 to below 1 */
   return CHOOSE(f, is_number(f, exponent_field(f, s[0])), half, no_number(f, s[0]));
}

struct il_src
formula_class_bit(struct formula *f, struct il_src sign, struct il_src rank, struct il_src nan,
                  struct il_src quiet, struct il_src mask)
{
   /* rank: 0 zero, 1 denormal, 2 number, 3 infinity; negative classes count down from 5 */
   struct il_src number = OP2(f, I_ADD, rank, BITS(f, 6));
   number = CHOOSE(f, sign, SUBTRACT(f, BITS(f, 11), number), number);
   number = CHOOSE(f, nan, quiet, number);
   return OP3(f, I_BIT_EXTRACT, BITS(f, 1), number, mask);
}

struct il_src
formula_class(struct formula *f, const struct il_src *s)
{
   const struct il_src x = s[0];
   struct il_src mag = OP2(f, AND, x, BITS(f, 0x7fffffff));
   struct il_src large =
      OP2(f, I_ADD, OP2(f, U_GE, mag, BITS(f, 0x00800000)), OP2(f, U_GE, mag, BITS(f, INFINITE)));
   struct il_src below = OP2(f, I_ADD, OP2(f, I_NE, mag, BITS(f, 0)), large);
   struct il_src sign = OP2(f, U_SHR, x, BITS(f, 31)), rank = OP1(f, I_NEGATE, below);
   struct il_src nan = OP2(f, U_LT, BITS(f, INFINITE), mag), quiet = formula_extract(f, x, 22, 1);

   return formula_class_bit(f, sign, rank, nan, quiet, s[1]);
}

/* --- halves ----------------------------------------------------------------------------------- */

/* From the nearest half to the next one below, or above, if that lies on the wrong side. */
static struct il_src
to_half(struct formula *f, struct il_src x, bool up)
{
   struct il_src near = OP1(f, F_2_F16, x), back = OP1(f, F16_2_F, near);
   struct il_src wrong = up ? OP2(f, LT, back, x) : OP2(f, LT, x, back); /* ~0 or 0 */
   struct il_src sign = OP2(f, AND, near, BITS(f, 0x8000));
   /* Away from zero is one more. */
   struct il_src more = SUBTRACT(f, near, wrong), less = OP2(f, I_ADD, near, wrong);

   return up ? CHOOSE(f, sign, less, more) : CHOOSE(f, sign, more, less);
}

struct il_src
formula_half_down(struct formula *f, const struct il_src *s)
{
   return to_half(f, s[0], false);
}

struct il_src
formula_half_up(struct formula *f, const struct il_src *s)
{
   return to_half(f, s[0], true);
}

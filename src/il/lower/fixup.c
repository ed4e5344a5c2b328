/* SPDX-License-Identifier: MIT */
/*
 * DIV_FIXUP, which Appendix B only names, means what it means to Southern Islands.  It takes a
 * quotient, the divisor and the dividend, and gives the quotient's magnitude with the right sign,
 * or what the two others call for: NaN, infinity, zero, or zero where the exponents say that the
 * quotient lies below all denormals.  Denormals are zero.
 */
#include "formula.h"

/* What a number is: ~0 or 0; the exponent as it is stored. */
struct kind {
   struct il_src zero, infinite, nan, exponent;
};

struct layout {
   unsigned mantissa_bits; /* of the dword with the exponent */
   int32_t lowest;         /* difference of exponents of a quotient below all denormals */
};

static const struct layout single = { 23, -150 }, high_dword = { 20, -1075 };

static uint32_t
infinity_of(const struct layout *k)
{
   return 0x7fffffffu >> k->mantissa_bits << k->mantissa_bits;
}

#define ALL_OF(a, b) OP2(f, AND, a, b)
#define ANY_OF(a, b) OP2(f, I_OR, a, b)

/* `rest`: dwords below the one with the exponent, 0 if there are none. */
static struct kind
kind_of(struct formula *f, const struct layout *k, struct il_src high, struct il_src rest)
{
   struct il_src infinity = BITS(f, infinity_of(k)), zero = BITS(f, 0);
   struct il_src magnitude = OP2(f, AND, high, BITS(f, 0x7fffffff));
   struct il_src top = OP2(f, I_EQ, magnitude, infinity), more = OP2(f, I_NE, rest, zero);

   struct kind kind;

   kind.zero = OP2(f, U_LT, magnitude, BITS(f, 1u << k->mantissa_bits));
   kind.infinite = CHOOSE(f, more, zero, top);
   kind.nan = ANY_OF(OP2(f, U_LT, infinity, magnitude), ALL_OF(top, more));
   kind.exponent = OP2(f, U_SHR, magnitude, BITS(f, k->mantissa_bits));
   return kind;
}

/* The high dword of quotient, divisor and dividend fixed, and in `keep` ~0 where the quotient's
 * lower ones stay. */
static struct il_src
fix(struct formula *f, const struct layout *k, const struct il_src high[3],
    const struct kind *divisor, const struct kind *dividend, struct il_src *keep)
{
   const uint32_t infinity = infinity_of(k);
   struct il_src sign = OP2(f, AND, OP2(f, I_XOR, high[1], high[2]), BITS(f, 0x80000000u));
   struct il_src distance = SUBTRACT(f, dividend->exponent, divisor->exponent);
   struct il_src low = OP2(f, I_LT, distance, BITS(f, (uint32_t)k->lowest));
   struct il_src none = ANY_OF(low, ANY_OF(divisor->infinite, dividend->zero));
   struct il_src all = ANY_OF(divisor->zero, dividend->infinite);
   struct il_src nan = ANY_OF(
      ANY_OF(divisor->nan, dividend->nan),
      ANY_OF(ALL_OF(divisor->zero, dividend->zero), ALL_OF(divisor->infinite, dividend->infinite)));
   struct il_src r = formula_insert(f, 31, 0, high[0], sign);

   r = CHOOSE(f, none, sign, r);
   r = CHOOSE(f, all, OP2(f, I_OR, sign, BITS(f, infinity)), r);
   *keep = OP1(f, I_NOT, ANY_OF(ANY_OF(none, all), nan));
   return CHOOSE(f, nan, BITS(f, infinity | 1u << (k->mantissa_bits - 1)), r);
}

struct il_src
formula_fixup(struct formula *f, const struct il_src *s)
{
   const struct kind divisor = kind_of(f, &single, s[1], BITS(f, 0));
   const struct kind dividend = kind_of(f, &single, s[2], BITS(f, 0));
   struct il_src keep, r = fix(f, &single, s, &divisor, &dividend, &keep);

   return r;
}

struct wide
formula_fixup64(struct formula *f, const struct wide *v)
{
   const struct il_src high[3] = { v[0].hi, v[1].hi, v[2].hi };
   const struct kind divisor = kind_of(f, &high_dword, v[1].hi, v[1].lo);
   const struct kind dividend = kind_of(f, &high_dword, v[2].hi, v[2].lo);
   struct il_src keep, hi = fix(f, &high_dword, high, &divisor, &dividend, &keep);

   return WIDE(OP2(f, AND, keep, v[0].lo), hi);
}

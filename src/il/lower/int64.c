/* SPDX-License-Identifier: MIT */
/* 64-bit integers (7.7) by operations on their dwords; their division is in divide64.c. */
#include "formula.h"

struct wide
formula_add64(struct formula *f, const struct wide *v)
{
   struct wide sum = { .lo = OP2(f, I_ADD, v[0].lo, v[1].lo) };

   sum.hi = OP2(f, I_ADD, OP2(f, I_ADD, v[0].hi, v[1].hi), OP2(f, I_CARRY, v[0].lo, v[1].lo));
   return sum;
}

struct wide
formula_subtract64(struct formula *f, const struct wide *v)
{
   struct il_src borrow = OP2(f, U_LT, v[0].lo, v[1].lo); /* ~0 or 0 */
   struct wide difference = { .lo = SUBTRACT(f, v[0].lo, v[1].lo) };

   difference.hi = OP2(f, I_ADD, SUBTRACT(f, v[0].hi, v[1].hi), borrow);
   return difference;
}

struct wide
formula_negate64(struct formula *f, const struct wide *v)
{
   const struct wide zero = WIDE(BITS(f, 0), BITS(f, 0));
   return formula_difference64(f, zero, v[0]);
}

struct wide
formula_multiply64(struct formula *f, const struct wide *v)
{
   struct il_src cross =
      OP2(f, I_ADD, OP2(f, U_MUL, v[0].lo, v[1].hi), OP2(f, U_MUL, v[0].hi, v[1].lo));
   struct wide product = { .lo = OP2(f, U_MUL, v[0].lo, v[1].lo) };

   product.hi = OP2(f, I_ADD, OP2(f, U_MUL_HIGH, v[0].lo, v[1].lo), cross);
   return product;
}

/* --- comparisons ------------------------------------------------------------------------------ */

static bool
is_signed(const struct formula *f)
{
   return il_op_info(f->inst->op)->type == IL_TYPE_INT64;
}

struct il_src
formula_is_less64(struct formula *f, struct wide a, struct wide b, bool is_signed)
{
   struct il_src below = is_signed ? OP2(f, I_LT, a.hi, b.hi) : OP2(f, U_LT, a.hi, b.hi);
   struct il_src same = OP2(f, I_EQ, a.hi, b.hi);

   return OP2(f, I_OR, below, OP2(f, AND, same, OP2(f, U_LT, a.lo, b.lo)));
}

struct il_src
formula_less64(struct formula *f, const struct wide *v)
{
   return formula_is_less64(f, v[0], v[1], is_signed(f));
}

struct il_src
formula_not_less64(struct formula *f, const struct wide *v)
{
   return OP1(f, I_NOT, formula_less64(f, v));
}

struct il_src
formula_equal64(struct formula *f, const struct wide *v)
{
   return OP2(f, AND, OP2(f, I_EQ, v[0].lo, v[1].lo), OP2(f, I_EQ, v[0].hi, v[1].hi));
}

struct il_src
formula_unequal64(struct formula *f, const struct wide *v)
{
   return OP2(f, I_OR, OP2(f, I_NE, v[0].lo, v[1].lo), OP2(f, I_NE, v[0].hi, v[1].hi));
}

struct wide
formula_min64(struct formula *f, const struct wide *v)
{
   return formula_choose64(f, formula_less64(f, v), v[0], v[1]);
}

struct wide
formula_max64(struct formula *f, const struct wide *v)
{
   return formula_choose64(f, formula_less64(f, v), v[1], v[0]);
}

/* --- shifts ----------------------------------------------------------------------------------- */

/* By a count that is known, below 64. */
static struct wide
shift_by(struct formula *f, struct wide x, unsigned n)
{
   const unsigned op = f->inst->op, more = n & 31;
   const bool left = op == IL_OP_I64_SHL, arithmetic = op == IL_OP_I64_SHR;

   if (!n)
      return x;
   if (n < 32 && left)
      return WIDE(OP2(f, I_SHL, x.lo, BITS(f, n)), OP3(f, BIT_ALIGN, x.hi, x.lo, BITS(f, 32 - n)));
   if (n < 32) {
      struct il_src high =
         arithmetic ? OP2(f, I_SHR, x.hi, BITS(f, n)) : OP2(f, U_SHR, x.hi, BITS(f, n));
      return WIDE(OP3(f, BIT_ALIGN, x.hi, x.lo, BITS(f, n)), high);
   }
   if (left)
      return WIDE(BITS(f, 0), more ? OP2(f, I_SHL, x.lo, BITS(f, more)) : x.lo);
   if (arithmetic)
      return WIDE(more ? OP2(f, I_SHR, x.hi, BITS(f, more)) : x.hi,
                  OP2(f, I_SHR, x.hi, BITS(f, 31)));
   return WIDE(more ? OP2(f, U_SHR, x.hi, BITS(f, more)) : x.hi, BITS(f, 0));
}

/* Alignments take the low five bits of a count; 32-bit shifts, counts below 32.  A shift to the
 * left by n is one of the value's half to the right by 31 - n: the dword above it is the result's
 * high one. */
struct wide
formula_shift64(struct formula *f, const struct wide *v)
{
   const unsigned op = f->inst->op;
   const struct wide x = v[0];
   struct wide near, over;
   uint32_t count;

   if (formula_literal(f, &v[1].lo, &count))
      return shift_by(f, x, count & 63);
   struct il_src n = OP2(f, AND, v[1].lo, BITS(f, 31)), far = OP2(f, AND, v[1].lo, BITS(f, 32));

   if (op == IL_OP_I64_SHL) {
      struct il_src one = BITS(f, 1), low = OP3(f, BIT_ALIGN, x.hi, x.lo, one);

      near.lo = OP2(f, I_SHL, x.lo, n);
      near.hi = OP3(f, BIT_ALIGN, OP2(f, U_SHR, x.hi, one), low, OP1(f, I_NOT, n));
      over = WIDE(BITS(f, 0), near.lo);
   } else {
      const bool arithmetic = op == IL_OP_I64_SHR;

      near.lo = OP3(f, BIT_ALIGN, x.hi, x.lo, n);
      near.hi = arithmetic ? OP2(f, I_SHR, x.hi, n) : OP2(f, U_SHR, x.hi, n);
      over.lo = near.hi;
      over.hi = arithmetic ? OP2(f, I_SHR, x.hi, BITS(f, 31)) : BITS(f, 0);
   }
   return formula_choose64(f, far, over, near);
}

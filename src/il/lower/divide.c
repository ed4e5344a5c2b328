/* SPDX-License-Identifier: MIT */
/*
 * Unsigned division of 32 bits.  r = 2^32 / b from the float reciprocal, a little too small; one
 * Newton step in integers; then quotient and remainder, each wrong by at most two, are put right. 
 * Exact for all operands; b = 0 gives ~0 for both.
 */
#include "formula.h"

struct il_src
formula_divide(struct formula *f, const struct il_src *s)
{
   const struct il_src a = s[0], b = s[1];
   const bool remainder = f->inst->op == IL_OP_U_MOD;
   /* 2^32 less the unit of its last bit */
   struct il_src r = OP1(f, FTOU, MUL_IEEE(f, RECIPROCAL(f, OP1(f, UTOF, b)), BITS(f, 0x4f7ffffe)));
   struct il_src error = OP1(f, I_NEGATE, OP2(f, U_MUL, b, r));

   r = OP2(f, I_ADD, r, OP2(f, U_MUL_HIGH, r, error));
   struct il_src q = OP2(f, U_MUL_HIGH, a, r);
   struct il_src m = SUBTRACT(f, a, OP2(f, U_MUL, q, b));
   for (int step = 0; step < 2; step++) {
      struct il_src more = OP2(f, U_GE, m, b); /* ~0 or 0 */
      if (!remainder)
         q = SUBTRACT(f, q, more);
      if (step == 0 || remainder)
         m = SUBTRACT(f, m, OP2(f, AND, more, b));
   }
   return CHOOSE(f, b, remainder ? m : q, BITS(f, 0xffffffff));
}

/* SPDX-License-Identifier: MIT */
/*
 * Sums of differences of bytes.  What Appendix B only names means what it means to Southern
 * Islands: in MSAD_U8 bytes of the second operand that are zero do not count; QSAD_U8 and MQSAD_U8
 * add to four words of 16 bits, of the first operand's bytes 0 to 3, 1 to 4, 2 to 5 and 3 to 6 to
 * the second's.
 */
#include "formula.h"

struct il_src
formula_masked_sad(struct formula *f, const struct il_src *s)
{
   struct il_src low = BITS(f, 0x7f7f7f7f);
   struct il_src any = OP2(f, I_OR, OP2(f, I_ADD, OP2(f, AND, s[1], low), low), s[1]);
   any = OP2(f, AND, any, BITS(f, 0x80808080u));
   struct il_src bytes =
      SUBTRACT(f, OP2(f, I_SHL, any, BITS(f, 1)), OP2(f, U_SHR, any, BITS(f, 7)));
   return OP3(f, SAD, OP2(f, AND, s[0], bytes), s[1], s[2]);
}

/* The components of two vectors, added to x of the third. */
void
formula_sad_4(struct formula *f)
{
   formula_scalars(f);
   struct il_src sum = formula_component(f, 2, 0);
   for (unsigned c = 4; c-- > 0;)
      sum = OP3(f, SAD, formula_component(f, 0, c), formula_component(f, 1, c), sum);
   formula_result(f, sum);
}

void
formula_quad_sad(struct formula *f)
{
   struct il_src s[3][2], sum[4], result[4];

   formula_scalars(f);
   for (unsigned i = 0; i < 3; i++)
      for (unsigned k = 0; k < 2; k++)
         s[i][k] = formula_component(f, i, k);
   for (unsigned n = 0; n < 4; n++) {
      struct il_src words = s[2][n / 2];
      struct il_src word =
         n % 2 ? OP2(f, U_SHR, words, BITS(f, 16)) : OP2(f, AND, words, BITS(f, 0xffff));
      struct il_src bytes = n ? OP3(f, BIT_ALIGN, s[0][1], s[0][0], BITS(f, 8 * n)) : s[0][0];
      const struct il_src of[3] = { bytes, s[1][0], word };
      sum[n] = f->inst->op == IL_OP_QSAD_U8 ? OP3(f, SAD, of[0], of[1], of[2])
                                            : formula_masked_sad(f, of);
   }
   for (unsigned k = 0; k < 2; k++) {
      result[k] = result[k + 2] =
         formula_insert(f, 16, 16, sum[2 * k + 1], OP2(f, AND, sum[2 * k], BITS(f, 0xffff)));
   }
   formula_results(f, result);
}

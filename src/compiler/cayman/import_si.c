/* SPDX-License-Identifier: MIT */
/*
 * Import of steps that Appendix B only names and Southern Islands have as instructions: they mean
 * what they mean there.
 *
 * DIV_FIXUP takes a quotient, the divisor and the dividend, and gives the quotient's magnitude with
 * the right sign, or what the two others call for: NaN, infinity, zero, or zero where the exponents
 * say that the quotient lies below all denormals.  Denormals are zero.  QSAD_U8 adds sums of
 * differences of four bytes to four words of 16 bits: of the first operand's bytes 0 to 3, 1 to 4,
 * 2 to 5 and 3 to 6 to the second's; in MQSAD_U8 bytes of the second that are zero do not count.
 */
#include "import.h"

/* What a number is: ~0 or 0; the exponent as it is stored. */
struct kind {
   struct operand zero, infinite, nan, exponent;
};

static struct operand
all_of(struct importer *im, struct operand a, struct operand b)
{
   return E2(AND_INT, a, b);
}

static struct operand
any_of(struct importer *im, struct operand a, struct operand b)
{
   return E2(OR_INT, a, b);
}

/* `rest`: dwords below the one with the exponent, 0 if there are none. */
static struct kind
kind_of(struct importer *im, struct operand high, struct operand rest, unsigned mantissa_bits)
{
   const uint32_t infinity = 0x7fffffffu >> mantissa_bits << mantissa_bits;
   struct operand magnitude = E2(AND_INT, high, op_const(0x7fffffff));
   struct operand top = E2(SETE_INT, magnitude, op_const(infinity));
   struct operand more = E2(SETNE_INT, rest, op_const(0));

   return (struct kind){
      .zero = E2(SETGT_UINT, op_const(1u << mantissa_bits), magnitude),
      .infinite = E3(CNDE_INT, more, top, op_const(0)),
      .nan = any_of(im, E2(SETGT_UINT, magnitude, op_const(infinity)), all_of(im, top, more)),
      .exponent = E2(LSHR_INT, magnitude, op_const(mantissa_bits)),
   };
}

/* The high dword, and in `keep` ~0 where the quotient's lower ones stay. */
static struct operand
fixup(struct importer *im, const struct operand high[3], const struct kind *divisor,
      const struct kind *dividend, unsigned mantissa_bits, uint32_t lowest, struct operand *keep)
{
   const uint32_t infinity = 0x7fffffffu >> mantissa_bits << mantissa_bits;
   struct operand sign = E2(AND_INT, E2(XOR_INT, high[1], high[2]), op_const(0x80000000u));
   struct operand distance = E2(SUB_INT, dividend->exponent, divisor->exponent);
   struct operand none = any_of(im, E2(SETGT_INT, op_const(-lowest), distance),
                                any_of(im, divisor->infinite, dividend->zero));
   struct operand all = any_of(im, divisor->zero, dividend->infinite);
   struct operand nan = any_of(im, any_of(im, divisor->nan, dividend->nan),
                               any_of(im, all_of(im, divisor->zero, dividend->zero),
                                      all_of(im, divisor->infinite, dividend->infinite)));
   struct operand r = E3(BFI_INT, op_const(0x7fffffff), high[0], sign);

   r = E3(CNDE_INT, none, r, sign);
   r = E3(CNDE_INT, all, r, E2(OR_INT, sign, op_const(infinity)));
   *keep = E1(NOT_INT, any_of(im, any_of(im, none, all), nan));
   return E3(CNDE_INT, nan, r, op_const(infinity | 1u << (mantissa_bits - 1)));
}

struct operand
im_div_fixup(struct importer *im, const struct operand s[3])
{
   struct operand x[3], keep;
   for (unsigned i = 0; i < 3; i++) {
      x[i] = im_plain(im, s[i]);
   }
   struct kind divisor = kind_of(im, x[1], op_const(0), 23);
   struct kind dividend = kind_of(im, x[2], op_const(0), 23);
   return fixup(im, x, &divisor, &dividend, 23, 150, &keep);
}

struct wide
im_div_fixup64(struct importer *im, const struct wide v[3])
{
   const struct operand high[3] = { v[0].hi, v[1].hi, v[2].hi };
   struct kind divisor = kind_of(im, v[1].hi, v[1].lo, 20);
   struct kind dividend = kind_of(im, v[2].hi, v[2].lo, 20);
   struct wide r;

   r.hi = fixup(im, high, &divisor, &dividend, 20, 1075, &r.lo);
   r.lo = E2(AND_INT, r.lo, v[0].lo);
   return r;
}

static struct operand
plain_sad(struct importer *im, const struct operand s[3])
{
   return E3(SAD_ACCUM_UINT, s[0], s[1], s[2]);
}

bool
im_quad_sad(struct importer *im, const struct il_inst *inst)
{
   struct operand s[3][2], sum[4], result[4];

   if ((inst->op != IL_OP_QSAD_U8 && inst->op != IL_OP_MQSAD_U8) || inst->nsrc < 3) {
      return false;
   }
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned k = 0; k < 2; k++) {
         s[i][k] = im_plain(im, im_src(im, &inst->src[i], k));
      }
   }
   for (unsigned n = 0; n < 4; n++) {
      struct operand words = s[2][n / 2];
      struct operand word =
         n % 2 ? E2(LSHR_INT, words, op_const(16)) : E2(AND_INT, words, op_const(0xffff));
      const struct operand of[3] = { n ? E3(BIT_ALIGN_INT, s[0][1], s[0][0], op_const(8 * n))
                                       : s[0][0],
                                     s[1][0], word };
      sum[n] = inst->op == IL_OP_QSAD_U8 ? plain_sad(im, of) : im_masked_sad(im, of);
   }
   for (unsigned k = 0; k < 2; k++) {
      result[k] = result[k + 2] =
         E3(BFI_INT, op_const(0xffff), sum[2 * k], E2(LSHL_INT, sum[2 * k + 1], op_const(16)));
   }
   im_store(im, &inst->dst[0], result);
   return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Import of operations on bits and on the parts of a float, a component at a time: what Cayman has
 * no instruction for, built from integer operations, so that no rounding mode matters.
 *
 * LDEXP, FREXP_* and CLASS are only named by Appendix B.  They mean what they mean to Southern
 * Islands, whose numbers of classes CLASS has: 0 and 1 NaN (signalling, quiet), 2 -inf, 3 negative,
 * 4 negative denormal, 5 -0, 6 +0, 7 denormal, 8 positive, 9 +inf.  Denormals are zero to all
 * but CLASS; the exponent of zero, infinity and NaN is 0, their mantissa the value itself.
 */
#include "import.h"

typedef struct operand bits_fn(struct importer *im, const struct operand s[3]);

static struct operand
exponent_field(struct importer *im, struct operand x)
{
   return E3(BFE_UINT, x, op_const(23), op_const(8));
}

/* ~0 for what has neither the highest nor the lowest exponent. */
static struct operand
is_number(struct importer *im, struct operand e)
{
   return E2(SETGT_UINT, op_const(254), E2(SUB_INT, e, op_const(1)));
}

/* Zero or denormal: a zero of the same sign.  Infinity and NaN: the same, NaN in its one form. */
static struct operand
no_number(struct importer *im, struct operand x)
{
   return E2(MUL_IEEE, x, op_float(1));
}

static struct operand
ldexp_bits(struct importer *im, const struct operand s[3])
{
   struct operand x = im_plain(im, s[0]), e = exponent_field(im, x);
   struct operand n = E2(MAX_INT, E2(MIN_INT, s[1], op_const(600)), op_const((uint32_t)-600));
   struct operand sum = E2(ADD_INT, e, n);
   struct operand sign = E2(AND_INT, x, op_const(0x80000000u));
   struct operand scaled = E3(BFI_INT, op_const(0x7f800000), E2(LSHL_INT, sum, op_const(23)), x);

   scaled = E3(CNDGT_INT, sum, scaled, sign);
   scaled = E3(CNDGT_INT, E2(SUB_INT, sum, op_const(254)), E2(OR_INT, sign, op_const(0x7f800000)),
               scaled);
   return E3(CNDE_INT, is_number(im, e), no_number(im, x), scaled);
}

static struct operand
frexp_exponent(struct importer *im, const struct operand s[3])
{
   struct operand e = exponent_field(im, s[0]);
   return E2(AND_INT, E2(SUB_INT, e, op_const(126)), is_number(im, e));
}

static struct operand
frexp_mantissa(struct importer *im, const struct operand s[3])
{
   struct operand x = im_plain(im, s[0]);
   struct operand half = E3(BFI_INT, op_const(0x7f800000), op_const(0x3f000000), x);
   return E3(CNDE_INT, is_number(im, exponent_field(im, x)), no_number(im, x), half);
}

struct operand
im_class(struct importer *im, struct operand sign, struct operand rank, struct operand nan,
         struct operand quiet, struct operand mask)
{
   /* rank: 0 zero, 1 denormal, 2 number, 3 infinity; negative classes count down from 5 */
   struct operand number = E2(ADD_INT, rank, op_const(6));
   number = E3(CNDE_INT, sign, number, E2(SUB_INT, op_const(11), number));
   number = E3(CNDE_INT, nan, number, quiet);
   return E3(BFE_INT, mask, number, op_const(1));
}

static struct operand
class_bits(struct importer *im, const struct operand s[3])
{
   struct operand x = im_plain(im, s[0]), mag = E2(AND_INT, x, op_const(0x7fffffff));
   struct operand below = E2(ADD_INT, E2(SETNE_INT, mag, op_const(0)),
                             E2(ADD_INT, E2(SETGE_UINT, mag, op_const(0x00800000)),
                                E2(SETGE_UINT, mag, op_const(0x7f800000))));
   return im_class(im, E2(LSHR_INT, x, op_const(31)), E2(SUB_INT, op_const(0), below),
                   E2(SETGT_UINT, mag, op_const(0x7f800000)),
                   E3(BFE_UINT, x, op_const(22), op_const(1)), s[1]);
}

/* From the nearest half to the next one below, or above, if that lies on the wrong side. */
static struct operand
to_half(struct importer *im, struct operand x, bool up)
{
   struct operand near = E1(FLT32_TO_FLT16, x), back = E1(FLT16_TO_FLT32, near);
   struct operand wrong = up ? E2(SETGT_DX10, x, back) : E2(SETGT_DX10, back, x); /* -1 or 0 */
   struct operand sign = E2(AND_INT, near, op_const(0x8000));

   /* Away from zero is one more. */
   struct operand more = E2(SUB_INT, near, wrong), less = E2(ADD_INT, near, wrong);
   return up ? E3(CNDE_INT, sign, more, less) : E3(CNDE_INT, sign, less, more);
}

static struct operand
half_down(struct importer *im, const struct operand s[3])
{
   return to_half(im, s[0], false);
}

static struct operand
half_up(struct importer *im, const struct operand s[3])
{
   return to_half(im, s[0], true);
}

/* Bytes of the reference, the second operand, that are zero do not count. */
struct operand
im_masked_sad(struct importer *im, const struct operand s[3])
{
   struct operand low = op_const(0x7f7f7f7f);
   struct operand any = E2(OR_INT, E2(ADD_INT, E2(AND_INT, s[1], low), low), s[1]);
   any = E2(AND_INT, any, op_const(0x80808080u));
   struct operand bytes =
      E2(SUB_INT, E2(LSHL_INT, any, op_const(1)), E2(LSHR_INT, any, op_const(7)));
   return E3(SAD_ACCUM_UINT, E2(AND_INT, s[0], bytes), s[1], s[2]);
}

static struct operand
imin3(struct importer *im, const struct operand s[3])
{
   return E2(MIN_INT, E2(MIN_INT, s[0], s[1]), s[2]);
}

static struct operand
imax3(struct importer *im, const struct operand s[3])
{
   return E2(MAX_INT, E2(MAX_INT, s[0], s[1]), s[2]);
}

static struct operand
imed3(struct importer *im, const struct operand s[3])
{
   struct operand low = E2(MIN_INT, s[0], s[1]), high = E2(MAX_INT, s[0], s[1]);
   return E2(MAX_INT, low, E2(MIN_INT, high, s[2]));
}

static struct operand
umin3(struct importer *im, const struct operand s[3])
{
   return E2(MIN_UINT, E2(MIN_UINT, s[0], s[1]), s[2]);
}

static struct operand
umax3(struct importer *im, const struct operand s[3])
{
   return E2(MAX_UINT, E2(MAX_UINT, s[0], s[1]), s[2]);
}

static struct operand
umed3(struct importer *im, const struct operand s[3])
{
   struct operand low = E2(MIN_UINT, s[0], s[1]), high = E2(MAX_UINT, s[0], s[1]);
   return E2(MAX_UINT, low, E2(MIN_UINT, high, s[2]));
}

bool
im_bits(struct importer *im, const struct il_inst *inst, unsigned comp, struct operand *result)
{
   static const struct {
      uint16_t op;
      bits_fn *fn;
   } table[] = {
      { IL_OP_LDEXP, ldexp_bits },
      { IL_OP_FREXP_EXP, frexp_exponent },
      { IL_OP_FREXP_MANT, frexp_mantissa },
      { IL_OP_CLASS, class_bits },
      { IL_OP_F_2_F16_NEG_INF, half_down },
      { IL_OP_F_2_F16_PLUS_INF, half_up },
      { IL_OP_MSAD_U8, im_masked_sad },
      { IL_OP_DIV_FIXUP, im_div_fixup },
      { IL_OP_I_MIN3, imin3 },
      { IL_OP_I_MED3, imed3 },
      { IL_OP_I_MAX3, imax3 },
      { IL_OP_U_MIN3, umin3 },
      { IL_OP_U_MED3, umed3 },
      { IL_OP_U_MAX3, umax3 },
   };

   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      if (table[i].op == inst->op) {
         struct operand s[3] = { { 0 } };
         for (unsigned k = 0; k < inst->nsrc && k < 3; k++) {
            s[k] = im_src(im, &inst->src[k], comp);
         }
         *result = table[i].fn(im, s);
         return true;
      }
   }
   return false;
}

/* SPDX-License-Identifier: MIT */
/*
 * Import of 64-bit division, of integers and of doubles, and of what else takes a double apart.
 *
 * Integers: 2^64 / b from the float reciprocal of b, two Newton steps in integers, then quotient
 * and remainder put right twice.  Exact for all operands; a division by zero gives ~0, quotient
 * and remainder, signed or not.
 *
 * Doubles: the mantissas are divided by way of the reciprocal, with the remainder, which FMA finds
 * exactly, divided once more and added: the quotient is correctly rounded.  The exponent is put on
 * last.  Where either operand is zero, infinite or NaN the product with the reciprocal is the
 * result.
 */
#include "import.h"

/* --- integers --------------------------------------------------------------------------------- */

static struct wide
add(struct importer *im, struct wide a, struct wide b)
{
   return (struct wide){ E2(ADD_INT, a.lo, b.lo),
                         E2(ADD_INT, E2(ADD_INT, a.hi, b.hi), E2(ADDC_UINT, a.lo, b.lo)) };
}

/* The upper 64 bits of the product. */
static struct wide
multiply_high(struct importer *im, struct wide a, struct wide b)
{
   static const struct operand zero = { .kind = OPERAND_CONST };
   struct wide low = { E2(MULHI_UINT, a.lo, b.lo), zero };
   struct wide cross[2] = { { E2(MULLO_UINT, a.lo, b.hi), E2(MULHI_UINT, a.lo, b.hi) },
                            { E2(MULLO_UINT, a.hi, b.lo), E2(MULHI_UINT, a.hi, b.lo) } };
   /* Neither sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
   struct wide sum = add(im, cross[0], low);
   struct wide second = add(im, cross[1], (struct wide){ sum.lo, zero });
   struct wide high = { E2(MULLO_UINT, a.hi, b.hi), E2(MULHI_UINT, a.hi, b.hi) };
   high = add(im, high, (struct wide){ sum.hi, zero });
   return add(im, high, (struct wide){ second.hi, zero });
}

/* A little less than 2^64 / b */
static struct wide
reciprocal(struct importer *im, struct wide b)
{
   struct operand f =
      E3(MULADD_IEEE, E1(UINT_TO_FLT, b.hi), op_float(4294967296.0f), E1(UINT_TO_FLT, b.lo));
   struct operand r = E2(MUL_IEEE, E1(RECIP_IEEE, f), op_const(0x5f7ffffc));
   struct operand high = E1(TRUNC, E2(MUL_IEEE, r, op_const(0x2f800000)));
   struct operand low = E3(MULADD_IEEE, high, op_float(-4294967296.0f), r);
   return (struct wide){ E1(FLT_TO_UINT, low), E1(FLT_TO_UINT, high) };
}

static struct wide
unsigned_divide(struct importer *im, struct wide a, struct wide b, bool remainder)
{
   const struct wide zero = { op_const(0), op_const(0) }, one = { op_const(1), op_const(0) };
   struct wide r = reciprocal(im, b), minus = im_subtract64(im, zero, b);

   for (int step = 0; step < 2; step++) {
      r = add(im, r, multiply_high(im, r, im_multiply64(im, minus, r)));
   }
   struct wide q = multiply_high(im, a, r);
   struct wide m = im_subtract64(im, a, im_multiply64(im, q, b));
   for (int step = 0; step < 2; step++) {
      struct operand less = im_less64(im, m, b, false);
      if (!remainder) {
         q = im_choose64(im, less, q, add(im, q, one));
      }
      if (step == 0 || remainder) {
         m = im_choose64(im, less, m, im_subtract64(im, m, b));
      }
   }
   return remainder ? m : q;
}

/* a, or -a where the sign is set. */
static struct wide
negate_if(struct importer *im, struct operand sign, struct wide a)
{
   struct wide mask = { sign, sign };
   return im_subtract64(im, (struct wide){ E2(XOR_INT, a.lo, sign), E2(XOR_INT, a.hi, sign) },
                        mask);
}

struct wide
im_divide64(struct importer *im, struct wide a, struct wide b, bool is_signed, bool remainder)
{
   const struct wide ones = { op_const(0xffffffff), op_const(0xffffffff) };
   struct operand some = E2(OR_INT, b.lo, b.hi), sign[2];
   struct wide r;

   if (is_signed) {
      sign[0] = E2(ASHR_INT, a.hi, op_const(31));
      sign[1] = E2(ASHR_INT, b.hi, op_const(31));
      r = unsigned_divide(im, negate_if(im, sign[0], a), negate_if(im, sign[1], b), remainder);
      r = negate_if(im, remainder ? sign[0] : E2(XOR_INT, sign[0], sign[1]), r);
   } else {
      r = unsigned_divide(im, a, b, remainder);
   }
   return im_choose64(im, some, r, ones);
}

/* --- doubles ---------------------------------------------------------------------------------- */

/* In slots x, y and z, with the high dword first. */
static struct wide
transcendental(struct importer *im, unsigned op, struct wide v)
{
   struct compiler *c = im->c;
   struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, 3);
   value_id out[2];

   for (unsigned l = 0; l < 3; l++) {
      inst->lane[l].op = op;
      inst->lane[l].slot = l;
      inst->lane[l].src[0] = v.hi;
      inst->lane[l].src[1] = v.lo;
      if (l < 2) {
         out[l] = inst->lane[l].dst = cc_value(c);
         c->values[out[l]].def = inst;
         cc_pin(c, out[l], l);
      }
   }
   return (struct wide){ op_value(out[0]), op_value(out[1]) };
}

/* The mantissa in +-[0.5, 1), and the exponent. */
static struct wide
split(struct importer *im, struct wide v, struct operand *exponent)
{
   struct compiler *c = im->c;
   struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, 4);
   value_id out[4] = { 0 };

   for (unsigned l = 0; l < 4; l++) {
      inst->lane[l].op = CAYMAN_ALU_FREXP_64;
      inst->lane[l].slot = l;
      inst->lane[l].src[0] = l == 3 ? v.lo : v.hi;
      if (l > 0) {
         out[l] = inst->lane[l].dst = cc_value(c);
         c->values[out[l]].def = inst;
         cc_pin(c, out[l], l);
      }
   }
   *exponent = op_value(out[1]);
   return (struct wide){ op_value(out[2]), op_value(out[3]) };
}

static struct wide
negative(struct importer *im, struct wide v)
{
   return (struct wide){ v.lo, E2(XOR_INT, v.hi, op_const(0x80000000u)) };
}

static struct wide
fused(struct importer *im, struct wide a, struct wide b, struct wide c)
{
   return im_f64(im, CAYMAN_ALU_FMA_64, 4, 3, (struct wide[]){ a, b, c });
}

static struct wide
divide(struct importer *im, struct wide a, struct wide b)
{
   struct operand exponent[2];
   struct wide m = split(im, a, &exponent[0]), d = split(im, b, &exponent[1]);
   /* FREXP makes NaN of infinity. */
   struct operand top = E2(AND_INT, b.hi, op_const(0x7ff00000));
   struct operand finite = E2(SETNE_INT, top, op_const(0x7ff00000));
   struct wide r = transcendental(im, CAYMAN_ALU_RECIP_64, im_choose64(im, finite, d, b));
   struct wide q = im_f64(im, CAYMAN_ALU_MUL_64, 4, 2, (struct wide[]){ m, r });

   q = fused(im, fused(im, negative(im, q), d, m), r, q);
   struct operand scale = E2(SUB_INT, exponent[0], exponent[1]);
   q = im_f64(im, CAYMAN_ALU_LDEXP_64, 2, 2, (struct wide[]){ q, { scale, scale } });

   struct wide special = im_f64(im, CAYMAN_ALU_MUL_64, 4, 2, (struct wide[]){ a, r });
   struct operand odd =
      E2(OR_INT, E2(XOR_INT, m.hi, op_const(0x3fe00000)), E2(XOR_INT, d.hi, op_const(0x3fe00000)));
   return im_choose64(im, E2(AND_INT, odd, op_const(0x7ff00000)), special, q);
}

/* 1 / x or 1 / sqrt(x); of zero as `zeroop` says. */
static struct wide
inverse(struct importer *im, const struct wide *v, bool root, unsigned zeroop)
{
   struct wide r = transcendental(
      im,
      im_zero_op(zeroop, root ? CAYMAN_ALU_RECIPSQRT_64 : CAYMAN_ALU_RECIP_64,
                 root ? CAYMAN_ALU_RECIPSQRT_CLAMPED_64 : CAYMAN_ALU_RECIP_CLAMPED_64,
                 root ? CAYMAN_ALU_RECIPSQRT_64 : CAYMAN_ALU_RECIP_64),
      *v);
   const struct wide zero = { op_const(0), op_const(0) };

   if ((zeroop & 3) == IL_ZEROOP_0) {
      struct operand some = im_f64(im, CAYMAN_ALU_SETNE_64, 2, 2, (struct wide[]){ *v, zero }).lo;
      r = im_choose64(im, some, r, zero);
   }
   return r;
}

/* Towards zero, by shifting the mantissa; out of range the nearest integer, of NaN 0. */
static struct operand
to_integer(struct importer *im, struct wide v, bool is_signed)
{
   struct operand e = E3(BFE_UINT, v.hi, op_const(20), op_const(11));
   struct operand mag = E2(AND_INT, v.hi, op_const(0x7fffffff));
   struct operand bits =
      E3(BIT_ALIGN_INT, E2(OR_INT, v.hi, op_const(0x00100000)), v.lo, op_const(21));
   struct operand r = E2(LSHR_INT, bits, E2(SUB_INT, op_const(1054), e));
   struct operand sign = E2(ASHR_INT, v.hi, op_const(31));
   struct operand number = E2(SETGE_INT, op_const(0x7fefffff), mag);
   struct operand infinite =
      E2(AND_INT, E2(SETE_INT, mag, op_const(0x7ff00000)), E2(SETE_INT, v.lo, op_const(0)));

   r = E3(CNDGT_INT, E2(SUB_INT, op_const(1023), e), op_const(0), r);
   if (is_signed) {
      struct operand over = E3(CNDE_INT, sign, op_const(0x7fffffff), op_const(0x80000000u));
      r = E2(SUB_INT, E2(XOR_INT, r, sign), sign);
      r = E3(CNDGT_INT, E2(SUB_INT, e, op_const(1053)), over, r);
   } else {
      r = E3(CNDGT_INT, E2(SUB_INT, e, op_const(1054)), op_const(0xffffffff), r);
      r = E3(CNDE_INT, sign, r, op_const(0));
   }
   return E3(CNDE_INT, E2(OR_INT, number, infinite), op_const(0), r);
}

static struct operand
class_of(struct importer *im, struct wide v, struct operand mask)
{
   struct operand mag = E2(AND_INT, v.hi, op_const(0x7fffffff));
   struct operand some = E2(OR_INT, mag, v.lo);
   struct operand below = E2(ADD_INT, E2(SETNE_INT, some, op_const(0)),
                             E2(ADD_INT, E2(SETGE_UINT, mag, op_const(0x00100000)),
                                E2(SETGE_UINT, mag, op_const(0x7ff00000))));
   /* Any bit of the low dword makes NaN of infinity. */
   struct operand above =
      E2(OR_INT, mag, E2(AND_INT, E2(SETNE_INT, v.lo, op_const(0)), op_const(1)));
   return im_class(im, E2(LSHR_INT, v.hi, op_const(31)), E2(SUB_INT, op_const(0), below),
                   E2(SETGT_UINT, above, op_const(0x7ff00000)),
                   E3(BFE_UINT, v.hi, op_const(19), op_const(1)), mask);
}

bool
im_double_parts(struct importer *im, const struct il_inst *inst, const struct wide *v,
                struct wide *r)
{
   struct operand exponent;

   switch (inst->op) {
   case IL_OP_D_DIV:
      *r = divide(im, v[0], v[1]);
      return true;
   case IL_OP_D_RCP:
      *r = inverse(im, v, false, inst->ctl);
      return true;
   case IL_OP_D_RSQ:
      *r = inverse(im, v, true, inst->ctl);
      return true;
   case IL_OP_D_SQRT:
      *r = transcendental(im, CAYMAN_ALU_SQRT_64, v[0]);
      return true;
   case IL_OP_D_FREXP_MANT:
      *r = split(im, v[0], &exponent);
      return true;
   case IL_OP_D_FREXP_EXP:
      split(im, v[0], &exponent);
      r->lo = r->hi = exponent;
      return true;
   case IL_OP_DTOI:
   case IL_OP_DTOU:
      r->lo = r->hi = to_integer(im, v[0], inst->op == IL_OP_DTOI);
      return true;
   case IL_OP_D_DIV_FIXUP:
      *r = im_div_fixup64(im, v);
      return true;
   case IL_OP_D_CLASS:
      r->lo = r->hi = class_of(im, v[0], im_src(im, &inst->src[1], 0));
      return true;
   default:
      return false;
   }
}

/* x: 0, y: exponent, zw: mantissa */
void
im_double_frexp(struct importer *im, const struct wide *v, struct operand result[4])
{
   struct wide mantissa = split(im, *v, &result[1]);

   result[0] = op_const(0);
   result[2] = mantissa.lo;
   result[3] = mantissa.hi;
}

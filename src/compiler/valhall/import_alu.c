/* SPDX-License-Identifier: MIT */
/*
 * Import of arithmetic on 32-bit components (7.7 - 7.11, 7.13).
 *
 *  1. What Valhall has by itself is a row of the table; the result has the same bits as everywhere.
 *     Products are sums with -0, which changes nothing.  `mad` rounds twice, so it is two.
 *  2. Reciprocals and roots of them are Valhall's own, rounded once.  The others are sequences; the
 *     table has their bounds:
 *       2^x       x in fixed point of 24 bits, FEXP
 *       log2(x)   exponent, and log2(m) / (m - 1) times (m - 1)
 *       sqrt(x)   1 / (1 / sqrt(x)), each rounded
 *       sin, cos  of the angle in periods, brought into one as on Cayman; the nearest 64th of
 *                 a period is in the table, and the rest are three terms
 *  3. Operations without a row are composed of others, exactly.
 */
#include "import.h"

#define OP(name) VALHALL_OP_##name

enum shape {
   AS_IS,
   COMPARE,  /* imm: condition */
   ROUND,    /* imm: mode */
   SELECT,   /* minimum or maximum of integers; imm: condition under which the first is it */
   SEQUENCE, /* what `op` ends, or begins; within the bound */
};

static const struct {
   uint16_t il, op;
   uint8_t shape, imm;
   struct shader_bound bound;
} plain[] = {
   { IL_OP_ADD, OP(FADD_F32), AS_IS, 0 },
   { IL_OP_FMA, OP(FMA_F32), AS_IS, 0 },
   { IL_OP_MIN, OP(FMIN_F32), AS_IS, 0 },
   { IL_OP_MAX, OP(FMAX_F32), AS_IS, 0 },
   { IL_OP_RSQ_VEC, OP(FRSQ_F32), AS_IS, 0 },
   { IL_OP_ROUND_NEAR, OP(FROUND_F32), ROUND, VALHALL_ROUND_MODE_RTE },
   { IL_OP_ROUND_NEG_INF, OP(FROUND_F32), ROUND, VALHALL_ROUND_MODE_RTN },
   { IL_OP_ROUND_PLUS_INF, OP(FROUND_F32), ROUND, VALHALL_ROUND_MODE_RTP },
   { IL_OP_ROUND_ZERO, OP(FROUND_F32), ROUND, VALHALL_ROUND_MODE_RTZ },
   { IL_OP_FTOI, OP(F32_TO_S32), ROUND, VALHALL_ROUND_MODE_RTZ },
   { IL_OP_FTOU, OP(F32_TO_U32), ROUND, VALHALL_ROUND_MODE_RTZ },
   { IL_OP_ITOF, OP(S32_TO_F32), ROUND, VALHALL_ROUND_MODE_RTE },
   { IL_OP_UTOF, OP(U32_TO_F32), ROUND, VALHALL_ROUND_MODE_RTE },
   { IL_OP_EQ, OP(FCMP_OR_F32), COMPARE, VALHALL_CONDITION_EQ },
   { IL_OP_NE, OP(FCMP_OR_F32), COMPARE, VALHALL_CONDITION_NE },
   { IL_OP_GE, OP(FCMP_OR_F32), COMPARE, VALHALL_CONDITION_GE },
   { IL_OP_LT, OP(FCMP_OR_F32), COMPARE, VALHALL_CONDITION_LT },
   { IL_OP_I_EQ, OP(ICMP_OR_U32), COMPARE, VALHALL_CONDITION_EQ },
   { IL_OP_I_NE, OP(ICMP_OR_U32), COMPARE, VALHALL_CONDITION_NE },
   { IL_OP_I_GE, OP(ICMP_OR_S32), COMPARE, VALHALL_CONDITION_GE },
   { IL_OP_I_LT, OP(ICMP_OR_S32), COMPARE, VALHALL_CONDITION_LT },
   { IL_OP_U_GE, OP(ICMP_OR_U32), COMPARE, VALHALL_CONDITION_GE },
   { IL_OP_U_LT, OP(ICMP_OR_U32), COMPARE, VALHALL_CONDITION_LT },
   { IL_OP_I_MIN, OP(CSEL_S32), SELECT, VALHALL_CONDITION_LT },
   { IL_OP_I_MAX, OP(CSEL_S32), SELECT, VALHALL_CONDITION_GT },
   { IL_OP_U_MIN, OP(CSEL_U32), SELECT, VALHALL_CONDITION_LT },
   { IL_OP_U_MAX, OP(CSEL_U32), SELECT, VALHALL_CONDITION_GT },
   { IL_OP_I_COUNTBITS, OP(POPCOUNT_I32), AS_IS, 0 },
   { IL_OP_U_BIT_REVERSE, OP(BITREV_I32), AS_IS, 0 },
   { IL_OP_EXP_VEC, OP(FEXP_F32), SEQUENCE, 0, { .ulps = 3 } },
   { IL_OP_LOG_VEC, OP(FLOGD_F32), SEQUENCE, 0, { .ulps = 6, .absolute = 0x1p-20f } },
   { IL_OP_LOG, OP(FLOGD_F32), SEQUENCE, 0, { .ulps = 6, .absolute = 0x1p-20f } },
   { IL_OP_SQRT_VEC, OP(FRSQ_F32), SEQUENCE, 0, { .ulps = 2 } },
   { IL_OP_SIN_VEC, OP(FSIN_TABLE_U6), SEQUENCE, 0, { .absolute = 0x1p-20f, .range = 4 } },
   { IL_OP_COS_VEC, OP(FCOS_TABLE_U6), SEQUENCE, 0, { .absolute = 0x1p-20f, .range = 4 } },
};

bool
vc_bound(unsigned il_op, struct shader_bound *bound)
{
   for (unsigned n = 0; n < sizeof(plain) / sizeof(*plain); n++) {
      if (plain[n].il == il_op && plain[n].shape == SEQUENCE) {
         *bound = plain[n].bound;
         return true;
      }
   }
   return false;
}

/* A float that is infinite is what `other` says of it: the largest, or zero. */
static struct vc_operand
limit_infinity(struct vc *c, struct vc_operand v, bool zero)
{
   struct vc_operand rest = vc_bits(0x7fffffff), sign = rest;
   struct vc_operand magnitude = vc_and(c, v, rest), other;

   sign.invert = true;
   other = zero ? vc_logic(c, OP(LSHIFT_AND_I32), v, sign) : vc_add(c, v, vc_bits(~0u));
   return vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_EQ, magnitude, vc_bits(0x7f800000), other, v);
}

static struct vc_operand
by_zeroop(struct vim *im, struct vc_operand v)
{
   unsigned zeroop = il_zeroop(im->inst);
   if (zeroop != IL_ZEROOP_FLTMAX && zeroop != IL_ZEROOP_0)
      return v;
   return limit_infinity(im->c, v, zeroop == IL_ZEROOP_0);
}

/* 0 * anything = 0, unless ieee. */
static struct vc_operand
product(struct vim *im, struct vc_operand a, struct vc_operand b)
{
   struct vc *c = im->c;
   if (il_ieee(im->inst))
      return vc_fmul(c, a, b);
   struct vc_inst *inst = vc_new(c, OP(FMA_RSCALE_N_F32));
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[2] = vc_bits(0x80000000);
   inst->src[3] = vc_bits(0);
   return vc_emit(c, inst, 1);
}

/* x - floor(x), below 1. */
static struct vc_operand
fract(struct vc *c, struct vc_operand v)
{
   struct vc_operand r = vc_fadd(c, v, vc_negate(vc_round(c, v, VALHALL_ROUND_MODE_RTN))),
                     last = vc_bits(0x3f7fffff);
   return vc_csel(c, OP(CSEL_F32), VALHALL_CONDITION_GT, r, last, last, r);
}

static struct vc_operand
exponential(struct vc *c, struct vc_operand v)
{
   struct vc_inst *scale = vc_new(c, OP(FMA_RSCALE_F32)), *fixed = vc_new(c, OP(F32_TO_S32));
   scale->src[0] = v;
   scale->src[1] = vc_bits(0x3f800000);
   scale->src[2] = vc_bits(0x80000000);
   scale->src[3] = vc_bits(24);
   fixed->src[0] = vc_emit(c, scale, 1);
   vc_set(fixed, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTE);
   return vc_op2(c, OP(FEXP_F32), vc_emit(c, fixed, 1), v);
}

static struct vc_operand
logarithm(struct vc *c, struct vc_operand v)
{
   struct vc_operand p = vc_plain(c, v);
   struct vc_inst *exponent = vc_new(c, OP(FREXPE_F32)), *real = vc_new(c, OP(S32_TO_F32));
   exponent->src[0] = p;
   vc_set(exponent, VALHALL_MOD_LOG, 1);
   real->src[0] = vc_emit(c, exponent, 1);
   vc_set(real, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTE);
   struct vc_operand e = vc_emit(c, real, 1);
   struct vc_operand less = vc_op2(c, OP(FADD_LSCALE_F32), vc_bits(0xbf800000), p);
   return vc_fma(c, vc_op1(c, OP(FLOGD_F32), p), less, e);
}

static struct vc_operand
root(struct vc *c, struct vc_operand v)
{
   return vc_op1(c, OP(FRCP_F32), vc_op1(c, OP(FRSQ_F32), v));
}

static struct vc_operand
wave(struct vc *c, struct vc_operand v, bool cosine)
{
   /* Turns, in [-0.5, 0.5). */
   struct vc_operand t = vc_fadd(c, vc_fmul(c, v, vc_bits(0x3e22f983)), vc_bits(0x3f000000));
   t = vc_fadd(c, fract(c, t), vc_bits(0xbf000000));
   /* The nearest 64th is in the lowest bits of a float that counts by ones. */
   struct vc_operand bias = vc_bits(0x48400000); /* 3 * 2^16: its last bit is 1/64 */
   struct vc_operand k = vc_fadd(c, t, bias);
   struct vc_operand rest = vc_fadd(c, t, vc_negate(vc_fadd(c, k, vc_negate(bias))));
   struct vc_operand e = vc_fmul(c, rest, vc_bits(0x40c90fdb)); /* 2 pi */
   struct vc_operand s = vc_op1(c, OP(FSIN_TABLE_U6), k), co = vc_op1(c, OP(FCOS_TABLE_U6), k);
   /* sin(a + e) = s + e (c - e/2 (s + e c / 3)), cos(a + e) = c - e (s + e/2 (c - e s / 3)) */
   struct vc_operand half = vc_fmul(c, e, vc_bits(0x3f000000)), third = vc_bits(0x3eaaaaab);
   struct vc_operand first = cosine ? co : s, second = cosine ? vc_negate(s) : co;
   struct vc_operand inner = vc_fma(c, vc_fmul(c, e, third), second, first);
   inner = vc_fma(c, vc_negate(half), inner, second);
   return vc_fma(c, e, inner, first);
}

static struct vc_operand
wide_product(struct vc *c, struct vc_operand a, struct vc_operand b, unsigned word)
{
   struct vc_inst *inst = vc_new(c, OP(IMULD_U64));
   inst->src[0] = a;
   inst->src[1] = b;
   inst->src[0].select = inst->src[1].select = VALHALL_SWIZZLES_64_BIT_W0;
   return vc_word(vc_emit(c, inst, 2), word);
}

static struct vc_operand
signed_high(struct vc *c, struct vc_operand a, struct vc_operand b)
{
   struct vc_operand high = wide_product(c, a, b, 1), n = vc_bits(31);
   high = vc_sub(c, high, vc_and(c, vc_shr(c, a, n, true), b));
   return vc_sub(c, high, vc_and(c, vc_shr(c, b, n, true), a));
}

/* The lower 24 bits. */
static struct vc_operand
low24(struct vc *c, struct vc_operand v, bool is_signed)
{
   if (!is_signed)
      return vc_and(c, v, vc_bits(0xffffff));
   return vc_shr(c, vc_shl(c, v, vc_bits(8)), vc_bits(8), true);
}

/* Leading zeros; ~0 of zero. */
static struct vc_operand
leading(struct vc *c, struct vc_operand v)
{
   return vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_EQ, v, vc_bits(0), vc_bits(~0u),
                  vc_op1(c, OP(CLZ_U32), v));
}

static struct vc_operand
first_bit(struct vim *im, struct vc_operand v)
{
   struct vc *c = im->c;
   switch (il_firstbit(im->inst)) {
   case IL_FIRSTBIT_TYPE_LOW_UINT:
      return leading(c, vc_op1(c, OP(BITREV_I32), v));
   case IL_FIRSTBIT_TYPE_HIGH_UINT:
      return leading(c, v);
   default:
      return leading(c, vc_xor(c, v, vc_shr(c, v, vc_bits(31), true)));
   }
}

static struct vc_operand
field_mask(struct vc *c, struct vc_operand width)
{
   return vc_sub(c, vc_shl(c, vc_bits(1), width), vc_bits(1));
}

static struct vc_operand
extract(struct vc *c, struct vc_operand width, struct vc_operand offset, struct vc_operand v,
        bool is_signed)
{
   struct vc_operand zero = vc_bits(0), w = vc_and(c, width, vc_bits(31));

   if (!is_signed) /* what lies above the word is zero anyway */
      return vc_and(c, vc_shr(c, v, offset, false), field_mask(c, width));
   struct vc_operand o = vc_and(c, offset, vc_bits(31)), all = vc_bits(32);
   if (w.kind == VC_CONST && o.kind == VC_CONST) {
      if (!w.value || o.value + w.value >= 32)
         return w.value ? vc_shr(c, v, o, true) : zero;
      return vc_shr(c, vc_shl(c, v, vc_bits(32 - o.value - w.value)), vc_bits(32 - w.value), true);
   }
   struct vc_operand end = vc_add(c, o, w);
   struct vc_operand part = vc_shr(c, vc_shl(c, v, vc_sub(c, all, end)), vc_sub(c, all, w), true);
   struct vc_operand r =
      vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_GE, end, all, vc_shr(c, v, o, true), part);
   return vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_EQ, w, zero, zero, r);
}

/* The low word of a pair that is shifted right. */
static struct vc_operand
align(struct vc *c, struct vc_operand high, struct vc_operand low, struct vc_operand n)
{
   const struct vc_operand words[2] = { low, high };
   struct vc_inst *inst = vc_new(c, OP(RSHIFT_OR_I64));
   inst->src[0] = vc_at(vc_collect(c, 2, words), 0);
   inst->src[1] = n;
   inst->src[1].select = VALHALL_LANES_8_BIT_B00;
   inst->src[2] = vc_bits(0);
   return vc_emit(c, inst, 2);
}

/* Sums of the differences of bytes. */
static struct vc_operand
differences(struct vc *c, struct vc_operand a, struct vc_operand b, struct vc_operand sum)
{
   struct vc_operand d[2];
   for (unsigned n = 0; n < 2; n++) {
      struct vc_inst *inst = vc_new(c, OP(ISUB_V4U8));
      inst->src[0] = n ? b : a;
      inst->src[1] = n ? a : b;
      vc_set(inst, VALHALL_MOD_SATURATE, 1);
      d[n] = vc_emit(c, inst, 1);
   }
   return vc_op3(c, OP(IDP_V4U8), vc_or(c, d[0], d[1]), vc_bits(0x01010101), sum);
}

static struct vc_operand
lerp(struct vc *c, struct vc_operand a, struct vc_operand b, struct vc_operand up)
{
   struct vc_operand lost = vc_and(c, vc_and(c, vc_xor(c, a, b), up), vc_bits(0x01010101));
   return vc_add(c, vc_op2(c, OP(HADD_V4U8), a, b), lost);
}

/* floor(x) as an integer; a NaN is the limit of its sign. */
static struct vc_operand
floor_to_int(struct vc *c, struct vc_operand v, struct vc_operand floored)
{
   struct vc_inst *inst = vc_new(c, OP(F32_TO_S32));
   struct vc_operand p = vc_plain(c, v);
   inst->src[0] = floored;
   vc_set(inst, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTZ);
   struct vc_operand limit = vc_xor(c, vc_shr(c, p, vc_bits(31), true), vc_bits(0x7fffffff));
   return vc_csel(c, OP(CSEL_F32), VALHALL_CONDITION_NE, p, p, limit, vc_emit(c, inst, 1));
}

static struct vc_operand
half_up(struct vc *c, struct vc_operand v)
{
   struct vc_operand f = vc_round(c, v, VALHALL_ROUND_MODE_RTN), one = vc_bits(0x3f800000);
   struct vc_operand more =
      vc_csel(c, OP(CSEL_F32), VALHALL_CONDITION_GE, vc_fadd(c, v, vc_negate(f)),
              vc_bits(0x3f000000), one, vc_bits(0));
   return vc_fadd(c, f, more);
}

static struct vc_operand
byte_to_float(struct vc *c, struct vc_operand v, unsigned byte)
{
   v.select = (uint8_t)byte;
   return vc_op1(c, OP(U8_TO_F32), v);
}

/* The integer below a half of a word and 0.5, which is where a pixel is: the half.  NONE: it is
 * something else. */
static struct vc_operand
whole_pixel(struct vc *c, struct vc_operand v)
{
   const bool plain_value = v.kind == VC_VALUE && !v.neg && !v.abs && !v.select;
   const struct vc_inst *sum = plain_value ? c->values[v.value].def : NULL;
   const struct vc_inst *half = sum && sum->op == OP(FADD_F32) && sum->src[0].kind == VC_VALUE &&
                                      !sum->src[0].neg && !sum->src[0].abs &&
                                      vc_is(sum->src[1], 0x3f000000)
                                   ? c->values[sum->src[0].value].def
                                   : NULL;

   if (!half || half->op != OP(U16_TO_F32) || vc_get(sum, VALHALL_MOD_CLAMP))
      return (struct vc_operand){ 0 };
   return vc_op1(c, OP(U16_TO_U32), half->src[0]);
}

static struct vc_operand
by_row(struct vc *c, unsigned n, struct vc_operand s[4])
{
   struct vc_operand pixel;
   struct vc_inst *inst;
   switch (plain[n].shape) {
   case COMPARE:
      return vc_compare(c, plain[n].op, plain[n].imm, s[0], s[1]);
   case SELECT:
      return vc_csel(c, plain[n].op, plain[n].imm, s[0], s[1], s[0], s[1]);
   case ROUND:
      pixel = plain[n].il == IL_OP_FTOI || plain[n].il == IL_OP_FTOU ? whole_pixel(c, s[0])
                                                                     : (struct vc_operand){ 0 };
      if (pixel.kind)
         return pixel;
      inst = vc_new(c, plain[n].op);
      inst->src[0] = s[0];
      vc_set(inst, VALHALL_MOD_ROUND_MODE, plain[n].imm);
      return vc_emit(c, inst, 1);
   default:
      inst = vc_new(c, plain[n].op);
      for (unsigned i = 0; i < valhall_info(plain[n].op)->num_src; i++)
         inst->src[i] = s[i];
      return vc_emit(c, inst, 1);
   }
}

static bool
component(struct vim *im, const struct il_inst *inst, unsigned comp, struct vc_operand *r)
{
   struct vc *c = im->c;
   struct vc_operand s[4] = { { 0 } };

   for (unsigned n = 0; n < 4 && n < inst->nsrc; n++)
      s[n] = vim_src(im, &inst->src[n], comp);
   for (unsigned n = 0; n < sizeof(plain) / sizeof(*plain); n++) {
      if (plain[n].il == inst->op && plain[n].shape != SEQUENCE) {
         *r = by_row(c, n, s);
         return true;
      }
   }
   switch (inst->op) {
   case IL_OP_MOV:
      *r = s[0];
      return true;
   case IL_OP_MUL:
      *r = product(im, s[0], s[1]);
      return true;
   case IL_OP_MAD:
      *r = vc_fadd(c, product(im, s[0], s[1]), s[2]);
      return true;
   case IL_OP_FRC:
      *r = fract(c, s[0]);
      return true;
   case IL_OP_RCP_VEC:
      *r = by_zeroop(im, vc_op1(c, OP(FRCP_F32), s[0]));
      return true;
   case IL_OP_SQRT_VEC:
      *r = root(c, s[0]);
      return true;
   case IL_OP_EXP_VEC:
      *r = exponential(c, s[0]);
      return true;
   case IL_OP_LOG_VEC:
      *r = logarithm(c, s[0]);
      return true;
   case IL_OP_SIN_VEC:
   case IL_OP_COS_VEC:
      *r = wave(c, s[0], inst->op == IL_OP_COS_VEC);
      return true;
   default:
      break;
   }
   for (unsigned n = 0; n < 4; n++)
      s[n] = vc_plain(c, s[n]);
   switch (inst->op) {
   case IL_OP_CMOV_LOGICAL:
      *r = vc_choose(c, s[0], s[1], s[2]);
      return true;
   case IL_OP_AND:
      *r = vc_and(c, s[0], s[1]);
      return true;
   case IL_OP_I_OR:
      *r = vc_or(c, s[0], s[1]);
      return true;
   case IL_OP_I_XOR:
      *r = vc_xor(c, s[0], s[1]);
      return true;
   case IL_OP_I_NOT:
      *r = vc_not(c, s[0]);
      return true;
   case IL_OP_I_ADD:
      *r = vc_add(c, s[0], s[1]);
      return true;
   case IL_OP_I_NEGATE:
      *r = vc_sub(c, vc_bits(0), s[0]);
      return true;
   case IL_OP_I_MUL:
   case IL_OP_U_MUL:
      *r = vc_mul(c, s[0], s[1]);
      return true;
   case IL_OP_U_MUL_HIGH:
      *r = wide_product(c, s[0], s[1], 1);
      return true;
   case IL_OP_I_MUL_HIGH:
      *r = signed_high(c, s[0], s[1]);
      return true;
   case IL_OP_I_MUL24:
   case IL_OP_U_MUL24:
   case IL_OP_I_MAD24:
   case IL_OP_U_MAD24: {
      bool is_signed = inst->op == IL_OP_I_MUL24 || inst->op == IL_OP_I_MAD24;
      *r = vc_mul(c, low24(c, s[0], is_signed), low24(c, s[1], is_signed));
      if (inst->op == IL_OP_I_MAD24 || inst->op == IL_OP_U_MAD24)
         *r = vc_add(c, *r, s[2]);
      return true;
   }
   case IL_OP_I_MUL24_HIGH:
      *r = signed_high(c, low24(c, s[0], true), low24(c, s[1], true));
      return true;
   case IL_OP_U_MUL24_HIGH:
      *r = wide_product(c, low24(c, s[0], false), low24(c, s[1], false), 1);
      return true;
   case IL_OP_I_SHL:
      *r = vc_shl(c, s[0], s[1]);
      return true;
   case IL_OP_I_SHR:
   case IL_OP_U_SHR:
      *r = vc_shr(c, s[0], s[1], inst->op == IL_OP_I_SHR);
      return true;
   case IL_OP_I_CARRY:
   case IL_OP_I_BORROW: {
      bool carry = inst->op == IL_OP_I_CARRY;
      struct vc_operand sum = carry ? vc_add(c, s[0], s[1]) : s[1];
      *r = vc_csel(c, OP(CSEL_U32), carry ? VALHALL_CONDITION_LT : VALHALL_CONDITION_GT, sum, s[0],
                   vc_bits(1), vc_bits(0));
      return true;
   }
   case IL_OP_FTOI_RPI:
      *r = floor_to_int(c, s[0], half_up(c, s[0]));
      return true;
   case IL_OP_FTOI_FLR:
      *r = floor_to_int(c, s[0], vc_round(c, s[0], VALHALL_ROUND_MODE_RTN));
      return true;
   case IL_OP_F_2_F16:
      *r = vc_op2(c, OP(V2F32_TO_V2F16), s[0], vc_bits(0));
      return true;
   case IL_OP_F16_2_F:
      *r = vc_op1(c, OP(F16_TO_F32), s[0]);
      return true;
   case IL_OP_UNPACK0:
   case IL_OP_UNPACK1:
   case IL_OP_UNPACK2:
   case IL_OP_UNPACK3:
      *r = byte_to_float(c, s[0], inst->op - IL_OP_UNPACK0);
      return true;
   case IL_OP_I_FIRSTBIT:
      *r = first_bit(im, s[0]);
      return true;
   case IL_OP_I_BIT_EXTRACT: /* width, offset, value */
   case IL_OP_U_BIT_EXTRACT:
      *r = extract(c, s[0], s[1], s[2], inst->op == IL_OP_I_BIT_EXTRACT);
      return true;
   case IL_OP_U_BIT_INSERT: /* width, offset, bits, base */
      *r = vc_bfi(c, vc_shl(c, field_mask(c, s[0]), s[1]), vc_shl(c, s[2], s[1]), s[3]);
      return true;
   case IL_OP_BIT_ALIGN:
      *r = align(c, s[0], s[1], vc_and(c, s[2], vc_bits(31)));
      return true;
   case IL_OP_BYTE_ALIGN:
      *r = align(c, s[0], s[1], vc_shl(c, vc_and(c, s[2], vc_bits(3)), vc_bits(3)));
      return true;
   case IL_OP_U4LERP:
      *r = lerp(c, s[0], s[1], s[2]);
      return true;
   case IL_OP_SAD:
      *r = differences(c, s[0], s[1], s[2]);
      return true;
   case IL_OP_SAD_HI:
      *r = vc_add(c, vc_shl(c, differences(c, s[0], s[1], vc_bits(0)), vc_bits(16)), s[2]);
      return true;
   default:
      return false;
   }
}

/* The bytes of four floats. */
static struct vc_operand
pack(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r = vc_bits(0);

   for (unsigned n = 0; n < 4; n++) {
      struct vc_inst *convert = vc_new(c, OP(F32_TO_U32));
      convert->src[0] = vim_src(im, &inst->src[0], n);
      vc_set(convert, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTZ);
      struct vc_operand byte = vc_umin(c, vc_emit(c, convert, 1), vc_bits(255));
      r = vc_or(c, vc_shl(c, byte, vc_bits(8 * n)), r);
   }
   return r;
}

/* Components with a zero condition stay as they are, those that the mask forces to 0 or 1 too. */
static void
conditional_move(struct vim *im, const struct il_inst *inst)
{
   const struct il_dst *dst = &inst->dst[0];
   struct il_dst all = *dst;
   struct vc_operand r[4] = { { 0 } };

   if (dst->r.type != IL_REGTYPE_TEMP)
      vim_unsupported(im, "a conditional move to what is no register");
   all.has_mod = true;
   all.clamp = false;
   all.shift = IL_SHIFT_NONE;
   for (unsigned n = 0; n < 4; n++) {
      unsigned how = il_dst_comp(dst, n);
      all.comp[n] = how == IL_MODCOMP_NOWRITE ? IL_MODCOMP_NOWRITE : IL_MODCOMP_WRITE;
      if (how == IL_MODCOMP_NOWRITE)
         continue;
      struct vc_operand v = vc_bits(how == IL_MODCOMP_1 ? 0x3f800000 : 0);
      if (how == IL_MODCOMP_WRITE)
         v = vim_modified(im, dst, vim_src(im, &inst->src[1], n));
      r[n] = vc_csel(im->c, OP(CSEL_F32), VALHALL_CONDITION_EQ, vim_bits(im, &inst->src[0], n),
                     vc_bits(0), im->vars[4 * dst->r.num + n], vc_plain(im->c, v));
   }
   vim_store(im, &all, r);
}

/* Pairs of components; the second has the sign. */
static void
move_double(struct vim *im, const struct il_inst *inst)
{
   const struct il_src *src = &inst->src[0];
   struct il_src bits = *src;
   struct vc_operand r[4];

   if (il_dst_sat(&inst->dst[0]) || il_dst_scale(&inst->dst[0]))
      vim_unsupported(im, "modifiers of a double");
   bits.neg = bits.flags = 0;
   r[0] = vim_bits(im, &bits, 0);
   r[1] = vim_bits(im, &bits, 1);
   r[1].abs = il_src_abs(src);
   r[1].neg = il_src_neg(src, 1);
   r[1] = vc_plain(im->c, r[1]);
   r[2] = r[0];
   r[3] = r[1];
   vim_store(im, &inst->dst[0], r);
}

bool
vim_alu(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r[4] = { { 0 } };

   switch (inst->op) {
   case IL_OP_CMOV:
      conditional_move(im, inst);
      return true;
   case IL_OP_F_2_U4:
      vim_store1(im, &inst->dst[0], pack(im, inst));
      return true;
   case IL_OP_RSQ:
      vim_store1(im, &inst->dst[0],
                 by_zeroop(im, vc_op1(c, OP(FRSQ_F32), vim_src(im, &inst->src[0], 3))));
      return true;
   case IL_OP_LOG:
      r[0] = logarithm(c, vim_src(im, &inst->src[0], 3));
      vim_store1(im, &inst->dst[0],
                 il_zeroop(inst) == IL_ZEROOP_FLTMAX ? limit_infinity(c, r[0], false) : r[0]);
      return true;
   case IL_OP_D_MOV:
      move_double(im, inst);
      return true;
   default:
      break;
   }
   if (il_op_info(inst->op)->unit == IL_UNIT_WIDE)
      return false;
   unsigned mask = il_dst_mask(&inst->dst[0]);
   for (unsigned n = 0; n < 4; n++)
      if ((mask >> n & 1 || !mask) && !component(im, inst, n, &r[n]))
         return false;
   vim_store(im, &inst->dst[0], r);
   return true;
}

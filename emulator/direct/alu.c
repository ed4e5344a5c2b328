/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on 32-bit components (7.7 - 7.11, 7.13).
 *
 * The order of operations is the document's own formula, one device operation for each of its
 * signs; what an operation without a control for it does with 0 * NaN is IEEE's.  Where the
 * document gives no formula: a / b is a * (1 / b), sin and cos bring their argument into one turn
 * first, the power is exp2(log2(a) * b) with 0 * NaN = 0, that of lit the same with IEEE's product,
 * and il/inverse.h has the inverse functions.
 */
#include "direct/lift.h"

#include <string.h>

#include "il/inverse.h"

/* Operations of one component each that the device has as they are. */
enum order { AS_IS, EXCHANGED, SUBTRACT };

static const struct {
   uint16_t il, op;
   uint8_t order;
} plain[] = {
#define ROW(il, op)               \
   {                              \
      IL_OP_##il, UOP_##op, AS_IS \
   }
#define ROW_BA(il, op)                \
   {                                  \
      IL_OP_##il, UOP_##op, EXCHANGED \
   }
   ROW(ADD, ADD),
   { IL_OP_SUB, UOP_ADD, SUBTRACT },
   ROW(FMA, FMA),
   ROW(MIN, MIN_DX10),
   ROW(MAX, MAX_DX10),
   ROW(FRC, FRACT),
   ROW(CLG, CEIL),
   ROW(FLR, FLOOR),
   ROW(TRC, TRUNC),
   ROW(ROUND_NEAR, RNDNE),
   ROW(ROUND_NEG_INF, FLOOR),
   ROW(ROUND_PLUS_INF, CEIL),
   ROW(ROUND_ZERO, TRUNC),
   ROW(EQ, SETE_DX10),
   ROW(NE, SETNE_DX10),
   ROW(GE, SETGE_DX10),
   ROW_BA(LT, SETGT_DX10),
   ROW(EXP_VEC, EXP_IEEE),
   ROW(LOG_VEC, LOG_IEEE),
   ROW(RSQ_VEC, RECIPSQRT_IEEE),
   ROW(SQRT_VEC, SQRT_IEEE),
   ROW(AND, AND_INT),
   ROW(I_OR, OR_INT),
   ROW(I_XOR, XOR_INT),
   ROW(I_NOT, NOT_INT),
   ROW(I_ADD, ADD_INT),
   ROW(I_MIN, MIN_INT),
   ROW(I_MAX, MAX_INT),
   ROW(U_MIN, MIN_UINT),
   ROW(U_MAX, MAX_UINT),
   ROW(I_MUL, MULLO_INT),
   ROW(U_MUL, MULLO_UINT),
   ROW(I_MUL_HIGH, MULHI_INT),
   ROW(U_MUL_HIGH, MULHI_UINT),
   ROW(I_MUL24, MUL_INT24),
   ROW(U_MUL24, MUL_UINT24),
   ROW(I_MUL24_HIGH, MULHI_INT24),
   ROW(U_MUL24_HIGH, MULHI_UINT24),
   ROW(I_MAD24, MULADD_INT24),
   ROW(U_MAD24, MULADD_UINT24),
   ROW(I_EQ, SETE_INT),
   ROW(I_NE, SETNE_INT),
   ROW(I_GE, SETGE_INT),
   ROW_BA(I_LT, SETGT_INT),
   ROW(U_GE, SETGE_UINT),
   ROW_BA(U_LT, SETGT_UINT),
   ROW(I_SHL, LSHL_INT), /* by the low five bits of the count */
   ROW(I_SHR, ASHR_INT),
   ROW(U_SHR, LSHR_INT),
   ROW(I_CARRY, ADDC_UINT),
   ROW(I_BORROW, SUBB_UINT),
   ROW(ITOF, INT_TO_FLT),
   ROW(UTOF, UINT_TO_FLT),
   ROW(FTOU, FLT_TO_UINT),
   ROW(FTOI_RPI, FLT_TO_INT_RPI),
   ROW(FTOI_FLR, FLT_TO_INT_FLOOR),
   ROW(F_2_F16, FLT32_TO_FLT16),
   ROW(F_2_F16_NEAR, FLT32_TO_FLT16),
   ROW(F16_2_F, FLT16_TO_FLT32),
   ROW(UNPACK0, UBYTE0_FLT),
   ROW(UNPACK1, UBYTE1_FLT),
   ROW(UNPACK2, UBYTE2_FLT),
   ROW(UNPACK3, UBYTE3_FLT),
   ROW(I_COUNTBITS, BCNT_INT),
   ROW(U_BIT_REVERSE, BFREV_INT),
   ROW(BIT_ALIGN, BIT_ALIGN_INT),
   ROW(BYTE_ALIGN, BYTE_ALIGN_INT),
   ROW(U4LERP, LERP_UINT),
   ROW(SAD, SAD_ACCUM_UINT),
   ROW(SAD_HI, SAD_ACCUM_HI_UINT),
#undef ROW
#undef ROW_BA
};

static struct uop_operand
number(struct direct *d, float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return direct_literal(d, bits);
}

/* 1 / x, 1 / sqrt(x), log2(x) by what the instruction says of zero (6.33). */
static struct uop_operand
by_zeroop(struct direct *d, unsigned ieee, unsigned clamped, unsigned zero, struct uop_operand v)
{
   switch (d->inst->ctl & 3) {
   case IL_ZEROOP_FLTMAX:
      return direct_op(d, clamped, v, v, v);
   case IL_ZEROOP_0:
      return direct_op(d, zero, v, v, v);
   default:
      return direct_op(d, ieee, v, v, v);
   }
}

static struct uop_operand
reciprocal(struct direct *d, struct uop_operand v)
{
   return by_zeroop(d, UOP_RECIP_IEEE, UOP_RECIP_CLAMPED, UOP_RECIP_FF, v);
}

static struct uop_operand
inverse_root(struct direct *d, struct uop_operand v)
{
   return by_zeroop(d, UOP_RECIPSQRT_IEEE, UOP_RECIPSQRT_CLAMPED, UOP_RECIPSQRT_FF, v);
}

static struct uop_operand
logarithm(struct direct *d, struct uop_operand v)
{
   return by_zeroop(d, UOP_LOG_IEEE, UOP_LOG_CLAMPED, UOP_LOG_IEEE, v);
}

/* a / b; of b = 0 what the instruction says (6.33). */
struct uop_operand
direct_divide(struct direct *d, struct uop_operand a, struct uop_operand b, unsigned zeroop)
{
   struct uop_operand q = DOP2(MUL_IEEE, a, DOP1(RECIP_IEEE, b));
   if (zeroop == IL_ZEROOP_FLTMAX) {
      struct uop_operand largest =
         DOP3(BFI_INT, direct_literal(d, 0x7fffffff), direct_literal(d, 0x7f7fffff), a);
      return DOP3(CNDE, b, largest, q);
   }
   return zeroop == IL_ZEROOP_0 ? DOP3(CNDE, b, direct_literal(d, 0), q) : q;
}

/* -1, 0 or 1; a NaN is neither below nor equal (7-203). */
struct uop_operand
direct_sign(struct direct *d, struct uop_operand v)
{
   return DOP3(CNDGT, uop_neg(v), number(d, -1.0f),
               DOP3(CNDE, v, direct_literal(d, 0), number(d, 1.0f)));
}

/* x / 2 pi, moved to [-0.5, 0.5): what SIN and COS take. */
static struct uop_operand
turns(struct direct *d, struct uop_operand v)
{
   v = DOP3(MULADD_IEEE, v, direct_literal(d, 0x3e22f983), number(d, 0.5f));
   return DOP2(ADD, DOP1(FRACT, v), number(d, -0.5f));
}

static struct uop_operand
power(struct direct *d, struct uop_operand a, struct uop_operand b)
{
   return DOP1(EXP_IEEE, DOP2(MUL, DOP1(LOG_IEEE, a), b));
}

/* c[0] + x (c[1] + x (c[2] + ...)) */
static struct uop_operand
polynomial(struct direct *d, struct uop_operand x, const float *c, unsigned count)
{
   struct uop_operand sum = number(d, c[count - 1]);

   for (unsigned i = count - 1; i-- > 0;) {
      sum = DOP3(MULADD_IEEE, sum, x, number(d, c[i]));
   }
   return sum;
}

static struct uop_operand
with_sign_of(struct direct *d, struct uop_operand magnitude, struct uop_operand sign)
{
   return DOP3(BFI_INT, direct_literal(d, 0x7fffffff), magnitude, sign);
}

static struct uop_operand
inverse(struct direct *d, unsigned op, struct uop_operand x)
{
   struct uop_operand half_pi = direct_literal(d, IL_HALF_PI), pi = direct_literal(d, IL_PI);
   struct uop_operand one = number(d, 1.0f), a = uop_abs(x), r;

   if (op == IL_OP_ATAN) {
      struct uop_operand large = DOP2(SETGT_DX10, a, one);
      struct uop_operand t = DOP3(CNDE_INT, large, a, DOP1(RECIP_IEEE, a));
      r = DOP2(MUL_IEEE, t, polynomial(d, DOP2(MUL_IEEE, t, t), il_atan_term, IL_ATAN_TERMS));
      r = DOP3(CNDE_INT, large, r, DOP2(ADD, half_pi, uop_neg(r)));
      return with_sign_of(d, r, x);
   }
   r = DOP1(SQRT_IEEE, DOP2(ADD, one, uop_neg(a)));
   r = DOP2(MUL_IEEE, r, polynomial(d, a, il_acos_term, IL_ACOS_TERMS));
   if (op == IL_OP_ASIN) {
      return with_sign_of(d, DOP2(ADD, half_pi, uop_neg(r)), x);
   }
   return DOP3(CNDGE, x, r, DOP2(ADD, pi, uop_neg(r)));
}

/* All ones or zero. */
static struct uop_operand
compare(struct direct *d, unsigned relop, struct uop_operand a, struct uop_operand b)
{
   switch (relop) {
   case IL_RELOP_NE:
      return DOP2(SETNE_DX10, a, b);
   case IL_RELOP_EQ:
      return DOP2(SETE_DX10, a, b);
   case IL_RELOP_GE:
      return DOP2(SETGE_DX10, a, b);
   case IL_RELOP_GT:
      return DOP2(SETGT_DX10, a, b);
   case IL_RELOP_LE:
      return DOP2(SETGE_DX10, b, a);
   default:
      return DOP2(SETGT_DX10, b, a);
   }
}

/* The middle one of three. */
static struct uop_operand
median(struct direct *d, unsigned min, unsigned max, const struct uop_operand s[4])
{
   struct uop_operand low = direct_op(d, min, s[0], s[1], s[1]);
   struct uop_operand high = direct_op(d, max, s[0], s[1], s[1]);
   struct uop_operand third = direct_op(d, min, high, s[2], s[2]);
   return direct_op(d, max, low, third, third);
}

static struct uop_operand
of_three(struct direct *d, unsigned op, const struct uop_operand s[4])
{
   return direct_op(d, op, direct_op(d, op, s[0], s[1], s[1]), s[2], s[2]);
}

/* As the state of the colour says that the source's number is (7-156); a NaN stays one. */
static struct uop_operand
clamped_colour(struct direct *d, struct uop_operand v)
{
   struct uop_operand mode = direct_state(d, 2, d->inst->src[0].r.num, 8), r, low,
                      one = number(d, 1.0f);
   struct uop_operand zero = direct_literal(d, 0), minus = number(d, -1.0f);
   struct uop_operand from_0 = DOP2(SETE_INT, mode, direct_literal(d, IL_COLORCLAMP_0_1));
   struct uop_operand from_1 = DOP2(SETE_INT, mode, direct_literal(d, IL_COLORCLAMP_NEG_1_1));

   low = DOP3(CNDE_INT, DOP2(SETGE_DX10, zero, v), v, zero);
   r = DOP3(CNDE_INT, from_0, v, low);
   low = DOP3(CNDE_INT, DOP2(SETGT_DX10, minus, v), v, minus);
   r = DOP3(CNDE_INT, from_1, r, low);
   low = DOP3(CNDE_INT, DOP2(SETGT_DX10, r, one), r, one);
   return DOP3(CNDE_INT, DOP2(OR_INT, from_0, from_1), r, low);
}

/* One component of an instruction that works by components.  False: it does not. */
static bool
component(struct direct *d, const struct il_inst *inst, unsigned comp, struct uop_operand *r)
{
   static const float bound[5] = { 0.0f, 0.5f, 1.0f, -0.5f, -1.0f };
   struct uop_operand s[4], zero = direct_literal(d, 0);
   const struct il_op_info *info = il_op_info(inst->op);
   uint32_t pool = d->pool, uops = d->p->code.num_uops;

   if (inst->op == IL_OP_PROJECT) {
      *r = direct_src(d, &inst->src[0], comp);
      return true;
   }
   if (info->category == IL_CAT_FLOW || info->category == IL_CAT_LDS ||
       info->category == IL_CAT_UAV || info->category == IL_CAT_IO) {
      return false;
   }
   for (unsigned n = 0; n < 4; n++) {
      s[n] = n < inst->nsrc ? direct_src(d, &inst->src[n], comp) : zero;
   }
   for (unsigned i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
      if (plain[i].il == inst->op) {
         struct uop_operand a = s[0], b = plain[i].order == SUBTRACT ? uop_neg(s[1]) : s[1];
         *r = plain[i].order == EXCHANGED ? direct_op(d, plain[i].op, b, a, s[2])
                                          : direct_op(d, plain[i].op, a, b, s[2]);
         return true;
      }
   }

   switch (inst->op) {
   case IL_OP_MOV:
   case IL_OP_INV_MOV:
      *r = s[0];
      return true;
   case IL_OP_COLORCLAMP:
      *r = clamped_colour(d, s[0]);
      return true;
   case IL_OP_ABS:
      *r = uop_abs(s[0]);
      return true;
   case IL_OP_MUL:
      *r = il_ieee(inst) ? DOP2(MUL_IEEE, s[0], s[1]) : DOP2(MUL, s[0], s[1]);
      return true;
   case IL_OP_MAD:
      *r = il_ieee(inst) ? DOP3(MULADD_IEEE, s[0], s[1], s[2]) : DOP3(MULADD, s[0], s[1], s[2]);
      return true;
   case IL_OP_RCP_VEC:
      *r = reciprocal(d, s[0]);
      return true;
   case IL_OP_DIV:
      *r = direct_divide(d, s[0], s[1], inst->ctl & 3);
      return true;
   case IL_OP_RND:
      *r = DOP1(FLOOR, DOP2(ADD, s[0], number(d, 0.5f)));
      return true;
   case IL_OP_SIN_VEC:
      *r = DOP1(SIN, turns(d, s[0]));
      return true;
   case IL_OP_COS_VEC:
      *r = DOP1(COS, turns(d, s[0]));
      return true;
   case IL_OP_CMOV_LOGICAL:
      *r = DOP3(CNDE_INT, s[0], s[2], s[1]);
      return true;
   case IL_OP_CMP:
      *r = DOP3(CNDE_INT,
                compare(d, inst->ctl & 7, s[0],
                        number(d, bound[(inst->ctl >> 5 & 7) < 5 ? inst->ctl >> 5 & 7 : 0])),
                s[2], s[1]);
      return true;
   case IL_OP_SET:
      *r = DOP2(AND_INT, compare(d, inst->ctl & 7, s[0], s[1]), number(d, 1.0f));
      return true;
   case IL_OP_CLAMP:
      *r = DOP2(MIN_DX10, DOP2(MAX_DX10, s[0], s[1]), s[2]);
      return true;
   case IL_OP_LRP:
      *r = DOP3(MULADD_IEEE, s[1], s[0],
                DOP2(MUL_IEEE, s[2], DOP2(ADD, number(d, 1.0f), uop_neg(s[0]))));
      return true;
   case IL_OP_SGN:
      *r = direct_sign(d, s[0]);
      return true;
   case IL_OP_MOD:
      *r = DOP1(TRUNC, DOP2(MUL_IEEE, s[0], DOP1(RECIP_IEEE, s[1])));
      *r = DOP3(CNDE, s[1], s[0], DOP3(MULADD_IEEE, uop_neg(s[1]), *r, s[0]));
      return true;
   case IL_OP_PIREDUCE:
      *r = DOP3(MULADD_IEEE, s[0], direct_literal(d, 0x3e22f983), number(d, 0.5f));
      *r = DOP3(MULADD_IEEE, DOP1(FRACT, *r), direct_literal(d, 0x40c90fdb),
                direct_literal(d, 0xc0490fdb));
      return true;
   case IL_OP_MIN3:
      *r = of_three(d, UOP_MIN_DX10, s);
      return true;
   case IL_OP_MAX3:
      *r = of_three(d, UOP_MAX_DX10, s);
      return true;
   case IL_OP_MED3:
      *r = median(d, UOP_MIN_DX10, UOP_MAX_DX10, s);
      return true;
   case IL_OP_I_MIN3:
      *r = of_three(d, UOP_MIN_INT, s);
      return true;
   case IL_OP_I_MAX3:
      *r = of_three(d, UOP_MAX_INT, s);
      return true;
   case IL_OP_I_MED3:
      *r = median(d, UOP_MIN_INT, UOP_MAX_INT, s);
      return true;
   case IL_OP_U_MIN3:
      *r = of_three(d, UOP_MIN_UINT, s);
      return true;
   case IL_OP_U_MAX3:
      *r = of_three(d, UOP_MAX_UINT, s);
      return true;
   case IL_OP_U_MED3:
      *r = median(d, UOP_MIN_UINT, UOP_MAX_UINT, s);
      return true;
   case IL_OP_I_NEGATE:
      *r = DOP2(SUB_INT, zero, s[0]);
      return true;
   case IL_OP_I_MAD:
   case IL_OP_U_MAD:
      *r = DOP2(ADD_INT, DOP2(MULLO_INT, s[0], s[1]), s[2]);
      return true;
#define IL_SCALAR(name, ...)                              \
   case IL_OP_##name:                                     \
      *r = direct_op(d, UOP_IL_##name, s[0], s[1], s[2]); \
      return true;
#include "uop/uops.def"
   case IL_OP_MOVA:
      *r = DOP1(FLT_TO_INT, inst->ctl & 1 ? DOP1(RNDNE, s[0]) : DOP1(FLOOR, s[0]));
      return true;
   case IL_OP_FTOI:
      *r = DOP1(FLT_TO_INT, DOP1(TRUNC, s[0]));
      return true;
   case IL_OP_I_FIRSTBIT:
      *r = inst->ctl == IL_FIRSTBIT_TYPE_LOW_UINT    ? DOP1(FFBL_INT, s[0])
           : inst->ctl == IL_FIRSTBIT_TYPE_HIGH_UINT ? DOP1(FFBH_UINT, s[0])
                                                     : DOP1(FFBH_INT, s[0]);
      return true;
   case IL_OP_I_BIT_EXTRACT: /* width, offset, value */
      *r = DOP3(BFE_INT, s[2], s[1], s[0]);
      return true;
   case IL_OP_U_BIT_EXTRACT:
      *r = DOP3(BFE_UINT, s[2], s[1], s[0]);
      return true;
   case IL_OP_U_BIT_INSERT: /* width, offset, bits, base */
      *r = DOP3(BFI_INT, DOP2(BFM_INT, s[0], s[1]), DOP2(LSHL_INT, s[2], s[1]), s[3]);
      return true;
   default:
      break;
   }
   if (!d->p->head.core.error) {
      d->pool = pool;
      d->p->code.num_uops = uops;
   }
   return false;
}

/* --- one result from w, for all components ---------------------------------------------------- */
static bool
scalar(struct direct *d, const struct il_inst *inst, struct uop_operand *r)
{
   switch (inst->op) {
   case IL_OP_RCP:
   case IL_OP_RSQ:
   case IL_OP_SQRT:
   case IL_OP_EXP:
   case IL_OP_EXN:
   case IL_OP_LOG:
   case IL_OP_LN:
   case IL_OP_SIN:
   case IL_OP_COS:
   case IL_OP_TAN:
   case IL_OP_POW:
   case IL_OP_ACOS:
   case IL_OP_ASIN:
   case IL_OP_ATAN:
      break;
   default:
      return false;
   }
   struct uop_operand w = direct_src(d, &inst->src[0], 3);
   switch (inst->op) {
   case IL_OP_RCP:
      *r = reciprocal(d, w);
      break;
   case IL_OP_RSQ:
      *r = inverse_root(d, w);
      break;
   case IL_OP_SQRT:
      *r = DOP1(SQRT_IEEE, w);
      break;
   case IL_OP_EXP:
      *r = DOP1(EXP_IEEE, w);
      break;
   case IL_OP_EXN:
      *r = DOP1(EXP_IEEE, DOP2(MUL_IEEE, w, direct_literal(d, 0x3fb8aa3b)));
      break;
   case IL_OP_LOG:
      *r = logarithm(d, w);
      break;
   case IL_OP_LN:
      *r = DOP2(MUL_IEEE, DOP1(LOG_IEEE, w), direct_literal(d, 0x3f317218));
      if ((inst->ctl & 3) == IL_ZEROOP_FLTMAX) {
         *r = DOP3(CNDE, w, direct_literal(d, 0xff7fffff), *r);
      }
      break;
   case IL_OP_SIN:
      *r = DOP1(SIN, turns(d, w));
      break;
   case IL_OP_COS:
      *r = DOP1(COS, turns(d, w));
      break;
   case IL_OP_TAN:
      w = turns(d, w);
      *r = DOP2(MUL_IEEE, DOP1(SIN, w), DOP1(RECIP_IEEE, DOP1(COS, w)));
      break;
   case IL_OP_ACOS:
   case IL_OP_ASIN:
   case IL_OP_ATAN:
      *r = inverse(d, inst->op, w);
      break;
   default:
      *r = power(d, w, direct_src(d, &inst->src[1], 3));
      break;
   }
   return true;
}

/* --- a result of its own in every component --------------------------------------------------- */
static bool
vector(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   const struct il_src *src = inst->src;
   struct uop_operand zero = direct_literal(d, 0), one = number(d, 1.0f), v, w;

   switch (inst->op) {
   case IL_OP_EXPP:
      w = direct_src(d, &src[0], 3);
      v = DOP1(FLOOR, w);
      r[0] = DOP1(EXP_IEEE, v);
      r[1] = DOP1(FRACT, w);
      r[2] = DOP1(EXP_IEEE, w);
      r[3] = one;
      return true;
   case IL_OP_LOGP:
      w = direct_src(d, &src[0], 3);
      v = logarithm(d, w);
      r[0] = DOP1(FLOOR, v);
      r[1] = DOP2(MUL_IEEE, w, DOP1(RECIP_IEEE, DOP1(EXP_IEEE, r[0])));
      r[2] = v;
      r[3] = one;
      return true;
   case IL_OP_SINCOS:
   case IL_OP_DXSINCOS:
      w = turns(d, direct_src(d, &src[0], 3));
      r[0] = DOP1(COS, w);
      r[1] = DOP1(SIN, w);
      r[2] = r[3] = zero;
      return true;
   case IL_OP_LIT: {
      struct uop_operand x = direct_src(d, &src[0], 0), y = direct_src(d, &src[0], 1);
      struct uop_operand limit = number(d, 128.0f); /* less epsilon, which rounds to the same */
      w = DOP2(MIN_DX10, DOP2(MAX_DX10, direct_src(d, &src[0], 3), uop_neg(limit)), limit);
      r[0] = r[3] = one;
      r[1] = DOP3(CNDGT, x, x, zero);
      v = DOP1(EXP_IEEE, DOP2(MUL_IEEE, w, DOP1(LOG_IEEE, y)));
      r[2] = DOP3(CNDGT, x, DOP3(CNDGT, y, v, zero), zero);
      return true;
   }
   case IL_OP_DST:
      r[0] = one;
      r[1] = DOP2(MUL_IEEE, direct_src(d, &src[0], 1), direct_src(d, &src[1], 1));
      r[2] = direct_src(d, &src[0], 2);
      r[3] = direct_src(d, &src[1], 3);
      return true;
   case IL_OP_SAD_4: {
      v = direct_src(d, &src[2], 0);
      for (unsigned c = 0; c < 4; c++) {
         v = DOP3(SAD_ACCUM_UINT, direct_src(d, &src[0], c), direct_src(d, &src[1], c), v);
      }
      r[0] = r[1] = r[2] = r[3] = v;
      return true;
   }
   case IL_OP_F_2_U4: {
      for (unsigned c = 0; c < 4; c++) {
         r[c] = direct_src(d, &src[0], c);
      }
      uint32_t to = direct_temp(d);
      struct uop *u = uop_add(&d->b, UOP_FLT_TO_UINT4);
      for (unsigned c = 0; c < 4; c++) {
         u[c].src[0] = r[c];
      }
      u->dst = to;
      u->p.group.writes = 1;
      r[0] = r[1] = r[2] = r[3] = direct_at(to);
      return true;
   }
   default:
      return false;
   }
}

/* Components whose condition is zero stay as they are, those that the mask forces to 0 or 1 too. */
static void
conditional_move(struct direct *d, const struct il_inst *inst)
{
   struct il_dst all = inst->dst[0];
   struct uop_operand r[4];

   all.clamp = false;
   all.shift = IL_SHIFT_NONE;
   for (unsigned c = 0; c < 4; c++) {
      struct il_dst one = inst->dst[0];
      unsigned how = il_dst_comp(&one, c);
      if (how == IL_MODCOMP_NOWRITE) {
         continue;
      }
      uint32_t at = direct_place(d, &one.r, c);
      if (!at) {
         direct_refuse(d, "a conditional move to an indexed element");
         return;
      }
      struct uop_operand v = how == IL_MODCOMP_WRITE
                                ? direct_modify(d, &one, direct_src(d, &inst->src[1], c))
                                : number(d, how == IL_MODCOMP_1 ? 1.0f : 0.0f);
      r[c] = DOP3(CNDE, direct_src(d, &inst->src[0], c), direct_at(at), v);
      all.comp[c] = IL_MODCOMP_WRITE;
   }
   direct_store(d, &all, r);
}

bool
direct_alu(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand r[4];

   if (inst->ndst != 1) {
      return false;
   }
   if (inst->op == IL_OP_CMOV) {
      conditional_move(d, inst);
      return true;
   }
   if (scalar(d, inst, &r[0])) {
      r[1] = r[2] = r[3] = r[0];
   } else if (!vector(d, inst, r)) {
      unsigned mask = il_dst_mask(&inst->dst[0]);
      for (unsigned c = 0; c < 4; c++) {
         if ((mask >> c & 1 || !mask) && !component(d, inst, c, &r[c])) {
            return false;
         }
      }
   }
   direct_store(d, &inst->dst[0], r);
   return true;
}

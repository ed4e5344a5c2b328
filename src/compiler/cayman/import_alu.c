/* SPDX-License-Identifier: MIT */
/*
 * Import of arithmetic.
 *
 * Most IL operations are one Cayman operation a component: the table.  The rest is built here:
 * dot products as DOT4, sine and cosine with their argument brought into one turn, shifts with
 * their count masked, integer division (Cayman has no integer reciprocal).
 */
#include "import.h"

/* How the IL sources become Cayman's. */
enum order {
   AB,  /* as they are; also one or three operands */
   BA,  /* exchanged: Cayman has only > and >= */
   A_NB /* a - b */
};

struct simple {
   uint16_t il, op;
   uint8_t order;
};

static const struct simple table[] = {
   { IL_OP_ADD, CAYMAN_ALU_ADD, AB },
   { IL_OP_SUB, CAYMAN_ALU_ADD, A_NB },
   { IL_OP_FMA, CAYMAN_ALU_FMA, AB },
   { IL_OP_MAX, CAYMAN_ALU_MAX_DX10, AB },
   { IL_OP_MIN, CAYMAN_ALU_MIN_DX10, AB },
   { IL_OP_FRC, CAYMAN_ALU_FRACT, AB },
   { IL_OP_FLR, CAYMAN_ALU_FLOOR, AB },
   { IL_OP_TRC, CAYMAN_ALU_TRUNC, AB },
   { IL_OP_CLG, CAYMAN_ALU_CEIL, AB },
   { IL_OP_ROUND_NEAR, CAYMAN_ALU_RNDNE, AB },
   { IL_OP_ROUND_NEG_INF, CAYMAN_ALU_FLOOR, AB },
   { IL_OP_ROUND_PLUS_INF, CAYMAN_ALU_CEIL, AB },
   { IL_OP_ROUND_ZERO, CAYMAN_ALU_TRUNC, AB },
   { IL_OP_EQ, CAYMAN_ALU_SETE_DX10, AB },
   { IL_OP_NE, CAYMAN_ALU_SETNE_DX10, AB },
   { IL_OP_GE, CAYMAN_ALU_SETGE_DX10, AB },
   { IL_OP_LT, CAYMAN_ALU_SETGT_DX10, BA },
   { IL_OP_EXP_VEC, CAYMAN_ALU_EXP_IEEE, AB },
   { IL_OP_SQRT_VEC, CAYMAN_ALU_SQRT_IEEE, AB },
   { IL_OP_AND, CAYMAN_ALU_AND_INT, AB },
   { IL_OP_I_OR, CAYMAN_ALU_OR_INT, AB },
   { IL_OP_I_XOR, CAYMAN_ALU_XOR_INT, AB },
   { IL_OP_I_NOT, CAYMAN_ALU_NOT_INT, AB },
   { IL_OP_I_ADD, CAYMAN_ALU_ADD_INT, AB },
   { IL_OP_I_MAX, CAYMAN_ALU_MAX_INT, AB },
   { IL_OP_I_MIN, CAYMAN_ALU_MIN_INT, AB },
   { IL_OP_U_MAX, CAYMAN_ALU_MAX_UINT, AB },
   { IL_OP_U_MIN, CAYMAN_ALU_MIN_UINT, AB },
   { IL_OP_I_MUL, CAYMAN_ALU_MULLO_INT, AB },
   { IL_OP_I_MUL_HIGH, CAYMAN_ALU_MULHI_INT, AB },
   { IL_OP_U_MUL, CAYMAN_ALU_MULLO_UINT, AB },
   { IL_OP_U_MUL_HIGH, CAYMAN_ALU_MULHI_UINT, AB },
   { IL_OP_I_MUL24, CAYMAN_ALU_MUL_INT24, AB },
   { IL_OP_I_MUL24_HIGH, CAYMAN_ALU_MULHI_INT24, AB },
   { IL_OP_U_MUL24, CAYMAN_ALU_MUL_UINT24, AB },
   { IL_OP_U_MUL24_HIGH, CAYMAN_ALU_MULHI_UINT24, AB },
   { IL_OP_U_MAD24, CAYMAN_ALU_MULADD_UINT24, AB },
   { IL_OP_I_MAD24, CAYMAN_ALU_MULADD_INT24, AB },
   { IL_OP_I_EQ, CAYMAN_ALU_SETE_INT, AB },
   { IL_OP_I_NE, CAYMAN_ALU_SETNE_INT, AB },
   { IL_OP_I_GE, CAYMAN_ALU_SETGE_INT, AB },
   { IL_OP_I_LT, CAYMAN_ALU_SETGT_INT, BA },
   { IL_OP_U_GE, CAYMAN_ALU_SETGE_UINT, AB },
   { IL_OP_U_LT, CAYMAN_ALU_SETGT_UINT, BA },
   { IL_OP_I_CARRY, CAYMAN_ALU_ADDC_UINT, AB },
   { IL_OP_I_BORROW, CAYMAN_ALU_SUBB_UINT, AB },
   { IL_OP_ITOF, CAYMAN_ALU_INT_TO_FLT, AB },
   { IL_OP_UTOF, CAYMAN_ALU_UINT_TO_FLT, AB },
   { IL_OP_FTOU, CAYMAN_ALU_FLT_TO_UINT, AB },
   { IL_OP_FTOI_RPI, CAYMAN_ALU_FLT_TO_INT_RPI, AB },
   { IL_OP_FTOI_FLR, CAYMAN_ALU_FLT_TO_INT_FLOOR, AB },
   { IL_OP_F_2_F16, CAYMAN_ALU_FLT32_TO_FLT16, AB },
   { IL_OP_F_2_F16_NEAR, CAYMAN_ALU_FLT32_TO_FLT16, AB },
   { IL_OP_F16_2_F, CAYMAN_ALU_FLT16_TO_FLT32, AB },
   { IL_OP_UNPACK0, CAYMAN_ALU_UBYTE0_FLT, AB },
   { IL_OP_UNPACK1, CAYMAN_ALU_UBYTE1_FLT, AB },
   { IL_OP_UNPACK2, CAYMAN_ALU_UBYTE2_FLT, AB },
   { IL_OP_UNPACK3, CAYMAN_ALU_UBYTE3_FLT, AB },
   { IL_OP_I_COUNTBITS, CAYMAN_ALU_BCNT_INT, AB },
   { IL_OP_U_BIT_REVERSE, CAYMAN_ALU_BFREV_INT, AB },
   { IL_OP_BIT_ALIGN, CAYMAN_ALU_BIT_ALIGN_INT, AB },
   { IL_OP_BYTE_ALIGN, CAYMAN_ALU_BYTE_ALIGN_INT, AB },
   { IL_OP_U4LERP, CAYMAN_ALU_LERP_UINT, AB },
   { IL_OP_SAD, CAYMAN_ALU_SAD_ACCUM_UINT, AB },
   { IL_OP_SAD_HI, CAYMAN_ALU_SAD_ACCUM_HI_UINT, AB },
};

unsigned
im_zero_op(unsigned zeroop, unsigned ieee, unsigned clamped, unsigned ff)
{
   switch (zeroop & 3) {
   case IL_ZEROOP_FLTMAX:
      return clamped;
   case IL_ZEROOP_0:
      return ff;
   default:
      return ieee;
   }
}

struct operand
im_divide(struct importer *im, struct operand a, struct operand b, unsigned zeroop)
{
   struct operand q = E2(MUL_IEEE, a, E1(RECIP_IEEE, b));

   switch (zeroop & 3) {
   case IL_ZEROOP_FLTMAX:
      return E3(CNDE, b, E3(BFI_INT, op_const(0x7fffffff), op_const(0x7f7fffff), a), q);
   case IL_ZEROOP_0:
      return E3(CNDE, b, op_const(0), q);
   default:
      return q;
   }
}

/* -1, 0 or 1; of NaN 1 (7-203). */
struct operand
im_sign(struct importer *im, struct operand x)
{
   return E3(CNDGT, op_neg(x), op_float(-1), E3(CNDE, x, op_const(0), op_float(1)));
}

struct operand
im_dot(struct importer *im, const struct operand a[4], const struct operand b[4], bool ieee)
{
   struct compiler *c = im->c;
   struct inst *d = cc_alu_inst(c, SHAPE_FIXED, 4);
   value_id v = cc_value(c);

   for (unsigned i = 0; i < 4; i++) {
      d->lane[i].op = ieee ? CAYMAN_ALU_DOT4_IEEE : CAYMAN_ALU_DOT4;
      d->lane[i].slot = i;
      d->lane[i].src[0] = a[i];
      d->lane[i].src[1] = b[i];
   }
   d->lane[0].dst = v;
   c->values[v].def = d;
   return op_value(v);
}

static struct operand
dot(struct importer *im, const struct il_inst *inst, unsigned n)
{
   struct operand a[4], b[4];
   bool ieee = il_ieee(inst);

   /* By the IEEE rules what is left out is -0, which no sum notices: slots can go without. */
   for (unsigned i = 0; i < 4; i++) {
      a[i] = i < n ? im_src(im, &inst->src[0], i) : op_const(0);
      b[i] = i < n ? im_src(im, &inst->src[1], i) : op_const(ieee ? 0x80000000 : 0);
   }
   struct operand sum = im_dot(im, a, b, ieee);
   im->c->values[sum.value].def->terms = ieee && n < 4 ? n : 0;
   return sum;
}

/* SIN and COS take turns and only |x| <= 256: x / 2pi, its fraction moved to [-0.5, 0.5). */
struct operand
im_turns(struct importer *im, struct operand x)
{
   struct operand t =
      op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, x, op_const(0x3e22f983), op_float(0.5f)));
   t = op_value(im_emit1(im, CAYMAN_ALU_FRACT, t));
   return op_value(im_emit2(im, CAYMAN_ALU_ADD, t, op_float(-0.5f)));
}

static struct operand
masked_count(struct importer *im, struct operand count)
{
   count = im_plain(im, count);
   if (count.kind == OPERAND_CONST) {
      return op_const(count.value & 31);
   }
   return op_value(im_emit2(im, CAYMAN_ALU_AND_INT, count, op_const(31)));
}

/*
 * Unsigned division.  r = 2^32 / b from the float reciprocal, a little too small; one Newton step
 * in integers; then quotient and remainder, each wrong by at most two, are put right.  Exact for
 * all operands; b = 0 gives ~0 for both.
 */
static struct operand
divide(struct importer *im, struct operand a, struct operand b, bool want_remainder)
{
   a = im_plain(im, a);
   b = im_plain(im, b);
   struct operand f = E1(RECIP_IEEE, E1(UINT_TO_FLT, b));
   struct operand r = E1(FLT_TO_UINT, E2(MUL_IEEE, f, op_const(0x4f7ffffe)));
   struct operand error = E2(SUB_INT, op_const(0), E2(MULLO_UINT, b, r));
   r = E2(ADD_INT, r, E2(MULHI_UINT, r, error));
   struct operand q = E2(MULHI_UINT, a, r);
   struct operand m = E2(SUB_INT, a, E2(MULLO_UINT, q, b));
   for (int step = 0; step < 2; step++) {
      struct operand more = E2(SETGE_UINT, m, b); /* ~0 or 0 */
      if (!want_remainder) {
         q = E2(SUB_INT, q, more);
      }
      if (step == 0 || want_remainder) {
         m = E2(SUB_INT, m, E2(AND_INT, more, b));
      }
   }
   return E3(CNDE_INT, b, op_const(0xffffffff), want_remainder ? m : q);
}

static struct operand
first_bit(struct importer *im, const struct il_inst *inst, struct operand a)
{
   switch (inst->ctl) {
   case IL_FIRSTBIT_TYPE_LOW_UINT:
      return E1(FFBL_INT, a);
   case IL_FIRSTBIT_TYPE_HIGH_UINT:
      return E1(FFBH_UINT, a);
   default:
      return E1(FFBH_INT, a);
   }
}

/* The condition of SET and CMP as 1.0 or 0.0. */
static struct operand
relation(struct importer *im, unsigned relop, struct operand a, struct operand b)
{
   switch (relop) {
   case IL_RELOP_NE:
      return E2(SETNE, a, b);
   case IL_RELOP_EQ:
      return E2(SETE, a, b);
   case IL_RELOP_GE:
      return E2(SETGE, a, b);
   case IL_RELOP_GT:
      return E2(SETGT, a, b);
   case IL_RELOP_LE:
      return E2(SETGE, b, a);
   default:
      return E2(SETGT, b, a);
   }
}

static struct operand
compare_with(struct importer *im, unsigned ctl, const struct operand s[3])
{
   static const float value[8] = { 0, 0.5f, 1, -0.5f, -1 };
   return E3(CNDE_INT, relation(im, ctl & 7, s[0], op_float(value[ctl >> 5 & 7])), s[2], s[1]);
}

/* One component; false: not an operation of this kind. */
static bool
component(struct importer *im, const struct il_inst *inst, unsigned comp, struct operand *result)
{
   struct operand s[4] = { { 0 } };
   unsigned n = inst->nsrc < 4 ? inst->nsrc : 4;

   switch (inst->op) {
   case IL_OP_MOV:
   case IL_OP_INV_MOV:
   case IL_OP_ABS:
   case IL_OP_MUL:
   case IL_OP_MAD:
   case IL_OP_RCP_VEC:
   case IL_OP_RSQ_VEC:
   case IL_OP_LOG_VEC:
   case IL_OP_SIN_VEC:
   case IL_OP_COS_VEC:
   case IL_OP_DIV:
   case IL_OP_CMOV_LOGICAL:
   case IL_OP_CLAMP:
   case IL_OP_LRP:
   case IL_OP_SGN:
   case IL_OP_SET:
   case IL_OP_I_NEGATE:
   case IL_OP_I_SHL:
   case IL_OP_I_SHR:
   case IL_OP_U_SHR:
   case IL_OP_I_MAD:
   case IL_OP_U_MAD:
   case IL_OP_U_DIV:
   case IL_OP_U_MOD:
   case IL_OP_FTOI:
   case IL_OP_I_FIRSTBIT:
   case IL_OP_I_BIT_EXTRACT:
   case IL_OP_U_BIT_EXTRACT:
   case IL_OP_U_BIT_INSERT:
   case IL_OP_MIN3:
   case IL_OP_MAX3:
      break;
   case IL_OP_RND:
   case IL_OP_CMP:
   case IL_OP_MOD:
   case IL_OP_PIREDUCE:
   case IL_OP_MED3:
      break;
   default:
      return im_bits(im, inst, comp, result);
   }
   for (unsigned i = 0; i < n; i++) {
      s[i] = im_src(im, &inst->src[i], comp);
   }

   switch (inst->op) {
   case IL_OP_RND:
      *result = E1(FLOOR, E2(ADD, s[0], op_float(0.5f)));
      break;
   case IL_OP_CMP:
      *result = compare_with(im, inst->ctl, s);
      break;
   case IL_OP_MOD: {
      struct operand q = E1(TRUNC, im_divide(im, s[0], s[1], IL_ZEROOP_INFINITY));
      *result = E3(CNDE, s[1], s[0], E3(MULADD_IEEE, op_neg(q), s[1], s[0]));
      break;
   }
   case IL_OP_PIREDUCE: {
      struct operand t =
         E1(FRACT, E3(MULADD_IEEE, s[0], op_const(0x3e22f983), op_float(0.5f))); /* 1 / 2 pi */
      *result = E3(MULADD_IEEE, t, op_const(0x40c90fdb), op_const(0xc0490fdb));  /* 2 pi, -pi */
      break;
   }
   case IL_OP_MED3: {
      struct operand low = E2(MIN_DX10, s[0], s[1]), high = E2(MAX_DX10, s[0], s[1]);
      *result = E2(MAX_DX10, low, E2(MIN_DX10, high, s[2]));
      break;
   }
   case IL_OP_MOV:
   case IL_OP_INV_MOV:
      *result = s[0];
      break;
   case IL_OP_ABS:
      *result = op_abs(s[0]);
      break;
   case IL_OP_MUL:
      *result = il_ieee(inst) ? E2(MUL_IEEE, s[0], s[1]) : E2(MUL, s[0], s[1]);
      break;
   case IL_OP_MAD:
      *result = il_ieee(inst) ? E3(MULADD_IEEE, s[0], s[1], s[2]) : E3(MULADD, s[0], s[1], s[2]);
      break;
   case IL_OP_RCP_VEC:
      *result = op_value(im_emit1(im,
                                  im_zero_op(inst->ctl, CAYMAN_ALU_RECIP_IEEE,
                                             CAYMAN_ALU_RECIP_CLAMPED, CAYMAN_ALU_RECIP_FF),
                                  s[0]));
      break;
   case IL_OP_RSQ_VEC:
      *result = E1(RECIPSQRT_IEEE, s[0]);
      break;
   case IL_OP_LOG_VEC:
      *result = E1(LOG_IEEE, s[0]);
      break;
   case IL_OP_SIN_VEC:
      *result = E1(SIN, im_turns(im, s[0]));
      break;
   case IL_OP_COS_VEC:
      *result = E1(COS, im_turns(im, s[0]));
      break;
   case IL_OP_DIV:
      *result = im_divide(im, s[0], s[1], inst->ctl);
      break;
   case IL_OP_CMOV_LOGICAL:
      *result = E3(CNDE_INT, s[0], s[2], s[1]);
      break;
   case IL_OP_CLAMP:
      *result = E2(MIN_DX10, E2(MAX_DX10, s[0], s[1]), s[2]);
      break;
   case IL_OP_LRP:
      *result = E3(MULADD_IEEE, s[1], s[0], E2(MUL_IEEE, s[2], E2(ADD, op_float(1), op_neg(s[0]))));
      break;
   case IL_OP_SGN:
      *result = im_sign(im, s[0]);
      break;
   case IL_OP_SET:
      *result = relation(im, inst->ctl & 7, s[0], s[1]);
      break;
   case IL_OP_I_NEGATE:
      *result = E2(SUB_INT, op_const(0), s[0]);
      break;
   case IL_OP_I_SHL:
      *result = E2(LSHL_INT, s[0], masked_count(im, s[1]));
      break;
   case IL_OP_I_SHR:
      *result = E2(ASHR_INT, s[0], masked_count(im, s[1]));
      break;
   case IL_OP_U_SHR:
      *result = E2(LSHR_INT, s[0], masked_count(im, s[1]));
      break;
   case IL_OP_I_MAD:
      *result = E2(ADD_INT, E2(MULLO_INT, s[0], s[1]), s[2]);
      break;
   case IL_OP_U_MAD:
      *result = E2(ADD_INT, E2(MULLO_UINT, s[0], s[1]), s[2]);
      break;
   case IL_OP_U_DIV:
   case IL_OP_U_MOD:
      *result = divide(im, s[0], s[1], inst->op == IL_OP_U_MOD);
      break;
   case IL_OP_FTOI:
      *result = E1(FLT_TO_INT, E1(TRUNC, s[0]));
      break;
   case IL_OP_I_FIRSTBIT:
      *result = first_bit(im, inst, s[0]);
      break;
   case IL_OP_I_BIT_EXTRACT: /* width, offset, value */
      *result = E3(BFE_INT, s[2], s[1], s[0]);
      break;
   case IL_OP_U_BIT_EXTRACT:
      *result = E3(BFE_UINT, s[2], s[1], s[0]);
      break;
   case IL_OP_U_BIT_INSERT: /* width, offset, bits, base */
      *result =
         E3(BFI_INT, E2(BFM_INT, s[0], s[1]), E2(LSHL_INT, s[2], masked_count(im, s[1])), s[3]);
      break;
   case IL_OP_MIN3:
      *result = E2(MIN_DX10, E2(MIN_DX10, s[0], s[1]), s[2]);
      break;
   case IL_OP_MAX3:
      *result = E2(MAX_DX10, E2(MAX_DX10, s[0], s[1]), s[2]);
      break;
   default:
      break;
   }
   return true;
}

static bool
from_table(struct importer *im, const struct il_inst *inst, struct operand result[4])
{
   const struct simple *row = NULL;
   unsigned mask = il_dst_mask(&inst->dst[0]);

   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]) && !row; i++) {
      if (table[i].il == inst->op) {
         row = &table[i];
      }
   }
   if (!row) {
      return false;
   }
   for (unsigned comp = 0; comp < 4; comp++) {
      struct operand s[3] = { { 0 } };
      if (!(mask >> comp & 1)) {
         continue;
      }
      for (unsigned i = 0; i < inst->nsrc && i < 3; i++) {
         s[i] = im_src(im, &inst->src[i], comp);
      }
      if (row->order == BA) {
         struct operand t = s[0];
         s[0] = s[1];
         s[1] = t;
      } else if (row->order == A_NB) {
         s[1] = op_neg(s[1]);
      }
      result[comp] = op_value(im_emit3(im, row->op, s[0], s[1], s[2]));
   }
   return true;
}

/* Operations with one result for all components, from the sources' w. */
static bool
scalar(struct importer *im, const struct il_inst *inst, struct operand *result)
{
   switch (inst->op) {
   case IL_OP_DP2:
      *result = dot(im, inst, 2);
      return true;
   case IL_OP_DP3:
      *result = dot(im, inst, 3);
      return true;
   case IL_OP_DP4:
      *result = dot(im, inst, 4);
      return true;
   case IL_OP_DP2ADD:
      *result = E2(ADD, dot(im, inst, 2), im_src(im, &inst->src[2], 2));
      return true;
   case IL_OP_RCP:
      *result = op_value(im_emit1(im,
                                  im_zero_op(inst->ctl, CAYMAN_ALU_RECIP_IEEE,
                                             CAYMAN_ALU_RECIP_CLAMPED, CAYMAN_ALU_RECIP_FF),
                                  im_src(im, &inst->src[0], 3)));
      return true;
   case IL_OP_RSQ:
      *result = op_value(im_emit1(im,
                                  im_zero_op(inst->ctl, CAYMAN_ALU_RECIPSQRT_IEEE,
                                             CAYMAN_ALU_RECIPSQRT_CLAMPED, CAYMAN_ALU_RECIPSQRT_FF),
                                  im_src(im, &inst->src[0], 3)));
      return true;
   case IL_OP_SQRT:
      *result = E1(SQRT_IEEE, im_src(im, &inst->src[0], 3));
      return true;
   case IL_OP_EXP:
      *result = E1(EXP_IEEE, im_src(im, &inst->src[0], 3));
      return true;
   case IL_OP_LOG:
      *result = im_log2(im, im_src(im, &inst->src[0], 3), inst->ctl);
      return true;
   case IL_OP_SIN:
      *result = E1(SIN, im_turns(im, im_src(im, &inst->src[0], 3)));
      return true;
   case IL_OP_COS:
      *result = E1(COS, im_turns(im, im_src(im, &inst->src[0], 3)));
      return true;
   case IL_OP_POW:
      *result = E1(EXP_IEEE, E2(MUL, E1(LOG_IEEE, im_src(im, &inst->src[0], 3)),
                                im_src(im, &inst->src[1], 3)));
      return true;
   default:
      return false;
   }
}

bool
im_alu(struct importer *im, const struct il_inst *inst)
{
   struct operand result[4] = { { 0 } };

   if (inst->ndst != 1) {
      return false;
   }
   if (scalar(im, inst, &result[0])) {
      result[1] = result[2] = result[3] = result[0];
   } else if (!from_table(im, inst, result)) {
      unsigned mask = il_dst_mask(&inst->dst[0]);
      for (unsigned comp = 0; comp < 4; comp++) {
         /* Without a component to compute, one still tells whether it is for this file. */
         if ((mask >> comp & 1 || (!mask && !comp)) && !component(im, inst, comp, &result[comp])) {
            return false;
         }
      }
   }
   im_store(im, &inst->dst[0], result);
   return true;
}

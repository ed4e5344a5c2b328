/* SPDX-License-Identifier: MIT */
/*
 * Import of float operations that look at several components or give each component a meaning of
 * its own: cross product, lengths, lighting, partial precision, trigonometry, byte packing.
 *
 * All follow the pseudo-code of chapter 7 with Cayman's roundings, every step a float, in the form
 * in which 0 * inf is NaN.  Where text and code of a page disagree: DIST and LEN are of three
 * components (the text), REFLECT and FACEFORWARD of four (the code).
 *
 * Inverse functions are the polynomials of il/inverse.h.
 */
#include "import.h"

#include "il/inverse.h"

/* a * b + c; the two roundings of MULADD. */
static struct operand
madd(struct importer *im, struct operand a, struct operand b, struct operand c)
{
   return E3(MULADD_IEEE, a, b, c);
}

struct operand
im_log2(struct importer *im, struct operand x, unsigned zeroop)
{
   return op_value(im_emit1(
      im, im_zero_op(zeroop, CAYMAN_ALU_LOG_IEEE, CAYMAN_ALU_LOG_CLAMPED, CAYMAN_ALU_LOG_IEEE), x));
}

/* c[0] + x (c[1] + x (c[2] + ...)) */
static struct operand
polynomial(struct importer *im, struct operand x, const float *c, unsigned count)
{
   struct operand sum = op_float(c[count - 1]);

   for (unsigned i = count - 1; i-- > 0;) {
      sum = madd(im, sum, x, op_float(c[i]));
   }
   return sum;
}

/* The magnitude of one with the sign of the other. */
static struct operand
copy_sign(struct importer *im, struct operand magnitude, struct operand sign)
{
   return E3(BFI_INT, op_const(0x7fffffff), magnitude, sign);
}

/* pi / 2 - asin(|x|) */
static struct operand
acos_of_magnitude(struct importer *im, struct operand x)
{
   struct operand a = op_abs(x);
   struct operand rest = E1(SQRT_IEEE, E2(ADD, op_float(1), op_neg(a)));
   return E2(MUL_IEEE, rest, polynomial(im, im_plain(im, a), il_acos_term, IL_ACOS_TERMS));
}

static struct operand
arc(struct importer *im, unsigned op, struct operand x)
{
   const struct operand half_pi = op_const(IL_HALF_PI), pi = op_const(IL_PI);

   x = im_plain(im, x);
   if (op == IL_OP_ATAN) {
      struct operand a = im_plain(im, op_abs(x));
      struct operand large = E2(SETGT_DX10, a, op_float(1));
      struct operand t = E3(CNDE_INT, large, a, E1(RECIP_IEEE, a));
      struct operand r =
         E2(MUL_IEEE, t, polynomial(im, E2(MUL_IEEE, t, t), il_atan_term, IL_ATAN_TERMS));
      r = E3(CNDE_INT, large, r, E2(ADD, half_pi, op_neg(r)));
      return copy_sign(im, r, x);
   }
   struct operand r = acos_of_magnitude(im, x);
   if (op == IL_OP_ASIN) {
      return copy_sign(im, E2(ADD, half_pi, op_neg(r)), x);
   }
   return E3(CNDGE, x, r, E2(ADD, pi, op_neg(r)));
}

/* One value for all components, from the source's w. */
static bool
of_w(struct importer *im, const struct il_inst *inst, struct operand *result)
{
   switch (inst->op) {
   case IL_OP_ACOS:
   case IL_OP_ASIN:
   case IL_OP_ATAN:
      *result = arc(im, inst->op, im_src(im, &inst->src[0], 3));
      return true;
   case IL_OP_TAN: {
      struct operand t = im_turns(im, im_src(im, &inst->src[0], 3));
      *result = E2(MUL_IEEE, E1(SIN, t), E1(RECIP_IEEE, E1(COS, t)));
      return true;
   }
   case IL_OP_EXN:
      *result = E1(EXP_IEEE, E2(MUL_IEEE, im_src(im, &inst->src[0], 3), op_const(0x3fb8aa3b)));
      return true;
   case IL_OP_LN: {
      struct operand x = im_plain(im, im_src(im, &inst->src[0], 3));
      struct operand r = E2(MUL_IEEE, E1(LOG_IEEE, x), op_const(0x3f317218));
      *result = (inst->ctl & 3) == IL_ZEROOP_FLTMAX ? E3(CNDE, x, op_const(0xff7fffff), r) : r;
      return true;
   }
   default:
      return false;
   }
}

static void
read_vector(struct importer *im, const struct il_src *src, unsigned count, struct operand v[4])
{
   for (unsigned i = 0; i < 4; i++) {
      v[i] = i < count ? im_src(im, src, i) : op_const(0);
   }
}

static struct operand
length(struct importer *im, const struct operand v[4])
{
   return E1(SQRT_IEEE, im_dot(im, v, v, true));
}

static void
lit(struct importer *im, const struct operand v[4], struct operand result[4])
{
   const float limit = 128.0f - 1.192092896e-07f;
   struct operand exponent = E2(MIN_DX10, E2(MAX_DX10, v[3], op_float(-limit)), op_float(limit));
   struct operand power = E1(EXP_IEEE, E2(MUL_IEEE, exponent, E1(LOG_IEEE, v[1])));

   result[0] = result[3] = op_float(1);
   result[1] = E3(CNDGT, v[0], v[0], op_const(0));
   result[2] = E3(CNDGT, v[0], E3(CNDGT, v[1], power, op_const(0)), op_const(0));
}

static void
reflect(struct importer *im, bool normalize, const struct operand a[4], const struct operand b[4],
        struct operand result[4])
{
   struct operand f = E2(MUL_IEEE, im_dot(im, a, b, true), op_float(2));
   struct operand norm = normalize ? im_dot(im, b, b, true) : op_none();

   for (unsigned i = 0; i < 4; i++) {
      struct operand along = normalize ? E2(MUL_IEEE, norm, a[i]) : a[i];
      result[i] = madd(im, op_neg(f), b[i], along);
   }
}

/* FLT_TO_UINT4 takes a byte from each slot. */
static struct operand
pack_bytes(struct importer *im, const struct operand v[4])
{
   struct compiler *c = im->c;
   struct inst *pack = cc_alu_inst(c, SHAPE_FIXED, 4);
   value_id r = cc_value(c);

   for (unsigned i = 0; i < 4; i++) {
      pack->lane[i].op = CAYMAN_ALU_FLT_TO_UINT4;
      pack->lane[i].slot = i;
      pack->lane[i].src[0] = v[i];
   }
   pack->lane[0].dst = r;
   c->values[r].def = pack;
   cc_pin(c, r, 0);
   return op_value(r);
}

static bool
of_vectors(struct importer *im, const struct il_inst *inst, struct operand result[4])
{
   static const uint8_t next[3] = { 1, 2, 0 };
   struct operand v[3][4];
   unsigned count =
      inst->op == IL_OP_CRS || inst->op == IL_OP_LEN || inst->op == IL_OP_DIST ? 3 : 4;

   for (unsigned s = 0; s < inst->nsrc && s < 3; s++) {
      read_vector(im, &inst->src[s], count, v[s]);
   }
   switch (inst->op) {
   case IL_OP_CRS:
      for (unsigned i = 0; i < 3; i++) {
         unsigned j = next[i], k = next[j];
         result[i] = madd(im, v[0][j], v[1][k], op_neg(E2(MUL_IEEE, v[0][k], v[1][j])));
      }
      result[3] = op_const(0);
      return true;
   case IL_OP_DIST:
      for (unsigned i = 0; i < 3; i++) {
         v[0][i] = E2(ADD, v[0][i], op_neg(v[1][i]));
      }
      result[0] = length(im, v[0]);
      break;
   case IL_OP_LEN:
      result[0] = length(im, v[0]);
      break;
   case IL_OP_DST:
      result[0] = op_float(1);
      result[1] = E2(MUL_IEEE, v[0][1], v[1][1]);
      result[2] = v[0][2];
      result[3] = v[1][3];
      return true;
   case IL_OP_LIT:
      lit(im, v[0], result);
      return true;
   case IL_OP_NRM: {
      struct operand a[4];
      for (unsigned i = 0; i < 4; i++) {
         a[i] = i < 3 || inst->ctl >> 2 & 1 ? v[0][i] : op_const(0);
      }
      struct operand scale =
         op_value(im_emit1(im,
                           im_zero_op(inst->ctl, CAYMAN_ALU_RECIPSQRT_IEEE,
                                      CAYMAN_ALU_RECIPSQRT_CLAMPED, CAYMAN_ALU_RECIPSQRT_FF),
                           im_dot(im, a, a, true)));
      for (unsigned i = 0; i < 4; i++) {
         result[i] = E2(MUL_IEEE, v[0][i], scale);
      }
      return true;
   }
   case IL_OP_REFLECT:
      reflect(im, inst->ctl & 1, v[0], v[1], result);
      return true;
   case IL_OP_FACEFORWARD: {
      struct operand sign = im_sign(im, im_dot(im, v[0], v[1], true));
      for (unsigned i = 0; i < 4; i++) {
         result[i] = E2(MUL_IEEE, v[2][i], sign);
      }
      return true;
   }
   case IL_OP_EXPP:
      result[0] = E1(EXP_IEEE, E1(FLOOR, v[0][3]));
      result[1] = E1(FRACT, v[0][3]);
      result[2] = E1(EXP_IEEE, v[0][3]);
      result[3] = op_float(1);
      return true;
   case IL_OP_LOGP: {
      struct operand f = im_log2(im, v[0][3], inst->ctl);
      result[0] = E1(FLOOR, f);
      result[1] = E2(MUL_IEEE, v[0][3], E1(RECIP_IEEE, E1(EXP_IEEE, result[0])));
      result[2] = f;
      result[3] = op_float(1);
      return true;
   }
   case IL_OP_SINCOS:
   case IL_OP_DXSINCOS: {
      struct operand t = im_turns(im, v[0][3]);
      result[0] = E1(COS, t);
      result[1] = E1(SIN, t);
      result[2] = result[3] = op_const(0);
      return true;
   }
   case IL_OP_F_2_U4:
      result[0] = pack_bytes(im, v[0]);
      break;
   case IL_OP_SAD_4:
      result[0] = v[2][0];
      for (unsigned i = 4; i-- > 0;) {
         result[0] = E3(SAD_ACCUM_UINT, v[0][i], v[1][i], result[0]);
      }
      break;
   default:
      return false;
   }
   result[1] = result[2] = result[3] = result[0];
   return true;
}

static bool
has_vectors(unsigned op)
{
   switch (op) {
   case IL_OP_CRS:
   case IL_OP_DIST:
   case IL_OP_LEN:
   case IL_OP_DST:
   case IL_OP_LIT:
   case IL_OP_NRM:
   case IL_OP_REFLECT:
   case IL_OP_FACEFORWARD:
   case IL_OP_EXPP:
   case IL_OP_LOGP:
   case IL_OP_SINCOS:
   case IL_OP_DXSINCOS:
   case IL_OP_F_2_U4:
   case IL_OP_SAD_4:
      return true;
   default:
      return false;
   }
}

/* CMOV leaves components alone whose condition is zero, those that the mask forces to 0 or 1 too.
 */
static void
conditional_move(struct importer *im, const struct il_inst *inst)
{
   struct il_dst plain = inst->dst[0];
   struct operand result[4];

   plain.clamp = false;
   plain.shift = IL_SHIFT_NONE;
   for (unsigned i = 0; i < 4; i++) {
      unsigned how = il_dst_comp(&inst->dst[0], i);
      struct reg_comp *r = im_dst_comp(im, &inst->dst[0], i);
      result[i] = op_const(0);
      if (how == IL_MODCOMP_NOWRITE) {
         continue;
      }
      if (!r) {
         im_unsupported(im, "a conditional move to an indexed element");
      }
      struct operand value = how == IL_MODCOMP_0 ? op_const(0)
                             : how == IL_MODCOMP_1
                                ? op_float(1)
                                : im_modify(im, &inst->dst[0], im_src(im, &inst->src[1], i));
      struct operand old = op_value(cc_mov(im->c, 0, op_value(im_comp_value(im, r))));
      result[i] = E3(CNDE, im_src(im, &inst->src[0], i), old, value);
      plain.comp[i] = IL_MODCOMP_WRITE;
   }
   im_store(im, &plain, result);
}

bool
im_math(struct importer *im, const struct il_inst *inst)
{
   struct operand result[4];

   if (inst->ndst != 1) {
      return false;
   }
   if (inst->op == IL_OP_CMOV) {
      conditional_move(im, inst);
      return true;
   }
   if (of_w(im, inst, &result[0])) {
      result[1] = result[2] = result[3] = result[0];
   } else if (!has_vectors(inst->op) || !of_vectors(im, inst, result)) {
      return false;
   }
   im_store(im, &inst->dst[0], result);
   return true;
}

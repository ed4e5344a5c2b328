/* SPDX-License-Identifier: MIT */
/*
 * Import of 64-bit arithmetic.  A 64-bit value is two components of an IL register, the low dword
 * in x or z; every operation takes .xy of its sources and gives .xy and .zw alike.
 *
 * Doubles (HD 6900 ISA 8.2): in a pair of slots the even one takes the high dwords and the odd one
 * the low; multiplications take all four, the last of which has the low dwords.  The low dword of
 * the result is in the even channel.  Integers are built from 32-bit operations.  Divisions and
 * what takes doubles apart are in import_div64.c.
 */
#include "import.h"

/* A source as it is, without modifiers. */
static struct wide
bits_of(struct importer *im, const struct il_src *src)
{
   struct il_src plain = *src;
   plain.neg = 0;
   plain.flags = 0;
   return (struct wide){ im_plain(im, im_src(im, &plain, 0)), im_plain(im, im_src(im, &plain, 1)) };
}

/* A double's sign is that of its high dword. */
static struct wide
double_src(struct importer *im, const struct il_src *src)
{
   struct wide v = bits_of(im, src);

   if (il_src_abs(src)) {
      v.hi = E2(AND_INT, v.hi, op_const(0x7fffffff));
   }
   if (il_src_neg(src, 0) || il_src_neg(src, 1)) {
      v.hi = E2(XOR_INT, v.hi, op_const(0x80000000u));
   }
   return v;
}

/* --- doubles ---------------------------------------------------------------------------------- */

/* An operation in 2 or 4 slots.  Three-operand instructions write all of theirs.  Two slots are x and y,
 * or z and w: in turn, so that two operations fit into a group and their results into a register. */
struct wide
im_f64(struct importer *im, unsigned op, unsigned slots, unsigned count, const struct wide *v)
{
   struct compiler *c = im->c;
   struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, slots);
   value_id out[4] = { 0 };
   const unsigned first = slots == 2 && im->pairs++ % 2 ? 2 : 0;

   for (unsigned l = 0; l < slots; l++) {
      inst->lane[l].op = op;
      inst->lane[l].slot = first + l;
      for (unsigned i = 0; i < count; i++) {
         inst->lane[l].src[i] = l == slots - 1 ? v[i].lo : v[i].hi;
      }
      if (l < 2 || cayman_alu_info(op)->op3) {
         out[l] = inst->lane[l].dst = cc_value(c);
         c->values[out[l]].def = inst;
         cc_pin(c, out[l], first + l);
      }
   }
   return (struct wide){ op_value(out[0]), op_value(out[1]) };
}

/* The one that is no NaN, if one is. */
static struct wide
min_max(struct importer *im, unsigned op, struct wide a, struct wide b)
{
   struct wide r = im_f64(im, op, 2, 2, (struct wide[]){ a, b });
   struct operand nan = im_f64(im, CAYMAN_ALU_SETNE_64, 2, 2, (struct wide[]){ b, b }).lo;
   return (struct wide){ E3(CNDE_INT, nan, r.lo, a.lo), E3(CNDE_INT, nan, r.hi, a.hi) };
}

static struct wide
from_float(struct importer *im, struct operand f)
{
   f = im_plain(im, f);
   return im_f64(im, CAYMAN_ALU_FLT32_TO_FLT64, 2, 1, &(struct wide){ op_const(0), f });
}

/* Both halves are exact as floats, and so is their sum as a double. */
static struct wide
from_integer(struct importer *im, struct operand x, bool is_signed)
{
   x = im_plain(im, x);
   struct operand high = is_signed ? E1(INT_TO_FLT, E2(ASHR_INT, x, op_const(16)))
                                   : E1(UINT_TO_FLT, E2(LSHR_INT, x, op_const(16)));
   struct operand low = E1(UINT_TO_FLT, E2(AND_INT, x, op_const(0xffff)));
   struct wide part[2] = { from_float(im, E2(MUL_IEEE, high, op_float(65536.0f))),
                           from_float(im, low) };
   return im_f64(im, CAYMAN_ALU_ADD_64, 2, 2, part);
}

static bool
doubles(struct importer *im, const struct il_inst *inst, struct wide *r)
{
   struct wide v[3];

   if (inst->op == IL_OP_F_2_D) {
      *r = from_float(im, im_src(im, &inst->src[0], 0));
      return true;
   }
   if (inst->op == IL_OP_ITOD || inst->op == IL_OP_UTOD) {
      *r = from_integer(im, im_src(im, &inst->src[0], 0), inst->op == IL_OP_ITOD);
      return true;
   }
   for (unsigned i = 0; i < inst->nsrc && i < 3; i++) {
      v[i] = double_src(im, &inst->src[i]);
   }
   switch (inst->op) {
   case IL_OP_D_MOV:
      *r = v[0];
      return true;
   case IL_OP_D_MOVC: /* as the document has it: zero takes the first (7.10) */
      *r = (struct wide){ E3(CNDE_INT, v[0].lo, v[1].lo, v[2].lo),
                          E3(CNDE_INT, v[0].lo, v[1].hi, v[2].hi) };
      return true;
   case IL_OP_D_ADD:
      *r = im_f64(im, CAYMAN_ALU_ADD_64, 2, 2, v);
      return true;
   case IL_OP_D_MUL:
      *r = im_f64(im, CAYMAN_ALU_MUL_64, 4, 2, v);
      return true;
   case IL_OP_D_MULADD:
      *r = im_f64(im, CAYMAN_ALU_FMA_64, 4, 3, v);
      return true;
   case IL_OP_D_MIN:
      *r = min_max(im, CAYMAN_ALU_MIN_64, v[0], v[1]);
      return true;
   case IL_OP_D_MAX:
      *r = min_max(im, CAYMAN_ALU_MAX_64, v[0], v[1]);
      return true;
   case IL_OP_D_FRAC:
      *r = im_f64(im, CAYMAN_ALU_FRACT_64, 2, 1, v);
      return true;
   case IL_OP_D_LDEXP:
      v[1] = bits_of(im, &inst->src[1]);
      if (il_src_neg(&inst->src[1], 0)) {
         v[1].lo = E2(SUB_INT, op_const(0), v[1].lo);
      }
      v[1].hi = v[1].lo; /* the even slot has the exponent */
      *r = im_f64(im, CAYMAN_ALU_LDEXP_64, 2, 2, v);
      return true;
   case IL_OP_D_2_F:
      r->lo = r->hi = im_f64(im, CAYMAN_ALU_FLT64_TO_FLT32, 2, 1, v).lo;
      return true;
   case IL_OP_DEQ:
      r->lo = r->hi = im_f64(im, CAYMAN_ALU_SETE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DNE:
      r->lo = r->hi = im_f64(im, CAYMAN_ALU_SETNE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DGE:
      r->lo = r->hi = im_f64(im, CAYMAN_ALU_SETGE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DLT:
      r->lo = r->hi = im_f64(im, CAYMAN_ALU_SETGT_64, 2, 2, (struct wide[]){ v[1], v[0] }).lo;
      return true;
   default:
      return im_double_parts(im, inst, v, r);
   }
}

/* --- integers --------------------------------------------------------------------------------- */

struct wide
im_subtract64(struct importer *im, struct wide a, struct wide b)
{
   struct operand borrow = E2(SETGT_UINT, b.lo, a.lo); /* ~0 or 0 */
   return (struct wide){ E2(SUB_INT, a.lo, b.lo), E2(ADD_INT, E2(SUB_INT, a.hi, b.hi), borrow) };
}

struct wide
im_multiply64(struct importer *im, struct wide a, struct wide b)
{
   struct operand cross = E2(ADD_INT, E2(MULLO_UINT, a.lo, b.hi), E2(MULLO_UINT, a.hi, b.lo));
   return (struct wide){ E2(MULLO_UINT, a.lo, b.lo),
                         E2(ADD_INT, E2(MULHI_UINT, a.lo, b.lo), cross) };
}

struct operand
im_less64(struct importer *im, struct wide a, struct wide b, bool is_signed)
{
   struct operand above = is_signed ? E2(SETGT_INT, b.hi, a.hi) : E2(SETGT_UINT, b.hi, a.hi);
   return E2(OR_INT, above, E2(AND_INT, E2(SETE_INT, a.hi, b.hi), E2(SETGT_UINT, b.lo, a.lo)));
}

struct wide
im_choose64(struct importer *im, struct operand condition, struct wide yes, struct wide no)
{
   return (struct wide){ E3(CNDE_INT, condition, no.lo, yes.lo),
                         E3(CNDE_INT, condition, no.hi, yes.hi) };
}

/* The 32-bit shifts take counts below 32; what moves between the halves goes in two steps. */
static struct wide
shift(struct importer *im, unsigned op, struct wide v, struct operand count)
{
   struct operand n = E2(AND_INT, count, op_const(31));
   struct operand rest = E2(SUB_INT, op_const(31), n);
   struct operand far = E2(AND_INT, count, op_const(32));
   struct wide near, over;

   if (op == IL_OP_I64_SHL) {
      near.lo = E2(LSHL_INT, v.lo, n);
      near.hi =
         E2(OR_INT, E2(LSHL_INT, v.hi, n), E2(LSHR_INT, E2(LSHR_INT, v.lo, op_const(1)), rest));
      over = (struct wide){ op_const(0), near.lo };
   } else {
      bool is_signed = op == IL_OP_I64_SHR;
      near.hi = is_signed ? E2(ASHR_INT, v.hi, n) : E2(LSHR_INT, v.hi, n);
      near.lo =
         E2(OR_INT, E2(LSHR_INT, v.lo, n), E2(LSHL_INT, E2(LSHL_INT, v.hi, op_const(1)), rest));
      over = (struct wide){ near.hi, is_signed ? E2(ASHR_INT, v.hi, op_const(31)) : op_const(0) };
   }
   return im_choose64(im, far, over, near);
}

static bool
integers(struct importer *im, const struct il_inst *inst, struct wide *r)
{
   static const struct wide zero = { { .kind = OPERAND_CONST }, { .kind = OPERAND_CONST } };
   struct wide v[2];

   for (unsigned i = 0; i < inst->nsrc && i < 2; i++) {
      v[i] = bits_of(im, &inst->src[i]);
      if (il_src_neg(&inst->src[i], 0) || il_src_neg(&inst->src[i], 1)) {
         v[i] = im_subtract64(im, zero, v[i]);
      }
   }

   switch (inst->op) {
   case IL_OP_I64_ADD:
      *r = (struct wide){ E2(ADD_INT, v[0].lo, v[1].lo), E2(ADD_INT, E2(ADD_INT, v[0].hi, v[1].hi),
                                                            E2(ADDC_UINT, v[0].lo, v[1].lo)) };
      return true;
   case IL_OP_I64_SUB:
      *r = im_subtract64(im, v[0], v[1]);
      return true;
   case IL_OP_I64_NEGATE:
      *r = im_subtract64(im, zero, v[0]);
      return true;
   case IL_OP_I64_MUL:
   case IL_OP_U64_MUL:
      *r = im_multiply64(im, v[0], v[1]);
      return true;
   case IL_OP_I64_EQ:
      r->lo = r->hi = E2(AND_INT, E2(SETE_INT, v[0].lo, v[1].lo), E2(SETE_INT, v[0].hi, v[1].hi));
      return true;
   case IL_OP_I64_NE:
      r->lo = r->hi = E2(OR_INT, E2(SETNE_INT, v[0].lo, v[1].lo), E2(SETNE_INT, v[0].hi, v[1].hi));
      return true;
   case IL_OP_I64_LT:
   case IL_OP_U64_LT:
      r->lo = r->hi = im_less64(im, v[0], v[1], inst->op == IL_OP_I64_LT);
      return true;
   case IL_OP_I64_GE:
   case IL_OP_U64_GE:
      r->lo = r->hi = E1(NOT_INT, im_less64(im, v[0], v[1], inst->op == IL_OP_I64_GE));
      return true;
   case IL_OP_I64_MIN:
   case IL_OP_U64_MIN:
      *r = im_choose64(im, im_less64(im, v[0], v[1], inst->op == IL_OP_I64_MIN), v[0], v[1]);
      return true;
   case IL_OP_I64_MAX:
   case IL_OP_U64_MAX:
      *r = im_choose64(im, im_less64(im, v[0], v[1], inst->op == IL_OP_I64_MAX), v[1], v[0]);
      return true;
   case IL_OP_I64_DIV:
   case IL_OP_I64_MOD:
      *r = im_divide64(im, v[0], v[1], true, inst->op == IL_OP_I64_MOD);
      return true;
   case IL_OP_U64_DIV:
   case IL_OP_U64_MOD:
      *r = im_divide64(im, v[0], v[1], false, inst->op == IL_OP_U64_MOD);
      return true;
   case IL_OP_I64_SHL:
   case IL_OP_I64_SHR:
   case IL_OP_U64_SHR:
      *r = shift(im, inst->op, v[0], v[1].lo);
      return true;
   default:
      return false;
   }
}

/* A double with the destination's scale and saturation; of NaN 0. */
static struct wide
modified(struct importer *im, const struct il_dst *dst, struct wide v)
{
   static const uint32_t factor[8] = { 0x3ff00000, 0x40000000, 0x40100000, 0x40200000,
                                       0x3fe00000, 0x3fd00000, 0x3fc00000, 0x3ff00000 };
   const struct wide zero = { op_const(0), op_const(0) };

   if (dst->shift != IL_SHIFT_NONE) {
      v = im_f64(im, CAYMAN_ALU_MUL_64, 4, 2,
                 (struct wide[]){ v, { op_const(0), op_const(factor[dst->shift & 7]) } });
   }
   if (dst->clamp) {
      /* MAX has its second operand if one is NaN. */
      v = im_f64(im, CAYMAN_ALU_MAX_64, 2, 2, (struct wide[]){ v, zero });
      v = im_f64(im, CAYMAN_ALU_MIN_64, 2, 2,
                 (struct wide[]){ v, { op_const(0), op_const(factor[0]) } });
   }
   return v;
}

static bool
gives_double(unsigned op)
{
   switch (op) {
   case IL_OP_D_2_F:
   case IL_OP_DTOI:
   case IL_OP_DTOU:
   case IL_OP_DEQ:
   case IL_OP_DNE:
   case IL_OP_DGE:
   case IL_OP_DLT:
   case IL_OP_D_CLASS:
   case IL_OP_D_FREXP_EXP:
      return false;
   default:
      return true;
   }
}

bool
im_alu64(struct importer *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   struct wide r;

   if (inst->ndst != 1 || !inst->nsrc) {
      return false;
   }
   if (inst->op == IL_OP_D_FREXP) {
      struct wide v = double_src(im, &inst->src[0]);
      struct operand parts[4];
      im_double_frexp(im, &v, parts);
      im_store(im, &inst->dst[0], parts);
      return true;
   }
   if (info->type == IL_TYPE_INT64 || info->type == IL_TYPE_UINT64) {
      if (!integers(im, inst, &r)) {
         return false;
      }
   } else if (info->type == IL_TYPE_DOUBLE || inst->op == IL_OP_F_2_D || inst->op == IL_OP_ITOD ||
              inst->op == IL_OP_UTOD) {
      if (!doubles(im, inst, &r)) {
         return false;
      }
   } else {
      return false;
   }
   struct il_dst dst = inst->dst[0];
   if (inst->op != IL_OP_D_2_F && dst.has_mod) {
      if ((dst.clamp || dst.shift != IL_SHIFT_NONE) && info->type != IL_TYPE_INT64 &&
          info->type != IL_TYPE_UINT64 && gives_double(inst->op)) {
         r = modified(im, &dst, r);
      }
      dst.clamp = false;
      dst.shift = IL_SHIFT_NONE;
   }
   const struct operand result[4] = { r.lo, r.hi, r.lo, r.hi };
   im_store(im, &dst, result);
   return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Import of arithmetic on doubles, of what legalised IL has (src/il/lower).  A double is two
 * components of an IL register, the low dword in x or z; every operation takes .xy of its sources
 * and gives .xy and .zw alike.
 *
 * Doubles (HD 6900 ISA 8.2): in a pair of slots the even one takes the high dwords and the odd one
 * the low; multiplications take all four, the last of which has the low dwords.  The low dword of
 * the result is in the even channel.
 */
#include "import.h"

/* A 64-bit value. */
struct wide {
   struct cc_operand lo, hi;
};

/* A source as it is, without modifiers. */
static struct wide
bits_of(struct importer *im, const struct il_src *src)
{
   struct il_src plain = *src;
   plain.neg = plain.flags = 0;
   return (struct wide){ im_plain(im, im_src(im, &plain, 0)), im_plain(im, im_src(im, &plain, 1)) };
}

/* A double's sign is that of its high dword. */
static struct wide
double_src(struct importer *im, const struct il_src *src)
{
   struct wide v = bits_of(im, src);

   if (il_src_abs(src))
      v.hi = E2(AND_INT, v.hi, op_const(0x7fffffff));
   if (il_src_neg(src, 1))
      v.hi = E2(XOR_INT, v.hi, op_const(0x80000000u));
   return v;
}

/* --- doubles ---------------------------------------------------------------------------------- */

static struct inst *
inst_of_doubles(struct importer *im, unsigned slots)
{
   if (!im->c->chip->doubles)
      im_unsupported(im, "doubles");
   return cc_alu_inst(im->c, SHAPE_FIXED, slots);
}

/* An operation in 2 or 4 slots.  Three-operand instructions write all of theirs.  Two slots are x
 * and y, or z and w: alternating, so that two operations fit into a group and their results into a
 * register. */
static struct wide
f64(struct importer *im, unsigned op, unsigned slots, unsigned count, const struct wide *v)
{
   struct compiler *c = im->c;
   struct inst *inst = inst_of_doubles(im, slots);
   value_id out[4] = { 0 };
   const unsigned first = slots == 2 && im->pairs++ % 2 ? 2 : 0;

   for (unsigned l = 0; l < slots; l++) {
      inst->lane[l].op = op;
      inst->lane[l].slot = first + l;
      for (unsigned i = 0; i < count; i++)
         inst->lane[l].src[i] = l == slots - 1 ? v[i].lo : v[i].hi;
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
   struct wide r = f64(im, op, 2, 2, (struct wide[]){ a, b });
   struct cc_operand nan = f64(im, CAYMAN_ALU_SETNE_64, 2, 2, (struct wide[]){ b, b }).lo;
   return (struct wide){ E3(CNDE_INT, nan, r.lo, a.lo), E3(CNDE_INT, nan, r.hi, a.hi) };
}

/* In slots x, y and z, with the high dword first. */
static struct wide
transcendental(struct importer *im, unsigned op, struct wide v)
{
   struct compiler *c = im->c;
   struct inst *inst = inst_of_doubles(im, 3);
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
split(struct importer *im, struct wide v, struct cc_operand *exponent)
{
   struct compiler *c = im->c;
   struct inst *inst = inst_of_doubles(im, 4);
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
      struct cc_operand some = f64(im, CAYMAN_ALU_SETNE_64, 2, 2, (struct wide[]){ *v, zero }).lo;
      r = (struct wide){ E3(CNDE_INT, some, zero.lo, r.lo), E3(CNDE_INT, some, zero.hi, r.hi) };
   }
   return r;
}

static struct wide
from_float(struct importer *im, struct cc_operand f)
{
   f = im_plain(im, f);
   return f64(im, CAYMAN_ALU_FLT32_TO_FLT64, 2, 1, &(struct wide){ op_const(0), f });
}

static bool
doubles(struct importer *im, const struct il_inst *inst, struct wide *r)
{
   struct wide v[3];

   if (inst->op == IL_OP_F_2_D) {
      *r = from_float(im, im_src(im, &inst->src[0], 0));
      return true;
   }
   for (unsigned i = 0; i < inst->nsrc && i < 3; i++)
      v[i] = double_src(im, &inst->src[i]);
   switch (inst->op) {
   case IL_OP_D_MOV:
      *r = v[0];
      return true;
   case IL_OP_D_ADD:
      *r = f64(im, CAYMAN_ALU_ADD_64, 2, 2, v);
      return true;
   case IL_OP_D_MUL:
      *r = f64(im, CAYMAN_ALU_MUL_64, 4, 2, v);
      return true;
   case IL_OP_D_MULADD:
      *r = f64(im, CAYMAN_ALU_FMA_64, 4, 3, v);
      return true;
   case IL_OP_D_MIN:
      *r = min_max(im, CAYMAN_ALU_MIN_64, v[0], v[1]);
      return true;
   case IL_OP_D_MAX:
      *r = min_max(im, CAYMAN_ALU_MAX_64, v[0], v[1]);
      return true;
   case IL_OP_D_FRAC:
      *r = f64(im, CAYMAN_ALU_FRACT_64, 2, 1, v);
      return true;
   case IL_OP_D_LDEXP:
      v[1] = bits_of(im, &inst->src[1]);
      if (il_src_neg(&inst->src[1], 0))
         v[1].lo = E2(SUB_INT, op_const(0), v[1].lo);
      v[1].hi = v[1].lo; /* the even slot has the exponent */
      *r = f64(im, CAYMAN_ALU_LDEXP_64, 2, 2, v);
      return true;
   case IL_OP_D_2_F:
      r->lo = r->hi = f64(im, CAYMAN_ALU_FLT64_TO_FLT32, 2, 1, v).lo;
      return true;
   case IL_OP_DEQ:
      r->lo = r->hi = f64(im, CAYMAN_ALU_SETE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DNE:
      r->lo = r->hi = f64(im, CAYMAN_ALU_SETNE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DGE:
      r->lo = r->hi = f64(im, CAYMAN_ALU_SETGE_64, 2, 2, v).lo;
      return true;
   case IL_OP_DLT:
      r->lo = r->hi = f64(im, CAYMAN_ALU_SETGT_64, 2, 2, (struct wide[]){ v[1], v[0] }).lo;
      return true;
   case IL_OP_D_RCP:
   case IL_OP_D_RSQ:
      *r = inverse(im, v, inst->op == IL_OP_D_RSQ, il_zeroop(inst));
      return true;
   case IL_OP_D_SQRT:
      *r = transcendental(im, CAYMAN_ALU_SQRT_64, v[0]);
      return true;
   default:
      return false;
   }
}

/* A double with the destination's scale and saturation; of NaN 0. */
static struct wide
modified(struct importer *im, const struct il_dst *dst, struct wide v)
{
   const struct wide zero = { op_const(0), op_const(0) };

   if (il_dst_scale(dst)) {
      const struct cc_operand factor = op_const((uint32_t)(1023 + il_dst_scale(dst)) << 20);
      v = f64(im, CAYMAN_ALU_MUL_64, 4, 2, (struct wide[]){ v, { op_const(0), factor } });
   }
   if (dst->clamp) {
      /* MAX has its second operand if one is NaN. */
      v = f64(im, CAYMAN_ALU_MAX_64, 2, 2, (struct wide[]){ v, zero });
      v = f64(im, CAYMAN_ALU_MIN_64, 2, 2,
              (struct wide[]){ v, { op_const(0), op_const(0x3ff00000) } });
   }
   return v;
}

/* Or a mask, or a float. */
static bool
gives_double(unsigned op)
{
   switch (op) {
   case IL_OP_D_2_F:
   case IL_OP_DEQ:
   case IL_OP_DNE:
   case IL_OP_DGE:
   case IL_OP_DLT:
      return false;
   default:
      return true;
   }
}

bool
im_alu64(struct importer *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   struct il_dst dst;
   struct wide r;

   if (inst->ndst != 1 || !inst->nsrc || (info->type != IL_TYPE_DOUBLE && inst->op != IL_OP_F_2_D))
      return false;
   if (inst->op == IL_OP_D_FREXP) { /* x: 0, y: exponent, zw: mantissa */
      struct cc_operand parts[4] = { op_const(0) };
      r = split(im, double_src(im, &inst->src[0]), &parts[1]);
      parts[2] = r.lo;
      parts[3] = r.hi;
      im_store(im, &inst->dst[0], parts);
      return true;
   }
   if (!doubles(im, inst, &r))
      return false;
   dst = inst->dst[0];
   if (inst->op != IL_OP_D_2_F && dst.has_mod) {
      if (gives_double(inst->op))
         r = modified(im, &dst, r);
      dst.clamp = false;
      dst.shift = IL_SHIFT_NONE;
   }
   const struct cc_operand result[4] = { r.lo, r.hi, r.lo, r.hi };
   im_store(im, &dst, result);
   return true;
}

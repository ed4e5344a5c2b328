/* SPDX-License-Identifier: MIT */
/*
 * Import of arithmetic on 32-bit components, of what legalised IL has (src/il/lower).
 *
 * Most IL operations are one Cayman operation a component: the table.  The rest is built here:
 * dot products as DOT4, sine and cosine with their argument brought into one period, what the
 * control makes another operation of.
 */
#include "import.h"

#include "il/alu.h"

/* By IL's opcode. */
static const struct il_alu table[] = {
#define CHOICE(il, by, a, b, c, operands)                                                         \
   [IL_OP_##il] = {                                                                               \
      true, IL_ALU_BY_##by, IL_ALU_##operands, { CAYMAN_ALU_##a, CAYMAN_ALU_##b, CAYMAN_ALU_##c } \
   },
#include "il/alu.def"
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

/* Sum of products; of what is left out 0 by 0, or nothing by the IEEE rules, of which -0 is a
 * product that no sum notices: slots can go without. */
static struct cc_operand
dot(struct importer *im, const struct il_inst *inst, unsigned n)
{
   struct compiler *c = im->c;
   const bool ieee = il_ieee(inst);
   struct cc_operand a[4], b[4];

   for (unsigned i = 0; i < 4; i++) {
      a[i] = i < n ? im_src(im, &inst->src[0], i) : op_const(0);
      b[i] = i < n ? im_src(im, &inst->src[1], i) : op_const(ieee ? 0x80000000 : 0);
   }
   struct inst *d = cc_alu_inst(c, SHAPE_FIXED, 4);
   value_id v = cc_value(c);
   for (unsigned i = 0; i < 4; i++) {
      d->lane[i].op = ieee ? CAYMAN_ALU_DOT4_IEEE : CAYMAN_ALU_DOT4;
      d->lane[i].slot = i;
      d->lane[i].src[0] = a[i];
      d->lane[i].src[1] = b[i];
   }
   d->lane[0].dst = v;
   d->terms = ieee && n < 4 ? n : 0;
   c->values[v].def = d;
   return op_value(v);
}

/* SIN and COS take turns and only |x| <= 256: x / 2pi, its fraction moved to [-0.5, 0.5). */
static struct cc_operand
turns(struct importer *im, struct cc_operand x)
{
   struct cc_operand t =
      op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, x, op_const(0x3e22f983), op_float(0.5f)));
   t = op_value(im_emit1(im, CAYMAN_ALU_FRACT, t));
   return op_value(im_emit2(im, CAYMAN_ALU_ADD, t, op_float(-0.5f)));
}

/* width, offset, bits, base; with a constant offset the mask is a constant, too. */
static struct cc_operand
insert_bits(struct importer *im, const struct cc_operand s[4])
{
   const bool constant = s[0].kind == OPERAND_CONST && s[1].kind == OPERAND_CONST;
   const unsigned width = s[0].value & 31, offset = s[1].value & 31;
   struct cc_operand mask =
      constant ? op_const(((1u << width) - 1) << offset) : E2(BFM_INT, s[0], s[1]);
   struct cc_operand bits = constant && s[2].kind == OPERAND_CONST ? op_const(s[2].value << offset)
                            : constant && !offset                  ? im_plain(im, s[2])
                                                                   : E2(LSHL_INT, s[2], s[1]);
   return E3(BFI_INT, mask, bits, s[3]);
}

/* One component; false: not an operation of this kind. */
static bool
component(struct importer *im, const struct il_inst *inst, unsigned comp, struct cc_operand *result)
{
   struct cc_operand s[4] = { { 0 } };

   for (unsigned i = 0; i < inst->nsrc && i < 4; i++)
      s[i] = im_src(im, &inst->src[i], comp);
   switch (inst->op) {
   case IL_OP_MOV:
      *result = s[0];
      return true;
   case IL_OP_SIN_VEC:
      *result = E1(SIN, turns(im, s[0]));
      return true;
   case IL_OP_COS_VEC:
      *result = E1(COS, turns(im, s[0]));
      return true;
   case IL_OP_FTOI:
      *result = E1(FLT_TO_INT, s[0]);
      return true;
   case IL_OP_U_BIT_INSERT: /* width, offset, bits, base */
      *result = insert_bits(im, s);
      return true;
   default:
      return false;
   }
}

/* One component of what has a row. */
static struct cc_operand
by_row(struct importer *im, const struct il_inst *inst, const struct il_alu *row, unsigned comp)
{
   struct cc_operand s[IL_ALU_SOURCES] = { [IL_ALU_ZERO] = op_const(0) };
   unsigned op = il_alu_op(row, inst);

   for (unsigned i = 0; i < inst->nsrc && i < 3; i++)
      s[i] = im_src(im, &inst->src[i], comp);
   if (inst->op == IL_OP_I_ADD && il_src_neg(&inst->src[1], comp)) {
      struct il_src plain = inst->src[1];
      plain.neg = 0;
      s[1] = im_src(im, &plain, comp);
      op = CAYMAN_ALU_SUB_INT;
   }
   return op_value(im_emit3(im, op, s[row->operand[0]], s[row->operand[1]], s[row->operand[2]]));
}

/* FLT_TO_UINT4 takes a byte from each slot. */
static struct cc_operand
pack_bytes(struct importer *im, const struct il_inst *inst)
{
   struct compiler *c = im->c;
   struct cc_operand v[4];

   for (unsigned i = 0; i < 4; i++)
      v[i] = im_src(im, &inst->src[0], i);
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

/* Operations with one result for all components. */
static bool
scalar(struct importer *im, const struct il_inst *inst, const struct il_alu *row,
       struct cc_operand *result)
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
   case IL_OP_F_2_U4:
      *result = pack_bytes(im, inst);
      return true;
   default:
      if (!row || il_op_info(inst->op)->reads != IL_READS_W)
         return false;
      *result = by_row(im, inst, row, 3);
      return true;
   }
}

/* CMOV leaves components alone where the condition is zero, those that the mask forces to 0 or 1,
 * too. */
static void
conditional_move(struct importer *im, const struct il_inst *inst)
{
   struct il_dst plain = inst->dst[0];
   struct cc_operand result[4];

   plain.clamp = false;
   plain.shift = IL_SHIFT_NONE;
   for (unsigned i = 0; i < 4; i++) {
      unsigned how = il_dst_comp(&inst->dst[0], i);
      struct reg_comp *r = im_dst_comp(im, &inst->dst[0], i);
      result[i] = op_const(0);
      if (how == IL_MODCOMP_NOWRITE)
         continue;
      if (!r)
         im_unsupported(im, "a conditional move to an indexed element");
      struct cc_operand value = how == IL_MODCOMP_0 ? op_const(0)
                                : how == IL_MODCOMP_1
                                   ? op_float(1)
                                   : im_modify(im, &inst->dst[0], im_src(im, &inst->src[1], i));
      struct cc_operand old = op_value(cc_mov(im->c, 0, op_value(im_comp_value(im, r))));
      result[i] = E3(CNDE, im_src(im, &inst->src[0], i), old, value);
      plain.comp[i] = IL_MODCOMP_WRITE;
   }
   im_store(im, &plain, result);
}

bool
im_alu(struct importer *im, const struct il_inst *inst)
{
   const bool known = inst->op < sizeof(table) / sizeof(table[0]) && table[inst->op].known;
   const struct il_alu *row = known ? &table[inst->op] : NULL;
   struct cc_operand result[4] = { { 0 } };

   if (inst->ndst != 1)
      return false;
   if (inst->op == IL_OP_CMOV) {
      conditional_move(im, inst);
      return true;
   }
   if (scalar(im, inst, row, &result[0])) {
      result[1] = result[2] = result[3] = result[0];
   } else {
      const unsigned mask = il_dst_mask(&inst->dst[0]);
      for (unsigned comp = 0; comp < 4; comp++)
         if (row && mask >> comp & 1)
            result[comp] = by_row(im, inst, row, comp);
         /* Without a component to compute, one still tells whether it is for this file. */
         else if (!row && (mask >> comp & 1 || (!mask && !comp)) &&
                  !component(im, inst, comp, &result[comp]))
            return false;
   }
   im_store(im, &inst->dst[0], result);
   return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on 32-bit components (7.7 - 7.11, 7.13), as far as the legaliser leaves it.
 *
 * What an operation without a control for it does with 0 * NaN is IEEE's.  Sine and cosine bring
 * their argument into one period first.  Components that a dot product leaves out are products of
 * zeros, negative ones by the IEEE rules, so that they do not change the sign of a sum of zero.
 */
#include "direct/lift.h"
#include "il/alu.h"

#include <string.h>

/* By IL's opcode. */
static const struct il_alu table[] = {
#define CHOICE(il, by, a, b, c, operands) \
   [IL_OP_##il] = { true, IL_ALU_BY_##by, IL_ALU_##operands, { UOP_##a, UOP_##b, UOP_##c } },
#include "il/alu.def"
};

static struct uop_operand
number(struct direct *d, float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return direct_literal(d, bits);
}

/* x / 2 pi, moved to [-0.5, 0.5): what SIN and COS take. */
static struct uop_operand
turns(struct direct *d, struct uop_operand v)
{
   v = DOP3(MULADD_IEEE, v, direct_literal(d, 0x3e22f983), number(d, 0.5f));
   return DOP2(ADD, DOP1(FRACT, v), number(d, -0.5f));
}

/* One component of what has a row. */
static struct uop_operand
by_row(struct direct *d, const struct il_inst *inst, const struct il_alu *row, unsigned comp)
{
   struct uop_operand s[IL_ALU_SOURCES];

   for (unsigned n = 0; n < IL_ALU_SOURCES; n++)
      s[n] = n < inst->nsrc && n < IL_ALU_ZERO ? direct_src(d, &inst->src[n], comp)
                                               : direct_literal(d, 0);
   return direct_op(d, il_alu_op(row, inst), s[row->operand[0]], s[row->operand[1]],
                    s[row->operand[2]]);
}

/* One component of an instruction that works by components.  False: it does not. */
static bool
component(struct direct *d, const struct il_inst *inst, unsigned comp, struct uop_operand *r)
{
   const bool known = inst->op < sizeof(table) / sizeof(table[0]) && table[inst->op].known;
   struct uop_operand s[4], zero = direct_literal(d, 0);

   if (known && il_op_info(inst->op)->reads != IL_READS_W) {
      *r = by_row(d, inst, &table[inst->op], comp);
      return true;
   }
   for (unsigned n = 0; n < 4; n++)
      s[n] = n < inst->nsrc ? direct_src(d, &inst->src[n], comp) : zero;
   switch (inst->op) {
   case IL_OP_MOV:
      *r = s[0];
      return true;
   case IL_OP_SIN_VEC:
      *r = DOP1(SIN, turns(d, s[0]));
      return true;
   case IL_OP_COS_VEC:
      *r = DOP1(COS, turns(d, s[0]));
      return true;
   case IL_OP_FTOI:
      *r = DOP1(FLT_TO_INT, DOP1(TRUNC, s[0]));
      return true;
   case IL_OP_U_BIT_INSERT: /* width, offset, bits, base */
      *r = DOP3(BFI_INT, DOP2(BFM_INT, s[0], s[1]), DOP2(LSHL_INT, s[2], s[1]), s[3]);
      return true;
   default:
      return false;
   }
}

/* --- one result for all components ------------------------------------------------------------ */

/* ((x + y) + z) + w of the first `n` products. */
static struct uop_operand
dot(struct direct *d, const struct il_inst *inst, unsigned n)
{
   struct uop_operand a[4], b[4], zero = direct_literal(d, 0);
   struct uop_operand other = il_ieee(inst) ? direct_literal(d, 0x80000000) : zero;

   for (unsigned c = 0; c < 4; c++)
      a[c] = c < n ? direct_src(d, &inst->src[0], c) : zero;
   for (unsigned c = 0; c < 4; c++)
      b[c] = c < n ? direct_src(d, &inst->src[1], c) : other;
   uint32_t to = direct_temp(d);
   struct uop *u = uop_add(&d->b, il_ieee(inst) ? UOP_DOT4_IEEE : UOP_DOT4);
   for (unsigned c = 0; c < 4; c++) {
      u[c].src[0] = a[c];
      u[c].src[1] = b[c];
   }
   u->dst = to;
   u->p.group.writes = 1;
   return direct_at(to);
}

/* The bytes of four floats. */
static struct uop_operand
pack(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand v[4];

   for (unsigned c = 0; c < 4; c++)
      v[c] = direct_src(d, &inst->src[0], c);
   uint32_t to = direct_temp(d);
   struct uop *u = uop_add(&d->b, UOP_FLT_TO_UINT4);
   for (unsigned c = 0; c < 4; c++)
      u[c].src[0] = v[c];
   u->dst = to;
   u->p.group.writes = 1;
   return direct_at(to);
}

/* False: the instruction has a result of its own in every component. */
static bool
scalar(struct direct *d, const struct il_inst *inst, struct uop_operand *r)
{
   switch (inst->op) {
   case IL_OP_DP2:
      *r = dot(d, inst, 2);
      return true;
   case IL_OP_DP3:
      *r = dot(d, inst, 3);
      return true;
   case IL_OP_DP4:
      *r = dot(d, inst, 4);
      return true;
   case IL_OP_F_2_U4:
      *r = pack(d, inst);
      return true;
   case IL_OP_RSQ:
   case IL_OP_LOG:
      *r = by_row(d, inst, &table[inst->op], 3);
      return true;
   default:
      return false;
   }
}

/* Components with a zero condition stay as they are, those that the mask forces to 0 or 1 too. */
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
      if (how == IL_MODCOMP_NOWRITE)
         continue;
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

   if (inst->op == IL_OP_CMOV) {
      conditional_move(d, inst);
      return true;
   }
   if (scalar(d, inst, &r[0])) {
      r[1] = r[2] = r[3] = r[0];
   } else {
      unsigned mask = il_dst_mask(&inst->dst[0]);
      for (unsigned c = 0; c < 4; c++)
         if ((mask >> c & 1 || !mask) && !component(d, inst, c, &r[c]))
            return false;
   }
   direct_store(d, &inst->dst[0], r);
   return true;
}

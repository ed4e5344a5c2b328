/* SPDX-License-Identifier: MIT */
/*
 * Import of what the driver's state decides as the program runs (IL_DRV_DRAW2 of il/conventions.h):
 * the range that COLORCLAMP leaves of a colour, and the component that divides the coordinates of a
 * texture stage (divComp(unknown), PROJECT).
 */
#include "import.h"

#define COLOURS 8
#define STAGES  16

/* Two bits of a component of the constants, or 0 for what they have no bits for. */
static struct cc_operand
state_of(struct importer *im, unsigned chan, unsigned number, unsigned count)
{
   if (number >= count)
      return op_const(0);
   im->c->out->const_buffers |= 1u << IL_DRIVER_CB;
   return E3(BFE_UINT, op_kcache(IL_DRIVER_CB, IL_DRV_DRAW2, chan), op_const(2 * number),
             op_const(2));
}

struct cc_operand
im_project(struct importer *im, const struct il_src *src, unsigned comp, struct cc_operand o)
{
   const struct il_op_info *info = il_op_info(im->inst->op);

   if (info->ctl != IL_CTL_STAGE && info->ctl != IL_CTL_TEXLD)
      im_unsupported(im, "divComp(unknown) of what is no texture stage");
   struct cc_operand divisor = state_of(im, 3, il_stage(im->inst), STAGES), r = o;
   for (unsigned by = comp + 1; by < 4; by++) {
      struct cc_operand other = E2(SUB_INT, divisor, op_const(by));
      r = E3(CNDE_INT, other, im_divide(im, o, im_unprojected(im, src, by), IL_ZEROOP_FLTMAX), r);
   }
   return r;
}

static void
clamp_colour(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand mode = state_of(im, 2, inst->src[0].r.num, COLOURS), result[4];
   struct cc_operand unsigned_range = E2(SETE_INT, mode, op_const(IL_COLORCLAMP_0_1));
   struct cc_operand signed_range = E2(SETE_INT, mode, op_const(IL_COLORCLAMP_NEG_1_1));
   struct cc_operand any = E2(OR_INT, unsigned_range, signed_range);

   for (unsigned i = 0; i < 4; i++) {
      struct cc_operand v = im_plain(im, im_src(im, &inst->src[0], i));
      struct cc_operand below_0 = E2(AND_INT, unsigned_range, E2(SETGE_DX10, op_const(0), v));
      struct cc_operand below_1 = E2(AND_INT, signed_range, E2(SETGT_DX10, op_float(-1), v));
      struct cc_operand above = E2(AND_INT, any, E2(SETGT_DX10, v, op_float(1)));
      result[i] = E3(CNDE_INT, below_0, v, op_const(0));
      result[i] = E3(CNDE_INT, below_1, result[i], op_float(-1));
      result[i] = E3(CNDE_INT, above, result[i], op_float(1));
   }
   im_store(im, &inst->dst[0], result);
}

bool
im_state(struct importer *im, const struct il_inst *inst)
{
   if (inst->ndst != 1 || !inst->nsrc)
      return false;
   if (inst->op == IL_OP_COLORCLAMP) {
      clamp_colour(im, inst);
      return true;
   }
   if (inst->op == IL_OP_PROJECT) {
      struct cc_operand result[4];
      for (unsigned i = 0; i < 4; i++)
         result[i] = im_src(im, &inst->src[0], i);
      im_store(im, &inst->dst[0], result);
      return true;
   }
   return false;
}

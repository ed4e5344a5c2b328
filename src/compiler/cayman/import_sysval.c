/* SPDX-License-Identifier: MIT */
/*
 * Import of system values, positions of samples and kills.  Positions are those of the render
 * target, from the driver's constants.
 */
#include "import.h"

static struct cc_operand
driver_constant(struct importer *im, unsigned index, unsigned chan)
{
   im->c->out->const_buffers |= 1u << IL_DRIVER_CB;
   return op_kcache(IL_DRIVER_CB, index, chan);
}

static void
kill_pixels(struct importer *im, unsigned op, struct cc_operand a, struct cc_operand b)
{
   struct inst *kill = cc_alu_inst(im->c, SHAPE_SCALAR, 1);

   if (im->c->out->stage != SHADER_STAGE_PS)
      im_unsupported(im, "discard outside a pixel shader");
   kill->lane[0].op = op;
   kill->lane[0].src[0] = a;
   kill->lane[0].src[1] = b;
   kill->side_effect = true;
   im->c->out->ps.kills = true;
}

static void
discard(struct importer *im, const struct il_inst *inst)
{
   kill_pixels(im,
               inst->op == IL_OP_DISCARD_LOGICALNZ ? CAYMAN_ALU_KILLNE_INT : CAYMAN_ALU_KILLE_INT,
               im_plain(im, im_src(im, &inst->src[0], 0)), op_const(0));
}

/* KILL: where any component is negative. */
static void
kill_negative(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand test[4], least;

   for (unsigned i = 0; i < 4; i++)
      test[i] = im_src(im, &inst->src[0], i);
   least = test[0];
   for (unsigned i = 1; i < 4; i++)
      least = E2(MIN_DX10, least, test[i]);
   kill_pixels(im, CAYMAN_ALU_KILLGT, op_const(0), least);
}

/* Where the unit is: of 12 SIMDs a shader engine, of the waves of a SIMD. */
static struct cc_operand
unit(struct importer *im, unsigned op)
{
   if (op == IL_OP_WAVE_ID)
      return op_value(cc_mov(im->c, 0, op_special(CAYMAN_SRC_HW_WAVE_ID, 0)));
   return op_value(im_emit3(im, CAYMAN_ALU_MULADD_UINT24, op_special(CAYMAN_SRC_SE_ID, 0),
                            op_const(12), op_special(CAYMAN_SRC_SIMD_ID, 0)));
}

struct cc_operand
im_sample_position(struct importer *im, struct cc_operand id, unsigned comp)
{
   struct cc_operand half = op_value(im_emit2(im, CAYMAN_ALU_LSHR_INT, id, op_const(1)));
   struct cc_operand odd = op_value(im_emit2(im, CAYMAN_ALU_AND_INT, id, op_const(1)));
   struct cc_operand even_value =
      im_indexed_constant(im, IL_DRIVER_CB, IL_DRV_SAMPLE_POS, half, comp);
   struct cc_operand odd_value =
      im_indexed_constant(im, IL_DRIVER_CB, IL_DRV_SAMPLE_POS, half, 2 + comp);
   return op_value(im_emit3(im, CAYMAN_ALU_CNDE_INT, odd, even_value, odd_value));
}

/* The threads that run now.  It is no copy: what it reads changes with every branch. */
static struct cc_operand
running(struct importer *im, unsigned half)
{
   struct inst *inst = cc_alu_inst(im->c, SHAPE_SCALAR, 1);

   inst->lane[0].op = CAYMAN_ALU_MOV;
   inst->lane[0].src[0] = op_special(half ? CAYMAN_SRC_MASK_HI : CAYMAN_SRC_MASK_LO, 0);
   inst->lane[0].dst = cc_value(im->c);
   im->c->values[inst->lane[0].dst].def = inst;
   inst->keep = inst->side_effect = true;
   return op_value(inst->lane[0].dst);
}

/* A branch on the condition: in it, those that run are the ones that voted for it; on its other
 * side they are the rest. */
static void
ballot(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand condition = im_plain(im, im_src(im, &inst->src[0], 0)), all[2], result[4];
   value_id votes[2];

   for (unsigned i = 0; i < 2; i++) {
      all[i] = running(im, i);
      votes[i] = cc_variable(im->c);
   }
   uint32_t branch = im_begin_if(im, CAYMAN_ALU_PRED_SETNE_INT, condition, op_const(0));
   for (unsigned i = 0; i < 2; i++)
      cc_mov(im->c, votes[i], running(im, i));
   branch = im_else(im, branch);
   for (unsigned i = 0; i < 2; i++)
      cc_mov(im->c, votes[i], E2(XOR_INT, all[i], running(im, i)));
   im_end_if(im, branch);
   for (unsigned i = 0; i < 4; i++)
      result[i] = i < 2 ? op_value(votes[i]) : op_const(0);
   im_store(im, &inst->dst[0], result);
}

bool
im_sysval(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4];

   if (im_evaluate(im, inst))
      return true;

   if (inst->op == IL_OP_DISCARD_LOGICALZ || inst->op == IL_OP_DISCARD_LOGICALNZ) {
      discard(im, inst);
      return true;
   }
   if (inst->op == IL_OP_KILL) {
      kill_negative(im, inst);
      return true;
   }
   if (inst->ndst != 1)
      return false;
   if (inst->op == IL_OP_SAMPLEPOS) {
      im_sample_place(im, inst, result);
      im_store(im, &inst->dst[0], result);
      return true;
   }
   if (inst->op == IL_OP_CU_ID || inst->op == IL_OP_WAVE_ID) {
      result[0] = result[1] = result[2] = result[3] = unit(im, inst->op);
      im_store(im, &inst->dst[0], result);
      return true;
   }
   if (inst->op == IL_OP_X_BALLOT) {
      ballot(im, inst);
      return true;
   }
   if (inst->op != IL_OP_X_SYSVAL)
      return false;
   unsigned vec4, comp;
   switch (il_number(inst)) {
   case IL_SYSVAL_LANE:
      result[0] = im_lane(im);
      break;
   case IL_SYSVAL_SAMPLE_POS:
      if (!im->fixed_pt[3])
         im_unsupported(im, "sample position outside a pixel shader");
      result[0] = im_sample_position(im, op_value(im->fixed_pt[3]), 0);
      result[1] = im_sample_position(im, op_value(im->fixed_pt[3]), 1);
      result[2] = result[3] = op_const(0);
      im_store(im, &inst->dst[0], result);
      return true;
   default:
      if (!il_sysval_constant(il_number(inst), &vec4, &comp))
         im_unsupported(im, "system value");
      result[0] = driver_constant(im, vec4, comp);
      break;
   }
   result[1] = result[2] = result[3] = result[0];
   im_store(im, &inst->dst[0], result);
   return true;
}
